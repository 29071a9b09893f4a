"""Bars whose lengths are numbers: one by one, end to end, and divided by their total."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

from manim import RIGHT, UP, VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, Look
from scenes.kit.colour import contrast, mix
from scenes.kit.figures import TIMES, filled, is_shown, place_of, written
from scenes.kit.geometry import left, right, stroke
from scenes.kit.labels import CAP, SEMIBOLD, Align, Label, axis_mark, figure, rich, run, words
from scenes.kit.motion import MoveCells
from scenes.kit.shapes import BOLD, HAIR, box, dashed, path, polygon
from scenes.kit.theme import theme

RADIUS = 4  # of a bar's corners, px
THINNEST = 2.0  # a bar is seen, however small its number, px
FAINT_SHADE = 1.5  # contrast of a part with the ground, below which it has an edge
FUNNEL = 0.22  # opacity of the way from a part to its share
KNOCK_OUT = 12.0  # ground around a number that stands on lines, px
NARROWEST_ONE = 100.0  # where 1 would be shorter, its parts are drawn on a larger scale, px
VALUE_GAP = 18.0  # between a bar's end and its number, px
LINE_PITCH = 1.25  # from one line of numbers to the next, em
SUM_GAP = 12.0  # between a sum and what is said of it, px
LINE_GAP = 10.0  # between a ruler's line and a number before it, px
UNDER = -0.1  # how far the way to a tower's foot bows down, below the arrow that goes there
Box = tuple[float, float, float, float]  # x, y, width, height, px
YH = tuple[float, float]  # y, height, px


def between(a: float, b: float, t: float) -> float:
    """From a (t = 0) to b (t = 1), both exactly: one may be beyond the digits of the other."""
    return a * (1 - t) + b * t


def boxes_between(start: Sequence[Box], goal: Sequence[Box], t: float) -> list[Box]:
    """Each box on its way to another."""
    return [
        (between(a[0], b[0], t), between(a[1], b[1], t), between(a[2], b[2], t), between(a[3], b[3], t))
        for a, b in zip(start, goal, strict=True)
    ]


@dataclass(frozen=True)
class Scale:
    """Where 0 stands and how long 1 is, px."""

    zero: float
    unit: float

    def to(self, length: float) -> float:
        return self.zero + length * self.unit


@dataclass(frozen=True)
class Parts:
    """Numbers that can be laid end to end, and how their bars look."""

    lengths: tuple[float, ...]
    fills: tuple[str, ...]
    edges: tuple[str, ...]
    thinnest: float = THINNEST  # width of a bar whose number is 0, px

    @classmethod
    def raw(cls, numbers: Iterable[Fact], role: str = "weight") -> Parts:
        """Not yet normalised: outlines with a thin wash."""
        look, lengths = theme(), tuple(float(number) for number in numbers)
        return cls(lengths, (look.wash(role),) * len(lengths), (look.colour(role),) * len(lengths))

    @classmethod
    def solid(cls, numbers: Iterable[Fact], role: str) -> Parts:
        """In the colour of a role."""
        lengths = tuple(float(number) for number in numbers)
        colours = (theme().colour(role),) * len(lengths)
        return cls(lengths, colours, colours, BOLD)

    @classmethod
    def shares(cls, weights: Iterable[Fact], *, edged: bool = False) -> Parts:
        """Weights: solid, on the sequential scale; `edged`: those that are nearly the ground's colour have an edge."""
        lengths, look = tuple(float(weight) for weight in weights), theme()
        shades = tuple(look.weight_shade(length) for length in lengths)
        faint = [edged and contrast(shade, look.ground) < FAINT_SHADE for shade in shades]
        edges = [look.weight if dark else shade for shade, dark in zip(shades, faint, strict=True)]
        return cls(lengths, shades, tuple(edges))

    def towards(self, other: Parts, t: float) -> Parts:
        """On the way to other parts. From numbers to their shares every length shrinks by one common factor."""
        return Parts(
            tuple(between(a, b, t) for a, b in zip(self.lengths, other.lengths, strict=True)),
            tuple(mix(a, b, t) for a, b in zip(self.fills, other.fills, strict=True)),
            tuple(mix(a, b, t) for a, b in zip(self.edges, other.edges, strict=True)),
            between(self.thinnest, other.thinnest, t),
        )

    def with_first(self, count: int, other: Parts) -> Parts:
        """The first parts are another's already."""
        return Parts(
            other.lengths[:count] + self.lengths[count:],
            other.fills[:count] + self.fills[count:],
            other.edges[:count] + self.edges[count:],
            self.thinnest,
        )

    def ends(self, scale: Scale) -> list[float]:
        """Laid end to end: where each part begins, and where the last one ends, px."""
        marks, total = [scale.zero], 0.0
        for length in self.lengths:
            total += length
            marks.append(scale.to(total))
        return marks

    def in_a_row(self, scale: Scale, y: float, h: float) -> list[Box]:
        """Laid end to end."""
        return [(a, y, b - a, h) for a, b in pairwise(self.ends(scale))]

    def one_by_one(self, scale: Scale, y: float, dy: float, h: float) -> list[Box]:
        """Each from 0, one below the other."""
        return [(scale.zero, y + i * dy, n * scale.unit, h) for i, n in enumerate(self.lengths)]

    def draw(self, boxes: Sequence[Box]) -> VGroup:
        """The bars in those places."""
        return VGroup(*[
            box(*self._seen(place), fill, edge, HAIR, RADIUS)
            for place, fill, edge in zip(boxes, self.fills, self.edges, strict=True)
        ])  # fmt: skip

    def _seen(self, place: Box) -> Box:
        """A bar is wide enough to be seen, on its side of where it begins; one of no length is a line there."""
        x, y, w, h = place
        wide = max(abs(w), self.thinnest) if w else THINNEST
        begin = x - wide if w < 0 else x if w else x - wide / 2
        return begin, y, wide, max(h, THINNEST)

    def moving(self, start: Sequence[Box], other: Parts, goal: Sequence[Box], t: float) -> VGroup:
        """The bars on the way from their places to another's, becoming those."""
        return self.towards(other, t).draw(boxes_between(start, goal, t))

    def dividing(self, shares: Parts, scale: Scale, start: YH, goal: YH, t: float, into: Scale | None = None) -> VGroup:
        """The bar on its way down (y and height at `start` and `goal`), and the ways that its parts have come.

        It ends on the scale `into`, if that is another.
        """
        top, ways = start[0] + start[1], VGroup()
        y, h = between(start[0], goal[0], t), between(start[1], goal[1], t)
        above, below = pairwise(self.ends(scale)), list(pairwise(self.way_edges(shares, scale, into or scale, t)))
        for (a, b), (c, d), shade in zip(above, below, shares.fills, strict=True):
            corners = [(a, top), (b, top), (d, max(y, top)), (c, max(y, top))]
            ways.add(polygon(corners, fill=shade).set_fill(opacity=FUNNEL))
        return VGroup(ways, self.towards(shares, t).draw([(c, y, d - c, h) for c, d in below]))

    def way_edges(self, shares: Parts, scale: Scale, into: Scale, t: float) -> list[float]:
        """Where the ways of `dividing` begin and end at a share t of the way down, px."""
        return [between(a, b, t) for a, b in zip(self.ends(scale), shares.ends(into), strict=True)]


