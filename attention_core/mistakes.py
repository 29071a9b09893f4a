"""Two common mistakes, computed on purpose so that a lesson can show their damage. Never use them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from attention_core.arrays import FloatArray, finite_array, frozen
from attention_core.masks import fitted_mask
from attention_core.softmax import softmax


def softmax_over_columns(scores: npt.ArrayLike) -> FloatArray:
    """scores [..., n_q, n_k] -> [..., n_q, n_k] whose columns sum to 1, so that a query's row need not."""
    return softmax(finite_array("scores", scores, min_ndim=2), axis=-2)


def mask_after_softmax(weights: npt.ArrayLike, mask: npt.ArrayLike) -> FloatArray:
    """weights [..., n_q, n_k] set to 0 under the mask, too late: the rows no longer sum to 1."""
    a = finite_array("weights", weights, min_ndim=2)
    return frozen(np.where(fitted_mask(mask, a.shape), a.dtype.type(0), a))
