"""Scaled dot-product attention (Vaswani et al. 2017, equation 1).

A = softmax(q k^T / sqrt(d_k) + M),    output = A v,    M = -inf where masked, else 0
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attention_core.arrays import (
    BoolArray,
    FloatArray,
    boolean_array,
    broadcast_leading,
    finite_array,
    frozen,
    positive_float,
    positive_int,
    require_finite,
)
from attention_core.errors import AttentionError
from attention_core.masks import any_mask, causal_mask, fitted_mask, masked_scores
from attention_core.portable import matmul
from attention_core.softmax import SoftmaxTrace, softmax_trace


@dataclass(frozen=True, slots=True)
class AttentionConfig:
    """How one attention runs.

    causal: no query looks at a later key. first_position: where the first query stands among the keys (0, or
    the number of cached keys). scale: what scores are divided by; None means sqrt(d_k).
    """

    causal: bool = False
    first_position: int = 0
    scale: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.causal, bool):
            raise AttentionError(f"causal must be True or False, not {self.causal!r}")
        causal_mask(1, 1, self.first_position)  # refuses a position that is none
        if self.scale is not None:
            object.__setattr__(self, "scale", positive_float("scale", self.scale))


@dataclass(frozen=True, slots=True, eq=False)
class AttentionTrace:
    """Everything one attention computed; arrays are read-only.

    q [..., n_q, d_k], k [..., n_k, d_k], v [..., n_k, d_v] as given; scores, scaled, mask (True = may not
    look), masked (scaled with -inf) and weights [..., n_q, n_k]; output [..., n_q, d_v].
    """

    q: FloatArray
    k: FloatArray
    v: FloatArray
    d_k: int
    scale: float
    scores: FloatArray
    scaled: FloatArray
    mask: BoolArray
    masked: FloatArray
    softmax: SoftmaxTrace
    output: FloatArray

    @property
    def weights(self) -> FloatArray:
        """A [..., n_q, n_k]; every row sums to 1."""
        return self.softmax.weights


PLAIN = AttentionConfig()


def default_scale(d_k: int) -> float:
    """sqrt(d_k): the standard deviation of q . k when all entries are independent with mean 0, variance 1."""
    return math.sqrt(positive_int("d_k", d_k))


def attention(
    q: npt.ArrayLike,
    k: npt.ArrayLike,
    v: npt.ArrayLike,
    mask: npt.ArrayLike | None = None,
    config: AttentionConfig = PLAIN,
) -> AttentionTrace:
    """Attention of q [..., n_q, d_k] over k [..., n_k, d_k], v [..., n_k, d_v]; leading axes broadcast.

    `mask` [..., n_q, n_k] is boolean, True = may not look, and broadcasts too; with `config.causal` what
    either forbids is forbidden. Raises AttentionError for NaN or infinity, shapes that don't fit, scores
    that overflow, and a query that may look at nothing.
    """
    q, k, v = (finite_array(name, a, min_ndim=2) for name, a in (("q", q), ("k", k), ("v", v)))
    mask = boolean_array("mask", False if mask is None else mask)
    lead = _leading(q, k, v, mask)
    d_k = q.shape[-1]
    scale = default_scale(d_k) if config.scale is None else config.scale

    k_t = np.swapaxes(k, -1, -2)  # [..., n_k, d_k] -> [..., d_k, n_k]
    scores = matmul("q k^T", q, k_t)  # [..., n_q, d_k] [..., d_k, n_k] -> [..., n_q, n_k]
    with np.errstate(over="ignore"):
        scaled = require_finite("scaled scores", scores / scale)
    hidden = _whole_mask(mask, config, (*lead, q.shape[-2], k.shape[-2]))  # [..., n_q, n_k]
    scaled = np.broadcast_to(scaled, hidden.shape)
    masked = masked_scores(scaled, hidden)
    steps = softmax_trace(masked)  # over the last axis: each row sums to 1
    output = matmul("A v", steps.weights, v)  # [..., n_q, n_k] [..., n_k, d_v] -> [..., n_q, d_v]
    return AttentionTrace(
        q=frozen(q),
        k=frozen(k),
        v=frozen(v),
        d_k=d_k,
        scale=scale,
        scores=frozen(np.broadcast_to(scores, hidden.shape)),
        scaled=frozen(scaled),
        mask=frozen(hidden),
        masked=frozen(masked),
        softmax=steps,
        output=frozen(output),
    )


def _leading(q: FloatArray, k: FloatArray, v: FloatArray, mask: BoolArray) -> tuple[int, ...]:
    """Common leading axes, once d_k and n_k are known to agree."""
    if q.shape[-1] != k.shape[-1]:
        raise AttentionError(f"q and k differ in d_k: {q.shape[-1]} and {k.shape[-1]}")
    if k.shape[-2] != v.shape[-2]:
        raise AttentionError(f"k and v differ in their number of rows: {k.shape[-2]} and {v.shape[-2]}")
    return broadcast_leading(q=q.shape[:-2], k=k.shape[:-2], v=v.shape[:-2], mask=mask.shape[:-2])


def _whole_mask(mask: BoolArray, config: AttentionConfig, shape: tuple[int, ...]) -> BoolArray:
    """The given mask and, if asked for, the causal one, together at the scores' shape."""
    together = fitted_mask(mask, shape)
    if config.causal:
        causal = causal_mask(shape[-2], shape[-1], config.first_position)
        together = fitted_mask(any_mask(together, causal), shape)
    return together
