"""How do scores become weights?"""

from __future__ import annotations

from itertools import product

from manim import RIGHT, Animation, FadeIn, FadeToColor, VGroup

from lesson import Fact
from scenes.kit.bars import (
    LINE_PITCH,
    NARROWEST_ONE,
    VALUE_GAP,
    Box,
    Parts,
    Scale,
    add_up,
    amount,
    amount_place,
    blurred,
    division_picture,
    fits_on,
    named_shares,
    on_ground,
    value_on,
    vanished,
)  # fmt: skip
from scenes.kit.geometry import bottom, by, left, pixel, right, top
from scenes.kit.labels import SEMIBOLD, Label, formula, rich, words
from scenes.kit.motion import MoveCells, Redraw, late
from scenes.kit.overflow import Overflow
from scenes.kit.row_by_row import RowByRow
from scenes.kit.ruler import LengthRuler
from scenes.kit.stages import BAR_H, SCORES_Y, Stages
from scenes.kit.wording import NUMBERS, Said, about

# ---------------------------------------------------------------- layout, px
# the worked example: one ruler for all stages
ZERO, UNIT, TOTAL_END, MARKS_Y, RULES_TOP, RULE_TAIL = 440.0, 408.0, 1690.0, 206.0, 222.0, 20.0
SHARES_H = 84.0
GAP, SUM_GAP, SUM_WORDS, KEY_GAP, KEY_UNDER, SIZE_KEY, LIFT, PLACES = (
    18.0, 24.0, 12.0, 22.0, 46.0, 46.0, 12.0, 4
)  # fmt: skip
SIZES_LAW, LAW_GAP, LAW_DOWN = (76.0, 64.0, 54.0, 46.0), 46.0, 28.0  # px from what stands before it, and above it
SIZE_DIVIDE, LAW_X, LAW_RISE, POWER_X, POWER_DY = 50.0, 1350.0, 0.5, 312.0, 12.0
READ = 0.8  # s that a stage stands before the next one is named
EARLY = 0.15  # s before its word that a thing appears
LONG_TOTAL, LONG_END = 1e4, 1520.0  # numbers from here on are long, and stand behind their bars: up to there, px
FARTHEST_ONE = 1150.0  # from there on, the weights' names would have little room, px
DIVIDE_RISE = 34.0  # from the middle of the division to where it is clear of the way beside it, px
ALMOST_ONE = 0.995  # a weight that two decimals would show as 1.00
# beside the takeaway
RECAP = ((1240.0, 1816.0), (412.0, 52.0), (592.0, 72.0))  # x from and to; y and height of the total and of the weights


