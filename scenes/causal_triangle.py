"""Why must a decoder not look ahead?"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import ClassVar

from manim import (
    Animation,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
    TransformFromCopy,
    VGroup,
)  # fmt: skip

from lesson import Fact
from scenes.kit.attention_grid import (
    MINUS_INFINITY,
    AttentionGrid,
    Place,
    States,
    score_states,
    triangle,
    weight_states,
)  # fmt: skip
from scenes.kit.figures import sum_agrees
from scenes.kit.geometry import by, right
from scenes.kit.labels import SEMIBOLD, Label, formula, rich, words
from scenes.kit.matrix import Cell, Look, Matrix, Restyle, copy_of, known, masked, on_hatching, token
from scenes.kit.motion import MoveCells, Redraw, Travel
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import HAIR, arch, arrow, path

# ---------------------------------------------------------------- layout, px
# the sentence, one box a token
STRIP_Y, STRIP_BOX, STRIP_EM, STRIP_PITCH = 470, (252, 124), 52, 270
ARCH_RISE, ARCH_LIFT, ARCH_HEAD, TASK_DY = 84, 14, (26, 30), 112
BRACE_DY, BRACE_LEG, BRACE_NOTE_DY = 26, 18, 62
# the matrix, in one place until the comparison
BIG = Place(x=224, y=344, width=116, height=100, em=38, query_gap=24, key_rise=26, axis_rise=54, sum_dx=72)
# to its right
LEGEND_X, LEGEND_Y, LEGEND_BOX, LEGEND_GAP, LEGEND_DY = 1128, 556, (240, 100), 32, 106
CARD = (1098, 344, 726, 312)
WORK_X, EXPONENTIALS_Y, WEIGHTS_Y = 1098, 420, 720
WORK_NAME_DY, TOTAL_DY, TOTAL_LEG = 24, 66, 16
NOTE_X, NOTE_BOX, NOTE_TEXT_DX, NOTE_LEADING, LINK_DX = 1300, (232, 100), 28, 46, (60, 24)
# the comparison: mask off to the left, mask on to the right
OFF = Place(x=220, y=404, width=96, height=86, em=36, query_gap=20, key_rise=24, axis_rise=54, sum_dx=48)
ON = Place(x=1137, y=404, width=96, height=86, em=36, query_gap=20, key_rise=24, axis_rise=54, sum_dx=48)
NAME_DY, USER_DX, KEY_DY, KEY_BOX, KEY_MARK = 136, 20, 24, 44, (24, 20)
KEY_DX = (58, 274, 296, 440)  # in the legend below, from the right-hand matrix
RECAP = (1360, 352, 62)  # the picture beside the takeaway: corner and cell


class CausalTriangle(LessonScene):
    """With the mask, each row of weights is shared out among the token itself and earlier ones, and sums to 1.

    First the sentence in the middle, then the matrix to the left, in one place from scores to weights, with its
    workings and notes to the right; at last both matrices side by side. The second variant has the same beats at
    the same times without the mask.
    """

    poster_beat = "every_row"
    has_mask: ClassVar[bool] = True
    stage_line: Label | None = None

    def construct(self) -> None:
        self.beats(
            self.guess, self.scores, self.mask, self.ask_first_row, self.first_row, self.every_row,
            self.too_late, self.ask_changes, self.compare, self.encoders, self.close,
        )  # fmt: skip

    # ------------------------------------------------------------ the two variants

    def tell(self, with_mask: str, without: str, *facts: Fact) -> AbstractContextManager[None]:
        """Say the variant's line, at a pace that suits both."""
        own, other = (with_mask, without) if self.has_mask else (without, with_mask)
        return self.say(own, *facts, pace_of=self.text(other, *facts))

    def variant(self, with_mask: str, without: str) -> str:
        return with_mask if self.has_mask else without

    @property
    def hidden(self) -> Fact | None:
        """The mask, where this variant has one."""
        return self.facts["sequence.mask"] if self.has_mask else None

    def own(self, name: str) -> Fact:
        """A fact of the whole sequence in this variant."""
        return self.facts[f"sequence.{name}_{self.variant('causal', 'full')}"]

    @property
    def own_weights(self) -> States:
        return weight_states(self.own("weights"), self.hidden)

    # ------------------------------------------------------------ why

    def guess(self) -> None:
        """At one token, the next has to be predicted, and in training it stands right there."""
        tokens = self.facts["sequence.tokens"]
        n, at = len(tokens), (len(tokens) - 1) // 2
        self._lay_out_strip()
        self.show_title()
        with self.say("A decoder learns by predicting the next token."):
            self.play(LaggedStart(*[
                FadeIn(VGroup(*pair), shift=by(-16, 0)) for pair in zip(self.strip, self.strip_words, strict=True)
            ], lag_ratio=0.3), run_time=1 + n / 6)  # fmt: skip
        with self.say("At “{}” it has to predict “{}”.", tokens[at], tokens[at + 1]):
            task = self._task(at)
            self.play(Restyle(self.strip[at], Look("query_fill", edge="query")), FadeIn(task, shift=by(0, 12)))
            seen = self._brace(0, at, "what it has read", "dim")
            self.play(FadeIn(seen, shift=by(0, -8)))
        with self.tell("Looking ahead would be reading the answer.", "Here it may look ahead, and reads the answer."):
            ahead = self._brace(at + 1, n - 1, self.variant("must stay hidden", "open to see"), "text")
            goal = masked() if self.has_mask else Look("key_fill", edge="key")
            self.play(
                LaggedStart(*[Restyle(box, goal) for box in self.strip[at + 1 :]], lag_ratio=0.3),
                FadeIn(ahead, shift=by(0, -8)), run_time=self.look.pace.move,
            )  # fmt: skip
        self.strip_notes = VGroup(task, seen, ahead)

    def _lay_out_strip(self) -> None:
        tokens = self.facts["sequence.tokens"]
        w, h = STRIP_BOX
        start = (self.look.frame.width - (len(tokens) - 1) * STRIP_PITCH - w) / 2
        self.strip = [Cell(start + j * STRIP_PITCH, STRIP_Y, w, h, Look("live")) for j in range(len(tokens))]
        baseline = STRIP_Y + h / 2 + STRIP_EM / 3
        self.strip_words = [
            token(t, box.centre[0], baseline, "text", em=STRIP_EM)
            for t, box in zip(tokens, self.strip, strict=True)
        ]

    def _task(self, i: int) -> VGroup:
        """An arch from a token to the next, and what it stands for."""
        x0, x1 = self.strip[i].centre[0], self.strip[i + 1].centre[0]
        y = STRIP_Y - ARCH_LIFT
        curve = arch(x0, x1, y - ARCH_HEAD[0], ARCH_RISE, "query", HAIR * 2)
        tip = arrow((x1, y - ARCH_HEAD[0] - 2), (x1, y), "query", shaft=HAIR * 2, head=ARCH_HEAD)
        name = words("predict the next", role="query", weight=SEMIBOLD)
        return VGroup(curve, tip, name.place((x0 + x1) / 2, STRIP_Y - ARCH_RISE - TASK_DY / 2, "center"))

    def _brace(self, first: int, last: int, note: str, role: str) -> VGroup:
        """A bracket under some boxes of the sentence."""
        (x0, y, _, h), (x1, _, w, _) = self.strip[first].box, self.strip[last].box
        low = y + h + BRACE_DY
        line = path([(x0, low - BRACE_LEG), (x0, low), (x1 + w, low), (x1 + w, low - BRACE_LEG)], "axis", HAIR)
        return VGroup(line, words(note, role=role).place((x0 + x1 + w) / 2, low + BRACE_NOTE_DY, "center"))

    # ------------------------------------------------------------ scores and mask

    def scores(self) -> None:
        """The sentence becomes the matrix's rows and columns, and the scores of the earlier chapters fill it."""
        scaled = self.facts["sequence.scaled"]
        self.grid = AttentionGrid(self.facts["sequence.tokens"], scaled, BIG, score_states(scaled))
        grid, n = self.grid, len(scaled)
        with self.say("These are the scaled scores: a row for each query, a column for each key."):
            self.play(FadeOut(self.strip_notes), *[FadeOut(box) for box in self.strip], run_time=self.look.pace.quick)
            self.play(
                *[TransformFromCopy(a, b) for a, b in zip(self.strip_words, grid.query_tokens, strict=True)],
                *[ReplacementTransform(a, b) for a, b in zip(self.strip_words, grid.key_tokens, strict=True)],
                *self._stage("Scaled scores, before the softmax"), run_time=self.look.pace.move,
            )  # fmt: skip
            rows = [FadeIn(VGroup(*grid.matrix.row(query=i)), shift=by(0, -12)) for i in range(n)]
            self.play(FadeIn(grid.axes), LaggedStart(*rows, lag_ratio=0.3), run_time=self.look.pace.slow)
            self.add(grid)
        with self.say("Right of the diagonal, the key comes later than the query."):
            self.stairs = grid.staircase()
            self.play(Create(self.stairs), run_time=self.look.pace.slow)

    def mask(self) -> None:
        """Row by row, every score of a later token becomes minus infinity."""
        states = score_states(self.facts["sequence.scaled"], self.hidden)
        grid, n = self.grid, self.grid.matrix.rows
        legend = self._score_legend()
        with self.tell(
            "Before the softmax, the mask turns all of those scores into minus infinity.",
            "With no mask, all of those scores go into the softmax just as they are.",
        ):
            ring = grid.matrix.row_ring(0, pad=5)
            for i in range(n):
                later = [grid.restyle(i, j, states) for j in range(i + 1, n)]
                move = ring.animate.shift(by(0, grid.matrix.dy)) if i else FadeIn(ring)
                sweep = [LaggedStart(*later, lag_ratio=0.25)] if later else []
                self.play(move, *sweep, run_time=self.look.pace.move * 3 / 4)
                if i == 0:
                    self.play(FadeIn(legend, shift=by(-16, 0)), run_time=self.look.pace.fade)
            self.play(FadeOut(ring), FadeOut(self.stairs), run_time=self.look.pace.fade)
        self.rest()
        self.play(FadeOut(legend), run_time=self.look.pace.fade)

    def _score_legend(self) -> VGroup:
        """The sorts of cell, and whom they belong to."""
        w, h = LEGEND_BOX
        seen = Cell(LEGEND_X, LEGEND_Y, w, h, known())
        dot = formula("qc(q_i) dot kc(k_j) \\/ sqrt(d_k)", em=44)
        dot.place(LEGEND_X + w / 2, LEGEND_Y + h / 2 + 14, "center")
        x = LEGEND_X + w + LEGEND_GAP
        first = words(self.variant("itself and earlier tokens", "every token,")).middle(x, LEGEND_Y + h / 2)
        y = LEGEND_Y + LEGEND_DY
        second = words(self.variant("no later token", "later ones, too")).middle(x, y + h / 2)
        below = Cell(LEGEND_X, y, w, h, masked(), text=MINUS_INFINITY, em=48)
        return VGroup(seen, dot, first, second, *([below] if self.has_mask else []))

    def ask_first_row(self) -> None:
        """Predict the first row of weights."""
        first = self.facts["sequence.tokens"][0]
        self.ring = self.grid.matrix.row_ring(0)
        self.play(FadeIn(self.ring), run_time=self.look.pace.fade)
        self.predict(
            "first_row",
            "What will the first row of weights be?",
            choices=(
                self.text("All of it on “{}”: one, and zeros", first),
                "A share for every token, by its score",
                "The same share for every token",
                "Zeros only",
            ),
            answer=0 if self.has_mask else 1,
            explain=self.variant(
                "All later scores are minus infinity, so their exponentials are zero. The one that is left, divided by "
                "itself, is one, whatever the inputs.",
                "No score is minus infinity, so every exponential is above zero, and every token gets a share.",
            ),
            place=CARD,
        )

    # ------------------------------------------------------------ softmax

    def first_row(self) -> None:
        """The first row's softmax, worked out at the right."""
        self.loose_sums = [self.grid.sum_name()]
        self.play(*self._stage("Softmax, row by row"), *map(FadeIn, self.loose_sums), run_time=self.look.pace.quick)
        with self.tell(
            "The exponential of minus infinity is zero, so only one is left.",
            "No exponential is zero, so every token keeps its own.",
        ):
            row, notes = self._exponentiate(0)
        with self.tell(
            "Divided by its own sum it is one, whatever the inputs.",
            "Divided by their sum, they spread the weight over all tokens.",
        ):
            self._normalise(0, row, notes)

    def every_row(self) -> None:
        """Another row's softmax, then all the rest."""
        tokens, grid = self.facts["sequence.tokens"], self.grid
        n, second = grid.matrix.rows, len(tokens) // 2
        self.play(self.ring.animate.shift(by(0, second * grid.matrix.dy)), run_time=self.look.pace.quick)
        with self.tell(
            "In the row of “{}”, what is left is divided by its own sum.",
            "In the row of “{}”, all are divided by their sum.",
            tokens[second],
        ):
            self._normalise(second, *self._exponentiate(second))
        rest = [i for i in range(n) if i not in (0, second)]
        notes = self._weight_notes()
        with self.tell(
            "So every row adds up to one, with nothing for later tokens.",
            "So every row adds up to one, with a share for every token.",
        ):
            waves = [grid.restyle(i, j, self.own_weights) for i in rest for j in range(n)]
            sums = [grid.sum_of(i, self.own("row_sums")) for i in rest]
            if rest:
                self.play(LaggedStart(*waves, lag_ratio=0.06), run_time=self.look.pace.slow)
            self.play(
                *[FadeIn(made, shift=by(-12, 0)) for made in sums], *self._stage("Weights, after the softmax"),
                self.ring.animate.shift(by(0, -second * grid.matrix.dy)), FadeIn(notes, shift=by(-16, 0)),
            )  # fmt: skip
        self.remove(*self.loose_sums, *sums)
        self.add(grid.with_sums(self.own("row_sums")), self.ring, notes)
        self.notes = notes
        self.rest()

    def _exponentiate(self, i: int) -> tuple[list[Cell], VGroup]:
        """A copy of a row goes to the right and becomes exponentials, which are added up."""
        exponentials, total = self.own("exponentials"), self._total(i)
        row = [cell.copy() for cell in self.grid.matrix.row(query=i)]
        name = rich("exponentials #sc[$e^(s - s_max)$]").place(WORK_X, EXPONENTIALS_Y - WORK_NAME_DY)
        self.add(*row)
        away = MoveCells(row, self._work_places(EXPONENTIALS_Y), lag=0.4)
        self.play(away, FadeIn(name), run_time=self.look.pace.move)
        changes = [
            Restyle(cell, masked() if self._hides(i, j) else copy_of("weight"), exponentials[i, j], signed=False)
            for j, cell in enumerate(row)
        ]
        self.play(LaggedStart(*changes, lag_ratio=0.2), run_time=self.look.pace.move)
        travelling = [Travel(cell.label.copy(), total.get_center()) for cell in row]
        self.play(*travelling, FadeIn(total), run_time=self.look.pace.move)
        return row, VGroup(name, total)

    def _normalise(self, i: int, row: list[Cell], notes: VGroup) -> None:
        """The exponentials are divided by their sum and go home as weights."""
        goals = [self.own_weights(i, j) for j in range(len(row))]
        home = self.grid.matrix.row(query=i)
        shares = [cell.copy() for cell in row]
        name = rich("weights: each divided by #wc[{}]", self.own("exponential_sums")[i])
        name.place(WORK_X, WEIGHTS_Y - WORK_NAME_DY)
        self.add(*shares)
        self.play(MoveCells(shares, self._work_places(WEIGHTS_Y), lag=0.2), FadeIn(name), run_time=self.look.pace.move)
        self.play(*[
            Restyle(cell, goal.look, goal.fact) for cell, goal in zip(shares, goals, strict=True)
        ], run_time=self.look.pace.move)  # fmt: skip
        self.rest()
        total = self.grid.sum_of(i, self.own("row_sums"))
        self.play(MoveCells(shares, [cell.centre for cell in home], lag=0.4), run_time=self.look.pace.move)
        for cell, goal in zip(home, goals, strict=True):
            cell.take(cell.restyled(goal.look, goal.fact, signed=False))
        self.remove(*shares)
        self.loose_sums.append(total)
        self.play(FadeIn(total, shift=by(-12, 0)), *[FadeOut(mob) for mob in (*row, notes, name)])

    def _work_places(self, y: float) -> list[tuple[float, float]]:
        matrix = self.grid.matrix
        return [(WORK_X + j * matrix.dx + BIG.width / 2, y + BIG.height / 2) for j in range(matrix.columns)]

    def _total(self, i: int) -> VGroup:
        """A bracket under the exponentials, and their sum."""
        terms, total = self.own("exponentials")[i], self.own("exponential_sums")[i]
        x1 = WORK_X + self.grid.matrix.right - BIG.x
        low = EXPONENTIALS_Y + BIG.height + TOTAL_LEG
        line = path([(WORK_X, low - TOTAL_LEG / 2), (WORK_X, low), (x1, low), (x1, low - TOTAL_LEG / 2)], "axis", HAIR)
        name = rich("sum #wc[{}]" + ("" if sum_agrees(terms, total) else " #dc[rounded]"), total)
        return VGroup(line, name.place((WORK_X + x1) / 2, low + TOTAL_DY - TOTAL_LEG, "center"))

    def _hides(self, i: int, j: int) -> bool:
        return self.hidden is not None and bool(self.hidden[i, j])

    def _weight_notes(self) -> VGroup:
        """What the first row does, and where its zeros come from, or why there are none."""
        nothing = self.facts["sequence.masked_weight"]
        w, h = NOTE_BOX
        y = BIG.y + 2 * (BIG.height + self.look.frame.gap)
        look = masked() if self.has_mask else copy_of("weight")
        law = formula(self.variant("e^(-oo) = {}", "e^s > {}"), nothing, em=52)
        law.place(NOTE_X + w / 2, y + h / 2 + 16, "center")
        shown = on_hatching(law, look) if self.has_mask else law
        says = self.variant("no weight for|later tokens", "some weight for|every token").split("|")
        x = NOTE_X + w + NOTE_TEXT_DX
        lines = [words(line).place(x, y + h / 2 - 10 + k * NOTE_LEADING) for k, line in enumerate(says)]
        rounded = self.grid.rounded_notes(self.own("weights"), self.own("row_sums"))
        return VGroup(self._note(self.variant("only itself", "every token"), "text"), Cell(NOTE_X, y, w, h, look),
                      shown, *lines, rounded)  # fmt: skip

    def _note(self, text: str, role: str) -> VGroup:
        """A remark on the first row, tied to its sum."""
        y, x = self.grid.matrix.row_y(0), self.grid.sum_x
        tie = path([(x + LINK_DX[0], y), (NOTE_X - LINK_DX[1], y)], role, HAIR)
        return VGroup(tie, words(text, em=self.look.type.tag, role=role, weight=SEMIBOLD).middle(NOTE_X, y))

    # ------------------------------------------------------------ before, not after

    def too_late(self) -> None:
        """Masking after the softmax leaves rows that don't add up to 1."""
        grid, facts = self.grid, self.facts
        full, after, sums = (
            facts[f"sequence.{name}"] for name in ("weights_full", "masked_after", "row_sums_masked_after")
        )
        with self.say("Suppose the mask came after the softmax: by then, later tokens have their shares."):
            self.play(
                FadeOut(self.notes), FadeOut(self.ring), *self._stage("A mistake: masked after the softmax", "error"),
                LaggedStart(*grid.restyle_all(weight_states(full)), lag_ratio=0.02), run_time=self.look.pace.slow,
            )  # fmt: skip
        before = grid.sums
        late = VGroup(grid.sum_name(), *[
            grid.sum_of(i, sums, "dim" if same else "error") for i, same in enumerate(self._whole_rows())
        ])  # fmt: skip
        note = VGroup(self._note("less than one", "error"), grid.rounded_notes(after, sums))
        with self.say("It would cut those out, and the first row would add up to only {}.", sums[0]):
            self.play(
                LaggedStart(*grid.restyle_all(weight_states(after, facts["sequence.mask"])), lag_ratio=0.02),
                run_time=self.look.pace.slow,
            )
            self.play(FadeOut(before), FadeIn(late), FadeIn(note))
        self.rest()
        self.play(
            LaggedStart(*grid.restyle_all(self.own_weights), lag_ratio=0.02), FadeOut(late), FadeOut(note),
            FadeIn(before), *self._stage("Weights, after the softmax"), run_time=self.look.pace.slow,
        )  # fmt: skip
        self.add(grid)

    def _whole_rows(self) -> list[bool]:
        """Which rows the mask leaves as they are."""
        return [not any(bool(hides) for hides in row) for row in self.facts["sequence.mask"]]

    def ask_changes(self) -> None:
        """Predict which cells the mask changes."""
        self.predict(
            "changes",
            "Which weights does the mask change?",
            choices=(
                "Only those right of the diagonal",
                "All, in every row but the last",
                "All, in every row",
                "Only those on the diagonal",
            ),
            answer=1,
            explain="Right of the diagonal they become zero, and the rest of the row shares out what they had. "
            "The last row hides nothing, so it stays.",
            place=CARD,
        )

    # ------------------------------------------------------------ both

    def compare(self) -> None:
        """Both matrices side by side; what changes is marked."""
        self._split()
        full, causal, mask = (self.facts[f"sequence.{name}"] for name in ("weights_full", "weights_causal", "mask"))
        off, on = weight_states(full), weight_states(causal, mask)
        with self.tell(
            "Take the mask away, and the same scores give the weights on the left.",
            "Put the mask on, and the same scores give the weights on the right.",
        ):
            changing = self.off.restyle_all(off) if self.has_mask else self.on.restyle_all(on)
            self.play(LaggedStart(*changing, lag_ratio=0.04), run_time=2 * self.look.pace.slow)
        changes = self.facts["sequence.changes"]
        marks = [self.on.growth_mark(i, j) for i, j, _ in self.on.matrix.cells() if int(changes[i, j]) > 0]
        key = self._key()
        with self.say("Hidden weights become zero, and the rest of their row grows."):
            self.play(
                FadeIn(key), LaggedStart(*[FadeIn(mark, shift=by(0, -8)) for mark in marks], lag_ratio=0.06),
                run_time=self.look.pace.slow,
            )  # fmt: skip
        with self.say("{} weights change; only the last row stays the same.", self.facts["sequence.changed_cells"]):
            last = self.on.matrix.rows - 1
            rings = [grid.matrix.row_ring(last) for grid in (self.off, self.on)]
            same = words("last row: same", role="dim").place(ON.x + KEY_DX[3], self._key_baseline)
            self.play(*[FadeIn(mob) for mob in (*rings, same)])
        self.play(*[FadeOut(ring) for ring in rings])

    def _split(self) -> None:
        """The one matrix becomes two, which move apart."""
        self.off, self.on = self.grid.moved(BIG), self.grid.moved(BIG)
        old, self.off_goal, self.on_goal = self.grid, self.off.moved(OFF), self.on.moved(ON)
        self.remove(old)
        self.add(self.off, self.on)
        self.play(
            Redraw(self.on, lambda t: old.moved(BIG.toward(ON, t))),
            Redraw(self.off, lambda t: old.moved(BIG.toward(OFF, t))),
            *self._stage("The same scores, with the mask off and on"), run_time=self.look.pace.slow,
        )  # fmt: skip
        self.remove(self.off, self.on)
        self.off, self.on = self.off_goal, self.on_goal
        self.add(self.off, self.on)
        names = [
            words(text, em=self.look.type.tag, weight=SEMIBOLD).place(grid.place.x, grid.place.y - NAME_DY)
            for text, grid in (("Mask off", self.off), ("Mask on", self.on))
        ]
        self.names = names
        self.play(*[FadeIn(name, shift=by(0, -8)) for name in names], run_time=self.look.pace.fade)

    @property
    def _key_baseline(self) -> float:
        return self.on.matrix.bottom + KEY_DY + KEY_BOX / 2 + self.look.type.body / 3

    def _key(self) -> VGroup:
        """What the marks mean, under the matrices."""
        y, base = self.on.matrix.bottom + KEY_DY, self._key_baseline
        nothing = self.facts["sequence.masked_weight"]
        return VGroup(
            words("sums before rounding", role="dim").place(OFF.x, base),
            Cell(ON.x, y, KEY_BOX, KEY_BOX, masked()),
            words("becomes {}", nothing, role="dim").place(ON.x + KEY_DX[0], base),
            triangle(ON.x + KEY_DX[1], y + KEY_BOX / 2, *KEY_MARK, "text"),
            words("grows", role="dim").place(ON.x + KEY_DX[2], base),
        )

    def encoders(self) -> None:
        """Who uses which."""
        users = [
            words(text, role="dim").place(right(name) + USER_DX, name.origin[1])
            for text, name in zip(("in an encoder", "in a decoder"), self.names, strict=True)
        ]
        with self.say("An encoder reads a finished sentence, so it leaves the mask out."):
            self.play(*[FadeIn(user, shift=by(-8, 0)) for user in users])

    def close(self) -> None:
        """The chapter in one sentence."""
        x, y, size = RECAP
        weights = self.own("weights")
        recap = Matrix(weights, x, y, (size, size), Look())
        states = self.own_weights
        for i, j, cell in recap.cells():
            look = states(i, j).look
            cell.take(cell.restyled(Look(look.fill, hatched=look.hatched)))
        self.takeaway(
            "A decoder hides later #kc[keys]",
            "before the softmax, so that each",
            "row of #wc[weights] still sums to one.",
            says="A decoder hides later keys before the softmax, so that each row of weights still sums to one.",
            picture=recap,
        )

    # ------------------------------------------------------------ parts

    def _stage(self, text: str, role: str = "dim") -> list[Animation]:
        """The line under the title tells where we are; a new one replaces the old."""
        frame = self.look.frame
        new = words(text, em=self.look.type.small, role=role).place(frame.left, frame.subtitle_baseline)
        old, self.stage_line = self.stage_line, new
        return [FadeIn(new), *([FadeOut(old)] if old else [])]


class CausalTriangleUnmasked(CausalTriangle):
    """The same beats at the same times with the mask off: every token looks at every other."""

    has_mask = False
