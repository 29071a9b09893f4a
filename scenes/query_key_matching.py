"""How well does a key match a query?"""

from __future__ import annotations

from math import isclose

from manim import Animation, Create, FadeIn, FadeOut, LaggedStart, Mobject, VGroup

from lesson import Fact
from scenes.kit.every_pair import EveryPair
from scenes.kit.figures import rounded_to
from scenes.kit.flow import Flow, Sums, VectorName, digits_of
from scenes.kit.geometry import by, centre, left
from scenes.kit.labels import Label, formula, words
from scenes.kit.motion import Redraw, Travel, late
from scenes.kit.plane import Plane, Ruler, RulerLine, ruler_lines
from scenes.kit.plane_names import name_tips, name_vectors
from scenes.kit.shapes import arrow, dot
from scenes.kit.telling import BREATH, Telling
from scenes.kit.turn import Turn
from scenes.kit.wording import NOT_SAID, NUMBERS, ORDINALS, said

# ---------------------------------------------------------------- layout, px
# turning a query: the key lies along the ruler, the query's shadow falls on it
TURN = Turn((560.0, 610.0), unit=380.0, span=460.0, ruler_y=776.0)
TURN_NOTES, TURN_LEADING, TURN_NAME_DY = (1150.0, 440.0), 96.0, 130.0
PIVOT, NUDGE = 8.0, 16.0
RECAP, RECAP_ANGLE = Turn((1270.0, 560.0), unit=420.0, span=500.0, ruler_y=720.0), 0.17  # beside the takeaway
START_ANGLE, ALONG, RIGHT, WIDE = 0.3, 0.08, 0.5, 0.78  # of half a turn
# the worked example: arrows in a plane to the left, arithmetic to the right
PLANE_CORNER = 400.0, 769.0  # lower left of the arrows, where there is room
PLANE_UNIT, RULER_GAP = 468.0, 136.0
ARITHMETIC_X, NOTE_Y, LINE_Y, LINE_DY, VERDICT_DY = 1078.0, 352.0, 556.0, 200.0, 62.0
NOTE_LEADING, VECTOR_GAP, BROKEN_DY = 52.0, 44.0, 16.0  # BROKEN_DY: lines of two rows are lower
PLANE_ROOM = (96.0, 176.0, 1050.0, 982.0)  # names stay within: left, top, right, bottom
RULER_ROOM = (80.0, 146.0, 1050.0, 986.0)  # rulers and what stands at them, too
LIST_Y, LIST_DY, BELOW, STRETCHED_AT = 206.0, 58.0, 56.0, (96.0, 1010.0)  # BELOW: what stands under a list is lower
STRETCHED, OWN_SCALE = "Short arrows are drawn longer than to scale", "Query and keys have scales of their own"
ROUNDED, ROUNDED_AT = "Some numbers are rounded", (96.0, 196.0)  # under the title
EARLY = 0.15  # s before its word that a thing appears

