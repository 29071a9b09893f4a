"""A query that turns against a key, and its shadow on a ruler."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from manim import VGroup

from scenes.kit.geometry import at
from scenes.kit.labels import SEMIBOLD, axis_mark, words
from scenes.kit.plane import KEY_HEAD, QUERY_HEAD, Ruler
from scenes.kit.shapes import XY, arrow, dashed, dot, path
from scenes.kit.theme import theme


@dataclass(frozen=True)
class Turn:
    """A query that turns against a key of length 1, and its shadow on a ruler below: no figures, only the idea."""

    origin: XY
    unit: float
    span: float  # half of the ruler
    ruler_y: float

    KEY_SHAFT, KEY_HEAD, QUERY_SHAFT, QUERY_HEAD = 28.0, KEY_HEAD, 10.0, QUERY_HEAD
    TICK, NAME_GAP, KEY_GAP, SHORT, MARK_DY, PIVOT = 14.0, 34.0, 20.0, 78.0, 56.0, 8.0

    def still(self, *, named: bool = True) -> VGroup:
        """What stays: the key and the ruler."""
        x, y = self.origin
        ticks = [
            path([(at_x, self.ruler_y - self.TICK), (at_x, self.ruler_y + self.TICK)], "dim")
            for at_x in (x - self.unit, x, x + self.unit)[not named :]
        ]
        back = self.span if named else self.SHORT  # without room for negative shadows
        ruler = path([(x - back, self.ruler_y), (x + self.span, self.ruler_y)], "axis")
        key = arrow(self.origin, (x + self.unit, y), theme().wash("key"), self.KEY_SHAFT, self.KEY_HEAD, edge="key")
        made = VGroup(ruler, *ticks, key)
        if named:
            marks = [
                axis_mark(value).place(x + value * self.unit, self.ruler_y + self.MARK_DY, "center")
                for value in (-1, 0, 1)
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
