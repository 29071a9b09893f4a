"""Bars whose lengths are numbers: what is divided shrinks by one factor, and everything stays in the frame."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from kit_helpers import shipped
from manim import ManimColor

from lesson import Fact
from scenes.kit.bars import (
    THINNEST,
    Parts,
    Scale,
    Towers,
    add_up,
    amount_place,
    blurred,
    boxes_between,
    division_picture,
    named_shares,
    value_on,
    vanished,
)  # fmt: skip
from scenes.kit.cells import known
from scenes.kit.geometry import bottom, left, pixel, right
from scenes.kit.labels import words
from scenes.kit.matrix import Matrix
from scenes.kit.row_totals import RowTotals
from scenes.kit.ruler import LengthRuler
from scenes.kit.stages import BAR_H, SCORES_Y, Stages
from scenes.kit.theme import theme

FACTS = shipped().facts
EXPONENTIALS, WEIGHTS = FACTS["worked_example.exponentials"], FACTS["worked_example.weights"]
TOTAL, ONE = FACTS["worked_example.exponential_sum"], FACTS["worked_example.weight_sum"]
SCALE = Scale(100, 200)


def test_division_shrinks_every_length_by_one_factor() -> None:
    raw, shares = Parts.raw(EXPONENTIALS), Parts.shares(WEIGHTS)
    for t in (0.0, 0.3, 0.8, 1.0):
        now = raw.towards(shares, t)
        factors = [b / a for a, b in zip(raw.lengths, now.lengths, strict=True)]
        assert factors == pytest.approx([1 - t + t / float(TOTAL)] * len(factors))
    assert raw.towards(shares, 1).ends(SCALE)[-1] == pytest.approx(SCALE.to(1))


def test_parts_end_to_end_leave_no_gap() -> None:
    boxes = Parts.raw(EXPONENTIALS).in_a_row(SCALE, 10, 20)
    assert [x + w for x, _, w, _ in boxes[:-1]] == pytest.approx([x for x, *_ in boxes[1:]])
    assert sum(w for _, _, w, _ in boxes) == pytest.approx(float(TOTAL) * SCALE.unit)


def test_boxes_begin_and_end_where_they_should() -> None:
    start, goal = [(0.0, 0.0, 10.0, 4.0)], [(100.0, 50.0, 30.0, 8.0)]
    assert boxes_between(start, goal, 0) == start
    assert boxes_between(start, goal, 1) == goal


def test_a_bar_of_length_zero_can_be_seen() -> None:
    drawn = Parts.solid(FACTS["worked_example.scaled"], "score").draw([(0, 0, 0, 20), (0, 30, 0, 20)])
    assert all(bar.get_stroke_width() > 1 for bar in drawn)


def test_the_smallest_bars_stand_on_their_side_of_zero() -> None:
    """A sliver for a number next to zero, and for zero itself no more than the line of zero."""
    parts = Parts.solid([Fact("a", -9.5e-6), Fact("b", 0.0), Fact("c", 9.5e-6)], "score")
    below, zero, above = parts.draw(parts.one_by_one(SCALE, 0, 30, 20))
    assert right(below) <= SCALE.zero + 0.1
    assert left(above) >= SCALE.zero - 0.1
    assert right(zero) - SCALE.zero == pytest.approx(SCALE.zero - left(zero), abs=0.1)
    assert right(zero) - left(zero) < THINNEST < right(above) - left(above)


@pytest.mark.parametrize(("width", "inside"), [(400.0, True), (40.0, False)])
def test_a_number_stands_in_its_bar_or_behind_it(width: float, inside: bool) -> None:
    label = value_on((100, 100, width, 50), TOTAL)
    end = 100 + width
    assert right(label) < end if inside else left(label) > end


def test_a_rulers_lines_break_behind_a_bars_number() -> None:
    """It stands at the bar's end, even where a line is, on ground between that line and itself."""
    ground, label = value_on((100, 100, 5, 50), TOTAL)
    assert left(label) - 105 < 20
    assert left(ground) < left(label)
    assert right(label) < right(ground)
    assert ground.get_fill_color() == ManimColor(theme().ground)


def test_the_number_of_a_bar_below_zero_stands_at_its_left_end() -> None:
    less = Fact("less", -0.5)
    (inside,) = value_on((500, 100, -400, 50), less)
    assert 100 < left(inside) < 150
    assert right(value_on((500, 100, -40, 50), less)) < 460


def test_a_total_beyond_all_digits_ends_as_a_bar_of_length_one() -> None:
    raw, shares = Parts((9.1e19, 4.7e7), ("a", "b"), ("a", "b")), Parts((1.0, 5e-13), ("a", "b"), ("a", "b"))
    scale, into = Scale(440, 1000 / 9.1e19), Scale(440, 400)
    ends = [raw.way_edges(shares, scale, into, t)[-1] for t in (0, 0.5, 1)]
    assert ends == pytest.approx([1440, 1140, 840])


