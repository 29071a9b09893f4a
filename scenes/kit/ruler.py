"""A ruler above bars: whole numbers, and a line down from each."""

from __future__ import annotations

from itertools import pairwise

from manim import Animation, VGroup

from lesson import Fact
from scenes.kit.bars import Scale, between
from scenes.kit.geometry import left, right
from scenes.kit.labels import REGULAR, SEMIBOLD, Label, number
from scenes.kit.motion import Redraw
from scenes.kit.shapes import HAIR, path
from scenes.kit.theme import theme

LONG = 1_000_000  # whole numbers from here on are powers of ten


def round_steps(last: float, most: int, first: float = 0.0) -> list[int]:
    """0 and at most so many equal steps of 1, 2 or 5 times a power of ten, from `first` or 0 to `last` or 0."""
    first, last = min(first, 0), max(last, 0)
    step = next(n * 10**power for power in range(400) for n in (1, 2, 5) if (last - first) // (n * 10**power) <= most)
    return sorted({*range(0, int(last) + 1, step), *range(0, int(first) - 1, -step)})


class LengthRuler(VGroup):
    """Whole numbers in a row, with a line down from each; the lines of 0 and 1 may reach further than the others.

    Where there are many, they are steps of round numbers, as many as stand clear of each other, and 1 is left out
    where it would touch 0. With `first`, it begins below zero, and 1 is a number like others.
    """

    MOST, APART, CLEAR = 6, 60.0, 16.0  # steps; px between 0 and 1, and between two numbers, at least

    def __init__(self, scale: Scale, last: int, baseline: float, top: float, first: float | None = None) -> None:
        super().__init__()
        self.measure, self.top = scale, top
        self.one = 1 if first is None else None  # what stands out
        for most in range(self.MOST, 0, -1):
            self.numbers = self._with_one(round_steps(last, most, first or 0.0))
            marks = [self._mark(n).place(scale.to(n), baseline, "center") for n in self.numbers]
            if all(left(b) - right(a) >= self.CLEAR for a, b in pairwise(marks)):
                break
        self.ends = (top, top)
        self.lines, self.marks = self._drawn(self.ends), VGroup(*marks)
        self.add(self.lines, self.marks)

    def _with_one(self, steps: list[int]) -> list[int]:
        """1 among them, if that stands out and does not crowd."""
        if not self.one:
            return steps
        to = self.measure.to
        after = next((to(n) - to(1) for n in steps if n > 1), self.measure.unit)
        crowded = min(self.measure.unit, after) < self.APART
        return sorted({*steps, 1} - ({1} if crowded else set()))

    def _mark(self, n: int) -> Label:
        """Its number, in bold where that is the one that stands out."""
        role, weight = ("text", SEMIBOLD) if n == self.one else ("dim", REGULAR)
        fact = Fact("ruler", n if abs(n) < LONG else float(n))
        return number(fact, em=theme().type.body, role=role, weight=weight)

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
