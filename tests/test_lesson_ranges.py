"""What a lesson file may hold, all of it: the dozen kept in tests/lessons, and lessons drawn at random."""

from __future__ import annotations

import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from drawn_lessons import Table, lessons, write_lesson
from hypothesis import given, settings

from lesson import Lesson, load
from lesson.standing import CLEAR_LEAD, DECISIVE, standing
from pipeline.words import drawable

FOLDER = Path(__file__).parent / "lessons"
DOZEN = sorted(FOLDER.glob("*.toml"))


@pytest.fixture(scope="module")
def shipped_keys() -> tuple[str, ...]:
    return load().facts.keys()


@pytest.fixture(scope="module")
def dozen() -> list[Lesson]:
    return [load(path, drawable) for path in DOZEN]


def test_the_dozen_reach_the_ends_of_every_range(dozen: list[Lesson]) -> None:
    assert len(dozen) == 12

    def span(*keys: str) -> tuple[Any, Any]:
        found = [entry for lesson in dozen for key in keys for entry in _entries(lesson, key)]
        return min(found), max(found)

    sentences = [lesson.facts[f"{group}.tokens"].value for lesson in dozen for group in ("opening", "sequence")]
    assert {min(map(len, sentences)), max(map(len, sentences))} == {2, 12}
    assert {len(word) for words in sentences for word in words} >= {1, 14}
    assert (span("sequence.d_model"), span("sequence.d_k"), span("sequence.d_v")) == ((1, 16), (1, 8), (1, 8))
    assert {int(lesson.facts["multi_head.h"]) for lesson in dozen} >= {1, 2, 3, 4, 5, 8}
    assert {int(lesson.facts["worked_example.n_keys"]) for lesson in dozen} == {2, 3, 4, 5}
    numbers = [f"worked_example.{name}" for name in "qkv"]
    assert span(*numbers) == (-999_999.5, 1_000_000)
    assert min(abs(n) for lesson in dozen for key in numbers for n in _entries(lesson, key) if n) == 0.001
    assert {lesson.config.look.theme for lesson in dozen} == {"dark", "light"}
    for group in ("opening", "worked_example"):
        for name in ("tied", "clear", "mostly", "decisive"):
            assert {bool(lesson.facts[f"{group}.{name}"]) for lesson in dozen} == {True, False}, (group, name)
    directions = {way for lesson in dozen for way in lesson.facts["worked_example.directions"].value}
    assert directions == {"nearly", "partly", "right angle", "hardly away", "partly away"}


def _entries(lesson: Lesson, key: str) -> list[Any]:
    return list(np.ravel(lesson.facts[key].value).tolist())


def test_what_is_said_of_weights_is_so(dozen: list[Lesson]) -> None:
    for lesson in dozen:
        check_words_for_weights(lesson)


@settings(max_examples=15)
@given(lessons())
def test_every_lesson_within_the_ranges_is_computed(shipped_keys: tuple[str, ...], table: Table) -> None:
    with TemporaryDirectory() as folder:
        lesson = load(write_lesson(Path(folder) / "lesson.toml", table), drawable)
    assert lesson.facts.keys() == shipped_keys
    check_words_for_weights(lesson)
    text = json.dumps(lesson.facts.to_dict(), allow_nan=False)
    assert json.loads(text)["sequence"]["tokens"] == table["sequence"]["tokens"]


def check_words_for_weights(lesson: Lesson) -> None:
    """By plain Python on lists, from the weights alone."""
    for group, of in (
        ("opening", "weights"),
        ("worked_example", "weights"),
        ("practice", "weights"),
        ("stability", "softmax"),
    ):
        weights = lesson.facts[f"{group}.{of}"].value.tolist()
        said = {name: lesson.facts[f"{group}.{name}"].value for name in standing(np.array(weights))}
        largest, second = sorted(weights, reverse=True)[:2]
        assert math.fsum(weights) == pytest.approx(1, abs=1e-12)
        assert [weights[i] for i in said["order"]] == sorted(weights, reverse=True)
        assert (weights[said["strongest_index"]], weights[said["second_index"]]) == (largest, second)
        assert weights[said["weakest_index"]] == min(weights)
        assert said["leaders"].tolist() == [i for i, weight in enumerate(weights) if largest - weight < 1e-9]
        assert said["tied"] == (len(said["leaders"]) > 1)
        assert said["all_tied"] == (len(said["leaders"]) == len(weights))
        assert said["lead"] == largest - second
        assert said["clear"] == (largest - second >= CLEAR_LEAD)
        assert said["decisive"] == (largest >= DECISIVE)
        assert said["mostly"] == (largest > 0.5 + 1e-9)
        assert not (said["tied"] and said["mostly"])
        assert said["mostly"] or not said["decisive"]
