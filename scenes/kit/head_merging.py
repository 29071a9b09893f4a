"""The second half of the chapter on heads: merged rightly to the left, wrongly to the right, and what that does."""

from __future__ import annotations

from typing import cast

from manim import Animation, FadeIn, FadeOut, LaggedStart, Transform, VGroup

from lesson import Fact
from scenes.kit.cells import Cell, Look, Restyle, solid
from scenes.kit.figures import figure_of
from scenes.kit.geometry import by, left, right
from scenes.kit.head_moves import mix, step_aside
from scenes.kit.head_scene import HeadScene
from scenes.kit.head_shapes import cross, tick
from scenes.kit.head_stage import Grid, places
from scenes.kit.head_words import names_of_two
from scenes.kit.heads import (
    CHAIN_DY,
    NAME_GAP,
    NOTE_LEADING,
    TAG_DY,
    asked,
    head_legend,
    left_out,
    numbering,
    output_matrix,
    output_shade,
    row_labels,
    shape_chain,
    shape_tag,
    step_arrow,
    wedge,
    wedge_note,
)  # fmt: skip
from scenes.kit.labels import SEMIBOLD, Label, rich, run, words
from scenes.kit.motion import late, passing
from scenes.kit.shapes import dashed_box

# ---------------------------------------------------------------- layout, px
FOOT_DY, MATRIX_DY = 66.0, 34.0
NOTE_GAP = 32.0  # from the legend under one matrix to the note under the other, at least
ASKED_ROOM = 320.0  # a place to be filled is so wide at least: what is asked stands in it
CARD = (96.0, 740.0, 1440.0, 268.0)
HARDLY = 0.005  # a gap below it would read as none
OUTPUTS = {"merged": "output", "forgotten": "output_forgotten"}  # of the layer, by how its heads were merged
# ---------------------------------------------------------------- paces, s
LEAD = 0.15  # by which a motion is ahead of its word
PART = 1.0  # all cells at once, a small way
WAVE, TURN, MIX = 3.2, 2.2, 1.8  # at least, when words pass faster


