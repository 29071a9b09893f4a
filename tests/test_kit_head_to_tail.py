"""Vectors added up: arrows follow each other to the sum, within the frame, and names keep clear of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lesson import Fact
from scenes.kit.average import WeightedAverage
from scenes.kit.geometry import bottom, centre, left, right, top
from scenes.kit.head_to_tail import SHORTEST, Chain, Crowd, length
from scenes.kit.labels import Label, words

HEAD = (26.0, 26.0)
FRAME = (100.0, 200.0, 346.0, 130.0)
SIZES = st.floats(1e-3, 1e6) | st.floats(-1e6, -1e-3) | st.just(0.0)
VECTORS = st.integers(1, 5).flatmap(lambda n: arrays(float, (n, 2), elements=SIZES)).filter(lambda v: v.any())


@given(VECTORS)
def test_arrows_lead_to_the_sum_within_the_frame(vectors: np.ndarray) -> None:
    chain = Chain.of(Fact("vectors", vectors), FRAME)
    x, y, w, h = FRAME
    for px, py in (point for arrow in [*chain.arrows.values(), chain.total] for point in arrow):
        assert x - 0.01 <= px <= x + w + 0.01
        assert y - 0.01 <= py <= y + h + 0.01
    (x0, y0), (x1, y1) = chain.total
    total = vectors.sum(axis=0)
    across = total[0] * (y0 - y1) - total[1] * (x1 - x0)  # 0 where the arrow and the sum have one direction
    assert across == pytest.approx(0, abs=1e-6 * np.abs(vectors).sum() * 500)


@given(VECTORS)
def test_each_arrow_starts_where_the_last_ended(vectors: np.ndarray) -> None:
    chain = Chain.of(Fact("vectors", vectors), FRAME)
    missing = len(vectors) - len(chain.arrows)
    for before, after in pairwise(chain.arrows.values()):
        assert np.hypot(*np.subtract(before[1], after[0])) <= missing * SHORTEST + 0.01
    assert all(length(arrow) >= SHORTEST for arrow in chain.arrows.values())


@settings(max_examples=25)
@given(VECTORS)
def test_names_stand_clear_of_arrows_and_each_other(vectors: np.ndarray) -> None:
    chain = Chain.of(Fact("vectors", vectors), FRAME)
    arrows_ = [*chain.arrows.values(), chain.total]
    crowd = Crowd((60, 150, 600, 400), arrows_, HEAD)
    placed = [name for arrow in arrows_ if crowd.stand(name := words("name"), arrow)]
    boxes = [_box(name) for name in placed]
    for i, (x0, y0, x1, y1) in enumerate(boxes):
        assert not any(x0 < b[2] and b[0] < x1 and y0 < b[3] and b[1] < y1 for b in boxes[i + 1 :])
        for (ax, ay), (bx, by) in arrows_:
            on = [(ax + (bx - ax) * t, ay + (by - ay) * t) for t in np.linspace(0, 1, 200)]
            assert not any(x0 < x < x1 and y0 < y < y1 for x, y in on)
            long = np.hypot(bx - ax, by - ay)
            if long >= HEAD[0]:  # the corners of its head
                ux, uy = (bx - ax) / long, (by - ay) / long
                for side in (HEAD[1] / 2, -HEAD[1] / 2):
                    x, y = bx - ux * HEAD[0] - uy * side, by - uy * HEAD[0] + ux * side
                    assert not (x0 < x < x1 and y0 < y < y1)


def test_a_name_that_is_not_beside_its_arrow_stands_near_no_other() -> None:
    """Three short arrows in a line, as close as their names are high: these stand in steps at the arrows' side."""
    joints = [(400.0, 300.0), (426.0, 269.0), (468.0, 213.0), (484.0, 182.0)]
    parts = list(pairwise(joints))
    crowd = Crowd((300, 150, 800, 380), [*parts, ((370.0, 300.0), (454.0, 182.0))], HEAD)
    names = [words("name") for _ in parts]
    assert all(crowd.stand(name, arrow) for name, arrow in zip(names, parts, strict=True))
    for i, (x0, y0, x1, y1) in enumerate(map(_box, names)):
        middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in parts]
        away = [np.hypot(max(x0 - x, 0, x - x1), max(y0 - y, 0, y - y1)) for x, y in middles]
        assert min(away) == away[i] < 60


def test_names_keep_clear_of_what_stands_there() -> None:
    arrow, area = ((100.0, 300.0), (400.0, 300.0)), (60.0, 150.0, 600.0, 400.0)
    usual, other, there = words("name"), words("name"), words("sum")
    Crowd(area, [arrow]).stand(usual, arrow)
    there.move_to(usual)
    assert Crowd(area, [arrow], taken=[there]).stand(other, arrow)
    a, b = _box(other), _box(there)
    assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]


@pytest.mark.parametrize("values", [(4, -1, -1, -1, -1), (1, -1)])
def test_the_name_of_an_output_of_zero_stands_beside_its_dot(values: tuple[float, ...]) -> None:
    """And not over the middle of the values' arrows, which lie on the dot."""
    n = len(values)
    parts = np.array([(value / n, 0.0) for value in values])
    named = {"weights": np.full(n, 1 / n), "contributions": parts, "weight_sum": 1.0}
    facts = {f"worked_example.{name}": Fact(f"worked_example.{name}", value) for name, value in named.items()}
    picture = WeightedAverage(cast(Any, facts), (1312, 176), 512)
    whole = cast(Any, picture.add_up()[0]).mobject
    start = centre(whole[-1])
    x0, y0, x1, y1 = _box(picture.output)
    away = np.hypot(max(x0 - start[0], 0, start[0] - x1), max(y0 - start[1], 0, start[1] - y1))
    assert away < 40
    assert abs((x0 + x1) / 2 - start[0]) < (x1 - x0)  # no wider aside than itself


def _box(name: Label) -> tuple[float, float, float, float]:
    return left(name), top(name), right(name), bottom(name)
