"""The learned linear maps: x W + b."""

from __future__ import annotations

import numpy.typing as npt

from attention_core.arrays import FloatArray, finite_array, frozen, require_finite
from attention_core.errors import AttentionError
from attention_core.portable import matmul


def project(x: npt.ArrayLike, w: npt.ArrayLike, b: npt.ArrayLike | None = None) -> FloatArray:
    """x [..., n, d_model], w [d_model, d], b [d] -> x w + b [..., n, d], read-only.

    Raises AttentionError for NaN or infinity, shapes that don't fit, and a result that overflows.
    """
    x, w = finite_array("x", x, min_ndim=2), finite_array("w", w, min_ndim=2)
    y = matmul("x w", x, w)  # [..., n, d_model] [d_model, d] -> [..., n, d]
    if b is not None:
        b = finite_array("b", b)
        if b.shape != y.shape[-1:]:
            raise AttentionError(f"b must be {list(y.shape[-1:])}, not {list(b.shape)}")
        y = require_finite("x w + b", y + b)
    return frozen(y)
