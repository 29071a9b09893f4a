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
ROW_TIME, MEET_TIME = 0.8, 0.6  # s that a row takes when the rest is filled; s that two entries take to multiply
# one pair in detail, on the columns of Q and the rows of K
QUERY_COLUMN, TIMES_COLUMN, KEY_COLUMN, EQUALS_COLUMN, PRODUCT_COLUMN = range(5)
RULE_DY, RULE_FROM, RULE_TO, SUM_TURN, SUM_HEAD, SUM_DX = 18.0, -40.0, 56.0, 26.0, (18.0, 24.0), 24.0
ROUNDED_DY = 44.0


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
        with self.say("The dot product tells how far a query reaches along a key of length one."):
            self.show_title()
            self.play(FadeIn(still, turning, name), run_time=self.look.pace.fade)
            self._turn(turning, START_ANGLE, SHARP)
            self.play(FadeIn(lines[0], shift=by(0, -NUDGE)), run_time=self.look.pace.fade)
        with self.say("At a right angle that is nothing, and against the key it is negative.", name="sign"):
            for line, last, start, end in ((lines[1], lines[0], SHARP, RIGHT), (lines[2], lines[1], RIGHT, WIDE)):
                self._turn(turning, start, end)
                self.play(FadeIn(line, shift=by(0, -NUDGE)), last.animate.set_fill(self.look.dim),
                          run_time=self.look.pace.fade)  # fmt: skip
        self.clear_stage()

    def _turn(self, turning: VGroup, start: float, end: float) -> None:
        self.play(Redraw(turning, lambda t: TURN.at(start + (end - start) * t)), run_time=self.look.pace.slow)

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
        with self.say("A query and two keys:"):
            self.play(FadeIn(*keys, *self.key_names), run_time=self.look.pace.fade)
            self.play(FadeIn(query, self.query_name, pivot), run_time=self.look.pace.fade)
        cosines = self.facts["worked_example.cosines"]
        if any(float(c) == 0 for c in cosines):
            corner = plane.right_angle(q, k[[float(c) == 0 for c in cosines].index(True)])
        with self.say(self._reach_line(0), name="first"):
            self._measure(rulers[0])
        with self.say(self._reach_line(1), name="second"):
            if any(float(c) == 0 for c in cosines):
                self.add(corner)
                self.bring_to_back(corner)  # under the arrows: only what lies outside them shows
                self.play(FadeIn(corner), run_time=self.look.pace.quick)
            self._measure(rulers[1])
        self.rest()

    def _reach_line(self, i: int) -> str:
        number = ("one", "two")[i]
        cosine = float(self.facts["worked_example.cosines"][i])
        if cosine == 1:
            return f"Along key {number}, it reaches its whole length."
        if cosine == 0:
            return f"Key {number} is at a right angle: no reach at all."
        if cosine > 0:
            return f"Along key {number}, it reaches a part of its length."
        return f"Along key {number}, it reaches backwards."

    def _measure(self, ruler: Ruler) -> None:
        """Drop the query onto a ruler that runs beside the key."""
        self.play(FadeIn(ruler.axis, ruler.name, ruler.drops), run_time=self.look.pace.fade)
        self.play(ruler.grow(), run_time=self.look.pace.move)
        self.play(FadeIn(ruler.marks), run_time=self.look.pace.quick)

    # ------------------------------------------------------------ arithmetic

    def arithmetic(self) -> None:
        """The same, in numbers: components meet in products, products add up."""
        unit = all(float(norm) == 1 for norm in self.facts["worked_example.k_norms"])
        text = (
            ("For a key of length one, the dot product is", "the query’s signed length along it.")
            if unit
            else ("The dot product is the query’s signed length", "along the key, times the key’s length.")
        )
        lines = [words(line, role="dim") for line in text]
        note = VGroup(*[line.place(ARITHMETIC_X, NOTE_Y + NOTE_LEADING * n) for n, line in enumerate(lines)])
        with self.say("In numbers: multiply entry by entry, and add up."):
            self.play(FadeIn(note), run_time=self.look.pace.fade)
            self._write_out(0)
            self._conclude(0)
        with self.say("One score for each key.", name="scores"):
            self._write_out(1)
            self._conclude(1)
        self.rest()
        self.clear_stage()

    def _score(self, i: int) -> Fact:
        return self.facts["worked_example.scores"][i]

    def _verdict(self, i: int) -> str:
        cosine = float(self.facts["worked_example.cosines"][i])
        if cosine == 1:
            return "Same direction: full match"
        if cosine == 0:
            return "Right angle: no match"
        return "Partly the same direction: some match" if cosine > 0 else "Pointing away: a negative match"

    def _write_out(self, i: int) -> None:
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
        self.play(FadeIn(pieces[0]), run_time=self.look.pace.quick)
        self.play(LaggedStart(*flights, lag_ratio=0.12), run_time=self.look.pace.move)
        self.play(FadeIn(*terms, *pieces[2:-1:2]), run_time=self.look.pace.quick)

    def _conclude(self, i: int) -> None:
        result, y = self.result, LINE_Y + i * LINE_DY
        verdict = words(self._verdict(i)).place(ARITHMETIC_X, y + VERDICT_DY)
        self.play(FadeIn(result, shift=by(NUDGE, 0)), run_time=self.look.pace.fade)
        self.play(FadeIn(verdict, shift=by(0, -NUDGE)), run_time=self.look.pace.fade)

    # ------------------------------------------------------------ the question

    def predict_value(self) -> None:
        """Query, keys and values side by side; which value will the output copy?"""
        flow = self.flow = Flow(*(self.facts[f"worked_example.{name}"] for name in "qkv"))
        with self.say("Each key stands for a value, and the output will blend the values."):
            self.play(FadeIn(flow.query, flow.keys), run_time=self.look.pace.fade)
            self.play(FadeIn(flow.values, shift=by(NUDGE, 0)), run_time=self.look.pace.fade)
            self.play(FadeIn(flow.output, *flow.links), run_time=self.look.pace.fade)
        best = int(self.facts["worked_example.strongest"]) - 1
        self.predict(
            "mostly_copies",
            "Which value will the output mostly copy?",
            choices=("Value one", "Value two", "Both equally"),
            answer=best,
            explain=self.text(
                f"The query matches key {('one', 'two')[best]} better, with a score of {{}} against {{}}, so its "
                "value weighs more.", self._score(best), self._score(1 - best),
            ),
        )  # fmt: skip

    def answer(self) -> None:
        """The better match lights the way to its value."""
        best = int(self.facts["worked_example.strongest"]) - 1
        scores = self.flow.score_labels(self.facts["worked_example.scores"])
        number = ("one", "two")[best]
        with self.say(f"Mostly value {number}, since its key matches better."):
            self.play(FadeIn(scores, shift=by(0, -NUDGE)))
            for line in self.flow.bright_links(best):
                self.play(Create(line), run_time=self.look.pace.quick)
            self.play(FadeIn(self.flow.mostly(best), shift=by(0, -NUDGE)), run_time=self.look.pace.fade)
        self.rest()
        self.clear_stage()

    # ------------------------------------------------------------ all queries, all keys

    def sweep_one_row(self) -> None:
        """One row of Q sweeps the columns of the transposed K: a row of scores."""
        self._lay_out_matrices()
        with self.say("For a sentence, queries are rows, keys are columns, and scores stand where they cross."):
            self.show_title("How does every query meet every key?")
            self.play(FadeIn(self.Q, self.q_tokens, self.names[0]))
            self.play(FadeIn(self.K, self.k_tokens, self.names[1], shift=by(0, NUDGE)))
            self.play(FadeIn(self.S, self.names[2], self.equation))
        with self.say("The first query sweeps over all keys.", name="first_row"):
            self._light_row(0)
            for j in range(self.S.columns):
                self._fill(0, j, self.look.pace.quick)
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
        with self.say(f"Look closer at “{names[0]}” and “{names[1]}”."):
            self._light_row(i)
            self.play(*self._column(j, True), run_time=self.look.pace.quick)
        copies = self._copy_pair(i, j)
        with self.say("Entry by entry they multiply,", name="products"):
            products = self._multiply(i, j, copies)
        with self.say("and the products add up to one score.", name="sum"):
            self._add_up(i, j, products)
        self.rest()
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
        self.play(fly, *[late(FadeIn(name)) for name in names], run_time=self.look.pace.slow)
        self.working: list[Any] = names
        return copies

    def _multiply(self, i: int, j: int, copies: list[Any]) -> VGroup:
        fact = self.facts["sequence.products"][i, j]
        products = VGroup()
        marks = ((TIMES_COLUMN, "×"), (EQUALS_COLUMN, "="))
        for t, entry in enumerate(fact):
            y = self.K.row_y(t)
            signs = [words(s, role="dim").middle(self.Q.column_x(c), y, "center") for c, s in marks]
            product = in_cell(figure(entry, weight=SEMIBOLD), self.Q.column_x(PRODUCT_COLUMN), y, signed=True)
            flying = [Travel(copies[t].label.copy(), product.get_center()),
                      Travel(copies[len(fact) + t].label.copy(), product.get_center())]  # fmt: skip
            self.play(*[FadeIn(s) for s in signs], *flying, late(FadeIn(product)), run_time=MEET_TIME)
            products.add(product)
            self.working += [*signs, product]
        return products

    def _add_up(self, i: int, j: int, products: VGroup) -> None:
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
        self.play(*[Travel(p.copy(), under) for p in products], run_time=self.look.pace.move)
        total = figure(fact, role="score", weight=SEMIBOLD).move_to(under)
        cell = self.S.cell(query=i, key=j)
        self.play(FadeIn(way), Travel(total, at(*cell.centre)), late(Restyle(cell, solid("score"))),
                  run_time=self.look.pace.move)  # fmt: skip
        self.working += [rule, way, note]

    def fill_the_rest(self) -> None:
        """Every other row, faster; then what a row of scores says."""
        done = self._pair()
        lit = done[0]
        with self.say("So it goes for all {} scores.", self.facts["sequence.cell_count"]):
            for i in range(1, self.S.rows):
                rows = self._row(lit, False) + self._row(i, True) if i != lit else []
                lit = i
                self._sweep(i, [j for j in range(self.S.columns) if (i, j) != done], rows)
            settled = Restyle(self.S.cell(query=done[0], key=done[1]), known())
            self.play(*self._row(lit, False), settled, run_time=self.look.pace.quick)
        i = self.S.rows - 2
        best = int(self.facts["sequence.strongest_keys"][i])
        names = [str(self.facts["sequence.tokens"][n]) for n in (i, best)]
        with self.say(f"In the row of “{names[0]}”, the key of “{names[1]}” matches best.", name="best"):
            self.play(FadeIn(self.S.row_ring(i)), run_time=self.look.pace.quick)
            self.play(Restyle(self.S.cell(query=i, key=best), solid("score")), run_time=self.look.pace.quick)
        self.rest()

    def _row(self, i: int, on: bool) -> list[Any]:
        colour = self.look.query if on else self.look.dim
        cells = [Restyle(cell, solid("query") if on else rest()) for cell in self.Q.row(query=i)]
        return [*cells, self.q_tokens[i].animate.set_fill(colour)]

    def _sweep(self, i: int, columns: list[int], rows: list[Any]) -> None:
        """A ring goes over the keys, and each score appears when it passes."""
        first, last = self.K.column_ring(0, "key"), self.K.column_ring(self.K.columns - 1, "key")
        across = last.get_center() - first.get_center()
        ring = VGroup(first)
        meet = [Restyle(self.S.cell(query=i, key=j), known(), rate_func=passing(j / self.S.columns)) for j in columns]
        move = Redraw(ring, lambda t: VGroup(first.copy().shift(across * t)), rate_func=linear)
        self.play(*rows, move, *meet, run_time=ROW_TIME)
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
