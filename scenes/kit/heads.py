"""Parts for the chapters on heads: cells of a head, grids they stand in, and names over them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import cos, isclose, pi, sin

from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, Look, masked, weight_of
from scenes.kit.colour import mix
from scenes.kit.excerpt import dots, first, trail
from scenes.kit.figures import sum_agrees
from scenes.kit.geometry import at, bottom, by, left, right
from scenes.kit.head_shapes import MARK, ShapeText
from scenes.kit.head_stage import DOTS_HIGH, HEAD_GAP, TOKEN_GAP, TOKEN_ROOM, Grid, Part
from scenes.kit.labels import CAP, REGULAR, SEMIBOLD, Label, figure, in_cell, paragraph, rich, words
from scenes.kit.matrix import TokenLabels, longest, narrowing, token
from scenes.kit.shapes import HAIR, LINE, XY, arrow, box, path, polygon
from scenes.kit.theme import theme
from scenes.kit.thumbnails import TILE_GAP, tiles

# ---------------------------------------------------------------- layout, px
SUM_DX, SUM_GAP = 56.0, 14.0  # from a row to the middle of its sum; after it
TAG_DY, CHAIN_DY, SPAN_DY = -74.0, -22.0, -15.0  # baselines over a grid: shape; under it; names of heads
NAME_GAP = 20.0  # beside the shape
SPAN_GAP, SPAN_TRIM, SPAN_RISE = 14.0, 12.0, 9.0  # before its line; where that ends early; over the baseline
SWATCH, SWATCH_GAP, SWATCH_STEP = 34.0, 14.0, 180.0
RECAP_SIDE, RECAP_GAP, RECAP_APART, RECAP_RADIUS = 24.0, 132.0, 36.0, 4.0
RECAP_DOTS = 18.0  # from its cells to the middle of dots for heads that are left out
TOKEN_DROP = 0.33  # from a row's middle to the baseline of its token, em
DOTS_DY, DOTS_DX = 26.0, 27.0  # from cells to the middle of the dots for what is left out
FURTHER_DX = 6.0, 22.0  # from a stack's left edge to the middle of dots for heads, and to the name of the last one
PAD, RISE, TIP = 26.0, 20.0, (16.0, 16.0)  # of an arrow between grids: beside it, its name over it, its head
CHAIN_ARROW, CHAIN_GAP, CHAIN_RISE = (16.0, 60.0), 76.0, 11.0
WEDGE, WEDGE_SHARE, WEDGE_CUT = 26.0, 0.31, 5.0  # at most, of a cell's width, and the line that cuts it off
MATRIX_SIDE, MATRIX_TILE = 112.0, 24.0  # of the output matrix, small, and of a tile of it, at most
CORNER, CORNER_DY, CORNER_GAP, NOTE_LEADING = 28.0, 25.0, 16.0, 48.0  # the sign of a wrong cell, in a note
# ---------------------------------------------------------------- shades
FAINTEST, ALIKE = 0.2, 1e-12  # of the way to a full shade: the least output; numbers so near each other are alike
OTHERS = 0.5  # heads beyond the second: of the way from a faint line to a clear one


# ---------------------------------------------------------------- cells and their places


def head_look(head: int) -> Look:
    """Heads are told apart without hue: the first is solid, the second outlined, others have a quiet ground."""
    if head == 0:
        return Look("head", ink="on_solid", weight=SEMIBOLD)
    if head == 1:
        return Look("ground", edge="head_line", ink="text", weight=SEMIBOLD)
    return Look(mix(theme().hairline, theme().axis, OTHERS), ink="text", weight=SEMIBOLD)


def weight_row(weights: Fact, total: Fact, grid: Grid, i: int, shown: int, mask: Fact | None) -> VGroup:
    """The first weights of a row on their scale, and the sum of all; what the mask hides is hatched."""
    row, small = VGroup(), theme().type.small
    for j in range(shown):
        look = masked() if mask is not None and bool(mask[i, j]) else weight_of(float(weights[j]))
        row.add(Cell(*grid.box(i, j), look, weights[j], em=small))
    cut = shown < len(weights)
    if cut:
        row.add(dots(small).move_to(at(grid.right(shown) + DOTS_DX, grid.row_y(i))))
    total_x = grid.right(shown) + SUM_DX + (2 * DOTS_DX if cut else 0)
    sum_shown = in_cell(figure(total, exact=False, em=small, role="dim"), total_x, grid.row_y(i))
    row.add(sum_shown)
    told = cut and any(float(weights[j]) for j in range(shown, len(weights)))  # the dots tell that there is more to add
    if not told and not sum_agrees(weights, total):
        rounded = words("rounded", em=small, role="dim")
        row.add(rounded.place(right(sum_shown) + SUM_GAP, sum_shown.origin[1]))
    return row


def left_out(part: Part, *grids: Grid) -> VGroup:
    """Dots for what is not shown: right of the columns of a head, or of the last one shown, and below them."""
    marks, small = VGroup(), theme().type.small
    for grid in grids:
        groups = part.heads if len(grids) == 1 and grid.shared else 1
        for k in range(groups):
            last = k + 1 == groups and grid is grids[-1]
            x0, edge = grid.box(0, k * part.wide)[0], grid.right((k + 1) * part.wide)
            if part.cuts_columns or (part.cuts_heads and last and grid.beside):
                marks.add(*[dots(small).move_to(at(edge + DOTS_DX, grid.row_y(i))) for i in range(part.rows)])
            if part.cuts_rows:
                below = grid.bottom(part.rows) + DOTS_DY
                marks.add(dots(small, down=True).move_to(at((x0 + edge) / 2, below)))
    return marks


def further(heads: Sequence[Fact], part: Part, last: Grid) -> VGroup:
    """Under a stack that leaves out heads: dots, apart from those for rows in the middle, and the last one's name."""
    if not part.cuts_heads:
        return VGroup()
    small, foot = theme().type.small, DOTS_HIGH if part.cuts_rows else 0
    baseline = last.bottom(part.rows) + foot + HEAD_GAP + SPAN_DY
    name = words("head {}", heads[-1], em=small, role="dim").place(last.x + FURTHER_DX[1], baseline, "origin")
    return VGroup(dots(small, down=True).move_to(at(last.x + FURTHER_DX[0], baseline - CAP * small / 2)), name)


