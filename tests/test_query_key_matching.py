"""The chapter on matching: motions begin with their words, and what is said stays true when the inputs change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from kit_helpers import changed_lesson, play_chapter

from scenes.kit.scene import LessonScene
from scenes.kit.timeline import TICKS_PER_SECOND

NAME = "query_key_matching"
CLOSE = 0.4  # s between a number and the word that brings it
EXAMPLE = "query = [1, 0]", "keys = [[1, 0], [0, 1]]"


@cache
def played() -> LessonScene:
    """The chapter as shipped, played once."""
    return play_chapter(NAME)


def changed(folder: Path, query: str, keys: str) -> LessonScene:
    new = f"query = {query}", f"keys = {keys}"
    return play_chapter(NAME, changed_lesson(folder, *zip(EXAMPLE, new, strict=True)))


def spoken(scene: LessonScene) -> str:
    return " ".join(line.text for line in scene.timeline.lines)


@pytest.mark.parametrize(
    ("fact", "line", "word"),
    [
        ("worked_example.q[0]", "shadows", "query."),
        ("worked_example.k[0,0]", "shadows", "keys"),
        ("worked_example.scores[0]", "shadows.first", "length."),
        ("worked_example.scores[1]", "shadows.second", "nowhere."),
        ("worked_example.v[0,0]", "predict_value", "value,"),
        ("sequence.q[0,0]", "sweep_one_row", "queries"),
        ("sequence.k[0,0]", "sweep_one_row", "keys"),
        ("sequence.scores[0,0]", "sweep_one_row.first_row", "sweeps"),
    ],
)
def test_numbers_come_with_their_words(fact: str, line: str, word: str) -> None:
    timeline = played().timeline
    said = next(said for said in timeline.lines if said.id == f"{NAME}.{line}")
    word_at = said.start / TICKS_PER_SECOND + said.words[said.text.split().index(word)][0]
    shown_at = [number.start / TICKS_PER_SECOND for number in timeline.numbers if number.fact == fact]
    assert min(abs(second - word_at) for second in shown_at) < CLOSE


def test_equal_scores_have_no_winner(tmp_path: Path) -> None:
    scene = changed(tmp_path, "[1, 1]", "[[1, 0], [0, 1]]")
    assert "Both keys score the same, so their values weigh the same." in spoken(scene)
    (cue,) = scene.timeline.cues
    assert cue.choices[cue.answer] == "Both equally"
    assert "equally well" in cue.explain


def test_directions_are_named_as_they_are(tmp_path: Path) -> None:
    scene = changed(tmp_path, "[1, 0]", "[[-2, 0], [0.5, 0.5]]")
    text = spoken(scene)
    assert "Along the first key, the query reaches backwards, by its full length." in text
    assert "Along the second key, the query reaches a part of its length." in text
    assert "The second key scores higher" in text
    (cue,) = scene.timeline.cues
    assert cue.choices[cue.answer] == "The second value"


MANY = "[[1, 0], [0, 1], [-1, 0], [0.8, 0.6], [0.6, -0.8]]"
VALUES = "values = [[10, 0], [0, 6]]", "values = [[10, 0], [0, 6], [3, 3], [1, 2], [5, 5]]"


def test_of_many_keys_the_best_and_the_worst_are_measured(tmp_path: Path) -> None:
    lesson = changed_lesson(tmp_path, (EXAMPLE[1], f"keys = {MANY}"), VALUES)
    scene = play_chapter(NAME, lesson)
    text = spoken(scene)
    assert "Here are five keys and a query. Along the first key, the query reaches its full length." in text
    assert "Along the third key, the query reaches backwards, by its full length." in text
    assert "The first key scores highest, so the output draws most on its value." in text
    (cue,) = scene.timeline.cues
    assert (len(cue.choices), cue.choices[cue.answer]) == (6, "The first value")
    assert cue.prompt == "Which value will the output draw on most?"
