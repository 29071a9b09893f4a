"""Cells keep their figures within them."""

from __future__ import annotations

import pytest

from lesson import Fact
from scenes.kit.cells import Cell, known
from scenes.kit.geometry import left, right


@pytest.mark.parametrize(
    "value, shown", [(-13.114, "\u221213.1"), (-1.954, "\u22121.95"), (13.114, "13.11"), (-713.96, "\u2212714")]
)
def test_a_figure_loses_decimals_before_it_leaves_its_cell(value: float, shown: str) -> None:
    cell = Cell(300, 400, 99, 84, known(), Fact("group.name", value), em=40, signed=True)
    (figure,) = [made for part in cell.label.get_family() for made in getattr(part, "figures", ())]
    assert figure.shown == shown
    assert 300 < left(cell.label) < right(cell.label) < 399
