"""Vectors of two numbers as arrows in a plane, and rulers that measure one along another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from manim import Animation, GrowFromPoint, Mobject, VGroup, VMobject

from lesson import Fact
from scenes.kit.geometry import at, bottom, left, overlap, right, top
from scenes.kit.labels import SEMIBOLD, axis_mark, figure, formula, words
from scenes.kit.shapes import BOLD, HAIR, XY, arrow, dashed, dot, path
from scenes.kit.theme import theme

_LINE_HEIGHT = 22.0  # px of a name's height that lies within the gap


@dataclass(frozen=True)
class Plane:
    """Where the origin stands and how long 1 is, px; the second entry of a vector points up."""

    origin: XY
    unit: float

    @classmethod
    def around(cls, vectors: Iterable[Fact], frame: tuple[float, float, float, float], unit: float) -> Plane:
        """The plane in which all vectors lie in the frame (x, y, width, height), 1 being `unit` px at most."""
        entries = [(float(v[0]), float(v[1])) for v in vectors] + [(0.0, 0.0)]
        xs, ys = [x for x, _ in entries], [y for _, y in entries]
        x, y, w, h = frame
        spans = (max(xs) - min(xs)) / w, (max(ys) - min(ys)) / h
        unit = min(unit, 1 / max(*spans, 1e-9))
        return cls((x - min(xs) * unit, y + h + min(ys) * unit), unit)

    def to(self, vector: Fact) -> XY:
        """The tip of a vector, px."""
        return self.origin[0] + float(vector[0]) * self.unit, self.origin[1] - float(vector[1]) * self.unit

    def direction(self, vector: Fact) -> XY:
        """Its direction on the screen, length 1."""
        dx, dy = float(vector[0]), -float(vector[1])
        length = hypot(dx, dy) or 1.0
        return dx / length, dy / length

    def name_vectors(
        self, names: Sequence[tuple[Mobject, Fact, int]], gap: float, rulers: Sequence[Ruler] = ()
    ) -> None:
        """Stand each name beside its vector, clear of the other names and vectors.

        Parameters
        ----------
        names
            (name, vector, side): side 1 above the vector (or left of it), -1 on the other side, where it fits.
        gap
            Between a vector's middle line and its name, px.
        rulers
            That will stand beside the vectors; names keep clear of them, too.
        """
        taken: list[Mobject] = [mob for ruler in rulers for mob in (ruler.name, *ruler.marks)]
        lines = [xy for ruler in rulers for xy in ruler.points]
        others = [self._points(vector) for _, vector, _ in names]
        for i, (name, vector, side) in enumerate(names):
            shafts = lines + [xy for n, points in enumerate(others) if n != i for xy in points]
            spots = [(along, s) for along in (0.5, 0.7, 0.3, 0.85, 1.1) for s in (side, -side)]
            best = min(spots, key=lambda spot: self._crowding(name, vector, spot, gap, taken, shafts))
            self._stand(name, vector, best, gap)
            taken.append(name)

    def _points(self, vector: Fact) -> list[XY]:
        (x0, y0), (x1, y1) = self.origin, self.to(vector)
        return [(x0 + (x1 - x0) * t / 24, y0 + (y1 - y0) * t / 24) for t in range(25)]

    def _stand(self, name: Mobject, vector: Fact, spot: tuple[float, float], gap: float) -> None:
        (ux, uy), (x1, y1) = self.direction(vector), self.to(vector)
        along, side = spot
        nx, ny = (uy, -ux) if ux >= 0 else (-uy, ux)  # the normal that points up, or left of a vertical
        width, height = right(name) - left(name), bottom(name) - top(name)
        reach = gap + abs(nx) * width / 2 + abs(ny) * (height / 2 - _LINE_HEIGHT)
        x, y = self.origin[0] + (x1 - self.origin[0]) * along, self.origin[1] + (y1 - self.origin[1]) * along
        name.move_to(at(x + nx * side * reach, y + ny * side * reach))

    def _crowding(
        self,
        name: Mobject,
        vector: Fact,
        spot: tuple[float, float],
        gap: float,
        taken: Sequence[Mobject],
        shafts: Sequence[XY],
    ) -> int:
        """How much is in the way there; of equally free spots the first is taken."""
        self._stand(name, vector, spot, gap)
        x0, x1, y0, y1 = left(name) - 16, right(name) + 16, top(name) - 16, bottom(name) + 16
        hits = sum(x0 < x < x1 and y0 < y < y1 for x, y in shafts)
        out = x0 < theme().frame.left - 16 or x1 > theme().frame.right + 16
        return hits + 100 * sum(overlap(name, other) for other in taken) + 1000 * out

    def right_angle(self, a: Fact, b: Fact, size: float = 46) -> VMobject:
        """The mark of a right angle between two vectors."""
        (ax, ay), (bx, by_) = self.direction(a), self.direction(b)
        x, y = self.origin
        corners = ((ax, ay), (ax + bx, ay + by_), (bx, by_))
        return path([(x + dx * size, y + dy * size) for dx, dy in corners], "dim")


@dataclass(frozen=True)
class Turn:
    """A query that turns against a key of length 1, and its shadow on a ruler below: no figures, only the idea."""

    origin: XY
    unit: float
    span: float  # half of the ruler
    ruler_y: float

    KEY_SHAFT, KEY_HEAD, QUERY_SHAFT, QUERY_HEAD = 28.0, (46.0, 62.0), 10.0, (28.0, 30.0)
    TICK, NAME_GAP, KEY_GAP, SHORT, MARK_DY, PIVOT = 14.0, 34.0, 20.0, 78.0, 56.0, 8.0

    def still(self, *, named: bool = True) -> VGroup:
        """What stays: the key and the ruler."""
        x, y = self.origin
        ticks = [
            path([(at_x, self.ruler_y - self.TICK), (at_x, self.ruler_y + self.TICK)], "dim")
            for at_x in (x, x + self.unit)
        ]
        back = self.span if named else self.SHORT  # without room for negative shadows
        ruler = path([(x - back, self.ruler_y), (x + self.span, self.ruler_y)], "axis")
        key = arrow(self.origin, (x + self.unit, y), theme().wash("key"), self.KEY_SHAFT, self.KEY_HEAD, edge="key")
        made = VGroup(ruler, *ticks, key)
        if named:
            marks = [
                axis_mark(value).place(x + value * self.unit, self.ruler_y + self.MARK_DY, "center") for value in (0, 1)
            ]
            made.add(words("key", role="key", weight=SEMIBOLD).middle(x + self.unit + self.KEY_GAP, y), *marks)
        return made

    def at(self, share: float, *, named: bool = True) -> VGroup:
        """The query at that share of half a turn, and its shadow."""
        x, y = self.origin
        tip = (x + self.unit * cos(pi * share), y - self.unit * sin(pi * share))
        drop = dashed(tip, (tip[0], self.ruler_y), "dim")
        shadow = Ruler.shadow((x, self.ruler_y), (tip[0], self.ruler_y))
        query = arrow(self.origin, tip, "query", self.QUERY_SHAFT, self.QUERY_HEAD)
        made = VGroup(drop, shadow, query, dot(x, y, self.PIVOT, "text"))
        if named:
            name = words("query", role="query", weight=SEMIBOLD)
            reach = self.NAME_GAP + abs(cos(pi * share)) * name.advance / 2
            made.add(name.move_to(at(tip[0] + reach * cos(pi * share), tip[1] - reach * sin(pi * share))))
        return made


class Ruler:
    """A line beside a key on which the query's signed length along that key is read.

    Parts come in order: `axis` and `name`, `drops` (dashed), the shadow that `grow`s, and the `marks`.
    """

    OVERHANG, LABEL_GAP, NAME_GAP, TICK = 42.0, 44.0, 74.0, 14.0

    def __init__(self, plane: Plane, q: Fact, key: Fact, score: Fact, *, gap: float, name: str) -> None:
        ux, uy = plane.direction(key)
        nx, ny = -uy, ux
        qx, qy = plane.to(q)
        x, y = plane.origin
        along = (qx - x) * ux + (qy - y) * uy
        across = (qx - x) * nx + (qy - y) * ny
        side = -1.0 if across > 1 else 1.0  # away from the query
        n = (nx * side, ny * side)
        kx, ky = plane.to(key)
        length = hypot(kx - x, ky - y)

        def on(distance: float, off: float = 0.0) -> XY:
            return x + ux * distance + n[0] * (gap + off), y + uy * distance + n[1] * (gap + off)

        low, high = min(0.0, along) - self.OVERHANG, max(along, length) + self.OVERHANG
        self.axis = path([on(low), on(high)], "axis")
        self.points = [on(low + (high - low) * t / 40) for t in range(41)]
        self.name = formula(name, em=48)
        self.name.move_to(at(*on(high + (self.NAME_GAP if abs(ux) > abs(uy) else 34))))
        foot = (x + ux * along, y + uy * along)
        self.drops = VGroup(*[dashed(p, on(d)) for p, d in (((x, y), 0.0), (foot, along)) if p != (x, y) or d == 0.0])
        if abs(along) > 1 and abs(across) > 1:
            self.drops.add(dashed((qx, qy), foot))
        self.zero = on(0.0)
        self.length = self.shadow(on(0.0), on(along))
        self.marks = VGroup(figure(score, em=38, weight=SEMIBOLD).move_to(at(*on(along, self.LABEL_GAP))))
        if abs(along) > 1:
            zero = axis_mark(0, em=38).move_to(at(*on(0.0, self.LABEL_GAP)))
            self.marks.add(self._tick(on, along), self._tick(on, 0.0), zero)

    def _tick(self, on: object, distance: float) -> VMobject:
        assert callable(on)
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
