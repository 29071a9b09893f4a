"""A matrix whose rows become weights: each row's total lies beside it as a bar, and is divided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from manim import RIGHT, Animation, FadeIn, FadeOut, VGroup, smooth, squish_rate_func

from lesson import Fact
from scenes.kit.attention_grid import AttentionGrid, State, States, weight_states
from scenes.kit.bars import Box, Parts, Scale
from scenes.kit.cells import Cell, Restyle, copy_of, known
from scenes.kit.excerpt import first
from scenes.kit.figures import MINUS, sum_agrees
from scenes.kit.geometry import Point, by
from scenes.kit.labels import SEMIBOLD, Label, axis_mark, figure, words
from scenes.kit.matrix import Matrix
from scenes.kit.motion import Redraw, Travel
from scenes.kit.shapes import path
from scenes.kit.theme import theme


def by_group(groups: Sequence[Sequence[Animation]], lag: float, span: tuple[float, float] = (0, 1)) -> list[Animation]:
    """One group after the other, in windows that overlap; each plays in that span of its window.

    `lag` is the share of the time over which the windows begin; a single group has the whole time.
    """
    lag = lag if len(groups) > 1 else 0
    for i, group in enumerate(groups):
        begin, length = lag * i / max(len(groups) - 1, 1), 1 - lag
        for animation in group:
            animation.rate_func = squish_rate_func(smooth, begin + length * span[0], begin + length * span[1])
    return [animation for group in groups for animation in group]


def swap(old: Label | None, new: Label) -> list[Animation]:
    """A name gives way to the next one in its place, early in the play."""
    gone = by_group([[FadeOut(old)]], 0, (0, 0.15)) if old else []
    return [*gone, *by_group([[FadeIn(new)]], 0, (0.15, 0.4))]


class HandOver(Animation):
    """A label moves to where its successor stands and gives way to it: one has gone before the other comes."""

    def __init__(self, before: VGroup, after: VGroup, **kwargs: Any) -> None:
        self.before, self.after = before, after
        super().__init__(VGroup(before, after), **kwargs)

    def begin(self) -> None:
        self.start, self.goal = self.before.copy(), self.after.copy()
        self.way = self.goal[0].get_left() - self.start[0].get_left()
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        t = self.rate_func(alpha)
        self.before.become(self.start).shift(self.way * t).set_fill(opacity=max(1 - 2 * t, 0.0))
        self.after.become(self.goal).shift(self.way * (t - 1)).set_fill(opacity=max(2 * t - 1, 0.0))

    def clean_up_from_scene(self, scene: Any) -> None:
        """Only the successor stays."""
        scene.remove(self.mobject, self.before)
        scene.add(self.after)


class RowTotals:
    """Beside each row of a matrix a bar: the row's numbers end to end, and their total behind the end.

    Parameters
    ----------
    matrix
        Its rows.
    zero, end, widest
        Where the bars begin, where the totals behind them may end, and the length of 1 at most, px.
    totals
        Of all rows in all states that will be shown: the longest must fit.
    noted
        Does a total say "rounded" where the digits of its row don't add up to it?
    decimals
        Of a total, at most.
    """

    HEIGHT, TOTAL_GAP, NOTE_DX = 60.0, 22.0, 24.0
    DIGIT_W = 22.0  # that each decimal beyond two takes
    ROUNDED_BESIDE, ROUNDED_BELOW, ROUNDED_W = (92.0, 0.0), (0.0, 42.0), 130.0  # the word "rounded", from the total
    NARROW = 80.0  # if 1 would be shorter than this, the word goes below the total

    def __init__(
        self,
        matrix: Matrix,
        zero: float,
        end: float,
        widest: float,
        totals: Iterable[Fact],
        *,
        noted: bool = True,
        decimals: int = 2,
    ) -> None:
        self.matrix, self.noted = matrix, noted
        longest = max(float(total) for row in totals for total in row)
        room = end - zero - self.TOTAL_GAP - self.DIGIT_W * (decimals - 2) - (self.ROUNDED_W if noted else 0)
        self.rounded_at = self.ROUNDED_BESIDE
        if noted and (room - self.ROUNDED_BESIDE[0]) / longest < self.NARROW:
            self.rounded_at = self.ROUNDED_BELOW
        self.scale = Scale(zero, min(widest, (room - self.rounded_at[0]) / longest))
        self.parts: dict[int, Parts] = {}
        self.bars: dict[int, VGroup] = {}
        self.sums: dict[int, VGroup] = {}

    def goal(self, baseline: float, overhang: float) -> VGroup:
        """The line of 1 through all rows, above the bars, and its name."""
        x = self.scale.to(1)
        line = path([(x, self.matrix.y - overhang), (x, self.matrix.bottom + overhang)], "dim")
        name = axis_mark(1, em=theme().type.body, role="text", weight=SEMIBOLD).place(x, baseline, "center")
        made = VGroup(line, name)
        made.set_z_index(1)
        return made

    def _places(self, parts: Parts, i: int) -> list[Box]:
        return parts.in_a_row(self.scale, self.matrix.row_y(i) - self.HEIGHT / 2, self.HEIGHT)

    def _sum(self, i: int, total: Fact, row: Fact | None, role: str, decimals: int = 2) -> VGroup:
        """Behind the bar and the line of 1; with the row given, it says where rounded digits don't add up.

        Those of its cells, which have two decimals, are taken not to add up to more of them.
        """
        x = max(self.parts[i].ends(self.scale)[-1], self.scale.to(1)) + self.TOTAL_GAP
        made, (dx, dy) = VGroup(figure(total, decimals, exact=False, role=role, weight=SEMIBOLD)), self.rounded_at
        made[0].middle(x, self.matrix.row_y(i))
        if self.noted and row is not None and (decimals > 2 or not sum_agrees(row, total)):
            dx += self.DIGIT_W * (decimals - 2) if dx else 0
            note = words("rounded", em=theme().type.small, role="dim").middle(x + dx, self.matrix.row_y(i) + dy)
            made.add(note).shift(by(0, -dy / 2))
        return made

    def lie_down(self, i: int, parts: Parts) -> Animation:
        """Copies of the row's cells lie down end to end. The cells' digits stay in sight."""
        cells = self.matrix.row(query=i)
        for cell in cells:
            cell.label.set_z_index(1)
        goal = self._places(parts, i)
        start = [cells[min(j, len(cells) - 1)].box for j in range(len(goal))]  # those not shown come from the last
        self.parts[i], self.bars[i] = parts, parts.draw(start)

        def draw(t: float) -> VGroup:
            made = parts.moving(start, parts, goal, t)
            return made if t else made.set_opacity(0)  # until its turn comes, the row isn't covered

        return Redraw(self.bars[i], draw)

    def show_sum(
        self, i: int, total: Fact, row: Fact | None = None, role: str = "text", decimals: int = 2
    ) -> Animation:
        self.sums[i] = self._sum(i, total, row, role, decimals)
        return FadeIn(self.sums[i])

    def become(self, i: int, parts: Parts, total: Fact, row: Fact | None = None, role: str = "dim") -> list[Animation]:
        """The bar changes its lengths, and the total rides on its end."""
        bar, before = self.reshape(i, parts), self.sums[i]
        self.sums[i] = self._sum(i, total, row, role)
        return [bar, HandOver(before, self.sums[i])]

    def reshape(self, i: int, parts: Parts) -> Animation:
        """The bar changes its lengths."""
        old, self.parts[i] = self.parts[i], parts

        def draw(t: float) -> VGroup:
            now = old.towards(parts, t)
            return now.draw(self._places(now, i))

        return Redraw(self.bars[i], draw)

    def amount(self, i: int, largest: Fact, *, agrees: bool, seen: bool = True) -> tuple[VGroup, Point]:
        """What is subtracted from the row, at the bar's place; and the middle of its number without the sign.

        Behind the line of 1 it says "rounded" where the digits shown don't agree, and if the number isn't seen in
        the row, where it is.
        """
        sign = f"{MINUS} ({{}})" if float(largest) < 0 else f"{MINUS} {{}}"  # apart, as it is no number's own sign
        made, y, behind = words(sign, largest, weight=SEMIBOLD), self.matrix.row_y(i), self.scale.to(1) + self.TOTAL_GAP
        fits = made.advance + self.TOTAL_GAP < self.scale.unit
        made.middle(self.scale.zero if fits else behind, y)
        bare = figure(largest, weight=SEMIBOLD).move_to(made, aligned_edge=RIGHT)
        says = [*([] if seen else ["in a column not shown"]), *([] if agrees else ["rounded"])]
        if not says:
            return VGroup(made), bare.get_center()
        x = behind if fits else behind + made.advance + self.TOTAL_GAP
        return VGroup(made, words(", ".join(says), em=theme().type.small, role="dim").middle(x, y)), bare.get_center()

    def below(self, sums: Fact, weights: Fact, gap: float) -> VGroup:
        """Sums of the columns, in dim; behind them it says where rounded digits don't add up."""
        base = self.matrix.bottom + gap
        sums = first(sums, self.matrix.columns)
        labels = [figure(total, exact=False, role="dim") for total in sums]
        made = VGroup(*[label.place(self.matrix.column_x(j), base, "center") for j, label in enumerate(labels)])
        if self.noted and not all(sum_agrees([row[j] for row in weights], total) for j, total in enumerate(sums)):
            made.add(words("rounded", em=theme().type.small, role="dim").place(self.matrix.right + self.NOTE_DX, base))
        return made


