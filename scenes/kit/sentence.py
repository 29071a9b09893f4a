"""A sentence on one line, with room under each token, what hangs there, and the arcs that join its tokens."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.colour import mix
from scenes.kit.figures import MINUS, shown
from scenes.kit.geometry import centre
from scenes.kit.labels import CAP, Label, run, words
from scenes.kit.shapes import HAIR, arch, box
from scenes.kit.theme import theme
from scenes.kit.typesetting import TypesettingError

ENTRY_GAP = 10.0  # between the name of a dimension, its entry, and what that is multiplied by
FRAME_PAD, FRAME_HEIGHT, FRAME_APART, FRAME_RADIUS = 12.0, 44.0, 4.0, 10.0  # around a row; between such frames

CHIP_UP, CHIP_DOWN, CHIP_PAD, CHIP_RADIUS = 53.0, 21.0, 18.0, 8.0  # the frame around the word that looks
FULL_WIDTH = 27.0  # of an arc with weight 1
GLANCE_X, GLANCE_EM, GLANCE_FEET = (1756.0, 1512.0, 1224.0), 52.0, 63.0  # the word and the nearest first; over it
Box = tuple[float, float, float, float]


def listing(count: int) -> str:
    """Places for so many things: "{}, {} and {}"."""
    return " and ".join(part for part in (", ".join(["{}"] * (count - 1)), "{}") if part)


def between(start: Box, end: Box, t: float) -> Box:
    """A rectangle on its way from one to another."""
    x, y, w, h = (a + (b - a) * t for a, b in zip(start, end, strict=True))
    return x, y, w, h


def blended(weights: Fact, best: int, area: Box, *, gap: float, strength: float) -> VGroup:
    """Shares of one area, as wide as the weights and `gap` px apart; all but the largest at that strength."""
    x, y, w, h = area
    room = w - gap * (len(weights) - 1)
    shares = VGroup()
    for i, weight in enumerate(weights):
        shade = mix(theme().ground, theme().value, 1 if i == best else strength)
        shares.add(box(x, y, room * float(weight), h, fill=shade))
        x += room * float(weight) + gap
    return shares


def short_place(*rows: Fact) -> str:
    """The place for any of these numbers: one decimal where that is exact for all."""
    numbers = [float(number) for row in rows for number in row]
    return "{1}" if all(float(shown(number, 1).replace(MINUS, "-")) == number for number in numbers) else "{}"


def glance(tokens: Fact, weights: Fact, who: int, others: tuple[int, int], baseline: float) -> VGroup:
    """A word and the two that matter most to it, at the right side; the second of these stands nearer."""
    picture, feet, (here, *places) = VGroup(), baseline - GLANCE_FEET, GLANCE_X
    for i, x in zip(reversed(others), places, strict=True):
        width = max(HAIR, FULL_WIDTH * float(weights[i]))
        picture.add(arch(here, x, feet, (here - x) / 3, "weight", width))
        picture.add(words("{}", tokens[i], em=GLANCE_EM, role="value").place(x, baseline, "center"))
    word = words("{}", tokens[who], em=GLANCE_EM, role="on_solid").place(here, baseline, "center")
    w = word.advance + 2 * CHIP_PAD
    chip = box(here - w / 2, baseline - CHIP_UP, w, CHIP_UP + CHIP_DOWN, fill="value", radius=CHIP_RADIUS)
    return picture.add(chip, word)


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
        self.room = sum(label.advance for label in whole) + ENTRY_GAP * (len(whole) - 1) + 2 * FRAME_PAD
        run(*whole, x=x, baseline=baseline, gap=ENTRY_GAP, align="center")
        self.apart = [centre(label) for label in (self.title, self.entry)]
        self.middle = x, baseline - CAP * self.title.em / 2
        run(self.title, self.entry, x=x, baseline=baseline, gap=ENTRY_GAP, align="center")
        self.add(self.title, self.entry)

    def frame(self, leading: float) -> VMobject:
        """A frame around the row: query and key agree here."""
        (x, y), height = self.middle, min(FRAME_HEIGHT, leading - FRAME_APART)
        return box(x - self.room / 2, y - height / 2, self.room, height, edge="query", width=HAIR, radius=FRAME_RADIUS)


class Tag(VGroup):
    """What a word looks for or offers: a heading, and under it `rows[d]` for each dimension in which it has something.

    `rows[d].entry` is the number; the names alone are `names`.
    """

    def __init__(self, heading: str, rows: dict[int, Row], x: float, baseline: float) -> None:
        super().__init__()
        self.heading = words(heading, role="dim").place(x, baseline, "center")
        self.rows = rows
        self.add(self.heading, *rows.values())

    @property
    def names(self) -> VGroup:
        """The heading and the names, without numbers."""
        return VGroup(self.heading, *[row.title for row in self.rows.values()])

    @property
    def entries(self) -> VGroup:
        """The numbers."""
        return VGroup(*[row.entry for row in self.rows.values()])


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

    @property
    def end(self) -> float:
        """The right edge of the last slot."""
        return self.slots[-1][1]

    def chip(self, i: int) -> Box:
        """The frame around a token."""
        width = self.words[i].advance + 2 * CHIP_PAD
        return self.x(i) - width / 2, self.baseline - CHIP_UP, width, CHIP_UP + CHIP_DOWN

    def arc(
        self, start: int, to: int, y: float, *, role: str, width: float, aside: float = 0, slope: float = 1 / 3
    ) -> VMobject:
        """From one token over to another, `slope` times as high as it is wide.

        It leaves `aside` px from the middle of the first, on the side it goes to.
        """
        x0, x1 = self.x(start), self.x(to)
        x0 += aside if x1 > x0 else -aside
        return arch(x0, x1, y, abs(x1 - x0) * slope, role, width)

    def loop(self, i: int, *, role: str, width: float, aside: float, drop: float) -> VMobject:
        """A token's arc to itself, under its frame: `aside` px to both sides of its middle, `drop` px deep."""
        return arch(self.x(i) + aside, self.x(i) - aside, self.baseline + CHIP_DOWN, -drop, role, width)
