"""How cells of heads move: from grid to grid, with rings that show what is read or taken in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from manim import (
    Animation,
    AnimationGroup,
    FadeIn,
    LaggedStart,
    Transform,
    VGroup,
    VMobject,
    smooth,
    there_and_back_with_pause,
)

from scenes.kit.cells import Cell, Look, Restyle
from scenes.kit.head_stage import Box, Grid
from scenes.kit.motion import late
from scenes.kit.shapes import HAIR, box

Carried = tuple[dict[int, Cell], Animation]  # copies, and what makes them move

# ---------------------------------------------------------------- shares of a move
APPEAR, MOVE_SHARE = 0.4, 0.5  # of a ring that goes from stop to stop, in stops: it comes in, and is on its way
AWAY = 0.6  # for which names in its way are gone
ACROSS, RISING = 0.6, 0.4  # when cells that turn have come across, and begin to rise


def _between(start: float, end: float, share: float) -> float:
    """How far something has come that moves only between those shares."""
    return float(smooth(min(max((share - start) / (end - start), 0.0), 1.0)))


class Rearrange(Animation):
    """Cells move into other boxes, in the order given, as a wave; figures keep their size and cells their look.

    Parameters
    ----------
    cells, to
        Cells, and the boxes (x, y, w, h) that become theirs.
    lag
        How much of the time the starts are spread over, below 1: 0 all at once, 0.9 almost one by one.
    together
        So many cells in a row keep in line and start at once.
    turning
        They go across first, then up or down: what stands nearer on the way is not passed over.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        to: Sequence[Box],
        *,
        lag: float = 0.0,
        together: int = 1,
        turning: bool = False,
        **kwargs: Any,
    ) -> None:
        self.cells, self.to, self.lag, self.together, self.turning = list(cells), list(to), lag, together, turning
        super().__init__(VGroup(*cells), rate_func=lambda t: t, **kwargs)

    def begin(self) -> None:
        self.moves = []
        for cell, goal in zip(self.cells, self.to, strict=True):
            ground = box(*goal, fill=cell.look.fill, edge=cell.look.edge, width=HAIR)
            self.moves.append((cell, cell.ground.copy(), ground, cell.label.get_center() - cell.ground.get_center()))
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        count = max(len(self.cells) // self.together - 1, 1)
        for i, (cell, start, goal, offset) in enumerate(self.moves):
            begin = self.lag * (i // self.together) / count
            share = min(max((alpha - begin) / (1 - self.lag), 0.0), 1.0)
            t = _between(0, ACROSS if self.turning else 1, share)
            cell.ground.interpolate(start, goal, t)
            if self.turning:
                rise = goal.get_y() - start.get_y()
                cell.ground.shift((0.0, rise * (_between(RISING, 1, share) - t), 0.0))
            cell.label.shift(cell.ground.get_center() + offset - cell.label.get_center())
            cell.set_z_index(1 if 0 < share < 1 else 0)  # what is on its way passes over what stands

    def clean_up_from_scene(self, scene: Any) -> None:
        """The group was only the animation's; the cells stay in the scene."""
        for cell, goal in zip(self.cells, self.to, strict=True):
            cell.box = goal
        scene.remove(self.mobject)
        scene.add(*self.cells)


class Steps(Animation):
    """A ring that goes from stop to stop and stands at each: it comes in at the first and fades at the last."""

    def __init__(self, stops: Sequence[VMobject], **kwargs: Any) -> None:
        self.stops = list(stops)
        super().__init__(stops[0].copy(), introducer=True, remover=True, rate_func=lambda t: t, **kwargs)

    def interpolate_mobject(self, alpha: float) -> None:
        place, count = alpha * len(self.stops), len(self.stops)
        i = min(int(place), count - 1)
        ring = cast(VMobject, self.mobject)
        ring.interpolate(self.stops[max(i - 1, 0)], self.stops[i], float(smooth(min((place - i) / MOVE_SHARE, 1.0))))
        ring.set_stroke(opacity=max(0.0, min(1.0, place / APPEAR, (count - place) / APPEAR)))


def row_by_row(
    sources: Sequence[Grid],
    wide: int,
    goals: Sequence[Grid],
    columns: int,
    made: Sequence[Sequence[VGroup]],
    role: str,
    time: float,
) -> Animation:
    """Two rings step together: one on each row, so wide, one on the row of so many columns that appears from it.

    In all heads at once.
    """
    moves: list[Animation] = []
    for source, goal, rows in zip(sources, goals, made, strict=True):
        for grid, width in ((source, wide), (goal, columns)):
            stops = [grid.row_ring(i, 0, width, role) for i in range(len(rows))]
            moves.append(Steps(stops, run_time=time))
        moves.append(LaggedStart(*[late(FadeIn(row)) for row in rows], lag_ratio=1, run_time=time))
    return AnimationGroup(*moves)


def carry(cells: dict[int, Cell], to: dict[int, Box], *, lag: float, together: int, run_time: float) -> Carried:
    """Copies that move as in `Rearrange`, in the order of `to`, and what makes them; the cells stay."""
    copies = {i: cells[i].copy() for i in to}
    move = Rearrange(list(copies.values()), list(to.values()), lag=lag, together=together, run_time=run_time)
    return copies, move


def step_aside(names: VMobject, time: float) -> Animation:
    """Names fade while something passes over their place, and come back."""
    gone = names.copy().set_opacity(0)
    return Transform(names, gone, run_time=time, rate_func=lambda t: there_and_back_with_pause(t, AWAY))


def mix(rows: Sequence[Sequence[Cell]], shades: Sequence[Sequence[str]], grid: Grid, time: float) -> Animation:
    """A ring takes in row after row; its cells lose their places and heads, and have those shades."""
    tinted = [
        AnimationGroup(*[Restyle(cell, Look(shade)) for cell, shade in zip(*pair, strict=True)])
        for pair in zip(rows, shades, strict=True)
    ]
    stops = [grid.row_ring(i, 0, len(row), "text") for i, row in enumerate(rows)]
    return AnimationGroup(LaggedStart(*tinted, lag_ratio=1, run_time=time), Steps(stops, run_time=time))
