"""Cells and matrices: addressed by meaning (query and key), styled by state."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self, cast

import numpy as np
from manim import Animation, ManimColor, VGroup, VMobject, interpolate_color

from lesson import Fact
from scenes.kit.geometry import Point, at, left, right, stroke
from scenes.kit.labels import REGULAR, SEMIBOLD, Align, Label, figure, in_cell, words
from scenes.kit.shapes import HAIR, box, hatch
from scenes.kit.theme import theme


@dataclass(frozen=True)
class Look:
    """How a cell stands: ground, edge, ink. Roles or colours; None means none."""

    fill: str | None = None
    edge: str | None = None
    ink: str | None = None  # None: no figure is shown
    weight: int = REGULAR
    hatched: bool = False


def rest() -> Look:
    """A given number, not at work."""
    return Look("panel", ink="quiet")


def filled_with(role: str) -> Look:
    """A vector of a role, at rest."""
    return Look(theme().fill(role), ink="text")


def solid(role: str) -> Look:
    """The pair at work now."""
    return Look(role, ink="on_solid", weight=SEMIBOLD)


def copy_of(role: str) -> Look:
    """A copy of something, or a quantity not yet normalised."""
    return Look(theme().wash(role), edge=role, ink=role, weight=SEMIBOLD)


def known() -> Look:
    """A score that has been computed."""
    return Look("live", ink="score", weight=SEMIBOLD)


def empty() -> Look:
    """A place that is still to be filled."""
    return Look(edge="hairline")


def weight_of(value: float) -> Look:
    """A weight, on the sequential scale."""
    shade = theme().weight_shade(value)
    return Look(shade, ink=theme().ink_on(shade), weight=SEMIBOLD)


def masked() -> Look:
    """Not to be looked at: hatched, told apart without colour."""
    return Look("masked", ink="masked_ink", weight=SEMIBOLD, hatched=True)


class Cell(VGroup):
    """Ground, hatching and figure; `box` is (x, y, w, h) in px at rest."""

    def __init__(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        look: Look,
        fact: Fact | None = None,
        *,
        decimals: int = 2,
        em: float | None = None,
        signed: bool = False,
        text: str | None = None,
        exact: bool = True,
    ) -> None:
        super().__init__()
        self.box = (x, y, w, h)
        self.fact = fact
        self.look = look
        self._decimals, self._em, self._signed, self._text, self._exact = decimals, em, signed, text, exact
        self.ground = box(x, y, w, h, fill=look.fill, edge=look.edge, width=HAIR)
        if not look.fill:
            self.ground.set_fill(theme().ground, 0)
        self.hatching: VMobject = hatch(x, y, w, h) if look.hatched else VMobject()
        self.label = self._make_label(look)
        self.add(self.ground, self.hatching, self.label)

    def _make_label(self, look: Look) -> VGroup:
        if look.ink is None or (self.fact is None and self._text is None):
            return VGroup()
        x, y, w, h = self.box
        em = self._em or theme().type.digits
        if self._text is not None:
            made: Label = words(self._text, em=em, role=look.ink, weight=look.weight)
        else:
            assert self.fact is not None
            made = figure(self.fact, self._decimals, exact=self._exact, em=em, role=look.ink, weight=look.weight)
        decimal = bool(made.figures) and "." in made.figures[0].shown
        in_cell(made, x + w / 2, y + h / 2, signed=self._signed and decimal)
        return on_hatching(made, look) if look.hatched else VGroup(made)

    def restyled(
        self,
        look: Look,
        fact: Fact | None = None,
        *,
        text: str | None = None,
        decimals: int | None = None,
        signed: bool | None = None,
        em: float | None = None,
    ) -> Cell:
        """The same place in another state, for `Restyle`; `fact` and `text` replace the figure."""
        replaced = fact is not None or text is not None
        made = Cell(
            *self.box, look, fact if replaced else self.fact, decimals=self._decimals if decimals is None else decimals,
            em=em or self._em, signed=self._signed if signed is None else signed,
            text=text if replaced else self._text, exact=self._exact,
        )  # fmt: skip
        made.shift(self.ground.get_center() - made.ground.get_center())
        return made

    def take(self, other: Cell) -> Self:
        """Become that state at once."""
        self.fact, self.look = other.fact, other.look
        self._text, self._decimals, self._signed, self._em = other._text, other._decimals, other._signed, other._em
        self.ground, self.hatching, self.label = other.ground, other.hatching, other.label
        self.submobjects = [self.ground, self.hatching, self.label]
        return self

    @property
    def text(self) -> str | None:
        """What stands in the cell instead of a fact's figure."""
        return self._text

    @property
    def signed(self) -> bool:
        return self._signed

    @property
    def centre(self) -> tuple[float, float]:
        x, y, w, h = self.box
        return x + w / 2, y + h / 2


