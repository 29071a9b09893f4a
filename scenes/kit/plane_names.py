"""Names of the arrows in a plane, beside them or before their tips, where nothing is in the way."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from manim import Mobject

from lesson import Fact
from scenes.kit.geometry import at, bottom, left, right, top
from scenes.kit.plane import SHAFT, Box, Plane, Ruler, between, crowding, ring
from scenes.kit.shapes import XY

_LINE_HEIGHT = 22.0  # px of a name's height that lies within the gap
_TIP_GAPS, _TIP_TURNS = (42.0, 60.0, 80.0), (0.0, 0.6, -0.6, 1.2, -1.2, 1.8, -1.8)  # px, rad
_HALO = 40.0  # around a ruler's name, px
_OTHERS_TIP = 10  # how bad it is to stand nearer to another arrow's tip


def name_vectors(
    plane: Plane, names: Sequence[tuple[Mobject, Fact, int]], gap: float, room: Box, rulers: Sequence[Ruler],
    avoid: Sequence[XY],
) -> bool:  # fmt: skip
    """Stand each name beside its vector, clear of the other names and vectors; is there such a place for all?

    Parameters
    ----------
    names
        (name, vector, side): side 1 above the vector (or left of it), -1 on the other side, where it fits.
    gap
        Between a vector's middle line and its name, px.
    room
        Edges that no name may cross: left, top, right, bottom, px.
    rulers
        That will stand beside the vectors; names keep clear of them, too.
    avoid
        Points of what else is in the way.
    """
    spots = [
        [_beside(plane, name, vector, along, s, gap) for along in (0.5, 0.7, 0.3, 0.85, 1.1) for s in (side, -side)]
        for name, vector, side in names
    ]
    return _place(plane, [(name, vector) for name, vector, _ in names], spots, room, rulers, avoid)


def name_tips(
    plane: Plane, names: Sequence[tuple[Mobject, Fact]], room: Box, rulers: Sequence[Ruler], avoid: Sequence[XY]
) -> None:
    """Stand each name, a short one, before its vector's tip, or a little aside where it is clear."""
    spots = [[plane.before(vector, far, turn) for far in _TIP_GAPS for turn in _TIP_TURNS] for _, vector in names]
    _place(plane, names, spots, room, rulers, avoid, wander=True)


def _place(
    plane: Plane,
    names: Sequence[tuple[Mobject, Fact]],
    spots: Sequence[Sequence[XY]],
    room: Box,
    rulers: Sequence[Ruler],
    avoid: Sequence[XY],
    *,
    wander: bool = False,
) -> bool:
    """Each name takes the first of its spots where least is in the way, or with `wander` a place around it."""
    taken: list[Mobject] = [mob for ruler in rulers for mob in (ruler.name, *ruler.marks)]
    lines = [*avoid, *(xy for ruler in rulers for xy in (*ruler.points, *ruler.dropped))]
    lines += [xy for ruler in rulers for xy in _halo(ruler.name)] if wander else []
    arrows, tips = [plane.outline(vector) for _, vector in names], [plane.to(vector) for _, vector in names]
    beside = range(SHAFT // 2, SHAFT + 1)  # points of its own arrow that a name beside it may be near
    own = [[xy for n, xy in enumerate(points) if wander or n not in beside] for points in arrows]
    clear = True
    for i, (name, _) in enumerate(names):
        others = lines + [xy for n, points in enumerate(arrows) for xy in points if n != i] + own[i]
        crowds = []
        places = [*spots[i], *(ring(spots[i][0]) if wander else [])]
        for spot in places:
            name.move_to(at(*spot))
            strays = wander and dist(spot, tips[i]) > min(dist(spot, tip) for tip in tips)
            crowds.append(crowding(name, taken, others, room) + _OTHERS_TIP * strays)
            if not crowds[-1]:
                break
        best = min(range(len(crowds)), key=crowds.__getitem__)
        name.move_to(at(*places[best]))
        taken.append(name)
        clear = clear and not crowds[best]
    return clear


def _halo(name: Mobject) -> list[XY]:
    """Points around a ruler's name, which another name should not come near."""
    xs, ys = (left(name) - _HALO, right(name) + _HALO), (top(name) - _HALO / 2, bottom(name) + _HALO / 2)
    return [*between((xs[0], ys[0]), (xs[0], ys[1]), 4), *between((xs[1], ys[0]), (xs[1], ys[1]), 4)]


def _beside(plane: Plane, name: Mobject, vector: Fact, along: float, side: int, gap: float) -> XY:
    (x0, y0), (ux, uy), (x1, y1) = plane.origin, plane.direction(vector), plane.to(vector)
    nx, ny = (uy, -ux) if ux >= 0 else (-uy, ux)  # the normal that points up, or left of a vertical
    width, height = right(name) - left(name), bottom(name) - top(name)
    reach = gap + abs(nx) * width / 2 + abs(ny) * (height / 2 - _LINE_HEIGHT)
    return x0 + (x1 - x0) * along + nx * side * reach, y0 + (y1 - y0) * along + ny * side * reach
