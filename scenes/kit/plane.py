"""Vectors of two numbers as arrows in a plane, and rulers that measure one along another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot

from manim import Animation, GrowFromPoint, VGroup, VMobject

from lesson import Fact
from scenes.kit.geometry import at
from scenes.kit.labels import SEMIBOLD, Label, axis_mark, figure, formula
from scenes.kit.shapes import BOLD, HAIR, XY, arrow, dashed, dot, path


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

    def beside(self, name: Label, vector: Fact, *, side: int, gap: float) -> Label:
        """Stand a name beside the middle of a vector: side 1 above (or left of) it, -1 on the other side."""
        (ux, uy), (x1, y1) = self.direction(vector), self.to(vector)
        nx, ny = (uy, -ux) if ux >= 0 else (-uy, ux)  # the normal that points up, or left of a vertical
        x = (self.origin[0] + x1) / 2 + nx * side * (gap + abs(nx) * (name.width * 67.5))
        y = (self.origin[1] + y1) / 2 + ny * side * (gap + abs(ny) * 16)
        name.move_to(at(x, y))
        return name

    def right_angle(self, a: Fact, b: Fact, size: float = 46) -> VMobject:
        """The mark of a right angle between two vectors."""
        (ax, ay), (bx, by_) = self.direction(a), self.direction(b)
        x, y = self.origin
        corners = ((ax, ay), (ax + bx, ay + by_), (bx, by_))
        return path([(x + dx * size, y + dy * size) for dx, dy in corners], "dim")


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
        self.parts = [self.axis, self.name, self.drops, self.length, self.marks]

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
