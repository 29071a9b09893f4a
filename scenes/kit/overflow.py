"""Scores whose exponentials overflow, and why subtracting the largest one first changes no weight."""

from __future__ import annotations

from manim import RIGHT, FadeIn, FadeOut, FadeToColor, VGroup, rush_into

from lesson import Fact
from scenes.kit.bars import Columns, Parts, Towers, knocked_out
from scenes.kit.cancelling import struck
from scenes.kit.cells import Look, Restyle, weight_of
from scenes.kit.figures import MINUS, adds_up
from scenes.kit.geometry import at, by, right
from scenes.kit.labels import REGULAR, SEMIBOLD, Label, formula, rich, run, words
from scenes.kit.motion import MoveCells, Redraw, Travel, late, wave
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import arrow, dashed

# ---------------------------------------------------------------- layout, px
# scores, exponentials, weights from left to right; what goes wrong above, what goes right below
LOGITS, TOWERS, RESULTS = Columns(96, 132), Columns(690, 132), Columns(1290, 156)
ABOVE_Y, BELOW_Y, HEAD_Y, NOTE_Y, WAY_DY, SUM_DY, SUM_WORDS = 448.0, 752.0, 206.0, 612.0, 66.0, 86.0, 12.0
RAISE, DIVIDE, OPERATION_DY, SIZE_RAISE = (516.0, 656.0), (1114.0, 1266.0), 20.0, 50.0
TOWER_W, TOWER_FOOT, LIMIT_H, TOWER_H, TOWER_OVERHANG = 76.0, 75.0, 149.0, 228.0, -4.0
INFINITY_Y, SIZE_INFINITY, HEIGHT_DY, DASH_X, LIMIT_X = 277.0, 60.0, 14.0, 650.0, 718.0
TOWER_NAME_DY = 30.0
DROP, SHIFT_X, SHIFT_Y = 58.0, 490.0, 612.0
CANCEL_Y, SIZE_CANCEL, EQUALS_GAP, NOTE_GAP, SOON = 946.0, 50.0, 18.0, 64.0, 0.5
THIRD_Y, UNDER_WAY = 948.0, 46.0
GAP, LIFT, LAW_RISE, PLACES = 18.0, 12.0, 0.5, 4
ALMOST_ALL = 0.9  # a weight that is about all
EARLY = 0.15  # s before its word that a thing appears


