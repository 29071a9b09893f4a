"""Vectors of two numbers as arrows in a plane, and rulers that measure one along another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import cos, dist, hypot, pi, sin

from manim import Animation, GrowFromPoint, Mobject, VGroup, VMobject

from lesson import Fact
from scenes.kit.geometry import at, bottom, left, right, top
from scenes.kit.labels import SEMIBOLD, axis_mark, formula, number
from scenes.kit.shapes import BOLD, HAIR, XY, arrow, dashed, dot, path

CLEAR = 16.0  # around a name, px
APART = 70.0  # px between two rulers
TIP_CLEAR = 40.0  # px before an arrow's tip that no ruler should cross
REACH = 60.0  # px before a ruler's ends where no other should come
CROSSED = 20  # how bad it is for a name to stand on a line
AROUND = (44.0, 70.0, 100.0, 136.0)  # px from its wanted place at which a name may stand where that is taken
KEY_HEAD, QUERY_HEAD = (46.0, 62.0), (28.0, 30.0)  # length, width, px
SHAFT = 24  # parts into which points divide a line
Box = tuple[float, float, float, float]  # left, top, right, bottom, px


def between(a: XY, b: XY, count: int = SHAFT) -> list[XY]:
    """Points along a line, both ends among them."""
    return [(a[0] + (b[0] - a[0]) * t / count, a[1] + (b[1] - a[1]) * t / count) for t in range(count + 1)]


def _length(vector: Fact) -> float:
    return hypot(float(vector[0]), float(vector[1]))


def ring(spot: XY, count: int = 16) -> list[XY]:
    """Places around a spot, nearest first."""
    turns = [2 * pi * n / count for n in range(count)]
    return [(spot[0] + far * cos(turn), spot[1] + far * sin(turn)) for far in AROUND for turn in turns]


def crowding(name: Mobject, taken: Iterable[Mobject], points: Iterable[XY], room: Box | None = None) -> int:
    """How much is in a name's way: points nearby, and, far worse, other names and the room's edges."""
    x0, x1, y0, y1 = left(name) - CLEAR, right(name) + CLEAR, top(name) - CLEAR, bottom(name) + CLEAR
    hits = sum(x0 < x < x1 and y0 < y < y1 for x, y in points)
    out = room is not None and (x0 < room[0] or y0 < room[1] or x1 > room[2] or y1 > room[3])
    close = sum(x0 < right(o) and left(o) < x1 and y0 < bottom(o) and top(o) < y1 for o in taken)
    return hits + CROSSED * (hits > 0) + 100 * close + 1000 * out


@dataclass(frozen=True)
class Plane:
    """Where the origin stands and how long 1 is, px; the second entry of a vector points up.

    With an `own_scale`, px, 1 is that long in vectors other than the query, whose fact is called `query`.
    """

    origin: XY
    unit: float
    query: str = ""
    own_scale: float = 0.0

    LEAST = 116.0  # an arrow is no shorter, px, or its head would be most of it
    LEAST_UNIT = 1e-9  # then all arrows are as short as they may be
    TIP, TIP_HALF, NAME_HALF, FIGURE_HALF = 42.0, (24.0, 24.0), (50.0, 26.0), (46.0, 18.0)  # px: names, and figures

    @classmethod
    def around(
        cls, q: Fact, keys: Sequence[Fact], corner: XY, longest: float, measured: Sequence[Fact], gap: float, room: Box
    ) -> Plane:
        """The plane in which the vectors, the query's shadows on the keys and their rulers have room.

        Query and keys get scales of their own where with one some arrows would be too short, and with two none is.

        Parameters
        ----------
        corner
            The lower left corner of the arrows, px, where there is room.
        longest
            The longest arrow is that long at most, px.
        measured, gap
            The keys that get a ruler, and how far beside them it lies, px.
        room
            Edges that nothing may cross: left, top, right, bottom, px.
        """
        of_query, of_keys = longest / _length(q), longest / max(map(_length, keys))
        one = cls._fitted(cls(corner, min(of_query, of_keys), q.key), q, keys, measured, gap, room)
        if one.true_to_scale([q, *keys]):
            return one
        two = cls._fitted(cls(corner, of_query, q.key, of_keys), q, keys, measured, gap, room)
        return two if two.true_to_scale([q, *keys]) else one

    @classmethod
    def _fitted(
        cls, plane: Plane, q: Fact, keys: Sequence[Fact], measured: Sequence[Fact], gap: float, room: Box
    ) -> Plane:
        """The plane, as large as the room allows, and its arrows near the corner where its origin was."""
        corner, plane = plane.origin, replace(plane, origin=(0.0, 0.0))
        while True:
            points = [(0.0, 0.0), *map(plane.to, (q, *keys)), *(plane.foot(q, key) for key in keys)]
            left_, top_, right_, bottom_ = plane._extent(q, keys, measured, gap)
            fits = right_ - left_ < room[2] - room[0] and bottom_ - top_ < room[3] - room[1]
            if fits or plane.unit < cls.LEAST_UNIT:
                x, y = corner[0] - min(px for px, _ in points), corner[1] - max(py for _, py in points)
                x += max(0.0, room[0] - x - left_) - max(0.0, x + right_ - room[2])
                y += max(0.0, room[1] - y - top_) - max(0.0, y + bottom_ - room[3])
                return replace(plane, origin=(x, y))
            plane = replace(plane, unit=plane.unit * 0.98, own_scale=plane.own_scale * 0.98)

    def _extent(self, q: Fact, keys: Sequence[Fact], measured: Sequence[Fact], gap: float) -> Box:
        """How far arrows, rulers, names and figures reach: left, top, right, bottom, px."""
        boxes = [(self.origin, self.TIP_HALF)]
        for vector in (q, *keys):
            (x, y), (ux, uy) = self.to(vector), self.direction(vector)
            boxes.append(((x + ux * self.TIP, y + uy * self.TIP), self.TIP_HALF))
        for line in ruler_lines(self, q, measured, gap):
            boxes += [(line.on(line.low), (0.0, 0.0)), (line.before, self.NAME_HALF)]
            boxes += [(line.on(far, Ruler.LABEL_GAP), self.FIGURE_HALF) for far in (0.0, line.along)]
        xs = [x + side * w for (x, _), (w, _) in boxes for side in (-1, 1)]
        ys = [y + side * h for (_, y), (_, h) in boxes for side in (-1, 1)]
        return min(xs) - CLEAR, min(ys) - CLEAR, max(xs) + CLEAR, max(ys) + CLEAR

    def _drawn(self, vector: Fact) -> float:
        """Its length to scale, px."""
        return _length(vector) * (self.own_scale if self.own_scale and vector.key != self.query else self.unit)

    def to(self, vector: Fact) -> XY:
        """The tip of a vector, px."""
        (dx, dy), length = self.direction(vector), max(self.LEAST, self._drawn(vector))
        return self.origin[0] + dx * length, self.origin[1] + dy * length

    def foot(self, q: Fact, key: Fact) -> XY:
        """Where the query's tip falls on the line of the key, px."""
        (x, y), (tx, ty), (ux, uy) = self.origin, self.to(q), self.direction(key)
        along = (tx - x) * ux + (ty - y) * uy
        return x + along * ux, y + along * uy

    def true_to_scale(self, vectors: Iterable[Fact]) -> bool:
        """Is none of them drawn longer than it is?"""
        return all(self._drawn(vector) > self.LEAST - 1 for vector in vectors)

    def direction(self, vector: Fact) -> XY:
        """Its direction on the screen, length 1."""
        dx, dy = float(vector[0]), -float(vector[1])
        length = hypot(dx, dy) or 1.0
        return dx / length, dy / length

    def outline(self, vector: Fact, head: XY = KEY_HEAD) -> list[XY]:
        """Points along an arrow's middle and along the edges of its head."""
        (ux, uy), tip = self.direction(vector), self.to(vector)
        neck, half = (tip[0] - ux * head[0], tip[1] - uy * head[0]), head[1] / 2
        barbs = [(neck[0] - uy * side * half, neck[1] + ux * side * half) for side in (1, -1)]
        return between(self.origin, tip) + [xy for barb in barbs for xy in between(tip, barb, 6)]

    def before(self, vector: Fact, far: float, turn: float = 0.0) -> XY:
        """A place that far before the vector's tip, px, a turn aside of its direction, rad."""
        (ux, uy), (x, y) = self.direction(vector), self.to(vector)
        c, s = cos(turn), sin(turn)
        return x + far * (c * ux - s * uy), y + far * (s * ux + c * uy)

    def right_angle(self, a: Fact, b: Fact) -> VMobject:
        """The mark of a right angle between two vectors."""
        return path(self.corner(a, b), "dim")

    def corner(self, a: Fact, b: Fact, size: float = 46) -> list[XY]:
        """The corners of that mark."""
        (ax, ay), (bx, by_) = self.direction(a), self.direction(b)
        x, y = self.origin
        corners = ((ax, ay), (ax + bx, ay + by_), (bx, by_))
        return [(x + dx * size, y + dy * size) for dx, dy in corners]


