"""Animations that carry the mathematics: things travel out of what they are computed from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import hypot
from typing import Any, cast

import numpy as np
from manim import Animation, FadeIn, Mobject, VGroup, VMobject, smooth, squish_rate_func
from manim.animation.animation import prepare_animation

from scenes.kit.geometry import Point, at, centre, pixel
from scenes.kit.labels import Label
from scenes.kit.telling import Telling
from scenes.kit.theme import theme

_ARRIVING = 45.0  # px from its end, a thing that moves along is within it


class Travel(Animation):
    """A copy of something moves to a point and goes into it: it fades over the last stretch and is removed."""

    def __init__(self, mobject: Mobject, to: Point, *, arc: float = 0.0, shrink: float = 1.0, **kwargs: Any) -> None:
        self.to, self.arc, self.shrink = to, arc, shrink
        super().__init__(mobject, remover=True, introducer=True, **kwargs)

    def begin(self) -> None:
        self.start: Mobject = cast(Mobject, self.mobject).copy()
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        t = self.rate_func(alpha)
        mobject = cast(Mobject, self.mobject)
        mobject.become(self.start)
        origin = self.start.get_center()
        across = np.array([origin[1] - self.to[1], self.to[0] - origin[0], 0.0])
        if self.shrink != 1:
            mobject.scale(1 + (self.shrink - 1) * t)
        mobject.move_to(origin + (self.to - origin) * t + across * self.arc * 4 * t * (1 - t))
        left = 1.0 if t < _FADE_FROM else (1 - t) / (1 - _FADE_FROM)
        _fade(mobject, self.start, left)


_FADE_FROM = 0.9  # whole until it lands


def _fade(mobject: Mobject, full: Mobject, share: float) -> None:
    for mob, whole in zip(mobject.get_family(), full.get_family(), strict=True):
        if isinstance(mob, VMobject) and isinstance(whole, VMobject) and len(mob.points):
            mob.set_fill(opacity=whole.get_fill_opacity() * share, family=False)
            mob.set_stroke(opacity=whole.get_stroke_opacity() * share, family=False)


class Along(Travel):
    """A copy of something moves along a path and goes into what is at its end."""

    def __init__(self, mobject: VMobject, course: VMobject, **kwargs: Any) -> None:
        self.course = course
        super().__init__(mobject, course.get_end(), **kwargs)

    def interpolate_mobject(self, alpha: float) -> None:
        super().interpolate_mobject(alpha)
        mobject = cast(VMobject, self.mobject)
        mobject.move_to(self.course.point_from_proportion(self.rate_func(alpha)))
        (x, y), (to_x, to_y) = centre(mobject), pixel(self.to)
        if hypot(to_x - x, to_y - y) < _ARRIVING:  # its surround of ground would stand out in a cell that lights up
            mobject.set_stroke(width=0, background=True)


class MoveCells(Animation):
    """Each cell moves from where it is to where it belongs, in reading order, as a wave.

    Parameters
    ----------
    cells
        Anything with a centre, in the order in which they start.
    to
        The centres to move to, px.
    lag
        How much of the time the starts are spread over, below 1: 0 all at once, 0.9 almost one by one.
    arc
        How far a path bows aside, as a share of its length.
    """

    def __init__(
        self,
        cells: Sequence[VMobject],
        to: Sequence[tuple[float, float]],
        *,
        lag: float = 0.5,
        arc: float = 0.0,
        **kwargs: Any,
    ) -> None:
        self.cells, self.to, self.lag, self.arc = list(cells), [at(*xy) for xy in to], lag, arc
        super().__init__(VGroup(*cells), rate_func=lambda t: t, **kwargs)

    def begin(self) -> None:
        self.start = [cell.get_center() for cell in self.cells]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        count = max(len(self.cells) - 1, 1)
        for i, (cell, start, end) in enumerate(zip(self.cells, self.start, self.to, strict=True)):
            begin = self.lag * i / count
            t = float(smooth(float(np.clip((alpha - begin) / (1 - self.lag), 0, 1))))
            across = np.array([start[1] - end[1], end[0] - start[0], 0.0])
            cell.move_to(start + (end - start) * t + across * self.arc * 4 * t * (1 - t))

    def clean_up_from_scene(self, scene: Any) -> None:
        """The group was only the animation's; the cells stay where they were in the scene."""
        scene.remove(self.mobject)
        scene.add(*self.cells)


