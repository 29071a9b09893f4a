"""Where the stages of the worked softmax stand, one under the other, for any number of keys."""

from __future__ import annotations

from dataclasses import dataclass

BAR_H, SCORES_Y = 52.0, 246.0  # px


@dataclass(frozen=True)
class Stages:
    """Where the stages of the worked example stand, px: `group` is the height of a group of bars, one a key.

    `apart`: scores have a ruler of their own, and that of the exponentials stands between both.
    """

    keys: int
    apart: bool = False

    GAP, NARROW_GAP, RULER_GAP, BARS_GAP = 54.0, 36.0, 84.0, 8.0
    LEAST_PITCH, LEAST_APART, ROOM = 41.6, 38.0, 152.0  # of bars; for a group, where bars need no more
    SHARES_AT, DIVISION_H = 818.0, 104.0
    MARKS_UP, RULES_UP = 34.0, 18.0  # of the ruler between, from the exponentials up

    @property
    def group(self) -> float:
        least = self.LEAST_APART if self.apart else self.LEAST_PITCH
        return (
            max(min(BAR_H + self.BARS_GAP, (self.ROOM + self.BARS_GAP) / self.keys), least) * self.keys - self.BARS_GAP
        )

    @property
    def pitch(self) -> float:
        return (self.group + self.BARS_GAP) / self.keys

    @property
    def bar(self) -> float:
        return self.pitch - self.BARS_GAP

    @property
    def exponentials(self) -> float:
        return SCORES_Y + self.group + (self.RULER_GAP if self.apart else self._gap)

    @property
    def total(self) -> float:
        return self.exponentials + self.group + self._gap

    @property
    def shares(self) -> float:
        return max(self.SHARES_AT, self.total + BAR_H + self.DIVISION_H)

    @property
    def _gap(self) -> float:
        return self.GAP if self.keys == 2 else self.NARROW_GAP