# ---------------------------------------------------------------- marks


def wedge(cell: Cell) -> VGroup:
    """The mark of a wrong cell: its top right corner, cut off by a line of ground, so that the shape alone reads."""
    x, y, w, _ = cell.box
    r = theme().frame.radius
    turn = [(x + w - r + r * sin(pi / 2 * k / 8), y + r - r * cos(pi / 2 * k / 8)) for k in range(9)]

    def corner(size: float, fill: str) -> VMobject:
        return polygon([(x + w - size, y), *turn, (x + w, y + size)], fill=fill)

    size = min(WEDGE, WEDGE_SHARE * w)
    return VGroup(corner(size + WEDGE_CUT, "ground"), corner(size, "error"))


def wedge_note(x: float, y: float, least: float, count: Label, example: str, named: Sequence[Fact]) -> VGroup:
    """A count behind the mark of a wrong cell, and an example about two tokens, `named` in it, below it, in lines.

    They begin at x, or as much before it, but not before `least`, as they need to end within the margin; px.
    """
    x, least, edge = x + CORNER + CORNER_GAP, least + CORNER + CORNER_GAP, theme().frame.right
    lines = paragraph(example, *named, x=0, baseline=y + NOTE_LEADING, width=edge - least, leading=NOTE_LEADING)
    x = min(x, edge - max(right(line) - left(line) for line in (count, *lines)))
    x0, x1 = x - CORNER_GAP - CORNER, x - CORNER_GAP
    corner = polygon([(x0, y - CORNER_DY), (x1, y - CORNER_DY), (x1, y - CORNER_DY + CORNER)], fill="error")
    return VGroup(corner, count.place(x, y), lines.shift(by(x, 0)))


