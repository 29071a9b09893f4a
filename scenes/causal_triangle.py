"""Why must a decoder not look ahead?"""

from __future__ import annotations

from manim import Animation, Create, FadeIn, FadeOut, ReplacementTransform, Transform, TransformFromCopy, VGroup

from lesson import Fact
from scenes.kit.attention_grid import (
    AttentionGrid,
    kept_states,
    score_states,
    weight_states,
)  # fmt: skip
from scenes.kit.causal_notes import NOTE_X, exponential_law, rounded_away, score_legend, weight_notes
from scenes.kit.causal_scene import LEAD, CausalScene
from scenes.kit.cells import Look, Restyle
from scenes.kit.figures import figure_of
from scenes.kit.geometry import by
from scenes.kit.motion import late, passing, wave
from scenes.kit.row_softmax import RowSoftmax
from scenes.kit.telling import BREATH, Telling
from scenes.kit.token_strip import TokenStrip
from scenes.kit.wording import ORDINALS, heard

# ---------------------------------------------------------------- layout, px
STRIP_Y = 470  # the sentence, in the middle
NUDGE = 12  # how far things come in
AHEAD_DROP = 106  # of what is said of all later tokens, below what is said of the next
# right of the matrix: legend, question, a row's softmax, notes
CARD = (1098, 344, 726, 312)
WORK = (1098, 420, 676)  # x, y of exponentials, y of weights
ROUNDING_DY = 44  # from the cells to the baseline of the note under them
READS_AS_ONE = 0.995  # a sum from here on is rounded to 1
RECAP = (1360, 553, 62)  # the picture beside the takeaway: left edge, middle and cell

CLOSING = (  # with the mask, and without
    "A decoder must not copy: it hides later keys, before the softmax.",
    "Every query reads every key: right for an encoder, cheating for a decoder.",
)