@dataclass(frozen=True)
class Steps:
    """The facts of a softmax along rows: matrices [n, n], and [n] what belongs to a row as a whole."""

    scaled: Fact
    largest: Fact
    shifted: Fact
    exponentials: Fact
    totals: Fact
    weights: Fact
    sums: Fact


class RowsSoftmax:
    """The softmax of some rows of a grid of scores, step by step; each step's animations run row after row."""

    LAG = 0.6

    def __init__(self, grid: AttentionGrid, totals: RowTotals, steps: Steps) -> None:
        self.grid, self.totals, self.steps = grid, totals, steps
        self.amounts: dict[int, VGroup] = {}
        self.stage: Label | None = None
        self.lane: Label | None = None

    def now(self, text: str, lane: str | None = None, role: str = "dim") -> list[Animation]:
        """Under the title it says what the grid holds now, and above the bars what they are ("": no word)."""
        look, place, old = theme(), self.grid.place, self.stage
        self.stage = words(text, em=look.type.small, role=role).place(look.frame.left, look.frame.subtitle_baseline)
        changes = swap(old, self.stage)
        if lane:
            y, named = place.y - place.key_rise - place.axis_rise, self.lane
            self.lane = words(lane, role="dim").place(self.totals.scale.zero, y)
            changes += swap(named, self.lane)
        elif lane == "" and self.lane:
            changes += by_group([[FadeOut(self.lane)]], 0, (0, 0.15))
            self.lane = None
        return changes

    def _changes(self, i: int, states: States) -> list[Restyle]:
        return [self.grid.restyle(i, j, states) for j in range(self.grid.matrix.columns)]

    def _largest(self, i: int) -> Cell | None:
        """The cell of the row's largest score, if it is shown."""
        row = self.grid.matrix.row(query=i)
        return next((cell for j, cell in enumerate(row) if float(self.steps.shifted[i, j]) == 0), None)

    def mark_largest(self, rows: Sequence[int]) -> list[Restyle]:
        """Each row's largest score lights up."""
        return [Restyle(cell, known()) for cell in map(self._largest, rows) if cell]

    def subtract(self, rows: Sequence[int]) -> list[Animation]:
        """The row's largest score goes out, and is taken from each of the row's scores."""
        scaled, shifted, sent, come = self.steps.scaled, self.steps.shifted, [], []
        for i in rows:
            largest, columns = self.steps.largest[i], range(self.grid.matrix.columns)
            agrees = all(sum_agrees([shifted[i, j], largest], scaled[i, j]) for j in columns)
            cell = self._largest(i)
            self.amounts[i], middle = self.totals.amount(i, largest, agrees=agrees, seen=cell is not None)
            # with its ground: it covers what it passes
            sent.append([Travel(cell.restyled(known()), middle)] if cell else [])
            come.append([FadeIn(self.amounts[i])])
        changes = [self._changes(i, lambda i, j: State(known(), shifted[i, j], signed=True)) for i in rows]
        return [
            *by_group(sent, self.LAG, (0, 0.5)), *by_group(come, self.LAG, (0.43, 0.53)),
            *by_group(changes, self.LAG, (0.55, 1)),
        ]  # fmt: skip

    def exponentiate(self, rows: Sequence[int]) -> list[Animation]:
        """The scores become exponentials; copies of these lie down as the row's total."""
        e, totals = self.steps.exponentials, self.steps.totals
        gone = [[FadeOut(self.amounts.pop(i))] for i in rows if i in self.amounts]
        changes = [self._changes(i, lambda i, j: State(copy_of("weight"), e[i, j])) for i in rows]
        for change in (change for row in changes for change in row):
            change.goal.label.set_z_index(1)
        bars = [[self.totals.lie_down(i, Parts.raw(e[i]))] for i in rows]
        sums = [[self.totals.show_sum(i, totals[i], e[i])] for i in rows]
        return [
            *by_group(gone, 0, (0, 0.12)), *by_group(changes, self.LAG, (0, 0.45)),
            *by_group(bars, self.LAG, (0.4, 0.88)), *by_group(sums, self.LAG, (0.85, 1)),
        ]  # fmt: skip

    def divide(self, rows: Sequence[int]) -> list[Animation]:
        """Each row is divided by its own total: all are 1 long."""
        w, sums, states = self.steps.weights, self.steps.sums, weight_states(self.steps.weights)
        groups = [
            [*self.totals.become(i, Parts.shares(w[i]), sums[i], w[i]), *self._changes(i, states)] for i in rows
        ]  # fmt: skip
        return by_group(groups, self.LAG)

    def take_column(self, j: int, wrong: Fact) -> list[Animation]:
        """The column's weights, and their parts of the bars, become those of another matrix."""
        states, last = weight_states(wrong), self.grid.matrix.columns - 1
        done = j + 1 if j < last else wrong.shape[1]  # with the last column, those that aren't shown
        changes: list[Animation] = []
        for i, row in enumerate(first(wrong, self.grid.matrix.rows)):
            changes += [self.grid.restyle(i, j, states)]
            changes += [self.totals.reshape(i, self.totals.parts[i].with_first(done, Parts.shares(row)))]
        return changes