def asked(*questions: str, middle: XY) -> VGroup:
    """What is to be found out, line by line around a point: pairs of a question mark and what it asks for."""
    x, y = middle
    lines = [words(question) for question in questions]
    x -= max(line.advance for line in lines) / 2
    pairs = VGroup()
    for k, line in enumerate(lines):
        line.middle(x + MARK[1] / 2, y + (k - (len(lines) - 1) / 2) * NOTE_LEADING)
        pairs.add(VGroup(words("?", role="dim").place(x - MARK[1] / 2, line.origin[1]), line))
    return pairs


def both_ways(part: Part, y: float) -> VGroup:
    """One matrix and its stacked heads, small, with an arrow each way, at the right margin around y.

    Dots for heads that are left out follow the matrix and the stack.
    """
    heads, rows, columns = part.heads, part.rows, part.wide
    unit, edge, picture = Grid(0, 0, RECAP_SIDE, RECAP_SIDE), theme().frame.right, VGroup()
    x, tall = edge - unit.right(columns), unit.bottom(rows)
    flat = Grid(x - RECAP_GAP - unit.right(heads * columns), y - tall / 2, RECAP_SIDE, RECAP_SIDE)
    top = y - (heads * tall + (heads - 1) * RECAP_APART) / 2
    for i in range(heads):
        look, stacked = head_look(i), Grid(x, top + i * (tall + RECAP_APART), RECAP_SIDE, RECAP_SIDE)
        for row, k in product(range(rows), range(columns)):
            for place in (flat.box(row, i * columns + k), stacked.box(row, k)):
                picture.add(box(*place, fill=look.fill, edge=look.edge, width=HAIR, radius=RECAP_RADIUS))
    if part.cuts_heads:
        low = top + heads * (tall + RECAP_APART) - RECAP_APART
        picture.add(
            trail(x - RECAP_GAP + RECAP_DOTS, y), trail(x + unit.right(columns) / 2, low + RECAP_DOTS, down=True)
        )
    ends = x - RECAP_GAP + PAD, x - PAD
    for (x0, x1), dy in ((ends, -RISE), (ends[::-1], RISE)):
        picture.add(arrow((x0, y + dy), (x1, y + dy), "dim", LINE, TIP))
    return picture


def output_shade(value: float, least: float, most: float) -> str:
    """How a number of the layer's output looks from afar: one scale from the least to the largest.

    Numbers that differ by rounding only are alike, half way; the least stands out from the ground, too.
    """
    share = 0.5 if isclose(least, most, abs_tol=ALIKE) else (value - least) / (most - least)
    return mix(theme().panel, theme().head, FAINTEST + (1 - FAINTEST) * share)


def output_matrix(d_model: int, x: float, y: float) -> VGroup:
    """W_O small, to scale, and its name beside it."""
    side = min((MATRIX_SIDE + TILE_GAP) / d_model - TILE_GAP, MATRIX_TILE)
    squares = tiles(x, y, d_model, d_model, side, "axis")
    name = rich("$W_O$, the output matrix").middle(right(squares) + NAME_GAP, y + (bottom(squares) - y) / 2)
    return VGroup(squares, name)


# ---------------------------------------------------------------- names


def shape_label(*sizes: Fact, weight: int = SEMIBOLD, role: str = "text") -> Label:
    """A shape, as [6, 8]."""
    em = theme().type.tag if weight == SEMIBOLD else theme().type.body
    return words("[" + ", ".join("{}" for _ in sizes) + "]", *sizes, em=em, weight=weight, role=role)


def shape_tag(grid: Grid, *sizes: Fact) -> ShapeText:
    """The shape over a matrix."""
    return ShapeText(*sizes).place(grid.x, grid.y + TAG_DY)


