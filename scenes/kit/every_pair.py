"""Every query meets every key: a matrix product, first in one row, then for one pair in full, then for all."""

from __future__ import annotations

from math import isclose
from typing import Any

from manim import Animation, FadeIn, FadeOut, VGroup, VMobject, linear, rush_into, smooth

from scenes.kit.bars import knocked_out
from scenes.kit.cells import Cell, Restyle, copy_of, empty, known, rest, solid
from scenes.kit.excerpt import first, trail
from scenes.kit.figures import products_agree, rounded_to, sum_agrees
from scenes.kit.geometry import at, by, centre, left, pixel, right
from scenes.kit.labels import SEMIBOLD, Label, figure, formula, in_cell, words
from scenes.kit.matrix import Matrix, TokenLabels, token
from scenes.kit.motion import Along, MoveCells, Redraw, Travel, late, passing
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import LINE, bent_arrow, path
from scenes.kit.telling import Telling
from scenes.kit.wording import ORDINALS, heard

# ---------------------------------------------------------------- layout, px
CELL, Q_AT, S_AT = (118.0, 68.0), (232.0, 566.0), (906.0, 226.0)
LABEL_Y = 205.0
SIZE_NAME, NAME_DX, TOKEN_GAP = 60.0, 30.0, 18.0
# one pair in detail, on the columns of Q and the rows of K
QUERY_COLUMN, TIMES_COLUMN, KEY_COLUMN, EQUALS_COLUMN, PRODUCT_COLUMN = range(5)
RULE_DY, RULE_FROM, RULE_TO, SUM_TURN, SUM_HEAD = 18.0, -40.0, 60.0, 26.0, (18.0, 24.0)
SUM_DROP = 30.0  # from the rule to the middle of the sum below it
SUM_ALL, COPIES_APART = (12.0, 18.0), 24.0  # px; between the names of the two that are shown
TRAIL_X, TRAIL_Y = 28.0, 15.0  # px behind and below a matrix
TRAIL_ROOM, TRAIL_RISE = 26.0, 6.0  # how far they make what is there move on, and the matrix rise
NUDGE = 16.0  # how far things come from
CLEAR = (8.0, 26.0)  # px: its way ends that much beside the sum's digits, and above their middle
SINK, PAST = 22.0, 36.0  # px above the rule where products have gone; behind the last one, where a place is free
FALLEN, RETURN, STEPS = 0.75, 0.15, 200  # share of the time until all are down, and that one's return takes; steps
LEAST_SCORE = 0.1  # of the pair that is shown in full, if one has that
NOTE_AT, LEADING = (96.0, 226.0), 52.0
EQUAL_WORDS = "Position counts, too:", "equal words have different vectors"
AHEAD = ", though only beyond the second decimal"
# time, s
MOST_TOKENS, MOST_FEATURES = 6, 4  # of more, the first ones are shown, and dots
EARLY = 0.15  # before its word that a thing appears
AT_ONCE = 0.1  # share of a row's time in which it lights up
LEAST_ROW, LEAST_MEETING = 0.4, 0.3  # that a row takes when the rest is filled, and a pair in the first row
MOST_PRODUCT = 0.6  # that factors take to their product: they pass over one another


