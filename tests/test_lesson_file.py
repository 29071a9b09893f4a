"""docs/lesson-file.md against the schema, and against what the chapters read."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from drawn_lessons import LETTERS
from pydantic import BaseModel
from pydantic.fields import FieldInfo
from test_chapters import every_chapter, played

from lesson import DEFAULT_LESSON, Facts, Lesson
from lesson.compute import all_facts
from lesson.config import LONGEST_WORD, MOST_TOKENS, WIDEST, WIDEST_HEAD, LessonConfig
from lesson.limits import LARGEST_POWER, OFFERING_WORDS
from lesson.reading import LONGEST_LINE, MOST_BYTES
from scenes import CHAPTERS

TEXT = (DEFAULT_LESSON.parent / "docs" / "lesson-file.md").read_text(encoding="utf-8")
COLUMNS = ("meaning", "shape", "allowed", "default", "chapters")
SHIPPED = tomllib.loads(DEFAULT_LESSON.read_text(encoding="utf-8"))

# A value of each key that changes what is computed from it, and other keys that have to go with it.
OTHER: dict[str, dict[str, Any]] = {
    "opening.tokens": {"tokens": ["The", "animal", "didn’t", "cross", "the", "street", "as", "it", "was", "old"]},
    "opening.query_token": {"query_token": "tired"},
    "opening.dimensions": {"dimensions": ["noun", "animate", "place", "action", "colour"]},
    "opening.looks_for": {"looks_for": {"noun": 1}},
    "opening.offers": {"offers": {"animal": {"noun": 2}}},
    "worked_example.query": {"query": [1, 0.5]},
    "worked_example.keys": {"keys": [[2, 1], [1, -1]]},
    "worked_example.values": {"values": [[1, 2], [3, 4]]},
    "practice.query": {"query": [1, 1]},
    "stability.logits": {"logits": [1000, 1001, 1003]},
    "spread.d_k": {"d_k": [4, 8]},
    "spread.pairs": {"pairs": 1001},
    "spread.seed": {"seed": 53},
    "spread.rows": {"rows": 101},
    "spread.keys": {"keys": 3},
    "sequence.tokens": {"tokens": ["Birds", "sing"]},
    "sequence.d_model": {"d_model": 6},
    "sequence.d_k": {"d_k": 2},
    "sequence.d_v": {"d_v": 2},
    "sequence.seed": {"seed": 9},
    "multi_head.h": {"h": 4},
    "multi_head.seed": {"seed": 9},
    "multi_head.causal": {"causal": False},
    "multi_head.paper.d_model": {"d_model": 1024},
    "multi_head.paper.h": {"h": 4},
}


def fields(model: type[BaseModel] = LessonConfig, above: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """The keys of the schema that hold values, dotted."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from fields(field.annotation, f"{above}{name}.")
        else:
            yield above + name, field


def rows() -> dict[str, dict[str, str]]:
    """The table's rows by key."""
    found = re.findall(r"^\| `([\w.]+)` \| (.*) \|$", TEXT, flags=re.MULTILINE)
    return {key: dict(zip(COLUMNS, cells.split(" | "), strict=True)) for key, cells in found}


def test_the_table_has_the_keys_of_the_schema_in_order() -> None:
    assert list(rows()) == [key for key, _ in fields()]


@pytest.mark.parametrize("key, field", list(fields()), ids=[key for key, _ in fields()])
def test_a_row_says_what_the_schema_says(key: str, field: FieldInfo) -> None:
    row = rows()[key]
    assert row["allowed"] == field.description
    assert row["default"] == ("required" if field.is_required() else "empty")
    assert field.is_required() or not field.default
    assert row["meaning"].endswith(".")
    assert row["shape"]


@cache
def computed(key: str = "") -> Facts:
    """The facts of the shipped lesson, with another value of one key."""
    table = copy.deepcopy(SHIPPED)
    table["spread"] |= {"pairs": 1000, "rows": 100, "d_k": [4, 8, 16]}
    inner = table
    for name in key.split(".")[:-1]:
        inner = inner[name]
    inner |= OTHER.get(key, {})
    return Facts(all_facts(LessonConfig.model_validate(table)))


@cache
def changed_by(key: str) -> frozenset[str]:
    before, after = computed(), computed(key)
    assert before.keys() == after.keys()
    return frozenset(name for name in before if before.digest(name) != after.digest(name))


def test_every_key_of_numbers_is_tried() -> None:
    assert set(OTHER) == set(rows()) - {"look.theme", "pronunciation"}
    assert all(changed_by(key) for key in OTHER)


@pytest.mark.slow
@every_chapter
def test_the_last_column_is_what_a_chapter_reads(name: str) -> None:
    reads = set(played(name)[0].reads)
    chapter = next(chapter for chapter in CHAPTERS if chapter.name == name)
    told = {key for key in OTHER if (chapter.variant_of or name) in rows()[key]["chapters"].split(", ")}
    assert told == {key for key in OTHER if changed_by(key) & reads}


def test_the_text_states_the_limits_there_are(shipped_lesson: Lesson) -> None:
    assert f"{len(LETTERS):,} in all" in TEXT
    assert f"{MOST_TOKENS} tokens of {LONGEST_WORD} characters" in TEXT
    assert f"`d_model` to {WIDEST}, `d_k` and `d_v` to {WIDEST_HEAD}" in TEXT
    assert f"-{LARGEST_POWER} and {LARGEST_POWER}" in TEXT
    assert f"looks, {OFFERING_WORDS} at most" in TEXT
    assert f"more than {MOST_BYTES:,} bytes" in TEXT
    assert f"{LONGEST_LINE:,} characters" in TEXT
    assert "exp of 709.78" in TEXT
    assert f"{float(shipped_lesson.facts['stability.largest_exponent']):.2f}" == "709.78"
