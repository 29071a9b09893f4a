"""Head splitting: figures come with their words, and the pieces of a wrong merge pass over nothing that has landed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from kit_helpers import play_chapter, play_scene, shipped, shown_at, word_at

from scenes.head_splitting import HeadSplitting
from scenes.kit.cells import Cell, Look
from scenes.kit.geometry import pixel
from scenes.kit.head_moves import Rearrange
from scenes.kit.head_shapes import ShapeText, first_to_second
from scenes.kit.head_stage import Grid
from scenes.kit.labels import Label
from scenes.kit.narration import Paced

if TYPE_CHECKING:
    from scenes.kit.timeline import Timeline

CLOSE = 0.4  # s
ROWS, HEADS, WIDE, SIDE = 6, 2, 4, 50.0


@dataclass(frozen=True)
class Speaker(Paced):
    """Speaks at that pace."""

    characters_per_second: float = Paced.characters_per_second


@cache
def timeline(pace: float) -> Timeline:
    return play_chapter("head_splitting", narrator=Speaker(pace)).timeline


@pytest.mark.slow
@pytest.mark.parametrize("pace", [11, 17])
@pytest.mark.parametrize(
    ("fact", "line_id", "word"),
    [
        ("multi_head.d_model", "memory", "numbers"),
        ("multi_head.head_index[0]", "columns", "head"),
        ("multi_head.wrong_count", "wrong_cells", "40"),
        ("multi_head.loop_batched_gaps[0,0]", "damage.match", "matches"),
        ("multi_head.forgotten_transpose_gaps[0,0]", "damage.gap", "off"),
    ],
)
def test_a_figure_comes_with_its_word(fact: str, line_id: str, word: str, pace: float) -> None:
    said = word_at(timeline(pace), f"head_splitting.{line_id}", word)
    assert min(shown_at(timeline(pace), fact)) == pytest.approx(said, abs=CLOSE)


def corners(cells: list[Cell]) -> np.ndarray[Any, Any]:
    """Left, top, right and lower edge of each cell, px [n, 4]."""
    points = [cell.ground.points for cell in cells]
    ends = [
        (*pixel(np.array([p[:, 0].min(), p[:, 1].max(), 0])), *pixel(np.array([p[:, 0].max(), p[:, 1].min(), 0])))
        for p in points
    ]
    return np.array(ends)


def overlaps(edges: np.ndarray[Any, Any]) -> bool:
    """Whether any two cells lie on each other."""
    low = np.maximum(edges[:, None, :2], edges[None, :, :2])
    high = np.minimum(edges[:, None, 2:], edges[None, :, 2:])
    shared = ((high - low) > 1).all(axis=2)
    return bool(shared.sum() > len(edges))  # each lies on itself


@pytest.mark.parametrize("turning", [True, False])
def test_what_turns_passes_over_nothing(turning: bool) -> None:
    """Rows of a stack become halves of rows of one matrix to the right of it."""
    stack = [Grid(840, 304 + head * 392, SIDE, SIDE) for head in range(HEADS)]
    matrix = Grid(1180, 304, SIDE, SIDE)
    order = list(product(range(HEADS), range(ROWS), range(WIDE)))
    cells = [Cell(*stack[head].box(row, k), Look("panel")) for head, row, k in order]
    goals = [matrix.box(*divmod(place, HEADS * WIDE)) for place in range(len(order))]
    move = Rearrange(cells, goals, lag=0.8, together=WIDE, turning=turning)
    move.begin()
    crossed = False
    for alpha in np.linspace(0, 1, 61):
        move.interpolate_mobject(float(alpha))
        crossed |= overlaps(corners(cells))
    assert crossed is not turning
    np.testing.assert_allclose(corners(cells)[:, :2], [goal[:2] for goal in goals], atol=0.5)


@pytest.mark.slow
def test_a_shape_leaves_nothing_where_it_went() -> None:
    """While the question is asked, all that is read belongs to what is there: no comma of a shape stays alone."""
    alone: list[str] = []

    class Looking(HeadSplitting):
        def predict(self, *args: Any, **kwargs: Any) -> None:
            tops = [mob for mob in self.mobjects if isinstance(mob, Label)]
            alone.extend(mob.markup for mob in tops)
            super().predict(*args, **kwargs)

    play_scene(Looking)
    assert alone == []


def test_the_second_size_of_a_shape_comes_to_the_front() -> None:
    lesson = shipped()
    n, h, d_head = (lesson.facts[f"multi_head.{name}"] for name in ("n", "h", "d_head"))
    old, new = ShapeText(n, h, d_head), ShapeText(h, n, d_head)
    first, second, third = old.sizes
    for move in first_to_second(old, new):
        move.begin()
        move.interpolate(1)
    for part, goal in zip((second, first, third, old.closing), (*new.sizes, new.closing), strict=True):
        assert part.markup == goal.markup
        np.testing.assert_allclose(part.get_center(), goal.get_center(), atol=1e-6)
