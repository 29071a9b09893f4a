"""Where the matrices of the chapter on heads stand, and how much of them is shown."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any, Self

from manim import VMobject

from lesson import Fact
from scenes.kit.shapes import LINE, box
from scenes.kit.theme import theme

Box = tuple[float, float, float, float]
Address = tuple[int, ...]

# ---------------------------------------------------------------- how much is shown
MOST_ROWS, FIRST_ROWS = 6, 5  # tokens: all of so many, or the first of more
MOST_HEADS = 2
# ---------------------------------------------------------------- layout, px
REAL, REAL_FOOT = (195.0, 88.0), 74.0  # a cell with a real number in it, at most; what stands under them all
SIDE, TOP = 50.0, 304.0  # a cell while cells move, at most; the upper edge of all matrices, at least
ABOVE = 0.25  # of the height that is left free: so much goes above
LEGEND_ROOM, NOTES_ROOM = 174.0, 108.0  # what stands under merged cells, and under the first of three notes
HEAD_LEAST, LARGE = 108.0, 62.0  # the columns of a head, for its name over them; a cell with three digits
TWO_DIGITS = 100  # so many places have indices that fit a smaller cell
WEIGHT = 78.0  # a cell with a weight in it
OPEN, HEAD_GAP = 44.0, 56.0  # between heads side by side, and one above the other
DOTS_HIGH, DOTS_WIDE = 44.0, 48.0  # dots below rows, and beside columns
MORE_HEADS = 50.0  # dots and the name of the last head, below a stack that leaves out heads
MERGED_SIDE, MERGED_GAP = 76.0, 304.0  # a cell of a merged matrix, at most; between the two, at least
MERGED_ROOM, TAG_ROOM = 640.0, 166.0  # what is written under a merged matrix, and over a stack, takes so much
UNDER_ROOM, NAME_ROOM = 562.0, 632.0  # what is written over and under the left merged matrix, beside the stack; so
# much, if there is room, with the name of the stack
STEP_ROOM, INFLOW_ROOM = 176.0, 180.0  # an arrow between grids, with its name over it, and one parted by its name
SUMS = 112.0  # beside weights
TOKEN_GAP, TOKEN_ROOM = 20.0, 200.0  # from a row to its token; which is no wider
NOTE_RISE, NOTE_FALL = 36.0, 72.0  # notes stand half way down the second head, and so far below the first at least
RING = 5.0  # beside a row


def places(indices: Fact) -> dict[int, Address]:
    """Where each memory index of an array stands, in reading order."""
    return {int(indices[address]): address for address in product(*map(range, indices.shape))}


@dataclass(frozen=True)
class Part:
    """So many tokens, heads and columns of a head are shown, the first ones; and whether that leaves out others."""

    rows: int
    heads: int
    wide: int
    cuts_rows: bool
    cuts_heads: bool
    cuts_columns: bool

    @property
    def cuts(self) -> bool:
        """Is anything left out?"""
        return self.cuts_rows or self.cuts_heads or self.cuts_columns

    @property
    def columns(self) -> int:
        """Of all the heads that are shown."""
        return self.heads * self.wide


@dataclass(frozen=True)
class Grid:
    """Where the cells of a matrix stand: top left corner and the size of a cell, px.

    `shared`: heads share it, each with a `group` of columns, with `extra` px after each. `beside`: what is left out
    of the heads would follow to its right.
    """

    x: float
    y: float
    w: float
    h: float
    group: int = 0
    extra: float = 0
    beside: bool = False

    @property
    def shared(self) -> bool:
        return self.group > 0

    def box(self, i: int, j: int) -> Box:
        """x, y, width, height of the cell in row i, column j."""
        gap = theme().frame.gap
        x = self.x + j * (self.w + gap) + (j // self.group * self.extra if self.group else 0)
        return x, self.y + i * (self.h + gap), self.w, self.h

    def right(self, columns: int) -> float:
        """The right edge of that many columns."""
        return self.box(0, columns - 1)[0] + self.w

    def bottom(self, rows: int) -> float:
        """The lower edge of that many rows."""
        return self.box(rows, 0)[1] - theme().frame.gap

    def middle(self, rows: int) -> float:
        """Half way down that many rows."""
        return (self.y + self.bottom(rows)) / 2

    def row_y(self, i: int) -> float:
        """The middle of a row."""
        return self.box(i, 0)[1] + self.h / 2

    def row_ring(self, i: int, start: int, columns: int, role: str, pad: float = RING) -> VMobject:
        """A ring around some cells of a row, in the gap between rows."""
        x, y, _, h = self.box(i, start)
        width = self.right(start + columns) - x
        return box(x - pad, y - pad, width + 2 * pad, h + 2 * pad, edge=role, width=LINE, radius=10)


@dataclass(frozen=True)
class Stage:
    """Where the matrices stand: one matrix, its heads side by side, its heads stacked, and the merged ones."""

    part: Part
    real: Grid  # the whole matrix
    flat: Grid
    closed: Grid  # a copy of it, where its heads then part
    parted: tuple[Grid, ...]
    stacked: tuple[Grid, ...]
    at_left: tuple[Grid, ...]  # the stack where the one matrix was
    middle: tuple[Grid, ...]  # the stack between the merged matrices
    opened: tuple[Grid, ...]  # the left merged matrix before its heads close up
    filled: Grid  # the right merged matrix while cells move into it; the left one is where the one matrix was
    good: Grid  # the merged matrices in full size
    bad: Grid
    tail: float  # what dots take to the right of heads side by side
    foot: float  # what dots take below rows
    note_y: float  # of notes under the one matrix

    @classmethod
    def of(cls, n: int, h: int, d_head: int, token_width: float) -> Self:
        """By the sizes of the data and the width of the longest token."""
        x = theme().frame.left + min(token_width, TOKEN_ROOM) + TOKEN_GAP
        tries = (cls._with(n, h, d_head, x, wide) for wide in range(d_head, 0, -1))
        return next(stage for stage in tries if stage._fits() or stage.part.wide == 1)._lowered(n)

    @property
    def top(self) -> float:
        """The upper edge of all matrices."""
        return self.flat.y

    def _lowered(self, n: int) -> Self:
        """The same stage, with some of the height that it leaves free for n tokens above it."""
        rows, more = self.part.rows, MORE_HEADS if self.part.cuts_heads else 0
        stacked, merged = (grid.bottom(rows) + self.foot for grid in (self.stacked[-1], self.good))
        real, notes = self.real.bottom(n) + REAL_FOOT, self.note_y + NOTES_ROOM
        dy = ABOVE * max(theme().frame.bottom - max(stacked + more, merged + LEGEND_ROOM, real, notes), 0) // 1

        def low(part: Any) -> Any:
            if isinstance(part, tuple):
                return tuple(map(low, part))
            return replace(part, y=part.y + dy) if isinstance(part, Grid) else part

        moved = {field.name: low(getattr(self, field.name)) for field in fields(self)}
        return replace(self, **moved | {"note_y": self.note_y + dy})

    def _fits(self) -> bool:
        """Is there room for the arrows between the matrix, its heads side by side, and the stack, and for weights?"""
        ends = self.flat.right(self.part.columns), self.parted[-1].right(self.part.wide)
        starts = self.parted[0].x, self.stacked[0].x
        steps = all(start - end - self.tail >= STEP_ROOM for start, end in zip(starts, ends, strict=True))
        weights = Grid(0, 0, WEIGHT, SIDE).right(self.part.rows) + SUMS + (DOTS_WIDE if self.part.cuts_rows else 0)
        beside = self.bad.x - self.middle[0].right(self.part.wide) - self.tail >= TOKEN_GAP
        return steps and beside and starts[1] - self.at_left[0].right(self.part.wide) - weights >= 2 * INFLOW_ROOM

    @classmethod
    def _with(cls, n: int, h: int, d_head: int, x: float, wide: int) -> Self:
        """With so many columns of each head."""
        frame, edge = theme().frame, theme().frame.right - RING
        gap, count, rows = frame.gap, min(h, MOST_HEADS), n if n <= MOST_ROWS else FIRST_ROWS
        part = Part(rows, count, wide, rows < n, count < h, wide < d_head)
        side = max(SIDE, (HEAD_LEAST + gap) / wide - gap)
        roomy = max(side, LARGE if n * h * d_head > TWO_DIGITS else 0)
        extra = DOTS_WIDE if part.cuts_columns else 0
        tail = DOTS_WIDE if part.cuts_columns or part.cuts_heads else 0
        foot = DOTS_HIGH if part.cuts_rows else 0
        stacked = frame.bottom - TOP - (MORE_HEADS if part.cuts_heads else 0)  # room for all heads of a stack
        low = min(SIDE, ((stacked - (count - 1) * HEAD_GAP) / count - foot + gap) / rows - gap)
        flat = Grid(x, TOP, side, low, wide, extra, beside=True)
        half = flat.right(wide) - x
        tall = flat.bottom(rows) - TOP + foot
        pitch = half + extra + OPEN
        end = edge - max(half + extra, TAG_ROOM)
        begin = (flat.right(part.columns) + end - (count - 1) * pitch - half) / 2
        between = max(MERGED_GAP, half + 2 * TOKEN_GAP, x - frame.left + 2 * TOKEN_GAP) + tail
        room = (edge - tail - x - between) / 2 - (count - 1) * extra
        large = min(MERGED_SIDE, (room + gap) // part.columns - gap)
        good = Grid(x, TOP, large, large, wide, extra, beside=True)
        bad_x = edge - max(good.right(part.columns) - x + tail, MERGED_ROOM)
        bad = Grid(bad_x, TOP, large, large, wide, extra, beside=True)

        def stack(left_edge: float) -> tuple[Grid, ...]:
            return tuple(Grid(left_edge, TOP + i * (tall + HEAD_GAP), side, low) for i in range(count))

        def apart(left_edge: float) -> tuple[Grid, ...]:
            return tuple(Grid(left_edge + i * pitch, TOP, side, low, beside=True) for i in range(count))

        midway = (good.right(part.columns) + tail + bad.x - half - extra) / 2
        before = bad.x - TOKEN_GAP - tail - half
        high = min(REAL[1], (frame.bottom - REAL_FOOT - TOP + gap) / n - gap)
        return cls(
            part=part,
            real=Grid(x, TOP, min(REAL[0], (edge - x + gap) // (h * d_head) - gap), high),
            flat=flat, closed=Grid(begin + (OPEN - gap) * (count - 1) / 2, TOP, side, low, wide, extra, beside=True),
            parted=apart(begin), stacked=stack(end), at_left=stack(x),
            middle=stack(max(min(max(midway, x + NAME_ROOM), before), x + UNDER_ROOM)), opened=apart(x),
            filled=Grid(bad.x, TOP, roomy, low, wide, extra, beside=True), good=good, bad=bad, tail=tail, foot=foot,
            note_y=max(TOP + 1.5 * tall + HEAD_GAP - NOTE_RISE, TOP + tall + NOTE_FALL),
        )  # fmt: skip
