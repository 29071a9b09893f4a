"""The core against PyTorch: vectors recorded by tests/data/torch_make_vectors.py (which names the versions)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from attention_core import (
    AttentionConfig,
    MultiHeadConfig,
    MultiHeadWeights,
    attention,
    multi_head_batched,
    multi_head_loop,
    padding_mask,
)

TOLERANCE = {"float32": 2e-6, "float64": 1e-14}
Arrays = dict[str, npt.NDArray[Any]]


@pytest.fixture(scope="module")
def recorded() -> Arrays:
    with np.load(Path(__file__).parent / "data" / "torch_vectors.npz") as file:
        return dict(file)


def group(recorded: Arrays, dtype: str, name: str) -> Arrays:
    prefix = f"{dtype}/{name}/"
    found = {key.removeprefix(prefix): value for key, value in recorded.items() if key.startswith(prefix)}
    assert found
    return found


def test_the_file_says_what_made_it(recorded: Arrays) -> None:
    assert str(recorded["versions"]).startswith("torch 2.13.0")


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize(
    "case, config",
    [
        ("plain", AttentionConfig()),
        ("causal", AttentionConfig(causal=True)),
        ("masked", AttentionConfig()),
        ("scaled", AttentionConfig(scale=4.0)),
        ("wide", AttentionConfig()),
        ("large", AttentionConfig()),
    ],
)
def test_scaled_dot_product_attention(recorded: Arrays, dtype: str, case: str, config: AttentionConfig) -> None:
    a = group(recorded, dtype, "attention")
    q, k, v = a["q"], a["k"], a["v"]
    if case == "wide":
        k, v = a["more_k"], a["more_v"]
    if case == "large":
        q, k = 30 * q, 30 * k
    mask = ~a["may_look"] if case == "masked" else None  # PyTorch's mask says who may look
    output = attention(q, k, v, mask, config).output
    assert output.dtype == a[f"out_{case}"].dtype == np.dtype(dtype)
    np.testing.assert_allclose(output, a[f"out_{case}"], rtol=0, atol=TOLERANCE[dtype] * (30 if case == "large" else 1))


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("h", [2, 4])
@pytest.mark.parametrize("case", ["plain", "causal", "padded"])
def test_multi_head_layer_with_the_same_weights_and_biases(recorded: Arrays, dtype: str, h: int, case: str) -> None:
    a = group(recorded, dtype, f"layer{h}")
    # PyTorch keeps W_Q, W_K, W_V stacked and applies x @ W.T.
    w_q, w_k, w_v = (w.T for w in np.split(a["w_in"], 3))
    b_q, b_k, b_v = np.split(a["b_in"], 3)
    weights = MultiHeadWeights(w_q, w_k, w_v, a["w_out"].T, b_q, b_k, b_v, a["b_out"])
    config = MultiHeadConfig(8, h, causal=case == "causal")
    mask = padding_mask(a["padding"]) if case == "padded" else None

    trace = multi_head_batched(a["x"], weights, config, mask)
    heads, loop = multi_head_loop(a["x"], weights, config, mask)
    by_head = np.stack([head.weights for head in heads], axis=-3)
    assert trace.output.dtype == np.dtype(dtype)
    for got, name in (
        (trace.output, "out"),
        (loop, "out"),
        (trace.weights, "weights"),
        (by_head, "weights"),
    ):
        np.testing.assert_allclose(got, a[f"{name}_{case}"], rtol=0, atol=TOLERANCE[dtype])


def test_the_biases_matter_in_these_vectors(recorded: Arrays) -> None:
    a = group(recorded, "float64", "layer2")
    assert np.abs(a["b_in"]).min() > 1e-3
    w_q, w_k, w_v = (w.T for w in np.split(a["w_in"], 3))
    without = multi_head_batched(a["x"], MultiHeadWeights(w_q, w_k, w_v, a["w_out"].T), MultiHeadConfig(8, 2))
    assert np.abs(without.output - a["out_plain"]).max() > 0.1
