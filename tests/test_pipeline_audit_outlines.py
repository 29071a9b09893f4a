"""Outlines as the audit sees them, against Cairo, which draws them."""

from __future__ import annotations

from functools import cache

import cairo
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manim import VMobject

from pipeline.audit.outlines import outline_of
from pipeline.audit.rules import contrasts
from scenes.kit.colour import contrast
from scenes.kit.labels import words
from scenes.kit.shapes import arch, arrow, box, hatch, ring_arc

NAMES = ["box", "arrow", "arch", "ring", "hatching", "letters"]


@cache
def shapes() -> dict[str, VMobject]:
    letters = words("&Bg", em=200).place(420, 560)
    return {
        "box": box(410, 410, 260, 150, fill="panel", radius=40),
        "arrow": arrow((400, 400), (700, 600), shaft=40, head=(90, 120)),
        "arch": arch(400, 700, 600, 180, "weight", 6),
        "ring": ring_arc(550, 500, 120, 0.7, "dim", 6),
        "hatching": hatch(400, 400, 300, 200),
        "letters": next(iter(letters.submobjects)),
    }


def drawn(mob: VMobject, width: float) -> cairo.Context[cairo.ImageSurface]:
    """The path in Cairo, as Manim hands it over."""
    context = cairo.Context(cairo.ImageSurface(cairo.FORMAT_A8, 1, 1))
    context.set_line_width(width)
    context.set_line_cap(cairo.LINE_CAP_ROUND)
    context.set_line_join(cairo.LINE_JOIN_ROUND)
    context.set_tolerance(0.01)
    curves = outline_of(mob.points, b"").curves
    pen = None
    for start, one, two, end in curves:
        if pen is None or np.abs(start - pen).max() > 0.02:
            context.move_to(*start)
        context.curve_to(*one, *two, *end)
        pen = end
    return context


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(x=st.floats(390, 710), y=st.floats(390, 610))
def test_points_lie_within_and_on_an_outline_where_cairo_paints(name: str, x: float, y: float) -> None:
    mob = shapes()[name]
    outline, point = outline_of(mob.points, b""), np.array([[x, y]])
    if not outline.touches(point, 0.5)[0]:  # at the very edge either may be right
        assert outline.holds(point)[0] == drawn(mob, 1).in_fill(x, y)
    reach = 8.0
    if outline.touches(point, reach - 0.5)[0] == outline.touches(point, reach + 0.5)[0]:
        assert outline.touches(point, reach)[0] == drawn(mob, 2 * reach).in_stroke(x, y)


@pytest.mark.parametrize("name", NAMES)
def test_boxes_and_samples_follow_the_outline(name: str) -> None:
    mob = shapes()[name]
    outline = outline_of(mob.points, b"")
    assert outline.box == pytest.approx(drawn(mob, 1).path_extents(), abs=0.1)
    assert outline.touches(outline.samples, 0.01).all()
    assert len(outline.samples) >= np.linalg.norm(np.diff(outline.chords, axis=1), axis=2).sum() / 2
    low, high = outline.contour_boxes[:, :2].min(axis=0), outline.contour_boxes[:, 2:].max(axis=0)
    assert (*low, *high) == pytest.approx(outline.box)


colours = st.tuples(*[st.integers(0, 255)] * 3)


@given(one=colours, other=colours)
def test_contrast_is_that_of_the_theme(one: tuple[int, int, int], other: tuple[int, int, int]) -> None:
    names = ["#" + "".join(f"{c:02X}" for c in colour) for colour in (one, other)]
    found = contrasts(np.array([one]) / 255, np.array([other]) / 255)[0]
    assert found == pytest.approx(contrast(*names), rel=1e-6)
