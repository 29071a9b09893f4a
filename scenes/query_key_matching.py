"""How well does a key match a query?"""

from __future__ import annotations

from manim import Create, FadeIn, FadeOut, LaggedStart, Mobject, VGroup

from lesson import Fact
from scenes.kit.every_pair import EveryPair
from scenes.kit.figures import dot_agrees, place_of
from scenes.kit.flow import Flow
from scenes.kit.geometry import by, centre, left
from scenes.kit.labels import Label, formula, run, words
from scenes.kit.motion import Redraw, Travel, late
from scenes.kit.plane import Plane, Ruler, RulerLine, Turn, ruler_lines
from scenes.kit.shapes import arrow, dot
from scenes.kit.telling import Telling
from scenes.kit.wording import NUMBERS, ORDINALS, said

# ---------------------------------------------------------------- layout, px
# turning a query: the key lies along the ruler, the query's shadow falls on it
TURN = Turn((560.0, 610.0), unit=380.0, span=460.0, ruler_y=776.0)
TURN_NOTES, TURN_LEADING, TURN_NAME_DY = (1150.0, 440.0), 96.0, 130.0
PIVOT, NUDGE = 8.0, 16.0
RECAP, RECAP_ANGLE = Turn((1270.0, 560.0), unit=420.0, span=500.0, ruler_y=720.0), 0.17  # beside the takeaway
START_ANGLE, ALONG, RIGHT, WIDE = 0.3, 0.08, 0.5, 0.78  # of half a turn
# the worked example: arrows in a plane to the left, arithmetic to the right
PLANE_BOX = (400.0, 240.0, 470.0, 529.0)  # x, y, width, height that the arrows may fill
PLANE_UNIT, RULER_GAP = 468.0, 136.0
ARITHMETIC_X, NOTE_Y, LINE_Y, LINE_DY, VERDICT_DY = 1078.0, 352.0, 556.0, 200.0, 62.0
LINE_RISE, NOTE_LEADING, TERM_GAP, ENTRY_GAP, SIZE_VECTOR, VECTOR_GAP = 54.0, 52.0, 16.0, 6.0, 50.0, 44.0
PLANE_ROOM = (96.0, 176.0, 1050.0, 982.0)  # names stay within: left, top, right, bottom
RULER_ROOM, NAME_ROOM = (110.0, 178.0, 1030.0, 920.0), (80.0, 126.0, 1056.0, 982.0)  # rulers and their names, too
BROKEN_EM = 44.0  # smaller than this, a sum is broken into two rows
LIST_Y, LIST_DY, BELOW, STRETCHED_AT = 206.0, 58.0, 56.0, (96.0, 1010.0)  # BELOW: what stands under a list is lower
STRETCHED = "Short arrows are drawn longer than to scale"
EARLY = 0.15  # s before its word that a thing appears

REACH = {  # how far the query reaches along a key, by the key's direction
    "same": "Along [key|the {} key], the query [reaches] its full [far|length].",
    "nearly": "Along [key|the {} key], the query [reaches] nearly its full [far|length].",
    "partly": "Along [key|the {} key], the query [reaches] a part of its own [far|length].",
    "right angle": "[key|The {} key] is at a [right angle]: the query does not [reaches|reach] along it [far|at all].",
    "partly away": "Along [key|the {} key], the query [reaches] [far|backwards].",
    "opposite": "Along [key|the {} key], the query [reaches] [far|backwards], by its full length.",
}
VERDICT = {  # as it stands under a score, and as it is said
    "same": ("Same direction: full match", "a full match"),
    "nearly": ("Nearly the same direction: a strong match", "a strong match"),
    "partly": ("Partly the same direction: some match", "some match"),
    "right angle": ("Right angle: no match", "no match"),
    "partly away": ("Pointing away: a negative match", "a negative match"),
    "opposite": ("Opposite direction: a negative match", "a negative match"),
}


class VectorName(VGroup):
    """A symbol and the entries of its vector; `entries` are labels of their own, so that they can be sent off."""

    def __init__(self, symbol: str, vector: Fact, role: str) -> None:
        self.entries = [formula(place_of(entry), entry, em=SIZE_VECTOR, role=role) for entry in vector]
        first, second = self.entries
        opening, comma, closing = (
            formula(markup, em=SIZE_VECTOR, role=role) for markup in (f"{symbol} = \\[", "\\,", "\\]")
        )
        head = run(opening, first, comma, x=0, baseline=0)
        start = opening.advance + first.advance + comma.advance + ENTRY_GAP
        super().__init__(head, run(second, closing, x=start, baseline=0))


