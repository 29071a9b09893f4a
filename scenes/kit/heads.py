"""Parts for the chapters on heads: cells of a head, grids they stand in, and names over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import cos, pi, sin
from typing import Self

from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, Look, masked, weight_of
from scenes.kit.figures import sum_agrees
from scenes.kit.geometry import left, right
from scenes.kit.labels import CAP, REGULAR, SEMIBOLD, Label, figure, in_cell, words
from scenes.kit.matrix import TokenLabels, token
from scenes.kit.shapes import HAIR, LINE, arrow, box, path, polygon
from scenes.kit.theme import theme

Box = tuple[float, float, float, float]
Address = tuple[int, ...]

# ---------------------------------------------------------------- layout, px
REAL = (195.0, 88.0)  # a cell with a real number in it, at most
SIDE, TOP = 50.0, 304.0  # a cell while cells move; the upper edge of all matrices
WEIGHT, SUM_DX, SUM_GAP = 78.0, 56.0, 14.0  # a cell with a weight in it; from a row to the middle of its sum; after it
OPEN, HEAD_GAP = 44.0, 62.0  # between heads side by side, and one above the other
MERGED_SIDE, MERGED_GAP = 76.0, 304.0  # a cell of a merged matrix, at most; between the two, at least
MERGED_ROOM, TAG_ROOM = 640.0, 130.0  # what is written under a merged matrix, and over a stack, takes so much
TAG_DY, SPAN_DY, NAME_GAP = -74.0, -22.0, 20.0  # baselines over a grid: shape, names of heads; beside the shape
SPAN_GAP, SPAN_TRIM, SPAN_RISE = 14.0, 12.0, 9.0  # before its line; where that ends early; over the baseline
SWATCH, SWATCH_GAP, SWATCH_STEP = 34.0, 14.0, 200.0
RECAP_SIDE, RECAP_GAP, RECAP_APART, RECAP_RADIUS = 24.0, 132.0, 36.0, 4.0
TOKEN_GAP, TOKEN_DROP = 20.0, 0.33  # from a row to its token; from the row's middle to the baseline, em
PAD, RISE, TIP = 26.0, 20.0, (16.0, 16.0)  # of an arrow between grids: beside it, its name over it, its head
CHAIN_ARROW, CHAIN_GAP, CHAIN_RISE = (16.0, 60.0), 76.0, 11.0
WEDGE, WEDGE_CUT = 26.0, 5.0
CORNER, CORNER_DY, CORNER_GAP, NOTE_LEADING = 28.0, 25.0, 16.0, 48.0  # the sign of a wrong cell, in a note


# ---------------------------------------------------------------- cells and their places


def head_look(head: int) -> Look:
    """Heads are told apart without hue: the first is solid, the second outlined."""
    if head == 0:
        return Look("head", ink="on_solid", weight=SEMIBOLD)
    return Look("ground", edge="head_line", ink="text", weight=SEMIBOLD)


def places(indices: Fact) -> dict[int, Address]:
    """Where each memory index of an array stands, in reading order."""
    return {int(indices[address]): address for address in product(*map(range, indices.shape))}


@dataclass(frozen=True)
class Grid:
    """Where the cells of a matrix stand: top left corner and the size of a cell, px."""

    x: float
    y: float
    w: float
    h: float

    def box(self, i: int, j: int) -> Box:
        """x, y, width, height of the cell in row i, column j."""
        return self.x + j * (self.w + theme().frame.gap), self.y + i * (self.h + theme().frame.gap), self.w, self.h

    def right(self, columns: int) -> float:
        """The right edge of that many columns."""
        return self.box(0, columns)[0] - theme().frame.gap

    def bottom(self, rows: int) -> float:
        """The lower edge of that many rows."""
        return self.box(rows, 0)[1] - theme().frame.gap

    def middle(self, rows: int) -> float:
        """Half way down that many rows."""
        return (self.y + self.bottom(rows)) / 2

    def row_y(self, i: int) -> float:
        """The middle of a row."""
        return self.box(i, 0)[1] + self.h / 2

    def row_ring(self, i: int, start: int, columns: int, role: str, pad: float = 5) -> VMobject:
        """A ring around some cells of a row, in the gap between rows."""
        x, y, _, h = self.box(i, start)
        width = self.box(i, start + columns)[0] - theme().frame.gap - x
        return box(x - pad, y - pad, width + 2 * pad, h + 2 * pad, edge=role, width=LINE, radius=10)


def weight_row(weights: Fact, total: Fact, grid: Grid, i: int, mask: Fact | None) -> VGroup:
    """A row of weights on their scale, and their sum; where the mask hides a key, the cell is hatched."""
    cells = VGroup()
    for j, weight in enumerate(weights):
        hidden = mask is not None and bool(mask[i, j])
        look = masked() if hidden else weight_of(float(weight))
        cells.add(Cell(*grid.box(i, j), look, weight, em=theme().type.small))
    shown = figure(total, exact=False, em=theme().type.small, role="dim")
    cells.add(in_cell(shown, grid.right(len(cells)) + SUM_DX, grid.row_y(i)))
    if not sum_agrees(weights, total):
        rounded = words("rounded", em=theme().type.small, role="dim")
        cells.add(rounded.place(right(shown) + SUM_GAP, shown.origin[1]))
    return cells


# ---------------------------------------------------------------- marks


def wedge(cell: Cell) -> VGroup:
    """The mark of a wrong cell: its top right corner, cut off by a line of ground, so that the shape alone reads."""
    x, y, w, _ = cell.box
    r = theme().frame.radius
    turn = [(x + w - r + r * sin(pi / 2 * k / 8), y + r - r * cos(pi / 2 * k / 8)) for k in range(9)]

    def corner(size: float, fill: str) -> VMobject:
        return polygon([(x + w - size, y), *turn, (x + w, y + size)], fill=fill)

    return VGroup(corner(WEDGE + WEDGE_CUT, "ground"), corner(WEDGE, "error"))


def wedge_note(x: float, y: float, first: Label, second: Label) -> VGroup:
    """Two lines from x on, the first behind the mark of a wrong cell; they end within the margin."""
    room = theme().frame.right - max(right(line) - left(line) for line in (first, second))
    x = min(x + CORNER + CORNER_GAP, room)
    x0, x1 = x - CORNER_GAP - CORNER, x - CORNER_GAP
    corner = polygon([(x0, y - CORNER_DY), (x1, y - CORNER_DY), (x1, y - CORNER_DY + CORNER)], fill="error")
    return VGroup(corner, first.place(x, y), second.place(x, y + NOTE_LEADING))


# ---------------------------------------------------------------- the stage


@dataclass(frozen=True)
class Stage:
    """Where the matrices stand: one matrix, its heads side by side, its heads stacked, and the merged ones."""

    real: Grid
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

    @classmethod
    def of(cls, n: int, d_model: int, h: int, d_head: int, token_width: float) -> Self:
        """By the sizes of the data and the width of the longest token."""
        frame, heads = theme().frame, range(h)
        gap, x = frame.gap, frame.left + token_width + TOKEN_GAP
        flat = Grid(x, TOP, SIDE, SIDE)
        half, tall = flat.right(d_head) - x, flat.bottom(n) - TOP
        c = frame.right - max(half, TAG_ROOM)
        b = (flat.right(d_model) + c - h * half - (h - 1) * OPEN) / 2
        between = max(MERGED_GAP, half + 2 * TOKEN_GAP, token_width + 3 * TOKEN_GAP)
        side = min(MERGED_SIDE, ((frame.right - x - between) / 2 + gap) // d_model - gap)
        good = Grid(x, TOP, side, side)
        bad = Grid(frame.right - max(good.right(d_model) - x, MERGED_ROOM), TOP, side, side)

        def stack(left_edge: float) -> tuple[Grid, ...]:
            return tuple(Grid(left_edge, TOP + i * (tall + HEAD_GAP), SIDE, SIDE) for i in heads)

        return cls(
            real=Grid(x, TOP, min(REAL[0], (frame.right - x + gap) // d_model - gap), REAL[1]),
            flat=flat, closed=Grid(b + (OPEN - gap) * (h - 1) / 2, TOP, SIDE, SIDE),
            parted=tuple(Grid(b + i * (half + OPEN), TOP, SIDE, SIDE) for i in heads),
            stacked=stack(c), at_left=stack(x), middle=stack((good.right(d_model) + bad.x - half) / 2),
            opened=tuple(Grid(x + i * (half + OPEN), TOP, SIDE, SIDE) for i in heads),
            filled=Grid(bad.x, TOP, SIDE, SIDE), good=good, bad=bad,
        )  # fmt: skip


def both_ways(heads: int, rows: int, columns: int, y: float) -> VGroup:
    """One matrix and its stacked heads, small, with an arrow each way, at the right margin around y."""
    unit, edge, picture = Grid(0, 0, RECAP_SIDE, RECAP_SIDE), theme().frame.right, VGroup()
    x, tall = edge - unit.right(columns), unit.bottom(rows)
    flat = Grid(x - RECAP_GAP - unit.right(heads * columns), y - tall / 2, RECAP_SIDE, RECAP_SIDE)
    top = y - (heads * tall + (heads - 1) * RECAP_APART) / 2
    for i in range(heads):
        look, stacked = head_look(i), Grid(x, top + i * (tall + RECAP_APART), RECAP_SIDE, RECAP_SIDE)
        for row, k in product(range(rows), range(columns)):
            for place in (flat.box(row, i * columns + k), stacked.box(row, k)):
                picture.add(box(*place, fill=look.fill, edge=look.edge, width=HAIR, radius=RECAP_RADIUS))
    ends = x - RECAP_GAP + PAD, x - PAD
    for (x0, x1), dy in ((ends, -RISE), (ends[::-1], RISE)):
        picture.add(arrow((x0, y + dy), (x1, y + dy), "dim", LINE, TIP))
    return picture


# ---------------------------------------------------------------- names


def shape_label(*sizes: Fact, weight: int = SEMIBOLD, role: str = "text") -> Label:
    """A shape, as [6, 8]."""
    em = theme().type.tag if weight == SEMIBOLD else theme().type.body
    return words("[" + ", ".join("{}" for _ in sizes) + "]", *sizes, em=em, weight=weight, role=role)


def shape_tag(grid: Grid, *sizes: Fact) -> Label:
    """The shape over a matrix."""
    return shape_label(*sizes).place(grid.x, grid.y + TAG_DY)


def name_beside(grid: Grid, tag: VMobject, name: str, role: str = "text", *, before: bool = False) -> Label:
    """What a matrix is, after its shape or before it."""
    baseline = grid.y + TAG_DY
    label = words(name, em=theme().type.tag, weight=SEMIBOLD, role=role)
    x = left(tag) - NAME_GAP if before else right(tag) + NAME_GAP
    return label.place(x, baseline, "right" if before else "left")


def span(head: Fact, x: float, y: float, x_end: float) -> VGroup:
    """The name of a head over its columns, with a line up to where they end, if there is room for one."""
    label = words("head {}", head, em=theme().type.small, role="dim").place(x, y + SPAN_DY, "origin")
    start, level = x + label.advance + SPAN_GAP, y + SPAN_DY - SPAN_RISE
    line = path([(start, level), (x_end, level)], "axis") if x_end > start + SPAN_GAP else VMobject()
    return VGroup(label, line)


def head_spans(heads: Iterable[Fact], grids: Iterable[Grid], columns: int) -> VGroup:
    """The names of the heads, each over a grid of its own."""
    pairs = zip(heads, grids, strict=True)
    return VGroup(*[span(head, grid.x, grid.y, grid.right(columns)) for head, grid in pairs])


def shared_spans(heads: Sequence[Fact], grid: Grid, columns: int) -> VGroup:
    """The names of the heads over the one grid whose columns they share."""
    spans = VGroup()
    for i, head in enumerate(heads):
        trim = SPAN_TRIM if i + 1 < len(heads) else 0
        spans.add(span(head, grid.box(0, i * columns)[0], grid.y, grid.right((i + 1) * columns) - trim))
    return spans


def head_legend(heads: Sequence[Fact], x: float, baseline: float) -> VGroup:
    """How the cells of each head look."""
    legend = VGroup()
    for i, head in enumerate(heads):
        look, x0 = head_look(i), x + i * SWATCH_STEP
        y = baseline - (SWATCH + CAP * theme().type.small) / 2
        name = words("head {}", head, em=theme().type.small, role="dim")
        legend.add(
            box(x0, y, SWATCH, SWATCH, fill=look.fill, edge=look.edge, width=HAIR),
            name.place(x0 + SWATCH + SWATCH_GAP, baseline, "origin"),
        )
    return legend


def numbering(x: float, baseline: float) -> VGroup:
    """What the numbers of outputs mean, in two lines."""
    lines = "numbered by the place", "each output belongs in"
    return VGroup(*[words(t, role="dim").place(x, baseline + k * NOTE_LEADING) for k, t in enumerate(lines)])


def sum_name(grid: Grid, n: int) -> Label:
    """Over the sums of a grid's rows of n weights."""
    name = words("sum", em=theme().type.small, role="dim")
    return name.place(grid.right(n) + SUM_DX, grid.y + SPAN_DY, "center")


