"""How do scores become weights?"""

from __future__ import annotations

from manim import RIGHT, Animation, FadeIn, FadeToColor, VGroup, VMobject

from lesson import Fact
from scenes.kit.bars import (
    LINE_PITCH,
    NARROWEST_ONE,
    VALUE_GAP,
    LengthRuler,
    Parts,
    Scale,
    amount,
    division_picture,
    named_shares,
    value_on,
)  # fmt: skip
from scenes.kit.figures import adds_up, place_of, sum_agrees
from scenes.kit.geometry import by, left, pixel, right
from scenes.kit.labels import SEMIBOLD, Label, formula, words
from scenes.kit.motion import MoveCells, Redraw, late
from scenes.kit.overflow import Overflow
from scenes.kit.row_by_row import RowByRow
from scenes.kit.shapes import polygon
from scenes.kit.stages import BAR_H, SCORES_Y, Stages
from scenes.kit.wording import NUMBERS, about

# ---------------------------------------------------------------- layout, px
# the worked example: one ruler for all stages
ZERO, UNIT, TOTAL_END, MARKS_Y, RULES_TOP, RULE_TAIL = 440.0, 408.0, 1690.0, 206.0, 222.0, 20.0
SHARES_H = 84.0
GAP, SUM_GAP, SUM_WORDS, KEY_GAP, KEY_UNDER, SIZE_KEY, LIFT, PLACES = 18.0, 24.0, 12.0, 22.0, 46.0, 46.0, 12.0, 4
SIZE_DIVIDE, SIZE_LAW, LAW_X, LAW_RISE, POWER_X, POWER_DY = 50.0, 76.0, 1350.0, 0.5, 312.0, 12.0
READ = 0.8  # s that a stage stands before the next one is named
EARLY = 0.15  # s before its word that a thing appears
LONG_TOTAL, LONG_END = 1e4, 1520.0  # numbers from here on are long, and stand behind their bars: up to there, px
DIVIDE_RISE = 34.0  # from the middle of the division to where it is clear of the way beside it, px
BELOW_ZERO, CUT = 210.0, 14.0  # for bars below zero, at most; of the gap in one that is longer, px
TEN = 10  # totals below it have one digit before the point
ALMOST_ONE = 0.995  # a weight that two decimals would show as 1.00
# beside the takeaway
RECAP = ((1240.0, 1816.0), (412.0, 52.0), (592.0, 72.0))  # x from and to; y and height of the total and of the weights


