"""A weighted average in one small picture: weights as a bar, the values shortened by them, and what these add up to."""

from __future__ import annotations

from math import atan2
from typing import Any

from manim import Animation, ApplyMethod, FadeIn, GrowFromPoint, VGroup, VMobject

from lesson import Fact, FactReader
from scenes.kit.bars import FAINT_SHADE
from scenes.kit.cells import weight_of
from scenes.kit.colour import contrast
from scenes.kit.figures import adds_up
from scenes.kit.geometry import at, by
from scenes.kit.head_to_tail import Arrow, Chain, Crowd, length
from scenes.kit.labels import SEMIBOLD, Label, figure, rich, words
from scenes.kit.motion import late
from scenes.kit.shapes import BOLD, HAIR, XY, arrow, box, dot
from scenes.kit.theme import theme
from scenes.kit.wording import NUMBERS

# ---- layout, px from the corner of the picture
NOTE_DY, PLANE_DY, PLANE_W, PLANE_H = 6, 42, 346, 118  # whose weights these are; the arrows under that
BAR_DY, BAR_H, SUM_DX = 224, 44, 18  # the weights under the arrows; from there to their sum
ROUNDED_DY = 38  # from the sum to the word under it
LIST_PITCH = 40  # names in a list, if not all have room beside their arrows
NEAR, ASIDE = 14, 30  # arrows so near to their sum are not told from it; how far it moves then
LEAST_HEAD, HEAD_SHARE = 12, 0.7  # of a short arrow
HEAD, ORIGIN, OUTPUT_UP, OUTPUT_CAP, OUTPUT_ON = (26, 26), 8, 28, 12, 16
WEIGHT_ARC = 1.7  # at most: weights rise past the arrows on their right, and none goes down first
NAMES_OUT, NAMES_DY, FIGURE_PAD = 32, 14, 8  # how far names may leave the plane, and not above that; beside a figure


class WeightedAverage:
    """The weights and values of the worked example: `bars`, one a weight, `total` beside them, and `note` above.

    `grow` makes the arrows, in the order of `order`, and `add_up` their sum.

    Parameters
    ----------
    facts
        Of the lesson.
    place, width
        The picture's corner, and how far names may reach from there, px.
    """

    def __init__(self, facts: FactReader, place: XY, width: float) -> None:
        x, y = place
        small = theme().type.small
        self.weights = facts["worked_example.weights"]
        self._chain = Chain.of(facts["worked_example.contributions"], (x, y + PLANE_DY, PLANE_W, PLANE_H))
        self.order = list(self._chain.arrows)
        self.note = words(f"example with {NUMBERS[len(self.weights) - 1]} keys", em=small, role="dim")
        self.note.place(x, y + NOTE_DY)
        self.bars = _bars(self.weights, x, y + BAR_DY)
        self.total = _sum(
            self.weights, facts["worked_example.weight_sum"], x + PLANE_W + SUM_DX, y + BAR_DY + BAR_H / 2
        )
        arrows, self._total = self._chain.arrows, _beside(self._chain)
        start, tip = self._total
        self.output = words("output", weight=SEMIBOLD)
        half = self.output.advance / 2
        # before the end of its arrow, or, of one too short for that, from there on
        edge = tip[0] + 2 * half if length(self._total) < HEAD[0] else max(tip[0], x + PLANE_W / 2)
        above, beyond = (edge - half, tip[1] - OUTPUT_UP - OUTPUT_CAP), (tip[0] + OUTPUT_ON + half, tip[1])
        longest_first = sorted(arrows, key=lambda i: -length(arrows[i]))
        names = {i: rich(f"#wc[{{}}] $vc(v_{i + 1})$", weight) for i, weight in enumerate(self.weights)}

        def crowd(reach: float) -> Crowd:
            area = x - NAMES_OUT, y + NAMES_DY, x + reach, y + BAR_DY
            made = Crowd(area, [*arrows.values(), self._total], HEAD, ORIGIN, [self.total])
            made.stand(self.output, self._total, *([beyond] if tip[0] > start[0] else []), above, far=True)
            return made

        for order in (longest_first, longest_first[::-1]):
            beside = crowd(width)
            self.names = {i: names[i] for i in order if beside.stand(names[i], arrows[i])}
            if len(self.names) == len(names):
                break
        if len(self.names) < len(names):  # where not all have room, all stand in a list, in the order of the arrows
            crowd(PLANE_W)
            listed = [*self.order, *[i for i in names if i not in self.order]]
            first = y + PLANE_DY + (PLANE_H - (len(listed) - 1) * LIST_PITCH) / 2
            self.names = {i: names[i].middle(x + width, first + n * LIST_PITCH, "right") for n, i in enumerate(listed)}

    def grow(self, i: int) -> list[Animation]:
        """A value's arrow; its weight comes out of the bar, and the value's name joins it.

        With the last arrow come the names of those that are too short to be seen.
        """
        start, end = self._chain.arrows[i]
        head = min(HEAD[0], max(LEAST_HEAD, length((start, end)) * HEAD_SHARE))
        growing: list[Animation] = [GrowFromPoint(arrow(start, end, "value", BOLD, (head, head)), at(*start))]
        if i in self.names:
            weight, *others = self.names[i].submobjects
            goal = weight.get_center()
            weight.move_to(self.bars[i])
            dx, dy, _ = goal - weight.get_center()
            moved: Any = ApplyMethod(weight.move_to, goal, path_arc=min(WEIGHT_ARC, 2 * atan2(dy, dx)))
            growing += [moved, *[late(FadeIn(part)) for part in others]]
        return [*growing, *[late(FadeIn(name)) for name in self._unseen(i)]]

    def _unseen(self, i: int) -> list[Label]:
        """The names that come with the i-th value's, the last one: of those without an arrow."""
        return [name for j, name in self.names.items() if i == self.order[-1] and j not in self.order]

    def come(self, i: int) -> VGroup:
        """The names that `grow` has brought."""
        return VGroup(*[name for j, name in self.names.items() if j == i], *self._unseen(i))

    def add_up(self) -> list[Animation]:
        """The output, from the start of the first arrow to the end of the last, or beside them."""
        origin, tip = self._total
        whole = VGroup(arrow(origin, tip, "text", BOLD, HEAD, edge="ground"), dot(*origin, ORIGIN, "text"))
        return [GrowFromPoint(whole, at(*origin)), FadeIn(self.output)]


