"""Facts of the worked example, and of the practice query against the same keys and values."""

from __future__ import annotations

import numpy as np

from attention_core import attention, cosine, dot_terms, norm, plain_softmax_trace
from attention_core.arrays import FloatArray
from lesson.config import Practice, WorkedExample


def facts(config: WorkedExample) -> dict[str, object]:
    """q [2], k [2, 2], v [2, 2], and every step from them to the output [2]."""
    q, k, v = np.array(config.query), np.array(config.keys), np.array(config.values)
    geometry = {"q_norm": norm(q), "k_norms": norm(k), "cosines": cosine(q, k)}
    return _steps(q, k, v) | geometry


def practice_facts(config: Practice, example: WorkedExample) -> dict[str, object]:
    """The same steps for the practice query."""
    return _steps(np.array(config.query), np.array(example.keys), np.array(example.values))


def _steps(q: FloatArray, k: FloatArray, v: FloatArray) -> dict[str, object]:
    """q [d_k], k [2, d_k], v [2, d_v]; exponentials without the shift, as one would write them by hand.

    `strongest` and `weakest` number the keys from 1, as k_1 and k_2 do.
    """
    trace = attention(q[None, :], k, v)
    softmax = plain_softmax_trace(trace.scaled[0])
    weights = softmax.weights  # [2]
    contributions = weights[:, None] * v  # [2, d_v]
    return {
        "q": q,
        "k": k,
        "v": v,
        "d_k": trace.d_k,
        "products": dot_terms(q, k),
        "scores": trace.scores[0],
        "scale": trace.scale,
        "scaled": trace.scaled[0],
        "exponentials": softmax.exponentials,
        "exponential_sum": softmax.total[0],
        "weights": weights,
        "weight_sum": weights.sum(),
        "contributions": contributions,
        "output": contributions.sum(axis=0),
        "strongest": int(weights.argmax()) + 1,
        "weakest": int(weights.argmin()) + 1,
    }
