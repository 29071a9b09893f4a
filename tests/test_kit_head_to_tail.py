"""Vectors added up: arrows follow each other to the sum, within the frame, and names keep clear of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lesson import Fact
from scenes.kit.geometry import bottom, left, right, top
from scenes.kit.head_to_tail import SHORTEST, Chain, Crowd, length
from scenes.kit.labels import Label, words

HEAD = (26.0, 26.0)
FRAME = (100.0, 200.0, 346.0, 130.0)
SIZES = st.floats(1e-3, 1e6) | st.floats(-1e6, -1e-3) | st.just(0.0)
VECTORS = st.integers(1, 5).flatmap(lambda n: arrays(float, (n, 2), elements=SIZES)).filter(lambda v: v.any())


@settings(deadline=None)
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


@settings(deadline=None)
@given(VECTORS)
def test_each_arrow_starts_where_the_last_ended(vectors: np.ndarray) -> None:
    chain = Chain.of(Fact("vectors", vectors), FRAME)
    missing = len(vectors) - len(chain.arrows)
    for before, after in pairwise(chain.arrows.values()):
        assert np.hypot(*np.subtract(before[1], after[0])) <= missing * SHORTEST + 0.01
    assert all(length(arrow) >= SHORTEST for arrow in chain.arrows.values())


@settings(deadline=None, max_examples=25)
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


def _box(name: Label) -> tuple[float, float, float, float]:
    return left(name), top(name), right(name), bottom(name)
