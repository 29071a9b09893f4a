"""Chapter 1: one word looks for its meaning in the others."""

from __future__ import annotations

from manim import Create, FadeIn, FadeOut, LaggedStart, VGroup, VMobject, linear

from lesson import Fact
from scenes.kit.colour import mix
from scenes.kit.figures import adds_up
from scenes.kit.geometry import at, by, centre, left, right
from scenes.kit.labels import REGULAR, SEMIBOLD, Label, figure, words
from scenes.kit.motion import Redraw, Stream, Travel
from scenes.kit.scene import LessonScene
from scenes.kit.sentence import Sentence
from scenes.kit.shapes import HAIR, arch, box

# ---- layout, px
BASELINE = 628  # of the sentence
WORD_EM, WORD_GAP, LEAST_SLOT = 52, 27, 66
CHIP_UP, CHIP_DOWN, CHIP_PAD, CHIP_RADIUS = 53, 21, 18, 8  # the frame around the word that looks
FEET, ASIDE = 565, 10  # where arcs stand; from the middle of the word that looks
SLOPE, HIGHEST = 1 / 3, 352  # of an arc: height by width, and the most there is room for
FULL_WIDTH = 27  # of an arc with weight 1
FAINT = 0.5  # of the weight's colour, in an arc that weighs next to nothing
WEIGHT_BASE, SUM_GAP, ROUNDED_LEADING = 706, 60, 46
SUM_DIP = 46  # how far below the row the weights travel to their sum
TAG_BASE, TAG_LEADING, TAG_END = 796, 54, 958
MANY_NAMES, MANY_BASE, MANY_END = 3, 766, 1014  # with more names than that, tags take the note's place
MATCH_ARC = -0.16  # how high a name rises on its way to another word, by its way
TAG_PAD, TAG_HEIGHT, TAG_APART, TAG_CAP, TAG_RADIUS = 12, 44, 4, 26, 10  # the frame around a name that agrees
NOTE_BASE = 1008
NOTE = "Weights from hand-made vectors; a trained model learns its own."
QUESTION_AT = (96, 216, 1728, 232)
FLOW_TIME, WORD_MIDDLE = 3, 1 / 2  # s; the level at which the word is half covered
BLEND_HEAD, BLEND_Y, BLEND_HEIGHT, BLEND_GAP, BLEND_PAD = 836, 862, 92, 6, 14
SMALL_LEFT, SMALL_MIDDLE, SMALL_RIGHT = 1224, 1512, 1756  # the three words beside the takeaway

RISE, LAG = 20, 1 / 10  # how far things come from; between the starts of many
MARKS = ".,;:!?"  # stand close to the word before
Box = tuple[float, float, float, float]


def listing(count: int) -> str:
    """Places for so many things: "{}, {} and {}"."""
    return " and ".join(part for part in (", ".join(["{}"] * (count - 1)), "{}") if part)


def between(start: Box, end: Box, t: float) -> Box:
    """A rectangle on its way from one to another."""
    x, y, w, h = (a + (b - a) * t for a, b in zip(start, end, strict=True))
    return x, y, w, h


class Tag(VGroup):
    """What hangs under a word: a heading and names of dimensions; `names[d]` is that of dimension d."""

    def __init__(
        self, heading: str, names: dict[int, Fact], x: float, baseline: float, leading: float, role: str
    ) -> None:
        super().__init__()
        self.leading = leading
        self.heading = words(heading, role="dim").place(x, baseline, "center")
        self.names = {
            d: words("{}", name, role=role).place(x, baseline + leading * (i + 1), "center")
            for i, (d, name) in enumerate(names.items())
        }
        self.add(self.heading, *self.names.values())

    def frame(self, dimension: int) -> VMobject:
        """A frame around a name: query and key agree here."""
        name = self.names[dimension]
        x, baseline = name.origin
        height = min(TAG_HEIGHT, self.leading - TAG_APART)
        return box(
            x - TAG_PAD, baseline - TAG_CAP / 2 - height / 2, name.advance + 2 * TAG_PAD, height,
            edge="query", width=HAIR, radius=TAG_RADIUS,
        )  # fmt: skip