REACH = {  # how far the query reaches along a key, by the key's direction
    "same": "Along [key|the {} key], the query [reaches] its full [far|length].",
    "nearly": "Along [key|the {} key], the query [reaches] nearly its full [far|length].",
    "partly": "Along [key|the {} key], the query [reaches] a part of its own [far|length].",
    "hardly": "Along [key|the {} key], the query [reaches] only a [far|little].",
    "right angle": "[key|The {} key] is at a [right angle]: the query does not [reaches|reach] along it [far|at all].",
    "hardly away": "Along [key|the {} key], the query [reaches] backwards, and only a [far|little].",
    "partly away": "Along [key|the {} key], the query [reaches] [far|backwards].",
    "opposite": "Along [key|the {} key], the query [reaches] [far|backwards], by its full length.",
}
POSITIVE = "a positive match"
VERDICT = {  # as it stands under a score, and as it is said
    "same": ("Same direction: full match", "a full match"),
    "nearly": ("Nearly the same direction: a strong match", "a strong match"),
    "partly": ("Partly the same direction: some match", "some match"),
    "hardly": (f"Nearly a right angle: {POSITIVE}", POSITIVE),
    "right angle": ("Right angle: no match", "no match"),
    "hardly away": ("Nearly a right angle: a negative match", "a negative match"),
    "partly away": ("Pointing away: a negative match", "a negative match"),
    "opposite": ("Opposite direction: a negative match", "a negative match"),
}


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
        plane = Plane.around(q, list(k), PLANE_CORNER, PLANE_UNIT, measured, RULER_GAP, RULER_ROOM)
        wash = self.look.wash("key")
        keys = [arrow(plane.origin, plane.to(key), wash, TURN.KEY_SHAFT, TURN.KEY_HEAD, edge="key") for key in k]
        query = arrow(plane.origin, plane.to(q), "query", TURN.QUERY_SHAFT, TURN.QUERY_HEAD)
        rulers = self._rulers(plane)
        scores = self.facts["worked_example.scores"]
        digits = digits_of(q, k, scores)
        room = self.look.frame.right - ARITHMETIC_X
        self.sums = Sums(q, {i: k[i] for i in self.pair}, scores, digits, room)
        self.query_name = VectorName("q", q, "query", digits)
        self.key_names = [VectorName(f"k_{i + 1}", key, "key", digits) for i, key in enumerate(k)]
        query_names, key_names = self._name_arrows(plane, rulers)
        others = [mob for i in range(len(k)) if i not in self.pair for mob in (keys[i], key_names[i])]
        pivot = dot(*plane.origin, PIVOT, "text").set_z_index(1)  # over what drops from it
        says = f"Here are {NUMBERS[len(k) - 1]} [keys] and a [query]"
        with self.say(f"{says}; let us measure [two] of the keys." if others else f"{says}.") as line:
            line.wait_for("keys", before=EARLY)
            self.play(FadeIn(*keys, *key_names), run_time=self.look.pace.fade)
            line.wait_for("query", before=EARLY)
            stretched = not plane.true_to_scale([q, *k])
            note = [words(STRETCHED, role="dim").place(*STRETCHED_AT)] if stretched else []
            leaving = note if plane.true_to_scale([q, *measured]) else []
            if plane.own_scale:
                note = [words(OWN_SCALE, role="dim").place(*STRETCHED_AT)]
            self.play(FadeIn(query, *query_names, pivot, *note), run_time=self.look.pace.fade)
            if others:
                line.wait_for("two", before=EARLY)
                self.play(*map(FadeOut, [*others, *leaving]), *self._close_up(), run_time=self.look.pace.quick)
        for i, ruler, name in zip(self.pair, rulers, ("first", "second"), strict=True):
            direction = self._direction(i)
            with self.say(REACH[direction].replace("{}", ORDINALS[i]), name=name) as line:
                self._measure(ruler, line, self._length_note() if name == "first" else [])
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
        return Ruler(plane, q, k[i], scores[i], line, name=name, avoid=avoid, taken=taken, room=RULER_ROOM)

    def _name_arrows(self, plane: Plane, rulers: list[Ruler]) -> tuple[list[Mobject], list[Mobject]]:
        """Names of the query and of the keys: beside the arrows in full, or at their tips, and in full in a list."""
        q, k = self.facts["worked_example.q"], self.facts["worked_example.k"]
        corners = [xy for i in self.pair if self._direction(i) == "right angle" for xy in plane.corner(q, k[i])]
        full = [(self.query_name, q, 1), *((self.key_names[i], k[i], -1) for i in self.pair)]
        if len(k) == len(self.pair) and name_vectors(plane, full, VECTOR_GAP, PLANE_ROOM, rulers, corners):
            return [self.query_name], list(self.key_names)
        self.listed = True
        for n, name in enumerate((self.query_name, *self.key_names)):
            name.shift(by(ARITHMETIC_X - left(name), self._row_of_list(n) - centre(name)[1]))
        tips = [(formula("q", role="query"), q)]
        tips += [(formula(f"k_{i + 1}", role="key"), key) for i, key in enumerate(k)]
        name_tips(plane, tips, PLANE_ROOM, rulers, corners)
        query, *keys = (name for name, _ in tips)
        return [query, self.query_name], [VGroup(*names) for names in zip(keys, self.key_names, strict=True)]

    @staticmethod
    def _row_of_list(n: int) -> float:
        return LIST_Y + n * LIST_DY

    def _close_up(self) -> list[Animation]:
        """The keys that are measured move up in the list when the others have left it."""
        moving = [(self.key_names[i], n) for n, i in enumerate(self.pair, 1) if self.listed]
        return [name.animate.shift(by(0, self._row_of_list(n) - centre(name)[1])).build() for name, n in moving]

    @property
    def pair(self) -> tuple[int, int]:
        """The keys that are measured and worked out: both, or of more the best match and the worst."""
        if int(self.facts["worked_example.n_keys"]) == 2:
            return 0, 1
        return int(self.facts["worked_example.strongest_index"]), int(self.facts["worked_example.weakest_index"])

    def _direction(self, i: int) -> str:
        return str(self.facts["worked_example.directions"][i])

    def _measure(self, ruler: Ruler, line: Telling, note: list[Label]) -> None:
        """Drop the query onto a ruler that runs beside the key."""
        line.wait_for("key", before=EARLY)
        self.play(FadeIn(ruler.axis, ruler.name, ruler.drops, *note), run_time=self.look.pace.quick)

    def _length_note(self) -> list[Label]:
        """Where a key's length counts, what the figures at the rulers are."""
        if self.facts["worked_example.unit_keys"]:
            return []
        text = "The dot product is the query’s signed length", "along the key, times the key’s length."
        y = NOTE_Y + BELOW * self.listed
        return [words(t, role="dim").place(ARITHMETIC_X, y + NOTE_LEADING * n) for n, t in enumerate(text)]

    # ------------------------------------------------------------ arithmetic

    def arithmetic(self) -> None:
        """The same, in numbers: components meet in products, products add up."""
        first, second = self.pair
        total, figures = said(self._score(first))
        with self.say(
            f"In numbers, [multiply] entry by entry, and [add] up. The sum is [score|{total}]: "
            f"[verdict|{self._verdict(first)[1]}].",
            *figures,
        ) as line:
            line.wait_for("multiply", before=EARLY)
            self._write_out(0, line.until("add"))
            self._conclude(0, line)
        total, figures = said(self._score(second))
        with self.say(
            f"For the {ORDINALS[second]} key, the [sum] is [score|{total}]: [verdict|{self._verdict(second)[1]}].",
            *figures,
            name="second",
        ) as line:
            self._write_out(1, line.until("score"))
            self._conclude(1, line)
        self.clear_stage(run_time=self.look.pace.quick)

    def _verdict(self, i: int) -> tuple[str, str]:
        """As it stands under the score, and as it is said; of a score next to zero, the direction, and no match."""
        written, spoken = VERDICT[self._direction(i)]
        if self._lengths_count() and float(self._score(i)) > 0:
            written, spoken = f"{written.partition(':')[0]}: {POSITIVE}", POSITIVE
        if self._next_to_zero(i):
            written = written.partition(":")[0]
            if not self._direction(i).startswith(("partly", "hardly")):  # along the key, and yet so little
                written += ", but small numbers"
            spoken = written[0].lower() + written[1:]
        return written, spoken

    def _lengths_count(self) -> bool:
        """Do two match, and not by direction alone? Then the larger score may be of the key that points farther off."""
        one, other = (float(self.facts["worked_example.k_norms"][i]) for i in self.pair)
        return all(float(self._score(i)) > 0 for i in self.pair) and not isclose(one, other)

    def _next_to_zero(self, i: int) -> bool:
        return 0 < abs(float(self._score(i))) < NOT_SAID

    def _score(self, i: int) -> Fact:
        return self.facts["worked_example.scores"][i]

    def _write_out(self, n: int, time: float) -> None:
        """The n-th line: q . k = a x b + c x d, its entries travelling out of the two vectors."""
        i = self.pair[n]
        pieces = self.sums.line(i, ARITHMETIC_X, self._line_y(n))
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
        return LINE_Y + n * LINE_DY + BELOW * self.listed + BROKEN_DY * self.sums.broken

    def _conclude(self, n: int, line: Telling) -> None:
        verdict = words(self._verdict(self.pair[n])[0])
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
            note = [] if flow.whole else [words(ROUNDED, role="dim").place(*ROUNDED_AT)]
            self.play(FadeIn(flow.values, *note, shift=by(NUDGE, 0)), run_time=self.look.pace.fade)
            line.wait_for("output", before=EARLY)
            self.play(FadeIn(flow.output, *flow.links), run_time=self.look.pace.fade)
        count, alike = int(self.facts["worked_example.n_keys"]), self._alike()
        tied, best = bool(self.facts["worked_example.tied"]), int(self.facts["worked_example.strongest_index"])
        nearly, decimals = ("", "") if tied else ("almost ", " to two decimals")
        both, rest, more = ("both keys", "the other", "more") if count == 2 else ("several keys", "any other", "most")
        asks = f"give {'more' if count == 2 else 'the most'} weight"
        if self.facts["worked_example.mostly_copied"]:
            asks = "mostly copy"
        prompt = f"Which value will the output {asks}?"
        matches = float(self._score(best)) >= NOT_SAID  # does any?
        better = f"The query matches the {ORDINALS[best]} key better than {rest}"
        better = better if matches else f"The {ORDINALS[best]} key scores higher than {rest}"
        explain = f"{better}, so its value weighs {more}."
        if alike[1:]:
            same = f"The query matches {both} {nearly}equally well"
            same = same if matches else f"{both.capitalize()} score {self._same(alike)}"
            explain = f"{same}, so{decimals} their values weigh the same."
            prompt = prompt if tied else f"To two decimals, which value will weigh {more}?"
        self.predict(
            "mostly_copies",
            prompt,
            choices=[
                *(f"The {number} value" for number in ORDINALS[:count]),
                f"{'Both' if count == 2 else 'Several'} equally",
            ],
            answer=count if alike[1:] else best,
            explain=explain,
        )

    def _alike(self) -> list[int]:
        """The keys that share the largest weight; or, if one leads, those whose weights have its two decimals."""
        if self.facts["worked_example.tied"]:
            return [int(i) for i in self.facts["worked_example.leaders"]]
        weights = [rounded_to(float(weight), 2) for weight in self.facts["worked_example.weights"]]
        return [i for i, weight in enumerate(weights) if weight == max(weights)]

    def _same(self, keys: list[int]) -> str:
        """How they score that lead together."""
        if any(map(self._next_to_zero, keys)) and all(abs(float(self._score(i))) < NOT_SAID for i in keys):
            return "next to zero"
        return "the same" if self.facts["worked_example.tied"] else "almost the same"

    def answer(self) -> None:
        """The better match lights the way to its value."""
        scores = self.flow.score_labels(self.facts["worked_example.scores"])
        leaders, nearly = self._alike(), "" if self.facts["worked_example.tied"] else "almost "
        place, two = ORDINALS[leaders[0]], int(self.facts["worked_example.n_keys"]) == 2
        label, more = ("more:", "more") if two else ("most:", "the most")
        if two and not self.facts["worked_example.clear"]:
            more = "a little more"
        way = f"[way|its value] gets {more} [value|weight]"
        if self.facts["worked_example.mostly_copied"]:
            label, way = "mostly", "the output [way|is] mostly its [value]"
        says = f"The {place} key [score|scores] {'higher' if two else 'highest'}, so {way}."
        if leaders[1:]:
            says = f"[score] {self._same(leaders)}, so their values [way|weigh] {nearly}the [value|same]."
            says = f"{'Both' if two else 'The best'} keys {says}"
        with self.say(says) as line:
            line.wait_for("score", before=EARLY)
            self.play(FadeIn(scores, shift=by(0, -NUDGE)), run_time=self.look.pace.fade)
            line.wait_for("way", before=EARLY)
            for lines in zip(*(self.flow.bright_links(i) for i in leaders), strict=True):
                self.play(*[Create(link) for link in lines], run_time=self.look.pace.quick)
            line.wait_for("value", before=EARLY)
            shown = self.flow.equally(leaders, not nearly) if leaders[1:] else self.flow.mostly(leaders[0], label)
            self.play(FadeIn(shown, shift=by(0, -NUDGE)), run_time=self.look.pace.quick)
        self.wait(self.look.pace.rest - BREATH)  # the answer has only just come
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
