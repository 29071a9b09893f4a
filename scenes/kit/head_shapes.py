"""The shape of a matrix as text whose sizes are labels of their own, so that each is seen where it goes."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from manim import Animation, FadeIn, FadeOut, Mobject, VGroup, VMobject

from lesson import Fact
from scenes.kit.geometry import by, pixel
from scenes.kit.labels import SEMIBOLD, Label, words
from scenes.kit.motion import late, passing
from scenes.kit.shapes import LINE, XY, path
from scenes.kit.theme import theme

SPACE = 0.2  # after a comma, em
ARCH, HOP = 68.0, 46.0  # how high a shape goes over what stands between, and a size over the others, px
MARK = (24.0, 42.0)  # a tick or a cross: its side, and from its left edge to the text after it, px


class ShapeText(VGroup):
    """A shape, as [6, 2, 4]; `sizes` are its figures in order."""

    def __init__(self, *sizes: Fact) -> None:
        super().__init__()
        self.opening, self.closing = self._set("["), self._set("]")
        self.sizes = [self._set("{}", size) for size in sizes]
        self.commas = [self._set(",") for _ in sizes[1:]]
        self.add(self.opening, *self.sizes, *self.commas, self.closing)
        pen = 0.0
        for part in self._in_order():
            part.place(pen, 0, "origin")
            pen += part.advance + (SPACE * part.em if part in self.commas else 0)

    @staticmethod
    def _set(template: str, *facts: Fact) -> Label:
        return words(template, *facts, em=theme().type.tag, weight=SEMIBOLD)

    def _in_order(self) -> list[Label]:
        first, *others = self.sizes
        pairs = zip(self.commas, others, strict=True)
        return [self.opening, first, *[part for pair in pairs for part in pair], self.closing]

    def place(self, x: float, baseline: float) -> ShapeText:
        """Stand on a baseline with the left edge at x."""
        left, low = pixel(self.opening.get_left())[0], self.opening.origin[1]
        self.shift(by(x - left, baseline - low))
        return self


class Arch(Animation):
    """Something goes where another thing stands, over what is between them: straight, or so many pixels high."""

    def __init__(self, mobject: Mobject, to: Mobject, high: float = 0.0, **kwargs: Any) -> None:
        self.goal, self.high = to.get_center(), high
        super().__init__(mobject, **kwargs)

    def begin(self) -> None:
        self.origin = cast(Mobject, self.mobject).get_center()
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        t = self.rate_func(alpha)
        rise = np.sqrt(max(4 * t * (1 - t), 0.0)) * -by(0, self.high)
        cast(Mobject, self.mobject).move_to(self.origin + (self.goal - self.origin) * t + rise)


def parted(old: ShapeText, new: ShapeText) -> list[Animation]:
    """The last size of a shape becomes two, where the new one will stand; afterwards it takes the old one's place."""
    return [
        FadeOut(old.sizes[-1], rate_func=passing(0, 0.4)),
        Arch(old.closing, new.closing),
        *[late(FadeIn(part), 0.4) for part in (new.commas[-1], *new.sizes[-2:])],
    ]


def first_to_second(old: ShapeText, new: ShapeText) -> list[Animation]:
    """The second size goes to the front, over the first, which makes room; the new one then takes the old one's place.

    The comma between them is gone while the first one passes.
    """
    first, second, *others = old.sizes
    comma, *commas = old.commas
    still = zip((*commas, *others, old.closing), (*new.commas[1:], *new.sizes[2:], new.closing), strict=True)
    moves = [Arch(second, new.sizes[0], HOP), Arch(first, new.sizes[1]), *[Arch(*pair) for pair in still]]
    return [*moves, FadeOut(comma, rate_func=passing(0)), late(FadeIn(new.commas[0]), 0.75)]


def tick(x: float, baseline: float) -> VMobject:
    """It is so: in front of what is meant."""
    return _stroke(x, baseline, (0.0, 0.55), (0.36, 0.95), (1.0, 0.05))


def cross(x: float, baseline: float) -> VGroup:
    """It is not so: in front of what is meant."""
    strokes = ((0.05, 0.05), (0.95, 0.95)), ((0.05, 0.95), (0.95, 0.05))
    return VGroup(*[_stroke(x, baseline, *ends, role="error") for ends in strokes])


def _stroke(x: float, baseline: float, *turns: XY, role: str = "text") -> VMobject:
    side = MARK[0]
    return path([(x + side * dx, baseline - side + side * dy) for dx, dy in turns], role, LINE)
