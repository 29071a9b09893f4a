"""How do scores become weights?"""

from __future__ import annotations

from manim import Animation, FadeIn, FadeOut, LaggedStart, VGroup, rush_into

from lesson import Fact
from scenes.kit.bars import (
    Box, LengthRuler, Parts, Scale, WeightLegend, between, boundless, boxes_between, funnel,
)  # fmt: skip
from scenes.kit.figures import MINUS, adds_up
from scenes.kit.geometry import at, by, right
from scenes.kit.labels import REGULAR, SEMIBOLD, Label, axis_mark, figure, formula, rich, run, words
from scenes.kit.matrix import (
    Cell, Look, Matrix, Restyle, TokenLabels, copy_of, known, rest, token, weight_of,
)  # fmt: skip
from scenes.kit.motion import MoveCells, Redraw, Travel
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import BOLD, HAIR, LINE, arrow, dashed, path

# ---------------------------------------------------------------- layout, px
# the worked example: one ruler for all stages
RULER, TOTAL_END, MARKS_Y, RULES_TOP, RULE_TAIL = Scale(440.0, 408.0), 1690.0, 206.0, 222.0, 20.0
BAR_H, BAR_DY, SHARES_H = 52.0, 60.0, 84.0
SCORES_Y, EXPONENTIALS_Y, TOTAL_Y, SHARES_Y = 246.0, 412.0, 578.0, 818.0
VALUE_GAP, KEY_GAP, KEY_UNDER, SIZE_KEY = 18.0, 22.0, 46.0, 46.0
SIZE_DIVIDE, SIZE_FORMULA, FORMULA_X, FORMULA_RISE = 50.0, 76.0, 1350.0, 0.5
# overflow: scores, exponentials, weights; what goes wrong above, what goes right below
COLUMN_DX, COLUMN_CELL = 132.0, (126.0, 72.0)
LOGITS_X, TOWERS_X, RESULTS_X, SUM_X = 96.0, 690.0, 1290.0, 1703.0
ABOVE_Y, BELOW_Y, HEAD_Y = 448.0, 752.0, 206.0
ARROW_E, ARROW_DIVIDE, ARROW_TEXT_DY = (516.0, 656.0), (1114.0, 1266.0), 20.0
TOWER_W, TOWER_FOOT, LIMIT_H, TOWER_H, TOWER_FADE, INFINITY_Y = 76.0, 75.0, 149.0, 228.0, 78.0, 277.0
NOTE_DY, DROP, SHIFT_X, SHIFT_Y, IDENTITY_Y = 123.0, (58.0, 58.0), 490.0, 612.0, 966.0
SIZE_ARROW, SIZE_INFINITY, SIZE_IDENTITY, REMARK_X = 50.0, 66.0, 60.0, 1680.0
# the sequence: matrix to the left, the rows' totals as bars to the right
MATRIX_AT, MATRIX_CELL, TOKEN_GAP, KEY_LINE_DY = (224.0, 344.0), (116.0, 100.0), 22.0, 54.0
LANE_GAP, LANE_END, LANE_H, LANE_UNIT = 62.0, 1690.0, 60.0, 240.0
TOTAL_GAP, ROUNDED_DX, COLUMN_SUM_DY = 22.0, 92.0, 44.0
LEGEND = (1504.0, 226.0, 320.0, 30.0)
# beside the takeaway
RECAP, RECAP_Y, RECAP_H, RECAP_DROP = Scale(1230.0, 190.0), 420.0, 48.0, 150.0


