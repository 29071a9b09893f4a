"""Facts of the opening: one query against every word of a sentence, with hand-made vectors."""

from __future__ import annotations

import numpy as np

from attention_core import attention
from lesson.config import Opening
from lesson.limits import query_place


def facts(config: Opening) -> dict[str, object]:
    """q [d], k [n, d]; scores, scaled, weights [n]; indices count from 0."""
    tokens, names = config.tokens, config.dimensions
    q = np.array([config.looks_for.get(name, 0.0) for name in names])  # [d]
    k = np.array([[config.offers.get(t, {}).get(name, 0.0) for name in names] for t in tokens])  # [n, d]
    trace = attention(q[None, :], k, k)  # the values play no part here
    weights = trace.weights[0]  # [n]
    order = np.argsort(-weights, kind="stable")
    query_index, strongest, second = query_place(config), int(order[0]), int(order[1])
    return {
        "tokens": tokens,
        "query_index": query_index,
        "query_token": tokens[query_index],
        "dimensions": names,
        "looks_for": tuple(name for name in names if name in config.looks_for),
        "offers": tuple(", ".join(n for n in names if n in config.offers.get(t, {})) for t in tokens),
        "q": q,
        "k": k,
        "d_k": trace.d_k,
        "scale": trace.scale,
        "scores": trace.scores[0],
        "scaled": trace.scaled[0],
        "weights": weights,
        "weight_sum": weights.sum(),
        "strongest_index": strongest,
        "strongest_token": tokens[strongest],
        "second_index": second,
        "second_token": tokens[second],
    }
