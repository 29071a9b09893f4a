"""What the chapter on heads shows cell by cell: heads counted from 0, and the gaps of the right and the wrong merge."""

from __future__ import annotations

from lesson import DEFAULT_LESSON, load

FACTS = load(DEFAULT_LESSON).facts
OUTPUT = FACTS["multi_head.output"].value
WRONG = FACTS["multi_head.output_forgotten"].value


def test_heads_are_counted_from_zero() -> None:
    assert FACTS["multi_head.head_index"].value.tolist() == [0, 1]


def test_gaps_of_the_forgotten_transpose_are_those_of_the_outputs() -> None:
    gaps = FACTS["multi_head.forgotten_transpose_gaps"].value
    assert gaps.shape == OUTPUT.shape
    for i, row in enumerate(OUTPUT):
        for j, right in enumerate(row):
            assert gaps[i, j] == abs(right - WRONG[i, j])


def test_the_largest_gap_is_one_of_the_gaps() -> None:
    for name in ("loop_batched_gap", "forgotten_transpose_gap"):
        gaps = FACTS[f"multi_head.{name}s"].value
        assert float(FACTS[f"multi_head.{name}"]) == max(gaps.ravel().tolist())
