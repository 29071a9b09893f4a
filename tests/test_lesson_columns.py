"""The softmax over columns, as the chapter on softmax shows it: it mends the columns and breaks the rows."""

from __future__ import annotations

import math

from lesson import DEFAULT_LESSON, load

FACTS = load(DEFAULT_LESSON).facts
WRONG = FACTS["sequence.weights_by_column"].value.tolist()


def test_each_column_sums_to_one() -> None:
    sums = FACTS["sequence.column_sums_by_column"].value.tolist()
    assert len(sums) == len(WRONG[0])
    for j, total in enumerate(sums):
        assert math.isclose(total, math.fsum(row[j] for row in WRONG), rel_tol=1e-12)
        assert math.isclose(total, 1, rel_tol=1e-12)


def test_no_row_does() -> None:
    for row, total in zip(WRONG, FACTS["sequence.row_sums_by_column"].value.tolist(), strict=True):
        assert math.isclose(total, math.fsum(row), rel_tol=1e-12)
        assert abs(total - 1) > 0.01