class Overflow(LessonScene):
    """Beats of a chapter: the question, the direct way, the shifted one, and that only gaps count."""

    def stability(self, name: str) -> Fact:
        return self.facts[f"stability.{name}"]

    def predict_overflow(self) -> None:
        """Large scores; what does the softmax return?"""
        logits, top = self.stability("logits"), int(self.stability("max"))
        looks = [Look("panel", ink="text", weight=SEMIBOLD if int(s) == top else REGULAR) for s in logits]
        self.logits = [LOGITS.cell(i, ABOVE_Y, look, logits[i]) for i, look in enumerate(looks)]
        self.results = [RESULTS.cell(i, ABOVE_Y, Look(edge="hairline", ink="dim"), text="?") for i in range(len(looks))]
        self.way = self._operation((RAISE[0], DIVIDE[1]), ABOVE_Y, words("softmax"))
        self.clear_stage()
        heads = LOGITS.head("Scores", HEAD_Y), RESULTS.head("Weights", HEAD_Y)
        self.play(FadeIn(*self.logits, self.way, *self.results, *heads), run_time=self.look.pace.quick)
        right = self.text("The same weights as for {}, {} and {}", *self.stability("from_zero"))
        largest = "All the weight on the largest score"
        if len({int(s) for s in logits}) == 1:  # none is the largest
            largest = "All the weight on the first score"
        elif sum(int(s) == top for s in logits) > 1:
            largest = "All the weight on one of the largest scores"
        elif max(float(w) for w in self.stability("softmax")) >= ALMOST_ALL:  # nearly right
            largest = "Exactly one for the largest score, exactly zero for the others"
        choices = [right, largest, "Weights that add up to more than one"]
        if len({int(s) for s in logits}) > 1:
            choices.append("Equal weights, as the scores hardly differ")
        self.predict(
            "large_scores", "What does softmax return for the scores {}, {} and {}?", *logits,
            choices=choices, answer=0, explain="Only the gaps between scores count. Code has to subtract the largest "
            "score first, since e to the power of such scores overflows.",
        )  # fmt: skip

    def _operation(self, span: tuple[float, float], y: float, name: Label) -> VGroup:
        """An arrow with what it does written above it."""
        return VGroup(arrow((span[0], y), (span[1], y)), name.place(sum(span) / 2, y - OPERATION_DY, "center"))

    def _towers(self, y: float) -> Towers:
        """The exponentials of one row of cells."""
        columns = tuple(TOWERS.middle(i) for i in range(len(self.logits)))
        return Towers(columns, y + TOWER_FOOT, TOWER_W, LIMIT_H)

    def _raised(self, towers: Towers, y: float, power: str) -> VGroup:
        """The arrow to the exponentials, and the line that they stand on."""
        name = formula(power, em=SIZE_RAISE, role="dim")
        return VGroup(self._operation(RAISE, y, name), towers.across(towers.foot, "axis", TOWER_OVERHANG))

    def overflow(self) -> None:
        """Computed directly, every exponential is infinite, and so nothing is a number."""
        towers, pace = self._towers(ABOVE_Y), self.look.pace
        limit = towers.across(towers.foot - LIMIT_H, "text", TOWER_OVERHANG, dashes=True).set_z_index(1)
        note = rich("Limit of float64: {1e}", self.stability("float_max"), role="dim").place(LIMIT_X, NOTE_Y)
        dash = dashed((DASH_X, NOTE_Y - OPERATION_DY / 2), (LIMIT_X - GAP, NOTE_Y - OPERATION_DY / 2), "text")
        rising, head = towers.endless(0), TOWERS.head("Exponentials", HEAD_Y)
        signs = [formula("infinity", em=SIZE_INFINITY, role="error").move_to(at(x, INFINITY_Y)) for x in towers.columns]
        name = words("Computed naively", role="dim").place(LOGITS.x, ABOVE_Y - WAY_DY)
        with self.say(
            "[naively|But] e to the power of [power|{}] [overflows] to [infinity].", self.stability("logits")[0]
        ) as line:
            arriving = FadeIn(self._raised(towers, ABOVE_Y, "e^s"), head, name)
            self.play(FadeOut(self.way), arriving, run_time=pace.fade)
            line.wait_for("naively", end=True)
            raised = towers.named([cell.label for cell in self.logits], TOWER_NAME_DY)
            self.play(raised, late(FadeIn(limit, dash, note)), run_time=line.until("power", end=True))
            line.wait_for("overflows", before=EARLY)
            rise = Redraw(rising, lambda t: towers.endless(t * TOWER_H), rate_func=rush_into)
            self.play(rise, run_time=line.until("infinity"))
            self.play(*[FadeIn(sign, shift=by(0, -LIFT)) for sign in signs], run_time=pace.quick)
        self.endless, self.signs, self.limit, self.reasons = rising, signs, limit, VGroup(dash, note)
        divided = self._operation(DIVIDE, ABOVE_Y, words("÷ total", role="dim"))
        reason = rich("$infinity div infinity$ is undefined", role="dim")
        reason.place(RESULTS.middle(1), NOTE_Y, "center")
        self.reasons.add(reason)
        nan, places = Look("live", ink="error", weight=SEMIBOLD), [at(*cell.centre) for cell in self.results]
        with self.say("Infinity [over] infinity gives “not a [number]”.", name="not_a_number") as line:
            cleared = [Restyle(cell, Look(edge="hairline")) for cell in self.results]
            line.wait_for("over", before=EARLY)
            self.play(FadeIn(divided, reason), *cleared, run_time=pace.quick)
            time = line.until("number", end=True, least=pace.move)
            sent = [
                Travel(sign.copy(), to, arc=0.12, run_time=0.8 * time) for sign, to in zip(signs, places, strict=True)
            ]
            turned = [late(Restyle(cell, nan, text="NaN"), 0.6) for cell in self.results]
            self.play(*sent, *turned, run_time=time)

    def shift_by_maximum(self) -> None:
        """The largest score is subtracted first: nothing exceeds 1, and the gaps stay."""
        shifted, largest = self.stability("shifted"), self.stability("max")
        top = next(cell for cell in self.logits if cell.look.weight == SEMIBOLD)
        columns = [LOGITS.middle(i) for i in range(len(shifted))]
        drops = [arrow((x, ABOVE_Y + DROP), (x, BELOW_Y - DROP)) for x in columns]
        amount = words(f"{MINUS}{{}}", largest, weight=SEMIBOLD).place(SHIFT_X, SHIFT_Y)
        self.moved = [LOGITS.cell(i, ABOVE_Y, cell.look, cell.fact) for i, cell in enumerate(self.logits)]
        with self.say("So first subtract the [largest] [score]: the gaps [stay] the same.") as line:
            self.show_title("Why subtract the largest score first?")
            self._quieten_naive()
            digits = top.label.copy()
            end = digits.copy().move_to(amount, aligned_edge=RIGHT).get_center()
            line.wait_for("largest", before=EARLY)
            sent = Travel(digits, end), late(FadeIn(amount, *drops), 0.7)
            self.play(*sent, run_time=line.until("score", end=True, least=0.7 * self.look.pace.move))
            falling = MoveCells(self.moved, [(x, BELOW_Y) for x in columns], lag=0)
            self.play(falling, run_time=line.until("stay", least=0.7 * self.look.pace.move))
            changes = [Restyle(c, c.look, s) for c, s in zip(self.moved, shifted, strict=True)]
            for change in changes:  # whole numbers: centred with their minus
                change.goal.label.match_x(change.goal.ground)
            self.play(*changes, run_time=self.look.pace.quick)
        self.law = self._cancelling()
        self._raise_shifted()
        self._divide_shifted()
        self._cancel()

    def _quieten_naive(self) -> None:
        """What went wrong steps back, and its reasons leave the room between the rows."""
        faint = self._towers(ABOVE_Y).endless(TOWER_H, "hairline")
        wrong = [Restyle(cell, Look(edge="hairline", ink="dim"), text="NaN") for cell in self.results]
        signs = [FadeToColor(sign, self.look.dim) for sign in (*self.signs, self.limit)]
        self.play(
            FadeOut(self.endless, self.reasons), FadeIn(faint), *wrong, *signs, run_time=self.look.pace.quick
        )  # fmt: skip

    def _raise_shifted(self) -> None:
        exponentials, towers, pace = self.stability("shifted_exponentials"), self._towers(BELOW_Y), self.look.pace
        parts = Parts.raw(exponentials)
        rising, self.heights = towers.grown(parts, 0), towers.tops(exponentials, HEIGHT_DY)
        with self.say("Then no [exponential] is above [largest|one].", name="exponentials") as line:
            names = towers.named([cell.label for cell in self.moved], TOWER_NAME_DY)
            arriving = FadeIn(self._raised(towers, BELOW_Y, "e^(s - m)"), self.law[-1])
            self.play(arriving, names, run_time=line.until("exponential", end=True, least=0.7 * pace.move))
            self.play(Redraw(rising, lambda t: towers.grown(parts, t)), run_time=line.until("largest"))
            self.play(*[FadeIn(height) for height in self.heights], run_time=pace.quick)

    def _divide_shifted(self) -> None:
        weights = self.stability("softmax")
        total = words("÷ {4}", self.stability("shifted_exponential_sum"), role="dim")
        divided = self._operation(DIVIDE, BELOW_Y, total)
        cells = [RESULTS.cell(i, BELOW_Y, weight_of(float(w)), w) for i, w in enumerate(weights)]
        below = [words("sum {0}", self.stability("weight_sum"), weight=SEMIBOLD)]
        if not adds_up(weights, PLACES):
            below.append(words("rounded", role="dim"))
        notes = run(*below, x=RESULTS.middle(1), baseline=BELOW_Y + SUM_DY, gap=SUM_WORDS, align="center")
        way, name = divided
        with self.say("[Divide] by their [total].", name="divided") as line:
            # From the right, and not as copies: what stood on the way has left when another number passes.
            sent = [Travel(knocked_out(height), name.get_center()) for height in reversed(self.heights)]
            again = [height.copy() for height in self.heights]
            time = line.until("total", end=True, least=self.look.pace.move)
            self.play(FadeIn(way), *wave(sent, 0.3), late(FadeIn(name), 0.85), run_time=time)
            coming = wave([FadeIn(c, shift=by(GAP, 0)) for c in cells])
            self.play(*coming, *[FadeIn(height) for height in again], run_time=self.look.pace.quick)
            self.play(FadeIn(notes), run_time=self.look.pace.quick)

    def _cancelling(self) -> tuple[Label, Label, Label, Label]:
        """The formula of a shifted weight, with the factor parted off, and without it; and what m is."""
        shifted = formula("wc(w_i) = e^(s_i - m) / (sum_j e^(s_j - m))", em=SIZE_CANCEL)
        parted = formula("= (sc(e^(-m)) thin e^(s_i)) / (sc(e^(-m)) thin sum_j e^(s_j))", em=SIZE_CANCEL)
        plain = formula("= e^(s_i) / (sum_j e^(s_j))", em=SIZE_CANCEL)
        x = LOGITS.x
        for label in (shifted, parted, plain):
            label.middle(x, CANCEL_Y, rise=LAW_RISE)
            x = right(label) + EQUALS_GAP
        largest = rich("$m$: the largest score, {}", self.stability("max"), role="dim")
        return shifted, struck(parted, "score", 0), plain, largest.middle(right(plain) + NOTE_GAP, CANCEL_Y)

    def _cancel(self) -> None:
        """Why the weights are the same: the shift is one factor of every exponential, above and below."""
        shifted, parted, plain, _ = self.law
        with self.say("The shift leaves a common [factor], which [cancels].", name="cancelled") as line:
            self.play(FadeIn(shifted), run_time=self.look.pace.quick)
            line.wait_for("factor", before=SOON)
            self.play(FadeIn(parted, shift=by(GAP, 0)), run_time=self.look.pace.quick)
            line.wait_for("cancels", before=EARLY)
            whole = parted.copy()
            self.play(Redraw(parted, lambda t: struck(whole, "score", t)), run_time=self.look.pace.fade)
            self.play(FadeIn(plain, shift=by(GAP, 0)), run_time=self.look.pace.quick)
            self.wait(self.look.pace.move)

    def only_gaps_count(self) -> None:
        """Any scores with these gaps have the same softmax."""
        low, weights = self.stability("from_zero"), self.stability("softmax_from_zero")
        if not any(int(score) for score in low):
            self._equal_scores()
            return
        columns = [LOGITS.middle(i) for i in range(len(low))]
        drops = [arrow((x, BELOW_Y + DROP), (x, THIRD_Y - DROP)) for x in columns]
        raised = words("+{}", max(low, key=float), weight=SEMIBOLD).middle(SHIFT_X, (BELOW_Y + THIRD_Y) / 2)
        third = [LOGITS.cell(i, BELOW_Y, cell.look, cell.fact) for i, cell in enumerate(self.moved)]
        way = self._operation((RAISE[0], DIVIDE[1]), THIRD_Y, words("softmax"))
        remark = words("same gaps, same weights", role="dim").place(
            sum((RAISE[0], DIVIDE[1])) / 2, THIRD_Y + UNDER_WAY, "center"
        )
        cells = [RESULTS.cell(i, THIRD_Y, weight_of(float(w)), w) for i, w in enumerate(weights)]
        with self.say("So the [scores] {}, {} and [third|{}] give the [same] weights.", *low) as line:
            self.play(FadeOut(*self.law), run_time=self.look.pace.quick)
            self.play(FadeIn(raised, *drops), run_time=self.look.pace.quick)
            falling = MoveCells(third, [(x, THIRD_Y) for x in columns], lag=0)
            self.play(falling, run_time=0.7 * self.look.pace.move)
            self.play(*[Restyle(c, c.look, s) for c, s in zip(third, low, strict=True)], run_time=self.look.pace.quick)
            self.play(FadeIn(way), run_time=line.until("same"))
            self.play(*wave([FadeIn(c, shift=by(GAP, 0)) for c in cells]), FadeIn(remark), run_time=self.look.pace.fade)
            self.rest()
        self.clear_stage()

    def _equal_scores(self) -> None:
        """Less their largest, equal scores are zeros already: there is no other row to show."""
        remark = words("no gaps, equal weights", role="dim")
        remark.place(sum((RAISE[0], DIVIDE[1])) / 2, THIRD_Y, "center")
        with self.say("So [equal] scores give [same|equal] weights, however large they are.") as line:
            line.wait_for("equal", before=EARLY)
            self.play(FadeOut(*self.law), run_time=self.look.pace.quick)
            line.wait_for("same", before=EARLY)
            self.play(FadeIn(remark), run_time=self.look.pace.fade)
            self.rest()
        self.clear_stage()