class SoftmaxNormalisation(Overflow, RowByRow):
    """Exponentials, divided by their own total, are weights that sum to 1; for a matrix, row by row.

    The worked example stands on one ruler, stage under stage, so that dividing by the total is a bar that shrinks
    to length 1. Overflow: the direct way above, the shifted one below. The sequence comes last, since its rows are
    shifted too, which keeps every total between 1 and n: its matrix to the left, each row's total as a bar beside it.
    """

    poster_beat = "division"
    stage: Label | None = None  # the name of what is shown now

    def construct(self) -> None:
        self.beats(
            self.scores, self.exponentials, self.total, self.division, self.predict_overflow, self.overflow,
            self.shift_by_maximum, self.only_gaps_count, self.one_row, self.every_row, self.never_by_column,
            self.close,
        )  # fmt: skip

    def example(self, name: str) -> Fact:
        return self.facts[f"worked_example.{name}"]

    # ------------------------------------------------------------ the worked example

    def scores(self) -> None:
        """Scaled scores as bars on a ruler."""
        scaled, total = self.example("scaled"), float(self.example("exponential_sum"))
        self.at = Stages(len(scaled))
        below = max(0.0, *(-float(score) for score in scaled))
        end = TOTAL_END if total < LONG_TOTAL else LONG_END
        room = min(BELOW_ZERO, below * min(UNIT, (end - ZERO) / max(total, 1.0)))
        self.scale = Scale(ZERO + room, min(UNIT, (end - ZERO - room) / max(total, 1.0)))
        self.one = self.scale if self.scale.unit >= NARROWEST_ONE else Scale(self.scale.zero, UNIT)
        self.ruler = LengthRuler(self.scale, int(total), MARKS_Y, RULES_TOP)
        self.given = Parts.solid(scaled, "score")
        given = self.given.one_by_one(self.scale, SCORES_Y, self.at.pitch, self.at.bar)
        self.given_at = [(x, y, max(w, -room), h) for x, y, w, h in given]
        cut = [self._cut(x - room, y, h) for x, y, w, h in given if w < -room - 1]
        values = [
            value_on(b, s, inside="on_solid", lines=self.ruler.places)
            for b, s in zip(self.given_at, scaled, strict=True)
        ]
        zero = [(x, y, 0.0, h) for x, y, _, h in self.given_at]
        bars = self.given.draw(zero)
        grow = Redraw(bars, lambda t: self.given.moving(zero, self.given, self.given_at, t))
        stage = self._next_stage("Scaled scores", SCORES_Y, self.at.group)
        self.show_title()
        self.wait(self.look.pace.quick)
        with self.say(f"Here are {NUMBERS[self.at.keys - 1]} scaled [scores].") as line:
            self.play(FadeIn(self.ruler, *self._keys(SCORES_Y)), *stage, run_time=self.look.pace.quick)
            reach = self.ruler.reach(SCORES_Y + self.at.group, SCORES_Y + self.at.group)
            self.play(reach, grow, run_time=line.until("scores", end=True))
            self.play(*[FadeIn(v) for v in (*values, *cut)], run_time=self.look.pace.quick)
            self.wait(READ)

    def _cut(self, x: float, y: float, h: float) -> VMobject:
        """A gap in a bar that begins further left than there is room for."""
        a, b = x + CUT, x + 2 * CUT
        return polygon([(a, y + h + 1), (a + CUT, y - 1), (b + CUT, y - 1), (b, y + h + 1)], fill="ground")

    def _next_stage(self, name: str, y: float, height: float) -> list[Animation]:
        """Its name comes, and the last one's steps back."""
        last, self.stage = self.stage, words(name).middle(self.look.frame.left, y + height / 2)
        return [FadeIn(self.stage), *([FadeToColor(last, self.look.dim)] if last else [])]

    def _keys(self, y: float) -> list[Label]:
        """Names of the keys, left of the ruler."""
        rows = [y + self.at.bar / 2 + i * self.at.pitch for i in range(self.at.keys)]
        names = [formula(f"kc(k_{i + 1})", em=min(SIZE_KEY, self.at.pitch)) for i in range(self.at.keys)]
        return [name.middle(ZERO - KEY_GAP, row, "right") for name, row in zip(names, rows, strict=True)]

    def exponentials(self) -> None:
        """The exponentials grow out of the scores."""
        exponentials, bottom = self.example("exponentials"), self.at.exponentials + self.at.group
        self.raw = Parts.raw(exponentials)
        self.raw_at = self.raw.one_by_one(self.scale, self.at.exponentials, self.at.pitch, self.at.bar)
        start = [(x, y, w, h) for (x, _, w, _), (_, y, _, h) in zip(self.given_at, self.raw_at, strict=True)]
        bars = self.given.draw(start)
        self.raw_values = [
            value_on(b, e, lines=self.ruler.places) for b, e in zip(self.raw_at, exponentials, strict=True)
        ]
        stage = self._next_stage("Exponentials", self.at.exponentials, self.at.group)
        power = formula("e^s", em=SIZE_KEY, role="dim").place(
            POWER_X, self.at.exponentials + self.at.group / 2 + POWER_DY
        )
        grow = Redraw(bars, lambda t: self.given.moving(start, self.raw, self.raw_at, t))
        with self.say("Raise [e] to the power of each [score].") as line:
            arriving = FadeIn(power, bars, *self._keys(self.at.exponentials))
            line.wait_for("e", before=EARLY)
            self.play(*stage, arriving, self.ruler.reach(bottom, bottom), run_time=self.look.pace.quick)
            self.play(grow, run_time=line.until("score", end=True))
            self.play(*[FadeIn(v) for v in self.raw_values], run_time=self.look.pace.quick)
            self.wait(READ)

    def total(self) -> None:
        """They are laid end to end: their total."""
        goal, total = self.raw.in_a_row(self.scale, self.at.total, BAR_H), self.example("exponential_sum")
        bar = self.raw.draw(self.raw_at)
        values = [
            value.copy().middle(b[0] + b[2] - VALUE_GAP, b[1] + b[3] / 2, "right").paint("dim")
            for value, b in zip(self.raw_values, goal, strict=True)
            if value.advance + 2 * VALUE_GAP <= b[2]
        ]
        x, y, w, h = goal[-1]
        self.total_value = amount(total, PLACES).middle(x + w + SUM_GAP, y + h / 2)
        rounded = words("rounded", role="dim").place(self.look.frame.right, self.at.total - GAP / 2, "right")
        note = [] if sum_agrees(self.example("exponentials"), total, PLACES) else [rounded]
        slide = Redraw(bar, lambda t: self.raw.moving(self.raw_at, self.raw, goal, t))
        with self.say("[end to end|End to end], these bars make up the [total].") as line:
            line.wait_for("end to end", before=EARLY)
            self.play(self.ruler.reach(self.at.total, self.at.total), slide, run_time=line.until("total"))
            arriving = FadeIn(self.total_value, *note, *values, shift=by(SUM_GAP, 0))
            self.play(*self._next_stage("Total", self.at.total, BAR_H), arriving, run_time=self.look.pace.quick)
            self.wait(READ)

    def division(self) -> None:
        """Divided by the total, every length shrinks by the same factor: the whole is exactly 1 long."""
        weights, one = self.example("weights"), self.example("weight_sum")
        total = self.example("exponential_sum")
        place = f"{{{PLACES}}}" if float(total) < TEN else place_of(total, PLACES + 1, PLACES)
        divide = formula(f"div {place}", total, em=SIZE_DIVIDE)
        divide.set_z_index(1)  # the bar passes behind it
        shares, top, bottom = Parts.shares(weights), self.at.total + BAR_H, self.at.shares
        fits = self._within_a_way(divide.advance, shares, bottom - top)
        y, edge = (top + bottom) / 2, self.scale.to(float(total))
        beside = edge + (self.one.to(1) - edge) * ((y - DIVIDE_RISE - top) / (bottom - top)) + GAP
        divide.middle(self.one.to(1 / 2) if fits else beside, y, "center" if fits else "left")
        end = pixel(divide.get_center())
        divide.move_to(self.total_value, aligned_edge=RIGHT).shift(by(0, y - self.at.total - BAR_H / 2))
        start, goal = (self.at.total, BAR_H), (self.at.shares, SHARES_H)
        fallen = self.raw.dividing(shares, self.scale, start, goal, 0, self.one)
        fall = Redraw(fallen, lambda t: self.raw.dividing(shares, self.scale, start, goal, t, self.one))
        places = shares.in_a_row(self.one, self.at.shares, SHARES_H)
        names = [formula(f"kc(k_{i + 1})", em=SIZE_KEY) for i in range(len(weights))]
        few = PLACES if len(weights) == 2 else 2
        together = words("sum {0}", one, weight=SEMIBOLD)
        named = named_shares(places, weights, names, together, KEY_UNDER, few)
        law = formula("wc(w_i) = e^(s_i) / (sum_j e^(s_j))", em=SIZE_LAW)
        law.middle(LAW_X, self.at.shares + SHARES_H / 2, "center", rise=LAW_RISE)
        shown = named[:-1]  # all but the sum
        note = self._rounded_beside(together, adds_up(weights, few))
        taken = max(right(named), right(note) if note else 0.0)
        law.shift(by(max(0.0, taken + KEY_UNDER - left(law)), 0))  # clear of the sum where 1 is far out
        says, told = self._weights_in_words()
        with self.say(f"[Divide] by it: {says}", *told) as line:
            self.play(FadeIn(divide, shift=by(0, self.at.shares - y)), run_time=self.look.pace.fade)
            self.play(MoveCells([divide], [end], lag=0), run_time=0.7 * self.look.pace.move)
            arriving = [late(change, 0.5) for change in self._next_stage("Weights", self.at.shares, SHARES_H)]
            near = self.at.shares + SHARES_H + RULE_TAIL if self.one is self.scale else self.at.total
            reach = self.ruler.reach(near, self.at.total)
            self.play(fall, reach, *arriving, run_time=line.until("first", least=self.look.pace.move))
            self.play(*[FadeIn(part) for part in shown], run_time=self.look.pace.quick)
            line.wait_for("second", before=EARLY)
            if right(law) <= self.look.frame.right:
                self.play(FadeIn(law, shift=by(0, -LIFT)), run_time=self.look.pace.fade)
            line.wait_for("together", before=EARLY)
            self.play(FadeIn(together, *note), run_time=self.look.pace.quick)

    def _rounded_beside(self, total: Label, agrees: bool) -> VGroup:
        """Where the digits shown don't add up to the sum: the word for it, behind the sum or in the line below."""
        if agrees:
            return VGroup()
        note = words("rounded", role="dim").place(right(total) + SUM_WORDS, total.origin[1])
        if right(note) > self.look.frame.right:
            note.place(self.look.frame.right, total.origin[1] + LINE_PITCH * self.look.type.body, "right")
        return VGroup(note)

    def _within_a_way(self, width: float, shares: Parts, height: float) -> bool:
        """Can something so wide stand in the middle between 0 and 1, halfway down, with no edge of a way through it?"""
        middle, half = self.one.to(1 / 2), width / 2 + GAP
        above, below = (
            self.raw.way_edges(shares, self.scale, self.one, 1 / 2 + dy / height) for dy in (-DIVIDE_RISE, DIVIDE_RISE)
        )
        return all(max(edge) <= middle - half or min(edge) >= middle + half for edge in zip(above, below, strict=True))

    def _weights_in_words(self) -> tuple[str, list[Fact]]:
        """Both weights, or of more the largest, which may leave almost nothing to the others."""
        weights, largest = list(self.example("weights")), self.example("weights")[int(self.example("strongest_index"))]
        if float(largest) >= ALMOST_ONE:
            says: tuple[str, list[Fact]] = "the largest of the [weights] is [first|almost one]", []
        elif bool(self.example("all_tied")):
            says = f"each of the [weights] is [first|{about(largest)}]", [largest]
        elif len(weights) > 2 and bool(self.example("tied")):
            says = f"the largest [weights] are [first|{about(largest)}] each", [largest]
        elif len(weights) > 2:
            says = f"the largest of the [weights] is [first|{about(largest)}]", [largest]
        else:
            return f"[weights] of [first|{about(weights[0])}] and [second|{{}}], [together] exactly one.", weights
        return f"{says[0]}, [second|and] [together] they are exactly one.", says[1]

    # ------------------------------------------------------------ the sentence to keep

    def close(self) -> None:
        """One sentence, beside a bar that is divided by its total."""
        self.takeaway(
            "Take exponentials, divide", "by the total of the row,",
            "and the #wc[weights] add up to one.",
            says="Take exponentials, divide by the total of the row, and the weights add up to one.",
            picture=division_picture(
                self.example("exponentials"), self.example("exponential_sum"), self.example("weights"),
                self.example("weight_sum"), *RECAP,
            ),
        )  # fmt: skip
