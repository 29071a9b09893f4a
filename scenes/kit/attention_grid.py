"""Queries against keys: a matrix of scores or weights with its tokens, its axes' names and its rows' sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from itertools import product
from math import pi
from typing import NamedTuple

from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, Look, Restyle, copy_of, empty, known, masked, weight_of
from scenes.kit.excerpt import DOTS, Slots
from scenes.kit.figures import MINUS, figure_of
from scenes.kit.geometry import by, left, right
from scenes.kit.labels import SEMIBOLD, Label, figure, in_cell, run, words
from scenes.kit.matrix import Matrix, TokenLabels, token
from scenes.kit.shapes import HAIR, LINE, box, path, polygon
from scenes.kit.theme import theme

MINUS_INFINITY = f"{MINUS}∞"
INFINITY_EM = 1.26  # its size next to the digits': the sign is low
USUAL = 6  # rows and columns that a place is made for
AXIS_DX, AXIS_RISE = 20, 9  # from the key axis' name to its line, px
TIE_DX = 60  # from the middle of a sum to the line that ties a remark to it
TIE_GAP = 24  # between the line that ties a remark to its row and the remark
MARK_INSET, MARK_SIZE = (15, 14), (16, 13)  # of the mark of a weight that grows, from the top right corner
MARK_RISE = 0.12  # at most so much of a cell's height below its top


class State(NamedTuple):
    """How one cell stands: its look, and its figure or text."""

    look: Look
    fact: Fact | None = None
    text: str | None = None
    signed: bool = False
    exact: bool = True  # a whole number stands without decimals


States = Callable[[int, int], State]  # by query and key


def score_states(scaled: Fact, mask: Fact | None = None) -> States:
    """Scores; where the mask hides, minus infinity."""

    def state(i: int, j: int) -> State:
        if hides(mask, i, j):
            return State(masked(), text=MINUS_INFINITY)
        return State(known(), scaled[i, j], signed=True)

    return state


def kept_states(scaled: Fact) -> States:
    """Scores, none hidden; those of later tokens stand out."""

    def state(i: int, j: int) -> State:
        return State(copy_of("score") if j > i else known(), scaled[i, j], signed=True)

    return state


def weight_states(weights: Fact, mask: Fact | None = None, *, too_late: bool = False) -> States:
    """Weights; where the mask hides, their zeros are hatched.

    Next to others a weight is 1.00 and not 1, however near it comes; so is it where it was next to others before a mask
    that came `too_late`.
    """

    def state(i: int, j: int) -> State:
        if hides(mask, i, j):
            return State(masked(), weights[i, j])
        alone = not too_late and all(hides(mask, i, k) for k in range(len(weights)) if k != j)
        return State(weight_of(float(weights[i, j])), weights[i, j], exact=alone)

    return state


@dataclass(frozen=True)
class Place:
    """Where a grid stands: its first cell's corner, its cells, and what lies around them, px."""

    x: float
    y: float
    width: float  # of a cell
    height: float
    em: float
    query_gap: float  # from the query tokens to the cells
    key_rise: float  # from the cells to the key tokens' baseline
    axis_rise: float  # from there to the baseline of the axis' name
    sum_dx: float  # from the cells to the middle of the sums
    token_room: float = 400  # for the query tokens, at most
    # Of fewer rows and columns than USUAL: how many times as wide and high their cells may be, and how much of the
    # height that they leave free goes above them.
    wider: float = 1
    higher: float = 1
    above: float = 0

    def holding(self, count: int, indent: float = 0) -> Place:
        """The same place with that many rows and columns, so much further in where its tokens are long, px.

        Its right and lower edges stay where USUAL rows and columns leave them: more make the cells smaller,
        fewer make them larger where the place allows it.
        """
        gap = theme().frame.gap
        width = min(self.wider * self.width, (USUAL * (self.width + gap) - indent) / count - gap)
        height = min(self.higher * self.height, USUAL * (self.height + gap) / count - gap)
        em = self.em if width >= self.width else min(self.em, theme().type.small)
        free = USUAL * (self.height + gap) - count * (height + gap)
        place = replace(self, x=self.x + indent, y=self.y + self.above * free, width=width, height=height, em=em)
        return replace(place, token_room=self.token_room + indent)

    def fitting(self, tokens: Fact) -> Place:
        """The same place, or one with wider cells further in where the tokens are long."""
        widest = max(token(t, 0, 0, "query").advance for t in tokens)
        x = max(self.x, theme().frame.left + widest + self.query_gap)
        return replace(self, x=x, width=max(self.width, widest))

    def toward(self, other: Place, t: float) -> Place:
        """Between this place (t = 0) and another (t = 1)."""
        ends = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        return Place(*[a + (b - a) * t for a, b in ends])


def hides(mask: Fact | None, i: int, j: int) -> bool:
    """Does the mask, if there is one, hide that key from that query?"""
    return mask is not None and bool(mask[i, j])


