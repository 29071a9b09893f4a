"""What changed is told from what to what, to the last digit."""

from __future__ import annotations

import math

from hypothesis import assume, given
from hypothesis import strategies as st

from pipeline.changes import shown, shown_briefly, value_change


def test_short_values_are_told_whole() -> None:
    assert value_change([1.0, 0.0], [0.0, 1.5]) == "changed from [1, 0] to [0, 1.5]"
    assert value_change("it", "“it”") == 'changed from "it" to "“it”"'
    assert value_change(True, False) == "changed from true to false"
    assert value_change(0.1, math.nextafter(0.1, 1)) == "changed from 0.1 to 0.10000000000000002"


def test_of_a_large_array_the_first_difference() -> None:
    before = [[float(10 * row + column) for column in range(6)] for row in range(6)]
    now = [row[:] for row in before]
    now[2][4] = math.nextafter(24.0, 25)
    now[5][5] = 0.0
    assert value_change(before, now) == "changed in 2 of 36 entries, first [2,4] from 24 to 24.000000000000004"


def test_another_shape_is_told() -> None:
    before = [[0.125] * 8] * 6
    assert (
        value_change(before, [[0.125] * 4] * 6) == "changed from an array of 6 x 8 entries to an array of 6 x 4 entries"
    )
    assert value_change(before, 1.0) == "changed from an array of 6 x 8 entries to 1"


def test_a_value_that_was_not_kept() -> None:
    assert value_change(None, 1.0) == "changed from null to 1"


def test_brief() -> None:
    assert shown_briefly([1.0, 2.0]) == "[1, 2]"
    assert shown_briefly([[0.125] * 8] * 6) == "an array of 6 x 8 entries"


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_different_numbers_look_different(one: float, other: float) -> None:
    assume(one != other)
    assert shown(one) != shown(other)
    assert float(shown(one)) == one
