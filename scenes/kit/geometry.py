"""Frame pixels and Manim's points. All layout is in pixels of a 1920 x 1080 frame, y downwards."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from manim import Mobject

from scenes.kit.theme import theme

PX_PER_UNIT = 135.0  # 1080 px are Manim's 8 units
STROKE_PX = 1.35  # one unit of stroke_width, in px

Point = npt.NDArray[np.float64]


def at(x: float, y: float) -> Point:
    """Frame pixel to Manim point."""
    frame = theme().frame
    return np.array([(x - frame.width / 2) / PX_PER_UNIT, (frame.height / 2 - y) / PX_PER_UNIT, 0.0])


def by(dx: float, dy: float) -> Point:
    """A displacement in pixels, as one of Manim's."""
    return np.array([dx / PX_PER_UNIT, -dy / PX_PER_UNIT, 0.0])


def pixel(point: Point) -> tuple[float, float]:
    """Manim point to frame pixel."""
    frame = theme().frame
    return point[0] * PX_PER_UNIT + frame.width / 2, frame.height / 2 - point[1] * PX_PER_UNIT


def stroke(px: float) -> float:
    """Manim's stroke_width for a line that many pixels thick."""
    return px / STROKE_PX


def left(mob: Mobject) -> float:
    """The left edge, px."""
    return pixel(mob.get_left())[0]


def right(mob: Mobject) -> float:
    """The right edge, px."""
    return pixel(mob.get_right())[0]


def top(mob: Mobject) -> float:
    """The upper edge, px."""
    return pixel(mob.get_top())[1]


def bottom(mob: Mobject) -> float:
    """The lower edge, px."""
    return pixel(mob.get_bottom())[1]


def centre(mob: Mobject) -> tuple[float, float]:
    """The middle, px."""
    return pixel(mob.get_center())


def overlap(a: Mobject, b: Mobject) -> bool:
    """Do their bounding boxes share an area?"""
    if not a.get_num_points() and not a.submobjects:
        return False
    return left(a) < right(b) and left(b) < right(a) and top(a) < bottom(b) and top(b) < bottom(a)