class Opening(LessonScene):
    """A token builds its new meaning from the tokens that matter to it.

    The sentence lies on one line. Arcs above it join the word that looks with all others; under it stand the
    weights, and under these what is looked for and offered, later the blend that comes out.
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
        self.sum = words("sum {=2}", fact["opening.weight_sum"], role="dim")
        self.line = Sentence(
            self.tokens, baseline=BASELINE, em=WORD_EM, left=self.look.frame.left,
            right=self.look.frame.right - SUM_GAP - self.sum.advance, gap=WORD_GAP, least=LEAST_SLOT,
            hanging=[self._hanging(i) for i in range(len(self.tokens))],
        )  # fmt: skip
        rows = max(len(names) for names in [self.wanted, *self.offers.values()])
        many = rows > MANY_NAMES
        self.tag_base, end = (MANY_BASE, MANY_END) if many else (TAG_BASE, TAG_END)
        self.leading = min(TAG_LEADING, (end - self.tag_base) / rows)
        self.note = words(NOTE, em=self.look.type.small, role="dim")
        self.note.place(self.look.frame.left, self.look.frame.subtitle_baseline if many else NOTE_BASE)
        self.figures = [self._weight(i) for i in range(len(self.tokens))]

    def _names(self, vector: Fact) -> dict[int, Fact]:
        """The dimensions in which a vector has something."""
        return {d: name for d, name in enumerate(self.facts["opening.dimensions"]) if float(vector[d])}

    def _hanging(self, i: int) -> float:
        """Width of the tag under a token."""
        names = self.wanted if i == self.who else self.offers.get(i, {})
        heading = "looks for" if i == self.who else "offers"
        if not names:
            return 0
        return max(words(heading).advance, *(words("{}", name).advance + 2 * TAG_PAD for name in names.values()))

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
    def chip_box(self) -> Box:
        """The frame around the word that looks."""
        word = self.line.words[self.who]
        width = word.advance + 2 * CHIP_PAD
        return self.line.x(self.who) - width / 2, BASELINE - CHIP_UP, width, CHIP_UP + CHIP_DOWN

    @property
    def slope(self) -> float:
        """Height of the arcs by their width: as steep as fits under the title."""
        ends = self.line.x(0), self.line.x(len(self.tokens) - 1)
        return min(SLOPE, HIGHEST / max(abs(self.line.x(self.who) - x) for x in ends))

    def _arc(self, i: int, width: float, strength: float) -> VMobject:
        """From the word that looks to another one."""
        colour = mix(self.look.ground, self.look.weight, strength)
        return self.line.arc(self.who, i, FEET, role=colour, width=width, aside=ASIDE, slope=self.slope)

    def _tag(self, i: int) -> Tag:
        if i == self.who:
            return Tag("looks for", self.wanted, self.line.x(i), self.tag_base, self.leading, "query")
        return Tag("offers", self.offers[i], self.line.x(i), self.tag_base, self.leading, "key")

    def _filled(self, share: float) -> VGroup:
        """What has flowed into the word so far, and the word, whose ink changes where it is covered."""
        x, y, w, h = self.chip_box
        level = min(max(share, 0), 1)
        ink = self.lit.copy().set_fill(self.look.on_solid if level > WORD_MIDDLE else self.look.query)
        rise = max(h * level, HAIR)
        shape = box(x, y + h - rise, w, rise, fill="value", radius=CHIP_RADIUS).set_fill(opacity=1 if level else 0)
        return VGroup(shape, ink)

    def _blend(self, area: Box, t: float) -> VGroup:
        """Shares of one area, as wide as the weights; the largest stands out when t nears 1."""
        x, y, w, h = area
        gap = BLEND_GAP * t
        room = w - gap * (len(self.weights) - 1)
        shares = VGroup()
        for i, weight in enumerate(self.weights):
            strength = 1 if i == self.best else 1 + (FAINT - 1) * t
            shade = mix(self.look.ground, self.look.value, strength)
            shares.add(box(x, y, room * float(weight), h, fill=shade))
            x += room * float(weight) + gap
        return shares

    def _shares(self, bar: VGroup) -> dict[int, Label]:
        """Weight and word, on the shares that have room for them."""
        labels: dict[int, Label] = {}
        for i, share in enumerate(bar):
            ink = "on_solid" if i == self.best else "text"
            label = words("{} {}", self.weights[i], self.tokens[i], em=self.look.type.small, role=ink, weight=SEMIBOLD)
            if label.advance + 2 * BLEND_PAD <= right(share) - left(share):
                x, y = centre(share)
                labels[i] = label.middle(x, y, "center")
        return labels

    def _small_picture(self) -> VGroup:
        """The word and the two that matter most to it."""
        picture = VGroup()
        for i, x in ((self.rival, SMALL_MIDDLE), (self.best, SMALL_LEFT)):
            width = max(HAIR, FULL_WIDTH * float(self.weights[i]))
            picture.add(arch(SMALL_RIGHT, x, FEET, (SMALL_RIGHT - x) * SLOPE, "weight", width))
            picture.add(words("{}", self.tokens[i], em=WORD_EM, role="value").place(x, BASELINE, "center"))
        word = words("{}", self.tokens[self.who], em=WORD_EM, role="on_solid").place(SMALL_RIGHT, BASELINE, "center")
        w, h = word.advance + 2 * CHIP_PAD, CHIP_UP + CHIP_DOWN
        chip = box(SMALL_RIGHT - w / 2, BASELINE - CHIP_UP, w, h, fill="value", radius=CHIP_RADIUS)
        return picture.add(chip, word)

    def _said(self, *indices: int) -> list[Fact]:
        return [self.tokens[i] for i in indices]

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
        x, y, w, h = self.chip_box
        self.chip = box(x, y, w, h, fill=self.look.query_fill, edge="query", radius=CHIP_RADIUS)
        word = self.line.words[self.who]
        self.lit = word.copy().paint("query")
        others = [other for i, other in enumerate(self.line.words) if i != self.who]
        first, second = sorted((self.best, self.rival))
        with self.say(
            "What does “{}” mean here: “{}”, or “{}”? A model has to work that out with numbers.",
            *self._said(self.who, first, second),
        ):
            quieten = [other.animate.paint("quiet") for other in others]
            self.play(FadeIn(self.chip), FadeIn(self.lit), FadeOut(word), *quieten)
            for i in (first, second):
                maybe = self.line.arc(self.who, i, FEET, role="query", width=HAIR * 2, aside=ASIDE, slope=self.slope)
                self.play(Create(maybe), self.line.words[i].animate.paint("text"))
                self.play(FadeOut(maybe), self.line.words[i].animate.paint("quiet"), run_time=self.look.pace.fade)

    def query(self) -> None:
        """What it looks for comes out of the word."""
        self.tag = self._tag(self.who)
        template = f"So “{{}}” sends out a query, what it looks for: {listing(len(self.wanted))}."
        with self.say(template, self.tokens[self.who], *self.wanted.values()):
            self.play(FadeIn(self.tag, shift=by(0, TAG_LEADING)), run_time=self.look.pace.move)

    def keys(self) -> None:
        """Other words hold up what they offer; the vectors were made by hand."""
        self.tags = {i: self._tag(i) for i in self.offers}
        rest = [word for i, word in enumerate(self.line.words) if i != self.who]
        best = self.offers[self.best]
        with self.say(
            f"Other words hold up keys, what they offer. “{{}}” offers {listing(len(best))}.",
            self.tokens[self.best], *best.values(),
        ):  # fmt: skip
            self.play(*[word.animate.paint("text") for word in rest], run_time=self.look.pace.fade)
            arriving = [FadeIn(tag, shift=by(0, TAG_LEADING)) for tag in self.tags.values()]
            self.play(LaggedStart(*arriving, lag_ratio=1 / 3), run_time=self.look.pace.slow)
        with self.say("We made these vectors by hand, and left the rest empty. A trained model learns its own."):
            self.play(FadeIn(self.note))

    def match(self) -> None:
        """The names that are looked for travel to where they are offered."""
        self.frames = VGroup()
        with self.say("Compare them: the more of the query a key has, the stronger the match."):
            for i in sorted(self.offers, key=lambda i: float(self.weights[i])):
                shared = [d for d in self.wanted if d in self.offers[i]]
                missed = [name for d, name in self.tags[i].names.items() if d not in self.wanted]
                frames = VGroup(*[self.tags[i].frame(d) for d in shared])
                going = [self.tag.names[d].copy() for d in shared]
                goals = [at(*centre(self.tags[i].names[d])) for d in shared]
                passes = any(min(i, self.who) < j < max(i, self.who) for j in self.offers)
                self.play(
                    *[Travel(name, goal, arc=MATCH_ARC * passes) for name, goal in zip(going, goals, strict=True)],
                    *[name.animate.paint("quiet") for name in missed],
                )  # fmt: skip
                self.frames.add(*frames)
                if shared:
                    self.play(FadeIn(frames), run_time=self.look.pace.quick)

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
                *self._said(self.best, self.who), self.weights[self.best],
            ),
            place=QUESTION_AT,
        )  # fmt: skip

    def compare(self) -> None:
        """Arcs grow from the word to all others, at once and alike."""
        rising = sorted(range(len(self.tokens)), key=lambda i: float(self.weights[i]))  # the thickest lies on top
        self.arcs = {i: self._arc(i, HAIR, FAINT) for i in rising if i != self.who}
        with self.say("Attention compares “{}” with every word, all at once.", self.tokens[self.who]):
            self.play(*[Create(arc) for arc in self.arcs.values()], run_time=self.look.pace.slow)

    def weigh(self) -> None:
        """Each arc grows as thick as its weight."""
        faint = {i: FAINT + (1 - FAINT) * float(self.weights[i]) / float(self.weights[self.best]) for i in self.arcs}
        thick = {i: max(HAIR, FULL_WIDTH * float(self.weights[i])) for i in self.arcs}
        with self.say("The better the match, the larger the weight."):
            self.play(
                *[arc.animate.become(self._arc(i, thick[i], faint[i])) for i, arc in self.arcs.items()],
                LaggedStart(*[FadeIn(weight, shift=by(0, RISE)) for weight in self.figures], lag_ratio=LAG),
                run_time=self.look.pace.slow,
            )
        self.rest()

    def total(self) -> None:
        """The weights make one."""
        self.sum.place(self.line.end + SUM_GAP, WEIGHT_BASE)
        parts = VGroup(self.sum)
        if not adds_up(self.weights):
            parts.add(words("rounded", role="dim").place(self.line.end + SUM_GAP, WEIGHT_BASE + ROUNDED_LEADING))
        to = at(*centre(self.sum))
        with self.say("Together, the weights make exactly one."):
            going = [
                Travel(weight.copy(), to, arc=-SUM_DIP / (centre(self.sum)[0] - centre(weight)[0]))
                for weight in reversed(self.figures)
            ]
            self.play(LaggedStart(*going, lag_ratio=LAG), run_time=self.look.pace.slow)
            self.play(FadeIn(parts), run_time=self.look.pace.quick)
        self.rest()

    def winner(self) -> None:
        """The best match wins."""
        best = self.line.words[self.best]
        strong = words("{}", self.tokens[self.best], em=self.line.em, weight=SEMIBOLD)
        strong.place(self.line.x(self.best), BASELINE, "center")
        facts = [fact for i in (self.best, self.rival) for fact in (self.tokens[i], self.weights[i])]
        with self.say("“{}” wins: it gets a weight of {}, and “{}” only {}.", *facts):
            self.play(FadeOut(best), FadeIn(strong), run_time=self.look.pace.fade)
        self.line.words[self.best] = strong
        self.rest()

    def flow(self) -> None:
        """Meaning flows along the arcs, as much as they are thick, and fills the word."""
        leaving = [*self.tags.values(), self.tag, self.frames]
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
        x, _, w, _ = self.chip_box
        below = x, BLEND_Y, w, BLEND_HEIGHT
        bar = VGroup(self._blend(self.chip_box, 0))
        template = "What arrives is a blend: most of all “{}”, and a little of everything else."
        with self.say(template, self.tokens[self.best]):
            self.play(
                Redraw(bar, lambda t: self._blend(between(self.chip_box, below, t), 0)), FadeOut(self.note),
                run_time=look.pace.move,
            )  # fmt: skip
            self.play(Redraw(bar, lambda t: self._blend(between(below, to, t), t)), run_time=look.pace.move)
            self.play(FadeIn(head), run_time=look.pace.quick)
            labels = self._shares(bar)
            goals = {i: at(*centre(label)) for i, label in labels.items()}
            self.play(*[Travel(self.figures[i].copy(), goal) for i, goal in goals.items()])
            self.play(*[FadeIn(label) for label in labels.values()], run_time=look.pace.quick)
        self.rest()

    def close(self) -> None:
        """The takeaway."""
        self.takeaway(
            "A token builds its new",
            "#vc[meaning] from the tokens",
            "that #wc[matter] to it.",
            says="A token builds its new meaning from the tokens that matter to it.",
            picture=self._small_picture(),
        )
