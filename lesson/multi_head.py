"""Facts of the heads: how one matrix becomes many and one again, and what forgetting the transpose does."""

from __future__ import annotations

import numpy as np

from attention_core import (
    MultiHeadConfig,
    default_scale,
    merge_heads,
    merge_heads_without_transpose,
    multi_head_batched,
    multi_head_loop,
    parameter_count,
    project,
    random_weights,
    reshape_to_heads,
    split_heads,
)
from lesson import sequence
from lesson.config import MultiHead, Paper, Sequence


def facts(config: MultiHead, tokens: Sequence) -> dict[str, object]:
    """q, k, v, head_outputs [h, n, d_head], weights [h, n, n], row_sums [h, n], output [n, d_model]; x: the sequence's.

    loop_exact: whether the loop over the heads gives the batch's output to the last bit. forgotten_worst [2]: row and
    column of the output that a forgotten transpose puts off most; transpose_matters: whether it puts any cell off.
    """
    x = sequence.inputs(tokens)[0]
    core = MultiHeadConfig(tokens.d_model, config.h, config.causal)
    weights = random_weights(np.random.default_rng(config.seed), tokens.d_model)
    trace = multi_head_batched(x, weights, core)
    _, loop_output = multi_head_loop(x, weights, core)
    merged_forgotten = merge_heads_without_transpose(trace.heads.output)
    output_forgotten = project(merged_forgotten, weights.w_o)  # [n, d_model] [d_model, d_model] -> [n, d_model]
    loop_gaps = np.abs(trace.output - loop_output)  # [n, d_model]
    forgotten_gaps = np.abs(trace.output - output_forgotten)  # [n, d_model]
    return {
        "n": len(tokens.tokens),
        "d_model": core.d_model,
        "h": core.h,
        "head_index": np.arange(core.h),
        "d_head": core.d_head,
        "seed": config.seed,
        "causal": config.causal,
        **_memory(len(tokens.tokens), core),
        "x": x,
        "w_q": weights.w_q,
        "w_k": weights.w_k,
        "w_v": weights.w_v,
        "w_o": weights.w_o,
        "q_flat": trace.q_flat,
        "q": trace.heads.q,
        "k": trace.heads.k,
        "v": trace.heads.v,
        "scale": trace.heads.scale,
        "weights": trace.weights,
        "row_sums": trace.weights.sum(axis=2),
        "head_outputs": trace.heads.output,
        "merged": trace.merged,
        "output": trace.output,
        "loop_batched_gaps": loop_gaps,
        "loop_batched_gap": loop_gaps.max(),
        "loop_exact": bool(loop_gaps.max() == 0),
        "merged_forgotten": merged_forgotten,
        "output_forgotten": output_forgotten,
        "forgotten_transpose_gaps": forgotten_gaps,
        "forgotten_transpose_gap": forgotten_gaps.max(),
        "forgotten_worst": np.array(np.unravel_index(forgotten_gaps.argmax(), forgotten_gaps.shape)),
    }


def paper_facts(config: Paper) -> dict[str, object]:
    """The sizes of a published layer, and what follows from them."""
    core = MultiHeadConfig(config.d_model, config.h)
    return {
        "d_model": core.d_model,
        "h": core.h,
        "d_head": core.d_head,
        "scale": default_scale(core.d_head),
        "parameters": parameter_count(core.d_model),
    }


def _memory(n: int, core: MultiHeadConfig) -> dict[str, object]:
    """Where each number stands in memory, through split and merge; with the transpose and without it."""
    index = np.arange(n * core.d_model).reshape(n, core.d_model)  # [n, d_model]
    split = split_heads(index, core.h)  # [h, n, d_head]
    forgotten = merge_heads_without_transpose(split)  # [n, d_model]
    wrong = forgotten != index
    return {
        "memory_index": index,
        "memory_reshaped": reshape_to_heads(index, core.h),
        "memory_split": split,
        "memory_merged": merge_heads(split),
        "memory_forgotten": forgotten,
        "wrong_cells": wrong,
        "wrong_count": int(wrong.sum()),
        "transpose_matters": bool(wrong.any()),
        "cell_count": index.size,
    }
