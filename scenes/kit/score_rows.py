"""Figures in rows under a sentence: scores, the same divided by the root of d_k, and the weights they become."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from manim import Animation, FadeIn, FadeOut, VGroup, VMobject

from lesson import Fact, FactReader
from scenes.kit.figures import adds_up
from scenes.kit.geometry import at, by, centre, left, right
from scenes.kit.labels import Label, rich, run, words
from scenes.kit.motion import late, lifted
from scenes.kit.sentence import TINY, Sentence, common_power, figures
from scenes.kit.shapes import path
from scenes.kit.tags import listed
from scenes.kit.theme import theme
from scenes.kit.wording import Said, about, said

# ---- layout, px
WEIGHT_BASE, SCALED_BASE, SCORE_BASE = 706, 850, 910
TURN_BASE, ROUNDED_BASE = 750, 794  # what stands at the right end of the bracket, and under that
ROOT_BASE, ROOT_GAP, ROOT_LEFT = 964, 12, 900  # what the root is of; past the note in the corner
ABOVE_ZERO_BASE, ABOVE_ZERO_GAP = 760, 20  # under the weights, where the bracket was; to what stands beside
NAME_GAP = 60  # from the last figure of a row to its name
BRACKET_Y, BRACKET_RISE = 738, 14  # under the weights that are summed
LIFT = 2 / 3  # how much of the way up figures are seen to come
RISE = 20  # how far things come from
WEIGHT_NAME, TURN, ROUNDED = "weight", "softmax", "rounded"
ROWS = "scores", "scaled", "weights"


def name_room(total: Fact) -> float:
    """The width of what stands at the right end of the rows."""
    named = [words(name, em=theme().type.small) for name in (WEIGHT_NAME, TURN, ROUNDED)]
    return NAME_GAP + max(label.advance for label in (*named, _total(total)))


def figure_rooms(facts: FactReader) -> list[float]:
    """The width of the widest figure of each column."""
    power = _power(facts)
    rows = [figures(facts[f"opening.{name}"], power=power) for name in ROWS]
    return [max(row[i].advance for row in rows) for i in range(len(facts["opening.weights"]))]


class ScoreRows:
    """Three rows, each computed from the one below it, with its name at its right end.

    `scores`, `scaled` and `weights` are the figures by token; `names` what stands at the right of `scores` and
    `scaled`, `weight_name` and `total` at that of the weights, `bracket` under those that are summed, and `above_zero`
    what is said of a weight that is shown as 0.00. They are on the screen once an animation from here has been played.
    """

    def __init__(self, line: Sentence, facts: FactReader, best: Collection[int]) -> None:
        self._line, self._facts = line, facts
        power = _power(facts)
        self.scores = line.row(facts["opening.scores"], SCORE_BASE, power=power)
        self.scaled = line.row(facts["opening.scaled"], SCALED_BASE, power=power)
        self.weights = line.row(facts["opening.weights"], WEIGHT_BASE, role="dim", best=best)
        self.names = VGroup()
        small = theme().type.small
        self.weight_name = self._at_end(words(WEIGHT_NAME, em=small, role="weight"), WEIGHT_BASE)
        self._turn = self._at_end(words(TURN, em=small), TURN_BASE)
        self.total = VGroup(self._at_end(_total(facts["opening.weight_sum"]), TURN_BASE))
        if not adds_up(facts["opening.weights"]) or any(
            0 < float(weight) < TINY for weight in facts["opening.weights"]
        ):
            self.total.add(self._at_end(words(ROUNDED, em=small, role="dim"), ROUNDED_BASE))
        start, end = left(self.weights[line.shown[0]]), right(self.weights[line.shown[-1]])
        top = BRACKET_Y - BRACKET_RISE
        self.bracket = path([(start, top), (start, BRACKET_Y), (end, BRACKET_Y), (end, top)], "dim")
        self.above_zero = self._above_zero()
        self.root = self._root()

    def _at_end(self, label: Label, baseline: float) -> Label:
        return label.place(self._line.end + NAME_GAP, baseline)

    def _named(self, name: Label, baseline: float) -> Label:
        self.names.add(self._at_end(name, baseline))
        return name

    def _above_zero(self) -> list[Label]:
        """That a weight which is shown as 0.00 is none: from under one of them on, or beside the word that looks."""
        line, weights, frame = self._line, self._facts["opening.weights"], theme().frame
        tiny = sorted(i for i in self.weights.keys() - line.dots if 0 < float(weights[i]) < TINY)
        x, _, w, _ = line.chip(int(self._facts["opening.query_index"]))
        before, after = x - ABOVE_ZERO_GAP, x + w + ABOVE_ZERO_GAP
        notes = {i: words("{} is above zero", weights[i], em=theme().type.small, role="dim") for i in tiny}
        places = [(i, left(self.weights[i])) for i in tiny]
        places += [(i, start) for i in tiny for start in (before - notes[i].advance, after)]
        for i, start in places:
            note = notes[i].place(start, ABOVE_ZERO_BASE)
            aside = right(note) <= before or after <= left(note)
            if aside and frame.left <= start and right(note) + ABOVE_ZERO_GAP <= line.end + NAME_GAP:
                return [note]
        return []

    def _root(self) -> tuple[Label, Label, Label]:
        """What has d_k dimensions, how many these are, and their root."""
        d_k, scale = self._facts["opening.d_k"], self._facts["opening.scale"]
        small, frame = theme().type.small, theme().frame
        count = rich("$d_k = {}$", d_k, em=small)
        equals = "=" if about(scale) == "{}" else "approx"
        root = rich(f"so $sqrt(d_k) {equals} {{}}$", scale, em=small)
        room = frame.right - frame.left - count.advance - root.advance - 2 * ROOT_GAP
        names = listed(self._facts["opening.dimensions"], room)
        width = names.advance + count.advance + root.advance + 2 * ROOT_GAP
        end = max(self._line.end + name_room(self._facts["opening.weight_sum"]), ROOT_LEFT + width)
        run(names, count, root, x=min(end, frame.right), baseline=ROOT_BASE, gap=ROOT_GAP, align="right")
        return names, count, root

    def says_root(self) -> Said:
        """The line on the division; marks: divided, dimensions, count, root."""
        d_k, scale = self._facts["opening.d_k"], self._facts["opening.scale"]
        rounded = about(scale)
        many, number = said(d_k)
        by_much, divisor = said(scale) if rounded == "{}" else (rounded, [scale])
        template = (
            "Each score is [divided] by the square root of the number of [dimensions]. "
            f"Here there {'is' if int(d_k) == 1 else 'are'} [count|{many}], whose root is [root|{by_much}]."
        )
        return template, [*number, *divisor]

    # ------------------------------------------------------------ animations

    def line_up(self, known: Iterable[int]) -> list[Any]:
        """Scores that stand elsewhere come into their row, which gets its name."""
        moving: list[Any] = []
        for i in known:
            score = self.scores[i]
            rise = centre(score)[1] - score.origin[1]
            moving.append(score.animate.move_to(at(self._line.x(i), SCORE_BASE + rise)))
        return [*moving, FadeIn(self._named(words("score", em=theme().type.small, role="dim"), SCORE_BASE))]

    def name_division(self) -> Animation:
        """What makes the second row."""
        return FadeIn(self._named(rich("$div sqrt(d_k)$", em=theme().type.small), SCALED_BASE), shift=by(0, -RISE))

    def divide(self) -> list[Any]:
        """The second row comes out of the first."""
        rise = by(0, (SCALED_BASE - SCORE_BASE) * LIFT)
        return lifted(list(self.scores.values()), list(self.scaled.values()), rise)

    def name_softmax(self) -> list[Any]:
        """What makes the third row; what has been said of the division goes."""
        going = [FadeOut(VGroup(*self.root)), *[name.animate.paint("dim") for name in self.names]]
        return [FadeIn(self._turn, shift=by(0, -RISE)), *going]

    def turn(self) -> list[Any]:
        """The third row comes out of the second, and is named."""
        rise = by(0, (WEIGHT_BASE - SCALED_BASE) * LIFT)
        name = late(FadeIn(self.weight_name, shift=by(0, -RISE)))  # over the softmax, with the last figures
        return [*lifted(list(self.scaled.values()), list(self.weights.values()), rise), name]

    def add_up(self) -> list[Animation]:
        """The sum of the weights stands where the softmax was."""
        return [FadeOut(self._turn), late(FadeIn(self.total, shift=by(RISE, 0)), 1 / 2)]

    def tell_others(self, rivals: Iterable[int]) -> list[Any]:
        """The weights of rivals stand out, too, and a weight of 0.00 is told from none."""
        told = [self.weights[i] for i in rivals if i in self.weights.keys() - self._line.dots]
        return [*[weight.animate.paint("weight") for weight in told], *map(FadeIn, self.above_zero)]

    def leave_weights(self) -> list[Animation]:
        """Only the weights stay."""
        going: list[VMobject] = [*self.scores.values(), *self.scaled.values(), self.names]
        return [FadeOut(mob) for mob in going]


def _power(facts: FactReader) -> str:
    """The place of scores next to zero."""
    return common_power(facts["opening.scores"], facts["opening.scaled"])


def _total(fact: Fact) -> Label:
    return words("sum {=2}", fact, em=theme().type.small, role="dim")
