"""Vectors added up, head to tail: where each arrow goes, and where names beside them have room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

from manim import VMobject

from lesson import Fact
from scenes.kit.geometry import bottom, left, right, top
from scenes.kit.labels import Label
from scenes.kit.shapes import XY

SHORTEST = 6.0  # px of an arrow that is drawn
NAME_GAP, NAME_HALF = 10.0, 20.0  # from an arrow to its name; half of its height, with an index below the line
CLEAR, STEP = 5.0, 4.0  # px around a name; between the points of an arrow that it keeps clear of
ALONG = 0.5, 0.65, 0.35, 0.8, 0.2  # places of a name on its arrow
APART, TIE = 40.0, 1.0  # how far a name may be from its arrow; two arrows are as near where they differ by less, px
WHOLE, MIDST = (0.0, 1.0), (0.25, 0.75)  # parts of an arrow, from and to
Box = tuple[float, float, float, float]
Arrow = tuple[XY, XY]


@dataclass(frozen=True)
class Chain:
    """Vectors, the flattest first: each `arrow` from where the last ended, by index, and their `total`.

    Those too short to be seen have no arrow.
    """

    arrows: dict[int, Arrow]
    total: Arrow

    @classmethod
    def of(cls, vectors: Fact, frame: Box) -> Chain:
        """The vectors [n, 2], not all 0, as large as a frame (x, y, width, height) holds them, amid its width; px."""
        order = sorted(range(len(vectors)), key=lambda i: _steepness(vectors[i]))
        corners = [(0.0, 0.0)]
        for i in order:
            corners.append((corners[-1][0] + float(vectors[i, 0]), corners[-1][1] + float(vectors[i, 1])))
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        x, y, w, h = frame
        unit = 1 / max((max(xs) - min(xs)) / w, (max(ys) - min(ys)) / h)
        x += (w - (max(xs) - min(xs)) * unit) / 2
        points = [(x + (cx - min(xs)) * unit, y + h - (cy - min(ys)) * unit) for cx, cy in corners]
        arrows = {i: (points[step], points[step + 1]) for step, i in enumerate(order)}
        return cls({i: arrow for i, arrow in arrows.items() if length(arrow) >= SHORTEST}, (points[0], points[-1]))


def _steepness(vector: Fact) -> float:
    return float(vector[1]) / (hypot(float(vector[0]), float(vector[1])) or 1)


def length(arrow: Arrow) -> float:
    """Of an arrow, px."""
    (x0, y0), (x1, y1) = arrow
    return hypot(x1 - x0, y1 - y0)


class Crowd:
    """What has been placed in an area (left, top, right, bottom): names find room between arrows and each other.

    `head` is the length and width of the arrows' heads, `dot` the radius of what marks the start of the last arrow,
    px; `taken` what else stands there.
    """

    def __init__(
        self,
        area: Box,
        arrows: Sequence[Arrow],
        head: XY = (0.0, 0.0),
        dot: float = 0.0,
        taken: Sequence[VMobject] = (),
    ) -> None:
        self.area = area
        self._arrows = arrows
        self._points = [point for arrow in arrows for point in (*_along(arrow), *_head(arrow, head))]
        x, y = arrows[-1][0]
        self._points += [(x + dx, y + dy) for dx, dy in ((dot, 0), (-dot, 0), (0, dot), (0, -dot))]
        self._names: list[Box] = [
            (left(mob) - CLEAR, top(mob) - CLEAR, right(mob) + CLEAR, bottom(mob) + CLEAR) for mob in taken
        ]

    def stand(self, name: Label, arrow: Arrow, *first: XY, far: bool = False) -> bool:
        """Put a name beside its arrow: on its right hand if it can, or where it is nobody else's; or nowhere.

        `first` are middles to try before; with `far`, any place in the area is tried at last, the nearest first.
        """
        spots, places = [*first, *_spots(name, arrow)], self._places(arrow)
        for tried, mine in ((spots, False), (places, True), (places if far else [], False)):
            for x, y in tried:
                reach = name.advance / 2 + CLEAR, NAME_HALF + CLEAR
                box = x - reach[0], y - reach[1], x + reach[0], y + reach[1]
                if self._free(box) and (not mine or self._belongs(box, arrow)):
                    self._names.append(box)
                    name.middle(x, y, "center")
                    return True
        return False

    def _belongs(self, box: Box, arrow: Arrow) -> bool:
        """Is the arrow near, and none nearer? Where arrows meet, their middles decide; the last one meets with none."""
        for part in (WHOLE, MIDST):
            away = {a: min(_between(box, point) for point in _along(a, part)) for a in self._arrows}
            own = away.pop(arrow)
            last = away.get(self._arrows[-1], APART + TIE) - TIE
            if own > min(APART, last, *[other + TIE for other in away.values()]):
                return False
        return True

    def _places(self, arrow: Arrow) -> list[XY]:
        """All over the area, the nearest to the arrow's middle first."""
        (x, y, end, foot), ((x0, y0), (x1, y1)) = self.area, arrow
        across, down = round((end - x) / STEP), round((foot - y) / STEP)
        places = [(x + i * STEP, y + j * STEP) for i in range(across + 1) for j in range(down + 1)]
        return sorted(places, key=lambda place: hypot(place[0] - (x0 + x1) / 2, place[1] - (y0 + y1) / 2))

    def _free(self, box: Box) -> bool:
        (x0, y0, x1, y1), area = box, self.area
        inside = x0 >= area[0] and y0 >= area[1] and x1 <= area[2] and y1 <= area[3]
        clear = not any(x0 < x < x1 and y0 < y < y1 for x, y in self._points)
        return inside and clear and not any(x0 < b[2] and b[0] < x1 and y0 < b[3] and b[1] < y1 for b in self._names)


def _between(box: Box, point: XY) -> float:
    """From a box to a point outside it, px."""
    (x0, y0, x1, y1), (x, y) = box, point
    return hypot(max(x0 - x, 0, x - x1), max(y0 - y, 0, y - y1))


def _along(arrow: Arrow, part: tuple[float, float] = WHOLE) -> Iterator[XY]:
    """Points of an arrow, or of a part of it."""
    (x0, y0), (x1, y1) = arrow
    count = max(1, round(length(arrow) * (part[1] - part[0]) / STEP))
    shares = (part[0] + (part[1] - part[0]) * i / count for i in range(count + 1))
    return ((x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in shares)


def _head(arrow: Arrow, head: XY) -> Iterator[XY]:
    """The corners of an arrow's head behind its tip, and points on its sides; an arrow shorter than that is head."""
    (x0, y0), (x1, y1) = arrow
    long = length(arrow)
    if not long or not head[0]:
        return
    share = min(1.0, long / head[0])
    back, half = head[0] * share / long, head[1] * share / 2 / long
    for t in (1 / 3, 2 / 3, 1):
        for side in (half * t, -half * t):
            yield x1 - (x1 - x0) * back * t - (y1 - y0) * side, y1 - (y1 - y0) * back * t + (x1 - x0) * side


def _spots(name: Label, arrow: Arrow) -> Iterator[XY]:
    """Middles for a name beside an arrow."""
    (x0, y0), (x1, y1) = arrow
    long = length(arrow) or 1
    nx, ny = (y0 - y1) / long, (x1 - x0) / long
    off = NAME_GAP + abs(nx) * name.advance / 2 + abs(ny) * NAME_HALF
    for side in (1, -1):
        for t in ALONG:
            yield x0 + (x1 - x0) * t + nx * side * off, y0 + (y1 - y0) * t + ny * side * off
