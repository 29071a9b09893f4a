"""Who leads among weights, and how clearly: what may be said of them in words.

A sentence such as "mostly value 1" holds for some numbers only; these facts say for which.
"""

from __future__ import annotations

import numpy as np

from attention_core.arrays import AnyArray, FloatArray

TIE = 1e-9  # weights nearer than this are the same, and differ by rounding alone
CLEAR_LEAD = 0.05  # by so much the largest weight leads before it wins clearly: less is hardly seen in a picture
MAJORITY = 0.5  # a weight above this is most of the blend
DECISIVE = 0.95  # a weight of this or more leaves almost nothing for the others


def standing(weights: FloatArray) -> dict[str, object]:
    """Facts of weights [n], n >= 2, none negative, sum 1; indices count from 0, equals keep their order.

    order [n]: indices from the largest weight to the smallest. strongest_index, second_index, weakest_index:
    its first, second and last. leaders: all indices that share the largest weight, rising; tied: whether they
    are several; all_tied: whether they are all. lead: the largest weight less the second largest. clear: it is
    CLEAR_LEAD or more. mostly: the largest is above MAJORITY. decisive: it is DECISIVE or more.
    """
    order = np.argsort(-weights, kind="stable")
    ordered = weights[order]
    lead = float(ordered[0] - ordered[1])
    return {
        "order": order,
        "strongest_index": int(order[0]),
        "second_index": int(order[1]),
        "weakest_index": int(order[-1]),
        "leaders": np.flatnonzero(same(weights, ordered[0])),
        "tied": bool(same(ordered[1], ordered[0])),
        "all_tied": bool(same(ordered[-1], ordered[0])),
        "lead": lead,
        "clear": lead >= CLEAR_LEAD,
        "mostly": bool(ordered[0] > MAJORITY + TIE),
        "decisive": bool(ordered[0] >= DECISIVE),
    }


def same(a: AnyArray | float, b: AnyArray | float) -> AnyArray:
    """Where a and b differ by rounding alone."""
    return np.abs(np.asarray(a) - b) < TIE


def occurrences(words: tuple[str, ...]) -> dict[str, object]:
    """occurrence [n]: the how manieth of its like each word is, from 1; occurrences [n]: how many there are."""
    return {
        "occurrence": np.array([words[: i + 1].count(word) for i, word in enumerate(words)]),
        "occurrences": np.array([words.count(word) for word in words]),
    }
