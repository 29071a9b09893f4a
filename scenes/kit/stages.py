"""Where the stages of the worked softmax stand, one under the other, for any number of keys."""

from __future__ import annotations

from dataclasses import dataclass

BAR_H, SCORES_Y = 52.0, 246.0  # px


@dataclass(frozen=True)
class Stages:
    """Where the stages of the worked example stand, px: `group` is the height of a group of bars, one a key."""

    keys: int

    GAP, NARROW_GAP, BARS_GAP, LEAST_PITCH = 54.0, 36.0, 8.0, 41.6
    SHARES_AT, DIVISION_H = 818.0, 104.0

    @property
    def group(self) -> float:
        return max(2 * (BAR_H + self.BARS_GAP), self.keys * self.LEAST_PITCH) - self.BARS_GAP

    @property
    def pitch(self) -> float:
        return (self.group + self.BARS_GAP) / self.keys

    @property
    def bar(self) -> float:
        return self.pitch - self.BARS_GAP

    @property
    def exponentials(self) -> float:
        return SCORES_Y + self.group + self._gap

    @property
    def total(self) -> float:
        return self.exponentials + self.group + self._gap

    @property
    def shares(self) -> float:
        return max(self.SHARES_AT, self.total + BAR_H + self.DIVISION_H)

    @property
    def _gap(self) -> float:
        return self.GAP if self.keys == 2 else self.NARROW_GAP
