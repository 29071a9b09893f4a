"""A weighted average in one small picture: weights as a bar, the values shortened by them, and what these add up to."""

from __future__ import annotations

from typing import Any

from manim import Animation, ApplyMethod, FadeIn, GrowFromPoint, VGroup, VMobject

from lesson import Fact, FactReader
from scenes.kit.cells import weight_of
from scenes.kit.geometry import at
from scenes.kit.head_to_tail import Chain, Crowd, length
from scenes.kit.labels import SEMIBOLD, Label, figure, rich, words
from scenes.kit.motion import late
from scenes.kit.shapes import BOLD, HAIR, XY, arrow, box, dot
from scenes.kit.theme import theme
from scenes.kit.wording import NUMBERS

# ---- layout, px from the corner of the picture
NOTE_DY, PLANE_DY, PLANE_W, PLANE_H = 6, 42, 346, 118  # whose weights these are; the arrows under that
BAR_DY, BAR_H, SUM_DX = 224, 44, 18  # the weights under the arrows; from there to their sum
HEAD, ORIGIN, OUTPUT_UP, OUTPUT_CAP, OUTPUT_ON = (26, 26), 8, 28, 12, 16
WEIGHT_ARC = 1.7  # weights rise past the arrows on their right
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
        self.total = words("sum {=2}", facts["worked_example.weight_sum"], em=small, role="dim")
        self.total.middle(x + PLANE_W + SUM_DX, y + BAR_DY + BAR_H / 2)
        area = x - NAMES_OUT, y + NAMES_DY, x + width, y + BAR_DY
        crowd = Crowd(area, [*self._chain.arrows.values(), self._chain.total], HEAD, ORIGIN)
        self.output = words("output", weight=SEMIBOLD)
        (start, _), tip = self._chain.total
        half, edge = self.output.advance / 2, max(tip[0], x + PLANE_W / 2)
        above, beyond = (edge - half, tip[1] - OUTPUT_UP - OUTPUT_CAP), (tip[0] + OUTPUT_ON + half, tip[1])
        crowd.stand(self.output, self._chain.total, *([beyond] if tip[0] > start else []), above)
        longest_first = sorted(self.order, key=lambda i: -length(self._chain.arrows[i]))
        names = {i: rich(f"#wc[{{}}] $vc(v_{i + 1})$", self.weights[i]) for i in longest_first}
        self.names = {i: name for i, name in names.items() if crowd.stand(name, self._chain.arrows[i])}

    def grow(self, i: int) -> list[Animation]:
        """A value's arrow; its weight comes out of the bar, and the value's name joins it, where there is room."""
        start, end = self._chain.arrows[i]
        growing = GrowFromPoint(arrow(start, end, "value", BOLD, HEAD), at(*start))
        if i not in self.names:
            return [growing]
        weight, *others = self.names[i].submobjects
        goal = weight.get_center()
        weight.move_to(self.bars[i])
        moved: Any = ApplyMethod(weight.move_to, goal, path_arc=WEIGHT_ARC)
        return [growing, moved, *[late(FadeIn(part)) for part in others]]

    def add_up(self) -> list[Animation]:
        """The output, from the start of the first arrow to the end of the last."""
        origin, tip = self._chain.total
        whole = VGroup(arrow(origin, tip, "text", BOLD, HEAD, edge="ground"), dot(*origin, ORIGIN, "text"))
        return [GrowFromPoint(whole, at(*origin)), FadeIn(self.output)]


def _bars(weights: Fact, x: float, y: float) -> VGroup:
    """Weights as lengths of one bar: parts [ground, figure], the figure where there is room for it."""
    bars = VGroup()
    for weight in weights:
        w = PLANE_W * float(weight)
        look = weight_of(float(weight))
        made: Label = figure(weight, em=theme().type.small, role=look.ink or "text", weight=SEMIBOLD)
        made.middle(x + w / 2, y + BAR_H / 2, "center")
        bar: VMobject = box(x, y, max(w, HAIR), BAR_H, fill=look.fill, edge="ground" if w > theme().frame.gap else None)
        bars.add(VGroup(bar, made) if made.advance + FIGURE_PAD <= w else VGroup(bar))
        x += w
    return bars
