"""Masks: True means "may not look". They act on scores, as -inf, before the softmax.

exp(-inf) is exactly 0, in every precision. A large negative number is not a mask: it overflows in half
precision and gives wrong weights where a whole row has it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from attention_core.arrays import BoolArray, FloatArray, boolean_array, positive_int, whole_number
from attention_core.errors import AttentionError


def causal_mask(n_q: int, n_k: int | None = None, first_position: int = 0) -> BoolArray:
    """[n_q, n_k]: query i, standing at position first_position + i, may not look at any key after itself.

    `n_k` defaults to `n_q`. `first_position` is 0 for a whole sequence; with t cached keys before the first
    query it is t.
    """
    n_q = positive_int("n_q", n_q)
    n_k = n_q if n_k is None else positive_int("n_k", n_k)
    position = whole_number("first_position", first_position, least=0) + np.arange(n_q)[:, None]  # [n_q, 1]
    later: BoolArray = np.arange(n_k)[None, :] > position  # [n_q, n_k]
    return later


def padding_mask(is_padding: npt.ArrayLike) -> BoolArray:
    """is_padding [..., n_k] -> [..., 1, n_k]: no query may look at a padding token."""
    padding = boolean_array("is_padding", is_padding)
    if padding.ndim < 1:
        raise AttentionError("is_padding must have one entry a key")
    return padding[..., None, :]  # [..., 1, n_k]


def any_mask(*masks: npt.ArrayLike) -> BoolArray:
    """What any of the masks forbids, broadcast together. Raises AttentionError if they don't fit."""
    if not masks:
        raise AttentionError("any_mask needs at least one mask")
    arrays = [boolean_array("mask", mask) for mask in masks]
    together = arrays[0]
    for array in arrays[1:]:
        try:
            together = together | array
        except ValueError as error:
            raise AttentionError(
                f"masks of shape {list(together.shape)} and {list(array.shape)} don't fit together"
            ) from error
    return together


def fitted_mask(mask: npt.ArrayLike, shape: tuple[int, ...]) -> BoolArray:
    """`mask` broadcast to the scores' `shape` [..., n_q, n_k].

    Raises AttentionError if it doesn't fit or if it leaves some query nothing to look at.
    """
    array = boolean_array("mask", mask)
    try:
        fitted = np.broadcast_to(array, shape)
    except ValueError as error:
        raise AttentionError(f"mask {list(array.shape)} doesn't fit scores {list(shape)}") from error
    full = fitted.all(axis=-1)
    if full.any():
        place = [int(i) for i in np.argwhere(full)[0]]
        raise AttentionError(f"every key is masked for the query at index {place}")
    return fitted


def masked_scores(scores: FloatArray, mask: npt.ArrayLike) -> FloatArray:
    """scores [..., n_q, n_k] with -inf wherever the mask is True; same shape and dtype."""
    return np.where(fitted_mask(mask, scores.shape), scores.dtype.type(-np.inf), scores)
