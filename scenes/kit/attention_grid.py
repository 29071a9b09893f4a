"""Queries against keys: a matrix of scores or weights with its tokens, its axes' names and its rows' sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from manim import Animation, FadeIn, FadeOut, VGroup, VMobject, rush_from

from lesson import Fact
from scenes.kit.cells import Cell, Look, Restyle, copy_of, empty, known, masked, weight_of
from scenes.kit.figures import MINUS, figure_of, sum_agrees
from scenes.kit.geometry import by, left, right
from scenes.kit.labels import SEMIBOLD, Label, figure, in_cell, rich, run, words
from scenes.kit.matrix import Matrix, TokenLabels, token
from scenes.kit.motion import MoveCells, Travel, late, passing, wave
from scenes.kit.shapes import HAIR, LINE, box, path, polygon
from scenes.kit.theme import theme

MINUS_INFINITY = f"{MINUS}∞"
INFINITY_EM = 1.26  # its size next to the digits': the sign is low
AXIS_DX, AXIS_RISE = 16, 9  # from the key axis' name to its line, px
TIE_DX = 60  # from the middle of a sum to the line that ties a remark to it
TIE_GAP = 24  # between the line that ties a remark to its row and the remark
MARK_INSET, MARK_SIZE = (15, 14), (16, 13)  # of the mark of a weight that grows, from the top right corner


class State(NamedTuple):
    """How one cell stands: its look, and its figure or text."""

    look: Look
    fact: Fact | None = None
    text: str | None = None
    signed: bool = False


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


def weight_states(weights: Fact, mask: Fact | None = None) -> States:
    """Weights; where the mask hides, their zeros are hatched."""

    def state(i: int, j: int) -> State:
        look = masked() if hides(mask, i, j) else weight_of(float(weights[i, j]))
        return State(look, weights[i, j])

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


def _shown(fact: Fact | None, text: str | None) -> str | None:
    return text if fact is None else figure_of(fact).shown


class AttentionGrid(VGroup):
    """Parts: `matrix`, `query_tokens`, `key_tokens`, `axes`, and `sums` (without any until `with_sums`)."""

    def __init__(self, tokens: Fact, fact: Fact, place: Place, states: States) -> None:
        super().__init__()
        self.tokens, self.fact, self.place = tokens, fact, place
        self.sum_fact: Fact | None = None
        self.matrix = Matrix(fact, place.x, place.y, (place.width, place.height), empty(), em=place.em)
        self.query_tokens = TokenLabels.rows(tokens, self.matrix, gap=place.query_gap)
        self.key_tokens = TokenLabels.columns(tokens, self.matrix, gap=place.key_rise)
        self.axes = self._axes()
        self.sums = VGroup()
        self.become_states(states)
        self.add(self.matrix, self.query_tokens, self.key_tokens, self.axes, self.sums)

    def _axes(self) -> VGroup:
        p, m = self.place, self.matrix
        keys_y = p.y - p.key_rise
        query = words("query", role="query", weight=SEMIBOLD).place(p.x - p.query_gap, keys_y, "right")
        key = words("key", role="key", weight=SEMIBOLD).place(p.x, keys_y - p.axis_rise)
        y = keys_y - p.axis_rise - AXIS_RISE
        return VGroup(query, key, path([(right(key) + AXIS_DX, y), (m.right, y)], "key"))

    def become_states(self, states: States) -> None:
        """At once."""
        for i, j, cell in self.matrix.cells():
            look, fact, text, signed = states(i, j)
            cell.take(cell.restyled(look, fact, text=text, signed=signed, em=self._em(text)))

    def _em(self, text: str | None) -> float:
        return self.place.em * (INFINITY_EM if text == MINUS_INFINITY else 1)

    def restyle(self, i: int, j: int, states: States) -> Restyle:
        """The animation of one cell into that state."""
        look, fact, text, signed = states(i, j)
        return Restyle(self.matrix.cell(query=i, key=j), look, fact, text=text, signed=signed, em=self._em(text))

    def restyle_all(self, states: States) -> list[Restyle]:
        """The same for all cells, row by row; those that look the same already become that state at once."""
        changing = []
        for i, j, cell in self.matrix.cells():
            state = states(i, j)
            if state.look == cell.look and _shown(state.fact, state.text) == _shown(cell.fact, cell.text):
                cell.take(cell.restyled(state.look, state.fact, text=state.text))
            else:
                changing.append(self.restyle(i, j, states))
        return changing

    def moved(self, place: Place, *, sums: bool = True) -> AttentionGrid:
        """The same grid, as it stands, in another place; if wanted, without its sums."""
        cells = {(i, j): cell for i, j, cell in self.matrix.cells()}

        def state(i: int, j: int) -> State:
            cell = cells[i, j]
            return State(cell.look, cell.fact, cell.text, cell.signed)

        made = AttentionGrid(self.tokens, self.fact, place, state)
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
        """The cells as they stand, small and without figures, as a reminder."""
        small = Matrix(self.fact, x, y, (size, size), Look())
        for i, j, cell in small.cells():
            look = self.matrix.cell(query=i, key=j).look
            cell.take(cell.restyled(Look(look.fill, hatched=look.hatched)))
        return small

    # ------------------------------------------------------------ beside the rows

    def with_sums(self, sums: Fact) -> AttentionGrid:
        """With the sum of each row, and the column's name."""
        self.sum_fact = sums
        self.sums.add(self.sum_name(), *[self.sum_of(i, sums) for i in range(self.matrix.rows)])
        return self

    @property
    def sum_x(self) -> float:
        """The middle of the sums, px."""
        return self.matrix.right + self.place.sum_dx

    def sum_name(self) -> Label:
        return words("sum", role="dim").place(self.sum_x, self.place.y - self.place.key_rise, "center")

    def sum_of(self, i: int, sums: Fact, role: str = "dim") -> Label:
        """The sum of a row, in its place."""
        made = figure(sums[i], exact=False, em=self.place.em, role=role)
        return in_cell(made, self.sum_x, self.matrix.row_y(i))

    def rounding_note(self, baseline: float) -> Label:
        """Under the grid: why a row's figures may miss its sum by a digit."""
        return words("sums before rounding", role="dim").place(self.place.x, baseline)

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

    def growth_mark(self, i: int, j: int) -> VMobject:
        """A triangle in the corner of a cell whose weight has grown."""
        x, y, w, _ = self.matrix.cell(query=i, key=j).box
        ink = self.matrix.cell(query=i, key=j).look.ink or "text"
        return triangle(x + w - MARK_INSET[0], y + MARK_INSET[1], *MARK_SIZE, ink)


