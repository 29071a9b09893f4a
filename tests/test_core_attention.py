"""Scaled dot-product attention and its masks, against plain loops."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import plain_loops
import pytest

from attention_core import (
    AttentionConfig,
    AttentionError,
    any_mask,
    attention,
    causal_mask,
    cosine,
    default_scale,
    dot_terms,
    mask_after_softmax,
    masked_scores,
    norm,
    padding_mask,
    project,
)

CAUSAL = AttentionConfig(causal=True)
Array = npt.NDArray[np.float64]


@pytest.fixture
def qkv() -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(6)
    return rng.standard_normal((6, 4)), rng.standard_normal((6, 4)), rng.standard_normal((6, 3))


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scale", [None, 1.0, 4.0])
def test_agrees_with_plain_loops(qkv: tuple[Array, Array, Array], causal: bool, scale: float | None) -> None:
    q, k, v = qkv
    may_look = plain_loops.itself_and_earlier if causal else plain_loops.everywhere
    weights, output = plain_loops.attention(q.tolist(), k.tolist(), v.tolist(), may_look, scale)
    trace = attention(q, k, v, config=AttentionConfig(causal=causal, scale=scale))
    np.testing.assert_allclose(trace.weights, weights, rtol=1e-13, atol=1e-16)
    np.testing.assert_allclose(trace.output, output, rtol=1e-13, atol=1e-15)


def test_the_worked_example_step_by_step() -> None:
    trace = attention([[1, 0]], [[1, 0], [0, 1]], [[10, 0], [0, 6]])
    np.testing.assert_array_equal(trace.scores, [[1, 0]])
    assert trace.d_k == 2
    assert trace.scale == math.sqrt(2)
    np.testing.assert_allclose(trace.scaled, [[0.70710678, 0]], atol=5e-9)
    np.testing.assert_allclose(trace.weights, [[0.669762, 0.330238]], atol=5e-7)
    np.testing.assert_allclose(trace.output, [[6.697615, 1.981431]], atol=5e-7)


def test_leading_axes_are_so_many_attentions(qkv: tuple[Array, Array, Array]) -> None:
    rng = np.random.default_rng(7)
    q, k, v = rng.standard_normal((2, 3, 5, 4)), rng.standard_normal((3, 6, 4)), rng.standard_normal((2, 1, 6, 2))
    trace = attention(q, k, v)
    assert trace.output.shape == (2, 3, 5, 2)
    assert trace.scores.shape == trace.scaled.shape == trace.mask.shape == trace.weights.shape == (2, 3, 5, 6)
    for i in range(2):
        for j in range(3):
            np.testing.assert_array_equal(trace.output[i, j], attention(q[i, j], k[j], v[i, 0]).output)


def test_leading_axes_of_the_values_alone_broadcast() -> None:
    rng = np.random.default_rng(8)
    q, k, v = rng.standard_normal((5, 4)), rng.standard_normal((6, 4)), rng.standard_normal((3, 6, 2))
    trace = attention(q, k, v)
    assert trace.weights.shape == (3, 5, 6)
    np.testing.assert_array_equal(trace.output[2], attention(q, k, v[2]).output)


def test_trace_is_frozen_and_leaves_the_inputs_alone(qkv: tuple[Array, Array, Array]) -> None:
    trace = attention(*qkv, config=CAUSAL)
    assert all(a.flags.writeable for a in qkv)
    for field in dataclasses.fields(trace):
        value = getattr(trace, field.name)
        if isinstance(value, np.ndarray):
            assert not value.flags.writeable, field.name
            assert not np.shares_memory(value, qkv[0]), field.name
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.output = qkv[0]  # type: ignore[misc]


def test_float32_stays_float32_in_every_step(qkv: tuple[Array, Array, Array]) -> None:
    q, k, v = (a.astype(np.float32) for a in qkv)
    trace = attention(q, k, v, config=CAUSAL)
    for name in ("q", "k", "v", "scores", "scaled", "masked", "weights", "output"):
        assert getattr(trace, name).dtype == np.float32, name
    assert trace.softmax.exponentials.dtype == np.float32
    np.testing.assert_allclose(trace.output, attention(*qkv, config=CAUSAL).output, atol=2e-6)


def test_whole_numbers_become_float64() -> None:
    assert attention([[1, 2]], [[3, 4]], [[5]]).output.dtype == np.float64


# ---------------------------------------------------------------- masks


def test_masked_scores_are_minus_infinity_and_weights_exactly_zero(qkv: tuple[Array, Array, Array]) -> None:
    trace = attention(*qkv, config=CAUSAL)
    later = np.triu(np.ones((6, 6), dtype=bool), k=1)
    np.testing.assert_array_equal(trace.mask, later)
    assert (trace.masked[later] == -np.inf).all()
    np.testing.assert_array_equal(trace.masked[~later], trace.scaled[~later])
    assert (trace.weights[later] == 0).all()
    np.testing.assert_array_equal(trace.weights[0], [1, 0, 0, 0, 0, 0])


def test_causal_mask_with_cached_keys() -> None:
    np.testing.assert_array_equal(causal_mask(2, 5, first_position=2), [[0, 0, 0, 1, 1], [0, 0, 0, 0, 1]])
    np.testing.assert_array_equal(causal_mask(3, 2), [[0, 1], [0, 0], [0, 0]])


def test_one_query_against_the_cache_is_the_last_row(qkv: tuple[Array, Array, Array]) -> None:
    q, k, v = qkv
    step = attention(q[4:5], k[:5], v[:5], config=AttentionConfig(causal=True, first_position=4))
    np.testing.assert_array_equal(step.output[0], attention(q, k, v, config=CAUSAL).output[4])


def test_padding_mask_hides_padded_keys_from_every_query(qkv: tuple[Array, Array, Array]) -> None:
    q, k, v = qkv
    hidden = padding_mask([[False] * 6, [False] * 4 + [True] * 2])
    assert hidden.shape == (2, 1, 6)
    trace = attention(q, k, v, hidden)
    np.testing.assert_allclose(trace.output[1], attention(q, k[:4], v[:4]).output, rtol=1e-14)
    np.testing.assert_array_equal(trace.output[0], attention(q, k, v).output)


def test_arbitrary_and_causal_masks_together(qkv: tuple[Array, Array, Array]) -> None:
    q, k, v = qkv
    own = np.zeros((6, 6), dtype=bool)
    own[3, 1] = own[5, 0] = True
    weights, _ = plain_loops.attention(
        q.tolist(), k.tolist(), v.tolist(), lambda i, j: j <= i and (i, j) not in {(3, 1), (5, 0)}
    )
    np.testing.assert_allclose(attention(q, k, v, own, CAUSAL).weights, weights, rtol=1e-13)


def test_masks_combine_and_act() -> None:
    together = any_mask(causal_mask(3), padding_mask([False, True, False]))
    np.testing.assert_array_equal(together, [[0, 1, 1], [0, 1, 1], [0, 1, 0]])
    np.testing.assert_array_equal(masked_scores(np.ones((3, 3), dtype=np.float32), together)[2], [1, -np.inf, 1])


def test_masking_after_the_softmax_loses_weight(qkv: tuple[Array, Array, Array]) -> None:
    weights = attention(*qkv).weights
    late = mask_after_softmax(weights, causal_mask(6))
    np.testing.assert_array_equal(late, np.tril(weights))
    assert late[0].sum() < 0.9


# ---------------------------------------------------------------- errors

ONES = np.ones((2, 2))


def with_entry(value: float) -> Array:
    a = np.ones((2, 2))
    a[1, 0] = value
    return a


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((with_entry(np.nan), ONES, ONES), r"q is NaN at index \[1, 0\]"),
        ((ONES, with_entry(np.inf), ONES), r"k is infinite at index \[1, 0\]"),
        ((ONES, ONES, with_entry(-np.inf)), r"v is infinite at index \[1, 0\]"),
        ((np.ones(2), ONES, ONES), r"q must have at least 2 axes, not shape \[2\]"),
        ((np.ones((2, 3)), ONES, ONES), "q and k differ in d_k: 3 and 2"),
        ((ONES, ONES, np.ones((3, 2))), "k and v differ in their number of rows: 2 and 3"),
        (
            (np.ones((3, 2, 2)), np.ones((2, 2, 2)), ONES),
            r"leading axes don't fit together: q \[3\], k \[2\], v \[\], mask \[\]",
        ),
        ((np.ones((2, 0)), np.ones((2, 0)), ONES), "q is empty"),
        ((ONES, np.ones((0, 2)), np.ones((0, 2))), "k is empty"),
        ((ONES * 1e200, ONES * 1e200, ONES), r"q k\^T is infinite"),
        ((ONES, ONES, ONES * 1.7e308, np.array([[False, False]])), None),
        ((ONES, ONES, ONES, np.zeros((3, 2), dtype=bool)), r"mask \[3, 2\] doesn't fit scores \[2, 2\]"),
        ((ONES, ONES, ONES, np.zeros((2, 2))), r"mask must be boolean \(True = may not look\), not float64"),
        ((ONES, ONES, ONES, [[False, True], [False]]), "mask is not an array: its rows differ in length"),
        ((ONES, ONES, ONES, np.array([[False, True], [True, True]])), r"masked for the query at index \[1\]"),
        ((ONES, ONES, ONES, np.array([[True, False]]), CAUSAL), r"masked for the query at index \[0\]"),
        ((ONES, ONES, ONES, None, AttentionConfig(scale=1e-320)), "scaled scores is infinite"),
    ],
)
def test_refuses_with_one_clear_line(arguments: tuple[object, ...], message: str | None) -> None:
    if message is None:  # as large as floats go, and still right
        assert np.isfinite(attention(*arguments).output).all()  # type: ignore[arg-type]
        return
    with pytest.raises(AttentionError, match=message) as caught:
        attention(*arguments)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("scale", [0, -1.0, math.nan, math.inf, "2", True])
def test_scale_must_be_finite_and_positive(scale: Any) -> None:
    with pytest.raises(AttentionError, match="scale must be a finite number above 0"):
        AttentionConfig(scale=scale)


def test_configuration_is_checked() -> None:
    with pytest.raises(AttentionError, match="causal must be True or False, not 1"):
        AttentionConfig(causal=1)  # type: ignore[arg-type]
    with pytest.raises(AttentionError, match="first_position must be a whole number of at least 0, not -1"):
        AttentionConfig(first_position=-1)
    with pytest.raises(AttentionError, match="n_q must be a whole number of at least 1, not 0"):
        causal_mask(0)
    with pytest.raises(AttentionError, match="d_k must be a whole number of at least 1, not 0"):
        default_scale(0)


def test_masks_are_checked() -> None:
    with pytest.raises(AttentionError, match=r"masks of shape \[2\] and \[3\] don't fit together"):
        any_mask(np.zeros(2, dtype=bool), np.zeros(3, dtype=bool))
    with pytest.raises(AttentionError, match="at least one mask"):
        any_mask()
    with pytest.raises(AttentionError, match="one entry a key"):
        padding_mask(True)


# ---------------------------------------------------------------- small parts


def test_geometry_of_a_dot_product() -> None:
    np.testing.assert_array_equal(dot_terms([1, 2], [[3, 4], [0, -1]]), [[3, 8], [0, -2]])
    np.testing.assert_array_equal(norm([[3, 4], [0, 0]]), [5, 0])
    np.testing.assert_allclose(cosine([1, 0], [[2, 0], [0, 3], [-1, -1]]), [1, 0, -math.sqrt(0.5)])
    with pytest.raises(AttentionError, match="length 0 has no direction"):
        cosine([1, 0], [0, 0])
    with pytest.raises(AttentionError, match="differ in length: 2 and 3"):
        dot_terms([1, 0], [0, 0, 1])
    with pytest.raises(AttentionError, match=r"q \[2, 1\] and k \[3, 1\] don't fit together"):
        dot_terms(np.ones((2, 1)), np.ones((3, 1)))


def test_projection() -> None:
    x, w, b = [[1, 2]], [[3, 4, 5], [6, 7, 8]], [1, 0, -1]
    np.testing.assert_array_equal(project(x, w), [[15, 18, 21]])
    np.testing.assert_array_equal(project(x, w, b), [[16, 18, 20]])
    assert not project(x, w).flags.writeable
    with pytest.raises(AttentionError, match=r"b must be \[3\], not \[2\]"):
        project(x, w, [1, 2])
    with pytest.raises(AttentionError, match=r"x w: \[1, 2\] and \[1, 2\] don't share"):
        project(x, [[1, 2]])