def on_hatching(label: Label, look: Look) -> VGroup:
    """A figure on a thick copy of itself in the ground's colour, so that the hatching doesn't cut it."""
    under = VGroup(*[part.copy() for part in label.submobjects])
    ground = theme().colour(look.fill or "ground")
    under.set_fill(ground).set_stroke(ground, stroke(8), 1)
    return VGroup(under, label)


def _same_text(a: VGroup, b: VGroup) -> bool:
    """Do two cells' labels show the same figure?"""
    texts = [[f for mob in label.get_family() for f in getattr(mob, "figures", ())] for label in (a, b)]
    return bool(texts[0]) and texts[0] == texts[1]


class Restyle(Animation):
    """A cell changes state: its ground blends, figure and hatching fade out, then in. It ends as the target exactly."""

    def __init__(
        self,
        cell: Cell,
        look: Look,
        fact: Fact | None = None,
        *,
        text: str | None = None,
        decimals: int | None = None,
        signed: bool | None = None,
        em: float | None = None,
        **kwargs: Any,
    ) -> None:
        self.goal = cell.restyled(look, fact, text=text, decimals=decimals, signed=signed, em=em)
        super().__init__(cell, **kwargs)

    def begin(self) -> None:
        cell = cast(Cell, self.mobject)
        self.goal.shift(cell.ground.get_center() - self.goal.ground.get_center())
        self.before = cell.copy()
        self.shape = cell.ground.copy()
        self.blend = cell.ground
        hatching, label = self.goal.hatching.copy(), self.goal.label.copy()
        self.tinted: list[tuple[VMobject, Any, Any]] = []
        if _same_text(cell.label, label) and not cell.look.hatched and not self.goal.look.hatched:
            # The same figure in another ink: one figure that changes colour, or two would ghost.
            start, end = (theme().colour(look.ink or "text") for look in (cell.look, self.goal.look))
            self.tinted = [
                (part, ManimColor(start), ManimColor(end))
                for part in label.family_members_with_points()
                if isinstance(part, VMobject)
            ]
            cell.label = VGroup()
        self.fading = [(m, m.copy(), 0) for part in (cell.hatching, cell.label) for m in part.get_family()]
        self.fading += [(m, m.copy(), 1) for m in hatching.get_family()]
        self.fading += [(m, m.copy(), 1) for m in label.get_family() if not self.tinted]
        cell.submobjects = [cell.ground, cell.hatching, hatching, cell.label, label]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        t = self.rate_func(alpha)
        self.blend.interpolate(self.shape, self.goal.ground, t)
        for part, start, end in self.tinted:
            part.set_fill(interpolate_color(start, end, t), family=False)
        for mob, full, arrives in self.fading:
            if isinstance(mob, VMobject) and len(mob.points):
                share = max(0.0, 2 * t - 1) if arrives else max(0.0, 1 - 2 * t)  # one after the other: no ghosts
                mob.set_fill(opacity=full.get_fill_opacity() * share, family=False)
                mob.set_stroke(opacity=full.get_stroke_opacity() * share, family=False)

    def finish(self) -> None:
        super().finish()
        cell = cast(Cell, self.mobject)
        cell.take(self.goal)


