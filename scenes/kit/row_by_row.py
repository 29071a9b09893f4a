"""The softmax of a whole sequence's scores: row by row, and why not by column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isclose

from manim import Animation, FadeIn, FadeOut, VGroup, linear, smooth

from lesson import Fact
from scenes.kit.attention_grid import AttentionGrid, Place, score_states
from scenes.kit.bars import WeightLegend
from scenes.kit.causal_notes import rounded_away
from scenes.kit.cells import Restyle, rest
from scenes.kit.excerpt import first, trail
from scenes.kit.figures import rounded_to
from scenes.kit.geometry import by, pixel
from scenes.kit.labels import Label, words
from scenes.kit.matrix import longest
from scenes.kit.motion import MoveCells, Redraw, wave
from scenes.kit.row_totals import RowsSoftmax, RowTotals, Steps, by_group
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import HAIR, around

# ---------------------------------------------------------------- layout, px
GRID = Place(x=224, y=344, width=116, height=100, em=38, query_gap=24, key_rise=26, axis_rise=54, sum_dx=72)
LANE_GAP, LANE_UNIT, LINE_OVERHANG, COLUMN_SUM_DY = 62.0, 240.0, 9.0, 44.0
LEGEND, CUT_BASELINE = (1504.0, 74.0, 320.0, 30.0), 202.0  # what is said of tokens left out is clear of the legend
MOST_TOKENS, MOST_INDENT = 6, 130.0  # of more, the first ones are shown; for long tokens, px
TRAIL_X, TRAIL_Y, TRAIL_ROOM = 28.0, 15.0, 24.0  # dots behind and below what goes on; what they take of the height, px
ZERO_DX = 110.0  # from where bars begin to what is said of zeros, behind the word "rounded" of the columns' sums, px
SEEN_OFF = (0.995, 1.005)  # sums whose two decimals are not 1.00
MOST_DECIMALS = 4  # of a sum that is close to 1
EARLY = 0.15  # s before its word that a thing appears
STAGE = 1.2  # s that a stage of a row takes at least
LEAST_COLUMN = 0.2  # s that a column takes to be divided
RING_FADE = 0.1  # share of the time that the rows' ring takes to come, and to go


def _is_off(total: Fact, decimals: int = MOST_DECIMALS) -> bool:
    """Do so many decimals say something else than 1?"""
    return rounded_to(float(total), decimals) != 1


def needed_decimals(totals: Fact) -> int:
    """From 2 up, as many as are needed to see of each total that is not 1 that it isn't."""
    off = [total for total in totals if _is_off(total)]
    return next(n for n in range(2, MOST_DECIMALS + 1) if all(_is_off(total, n) for total in off))


