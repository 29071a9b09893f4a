"""Chapter 1: one word looks for its meaning in the others."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from manim import (
    Animation,
    ApplyMethod,
    Create,
    FadeIn,
    FadeOut,
    VGroup,
    VMobject,
    linear,
    rush_from,
    squish_rate_func,
    there_and_back,
)  # fmt: skip

from scenes.kit.blend import between, blended, filled_chip, glance, landed, lit_up, share_labels
from scenes.kit.cast import Cast
from scenes.kit.colour import mix
from scenes.kit.geometry import by, left, overlap, right, top
from scenes.kit.labels import SEMIBOLD, Label, run, words
from scenes.kit.motion import Redraw, Stream, Travel, cued, late
from scenes.kit.scene import LessonScene
from scenes.kit.score_rows import ScoreRows, figure_rooms, name_room
from scenes.kit.sentence import CHIP_PAD, CHIP_RADIUS, FULL_WIDTH, Box, Sentence, lines_of
from scenes.kit.shapes import HAIR, box
from scenes.kit.tags import SCORE_GAP, Tags
from scenes.kit.wording import guesses, listing, places, reading

# ---- layout, px
BASELINE = 628  # of the sentence
WORD_EM, WORD_GAP, LEAST_SLOT = 52, 27, 66
FEET, ASIDE = 565, 10  # where arcs stand; from the middle of the word that looks
FAINT, SHADE = 0.74, 0.5  # of the weight's colour in the arcs of the others, of the value's in their shares
LOOP_ASIDE, LOOP_DROP = 18, 20  # of the word's arc to itself, under its frame
WHOLE_MIDDLE = 560  # of the lines of a sentence that doesn't fit on one
NOTE_BASE = 1008
NOTE = "Hand-made vectors; a trained model learns its own."
SEVERAL_KEYS = "Other words hold up [keys] that say what they [offer]: for"
ONE_KEY = "Another word holds up a [keys|key] that says what it [offer|offers]: for"
QUESTION_AT, BESIDE = (96, 160, 1728, 208), 40  # from the query that it stands beside
FLOW_TIME = 3  # s at least
BLEND_HEAD, BLEND_Y, BLEND_HEIGHT, BLEND_GAP = 836, 862, 92, 6

RISE, SENT_OUT = 20, 0.4  # how far things come from; how large what a word sends out leaves it
EARLY, REACH = 0.15, 0.6  # s before its word that a thing appears, and that an arc sets out for its word
LEAST_VISIT, GOING = 1.2, 0.35  # s of the query at a key; the share of that which it is on its way
LANDS = 0.6  # the share of a way after which what comes of it is seen
SIDEWAYS = 0.6  # how far products bow aside, past those below, as a share of their way


class Opening(LessonScene):
    """A token builds its new meaning from the tokens that matter to it.

    The sentence lies on one line. What is looked for stands above it, later the arcs that join the word that looks
    with all others; under it hangs what is offered, later the scores, the weights, and the blend that comes out.
    """

    poster_beat = "winner"

    def construct(self) -> None:
        self.beats(
            self.sentence, self.ask, self.query, self.keys, self.guess, self.match,
            self.compare, self.scale, self.weigh, self.winner, self.flow, self.blend, self.close,
        )  # fmt: skip

    # ------------------------------------------------------------------ the parts

    def setup(self) -> None:
        super().setup()
        fact = self.facts
        self.cast = cast = Cast(self.facts)
        self.tokens, self.weights, self.names = cast.tokens, cast.weights, cast.names
        self.who, self.best, self.pair, self.wanted = cast.who, cast.best, cast.pair, cast.wanted
        self.leaders = {self.best, *map(int, fact["opening.leaders"])} - {self.who}
        self.made = made = Tags(cast, fact["opening.q"], fact["opening.k"])
        least = [max(LEAST_SLOT, room) for room in figure_rooms(fact)]
        hanging = made.hanging(tight=False)
        hanging[self.who] = 0  # its query stands above, where no key does
        self.line = Sentence(
            self.tokens, baseline=BASELINE, em=WORD_EM, left=self.look.frame.left + (0 if self.who else CHIP_PAD),
            right=self.look.frame.right - name_room(fact["opening.weight_sum"]),
            gap=WORD_GAP, least=least, needed=cast.needed,
            hanging=hanging, tight=made.hanging(tight=True), framed=self.who,
        )  # fmt: skip
        self.stars = self.leaders & (self.line.words.keys() - self.line.dots)  # what stands out
        made.rooms = self.line.rooms
        self.tags = {
            i: made.key(i, self.line.x(i)) for i in cast.offers if i in self.line.words.keys() - self.line.dots
        }
        self.tag = made.query(made.above(self.line.x(self.who)))
        self.note = self._note()
        self.whole = lines_of(self.tokens, middle=WHOLE_MIDDLE, em=WORD_EM, gap=WORD_GAP)
        self.rows = ScoreRows(self.line, fact, self.stars)

    def _note(self) -> Label | VGroup:
        """That the numbers are made by hand; it makes room for tags of many rows, and is left to the voice at last."""
        note, frame = words(NOTE, em=self.look.type.small, role="dim"), self.look.frame
        if not self.made.many:
            return note.place(frame.left, NOTE_BASE)
        free = frame.right if self.line.x(self.who) < (frame.left + frame.right) / 2 else frame.left
        note.place(free, frame.subtitle_baseline, "right" if free == frame.right else "left")
        return VGroup() if overlap(note, VGroup(self.tag.kind, self.tag.does)) else note

    def _arc(self, i: int, width: float, strength: float, colour: str) -> VMobject:
        """From the word that looks to another one, or to itself."""
        colour = mix(self.look.ground, colour, strength)
        if i == self.who:
            return self.line.loop(i, role=colour, width=width, aside=LOOP_ASIDE, drop=LOOP_DROP)
        return self.line.arc(self.who, i, FEET, role=colour, width=width, aside=ASIDE)

    def _blend(self, area: Box, t: float) -> VGroup:
        """Shares of one area, as wide as the weights; the largest stands out when t nears 1."""
        return blended(self.weights, self.leaders, area, gap=BLEND_GAP * t, strength=1 + (SHADE - 1) * t)

    # ------------------------------------------------------------------ beats

    def sentence(self) -> None:
        """The sentence is read, token by token."""
        self.show_title()
        template, marks = reading(self.tokens)
        with self.say(template, *self.tokens) as line:
            whole = list(self.line.words.values()) if not self.line.dots else self.whole
            arriving = [[FadeIn(word, shift=by(0, -RISE))] for word in whole]
            self.play(*cued(line, dict(zip(marks, arriving, strict=True))), run_time=line.left())
        if self.line.dots:
            with self.say(
                "There is no room for all the words on one line, so [dots] stand for some.", name="dots"
            ) as line:
                line.wait_for("dots", before=EARLY)
                kept = {i: word for i, word in self.line.words.items() if i not in self.line.dots}
                going = [FadeOut(word) for i, word in enumerate(whole) if i not in kept]
                moving = [whole[i].animate.become(word) for i, word in kept.items()]
                coming = [late(FadeIn(self.line.words[i])) for i in sorted(self.line.dots)]
                self.play(*going, run_time=self.look.pace.fade)
                self.play(*moving, *coming, run_time=self.look.pace.move)
                self.remove(*whole)
                self.add(*self.line.words.values())

    def ask(self) -> None:
        """One word lights up, and looks at two others."""
        x, y, w, h = self.line.chip(self.who)
        self.chip = box(x, y, w, h, fill=self.look.query_fill, edge="query", radius=CHIP_RADIUS)
        word = self.line.words[self.who]
        self.lit = word.copy().paint("query")
        others = [other for i, other in self.line.words.items() if i != self.who]
        template, facts, pair = self.cast.asks()
        with self.say(template, *facts) as line:
            quieten = [other.animate.paint("quiet") for other in others]
            line.wait_for("who", before=EARLY)
            self.play(FadeIn(self.chip), FadeIn(self.lit), FadeOut(word), *quieten, run_time=self.look.pace.fade)
            self.maybe = VGroup()
            for mark, i in pair.items():
                maybe = self.line.arc(self.who, i, FEET, role="query", width=HAIR * 2, aside=ASIDE)
                line.wait_for(mark, before=REACH)
                lighter = late(self.line.words[i].animate.paint("text").build())
                self.play(Create(maybe), lighter, run_time=line.until(mark, end=True))
                self.maybe.add(maybe)

    def query(self) -> None:
        """What it looks for comes out of the word."""
        marks = places("wanted", len(self.wanted))
        with self.say(
            f"“{{}}” sends out a [query] that says what it [looks for]: {listing(marks)}.",
            self.tokens[self.who], *self.wanted.values(),
        ) as line:  # fmt: skip
            quieten = [self.line.words[i].animate.paint("quiet") for i in self.pair]
            rising: dict[str, list[Label]] = {"query": [self.tag.kind], "looks for": [self.tag.does]}
            rising |= {mark: [row.title] for mark, row in zip(marks, self.tag.rows.values(), strict=True)}
            coming = {
                mark: [FadeIn(part, target_position=self.chip, scale=SENT_OUT) for part in parts]
                for mark, parts in rising.items()
            }
            self.play(FadeOut(self.maybe), *quieten, run_time=self.look.pace.fade)
            self.play(*cued(line, coming), run_time=line.left())

    def keys(self) -> None:
        """Other words hold up what they offer; the numbers were made by hand."""
        rest = [word for i, word in self.line.words.items() if i != self.who]
        shown = self.cast.rows(self.best)
        marks = places("offered", len(shown))
        more = ", and more" if len(shown) < len(self.cast.offers[self.best]) else ""
        hold = SEVERAL_KEYS if self.tags.keys() - {self.best} else ONE_KEY
        with self.say(
            f"{hold} “{{}}”, {listing(marks)}{more}.",
            self.tokens[self.best], *shown.values(),
        ) as line:  # fmt: skip
            sinking: dict[str, list[Label]] = {"keys": [tag.kind for tag in self.tags.values()]}
            sinking["offer"] = [tag.does for tag in self.tags.values()]
            sinking |= {mark: [row.title] for mark, row in zip(marks, self.tags[self.best].rows.values(), strict=True)}
            others = [tag for i, tag in self.tags.items() if i != self.best]
            sinking[marks[-1]] += [row.title for tag in others for row in tag.rows.values()]
            sinking[marks[-1]] += [dots for tag in self.tags.values() for dots in tag.more]
            coming = {mark: [FadeIn(part, shift=by(0, RISE)) for part in parts] for mark, parts in sinking.items()}
            self.play(*[word.animate.paint("text") for word in rest], run_time=self.look.pace.fade)
            self.play(*cued(line, coming), run_time=line.left())
        with self.say("The [numbers] are made by hand; [trained] models learn theirs.", name="by_hand") as line:
            line.wait_for("numbers", before=EARLY)
            numbers = [part for tag in (self.tag, *self.tags.values()) for part in tag.number(by(-RISE, 0))]
            self.play(*numbers, run_time=self.look.pace.fade)
            line.wait_for("trained", before=EARLY)
            self.play(FadeIn(self.note), run_time=self.look.pace.fade)

    def guess(self) -> None:
        """The learner decides before any score is shown: query and keys tell enough."""
        fits, facts = self.cast.fits()
        choices, answer = guesses(self.tokens, self.who, self.cast.asked, self.cast.tied)
        self.predict(
            "winner",
            self.cast.question,
            self.tokens[self.who],
            choices=choices,
            answer=answer,
            explain=self.text(fits, *facts),
            place=self._free_of_query(),
        )  # fmt: skip

    def _free_of_query(self) -> Box:
        """Where the question stands: over all, or beside a query that reaches up there."""
        x, y, w, h = QUESTION_AT
        if top(self.tag) >= y + h:
            return QUESTION_AT
        sides = (x, left(self.tag) - BESIDE), (right(self.tag) + BESIDE, x + w)
        start, end = max(sides, key=lambda side: side[1] - side[0])
        return start, y, end - start, FEET - y - BESIDE

    def match(self) -> None:
        """The query visits the keys: entry by entry both are multiplied, and the products make a score."""
        visitor = VGroup(*self.tag.rows.values())
        self.score_names = VGroup()
        # First the key with most to add up, where that is seen slowly, then the others on the way.
        first = min(self.tags, key=lambda i: (-self.tags[i].meets, abs(i - self.who)))
        others = sorted(self.tags.keys() - {first}, key=lambda i: (abs(i - first), i))
        says = f"The [query] visits {'each' if others else 'the'} key. [Entry by entry], the two are [multiplied], "
        says += "and the [products] add up to a [score]."
        if int(self.facts["opening.d_k"]) == 1:
            says = f"The [query] visits {'each' if others else 'the'} key. Both have [Entry by entry|one entry]: "
            says += "the two are [multiplied], and the [products|product] is the [score]."
        with self.say(says) as line:
            line.wait_for("query", before=EARLY)
            self.play(self._visit(visitor, self.who, first), run_time=line.until("Entry by entry"))
            self.play(*self.tags[first].agree(self.made.leading), run_time=line.until("Entry by entry", end=True))
            line.wait_for("multiplied", before=EARLY)
            self.play(*self.tags[first].multiply(self.tag), run_time=self.look.pace.move)
            line.wait_for("products", before=EARLY)
            self.play(*self._adding(first), run_time=line.until("score", end=True))
            if not others:
                self.rest()
        if others:
            with self.say("The better a key fits, the higher the score.", name="others") as line:
                each = max(LEAST_VISIT, line.left() / len(others))
                for here, i in pairwise([first, *others]):
                    self.play(self._visit(visitor, here, i), run_time=each * GOING)
                    self.play(
                        *self.tags[i].agree(self.made.leading),
                        *self.tags[i].multiply(self.tag),
                        run_time=each * (1 - GOING) / 2,
                    )
                    self.play(*self._adding(i), run_time=each * (1 - GOING) / 2)
                self.rest()  # the scores are compared before the keys that they came from leave

    def _visit(self, visitor: VGroup, start: int, to: int) -> Any:
        return visitor.animate.shift(by(self.made.above(self.line.x(to)) - self.made.above(self.line.x(start)), 0))

    def _adding(self, i: int) -> list[Animation]:
        """The products of a key slide into its score, one after the other, the nearest first."""
        name = words(self.made.named(i, self.rows.scores[i]), role="dim", em=self.look.type.small)
        run(name, self.rows.scores[i], x=self.line.x(i), baseline=self.made.score_base, gap=SCORE_GAP, align="center")
        self.score_names.add(name)
        goal = self.rows.scores[i].get_center()
        products = [Travel(product, goal, arc=SIDEWAYS) for product in reversed(self.tags[i].products())]
        turns = max(len(products), 2)  # one alone would be long on its way, and lie on the row that it comes from
        for turn, product in enumerate(products):
            product.rate_func = squish_rate_func(rush_from, turn / turns, (turn + 1) / turns)
        return [*products, late(FadeIn(VGroup(name, self.rows.scores[i])), LANDS * len(products) / turns)]

    def compare(self) -> None:
        """Arcs grow from the word to all others, at once and alike; each word has its score."""
        rising = sorted(self.line.shown, key=lambda i: float(self.weights[i]))  # the thickest lies on top
        self.arcs = {i: self._arc(i, HAIR, FAINT, self.look.score) for i in rising}
        others = [
            late(FadeIn(score, target_position=self.line.words[i], scale=SENT_OUT), LANDS)
            for i, score in self.rows.scores.items()
            if i not in self.tags
        ]
        with self.say(
            "Attention compares “{}” with [every word], or token, all at once.", self.tokens[self.who]
        ) as line:
            leaving = self.tag, *self.tags.values(), self.score_names
            self.play(*[FadeOut(mob) for mob in leaving], run_time=self.look.pace.fade)
            self.play(*self.rows.line_up(self.tags), run_time=line.until("every word"))
            self.play(*map(Create, self.arcs.values()), *others, run_time=line.left())

    def scale(self) -> None:
        """Each score is divided by the square root of the number of dimensions."""
        rows, (names, count, root), (template, facts) = self.rows, self.rows.root, self.rows.says_root()
        with self.say(template, *facts) as line:
            line.wait_for("divided", before=EARLY)
            self.play(rows.name_division(), run_time=self.look.pace.fade)
            for mark, label in ("dimensions", names), ("count", count):
                line.wait_for(mark, before=EARLY)
                self.play(FadeIn(label), run_time=self.look.pace.fade)
            line.wait_for("root", before=EARLY)
            self.play(FadeIn(root), *rows.divide(), run_time=self.look.pace.move)

    def weigh(self) -> None:
        """The scaled scores become weights, each arc grows as thick as its weight, and the weights make one."""
        bright = {self.cast.digits(i) for i in {*self.cast.mattering, *self.stars}}
        strength = {i: 1 if self.cast.digits(i) in bright else FAINT for i in self.arcs}
        thick = {i: max(HAIR, FULL_WIDTH * float(self.weights[i])) for i in self.arcs}
        final = {i: self._arc(i, thick[i], strength[i], self.look.weight) for i in self.arcs}
        with self.say("A [softmax] turns the scores into [weights], which [add up] to [exactly] one.") as line:
            line.wait_for("softmax", before=EARLY)
            self.play(*self.rows.name_softmax(), run_time=self.look.pace.fade)
            line.wait_for("weights", before=EARLY)
            growing = [arc.animate.become(final[i]) for i, arc in self.arcs.items()]
            self.play(*growing, *self.rows.turn(), run_time=self.look.pace.move)
            line.wait_for("add up", before=EARLY)
            self.play(Create(self.rows.bracket), run_time=line.until("exactly"))
            self.play(*self.rows.add_up(), run_time=self.look.pace.fade)

    def winner(self) -> None:
        """The best match wins; a weight of 0.00 is told from none."""
        strong = {i: self.line.strong(self.tokens[i], i) for i in self.stars}
        template, facts = self.cast.won()
        with self.say(template, *facts) as line:
            line.wait_for("wins", before=EARLY)
            emboldening = [change for i in strong for change in (FadeOut(self.line.words[i]), FadeIn(strong[i]))]
            self.play(*emboldening, FadeOut(self.rows.bracket), run_time=self.look.pace.fade)
            rivals = self.cast.rivals if "[rival|" in template else []
            if telling := self.rows.tell_others(rivals):
                line.wait_for("rival" if rivals else "wins", before=EARLY)
                self.play(*telling, run_time=self.look.pace.fade)
        self.line.words |= strong

    def flow(self) -> None:
        """Meaning flows along the arcs, as much as they are thick, and fills the word."""
        streams = [Stream(arc.copy().set_stroke(self.look.value), rate_func=linear) for arc in self.arcs.values()]
        arrival = streams[0].arrival()
        chip = self.line.chip(self.who)
        self.filling = filling = VGroup(filled_chip(chip, self.lit, 0))
        others = [word for i, word in self.line.words.items() if i not in {self.who, *self.stars}]
        passing_on = [ApplyMethod(word.paint, "value", rate_func=there_and_back) for word in others]
        with self.say("Every word [passes on] its value, in proportion to its weight.") as line:
            best = [self.line.words[i].animate.paint("value") for i in self.stars]
            self.play(*self.rows.leave_weights(), *best, run_time=line.until("passes on"))
            self.remove(self.lit)
            self.play(
                *streams, *passing_on,
                Redraw(filling, lambda t: filled_chip(chip, self.lit, (t - arrival) / (1 - arrival)), rate_func=linear),
                run_time=line.left(FLOW_TIME),
            )  # fmt: skip

    def blend(self) -> None:
        """What has arrived unfolds: shares as long as the weights."""
        look, chip = self.look, self.line.chip(self.who)
        to = (look.frame.left, BLEND_Y, look.frame.right - look.frame.left, BLEND_HEIGHT)
        head = words("the new “{}”", self.tokens[self.who], em=look.type.tag, weight=SEMIBOLD).place(to[0], BLEND_HEAD)
        below = chip[0], BLEND_Y, chip[2], BLEND_HEIGHT
        bar, own = VGroup(self._blend(chip, 0)), self.rows.weights[self.who]
        template, most = self.cast.becomes()
        with self.say(
            f"What arrives is the new [meaning] of “{{}}”: {template}.", self.tokens[self.who], *most
        ) as line:
            # The word's own weight stands right in the way down: it makes room until the block is past.
            self.play(FadeOut(own), FadeOut(self.note), run_time=look.pace.quick)
            self.add(bar, self.filling)  # out from behind the word
            self.play(Redraw(bar, lambda t: self._blend(between(chip, below, t), 0)), run_time=line.until("meaning"))
            self.play(
                Redraw(bar, lambda t: self._blend(between(below, to, t), t)), FadeIn(head), FadeIn(own),
                run_time=look.pace.move,
            )  # fmt: skip
            shown = [i for i in self.line.shown if i not in self.line.dots]
            shares = share_labels(self.tokens, self.weights, self.leaders, bar, shown)
            for mark, wanted in ("most", self.stars), ("rest", shares.keys() - self.stars):
                line.wait_for(mark, before=EARLY)
                named = [(*shares[i], self.rows.weights[i]) for i in sorted(wanted & shares.keys())]
                landing = [part for share in named for part in landed(*share)]
                lit = lit_up(self.leaders, bar, self.weights, self.rows.weights) if mark == "rest" else []
                if landing or lit:
                    self.play(*lit, *landing, run_time=look.pace.move)
        self.rest()

    def close(self) -> None:
        """The takeaway."""
        self.takeaway(
            "A token builds its new",
            "#vc[meaning] from the tokens",
            "that #wc[matter] to it.",
            says="A token builds its new meaning from the tokens that matter to it.",
            picture=glance(self.tokens, self.weights, self.who, self.cast.mattering, BASELINE),
        )