class HeadMerging(HeadScene):
    """Beats of a chapter: from the stacked outputs back to one matrix, with the transpose and without it.

    Before them, `query_side`, `weights` and `weight_names` stand beside the `outputs`.
    """

    query_side: VGroup
    weights: list[list[VGroup]]
    weight_names: VGroup
    questions: VGroup
    legend: VGroup

    @property
    def _loop_exact(self) -> bool:
        """Does the layer match a loop over its heads to the last digit?"""
        return bool(self.facts["multi_head.loop_exact"])

    @property
    def _matters(self) -> bool:
        """Does a merge without the transpose put anything in the wrong place?"""
        return bool(self.facts["multi_head.transpose_matters"])

    def predict_merge(self) -> None:
        """What if the transpose is left out on the way back?"""
        s, end = self.stage, self.stage.flat.right(self.part.columns) + self.stage.tail
        end = max(end, s.flat.x + ASKED_ROOM)
        middle = s.flat.middle(self.rows)
        place = dashed_box(s.flat.x, s.top, end - s.flat.x, s.flat.bottom(self.rows) - s.top)
        back = step_arrow(s.stacked[0].x, end, middle, "only reshape")
        weights = VGroup(*[row for head in self.weights for row in head])
        self.questions = asked("right shape", "right numbers", middle=((s.flat.x + end) / 2, middle))
        self.empty = VGroup(place, shape_tag(s.flat, self.n, self.d_model), back)
        self.play(FadeOut(VGroup(self.query_side, weights, self.weight_names)), run_time=self.look.pace.quick)
        self.play(FadeIn(self.empty), FadeIn(self.questions), run_time=self.look.pace.quick)
        count = self.facts["multi_head.wrong_count"], self.facts["multi_head.cell_count"]
        parts = [VGroup(part) for part in self.names]
        self.remove(self.names)
        self.add(*parts)  # one by one, or the card would hide those, too, that it doesn't cover
        self.predict(
            "forgotten_transpose",
            "Without the transpose on the way back, would the shapes still fit? And the numbers?",
            choices=(
                "The shapes fit, and the answer matches",
                "The shapes fit, but the answer is wrong",
                "The shapes do not fit, and the program stops",
            ),
            answer=1 if self._matters else 0,
            explain=self.text(
                "Either way the result is [{}, {}], but without the transpose {} of {} numbers are in the wrong place.",
                self.n, self.d_model, *count,
            ) if self._matters else "With one head, the transpose changes nothing: the numbers are read in the same "
            "order with it and without it.",
            place=CARD,
        )  # fmt: skip
        self.remove(*parts)
        self.add(self.names)

    def merge_right(self) -> None:
        """Back the way it came: transpose, then reshape."""
        s = self.stage
        split, parted, flat = (self.h, self.n, self.d_head), (self.n, self.h, self.d_head), (self.n, self.d_model)
        self.chains = shape_chain(s.flat.x, s.top + CHAIN_DY, split, parted, flat)
        y = s.good.bottom(self.rows) + s.foot + FOOT_DY
        others = any(self.head_of[i] >= self.part.heads for i in self._boxes("forgotten", s.bad))
        self.legend = head_legend(self.heads, others, s.good.x, y).add(numbering(s.good.x, y + NOTE_LEADING))
        self.good_labels, self.good_dots = row_labels(self.tokens, s.flat, self.rows), left_out(self.part, s.flat)
        beside = self.good_labels, self.chains[0], self.legend
        first, then = (words(text, em=self.look.type.tag, weight=SEMIBOLD) for text in ("transpose", ", then reshape"))
        self.sides = VGroup(run(first, then, x=s.good.x, baseline=s.top + TAG_DY), self._side("only reshape", s.bad))
        with self.say(self.many.back) as line:
            self.show_title(self.many.title)
            line.wait_for("fits", before=LEAD)
            self.play(*self._answered(0), run_time=self.look.pace.fade)
            self.play(
                self._moved(self.outputs, self._boxes("split", s.middle), PART),
                FadeOut(self.empty, rate_func=passing(0)), *self._over_the_wrong(),
                Transform(self.names, self._output_names(s.middle, right(self.sides[0]) + NAME_GAP)),
                *[late(FadeIn(mob)) for mob in beside],
                run_time=PART,
            )  # fmt: skip
            line.wait_for("transpose", before=LEAD)
            self.play(FadeIn(first), run_time=self.look.pace.quick)
            time = line.until("reshape", least=TURN)
            self.good, moving = self._carry(self.outputs, self._boxes("reshaped", s.opened), time, 0.4)
            self.play(moving, late(FadeIn(self.chains[1])), step_aside(self.names[1], time), run_time=time)
            closing = self._moved(self.good, self._boxes("merged", s.flat), PART)
            named = FadeIn(then, rate_func=passing(0)), FadeIn(self.chains[2]), late(FadeIn(self.good_dots))
            self.play(closing, *named, run_time=PART)
        self.chains.append(self.legend)

    def _answered(self, which: int) -> list[Animation]:
        """In place of a question mark, a tick where the answer is yes, or a cross."""
        pair = self.questions[which]
        mark, text = (cast(Label, part) for part in pair)
        yes = which == 0 or not self._matters
        answer = (tick if yes else cross)(left(mark), text.origin[1])
        pair.submobjects = [answer, text]
        return [FadeOut(mark, rate_func=passing(0)), late(FadeIn(answer))]

    def _over_the_wrong(self) -> list[Animation]:
        """What is asked goes to where the wrong matrix will stand, and stays until all is answered."""
        old, self.questions = self.questions, self.questions.copy()
        texts = [cast(Label, pair[1]) for pair in self.questions]
        x = self.look.frame.right - max(text.advance for text in texts)
        for pair, text, dy in zip(self.questions, texts, (TAG_DY, CHAIN_DY), strict=True):
            pair.shift(by(x - text.origin[0], self.stage.top + dy - text.origin[1]))
        return [FadeOut(old, rate_func=passing(0)), *[late(FadeIn(mob)) for mob in (self.sides[1], *self.questions)]]

    def _side(self, text: str, grid: Grid) -> Label:
        return words(text, em=self.look.type.tag, weight=SEMIBOLD).place(grid.x, self.stage.top + TAG_DY)

    def merge_wrong(self) -> None:
        """Reshape at once: the rows are filled in the order in which the stack is read."""
        s = self.stage
        chain = shape_chain(s.bad.x, s.top + CHAIN_DY, (self.h, self.n, self.d_head), (self.n, self.d_model))
        self.chains += chain
        filled, bad = self._boxes("forgotten", s.filled), self._boxes("forgotten", s.bad)
        stack = list(self.outputs.values())
        around = cast(VGroup, self.names[1])
        passing_by = around[1:] if self.part.cuts_columns else VGroup()  # dots beside the stack are in the way
        with self.say(self.many.alone, *self.heads[: self.many.alone.count("{}")]) as line:
            line.wait_for("reshape", before=LEAD)
            self.play(FadeIn(chain[0]), *map(FadeOut, passing_by), run_time=self.look.pace.fade)
            around.remove(*passing_by)  # or they would come back when the rest goes
            line.wait_for("fills", before=LEAD)
            time = line.left(WAVE)
            exact = self._loop_exact and not self._matters
            copies = self._output_cells({i: self.outputs[i].box for i in filled if i in self.outputs}, exact=exact)
            arriving = self._output_cells({i: box for i, box in filled.items() if i not in copies}, exact=exact)
            move = self._moved(copies, filled, time, lag=0.8, turning=True)
            self.play(move, *[late(FadeIn(mob)) for mob in (chain[1], *arriving.values())], run_time=time)
            self.outputs = {i: (copies | arriving)[i] for i in filled}
            labels = row_labels(self.tokens, s.bad, self.rows)
            going = [FadeOut(mob, rate_func=passing(0)) for mob in (*stack, self.names)]
            self.play(
                *going,
                self._moved(self.good, self._boxes("merged", s.good), PART), self._moved(self.outputs, bad, PART),
                Transform(self.good_labels, row_labels(self.tokens, s.good, self.rows)),
                Transform(self.good_dots, left_out(self.part, s.good)),
                *[late(FadeIn(mob)) for mob in (labels, left_out(self.part, s.bad))], run_time=PART,
            )  # fmt: skip

    def wrong_cells(self) -> None:
        """A corner on each wrong cell, and one example: the same numbers on both sides."""
        s, wrong = self.stage, self.facts["multi_head.wrong_cells"]
        count = self.facts["multi_head.wrong_count"], self.facts["multi_head.cell_count"]
        if not self._matters:
            self._no_wrong_cells(count)
            return
        mixed = self.facts["multi_head.memory_forgotten"]
        address = places(mixed)
        marks = [wedge(cell) for i, cell in self.outputs.items() if bool(wrong[address[i]])]
        belongs = int(mixed[0, int(self.d_head)])  # what begins the second piece of the first row
        row, head, _ = self._places("index")[belongs]
        rings = [
            s.good.row_ring(row, head * self.wide, self.wide, "text"),
            s.bad.row_ring(0, self.wide, self.wide, "error"),
        ]
        held = "numbers" if int(self.d_head) > 1 else "one number"
        (one, which), (other, from_which) = names_of_two(self.tokens, row)
        named = *which, *from_which
        shown = f"{one[0].upper()}{one[1:]} holds {held} of {other}."
        spoken = f"The row of {one} now holds {held} of [there|{other}]."
        whole = "{} of all {} numbers in the wrong place" if self.part.cuts else "{} of {} numbers in the wrong place"
        clear = right(self.legend) + NOTE_GAP
        y = s.bad.bottom(self.rows) + s.foot + FOOT_DY
        notes = wedge_note(s.bad.x, y, clear, words(whole, *count), shown, named)
        growing = LaggedStart(*[FadeIn(mark) for mark in marks], lag_ratio=0.1)
        with self.say("Now [count|{} of {}] numbers are not where they belong.", *count) as line:
            line.wait_for("count", before=LEAD)
            self.play(FadeIn(notes[:2], rate_func=passing(0)), growing, *self._answered(1), run_time=line.left(PART))
        with self.say(spoken, *named, name="moved") as line:
            self.play(FadeIn(rings[1]), FadeIn(notes[2]), run_time=self.look.pace.fade)
            line.wait_for("there", before=LEAD)
            self.play(FadeIn(rings[0]), run_time=self.look.pace.fade)
        self.marks = VGroup(*marks, *notes, *rings)

    def _no_wrong_cells(self, count: tuple[Fact, Fact]) -> None:
        """With one head, both merges are the same."""
        grid = self.stage.bad
        note = words("{} of {} numbers in the wrong place", *count)
        note.place(grid.x, grid.bottom(self.rows) + self.stage.foot + FOOT_DY)
        with self.say("So here, [none|no] number is in the wrong place: one head has no others to mix with.") as line:
            line.wait_for("none", before=LEAD)
            self.play(FadeIn(note), *self._answered(1), run_time=self.look.pace.fade)
        self.marks = VGroup(note)

    # ------------------------------------------------------------ the damage

    def damage(self) -> None:
        """How far each output of the layer is off."""
        s, loop = self.stage, self.facts["multi_head.loop_batched_gap"]
        wrong, exact = self.facts["multi_head.forgotten_transpose_gap"], self._loop_exact
        shade = "lighter" if self.look.name == "dark" else "darker"
        after = [VGroup(rich("output after $W_O$"), words(f", larger is {shade}")) for _ in "ab"]
        taken = VGroup()
        for label, grid, side in zip(after, (s.good, s.bad), ("With the transpose", "Without it"), strict=True):
            run(*label, x=grid.x, baseline=s.top + CHAIN_DY).set_color(self.look.dim)
            taken.add(output_matrix(int(self.d_model), grid.x, grid.bottom(self.rows) + s.foot + MATRIX_DY))
            self.sides.add(self._side(side, grid))
        old, new = self.sides[:2], self.sides[2:]
        with self.say("Then the [matrix|output matrix] multiplies each row.") as line:
            going = [FadeOut(mob) for mob in (self.marks, self.questions, *self.chains, *old)]
            self.play(*going, *[late(FadeIn(mob)) for mob in new], run_time=self.look.pace.fade)
            line.wait_for("matrix", before=LEAD)
            self.play(FadeIn(taken), run_time=self.look.pace.quick)
            sides = ("merged", self.good, s.good), ("forgotten", self.outputs, s.bad)
            time = line.left(MIX)
            self.play(*[self._mix(*side, time) for side in sides], *[late(FadeIn(mob)) for mob in after], run_time=time)
        most = "largest gap of all" if self.part.cuts else "largest gap"
        none = rich(f"{most}: {{}}" if exact else f"{most}: {{1e}}", loop)
        plain = "{}" if float(wrong) >= HARDLY or not self._matters else "{1e}"
        largest = none, rich(f"{most}: #ec[{plain}]" if self._matters else f"{most}: {plain}", wrong)
        shown = self._worst_shown
        if shown is not None and figure_of(shown).shown != figure_of(wrong).shown:  # the largest is in no cell here
            place = "{}" if float(shown) >= HARDLY else "{1e}"
            largest = none, rich(f"{most}: #ec[{plain}], shown here: #ec[{place}]", wrong, shown)
        for label, grid in zip(largest, (s.good, s.bad), strict=True):
            label.place(grid.x, grid.bottom(self.rows) + s.foot + FOOT_DY)
            label.shift(by(min(0.0, self.look.frame.right - right(label)), 0))  # long figures end within the margin
        size = [words("size of the difference", role="dim").place(grid.x, s.top + CHAIN_DY) for grid in (s.good, s.bad)]
        what = rich("In each cell: the difference from a loop, which computes one head at a time", role="dim")
        what.place(s.good.x, s.good.bottom(self.rows) + s.foot + FOOT_DY + NOTE_LEADING)
        says = f"With the transpose, it [matches] a loop over the heads {'exactly' if exact else 'up to rounding'}."
        with self.say(says, name="match") as line:
            line.wait_for("matches", before=2 * LEAD + self.look.pace.quick)
            self.play(FadeOut(taken), run_time=self.look.pace.quick)
            line.wait_for("matches", before=LEAD)
            named = FadeOut(after[0], rate_func=passing(0)), late(FadeIn(size[0]))
            self.play(FadeIn(what), FadeIn(largest[0]), *named, *self._gaps("merged", self.good), run_time=PART)
        says = self.many.gap if plain == "{}" else "Without it, outputs are [off] by very little; no error is raised."
        with self.say(says, *[wrong][: says.count("{}")], name="gap") as line:
            line.wait_for("off", before=LEAD)
            named = FadeOut(after[1], rate_func=passing(0)), late(FadeIn(size[1]))
            self.play(FadeIn(largest[1]), *named, *self._gaps("forgotten", self.outputs), run_time=PART)

    def _mix(self, array: str, cells: dict[int, Cell], grid: Grid, time: float) -> Animation:
        """The output matrix takes in row after row; what comes out is a shade, on one scale for all that is shown."""
        out = {side: self._of_shown(name, side) for side, name in OUTPUTS.items()}
        values = [float(value) for numbers in out.values() for value in numbers.values()]
        rows = [[i for i, at in self._places(array).items() if at[0] == row] for row in range(self.rows)]
        shades = [[output_shade(float(out[array][i]), min(values), max(values)) for i in row] for row in rows]
        return mix([[cells[i] for i in row] for row in rows], shades, grid, time)

    def _of_shown(self, name: str, array: str) -> dict[int, Fact]:
        """The entries of a fact [n, d_model] in the cells of a merged array that are shown, by their memory index."""
        fact, address = self.facts[f"multi_head.{name}"], places(self.facts[f"multi_head.memory_{array}"])
        return {i: fact[address[i]] for i in self._places(array)}

    @property
    def _worst_shown(self) -> Fact | None:
        """The largest gap among the cells that are shown, if a forgotten transpose does any damage there."""
        worst = max(self._of_shown("forgotten_transpose_gaps", "forgotten").values(), key=float)
        return worst if self._matters and float(worst) else None

    def _gaps(self, array: str, cells: dict[int, Cell]) -> list[Animation]:
        """The gap of each output of the layer comes into its cell; the largest wrong one is marked."""
        name, ink = ("loop_batched_gaps", "quiet") if array == "merged" else ("forgotten_transpose_gaps", "text")
        most = self._worst_shown if array == "forgotten" else None
        changes: list[Animation] = []
        for i, gap in self._of_shown(name, array).items():
            worst = most is not None and float(gap) == float(most)
            changes.append(Restyle(cells[i], solid("error") if worst else Look("panel", ink=ink), gap))
        return changes