class QueryKeyMatching(EveryPair):
    """A key matches a query as well as their dot product is large.

    First geometry (arrows to the left, their shadows on rulers), then arithmetic (to the right), then the question,
    then the whole product: Q to the lower left, the transposed K above right, the scores where they meet, and the
    pair at work in the corner that is left.
    """

    poster_beat = "fill_the_rest"
    listed = False  # do the vectors stand beside the plane, and not in it?

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
        self.show_title()
        self.wait(self.look.pace.quick / 2)
        with self.say("The [dot product] tells us how far a query [reaches] along a key of [length] one.") as line:
            line.wait_for("dot product", before=EARLY)
            self.play(FadeIn(still, turning, name), run_time=self.look.pace.fade)
            line.wait_for("reaches", before=EARLY)
            self._turn(turning, START_ANGLE, ALONG, line.until("length", end=True))
        with self.say(
            "It is [positive] along the key, [zero] at a right [angle], and [negative] against it.", name="sign"
        ) as line:
            angles = (ALONG, RIGHT, WIDE)
            for i, mark in enumerate(("positive", "zero", "negative")):
                if mark == "negative":  # the right angle stands while it is spoken of
                    line.wait_for("angle", end=True)
                if i:
                    self._turn(turning, angles[i - 1], angles[i], line.until(mark, end=mark == "negative"))
                line.wait_for(mark, before=EARLY)
                quieter = [last.animate.set_fill(self.look.dim) for last in lines[:i][-1:]]
                self.play(FadeIn(lines[i], shift=by(0, -NUDGE)), *quieter, run_time=self.look.pace.quick)
        self.clear_stage(run_time=self.look.pace.quick)

    def _turn(self, turning: VGroup, start: float, end: float, time: float) -> None:
        self.play(Redraw(turning, lambda t: TURN.at(start + (end - start) * t)), run_time=time)

    def shadows(self) -> None:
        """The worked example: its query and keys, and the query's length along two of them."""
        q, k = self.facts["worked_example.q"], self.facts["worked_example.k"]
        measured = [k[i] for i in self.pair]
        plane = Plane.around(q, list(k), PLANE_BOX, PLANE_UNIT, measured, RULER_GAP, RULER_ROOM)
        wash = self.look.wash("key")
        keys = [arrow(plane.origin, plane.to(key), wash, TURN.KEY_SHAFT, TURN.KEY_HEAD, edge="key") for key in k]
        query = arrow(plane.origin, plane.to(q), "query", TURN.QUERY_SHAFT, TURN.QUERY_HEAD)
        rulers = self._rulers(plane)
        self.query_name = VectorName("q", q, "query")
        self.key_names = {i: VectorName(f"k_{i + 1}", k[i], "key") for i in self.pair}
        query_names, key_names = self._name_arrows(plane, rulers)
        others = [mob for i in range(len(k)) if i not in self.pair for mob in (keys[i], key_names[i])]
        pivot = dot(*plane.origin, PIVOT, "text").set_z_index(1)  # over what drops from it
        with self.say(f"Here are {NUMBERS[len(k) - 1]} [keys] and a [query].") as line:
            line.wait_for("keys", before=EARLY)
            self.play(FadeIn(*keys, *key_names), run_time=self.look.pace.fade)
            line.wait_for("query", before=EARLY)
            note = [] if plane.true_to_scale([q, *k]) else [words(STRETCHED, role="dim").place(*STRETCHED_AT)]
            self.play(FadeIn(query, *query_names, pivot, *note), run_time=self.look.pace.fade)
        for i, ruler, name in zip(self.pair, rulers, ("first", "second"), strict=True):
            direction = self._direction(i)
            with self.say(REACH[direction].replace("{}", ORDINALS[i]), name=name) as line:
                if others:
                    self.play(*map(FadeOut, others), run_time=self.look.pace.quick)
                    others = []
                self._measure(ruler, line)
                if direction == "right angle":
                    corner = plane.right_angle(q, k[i])
                    self.add(corner)
                    self.bring_to_back(corner)  # under the arrows: only what lies outside them shows
                    line.wait_for("right angle", before=EARLY)
                    self.play(FadeIn(corner), run_time=self.look.pace.quick)
                line.wait_for("reaches", before=EARLY)
                self.play(ruler.grow(), run_time=line.until("far"))
                self.play(FadeIn(ruler.marks), run_time=self.look.pace.quick)

    def _rulers(self, plane: Plane) -> list[Ruler]:
        """Beside the two keys that are measured."""
        q, k = (self.facts[f"worked_example.{name}"] for name in "qk")
        points = [xy for vector in (q, *(k[i] for i in self.pair)) for xy in plane.outline(vector)]
        lines = ruler_lines(plane, q, [k[i] for i in self.pair], RULER_GAP)
        alone = [self._ruler(plane, i, line, points, []) for i, line in zip(self.pair, lines, strict=True)]
        rulers: list[Ruler] = []  # now that is known where the others will lie
        for n, (i, line) in enumerate(zip(self.pair, lines, strict=True)):
            others = [xy for m, other in enumerate(alone) if m != n for xy in (*other.points, *other.dropped)]
            taken = [mob for ruler in rulers for mob in (ruler.name, *ruler.marks)]
            rulers.append(self._ruler(plane, i, line, points + others, taken))
        return rulers

    def _ruler(
        self, plane: Plane, i: int, line: RulerLine, avoid: list[tuple[float, float]], taken: list[Mobject]
    ) -> Ruler:
        q, k, scores = (self.facts[f"worked_example.{name}"] for name in ("q", "k", "scores"))
        name = f"qc(q) dot kc(k_{i + 1})"
        return Ruler(plane, q, k[i], scores[i], line, name=name, avoid=avoid, taken=taken, room=NAME_ROOM)

    def _name_arrows(self, plane: Plane, rulers: list[Ruler]) -> tuple[list[Mobject], list[Mobject]]:
        """Names of the query and of the keys: beside the arrows in full, or at their tips, and in full in a list."""
        q, k = self.facts["worked_example.q"], self.facts["worked_example.k"]
        corners = [xy for i in self.pair if self._direction(i) == "right angle" for xy in plane.corner(q, k[i])]
        full = [(self.query_name, q, 1), *((self.key_names[i], k[i], -1) for i in self.pair)]
        if len(k) == len(self.pair) and plane.name_vectors(full, VECTOR_GAP, PLANE_ROOM, rulers, corners):
            return [self.query_name], list(self.key_names.values())
        self.listed = True
        for n, (name, _, _) in enumerate(full):
            name.shift(by(ARITHMETIC_X - left(name), LIST_Y + n * LIST_DY - centre(name)[1]))
        tips = [(formula("q", role="query"), q)]
        tips += [(formula(f"k_{i + 1}", role="key"), key) for i, key in enumerate(k)]
        plane.name_tips(tips, PLANE_ROOM, rulers, corners)
        query, *keys = (name for name, _ in tips)
        listed: list[Mobject] = [
            VGroup(name, self.key_names[i]) if i in self.pair else name for i, name in enumerate(keys)
        ]
        return [query, self.query_name], listed

    @property
    def pair(self) -> tuple[int, int]:
        """The keys that are measured and worked out: both, or of more the best match and the worst."""
        if int(self.facts["worked_example.n_keys"]) == 2:
            return 0, 1
        return int(self.facts["worked_example.strongest_index"]), int(self.facts["worked_example.weakest_index"])

    def _direction(self, i: int) -> str:
        return str(self.facts["worked_example.directions"][i])

    def _measure(self, ruler: Ruler, line: Telling) -> None:
        """Drop the query onto a ruler that runs beside the key."""
        line.wait_for("key", before=EARLY)
        self.play(FadeIn(ruler.axis, ruler.name, ruler.drops), run_time=self.look.pace.quick)

    # ------------------------------------------------------------ arithmetic

    def arithmetic(self) -> None:
        """The same, in numbers: components meet in products, products add up."""
        first, second = self.pair
        total, figures = said(self._score(first))
        with self.say(
            f"In numbers, [multiply] entry by entry, and [add] up. The sum is [score|{total}]: "
            f"[verdict|{VERDICT[self._direction(first)][1]}].",
            *figures,
        ) as line:
            if not self.facts["worked_example.unit_keys"]:
                text = "The dot product is the query’s signed length", "along the key, times the key’s length."
                note_y = NOTE_Y + BELOW * self.listed
                note = [words(t, role="dim").place(ARITHMETIC_X, note_y + NOTE_LEADING * n) for n, t in enumerate(text)]
                self.play(FadeIn(*note), run_time=self.look.pace.quick)
            line.wait_for("multiply", before=EARLY)
            self._write_out(0, line.until("add"))
            self._conclude(0, line)
        total, figures = said(self._score(second))
        with self.say(
            f"For the {ORDINALS[second]} key, the [sum] is [score|{total}]: "
            f"[verdict|{VERDICT[self._direction(second)][1]}].",
            *figures,
            name="second",
        ) as line:
            self._write_out(1, line.until("score"))
            self._conclude(1, line)
        self.clear_stage(run_time=self.look.pace.quick)

    def _score(self, i: int) -> Fact:
        return self.facts["worked_example.scores"][i]

    def _write_out(self, n: int, time: float) -> None:
        """The n-th line: q . k = a x b + c x d, its entries travelling out of the two vectors."""
        i = self.pair[n]
        q, key = self.facts["worked_example.q"], self.facts["worked_example.k"][i]
        score = self._score(i)
        parts: list[tuple[str, list[Fact]]] = [
            (f"qc(q) dot kc(k_{i + 1}) =", []),
            *self._term("qc", q[0]), ("times", []), *self._term("kc", key[0]), ("+", []),
            *self._term("qc", q[1]), ("times", []), *self._term("kc", key[1]), (self._equals(i), []),
            (place_of(score), [score]),
        ]  # fmt: skip
        pieces = self._in_rows(parts, self._line_y(n))
        self.result = pieces[-1]
        names = (self.query_name, self.key_names[i])
        sources = [name.entries[entry] for entry in (0, 1) for name in names]
        terms = pieces[1:-1:2]
        flights = [
            Travel(source.copy(), term.get_center(), arc=-0.12) for source, term in zip(sources, terms, strict=True)
        ]
        flying = max(self.look.pace.move, time - self.look.pace.quick)
        self.play(late(FadeIn(pieces[0]), 0.4), LaggedStart(*flights, lag_ratio=0.12), run_time=flying)
        self.play(FadeIn(*terms, *pieces[2:-1:2]), run_time=self.look.pace.quick)

    def _line_y(self, n: int) -> float:
        return LINE_Y + n * LINE_DY + BELOW * self.listed

    def _in_rows(self, parts: list[tuple[str, list[Fact]]], baseline: float) -> list[Label]:
        """The line's pieces, in its place: in one row, or where they would be small there, broken before the plus."""
        room, full = self.look.frame.right - ARITHMETIC_X, self.look.type.formula
        pieces = [formula(markup, *facts) for markup, facts in parts]
        fit = (room - TERM_GAP * len(pieces)) / sum(piece.advance for piece in pieces)
        if fit * full >= BROKEN_EM:
            pieces = [formula(markup, *facts, em=full * min(1.0, fit)) for markup, facts in parts]
            run(*pieces, x=ARITHMETIC_X, baseline=baseline, gap=TERM_GAP)
            return pieces
        plus = 4  # name, factor, times, factor, plus, ...
        name, *rows = (sum(piece.advance for piece in row) for row in (pieces[:1], pieces[1:plus], pieces[plus:]))
        fit = (room - TERM_GAP * (len(pieces) - plus)) / (name + max(rows))
        em = max(min(BROKEN_EM, fit * full), self.look.type.small + 2)
        pieces = [formula(markup, *facts, em=em) for markup, facts in parts]
        run(*pieces[:plus], x=ARITHMETIC_X, baseline=baseline - LINE_RISE, gap=TERM_GAP)
        width = sum(piece.advance + TERM_GAP for piece in pieces[plus:])
        start = min(pieces[0].advance + TERM_GAP, room - width)
        run(*pieces[plus:], x=ARITHMETIC_X + start, baseline=baseline, gap=TERM_GAP)
        return pieces

    @staticmethod
    def _term(role: str, entry: Fact) -> list[tuple[str, list[Fact]]]:
        """A factor in a sum; one below zero stands in brackets."""
        place = place_of(entry)
        return [(f"{role}(({place}))" if float(entry) < 0 else f"{role}({place})", [entry])]

    def _equals(self, i: int) -> str:
        """Do the digits shown make the score that is shown?"""
        q, key = self.facts["worked_example.q"], self.facts["worked_example.k"][i]
        return "=" if dot_agrees(q, key, self._score(i)) else "approx"

    def _conclude(self, n: int, line: Telling) -> None:
        verdict = words(VERDICT[self._direction(self.pair[n])][0])
        verdict.place(ARITHMETIC_X, self._line_y(n) + VERDICT_DY)
        line.wait_for("score", before=EARLY)
        self.play(FadeIn(self.result, shift=by(NUDGE, 0)), run_time=self.look.pace.quick)
        line.wait_for("verdict", before=EARLY)
        self.play(FadeIn(verdict, shift=by(0, -NUDGE)), run_time=self.look.pace.quick)

    # ------------------------------------------------------------ the question

    def predict_value(self) -> None:
        """Query, keys and values side by side; which value will the output copy?"""
        flow = self.flow = Flow(*(self.facts[f"worked_example.{name}"] for name in ("q", "k", "v", "scores")))
        with self.say("Each [key] comes with a [value], and the [output] blends the values.") as line:
            line.wait_for("key", before=EARLY)
            self.play(FadeIn(flow.query, flow.keys), run_time=self.look.pace.fade)
            line.wait_for("value", before=EARLY)
            self.play(FadeIn(flow.values, shift=by(NUDGE, 0)), run_time=self.look.pace.fade)
            line.wait_for("output", before=EARLY)
            self.play(FadeIn(flow.output, *flow.links), run_time=self.look.pace.fade)
        count, tied = int(self.facts["worked_example.n_keys"]), bool(self.facts["worked_example.tied"])
        best = int(self.facts["worked_example.strongest_index"])
        both, rest = ("both keys", "the other") if count == 2 else ("several keys", "any other")
        explain = f"The query matches the {ORDINALS[best]} key better than {rest}, so its value weighs more."
        if tied:
            explain = f"The query matches {both} equally well, so their values weigh the same."
        self.predict(
            "mostly_copies",
            f"Which value will the output {'mostly copy' if self._mostly() else 'draw on most'}?",
            choices=[
                *(f"The {number} value" for number in ORDINALS[:count]),
                f"{'Both' if count == 2 else 'Several'} equally",
            ],
            answer=count if tied else best,
            explain=explain,
        )

    def _mostly(self) -> bool:
        """Is the output mostly one value? Of two, that is asked even where both weigh the same."""
        return bool(self.facts["worked_example.mostly"]) or int(self.facts["worked_example.n_keys"]) == 2

    def answer(self) -> None:
        """The better match lights the way to its value."""
        scores = self.flow.score_labels(self.facts["worked_example.scores"])
        leaders = [int(i) for i in self.facts["worked_example.leaders"]]
        place, two = ORDINALS[leaders[0]], int(self.facts["worked_example.n_keys"]) == 2
        way = (
            "the output [way|is] mostly its [value]" if self._mostly() else "the output [way|draws] most on its [value]"
        )
        says = f"The {place} key [score|scores] {'higher' if two else 'highest'}, so {way}."
        if len(leaders) > 1:
            says = "[score] the same, so their values [way|weigh] the [value|same]."
            says = f"{'Both' if two else 'The best'} keys {says}"
        with self.say(says) as line:
            line.wait_for("score", before=EARLY)
            self.play(FadeIn(scores, shift=by(0, -NUDGE)), run_time=self.look.pace.fade)
            line.wait_for("way", before=EARLY)
            for lines in zip(*(self.flow.bright_links(i) for i in leaders), strict=True):
                self.play(*[Create(link) for link in lines], run_time=self.look.pace.quick)
            if len(leaders) == 1:
                line.wait_for("value", before=EARLY)
                shown = FadeIn(
                    self.flow.mostly(leaders[0], "mostly" if self._mostly() else "most:"), shift=by(0, -NUDGE)
                )
                self.play(shown, run_time=self.look.pace.quick)
        self.clear_stage(run_time=self.look.pace.quick)

    def close(self) -> None:
        """The takeaway."""
        self.takeaway(
            "The larger the dot product,",
            "the better a #kc[key]",
            "matches the #qc[query].",
            says="The larger the dot product, the better a key matches the query.",
            picture=VGroup(RECAP.still(named=False), RECAP.at(RECAP_ANGLE, named=False)),
        )