def row_labels(tokens: Fact, grid: Grid) -> TokenLabels:
    """The tokens beside the rows of a grid."""
    drop, x = TOKEN_DROP * theme().type.body, grid.x - TOKEN_GAP
    return TokenLabels(*[token(t, x, grid.row_y(i) + drop, "dim", "right") for i, t in enumerate(tokens)])


def step_arrow(x0: float, x1: float, y: float, name: str) -> VGroup:
    """An arrow between two grids that end at x0 and begin at x1, and the name of the step over it."""
    pad = PAD if x1 > x0 else -PAD
    label = words(name, em=theme().type.small).place((x0 + x1) / 2, y - RISE, "center")
    return VGroup(arrow((x0 + pad, y), (x1 - pad, y), "dim", LINE, TIP), label)


def inflow(x0: float, x1: float, grid: Grid, name: Label) -> VGroup:
    """An arrow on the level of the names of heads, parted by the name of what comes in."""
    baseline = grid.y + SPAN_DY
    level = baseline - SPAN_RISE
    name.place((x0 + x1) / 2, baseline, "center")
    ends = (x0 + x1 - name.advance) / 2 - SPAN_GAP, (x0 + x1 + name.advance) / 2 + SPAN_GAP
    before = path([(x0 + PAD, level), (ends[0], level)], "dim", LINE)
    return VGroup(before, name, arrow((ends[1], level), (x1 - PAD, level), "dim", LINE, TIP))


def shape_chain(x: float, baseline: float, *shapes: tuple[Fact, ...]) -> list[VGroup]:
    """Shapes on the way from one to the next, joined by arrows; the last one is emphasised."""
    y, links = baseline - CHAIN_RISE, []
    for k, shape in enumerate(shapes):
        link = VGroup()
        if k:
            link.add(arrow((x + CHAIN_ARROW[0], y), (x + CHAIN_ARROW[1], y), "dim", LINE, TIP))
            x += CHAIN_GAP
        weight, role = (SEMIBOLD, "text") if shape is shapes[-1] else (REGULAR, "dim")
        link.add(shape_label(*shape, weight=weight, role=role).place(x, baseline))
        x = right(link)
        links.append(link)
    return links