class CausalTriangle(CausalScene):
    """With the mask, each row of weights is shared out among the token itself and earlier ones, and sums to 1.

    First the sentence in the middle, then the matrix to the left, in one place from scores to weights, with its
    workings and notes to the right; at last both matrices side by side. The second variant has the same beats at
    the same times without the mask.
    """

    poster_beat = "every_row"

    def construct(self) -> None:
        self.beats(
            self.guess, self.scores, self.mask, self.ask_first_row, self.first_row, self.every_row,
            self.too_late, self.ask_changes, self.compare, self.encoders, self.close,
        )  # fmt: skip

    # ------------------------------------------------------------ why

    def guess(self) -> None:
        """At one token, the next has to be predicted, and in training it stands right there."""
        tokens, last = self.tokens, len(self.shown) - 1
        at = last // 2  # before the dots, if there are any
        self.strip = strip = TokenStrip(tokens, STRIP_Y, self.shown)
        with self.say("A decoder learns to predict the [next] token.") as line:
            self.show_title()
            run_time = line.until("next", end=True, least=self.look.pace.slow)
            self.play(*wave([FadeIn(part, shift=by(-NUDGE, 0)) for part in strip], lag=0.8), run_time=run_time)
        task, seen = strip.arch_to_next(at, "predict the next", "query"), strip.bracket(0, at, "what it has read")
        said = heard(tokens)
        asks, pair = "After [read|“{}”], it must [predict] “{}”.", [tokens[at], tokens[at + 1]]
        if said.count(said[at]) > 1 or said[at + 1] in said[: at + 1]:  # which of them, or one that stands open
            asks, pair = f"After the [read|{ORDINALS[at]}] token, it must [predict] the {ORDINALS[at + 1]}.", []
        with self.say(asks, *pair, name="task") as line:
            line.wait_for("read", before=LEAD)
            current = Restyle(strip.boxes[at], Look("query_fill", edge="query"))
            self.play(FadeIn(seen, shift=by(0, -8)), current, run_time=self.look.pace.fade)
            line.wait_for("predict", before=LEAD)
            self.play(FadeIn(task, shift=by(0, NUDGE)), run_time=self.look.pace.fade)
        open_look, answer = Look("key_fill", edge="key"), strip.bracket(at + 1, at + 1, "the answer")
        ahead = strip.bracket(at + 1, last, self.variant("hidden", "left open"), drop=AHEAD_DROP)
        change = strip.hide(at + 1) if self.has_mask else strip.light(at + 1, last, open_look)
        with self.tell(
            "But in training it stands [there|right there] to be copied, so it is [change|hidden].",
            "But in training it stands [there|right there] to be copied, and it stays [change|open].",
            name="answer",
        ) as line:
            line.wait_for("there", before=LEAD)
            lit = strip.light(at + 1, at + 1, open_look)
            self.play(*lit, FadeIn(answer, shift=by(0, -8)), run_time=self.look.pace.fade)
            line.wait_for("change", before=2 * LEAD)
            self.play(*change, FadeIn(ahead, shift=by(0, -8)), run_time=self.look.pace.move)
        self.strip_notes = [task, seen, answer, ahead]

    # ------------------------------------------------------------ scores and mask

    def scores(self) -> None:
        """The sentence becomes the matrix's rows and columns, and the scores of the earlier chapters fill it."""
        scaled = self.facts["sequence.scaled"]
        self.grid = grid = AttentionGrid(self.tokens, scaled, self.big, score_states(scaled), self.shown)
        cut = ", the middle ones left out" if None in self.shown else ""
        later = "that of the later [tokens|token]" if self.two else "those of later [tokens]"
        says = f"These are the scaled scores{cut}; [right] of the diagonal, {later}."
        with self.say(says) as line:
            self.play(*map(FadeOut, self.strip_notes), *self.strip.bare(), run_time=self.look.pace.quick)
            self.remove(*self.strip.boxes)
            self.play(
                *[TransformFromCopy(a, b) for a, b in zip(self.strip.words, grid.query_tokens, strict=True)],
                *[ReplacementTransform(a, b) for a, b in zip(self.strip.words, grid.key_tokens, strict=True)],
                *self._stage("Scaled scores, before the softmax"), FadeIn(grid.axes), run_time=self.look.pace.move,
            )  # fmt: skip
            self.play(*wave([
                FadeIn(VGroup(*grid.matrix.row(query=i)), shift=by(0, -NUDGE)) for i in range(grid.matrix.rows)
            ]), run_time=line.until("right", least=self.look.pace.fade))  # fmt: skip
            self.add(grid)
            self.stairs = grid.staircase()
            self.play(Create(self.stairs), run_time=line.until("tokens", least=self.look.pace.move))

    def mask(self) -> None:
        """Row by row, every score of a later token becomes minus infinity."""
        scaled = self.facts["sequence.scaled"]
        states = score_states(scaled, self.hidden) if self.has_mask else kept_states(scaled)
        grid, rows, pace = self.grid, self.grid.lines, self.look.pace
        self.ring, self.legend = grid.matrix.row_ring(0), score_legend(grid, self.has_mask)
        these = "this score" if self.two else "these scores"
        with self.tell(
            f"Before the softmax, the [mask] sets {these} to minus [all|infinity].",
            "With no mask, the [mask|softmax] gets these scores just as they [all|are].",
        ) as line:
            line.wait_for("mask", before=2 * LEAD)
            for k, i in enumerate(rows):
                sweep: list[Animation] = wave(grid.restyle_row(i, states, after=i))
                sweep += [] if i else [FadeIn(self.legend, shift=by(-NUDGE, 0))]
                sweep.append(
                    Transform(self.ring, grid.matrix.row_ring(i), rate_func=passing(0, 0.5)) if i else FadeIn(self.ring)
                )
                self.play(*sweep, run_time=line.until("all", end=True) / (len(rows) - k))
            self.play(FadeOut(self.stairs), *self._ring_row(0), run_time=pace.fade)

    def ask_first_row(self) -> None:
        """Predict the first row of weights."""
        choices = ("All but the first", "None", "Only the first", "All")
        zeros = "All later scores are minus infinity, so their exponentials are zero."
        if self.two:
            zeros = "The later score is minus infinity, so its exponential is zero."
        self.play(FadeOut(self.legend), run_time=self.look.pace.quick)
        self.predict(
            "first_row",
            "Which weights in the first row will be zero?",
            choices=choices,
            answer=0 if self.has_mask else 1,
            explain=self.variant(
                f"{zeros} The one that is left, divided by itself, is one, whatever the inputs.",
                "No score is minus infinity, so every exponential is above zero, and every token gets a share.",
            ),
            place=CARD,
        )

    # ------------------------------------------------------------ softmax

    def first_row(self) -> None:
        """The first row's softmax, worked out at the right."""
        row, pace = self._softmax_of(0), self.look.pace
        self.loose_sums = [self.grid.sum_name()]
        tiny = rounded_away(self.own("exponentials"), [0], self.seen, self.hidden)
        law = exponential_law(self.facts["sequence.masked_weight"], self.has_mask, WORK[0], WORK[2], tiny)
        with self.tell(
            "The exponential of minus infinity is [zero], so only the [sum|first] is left.",
            "Every exponential is above [zero], however small, so [sum|all] of them count.",
        ) as line:
            self.play(
                *self._stage("Softmax, row by row"), *map(FadeIn, self.loose_sums), *row.leave(),
                run_time=2 * pace.quick,
            )  # fmt: skip
            self.play(*row.exponentiate(), run_time=line.until("zero"))
            self.play(FadeIn(law, shift=by(0, -NUDGE)), run_time=pace.quick)
            line.wait_for("sum", before=LEAD)
            self.play(*row.add_up(), run_time=pace.move)
        with self.tell(
            "Divided by itself, it [become|becomes] one, whatever the score.",
            "Divided by their [become|sum], they spread the weight over all tokens.",
            name="divided",
        ) as line:
            self._share_out(row, line, FadeOut(law, rate_func=passing(0)))
            self._go_home(row)

    def every_row(self) -> None:
        """Another row's softmax, then all the rest."""
        tokens, grid, pace = self.tokens, self.grid, self.look.pace
        second = len(self.shown) // 2  # before the dots, if there are any
        row, rest = self._softmax_of(second), [i for i in grid.lines if i not in (0, second)]
        said = heard(tokens)
        alone = said.count(said[second]) == 1
        where, who = ("the row of “{}”", [tokens[second]]) if alone else (f"the {ORDINALS[second]} row", [])
        left, every = "the exponentials that are left", "all the exponentials"
        if self.two:
            left = every = "both exponentials"
        with self.tell(
            f"In {where}, we [add] up {left}.",
            f"In {where}, we [add] up {every}.",
            *who,
        ) as line:
            self.play(*self._ring_row(second), *row.leave(), run_time=pace.fade)
            self.play(*row.exponentiate(), run_time=line.until("add"))
            self.play(*row.add_up(), run_time=pace.move)
        with self.say("Each is then [divided] by the row’s [become|own] sum.", name="divided") as line:
            line.wait_for("divided", before=LEAD)
            self._share_out(row, line, rests=False)
        sums = {i: grid.sum_of(i, self.own("row_sums")) for i in rest}
        self.notes = weight_notes(grid, self.facts["sequence.masked_weight"], self.has_mask)
        so = ("So each row", "The other does the same: each row", "The others do the same: each row")
        every = so[min(len(rest), 2)]
        with self.tell(
            f"{every} sums to [one], with [share|nothing] for later tokens.",
            f"{every} sums to [one], with a [share] for every token.",
            name="all_rows",
        ) as line:
            self.wait(pace.rest - BREATH)  # the row's own weights have only just come
            self._go_home(row)
            if rest:
                waves: list[Animation] = []
                for i, total in sums.items():
                    waves += grid.restyle_row(i, self.own_weights)
                    waves.append(FadeIn(total, shift=by(-NUDGE, 0)))
                self.play(*wave(waves, lag=0.7), run_time=line.until("one", end=True, least=pace.move))
            line.wait_for("share", before=LEAD)
            self.play(
                *self._stage("Weights, after the softmax"), *self._ring_row(0), FadeIn(self.notes),
                *self._note_for(self.own("weights"), self.hidden), run_time=pace.fade,
            )  # fmt: skip
        self.remove(*self.loose_sums, *sums.values(), self.ring, self.notes)
        self.add(grid.with_sums(self.own("row_sums")), self.ring, self.notes)

    def _ring_row(self, i: int) -> list[Animation]:
        """The ring goes from its row to that one."""
        old, self.ring = self.ring, self.grid.matrix.row_ring(i)
        return [FadeOut(old), FadeIn(self.ring)]

    def _softmax_of(self, i: int) -> RowSoftmax:
        exponentials, totals = self.own("exponentials"), self.own("exponential_sums")
        return RowSoftmax(self.grid, i, exponentials, totals, self.own_weights, self.hidden, WORK)

    def _share_out(self, row: RowSoftmax, line: Telling, *going: Animation, rests: bool = True) -> None:
        """From exponentials to weights as they are named, and a rest if nothing is said over it."""
        self.play(*row.share_out(), *going, run_time=line.until("become", least=self.look.pace.fade))
        self.play(*row.divide(), run_time=self.look.pace.fade)
        if rests:
            self.rest()

    def _go_home(self, row: RowSoftmax) -> None:
        """The weights come into the matrix, with their sum."""
        total = self.grid.sum_of(row.i, self.own("row_sums"))
        self.loose_sums.append(total)
        arriving = VGroup(total)
        if not row.i:  # the first sum explains itself; what a weight's 0.00 is can wait for the last score's to go
            self.rounding = VGroup(self._rounding_of(self.own("weights"), self.hidden)[0])
            arriving.add(self.rounding)
        coming = [late(FadeIn(mob, shift=by(-NUDGE, 0))) for mob in arriving]
        self.play(*row.go_home(), *coming, run_time=self.look.pace.move)
        self.remove(*row.settle())

    def _rounding_of(self, weights: Fact, mask: Fact | None) -> VGroup:
        """The note under the cells when they show those weights."""
        tiny = rounded_away(weights, self.seen, self.seen, mask)
        return self.grid.rounding_note(self.grid.matrix.bottom + ROUNDING_DY, self.n, tiny)

    def _note_for(self, weights: Fact, mask: Fact | None) -> list[Animation]:
        """What it says of a weight that reads as zero goes with the weights."""
        going, coming = self.rounding[1:], self._rounding_of(weights, mask)[1:]
        if bool(going) == bool(coming):
            return []
        self.rounding.remove(*going).add(*coming)
        return [*map(FadeOut, going), *[late(FadeIn(part)) for part in coming]]

    # ------------------------------------------------------------ before, not after

    def too_late(self) -> None:
        """Masking after the softmax leaves rows that don't add up to 1."""
        grid, pace, mask = self.grid, self.look.pace, self.facts["sequence.mask"]
        full, after = self.facts["sequence.weights_full"], self.facts["sequence.masked_after"]
        sums = self.facts["sequence.row_sums_masked_after"]
        roles = ["error" if any(map(bool, row)) else "dim" for row in mask]
        wrong = VGroup(grid.sum_name(), *[grid.sum_of(i, sums, roles[grid.token_of(i)]) for i in grid.lines])
        close, little = float(sums[0]) >= READS_AS_ONE, not figure_of(sums[0]).shown.strip("0.")
        off = "just below one" if close else "almost nothing" if little else "less than one"
        note = grid.remark(0, off, "error", NOTE_X)
        before = grid.sums
        with self.tell("What if we masked after the softmax?", "What if we masked now, after the softmax?"):
            self.play(
                FadeOut(self.notes), FadeOut(self.ring), *self._stage("Softmax with no mask"),
                *wave(grid.restyle_all(weight_states(full))), *self._note_for(full, None), run_time=pace.move,
            )  # fmt: skip
        restored = self.variant("Weights, masked before the softmax", "Weights, with no mask")
        mistake = self.variant("A mistake: masked after the softmax", "If masked now, after the softmax: a mistake")
        only, facts = (f"[sum|{off}]", []) if close or little else ("[sum|only {}]", [sums[0]])
        with self.say(f"The first row would add up to {only}.", *facts, name="first_sum") as line:
            self.play(
                *self._stage(mistake, "error"), FadeOut(before, rate_func=passing(0)),
                *wave(grid.restyle_all(weight_states(after, mask, too_late=True))), *self._note_for(after, mask),
                run_time=line.until("sum"),
            )  # fmt: skip
            self.play(FadeIn(wrong), FadeIn(note), run_time=pace.fade)
        with self.tell(
            "Masked [before] the softmax, each row is whole.",
            "With [before|no] mask, each row is whole again.",
            name="restored",
        ) as line:
            line.wait_for("before", before=LEAD)
            self.play(
                *wave(grid.restyle_all(self.own_weights)), *self._note_for(self.own("weights"), self.hidden),
                *self._stage(restored),
                FadeOut(wrong, rate_func=passing(0)), FadeOut(note, rate_func=passing(0)), late(FadeIn(before)),
                run_time=pace.move,
            )  # fmt: skip
        self.add(grid)

    def ask_changes(self) -> None:
        """Predict which weights the mask changes."""
        choices = (
            "Only those right of the diagonal", "All, in every row but the last", "All, in every row",
            "Only those on the diagonal",
        )  # fmt: skip
        changed = "Right of the diagonal they become zero; the rest of the row shares out what they had."
        if self.two:
            changed = "The one right of the diagonal becomes zero; the other of its row gets what it had."
        self.predict(
            "changes",
            "Which weights does masking change?",
            choices=choices,
            answer=1,
            explain=f"{changed} The last row hides nothing, so it stays.",
            place=CARD,
        )

    def close(self) -> None:
        """The chapter in one sentence."""
        masked_lines = (
            "A decoder must not copy:",
            "it hides later #kc[keys],",
            "before the softmax.",
        )
        open_lines = (
            "Every #qc[query] reads every #kc[key]:",
            "right for an encoder,",
            "cheating for a decoder.",
        )
        self.takeaway(
            *(masked_lines if self.has_mask else open_lines),
            says=self.variant(*CLOSING),
            twin=self.variant(*reversed(CLOSING)),
            picture=self.grid.miniature(*RECAP),
        )


class CausalTriangleUnmasked(CausalTriangle):
    """The same beats at the same times with the mask off: every token looks at every other."""

    has_mask = False
