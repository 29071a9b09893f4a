"""Matrix product and exponential that give the same bits on every machine.

NumPy's own pick their code by the processor, so that last digits differ between two computers (measured:
OpenBLAS with and without FMA; np.exp with and without AVX-512). A picture's numbers, and whatever is keyed on
them, must not depend on that. Every step here is one IEEE operation on whole arrays, rounded alike everywhere.
"""

from __future__ import annotations

import math

import numpy as np

from attention_core.arrays import FloatArray, require_finite
from attention_core.errors import AttentionError

# ln 2 in two parts: multiples of the first up to 2^20 are exact, the second carries the digits it lacks.
LN2_HIGH = float.fromhex("0x1.62e42feep-1")
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
BEYOND = 750.0  # exp is 0 below minus this in float64, and infinite above it
TERMS = 14  # |r| <= ln(2) / 2, so the first term left out is below 1e-18


def matmul(name: str, a: FloatArray, b: FloatArray) -> FloatArray:
    """a b = sum_m a[:, m] b[m, :]: [..., n, d] [..., d, m] -> [..., n, m], leading axes broadcast.

    A sum of outer products, so that every entry is added up in the order of m. `name` is for the
    AttentionError raised when the inner axes differ or when finite inputs overflow.
    """
    if a.shape[-1] != b.shape[-2]:
        raise AttentionError(f"{name}: {list(a.shape)} and {list(b.shape)} don't share their inner axis")
    with np.errstate(over="ignore", invalid="ignore"):
        product = a[..., :, 0, None] * b[..., 0, None, :]  # [..., n, 1] [..., 1, m] -> [..., n, m]
        for m in range(1, a.shape[-1]):
            product += a[..., :, m, None] * b[..., m, None, :]
    return require_finite(name, product)


def exp(z: FloatArray) -> FloatArray:
    """e^z elementwise, within 1 ulp; exp(-inf) is exactly 0, what is too large becomes inf without a warning.

    z = k ln 2 + r with whole k, so e^z = 2^k e^r, and e^r is its Taylor series. Computed in float64, handed
    out in z's precision; z must not be NaN.
    """
    x = np.clip(z.astype(np.float64), -BEYOND, BEYOND)
    k = np.rint(x / math.log(2))
    high, low = x - k * LN2_HIGH, k * LN2_LOW
    r = high - low
    series = np.zeros_like(r)  # sum over m >= 2 of r^(m-2) / m!
    for m in range(TERMS, 1, -1):
        series = series * r + 1 / math.factorial(m)
    with np.errstate(over="ignore", under="ignore"):
        whole = np.ldexp(1 + (high + (r * r * series - low)), k.astype(np.int64))
        return whole.astype(z.dtype)
