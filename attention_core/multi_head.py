"""Multi-head self-attention (Vaswani et al. 2017, section 3.2.2), once as a loop and once without.

    head_i = attention(x W_Q^i, x W_K^i, x W_V^i),    output = concat(head_1 .. head_h) W_O

W_Q^i is the i-th block of d_model/h columns of W_Q. Both ways give the same numbers up to rounding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from attention_core.arrays import BoolArray, FloatArray, boolean_array, finite_array, frozen, positive_int
from attention_core.attention import AttentionConfig, AttentionTrace, attention
from attention_core.errors import AttentionError
from attention_core.heads import head_width, merge_heads, split_heads
from attention_core.projection import project


@dataclass(frozen=True, slots=True)
class MultiHeadConfig:
    """d_model columns shared by h heads; causal as in AttentionConfig."""

    d_model: int
    h: int
    causal: bool = False

    def __post_init__(self) -> None:
        head_width(self.d_model, self.h)
        AttentionConfig(causal=self.causal)

    @property
    def d_head(self) -> int:
        """d_k = d_v of one head."""
        return head_width(self.d_model, self.h)


@dataclass(frozen=True, slots=True, eq=False)
class MultiHeadWeights:
    """The four projections [d_model, d_model], applied as x @ w + b, and their optional biases [d_model]."""

    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    w_o: FloatArray
    b_q: FloatArray | None = None
    b_k: FloatArray | None = None
    b_v: FloatArray | None = None
    b_o: FloatArray | None = None

    def __post_init__(self) -> None:
        d_model = np.shape(self.w_q)[-1] if np.ndim(self.w_q) else 0
        for field in fields(self):
            given = getattr(self, field.name)
            if given is None and field.name.startswith("b_"):
                continue
            expected = (d_model, d_model) if field.name.startswith("w_") else (d_model,)
            array = finite_array(field.name, given)
            if array.shape != expected:
                raise AttentionError(f"{field.name} must be {list(expected)}, not {list(array.shape)}")
            object.__setattr__(self, field.name, frozen(array))

    @property
    def d_model(self) -> int:
        """Columns of every projection."""
        return int(self.w_q.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class MultiHeadTrace:
    """Everything multi-head attention computed; arrays are read-only.

    q_flat, k_flat, v_flat [..., n, d_model]; `heads` holds q, k, v, output [..., h, n, d_head] and weights
    [..., h, n, n]; merged and output [..., n, d_model].
    """

    config: MultiHeadConfig
    x: FloatArray
    q_flat: FloatArray
    k_flat: FloatArray
    v_flat: FloatArray
    heads: AttentionTrace
    merged: FloatArray
    output: FloatArray

    @property
    def weights(self) -> FloatArray:
        """A of every head [..., h, n, n]."""
        return self.heads.weights


def random_weights(rng: np.random.Generator, d_model: int) -> MultiHeadWeights:
    """W_Q, W_K, W_V, W_O in this order from one stream: standard normal / sqrt(d_model), no biases."""
    d_model = positive_int("d_model", d_model)
    return MultiHeadWeights(*(rng.standard_normal((d_model, d_model)) / math.sqrt(d_model) for _ in range(4)))


def parameter_count(d_model: int) -> int:
    """Entries of W_Q, W_K, W_V and W_O together, biases left out; the number of heads doesn't matter."""
    return 4 * positive_int("d_model", d_model) ** 2


def multi_head_batched(
    x: npt.ArrayLike, weights: MultiHeadWeights, config: MultiHeadConfig, mask: npt.ArrayLike | None = None
) -> MultiHeadTrace:
    """x [..., n, d_model] -> output [..., n, d_model]; all heads in one attention over the head axis.

    `mask` (True = may not look) broadcasts to [..., n, n] and holds for every head. Raises AttentionError.
    """
    x, q, k, v = _projected(x, weights, config)
    heads = attention(
        split_heads(q, config.h),  # [..., n, d_model] -> [..., h, n, d_head]
        split_heads(k, config.h),
        split_heads(v, config.h),
        _for_every_head(mask),
        AttentionConfig(causal=config.causal),
    )
    merged = merge_heads(heads.output)  # [..., h, n, d_head] -> [..., n, d_model]
    return _finished(config, x, (q, k, v), heads, merged, weights)


def multi_head_loop(
    x: npt.ArrayLike, weights: MultiHeadWeights, config: MultiHeadConfig, mask: npt.ArrayLike | None = None
) -> tuple[tuple[AttentionTrace, ...], FloatArray]:
    """The readable way: one attention a head, on its own columns; otherwise as `multi_head_batched`.

    Returns the heads' traces (each over [..., n, d_head]) and the output [..., n, d_model].
    """
    x, q, k, v = _projected(x, weights, config)
    traces = []
    for i in range(config.h):
        columns = slice(i * config.d_head, (i + 1) * config.d_head)
        q_i, k_i, v_i = q[..., columns], k[..., columns], v[..., columns]  # [..., n, d_head]
        traces.append(attention(q_i, k_i, v_i, mask, AttentionConfig(causal=config.causal)))
    merged = np.concatenate([trace.output for trace in traces], axis=-1)  # [..., n, d_model]
    return tuple(traces), project(merged, weights.w_o, weights.b_o)


def _projected(
    x: npt.ArrayLike, weights: MultiHeadWeights, config: MultiHeadConfig
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """x and its queries, keys, values, all [..., n, d_model]."""
    x = finite_array("x", x, min_ndim=2)
    if weights.d_model != config.d_model:
        raise AttentionError(f"d_model is {weights.d_model} in the weights, {config.d_model} in config")
    if x.shape[-1] != config.d_model:
        raise AttentionError(f"x must have d_model {config.d_model} columns, not {x.shape[-1]}")
    q = project(x, weights.w_q, weights.b_q)
    k = project(x, weights.w_k, weights.b_k)
    v = project(x, weights.w_v, weights.b_v)
    return x, q, k, v


def _for_every_head(mask: npt.ArrayLike | None) -> BoolArray | None:
    """[..., n, n] -> [..., 1, n, n]; a mask without leading axes already broadcasts over heads."""
    if mask is None:
        return None
    array = boolean_array("mask", mask)
    return array if array.ndim < 3 else np.expand_dims(array, -3)


def _finished(
    config: MultiHeadConfig,
    x: FloatArray,
    flat: tuple[FloatArray, FloatArray, FloatArray],
    heads: AttentionTrace,
    merged: FloatArray,
    weights: MultiHeadWeights,
) -> MultiHeadTrace:
    q_flat, k_flat, v_flat = (frozen(m) for m in flat)
    return MultiHeadTrace(
        config=config,
        x=frozen(x),
        q_flat=q_flat,
        k_flat=k_flat,
        v_flat=v_flat,
        heads=heads,
        merged=frozen(merged),
        output=project(merged, weights.w_o, weights.b_o),  # [..., n, d_model]
    )
