"""Facts of the scale: the spread of random dot products, and the softmax with and without sqrt(d_k)."""

from __future__ import annotations

import numpy as np

from attention_core import SaturationConfig, SpreadConfig, dot_product_spread, histogram, saturation
from lesson.config import Spread
from lesson.standing import DECISIVE


def facts(config: Spread) -> dict[str, object]:
    """Everything [m], one entry a d_k; densities [m, bins] over common bin_edges [bins + 1].

    `sampling_error` is the standard error of `measured_std`: sqrt((d_k + 3) / (2 pairs)), derived in
    attention_core.spread. Jacobian norms are those of the softmax at its own input, means over `rows` draws.
    errors_off: measured less expected, in sampling errors. std_rises, gradient_falls: whether the measured
    spread grows and the unscaled gradient shrinks from each d_k to the next. unscaled_decisive, scaled_decisive:
    whether the mean largest weight is DECISIVE or more.
    """
    trace = dot_product_spread(SpreadConfig(config.d_k, config.pairs, config.seed))
    bins = histogram(trace.dot_products)
    softmax = saturation(SaturationConfig(config.d_k, config.rows, config.keys, config.seed))
    return {
        "d_k": np.array(config.d_k),
        "pairs": config.pairs,
        "seed": config.seed,
        "measured_std": trace.measured_std,
        "expected_std": trace.expected_std,
        "sampling_error": trace.sampling_error,
        "errors_off": (trace.measured_std - trace.expected_std) / trace.sampling_error,
        "std_rises": bool((np.diff(trace.measured_std) > 0).all()),
        "bin_edges": bins.edges,
        "bin_width": bins.edges[1] - bins.edges[0],
        "densities": bins.densities,
        "rows": config.rows,
        "keys": config.keys,
        "largest_weight_unscaled": softmax.largest_weight_unscaled,
        "largest_weight_scaled": softmax.largest_weight_scaled,
        "jacobian_norm_unscaled": softmax.jacobian_norm_unscaled,
        "jacobian_norm_scaled": softmax.jacobian_norm_scaled,
        "unscaled_decisive": softmax.largest_weight_unscaled >= DECISIVE,
        "scaled_decisive": softmax.largest_weight_scaled >= DECISIVE,
        "gradient_falls": bool((np.diff(softmax.jacobian_norm_unscaled) < 0).all()),
    }