def value_on(place: Box, fact: Fact, decimals: int = 4, *, inside: str = "text") -> VGroup:
    """A bar's number: inside its end where it fits, beyond it where it doesn't. It stays above bars that pass.

    The end of a bar below zero is its left one. Beyond the bar, the number stands on ground, [ground, number], so
    that a ruler's lines break behind it.
    """
    x, y, w, h = place
    value, gap = amount(fact, decimals, role=inside), -VALUE_GAP if float(fact) < 0 else VALUE_GAP
    value.set_z_index(1)
    if fits_on(value, w):
        return VGroup(value.middle(x + w - gap, y + h / 2, "left" if gap < 0 else "right"))
    knocked_out(value).paint("text").middle(x + w + gap, y + h / 2, "right" if gap < 0 else "left")
    return on_ground(value, y, h)


def on_ground(value: Label, y: float, h: float) -> VGroup:
    """A number on ground as high as its bar, [ground, number]: a ruler's lines break behind it."""
    ground = box(left(value) - LINE_GAP, y, right(value) - left(value) + 2 * LINE_GAP, h, fill="ground", radius=0)
    return VGroup(ground.set_z_index(1), value.set_z_index(1))


def fits_on(value: Label, length: float) -> bool:
    """Is there room for a number on a bar so long, px? Powers of ten stand beyond theirs, whose lengths say nothing."""
    return value.advance + 2 * VALUE_GAP <= abs(length) and TIMES not in value.figures[0].shown


def amount(fact: Fact, decimals: int = 4, *, role: str = "text") -> Label:
    """A quantity with so many decimals, or fewer where it is large; a power of ten where these would be zeros."""
    return rich(amount_place(fact, decimals), fact, em=theme().type.digits, role=role, weight=SEMIBOLD)


