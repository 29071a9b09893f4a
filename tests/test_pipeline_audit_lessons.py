"""The audit finds nothing in the dozen lessons of instructors, nor in lessons drawn at random.

A longer run: `benchmarks/audit_many.py`.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from drawn_lessons import Table, lessons, write_lesson
from hypothesis import given, settings

from lesson import Lesson, load
from pipeline.audit.clip import audited
from scenes import CHAPTERS, scene_class

pytestmark = pytest.mark.slow
DOZEN = sorted((Path(__file__).parent / "lessons").glob("*.toml"))


def found(lesson: Lesson) -> list[str]:
    return [str(finding) for entry in CHAPTERS for finding in audited(scene_class(entry), lesson)]


@pytest.mark.parametrize("path", DOZEN, ids=[path.stem for path in DOZEN])
def test_nothing_is_found_in_the_dozen(path: Path) -> None:
    assert found(load(path)) == []


@settings(max_examples=3, deadline=None)
@given(lessons())
def test_nothing_is_found_in_a_drawn_lesson(table: Table) -> None:
    with TemporaryDirectory() as folder:
        assert found(load(write_lesson(Path(folder) / "lesson.toml", table))) == []
