"""How well does a key match a query?"""

from __future__ import annotations

from typing import Any

from manim import Create, FadeIn, FadeOut, LaggedStart, VGroup, linear

from lesson import Fact
from scenes.kit.cells import Cell, Restyle, copy_of, empty, known, rest, solid
from scenes.kit.figures import products_agree, sum_agrees
from scenes.kit.flow import Flow
from scenes.kit.geometry import at, by
from scenes.kit.labels import SEMIBOLD, figure, formula, in_cell, run, words
from scenes.kit.matrix import Matrix, TokenLabels, token
from scenes.kit.motion import MoveCells, Redraw, Travel, late, passing
from scenes.kit.plane import Plane, Ruler, Turn
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import LINE, arrow, bent_arrow, dot, path
from scenes.kit.telling import Telling

# ---------------------------------------------------------------- layout, px
# turning a query: the key lies along the ruler, the query's shadow falls on it
TURN = Turn((560.0, 610.0), unit=380.0, span=460.0, ruler_y=776.0)
TURN_NOTES, TURN_LEADING, TURN_NAME_DY = (1150.0, 440.0), 96.0, 130.0
PIVOT, NUDGE = 8.0, 16.0
RECAP, RECAP_ANGLE = Turn((1270.0, 560.0), unit=420.0, span=500.0, ruler_y=720.0), 0.17  # beside the takeaway
START_ANGLE, SHARP, RIGHT, WIDE = 0.08, 0.22, 0.5, 0.78  # of half a turn
# the worked example: arrows in a plane to the left, arithmetic to the right
PLANE_BOX = (400.0, 240.0, 470.0, 529.0)  # x, y, width, height that the arrows may fill
PLANE_UNIT, RULER_GAP = 468.0, 136.0
ARITHMETIC_X, NOTE_Y, LINE_Y, LINE_DY, VERDICT_DY = 1078.0, 352.0, 556.0, 200.0, 62.0
NOTE_LEADING, TERM_GAP, ENTRY_GAP, SIZE_VECTOR, VECTOR_GAP = 52.0, 16.0, 6.0, 50.0, 44.0
# every query against every key
CELL, Q_AT, S_AT = (118.0, 68.0), (232.0, 566.0), (906.0, 226.0)
S_Y, LABEL_Y = 566.0, 205.0
SIZE_NAME, NAME_DX, TOKEN_GAP = 60.0, 30.0, 18.0
# time, s
EARLY = 0.15  # before its word that a thing appears
LEAST_ROW, LEAST_MEETING = 0.4, 0.3  # that a row takes when the rest is filled, and a pair in the first row
# one pair in detail, on the columns of Q and the rows of K
QUERY_COLUMN, TIMES_COLUMN, KEY_COLUMN, EQUALS_COLUMN, PRODUCT_COLUMN = range(5)
RULE_DY, RULE_FROM, RULE_TO, SUM_TURN, SUM_HEAD, SUM_DX = 18.0, -40.0, 56.0, 26.0, (18.0, 24.0), 24.0
ROUNDED_DY = 44.0

NUMBERS = ("one", "two", "three", "four", "five")
REACH = {  # how far the query reaches along a key, by the key's direction
    "same": "Along [key|key {}], the query [reaches] its whole [far|length].",
    "partly": "Along [key|key {}], the query [reaches] a part of its [far|length].",
    "right angle": "[key|Key {}] is at a [right angle], so the query [reaches] [far|nowhere].",
    "partly away": "Along [key|key {}], the query [reaches] [far|backwards].",
    "opposite": "Along [key|key {}], the query [reaches] [far|backwards], by its whole length.",
}
VERDICT = {  # as it stands under a score, and as it is said
    "same": ("Same direction: full match", "a full match"),
    "partly": ("Partly the same direction: some match", "some match"),
    "right angle": ("Right angle: no match", "no match"),
    "partly away": ("Pointing away: a negative match", "a negative match"),
    "opposite": ("Opposite direction: a negative match", "a negative match"),
}


