"""All that is wrong with a lesson file is told at once, also what hangs on several keys."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson import DEFAULT_LESSON, LessonError, load

SHIPPED = DEFAULT_LESSON.read_text(encoding="utf-8")
WRONG = {  # the key that is told: what stands in the shipped file, and what makes it wrong
    "look.theme": ('theme = "dark"', 'theme = "pink"'),
    "opening.query_token": ('query_token = "it"', 'query_token = "xyz"'),
    "opening.looks_for.verb": ("looks_for = { noun = 3.5,", "looks_for = { verb = 1, noun = 3.5,"),
    "opening.offers.street.size": ("street = { noun = 1,", "street = { size = 1, noun = 1,"),
    "opening.offers.dog": ("animal = { noun = 1,", "dog = { noun = 1,"),
    "worked_example.values": ("values = [[10, 0], [0, 6]]", "values = [[10, 0], [0, 6], [1, 1]]"),
    "practice.query": ("query = [0, 2]", "query = [0, 1000]"),
    "stability.logits": ("logits = [1000, 1001, 1002]", "logits = [1000, 1001, 2000]"),
    "spread.rows": ("rows = 400", "rows = 4"),
    "sequence.d_k": ("d_k = 4\n", "d_k = 99\n"),
    "sequence.seed": ("seed = 0\n", "seed = -1\n"),
    "multi_head.h": ("h = 2\n", "h = 3\n"),
    "multi_head.paper.h": ("h = 8\n", "h = 7\n"),
    "colour": ("[look]", 'colour = "red"\n[look]'),
}


def told(folder: Path, keys: set[str]) -> set[str]:
    """The keys that are named when these are wrong."""
    text = SHIPPED
    for key in sorted(keys):
        old, new = WRONG[key]
        assert old in text
        text = text.replace(old, new, 1)
    file = folder / "lesson.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(LessonError) as caught:
        load(file)
    return {fault.key for fault in caught.value.faults}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lessons")


@given(keys=st.sets(st.sampled_from(sorted(WRONG)), min_size=1))
def test_every_fault_is_told(folder: Path, keys: set[str]) -> None:
    assert told(folder, keys) == keys


@pytest.mark.parametrize(
    "pair", list(combinations(["multi_head.h", "sequence.d_k", "sequence.seed", "multi_head.paper.h"], 2))
)
def test_what_ties_two_tables_is_checked_although_one_has_another_fault(folder: Path, pair: tuple[str, str]) -> None:
    assert told(folder, set(pair)) == set(pair)


def test_what_hangs_on_a_wrong_key_is_not_guessed(tmp_path: Path) -> None:
    text = SHIPPED.replace("h = 2\n", "h = 3\n", 1).replace("d_model = 8\n", "d_model = 99\n", 1)
    file = tmp_path / "lesson.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(LessonError) as caught:
        load(file)
    assert [fault.key for fault in caught.value.faults] == ["sequence.d_model"]
