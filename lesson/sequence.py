"""Facts of the whole sequence: all queries against all keys, with the causal mask and without it."""

from __future__ import annotations

import math

import numpy as np

from attention_core import (
    AttentionConfig,
    AttentionTrace,
    attention,
    dot_terms,
    mask_after_softmax,
    project,
    softmax,
    softmax_over_columns,
)
from attention_core.arrays import FloatArray
from lesson.config import Sequence
from lesson.standing import occurrences, same

SEEN = 0.005  # a sum that is off by so much reads other than 1.00


def inputs(config: Sequence) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """x [n, d_model], w_q, w_k [d_model, d_k], w_v [d_model, d_v], drawn in this order from one stream."""
    rng = np.random.default_rng(config.seed)
    x = rng.standard_normal((len(config.tokens), config.d_model))
    w_q, w_k, w_v = (
        rng.standard_normal((config.d_model, width)) / math.sqrt(config.d_model)
        for width in (config.d_k, config.d_k, config.d_v)
    )
    return x, w_q, w_k, w_v


def facts(config: Sequence) -> dict[str, object]:
    """Matrices [n, n] have a row a query; `mask` is True where a query may not look.

    strongest_keys [n]: the key with the largest score in each row, the first of equals; strongest_tied [n]:
    whether it has an equal.
    """
    x, w_q, w_k, w_v = inputs(config)
    q, k, v = project(x, w_q), project(x, w_k), project(x, w_v)  # [n, d_model] [d_model, d] -> [n, d]
    causal = attention(q, k, v, config=AttentionConfig(causal=True))
    full = attention(q, k, v)
    return {
        "tokens": config.tokens,
        **occurrences(config.tokens),
        "n": len(config.tokens),
        "d_model": config.d_model,
        "d_k": config.d_k,
        "d_v": config.d_v,
        "seed": config.seed,
        "x": x,
        "w_q": w_q,
        "w_k": w_k,
        "w_v": w_v,
        "q": q,
        "k": k,
        "v": v,
        "products": dot_terms(q[:, None, :], k[None, :, :]),  # [n, 1, d_k] [1, n, d_k] -> [n, n, d_k]
        "scores": full.scores,
        "scale": full.scale,
        "scaled": full.scaled,
        "mask": causal.mask,
        "masked_weight": softmax(np.array([0.0, -np.inf]))[1],
        **_weights("causal", causal),
        **_weights("full", full),
        "row_maxima_full": full.softmax.maximum[:, 0],
        "shifted_full": full.softmax.shifted,
        "column_sums_full": full.weights.sum(axis=0),
        "strongest_keys": full.scores.argmax(axis=1),
        "strongest_tied": same(full.scores, full.scores.max(axis=1, keepdims=True)).sum(axis=1) > 1,
        "first_row": causal.weights[0],
        **_mistakes(full, causal),
        **_changes(full, causal),
    }


def _weights(name: str, trace: AttentionTrace) -> dict[str, object]:
    return {
        f"exponentials_{name}": trace.softmax.exponentials,
        f"exponential_sums_{name}": trace.softmax.total[:, 0],
        f"weights_{name}": trace.weights,
        f"row_sums_{name}": trace.weights.sum(axis=1),
        f"output_{name}": trace.output,
    }


def _mistakes(full: AttentionTrace, causal: AttentionTrace) -> dict[str, object]:
    """Softmax over columns; the mask put on after the softmax.

    Indices of the columns of the right weights with the least and the largest sum, and of the rows that the
    softmax over columns leaves with the least and the largest; whether any of them is off 1 as far as is seen.
    """
    columns = full.weights.sum(axis=0)
    by_column = softmax_over_columns(full.scaled)
    rows = by_column.sum(axis=1)
    masked_after = mask_after_softmax(full.weights, causal.mask)
    return {
        "least_column": int(columns.argmin()),
        "most_column": int(columns.argmax()),
        "columns_off": bool((np.abs(columns - 1) >= SEEN).any()),
        "weights_by_column": by_column,
        "row_sums_by_column": rows,
        "least_row_by_column": int(rows.argmin()),
        "most_row_by_column": int(rows.argmax()),
        "rows_off_by_column": bool((np.abs(rows - 1) >= SEEN).any()),
        "column_sums_by_column": by_column.sum(axis=0),
        "masked_after": masked_after,
        "row_sums_masked_after": masked_after.sum(axis=1),
    }


def _changes(full: AttentionTrace, causal: AttentionTrace) -> dict[str, object]:
    """What the mask does to each weight: -1 becomes 0, +1 grows, 0 stays (rows that hide nothing)."""
    grows = ~causal.mask & causal.mask.any(axis=1, keepdims=True)  # [n, n]
    changes = grows.astype(np.int64) - causal.mask.astype(np.int64)
    return {
        "changes": changes,
        "changed_cells": int(np.count_nonzero(changes)),
        "cell_count": causal.mask.size,
        "hidden_cells": int(causal.mask.sum()),
        "visible_cells": int((~causal.mask).sum()),
    }
