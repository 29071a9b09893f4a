"""Facts that say which words are true: directions, decimals, repetitions, and what is off as far as is seen."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lesson import Facts, load, multi_head, sequence, spread, worked_example
from lesson.config import MultiHead, Paper, Sequence, Spread, WorkedExample
from lesson.standing import occurrences, standing

FOLDER = Path(__file__).parent / "lessons"
ONE = ((1.0, 2.0),)
THOUSANDTHS = st.decimals(-3, 3, places=3)


def plain(facts: dict[str, object]) -> dict[str, Any]:
    """The facts with arrays as lists."""
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in facts.items()}


def example(query: tuple[float, ...], *keys: tuple[float, ...]) -> dict[str, Any]:
    return plain(worked_example.facts(WorkedExample(query=query, keys=keys, values=len(keys) * ONE)))


@pytest.fixture(scope="module")
def dozen() -> list[Facts]:
    return [load(path).facts for path in sorted(FOLDER.glob("*.toml"))]


def test_directions_hold_where_decimals_round() -> None:
    keys = (0.1, 0.3), (-0.1, -0.3), (0.9, -0.3), (1, 0), (-1, 0)
    said = example((0.3, 0.9), *keys)["directions"]
    assert said == ("same", "opposite", "right angle", "partly", "partly away")


def test_nearly_the_same_direction_is_more_than_partly() -> None:
    keys = (0.9, 0.4359), (0.9, -0.4358), (0.9, 0.436), (-1, 0.001)  # cosines 0.899996, 0.90004, 0.89996, -1 almost
    assert example((1, 0), *keys)["directions"] == ("partly", "nearly", "partly", "partly away")


def test_a_small_angle_is_no_right_one() -> None:
    assert example((1000, 0), (0.001, 100_000), (-0.001, 100_000))["directions"] == ("hardly", "hardly away")
    keys = (0.0499, 0.998754), (0.0501, 0.998744), (-0.0499, 0.998754), (-0.0501, 0.998744)  # cosines as their first
    assert example((2, 0), *keys)["directions"] == ("hardly", "partly", "hardly away", "partly away")


@pytest.mark.parametrize(
    ("second", "values", "mostly"),
    [
        ((0, 1), ((10, 0), (0, 6)), True),
        ((0, 1), ((0.001, 0), (1e6, 1e6)), False),  # a third of a million is nothing like zero
        ((0, 1), ((10, 0), (-19.9, 0)), False),  # they cancel
        ((0, 1), ((3, 4), (3, 4)), False),  # it is both
        ((0.95, 1), ((10, 0), (0, 6)), False),  # 0.509 and 0.491
    ],
)
def test_an_output_is_mostly_a_value_that_it_is_like(
    second: tuple[float, float], values: tuple[tuple[float, float], ...], mostly: bool
) -> None:
    config = WorkedExample(query=(1, 0), keys=((1, 0), second), values=values)
    assert worked_example.facts(config)["mostly_copied"] is mostly


@pytest.mark.parametrize(("third", "mostly"), [((6, 6), False), ((5, 9), True)])
def test_an_output_is_not_mostly_a_value_that_is_farther_than_another(third: tuple[int, int], mostly: bool) -> None:
    """Weights of 0.60, 0.37 and 0.04 make (7.7, 4.3), which is nearer to (6, 6) than to (10, 2)."""
    config = WorkedExample(query=(2, 0), keys=((1, 0), (0.65, 0), (-1, 0)), values=((10, 2), (4, 8), third))
    assert worked_example.facts(config)["mostly_copied"] is mostly


@given(
    q=st.tuples(THOUSANDTHS, THOUSANDTHS).filter(any),
    stretch=st.decimals(1, 20, places=3),
    aside=st.integers(-2, 2),
)
def test_a_score_is_zero_where_it_is_for_the_decimals_written(
    q: tuple[Decimal, Decimal], stretch: Decimal, aside: int
) -> None:
    k = (-q[1] * stretch, q[0] * stretch + Decimal(aside) / 10**6)
    assume(any(k) and all(entry == 0 or abs(entry) >= Decimal("0.001") for entry in k))
    exact = q[0] * k[0] + q[1] * k[1]
    facts = example((float(q[0]), float(q[1])), (float(k[0]), float(k[1])), (1, 0))
    assert (facts["scores"][0] == 0) == (facts["scaled"][0] == 0) == (exact == 0)
    assert (facts["directions"][0] == "right angle") == (exact == 0)


@pytest.mark.parametrize(
    ("keys", "unit"),
    [(((0.6, 0.8), (-1, 0)), True), (((0.6, 0.8), (0.7, 0.7)), False)],
)
def test_whether_all_keys_have_length_one(keys: tuple[tuple[float, float], ...], unit: bool) -> None:
    assert example((1, 0), *keys)["unit_keys"] is unit


@pytest.mark.parametrize(
    ("number", "decimals"),
    [(1, 0), (-1.5, 1), (0.001, 3), (123456.789, 3), (1e6, 0), (3.141592653, 9), (250.0, 0), (0.1 + 0.2, 17)],
)
def test_decimals_are_those_that_were_written(number: float, decimals: int) -> None:
    assert example((number, 0), (0.001, 1), (0, 0.1))["score_decimals"] == max(decimals, 3)
    config = WorkedExample(query=(1, 0), keys=((1, 0), (0, 1)), values=((number, 0), (0, 1)))
    assert worked_example.facts(config)["value_decimals"] == decimals


def test_keys_are_numbered_from_one() -> None:
    said = example((1, 0), (1, 0), (3, 0), (2, 0))
    assert (said["n_keys"], said["numbers"]) == (3, [1, 2, 3])
    assert (said["strongest"], said["strongest_index"], said["second_index"], said["weakest"]) == (2, 1, 2, 1)


def test_weights_that_differ_by_rounding_tie() -> None:
    said = standing(np.array([1 / 3, 1 / 3 + 1e-16, 1 / 3 - 1e-16]))
    assert said["tied"] is said["all_tied"] is True
    said = standing(np.array([0.5 + 1e-8, 0.5 - 1e-8]))
    assert (said["tied"], said["clear"], said["mostly"]) == (False, False, True)
    said = standing(np.array([0.95, 0.05]))
    assert said["decisive"] is True


def test_like_words_are_told_apart() -> None:
    assert plain(occurrences(("the", "cat", "the", "the", "mat"))) == {
        "occurrence": [1, 1, 2, 3, 1],
        "occurrences": [3, 1, 3, 3, 1],
    }


def test_the_words_of_an_opening_that_do_not_look(dozen: list[Facts]) -> None:
    for facts in dozen:
        query, weights = int(facts["opening.query_index"]), facts["opening.weights"].value.tolist()
        others = facts["opening.others"].value.tolist()
        assert sorted([*others, query]) == list(range(len(weights)))
        assert [weights[i] for i in others] == sorted((weights[i] for i in others), reverse=True)
        keys = facts["opening.k"].value.tolist()
        assert facts["opening.offering"].value.tolist() == [i for i, key in enumerate(keys) if any(key)]


def test_sums_that_are_off_one_are_known(dozen: list[Facts]) -> None:
    for facts in dozen:
        for sums, names in (
            ("column_sums_full", ("least_column", "most_column", "columns_off")),
            ("row_sums_by_column", ("least_row_by_column", "most_row_by_column", "rows_off_by_column")),
        ):
            values = facts[f"sequence.{sums}"].value.tolist()
            least, most, off = (facts[f"sequence.{name}"].value for name in names)
            assert (values[least], values[most]) == (min(values), max(values))
            assert off == any(abs(value - 1) >= 0.005 for value in values)


def test_a_largest_score_with_an_equal_is_a_tie(dozen: list[Facts]) -> None:
    config = Sequence(tokens=("a", "b", "c"), d_model=1, d_k=1, d_v=1, seed=0)
    assert plain(sequence.facts(config))["strongest_tied"] == 3 * [False]
    for lesson in dozen:
        for row, tied in zip(lesson["sequence.scores"].value.tolist(), lesson["sequence.strongest_tied"], strict=True):
            assert bool(tied) == (sum(max(row) - score < 1e-9 for score in row) > 1)


def test_one_head_needs_no_transpose(dozen: list[Facts]) -> None:
    for facts in dozen:
        gaps = facts["multi_head.forgotten_transpose_gaps"].value.tolist()
        row, column = facts["multi_head.forgotten_worst"].value.tolist()
        assert gaps[row][column] == float(facts["multi_head.forgotten_transpose_gap"])
        heads = int(facts["multi_head.h"])
        assert bool(facts["multi_head.transpose_matters"]) == (heads > 1) == (int(facts["multi_head.wrong_count"]) > 0)
        assert bool(facts["multi_head.loop_exact"]) == (float(facts["multi_head.loop_batched_gap"]) == 0)


@pytest.mark.parametrize("h", [1, 2, 3, 4, 6, 12])
def test_any_number_of_heads_that_divides(h: int) -> None:
    tokens = Sequence(tokens=("a", "b", "c"), d_model=12, d_k=1, d_v=1, seed=0)
    heads = MultiHead(h=h, seed=1, causal=True, paper=Paper(d_model=1, h=1))
    facts = Facts(multi_head.facts(heads, tokens))
    assert (int(facts["d_head"]), facts["weights"].shape) == (12 // h, (h, 3, 3))


def test_what_the_spread_shows() -> None:
    facts = plain(spread.facts(Spread(d_k=(1, 64, 1024), pairs=1000, seed=3, rows=100, keys=6)))
    assert (facts["std_rises"], facts["gradient_falls"]) == (True, True)
    for d_k, measured, off in zip((1, 64, 1024), facts["measured_std"], facts["errors_off"], strict=True):
        assert off == pytest.approx((measured - math.sqrt(d_k)) / math.sqrt((d_k + 3) / 2000))
    assert facts["unscaled_decisive"] == [weight >= 0.95 for weight in facts["largest_weight_unscaled"]]
    assert facts["unscaled_decisive"][-1]
    assert facts["scaled_decisive"] == 3 * [False]