@dataclass(frozen=True)
class RulerLine:
    """Where a ruler lies, beside its key. Distances along it from its zero, px."""

    zero: XY
    direction: XY
    outwards: XY
    along: float  # of the query's tip
    across: float  # of the query's tip, from the key
    low: float
    high: float

    def on(self, distance: float, off: float = 0.0) -> XY:
        """The point at that distance, `off` px further out."""
        (x, y), (ux, uy), (nx, ny) = self.zero, self.direction, self.outwards
        return x + ux * distance + nx * off, y + uy * distance + ny * off

    @property
    def ends(self) -> tuple[XY, XY]:
        """Both ends."""
        return self.on(self.low), self.on(self.high)

    @property
    def before(self) -> XY:
        """The middle of a name that stands before its far end."""
        ux, uy = self.direction
        return self.on(self.high + Ruler.NAME_GAP * abs(ux) + Ruler.NAME_RISE * abs(uy))

    @property
    def reach(self) -> tuple[XY, XY]:
        """Both ends with what stands before them."""
        return self.on(self.low - REACH), self.on(self.high + REACH)


def ruler_lines(plane: Plane, q: Fact, keys: Sequence[Fact], gap: float) -> list[RulerLine]:
    """The lines of the keys' rulers: `gap` px beside each key, or farther out, or beyond the query's tip.

    Each is where it crosses fewest arrows and comes least near the others; that the query falls onto it across another
    arrow counts half.
    """
    arrows = {vector.key: (plane.origin, plane.before(vector, TIP_CLEAR)) for vector in (q, *keys)}
    chosen: list[RulerLine] = []
    for key in keys:
        others = [arrow_ for name, arrow_ in arrows.items() if name not in (q.key, key.key)]

        def cost(line: RulerLine, others: list[tuple[XY, XY]] = others) -> float:
            drop = plane.to(q), line.on(line.along)
            crossed = sum(cross(line.reach, arrow_) for arrow_ in arrows.values())
            met = sum(cross(line.reach, other.reach) or near(line.ends, other.ends) for other in chosen)
            return crossed + met + sum(cross(drop, arrow_) for arrow_ in others) / 2

        places = [_ruler_line(plane, q, key, far * gap, side) for side in (-1.0, 1.0) for far in (1.0, 1.7)]
        places.append(_ruler_line(plane, q, key, gap + abs(places[0].across), 1.0))
        chosen.append(min(places, key=cost))
    return chosen


