"""What is shown of too many things, and that the matrices of heads of any size have room."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit_helpers import changed_lesson

from lesson import Lesson
from pipeline.audit.clip import played_and_audited
from scenes import chapter, scene_class
from scenes.kit.excerpt import slots
from scenes.kit.head_stage import LEGEND_ROOM, MORE_HEADS, MOST_HEADS, NOTES_ROOM, Grid, Stage
from scenes.kit.theme import theme
from scenes.kit.timeline import Timeline

WORDS = '["The", "animal", "was", "too", "tired", "."]'
TWELVE = '["So", "so", "many", "words", "are", "not", "Internationale", "but", "still", "a", "sentence", "."]'


@given(st.integers(1, 40), st.integers(3, 12))
def test_the_first_and_the_last_are_shown(count: int, room: int) -> None:
    shown = slots(count, room)
    places = [place for place in shown if place is not None]
    assert len(shown) <= room
    assert places == sorted(set(places))
    assert places[0] == 0
    assert places[-1] == count - 1
    assert (None in shown) == (count > room) == (len(places) < count)
    if None in shown:
        assert places[:-1] == list(range(len(places) - 1))
        assert shown[-2] is None


@st.composite
def sizes(draw: st.DrawFn) -> tuple[int, int, int]:
    """Tokens, heads, columns of a head."""
    d_model = draw(st.integers(1, 16))
    h = draw(st.sampled_from([h for h in range(1, d_model + 1) if d_model % h == 0]))
    return draw(st.integers(2, 12)), h, d_model // h


@given(sizes(), st.floats(10, 400))
def test_heads_of_any_size_have_room(size: tuple[int, int, int], token_width: float) -> None:
    n, h, d_head = size
    stage, frame = Stage.of(n, h, d_head, token_width), theme().frame
    part = stage.part
    assert part.cuts_rows == (part.rows < n)
    assert part.cuts_heads == (part.heads < h)
    assert part.cuts_columns == (part.wide < d_head)
    whole = [stage.flat, stage.closed, stage.filled, stage.good, stage.bad]
    heads = [*stage.parted, *stage.stacked, *stage.at_left, *stage.middle, *stage.opened]
    widths = [(grid, part.columns) for grid in whole] + [(grid, part.wide) for grid in heads]
    for grid, columns in [*widths, (stage.real, h * d_head)]:
        assert frame.left <= grid.x
        assert grid.right(columns) <= frame.right
        assert grid.bottom(n if grid is stage.real else part.rows) <= frame.bottom
    low = stage.stacked[-1].bottom(part.rows) + stage.foot + (MORE_HEADS if part.cuts_heads else 0)
    assert low <= frame.bottom
    assert stage.good.bottom(part.rows) + stage.foot + LEGEND_ROOM <= frame.bottom
    assert stage.note_y + NOTES_ROOM <= frame.bottom
    assert stage.stacked[0].h > theme().type.small
    _stand_in_order(part.columns, part.wide, stage.flat, *stage.parted, stage.stacked[0])
    _stand_in_order(part.columns, part.wide, stage.good, stage.bad)


def test_few_tokens_stand_lower() -> None:
    two, four, six = (Stage.of(n, 2, 2, 100).top for n in (2, 4, 6))
    assert two > four > six


def _stand_in_order(columns: int, wide: int, first: Grid, *others: Grid) -> None:
    end = first.right(columns)
    for grid in others:
        assert grid.x > end
        end = grid.right(wide)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("head_splitting", [("d_model = 8", "d_model = 16"), ("h = 2\n", "h = 1\n")]),
        ("head_splitting", [(WORDS, TWELVE), ("d_model = 8", "d_model = 12"), ("h = 2\n", "h = 4\n")]),
        ("causal_triangle", [(WORDS, TWELVE)]),
        ("causal_triangle_unmasked", [(WORDS, TWELVE)]),
    ],
    ids=["one head", "four heads", "twelve tokens", "twelve tokens, unmasked"],
)
def test_many_are_shown_in_part(name: str, changes: list[tuple[str, str]], tmp_path: Path) -> None:
    lesson = changed_lesson(tmp_path, *changes)
    scene, findings = played_and_audited(scene_class(chapter(name)), lesson)
    assert list(map(str, findings)) == []
    text = " ".join(line.text for line in scene.timeline.lines)
    one_head = int(lesson.facts["multi_head.h"].value) == 1
    assert ("nothing to split" in text) == (one_head and name == "head_splitting")
    if name == "head_splitting":
        assert scene.timeline.cues[0].answer == (0 if one_head else 1)
        _names_the_last_head(scene.timeline, lesson)
    else:
        assert "left out" in text


def _names_the_last_head(timeline: Timeline, lesson: Lesson) -> None:
    """As long as a stack leaves out heads, the last one's name is under it; and nowhere else."""
    h = int(lesson.facts["multi_head.h"].value)
    start, end = (next(b for b in timeline.beats if b.name == name) for name in ("one_batch", "merge_right"))
    named = [n for n in timeline.numbers if n.fact == f"multi_head.head_index[{h - 1}]"]
    assert any(n.start <= start.start and n.end >= end.end for n in named)
    left_out = {f"multi_head.head_index[{i}]" for i in range(MOST_HEADS, h - 1)}
    assert not left_out & {n.fact for n in timeline.numbers}
