"""Softmax: scores to weights that sum to 1.

    softmax(z)_j = exp(z_j) / sum_m exp(z_m) = exp(z_j - c) / sum_m exp(z_m - c)   for every c

With c = max(z) every exponential lies in (0, 1] and at least one is 1, so nothing overflows and no sum is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attention_core.arrays import FloatArray, finite_array, frozen, real_array
from attention_core.errors import AttentionError
from attention_core.portable import exp


@dataclass(frozen=True, slots=True, eq=False)
class SoftmaxTrace:
    """Every step of one softmax; read-only arrays, z's shape unless noted.

    `maximum` and `total` keep the reduced axis with length 1, so that they line up with `z`.
    `maximum` is 0 where nothing was subtracted (`plain_softmax_trace`).
    """

    z: FloatArray
    maximum: FloatArray
    shifted: FloatArray
    exponentials: FloatArray
    total: FloatArray
    weights: FloatArray


def softmax(z: npt.ArrayLike, axis: int = -1) -> FloatArray:
    """Weights along `axis`; a score of -inf (masked) gets weight 0. Errors as in `softmax_trace`."""
    return softmax_trace(z, axis).weights


def softmax_trace(z: npt.ArrayLike, axis: int = -1) -> SoftmaxTrace:
    """Softmax of z [..., m, ...] along `axis` with all its steps, shifted by the maximum.

    Raises AttentionError for NaN, for +inf, and for a row that is -inf throughout (nothing left to weigh).
    """
    z = _scores(z, axis)
    maximum = z.max(axis=axis, keepdims=True)  # [..., 1, ...]
    if np.isneginf(maximum).any():
        place = [int(i) for i in np.argwhere(np.isneginf(maximum))[0]]
        raise AttentionError(f"softmax: every score is masked in the row at index {place}")
    with np.errstate(over="ignore"):  # a gap beyond the largest float is as good as -inf: its weight is 0
        shifted = z - maximum
    return _normalised(z, maximum, shifted, axis)


def plain_softmax_trace(z: npt.ArrayLike, axis: int = -1) -> SoftmaxTrace:
    """Softmax of finite z [..., m, ...] as the textbook writes it, without the shift.

    Raises AttentionError where an exponential overflows or where all of a row's vanish: `softmax_trace` has
    no such limit, and the same weights.
    """
    z = finite_array("z", _scores(z, axis))
    exponentials = exp(z)
    if np.isinf(exponentials).any():
        raise AttentionError(f"exp({float(z.max()):g}) overflows {z.dtype}; shift by the maximum first")
    if (exponentials.max(axis=axis) == 0).any():
        raise AttentionError(f"exp underflows to 0 in {z.dtype} for a whole row; shift by the maximum first")
    return _normalised(z, np.zeros_like(z.max(axis=axis, keepdims=True)), z, axis)


def _scores(z: npt.ArrayLike, axis: int) -> FloatArray:
    z = real_array("z", z)
    if not -z.ndim <= axis < z.ndim:
        raise AttentionError(f"axis {axis} does not exist in shape {list(z.shape)}")
    bad = np.isnan(z) | np.isposinf(z)
    if bad.any():
        place = [int(i) for i in np.argwhere(bad)[0]]
        raise AttentionError(f"softmax: the score at index {place} is {z[tuple(place)]}")
    return z


def _normalised(z: FloatArray, maximum: FloatArray, shifted: FloatArray, axis: int) -> SoftmaxTrace:
    exponentials = exp(shifted)
    total = exponentials.sum(axis=axis, keepdims=True)  # [..., 1, ...]
    weights = exponentials / total
    steps = (z, maximum, shifted, exponentials, total, weights)
    return SoftmaxTrace(*(frozen(step) for step in steps))