class Matrix(VGroup):
    """A grid of cells laid out by its data's size. Rows and columns are named by their axes.

    `matrix.cell(query=3, key=1)`, `matrix.row(query=3)`, `matrix.column(key=1)`.
    """

    def __init__(
        self,
        fact: Fact,
        x: float,
        y: float,
        cell: tuple[float, float],
        look: Look,
        *,
        axes: tuple[str, str] = ("query", "key"),
        decimals: int = 2,
        em: float | None = None,
        signed: bool = False,
        exact: bool = True,
        transposed: bool = False,
    ) -> None:
        super().__init__()
        rows, columns = fact.shape[::-1] if transposed else fact.shape
        self.fact, self.x, self.y = fact, x, y
        self.cell_width, self.cell_height = cell
        self.axes, self.rows, self.columns = axes, rows, columns
        gap = theme().frame.gap
        self.dx, self.dy = cell[0] + gap, cell[1] + gap
        self._cells = {
            (i, j): Cell(
                x + j * self.dx, y + i * self.dy, *cell, look, fact[j, i] if transposed else fact[i, j],
                decimals=decimals, em=em, signed=signed, exact=exact,
            )
            for i in range(rows)
            for j in range(columns)
        }  # fmt: skip
        self.add(*self._cells.values())

    def cell(self, **address: int) -> Cell:
        """The cell at that place of both axes."""
        return self._cells[address[self.axes[0]], address[self.axes[1]]]

    def row(self, **address: int) -> list[Cell]:
        """The cells of one row, left to right."""
        i = address[self.axes[0]]
        return [self._cells[i, j] for j in range(self.columns)]

    def column(self, **address: int) -> list[Cell]:
        """The cells of one column, top to bottom."""
        j = address[self.axes[1]]
        return [self._cells[i, j] for i in range(self.rows)]

    def cells(self) -> list[tuple[int, int, Cell]]:
        """(row, column, cell), row by row."""
        return [(i, j, cell) for (i, j), cell in self._cells.items()]

    @property
    def right(self) -> float:
        """The right edge, px."""
        return float(self.x + self.columns * self.dx - theme().frame.gap)

    @property
    def bottom(self) -> float:
        """The lower edge, px."""
        return float(self.y + self.rows * self.dy - theme().frame.gap)

    @property
    def middle_y(self) -> float:
        """Half way down, px."""
        return (self.y + self.bottom) / 2

    def row_y(self, i: int) -> float:
        """The middle of a row."""
        return float(self.y + i * self.dy + self.cell_height / 2)

    def column_x(self, j: int) -> float:
        """The middle of a column."""
        return float(self.x + j * self.dx + self.cell_width / 2)

    def row_ring(self, i: int, role: str = "text", pad: float = 5) -> VMobject:
        """A ring around a row, in the gap between rows."""
        return box(
            self.x - pad, self.y + i * self.dy - pad, self.right - self.x + 2 * pad,
            self.cell_height + 2 * pad, edge=role, width=HAIR + 1, radius=10,
        )  # fmt: skip

    def column_ring(self, j: int, role: str = "text", pad: float = 5) -> VMobject:
        return box(
            self.x + j * self.dx - pad, self.y - pad, self.cell_width + 2 * pad,
            self.bottom - self.y + 2 * pad, edge=role, width=HAIR + 1, radius=10,
        )  # fmt: skip


FULL_STOP = 2  # a full stop is a token too: set at twice the size, or nobody sees it


def token(
    fact: Fact,
    x: float,
    baseline: float,
    role: str,
    align: Align = "center",
    *,
    em: float | None = None,
    weight: int = REGULAR,
) -> Label:
    """A token's text as a label of its role."""
    size = em or theme().type.body
    if str(fact) in ".,;:":
        size *= FULL_STOP
    made = words("{}", fact, em=size, role=role, weight=weight)
    return made.place(x, baseline, align)


class TokenLabels(VGroup):
    """The tokens beside a matrix's rows or above its columns; `labels[i]` is the i-th.

    Long words are set narrower where they would run into the margin or into each other.
    """

    _APART = 8  # px between neighbours at least

    @classmethod
    def rows(
        cls, tokens: Fact, matrix: Matrix, role: str = "query", gap: float = 20, em: float | None = None
    ) -> TokenLabels:
        """Beside the rows, to the left."""
        size = em or theme().type.body
        x = matrix.x - gap
        labels = [token(t, x, matrix.row_y(i) + 0.33 * size, role, "right", em=size) for i, t in enumerate(tokens)]
        for label in labels:
            _narrow(label, x - theme().frame.left, np.array([1.0, 0.0, 0.0]))
        return cls(*labels)

    @classmethod
    def columns(
        cls, tokens: Fact, matrix: Matrix, role: str = "key", gap: float = 24, em: float | None = None
    ) -> TokenLabels:
        """Above the columns."""
        labels = [token(t, matrix.column_x(j), matrix.y - gap, role, "center", em=em) for j, t in enumerate(tokens)]
        touching = [
            label
            for one, next_one in pairwise(labels)
            for label in (one, next_one)
            if left(next_one) - right(one) < cls._APART
        ]
        for label in touching:
            _narrow(label, matrix.dx - cls._APART, np.zeros(3))
        return cls(*labels)


def _narrow(label: Label, room: float, edge: Point) -> None:
    """Narrower, if need be, about one of its edges."""
    width = right(label) - left(label)
    if width > room:
        label.stretch(room / width, 0, about_edge=edge)


def point_of(cell: Cell) -> Point:
    """The cell's centre, as one of Manim's points."""
    return at(*cell.centre)