def amount_place(fact: Fact, decimals: int = 4) -> str:
    """The place for an amount in a template."""
    size = abs(float(fact))
    if size < 10 and (size == 0 or size >= 10**-decimals):
        return f"{{{decimals}}}"
    return place_of(fact, decimals + 1, decimals)


def shown_amount(fact: Fact, decimals: int = 4) -> Fraction:
    """What the digits of an `amount` say."""
    (figure,) = filled(amount_place(fact, decimals), [fact])[1]
    return Fraction(written(figure))


def add_up(terms: Iterable[Fact], total: Fact, decimals: int = 4) -> bool:
    """Do the digits shown of amounts add up to those shown of their total, the smallest ones, too?"""
    return sum(shown_amount(term, decimals) for term in terms) == shown_amount(total, decimals)


def blurred(facts: Iterable[Fact], decimals: int = 4) -> list[bool]:
    """Of each amount: is it rounded to what another one shows, too, and differs from that?"""
    seen = [(shown_amount(fact, decimals), float(fact)) for fact in facts]
    return [
        not is_shown(float(shown), value) and any(shown == other and not is_shown(n, value) for other, n in seen)
        for shown, value in seen
    ]


def vanished(positive: Iterable[Fact]) -> list[bool]:
    """Of each exponential or weight, none of which is 0: is it shown as 0, being nearer to it than any float?"""
    return [float(fact) == 0 for fact in positive]


def knocked_out(label: Label) -> Label:
    """With ground around it, so that what it passes over doesn't cut it."""
    label.set_stroke(theme().ground, stroke(KNOCK_OUT), background=True)
    return label


def named_shares(
    places: Sequence[Box], weights: Iterable[Fact], names: Sequence[Label], together: Label, under: float, decimals: int
) -> VGroup:
    """Weights on their bars, names `under` px below, their sum behind; all behind the bar if one is too narrow.

    Where a line is full, what is left goes into the next ones.
    """
    values = [amount(weight, decimals) for weight in weights]
    x, y, w, h = places[-1]
    together.middle(x + w + VALUE_GAP, y + h / 2)
    if any(value.advance > place[2] - HAIR for value, place in zip(values, places, strict=True)):
        groups = [*zip(names, values, strict=True), (together,)]
        return _in_lines(groups, x + w + VALUE_GAP, together.origin[1], theme().frame.right)
    for value, name, (x, y, w, h) in zip(values, names, places, strict=True):
        shade = theme().weight_shade(float(value.figures[0].value))
        value.paint(theme().ink_on(shade)).middle(x + w / 2, y + h / 2, "center")
        name.place(x + w / 2, y + h + under, "center")
    return VGroup(*values, *names, together)


def _in_lines(groups: Iterable[Sequence[Label]], x: float, baseline: float, end: float) -> VGroup:
    """Groups of labels one after the other from x on, and in as many lines as they need to stay left of `end`."""
    made, at_x = VGroup(), x
    for group in groups:
        needed = sum(label.advance + VALUE_GAP for label in group)
        if at_x > x and at_x + needed - VALUE_GAP > end:
            at_x, baseline = x, baseline + LINE_PITCH * theme().type.body
        made.add(*run(*group, x=at_x, baseline=baseline, gap=VALUE_GAP))
        at_x += needed
    return made


def division_picture(
    numbers: Fact, total: Fact, weights: Fact, one: Fact, x: tuple[float, float], above: YH, below: YH
) -> VGroup:
    """The whole division in small: the total from x[0] to x[1], named above; its shares below, named behind."""
    raw, shares, em = Parts.raw(numbers), Parts.shares(weights, edged=True), theme().type.small
    sum_one, width = words("sum {0}", one, em=em), x[1] - x[0]
    scale = Scale(x[0], min(width / float(total), width - VALUE_GAP - sum_one.advance))
    one_scale = scale if scale.unit >= NARROWEST_ONE else Scale(x[0], width / 2)
    sums = [sum_one, *([] if one_scale is scale else [words("enlarged", em=em, role="dim")])]
    names = VGroup(
        rich(f"total {place_of(total)}", total, em=em, role="dim").place(x[0], above[0] - VALUE_GAP),
        *run(*sums, x=one_scale.to(1) + VALUE_GAP, baseline=below[0] + (below[1] + CAP * em) / 2, gap=SUM_GAP),
    )
    return VGroup(raw.draw(raw.in_a_row(scale, *above)), raw.dividing(shares, scale, above, below, 1, one_scale), names)


