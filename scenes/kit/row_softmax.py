"""A row's softmax in the open, beside the grid that the row belongs to."""

from __future__ import annotations

from manim import Animation, Create, FadeIn, FadeOut, VGroup, rush_from

from lesson import Fact
from scenes.kit.attention_grid import AttentionGrid, States, hides
from scenes.kit.cells import Cell, Restyle, copy_of, empty, masked
from scenes.kit.figures import sum_agrees
from scenes.kit.geometry import by, left, right
from scenes.kit.labels import Label, figure, rich, run, words
from scenes.kit.motion import MoveCells, Travel, late, passing, wave
from scenes.kit.shapes import HAIR, path
from scenes.kit.theme import theme


class RowSoftmax:
    """A row's softmax in the open.

    A copy of the row leaves the grid and becomes exponentials; a bracket gathers them into their sum; a copy of them
    is divided by it and goes home as weights.

    Parameters
    ----------
    grid, i
        The grid, whose row i shows scores.
    exponentials, totals, weights
        Of the whole matrix [n, n], [n], and the states of its weights.
    mask
        The mask that the row is under, if any.
    at
        x, and y of exponentials and of weights: the corners of the first cells, px.
    """

    NAME_DY, WORD_GAP = 24, 10
    BRACKET_DY, BRACKET_LEG, SUM_DY = 26, 12, 68  # below the exponentials

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
        self.grid, self.i, self.at = grid, i, at
        query = grid.token_of(i)
        self.exponentials, self.total_fact = exponentials[query], totals[query]
        self.keys = [(j, grid.token_of(j)) for j in grid.lines]  # columns, and their tokens
        self.states = {j: weights(query, key) for j, key in self.keys}
        self.hidden = [j for j, key in self.keys if hides(mask, query, key)]
        self.alone = [hides(mask, query, key) for key in range(len(self.exponentials))].count(False) == 1
        self.home = grid.matrix.row(query=i)
        self.terms = [cell.copy() for cell in self.home]
        self.shares: list[Cell] = []
        self.terms_name = rich("exponentials: #sc[$exp(s - max s)$]").place(at[0], at[1] - self.NAME_DY)
        self.bracket, self.total, self.total_figure = self._total()
        self.shares_name, self.divisor = self._divided()

    def _total(self) -> tuple[VGroup, VGroup, Label]:
        """The bracket under the exponentials, the sum under its end, and its figure."""
        place, dx = self.grid.place, self.grid.matrix.dx
        seen = [j for j, _ in self.keys if j not in self.hidden]  # zeros add nothing
        x0, x1 = self.at[0] + seen[0] * dx, self.at[0] + seen[-1] * dx + place.width
        low = self.at[1] + place.height + self.BRACKET_DY
        leg = low - self.BRACKET_LEG
        bracket = VGroup(path([(x0, leg), (x0, low), (x1, low), (x1, leg)], "weight", HAIR))
        total = self._total_figure()
        agrees = sum_agrees(self.exponentials, self.total_fact)
        parts = [words("sum"), total, *([] if agrees else [words("rounded", role="dim")])]
        made = run(*parts, x=x1, baseline=self.at[1] + place.height + self.SUM_DY, gap=self.WORD_GAP, align="right")
        if left(made) < self.at[0]:  # few exponentials
            made.shift(by(self.at[0] - left(made), 0))
        return bracket, made, total

    def _divided(self) -> tuple[Label, Label]:
        """The name line of the weights, and the sum at its end."""
        name = words("weights: each divided by").place(self.at[0], self.at[2] - self.NAME_DY)
        total = self._total_figure()
        return name, total.place(right(name) + self.WORD_GAP, self.at[2] - self.NAME_DY)

    def _total_figure(self) -> Label:
        """Of several exponentials, a sum that would read as 1 is rounded: 1.00."""
        return figure(self.total_fact, exact=self.alone, role="weight", em=theme().type.body)

    def _places(self, y: float) -> list[tuple[float, float]]:
        place, dx = self.grid.place, self.grid.matrix.dx
        return [(self.at[0] + j * dx + place.width / 2, y + place.height / 2) for j in range(len(self.home))]

    def leave(self) -> list[Animation]:
        """A copy of the row goes out."""
        return [MoveCells(self.terms, self._places(self.at[1]), lag=0), FadeIn(self.terms_name)]

    def exponentiate(self) -> list[Animation]:
        em = self.grid.place.em
        looks = {j: masked() if j in self.hidden else copy_of("weight") for j, _ in self.keys}
        return wave([
            Restyle(
                self.terms[j], looks[j], self.exponentials[key], signed=False, em=em, decimals=2,
                exact=j in self.hidden or float(self.exponentials[key]) == 1,  # that of the largest score
            ) for j, key in self.keys
        ])  # fmt: skip

    def add_up(self) -> list[Animation]:
        """The bracket grows over the exponentials, and ends in their sum."""
        return [Create(self.bracket, rate_func=passing(0, 0.7)), late(FadeIn(self.total), 0.6)]

    def share_out(self) -> list[Animation]:
        """A copy of the exponentials goes down, to be divided by their sum, which goes down, too."""
        self.shares = [cell.copy() for cell in self.terms]
        return [
            MoveCells(self.shares, self._places(self.at[2]), lag=0),
            Travel(self.total_figure.copy(), self.divisor.get_center()),
            late(FadeIn(VGroup(self.shares_name, self.divisor)), 0.7),
        ]

    def divide(self) -> list[Animation]:
        return [Restyle(self.shares[j], state.look, state.fact, exact=state.exact) for j, state in self.states.items()]

    def go_home(self) -> list[Animation]:
        """The weights go to their places, once the row has been emptied; afterwards, call `settle`."""
        rest = (*self.terms, self.terms_name, self.bracket, self.total, self.shares_name, self.divisor)
        home = MoveCells(self.shares, [cell.centre for cell in self.home], lag=0)
        emptied = [Restyle(self.home[j], empty(), rate_func=passing(0)) for j in self.states]
        return [*emptied, *[FadeOut(mob, rate_func=rush_from) for mob in rest], home]

    def settle(self) -> list[Cell]:
        """The row of the grid becomes what lies on it; what comes back can be removed unseen."""
        for j, state in self.states.items():
            em, exact = self.grid.place.em, state.exact
            self.home[j].take(self.home[j].restyled(state.look, state.fact, signed=False, em=em, exact=exact))
        return self.shares
