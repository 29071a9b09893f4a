"""Bars whose lengths are numbers: on a ruler, end to end, and divided by their total."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from manim import RIGHT, UP, Animation, VGroup

from lesson import Fact
from scenes.kit.colour import mix
from scenes.kit.labels import REGULAR, SEMIBOLD, axis_mark, words
from scenes.kit.motion import Redraw
from scenes.kit.shapes import HAIR, box, path, polygon
from scenes.kit.theme import theme

RADIUS = 4  # of a bar's corners, px
THINNEST = 2.0  # a bar is seen, however small its number, px
FUNNEL = 0.22  # opacity of the way from a part to its share
Box = tuple[float, float, float, float]  # x, y, width, height, px


def between(a: float, b: float, t: float) -> float:
    """From a (t = 0) to b (t = 1)."""
    return a + (b - a) * t


@dataclass(frozen=True)
class Scale:
    """Where 0 stands and how long 1 is, px."""

    zero: float
    unit: float

    def to(self, length: float) -> float:
        return self.zero + length * self.unit


@dataclass(frozen=True)
class Parts:
    """Numbers laid end to end, and how their bars look."""

    lengths: tuple[float, ...]
    fills: tuple[str, ...]
    edges: tuple[str, ...]

    @classmethod
    def raw(cls, numbers: Sequence[Fact] | Fact, role: str = "weight") -> Parts:
        """Not yet normalised: outlines with a thin wash."""
        look, lengths = theme(), tuple(float(number) for number in numbers)
        return cls(lengths, (look.wash(role),) * len(lengths), (look.colour(role),) * len(lengths))

    @classmethod
    def shares(cls, weights: Sequence[Fact] | Fact) -> Parts:
        """Weights: solid, on the sequential scale."""
        lengths = tuple(float(weight) for weight in weights)
        shades = tuple(theme().weight_shade(min(length, 1)) for length in lengths)
        return cls(lengths, shades, shades)

    def towards(self, other: Parts, t: float) -> Parts:
        """On the way to other parts. From numbers to their shares every length shrinks by one common factor."""
        return Parts(
            tuple(between(a, b, t) for a, b in zip(self.lengths, other.lengths, strict=True)),
            tuple(mix(a, b, t) for a, b in zip(self.fills, other.fills, strict=True)),
            tuple(mix(a, b, t) for a, b in zip(self.edges, other.edges, strict=True)),
        )

    def ends(self, scale: Scale) -> list[float]:
        """Where each part begins, and where the last one ends, px."""
        marks, total = [scale.zero], 0.0
        for length in self.lengths:
            total += length
            marks.append(scale.to(total))
        return marks

    def boxes(self, scale: Scale, y: float, h: float) -> list[Box]:
        marks = self.ends(scale)
        return [(a, y, b - a, h) for a, b in zip(marks, marks[1:], strict=False)]

    def draw(self, boxes: Sequence[Box]) -> VGroup:
        """The bars in those places."""
        return VGroup(*[
            box(x, y, max(w, THINNEST), h, fill, edge, HAIR, RADIUS)
            for (x, y, w, h), fill, edge in zip(boxes, self.fills, self.edges, strict=True)
        ])  # fmt: skip


def boxes_between(start: Sequence[Box], goal: Sequence[Box], t: float) -> list[Box]:
    """Each box on its way to another."""
    return [
        (between(a[0], b[0], t), between(a[1], b[1], t), between(a[2], b[2], t), between(a[3], b[3], t))
        for a, b in zip(start, goal, strict=True)
    ]


def funnel(above: Sequence[float], top: float, below: Sequence[float], bottom: float, shades: Sequence[str]) -> VGroup:
    """The ways from parts, whose ends are `above`, to their shares, whose ends are `below`, px."""
    made = VGroup()
    for i, shade in enumerate(shades):
        corners = [(above[i], top), (above[i + 1], top), (below[i + 1], bottom), (below[i], bottom)]
        made.add(polygon(corners, fill=shade).set_fill(opacity=FUNNEL))
    return made


class LengthRuler(VGroup):
    """Whole numbers in a row, with a line down from each; the lines of 0 and 1 may reach further."""

    def __init__(self, scale: Scale, last: int, baseline: float, top: float) -> None:
        super().__init__()
        self.scale, self.last, self.top = scale, last, top
        self.ends = (top, top)
        self.lines = self._drawn(self.ends)
        self.marks = VGroup(*[
            axis_mark(n, em=theme().type.body, role="text" if n == 1 else "dim", weight=SEMIBOLD if n == 1 else REGULAR)
            .place(scale.to(n), baseline, "center")
            for n in range(last + 1)
        ])  # fmt: skip
        self.add(self.lines, self.marks)

    def _drawn(self, ends: tuple[float, float]) -> VGroup:
        made = VGroup()
        for n in range(self.last + 1):
            x, end = self.scale.to(n), ends[0 if n <= 1 else 1]
            made.add(path([(x, self.top), (x, max(end, self.top + 1))], "dim" if n == 1 else "hairline", HAIR))
        return made

    def reach(self, near: float, far: float) -> Animation:
        """The lines grow down: those of 0 and 1 to `near`, the others to `far`, px."""
        start, self.ends = self.ends, (near, far)
        goal = self.ends
        return Redraw(
            self.lines, lambda t: self._drawn((between(start[0], goal[0], t), between(start[1], goal[1], t)))
        )


def boundless(x: float, base: float, w: float, h: float, fade: float, role: str = "error") -> VGroup:
    """A bar that has no end: it stands on `base`, and its upper `fade` px dissolve into the ground."""
    look = theme()
    body, solid = look.colour(role), max(h - fade, 0.0)
    top = polygon([(x, base - h), (x + w, base - h), (x + w, base - solid), (x, base - solid)], fill=body)
    top.set_sheen_direction(UP).set_fill([mix(look.ground, body, n / 8) for n in range(8, -1, -1)], 1)
    rest = polygon([(x, base - solid), (x + w, base - solid), (x + w, base), (x, base)], fill=body)
    return VGroup(rest, top)


class WeightLegend(VGroup):
    """The one sequential scale of weights, from 0 to 1."""

    STOPS = 12

    def __init__(self, x: float, y: float, w: float, h: float, name: str = "weight") -> None:
        super().__init__()
        look = theme()
        strip = box(x, y, w, h, fill="weight", radius=RADIUS)
        shades = [look.weight_shade(n / (self.STOPS - 1)) for n in range(self.STOPS)]
        strip.set_sheen_direction(RIGHT).set_fill(shades, 1)
        self.add(strip, box(x, y, w, h, edge="hairline", radius=RADIUS))
        below = y + h + look.type.small
        for n, at_x, align in ((0, x, "left"), (1, x + w, "right")):
            self.add(axis_mark(n).place(at_x, below, align))
        self.add(words(name, em=look.type.small, role="dim").place(x + w / 2, below, "center"))
