"""Matrices of cells, addressed by meaning (query and key), and the tokens that name their rows and columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf
from unicodedata import category

from manim import LEFT, ORIGIN, RIGHT, VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, Look
from scenes.kit.excerpt import Slots, dots
from scenes.kit.geometry import at, left, right
from scenes.kit.labels import REGULAR, Align, Label, words
from scenes.kit.shapes import HAIR, box
from scenes.kit.theme import theme
from scenes.kit.typesetting import quoted, typeset


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
        shape: tuple[int, int] | None = None,  # the first rows and columns only
    ) -> None:
        super().__init__()
        rows, columns = shape or (fact.shape[::-1] if transposed else fact.shape)
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


NARROWEST = 0.8  # of its width: a token that would have to be set narrower is cut short
_EDGES = {"left": LEFT, "center": ORIGIN, "right": RIGHT, "origin": LEFT}
DOTS_IN = 14  # px from the right edge of tokens to the middle of dots among them
APART = 24  # px between neighbours over columns, at least
CLOSE = 1e-6  # of a room: a label that fits it to the last digit is not cut
ASIDE = 0.3  # of a column: so far a label may stand from its middle
STEPS = 12  # of a search for what just fits
FULL_STOP = 2  # a full stop is a token too: without quotes it is set at twice the size, or nobody sees it


def token(
    fact: Fact,
    x: float,
    baseline: float,
    role: str,
    align: Align = "center",
    *,
    em: float | None = None,
    weight: int = REGULAR,
    room: float | None = None,
    narrow: float | None = None,
    quotes: bool = True,
) -> Label:
    """A token's text as a label of its role; in a `room` (px) that is too small it is set narrower, or cut short.

    With `narrow` it has that share of its width, as its neighbours have. A punctuation mark has `quotes`, as it would
    be taken for a stray one, or for dots that stand for what is left out.
    """
    size = em or theme().type.body
    alone = len(str(fact)) == 1 and category(str(fact)).startswith("P")
    if not quotes and str(fact) in ".,;:":
        size *= FULL_STOP
    template = "“{}”" if alone and quotes else "{}"
    made = words(template, fact, em=size, role=role, weight=weight).place(x, baseline, align)
    if room is None or (narrow is None and _width(made) <= room):
        return made
    text = str(fact)
    while _width(made) * (narrow or NARROWEST) > room * (1 + CLOSE) and text:
        text = text[:-1]
        made = Label(typeset(quoted(f"{text}…"), weight), size, role).place(x, baseline, align)
    share = narrow or min(1.0, room / _width(made))
    return made if share == 1 else made.stretch(share, 0, about_edge=_EDGES[align])


def narrowing(widest: float, room: float) -> float:
    """The share of their width that labels of one block get, so that the widest fits the room, or is cut."""
    return min(1.0, max(NARROWEST, room / widest))


def longest(tokens: Fact) -> float:
    """The width of the longest token beside a matrix, px."""
    return max(_width(token(each, 0, 0, "text")) for each in tokens)


def _width(label: Label) -> float:
    return right(label) - left(label)


class TokenLabels(VGroup):
    """The tokens beside a matrix's rows or above its columns; `labels[i]` is the i-th.

    Where long words would run into the margin or into each other, they stand a little aside, all are set narrower, or
    the longest are cut short. With `shown` only those tokens, and dots.
    """

    @classmethod
    def rows(
        cls,
        tokens: Fact,
        matrix: Matrix,
        role: str = "query",
        gap: float = 20,
        em: float | None = None,
        room: float | None = None,
        shown: Slots | None = None,
    ) -> TokenLabels:
        """Beside the rows, to the left, in so much room (px), or up to the margin."""
        size, x = em or theme().type.body, matrix.x - gap
        room = min(room or x, x - theme().frame.left)
        places = list(shown or range(len(tokens)))
        narrow = narrowing(max(_width(token(tokens[t], 0, 0, role, em=size)) for t in places if t is not None), room)
        labels = []
        for i, place in enumerate(places):
            y = matrix.row_y(i)
            if place is None:
                labels.append(dots(size, down=True))
                labels[-1].move_to(at(x - DOTS_IN, y))
            else:
                made = token(tokens[place], x, y + 0.33 * size, role, "right", em=size, room=room, narrow=narrow)
                labels.append(made)
        return cls(*labels)

    @classmethod
    def columns(
        cls,
        tokens: Fact,
        matrix: Matrix,
        role: str = "key",
        gap: float = 24,
        em: float | None = None,
        shown: Slots | None = None,
    ) -> TokenLabels:
        """Above the columns."""

        places = list(shown or range(len(tokens)))

        def label(j: int, narrow: float = 1.0, room: float = inf) -> Label:
            x, baseline, place = matrix.column_x(j), matrix.y - gap, places[j]
            if place is None:
                return dots(em).place(x, baseline, "center")
            return token(tokens[place], x, baseline, role, "center", em=em, room=room, narrow=narrow)

        def widths(narrow: float, room: float = inf) -> list[float]:
            return [w if place is None else min(w * narrow, room) for w, place in zip(natural, places, strict=True)]

        pinned = [place is None for place in places]
        natural = [_width(label(j)) for j in range(len(places))]
        narrow, room = 1.0, inf
        if _spread(matrix, widths(1), pinned) is None:
            narrow = _most(lambda share: _spread(matrix, widths(share), pinned) is not None, NARROWEST, 1)
        if _spread(matrix, widths(narrow), pinned) is None:
            low, high = matrix.dx - APART, max(natural) * narrow
            room = _most(lambda most: _spread(matrix, widths(narrow, most), pinned) is not None, low, high)
        labels = [label(j, narrow, room) for j in range(len(places))]
        for made, x in zip(labels, _spread(matrix, list(map(_width, labels)), pinned) or [], strict=True):
            made.set_x(at(x, 0)[0])
        return cls(*labels)


def _most(fits: Callable[[float], bool], low: float, high: float) -> float:
    """The largest number between those that fits, where all smaller ones do; `low` if none does."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _spread(matrix: Matrix, widths: Sequence[float], pinned: Sequence[bool]) -> list[float] | None:
    """The middles of labels over columns, apart, and as near to their columns' as may be; or there is no room, px.

    The outer ones don't reach further out than their columns.
    """
    ends = []
    for j, (width, pin) in enumerate(zip(widths, pinned, strict=True)):
        x, over, most = matrix.column_x(j), (width - matrix.cell_width) / 2, ASIDE * matrix.dx
        aside = 0.0 if pin else most if 0 < j < len(widths) - 1 else min(abs(over), most)
        low, high = x - aside, x + aside
        if over > 0 and not pin:
            low, high = (high, x + most) if j == 0 else (x - most, low) if j == len(widths) - 1 else (low, high)
        ends.append((low, high))
    steps = [(a + b) / 2 + APART for a, b in pairwise(widths)]
    first, last = [ends[0][0]], [ends[-1][1]]
    for (low, _), step in zip(ends[1:], steps, strict=True):
        first.append(max(low, first[-1] + step))
    for (_, high), step in zip(ends[-2::-1], steps[::-1], strict=True):
        last.append(min(high, last[-1] - step))
    if any(x > high + CLOSE for x, (_, high) in zip(first, ends, strict=True)):
        return None
    return [(a + b) / 2 for a, b in zip(first, last[::-1], strict=True)]
