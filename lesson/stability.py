"""Facts of the softmax that cannot overflow."""

from __future__ import annotations

import math

import numpy as np

from attention_core import softmax_trace
from lesson.config import Stability
from lesson.standing import standing


def facts(config: Stability) -> dict[str, object]:
    """Logits [3] and their softmax, shifted by the maximum, beside that of the same logits counted from 0."""
    logits = np.array(config.logits)
    from_zero = logits - logits.min()
    trace, trace_from_zero = softmax_trace(logits), softmax_trace(from_zero)
    float_max = float(np.finfo(np.float64).max)
    return {
        "logits": logits,
        "max": int(logits.max()),
        "shifted": trace.shifted.astype(np.int64),  # differences of whole numbers: exact
        "shifted_exponentials": trace.exponentials,
        "shifted_exponential_sum": trace.total[0],
        "softmax": trace.weights,
        "weight_sum": trace.weights.sum(),
        **standing(trace.weights),
        "from_zero": from_zero,
        "softmax_from_zero": trace_from_zero.weights,
        "overflow_gap": np.abs(trace.weights - trace_from_zero.weights).max(),
        "float_max": float_max,
        "largest_exponent": math.log(float_max),
    }
