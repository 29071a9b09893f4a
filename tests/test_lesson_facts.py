"""The facts of the lesson as shipped: figures typed in here, and matrices worked out by plain loops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import plain_loops
import pytest

from lesson import DEFAULT_LESSON, Facts, load

TOKENS = ["The", "animal", "was", "too", "tired", "."]


@pytest.fixture(scope="module")
def facts() -> Facts:
    return load(DEFAULT_LESSON).facts


def close(value: Any, expected: Any, digits: int) -> None:
    """Equal once rounded to `digits` decimals."""
    np.testing.assert_allclose(value, expected, rtol=0, atol=0.5000001 * 10.0**-digits)


# ---------------------------------------------------------------- the contract's table


@pytest.mark.parametrize(
    "key, expected, digits",
    [
        ("worked_example.q", [1, 0], 15),
        ("worked_example.k", [[1, 0], [0, 1]], 15),
        ("worked_example.v", [[10, 0], [0, 6]], 15),
        ("worked_example.scores", [1, 0], 15),
        ("worked_example.scale", 1.4142, 4),
        ("worked_example.scaled", [0.7071, 0], 4),
        ("worked_example.exponentials", [2.0281, 1], 4),
        ("worked_example.exponential_sum", 3.0281, 4),
        ("worked_example.weights", [0.669762, 0.330238], 6),
        ("worked_example.output", [6.697615, 1.981431], 6),
        ("practice.q", [0, 2], 15),
        ("practice.weights", [0.195570, 0.804430], 6),
        ("practice.output", [1.955703, 4.826578], 6),
        ("stability.logits", [1000, 1001, 1002], 15),
        ("stability.softmax", [0.09003057, 0.24472847, 0.66524096], 8),
        ("spread.d_k", [4, 64, 512], 15),
        ("spread.measured_std", [2.00, 7.98, 22.42], 2),
        ("spread.expected_std", [2, 8, math.sqrt(512)], 12),
        ("spread.pairs", 4000, 15),
        ("spread.seed", 52, 15),
        ("multi_head.h", 2, 15),
        ("multi_head.d_head", 4, 15),
        ("multi_head.paper.d_model", 512, 15),
        ("multi_head.paper.h", 8, 15),
        ("multi_head.paper.d_head", 64, 15),
        ("multi_head.paper.parameters", 1_048_576, 15),
    ],
)
def test_figures_of_the_table(facts: Facts, key: str, expected: Any, digits: int) -> None:
    close(facts[key].value, expected, digits)


@pytest.mark.parametrize(
    "key, shape",
    [
        ("sequence.tokens", (6,)),
        ("sequence.x", (6, 8)),
        ("sequence.w_q", (8, 4)),
        ("sequence.w_k", (8, 4)),
        ("sequence.w_v", (8, 4)),
        ("sequence.q", (6, 4)),
        ("sequence.k", (6, 4)),
        ("sequence.v", (6, 4)),
        ("sequence.products", (6, 6, 4)),
        ("sequence.scores", (6, 6)),
        ("sequence.scaled", (6, 6)),
        ("sequence.weights_causal", (6, 6)),
        ("sequence.weights_full", (6, 6)),
        ("sequence.output_causal", (6, 4)),
        ("sequence.output_full", (6, 4)),
        ("multi_head.weights", (2, 6, 6)),
        ("multi_head.row_sums", (2, 6)),
        ("multi_head.q", (2, 6, 4)),
        ("multi_head.head_outputs", (2, 6, 4)),
        ("multi_head.memory_reshaped", (6, 2, 4)),
        ("multi_head.memory_split", (2, 6, 4)),
        ("multi_head.output", (6, 8)),
        ("spread.densities", (3, 100)),
        ("spread.bin_edges", (101,)),
    ],
)
def test_shapes_of_the_table(facts: Facts, key: str, shape: tuple[int, ...]) -> None:
    assert facts[key].shape == shape


def test_gaps_of_the_table(facts: Facts) -> None:
    assert 0 <= float(facts["multi_head.loop_batched_gap"]) < 1e-12
    assert float(facts["multi_head.forgotten_transpose_gap"]) > 0.01


# ---------------------------------------------------------------- group by group


def test_opening(facts: Facts) -> None:
    sentence = "The animal didn’t cross the street because it was too tired ."
    assert " ".join(facts["opening.tokens"].value) == sentence
    assert facts["opening.query_token"].value == "it" == facts["opening.tokens"][7].value
    assert int(facts["opening.query_index"]) == 7
    assert facts["opening.dimensions"].value == ("noun", "animate", "place", "action")
    assert facts["opening.looks_for"].value == ("noun", "animate")
    assert facts["opening.offers"].value == ("", "noun, animate", "", "action", "", "noun, place", *[""] * 6)
    np.testing.assert_array_equal(facts["opening.q"].value, [3.5, 3.5, 0, 0])
    np.testing.assert_array_equal(facts["opening.k"].value[[1, 3, 5]], [[1, 1, 0, 0], [0, 0, 0, 1], [1, 0, 1, 0]])
    assert (int(facts["opening.d_k"]), float(facts["opening.scale"])) == (4, 2.0)
    np.testing.assert_array_equal(facts["opening.scores"].value[[0, 1, 3, 5]], [0, 7, 0, 3.5])
    np.testing.assert_array_equal(facts["opening.scaled"].value[[1, 5]], [3.5, 1.75])
    expected = [math.exp({1: 3.5, 5: 1.75}.get(i, 0.0)) for i in range(12)]
    np.testing.assert_allclose(facts["opening.weights"].value, np.array(expected) / math.fsum(expected), rtol=1e-14)
    assert [f"{w:.2f}" for w in facts["opening.weights"].value] == [
        {1: "0.68", 5: "0.12"}.get(i, "0.02") for i in range(12)
    ]
    assert float(facts["opening.weight_sum"]) == pytest.approx(1, abs=1e-14)
    assert (facts["opening.strongest_token"].value, int(facts["opening.strongest_index"])) == ("animal", 1)
    assert (facts["opening.second_token"].value, int(facts["opening.second_index"])) == ("street", 5)


def test_worked_example_in_between(facts: Facts) -> None:
    assert int(facts["worked_example.d_k"]) == 2
    np.testing.assert_array_equal(facts["worked_example.products"].value, [[1, 0], [0, 0]])
    np.testing.assert_array_equal(facts["worked_example.k_norms"].value, [1, 1])
    np.testing.assert_array_equal(facts["worked_example.cosines"].value, [1, 0])
    assert float(facts["worked_example.q_norm"]) == 1
    close(facts["worked_example.contributions"].value, [[6.697615, 0], [0, 1.981431]], 6)
    assert (int(facts["worked_example.strongest"]), int(facts["worked_example.weakest"])) == (1, 2)


def test_practice_in_between(facts: Facts) -> None:
    np.testing.assert_array_equal(facts["practice.scores"].value, [0, 2])
    close(facts["practice.scaled"].value, [0, 1.41421356], 8)
    close(facts["practice.exponentials"].value, [1, math.exp(math.sqrt(2))], 14)
    close(facts["practice.exponential_sum"].value, 1 + math.exp(math.sqrt(2)), 14)
    assert (int(facts["practice.strongest"]), int(facts["practice.weakest"])) == (2, 1)
    np.testing.assert_array_equal(facts["practice.k"].value, facts["worked_example.k"].value)


def test_stability_in_between(facts: Facts) -> None:
    assert int(facts["stability.max"]) == 1002
    np.testing.assert_array_equal(facts["stability.shifted"].value, [-2, -1, 0])
    np.testing.assert_array_equal(facts["stability.from_zero"].value, [0, 1, 2])
    close(facts["stability.shifted_exponentials"].value, [math.exp(-2), math.exp(-1), 1], 15)
    close(facts["stability.shifted_exponential_sum"].value, 1 + math.exp(-1) + math.exp(-2), 15)
    np.testing.assert_array_equal(facts["stability.softmax_from_zero"].value, facts["stability.softmax"].value)
    assert float(facts["stability.overflow_gap"]) == 0
    assert float(facts["stability.float_max"]) == 1.7976931348623157e308
    close(facts["stability.largest_exponent"].value, 709.7827, 4)


def test_spread_in_between(facts: Facts) -> None:
    close(facts["spread.sampling_error"].value, [math.sqrt((d + 3) / 8000) for d in (4, 64, 512)], 15)
    np.testing.assert_array_equal(facts["spread.bin_edges"].value, np.arange(-100, 101, 2))
    close((facts["spread.densities"].value * float(facts["spread.bin_width"])).sum(axis=1), [1, 1, 1], 12)
    # The same draws again, by the rule the lesson states.
    rng = np.random.default_rng(52)
    for i, d_k in enumerate((4, 64, 512)):
        q, k = rng.standard_normal((4000, d_k)), rng.standard_normal((4000, d_k))
        products = np.einsum("nd,nd->n", q, k)
        assert float(facts["spread.measured_std"][i]) == pytest.approx(products.std(), rel=1e-12)
        inside = np.count_nonzero((products >= 0) & (products < 2))
        assert float(facts["spread.densities"][i, 50]) == pytest.approx(inside / 8000)


def test_saturation_tells_the_story(facts: Facts) -> None:
    """Unscaled, softmax goes one-hot and its gradient dies as d_k grows; scaled, neither moves."""
    unscaled, scaled = (facts[f"spread.largest_weight_{name}"].value for name in ("unscaled", "scaled"))
    assert unscaled[0] < unscaled[1] < unscaled[2]
    assert unscaled[2] > 0.95
    assert np.ptp(scaled) < 0.05
    unscaled, scaled = (facts[f"spread.jacobian_norm_{name}"].value for name in ("unscaled", "scaled"))
    assert unscaled[0] > unscaled[1] > unscaled[2]
    assert unscaled[2] < 0.2 * scaled[2]
    assert np.ptp(scaled) < 0.02


# ---------------------------------------------------------------- the sequence

Array = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def drawn() -> tuple[Array, Array, Array, Array]:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((6, 8))
    w_q, w_k, w_v = (rng.standard_normal((8, 4)) / np.sqrt(8) for _ in range(3))
    return x, w_q, w_k, w_v


def test_sequence_is_drawn_from_one_stream(facts: Facts, drawn: tuple[Array, ...]) -> None:
    assert facts["sequence.tokens"].value == tuple(TOKENS)
    for name, expected in zip(("x", "w_q", "w_k", "w_v"), drawn, strict=True):
        np.testing.assert_array_equal(facts[f"sequence.{name}"].value, expected)
    sizes = {"n": 6, "d_model": 8, "d_k": 4, "d_v": 4, "seed": 0}
    assert {name: int(facts[f"sequence.{name}"]) for name in sizes} == sizes


def test_sequence_figures_of_the_style_frames(facts: Facts) -> None:
    close(facts["sequence.scaled"].value[0], [-0.30, 0.41, -0.10, 0.32, -0.50, -1.07], 2)
    close(facts["sequence.scores"].value[0], [-0.61, 0.82, -0.20, 0.64, -1.00, -2.14], 2)
    close(facts["sequence.products"].value[1, 0], [0.50, -0.03, 0.53, -0.60], 2)
    close(facts["sequence.weights_causal"].value[2], [0.50, 0.28, 0.22, 0, 0, 0], 2)
    close(facts["sequence.weights_full"].value[0], [0.13, 0.28, 0.17, 0.25, 0.11, 0.06], 2)


@pytest.mark.parametrize(
    "name, may_look", [("causal", plain_loops.itself_and_earlier), ("full", plain_loops.everywhere)]
)
def test_sequence_by_plain_loops(facts: Facts, drawn: tuple[Array, ...], name: str, may_look: Any) -> None:
    x, *projections = (m.tolist() for m in drawn)
    q, k, v = (plain_loops.affine(x, w, [0.0] * 4) for w in projections)
    weights, output = plain_loops.attention(q, k, v, may_look)
    for key, expected in {"q": q, "k": k, "v": v, f"weights_{name}": weights, f"output_{name}": output}.items():
        np.testing.assert_allclose(facts[f"sequence.{key}"].value, expected, rtol=1e-12, atol=1e-15)
    exponentials = facts[f"sequence.exponentials_{name}"].value
    sums = facts[f"sequence.exponential_sums_{name}"].value
    np.testing.assert_allclose(exponentials.sum(axis=1), sums, rtol=1e-14)
    np.testing.assert_allclose(exponentials / sums[:, None], weights, rtol=1e-12)
    np.testing.assert_allclose(exponentials.max(axis=1), 1)
    np.testing.assert_allclose(facts[f"sequence.row_sums_{name}"].value, 1, rtol=1e-14)


def test_sequence_scores_less_the_largest_of_their_row(facts: Facts) -> None:
    scaled, largest = (facts[f"sequence.{key}"].value for key in ("scaled", "row_maxima_full"))
    close(largest, [max(row) for row in scaled.tolist()], 15)
    close(facts["sequence.shifted_full"].value, [[s - max(row) for s in row] for row in scaled.tolist()], 15)
    assert facts["sequence.shifted_full"].value.max(axis=1).tolist() == [0] * 6


def test_sequence_scores(facts: Facts) -> None:
    q, k = facts["sequence.q"].value, facts["sequence.k"].value
    assert float(facts["sequence.scale"]) == 2
    products, scores = facts["sequence.products"].value, facts["sequence.scores"].value
    for i in range(6):
        for j in range(6):
            np.testing.assert_array_equal(products[i, j], q[i] * k[j])
            assert scores[i, j] == pytest.approx(plain_loops.dot(q[i].tolist(), k[j].tolist()), abs=1e-14)
    np.testing.assert_array_equal(facts["sequence.scaled"].value, scores / 2)


def test_sequence_mask_and_what_it_changes(facts: Facts) -> None:
    mask, changes = facts["sequence.mask"].value, facts["sequence.changes"].value
    causal, full = facts["sequence.weights_causal"].value, facts["sequence.weights_full"].value
    for i in range(6):
        for j in range(6):
            assert mask[i, j] == (j > i)
            assert changes[i, j] == (-1 if j > i else np.sign(causal[i, j] - full[i, j]))
    assert (causal[mask] == 0).all()
    counts = {"changed_cells": 30, "hidden_cells": 15, "visible_cells": 21}
    assert {name: int(facts[f"sequence.{name}"]) for name in counts} == counts
    assert float(facts["sequence.masked_weight"]) == 0
    np.testing.assert_array_equal(facts["sequence.first_row"].value, [1, 0, 0, 0, 0, 0])


def test_sequence_mistakes(facts: Facts) -> None:
    full, scaled = facts["sequence.weights_full"].value, facts["sequence.scaled"].value
    by_column = [plain_loops.softmax(column) for column in scaled.T.tolist()]
    np.testing.assert_allclose(facts["sequence.weights_by_column"].value.T, by_column, rtol=1e-13)
    np.testing.assert_allclose(facts["sequence.row_sums_by_column"].value, np.sum(by_column, axis=0), rtol=1e-13)
    np.testing.assert_allclose(facts["sequence.column_sums_full"].value, full.sum(axis=0), rtol=1e-14)
    np.testing.assert_array_equal(facts["sequence.masked_after"].value, np.tril(full))
    np.testing.assert_allclose(facts["sequence.row_sums_masked_after"].value, np.tril(full).sum(axis=1), rtol=1e-14)
    assert np.abs(facts["sequence.row_sums_by_column"].value - 1).max() > 0.5
    assert facts["sequence.row_sums_masked_after"].value[0] < 0.2


# ---------------------------------------------------------------- the heads


def test_multi_head_by_plain_loops(facts: Facts) -> None:
    rng = np.random.default_rng(int(facts["multi_head.seed"]))
    drawn = [(rng.standard_normal((8, 8)) / np.sqrt(8)).tolist() for _ in range(4)]
    for name, matrix in zip(("w_q", "w_k", "w_v", "w_o"), drawn, strict=True):
        np.testing.assert_array_equal(facts[f"multi_head.{name}"].value, matrix)
    x = facts["multi_head.x"].value
    np.testing.assert_array_equal(x, facts["sequence.x"].value)
    assert facts["multi_head.causal"].value is True
    weights, output = plain_loops.multi_head(x.tolist(), drawn, [[0.0] * 8] * 4, 2, plain_loops.itself_and_earlier)
    np.testing.assert_allclose(facts["multi_head.weights"].value, weights, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(facts["multi_head.output"].value, output, rtol=1e-12, atol=1e-14)


def test_multi_head_stages_follow_from_one_another(facts: Facts) -> None:
    q_flat, merged = facts["multi_head.q_flat"].value, facts["multi_head.merged"].value
    outputs, w_o = facts["multi_head.head_outputs"].value, facts["multi_head.w_o"].value
    assert float(facts["multi_head.scale"]) == 2
    for head in range(2):
        columns = slice(4 * head, 4 * head + 4)
        np.testing.assert_array_equal(facts["multi_head.q"].value[head], q_flat[:, columns])
        np.testing.assert_array_equal(outputs[head], merged[:, columns])
    forgotten = facts["multi_head.merged_forgotten"].value
    np.testing.assert_array_equal(forgotten.ravel(), outputs.ravel())
    right, wrong = facts["multi_head.output"].value, facts["multi_head.output_forgotten"].value
    np.testing.assert_allclose(right, merged @ w_o, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(wrong, forgotten @ w_o, rtol=1e-12, atol=1e-14)
    assert float(facts["multi_head.forgotten_transpose_gap"]) == np.abs(right - wrong).max()


def test_multi_head_memory(facts: Facts) -> None:
    index = facts["multi_head.memory_index"].value
    np.testing.assert_array_equal(index.ravel(), range(48))
    np.testing.assert_array_equal(facts["multi_head.memory_reshaped"].value.ravel(), range(48))
    split, forgotten = facts["multi_head.memory_split"].value, facts["multi_head.memory_forgotten"].value
    for head in range(2):
        np.testing.assert_array_equal(split[head], index[:, 4 * head : 4 * head + 4])
    np.testing.assert_array_equal(facts["multi_head.memory_merged"].value, index)
    np.testing.assert_array_equal(forgotten[0], [0, 1, 2, 3, 8, 9, 10, 11])
    np.testing.assert_array_equal(forgotten[5], [36, 37, 38, 39, 44, 45, 46, 47])
    np.testing.assert_array_equal(facts["multi_head.wrong_cells"].value, forgotten != index)
    assert (int(facts["multi_head.wrong_count"]), int(facts["multi_head.cell_count"])) == (40, 48)


def test_every_weight_sum_is_one(facts: Facts) -> None:
    sums = [key for key in facts if key.endswith("weight_sum")]
    assert len(sums) == 4
    for key in sums:
        assert float(facts[key]) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize(
    "key, digest",
    [
        ("opening.weights", "12e0120f41289cb2dad319d17add3132a21759514a6e2457b370214e4c777575"),
        ("sequence.weights_causal", "7989ac777931a04aed3d55019840e08d9e4368032b9f17ebb05c74833b340fa3"),
        ("multi_head.output", "38a709cd30a25d2f8b936f6d45c94a65f9f878e9c8e420cd0f0e233b22a2b1cc"),
        ("spread.measured_std", "9cee987c2708bc4a096b5fb78c0ef5e4175462f3ccbc710b26b349506981a33a"),
        ("spread.jacobian_norm_unscaled", "bc90bd14c4e964c3834f5b908849789b3e1d0785f4e4d9b9feb01ad1d7f9f4f1"),
    ],
)
def test_the_same_bits_on_every_machine(facts: Facts, key: str, digest: str) -> None:
    """Typed in from one machine: a processor, system or NumPy that computes other last digits fails here."""
    assert facts.digest(key) == digest
