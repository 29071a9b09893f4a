"""How does one matrix become many heads?"""

from __future__ import annotations

from itertools import product
from typing import Any

from manim import Animation, FadeIn, FadeOut, LaggedStart, Transform, VGroup

from scenes.kit.cells import Cell, Look, Restyle, filled_with, solid
from scenes.kit.geometry import by, left, right
from scenes.kit.head_moves import Carried, Rearrange, Steps, carry, mix, row_by_row, step_aside
from scenes.kit.heads import (
    NOTE_LEADING,
    PAD,
    SIDE,
    SPAN_DY,
    SUM_DX,
    TAG_DY,
    TIP,
    TOP,
    WEIGHT,
    Box,
    Grid,
    Stage,
    both_ways,
    head_legend,
    head_look,
    head_spans,
    inflow,
    name_beside,
    numbering,
    places,
    row_labels,
    shape_chain,
    shape_tag,
    shared_spans,
    step_arrow,
    sum_name,
    wedge,
    wedge_note,
    weight_row,
)  # fmt: skip
from scenes.kit.labels import SEMIBOLD, Label, rich, words
from scenes.kit.matrix import token
from scenes.kit.motion import late, passing
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import LINE, bent_arrow, dashed_box

# ---------------------------------------------------------------- layout, px
EM = 36.0  # the figure of every cell
NOTE_GAP, NOTE_RISE, NUDGE, FOOT_DY = 68.0, 36.0, 24.0, 66.0
CARD = (96.0, 740.0, 1440.0, 268.0)
RECAP_Y = 540.0  # the middle of the picture beside the takeaway
# ---------------------------------------------------------------- paces, s
LEAD = 0.15  # by which a motion is ahead of its word
SLIDE, PART = 1.2, 1.0  # all cells at once, a small way
WAVE, TURN, READ, FLOW, MIX = 3.2, 2.2, 3.0, 2.8, 1.8  # at least, when words pass faster


