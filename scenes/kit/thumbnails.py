"""Small pictures: squares without figures, and how far one may recede and still be read."""

from __future__ import annotations

from collections.abc import Sequence

from manim import ManimColor, VMobject, interpolate_color

from scenes.kit.colour import contrast
from scenes.kit.shapes import box
from scenes.kit.theme import theme

TILE_GAP, GAP_SHARE = 3.0, 0.15  # between tiles, px; the gap between small cells, as a share of both
VEILS, LEAST_CONTRAST = (0, 0.03, 0.06, 0.1, 0.15, 0.2), 4.55
Box = tuple[float, float, float, float]


def tiles(x: float, y: float, rows: int, columns: int, side: float, role: str) -> VMobject:
    """Small squares side by side, as one mobject."""
    pitch = side + TILE_GAP
    first, *others = [
        box(x + j * pitch, y + i * pitch, side, side, fill=role, radius=TILE_GAP)
        for i in range(rows)
        for j in range(columns)
    ]
    for other in others:
        first.append_points(other.points)
    return first


def spaced(start: float, count: int, length: float) -> list[tuple[float, float]]:
    """Start and size of so many cells along a length; the gaps between many are narrower."""
    whole = theme().frame.gap
    gap = min(whole, (length + whole) / count * GAP_SHARE)
    size = (length + gap) / count - gap
    return [(start + i * (size + gap), size) for i in range(count)]


def squares(x: float, y: float, n: int, size: float) -> list[list[Box]]:
    """The places (x, y, width, height) of n by n cells, row by row."""
    return [[(x0, y0, w, h) for x0, w in spaced(x, n, size)] for y0, h in spaced(y, n, size)]


def veiled(pairs: Sequence[tuple[str, str]]) -> float:
    """How much of the ground may lie over things so that each ink can still be read on what is behind it."""
    return max(veil for veil in VEILS if not veil or all(_seen(veil, *pair) >= LEAST_CONTRAST for pair in pairs))


def _seen(veil: float, *colours: str) -> float:
    """The contrast of two colours under that much of the ground."""
    ground = ManimColor(theme().ground)
    ink, behind = (interpolate_color(ManimColor(colour), ground, veil).to_hex() for colour in colours)
    return contrast(ink, behind)
