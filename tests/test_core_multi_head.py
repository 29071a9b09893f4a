"""Splitting, merging and multi-head attention, against plain loops."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import plain_loops
import pytest

from attention_core import (
    AttentionError,
    MultiHeadConfig,
    MultiHeadWeights,
    merge_heads,
    merge_heads_without_transpose,
    multi_head_batched,
    multi_head_loop,
    padding_mask,
    parameter_count,
    random_weights,
    reshape_to_heads,
    split_heads,
)

Array = npt.NDArray[np.float64]
INDEX = np.arange(48).reshape(6, 8)


def weights_with_biases(d_model: int) -> MultiHeadWeights:
    rng = np.random.default_rng(9)
    plain = random_weights(rng, d_model)
    biases = (rng.standard_normal(d_model) for _ in range(4))
    return MultiHeadWeights(plain.w_q, plain.w_k, plain.w_v, plain.w_o, *biases)


def test_split_gives_each_head_its_columns() -> None:
    split = split_heads(INDEX, 2)
    assert split.shape == (2, 6, 4)
    np.testing.assert_array_equal(split[0], INDEX[:, :4])
    np.testing.assert_array_equal(split[1], INDEX[:, 4:])
    np.testing.assert_array_equal(reshape_to_heads(INDEX, 2)[3, 1], [28, 29, 30, 31])


@pytest.mark.parametrize("shape, h", [((6, 8), 2), ((6, 8), 8), ((2, 3, 5, 6), 3), ((1, 1), 1)])
def test_merge_undoes_split(shape: tuple[int, ...], h: int) -> None:
    m = np.arange(np.prod(shape)).reshape(shape)
    split = split_heads(m, h)
    assert split.shape == (*shape[:-2], h, shape[-2], shape[-1] // h)
    np.testing.assert_array_equal(merge_heads(split), m)


def test_without_the_transpose_the_shape_is_right_and_40_of_48_cells_are_wrong() -> None:
    forgotten = merge_heads_without_transpose(split_heads(INDEX, 2))
    assert forgotten.shape == (6, 8)
    np.testing.assert_array_equal(forgotten[0], [0, 1, 2, 3, 8, 9, 10, 11])
    assert np.count_nonzero(forgotten != INDEX) == 40


def test_splitting_and_merging_refuse_what_does_not_fit() -> None:
    with pytest.raises(AttentionError, match="3 heads don't divide d_model 8"):
        split_heads(INDEX, 3)
    with pytest.raises(AttentionError, match=r"\[\.\.\., n, d\], not shape \[48\]"):
        split_heads(INDEX.ravel(), 2)
    for merge in (merge_heads, merge_heads_without_transpose):
        with pytest.raises(AttentionError, match=r"\[\.\.\., h, n, d_head\], not \[6, 8\]"):
            merge(INDEX)


@pytest.mark.parametrize("h", [1, 2, 4, 8])
@pytest.mark.parametrize("causal", [False, True])
def test_both_ways_agree_with_plain_loops(h: int, causal: bool) -> None:
    x = np.random.default_rng(10).standard_normal((5, 8))
    w = weights_with_biases(8)
    may_look = plain_loops.itself_and_earlier if causal else plain_loops.everywhere
    matrices = [m.tolist() for m in (w.w_q, w.w_k, w.w_v, w.w_o)]
    biases = [b.tolist() for b in (w.b_q, w.b_k, w.b_v, w.b_o) if b is not None]
    expected_weights, expected = plain_loops.multi_head(x.tolist(), matrices, biases, h, may_look)

    trace = multi_head_batched(x, w, MultiHeadConfig(8, h, causal))
    heads, loop = multi_head_loop(x, w, MultiHeadConfig(8, h, causal))
    for weights, output in (
        (trace.weights, trace.output),
        (np.stack([head.weights for head in heads]), loop),
    ):
        np.testing.assert_allclose(weights, expected_weights, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(output, expected, rtol=1e-12, atol=1e-14)


def test_trace_has_every_intermediate_in_its_shape_and_frozen() -> None:
    x = np.random.default_rng(11).standard_normal((3, 6, 8))
    trace = multi_head_batched(x, weights_with_biases(8), MultiHeadConfig(8, 2))
    assert trace.q_flat.shape == trace.k_flat.shape == trace.v_flat.shape == (3, 6, 8)
    assert trace.heads.q.shape == trace.heads.output.shape == (3, 2, 6, 4)
    assert trace.weights.shape == (3, 2, 6, 6)
    assert trace.merged.shape == trace.output.shape == (3, 6, 8)
    assert trace.heads.scale == 2.0
    for array in (trace.x, trace.q_flat, trace.heads.q, trace.heads.scores, trace.merged, trace.output):
        assert not array.flags.writeable
    np.testing.assert_array_equal(trace.merged, merge_heads(trace.heads.output))


def test_batched_padding_masks_each_sentence_for_every_head() -> None:
    x = np.random.default_rng(12).standard_normal((2, 6, 8))
    hidden = padding_mask([[False] * 6, [False] * 4 + [True] * 2])
    config, weights = MultiHeadConfig(8, 2), weights_with_biases(8)
    trace = multi_head_batched(x, weights, config, hidden)
    _, loop = multi_head_loop(x, weights, config, hidden)
    np.testing.assert_allclose(trace.output, loop, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(
        trace.output[1, :4], multi_head_batched(x[1, :4], weights, config).output, rtol=1e-13, atol=1e-14
    )
    assert (trace.weights[1, :, :, 4:] == 0).all()


def test_one_mask_for_all_sentences_has_no_leading_axes() -> None:
    x = np.random.default_rng(13).standard_normal((2, 4, 8))
    weights = weights_with_biases(8)
    own = np.triu(np.ones((4, 4), dtype=bool), k=1)
    masked = multi_head_batched(x, weights, MultiHeadConfig(8, 2), own)
    np.testing.assert_array_equal(masked.output, multi_head_batched(x, weights, MultiHeadConfig(8, 2, True)).output)


def test_float32_stays_float32() -> None:
    rng = np.random.default_rng(14)
    w = MultiHeadWeights(*(rng.standard_normal((8, 8)).astype(np.float32) for _ in range(4)))
    trace = multi_head_batched(rng.standard_normal((6, 8)).astype(np.float32), w, MultiHeadConfig(8, 2, True))
    assert trace.output.dtype == trace.weights.dtype == trace.merged.dtype == np.float32


def test_weights_come_from_one_stream_in_order() -> None:
    rng = np.random.default_rng(15)
    expected = [rng.standard_normal((6, 6)) / np.sqrt(6) for _ in range(4)]
    drawn = random_weights(np.random.default_rng(15), 6)
    for name, matrix in zip(("w_q", "w_k", "w_v", "w_o"), expected, strict=True):
        np.testing.assert_array_equal(getattr(drawn, name), matrix)
        assert not getattr(drawn, name).flags.writeable


def test_the_2017_layer_has_its_parameters_however_many_heads() -> None:
    assert parameter_count(512) == 1_048_576
    assert MultiHeadConfig(512, 8).d_head == 64
    assert MultiHeadConfig(8, 8).d_head == 1


EYE = np.eye(4)
PLAIN = MultiHeadWeights(EYE, EYE, EYE, EYE)


@pytest.mark.parametrize("way", [multi_head_batched, multi_head_loop])
def test_refuses_with_one_clear_line(way: object) -> None:
    assert callable(way)
    config = MultiHeadConfig(4, 2)
    cases = [
        ((np.ones((3, 6)), PLAIN, config), "x must have d_model 4 columns, not 6"),
        ((np.ones((3, 4)), PLAIN, MultiHeadConfig(6, 2)), "d_model is 4 in the weights, 6 in config"),
        ((np.full((3, 4), np.nan), PLAIN, config), r"x is NaN at index \[0, 0\]"),
        ((np.ones(4), PLAIN, config), "x must have at least 2 axes"),
        ((np.ones((3, 4)), PLAIN, config, np.ones((3, 3), dtype=bool)), "every key is masked for the query at index"),
        ((np.full((3, 4), 1e160), PLAIN, config), r"q k\^T is infinite"),
    ]
    for arguments, message in cases:
        with pytest.raises(AttentionError, match=message):
            way(*arguments)


def test_configuration_and_weights_are_checked() -> None:
    with pytest.raises(AttentionError, match="3 heads don't divide d_model 8"):
        MultiHeadConfig(8, 3)
    with pytest.raises(AttentionError, match="h must be a whole number of at least 1, not 0"):
        MultiHeadConfig(8, 0)
    with pytest.raises(AttentionError, match=r"w_o must be \[4, 4\], not \[4, 5\]"):
        MultiHeadWeights(EYE, EYE, EYE, np.ones((4, 5)))
    with pytest.raises(AttentionError, match=r"b_k must be \[4\], not \[3\]"):
        MultiHeadWeights(EYE, EYE, EYE, EYE, b_k=np.ones(3))
    with pytest.raises(AttentionError, match="w_q is NaN"):
        MultiHeadWeights(np.full((4, 4), np.nan), EYE, EYE, EYE)
