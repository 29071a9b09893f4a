"""The mathematics of self-attention in NumPy, written so that each function reads like its equation.

Rows are queries, said once: a matrix of scores or weights is [..., n_q, n_k], row i belongs to query i.
In a mask True means "may not look". Nothing here knows of a lesson, holds state or draws without a seed.
"""

from attention_core.attention import AttentionConfig, AttentionTrace, attention, default_scale
from attention_core.errors import AttentionError
from attention_core.heads import merge_heads, merge_heads_without_transpose, reshape_to_heads, split_heads
from attention_core.masks import any_mask, causal_mask, masked_scores, padding_mask
from attention_core.mistakes import mask_after_softmax, softmax_over_columns
from attention_core.multi_head import (
    MultiHeadConfig,
    MultiHeadTrace,
    MultiHeadWeights,
    multi_head_batched,
    multi_head_loop,
    parameter_count,
    random_weights,
)
from attention_core.portable import exp, matmul
from attention_core.projection import project
from attention_core.softmax import SoftmaxTrace, plain_softmax_trace, softmax, softmax_trace
from attention_core.spread import (
    Histogram,
    Saturation,
    SaturationConfig,
    SpreadConfig,
    SpreadTrace,
    dot_product_spread,
    histogram,
    jacobian_norm,
    saturation,
    softmax_jacobian,
    std_sampling_error,
)
from attention_core.vectors import cosine, dot_terms, norm

__all__ = [
    "AttentionConfig",
    "AttentionError",
    "AttentionTrace",
    "Histogram",
    "MultiHeadConfig",
    "MultiHeadTrace",
    "MultiHeadWeights",
    "Saturation",
    "SaturationConfig",
    "SoftmaxTrace",
    "SpreadConfig",
    "SpreadTrace",
    "any_mask",
    "attention",
    "causal_mask",
    "cosine",
    "default_scale",
    "dot_product_spread",
    "dot_terms",
    "exp",
    "histogram",
    "jacobian_norm",
    "mask_after_softmax",
    "masked_scores",
    "matmul",
    "merge_heads",
    "merge_heads_without_transpose",
    "multi_head_batched",
    "multi_head_loop",
    "norm",
    "padding_mask",
    "parameter_count",
    "plain_softmax_trace",
    "project",
    "random_weights",
    "reshape_to_heads",
    "saturation",
    "softmax",
    "softmax_jacobian",
    "softmax_over_columns",
    "softmax_trace",
    "split_heads",
    "std_sampling_error",
]