def cross(one: tuple[XY, XY], other: tuple[XY, XY]) -> bool:
    """Do two lines, given by their ends, cross?"""
    (a, b), (c, d) = one, other

    def turn(p: XY, q: XY, r: XY) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) != turn(a, b, d) and turn(c, d, a) != turn(c, d, b)


def near(one: tuple[XY, XY], other: tuple[XY, XY]) -> bool:
    """Do two lines come so near that their figures would meet?"""
    return min(dist(a, b) for a in between(*one) for b in between(*other)) < APART


def _ruler_line(plane: Plane, q: Fact, key: Fact, gap: float, towards: float) -> RulerLine:
    """Beside a key, away from the query (-1) or on its side (1)."""
    (x, y), (ux, uy), (qx, qy), (kx, ky) = plane.origin, plane.direction(key), plane.to(q), plane.to(key)
    along, across = (qx - x) * ux + (qy - y) * uy, (qy - y) * ux - (qx - x) * uy
    side = towards if across > 1 else -towards
    n = (-uy * side, ux * side)
    low = min(0.0, along) - Ruler.OVERHANG
    high = max(along, hypot(kx - x, ky - y)) + Ruler.OVERHANG
    return RulerLine((x + n[0] * gap, y + n[1] * gap), (ux, uy), n, along, across, low, high)


