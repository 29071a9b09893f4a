"""Numbers that remember their fact: rounding, and how figures get into text."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson import Fact
from scenes.kit.figures import (
    adds_up,
    figure_of,
    filled,
    is_shown,
    place_of,
    products_agree,
    rounded,
    shown,
    sum_agrees,
)

finite = st.floats(min_value=-1e6, max_value=1e6, allow_nan=False)


def fact(value: object, key: str = "group.name") -> Fact:
    return Fact(key, value)


def test_known_figures() -> None:
    assert shown(0.669762, 4) == "0.6698"
    assert shown(-0.061) == "\u22120.06"
    assert shown(10.0) == "10"
    assert shown(1.0, exact=False) == "1.00"
    assert shown(1_048_576) == "1,048,576"
    assert shown(9999) == "9999"
    assert shown(12345.678, 0) == "12,346"
    assert shown(-9999.9999, 2) == "\u221210,000.00"


@pytest.mark.parametrize(
    ("value", "half_up"), [(0.125, "0.13"), (-2.125, "\u22122.13"), (0.375, "0.38"), (1.005, "1.01")]
)
def test_halves_go_up_as_they_are_taught(value: float, half_up: str) -> None:
    assert shown(value) == half_up


@pytest.mark.parametrize(
    ("value", "seen"), [(1.767e-4, "1.77"), (8.84e-5, "0.88"), (-8.85e-5, "\u22120.89"), (3e-4, "3.00")]
)
def test_numbers_that_are_compared_can_have_one_exponent(value: float, seen: str) -> None:
    assert filled("{2e-4}", [fact(value)])[1][0].shown == f"{seen} \u00d7 10^\u22124"


def test_halves_go_up_before_a_power_of_ten() -> None:
    assert filled("{1e}", [fact(0.000125)])[1][0].shown == "1.3 \u00d7 10^\u22124"
    assert shown("animal") == "animal"


@pytest.mark.parametrize("value", [-0.0, -0.001, -1e-12, 0.004])
def test_no_negative_zero(value: float) -> None:
    assert "\u2212" not in shown(value)


@given(finite, st.integers(min_value=1, max_value=6))
def test_shown_is_the_value_rounded(value: float, decimals: int) -> None:
    text = shown(value, decimals)
    assert "-" not in text, "a minus is a real minus sign"
    read = float(text.replace("\u2212", "-").replace(",", ""))
    assert abs(read - value) <= 0.5 * 10**-decimals + 1e-9


def test_a_figure_knows_its_fact() -> None:
    figure = figure_of(fact(np.array([0.25, 0.75]), "a.weights")[1], 2)
    assert (figure.fact, figure.value, figure.shown) == ("a.weights[1]", 0.75, "0.75")


def test_places_take_facts_in_order() -> None:
    text, figures = filled("{} of {4}, sum {=2}, k_1", [fact(3), fact(0.669762), fact(1.0)])
    assert text == "3 of 0.6698, sum 1.00, k_1"
    assert [figure.shown for figure in figures] == ["3", "0.6698", "1.00"]


@pytest.mark.parametrize("template", ["the sum is 1", "0.67 {}", "score: {} of 6"])
def test_a_typed_figure_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match="typed in"):
        filled(template, [fact(2)])


def test_a_scientific_figure_is_listed_as_it_reads() -> None:
    text, (figure,) = filled("limit {1e}", [fact(1.7976931348623157e308)])
    assert text == "limit 1.8 × 10#super[308]"
    assert figure.shown == "1.8 × 10^308"


def test_places_and_facts_must_match() -> None:
    with pytest.raises(ValueError, match="places"):
        filled("{} and {}", [fact(2)])


@pytest.mark.parametrize(
    ("value", "place", "exact"),
    [(3 * 0.1, "{1}", True), (0.3, "{1}", True), (0.30001, "{3}", False), (3e5 * (0.1 + 0.2) / 0.3, "{0}", True)],
)
def test_a_last_place_of_the_computer_is_not_a_digit(value: float, place: str, exact: bool) -> None:
    number = fact(value)
    assert place_of(number) == place
    assert is_shown(rounded(number), value) is exact


@given(st.lists(st.floats(min_value=0.001, max_value=1), min_size=1, max_size=8))
def test_adds_up_is_what_a_reader_would_find(parts: list[float]) -> None:
    row = np.array(parts) / sum(parts)
    written = [shown(float(w)) for w in row]
    total = sum(int(re.sub(r"\D", "", text if "." in text else text + ".00")) for text in written)
    assert adds_up(fact(row)) == (total == 100)


def test_sums_and_products_as_shown() -> None:
    assert sum_agrees(fact(np.array([0.5, -0.03, 0.53, -0.6])), fact(0.4))
    assert not sum_agrees(fact(np.array([0.004, 0.004])), fact(0.008))
    assert products_agree(fact(np.array([2.0])), fact(np.array([0.5])), fact(np.array([1.0])))
    assert not products_agree(fact(np.array([1.004])), fact(np.array([100.0])), fact(np.array([100.4])))
