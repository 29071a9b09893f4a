"""How does one matrix become many heads?"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import cast

from manim import Animation, FadeIn, FadeOut, LaggedStart, Transform, VGroup

from scenes.kit.cells import Cell, Restyle, filled_with
from scenes.kit.geometry import by, right
from scenes.kit.head_merging import HeadMerging
from scenes.kit.head_moves import Steps, row_by_row
from scenes.kit.head_scene import EM
from scenes.kit.head_shapes import ARCH, Arch, ShapeText, first_to_second, parted
from scenes.kit.head_stage import WEIGHT, Grid, places
from scenes.kit.head_words import excerpt, told
from scenes.kit.heads import (
    NOTE_LEADING,
    SUM_DX,
    TAG_DY,
    both_ways,
    further,
    head_look,
    head_spans,
    inflow,
    left_out,
    name_beside,
    row_labels,
    shape_tag,
    shared_spans,
    step_beside,
    sum_name,
    weight_row,
)  # fmt: skip
from scenes.kit.labels import SEMIBOLD, rich, words
from scenes.kit.motion import late, passing

# ---------------------------------------------------------------- layout, px
NOTE_GAP, NUDGE = 68.0, 24.0
RECAP_Y = 540.0  # the middle of the picture beside the takeaway
# ---------------------------------------------------------------- paces, s
LEAD = 0.15  # by which a motion is ahead of its word
SLIDE, PART, SWAP = 1.2, 1.0, 0.8  # all cells at once, a small way; two sizes of a shape
TURN, READ, FLOW = 2.2, 1.6, 2.8  # at least, when words pass faster
STOPS = 3  # rows that a reading begins with: the next ones follow alike


class HeadSplitting(HeadMerging):
    """A reshape and a transpose make each head a matrix of its own; the way back needs both, in reverse.

    Cells show their place in memory and keep it while they move. From left to right: one matrix, its heads side by
    side, its heads stacked. Then the stack stands in the middle: merged rightly to the left, wrongly to the right.
    """

    poster_beat = "wrong_cells"

    def construct(self) -> None:
        self.beats(
            self.memory, self.columns, self.reshape, self.transpose, self.one_batch, self.same_shape,
            self.predict_merge, self.merge_right, self.merge_wrong, self.wrong_cells, self.damage, self.close,
        )  # fmt: skip

    # ------------------------------------------------------------ splitting

    def memory(self) -> None:
        """Real numbers first; then each cell shows its place in memory."""
        q, grid, look = self.facts["multi_head.q_flat"], self.stage.real, filled_with("query")
        addresses = list(places(self.index).values())
        cells = {a: Cell(*grid.box(*a), look, q[a], em=EM, signed=True) for a in addresses}
        self.cells = {int(self.index[a]): cell for a, cell in cells.items()}
        self.labels, self.tag = row_labels(self.tokens, grid, len(self.tokens)), shape_tag(grid, self.n, self.d_model)
        self.name = name_beside(grid, self.tag, "queries", "query")
        rows = [VGroup(label, *[cells[a] for a in addresses if a[0] == i]) for i, label in enumerate(self.labels)]
        number = "numbers" if int(self.d_model) > 1 else "numbers|number"
        with self.say(f"Here are the [queries] of {{}} tokens, {{}} [{number}] each.", self.n, self.d_model) as line:
            self.show_title()
            line.wait_for("queries", before=LEAD)
            arriving = LaggedStart(*[FadeIn(row) for row in rows], lag_ratio=0.2)
            self.play(FadeIn(self.name, rate_func=passing(0)), arriving, run_time=line.until("numbers"))
            self.play(FadeIn(self.tag), run_time=self.look.pace.fade)
        self.note = words("Each number is a place in memory.").place(grid.x, grid.bottom(len(self.tokens)) + NOTE_GAP)
        changes = [Restyle(cells[a], look, self.index[a]) for a in addresses]
        with self.say("Now each cell shows its [place] in memory, row by row.", name="places") as line:
            line.wait_for("place", before=LEAD)
            counting = LaggedStart(*changes, lag_ratio=0.1)
            self.play(counting, late(FadeIn(self.note)), run_time=line.left(PART))

    def columns(self) -> None:
        """Each head gets its share of the columns, and the matrix makes room."""
        s = self.stage
        spans = shared_spans(self.heads, s.real, int(self.d_head))
        small = shared_spans(self.heads, s.flat, self.wide)
        self.notes = [words(told(self.h, self.d_head), self.n, self.h, self.d_head, role="dim")]
        self.notes[0].place(s.flat.x, s.note_y)
        labels, dots = row_labels(self.tokens, s.flat, self.rows), left_out(self.part, s.flat)
        boxes = self._boxes("index", s.flat)
        with self.say(self.many.columns, *self.heads) as line:
            for i, (over, mark) in enumerate(zip(spans, ("first", "second"), strict=False)):
                mine = [cell for row in range(len(self.tokens)) for cell in self._piece(self.cells, i, row)]
                gone = [FadeOut(self.name)] if i == 0 else []
                line.wait_for(mark, before=LEAD)
                self.play(FadeIn(over), *gone, *[Restyle(cell, head_look(i)) for cell in mine], run_time=PART)
            going = [FadeOut(cell, rate_func=passing(0)) for i, cell in self.cells.items() if i not in boxes]
            going += [FadeOut(label, rate_func=passing(0)) for label in self.labels[self.rows :]]
            self.cells = {i: self.cells[i] for i in boxes}
            if self.part.cuts:
                self.notes.append(words(excerpt(self.part), role="dim"))
                self.notes[1].place(s.flat.x, s.note_y + NOTE_LEADING)
            self.play(
                self._moved(self.cells, boxes, SLIDE), *going, late(FadeIn(dots)),
                *[Transform(old, new) for old, new in zip(self.labels, labels, strict=False)], *renamed(spans, small),
                Transform(self.note, self.note.copy().place(s.flat.x, s.note_y + len(self.notes) * NOTE_LEADING)),
                *map(FadeIn, self.notes), run_time=SLIDE,
            )  # fmt: skip
        self.labels.submobjects = self.labels[: self.rows].submobjects
        self.remove(*spans, *[part for over in spans for part in over])  # parts that went alone have left their group
        self.add(small)
        self.first_stage = VGroup(*self.cells.values(), small, self.tag, dots)

    def reshape(self) -> None:
        """The heads get an axis of their own: the columns part, and that is all. So does their number in the shape."""
        s = self.stage
        goal = shape_tag(s.parted[0], self.n, self.h, self.d_head)
        names = head_spans(self.heads, s.parted, self.wide).add(left_out(self.part, *s.parted))
        self.steps = VGroup(step_beside(self.tag, goal, s.flat, "reshape"))
        with self.say(self.many.reshape) as line:
            line.wait_for("reshape", before=LEAD)
            self.play(FadeIn(self.steps, shift=by(NUDGE, 0)), run_time=self.look.pace.quick)
            time, tag = line.until("axis", least=SLIDE), self.tag.copy()
            self.parted, moving = self._carry(self.cells, self._boxes("index", s.closed), time, 0)
            self.play(moving, Arch(tag, self.tag.copy().place(s.parted[0].x, s.flat.y + TAG_DY), ARCH), run_time=time)
            parting = self._moved(self.parted, self._boxes("reshaped", s.parted), PART)
            self.play(parting, *parted(tag, goal), late(FadeIn(names)), run_time=PART)
        self.remove(tag, *tag)
        self.add(goal)
        self.shape = goal
        self.second_stage = VGroup(*self.parted.values(), goal, names)

    def transpose(self) -> None:
        """The number of heads goes to the front of the shape, and the heads one below the other; then what is read."""
        s = self.stage
        self.names = self._stack_names(s.stacked)
        goal, tag = cast(ShapeText, self.names[0]), self.shape.copy()
        step = step_beside(self.shape, goal, s.flat, "transpose")
        with self.say(self.many.transpose) as line:
            line.wait_for("transpose", before=LEAD)
            self.play(FadeIn(step, shift=by(NUDGE, 0)), run_time=self.look.pace.quick)
            there = tag.copy().place(s.stacked[0].x, s.flat.y + TAG_DY)
            self.play(Arch(tag, there, ARCH), run_time=line.until("first", least=PART))
            self.play(*first_to_second(tag, goal), run_time=SWAP)
            time = line.until("matrix", least=TURN)
            boxes = self._boxes("split", s.stacked)
            self.stack, moving = self._carry(self.parted, boxes, time, 0.5, self.part.heads - 1)
            self.play(moving, run_time=time)
            self.play(FadeIn(self.names[1]), run_time=self.look.pace.fade)
        self.remove(tag, *tag)
        self.add(self.names)
        self.steps.add(step)
        with self.say(self.many.order, name="order") as line:
            rows, heads = range(self.rows), range(len(self.heads))
            before = [s.parted[i].row_ring(row, 0, self.wide, "query") for row, i in product(rows, heads)]
            after = [s.stacked[i].row_ring(row, 0, self.wide, "query") for i, row in product(heads, rows)]
            self.play(Steps(before[:STOPS]), run_time=line.left(2 * READ) / 2)
            self.play(Steps(after[:STOPS]), run_time=line.left(READ))

    # ------------------------------------------------------------ attention on both heads

    def one_batch(self) -> None:
        """Queries meet keys in both heads at once."""
        s = self.stage
        old = VGroup(self.first_stage, self.second_stage, self.steps, self.note, *self.notes)
        there = self._stack_names(s.at_left)
        name = name_beside(s.at_left[0], there[0], "queries", "query")
        below = [row_labels(self.tokens, grid, self.rows) for grid in s.at_left[1:]]
        weights = self._make_weights()
        with self.say(self.many.batch) as line:
            self.play(FadeOut(old), run_time=self.look.pace.fade)
            self.play(
                self._moved(self.stack, self._boxes("split", s.at_left), PART),
                Transform(self.names, there), *[late(FadeIn(mob)) for mob in (*below, name, self.weight_names)],
                run_time=PART,
            )  # fmt: skip
            time = line.left(FLOW)
            self.play(row_by_row(s.at_left, self.wide, self.weight_grids, self.rows, weights, "query", time))
        self.weights = weights
        self.query_side = VGroup(*self.stack.values(), self.names, name, self.labels, *below)

    def _make_weights(self) -> list[list[VGroup]]:
        """The weights of the heads by row, and their names, between queries and outputs."""
        s, n = self.stage, self.rows
        start, end = s.at_left[0].right(self.wide), s.stacked[0].x
        sums = [sum_name(self.part, Grid(0, 0, WEIGHT, 0))]
        x = (start + end - right(sums[0]) - SUM_DX / 2) / 2
        self.weight_grids = grids = [Grid(x, grid.y, WEIGHT, grid.h) for grid in s.stacked]
        keys = [inflow(start, x, grid, rich("#kc[keys]", weight=SEMIBOLD)) for grid in grids]
        tag = shape_tag(grids[0], self.h, self.n, self.n)
        name = name_beside(grids[0], tag, "weights", "weight")
        sums = [sum_name(self.part, grid) for grid in grids]
        below = left_out(replace(self.part, wide=n, cuts_columns=False), *grids)
        below.add(further(self.all_heads, self.part, grids[-1]))
        self.weight_names = VGroup(tag, name, head_spans(self.heads, grids, n), *keys, *sums, below)
        self.after_weights = right(sums[0])
        weights, totals = self.facts["multi_head.weights"], self.facts["multi_head.row_sums"]
        hidden = self.facts["sequence.mask"] if bool(self.facts["multi_head.causal"]) else None
        return [
            [weight_row(weights[i, row], totals[i, row], grid, row, n, hidden) for row in range(n)]
            for i, grid in enumerate(grids)
        ]

    def same_shape(self) -> None:
        """The outputs have the shape of the queries; their cells show where each belongs."""
        s, split = self.stage, self._boxes("split", self.stage.stacked)
        self.outputs = self._output_cells(split, exact=self._loop_exact)
        arrows = [inflow(self.after_weights, g.x, g, rich("#vc[values]", weight=SEMIBOLD)) for g in s.stacked]
        self.weight_names.add(*arrows)
        self.names = self._output_names(s.stacked)
        with self.say("New numbers come out; labels show [where] each belongs.") as line:
            self.play(*[FadeIn(a) for a in arrows], FadeIn(self.names), run_time=self.look.pace.fade)
            rows = self._pieces(self.outputs)
            time = line.until("where", end=True, least=FLOW)
            self.play(row_by_row(self.weight_grids, self.rows, s.stacked, self.wide, rows, "weight", time))

    # ------------------------------------------------------------ takeaway

    def close(self) -> None:
        """Both ways in one sentence, beside one matrix and its heads."""
        picture = both_ways(self.part, RECAP_Y)
        self.takeaway(*self.many.takeaway, says=" ".join(self.many.takeaway), picture=picture)


def renamed(old: VGroup, new: VGroup) -> list[Animation]:
    """The names of heads over one grid become those over another, a part that has no counterpart fades.

    Nothing grows into a name from a figure alone, nor shrinks into a line that there is no room for.
    """
    changes: list[Animation] = []
    for one, other in zip(old, new, strict=True):
        if len(one) != len(other):
            changes += [FadeOut(one, rate_func=passing(0)), late(FadeIn(other))]
            continue
        for part, new_part in zip(one, other, strict=True):
            there, stays = bool(part.family_members_with_points()), bool(new_part.family_members_with_points())
            if there and stays:
                changes.append(Transform(part, new_part))
            elif there or stays:
                changes.append(FadeOut(part, rate_func=passing(0)) if there else late(FadeIn(new_part)))
    return changes