class EveryPair(LessonScene):
    """Beats of a chapter: Q to the lower left, the transposed K above right, the scores where they meet.

    The pair that is shown in full works in the corner that is left.
    """

    def sweep_one_row(self) -> None:
        """One row of Q sweeps the columns of the transposed K: a row of scores."""
        self._lay_out_matrices()
        with self.say(
            "For a sentence, [queries] are rows, [keys] columns, and [scores] stand where they cross."
        ) as line:
            self.show_title("How does every query meet every key?")
            line.wait_for("queries", before=EARLY)
            self.play(FadeIn(self.Q, self.q_tokens, self.names[0], self.more[0]), run_time=self.look.pace.fade)
            line.wait_for("keys", before=EARLY)
            keys = self.K, self.k_tokens, self.names[1], self.more[1]
            note = self.of_equal_words()
            self.play(FadeIn(*keys, *note, shift=by(0, NUDGE)), run_time=self.look.pace.fade)
            line.wait_for("scores", before=EARLY)
            self.play(FadeIn(self.S, self.names[2], self.equation, self.more[2]), run_time=self.look.pace.fade)
        with self.say("The [first] query [sweeps] over all the keys: one score for each.", name="first_row") as line:
            line.wait_for("first", before=EARLY)
            self._light_row(0)
            line.wait_for("sweeps", before=EARLY)
            time = max(LEAST_MEETING, line.left() / self.S.columns)
            self.ring = self.K.column_ring(0, "key")
            for j in range(self.S.columns):
                self._fill(0, j, time)
            self._unlight(0, self.S.columns - 1)
        if note:
            self.play(*map(FadeOut, note), run_time=self.look.pace.quick)

    def of_equal_words(self) -> list[Label]:
        """Why the rows of a word that is seen twice differ; where the pair will be looked at."""
        tokens = list(map(str, self.facts["sequence.tokens"]))[: self.Q.rows]
        lines = EQUAL_WORDS if len(set(tokens)) < len(tokens) else ()
        return [words(text, role="dim").place(NOTE_AT[0], NOTE_AT[1] + n * LEADING) for n, text in enumerate(lines)]

    def _lay_out_matrices(self) -> None:
        whole = self.facts["sequence.q"]
        n = min(whole.shape[0], MOST_TOKENS)
        self.whole_sums = whole.shape[1] <= MOST_FEATURES
        d = whole.shape[1] if self.whole_sums else MOST_FEATURES - 1  # dots take a place
        tokens, scores = first(self.facts["sequence.tokens"], n), first(self.facts["sequence.scores"], n, n)
        q, k = (first(self.facts[f"sequence.{name}"], n, d) for name in "qk")
        self.feature_rows = d + (not self.whole_sums)
        dx, dy = (size + self.look.frame.gap for size in CELL)
        aside, less = (MOST_TOKENS - n) * dx / 2, (MOST_FEATURES - self.feature_rows) * dy
        down = (less + (MOST_TOKENS - n) * dy) / 2  # few cells stand amid the frame
        self.label_y, k_y = LABEL_Y + down, S_AT[1] + down
        s_y = Q_AT[1] + down - less - TRAIL_RISE * (n < whole.shape[0])
        self.Q = Matrix(q, Q_AT[0] + aside, s_y, CELL, rest(), axes=("query", "feature"), signed=True)
        self.K = Matrix(k, S_AT[0] + aside, k_y, CELL, rest(), axes=("feature", "key"), signed=True, transposed=True)
        self.S = Matrix(scores, S_AT[0] + aside, s_y, CELL, empty(), signed=True)
        self.q_tokens = TokenLabels.rows(tokens, self.Q, "dim", gap=TOKEN_GAP)
        self.k_tokens = TokenLabels.columns(tokens, self.K, "dim", gap=k_y - self.label_y)
        self.foot = self.K.y + self.feature_rows * self.K.dy - self.look.frame.gap  # of K, dots included
        behind = self.Q.x + self.feature_rows * self.Q.dx - self.look.frame.gap + NAME_DX
        after = self.S.right + NAME_DX + TRAIL_ROOM * (n < whole.shape[0])
        self.names = [
            formula("qc(Q)", em=SIZE_NAME).middle(behind, self.S.middle_y, rise=0.6),
            formula("kc(K^upright(T))", em=SIZE_NAME).middle(after, (self.K.y + self.foot) / 2, rise=0.6),
            formula("sc(S)", em=SIZE_NAME).middle(after, self.S.middle_y, rise=0.6),
        ]
        self.more = self._dots(n < whole.shape[0])
        self.equation = formula("sc(S) = qc(Q) kc(K^upright(T))", em=SIZE_NAME)
        self.equation.place(self.look.frame.right, self.look.frame.title_baseline, "right")

    def _dots(self, tokens: bool) -> tuple[VGroup, VGroup, VGroup]:
        """Where Q, K and S go on: in features that are not shown, and in tokens, if these are not all shown either."""
        q, k, s = made = VGroup(), VGroup(), VGroup()
        if not self.whole_sums:
            q.add(*[trail(self.Q.column_x(self.Q.columns), self.Q.row_y(i)) for i in range(self.Q.rows)])
            k.add(*[trail(self.K.column_x(j), self.K.row_y(self.K.rows), down=True) for j in range(self.K.columns)])
        if tokens:
            for group, matrix in (q, self.Q), (s, self.S):
                y = matrix.bottom + TRAIL_Y
                group.add(*[trail(matrix.column_x(j), y, down=True) for j in range(matrix.columns)])
            for group, matrix in (k, self.K), (s, self.S):
                x = matrix.right + TRAIL_X
                group.add(*[trail(x, matrix.row_y(i)) for i in range(matrix.rows)])
        return made

    def _light_row(self, i: int) -> None:
        self.play(*self._row(i, True), run_time=self.look.pace.quick)

    def _column(self, j: int, on: bool) -> list[Any]:
        state = solid("key") if on else rest()
        colour = self.look.key if on else self.look.dim
        cells = [Restyle(cell, state) for cell in self.K.column(key=j)]
        return [*cells, self.k_tokens[j].animate.set_fill(colour)]

    def _fill(self, i: int, j: int, run_time: float) -> None:
        """The pair (i, j) meets: a ring moves to the column, and the score drops to where row and column cross."""
        before = self._column(j - 1, False) if j else []
        cell = self.S.cell(query=i, key=j)
        there = pixel(self.K.column_ring(j).get_center())
        ring = MoveCells([self.ring], [there], lag=0) if j else FadeIn(self.ring)
        between = (self.foot + self.S.y) / 2
        score = in_cell(figure(self.S.fact[i, j], role="score", weight=SEMIBOLD), self.K.column_x(j), between)
        drop = Travel(score, at(*cell.centre), rate_func=rush_into)
        meet = late(Restyle(cell, known()), 0.7)
        self.play(*before, *self._column(j, True), ring, drop, meet, run_time=run_time)

    def _unlight(self, i: int, j: int) -> None:
        self.play(*self._row(i, False), *self._column(j, False), FadeOut(self.ring), run_time=self.look.pace.quick)

    def _pair(self) -> tuple[int, int]:
        """A pair of the later rows whose displayed roundings agree and whose score isn't next to zero, if there is one.

        The first column comes first: from there the way to the cell is short.
        """
        q, k, s = (self.facts[f"sequence.{name}"] for name in ("q", "k", "scores"))
        products = self.facts["sequence.products"]
        q, k = (first(fact, *self.Q.fact.shape) for fact in (q, k))
        products = first(products, *products.shape[:2], self.Q.columns)
        pairs = [(i, j) for j in range(self.S.columns) for i in range(1, self.S.rows)]
        fine = [
            (i, j) for i, j in pairs
            if products_agree(q[i], k[j], products[i, j])
            and (not self.whole_sums or sum_agrees(products[i, j], s[i, j]))
        ]  # fmt: skip
        clear = [pair for pair in fine if abs(float(s[pair])) >= LEAST_SCORE]
        return [*clear, *fine, *pairs][0]

    def look_closer(self) -> None:
        """One meeting in full: four products on one grid, and their sum travels into its cell."""
        i, j = self._pair()
        says, names = "Take the [query] of “{}” and the [key] of “{}”.", self._named(i, j)
        if not names:
            says = f"Take the {ORDINALS[i]} token’s [query] and the {ORDINALS[j]} token’s [key]."
        with self.say(says, *names) as line:
            line.wait_for("query", before=EARLY)
            self._light_row(i)
            line.wait_for("key", before=EARLY)
            self.play(*self._column(j, True), run_time=self.look.pace.quick)
            copies = self._copy_pair(i, j)
        says = "Their entries are [multiplied] in pairs, and the [products] [add] up to one [score]."
        if int(self.facts["sequence.d_k"]) == 1:
            says = "Each has one entry. The two are [multiplied], and their [products|product] [add|is] the [score]."
        with self.say(says, name="products") as line:
            products = self._multiply(i, j, copies, line.until("multiplied", end=True))
            line.wait_for("products", before=EARLY)
            self._add_up(i, j, products, line)
        self.wait(self.look.pace.quick)
        self.play(*[FadeOut(m) for m in (*copies, *self.working)], *self._column(j, False),
                  run_time=self.look.pace.quick)  # fmt: skip

    def _copy_pair(self, i: int, j: int) -> list[Any]:
        """Copies of the row and the column come to stand beside each other, on Q's columns and K's rows."""
        tokens = self.facts["sequence.tokens"]
        copies: list[Any] = []
        names: list[Any] = []
        room = (KEY_COLUMN - QUERY_COLUMN) * self.Q.dx - COPIES_APART
        pair = ((self.Q.row(query=i), QUERY_COLUMN, "query", i), (self.K.column(key=j), KEY_COLUMN, "key", j))
        for source, column, role, index in pair:
            for t, cell in enumerate(source):
                x, y = self.Q.x + column * self.Q.dx, self.K.y + t * self.K.dy
                copy = Cell(x, y, *CELL, copy_of(role), cell.fact, signed=True)
                copies.append(copy.shift(cell.get_center() - copy.get_center()))
            x = self.Q.column_x(column)
            names.append(token(tokens[index], x, self.label_y, role, weight=SEMIBOLD, room=room))
        fly = MoveCells(copies, [copy.centre for copy in copies], lag=0.3)
        self.play(fly, *[late(FadeIn(name)) for name in names], run_time=self.look.pace.move)
        self.working: list[Any] = names
        return copies

    def _multiply(self, i: int, j: int, copies: list[Any], time: float) -> VGroup:
        fact = first(self.facts["sequence.products"][i, j], self.Q.columns)
        products = VGroup()
        marks = ((TIMES_COLUMN, "×"), (EQUALS_COLUMN, "="))
        continued = (QUERY_COLUMN, KEY_COLUMN, PRODUCT_COLUMN) if not self.whole_sums else ()
        more = [trail(self.Q.column_x(c), self.K.row_y(len(fact)), down=True) for c in continued]
        for t, entry in enumerate(fact):
            y = self.K.row_y(t)
            signs = [words(s, role="dim").middle(self.Q.column_x(c), y, "center") for c, s in marks]
            product = in_cell(figure(entry, weight=SEMIBOLD), self.Q.column_x(PRODUCT_COLUMN), y, signed=True)
            flying = [Travel(copies[t].label.copy(), product.get_center()),
                      Travel(copies[len(fact) + t].label.copy(), product.get_center())]  # fmt: skip
            coming = [*signs, *more] if t == len(fact) - 1 else signs
            self.play(
                *map(FadeIn, coming), *flying, late(FadeIn(product)), run_time=min(MOST_PRODUCT, time / len(fact))
            )
            products.add(product)
            self.working += signs
        products.add(*more[2:])
        self.working += more[:2]
        return products

    def _add_up(self, i: int, j: int, products: VGroup, line: Telling) -> None:
        """The sum forms below its rule, as in a written addition, and draws its way as it goes to its cell."""
        fact = self.facts["sequence.scores"][i, j]
        x, y = self.Q.column_x(PRODUCT_COLUMN), self.S.row_y(i)
        rule_y = self.foot + RULE_DY
        start, turn = x + RULE_FROM, x + RULE_TO
        rule = path([(start, rule_y), (turn + LINE / 2, rule_y)], "score", LINE)  # the corner is whole
        # down between Q's name and S: clear of both, whatever the row
        way = bent_arrow(
            [(turn, rule_y), (turn, y), (self.S.x - self.look.frame.gap, y)], "score", LINE, SUM_HEAD, SUM_TURN
        )
        name, count = "sum" if len(products) > 1 else "score", []
        if not self.whole_sums:
            name, count = "sum of all {}", [self.facts["sequence.d_k"]]
        elif not sum_agrees(self.facts["sequence.products"][i, j], fact):
            name = "sum, rounded"
        note = words(name, *count, role="dim").place(start - SUM_ALL[0], rule_y + SUM_ALL[1], "right")
        self.play(FadeIn(rule), FadeIn(note), run_time=self.look.pace.quick)
        total = in_cell(figure(fact, role="score", weight=SEMIBOLD), x, rule_y + SUM_DROP, signed=True)
        under = total.get_center()
        again = products.copy()
        formed = late(FadeIn(knocked_out(total).set_z_index(1), shift=by(0, SUM_DROP / 3)), FALLEN)
        line.wait_for("add", before=EARLY)
        falling = self.fall(products, again, rule_y)
        self.play(*falling, formed, run_time=line.until("score", end=True, least=self.look.pace.move))
        cell = self.S.cell(query=i, key=j)
        middle = pixel(under)[1]
        course = path([pixel(under), (turn, middle), (turn, y), cell.centre], "score", radius=SUM_TURN)
        shaft, whole = VGroup(path([(turn, rule_y), (turn, rule_y + 1)], "score", LINE)), way[0].copy()
        end, half = pixel(whole.get_end())[0], (right(total) - left(total)) / 2 + CLEAR[0]

        def drawn(t: float) -> VGroup:
            """The way behind the sum, which it never touches."""
            sum_x, sum_y = pixel(course.point_from_proportion(t))
            past = sum_x - half - turn
            if past < 0:
                low = min(max(rule_y + 1, sum_y - CLEAR[1]), y - SUM_TURN)
                return VGroup(path([(turn, rule_y), (turn, low)], "score", LINE))
            arc, rest = min(1.0, past / SUM_TURN), max(0.0, past - SUM_TURN) / (end - turn - SUM_TURN)
            part = whole.copy()  # of three curves: down, round the corner, to the right
            part.pointwise_become_partial(whole, 0, min(1.0, (1 + arc + rest) / 3))
            return VGroup(part)

        into = Along(total, course), late(Restyle(cell, solid("score")), 0.85)
        head = late(FadeIn(way[1]), 0.7)
        self.play(Redraw(shaft, drawn), head, *into, run_time=self.look.pace.move * 1.5)
        self.working += [rule, shaft, way[1], note, *again]

    @staticmethod
    def fall(products: VGroup, again: VGroup, rule_y: float) -> list[Animation]:
        """The products fall into the rule, one behind the other, and stand in their rows again.

        All fall at one speed, and none comes back before the last one is past it: no figure ever lies on another.
        """
        ways = [rule_y - SINK - centre(product)[1] for product in products]
        longest = max(ways)

        def fallen(t: float) -> float:
            """How far, px."""
            return longest * float(smooth(min(1.0, t / FALLEN)))

        def sinking(product: VMobject, way: float) -> Animation:
            whole = product.copy()

            def drawn(t: float) -> VMobject:
                made = whole.copy().shift(by(0, min(fallen(t), way)))
                return made.set_opacity(min(1.0, max(0.0, way - fallen(t)) / SINK))

            return Redraw(product, drawn, rate_func=linear, remover=True)

        def returning(product: VMobject, way: float) -> Animation:
            """The product is back, soon after the highest one has passed its row."""
            passed = min(longest - way + PAST, longest - 1)
            start = next(step / STEPS for step in range(STEPS) if fallen(step / STEPS) >= passed)
            return FadeIn(product, rate_func=passing(start, RETURN))

        falling = [sinking(product, way) for product, way in zip(products, ways, strict=True)]
        return [*falling, *[returning(product, way) for product, way in zip(again, ways, strict=True)]]

    def fill_the_rest(self) -> None:
        """Every other row, faster; then what a row of scores says."""
        done = self._pair()
        lit = done[0]
        others = range(1, self.S.rows)
        with self.say("So every query meets every key: {} scores in all.", self.facts["sequence.cell_count"]) as line:
            time = max(LEAST_ROW, (line.left() - self.look.pace.quick) / len(others))
            for i in others:
                at_once = passing(0, AT_ONCE)  # the row changes before its first score comes
                rows = self._row(lit, False, rate_func=at_once) + self._row(i, True, rate_func=at_once)
                rows = rows if i != lit else []
                if i == others[0]:  # the pair that was shown in full is one of many again
                    cell = self.S.cell(query=done[0], key=done[1])
                    rows.append(Restyle(cell, known(), rate_func=at_once))
                lit = i
                self._sweep(i, [j for j in range(self.S.columns) if (i, j) != done], rows, time)
            self.play(*self._row(lit, False), run_time=self.look.pace.quick)
        i = self._telling_row()
        best = max(range(self.S.columns), key=lambda j: float(self.S.fact[i, j]))
        names = self._named(i, best)
        row, key = ("row of [row|“{}”]", "of [key|“{}”]") if names else (f"[row|{ORDINALS[i]}] row", "")
        key = key or f"of the [key|{ORDINALS[best]} token]"
        says = f"In the {row}, the key {key} matches best{'' if self._shows(i) else AHEAD}."
        if self._best(i) is None:
            none = "no key shown" if self._hidden(i) else "no key"
            says = f"In the {row}, {none} matches better than that {key}."
        with self.say(says, *names, name="best") as line:
            line.wait_for("row", before=EARLY)
            named = self.q_tokens[i].animate.set_fill(self.look.query)
            self.play(FadeIn(self.S.row_ring(i)), named, run_time=self.look.pace.quick)
            line.wait_for("key", before=EARLY)
            named = self.k_tokens[best].animate.set_fill(self.look.key)
            self.play(Restyle(self.S.cell(query=i, key=best), solid("score")), named, run_time=self.look.pace.quick)

    def _named(self, *places: int) -> list[Any]:
        """The tokens at those places, if the ear tells which they are: none if a word is there twice."""
        tokens = self.facts["sequence.tokens"]
        said = heard(tokens)
        return [tokens[n] for n in places] if all(said.count(said[n]) == 1 for n in places) else []

    def _telling_row(self) -> int:
        """The last row in which one key matches best, that of a word that sounds different, and its figure shows it."""
        tokens = heard(self.facts["sequence.tokens"])
        fine = [
            i
            for i, j in enumerate(map(self._best, range(self.S.rows)))
            if j is not None and tokens[i] != tokens[j] and tokens[i].isalnum() and tokens[j].isalnum()
        ]
        return [self.S.rows - 1, *fine, *filter(self._shows, fine)][-1]

    def _shows(self, i: int) -> bool:
        """Do the figures of a row tell which one is largest?"""
        *_, second, largest = sorted(rounded_to(float(score), 2) for score in self.S.fact[i])
        return largest > second

    def _best(self, i: int) -> int | None:
        """The key that matches best; None if several do, or if it is not shown."""
        row = [float(score) for score in self.facts["sequence.scores"][i]]
        leaders = [j for j, score in enumerate(row) if isclose(score, max(row), abs_tol=1e-9)]
        return leaders[0] if len(leaders) == 1 and leaders[0] < self.S.columns else None

    def _hidden(self, i: int) -> bool:
        """Does a key that is not shown match better than those that are?"""
        row = [float(score) for score in self.facts["sequence.scores"][i]]
        return max(row) > max(row[: self.S.columns]) + 1e-9

    def _row(self, i: int, on: bool, **kwargs: Any) -> list[Any]:
        colour = self.look.query if on else self.look.dim
        cells = [Restyle(cell, solid("query") if on else rest(), **kwargs) for cell in self.Q.row(query=i)]
        named: Any = self.q_tokens[i].animate  # takes arguments, though its annotation does not say so
        return [*cells, named(**kwargs).set_fill(colour)]

    def _sweep(self, i: int, columns: list[int], rows: list[Any], time: float) -> None:
        """A ring goes from key to key, and each score appears when it is there."""
        count = self.K.columns
        ring = VGroup(self.K.column_ring(0, "key"))
        meet = [Restyle(self.S.cell(query=i, key=j), known(), rate_func=passing(j / self.S.columns)) for j in columns]
        move = Redraw(
            ring, lambda t: VGroup(self.K.column_ring(min(int(t * count), count - 1), "key")), rate_func=linear
        )
        self.play(*rows, move, *meet, run_time=time)
        self.remove(ring)
