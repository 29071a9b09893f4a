"""Boxes, paths and arrows in pixels: strokes lie on whole pixels, tips end exactly where they point."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from manim import Arc, CapStyleType, CubicBezier, VGroup, VMobject

from scenes.kit.geometry import at, pixel, stroke
from scenes.kit.theme import theme

XY = tuple[float, float]
HAIR, LINE, BOLD = 2, 4, 6  # stroke widths: even, so that a line centred on a whole pixel is crisp
_KAPPA = 0.5523  # handle length of a quarter circle


def polygon(points: Sequence[XY], fill: str | None = None, edge: str | None = None, width: float = HAIR) -> VMobject:
    """A closed polygon through pixel points."""
    mob = VMobject()
    corners = [at(*p) for p in points]
    mob.set_points_as_corners([*corners, corners[0]])
    mob.set_fill(theme().colour(fill or "ground"), 1 if fill else 0)
    mob.set_stroke(theme().colour(edge or "ground"), stroke(width) if edge else 0, 1 if edge else 0)
    return mob


def box(
    x: float,
    y: float,
    w: float,
    h: float,
    fill: str | None = None,
    edge: str | None = None,
    width: float = HAIR,
    radius: float | None = None,
) -> VMobject:
    """A rounded rectangle with its top left corner at (x, y); an edge lies inside, so sizes never grow."""
    look = theme()
    inset = width / 2 if edge else 0
    r = max(min(look.frame.radius if radius is None else radius, w / 2, h / 2) - inset, 0.01)
    x0, y0, x1, y1 = x + inset, y + inset, x + w - inset, y + h - inset
    k = (1 - _KAPPA) * r
    mob = VMobject()
    mob.start_new_path(at(x0 + r, y0))
    for line_to, h1, h2, arc_to in (
        ((x1 - r, y0), (x1 - k, y0), (x1, y0 + k), (x1, y0 + r)),
        ((x1, y1 - r), (x1, y1 - k), (x1 - k, y1), (x1 - r, y1)),
        ((x0 + r, y1), (x0 + k, y1), (x0, y1 - k), (x0, y1 - r)),
        ((x0, y0 + r), (x0, y0 + k), (x0 + k, y0), (x0 + r, y0)),
    ):
        mob.add_line_to(at(*line_to))
        mob.add_cubic_bezier_curve_to(at(*h1), at(*h2), at(*arc_to))
    mob.set_fill(look.colour(fill or "ground"), 1 if fill else 0)
    mob.set_stroke(look.colour(edge or "ground"), stroke(width) if edge else 0, 1 if edge else 0)
    return mob


def path(points: Sequence[XY], role: str = "dim", width: float = HAIR, radius: float = 0) -> VMobject:
    """An open polyline; inner corners rounded by `radius`."""
    pts = [at(*p) for p in points]
    r = float(np.linalg.norm(at(radius, 0) - at(0, 0)))
    mob = VMobject(fill_opacity=0).set_stroke(theme().colour(role), stroke(width), 1)
    mob.start_new_path(pts[0])
    for before, corner, after in zip(pts, pts[1:], pts[2:], strict=False):
        u = (before - corner) / np.linalg.norm(before - corner)
        v = (after - corner) / np.linalg.norm(after - corner)
        mob.add_line_to(corner + r * u)
        if radius:
            mob.add_cubic_bezier_curve_to(corner + (1 - _KAPPA) * r * u, corner + (1 - _KAPPA) * r * v, corner + r * v)
    mob.add_line_to(pts[-1])
    return mob


def dashed(p: XY, q: XY, role: str = "dim", width: float = HAIR, dash: float = 10, gap: float = 8) -> VMobject:
    """A dashed line as one mobject; it starts and ends on a full dash."""
    a, b = np.array(p, float), np.array(q, float)
    length = float(np.linalg.norm(b - a))
    count = max(1, round((length + gap) / (dash + gap)))
    dash = (length - (count - 1) * gap) / count
    step = (b - a) / length
    mob = VMobject(fill_opacity=0).set_stroke(theme().colour(role), stroke(width), 1)
    for i in range(count):
        start = a + step * i * (dash + gap)
        mob.start_new_path(at(*start))
        mob.add_line_to(at(*(start + step * dash)))
    return mob


def dashed_box(x: float, y: float, w: float, h: float, role: str = "dim", width: float = HAIR) -> VMobject:
    """A dashed rectangle, as one mobject: a place that is still to be filled."""
    corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)]
    sides = [dashed(a, b, role, width) for a, b in pairwise(corners)]
    whole = sides[0]
    for side in sides[1:]:
        whole.append_points(side.points)
    return whole


def arrow(
    p: XY, q: XY, role: str = "dim", shaft: float = LINE, head: XY = (20, 22), edge: str | None = None
) -> VMobject:
    """One filled outline whose tip lies exactly on q. head = (length, width)."""
    return polygon(_arrow_outline(p, q, shaft, head), fill=role, edge=edge)


def _arrow_outline(p: XY, q: XY, shaft: float, head: XY) -> list[XY]:
    a, b = np.array(p, float), np.array(q, float)
    length = float(np.linalg.norm(b - a))
    u = (b - a) / length if length else np.array([1.0, 0.0])
    n = np.array([-u[1], u[0]])
    size = min(1.0, length / head[0]) if head[0] else 1.0  # a very short arrow is a small head
    neck = b - u * head[0] * size
    outline = [a + n * shaft / 2, neck + n * shaft / 2, neck + n * head[1] * size / 2, b,
               neck - n * head[1] * size / 2, neck - n * shaft / 2, a - n * shaft / 2]  # fmt: skip
    return [(float(c[0]), float(c[1])) for c in outline]


def bent_arrow(
    points: Sequence[XY], role: str = "dim", width: float = LINE, head: XY = (18, 20), radius: float = 24
) -> VGroup:
    """A polyline with rounded corners and a solid head: parts [shaft, head]."""
    (x0, y0), (x1, y1) = points[-2:]
    u = np.array([x1 - x0, y1 - y0]) / np.hypot(x1 - x0, y1 - y0)
    n, tip = np.array([-u[1], u[0]]), np.array([x1, y1], float)
    neck = tip - u * head[0]
    stop = tip - u * head[0] * 0.8
    shaft = path([*points[:-1], (float(stop[0]), float(stop[1]))], role, width, radius)
    corners = [tip, neck + n * head[1] / 2, neck - n * head[1] / 2]
    return VGroup(shaft, polygon([(float(c[0]), float(c[1])) for c in corners], fill=role))


def arch(x0: float, x1: float, y: float, rise: float, role: str, width: float) -> VMobject:
    """A curve from (x0, y) over to (x1, y), `rise` px high, with round ends."""
    h = rise * 4 / 3
    curve = CubicBezier(at(x0, y), at(x0, y - h), at(x1, y - h), at(x1, y))
    curve.set_stroke(theme().colour(role), stroke(width)).set_fill(opacity=0)
    curve.set_cap_style(CapStyleType.ROUND)
    return curve


def dot(x: float, y: float, radius: float, role: str) -> VMobject:
    """A filled circle."""
    return box(x - radius, y - radius, 2 * radius, 2 * radius, fill=role, radius=radius)


def ring_arc(x: float, y: float, radius: float, share: float, role: str, width: float) -> VMobject:
    """That share of a circle, clockwise from the top."""
    arc = Arc(radius=float(at(radius, 0)[0] - at(0, 0)[0]), start_angle=np.pi / 2, angle=-2 * np.pi * share)
    arc.move_arc_center_to(at(x, y))
    arc.set_stroke(theme().colour(role), stroke(width)).set_fill(opacity=0)
    mob: VMobject = arc
    return mob


def around(
    mob: VMobject | VGroup, role: str = "text", width: float = LINE, pad: float = 7, radius: float = 10
) -> VMobject:
    """A ring around a mobject."""
    x0, y0 = pixel(mob.get_corner(np.array([-1, 1, 0])))
    x1, y1 = pixel(mob.get_corner(np.array([1, -1, 0])))
    return box(x0 - pad, y0 - pad, x1 - x0 + 2 * pad, y1 - y0 + 2 * pad, edge=role, width=width, radius=radius)


def rounded_corners(x: float, y: float, w: float, h: float, r: float, steps: int = 8) -> list[XY]:
    """A rounded rectangle as a polygon, clockwise on the screen."""
    centres = ((x + w - r, y + r, -90), (x + w - r, y + h - r, 0), (x + r, y + h - r, 90), (x + r, y + r, 180))
    return [
        (cx + r * float(np.cos(a)), cy + r * float(np.sin(a)))
        for cx, cy, start in centres
        for a in np.radians(np.linspace(start, start + 90, steps))
    ]


HATCH_STEP = 14  # horizontal period of the hatching, px


def hatch(x: float, y: float, w: float, h: float, role: str = "masked_line", width: float = HAIR) -> VMobject:
    """45 degree lines clipped to the rounded rectangle, as one mobject.

    Cairo through Manim has neither clips nor patterns, so each line is cut against the convex outline
    (Cyrus-Beck). The phase is locked to the frame: the lines of neighbouring cells continue each other.
    """
    i = width / 2
    outline = np.array(rounded_corners(x + i, y + i, w - 2 * i, h - 2 * i, max(theme().frame.radius - i, 1)))
    edges = np.roll(outline, -1, axis=0) - outline
    inward = np.column_stack([-edges[:, 1], edges[:, 0]])
    mob = VMobject(fill_opacity=0).set_stroke(theme().colour(role), stroke(width), 1)
    for k in np.arange(np.ceil((x + y) / HATCH_STEP), np.floor((x + w + y + h) / HATCH_STEP) + 1):
        p, d = np.array([k * HATCH_STEP - y, y]), np.array([-1.0, 1.0])
        reach, speed = (inward * (outline - p)).sum(axis=1), inward @ d
        enter = max((r / s for r, s in zip(reach, speed, strict=True) if s > 1e-9), default=0.0)
        leave = min((r / s for r, s in zip(reach, speed, strict=True) if s < -1e-9), default=0.0)
        misses = any(r > 0 for r, s in zip(reach, speed, strict=True) if abs(s) <= 1e-9)
        if not misses and leave - enter > 3:
            mob.start_new_path(at(*(p + enter * d)))
            mob.add_line_to(at(*(p + leave * d)))
    return mob
