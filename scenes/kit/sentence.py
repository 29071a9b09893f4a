"""A sentence on one line, with room under each token, what hangs there, and the arcs that join its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from manim import FadeIn, VGroup, VMobject

from lesson import Fact
from scenes.kit.geometry import Point, at, centre
from scenes.kit.labels import CAP, SEMIBOLD, Label, run, words
from scenes.kit.motion import late
from scenes.kit.shapes import HAIR, arch, box
from scenes.kit.theme import theme
from scenes.kit.typesetting import TypesettingError
from scenes.kit.wording import short_place

ENTRY_GAP = 10.0  # between the name of a dimension, its entry, and what that is multiplied by
DOES = {"query": "looks for", "key": "offers"}
FRAME_PAD, FRAME_HEIGHT, FRAME_APART, FRAME_RADIUS = 12.0, 44.0, 4.0, 10.0  # around a row; between such frames

CHIP_UP, CHIP_DOWN, CHIP_PAD, CHIP_RADIUS = 53.0, 21.0, 18.0, 8.0  # the frame around the word that looks
FULL_WIDTH = 27.0  # of an arc with weight 1
SLOPE, HIGHEST = 1 / 3, 352.0  # of an arc: height by width, and the most there is room for
Box = tuple[float, float, float, float]


class Row(VGroup):
    """One entry of a vector: parts `title`, `entry`, and `factor`, the query's entry, once both have met.

    Parameters
    ----------
    name, entry, factor
        The dimension, what the vector has there, and what the query has there, if anything.
    place
        A template with one place, for figures.
    x, baseline, role
        The middle of the row; its colour.
    """

    def __init__(
        self, name: Fact, entry: Fact, factor: Fact | None, place: str, x: float, baseline: float, role: str
    ) -> None:
        super().__init__()
        self.title, self.entry = words("{}", name, role=role), words(place, entry, role=role)
        self.factor = words(f"{place} ×", factor, role="query") if factor is not None else None
        whole = [label for label in (self.title, self.factor, self.entry) if label is not None]
        self.room: float = sum(label.advance for label in whole) + ENTRY_GAP * (len(whole) - 1) + 2 * FRAME_PAD
        run(*whole, x=x, baseline=baseline, gap=ENTRY_GAP, align="center")
        self.apart = [centre(label) for label in (self.title, self.entry)]
        self.middle = x, baseline - CAP * self.title.em / 2
        run(self.title, self.entry, x=x, baseline=baseline, gap=ENTRY_GAP, align="center")
        self.paired = centre(self.title)
        self.title.place(x, baseline, "center")
        self.add(self.title, self.entry)

    def frame(self, leading: float) -> VMobject:
        """A frame around the row: query and key agree here."""
        (x, y), height = self.middle, min(FRAME_HEIGHT, leading - FRAME_APART)
        return box(x - self.room / 2, y - height / 2, self.room, height, edge="query", width=HAIR, radius=FRAME_RADIUS)


class Tag(VGroup):
    """A query or a key: its `kind` and what it `does`, and under that `rows[d]` for each dimension it has.

    `rows[d].entry` is the number; until `number` the dimensions' names stand alone.
    """

    def __init__(self, role: str, rows: dict[int, Row], x: float, baseline: float) -> None:
        super().__init__()
        self.kind, self.does = words(role, role=role), words(DOES[role], role="dim")
        run(self.kind, self.does, x=x, baseline=baseline, gap=ENTRY_GAP, align="center")
        self.room: float = max(self.kind.advance + ENTRY_GAP + self.does.advance, *(row.room for row in rows.values()))
        self.rows = rows
        self.add(self.kind, self.does, *rows.values())

    @property
    def meets(self) -> bool:
        """Has the query an entry where this has one?"""
        return any(row.factor is not None for row in self.rows.values())

    def number(self, shift: Point) -> list[Any]:
        """Animations: the numbers come, and the names make room for them."""
        moving: list[Any] = [row.title.animate.move_to(at(*row.paired)) for row in self.rows.values()]
        return moving + [FadeIn(row.entry, shift=shift) for row in self.rows.values()]

    def agree(self, leading: float) -> list[Any]:
        """Animations: frames around the rows that the query has, too; the other rows step back."""
        frames = [row.frame(leading) for row in self.rows.values() if row.factor is not None]
        missed = [part for row in self.rows.values() if row.factor is None for part in (row.title, row.entry)]
        self.add(*frames)
        return [*map(FadeIn, frames), *[part.animate.paint("quiet") for part in missed]]

    def multiply(self, shift: Point) -> list[Any]:
        """Animations: the query's entries come beside the key's."""
        moving: list[Any] = []
        for row in self.rows.values():
            if row.factor is not None:
                moving += [
                    part.animate.move_to(at(*to)) for part, to in zip((row.title, row.entry), row.apart, strict=True)
                ]
                moving.append(late(FadeIn(row.factor, shift=shift), 1 / 2))
                self.add(row.factor)
        return moving


class Sentence(VGroup):
    """Tokens on one baseline, each on the middle of its own slot.

    Parameters
    ----------
    tokens, baseline, em
        The em shrinks until the sentence ends before `right`.
    left, right
        The edges of the first and last slot, px.
    gap
        Between slots, px.
    least
        The narrowest slot, px: as wide as the figure that will stand under a token.
    hanging
        Width of what will hang under each token, px, 0 for nothing; it may be wider than the slot, but never
        touches what hangs next to it, nor leaves the line.
    """

    def __init__(
        self,
        tokens: Fact,
        *,
        baseline: float,
        em: float,
        left: float,
        right: float,
        gap: float,
        least: float,
        hanging: Sequence[float],
    ) -> None:
        super().__init__()
        self.baseline, self.left, self.gap, self.least = baseline, left, gap, least
        self.hanging = hanging
        wide = [words("{}", fact, em=em).advance / em for fact in tokens]
        size = em
        while self._slots([size * w for w in wide])[-1][1] > right:
            size -= 1
            if size < theme().type.small:
                raise TypesettingError(
                    "the sentence doesn't fit on one line with what its words offer; "
                    "shorten opening.tokens or opening.dimensions, or offer less in opening.offers"
                )
        self.slots = self._slots([size * w for w in wide])
        self.em = size
        self.words: list[Label] = [
            words("{}", fact, em=size).place(self.x(i), baseline, "center") for i, fact in enumerate(tokens)
        ]
        self.add(*self.words)

    def _slots(self, advances: Sequence[float]) -> list[tuple[float, float]]:
        """Left and right edge of each token's slot."""
        slots: list[tuple[float, float]] = []
        start, free = self.left, self.left
        for advance, under in zip(advances, self.hanging, strict=True):
            width = max(advance, self.least)
            if under:
                start += max(0.0, free - (start + width / 2 - under / 2))
                free = start + width / 2 + under / 2 + self.gap
            slots.append((start, start + width))
            start += width + self.gap
        return slots

    def x(self, i: int) -> float:
        """The middle of a token."""
        return sum(self.slots[i]) / 2

    def row(self, values: Fact, baseline: float, *, role: str = "text", best: int | None = None) -> list[Label]:
        """A figure under each token; that of the best is a weight that stands out."""
        em, place = theme().type.small, short_place(values)
        made = [words(place, value, em=em, role=role) for value in values]
        if best is not None:
            made[best] = words(place, values[best], em=em, role="weight", weight=SEMIBOLD)
        return [label.place(self.x(i), baseline, "center") for i, label in enumerate(made)]

    @property
    def end(self) -> float:
        """The right edge of the last slot."""
        return self.slots[-1][1]

    def chip(self, i: int) -> Box:
        """The frame around a token."""
        width = self.words[i].advance + 2 * CHIP_PAD
        return self.x(i) - width / 2, self.baseline - CHIP_UP, width, CHIP_UP + CHIP_DOWN

    def arc(self, start: int, to: int, y: float, *, role: str, width: float, aside: float = 0) -> VMobject:
        """From one token over to another; the wider the higher, as steep as the widest has room for.

        It leaves `aside` px from the middle of the first, on the side it goes to.
        """
        x0, x1 = self.x(start), self.x(to)
        slope = min(SLOPE, HIGHEST / max(abs(x0 - self.x(0)), abs(x0 - self.x(len(self.slots) - 1))))
        x0 += aside if x1 > x0 else -aside
        return arch(x0, x1, y, abs(x1 - x0) * slope, role, width)

    def loop(self, i: int, *, role: str, width: float, aside: float, drop: float) -> VMobject:
        """A token's arc to itself, under its frame: `aside` px to both sides of its middle, `drop` px deep."""
        return arch(self.x(i) + aside, self.x(i) - aside, self.baseline + CHIP_DOWN, -drop, role, width)
