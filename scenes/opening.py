"""Chapter 1: one word looks for its meaning in the others."""

from __future__ import annotations

from manim import Create, FadeIn, FadeOut, LaggedStart, VGroup, VMobject, linear

from lesson import Fact
from scenes.kit.colour import mix
from scenes.kit.figures import adds_up
from scenes.kit.geometry import at, by, centre, left, right
from scenes.kit.labels import REGULAR, SEMIBOLD, Label, figure, run, words
from scenes.kit.motion import Redraw, Stream, late
from scenes.kit.scene import LessonScene
from scenes.kit.sentence import (
    CHIP_RADIUS,
    FULL_WIDTH,
    Box,
    Row,
    Sentence,
    Tag,
    between,
    blended,
    glance,
    listing,
    short_place,
)
from scenes.kit.shapes import HAIR, box, path

# ---- layout, px
BASELINE = 628  # of the sentence
WORD_EM, WORD_GAP, LEAST_SLOT = 52, 27, 66
FEET, ASIDE = 565, 10  # where arcs stand; from the middle of the word that looks
SLOPE, HIGHEST = 1 / 3, 352  # of an arc: height by width, and the most there is room for
FAINT, SHADE = 0.74, 0.5  # of the weight's colour in the arcs of the others, of the value's in their shares
LOOP_ASIDE, LOOP_DROP = 18, 20  # of the word's arc to itself, under its frame
WEIGHT_BASE, SCORE_BASE, SUM_GAP, ROUNDED_LEADING = 706, 800, 60, 44
BRACKET_Y, BRACKET_RISE = 738, 14  # under the weights that are summed
TAG_BASE, TAG_LEADING, TAG_END = 764, 54, 944
MANY_NAMES, MANY_END = 2, 1014  # with more names than that, tags take the note's place
QUERY_END, SCORE_GAP = 530, 12  # the last line of what is looked for, above its word; between "score" and figure
NOTE_BASE = 1008
NOTE = "Hand-made vectors; a trained model learns its own."
QUESTION_AT = (96, 160, 1728, 208)
FLOW_TIME, WORD_MIDDLE = 3, 1 / 2  # s; the level at which the word is half covered
BLEND_HEAD, BLEND_Y, BLEND_HEIGHT, BLEND_GAP, BLEND_PAD = 836, 862, 92, 6, 14

RISE, LAG = 20, 1 / 10  # how far things come from; between the starts of many
MARKS = ".,;:!?"  # stand close to the word before