class RowByRow(LessonScene):
    """Beats of a chapter: one row, every row, and never by column.

    The matrix stands to the left (where it also stands in causal_triangle), the rows' totals to the right.
    """

    def sequence(self, name: str) -> Fact:
        return self.facts[f"sequence.{name}"]

    def one_row(self) -> None:
        """One row of a sequence's scores, less its largest, divided by its own total."""
        self._lay_out_sequence()
        self.ring, pace, first, steps = self.grid.matrix.row_ring(0), self.look.pace, [0], self.rows.steps
        with self.say("Every [query] has its own [row].") as line:
            self.show_title("Row by row, or column by column?")
            self.play(
                *self.rows.now("Scaled scores"), FadeIn(self.grid, self.cut), run_time=line.until("query", end=True)
            )
            quiet = [Restyle(cell, rest()) for i, _, cell in self.grid.matrix.cells() if i]
            line.wait_for("row", before=EARLY)
            self.play(*quiet, FadeIn(self.ring), run_time=pace.quick)
        with self.say("Subtract its largest score.", name="steps"):
            now = self.rows.now("First row: minus its largest score")
            self.play(*now, *self.rows.subtract(first), run_time=STAGE)
            self.rest()
        with self.say("Take exponentials and their [total].", name="raised") as line:
            now = self.rows.now("First row: exponentials", "total")
            raised = (
                *now,
                FadeIn(self.goal),
                *self.rows.exponentiate(first),
                *self._zero_note(steps.exponentials, first),
            )
            self.play(*raised, run_time=line.until("total", least=STAGE))
            self.rest()
        with self.say("Divide by that total.", name="divided"):
            now = [*self.rows.now("First row: weights", "sum"), FadeIn(WeightLegend(*LEGEND))]
            self.play(*now, *self.rows.divide(first), *self._zero_note(steps.weights, first), run_time=pace.move)
            self.wait(pace.move)  # the row rests on while the others are named

    def _lay_out_sequence(self) -> None:
        count = len(self.sequence("tokens"))
        n = min(count, MOST_TOKENS)
        whole = n == count
        tokens, scaled = first(self.sequence("tokens"), n), first(self.sequence("scaled"), n, n)
        margin = GRID.x - GRID.query_gap - self.look.frame.left
        indent = min(max(0.0, longest(tokens) - margin), MOST_INDENT)
        less = 0.0 if whole else TRAIL_ROOM
        place = replace(GRID, token_room=margin, height=GRID.height - less / n).holding(n, indent)
        self.sum_dy = COLUMN_SUM_DY + less
        self.grid = AttentionGrid(tokens, scaled, place, score_states(scaled))
        sums = [self.sequence(name) for name in ("exponential_sums_full", "row_sums_by_column")]
        zero = self.grid.matrix.right + LANE_GAP
        self.decimals = needed_decimals(first(sums[1], n))
        end = self.look.frame.right
        self.totals = RowTotals(self.grid.matrix, zero, end, LANE_UNIT, sums, noted=whole, decimals=self.decimals)
        self.cut, self.zero_note = VGroup(), VGroup()
        if not whole:  # and nobody can compare or add what isn't shown
            note = words("First tokens shown; largest and sum over all, rounded", em=self.look.type.small, role="dim")
            self.cut.add(note.place(zero, CUT_BASELINE), self._trails())
        self.goal = self.totals.goal(GRID.y - GRID.key_rise, LINE_OVERHANG)
        steps = ("row_maxima", "shifted", "exponentials", "exponential_sums", "weights", "row_sums")
        self.rows = RowsSoftmax(self.grid, self.totals, Steps(scaled, *[self.sequence(f"{n}_full") for n in steps]))

    def _trails(self) -> VGroup:
        """Dots where the matrix goes on: behind its rows and below its columns."""
        matrix = self.grid.matrix
        behind = [trail(matrix.right + TRAIL_X, matrix.row_y(i)) for i in range(matrix.rows)]
        below = [trail(matrix.column_x(j), matrix.bottom + TRAIL_Y, down=True) for j in range(matrix.columns)]
        return VGroup(*behind, *below)

    def _zero_note(self, numbers: Fact, rows: Sequence[int]) -> list[Animation]:
        """With the first number that is read as zero and is none, it says so; it stays, as weights are smaller yet."""
        matrix, em = self.grid.matrix, self.look.type.small
        tiny = rounded_away(numbers, rows, range(matrix.columns), None)
        if tiny is None or self.zero_note:
            return []
        x = self.totals.scale.zero + (ZERO_DX if self.totals.noted else 0)
        note = words("{} is above zero", tiny, em=em, role="dim").place(x, matrix.bottom + self.sum_dy)
        self.zero_note.add(note)
        return by_group([[FadeIn(note)]], 0, (0.6, 1))

    def every_row(self) -> None:
        """All other rows, one after another, each by its own total."""
        rows, pace, steps = list(range(1, self.grid.matrix.rows)), self.look.pace, self.rows.steps
        says, each = "All other rows do the [same]: each, divided by its own total, adds up to one.", "Each other row"
        if len(rows) == 1:
            says, each = "The other row does the [same]: divided by its own total, it adds up to one.", "Other row"
        with self.say(says) as line:
            self.play(FadeOut(self.ring), *self.rows.mark_largest(rows), run_time=pace.quick)
            now = self.rows.now(f"{each}: minus its largest score, then exponentials")
            raised = *now, *self.rows.exponentiate(rows), *self._zero_note(steps.exponentials, rows)
            self.play(*raised, run_time=line.until("same", end=True, least=pace.slow))
            self.rest()
            now = self.rows.now("Weights, after the softmax")
            divided = *self.rows.divide(rows), *self._zero_note(steps.weights, rows)
            self.play(*now, *divided, run_time=line.left(pace.slow))
            self.wait(pace.fade)  # the rows rest on while the columns are looked at

    def never_by_column(self) -> None:
        """Columns don't sum to 1, and a softmax down the columns breaks the rows."""
        matrix, sums, pace = self.grid.matrix, self.sequence("column_sums_full"), self.look.pace
        name = words("sum", role="dim").place(matrix.x - GRID.query_gap, matrix.bottom + self.sum_dy, "right")
        below = self.totals.below(sums, self.sequence("weights_full"), self.sum_dy)
        shown_sums = [float(total) for total in first(sums, matrix.columns)]
        off, more = bool(self.sequence("columns_off")), max(shown_sums) >= SEEN_OFF[1] or min(shown_sums) > SEEN_OFF[0]
        most = shown_sums.index(max(shown_sums) if more else min(shown_sums))
        marked = [j for j, total in enumerate(shown_sums) if total >= SEEN_OFF[1]] if more else [most]
        marks = [around(below[j], width=HAIR) for j in marked]
        about = "" if all(isclose(total, 1) for total in shown_sums) else "about "
        says = (
            f"Yet a column may add up to [more|{'more' if more else 'less'}] than one."
            if off
            else f"Here, columns happen to add up to {about}[more|one], too."
        )
        with self.say(says) as line:
            ring, shown = matrix.column_ring(0), wave([FadeIn(total) for total in below], 0.8)
            self.play(FadeIn(name, ring), run_time=pace.quick)
            last = matrix.column_ring(matrix.columns - 1)
            sweep = MoveCells([ring], [pixel(last.get_center())], lag=0)
            self.play(sweep, *shown, run_time=line.until("more", least=pace.move))
            there = MoveCells([ring], [pixel(matrix.column_ring(most).get_center())], lag=0)
            loud = [below[j].animate.paint("text") for j in marked]
            self.play(there, *loud, *[FadeIn(mark) for mark in marks], run_time=pace.fade)
            self.wait(pace.fade)
        self._divide_by_column(name, VGroup(ring, below, *marks))
        with self.say("The softmax runs along [each] row.", name="right") as line:
            now = self.rows.now("Right: softmax along each row")
            going = by_group([[FadeOut(self.mended, name, self.ring)]], 0, (0, 0.2))
            passing, time = self._sweep_rows(), line.until("each", least=pace.move)
            self.play(*now, *going, *self.rows.divide(range(matrix.rows)), passing, run_time=time)
            self.rest()

    def _sweep_rows(self) -> Animation:
        """A ring stands at each row as it is divided, from the first to the last, and goes."""
        matrix = self.grid.matrix
        last, half = matrix.rows - 1, (1 - RowsSoftmax.LAG) / 2

        def ring(t: float) -> VGroup:
            at_row = min(max(t - half, 0.0) / RowsSoftmax.LAG, 1.0) * last
            whole = min(int(at_row), last)
            made = matrix.row_ring(0).shift(by(0, matrix.dy * (whole + smooth(at_row - whole))))
            return VGroup(made.set_stroke(opacity=min(1.0, t / RING_FADE, (1 - t) / RING_FADE)))

        return Redraw(VGroup(matrix.row_ring(0)), ring, rate_func=linear, remover=True)

    def _divide_by_column(self, name: Label, before: VGroup) -> None:
        """A softmax down the columns: these sum to 1 now, and the rows don't."""
        wrong, broken, pace = self.sequence("weights_by_column"), self.sequence("row_sums_by_column"), self.look.pace
        self.mended = self.totals.below(self.sequence("column_sums_by_column"), wrong, self.sum_dy)
        shown_sums = [float(total) for total in first(broken, self.grid.matrix.rows)]
        most = max(range(len(shown_sums)), key=lambda i: abs(shown_sums[i] - 1))
        says, facts = "But never run the [softmax] by column: each [query|row] has to add up to [most|one].", []
        if _is_off(broken[most]):  # and is seen to be, in the figure that is shown
            says = (
                f"Never run the [softmax] by column: one [query|row] would add up to about [most|{{{self.decimals}}}]."
            )
            facts = [broken[most]]
        with self.say(says, *facts, name="never") as line:
            line.wait_for("softmax", before=EARLY)
            self._sweep_columns(wrong, before, lambda: line.until("query", least=0))
            shown = [
                self.totals.show_sum(i, broken[i], row, "error" if _is_off(broken[i]) else "dim", self.decimals)
                for i, row in enumerate(first(wrong, self.grid.matrix.rows))
            ]
            zeros = self._zero_note(wrong, range(self.grid.matrix.rows))
            self.play(FadeIn(self.mended), *shown, *zeros, run_time=pace.quick)
            if zeros:  # which are only in this matrix: what is said of them goes with it
                self.mended.add(*self.zero_note)
            self.ring = self.grid.matrix.row_ring(most, "error")
            line.wait_for("most", before=EARLY)
            self.play(FadeIn(self.ring), run_time=pace.quick)

    def _sweep_columns(self, wrong: Fact, before: VGroup, left: Callable[[], float]) -> None:
        """A ring goes from column to column, and each is divided by its own total, in the time `left`."""
        matrix, pace = self.grid.matrix, self.look.pace
        ring = matrix.column_ring(0, "error")
        now = self.rows.now("Wrong: softmax down each column", role="error")
        going = [FadeOut(total) for total in (*self.totals.sums.values(), before)]
        self.play(*now, *going, FadeIn(ring), run_time=pace.quick)
        for j in range(matrix.columns):
            there = pixel(matrix.column_ring(j).get_center())
            time = max(left() / (matrix.columns - j), LEAST_COLUMN)
            self.play(*self.rows.take_column(j, wrong), MoveCells([ring], [there], lag=0), run_time=time)
        self.play(FadeOut(ring), run_time=pace.quick)
