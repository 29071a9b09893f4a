"""Facts of the worked example, and of the practice query against the same keys and values."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from attention_core import attention, cosine, dot_terms, norm, plain_softmax_trace
from attention_core.arrays import FloatArray
from lesson.config import Practice, WorkedExample
from lesson.standing import TIE, same, standing

NEARLY = 0.9  # from this cosine on, two arrows point nearly the same way: less than 26 degrees apart
HARDLY = 0.05  # below this cosine, two arrows are nearly at a right angle: less than 3 degrees off
COPIED = 2 / 3  # an output that differs from a value by this share of its length can't be called that value
_ROUNDING = 8 * np.finfo(float).eps
"""A sum this small beside its terms is 0 for the decimals that were written: nobody should read or hear 5e-17."""


def facts(config: WorkedExample) -> dict[str, object]:
    """q [2], k [n, 2], v [n, 2], n keys, and every step from them to the output [2].

    unit_keys: whether each key has length 1. score_decimals, value_decimals: how many decimals show q and k,
    and v, as they were written.
    """
    q, k, v = np.array(config.query), np.array(config.keys), np.array(config.values)
    cosines, lengths = cosine(q, k), norm(k)
    geometry = {
        "q_norm": norm(q),
        "k_norms": lengths,
        "unit_keys": bool(same(lengths, 1).all()),
        "cosines": cosines,
        "score_decimals": _decimals(q, *k),
        "value_decimals": _decimals(*v),
    }
    return _steps(q, k, v) | geometry


def practice_facts(config: Practice, example: WorkedExample) -> dict[str, object]:
    """The same steps for the practice query."""
    return _steps(np.array(config.query), np.array(example.keys), np.array(example.values))


def _steps(q: FloatArray, k: FloatArray, v: FloatArray) -> dict[str, object]:
    """q [d_k], k [n, d_k], v [n, d_v]; exponentials without the shift, as one would write them by hand.

    `strongest` and `weakest` number the keys from 1, as k_1 and k_2 do; `numbers` [n] are the numbers of all.
    `directions` [n] say how each key lies to the query: "same", "nearly" (cosine from NEARLY on), "partly",
    "hardly" (below HARDLY), "right angle", "hardly away", "partly away" or "opposite". `mostly_copied`: whether the
    output is mostly the strongest key's value, in its weight as in its numbers, which are nearer to it than to others.
    """
    trace = attention(q[None, :], k, v)
    products = dot_terms(q, k)
    upright = np.abs(trace.scores[0]) <= _ROUNDING * np.abs(products).sum(axis=1)
    scores, scaled = (np.where(upright, 0.0, numbers[0]) for numbers in (trace.scores, trace.scaled))
    softmax = plain_softmax_trace(scaled)
    weights = softmax.weights  # [n]
    contributions = weights[:, None] * v  # [n, d_v]
    output, ranks = contributions.sum(axis=0), standing(weights)
    best, far = int(weights.argmax()), [norm(output - value) for value in v]
    nearest = all(far[best] < other for i, other in enumerate(far) if i != best)
    copied = nearest and far[best] < COPIED * norm(v[best])
    return {
        "q": q,
        "k": k,
        "v": v,
        "d_k": trace.d_k,
        "products": products,
        "scores": scores,
        "scale": trace.scale,
        "scaled": scaled,
        "exponentials": softmax.exponentials,
        "exponential_sum": softmax.total[0],
        "weights": weights,
        "weight_sum": weights.sum(),
        "contributions": contributions,
        "output": output,
        "mostly_copied": bool(copied and ranks["mostly"] and ranks["clear"]),
        "strongest": int(weights.argmax()) + 1,
        "weakest": int(weights.argmin()) + 1,
        "n_keys": len(k),
        "numbers": np.arange(1, len(k) + 1),
        "directions": tuple(
            "right angle" if right else _direction(float(c)) for right, c in zip(upright, cosine(q, k), strict=True)
        ),
        **ranks,
    }


def _direction(cosine: float) -> str:
    """Words for a cosine that is not 0, rounding aside."""
    if 1 - abs(cosine) < TIE:
        return "same" if cosine > 0 else "opposite"
    if cosine >= NEARLY:
        return "nearly"
    far = "hardly" if abs(cosine) < HARDLY else "partly"
    return far if cosine > 0 else f"{far} away"


def _decimals(*vectors: FloatArray) -> int:
    """The most decimals that an entry has in the shortest decimal fraction that is read as the same number."""
    exponents = [Decimal(repr(float(entry))).normalize().as_tuple().exponent for entry in np.concatenate(vectors)]
    return max(0, *(-int(exponent) for exponent in exponents))
