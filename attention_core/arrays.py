"""Checked, frozen arrays: what every function of the core takes in and hands out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from attention_core.errors import AttentionError

FloatArray: TypeAlias = npt.NDArray[np.floating[Any]]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
AnyArray: TypeAlias = npt.NDArray[Any]


def frozen(a: AnyArray) -> AnyArray:
    """A read-only copy of `a` in C order, same shape and dtype; the caller's array stays writable."""
    copy = np.array(a, order="C", copy=True)
    copy.setflags(write=False)
    return copy


def real_array(name: str, a: npt.ArrayLike, min_ndim: int = 1) -> FloatArray:
    """`a` as a floating-point array with at least `min_ndim` axes and no empty axis.

    Floats keep their precision (float32 stays float32), integers become float64. NaN and infinity are let
    through: see `finite_array`. Raises AttentionError for anything that is not a real number.
    """
    array = _array(name, a)
    if array.dtype.kind in "iu":
        array = array.astype(np.float64)
    if array.dtype.kind != "f":
        raise AttentionError(f"{name} must hold real numbers, not {array.dtype}")
    if array.ndim < min_ndim:
        raise AttentionError(f"{name} must have at least {min_ndim} axes, not shape {list(array.shape)}")
    if array.size == 0:
        raise AttentionError(f"{name} is empty: shape {list(array.shape)}")
    return array


def finite_array(name: str, a: npt.ArrayLike, min_ndim: int = 1) -> FloatArray:
    """`real_array` that also refuses NaN and infinity, and says where the first one stands."""
    array = real_array(name, a, min_ndim)
    return require_finite(name, array)


def require_finite(name: str, array: FloatArray) -> FloatArray:
    """`array` itself, or AttentionError naming the place of its first NaN or infinity."""
    bad = ~np.isfinite(array)
    if bad.any():
        place = [int(i) for i in np.argwhere(bad)[0]]
        kind = "NaN" if np.isnan(array[tuple(place)]) else "infinite"
        raise AttentionError(f"{name} is {kind} at index {place}")
    return array


def boolean_array(name: str, mask: npt.ArrayLike) -> BoolArray:
    """`mask` as a boolean array, or AttentionError: a mask of 0 and 1, or of 0 and -inf, is ambiguous."""
    array = _array(name, mask)
    if array.dtype != np.bool_:
        raise AttentionError(f"{name} must be boolean (True = may not look), not {array.dtype}")
    return array


def whole_number(name: str, value: int, least: int) -> int:
    """`value`, or AttentionError if it is not a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise AttentionError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return int(value)


def positive_int(name: str, value: int) -> int:
    """`value`, or AttentionError if it is not a whole number of at least 1."""
    return whole_number(name, value, least=1)


def positive_float(name: str, value: float) -> float:
    """`value` as a Python float (which never widens float32), or AttentionError if not finite and above 0."""
    real = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not real or not math.isfinite(value) or value <= 0:
        raise AttentionError(f"{name} must be a finite number above 0, not {value!r}")
    return float(value)


def _array(name: str, a: npt.ArrayLike) -> AnyArray:
    try:
        return np.asarray(a)
    except ValueError as error:  # ragged nesting
        raise AttentionError(f"{name} is not an array: its rows differ in length") from error


def broadcast_leading(**shapes: Sequence[int]) -> tuple[int, ...]:
    """The common leading axes of the named shapes; AttentionError if they don't broadcast."""
    try:
        return np.broadcast_shapes(*(tuple(s) for s in shapes.values()))
    except ValueError as error:
        listed = ", ".join(f"{name} {list(shape)}" for name, shape in shapes.items())
        raise AttentionError(f"leading axes don't fit together: {listed}") from error