@dataclass(frozen=True)
class Columns:
    """Numbers side by side: the left edge of the first one's cell, and from one to the next, px."""

    x: float
    dx: float

    GAP, HEIGHT, DECIMALS = 6.0, 72.0, 4

    def middle(self, i: int) -> float:
        return self.x + i * self.dx + (self.dx - self.GAP) / 2

    def cell(self, i: int, y: float, look: Look, fact: Fact | None = None, text: str | None = None) -> Cell:
        """The i-th number's cell, its middle on y."""
        x, width = self.x + i * self.dx, self.dx - self.GAP
        return Cell(x, y - self.HEIGHT / 2, width, self.HEIGHT, look, fact, text=text, decimals=self.DECIMALS)

    def head(self, name: str, baseline: float) -> Label:
        """What the numbers are, above the second of them."""
        return words(name, role="dim").place(self.middle(1), baseline, "center")


@dataclass(frozen=True)
class Towers:
    """Bars that stand side by side: their middles, the line they stand on, width and height of 1, px."""

    columns: tuple[float, ...]
    foot: float
    width: float
    unit: float

    FADE = 78.0  # the upper end of an endless tower, px

    def grown(self, parts: Parts, t: float = 1) -> VGroup:
        """At a share t of their heights."""
        heights = [length * self.unit * t for length in parts.lengths]
        return parts.draw([
            (x - self.width / 2, self.foot - h, self.width, h) for x, h in zip(self.columns, heights, strict=True)
        ])  # fmt: skip

    def endless(self, height: float, role: str = "error") -> VGroup:
        """Towers that have no end: their upper part dissolves into the ground."""
        height = max(height, THINNEST)
        look, fade = theme(), min(self.FADE, height)
        body, y0, y1 = look.colour(role), self.foot - height, self.foot - height + fade
        made = VGroup()
        for x in self.columns:
            a, b = x - self.width / 2, x + self.width / 2
            top = polygon([(a, y0), (b, y0), (b, y1), (a, y1)], fill=body)
            top.set_sheen_direction(UP)
            _gradient(top, [mix(body, look.ground, n / 8) for n in range(9)])
            made.add(VGroup(polygon([(a, y1), (b, y1), (b, self.foot), (a, self.foot)], fill=body), top))
        return made

    def named(self, labels: Iterable[VGroup], drop: float) -> MoveCells:
        """Copies of these travel under the towers' feet, where they stay as the towers' names."""
        ends = [(x, self.foot + drop) for x in self.columns]
        return MoveCells([label.copy() for label in labels], ends, lag=0, arc=UNDER)

    def tops(self, numbers: Iterable[Fact], rise: float) -> list[Label]:
        """The towers' numbers, on their tops."""
        return [
            figure(n, 4).place(x, self.foot - float(n) * self.unit - rise, "center")
            for n, x in zip(numbers, self.columns, strict=True)
        ]

    def across(self, y: float, role: str, overhang: float, *, dashes: bool = False) -> VMobject:
        """A line from side to side, a half tower and `overhang` beyond the outer ones."""
        x0, x1 = self.columns[0] - self.width - overhang, self.columns[-1] + self.width + overhang
        return dashed((x0, y), (x1, y), role) if dashes else path([(x0, y), (x1, y)], role)


def _gradient(mob: VMobject, colours: list[str]) -> None:
    """Along the mobject's sheen direction. Manim takes a list, though its annotation says one colour."""
    mob.set_fill(cast(Any, colours), 1)


class WeightLegend(VGroup):
    """The one sequential scale of weights, from 0 to 1."""

    STOPS = 12

    def __init__(self, x: float, y: float, w: float, h: float, name: str = "weight") -> None:
        super().__init__()
        look = theme()
        strip = box(x, y, w, h, fill="weight", radius=RADIUS)
        strip.set_sheen_direction(RIGHT)
        _gradient(strip, [look.weight_shade(n / (self.STOPS - 1)) for n in range(self.STOPS)])
        self.add(strip, box(x, y, w, h, edge="hairline", radius=RADIUS))
        below = y + h + look.type.small
        ends: tuple[tuple[int, float, Align], ...] = ((0, x, "left"), (1, x + w, "right"))
        for n, at_x, align in ends:
            self.add(axis_mark(n).place(at_x, below, align))
        self.add(words(name, em=look.type.small, role="dim").place(x + w / 2, below, "center"))
