"""Facts of the opening: one query against every word of a sentence, with hand-made vectors."""

from __future__ import annotations

import numpy as np

from attention_core import attention
from lesson.config import Opening
from lesson.limits import query_places
from lesson.standing import occurrences, standing


def facts(config: Opening) -> dict[str, object]:
    """q [d], k [n, d]; scores, scaled, weights [n]; indices count from 0.

    offering: the words that offer something. others: the words that don't look, the largest weight first.
    """
    tokens, names = config.tokens, config.dimensions
    q = np.array([config.looks_for.get(name, 0.0) for name in names])  # [d]
    k = np.array([[config.offers.get(t, {}).get(name, 0.0) for name in names] for t in tokens])  # [n, d]
    trace = attention(q[None, :], k, k)  # the values play no part here
    weights = trace.weights[0]  # [n]
    query_index, order = query_places(config)[0], np.argsort(-weights, kind="stable")
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
        **standing(weights),
        **occurrences(tokens),
        "strongest_token": tokens[order[0]],
        "second_token": tokens[order[1]],
        "offering": np.flatnonzero(k.any(axis=1)),
        "others": order[order != query_index],
    }
