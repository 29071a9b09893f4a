"""A ruler above bars: whole numbers, and a line down from each."""

from __future__ import annotations

from manim import Animation, VGroup

from lesson import Fact
from scenes.kit.bars import Scale, between
from scenes.kit.labels import REGULAR, SEMIBOLD, number
from scenes.kit.motion import Redraw
from scenes.kit.shapes import HAIR, path
from scenes.kit.theme import theme

LONG = 1_000_000  # whole numbers from here on are powers of ten


def round_steps(last: float, most: int, first: float = 0.0) -> list[int]:
    """0, at most so many equal steps of 1, 2 or 5 times a power of ten from `first` (0 or less) to `last`."""
    step = next(n * 10**power for power in range(400) for n in (1, 2, 5) if (last - first) // (n * 10**power) <= most)
    return sorted({*range(0, int(last) + 1, step), *range(0, int(first) - 1, -step)})


class LengthRuler(VGroup):
    """Whole numbers in a row, with a line down from each; the lines of 0 and 1 may reach further than the others.

    Where there are many, they are steps of round numbers, and 1 is left out where it would touch 0. With `first`, it
    begins below zero, and 1 is a number like others.
    """

    MOST, APART = 6, 60.0  # steps; px between 0 and 1, at least

    def __init__(self, scale: Scale, last: int, baseline: float, top: float, first: float | None = None) -> None:
        super().__init__()
        steps = round_steps(last, self.MOST, first or 0.0)
        self.one = 1 if first is None else None  # what stands out
        if self.one:
            after = next((scale.to(n) - scale.to(1) for n in steps if n > 1), scale.unit)
            crowded = min(scale.unit, after) < self.APART
            steps = sorted({*steps, 1} - ({1} if crowded else set()))
        self.measure, self.top, self.numbers = scale, top, steps
        self.ends = (top, top)
        self.lines = self._drawn(self.ends)
        self.marks = VGroup(*[
            number(
                Fact("ruler", n if abs(n) < LONG else float(n)), em=theme().type.body,
                role="text" if n == self.one else "dim", weight=SEMIBOLD if n == self.one else REGULAR,
            )
            .place(scale.to(n), baseline, "center")
            for n in self.numbers
        ])  # fmt: skip
        self.add(self.lines, self.marks)

    @property
    def places(self) -> list[float]:
        """Where its lines stand, px."""
        return [self.measure.to(n) for n in self.numbers]

    def _drawn(self, ends: tuple[float, float]) -> VGroup:
        made = VGroup()
        for n, x in zip(self.numbers, self.places, strict=True):
            end = ends[0 if n in (0, 1) else 1]
            made.add(path([(x, self.top), (x, max(end, self.top + 1))], "dim" if n == self.one else "hairline", HAIR))
        return made

    def reach(self, near: float, far: float) -> Animation:
        """The lines grow down: those of 0 and 1 to `near`, the others to `far`, px."""
        (a, b), self.ends = self.ends, (near, far)
        return Redraw(self.lines, lambda t: self._drawn((between(a, near, t), between(b, far, t))))
