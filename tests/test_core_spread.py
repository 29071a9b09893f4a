"""The spread of dot products and the saturation of softmax."""

from __future__ import annotations

import math

import numpy as np
import pytest

from attention_core import (
    AttentionError,
    SaturationConfig,
    SpreadConfig,
    dot_product_spread,
    histogram,
    jacobian_norm,
    saturation,
    softmax,
    softmax_jacobian,
    std_sampling_error,
)


def test_one_stream_q_then_k_for_each_size_in_turn() -> None:
    trace = dot_product_spread(SpreadConfig((2, 3), pairs=5, seed=1))
    rng = np.random.default_rng(1)
    for row, d_k in zip(trace.dot_products, (2, 3), strict=True):
        q, k = rng.standard_normal((5, d_k)).tolist(), rng.standard_normal((5, d_k)).tolist()
        expected = [math.fsum(x * y for x, y in zip(a, b, strict=True)) for a, b in zip(q, k, strict=True)]
        np.testing.assert_allclose(row, expected, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(trace.measured_std, trace.dot_products.std(axis=1))
    np.testing.assert_allclose(trace.measured_mean, trace.dot_products.mean(axis=1))


def test_the_lesson_s_measurement() -> None:
    trace = dot_product_spread(SpreadConfig((4, 64, 512), pairs=4000, seed=52))
    assert [f"{std:.2f}" for std in trace.measured_std] == ["2.00", "7.98", "22.42"]
    np.testing.assert_array_equal(trace.expected_std, [2, 8, math.sqrt(512)])
    assert (np.abs(trace.measured_std - trace.expected_std) < 2 * trace.sampling_error).all()
    assert not trace.dot_products.flags.writeable


@pytest.mark.parametrize("d_k", [1, 4, 40])
def test_sampling_error_is_the_spread_of_repeated_measurements(d_k: int) -> None:
    """600 measurements of 500 pairs each: their own spread is known within 3%, so 12% is four of its errors."""
    rng = np.random.default_rng(16)
    stds = [(rng.standard_normal((500, d_k)) * rng.standard_normal((500, d_k))).sum(1).std() for _ in range(600)]
    assert float(np.std(stds)) == pytest.approx(std_sampling_error(d_k, 500), rel=0.12)


def test_sampling_error_formula() -> None:
    assert std_sampling_error(4, 4000) == pytest.approx(math.sqrt(7 / 8000))
    assert std_sampling_error(512, 4000) == pytest.approx(0.2537, abs=5e-5)


def test_histogram_has_common_symmetric_round_bins_and_area_one() -> None:
    rows = np.random.default_rng(17).standard_normal((3, 1000)) * np.array([[2], [8], [22]])
    bins = histogram(rows)
    width = bins.edges[1] - bins.edges[0]
    assert width in (1, 2, 5)
    np.testing.assert_array_equal(bins.edges, -bins.edges[::-1])
    assert bins.edges[-1] >= np.abs(rows).max() > bins.edges[-1] - 6 * width
    np.testing.assert_allclose((bins.densities * width).sum(axis=1), 1)
    counted = np.count_nonzero((rows[1] >= bins.edges[50]) & (rows[1] < bins.edges[51]))
    assert bins.densities[1, 50] == pytest.approx(counted / (1000 * width))


@pytest.mark.parametrize("reach, edge, bins", [(94.6, 100, 100), (100, 100, 100), (110, 125, 50), (0.31, 0.35, 70)])
def test_histogram_bins_by_reach(reach: float, edge: float, bins: int) -> None:
    made = histogram([[-reach, reach / 3, reach]])
    assert made.edges[-1] == pytest.approx(edge)
    assert len(made.edges) == bins + 1


def test_histogram_of_nothing_but_zeros() -> None:
    made = histogram([[0.0, 0.0]])
    assert made.densities.sum() * (made.edges[1] - made.edges[0]) == pytest.approx(1)


def test_jacobian_is_the_derivative_of_softmax() -> None:
    z, step = np.array([0.3, -1.0, 0.9, 0.0]), 1e-6
    rows = []
    for j in range(4):
        up, down = z.copy(), z.copy()
        up[j] += step
        down[j] -= step
        rows.append((softmax(up) - softmax(down)) / (2 * step))
    numerical = np.stack(rows, axis=-1)
    np.testing.assert_allclose(softmax_jacobian(softmax(z)), numerical, atol=1e-9)
    assert jacobian_norm(softmax(z)) == pytest.approx(math.sqrt((numerical**2).sum()), abs=1e-8)


def test_jacobian_norm_at_its_ends() -> None:
    np.testing.assert_allclose(jacobian_norm(np.array([[1, 0, 0], [0.5, 0.5, 0]])), [0, 0.5], atol=1e-16)
    one_third = jacobian_norm([1 / 3, 1 / 3, 1 / 3])
    assert one_third == pytest.approx(math.sqrt(2) / 3)


def test_saturation_with_and_without_the_scale() -> None:
    measured = saturation(SaturationConfig((4, 64, 512), rows=300, keys=6, seed=3))
    assert (np.diff(measured.largest_weight_unscaled) > 0).all()
    assert measured.largest_weight_unscaled[2] > 0.9
    assert (np.diff(measured.jacobian_norm_unscaled) < 0).all()
    assert measured.jacobian_norm_unscaled[2] < 0.2 * measured.jacobian_norm_scaled[2]
    assert np.ptp(measured.largest_weight_scaled) < 0.05
    assert np.ptp(measured.jacobian_norm_scaled) < 0.02


def test_saturation_against_plain_loops() -> None:
    measured = saturation(SaturationConfig((3,), rows=4, keys=2, seed=5))
    rng = np.random.default_rng(5)
    q, k = rng.standard_normal((4, 3)), rng.standard_normal((4, 2, 3))
    for scale, largest, norm in (
        (1.0, measured.largest_weight_unscaled, measured.jacobian_norm_unscaled),
        (math.sqrt(3), measured.largest_weight_scaled, measured.jacobian_norm_scaled),
    ):
        first = [1 / (1 + math.exp(float(q[i] @ (k[i, 1] - k[i, 0])) / scale)) for i in range(4)]
        assert largest[0] == pytest.approx(np.mean([max(a, 1 - a) for a in first]))
        assert norm[0] == pytest.approx(np.mean([2 * a * (1 - a) for a in first]))  # 2 by 2: four entries a (1 - a)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: SpreadConfig((), 10, 0), "d_k must be a tuple of sizes"),
        (lambda: SpreadConfig((0,), 10, 0), "d_k must be a whole number of at least 1, not 0"),
        (lambda: SpreadConfig((4,), 0, 0), "pairs must be"),
        (lambda: SpreadConfig((4,), 10, -1), "seed must be a whole number of at least 0, not -1"),
        (lambda: SaturationConfig((4,), 10, 1, 0), "keys must be at least 2"),
        (lambda: SaturationConfig((4,), 0, 2, 0), "rows must be"),
        (lambda: std_sampling_error(4, 0), "pairs must be"),
        (lambda: histogram([[np.nan]]), r"rows is NaN at index \[0, 0\]"),
        (lambda: jacobian_norm([np.inf]), "weights is infinite"),
    ],
)
def test_refuses_with_one_clear_line(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(AttentionError, match=message):
        make()