def _scale(scores: Fact, longest: float, end: float) -> Scale:
    """From the bars below zero to one so long, which ends at `end`; numbers beyond bars below zero have room, too."""
    below, lead, unit = max(0.0, *(-float(score) for score in scores)), 0.0, UNIT
    for _ in range(4):  # shorter bars leave their numbers outside
        unit = min(UNIT, (end - ZERO - lead) / (longest + below))
        outside = [(s, v) for s in scores if float(s) < 0 and not fits_on(v := amount(s), float(s) * unit)]
        lead = max([0.0, *(v.advance + 2 * VALUE_GAP - (float(s) + below) * unit for s, v in outside)])
    return Scale(ZERO + lead + below * unit, unit)


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
        scaled = self.example("scaled")
        self._lay_out(scaled)
        self.given = Parts.solid(scaled, "score")
        self.given_at = self.given.one_by_one(self.measure, SCORES_Y, self.at.pitch, self.at.bar)
        values = self._values(self.given_at, scaled, blurred(scaled), inside="on_solid")
        zero = [(x, y, 0.0, h) for x, y, _, h in self.given_at]
        bars = self.given.draw(zero)
        grow = Redraw(bars, lambda t: self.given.moving(zero, self.given, self.given_at, t))
        stage = self._next_stage("Scaled scores", SCORES_Y, self.at.group)
        self.show_title()
        self.wait(self.look.pace.quick)
        with self.say(f"Here are {NUMBERS[self.at.keys - 1]} scaled [scores].") as line:
            self.play(FadeIn(self.under, *self._keys(SCORES_Y)), *stage, run_time=self.look.pace.quick)
            reach = self.under.reach(SCORES_Y + self.at.group, SCORES_Y + self.at.group)
            self.play(reach, grow, run_time=line.until("scores", end=True))
            self.play(*map(FadeIn, values), run_time=self.look.pace.quick)
            self.wait(READ)

    def _lay_out(self, scaled: Fact) -> None:
        """One scale for all stages; where 1 would be short or far on it, scores, and maybe weights, have their own."""
        most, total = max(float(score) for score in scaled), float(self.example("exponential_sum"))
        self.total_value = amount(self.example("exponential_sum"), PLACES).place(SUM_GAP, 0)
        behind = self.total_value, *self._rounded_beside(self.total_value, self._total_agrees())
        end = min(TOTAL_END if total < LONG_TOTAL else LONG_END, self.look.frame.right - max(map(right, behind)))
        self.scale = self.measure = _scale(scaled, max(total, 1.0), end)
        apart = self.scale.unit < NARROWEST_ONE or self.scale.to(1) > FARTHEST_ONE
        self.at = Stages(len(scaled), apart)
        if apart:
            self.measure = _scale(scaled, max(most, 0.0), LONG_END)
            self.scale = Scale(ZERO, min(UNIT, (end - ZERO) / max(total, 1.0)))
        self.one = self.scale if self.scale.unit >= NARROWEST_ONE else Scale(self.scale.zero, UNIT)
        marks, top = (self.at.exponentials - up for up in (self.at.MARKS_UP, self.at.RULES_UP))
        self.ruler = LengthRuler(self.scale, int(total), *((marks, top) if apart else (MARKS_Y, RULES_TOP)))
        least = min(0.0, *(float(score) for score in scaled))
        self.under = LengthRuler(self.measure, int(most), MARKS_Y, RULES_TOP, least) if apart else self.ruler

    def _total_agrees(self) -> bool:
        exponentials = self.example("exponentials")
        return add_up(exponentials, self.example("exponential_sum"), PLACES) and not any(vanished(exponentials))

    def _values(self, places: list[Box], facts: Fact, rounded: list[bool], *, inside: str = "text") -> list[VGroup]:
        """The bars' numbers; those `rounded` say so behind their bars."""
        values = [value_on(place, fact, inside=inside) for place, fact in zip(places, facts, strict=True)]
        for value, (x, y, w, h), vague in zip(values, places, rounded, strict=True):
            if vague:
                note = words("rounded", role="dim").middle(max(x + w, right(value)) + VALUE_GAP, y + h / 2)
                value.add(on_ground(note, y, h))
        return values

    def _next_stage(self, name: str, y: float, height: float) -> list[Animation]:
        """Its name comes, and the last one's steps back."""
        last, self.stage = self.stage, words(name).middle(self.look.frame.left, y + height / 2)
        return [FadeIn(self.stage), *([FadeToColor(last, self.look.dim)] if last else [])]

    def _keys(self, y: float) -> list[Label]:
        """Names of the keys, left of the ruler."""
        rows = [y + self.at.bar / 2 + i * self.at.pitch for i in range(self.at.keys)]
        em = max(min(SIZE_KEY, 0.9 * self.at.pitch), self.look.type.small)
        names = zip(self._key_names(em), rows, strict=True)
        return [name.middle(ZERO - KEY_GAP, row, "right") for name, row in names]

    def _key_names(self, em: float = SIZE_KEY) -> list[Label]:
        return [formula(f"kc(k_{i + 1})", em=em) for i in range(self.at.keys)]

    def exponentials(self) -> None:
        """The exponentials grow out of the scores."""
        exponentials, bottom = self.example("exponentials"), self.at.exponentials + self.at.group
        self.raw = Parts.raw(exponentials)
        self.raw_at = self.raw.one_by_one(self.scale, self.at.exponentials, self.at.pitch, self.at.bar)
        start = [(x, y, w, h) for (x, _, w, _), (_, y, _, h) in zip(self.given_at, self.raw_at, strict=True)]
        bars = self.bars = self.given.draw(start)
        alike_or_zero = [a or b for a, b in zip(blurred(exponentials), vanished(exponentials), strict=True)]
        values = self._values(self.raw_at, exponentials, alike_or_zero)
        stage = self._next_stage("Exponentials", self.at.exponentials, self.at.group)
        power = formula("e^s", em=SIZE_KEY, role="dim").place(
            POWER_X, self.at.exponentials + self.at.group / 2 + POWER_DY
        )
        grow = Redraw(bars, lambda t: self.given.moving(start, self.raw, self.raw_at, t))
        with self.say("Raise [e] to the power of each [score].") as line:
            ruler = [self.ruler] if self.at.apart else []  # else it stands there
            arriving = FadeIn(*ruler, power, bars, *self._keys(self.at.exponentials))
            line.wait_for("e", before=EARLY)
            self.play(*stage, arriving, self.ruler.reach(bottom, bottom), run_time=self.look.pace.quick)
            self.play(grow, run_time=line.until("score", end=True))
            self.play(*[FadeIn(v) for v in values], run_time=self.look.pace.quick)
            self.wait(READ)

    def total(self) -> None:
        """They are laid end to end: their total."""
        exponentials = self.example("exponentials")
        goal, bar = self.raw.in_a_row(self.scale, self.at.total, BAR_H), self.raw.draw(self.raw_at)
        values = self._within(goal, exponentials)
        x, y, w, h = goal[-1]
        self.total_value.middle(x + w + SUM_GAP, y + h / 2)
        note = self._rounded_beside(self.total_value, self._total_agrees())
        self.bars.set_z_index(1, family=True)  # their copies come out from behind them
        slide = Redraw(bar, lambda t: self.raw.moving(self.raw_at, self.raw, goal, t))
        with self.say("[end to end|End to end], these bars make up the [total].") as line:
            line.wait_for("end to end", before=EARLY)
            self.play(self.ruler.reach(self.at.total, self.at.total), slide, run_time=line.until("total"))
            arriving = FadeIn(on_ground(self.total_value, y, h), *note, *values, shift=by(SUM_GAP, 0))
            self.play(*self._next_stage("Total", self.at.total, BAR_H), arriving, run_time=self.look.pace.quick)
            self.wait(READ)

    def _within(self, places: list[Box], exponentials: Fact) -> list[Label]:
        """What each part of the total is: its number, or where some are too narrow for that, whose it is."""
        values = [amount(exponential, PLACES, role="dim") for exponential in exponentials]
        if all(value.advance + 2 * VALUE_GAP <= w for value, (_, _, w, _) in zip(values, places, strict=True)):
            ends = [(x + w - VALUE_GAP, y + h / 2) for x, y, w, h in places]
            return [value.middle(*end, "right") for value, end in zip(values, ends, strict=True)]
        names = zip(self._key_names(self.look.type.body), places, strict=True)
        return [name.middle(x + w / 2, y + h / 2, "center") for name, (x, y, w, h) in names if name.advance < w - GAP]

    def division(self) -> None:
        """Divided by the total, every length shrinks by the same factor: the whole is exactly 1 long."""
        weights, one = self.example("weights"), self.example("weight_sum")
        total = self.example("exponential_sum")
        place = amount_place(total, PLACES)
        power = place.endswith("e}")  # which formulas can't hold
        divide = rich(f"÷ {place}", total, em=SIZE_DIVIDE) if power else formula(f"div {place}", total, em=SIZE_DIVIDE)
        divide.set_z_index(1)  # the bar passes behind it
        shares, upper, lower = Parts.shares(weights, edged=True), self.at.total + BAR_H, self.at.shares
        fits = self._within_a_way(divide.advance, shares, lower - upper)
        y, edge = (upper + lower) / 2, self.scale.to(float(total))
        beside = edge + (self.one.to(1) - edge) * ((y - DIVIDE_RISE - upper) / (lower - upper)) + GAP
        beside = max(beside, self.one.to(1) + GAP)  # clear of its line
        divide.middle(self.one.to(1 / 2) if fits else beside, y, "center" if fits else "left")
        start, goal = (self.at.total, BAR_H), (self.at.shares, SHARES_H)
        fallen = self.raw.dividing(shares, self.scale, start, goal, 0, self.one)
        fall = Redraw(fallen, lambda t: self.raw.dividing(shares, self.scale, start, goal, t, self.one))
        places = shares.in_a_row(self.one, self.at.shares, SHARES_H)
        few = PLACES if len(weights) == 2 else 2
        together = words("sum {0}", one, weight=SEMIBOLD)
        named = named_shares(places, weights, self._key_names(), together, KEY_UNDER, few)
        shown = named[:-1]  # all but the sum
        agrees = add_up(weights, one, few) and not any([*blurred(weights, few), *vanished(weights)])
        note = self._rounded_beside(together, agrees)
        law, end = self._law(VGroup(*named, *note), divide), pixel(divide.get_center())
        divide.move_to(self.total_value, aligned_edge=RIGHT).shift(by(0, y - self.at.total - BAR_H / 2))
        says, told = self._weights_in_words()
        with self.say(f"[Divide] by it: {says}", *told) as line:
            self.play(FadeIn(divide, shift=by(0, self.at.shares - y)), run_time=self.look.pace.fade)
            self.play(MoveCells([divide], [end], lag=0), run_time=0.7 * self.look.pace.move)
            arriving = [late(change, 0.5) for change in self._next_stage("Weights", self.at.shares, SHARES_H)]
            if self.one is not self.scale:
                larger = words("enlarged", role="dim").middle(self.look.frame.left, lower + SHARES_H)
                arriving.append(late(FadeIn(larger), 0.5))
            near = self.at.shares + SHARES_H + RULE_TAIL if self.one is self.scale else self.at.total
            reach = self.ruler.reach(near, self.at.total)
            self.play(fall, reach, *arriving, run_time=line.until("first", least=self.look.pace.move))
            self.play(*[FadeIn(part) for part in shown], run_time=self.look.pace.quick)
            line.wait_for("second", before=EARLY)
            if law:
                self.play(FadeIn(law, shift=by(0, -LIFT)), run_time=self.look.pace.fade)
            line.wait_for("together", before=EARLY)
            self.play(FadeIn(together, *note), run_time=self.look.pace.quick)

    def _law(self, named: VGroup, divide: Label) -> VGroup:
        """The formula of a weight, behind the weights' names or under them, as large as there is room for."""
        y, frame = self.at.shares + SHARES_H / 2, self.look.frame
        for em, under in product(SIZES_LAW, (False, True)):
            law = formula("wc(w_i) = e^(s_i) / (sum_j e^(s_j))", em=em).middle(LAW_X, y, "center", rise=LAW_RISE)
            if under:
                law.shift(by(0, frame.bottom - bottom(law)))
                fits = top(law) >= bottom(named) + SUM_WORDS
            else:
                law.shift(by(max(0.0, right(named) + LAW_GAP - left(law)), 0))
                clear = top(law) >= bottom(divide) + LAW_DOWN or left(law) >= right(divide) + LAW_GAP
                fits = clear and right(law) <= frame.right
            if fits:
                return VGroup(law)
        return VGroup()

    def _rounded_beside(self, total: Label, agrees: bool) -> VGroup:
        """Where the digits shown don't add up to the sum: the word for it, behind the sum or in the next line."""
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

    def _weights_in_words(self) -> Said:
        """Both weights, or of more the largest, which may leave almost nothing to the others."""
        weights, largest = list(self.example("weights")), self.example("weights")[int(self.example("strongest_index"))]
        if float(largest) >= ALMOST_ONE:
            says: Said = "the largest of the [weights] is [first|almost one]", []
        elif bool(self.example("all_tied")):
            each = "both [weights] are" if len(weights) == 2 else "each of the [weights] is"
            says = f"{each} [first|{about(largest)}]", [largest]
        elif len(weights) > 2 and bool(self.example("tied")):
            each = f"the largest [weights] are [first|{about(largest)}] each"
            return f"{each}; [second|all] weights [together] are exactly one.", [largest]
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
