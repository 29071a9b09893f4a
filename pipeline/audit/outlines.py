"""Outlines as they are drawn, in frame pixels: where they reach, what lies within them, what lies on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from scenes.kit.geometry import PX_PER_UNIT
from scenes.kit.theme import theme

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Box = tuple[float, float, float, float]  # left, top, right, bottom

STEPS, PARTS = 8, 8  # chords of a curve; curves that a long bend is parted into: then chords are within 0.1 px
SAMPLE = 2.0  # px between samples along an outline: no more than the thinnest stroke
_STRAIGHT = 0.05  # px that the middle of a curve may lie off the middle of its chord
_BEND = 6.0  # px of a handle off its place on a straight line, from which a bend is long
_JOINED = 0.02  # px between the end of a curve and the start of the next one of its contour


_T = np.linspace(0, 1, STEPS + 1)
_BERNSTEIN = np.stack([(1 - _T) ** 3, 3 * _T * (1 - _T) ** 2, 3 * _T**2 * (1 - _T), _T**3], axis=1)


@dataclass(frozen=True, eq=False)
class Outline:
    """The curves of one mobject: cubic segments [m, 4, 2], px. Compared by identity; `key` is equal for equal ones."""

    key: bytes
    curves: Array

    @cached_property
    def _starts(self) -> npt.NDArray[np.int64]:
        """The first curve of each contour: a glyph's outside, its counters, a dot."""
        apart = np.abs(self.curves[1:, 0] - self.curves[:-1, 3]).max(axis=1) > _JOINED
        return np.concatenate([[0], np.flatnonzero(apart) + 1])

    @cached_property
    def _along(self) -> Array:
        """[m, STEPS + 1, 2]: points on each curve."""
        points: Array = _BERNSTEIN @ self.curves
        return points

    @cached_property
    def contour_boxes(self) -> Array:
        """[contours, 4]: left, top, right, bottom."""
        low = np.minimum.reduceat(self._along.min(axis=1), self._starts)
        high = np.maximum.reduceat(self._along.max(axis=1), self._starts)
        return np.concatenate([low, high], axis=1)

    @cached_property
    def box(self) -> Box:
        """Left, top, right, bottom of the ink, without strokes."""
        (x0, y0), (x1, y1) = self._along.min(axis=(0, 1)), self._along.max(axis=(0, 1))
        return float(x0), float(y0), float(x1), float(y1)

    @cached_property
    def chords(self) -> Array:
        """[n, 2, 2]: the outline as straight pieces."""
        middle = self._along[:, STEPS // 2] - (self.curves[:, 0] + self.curves[:, 3]) / 2
        straight = np.abs(middle).max(axis=1) < _STRAIGHT
        bent = self._along[~straight]
        pieces = np.stack([bent[:, :-1], bent[:, 1:]], axis=2).reshape(-1, 2, 2)
        return np.concatenate([self.curves[straight][:, [0, 3]], pieces])

    @cached_property
    def closing(self) -> Array:
        """[contours, 2, 2]: what closes each contour, as a fill does."""
        ends = np.concatenate([self._starts[1:], [len(self.curves)]]) - 1
        return np.stack([self.curves[ends, 3], self.curves[self._starts, 0]], axis=1)

    @cached_property
    def samples(self) -> Array:
        """[n, 2]: points along the outline, at most SAMPLE apart."""
        starts, ends = self.chords[:, 0], self.chords[:, 1]
        counts = np.maximum(1, np.ceil(np.linalg.norm(ends - starts, axis=1) / SAMPLE)).astype(int)
        which = np.repeat(np.arange(len(counts)), counts)
        share = (np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[which]
        points: Array = starts[which] + (ends - starts)[which] * share[:, None]
        return points

    def holds(self, points: Array) -> Mask:
        """Which points [n, 2] lie within (non-zero winding, as Cairo fills)."""
        pieces = np.concatenate([self.chords, self.closing])
        (x0, y0), (x1, y1) = pieces[:, 0].T, pieces[:, 1].T
        x, y = points[:, :1], points[:, 1:]
        up, down = (y0 <= y) & (y < y1), (y1 <= y) & (y < y0)
        side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)
        winding = (up & (side > 0)).sum(axis=1) - (down & (side < 0)).sum(axis=1)
        found: Mask = winding != 0
        return found

    def touches(self, points: Array, reach: float) -> Mask:
        """Which points [n, 2] lie within `reach` px of the outline."""
        low, high = points.min(axis=0) - reach, points.max(axis=0) + reach
        near = ((self.chords.max(axis=1) >= low) & (self.chords.min(axis=1) <= high)).all(axis=1)
        start, run = self.chords[near, 0], self.chords[near, 1] - self.chords[near, 0]
        length = np.maximum((run**2).sum(axis=1), 1e-12)
        away = points[:, None] - start
        share = np.clip((away * run).sum(axis=2) / length, 0, 1)
        found: Mask = (((away - share[..., None] * run) ** 2).sum(axis=2) <= reach**2).any(axis=1)
        return found


def outline_of(points: Array, key: bytes) -> Outline:
    """From Manim's points [4 * m, 3]."""
    frame = theme().frame
    flat = points[: len(points) // 4 * 4, :2] * [PX_PER_UNIT, -PX_PER_UNIT] + [frame.width / 2, frame.height / 2]
    return Outline(key, _parted(flat.reshape(-1, 4, 2)))


def _parted(curves: Array) -> Array:
    """The same outline with its long bends in PARTS curves each."""
    reach = np.abs(curves[:, 1:3] - (2 * curves[:, [0, 3]] + curves[:, [3, 0]]) / 3).max(axis=(1, 2))  # off its chord
    counts = np.where(reach > _BEND, PARTS, 1)
    parts = np.repeat(curves, counts, axis=0)
    long = np.repeat(counts > 1, counts)
    parts[long] = (_PARTING @ curves[counts > 1][:, None]).reshape(-1, 4, 2)
    return parts


def _blossom(u: float, v: float, w: float) -> list[float]:
    """The weights of a cubic's four points in its polar form."""
    a, b, c = 1 - u, 1 - v, 1 - w
    return [a * b * c, u * b * c + a * v * c + a * b * w, u * v * c + u * b * w + a * v * w, u * v * w]


def meet(a: Box, b: Box) -> bool:
    """Do two boxes share a point?"""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def grown(box: Box, by: float) -> Box:
    """A box with a margin around it."""
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


_ENDS = np.linspace(0, 1, PARTS + 1)
_PARTING = np.array(
    [[_blossom(a, a, a), _blossom(a, a, b), _blossom(a, b, b), _blossom(b, b, b)] for a, b in pairwise(_ENDS)]
)
