"""Laws that hold for every input, looked for by Hypothesis."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention_core import (
    AttentionConfig,
    MultiHeadConfig,
    attention,
    merge_heads,
    multi_head_batched,
    multi_head_loop,
    random_weights,
    softmax,
    split_heads,
)

Array = npt.NDArray[np.float64]
CAUSAL = AttentionConfig(causal=True)
laws = settings(max_examples=60)


def numbers(limit: float) -> st.SearchStrategy[float]:
    return st.floats(-limit, limit, allow_nan=False, width=64)


@st.composite
def matrices(draw: st.DrawFn, count: int, limit: float = 20.0) -> list[Array]:
    """`count` matrices of one shape [n, d], n and d from 1 to 6."""
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    return [draw(arrays(np.float64, shape, elements=numbers(limit))) for _ in range(count)]


@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 8)), elements=numbers(1e6)))
@laws
def test_rows_are_weights(z: Array) -> None:
    a = softmax(z)
    assert (a >= 0).all()
    assert (a <= 1).all()
    np.testing.assert_allclose(a.sum(axis=-1), 1, rtol=1e-14)


@given(arrays(np.float64, 5, elements=numbers(50)), numbers(1e3))
@laws
def test_a_shift_changes_nothing(z: Array, shift: float) -> None:
    # Adding the shift rounds each score by up to half an ulp of about 1000.
    np.testing.assert_allclose(softmax(z + shift), softmax(z), rtol=1e-12, atol=1e-15)


@given(arrays(np.float64, 6, elements=numbers(50)), st.permutations(range(6)))
@laws
def test_softmax_keeps_order_and_moves_with_its_scores(z: Array, order: list[int]) -> None:
    a = softmax(z)
    assert (np.diff(a[np.argsort(z, kind="stable")]) >= 0).all()
    np.testing.assert_allclose(softmax(z[order]), a[order], rtol=1e-14)


@given(matrices(3), st.booleans())
@laws
def test_attention_rows_sum_to_one_and_outputs_lie_among_the_values(qkv: list[Array], causal: bool) -> None:
    q, k, v = qkv
    trace = attention(q, k, v, config=AttentionConfig(causal=causal))
    np.testing.assert_allclose(trace.weights.sum(axis=-1), 1, rtol=1e-14)
    slack = 1e-12 * (1 + np.abs(v).max())
    assert (trace.output <= v.max(axis=0) + slack).all()
    assert (trace.output >= v.min(axis=0) - slack).all()


@given(matrices(5), st.data())
@laws
def test_a_causal_row_depends_on_no_later_token(drawn: list[Array], data: st.DataObject) -> None:
    q, k, v, other_k, other_v = drawn
    row = data.draw(st.integers(0, len(q) - 1))
    changed_k, changed_v = k.copy(), v.copy()
    changed_k[row + 1 :], changed_v[row + 1 :] = other_k[row + 1 :], other_v[row + 1 :]
    before, after = attention(q, k, v, config=CAUSAL), attention(q, changed_k, changed_v, config=CAUSAL)
    np.testing.assert_array_equal(after.weights[: row + 1], before.weights[: row + 1])
    np.testing.assert_array_equal(after.output[: row + 1], before.output[: row + 1])
    assert before.weights[0, 0] == 1


@given(matrices(3), st.data())
@laws
def test_permuted_tokens_give_permuted_outputs(qkv: list[Array], data: st.DataObject) -> None:
    q, k, v = qkv
    order = data.draw(st.permutations(range(len(q))))
    moved = attention(q[order], k[order], v[order])
    plain = attention(q, k, v)
    np.testing.assert_allclose(moved.output, plain.output[order], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(moved.weights, plain.weights[np.ix_(order, order)], rtol=1e-12, atol=1e-15)


@st.composite
def layers(draw: st.DrawFn) -> tuple[Array, Any, int]:
    h, d_head, n = draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 6))
    weights = random_weights(np.random.default_rng(draw(st.integers(0, 1000))), h * d_head)
    lead = draw(st.sampled_from([(), (2,), (2, 3)]))
    return draw(arrays(np.float64, (*lead, n, h * d_head), elements=numbers(5))), weights, h


@given(layers(), st.booleans())
@laws
def test_loop_and_batch_agree(layer: tuple[Array, Any, int], causal: bool) -> None:
    x, weights, h = layer
    config = MultiHeadConfig(x.shape[-1], h, causal)
    heads, loop = multi_head_loop(x, weights, config)
    batched = multi_head_batched(x, weights, config)
    np.testing.assert_allclose(loop, batched.output, rtol=1e-12, atol=1e-12)
    for i, head in enumerate(heads):
        np.testing.assert_allclose(head.weights, batched.weights[..., i, :, :], rtol=1e-12, atol=1e-15)


@given(layers(), st.data())
@laws
def test_permuted_tokens_give_permuted_outputs_through_all_heads(
    layer: tuple[Array, Any, int], data: st.DataObject
) -> None:
    x, weights, h = layer
    order = data.draw(st.permutations(range(x.shape[-2])))
    config = MultiHeadConfig(x.shape[-1], h)
    moved = multi_head_batched(x[..., order, :], weights, config).output
    plain = multi_head_batched(x, weights, config).output
    np.testing.assert_allclose(moved, plain[..., order, :], rtol=1e-11, atol=1e-11)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 6), st.sampled_from([(), (2,), (2, 3)]))
@laws
def test_merge_undoes_split(h: int, d_head: int, n: int, lead: tuple[int, ...]) -> None:
    m = np.arange(np.prod((*lead, n, h * d_head))).reshape(*lead, n, h * d_head)
    np.testing.assert_array_equal(merge_heads(split_heads(m, h)), m)
