"""The audit finds nothing in the dozen lessons of instructors, nor in others, nor in lessons drawn at random.

Each of the dozen is audited in two chapters, in turn; `benchmarks/audit_many.py` takes all chapters of many lessons.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from drawn_lessons import Table, lessons, write_lesson
from hypothesis import given, settings
from hypothesis import strategies as st
from kit_helpers import changed_lesson

from lesson import Lesson, load
from pipeline.audit.clip import audited
from scenes import CHAPTERS, Chapter, scene_class

pytestmark = pytest.mark.slow
DOZEN = sorted((Path(__file__).parent / "lessons").glob("*.toml"))
TOKENS = 'tokens = ["The", "animal", "was", "too", "tired", "."]'
OTHERS = {
    "another seed": [("seed = 0", "seed = 7")],
    "four tokens": [(TOKENS, 'tokens = ["The", "animal", "slept", "."]')],
    "steep arrows": [
        ("query = [1, 0]", "query = [0.68, 0.89]"), ("keys = [[1, 0], [0, 1]]", "keys = [[0, 0.76], [2.75, 0]]"),
        (TOKENS, 'tokens = ["Some", "people", "like", "it", "hot"]'), ("seed = 0", "seed = 3"),
    ],
    "two long tokens": [
        (TOKENS, 'tokens = ["Elephant", "sleeping"]'), ("keys = [[1, 0], [0, 1]]", "keys = [[1.5, 0.5], [0.25, 1]]"),
        ("logits = [1000, 1001, 1002]", "logits = [9994, 9999, 9993]"), ("seed = 0", "seed = 5"),
    ],
    "exponentials next to zero": [("keys = [[1, 0], [0, 1]]", "keys = [[-989, 0], [-980, 0]]")],
    "scores of all sizes": [
        ("query = [1, 0]", "query = [0.001, 900000]"),
        ("keys = [[1, 0], [0, 1]]", "keys = [[-1e6, 0.002], [0.001, -0.001], [1e6, -1e6], [0, -0.001], [1, 0.001]]"),
        ("values = [[10, 0], [0, 6]]", "values = [[0.001, 0.001], [1e6, -1e6], [-0.001, 0], [500000, 3], [2, 1]]"),
    ],
}  # fmt: skip

ARROWS = {"query_key_matching", "softmax_normalisation", "summary"}  # the others don't read the worked example

OPEN: set[tuple[str, str]] = set()  # (lesson, chapter): found, and not mended yet


def in_turn(number: int) -> tuple[Chapter, Chapter]:
    """Two chapters, others for the next lesson; each comes with several lessons."""
    return CHAPTERS[number % len(CHAPTERS)], CHAPTERS[(number + len(CHAPTERS) // 2) % len(CHAPTERS)]


def found(entry: Chapter, lesson: Lesson) -> list[str]:
    return [str(finding) for finding in audited(scene_class(entry), lesson)]


@pytest.mark.parametrize(
    "path, entry",
    [
        (path, entry)
        for number, path in enumerate(DOZEN)
        for entry in in_turn(number)
        if (path.stem, entry.name) not in OPEN
    ],
    ids=lambda value: value.stem if isinstance(value, Path) else value.name,
)
def test_nothing_is_found_in_the_dozen(path: Path, entry: Chapter) -> None:
    assert found(entry, load(path)) == []


@pytest.mark.parametrize(
    "name, entry",
    [
        (name, entry) for name, changes in OTHERS.items() for entry in CHAPTERS
        if (name, entry.name) not in OPEN
        and (entry.name in ARROWS or not all(old.startswith(("query", "keys", "values")) for old, _ in changes))
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)  # fmt: skip
def test_other_numbers_and_words_keep_the_pictures_whole(name: str, entry: Chapter, tmp_path: Path) -> None:
    assert found(entry, changed_lesson(tmp_path, *OTHERS[name])) == []


@settings(max_examples=4)
@given(lessons(), st.sampled_from(CHAPTERS))
def test_nothing_is_found_in_a_drawn_lesson(table: Table, entry: Chapter) -> None:
    with TemporaryDirectory() as folder:
        assert found(entry, load(write_lesson(Path(folder) / "lesson.toml", table))) == []
