"""Heads of columns keep apart and near their columns, rows are set alike, and what is said of them is true of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lesson import Fact
from scenes.kit.attention_grid import USUAL, Place
from scenes.kit.causal_notes import rounded_away
from scenes.kit.causal_scene import BIG, INDENT, OFF, ON
from scenes.kit.cells import empty
from scenes.kit.geometry import left, pixel, right
from scenes.kit.head_words import names_of_two, words_for
from scenes.kit.matrix import APART, ASIDE, NARROWEST, Matrix, TokenLabels, narrowing
from scenes.kit.theme import theme

WIDTH, SIDE = 90.0, 1.0

words = st.text("abcdefghijklmnoMW", min_size=1, max_size=14)


def matrix(n: int) -> Matrix:
    return Matrix(Fact("m", np.zeros((n, n))), 300, 300, (WIDTH, 60), empty())


@settings(max_examples=30)
@given(st.lists(words, min_size=2, max_size=7))
def test_heads_of_columns_are_apart_and_near(tokens: list[str]) -> None:
    grid = matrix(len(tokens))
    heads = TokenLabels.columns(Fact("t", tuple(tokens)), grid)
    assert all(left(b) - right(a) > APART - SIDE for a, b in pairwise(heads))
    for j, head in enumerate(heads):
        assert abs(pixel(head.get_center())[0] - grid.column_x(j)) < ASIDE * grid.dx + SIDE
    assert left(heads[0]) > grid.x - SIDE
    assert right(heads[-1]) < grid.right + SIDE


def test_short_heads_stand_over_the_middle() -> None:
    grid = matrix(3)
    heads = TokenLabels.columns(Fact("t", ("a", "is", "to")), grid)
    for j, head in enumerate(heads):
        assert pixel(head.get_center())[0] == pytest.approx(grid.column_x(j), abs=1e-6)


@pytest.mark.parametrize("mark", [".", ",", "!", "…", "-"])
def test_a_punctuation_mark_is_quoted_beside_a_matrix_and_shifts_no_other(mark: str) -> None:
    grid = matrix(3)
    for labels in (TokenLabels.rows, TokenLabels.columns):
        plain, marked = (labels(Fact("t", ("An", "end", last)), grid) for last in ("so", mark))
        assert f"“{mark}”" in str(marked[2].markup)
        assert "“" not in str(plain[2].markup)
        for one, other in zip(plain[:2], marked[:2], strict=True):
            np.testing.assert_allclose(one.get_center(), other.get_center(), atol=1e-6)


@pytest.mark.parametrize(("widest", "share"), [(100, 1), (200, 1), (220, 200 / 220), (900, NARROWEST)])
def test_rows_are_narrowed_alike(widest: float, share: float) -> None:
    assert narrowing(widest, 200) == pytest.approx(share)


def test_a_weight_is_not_zero_because_it_is_read_as_zero() -> None:
    weights = Fact("w", np.array([[0.996, 0.004], [0.0, 1.0]]))
    mask = Fact("mask", np.array([[False, True], [False, False]]))
    found = rounded_away(weights, [0, 1], [0, 1], None)
    assert found is not None
    assert found.key == "w[0,1]"
    assert rounded_away(weights, [0, 1], [0, 1], mask) is None
    assert rounded_away(weights, [1], [0, 1], None) is None


@pytest.mark.parametrize(
    ("tokens", "names"),
    [
        ("a b c", ("“{}”", "“{}”")),
        ("a b a", ("the first “{}”", "“{}”")),
        ("a b b", ("“{}”", "the first “{}”")),
        ("a a b", ("the first “{}”", "the next “{}”")),
        ("a b a b", ("the first “{}”", "the first “{}”")),
        ("One two One", ("the first “{}”", "“{}”")),
        ("One two one", ("the first token", "“{}”")),
        ("two One one", ("“{}”", "the second token")),
        ("One one two", ("the first token", "the second token")),
    ],
)
def test_words_that_are_heard_twice_are_told_apart(tokens: str, names: tuple[str, str]) -> None:
    (one, which), (other, from_which) = names_of_two(Fact("t", tuple(tokens.split())), 1)
    assert (one, other) == names
    assert len(which) == one.count("{}")
    assert len(from_which) == other.count("{}")


@pytest.mark.parametrize("h", [1, 2, 3])
def test_one_column_is_not_called_columns(h: int) -> None:
    single, several = (words_for(Fact("h", h), Fact("d", d)) for d in (1, 2))
    assert "columns" not in single.columns
    assert "columns" in several.columns
    assert single.reshape == several.reshape


@given(st.integers(2, 7), st.sampled_from([0.0, 60.0, INDENT]), st.sampled_from([BIG, OFF, ON]))
def test_fewer_tokens_have_larger_cells_within_the_same_edges(count: int, indent: float, usual: Place) -> None:
    gap = theme().frame.gap
    place, most = usual.holding(count, indent), usual.holding(USUAL)
    assert (most.width, most.height, most.y) == (usual.width, usual.height, usual.y)
    assert place.x + count * (place.width + gap) <= usual.x + USUAL * (usual.width + gap) + SIDE
    assert usual.y <= place.y
    assert place.y + count * (place.height + gap) <= usual.y + USUAL * (usual.height + gap) + SIDE
    if count < USUAL and not indent:
        assert place.width > usual.width
        assert place.height > usual.height