def test_a_ruler_may_begin_below_zero() -> None:
    ruler = LengthRuler(Scale(1400, 1.8), 45, 40, 50, -558.6)
    assert ruler.numbers == [-500, -400, -300, -200, -100, 0]


def test_a_ruler_may_end_before_two() -> None:
    ruler = LengthRuler(Scale(100, 20), 1, 40, 50)
    assert ruler.numbers == [0], "1 would touch 0"


@pytest.mark.parametrize(
    ("first", "last"),
    [(-699.3, -692.9), (-12.02, -10.6), (-155.6, -141.4), (-6.364e11, 636.4), (0, 2.419e276), (-2.5, 2.5), (0, 0.0)],
)
def test_a_ruler_has_few_numbers_and_all_stand_clear(first: float, last: float) -> None:
    """Of any range, with or without 0, on any bar that fits into the frame."""
    for length in (400.0, 1150.0):
        unit = length / (max(last, 0) - first or 1)
        ruler = LengthRuler(Scale(440 - first * unit, unit), int(last), 200, 222, first)
        marks = ruler.marks.submobjects
        assert len(marks) <= LengthRuler.MOST + 1
        assert 0 in ruler.numbers
        assert all(left(b) - right(a) > 10 for a, b in pairwise(marks))
        assert len(marks) > 1 or max(last, -first) < 1, "one step at least"


def test_the_sum_of_many_shares_stands_below_where_the_line_is_full() -> None:
    one = words("sum {0}", ONE)
    places, weights = [(1700.0, 800.0, 40.0, 84.0)] * 2, list(WEIGHTS)
    made = named_shares(places, weights, [words("a"), words("b")], one, 46, 4)
    assert made.submobjects[-1] is one
    assert left(one) < 1780
    assert bottom(one) > 884


@pytest.mark.parametrize("zero", [1012.0, 1492.0])
def test_totals_stay_in_the_frame(zero: float) -> None:
    exponentials, totals = FACTS["sequence.exponentials_full"], FACTS["sequence.exponential_sums_full"]
    made = RowTotals(Matrix(exponentials, 224, 344, (116, 100), known()), zero, theme().frame.right, 240, [totals])
    for i, row in enumerate(exponentials):
        made.lie_down(i, Parts.raw(row))
        made.show_sum(i, totals[i], row)
        assert right(made.sums[i]) <= theme().frame.right
        assert left(made.sums[i]) > made.parts[i].ends(made.scale)[-1]


def test_totals_say_where_digits_do_not_add_up() -> None:
    """Row 1 shows 0.74 + 0.12 + 0.57 + 0.63 + 0.83 + 1, which is not the 3.90 beside it."""
    exponentials, totals = FACTS["sequence.exponentials_full"], FACTS["sequence.exponential_sums_full"]
    made = RowTotals(Matrix(exponentials, 224, 344, (116, 100), known()), 1012, 1824, 240, [totals])
    for i, notes in ((0, 1), (1, 2)):
        made.lie_down(i, Parts.raw(exponentials[i]))
        made.show_sum(i, totals[i], exponentials[i])
        assert len(made.sums[i]) == notes


def test_totals_with_more_decimals_say_that_cells_have_fewer() -> None:
    exponentials, totals = FACTS["sequence.exponentials_full"], FACTS["sequence.exponential_sums_full"]
    matrix = Matrix(exponentials, 224, 344, (116, 100), known())
    made = RowTotals(matrix, 1012, theme().frame.right, 240, [totals], decimals=4)
    for i, row in enumerate(exponentials):
        made.lie_down(i, Parts.raw(row))
        made.show_sum(i, totals[i], row, decimals=4)
        total, note = made.sums[i]
        assert right(total) < left(note)
        assert right(note) <= theme().frame.right


def test_the_largest_of_a_row_is_subtracted_whatever_its_sign() -> None:
    exponentials, totals = FACTS["sequence.exponentials_full"], FACTS["sequence.exponential_sums_full"]
    made = RowTotals(Matrix(exponentials, 224, 344, (116, 100), known()), 1012, 1824, 240, [totals])
    for fact, sign in ((FACTS["sequence.scaled"][0, 1], 1), (FACTS["sequence.scaled"][0, 0], -1)):
        amount, middle = made.amount(0, fact, agrees=True)
        noted, _ = made.amount(0, fact, agrees=False)
        assert float(fact) * sign > 0
        assert (len(amount), len(noted)) == (1, 2), "rounded"
        assert left(noted[1]) > right(noted[0])
        assert left(amount) < pixel(middle)[0] < right(amount)