class SoftmaxNormalisation(LessonScene):
    """Exponentials, divided by their own total, are weights that sum to 1; for a matrix, row by row.

    The worked example stands on one ruler, stage under stage, so that dividing by the total is a bar that shrinks
    to length 1. Overflow: a wrong way above, the shifted one below. The sequence: its matrix to the left, each
    row's total as a bar to the right of the row.
    """

    poster_beat = "division"

    def construct(self) -> None:
        self.beats(
            self.scores, self.exponentials, self.total, self.division, self.predict_overflow, self.overflow,
            self.shift_by_maximum, self.only_gaps_count, self.one_row, self.every_row, self.never_by_column,
            self.close,
        )  # fmt: skip

    # ------------------------------------------------------------ the worked example

    def scores(self) -> None:
        """Two scaled scores as bars on a ruler."""
        scaled, total = self.facts["worked_example.scaled"], float(self.facts["worked_example.exponential_sum"])
        self.ruler_scale = Scale(RULER.zero, min(RULER.unit, (TOTAL_END - RULER.zero) / total))
        self.ruler = LengthRuler(self.ruler_scale, int(total), MARKS_Y, RULES_TOP)
        stage = self._stage("Scaled scores", SCORES_Y, 2 * BAR_DY)
        keys = self._keys(SCORES_Y)
        self.score_boxes = [self._lane(SCORES_Y, i, float(s)) for i, s in enumerate(scaled)]
        self.score_bars = VGroup(*[self._score_bar(b, 0) for b in self.score_boxes])
        self.score_values = [self._value(s, b, "on_solid") for s, b in zip(scaled, self.score_boxes, strict=True)]
        with self.say("Here are two scaled scores: {4} for key one, {4} for key two.", *scaled):
            self.show_title()
            self.play(FadeIn(self.ruler, stage, *keys), run_time=self.look.pace.fade)
            self.play(
                self.ruler.reach(SCORES_Y + 2 * BAR_DY, SCORES_Y + 2 * BAR_DY),
                Redraw(self.score_bars, lambda t: VGroup(*[self._score_bar(b, t) for b in self.score_boxes])),
                LaggedStart(*[FadeIn(v) for v in self.score_values], lag_ratio=0.5),
                run_time=self.look.pace.move,
            )
        self.stages = [stage]

    def _lane(self, y: float, i: int, length: float) -> Box:
        return self.ruler_scale.zero, y + i * BAR_DY, length * self.ruler_scale.unit, BAR_H

    def _score_bar(self, place: Box, t: float) -> VGroup:
        """A bar that has grown to a share t of its length; a bold line when the score is 0."""
        x, y, w, h = place
        if w < BOLD:
            return VGroup(path([(x, y), (x, between(y, y + h, max(t, 1 / h)))], "score", BOLD))
        return Parts((w,), (self.look.score,), (self.look.score,)).draw([(x, y, w * t, h)])

    def _stage(self, name: str, y: float, height: float) -> Label:
        return rich(name).middle(self.look.frame.left, y + height / 2)

    def _keys(self, y: float) -> list[Label]:
        """Names of the two keys, left of the ruler."""
        x = self.ruler_scale.zero - KEY_GAP
        return [
            formula(f"kc(k_{i + 1})", em=SIZE_KEY).middle(x, y + i * BAR_DY + BAR_H / 2, "right")
            for i in range(len(self.facts["worked_example.scaled"]))
        ]

    def _value(self, fact: Fact, place: Box, inside: str = "text", weight: int = SEMIBOLD) -> Label:
        """A bar's number: inside its end where it fits, after it where it doesn't."""
        x, y, w, h = place
        value = figure(fact, 4, role=inside, weight=weight)
        if value.advance + 2 * VALUE_GAP <= w:
            return value.middle(x + w - VALUE_GAP, y + h / 2, "right")
        return value.paint("text").middle(x + w + VALUE_GAP, y + h / 2)

    def exponentials(self) -> None:
        """The exponentials grow out of the scores."""
        exponentials = self.facts["worked_example.exponentials"]
        bottom = EXPONENTIALS_Y + 2 * BAR_DY
        stage, keys = self._stage("Exponentials $e^s$", EXPONENTIALS_Y, 2 * BAR_DY), self._keys(EXPONENTIALS_Y)
        self.raw = Parts.raw(exponentials)
        solid = Parts(self.raw.lengths, (self.look.score,) * len(exponentials), (self.look.score,) * len(exponentials))
        self.raw_boxes = [self._lane(EXPONENTIALS_Y, i, float(e)) for i, e in enumerate(exponentials)]
        self.raw_bars = solid.draw(self.score_boxes)
        self.raw_values = [self._value(e, b) for e, b in zip(exponentials, self.raw_boxes, strict=True)]

        def grow(t: float) -> VGroup:
            return solid.towards(self.raw, t).draw(boxes_between(self.score_boxes, self.raw_boxes, t))

        with self.say("Raise e to each score: {4} and {4}. All are positive, and the order stays.", *exponentials):
            self.play(
                FadeIn(stage, *keys), self.ruler.reach(bottom, bottom), self.stages[-1].animate.paint("dim"),
                run_time=self.look.pace.fade,
            )  # fmt: skip
            self.play(Redraw(self.raw_bars, grow), run_time=self.look.pace.slow)
            self.play(*[FadeIn(v) for v in self.raw_values], run_time=self.look.pace.quick)
        self.stages.append(stage)

    def total(self) -> None:
        """They are laid end to end: their total."""
        total = self.facts["worked_example.exponential_sum"]
        boxes = self.raw.boxes(self.ruler_scale, TOTAL_Y, BAR_H)
        stage = self._stage("Total", TOTAL_Y, BAR_H)
        self.total_bar = self.raw.draw(self.raw_boxes)
        self.total_value = self._value(total, (self.ruler_scale.zero, TOTAL_Y, self.raw.ends(self.ruler_scale)[-1] - self.ruler_scale.zero, BAR_H))
        self.total_value.middle(self.raw.ends(self.ruler_scale)[-1] + VALUE_GAP + HAIR, TOTAL_Y + BAR_H / 2)
        values = [v.copy() for v in self.raw_values]
        moves = [
            v.animate.shift(by(b[0] + b[2] - a[0] - a[2], b[1] - a[1])).set_fill(self.look.dim)
            for v, a, b in zip(values, self.raw_boxes, boxes, strict=True)
        ]
        with self.say("Laid end to end, they make the total: {4}.", total):
            self.play(
                FadeIn(stage), self.ruler.reach(TOTAL_Y, TOTAL_Y), self.stages[-1].animate.paint("dim"),
                run_time=self.look.pace.quick,
            )  # fmt: skip
            self.play(
                Redraw(self.total_bar, lambda t: self.raw.draw(boxes_between(self.raw_boxes, boxes, t))), *moves,
                run_time=self.look.pace.move,
            )  # fmt: skip
            self.play(FadeIn(self.total_value, shift=by(24, 0)), run_time=self.look.pace.quick)
        self.stages.append(stage)

    def division(self) -> None:
        """Divided by the total, every length shrinks by the same factor: the whole is exactly 1 long."""
        weights, total = self.facts["worked_example.weights"], self.facts["worked_example.exponential_sum"]
        scale, shares, top = self.ruler_scale, Parts.shares(self.facts["worked_example.weights"]), TOTAL_Y + BAR_H
        stage = self._stage("Weights", SHARES_Y, SHARES_H)
        divide = formula("div {4}", total, em=SIZE_DIVIDE)
        divide.middle(scale.to(1 / 2), (top + SHARES_Y) / 2, "center")
        sent = divide.copy().move_to(self.total_value)

        def fall(t: float) -> VGroup:
            """The bar on its way down, above it the ways its parts have come."""
            now, y = self.raw.towards(shares, t), between(TOTAL_Y, SHARES_Y, t)
            bar = now.draw(now.boxes(scale, y, between(BAR_H, SHARES_H, t)))
            return VGroup(funnel(self.raw.ends(scale), top, now.ends(scale), max(y, top), shares.fills), bar)

        self.fallen = fall(0)
        with self.say("Divide every length by that total, and the whole bar is exactly {0} long.", self._weight_sum()):
            self.play(FadeIn(stage), self.stages[-1].animate.paint("dim"), self.ruler.reach(SHARES_Y + SHARES_H + RULE_TAIL, TOTAL_Y),
                      Travel(sent, at(scale.to(1 / 2), TOTAL_Y + BAR_H / 2), arc=-0.15), run_time=self.look.pace.move)  # fmt: skip
            self.play(Redraw(self.fallen, fall), run_time=self.look.pace.slow)
            self.play(FadeIn(divide), run_time=self.look.pace.quick)
        labels = self._share_labels(weights)
        law = formula("wc(w_i) = e^(s_i) / (sum_j e^(s_j))", em=SIZE_FORMULA)
        law.middle(FORMULA_X, SHARES_Y + SHARES_H / 2, "center", rise=FORMULA_RISE)
        with self.say("Its parts are the weights: {4} and {4}. This is the softmax.", *weights):
            self.play(FadeIn(labels), run_time=self.look.pace.fade)
            self.play(FadeIn(law, shift=by(0, -12)), run_time=self.look.pace.fade)
        self.rest()

    def _weight_sum(self) -> Fact:
        return self.facts["worked_example.weight_sum"]

    def _share_labels(self, weights: Fact) -> VGroup:
        """The weights on their bars with their keys below; beside the bar where one of them is too narrow."""
        mid, marks = SHARES_Y + SHARES_H / 2, Parts.shares(weights).ends(self.ruler_scale)
        made = [figure(w, 4, weight=SEMIBOLD) for w in weights]
        names = [formula(f"kc(k_{i + 1})", em=SIZE_KEY) for i in range(len(weights))]
        together = words("sum {0}", self._weight_sum(), weight=SEMIBOLD)
        x = marks[-1] + VALUE_GAP
        if any(m.advance > b - a - HAIR for m, a, b in zip(made, marks, marks[1:], strict=False)):
            pairs = [label for pair in zip(names, made, strict=True) for label in pair]
            return run(*pairs, together, x=x, baseline=made[0].middle(x, mid).origin[1], gap=VALUE_GAP)
        for m, name, w, a, b in zip(made, names, weights, marks, marks[1:], strict=False):
            shade = self.look.weight_shade(float(w))
            m.paint(self.look.ink_on(shade)).middle((a + b) / 2, mid, "center")
            name.place((a + b) / 2, SHARES_Y + SHARES_H + KEY_UNDER, "center")
        return VGroup(*made, *names, together.middle(x, mid))

    # ------------------------------------------------------------ overflow

    def predict_overflow(self) -> None:
        """Large scores; what does the softmax return?"""
        self.clear_stage()
        logits = self.facts["stability.logits"]
        top = max(float(s) for s in logits)
        self.logits = [self._column_cell(LOGITS_X, i, ABOVE_Y, self._strong(float(s) == top), s) for i, s in enumerate(logits)]
        self.results = [self._column_cell(RESULTS_X, i, ABOVE_Y, Look(edge="hairline", ink="dim"), text="?") for i in range(len(logits))]
        self.way = VGroup(
            arrow((ARROW_E[0], ABOVE_Y), (ARROW_DIVIDE[1], ABOVE_Y)),
            words("softmax").place((ARROW_E[0] + ARROW_DIVIDE[1]) / 2, ABOVE_Y - ARROW_TEXT_DY, "center"),
        )
        self.heads = [self._head("Scores", LOGITS_X), self._head("Weights", RESULTS_X)]
        self.play(FadeIn(*self.logits, self.heads[0]), run_time=self.look.pace.fade)
        self.play(FadeIn(self.way, *self.results, self.heads[1]), run_time=self.look.pace.fade)
        choices = [
            self.text("The same weights as for {}, {} and {}", *self.facts["stability.from_zero"]),
            "All the weight on the largest score",
            "Weights that add up to more than one",
        ]
        if len({int(s) for s in logits}) > 1:
            choices.append("Equal weights, as the scores hardly differ")
        self.predict(
            "large_scores",
            "What does softmax return for the scores {}, {} and {}?",
            *logits,
            choices=choices,
            answer=0,
            explain="Only the gaps between scores count. Code has to subtract the largest score first, "
            "since e to the power of such scores overflows.",
        )

    def _column_cell(self, x: float, i: int, y: float, look: Look, fact: Fact | None = None, text: str | None = None) -> Cell:
        w, h = COLUMN_CELL
        return Cell(x + i * COLUMN_DX, y - h / 2, w, h, look, fact, text=text, decimals=4)

    def _strong(self, largest: bool) -> Look:
        return Look("panel", ink="text", weight=SEMIBOLD if largest else REGULAR)

    def _head(self, name: str, x: float) -> Label:
        return words(name, role="dim").place(x + (COLUMN_DX + COLUMN_CELL[0] / 2), HEAD_Y, "center")

    def _operation(self, span: tuple[float, float], y: float, name: Label) -> VGroup:
        """An arrow with what it does written above it."""
        return VGroup(arrow((span[0], y), (span[1], y)), name.place(sum(span) / 2 - HAIR, y - ARROW_TEXT_DY, "center"))

    def _tower_x(self, i: int) -> float:
        return TOWERS_X + i * COLUMN_DX + COLUMN_CELL[0] / 2

    def _floor(self, y: float) -> VGroup:
        """What the towers of one row stand on."""
        return VGroup(path([(TOWERS_X - BOLD, y), (TOWERS_X + 2 * COLUMN_DX + COLUMN_CELL[0] + BOLD, y)], "axis"))

    def overflow(self) -> None:
        """Computed directly, every exponential is infinite, and so nothing is a number."""
        foot, limit = ABOVE_Y + TOWER_FOOT, ABOVE_Y + TOWER_FOOT - LIMIT_H
        span = (TOWERS_X - BOLD, TOWERS_X + 2 * COLUMN_DX + COLUMN_CELL[0] + BOLD)
        line = dashed((span[0], limit), (span[1], limit), "text")
        note = rich("Limit of float64: {1e}", self.facts["stability.float_max"], role="dim")
        note.place(sum(span) / 2 + KEY_GAP, ABOVE_Y + NOTE_DY, "center")
        y = ABOVE_Y + NOTE_DY - VALUE_GAP / 2 - LINE
        dash = dashed((sum(span) / 2 + KEY_GAP - note.advance / 2 - 3 * KEY_GAP, y), (sum(span) / 2 - note.advance / 2, y), "text")
        raised = self._operation(ARROW_E, ABOVE_Y, formula("e^s", em=SIZE_ARROW, role="dim"))
        self.heads.append(self._head("Exponentials", TOWERS_X))
        towers = VGroup(*[self._endless(i, 0) for i in range(len(self.logits))])
        marks = [formula("infinity", em=SIZE_INFINITY, role="error").move_to(at(self._tower_x(i), INFINITY_Y)) for i in range(len(towers))]
        with self.say("Computed directly, e to the {} is beyond the largest float, so it becomes infinite.", self.facts["stability.logits"][0]):
            self.play(FadeOut(self.way), FadeIn(raised, self.heads[-1], self._floor(foot), line, dash, note), run_time=self.look.pace.fade)
            self.play(*[Travel(c.label.copy(), at(self._tower_x(i), foot - VALUE_GAP)) for i, c in enumerate(self.logits)], run_time=self.look.pace.move)
            self.play(Redraw(towers, lambda t: VGroup(*[self._endless(i, t) for i in range(len(towers))]), rate_func=rush_into), run_time=self.look.pace.move)
            self.play(*[FadeIn(m, shift=by(0, -16)) for m in marks], run_time=self.look.pace.quick)
        divided = self._operation(ARROW_DIVIDE, ABOVE_Y, words("÷ total", role="dim"))
        reason = rich("$infinity div infinity$ is undefined", role="dim")
        reason.place(RESULTS_X + COLUMN_DX + COLUMN_CELL[0] / 2, ABOVE_Y + NOTE_DY, "center")
        with self.say("Infinity divided by infinity is not a number."):
            self.play(FadeIn(divided, reason), *[Travel(m.copy(), at(*c.centre)) for m, c in zip(marks, self.results, strict=True)], run_time=self.look.pace.move)
            wrong = Look("live", ink="error", weight=SEMIBOLD)
            self.play(*[Restyle(cell, wrong, text="NaN") for cell in self.results], run_time=self.look.pace.quick)
        self.rest()

    def _endless(self, i: int, t: float) -> VGroup:
        """An exponential on its way to infinity."""
        foot = ABOVE_Y + TOWER_FOOT
        return boundless(self._tower_x(i) - TOWER_W / 2, foot, TOWER_W, between(HAIR, TOWER_H, t), TOWER_FADE)

    def shift_by_maximum(self) -> None:
        """The largest score is subtracted first: nothing exceeds 1, and the gaps stay."""
        shifted, largest = self.facts["stability.shifted"], self.facts["stability.max"]
        top = [float(s) for s in shifted].index(0)
        drops = [arrow((self._score_x(i), ABOVE_Y + DROP[0]), (self._score_x(i), BELOW_Y - DROP[1])) for i in range(len(shifted))]
        amount = words(f"{MINUS}{{}}", largest, weight=SEMIBOLD).place(SHIFT_X, SHIFT_Y)
        moving = [self._column_cell(LOGITS_X, i, ABOVE_Y, cell.look, cell.fact) for i, cell in enumerate(self.logits)]
        with self.say("So subtract the largest score first. The gaps between the scores stay."):
            self.show_title("Why subtract the largest score first?")
            self.play(Travel(self.logits[top].label.copy(), amount.get_center()), run_time=self.look.pace.move)
            self.play(FadeIn(amount, *drops), run_time=self.look.pace.quick)
            self.play(MoveCells(moving, [(self._score_x(i), BELOW_Y) for i in range(len(moving))], lag=0), run_time=self.look.pace.move)
            self.play(*[Restyle(c, c.look, fact) for c, fact in zip(moving, shifted, strict=True)], run_time=self.look.pace.quick)
        self._raise_shifted(moving)
        self._divide_shifted()
        self.rest()

    def _score_x(self, i: int) -> float:
        return LOGITS_X + i * COLUMN_DX + COLUMN_CELL[0] / 2

    def _raise_shifted(self, cells: list[Cell]) -> None:
        exponentials, foot = self.facts["stability.shifted_exponentials"], BELOW_Y + TOWER_FOOT
        raised = self._operation(ARROW_E, BELOW_Y, formula("e^s", em=SIZE_ARROW, role="dim"))
        parts = [Parts.raw([e]) for e in exponentials]

        def grown(t: float) -> VGroup:
            return VGroup(*[
                p.draw([(self._tower_x(i) - TOWER_W / 2, foot - h, TOWER_W, h)])
                for i, p in enumerate(parts) for h in [max(p.lengths[0] * LIMIT_H * t, HAIR)]
            ])  # fmt: skip

        towers = VGroup(grown(0))
        self.heights = [
            figure(e, 4).place(self._tower_x(i), foot - p.lengths[0] * LIMIT_H - VALUE_GAP, "center")
            for i, (e, p) in enumerate(zip(exponentials, parts, strict=True))
        ]
        largest = max(exponentials, key=float)
        with self.say("Now no exponential exceeds {}.", largest):
            self.play(FadeIn(raised, self._floor(foot)), *[Travel(c.label.copy(), at(self._tower_x(i), foot - VALUE_GAP)) for i, c in enumerate(cells)], run_time=self.look.pace.move)
            self.play(Redraw(towers[0], grown), run_time=self.look.pace.fade)
            self.play(*[FadeIn(h) for h in self.heights], run_time=self.look.pace.quick)

    def _divide_shifted(self) -> None:
        weights, total = self.facts["stability.softmax"], self.facts["stability.shifted_exponential_sum"]
        divided = self._operation(ARROW_DIVIDE, BELOW_Y, words("÷ {4}", total, role="dim"))
        cells = [self._column_cell(RESULTS_X, i, BELOW_Y, weight_of(float(w)), w) for i, w in enumerate(weights)]
        one = words("sum {0}", self.facts["stability.weight_sum"], weight=SEMIBOLD).middle(SUM_X, BELOW_Y)
        notes = VGroup(one)
        if not adds_up(weights, 4):
            notes.add(words("rounded", em=self.look.type.small, role="dim").place(SUM_X, one.origin[1] + BAR_H))
        law = formula('op("softmax")(s) = op("softmax")(s - max s)', em=SIZE_IDENTITY).place(self.look.frame.left, IDENTITY_Y)
        remark = words("Same gaps, same weights, no overflow", role="dim").place(REMARK_X, IDENTITY_Y, "right")
        with self.say("The shift cancels in the division, so the weights are those of the scores themselves."):
            self.play(FadeIn(divided), *[Travel(h.copy(), divided[1].get_center()) for h in self.heights], run_time=self.look.pace.move)
            self.play(LaggedStart(*[FadeIn(c, shift=by(24, 0)) for c in cells], lag_ratio=0.2), run_time=self.look.pace.move)
            self.play(FadeIn(notes, law, remark), run_time=self.look.pace.fade)
        self.law = VGroup(law, remark)

    def only_gaps_count(self) -> None:
        """Any scores with these gaps have the same softmax."""
        rows = [self.facts[f"stability.{name}"] for name in ("logits", "shifted", "from_zero")]
        softmaxes = " = ".join(['op("softmax")({}\, {}\, {})'] * len(rows))
        chain = formula(softmaxes, *[score for row in rows for score in row], em=SIZE_ARROW)
        chain.place(self.look.frame.left, IDENTITY_Y)
        with self.say("Only the gaps count: {}, {} and {} have the same softmax.", *rows[-1]):
            self.play(FadeOut(self.law), FadeIn(chain), run_time=self.look.pace.fade)
        self.clear_stage()

    # ------------------------------------------------------------ the sequence

    def one_row(self) -> None:
        """One row of a sequence's scores, divided by its own total."""
        self._lay_out_sequence()
        with self.say("In a sequence, every query has its own row of scores."):
            self.show_title("Row by row, or column by column?")
            self.play(FadeIn(self.matrix, *self.names), run_time=self.look.pace.fade)
        with self.say("Shift the row, raise e to each score, and divide by the row’s own total."):
            quiet = [Restyle(cell, rest()) for i, _, cell in self.matrix.cells() if i]
            self.play(*quiet, FadeIn(self.ring), run_time=self.look.pace.quick)
            self._raise_rows([0])
            self._lengthen_rows([0])
            self._divide_rows([0])

    def _lay_out_sequence(self) -> None:
        tokens, scaled = self.facts["sequence.tokens"], self.facts["sequence.scaled"]
        widest = max(token(t, 0, 0, "query").advance for t in tokens)
        x = max(MATRIX_AT[0], self.look.frame.left + widest + TOKEN_GAP)
        self.matrix = Matrix(scaled, x, MATRIX_AT[1], (max(MATRIX_CELL[0], widest), MATRIX_CELL[1]), known(), signed=True)
        rows, columns = TokenLabels.rows(tokens, self.matrix, gap=TOKEN_GAP), TokenLabels.columns(tokens, self.matrix)
        base = self.matrix.y - TOKEN_GAP
        query = words("query", role="query", weight=SEMIBOLD).place(x - TOKEN_GAP, base, "right")
        key = words("key", role="key", weight=SEMIBOLD).place(x, base - KEY_LINE_DY)
        line = path([(right(key) + VALUE_GAP, base - KEY_LINE_DY - LINE * 2), (self.matrix.right, base - KEY_LINE_DY - LINE * 2)], "key")
        self.names = [rows, columns, query, key, line]
        self.ring = self.matrix.row_ring(0)
        sums = [self.facts[f"sequence.{name}"] for name in ("exponential_sums_full", "row_sums_by_column")]
        longest = max(float(s) for row in sums for s in row)
        zero = self.matrix.right + LANE_GAP
        self.lanes = Scale(zero, min(LANE_UNIT, (LANE_END - zero) / longest))
        one = self.lanes.to(1)
        self.goal = VGroup(
            path([(one, self.matrix.y - VALUE_GAP / 2), (one, self.matrix.bottom + VALUE_GAP / 2)], "dim"),
            axis_mark(1, em=self.look.type.body, role="text", weight=SEMIBOLD).place(one, base, "center"),
            words("total of the row", role="dim").place(zero, base - KEY_LINE_DY),
        )
        self.bars: dict[int, VGroup] = {}
        self.sums: dict[int, VGroup] = {}

    def _raw(self, i: int) -> Parts:
        return Parts.raw(self.facts["sequence.exponentials_full"][i])

    def _lane_boxes(self, parts: Parts, i: int) -> list[Box]:
        return parts.boxes(self.lanes, self.matrix.row_y(i) - LANE_H / 2, LANE_H)

    def _sum(self, fact: Fact, parts: Parts, i: int, role: str, row: Fact | None = None) -> VGroup:
        """A row's total, behind its bar; with the row given, it says where rounded digits don't add up."""
        x, y = max(parts.ends(self.lanes)[-1], self.lanes.to(1)) + TOTAL_GAP, self.matrix.row_y(i)
        made = VGroup(figure(fact, exact=False, role=role, weight=SEMIBOLD).middle(x, y))
        if row is not None and not adds_up(row):
            made.add(words("rounded", em=self.look.type.small, role="dim").middle(x + ROUNDED_DX, y))
        return made

    def _raise_rows(self, rows: list[int]) -> None:
        exponentials = self.facts["sequence.exponentials_full"]
        self.play(*[
            Restyle(cell, copy_of("weight"), exponentials[i, j])
            for i in rows for j, cell in enumerate(self.matrix.row(query=i))
        ], run_time=self.look.pace.fade)  # fmt: skip

    def _lengthen_rows(self, rows: list[int]) -> None:
        """Copies of the cells lie down end to end: each row's total."""
        totals = self.facts["sequence.exponential_sums_full"]
        moves = []
        for i in rows:
            raw, cells = self._raw(i), [cell.box for cell in self.matrix.row(query=i)]
            self.bars[i] = raw.draw(cells)
            goal = self._lane_boxes(raw, i)
            moves.append(Redraw(self.bars[i], lambda t, r=raw, c=cells, g=goal: r.draw(boxes_between(c, g, t))))
            self.sums[i] = self._sum(totals[i], raw, i, "text")
        first = [] if self.goal in self.mobjects else [FadeIn(self.goal)]
        self.play(*first, *moves, run_time=self.look.pace.move)
        self.play(*[FadeIn(self.sums[i]) for i in rows], run_time=self.look.pace.quick)

    def _divide_rows(self, rows: list[int]) -> None:
        """Each row is divided by its own total: all are 1 long."""
        weights, sums = self.facts["sequence.weights_full"], self.facts["sequence.row_sums_full"]
        cells = [
            Restyle(cell, weight_of(float(weights[i, j])), weights[i, j])
            for i in rows for j, cell in enumerate(self.matrix.row(query=i))
        ]  # fmt: skip
        changes = [self._relengthen(i, self._raw(i), Parts.shares(weights[i]), sums[i], "dim", weights[i]) for i in rows]
        self.play(*cells, *[c for change in changes for c in change], run_time=self.look.pace.slow)

    def _relengthen(self, i: int, old: Parts, new: Parts, total: Fact, role: str, row: Fact | None = None) -> list[Animation]:
        """A row's bar changes its lengths, and its total rides on its end."""
        before, after = self.sums[i], self._sum(total, new, i, role, row)
        way = after[0].get_left() - before[0].get_left()
        self.sums[i] = after
        change = Redraw(self.bars[i], lambda t: (now := old.towards(new, t)).draw(self._lane_boxes(now, i)))
        return [change, FadeOut(before, shift=way), FadeIn(after, shift=way)]

    def every_row(self) -> None:
        """All other rows, each by its own total."""
        rows = list(range(1, self.matrix.rows))
        legend = WeightLegend(*LEGEND)
        with self.say("Colour now stands for the weight."):
            self.play(FadeOut(self.ring), FadeIn(legend), run_time=self.look.pace.fade)
        with self.say("The other rows do the same. Their totals differ, and still every row ends up at {0}.", self._weight_sum()):
            self._raise_rows(rows)
            self._lengthen_rows(rows)
            self._divide_rows(rows)
        self.rest()

    def never_by_column(self) -> None:
        """Columns don't sum to 1; softmax down the columns breaks the rows."""
        sums = self.facts["sequence.column_sums_full"]
        below = [figure(s, exact=False, role="dim").place(self.matrix.column_x(j), self.matrix.bottom + COLUMN_SUM_DY, "center") for j, s in enumerate(sums)]
        name = words("sum", role="dim").place(self.matrix.x - TOKEN_GAP, self.matrix.bottom + COLUMN_SUM_DY, "right")
        low, high = min(sums, key=float), max(sums, key=float)
        with self.say("Columns are free: their sums run from {} to {}.", low, high):
            falls = [Travel(cell.label.copy(), below[j].get_center()) for _, j, cell in self.matrix.cells()]
            self.play(FadeIn(name), *falls, run_time=self.look.pace.move)
            self.play(*[FadeIn(b) for b in below], run_time=self.look.pace.quick)
        wrong, broken = self.facts["sequence.weights_by_column"], self.facts["sequence.row_sums_by_column"]
        weights = self.facts["sequence.weights_full"]
        with self.say("Never divide by column: one query would hand out {} in all, another {}.", max(broken, key=float), min(broken, key=float)):
            self.play(FadeOut(name, *below), run_time=self.look.pace.quick)
            changes = [
                self._relengthen(i, Parts.shares(weights[i]), Parts.shares(wrong[i]), broken[i], "error")
                for i in range(self.matrix.rows)
            ]  # fmt: skip
            cells = [Restyle(cell, weight_of(float(wrong[i, j])), wrong[i, j]) for i, j, cell in self.matrix.cells()]
            self.play(*cells, *[c for change in changes for c in change], run_time=self.look.pace.slow)
        self.rest()

    def close(self) -> None:
        """The sentence to keep, beside a bar that is divided by its total."""
        self.takeaway(
            "Softmax raises e to the #sc[scores]",
            "and divides by their row’s total:",
            "#wc[weights] that sum to one.",
            says="Softmax raises e to the scores and divides by the row’s total: weights that sum to one.",
        )