class HeadSplitting(LessonScene):
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

    def setup(self) -> None:
        super().setup()
        self.n, self.d_model, self.h, self.d_head = (
            self.facts[f"multi_head.{name}"] for name in ("n", "d_model", "h", "d_head")
        )
        self.rows, self.width, self.wide = int(self.n), int(self.d_model), int(self.d_head)
        self.tokens, self.index = self.facts["sequence.tokens"], self.facts["multi_head.memory_index"]
        self.heads = list(self.facts["multi_head.head_index"])
        longest = max(right(label) - left(label) for label in (token(t, 0, 0, "dim") for t in self.tokens))
        self.stage = Stage.of(self.rows, self.width, len(self.heads), self.wide, longest)

    # ------------------------------------------------------------ parts

    def _boxes(self, array: str, grids: Grid | tuple[Grid, ...]) -> dict[int, Box]:
        """The box of each memory index, in the reading order of that array."""
        found = places(self.facts[f"multi_head.memory_{array}"])
        if isinstance(grids, Grid):
            return {index: grids.box(*address) for index, address in found.items()}
        head, row = (1, 0) if array == "reshaped" else (0, 1)
        return {index: grids[address[head]].box(address[row], address[2]) for index, address in found.items()}

    def _piece(self, cells: dict[int, Cell], head: int, row: int) -> list[Cell]:
        """The cells of one token in one head."""
        return [cells[int(index)] for index in self.facts["multi_head.memory_split"][head, row]]

    def _pieces(self, cells: dict[int, Cell]) -> list[list[VGroup]]:
        """The cells by head and token."""
        return [[VGroup(*self._piece(cells, head, row)) for row in range(self.rows)] for head in range(len(self.heads))]

    def _moved(self, cells: dict[int, Cell], to: dict[int, Box], run_time: float, **how: Any) -> Rearrange:
        """Cells move into the boxes of their memory indices, piece by piece, in the order in which those are read."""
        return Rearrange([cells[i] for i in to], list(to.values()), together=self.wide, run_time=run_time, **how)

    def _carry(self, cells: dict[int, Cell], to: dict[int, Box], time: float, lag: float, first: int = 0) -> Carried:
        """Cells go to other boxes head by head; the state they leave comes back when all have passed."""
        order = [i for i, (head, *_) in places(self.facts["multi_head.memory_split"]).items() if head == first]
        order += [i for i in cells if i not in order]
        self.remove(*cells.values())
        return carry(cells, {i: to[i] for i in order}, lag=lag, together=self.rows * self.wide, run_time=time)

    def _stack_names(self, grids: tuple[Grid, ...]) -> VGroup:
        """What stands over a stack of heads: its shape and the heads' names."""
        tag = shape_tag(grids[0], self.h, self.n, self.d_head)
        return VGroup(tag, head_spans(self.heads, grids, self.wide))

    def _output_names(self, grids: tuple[Grid, ...]) -> VGroup:
        names = self._stack_names(grids)
        return names.add(name_beside(grids[0], names[0], "outputs", before=True))

    # ------------------------------------------------------------ splitting

    def memory(self) -> None:
        """Real numbers first; then each cell shows its place in memory."""
        q, grid, look = self.facts["multi_head.q_flat"], self.stage.real, filled_with("query")
        addresses = list(product(range(self.rows), range(self.width)))
        cells = {a: Cell(*grid.box(*a), look, q[a], em=EM, signed=True) for a in addresses}
        self.cells = {int(self.index[a]): cell for a, cell in cells.items()}
        self.labels, self.tag = row_labels(self.tokens, grid), shape_tag(grid, self.n, self.d_model)
        self.name = name_beside(grid, self.tag, "queries", "query")
        rows = [VGroup(label, *[cells[i, j] for j in range(self.width)]) for i, label in enumerate(self.labels)]
        with self.say("Here are the [queries] of {} tokens, {} [numbers] each.", self.n, self.d_model) as line:
            self.show_title()
            line.wait_for("queries", before=LEAD)
            arriving = LaggedStart(*[FadeIn(row) for row in rows], lag_ratio=0.2)
            self.play(FadeIn(self.name, rate_func=passing(0)), arriving, run_time=line.until("numbers"))
            self.play(FadeIn(self.tag), run_time=self.look.pace.fade)
        self.note = words("Each number is a place in memory.").place(grid.x, grid.bottom(self.rows) + NOTE_GAP)
        changes = [Restyle(cells[a], look, self.index[a]) for a in addresses]
        with self.say("Now each cell shows its [place] in memory, row by row.", name="places") as line:
            line.wait_for("place", before=LEAD)
            counting = LaggedStart(*changes, lag_ratio=0.1)
            self.play(FadeIn(self.note, rate_func=passing(0)), counting, run_time=line.left(PART))

    def columns(self) -> None:
        """Each head gets its share of the columns, and the matrix makes room."""
        s = self.stage
        spans, small = (shared_spans(self.heads, grid, self.wide) for grid in (s.real, s.flat))
        y = s.stacked[1].middle(self.rows) - NOTE_RISE
        self.notes = [words("{} tokens, {} heads of {} columns.", self.n, self.h, self.d_head, role="dim")]
        self.notes[0].place(s.flat.x, y)
        with self.say(
            "Half of the columns go to [first|head {}], the others to [second|head {}].", *self.heads
        ) as line:
            for i, (over, mark) in enumerate(zip(spans, ("first", "second"), strict=True)):
                mine = [cell for row in range(self.rows) for cell in self._piece(self.cells, i, row)]
                gone = [FadeOut(self.name)] if i == 0 else []
                line.wait_for(mark, before=LEAD)
                self.play(FadeIn(over), *gone, *[Restyle(cell, head_look(i)) for cell in mine], run_time=PART)
            self.play(
                self._moved(self.cells, self._boxes("index", s.flat), SLIDE),
                Transform(self.labels, row_labels(self.tokens, s.flat)), Transform(spans, small),
                Transform(self.note, self.note.copy().place(s.flat.x, y + NOTE_LEADING)), FadeIn(self.notes[0]),
                run_time=SLIDE,
            )  # fmt: skip
        self.first_stage = VGroup(*self.cells.values(), spans, self.tag)

    def reshape(self) -> None:
        """The heads get an axis of their own: the columns part, and that is all."""
        s = self.stage
        y = s.flat.middle(self.rows)
        self.steps = VGroup(step_arrow(s.flat.right(self.width), s.parted[0].x, y, "reshape"))
        names = VGroup(shape_tag(s.parted[0], self.n, self.h, self.d_head), head_spans(self.heads, s.parted, self.wide))
        with self.say("A reshape gives the heads an [axis] of their own.") as line:
            self.parted, moving = self._carry(self.cells, self._boxes("index", s.closed), SLIDE, 0)
            self.play(*moving, run_time=SLIDE)
            line.wait_for("axis", before=LEAD)
            parting = self._moved(self.parted, self._boxes("reshaped", s.parted), PART)
            self.play(parting, FadeIn(names), FadeIn(self.steps, shift=by(NUDGE, 0)))
        self.second_stage = VGroup(*self.parted.values(), names)

    def transpose(self) -> None:
        """The heads come one below the other; a ring on each side then shows what is read after what."""
        s, end = self.stage, self.stage.parted[1].right(self.wide)
        x, y = (s.parted[1].x + end) / 2, s.stacked[1].middle(self.rows)
        turn = [(x, s.parted[1].bottom(self.rows) + PAD), (x, y), (s.stacked[1].x - PAD, y)]
        across = step_arrow(end, s.stacked[0].x, s.flat.middle(self.rows), "transpose")
        steps = VGroup(across, bent_arrow(turn, "dim", LINE, TIP, radius=0))
        self.names = self._stack_names(s.stacked)
        with self.say("A transpose puts this axis first, so each head becomes a [matrix] of its own.") as line:
            time = line.until("matrix", least=TURN)
            self.stack, moving = self._carry(self.parted, self._boxes("split", s.stacked), time, 0.5, 1)
            self.play(*moving, run_time=time)
            self.play(FadeIn(steps, shift=by(NUDGE, 0)), FadeIn(self.names), run_time=self.look.pace.fade)
        self.notes.append(words("It stays; only the reading order changes."))
        self.notes[-1].place(s.flat.x, self.notes[0].origin[1] + 2 * NOTE_LEADING)
        with self.say("No number moves in memory; only the reading order changes.", name="order") as line:
            self.play(FadeIn(self.notes[-1], shift=by(0, -NUDGE / 2)), run_time=self.look.pace.fade)
            rows, heads = range(self.rows), range(len(self.heads))
            before = [s.parted[i].row_ring(row, 0, self.wide, "query") for row, i in product(rows, heads)]
            after = [s.stacked[i].row_ring(row, 0, self.wide, "query") for i, row in product(heads, rows)]
            self.play(Steps(before), Steps(after), run_time=line.left(READ))
        self.steps.add(steps)

    # ------------------------------------------------------------ attention on both heads

    def one_batch(self) -> None:
        """Queries meet keys in both heads at once."""
        s = self.stage
        old = VGroup(self.first_stage, self.second_stage, self.steps, self.note, *self.notes)
        there = self._stack_names(s.at_left)
        name = name_beside(s.at_left[0], there[0], "queries", "query")
        below = row_labels(self.tokens, s.at_left[1])
        weights = self._make_weights()
        with self.say("Attention runs in both heads at once: to it, the heads are just a batch.") as line:
            self.play(FadeOut(old), run_time=self.look.pace.fade)
            self.play(
                self._moved(self.stack, self._boxes("split", s.at_left), PART),
                Transform(self.names, there), *[late(FadeIn(mob)) for mob in (below, name, self.weight_names)],
                run_time=PART,
            )  # fmt: skip
            time = line.left(FLOW)
            self.play(row_by_row(s.at_left, self.wide, self.weight_grids, self.rows, weights, "query", time))
        self.weights = weights
        self.query_side = VGroup(*self.stack.values(), self.names, name, self.labels, below)

    def _make_weights(self) -> list[list[VGroup]]:
        """The weights of both heads by row, and their names, between queries and outputs."""
        s, n = self.stage, self.rows
        start, end = s.at_left[0].right(self.wide), s.stacked[0].x
        width = Grid(0, 0, WEIGHT, SIDE).right(n)
        x = (start + end - width - 2 * SUM_DX) / 2
        self.weight_grids = grids = [Grid(x, grid.y, WEIGHT, SIDE) for grid in s.stacked]
        keys = [inflow(start, x, grid, rich("#kc[keys]", weight=SEMIBOLD)) for grid in grids]
        tag = shape_tag(grids[0], self.h, self.n, self.n)
        name = name_beside(grids[0], tag, "weights", "weight")
        sums = [sum_name(grid, n) for grid in grids]
        self.weight_names = VGroup(tag, name, head_spans(self.heads, grids, n), *keys, *sums)
        self.after_weights = right(sums[0])
        weights, totals = self.facts["multi_head.weights"], self.facts["multi_head.row_sums"]
        hidden = self.facts["sequence.mask"] if bool(self.facts["multi_head.causal"]) else None
        return [
            [weight_row(weights[i, row], totals[i, row], grid, row, hidden) for row in range(n)]
            for i, grid in enumerate(grids)
        ]

    def same_shape(self) -> None:
        """The outputs have the shape of the queries; their cells show where each belongs."""
        s, split = self.stage, self._boxes("split", self.stage.stacked)
        looks = {index: head_look(head) for index, (head, *_) in places(self.facts["multi_head.memory_split"]).items()}
        facts = {index: self.index[address] for index, address in places(self.index).items()}
        self.outputs = {i: Cell(*split[i], looks[i], facts[i], em=EM) for i in split}
        arrows = [inflow(self.after_weights, g.x, g, rich("#vc[values]", weight=SEMIBOLD)) for g in s.stacked]
        self.weight_names.add(*arrows)
        self.names = self._output_names(s.stacked)
        with self.say("The outputs are new numbers; each cell shows [where] it belongs.") as line:
            self.play(*[FadeIn(a) for a in arrows], FadeIn(self.names), run_time=self.look.pace.fade)
            rows = self._pieces(self.outputs)
            time = line.until("where", end=True, least=FLOW)
            self.play(row_by_row(self.weight_grids, self.rows, s.stacked, self.wide, rows, "weight", time))

    # ------------------------------------------------------------ merging

    def predict_merge(self) -> None:
        """What if the transpose is left out on the way back?"""
        s, end = self.stage, self.stage.flat.right(self.width)
        place = dashed_box(s.flat.x, TOP, end - s.flat.x, s.flat.bottom(self.rows) - TOP)
        back = step_arrow(s.stacked[0].x, end, s.flat.middle(self.rows), "only reshape")
        unknown = words("?", em=self.look.type.takeaway, role="dim")
        unknown.middle((s.flat.x + end) / 2, s.flat.middle(self.rows), "center")
        weights = VGroup(*[row for head in self.weights for row in head])
        self.empty = VGroup(place, shape_tag(s.flat, self.n, self.d_model), back, unknown)
        self.play(FadeOut(VGroup(self.query_side, weights, self.weight_names)), run_time=self.look.pace.quick)
        self.play(FadeIn(self.empty), run_time=self.look.pace.quick)
        count = self.facts["multi_head.wrong_count"], self.facts["multi_head.cell_count"]
        self.predict(
            "forgotten_transpose",
            "Without the transpose on the way back, would the shapes still fit? Would the answer match?",
            choices=(
                "The shapes fit, and the answer matches",
                "The shapes fit, but the answer is wrong",
                "The shapes do not fit, and the program stops",
            ),
            answer=1,
            explain=self.text(
                "Either way the result is [{}, {}], but without the transpose {} of {} numbers are in the wrong place.",
                self.n, self.d_model, *count,
            ),
            place=CARD,
        )  # fmt: skip

    def merge_right(self) -> None:
        """Back the way it came: transpose, then reshape."""
        s = self.stage
        split, parted, flat = (self.h, self.n, self.d_head), (self.n, self.h, self.d_head), (self.n, self.d_model)
        self.chains = shape_chain(s.flat.x, TOP + SPAN_DY, split, parted, flat)
        y = s.good.bottom(self.rows) + FOOT_DY
        legend = head_legend(self.heads, s.good.x, y).add(numbering(s.good.x, y + NOTE_LEADING))
        self.good_labels = row_labels(self.tokens, s.flat)
        beside = self._side("With the transpose", s.good), self.good_labels, self.chains[0], legend
        with self.say("The shape fits either way. [Transpose], then [reshape], and every number is home.") as line:
            self.show_title("Why does the merge need a transpose?")
            self.play(
                self._moved(self.outputs, self._boxes("split", s.middle), PART),
                FadeOut(self.empty, rate_func=passing(0)),
                Transform(self.names, self._output_names(s.middle)), *[late(FadeIn(mob)) for mob in beside],
                run_time=PART,
            )  # fmt: skip
            line.wait_for("Transpose", before=LEAD)
            time = line.until("reshape", end=True, least=TURN)
            self.good, moving = self._carry(self.outputs, self._boxes("reshaped", s.opened), time, 0.4)
            self.play(*moving, late(FadeIn(self.chains[1])), step_aside(self.names[1], time), run_time=time)
            self.play(self._moved(self.good, self._boxes("merged", s.flat), PART), FadeIn(self.chains[2]))
        self.chains.append(legend)

    def _side(self, text: str, grid: Grid) -> Label:
        return words(text, em=self.look.type.tag, weight=SEMIBOLD).place(grid.x, TOP + TAG_DY)

    def merge_wrong(self) -> None:
        """Reshape at once: the rows are filled in the order in which the stack is read."""
        s = self.stage
        chain = shape_chain(s.bad.x, TOP + SPAN_DY, (self.h, self.n, self.d_head), (self.n, self.d_model))
        chain[-1].add(words("the shape fits", role="dim").place(right(chain[-1]) + NUDGE, TOP + SPAN_DY))
        self.chains += chain
        with self.say("Reshape alone [fills] the rows in reading order: all of head {} first.", self.heads[0]) as line:
            beside = FadeIn(self._side("Without it", s.bad)), FadeIn(chain[0])
            self.play(*beside, FadeOut(self.names[1]), run_time=self.look.pace.fade)
            line.wait_for("fills", before=LEAD)
            time = line.left(WAVE)
            move = self._moved(self.outputs, self._boxes("forgotten", s.filled), time, lag=0.8, turning=True)
            self.play(move, *[late(m) for m in (FadeIn(chain[1]), FadeOut(VGroup(*self.names[::2])))], run_time=time)
            self.play(
                self._moved(self.good, self._boxes("merged", s.good), PART),
                self._moved(self.outputs, self._boxes("forgotten", s.bad), PART),
                Transform(self.good_labels, row_labels(self.tokens, s.good)),
                late(FadeIn(row_labels(self.tokens, s.bad))), run_time=PART,
            )  # fmt: skip

    def wrong_cells(self) -> None:
        """A corner on each wrong cell, and one example: the same numbers on both sides."""
        s, wrong = self.stage, self.facts["multi_head.wrong_cells"]
        mixed = self.facts["multi_head.memory_forgotten"]
        marks = [wedge(self.outputs[i]) for i, address in places(mixed).items() if bool(wrong[address])]
        row, column = places(self.index)[int(mixed[0, self.wide])]  # where the second half of the first row belongs
        rings = [
            s.good.row_ring(row, column, self.wide, "text"), s.bad.row_ring(0, self.wide, self.wide, "error")
        ]  # fmt: skip
        count = self.facts["multi_head.wrong_count"], self.facts["multi_head.cell_count"]
        shown, pair = "“{}” now holds a piece of “{}”.", (self.tokens[0], self.tokens[row])
        spoken = "“{}” now holds a piece of [there|“{}”]."
        if str(pair[0]) == str(pair[1]):
            shown = "The first “{}” now holds a piece of the next “{}”."
            spoken = "The first “{}” now holds a piece of the [there|next] “{}”."
        lines = words("{} of {} cells in the wrong place:", *count), words(shown, *pair)
        notes = wedge_note(s.bad.x, s.bad.bottom(self.rows) + FOOT_DY, *lines)
        growing = LaggedStart(*[FadeIn(mark) for mark in marks], lag_ratio=0.1)
        with self.say("Yet [count|{} of {}] cells are in the wrong place.", *count) as line:
            line.wait_for("count", before=LEAD)
            self.play(FadeIn(notes[:2], rate_func=passing(0)), growing, run_time=line.left(PART))
        with self.say(spoken, *pair, name="moved") as line:
            self.play(FadeIn(rings[1]), FadeIn(notes[2]), run_time=self.look.pace.fade)
            line.wait_for("there", before=LEAD)
            self.play(FadeIn(rings[0]), run_time=self.look.pace.fade)
        self.marks = VGroup(*marks, *notes, *rings)

    # ------------------------------------------------------------ the damage

    def damage(self) -> None:
        """How far each output of the layer is off."""
        s, loop = self.stage, self.facts["multi_head.loop_batched_gap"]
        wrong, exact = self.facts["multi_head.forgotten_transpose_gap"], bool(self.facts["multi_head.loop_exact"])
        mixed = [rich("after $W_O$, which mixes all columns", role="dim") for _ in self.heads]
        for label, grid in zip(mixed, (s.good, s.bad), strict=True):
            label.place(grid.x, TOP + SPAN_DY)
        with self.say("The output matrix then mixes all columns.") as line:
            self.play(FadeOut(self.marks), *[FadeOut(link) for link in self.chains], run_time=self.look.pace.quick)
            self.play(*[FadeIn(label) for label in mixed], run_time=self.look.pace.quick)
            sides = ("merged", self.good, s.good), ("forgotten", self.outputs, s.bad)
            time = line.left(MIX)
            self.play(*[self._mix(*side, time) for side in sides], run_time=time)
        none = rich("largest gap: {}" if exact else "largest gap: {1e}", loop)
        largest = none, rich("largest gap: #ec[{}]", wrong)
        for label, grid in zip(largest, (s.good, s.bad), strict=True):
            label.place(grid.x, grid.bottom(self.rows) + FOOT_DY)
        what = rich("In each cell: the gap of the layer’s output to a loop over the heads", role="dim")
        what.place(s.good.x, s.good.bottom(self.rows) + FOOT_DY + NOTE_LEADING)
        says = f"The right merge [matches] a loop over the heads {'exactly' if exact else 'up to rounding'}."
        with self.say(says, name="match") as line:
            line.wait_for("matches", before=LEAD)
            self.play(FadeIn(what), FadeIn(none), *self._gaps("merged", self.good), run_time=PART)
        with self.say("The wrong one is [off] by up to {}, and no error is raised.", wrong, name="gap") as line:
            line.wait_for("off", before=LEAD)
            self.play(FadeIn(largest[1]), *self._gaps("forgotten", self.outputs), run_time=PART)

    def _mix(self, array: str, cells: dict[int, Cell], grid: Grid, time: float) -> Animation:
        """The output matrix takes in row after row."""
        rows = [[cells[int(index)] for index in row] for row in self.facts[f"multi_head.memory_{array}"]]
        return mix(rows, grid, time)

    def _gaps(self, array: str, cells: dict[int, Cell]) -> list[Animation]:
        """The gap of each output of the layer comes into its cell; the largest wrong one is marked."""
        name, ink = ("loop_batched_gap", "quiet") if array == "merged" else ("forgotten_transpose_gap", "text")
        gaps, most = self.facts[f"multi_head.{name}s"], float(self.facts[f"multi_head.{name}"])
        changes: list[Animation] = []
        for index, address in places(self.facts[f"multi_head.memory_{array}"]).items():
            worst = array == "forgotten" and float(gaps[address]) == most
            changes.append(Restyle(cells[index], solid("error") if worst else Look("panel", ink=ink), gaps[address]))
        return changes

    # ------------------------------------------------------------ takeaway

    def close(self) -> None:
        """Both ways in one sentence, beside one matrix and its heads."""
        lines = "Split by reshape, then transpose;", "merge by the same way back,", "or only the shape is right."
        self.takeaway(*lines, says=" ".join(lines), picture=both_ways(len(self.heads), self.rows, self.wide, RECAP_Y))