class Opening(LessonScene):
    """A token builds its new meaning from the tokens that matter to it.

    The sentence lies on one line. What is looked for stands above it, later the arcs that join the word that looks
    with all others; under it hangs what is offered, later the scores, the weights, and the blend that comes out.
    """

    poster_beat = "winner"

    def construct(self) -> None:
        self.beats(
            self.sentence, self.ask, self.query, self.keys, self.match, self.guess,
            self.compare, self.weigh, self.total, self.winner, self.flow, self.blend, self.close,
        )  # fmt: skip

    # ------------------------------------------------------------------ the parts

    def setup(self) -> None:
        super().setup()
        fact = self.facts
        self.tokens, self.weights = fact["opening.tokens"], fact["opening.weights"]
        self.who, self.best, self.rival = (
            int(fact[f"opening.{name}_index"]) for name in ("query", "strongest", "second")
        )
        if self.rival == self.who:  # all others tie
            self.rival = next(i for i in range(len(self.tokens)) if i not in (self.who, self.best))
        self.wanted = self._names(fact["opening.q"])
        self.offers = {i: names for i, key in enumerate(fact["opening.k"]) if (names := self._names(key))}
        rows = max(len(names) for names in [self.wanted, *self.offers.values()])
        many = rows > MANY_NAMES
        self.leading = min(TAG_LEADING, ((MANY_END if many else TAG_END) - TAG_BASE) / (rows + 1))
        self.sum = words("sum {=2}", fact["opening.weight_sum"], role="dim")
        self.number = short_place(fact["opening.q"], *fact["opening.k"], fact["opening.scores"])
        self.line = Sentence(
            self.tokens, baseline=BASELINE, em=WORD_EM, left=self.look.frame.left,
            right=self.look.frame.right - SUM_GAP - max(self.sum.advance, words("score").advance),
            gap=WORD_GAP, least=LEAST_SLOT,
            hanging=[self._hanging(i) for i in range(len(self.tokens))],
        )  # fmt: skip
        self.score_base = TAG_BASE + self.leading * (rows + 1)
        self.note = words(NOTE, em=self.look.type.small, role="dim")
        self.note.place(self.look.frame.left, self.look.frame.subtitle_baseline if many else NOTE_BASE)
        self.figures = [self._weight(i) for i in range(len(self.tokens))]
        self.scores = [
            words(self.number, score, em=self.look.type.small).place(self.line.x(i), SCORE_BASE, "center")
            for i, score in enumerate(fact["opening.scores"])
        ]

    def _names(self, vector: Fact) -> dict[int, Fact]:
        """The dimensions in which a vector has something."""
        return {d: name for d, name in enumerate(self.facts["opening.dimensions"]) if float(vector[d])}

    def _hanging(self, i: int) -> float:
        """Width of the tag of a token, and of the query that will stand above it."""
        if i != self.who and i not in self.offers:
            return 0
        rows = [*self._rows(self.who, 0, 0).values(), *self._rows(i, 0, 0).values()]
        return max(words("looks for").advance, *(row.room for row in rows))

    def _rows(self, i: int, x: float, baseline: float) -> dict[int, Row]:
        """The entries of a token's query or key, the first a line below `baseline`."""
        q, k = self.facts["opening.q"], self.facts["opening.k"]
        own, role, names = (q, "query", self.wanted) if i == self.who else (k[i], "key", self.offers[i])
        return {
            d: Row(
                name, own[d], q[d] if d in self.wanted and i != self.who else None, self.number,
                x, baseline + self.leading * (line + 1), role,
            )
            for line, (d, name) in enumerate(names.items())
        }  # fmt: skip

    def _weight(self, i: int) -> Label:
        """The weight under a token; the largest stands out."""
        wins = i == self.best
        made = figure(
            self.weights[i],
            em=self.look.type.small,
            role="weight" if wins else "dim",
            weight=SEMIBOLD if wins else REGULAR,
        )
        return made.place(self.line.x(i), WEIGHT_BASE, "center")

    @property
    def slope(self) -> float:
        """Height of the arcs by their width: as steep as fits under the title."""
        ends = self.line.x(0), self.line.x(len(self.tokens) - 1)
        return min(SLOPE, HIGHEST / max(abs(self.line.x(self.who) - x) for x in ends))

    def _arc(self, i: int, width: float, strength: float) -> VMobject:
        """From the word that looks to another one, or to itself."""
        colour = mix(self.look.ground, self.look.weight, strength)
        if i == self.who:
            return self.line.loop(i, role=colour, width=width, aside=LOOP_ASIDE, drop=LOOP_DROP)
        return self.line.arc(self.who, i, FEET, role=colour, width=width, aside=ASIDE, slope=self.slope)

    def _tag(self, i: int) -> Tag:
        x, looks = self.line.x(i), i == self.who
        base = QUERY_END - self.leading * len(self.wanted) if looks else TAG_BASE
        return Tag("looks for" if looks else "offers", self._rows(i, x, base), x, base)

    def _filled(self, share: float) -> VGroup:
        """What has flowed into the word so far, and the word, whose ink changes where it is covered."""
        x, y, w, h = self.line.chip(self.who)
        level = min(max(share, 0), 1)
        ink = self.lit.copy().set_fill(self.look.on_solid if level > WORD_MIDDLE else self.look.query)
        rise = max(h * level, HAIR)
        shape = box(x, y + h - rise, w, rise, fill="value", radius=CHIP_RADIUS).set_fill(opacity=1 if level else 0)
        return VGroup(shape, ink)

    def _blend(self, area: Box, t: float) -> VGroup:
        """Shares of one area, as wide as the weights; the largest stands out when t nears 1."""
        return blended(self.weights, self.best, area, gap=BLEND_GAP * t, strength=1 + (SHADE - 1) * t)

    def _shares(self, bar: VGroup) -> dict[int, tuple[Label, Label]]:
        """Weight and word, on the shares that have room for them."""
        labels: dict[int, tuple[Label, Label]] = {}
        em, gap = self.look.type.small, SCORE_GAP
        for i, share in enumerate(bar):
            ink = "on_solid" if i == self.best else "text"
            weight = figure(self.weights[i], em=em, role=ink, weight=SEMIBOLD)
            word = words("{}", self.tokens[i], em=em, role=ink, weight=SEMIBOLD)
            width = weight.advance + gap + word.advance
            if width + 2 * BLEND_PAD <= right(share) - left(share):
                x, y = centre(share)
                weight.middle(x - width / 2, y)
                word.place(x + width / 2, weight.origin[1], "right")
                labels[i] = weight, word
        return labels

    # ------------------------------------------------------------------ beats

    def sentence(self) -> None:
        """The sentence is read, token by token."""
        self.show_title()
        template = "".join("{}" if str(token) in MARKS else " {}" for token in self.tokens).strip()
        with self.say(template, *self.tokens):
            arriving = [FadeIn(word, shift=by(0, -RISE), run_time=self.look.pace.fade) for word in self.line.words]
            self.play(LaggedStart(*arriving, lag_ratio=2 / 3))

    def ask(self) -> None:
        """One word lights up, and looks at two others."""
        x, y, w, h = self.line.chip(self.who)
        self.chip = box(x, y, w, h, fill=self.look.query_fill, edge="query", radius=CHIP_RADIUS)
        word = self.line.words[self.who]
        self.lit = word.copy().paint("query")
        others = [other for i, other in enumerate(self.line.words) if i != self.who]
        first, second = sorted((self.best, self.rival))
        with self.say(
            "What does “{}” mean here: “{}”, or “{}”? A model has to work that out with numbers.",
            *(self.tokens[i] for i in (self.who, first, second)),
        ):
            quieten = [other.animate.paint("quiet") for other in others]
            self.play(FadeIn(self.chip), FadeIn(self.lit), FadeOut(word), *quieten)
            self.maybe = VGroup()
            for i in (first, second):
                maybe = self.line.arc(self.who, i, FEET, role="query", width=HAIR * 2, aside=ASIDE, slope=self.slope)
                self.play(Create(maybe), self.line.words[i].animate.paint("text"))
                self.maybe.add(maybe)

    def query(self) -> None:
        """What it looks for comes out of the word."""
        self.tag = self._tag(self.who)
        template = f"So “{{}}” sends out a query, what it looks for: {listing(len(self.wanted))}."
        with self.say(template, self.tokens[self.who], *self.wanted.values()):
            quieten = [self.line.words[i].animate.paint("quiet") for i in (self.best, self.rival)]
            self.play(FadeOut(self.maybe), *quieten, run_time=self.look.pace.fade)
            self.play(FadeIn(self.tag.names, shift=by(0, -TAG_LEADING)), run_time=self.look.pace.move)

    def keys(self) -> None:
        """Other words hold up what they offer; the numbers were made by hand."""
        self.tags = {i: self._tag(i) for i in self.offers}
        rest = [word for i, word in enumerate(self.line.words) if i != self.who]
        best = self.offers[self.best]
        with self.say(
            f"Other words hold up keys, what they offer. “{{}}” offers {listing(len(best))}.",
            self.tokens[self.best], *best.values(),
        ):  # fmt: skip
            self.play(*[word.animate.paint("text") for word in rest], run_time=self.look.pace.fade)
            arriving = [FadeIn(tag.names, shift=by(0, TAG_LEADING)) for tag in self.tags.values()]
            self.play(LaggedStart(*arriving, lag_ratio=1 / 2), run_time=self.look.pace.slow)
        with self.say("We set these numbers by hand. A trained model learns its own.", name="by_hand"):
            tags = [self.tag, *self.tags.values()]
            numbers = [FadeIn(tag.entries, shift=by(-RISE, 0)) for tag in tags]
            self.play(LaggedStart(*numbers, lag_ratio=1 / 2), run_time=self.look.pace.slow)
            self.play(FadeIn(self.note), run_time=self.look.pace.fade)

    def match(self) -> None:
        """The query visits the keys: what both have is multiplied, and makes a score."""
        visitor = VGroup(*[row.copy() for row in self.tag.rows.values()])
        self.found, self.score_names = VGroup(), VGroup()
        with self.say("The query visits the keys. Entries that both have are multiplied; their sum is the score."):
            self.add(visitor)
            here = self.line.x(self.who)
            for i in sorted(self.offers, key=lambda i: float(self.weights[i])):
                self.play(visitor.animate.shift(by(self.line.x(i) - here, 0)), run_time=self.look.pace.move)
                here = self.line.x(i)
                self._meet(i)
            self.play(FadeOut(visitor), run_time=self.look.pace.quick)

    def _meet(self, i: int) -> None:
        """Query and key agree in some entries; out comes the score."""
        rows = self.tags[i].rows.values()
        shared = [(row, row.factor) for row in rows if row.factor is not None]
        missed = [
            label.animate.paint("quiet") for row in rows if row.factor is None for label in (row.title, row.entry)
        ]
        frames = VGroup(*[row.frame(self.leading) for row, _ in shared])
        apart = [
            part.animate.move_to(at(*goal))
            for row, _ in shared
            for part, goal in zip((row.title, row.entry), row.apart, strict=True)
        ]
        factors = VGroup(*[factor for _, factor in shared])
        self.found.add(*frames, *factors)
        coming = [FadeIn(frames), late(FadeIn(factors, shift=by(0, RISE)), 1 / 2)] if shared else []
        self.play(*apart, *coming, *missed, run_time=self.look.pace.fade)
        name = words("score", role="dim", em=self.look.type.small)
        run(name, self.scores[i], x=self.line.x(i), baseline=self.score_base, gap=SCORE_GAP, align="center")
        self.score_names.add(name)
        self.play(FadeIn(VGroup(name, self.scores[i]), shift=by(0, RISE)), run_time=self.look.pace.fade)

    def guess(self) -> None:
        """The learner decides before the weights are shown."""
        taken = {str(self.tokens[i]) for i in (self.best, self.rival, self.who)}
        longest = sorted({str(t) for t in self.tokens} - taken, key=lambda t: (-len(t), t))
        wanted = taken - {str(self.tokens[self.who])} | set(longest[:2])
        choices = sorted(wanted, key=[str(t) for t in self.tokens].index)
        self.predict(
            "winner",
            "Which word will “{}” draw on most?",
            self.tokens[self.who],
            choices=choices,
            answer=choices.index(str(self.tokens[self.best])),
            explain=self.text(
                "The key of “{}” fits the query of “{}” best, so it gets the largest weight: {}.",
                self.tokens[self.best], self.tokens[self.who], self.weights[self.best],
            ),
            place=QUESTION_AT,
        )  # fmt: skip

    def compare(self) -> None:
        """Arcs grow from the word to all others, at once and alike; each word has its score."""
        rising = sorted(range(len(self.tokens)), key=lambda i: float(self.weights[i]))  # the thickest lies on top
        self.arcs = {i: self._arc(i, HAIR, FAINT) for i in rising}
        leaving = [self.tag, *self.tags.values(), self.found, self.score_names]
        rising_scores = [
            self.scores[i].animate.move_to(at(self.line.x(i), SCORE_BASE + centre(self.scores[i])[1] - self.score_base))
            for i in self.offers
        ]
        others = [FadeIn(score) for i, score in enumerate(self.scores) if i not in self.offers]
        self.score_name = words("score", em=self.look.type.small, role="dim")
        self.score_name.place(self.line.end + SUM_GAP, SCORE_BASE)
        with self.say("Attention compares “{}” with every word, all at once.", self.tokens[self.who]):
            self.play(*[FadeOut(mob) for mob in leaving], run_time=self.look.pace.fade)
            self.play(*rising_scores, run_time=self.look.pace.fade)
            self.play(
                *[Create(arc) for arc in self.arcs.values()], *others, FadeIn(self.score_name),
                run_time=self.look.pace.slow,
            )  # fmt: skip

    def weigh(self) -> None:
        """Scores become weights, and each arc grows as thick as its weight."""
        strength = {i: 1 if i in (self.best, self.rival) else FAINT for i in self.arcs}
        thick = {i: max(HAIR, FULL_WIDTH * float(self.weights[i])) for i in self.arcs}
        up = by(0, (WEIGHT_BASE - SCORE_BASE) * 2 / 3)
        with self.say("Scaled, and put through a softmax, the scores become weights."):
            self.play(
                *[arc.animate.become(self._arc(i, thick[i], strength[i])) for i, arc in self.arcs.items()],
                LaggedStart(*[FadeIn(weight, shift=up) for weight in self.figures], lag_ratio=LAG),
                *[score.animate.paint("quiet") for score in self.scores],
                run_time=self.look.pace.slow,
            )
        self.rest()

    def total(self) -> None:
        """The weights make one."""
        self.sum.place(self.line.end + SUM_GAP, WEIGHT_BASE)
        parts = VGroup(self.sum)
        if not adds_up(self.weights):
            parts.add(words("rounded", role="dim").place(self.line.end + SUM_GAP, WEIGHT_BASE + ROUNDED_LEADING))
        start, end = left(self.figures[0]), right(self.figures[-1])
        top = BRACKET_Y - BRACKET_RISE
        self.bracket = path([(start, top), (start, BRACKET_Y), (end, BRACKET_Y), (end, top)], "dim")
        with self.say("Together, the weights make exactly one."):
            self.play(Create(self.bracket), run_time=self.look.pace.move)
            self.play(FadeIn(parts, shift=by(RISE, 0)), run_time=self.look.pace.fade)

    def winner(self) -> None:
        """The best match wins."""
        strong = words("{}", self.tokens[self.best], em=self.line.em, weight=SEMIBOLD)
        strong.place(self.line.x(self.best), BASELINE, "center")
        facts = [fact for i in (self.best, self.rival) for fact in (self.tokens[i], self.weights[i])]
        with self.say("“{}” wins: it gets a weight of {}, and “{}” only {}.", *facts):
            self.play(
                FadeOut(self.line.words[self.best]), FadeIn(strong), FadeOut(self.bracket), run_time=self.look.pace.fade
            )
            self.play(self.figures[self.rival].animate.paint("weight"), run_time=self.look.pace.move)
        self.line.words[self.best] = strong

    def flow(self) -> None:
        """Meaning flows along the arcs, as much as they are thick, and fills the word."""
        leaving = [*self.scores, self.score_name]
        streams = [Stream(arc.copy().set_stroke(self.look.value), rate_func=linear) for arc in self.arcs.values()]
        arrival = streams[0].arrival()
        filling = VGroup(self._filled(0))
        with self.say("Now meaning flows: every word passes on its value, in proportion to its weight."):
            self.play(*[FadeOut(mob) for mob in leaving], run_time=self.look.pace.fade)
            self.play(self.line.words[self.best].animate.paint("value"))
            self.remove(self.lit)
            self.play(
                *streams,
                Redraw(filling, lambda t: self._filled((t - arrival) / (1 - arrival)), rate_func=linear),
                run_time=FLOW_TIME,
            )  # fmt: skip

    def blend(self) -> None:
        """What has arrived unfolds: shares as long as the weights."""
        look = self.look
        to = (look.frame.left, BLEND_Y, look.frame.right - look.frame.left, BLEND_HEIGHT)
        head = words("the new “{}”", self.tokens[self.who], em=look.type.tag, weight=SEMIBOLD).place(to[0], BLEND_HEAD)
        x, _, w, _ = self.line.chip(self.who)
        below = x, BLEND_Y, w, BLEND_HEIGHT
        bar = VGroup(self._blend(self.line.chip(self.who), 0))
        template = "What arrives is a blend: most of all “{}”, and a little of everything else."
        with self.say(template, self.tokens[self.best]):
            self.play(
                Redraw(bar, lambda t: self._blend(between(self.line.chip(self.who), below, t), 0)), FadeOut(self.note),
                run_time=look.pace.move,
            )  # fmt: skip
            self.play(Redraw(bar, lambda t: self._blend(between(below, to, t), t)), run_time=look.pace.move)
            self.play(FadeIn(head), run_time=look.pace.quick)
            landing = []
            for i, (weight, word) in self._shares(bar).items():
                # The figure itself goes there; its ink changes on the way, since the share is solid.
                goal, ink = weight.get_center(), "on_solid" if i == self.best else "text"
                weight.paint("weight").move_to(self.figures[i])
                landing += [weight.animate.move_to(goal).paint(ink), late(FadeIn(word))]
            self.play(*landing, run_time=look.pace.move)
        self.rest()

    def close(self) -> None:
        """The takeaway."""
        self.takeaway(
            "A token builds its new",
            "#vc[meaning] from the tokens",
            "that #wc[matter] to it.",
            says="A token builds its new meaning from the tokens that matter to it.",
            picture=glance(self.tokens, self.weights, self.who, (self.best, self.rival), BASELINE),
        )