def _shown(fact: Fact | None, text: str | None, exact: bool) -> str | None:
    return text if fact is None else figure_of(fact, exact=exact).shown


class AttentionGrid(VGroup):
    """Parts: `matrix`, `query_tokens`, `key_tokens`, `axes`, and `sums` (without any until `with_sums`).

    With `shown` it has only those tokens' rows and columns, and dots for what is left out. States are asked for by
    tokens; all else counts rows and columns as they stand.
    """

    def __init__(self, tokens: Fact, fact: Fact, place: Place, states: States, shown: Slots | None = None) -> None:
        super().__init__()
        self.shown = shown = shown or tuple(range(len(tokens)))
        self.tokens, self.fact, self.place = tokens, fact, place
        self.sum_fact: Fact | None = None
        size, shape = (place.width, place.height), (len(shown), len(shown))
        self.matrix = Matrix(fact, place.x, place.y, size, empty(), em=place.em, shape=shape)
        self.query_tokens = TokenLabels.rows(
            tokens, self.matrix, gap=place.query_gap, room=place.token_room, shown=shown
        )
        self.key_tokens = TokenLabels.columns(tokens, self.matrix, gap=place.key_rise, shown=shown)
        self.axes = self._axes()
        self.sums = VGroup()
        self.become_states(states)
        self.add(self.matrix, self.query_tokens, self.key_tokens, self.axes, self.sums)

    def _axes(self) -> VGroup:
        p, m = self.place, self.matrix
        keys_y = p.y - p.key_rise
        clear = min(p.x - p.query_gap, left(self.key_tokens) - AXIS_DX)  # of a first token wider than its column
        query = words("query", role="query", weight=SEMIBOLD).place(clear, keys_y, "right")
        key = words("key", role="key", weight=SEMIBOLD).place(p.x, keys_y - p.axis_rise)
        y = keys_y - p.axis_rise - AXIS_RISE
        return VGroup(query, key, path([(right(key) + AXIS_DX, y), (m.right, y)], "key"))

    def become_states(self, states: States) -> None:
        """At once."""
        for i, j, cell in self.matrix.cells():
            look, fact, text, signed, exact = self._state(i, j, states)
            cell.take(cell.restyled(look, fact, text=text, signed=signed, em=self._em(text), exact=exact))
            if self.shown[i] is None:
                cell.label.rotate(pi / 2 if self.shown[j] is not None else -pi / 4)

    def _state(self, i: int, j: int, states: States) -> State:
        query, key = self.shown[i], self.shown[j]
        return (
            State(Look(ink="dim", weight=SEMIBOLD), text=DOTS) if query is None or key is None else states(query, key)
        )

    @property
    def lines(self) -> list[int]:
        """The rows of tokens, and the columns: all but the dots."""
        return [i for i, place in enumerate(self.shown) if place is not None]

    def _em(self, text: str | None) -> float:
        return self.place.em * (INFINITY_EM if text == MINUS_INFINITY else 1)

    def token_of(self, i: int) -> int:
        """The token whose row that is; not to be asked of dots."""
        place = self.shown[i]
        assert place is not None
        return place

    def restyle(self, i: int, j: int, states: States) -> Restyle:
        """The animation of one cell into that state."""
        look, fact, text, signed, exact = self._state(i, j, states)
        cell = self.matrix.cell(query=i, key=j)
        return Restyle(cell, look, fact, text=text, signed=signed, em=self._em(text), exact=exact)

    def restyle_row(self, i: int, states: States, after: int = -1) -> list[Restyle]:
        """The same for the cells of a row that stand after that column."""
        return [self.restyle(i, j, states) for j in self.lines if j > after]

    def restyle_all(self, states: States) -> list[Restyle]:
        """The same for all cells, row by row; those that look the same already become that state at once."""
        changing = []
        for i, j in product(self.lines, self.lines):
            cell, state = self.matrix.cell(query=i, key=j), self._state(i, j, states)
            same = _shown(state.fact, state.text, state.exact) == _shown(cell.fact, cell.text, cell.exact)
            if state.look == cell.look and same:
                cell.take(cell.restyled(state.look, state.fact, text=state.text))
            else:
                changing.append(self.restyle(i, j, states))
        return changing

    def moved(self, place: Place, *, sums: bool = True) -> AttentionGrid:
        """The same grid, as it stands, in another place; if wanted, without its sums."""
        cells = {(self.shown[i], self.shown[j]): cell for i, j, cell in self.matrix.cells()}

        def state(query: int, key: int) -> State:
            cell = cells[query, key]
            return State(cell.look, cell.fact, cell.text, cell.signed, cell.exact)

        made = AttentionGrid(self.tokens, self.fact, place, state, self.shown)
        return made.with_sums(self.sum_fact) if sums and self.sum_fact is not None else made

    def backed(self) -> VGroup:
        """The grid on a ground that hides what passes below its cells."""
        m, gap = self.matrix, theme().frame.gap
        w, h = m.right - m.x + 2 * gap, m.bottom - m.y + 2 * gap
        return VGroup(box(m.x - gap, m.y - gap, w, h, fill="ground"), self)

    def hidden_score(self, x: float, y: float, w: float, h: float) -> Cell:
        """A cell elsewhere that says minus infinity as those of the grid do."""
        return Cell(x, y, w, h, masked(), text=MINUS_INFINITY, em=self._em(MINUS_INFINITY))

    def miniature(self, x: float, y: float, size: float) -> Matrix:
        """The cells as they stand, small and without figures, around y; `size` for the usual count of them."""
        gap = theme().frame.gap
        size = (size + gap) * min(1.0, USUAL / self.matrix.rows) - gap
        top = y - (self.matrix.rows * (size + gap) - gap) / 2
        small = Matrix(self.fact, x, top, (size, size), Look(), shape=(self.matrix.rows, self.matrix.columns))
        for i, j, cell in small.cells():
            model = self.matrix.cell(query=i, key=j)
            cell.take(cell.restyled(Look(model.look.fill, hatched=model.look.hatched)))
            if model.text == DOTS:
                cell.label = model.label.copy().move_to(cell)
                cell.add(cell.label)
        return small

    # ------------------------------------------------------------ beside the rows

    def with_sums(self, sums: Fact) -> AttentionGrid:
        """With the sum of each row, and the column's name."""
        self.sum_fact = sums
        self.sums.add(self.sum_name(), *[self.sum_of(i, sums) for i in self.lines])
        return self

    @property
    def sum_x(self) -> float:
        """The middle of the sums, px."""
        return self.matrix.right + self.place.sum_dx

    def sum_name(self) -> Label:
        """The sums' name, over them, and clear of a last token that is wider than its column."""
        name = words("sum", role="dim").place(self.sum_x, self.place.y - self.place.key_rise, "center")
        aside = max(0.0, right(self.key_tokens) + AXIS_DX - left(name))
        return name.shift(by(min(aside, theme().frame.right - right(name)), 0))

    def sum_of(self, i: int, sums: Fact, role: str = "dim") -> Label:
        """The sum of a row, in its place."""
        made = figure(sums[self.token_of(i)], exact=False, em=self.place.em, role=role)
        return in_cell(made, self.sum_x, self.matrix.row_y(i))

    def rounding_note(self, baseline: float, n: Fact, tiny: Fact | None) -> VGroup:
        """Under the grid of n tokens: why a row's figures may miss its sum by a digit, or by what is left out.

        And as its second part, if there is a `tiny` weight, that its figure is no zero.
        """
        says, facts = ("sums over all {}, before rounding", [n]) if None in self.shown else ("sums before rounding", [])
        parts = [words(says, *facts, role="dim")]
        if tiny is not None:
            parts.append(words("; {} is above zero", tiny, role="dim"))
        return run(*parts, x=self.place.x, baseline=baseline)

    def remark(self, i: int, text: str, role: str, x: float) -> VGroup:
        """A few words at x about a row, tied to its sum."""
        y = self.matrix.row_y(i)
        tie = path([(self.sum_x + TIE_DX, y), (x - TIE_GAP, y)], role, HAIR)
        return VGroup(tie, words(text, em=theme().type.tag, role=role, weight=SEMIBOLD).middle(x, y))

    # ------------------------------------------------------------ marks

    def staircase(self, role: str = "dim") -> VMobject:
        """A line in the gaps just right of the diagonal, from the top edge down to the right edge."""
        m = self.matrix
        half = theme().frame.gap / 2
        points = [(m.x + m.dx - half, m.y - half)]
        for i in range(1, m.rows):
            x, y = points[-1][0], m.y + i * m.dy - half
            points += [(x, y), (min(x + m.dx, m.right), y)]
        return path(points, role, LINE)

    def growth_marks(self, changes: Fact) -> list[VMobject]:
        """A triangle in the corner of each cell whose weight has grown."""
        marks = []
        for i, j in product(self.lines, self.lines):
            if int(changes[self.token_of(i), self.token_of(j)]) > 0:
                cell = self.matrix.cell(query=i, key=j)
                x, y, w, h = cell.box
                ink = cell.look.ink or "text"
                marks.append(triangle(x + w - MARK_INSET[0], y + min(MARK_INSET[1], MARK_RISE * h), *MARK_SIZE, ink))
        return marks


def triangle(x: float, y: float, w: float, h: float, role: str) -> VMobject:
    """A filled triangle that points up, its box centred on (x, y)."""
    return polygon([(x - w / 2, y + h / 2), (x + w / 2, y + h / 2), (x, y - h / 2)], fill=role)
