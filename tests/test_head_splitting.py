"""Head splitting: figures come with their words, and the pieces of a wrong merge pass over nothing that has landed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from kit_helpers import play_chapter, play_scene, shipped, shown_at, word_at

from lesson import Fact, load
from scenes.head_splitting import HeadSplitting, renamed
from scenes.kit.cells import READABLE, Cell, Look, solid
from scenes.kit.colour import contrast
from scenes.kit.geometry import bottom, left, pixel, right, top
from scenes.kit.head_moves import Rearrange
from scenes.kit.head_shapes import ShapeText, first_to_second
from scenes.kit.head_stage import Grid
from scenes.kit.heads import head_look, output_shade, shared_spans, wedge_note
from scenes.kit.labels import Label, words
from scenes.kit.narration import Paced
from scenes.kit.theme import theme

if TYPE_CHECKING:
    from scenes.kit.timeline import Timeline

CLOSE = 0.4  # s
CLEAR = 1.3  # contrast with the ground of what can be seen on it, at least
LESSONS = Path(__file__).parent / "lessons"
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


@pytest.mark.parametrize(("least", "most"), [(-1.067, -1.063), (0.0, 2.0), (-3e-3, 5.0)])
def test_outputs_have_shades_that_tell_them_apart(least: float, most: float) -> None:
    shades = [output_shade(value, least, most) for value in (least, (least + most) / 2, most)]
    grounds = [contrast(shade, theme().ground) for shade in shades]
    assert all(b > 1.5 * a for a, b in pairwise(grounds))
    assert grounds[0] > CLEAR


def test_outputs_that_are_all_alike_have_one_clear_shade() -> None:
    same = 1.067
    shades = {output_shade(value, same, same + 1e-15) for value in (same, same + 1e-15)}
    assert shades == {output_shade(same, same, same)}
    assert contrast(shades.pop(), theme().ground) > 2 * CLEAR


@pytest.mark.parametrize("head", range(4))
def test_heads_stand_out_from_the_ground(head: int) -> None:
    look = head_look(head)
    shown = theme().colour(look.edge or look.fill or "ground")
    assert contrast(shown, theme().ground) > 2
    assert contrast(theme().colour(look.ink or "text"), theme().colour(look.fill or "ground")) >= READABLE


@pytest.mark.slow
@pytest.mark.parametrize(("name", "elsewhere"), [("accents", None), ("twelve_tokens", True), ("two_tokens", False)])
def test_the_largest_gap_shown_is_marked_and_told_if_it_is_not_the_largest_of_all(
    name: str, elsewhere: bool | None
) -> None:
    marked: list[float] = []
    told: list[bool] = []

    class Looking(HeadSplitting):
        def damage(self) -> None:
            super().damage()
            marked.extend(
                float(c.fact) for c in self.outputs.values() if c.fact is not None and c.look == solid("error")
            )
            told.append(any("shown here" in mob.markup for mob in self.mobjects if isinstance(mob, Label)))

    lesson = load(LESSONS / f"{name}.toml")
    play_scene(Looking, lesson)
    facts = lesson.facts
    if not bool(facts["multi_head.transpose_matters"]):
        assert (marked, told) == ([], [False])
        return
    most = float(facts["multi_head.forgotten_transpose_gap"])
    assert marked
    assert told == [max(marked) < most]
    assert elsewhere is None or told == [elsewhere]


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


def test_an_example_about_long_words_breaks_before_it_reaches_the_other_legend() -> None:
    long, clear = [Fact("sequence.tokens", "W" * 13 + end) for end in "WX"], 700.0
    note = wedge_note(1178, 806, clear, words("wrong"), "The first “{}” holds one number of “{}”.", (long[0], long[1]))
    count, lines = note[1], note[2]
    assert clear <= left(note)
    assert right(note) <= theme().frame.right
    assert len(lines) > 1
    heights = [pixel(label.get_corner(np.array([-1, -1, 0])))[1] for label in (count, *lines)]
    assert heights == sorted(heights)


@pytest.mark.parametrize("widths", [(200.0, 110.0), (110.0, 200.0), (200.0, 150.0), (40.0, 200.0), (200.0, 100.0)])
def test_names_of_heads_stay_over_their_columns_on_the_way(widths: tuple[float, float]) -> None:
    """Also where there is room for a line beside the name, or for the name, before or after only."""
    heads = [Fact("head", i) for i in range(2)]
    old, new = (shared_spans(heads, Grid(200.0, 300.0, w, 50.0, group=1), 1) for w in widths)
    lowest, end = max(bottom(old), bottom(new)) + 1, 200 + 2 * max(widths) + theme().frame.gap + 1
    changes = renamed(old, new)
    for change in changes:
        change.begin()
    for t in (0.1, 0.5, 0.9):
        for change in changes:
            change.interpolate(t)
            moving: Any = change.mobject
            assert 200 - 1 <= left(moving) < right(moving) <= end
            assert 240 < top(moving) <= bottom(moving) <= lowest
