"""The product and the exponential that don't depend on the processor."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from decimal import Decimal, localcontext

import numpy as np
import pytest

from attention_core import AttentionError
from attention_core.portable import LN2_HIGH, LN2_LOW, exp, matmul


def ulps(z: float, got: float) -> float:
    """Distance of `got` from e^z, in units in the last place."""
    with localcontext() as context:
        context.prec = 40
        true = Decimal(z).exp()
        return float(abs(Decimal(got) - true) / Decimal(math.ulp(float(true))))


@pytest.mark.parametrize("low, high", [(-1, 1), (-40, 40), (-708, 709), (-745, -708)])
def test_exp_is_within_one_ulp(low: float, high: float) -> None:
    z = np.random.default_rng(4).uniform(low, high, 500)
    assert max(map(ulps, z.tolist(), exp(z).tolist())) < 1


def test_exp_at_its_ends() -> None:
    z = np.array([-np.inf, -746.0, 0.0, -0.0, 709.78, 710.0, 1e300, -1e300])
    np.testing.assert_array_equal(exp(z)[[0, 1, 2, 3, 5, 6, 7]], [0, 0, 1, 1, np.inf, np.inf, 0])
    assert exp(z)[4] == pytest.approx(1.7928e308, rel=1e-4)


def test_exp_keeps_the_precision_and_rounds_once() -> None:
    z = np.linspace(-80, 80, 321, dtype=np.float32)
    assert exp(z).dtype == np.float32
    np.testing.assert_array_equal(exp(z), np.exp(z.astype(np.float64)).astype(np.float32))
    assert exp(np.array([12.0], dtype=np.float16))[0] == np.inf


def test_ln2_is_whole_in_its_two_parts() -> None:
    with localcontext() as context:
        context.prec = 40
        assert abs(Decimal(2).ln() - Decimal(LN2_HIGH) - Decimal(LN2_LOW)) < Decimal("1e-25")
    assert all((k * LN2_HIGH).hex() == float.hex(k * LN2_HIGH) and (k * LN2_HIGH) / k == LN2_HIGH for k in (3, 1025))


@pytest.mark.parametrize("shapes", [((3, 4), (4, 5)), ((2, 3, 4), (4, 5)), ((2, 1, 3, 1), (7, 1, 2)), ((1, 6), (6, 1))])
def test_matmul_is_the_matrix_product(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    rng = np.random.default_rng(5)
    a, b = (rng.standard_normal(shape) for shape in shapes)
    np.testing.assert_allclose(matmul("a b", a, b), a @ b, rtol=1e-13, atol=1e-14)


def test_matmul_refuses_what_it_cannot_do() -> None:
    with pytest.raises(AttentionError, match=r"a b: \[2, 3\] and \[2, 3\] don't share their inner axis"):
        matmul("a b", np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(AttentionError, match=r"a b is infinite at index \[0, 0\]"):
        matmul("a b", np.full((1, 1), 1e200), np.full((1, 1), 1e200))


FINGERPRINT = """
import json, sys, lesson
facts = lesson.load().facts
json.dump({key: facts.digest(key) for key in facts.keys()}, sys.stdout)
"""


def fingerprint(**environment: str) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", FINGERPRINT],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    digests: dict[str, str] = json.loads(done.stdout)
    return digests


def test_facts_are_the_same_bits_with_other_processor_code_and_hash_seeds() -> None:
    """NumPy and OpenBLAS are told to act as on an old processor: np.exp and @ would give other last digits."""
    plain = fingerprint(PYTHONHASHSEED="1")
    old = fingerprint(
        PYTHONHASHSEED="2",
        OPENBLAS_CORETYPE="Prescott",
        OPENBLAS_NUM_THREADS="1",
        NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    )
    assert len(plain) > 100
    assert old == plain
