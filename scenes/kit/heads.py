"""Parts for the chapters on heads: cells of a head, grids they stand in, and a move from one grid to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import cos, pi, sin
from typing import Any

from manim import Animation, VGroup, VMobject, smooth

from lesson import Fact
from scenes.kit.labels import SEMIBOLD, Label
from scenes.kit.matrix import Cell, Look
from scenes.kit.shapes import HAIR, LINE, around, box, path, polygon
from scenes.kit.theme import theme

Box = tuple[float, float, float, float]
Address = tuple[int, ...]


def head_look(head: int) -> Look:
    """Heads are told apart without hue: the first is solid, the second outlined."""
    if head == 0:
        return Look("head", ink="on_solid", weight=SEMIBOLD)
    return Look("ground", edge="head_line", ink="text", weight=SEMIBOLD)


def places(indices: Fact) -> dict[int, Address]:
    """Where each memory index of an array stands, in reading order."""
    return {int(indices[address]): address for address in product(*map(range, indices.shape))}


@dataclass(frozen=True)
class Grid:
    """Where the cells of a matrix stand: top left corner and the size of a cell, px."""

    x: float
    y: float
    w: float
    h: float

    def box(self, i: int, j: int) -> Box:
        """x, y, width, height of the cell in row i, column j."""
        return self.x + j * (self.w + theme().frame.gap), self.y + i * (self.h + theme().frame.gap), self.w, self.h

    def right(self, columns: int) -> float:
        """The right edge of that many columns."""
        return self.box(0, columns)[0] - theme().frame.gap

    def bottom(self, rows: int) -> float:
        """The lower edge of that many rows."""
        return self.box(rows, 0)[1] - theme().frame.gap

    def row_y(self, i: int) -> float:
        """The middle of a row."""
        return self.box(i, 0)[1] + self.h / 2

    def row_ring(self, i: int, start: int, columns: int, role: str, pad: float = 5) -> VMobject:
        """A ring around some cells of a row, in the gap between rows."""
        x, y, _, h = self.box(i, start)
        width = self.box(i, start + columns)[0] - theme().frame.gap - x
        return box(x - pad, y - pad, width + 2 * pad, h + 2 * pad, edge=role, width=LINE, radius=10)


def spanner(label: Label, x: float, baseline: float, x_end: float) -> VGroup:
    """A name over columns, with a line up to where they end."""
    label.place(x, baseline, "origin")
    return VGroup(label, path([(x + label.advance + 14, baseline - 9), (x_end, baseline - 9)], "axis"))


class Rearrange(Animation):
    """Cells move into other boxes, in the order given, as a wave; figures keep their size and cells their look.

    Parameters
    ----------
    cells, to
        Cells, and the boxes (x, y, w, h) that become theirs.
    lag
        How much of the time the starts are spread over, below 1: 0 all at once, 0.9 almost one by one.
    rings
        Rings that go along with a cell.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        to: Sequence[Box],
        *,
        lag: float = 0.0,
        rings: Mapping[Cell, VMobject] | None = None,
        **kwargs: Any,
    ) -> None:
        self.cells, self.to, self.lag, self.rings = list(cells), list(to), lag, dict(rings or {})
        super().__init__(VGroup(*cells, *self.rings.values()), rate_func=lambda t: t, **kwargs)

    def begin(self) -> None:
        self.moves = []
        for cell, goal in zip(self.cells, self.to, strict=True):
            ground = box(*goal, fill=cell.look.fill, edge=cell.look.edge, width=HAIR)
            self.moves.append((cell, cell.ground.copy(), ground, cell.label.get_center() - cell.ground.get_center()))
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        count = max(len(self.cells) - 1, 1)
        for i, (cell, start, goal, offset) in enumerate(self.moves):
            begin = self.lag * i / count
            t = float(smooth(min(max((alpha - begin) / (1 - self.lag), 0.0), 1.0)))
            cell.ground.interpolate(start, goal, t)
            cell.label.shift(cell.ground.get_center() + offset - cell.label.get_center())
            if cell in self.rings:
                self.rings[cell].become(ring(cell))

    def put(self) -> None:
        """Move the cells at once."""
        self.begin()
        self.finish()
        for cell, goal in zip(self.cells, self.to, strict=True):
            cell.box = goal

    def clean_up_from_scene(self, scene: Any) -> None:
        """The group was only the animation's; the cells stay in the scene, the rings on top of them."""
        for cell, goal in zip(self.cells, self.to, strict=True):
            cell.box = goal
        scene.remove(self.mobject)
        scene.add(*self.cells, *self.rings.values())


def ring(cell: Cell, role: str = "text") -> VMobject:
    """A ring that marks a cell to be followed."""
    return around(cell.ground, role, LINE, pad=5, radius=10)


WEDGE, WEDGE_CUT = 26, 5


def wedge(cell: Cell) -> VGroup:
    """The mark of a wrong cell: its top right corner, cut off by a line of ground, so that the shape alone reads."""
    x, y, w, _ = cell.box
    r = theme().frame.radius
    turn = [(x + w - r + r * sin(pi / 2 * k / 8), y + r - r * cos(pi / 2 * k / 8)) for k in range(9)]

    def corner(size: float, fill: str) -> VMobject:
        return polygon([(x + w - size, y), *turn, (x + w, y + size)], fill=fill)

    return VGroup(corner(WEDGE + WEDGE_CUT, "ground"), corner(WEDGE, "error"))


def late(t: float) -> float:
    """A rate function: all over the second half, for what arrives when something has travelled into it."""
    return max(0.0, 2 * t - 1)