class Redraw(Animation):
    """A picture that is a function of a number: redrawn for each frame by `draw(t)`, t from 0 to 1.

    For lengths and areas that change by a rule (a bar that is divided by its total), where blending outlines would
    only look like it.
    """

    def __init__(self, mobject: Mobject, draw: Callable[[float], Mobject], **kwargs: Any) -> None:
        self.draw = draw
        super().__init__(mobject, **kwargs)

    def interpolate_mobject(self, alpha: float) -> None:
        drawn, mobject = self.draw(float(self.rate_func(alpha))), cast(Mobject, self.mobject)
        mobject.become(drawn)
        for old, new in zip(mobject.get_family(), drawn.get_family(), strict=False):
            if isinstance(old, Label) and isinstance(new, Label):
                old.natural_height = new.natural_height  # the text itself may have been cut


class Stream(Animation):
    """Something flows through a path, from its end to its start: it enters, fills the path, and runs out.

    Parameters
    ----------
    path
        Drawn only while the animation plays.
    length
        Of the stream, in lengths of the path.
    """

    def __init__(self, path: VMobject, *, length: float = 1.0, **kwargs: Any) -> None:
        self.whole, self.length = path, length
        super().__init__(path.copy(), remover=True, introducer=True, **kwargs)

    def arrival(self) -> float:
        """The share of the time after which the front reaches the start of the path."""
        return 1 / (1 + self.length)

    def interpolate_mobject(self, alpha: float) -> None:
        front = self.rate_func(alpha) * (1 + self.length)
        far, near = min(max(front - self.length, 0.0), 1.0), min(front, 1.0)
        cast(VMobject, self.mobject).pointwise_become_partial(self.whole, 1 - near, 1 - far)


def wave(animations: Sequence[Animation], lag: float = 0.5) -> list[Animation]:
    """Start them one after the other within one play; `lag` as in `MoveCells`.

    Unlike a `LaggedStart` it makes no group, so that parts of a larger thing keep their place in it and in depth.
    """
    count = max(len(animations) - 1, 1)
    for i, animation in enumerate(animations):
        start = lag * i / count
        animation.rate_func = squish_rate_func(smooth, start, start + 1 - lag)
    return list(animations)


def late(animation: Animation, start: float = 0.6) -> Animation:
    """It begins only after that share of the play."""
    animation.rate_func = squish_rate_func(smooth, start, 1)
    return animation


def passing(start: float, length: float = 0.25) -> Callable[[float], float]:
    """A rate function: over that share of the play, from `start` on; for what something touches as it passes."""
    return squish_rate_func(smooth, start, min(1.0, start + length))


def cued(line: Telling, when: Mapping[str, Sequence[Any]], *, before: float = 0.15, takes: float = 0.5) -> list[Any]:
    """Animations of one play that lasts `line.left()`, each set off by its mark.

    Parameters
    ----------
    when
        Animations by the mark they belong to.
    before, takes
        They start that much before the mark is said, and take that long, s.
    """
    span, ready = line.left(), []
    for mark, animations in when.items():
        start = min(max(line.until(mark, least=0) - before, 0), span - takes) / span if span > takes else 0
        for animation in map(prepare_animation, animations):
            animation.rate_func = squish_rate_func(smooth, start, min(1, start + takes / span))
            ready.append(animation)
    return ready


def lifted(old: Sequence[VMobject], new: Sequence[VMobject], rise: Point) -> list[Any]:
    """Figures come, one after the other, out of those that they are computed from, which step back."""
    quiet = theme().quiet
    return wave([FadeIn(label, shift=rise) for label in new]) + [label.animate.set_fill(quiet) for label in old]
