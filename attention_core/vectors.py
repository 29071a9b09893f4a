"""The geometry of one dot product: its terms, lengths and the angle."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from attention_core.arrays import FloatArray, finite_array, frozen
from attention_core.errors import AttentionError


def dot_terms(q: npt.ArrayLike, k: npt.ArrayLike) -> FloatArray:
    """q_m k_m for every m: q [..., d], k [..., d] -> [..., d], leading axes broadcast; its sum is q . k."""
    q, k = finite_array("q", q), finite_array("k", k)
    if q.shape[-1] != k.shape[-1]:
        raise AttentionError(f"q and k differ in length: {q.shape[-1]} and {k.shape[-1]}")
    try:
        return frozen(q * k)
    except ValueError as error:
        raise AttentionError(f"q {list(q.shape)} and k {list(k.shape)} don't fit together") from error


def norm(a: npt.ArrayLike) -> FloatArray:
    """Euclidean length: a [..., d] -> [...]."""
    return frozen(np.linalg.norm(finite_array("a", a), axis=-1))  # [..., d] -> [...]


def cosine(q: npt.ArrayLike, k: npt.ArrayLike) -> FloatArray:
    """Cosine of the angle between q [..., d] and k [..., d] -> [...]; AttentionError for a zero vector."""
    lengths = norm(q) * norm(k)  # [...]
    if (lengths == 0).any():
        raise AttentionError("a vector of length 0 has no direction")
    return frozen(np.clip(dot_terms(q, k).sum(axis=-1) / lengths, -1.0, 1.0))  # [..., d] -> [...]
