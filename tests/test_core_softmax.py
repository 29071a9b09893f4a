"""softmax: right, unable to overflow, traced, and clear about what it refuses."""

from __future__ import annotations

import numpy as np
import plain_loops
import pytest
import scipy.special

from attention_core import AttentionError, plain_softmax_trace, softmax, softmax_over_columns, softmax_trace


@pytest.mark.parametrize("axis", [-1, 0, 1, 2, -3])
@pytest.mark.parametrize("dtype, tolerance", [(np.float64, 1e-15), (np.float32, 1e-6)])
def test_agrees_with_scipy_on_every_axis(axis: int, dtype: type[np.floating], tolerance: float) -> None:
    z = (np.random.default_rng(1).standard_normal((3, 4, 5)) * 8).astype(dtype)
    weights = softmax(z, axis)
    assert weights.dtype == dtype
    np.testing.assert_allclose(weights, scipy.special.softmax(z, axis=axis), rtol=tolerance * 20, atol=tolerance)


def test_agrees_with_plain_loops() -> None:
    z = np.random.default_rng(2).uniform(-30, 30, (20, 6))
    expected = [plain_loops.softmax(row) for row in z.tolist()]
    np.testing.assert_allclose(softmax(z), expected, rtol=1e-14)


@pytest.mark.parametrize("top", [710, 1002, 1e6, 1e300])
def test_large_scores_do_not_overflow(top: float) -> None:
    np.testing.assert_allclose(softmax([top, top]), [0.5, 0.5])


def test_widest_gap_gives_weight_zero_without_a_warning() -> None:
    np.testing.assert_array_equal(softmax([-1.7e308, 1.7e308]), [0, 1])


def test_the_lesson_s_example_of_overflow() -> None:
    np.testing.assert_allclose(softmax([1000, 1001, 1002]), [0.09003057, 0.24472847, 0.66524096], atol=5e-9)
    np.testing.assert_array_equal(softmax([1000, 1001, 1002]), softmax([0, 1, 2]))


def test_trace_holds_every_step_and_they_follow_from_one_another() -> None:
    z = np.array([[1.0, 3.0, 2.0], [-1.0, -1.0, -5.0]])
    trace = softmax_trace(z)
    np.testing.assert_array_equal(trace.z, z)
    np.testing.assert_array_equal(trace.maximum, [[3], [-1]])
    np.testing.assert_array_equal(trace.shifted, [[-2, 0, -1], [0, 0, -4]])
    np.testing.assert_allclose(trace.exponentials, np.exp(trace.shifted), rtol=4e-16)
    np.testing.assert_allclose(trace.total[:, 0], [np.exp(-2) + 1 + np.exp(-1), 2 + np.exp(-4)])
    np.testing.assert_array_equal(trace.weights, trace.exponentials / trace.total)


def test_trace_is_frozen_and_independent_of_its_input() -> None:
    z = np.array([0.0, 1.0])
    trace = softmax_trace(z)
    z[0] = 9
    assert trace.z[0] == 0
    for name in ("z", "maximum", "shifted", "exponentials", "total", "weights"):
        assert not getattr(trace, name).flags.writeable
    with pytest.raises(AttributeError):
        trace.weights = z  # type: ignore[misc]


def test_masked_scores_get_exactly_nothing() -> None:
    weights = softmax([0.0, -np.inf, 0.0])
    np.testing.assert_array_equal(weights, [0.5, 0, 0.5])


def test_plain_softmax_is_the_textbook_s() -> None:
    trace = plain_softmax_trace([1 / np.sqrt(2), 0.0])
    np.testing.assert_allclose(trace.exponentials, [2.0281149816, 1.0], atol=5e-11)
    np.testing.assert_allclose(trace.total, [3.0281149816], atol=5e-11)
    np.testing.assert_allclose(trace.weights, softmax([1 / np.sqrt(2), 0.0]), rtol=1e-15)
    np.testing.assert_array_equal(trace.maximum, [0])


@pytest.mark.parametrize(
    "z, message",
    [
        ([1000.0, 0.0], r"exp\(1000\) overflows float64"),
        (np.array([89.0], dtype=np.float32), r"exp\(89\) overflows float32"),
        ([[-800.0, -900.0], [0.0, 0.0]], "underflows to 0"),
        ([-np.inf, 0.0], r"z is infinite at index \[0\]"),
    ],
)
def test_plain_softmax_names_its_limits(z: object, message: str) -> None:
    with pytest.raises(AttentionError, match=message):
        plain_softmax_trace(z)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "z, axis, message",
    [
        ([[0.0, 1.0], [np.nan, 1.0]], -1, r"score at index \[1, 0\] is nan"),
        ([0.0, np.inf], -1, r"score at index \[1\] is inf"),
        ([[0.0, 1.0], [-np.inf, -np.inf]], -1, r"every score is masked in the row at index \[1, 0\]"),
        ([], -1, "z is empty"),
        (3.0, -1, "at least 1 axes"),
        ([1.0, 2.0], 1, r"axis 1 does not exist in shape \[2\]"),
        ([[1.0], [1.0, 2.0]], -1, "rows differ in length"),
        (["a"], -1, "real numbers"),
        ([True], -1, "real numbers, not bool"),
        ([1j], -1, "real numbers, not complex128"),
    ],
)
def test_refuses_with_one_clear_line(z: object, axis: int, message: str) -> None:
    with pytest.raises(AttentionError, match=message) as caught:
        softmax(z, axis)  # type: ignore[arg-type]
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


def test_softmax_over_columns_is_the_mistake_it_says() -> None:
    z = np.random.default_rng(3).standard_normal((2, 4, 4))
    weights = softmax_over_columns(z)
    np.testing.assert_allclose(weights, scipy.special.softmax(z, axis=-2), rtol=1e-14)
    np.testing.assert_allclose(weights.sum(axis=-2), 1)
    assert np.abs(weights.sum(axis=-1) - 1).max() > 0.1
