"""What is said beside and below a causal matrix: which sort of cell is whose, and where its zeros come from."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from manim import VGroup

from lesson import Fact
from scenes.kit.attention_grid import AttentionGrid, hides, triangle
from scenes.kit.cells import Cell, copy_of, known, masked, on_hatching
from scenes.kit.figures import figure_of
from scenes.kit.geometry import by
from scenes.kit.labels import formula, paragraph, words
from scenes.kit.theme import theme

# to the right of the matrix, px
LEGEND_X, LEGEND_Y, LEGEND_BOX, LEGEND_GAP, LEGEND_DY, LEGEND_EM = 1128, 556, (240, 100), 32, 106, 44
NOTE_X, NOTE_BOX, NOTE_TEXT_DX, NOTE_RISE, NOTE_LEADING, NOTE_EM = 1300, (232, 100), 28, 11, 46, 52
# below it
KEY_DY, KEY_BOX, KEY_MARK, KEY_DX = 24, 44, (24, 20), (58, 274, 296)


def score_legend(grid: AttentionGrid, has_mask: bool) -> VGroup:
    """The sorts of score, and whom they belong to."""
    w, h = LEGEND_BOX
    x, y = LEGEND_X + w + LEGEND_GAP, LEGEND_Y + LEGEND_DY
    score = formula("qc(q_i) dot kc(k_j) \\/ sqrt(d_k)", em=LEGEND_EM)
    score.place(LEGEND_X + w / 2, LEGEND_Y + h / 2 + LEGEND_EM / 3, "center")
    seen = words("itself and earlier tokens").middle(x, LEGEND_Y + h / 2)
    later = words("no later token" if has_mask else "later tokens, too").middle(x, y + h / 2)
    parts = [Cell(LEGEND_X, LEGEND_Y, w, h, known()), score, seen, later]
    if has_mask:
        return VGroup(*parts, grid.hidden_score(LEGEND_X, y, w, h))
    look = copy_of("score")
    return VGroup(*parts, Cell(LEGEND_X, y, w, h, look), score.copy().paint(look.ink or "text").shift(by(0, LEGEND_DY)))


def rounded_away(fact: Fact, queries: Sequence[int], keys: Sequence[int], mask: Fact | None) -> Fact | None:
    """The first of those entries of [n, n] that is read as zero and is none, and that the mask does not hide."""
    for i, j in product(queries, keys):
        if not hides(mask, i, j) and float(fact[i, j]) and not figure_of(fact[i, j]).shown.strip("0."):
            return fact[i, j]
    return None


def exponential_law(zero: Fact, has_mask: bool, x: float, y: float, tiny: Fact | None = None) -> VGroup:
    """Where zeros come from, or why there are none, in a cell at (x, y); beside it, what a `tiny` one's figure is."""
    w, h = NOTE_BOX
    look = masked() if has_mask else copy_of("weight")
    law = formula("e^(-oo) = {}" if has_mask else "e^s > {}", zero, em=NOTE_EM)
    law.place(x + w / 2, y + h / 2 + NOTE_EM / 3, "center")
    made = VGroup(Cell(x, y, w, h, look), on_hatching(law, look) if has_mask else law)
    if tiny is not None and not has_mask:
        made.add(words("{} is above zero, too", tiny, role="dim").middle(x + w + NOTE_TEXT_DX, y + h / 2))
    return made


def weight_notes(grid: AttentionGrid, zero: Fact, has_mask: bool) -> VGroup:
    """What the first row does, and what becomes of later tokens, and why."""
    w, h = NOTE_BOX
    x, y = NOTE_X + w + NOTE_TEXT_DX, grid.place.y + 2 * grid.matrix.dy
    says = "no weight for later tokens" if has_mask else "some weight for every token"
    first = "only itself" if has_mask else "every token"
    baseline, width = y + h / 2 - NOTE_RISE, theme().frame.right - x
    return VGroup(
        grid.remark(0, first, "text", NOTE_X),
        exponential_law(zero, has_mask, NOTE_X, y),
        paragraph(says, x=x, baseline=baseline, width=width, leading=NOTE_LEADING),
    )


def key_baseline(grid: AttentionGrid) -> float:
    """Of what stands below the grid, px."""
    return grid.matrix.bottom + KEY_DY + KEY_BOX / 2 + theme().type.body / 3


def change_key(grid: AttentionGrid, zero: Fact, x: float) -> VGroup:
    """Below the grid, from x on: how the weights that the mask changes are marked."""
    y, base = grid.matrix.bottom + KEY_DY, key_baseline(grid)
    return VGroup(
        Cell(x, y, KEY_BOX, KEY_BOX, masked()),
        words("becomes {}", zero, role="dim").place(x + KEY_DX[0], base),
        triangle(x + KEY_DX[1], y + KEY_BOX / 2, *KEY_MARK, "text"),
        words("grows", role="dim").place(x + KEY_DX[2], base),
    )