class Ruler:
    """A line beside a key on which the query's signed length along that key is read.

    Parts come in order: `axis` and `name`, `drops` (dashed), the shadow that `grow`s, and the `marks`.
    """

    OVERHANG, LABEL_GAP, NAME_GAP, NAME_RISE, TICK = 42.0, 44.0, 74.0, 34.0, 14.0

    LABEL_HALF = 22.0  # px of half a figure that lie within the gap
    # px that a figure may stand beside its place
    ASIDE = (0.0, *(side * aside for aside in (30.0, 60.0, 100.0, 150.0, 200.0) for side in (1, -1)))

    def __init__(
        self, plane: Plane, q: Fact, key: Fact, score: Fact, line: RulerLine, *, name: str, avoid: Sequence[XY] = (),
        taken: Sequence[Mobject] = (), room: Box | None = None,
    ) -> None:  # fmt: skip
        """`avoid` and `taken` are points and names that this one's names should not touch, nor the room's edges."""
        on, low, high, along = line.on, line.low, line.high, line.along
        (x, y), (ux, uy) = plane.origin, plane.direction(key)
        self.axis = path([on(low), on(high)], "axis")
        self.points = between(on(low), on(high), 40)
        drops = [((x, y), on(0.0))]
        if abs(along) > 1:
            drops.append((plane.to(q), on(along)))
        self.drops = VGroup(*[dashed(*ends) for ends in drops])
        self.dropped = [xy for ends in drops for xy in between(*ends)]  # points along them
        self.zero = on(0.0)
        self.length = self.shadow(on(0.0), on(along))
        figures = [number(score, em=38, weight=SEMIBOLD)]
        if abs(along) > 1:
            figures.append(axis_mark(0, em=38))
        self.marks = VGroup(*figures)
        self.room = room
        avoid = [*avoid, *self.dropped]
        self._stand_figures(on, along, avoid, taken)
        if abs(along) > 1:
            self.marks.add(self._tick(on, along), self._tick(on, 0.0))
        self.name = formula(name, em=48)
        out = self.NAME_GAP * abs(ux) + self.NAME_RISE * abs(uy)
        aside = self.NAME_GAP * abs(uy) + self.NAME_RISE * abs(ux)
        ends = [line.before, on(low - out), on(high - self.OVERHANG, -aside), on(high, aside)]
        if self._settle(self.name, ends, avoid, (*taken, *figures)):
            around = [xy for end in ends for xy in (end, *ring(end))]
            self._settle(self.name, around, [*avoid, *self.points], (*taken, *figures))

    def _stand_figures(
        self, on: Callable[..., XY], along: float, avoid: Sequence[XY], taken: Sequence[Mobject]
    ) -> None:
        """The score and zero stand outside of the ruler, or within where that is clearer; both never touch."""
        steep = abs(on(0.0, 1.0)[0] - on(0.0)[0])

        def reach(mark: Mobject) -> tuple[float, float]:
            off = self.LABEL_GAP + steep * max(0.0, (right(mark) - left(mark)) / 2 - self.LABEL_HALF)
            return off, -off

        score, *zero = self.marks
        self._settle(score, [on(along + d, off) for d in self.ASIDE for off in reach(score)], avoid, taken)
        for mark in zero:
            spots = [on(0.0, off) for off in reach(mark)]
            if self._settle(mark, spots, avoid, (*taken, score)) > 2:
                self.marks.remove(mark)

    def _settle(self, mob: Mobject, spots: Sequence[XY], avoid: Sequence[XY], taken: Sequence[Mobject]) -> int:
        """Stand on the first of the spots where least is in the way; tells how much."""
        crowds: list[int] = []
        for spot in spots:
            crowds.append(crowding(mob.move_to(at(*spot)), taken, avoid, self.room))
            if not crowds[-1]:
                break
        best = min(range(len(crowds)), key=crowds.__getitem__)
        mob.move_to(at(*spots[best]))
        return crowds[best]

    def _tick(self, on: Callable[..., XY], distance: float) -> VMobject:
        return path([on(distance, -self.TICK / 2), on(distance, self.TICK / 2)], "dim")

    def grow(self) -> Animation:
        """The shadow grows out of zero."""
        return GrowFromPoint(self.length, at(*self.zero))

    @staticmethod
    def shadow(zero: XY, tip: XY) -> VMobject:
        """The signed length as an arrow from zero; a dot when there is none."""
        if hypot(tip[0] - zero[0], tip[1] - zero[1]) < 1:
            return dot(*zero, 10, "score")
        return arrow(zero, tip, "score", BOLD + HAIR, (24, 26))
