"""A sentence on one line, with room under each token, and the arcs that join its tokens."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.labels import Label, words
from scenes.kit.shapes import arch


class Sentence(VGroup):
    """Tokens on one baseline, each on the middle of its own slot.

    Parameters
    ----------
    tokens, baseline, em
        The em shrinks until the sentence ends before `right`.
    left, right
        The edges of the first and last slot, px.
    gap
        Between slots, px.
    least
        The narrowest slot, px: as wide as the figure that will stand under a token.
    hanging
        Width of what will hang under each token, px, 0 for nothing; it may be wider than the slot, but never
        touches what hangs next to it, nor leaves the line.
    """

    def __init__(
        self,
        tokens: Fact,
        *,
        baseline: float,
        em: float,
        left: float,
        right: float,
        gap: float,
        least: float,
        hanging: Sequence[float],
    ) -> None:
        super().__init__()
        self.baseline, self.left, self.gap, self.least = baseline, left, gap, least
        self.hanging = hanging
        wide = [words("{}", fact, em=em).advance / em for fact in tokens]
        size = em
        while self._slots([size * w for w in wide])[-1][1] > right and size > 1:
            size -= 1
        self.slots = self._slots([size * w for w in wide])
        self.em = size
        self.words: list[Label] = [
            words("{}", fact, em=size).place(self.x(i), baseline, "center") for i, fact in enumerate(tokens)
        ]
        self.add(*self.words)

    def _slots(self, advances: Sequence[float]) -> list[tuple[float, float]]:
        """Left and right edge of each token's slot."""
        slots: list[tuple[float, float]] = []
        start, free = self.left, self.left
        for advance, under in zip(advances, self.hanging, strict=True):
            width = max(advance, self.least)
            if under:
                start += max(0.0, free - (start + width / 2 - under / 2))
                free = start + width / 2 + under / 2 + self.gap
            slots.append((start, start + width))
            start += width + self.gap
        return slots

    def x(self, i: int) -> float:
        """The middle of a token."""
        return sum(self.slots[i]) / 2

    @property
    def end(self) -> float:
        """The right edge of the last slot."""
        return self.slots[-1][1]

    def arc(
        self, start: int, to: int, y: float, *, role: str, width: float, aside: float = 0, slope: float = 1 / 3
    ) -> VMobject:
        """From one token over to another, `slope` times as high as it is wide.

        It leaves `aside` px from the middle of the first, on the side it goes to.
        """
        x0, x1 = self.x(start), self.x(to)
        x0 += aside if x1 > x0 else -aside
        return arch(x0, x1, y, abs(x1 - x0) * slope, role, width)