def step_beside(old: VMobject, new: VMobject, grid: Grid, name: str) -> VGroup:
    """An arrow from shape to shape, parted by the name of the step."""
    named = words(name, em=theme().type.small)
    return _parted_arrow(right(old), left(new), grid.y + TAG_DY, named)


def name_beside(grid: Grid, tag: VMobject, name: str, role: str = "text", *, before: bool = False) -> Label:
    """What a matrix is, after its shape or before it."""
    baseline = grid.y + TAG_DY
    label = words(name, em=theme().type.tag, weight=SEMIBOLD, role=role)
    x = left(tag) - NAME_GAP if before else right(tag) + NAME_GAP
    return label.place(x, baseline, "right" if before else "left")


def span(head: Fact, x: float, y: float, x_end: float) -> VGroup:
    """The name of a head over its columns, with a line up to where they end, if there is room for one.

    Where there is no room for the name, its figure stands alone.
    """
    label = words("head {}", head, em=theme().type.small, role="dim").place(x, y + SPAN_DY, "origin")
    if label.advance > x_end - x + theme().frame.gap:
        return VGroup(
            words("{}", head, em=theme().type.small, role="dim").place((x + x_end) / 2, y + SPAN_DY, "center")
        )
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


def head_legend(heads: Sequence[Fact], others: bool, x: float, baseline: float) -> VGroup:
    """How the cells of each head look, and those of others, if there are any."""
    legend, small = VGroup(), theme().type.small
    names = [words("head {}", head, em=small, role="dim") for head in heads]
    names += [words("others", em=small, role="dim")] if others else []
    for i, name in enumerate(names):
        look, x0 = head_look(i), x + i * SWATCH_STEP
        y = baseline - (SWATCH + CAP * small) / 2
        legend.add(
            box(x0, y, SWATCH, SWATCH, fill=look.fill, edge=look.edge, width=HAIR),
            name.place(x0 + SWATCH + SWATCH_GAP, baseline, "origin"),
        )
    return legend


def numbering(x: float, baseline: float) -> VGroup:
    """What the numbers of outputs mean, in two lines."""
    lines = "numbered by the place", "each output belongs in"
    return VGroup(*[words(t, role="dim").place(x, baseline + k * NOTE_LEADING) for k, t in enumerate(lines)])


def sum_name(part: Part, grid: Grid) -> Label:
    """Over the sums of a grid's rows of weights."""
    name, dx = words("sum", em=theme().type.small, role="dim"), 2 * DOTS_DX if part.cuts_rows else 0
    return name.place(grid.right(part.rows) + SUM_DX + dx, grid.y + SPAN_DY, "center")


def row_labels(tokens: Fact, grid: Grid, shown: int) -> TokenLabels:
    """The first tokens beside the rows of a grid."""
    drop, x = TOKEN_DROP * theme().type.body, grid.x - TOKEN_GAP
    narrow = narrowing(longest(first(tokens, shown)), TOKEN_ROOM)
    return TokenLabels(*[
        token(tokens[i], x, grid.row_y(i) + drop, "dim", "right", room=TOKEN_ROOM, narrow=narrow) for i in range(shown)
    ])  # fmt: skip


def step_arrow(x0: float, x1: float, y: float, name: str) -> VGroup:
    """An arrow between two grids that end at x0 and begin at x1, and the name of the step over it."""
    pad = PAD if x1 > x0 else -PAD
    label = words(name, em=theme().type.small).place((x0 + x1) / 2, y - RISE, "center")
    return VGroup(arrow((x0 + pad, y), (x1 - pad, y), "dim", LINE, TIP), label)


def inflow(x0: float, x1: float, grid: Grid, name: Label) -> VGroup:
    """An arrow on the level of the names of heads, parted by the name of what comes in."""
    return _parted_arrow(x0, x1, grid.y + SPAN_DY, name)


def _parted_arrow(x0: float, x1: float, baseline: float, name: Label) -> VGroup:
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