class VectorName(VGroup):
    """A symbol and the entries of its vector; `entries` are labels of their own, so that they can be sent off."""

    def __init__(self, symbol: str, vector: Fact, role: str) -> None:
        self.entries = [formula("{}", entry, em=SIZE_VECTOR, role=role) for entry in vector]
        first, second = self.entries
        opening, comma, closing = (
            formula(markup, em=SIZE_VECTOR, role=role) for markup in (f"{symbol} = \\[", "\\,", "\\]")
        )
        head = run(opening, first, comma, x=0, baseline=0)
        start = opening.advance + first.advance + comma.advance + ENTRY_GAP
        super().__init__(head, run(second, closing, x=start, baseline=0))


class QueryKeyMatching(LessonScene):
    """A key matches a query as well as their dot product is large.

    First geometry (arrows to the left, their shadows on rulers), then arithmetic (to the right), then the question,
    then the whole product: Q to the lower left, the transposed K above right, the scores where they meet, and the
    pair at work in the corner that is left.
    """

    poster_beat = "look_closer"

    def construct(self) -> None:
        self.beats(
            self.sign_and_size, self.shadows, self.arithmetic, self.predict_value, self.answer,
            self.sweep_one_row, self.look_closer, self.fill_the_rest, self.close,
        )  # fmt: skip

    # ------------------------------------------------------------ geometry

    def sign_and_size(self) -> None:
        """A query turns away from a key, and its shadow on the key shrinks, vanishes, points back."""
        still, turning = TURN.still(), VGroup(TURN.at(START_ANGLE))
        name = words("dot product with a key of length one", role="score")
        name.place(TURN.origin[0] - TURN.span, TURN.ruler_y + TURN_NAME_DY)
        notes = ("Same way: positive", "At a right angle: zero", "Against it: negative")
        lines = [words(n).place(TURN_NOTES[0], TURN_NOTES[1] + i * TURN_LEADING) for i, n in enumerate(notes)]
        with self.say("The [dot product] tells how far a query [reaches] along a key of [length] one.") as line:
            self.show_title()
            line.wait_for("dot product", before=EARLY)
            self.play(FadeIn(still, turning, name), run_time=self.look.pace.fade)
            line.wait_for("reaches", before=EARLY)
            self._turn(turning, START_ANGLE, SHARP, line.until("length", end=True))
        with self.say(
            "The same way is [positive], a right angle is [zero], against the key is [negative].", name="sign"
        ) as line:
            angles = (SHARP, SHARP, RIGHT, WIDE)
            for i, mark in enumerate(("positive", "zero", "negative")):
                if i:
                    self._turn(turning, angles[i], angles[i + 1], line.until(mark))
                line.wait_for(mark, before=EARLY)
                quieter = [last.animate.set_fill(self.look.dim) for last in lines[:i][-1:]]
                self.play(FadeIn(lines[i], shift=by(0, -NUDGE)), *quieter, run_time=self.look.pace.quick)
        self.clear_stage()

    def _turn(self, turning: VGroup, start: float, end: float, time: float) -> None:
        self.play(Redraw(turning, lambda t: TURN.at(start + (end - start) * t)), run_time=time)

    def shadows(self) -> None:
        """The worked example: its query and both keys, and the query's length along each key."""
        q, k = self.facts["worked_example.q"], self.facts["worked_example.k"]
        plane = Plane.around([q, *k], PLANE_BOX, PLANE_UNIT)
        wash = self.look.wash("key")
        keys = [arrow(plane.origin, plane.to(key), wash, TURN.KEY_SHAFT, TURN.KEY_HEAD, edge="key") for key in k]
        query = arrow(plane.origin, plane.to(q), "query", TURN.QUERY_SHAFT, TURN.QUERY_HEAD)
        self.query_name = VectorName("q", q, "query")
        self.key_names = [VectorName(f"k_{i + 1}", key, "key") for i, key in enumerate(k)]
        below = [(name, key, -1) for name, key in zip(self.key_names, k, strict=True)]
        scores = self.facts["worked_example.scores"]
        rulers = [
            Ruler(plane, q, key, scores[i], gap=RULER_GAP, name=f"qc(q) dot kc(k_{i + 1})") for i, key in enumerate(k)
        ]
        plane.name_vectors([(self.query_name, q, 1), *below], VECTOR_GAP, rulers)
        pivot = dot(*plane.origin, PIVOT, "text")
        with self.say(f"Here are {NUMBERS[len(k) - 1]} [keys] and a [query].") as line:
            line.wait_for("keys", before=EARLY)
            self.play(FadeIn(*keys, *self.key_names), run_time=self.look.pace.fade)
            line.wait_for("query", before=EARLY)
            self.play(FadeIn(query, self.query_name, pivot), run_time=self.look.pace.fade)
        for i, name in enumerate(("first", "second")):
            direction = self._direction(i)
            with self.say(REACH[direction].replace("{}", NUMBERS[i]), name=name) as line:
                self._measure(rulers[i], line)
                if direction == "right angle":
                    corner = plane.right_angle(q, k[i])
                    self.add(corner)
                    self.bring_to_back(corner)  # under the arrows: only what lies outside them shows
                    line.wait_for("right angle", before=EARLY)
                    self.play(FadeIn(corner), run_time=self.look.pace.quick)
                line.wait_for("reaches", before=EARLY)
                self.play(rulers[i].grow(), run_time=line.until("far"))
                self.play(FadeIn(rulers[i].marks), run_time=self.look.pace.quick)

    def _direction(self, i: int) -> str:
        return str(self.facts["worked_example.directions"][i])

    def _measure(self, ruler: Ruler, line: Telling) -> None:
        """Drop the query onto a ruler that runs beside the key."""
        line.wait_for("key", before=EARLY)
        self.play(FadeIn(ruler.axis, ruler.name, ruler.drops), run_time=self.look.pace.quick)

    # ------------------------------------------------------------ arithmetic

    def arithmetic(self) -> None:
        """The same, in numbers: components meet in products, products add up."""
        said = [(self._score(i), VERDICT[self._direction(i)][1]) for i in (0, 1)]
        with self.say(
            f"In numbers, we [multiply] entry by entry, and [add] up: [score|{{}}], [verdict|{said[0][1]}].", said[0][0]
        ) as line:
            if not self.facts["worked_example.unit_keys"]:
                text = "The dot product is the query’s signed length", "along the key, times the key’s length."
                note = [words(t, role="dim").place(ARITHMETIC_X, NOTE_Y + NOTE_LEADING * n) for n, t in enumerate(text)]
                self.play(FadeIn(*note), run_time=self.look.pace.quick)
            line.wait_for("multiply", before=EARLY)
            self._write_out(0, line.until("add"))
            self._conclude(0, line)
        with self.say(
            f"For key two, the [sum] is [score|{{}}]: [verdict|{said[1][1]}].", said[1][0], name="second"
        ) as line:
            self._write_out(1, line.until("score"))
            self._conclude(1, line)
        self.wait(self.look.pace.fade)
        self.clear_stage()

    def _score(self, i: int) -> Fact:
        return self.facts["worked_example.scores"][i]

    def _write_out(self, i: int, time: float) -> None:
        """q . k = a x b + c x d, its entries travelling out of the two vectors."""
        q, key = self.facts["worked_example.q"], self.facts["worked_example.k"][i]
        parts: list[tuple[str, list[Fact]]] = [
            (f"qc(q) dot kc(k_{i + 1}) =", []),
            ("qc({})", [q[0]]), ("times", []), ("kc({})", [key[0]]), ("+", []),
            ("qc({})", [q[1]]), ("times", []), ("kc({})", [key[1]]), ("=", []), ("{}", [self._score(i)]),
        ]  # fmt: skip
        pieces = [formula(markup, *facts) for markup, facts in parts]
        room = self.look.frame.right - ARITHMETIC_X - TERM_GAP * len(pieces)
        fit = min(1.0, room / sum(piece.advance for piece in pieces))
        pieces = [formula(markup, *facts, em=self.look.type.formula * fit) for markup, facts in parts]
        run(*pieces, x=ARITHMETIC_X, baseline=LINE_Y + i * LINE_DY, gap=TERM_GAP)
        self.result = pieces[-1]
        names = (self.query_name, self.key_names[i])
        sources = [name.entries[n] for n in (0, 1) for name in names]
        terms = pieces[1:-1:2]
        flights = [
            Travel(source.copy(), term.get_center(), arc=-0.12) for source, term in zip(sources, terms, strict=True)
        ]
        flying = max(self.look.pace.move, time - self.look.pace.quick)
        self.play(late(FadeIn(pieces[0]), 0.4), LaggedStart(*flights, lag_ratio=0.12), run_time=flying)
        self.play(FadeIn(*terms, *pieces[2:-1:2]), run_time=self.look.pace.quick)

    def _conclude(self, i: int, line: Telling) -> None:
        verdict = words(VERDICT[self._direction(i)][0]).place(ARITHMETIC_X, LINE_Y + i * LINE_DY + VERDICT_DY)
        line.wait_for("score", before=EARLY)
        self.play(FadeIn(self.result, shift=by(NUDGE, 0)), run_time=self.look.pace.quick)
        line.wait_for("verdict", before=EARLY)
        self.play(FadeIn(verdict, shift=by(0, -NUDGE)), run_time=self.look.pace.quick)

    # ------------------------------------------------------------ the question

    def predict_value(self) -> None:
        """Query, keys and values side by side; which value will the output copy?"""
        flow = self.flow = Flow(*(self.facts[f"worked_example.{name}"] for name in "qkv"))
        with self.say("Each [key] stands for a [value], and the [output] blends the values.") as line:
            line.wait_for("key", before=EARLY)
            self.play(FadeIn(flow.query, flow.keys), run_time=self.look.pace.fade)
            line.wait_for("value", before=EARLY)
            self.play(FadeIn(flow.values, shift=by(NUDGE, 0)), run_time=self.look.pace.fade)
            line.wait_for("output", before=EARLY)
            self.play(FadeIn(flow.output, *flow.links), run_time=self.look.pace.fade)
        tied, best = bool(self.facts["worked_example.tied"]), int(self.facts["worked_example.strongest_index"])
        other = int(self.facts["worked_example.second_index"])
        explain = (
            "The query matches both keys equally well: the scores are {} and {}, so their values weigh the same."
            if tied
            else f"The query matches key {NUMBERS[best]} better, with a score of {{}} against {{}}, so its value "
            "weighs more."
        )
        self.predict(
            "mostly_copies",
            "Which value will the output mostly copy?",
            choices=("Value one", "Value two", "Both equally"),
            answer=2 if tied else best,
            explain=self.text(explain, self._score(best), self._score(other)),
        )

    def answer(self) -> None:
        """The better match lights the way to its value."""
        scores = self.flow.score_labels(self.facts["worked_example.scores"])
        leaders = [int(i) for i in self.facts["worked_example.leaders"]]
        number = NUMBERS[leaders[0]]
        says = f"Key {number} has the higher [score], so the output [way|is] mostly [value|value {number}]."
        if len(leaders) > 1:
            says = "Both keys have the same [score], so both values [way|weigh] the [value|same]."
        with self.say(says) as line:
            line.wait_for("score", before=EARLY)
            self.play(FadeIn(scores, shift=by(0, -NUDGE)), run_time=self.look.pace.fade)
            line.wait_for("way", before=EARLY)
            for lines in zip(*(self.flow.bright_links(i) for i in leaders), strict=True):
                self.play(*[Create(link) for link in lines], run_time=self.look.pace.quick)
            if len(leaders) == 1:
                line.wait_for("value", before=EARLY)
                shown = FadeIn(self.flow.mostly(leaders[0]), shift=by(0, -NUDGE))
                self.play(shown, run_time=self.look.pace.quick)
        self.wait(self.look.pace.fade)
        self.clear_stage()

    # ------------------------------------------------------------ all queries, all keys

    def sweep_one_row(self) -> None:
        """One row of Q sweeps the columns of the transposed K: a row of scores."""
        self._lay_out_matrices()
        with self.say(
            "For a sentence, [queries] are rows, [keys] are columns, and [scores] stand where they cross."
        ) as line:
            self.show_title("How does every query meet every key?")
            line.wait_for("queries", before=EARLY)
            self.play(FadeIn(self.Q, self.q_tokens, self.names[0]), run_time=self.look.pace.fade)
            line.wait_for("keys", before=EARLY)
            self.play(FadeIn(self.K, self.k_tokens, self.names[1], shift=by(0, NUDGE)), run_time=self.look.pace.fade)
            line.wait_for("scores", before=EARLY)
            self.play(FadeIn(self.S, self.names[2], self.equation), run_time=self.look.pace.fade)
        with self.say("The [first] query [sweeps] over all keys, one score each.", name="first_row") as line:
            line.wait_for("first", before=EARLY)
            self._light_row(0)
            line.wait_for("sweeps", before=EARLY)
            time = max(LEAST_MEETING, line.left() / self.S.columns)
            for j in range(self.S.columns):
                self._fill(0, j, time)
            self._unlight(0, self.S.columns - 1)

    def _lay_out_matrices(self) -> None:
        tokens, scores = self.facts["sequence.tokens"], self.facts["sequence.scores"]
        q, k = self.facts["sequence.q"], self.facts["sequence.k"]
        self.Q = Matrix(q, *Q_AT, CELL, rest(), axes=("query", "feature"), signed=True)
        self.K = Matrix(k, *S_AT, CELL, rest(), axes=("feature", "key"), signed=True, transposed=True)
        self.S = Matrix(scores, S_AT[0], S_Y, CELL, empty(), signed=True)
        self.q_tokens = TokenLabels.rows(tokens, self.Q, "dim", gap=TOKEN_GAP)
        self.k_tokens = TokenLabels.columns(tokens, self.K, "dim", gap=S_AT[1] - LABEL_Y)
        middle = self.S.middle_y
        self.names = [
            formula("qc(Q)", em=SIZE_NAME).middle(self.Q.right + NAME_DX, middle, rise=0.6),
            formula("kc(K^upright(T))", em=SIZE_NAME).middle(self.K.right + NAME_DX, self.K.middle_y, rise=0.6),
            formula("sc(S)", em=SIZE_NAME).middle(self.S.right + NAME_DX, middle, rise=0.6),
        ]
        self.equation = formula("sc(S) = qc(Q) kc(K^upright(T))", em=SIZE_NAME)
        self.equation.place(self.look.frame.right, self.look.frame.title_baseline, "right")

    def _light_row(self, i: int) -> None:
        self.play(*self._row(i, True), run_time=self.look.pace.quick)

    def _column(self, j: int, on: bool) -> list[Any]:
        state = solid("key") if on else rest()
        colour = self.look.key if on else self.look.dim
        cells = [Restyle(cell, state) for cell in self.K.column(key=j)]
        return [*cells, self.k_tokens[j].animate.set_fill(colour)]

    def _fill(self, i: int, j: int, run_time: float) -> None:
        """The pair (i, j) meets: its score appears where row and column cross."""
        before = self._column(j - 1, False) if j else []
        meet = Restyle(self.S.cell(query=i, key=j), known())
        self.play(*before, *self._column(j, True), meet, run_time=run_time)

    def _unlight(self, i: int, j: int) -> None:
        self.play(*self._row(i, False), *self._column(j, False), run_time=self.look.pace.quick)

    def _pair(self) -> tuple[int, int]:
        """A pair of the later rows whose displayed roundings agree with one another, if there is one."""
        q, k, s = (self.facts[f"sequence.{name}"] for name in ("q", "k", "scores"))
        products = self.facts["sequence.products"]
        pairs = [(i, j) for i in range(1, self.S.rows) for j in range(self.S.columns)]
        fine = (
            (i, j) for i, j in pairs
            if sum_agrees(products[i, j], s[i, j]) and products_agree(q[i], k[j], products[i, j])
        )  # fmt: skip
        return next(fine, pairs[0])

    def look_closer(self) -> None:
        """One meeting in full: four products on one grid, and their sum travels into its cell."""
        i, j = self._pair()
        names = [str(self.facts["sequence.tokens"][n]) for n in (i, j)]
        with self.say(f"Look closer at [query|“{names[0]}”] and [key|“{names[1]}”].") as line:
            line.wait_for("query", before=EARLY)
            self._light_row(i)
            line.wait_for("key", before=EARLY)
            self.play(*self._column(j, True), run_time=self.look.pace.quick)
            copies = self._copy_pair(i, j)
        with self.say(
            "Entry by entry they [multiply], and the products [add] up to one [score].", name="products"
        ) as line:
            products = self._multiply(i, j, copies, line.until("multiply", end=True))
            line.wait_for("add", before=EARLY)
            self._add_up(i, j, products, line)
        self.wait(self.look.pace.move)
        self.play(*[FadeOut(m) for m in (*copies, *self.working)], *self._column(j, False),
                  run_time=self.look.pace.fade)  # fmt: skip

    def _copy_pair(self, i: int, j: int) -> list[Any]:
        """Copies of the row and the column come to stand beside each other, on Q's columns and K's rows."""
        tokens = self.facts["sequence.tokens"]
        copies: list[Any] = []
        names: list[Any] = []
        pair = ((self.Q.row(query=i), QUERY_COLUMN, "query", i), (self.K.column(key=j), KEY_COLUMN, "key", j))
        for source, column, role, index in pair:
            for t, cell in enumerate(source):
                x, y = self.Q.x + column * self.Q.dx, self.K.y + t * self.K.dy
                copy = Cell(x, y, *CELL, copy_of(role), cell.fact, signed=True)
                copies.append(copy.shift(cell.get_center() - copy.get_center()))
            names.append(token(tokens[index], self.Q.column_x(column), LABEL_Y, role, weight=SEMIBOLD))
        fly = MoveCells(copies, [copy.centre for copy in copies], lag=0.3)
        self.play(fly, *[late(FadeIn(name)) for name in names], run_time=self.look.pace.move)
        self.working: list[Any] = names
        return copies

    def _multiply(self, i: int, j: int, copies: list[Any], time: float) -> VGroup:
        fact = self.facts["sequence.products"][i, j]
        products = VGroup()
        marks = ((TIMES_COLUMN, "×"), (EQUALS_COLUMN, "="))
        for t, entry in enumerate(fact):
            y = self.K.row_y(t)
            signs = [words(s, role="dim").middle(self.Q.column_x(c), y, "center") for c, s in marks]
            product = in_cell(figure(entry, weight=SEMIBOLD), self.Q.column_x(PRODUCT_COLUMN), y, signed=True)
            flying = [Travel(copies[t].label.copy(), product.get_center()),
                      Travel(copies[len(fact) + t].label.copy(), product.get_center())]  # fmt: skip
            self.play(*[FadeIn(s) for s in signs], *flying, late(FadeIn(product)), run_time=time / len(fact))
            products.add(product)
            self.working += [*signs, product]
        return products

    def _add_up(self, i: int, j: int, products: VGroup, line: Telling) -> None:
        fact = self.facts["sequence.scores"][i, j]
        x, y = self.Q.column_x(PRODUCT_COLUMN), self.S.row_y(i)
        rule_y = self.K.bottom + RULE_DY
        rule = path([(x + RULE_FROM, rule_y), (x + RULE_TO, rule_y)], "score", LINE)
        way = bent_arrow([(x, rule_y), (x, y), (self.S.x - self.look.frame.gap, y)], "score", LINE, SUM_HEAD, SUM_TURN)
        agree = sum_agrees(self.facts["sequence.products"][i, j], fact)
        note = VGroup(words("sum", role="dim").place(x + SUM_DX, self.S.y + CELL[1] / 2))
        if not agree:
            note.add(words("rounded", role="dim").place(self.S.x - SUM_DX, y + ROUNDED_DY, "right"))
        self.play(FadeIn(rule), FadeIn(note), run_time=self.look.pace.quick)
        under = at(x, rule_y)
        self.play(*[Travel(p.copy(), under) for p in products], run_time=line.until("score"))
        total = figure(fact, role="score", weight=SEMIBOLD).move_to(under)
        cell = self.S.cell(query=i, key=j)
        self.play(FadeIn(way), Travel(total, at(*cell.centre)), late(Restyle(cell, solid("score"))),
                  run_time=self.look.pace.move)  # fmt: skip
        self.working += [rule, way, note]

    def fill_the_rest(self) -> None:
        """Every other row, faster; then what a row of scores says."""
        done = self._pair()
        lit = done[0]
        others = range(1, self.S.rows)
        with self.say("So every query meets every key: {} scores in all.", self.facts["sequence.cell_count"]) as line:
            time = max(LEAST_ROW, (line.left() - self.look.pace.quick) / len(others))
            for i in others:
                rows = self._row(lit, False) + self._row(i, True) if i != lit else []
                lit = i
                self._sweep(i, [j for j in range(self.S.columns) if (i, j) != done], rows, time)
            settled = Restyle(self.S.cell(query=done[0], key=done[1]), known())
            self.play(*self._row(lit, False), settled, run_time=self.look.pace.quick)
        i = self._telling_row()
        best = int(self.facts["sequence.strongest_keys"][i])
        names = [str(self.facts["sequence.tokens"][n]) for n in (i, best)]
        says = f"In the row of [row|“{names[0]}”], the key of [key|“{names[1]}”] matches best."
        if self.facts["sequence.strongest_tied"][i]:
            says = f"In the row of [row|“{names[0]}”], no key matches better than that of [key|“{names[1]}”]."
        with self.say(says, name="best") as line:
            line.wait_for("row", before=EARLY)
            named = self.q_tokens[i].animate.set_fill(self.look.query)
            self.play(FadeIn(self.S.row_ring(i)), named, run_time=self.look.pace.quick)
            line.wait_for("key", before=EARLY)
            named = self.k_tokens[best].animate.set_fill(self.look.key)
            self.play(Restyle(self.S.cell(query=i, key=best), solid("score")), named, run_time=self.look.pace.quick)

    def _telling_row(self) -> int:
        """The last row in which one key matches best, that of another word; the last row, if there is none."""
        best, tied = (self.facts[f"sequence.strongest_{name}"] for name in ("keys", "tied"))
        tokens = [str(token) for token in self.facts["sequence.tokens"]]
        fine = [
            i
            for i, j in enumerate(int(j) for j in best)
            if i != j and not tied[i] and tokens[i].isalnum() and tokens[j].isalnum()
        ]
        return [self.S.rows - 1, *fine][-1]

    def _row(self, i: int, on: bool) -> list[Any]:
        colour = self.look.query if on else self.look.dim
        cells = [Restyle(cell, solid("query") if on else rest()) for cell in self.Q.row(query=i)]
        return [*cells, self.q_tokens[i].animate.set_fill(colour)]

    def _sweep(self, i: int, columns: list[int], rows: list[Any], time: float) -> None:
        """A ring goes over the keys, and each score appears when it passes."""
        first, last = self.K.column_ring(0, "key"), self.K.column_ring(self.K.columns - 1, "key")
        across = last.get_center() - first.get_center()
        ring = VGroup(first)
        meet = [Restyle(self.S.cell(query=i, key=j), known(), rate_func=passing(j / self.S.columns)) for j in columns]
        move = Redraw(ring, lambda t: VGroup(first.copy().shift(across * t)), rate_func=linear)
        self.play(*rows, move, *meet, run_time=time)
        self.remove(ring)

    def close(self) -> None:
        """The takeaway."""
        self.takeaway(
            "A #kc[key] matches a #qc[query]",
            "better, the larger",
            "their dot product.",
            says="A key matches a query better, the larger their dot product.",
            picture=VGroup(RECAP.still(named=False), RECAP.at(RECAP_ANGLE, named=False)),
        )