def _beside(chain: Chain) -> Arrow:
    """The chain's total; moved aside where it would lie on the arrows that it is made of."""
    (x0, y0), (x1, y1) = chain.total
    long = length(chain.total) or 1
    nx, ny = (y1 - y0) / long, (x0 - x1) / long
    off = max((abs((x - x0) * nx + (y - y0) * ny) for arrow in chain.arrows.values() for x, y in arrow), default=ASIDE)
    if off >= NEAR:
        return chain.total
    return (x0 + nx * ASIDE, y0 + ny * ASIDE), (x1 + nx * ASIDE, y1 + ny * ASIDE)


def _sum(weights: Fact, total: Fact, x: float, y: float) -> VGroup:
    """The sum behind the bar; below it "rounded", where the digits shown don't add up to it."""
    small = theme().type.small
    made = VGroup(words("sum {=2}", total, em=small, role="dim").middle(x, y))
    if not adds_up(weights):
        made[0].shift(by(0, -ROUNDED_DY / 2))
        made.add(words("rounded", em=small, role="dim").middle(x, y + ROUNDED_DY / 2))
    return made


def _bars(weights: Fact, x: float, y: float) -> VGroup:
    """Weights as lengths of one bar: parts [ground, figure], the figure where there is room for it."""
    bars = VGroup()
    for weight in weights:
        w = PLANE_W * float(weight)
        look = weight_of(float(weight))
        made: Label = figure(weight, em=theme().type.small, role=look.ink or "text", weight=SEMIBOLD)
        made.middle(x + w / 2, y + BAR_H / 2, "center")
        shade = theme().weight_shade(float(weight))
        edge = "weight" if contrast(shade, theme().ground) < FAINT_SHADE else "ground"
        bar: VMobject = box(x, y, max(w, HAIR), BAR_H, fill=look.fill, edge=edge if w > theme().frame.gap else None)
        bars.add(VGroup(bar, made) if made.advance + FIGURE_PAD <= w else VGroup(bar))
        x += w
    return bars