def triangle(x: float, y: float, w: float, h: float, role: str) -> VMobject:
    """A filled triangle that points up, its box centred on (x, y)."""
    return polygon([(x - w / 2, y + h / 2), (x + w / 2, y + h / 2), (x, y - h / 2)], fill=role)


class RowSoftmax:
    """A row's softmax in the open.

    A copy of the row leaves the grid and becomes exponentials; these are added up; a copy of them is divided by the
    sum and goes home as weights.

    Parameters
    ----------
    grid, i
        The grid, whose row i shows scores.
    exponentials, total, weights
        Of the whole matrix [n, n], [n], and the states of its weights.
    mask
        The mask that the row is under, if any.
    at
        x, and y of exponentials and of weights: the corners of the first cells, px.
    """

    NAME_DY, WORD_GAP, APART, OVER_DY = 24, 10, 40, 46

    def __init__(
        self,
        grid: AttentionGrid,
        i: int,
        exponentials: Fact,
        totals: Fact,
        weights: States,
        mask: Fact | None,
        at: tuple[float, float, float],
    ) -> None:
        self.grid, self.i, self.mask, self.at = grid, i, mask, at
        self.exponentials, self.total_fact = exponentials[i], totals[i]
        self.home = grid.matrix.row(query=i)
        self.states = [weights(i, j) for j in range(len(self.home))]
        self.terms = [cell.copy() for cell in self.home]
        self.shares: list[Cell] = []
        self.terms_name = rich("exponentials: #sc[$exp(s - max s)$]").place(at[0], at[1] - self.NAME_DY)
        self.total, self.total_figure = self._total()
        self.shares_name, self.divisor = self._divided()

    def _total(self) -> tuple[VGroup, Label]:
        """The sum at the end of the exponentials' name line."""
        total = figure(self.total_fact, role="weight", em=theme().type.body)
        agrees = sum_agrees(self.exponentials, self.total_fact)
        rounded = [] if agrees else [words("rounded", role="dim")]
        x, baseline = self.at[0] + self.grid.matrix.right - self.grid.matrix.x, self.at[1] - self.NAME_DY
        made = run(words("sum"), total, *rounded, x=x, baseline=baseline, gap=self.WORD_GAP, align="right")
        free = right(self.terms_name) + self.APART
        if left(made) < free:  # few tokens
            made.shift(by(free - left(made), 0))
        if right(made) > theme().frame.right:  # no room for the word on the line: it stands over the sum
            rounded[0].place(right(total), baseline - self.OVER_DY, "right")
        return made, total

    def _divided(self) -> tuple[Label, Label]:
        """The name line of the weights, and the sum at its end."""
        name = words("weights: each divided by").place(self.at[0], self.at[2] - self.NAME_DY)
        total = figure(self.total_fact, role="weight", em=theme().type.body)
        return name, total.place(right(name) + self.WORD_GAP, self.at[2] - self.NAME_DY)

    def _places(self, y: float) -> list[tuple[float, float]]:
        place, dx = self.grid.place, self.grid.matrix.dx
        return [(self.at[0] + j * dx + place.width / 2, y + place.height / 2) for j in range(len(self.home))]

    def leave(self) -> list[Animation]:
        """A copy of the row goes out."""
        return [MoveCells(self.terms, self._places(self.at[1]), lag=0), FadeIn(self.terms_name)]

    def exponentiate(self) -> list[Animation]:
        looks = [masked() if hides(self.mask, self.i, j) else copy_of("weight") for j in range(len(self.terms))]
        return wave([
            Restyle(cell, look, term, signed=False, em=self.grid.place.em)
            for cell, look, term in zip(self.terms, looks, self.exponentials, strict=True)
        ])  # fmt: skip

    def add_up(self) -> list[Animation]:
        """The exponentials travel into their sum."""
        to = self.total_figure.get_center()
        left = [cell.label.copy() for cell in self.terms if not cell.look.hatched]  # zeros add nothing
        # One after the other, or they'd arrive as one smear.
        return [*wave([Travel(label, to) for label in left], lag=0.7), late(FadeIn(self.total), 0.7)]

    def share_out(self) -> list[Animation]:
        """A copy of the exponentials goes down, to be divided by their sum, which goes down, too."""
        self.shares = [cell.copy() for cell in self.terms]
        return [
            MoveCells(self.shares, self._places(self.at[2]), lag=0),
            Travel(self.total_figure.copy(), self.divisor.get_center()),
            late(FadeIn(VGroup(self.shares_name, self.divisor)), 0.7),
        ]

    def divide(self) -> list[Animation]:
        return [Restyle(c, state.look, state.fact) for c, state in zip(self.shares, self.states, strict=True)]

    def go_home(self) -> list[Animation]:
        """The weights go to their places, once the row has been emptied; afterwards, call `settle`."""
        rest = (*self.terms, self.terms_name, self.total, self.shares_name, self.divisor)
        home = MoveCells(self.shares, [cell.centre for cell in self.home], lag=0)
        emptied = [Restyle(cell, empty(), rate_func=passing(0)) for cell in self.home]
        return [*emptied, *[FadeOut(mob, rate_func=rush_from) for mob in rest], home]

    def settle(self) -> list[Cell]:
        """The row of the grid becomes what lies on it; what comes back can be removed unseen."""
        for cell, state in zip(self.home, self.states, strict=True):
            cell.take(cell.restyled(state.look, state.fact, signed=False, em=self.grid.place.em))
        return self.shares
