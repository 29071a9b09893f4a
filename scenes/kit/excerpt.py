"""What is shown of things that are too many: the first ones, dots, and the last."""

from __future__ import annotations

from math import pi

from manim import VGroup

from lesson import Fact
from scenes.kit.labels import SEMIBOLD, Label, words
from scenes.kit.shapes import dot

Slots = tuple[int | None, ...]  # the index of what stands in each place; None: dots, for what is left out

DOTS = "· · ·"
PITCH, DOT = 8.0, 2.5  # px from dot to dot of a trail; radius


def slots(count: int, room: int) -> Slots:
    """So many things in at most `room` places, 3 or more: all, or the first ones, dots and the last."""
    if count <= room:
        return tuple(range(count))
    return (*range(room - 2), None, count - 1)


def first(fact: Fact, *counts: int) -> Fact:
    """The first so many entries along each axis; their keys stay theirs."""
    value = fact.value
    return Fact(fact.key, value[: counts[0]] if isinstance(value, tuple) else value[tuple(map(slice, counts))])


def dots(em: float | None = None, *, down: bool = False) -> Label:
    """Three dots, in a row or one below the other."""
    made = words(DOTS, em=em, role="dim", weight=SEMIBOLD)
    return made.rotate(pi / 2) if down else made


def trail(x: float, y: float, *, down: bool = False) -> VGroup:
    """Three dots that take little room, for rows and columns that go on."""
    return VGroup(*[dot(x + step * (not down), y + step * down, DOT, "dim") for step in (-PITCH, 0.0, PITCH)])
