"""Why scores are divided by sqrt(d_k): the spread of random dot products, and what it does to the softmax.

With all entries of q and k independent, mean 0 and variance 1, q . k is a sum of d_k independent products of
mean 0 and variance 1: its variance is d_k (Vaswani et al. 2017, footnote 4).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attention_core.arrays import FloatArray, finite_array, frozen, positive_int, whole_number
from attention_core.attention import AttentionConfig, attention
from attention_core.errors import AttentionError


@dataclass(frozen=True, slots=True)
class SpreadConfig:
    """Which dot products to draw: `pairs` of q and k for each d_k in turn, all from one stream."""

    d_k: tuple[int, ...]
    pairs: int
    seed: int

    def __post_init__(self) -> None:
        _sizes(self.d_k)
        positive_int("pairs", self.pairs)
        whole_number("seed", self.seed, least=0)


@dataclass(frozen=True, slots=True, eq=False)
class SpreadTrace:
    """dot_products [len(d_k), pairs]; means, stds (divisor N), expected and error of the stds [len(d_k)]."""

    config: SpreadConfig
    dot_products: FloatArray
    measured_mean: FloatArray
    measured_std: FloatArray
    expected_std: FloatArray
    sampling_error: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """edges [bins + 1], the same for every row; densities [rows, bins], each row with area 1."""

    edges: FloatArray
    densities: FloatArray


@dataclass(frozen=True, slots=True)
class SaturationConfig:
    """For each d_k: `rows` random queries, each against `keys` random keys of its own."""

    d_k: tuple[int, ...]
    rows: int
    keys: int
    seed: int

    def __post_init__(self) -> None:
        _sizes(self.d_k)
        positive_int("rows", self.rows)
        if positive_int("keys", self.keys) < 2:
            raise AttentionError("a softmax over 1 key is always 1: keys must be at least 2")
        whole_number("seed", self.seed, least=0)


@dataclass(frozen=True, slots=True, eq=False)
class Saturation:
    """Means over the rows, [len(d_k)], with the scale and without it, from the same draws."""

    config: SaturationConfig
    largest_weight_unscaled: FloatArray
    largest_weight_scaled: FloatArray
    jacobian_norm_unscaled: FloatArray
    jacobian_norm_scaled: FloatArray


def dot_product_spread(config: SpreadConfig) -> SpreadTrace:
    """Draws standard normal q [pairs, d_k], then k [pairs, d_k], for each d_k in turn, and measures q . k."""
    rng = np.random.default_rng(config.seed)
    rows = []
    for d_k in config.d_k:
        q = rng.standard_normal((config.pairs, d_k))
        k = rng.standard_normal((config.pairs, d_k))
        rows.append((q * k).sum(axis=-1))  # [pairs, d_k] -> [pairs]
    products = np.stack(rows)  # [len(d_k), pairs]
    return SpreadTrace(
        config=config,
        dot_products=frozen(products),
        measured_mean=frozen(products.mean(axis=-1)),
        measured_std=frozen(products.std(axis=-1)),
        expected_std=frozen(np.sqrt(np.array(config.d_k, dtype=np.float64))),
        sampling_error=frozen(np.array([std_sampling_error(d_k, config.pairs) for d_k in config.d_k])),
    )


def std_sampling_error(d_k: int, pairs: int) -> float:
    """Standard error of the standard deviation measured on `pairs` dot products: sqrt((d_k + 3) / (2 pairs)).

    For one product z = q_m k_m of standard normals E z^2 = 1 and E z^4 = 3 * 3 = 9, so for their sum s
    E s^4 = 9 d_k + 3 d_k (d_k - 1) = 3 d_k^2 + 6 d_k. The measured variance has the variance
    (E s^4 - d_k^2) / pairs = (2 d_k^2 + 6 d_k) / pairs to leading order, and its root has that variance over
    (2 sqrt(d_k))^2 (delta method). A normal variable would give sqrt(d_k / (2 pairs)): the tails add the 3.
    """
    return math.sqrt((positive_int("d_k", d_k) + 3) / (2 * positive_int("pairs", pairs)))


def histogram(rows: npt.ArrayLike, target_bins: int = 100) -> Histogram:
    """Densities of rows [rows, samples] over common bins, symmetric about 0, as wide as 1, 2 or 5 times 10^m.

    The width is the smallest of these that needs about `target_bins` bins or fewer; every sample lies inside.
    """
    samples = finite_array("rows", rows, min_ndim=2)
    reach = float(np.abs(samples).max())
    width = _round_width(2 * reach / positive_int("target_bins", target_bins)) if reach > 0 else 1.0
    # Whole groups of five bins a side, so that the axis ends on a round number.
    half = 5 * max(1, math.ceil(reach / width / 5))
    edges = width * np.arange(-half, half + 1, dtype=np.float64)  # [bins + 1]
    densities = np.stack([np.histogram(row, bins=edges, density=True)[0] for row in samples])  # [rows, bins]
    return Histogram(edges=frozen(edges), densities=frozen(densities))


def softmax_jacobian(weights: npt.ArrayLike) -> FloatArray:
    """d a_i / d z_j = a_i (1[i = j] - a_j) for a = softmax(z): weights [..., m] -> [..., m, m]."""
    a = finite_array("weights", weights)
    outer = a[..., :, None] * a[..., None, :]  # [..., m, m]
    return frozen(a[..., None] * np.eye(a.shape[-1], dtype=a.dtype) - outer)


def jacobian_norm(weights: npt.ArrayLike) -> FloatArray:
    """Frobenius norm of the softmax's Jacobian with respect to its own input: weights [..., m] -> [...].

    0 for a one-hot row (nothing flows back), largest, 1/2, when two weights are 1/2.
    """
    jacobian = softmax_jacobian(weights)
    return frozen(np.sqrt((jacobian**2).sum(axis=(-2, -1))))  # [..., m, m] -> [...]


def saturation(config: SaturationConfig) -> Saturation:
    """Largest weight and Jacobian norm of softmax(q k^T / scale), standard normal q, k; means over rows."""
    rng = np.random.default_rng(config.seed)
    columns: list[list[float]] = []
    for d_k in config.d_k:
        q = rng.standard_normal((config.rows, 1, d_k))
        k = rng.standard_normal((config.rows, config.keys, d_k))
        v = np.zeros((1, config.keys, 1))  # only the weights matter here
        column = []
        for scale in (1.0, None):
            a = attention(q, k, v, config=AttentionConfig(scale=scale)).weights  # [rows, 1, keys]
            column += [float(a.max(axis=-1).mean()), float(jacobian_norm(a).mean())]
        columns.append(column)
    measured = np.array(columns).T  # [4, len(d_k)]
    return Saturation(
        config=config,
        largest_weight_unscaled=frozen(measured[0]),
        jacobian_norm_unscaled=frozen(measured[1]),
        largest_weight_scaled=frozen(measured[2]),
        jacobian_norm_scaled=frozen(measured[3]),
    )


def _round_width(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _sizes(d_k: tuple[int, ...]) -> None:
    if not isinstance(d_k, tuple) or not d_k:
        raise AttentionError(f"d_k must be a tuple of sizes, not {d_k!r}")
    for size in d_k:
        positive_int("d_k", size)
