"""Splitting a matrix into heads and merging them: reshapes, which move nothing in memory, and a transpose."""

from __future__ import annotations

import numpy as np

from attention_core.arrays import AnyArray, positive_int
from attention_core.errors import AttentionError


def head_width(d_model: int, h: int) -> int:
    """d_model / h, the columns of one head; AttentionError if h doesn't divide d_model."""
    d_model, h = positive_int("d_model", d_model), positive_int("h", h)
    if d_model % h:
        raise AttentionError(f"{h} heads don't divide d_model {d_model}")
    return d_model // h


def reshape_to_heads(m: AnyArray, h: int) -> AnyArray:
    """m [..., n, d] -> [..., n, h, d/h]: each row is cut into h pieces, one a head."""
    if m.ndim < 2:
        raise AttentionError(f"heads need a matrix [..., n, d], not shape {list(m.shape)}")
    *lead, n, d = m.shape
    return m.reshape(*lead, n, h, head_width(d, h))  # [..., n, d] -> [..., n, h, d/h]


def split_heads(m: AnyArray, h: int) -> AnyArray:
    """m [..., n, d] -> [..., h, n, d/h]: the head axis goes in front and then counts like a batch axis."""
    return np.swapaxes(reshape_to_heads(m, h), -3, -2)  # [..., n, h, d/h] -> [..., h, n, d/h]


def merge_heads(m: AnyArray) -> AnyArray:
    """m [..., h, n, d_head] -> [..., n, h d_head]; the inverse of `split_heads`."""
    *lead, h, n, d_head = _heads(m)
    by_token = np.swapaxes(m, -3, -2)  # [..., h, n, d_head] -> [..., n, h, d_head]
    return by_token.reshape(*lead, n, h * d_head)  # [..., n, h d_head]


def merge_heads_without_transpose(m: AnyArray) -> AnyArray:
    """The mistake: m [..., h, n, d_head] -> [..., n, h d_head] by reshape alone.

    The shape is right, but rows now hold pieces of other tokens. For showing, never for use.
    """
    *lead, h, n, d_head = _heads(m)
    return np.ascontiguousarray(m).reshape(*lead, n, h * d_head)


def _heads(m: AnyArray) -> tuple[int, ...]:
    if m.ndim < 3:
        raise AttentionError(f"heads must have shape [..., h, n, d_head], not {list(m.shape)}")
    return m.shape