def _facts(*numbers: float) -> list[Fact]:
    return [Fact("n", number) for number in numbers]


def test_numbers_that_only_look_alike_are_found() -> None:
    assert blurred(_facts(1.000005, 1)) == [True, False], "the one is shown as it is"
    assert blurred(_facts(0.500001, 0.499999)) == [True, True]
    assert blurred(_facts(1 / 3, 1 / 3, 0.25)) == [False] * 3, "these are alike"


def test_amounts_add_up_as_they_are_shown() -> None:
    one = Fact("one", 1.0)
    assert add_up(_facts(0.554, 0.386, 0.06), one, 2)
    assert not add_up(_facts(1.0, 4.3e-8), one, 2), "a power of ten is not zero"
    assert not add_up(_facts(1e12, 1), Fact("total", 1e12 + 1))
    assert not add_up(_facts(1.0, 1.7e-77), one), "nor is one that a computer's sum would lose"
    assert add_up(_facts(0.1, 0.2, 0.7), one), "binary fractions aside"


def test_an_amount_is_never_shown_as_zero_but_where_it_is_zero_itself() -> None:
    places = [amount_place(fact) for fact in _facts(1.122e-301, 3.077e-5, 0.0001, 0, 3.0281)]
    assert places == ["{3e}", "{3e}", "{4}", "{4}", "{4}"]
    assert vanished(_facts(0, 5e-324, 1)) == [True, False, False]


def test_towers_stand_on_their_foot() -> None:
    towers = Towers((100.0, 300.0), 500, 80, 150)
    for drawn in (towers.grown(Parts.raw(WEIGHTS)), towers.endless(228)):
        assert left(drawn) == pytest.approx(60, abs=1.5)
        assert right(drawn) == pytest.approx(340, abs=1.5)


def test_the_ruler_names_whole_numbers() -> None:
    ruler = LengthRuler(SCALE, 3, 40, 50)
    assert [figure.shown for mark in ruler.marks.submobjects for figure in getattr(mark, "figures", ())] == list("0123")


def test_the_small_division_ends_where_it_is_told() -> None:
    picture = division_picture(EXPONENTIALS, TOTAL, WEIGHTS, ONE, (1240, 1816), (412, 52), (592, 72))
    assert left(picture) >= 1239
    assert right(picture) <= 1817


def test_totals_of_an_excerpt_leave_rounding_to_its_note() -> None:
    exponentials, totals = FACTS["sequence.exponentials_full"], FACTS["sequence.exponential_sums_full"]
    matrix = Matrix(exponentials, 224, 344, (116, 100), known())
    made, noted = (RowTotals(matrix, 1012, 1824, 2400, [totals], noted=noted) for noted in (False, True))
    made.lie_down(1, Parts.raw(exponentials[1]))
    made.show_sum(1, totals[1], exponentials[1])
    assert len(made.sums[1]) == 1
    assert right(made.sums[1]) <= theme().frame.right
    assert made.scale.unit > noted.scale.unit, "its bars have the room of the words"


def test_a_largest_score_that_is_not_shown_says_where_it_is() -> None:
    exponentials, totals = FACTS["sequence.exponentials_full"], FACTS["sequence.exponential_sums_full"]
    made = RowTotals(Matrix(exponentials, 224, 344, (116, 100), known()), 1012, 1824, 240, [totals])
    for agrees in (True, False):
        (amount, note), _ = made.amount(0, FACTS["sequence.scaled"][0, 1], agrees=agrees, seen=False)
        assert left(note) > right(amount)
        assert right(note) <= theme().frame.right


@pytest.mark.parametrize("numbers", [(0.6, 0.27), (2.0, 1.0), (9e19, 4e7)])
def test_the_small_division_has_room_for_its_sum(numbers: tuple[float, ...]) -> None:
    total = sum(numbers)
    facts = Fact("e", np.array(numbers)), Fact("total", total), Fact("w", np.array(numbers) / total)
    assert right(division_picture(*facts, ONE, (1240, 1816), (412, 52), (592, 72))) <= theme().frame.right


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("keys", [2, 3, 4, 5])
def test_stages_stand_under_each_other_within_the_frame(keys: int, apart: bool) -> None:
    at = Stages(keys, apart)
    ends = [SCORES_Y + at.group, at.exponentials + at.group, at.total + BAR_H]
    starts = [at.exponentials, at.total, at.shares]
    assert all(start - end >= Stages.NARROW_GAP for end, start in zip(ends, starts, strict=True))
    assert at.exponentials - ends[0] >= Stages.RULER_GAP or not apart
    assert at.shares + 84 + 46 <= theme().frame.bottom
    assert at.bar * keys <= at.group
