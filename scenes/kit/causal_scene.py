"""What the chapter on the causal mask is told with: its two variants, its matrices' places, and the comparison."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import product
from typing import ClassVar

from manim import Animation, FadeIn, FadeOut, VGroup

from lesson import Fact
from scenes.kit.attention_grid import AttentionGrid, Place, States, hides, weight_states
from scenes.kit.causal_notes import change_key, key_baseline, rounded_away
from scenes.kit.excerpt import slots
from scenes.kit.figures import figure_of
from scenes.kit.geometry import by, right
from scenes.kit.labels import SEMIBOLD, Label, words
from scenes.kit.matrix import longest
from scenes.kit.motion import Redraw, late, passing, wave
from scenes.kit.scene import LessonScene
from scenes.kit.telling import Telling

# ---------------------------------------------------------------- layout, px
MOST = 7  # tokens; of more, dots stand for some; one fewer where long words
STRETCH, INDENT = 20, 110  # need so much more room, px, and get at most so much
LEAD = 0.15  # s by which a motion is ahead of its word
# the matrix, in one place until the comparison
BIG = Place(
    x=224, y=344, width=116, height=100, em=38, query_gap=24, key_rise=26, axis_rise=54, sum_dx=72, token_room=104,
    wider=1.3, higher=1.1, above=0.25,
)  # fmt: skip
# the comparison: mask off to the left, mask on to the right
OFF = Place(
    x=220, y=404, width=96, height=86, em=36, query_gap=20, key_rise=24, axis_rise=54, sum_dx=48, token_room=104,
    wider=1.3, higher=1.1, above=0.25,
)  # fmt: skip
ON = replace(OFF, x=1137)
NAME_DY, USER_DX, SAME_DX, NOTE_GAP = 136, 20, 440, 48


class CausalScene(LessonScene):
    """Beats of a chapter with a variant: both matrices side by side, after `grid` and its `rounding` note stood alone.

    The variant has the same beats at the same times without the mask.
    """

    has_mask: ClassVar[bool] = True
    stage_line: Label | None = None
    grid: AttentionGrid
    rounding: VGroup

    def setup(self) -> None:
        super().setup()
        self.tokens, self.n = self.facts["sequence.tokens"], self.facts["sequence.n"]
        long = longest(self.tokens) - BIG.token_room
        indent = min(long, INDENT) if long > STRETCH else 0
        self.shown = slots(len(self.tokens), MOST - (indent > 0))
        self.big, self.off_place, self.on_place = (place.holding(len(self.shown), indent) for place in (BIG, OFF, ON))

    # ------------------------------------------------------------ the two variants

    def tell(
        self, with_mask: str, without: str, *facts: Fact, name: str | None = None
    ) -> AbstractContextManager[Telling]:
        """Say the variant's line, at a pace that suits both."""
        own, other = (with_mask, without) if self.has_mask else (without, with_mask)
        return self.say(own, *facts, name=name, twin=other)

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
    def two(self) -> bool:
        """Are there two tokens only, so that one score is hidden?"""
        return len(self.tokens) == 2

    @property
    def seen(self) -> list[int]:
        """The tokens that are shown."""
        return [place for place in self.shown if place is not None]

    @property
    def own_weights(self) -> States:
        return weight_states(self.own("weights"), self.hidden)

    # ------------------------------------------------------------ both

    def compare(self) -> None:
        """Both matrices side by side; what changes is marked."""
        full, causal, mask = (self.facts[f"sequence.{name}"] for name in ("weights_full", "weights_causal", "mask"))
        changes, states, pace = self.facts["sequence.changes"], weight_states(causal, mask), self.look.pace
        with self.say("Weights from the same scores, twice."):
            self._split()
        with self.say("First, without the mask.", name="unmasked"):
            unmasked = [a for grid in (self.off, self.on) for a in grid.restyle_all(weight_states(full))]
            still_off = self.names[0].copy().shift(by(ON.x - OFF.x, 0))  # until the mask comes, both are
            self.play(FadeIn(self.names[0]), FadeIn(still_off), *wave(unmasked), run_time=pace.move)
        key, on = change_key(self.on, self.facts["sequence.masked_weight"], ON.x), self.on
        self.rings = [grid.matrix.row_ring(grid.lines[-1]) for grid in (self.off, self.on)]
        same = words("last row: same", role="dim").place(ON.x + SAME_DX, key_baseline(self.on))
        little = " by too little to show" if self._grows_unseen(full, causal, changes) else ""
        more = little and f", some{little}"
        says = f"With the mask, hidden weights become [zero], the [rest] grow{more}; only the [last] row stays."
        if self.two:
            hidden = "With the mask, the hidden weight becomes [zero]"
            says = f"{hidden}, the [rest] of its row grows{little}; the [last] row stays."
        with self.say(says, name="growth") as line:
            line.wait_for("zero", before=2 * LEAD)
            masking = [
                on.restyle(i, j, states)
                for i in on.lines
                for j in on.lines
                if hides(mask, on.token_of(i), on.token_of(j))
            ]
            # Until the rest has grown, rows don't add up to what stands beside them.
            switched = FadeOut(still_off, rate_func=passing(0)), late(FadeIn(self.names[1]))
            going = on.sums.animate.set_opacity(0)
            self.play(*wave(masking), *switched, going, FadeIn(key[:2]), run_time=pace.fade)
            line.wait_for("rest", before=LEAD)
            self.play(*wave(on.restyle_all(states)), late(on.sums.animate.set_opacity(1).build()), run_time=pace.fade)
            growing = wave([FadeIn(mark, shift=by(0, -8)) for mark in on.growth_marks(changes)])
            self.play(FadeIn(key[2:]), *growing, run_time=line.until("last", least=pace.fade))
            line.wait_for("last", before=LEAD)
            self.play(*map(FadeIn, (*self.rings, same)), run_time=pace.fade)

    def _grows_unseen(self, before: Fact, after: Fact, changes: Fact) -> bool:
        """Has a weight grown whose figure has not?"""
        return any(
            int(changes[i, j]) > 0 and figure_of(before[i, j]).shown == figure_of(after[i, j]).shown
            for i, j in product(self.seen, repeat=2)
        )

    def _split(self) -> None:
        """The one matrix becomes two, which move apart."""
        old, pace = self.grid, self.look.pace
        self.play(FadeOut(old.sums), FadeOut(self.rounding), run_time=pace.quick)
        self.remove(*old.submobjects)  # which the fade has left on their own
        # The copy comes out from behind: it lies below.
        copy, kept = old.moved(self.big, sums=False).matrix, old.moved(self.big, sums=False).backed()
        self.play(
            Redraw(copy, lambda t: old.moved(self.big.toward(self.on_place, t), sums=False).matrix),
            Redraw(kept, lambda t: old.moved(self.big.toward(self.off_place, t), sums=False).backed()),
            *self._stage("Weights from the same scores, with the mask off and on"), run_time=pace.slow,
        )  # fmt: skip
        self.remove(copy, kept)
        self.off, self.on = old.moved(self.off_place), old.moved(self.on_place)
        off_parts = [part for part in self.off.submobjects if part is not self.off.sums]
        self.add(*off_parts, self.on.matrix)
        self.names = [
            words(text, em=self.look.type.tag, weight=SEMIBOLD).place(grid.place.x, grid.place.y - NAME_DY)
            for text, grid in (("Mask off", self.off), ("Mask on", self.on))
        ]
        labels = [part for part in self.on.submobjects if part is not self.on.matrix]
        tiny = rounded_away(self.facts["sequence.weights_full"], self.seen, self.seen, None)
        rounding = self.off.rounding_note(key_baseline(self.on), self.n, tiny)
        rounding.shift(by(min(0.0, ON.x - NOTE_GAP - right(rounding)), 0))
        self.play(*map(FadeIn, (*labels, self.off.sums, rounding)), run_time=pace.fade)
        self.remove(*off_parts, self.off.sums, *labels, self.on.matrix)
        self.add(self.off, self.on)

    def encoders(self) -> None:
        """Who uses which."""
        users = [
            words(text, role="dim").place(right(name) + USER_DX, name.origin[1])
            for text, name in zip(("in an encoder", "in a decoder"), self.names, strict=True)
        ]
        encoder, decoder = (FadeIn(user, shift=by(-8, 0)) for user in users)
        with self.say("An [encoder] may look ahead; a [decoder] may not.") as line:
            line.wait_for("encoder", before=LEAD)
            self.play(*[FadeOut(ring) for ring in self.rings], encoder, run_time=self.look.pace.fade)
            line.wait_for("decoder", before=LEAD)
            self.play(decoder, run_time=self.look.pace.fade)

    # ------------------------------------------------------------ parts

    def _stage(self, text: str, role: str = "dim") -> list[Animation]:
        """The line under the title tells where we are; a new one replaces the old."""
        frame = self.look.frame
        new = words(text, em=self.look.type.small, role=role).place(frame.left, frame.subtitle_baseline)
        old, self.stage_line = self.stage_line, new
        return wave([*([FadeOut(old)] if old else []), FadeIn(new)])
