"""A sentence on one line, with room under each token, what hangs there, and the arcs that join its tokens."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import floor, inf, log10
from typing import Any

from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.figures import is_shown
from scenes.kit.labels import REGULAR, SEMIBOLD, Label, rich, run, words
from scenes.kit.shapes import arch
from scenes.kit.theme import theme
from scenes.kit.typesetting import TypesettingError
from scenes.kit.wording import short_place

TINY = 0.005  # a number nearer to 0 would be shown as 0.00
DOTS, DOTS_ROOM, LEADING = "…", 40.0, 1.7  # in a sentence, px; of lines, em
SHORT, SPREAD, WIDE_GAP = 0.5, 0.67, 160.0  # a sentence with less of its line; it then takes at most; and its gaps, px
TIGHT = 1.5  # gaps where dots stand for words: these are small, and their frames aren't

CHIP_UP, CHIP_DOWN, CHIP_PAD, CHIP_RADIUS = 53.0, 21.0, 18.0, 8.0  # the frame around the word that looks
FULL_WIDTH = 27.0  # of an arc with weight 1
SLOPE, HIGHEST = 1 / 3, 352.0  # of an arc: height by width, and the most there is room for
Box = tuple[float, float, float, float]


def number(fact: Fact, place: str, after: str = "", power: str = "", **look: Any) -> Label:
    """A number in its place; with one decimal more where that is exact; a power of ten where it would be shown as 0.

    `power` is the place for that (see `common_power`).
    """
    value = float(fact)
    if _is_tiny(value):
        own = next((f"{{{n}e}}" for n in (0, 1, 2) if is_shown(float(f"{value:.{n}e}"), value)), "{1e}")
        return rich((power or own) + after, fact, **look)
    if is_shown(round(value), value):
        place = "{0}"
    elif not is_shown(round(value, 2), value) and is_shown(round(value, 3), value):
        place = "{3}"
    return words(place + after, fact, **look)


def _is_tiny(value: float) -> bool:
    """Is it near to zero, and not simply some thousandths?"""
    return 0 < abs(value) < TINY and not is_shown(round(value, 3), value)


def common_power(*rows: Fact) -> str:
    """The place for numbers next to zero that are compared: one power of ten for all; "" if they are too far apart."""
    tiny = [abs(float(value)) for row in rows for value in row if _is_tiny(float(value))]
    powers = {floor(log10(value)) for value in tiny}
    if not tiny or max(powers) - min(powers) > 1:
        return ""
    one, decimals = max(powers), range(2)
    exact = (n for n in decimals if all(is_shown(round(value / 10**one, n), value / 10**one) for value in tiny))
    return f"{{{next(exact, 2)}e{one}}}"


class Sentence(VGroup):
    """Tokens on one baseline, each on the middle of its own slot.

    A short sentence stands in the middle of the line, its words apart. The em of a long one shrinks until it ends
    before `right`. If that doesn't do, dots stand for tokens that are not needed; and if that doesn't do, words are set
    narrower. `shown` are the indices of the tokens, and of the first token of those that dots stand for, which are in
    `dots`, too; `words[i]` the words or dots.

    Parameters
    ----------
    tokens, baseline, em
        What is set, at most how large.
    left, right
        The edges of the first and last slot, px.
    gap
        Between slots, px.
    least
        The narrowest slot of each token, px: as wide as the figures that will stand under it.
    hanging, tight
        Width of what will hang under each token, px, 0 for nothing; it may be wider than the slot, but never
        touches what hangs next to it, nor leaves the line. `tight` counts where dots stand for tokens.
    needed
        Indices of the tokens that have to be shown, and fewer and fewer of them for when they don't fit.
    framed
        The token that will have a frame.
    """

    def __init__(
        self,
        tokens: Fact,
        *,
        baseline: float,
        em: int,
        left: float,
        right: float,
        gap: float,
        least: Sequence[float],
        hanging: Sequence[float],
        tight: Sequence[float],
        needed: Sequence[Sequence[int]],
        framed: int,
    ) -> None:
        super().__init__()
        self.baseline, self.left = baseline, left
        every = [[i] for i in range(len(tokens))]
        sizes = range(em, theme().type.small - 1, -1)
        ways = [(every, hanging, 1.0, size) for size in sizes]
        for wanted in needed:
            some, last = _gathered(len(tokens), wanted), wanted is needed[-1]
            ways += [(some, tight, share / 20, size) for share in range(20, 6 if last else 16, -1) for size in sizes]
        wide = [words("{}", token).advance / theme().type.body for token in tokens]
        for groups, under, self.narrow, self.em in ways:
            self.dots = {group[0] for group in groups if len(group) > 1}
            pads = [CHIP_PAD * (group[0] == framed) for group in groups]  # on both sides, half of the frame
            set_ = [wide[group[0]] * self.em * self.narrow + pad for group, pad in zip(groups, pads, strict=True)]
            widths = [max(least[group[0]], width) for group, width in zip(groups, set_, strict=True)]
            widths = [DOTS_ROOM if g[0] in self.dots else w for g, w in zip(groups, widths, strict=True)]
            apart = gap if groups is every else gap * TIGHT
            hangs = [0 if g[0] in self.dots else under[g[0]] * self.narrow for g in groups]
            slots = self._slots(widths, hangs, apart)
            if slots[-1][1] <= right:
                more = (SPREAD * (right - left) - (slots[-1][1] - left)) / max(len(slots) - 1, 1)
                if slots[-1][1] - left < SHORT * (right - left):  # in the middle of the line, its words apart
                    slots = self._slots(widths, hangs, min(WIDE_GAP, apart + more))
                    aside = (right - slots[-1][1]) / 2
                    slots = [(start + aside, end + aside) for start, end in slots]
                break
        else:
            raise TypesettingError(
                "the sentence doesn't fit on one line with what its words offer; "
                "shorten opening.tokens or opening.dimensions, or offer less in opening.offers"
            )
        self.shown = [group[0] for group in groups]
        alone = (group[0] for group in groups if len(group) == 1)
        self.rooms = {i: under[i] * self.narrow if self.narrow < 1 else inf for i in alone}
        self.slots = {i: slot for group, slot in zip(groups, slots, strict=True) for i in group}
        self.words: dict[int, Label] = {
            i: self.word(tokens[i], i).place(self.x(i), baseline, "center") for i in self.shown
        }
        self.add(*self.words.values())

    def word(self, token: Fact, i: int, weight: int = REGULAR) -> Label:
        """A token as it is set in this sentence; dots where they stand for it."""
        if i in self.dots:
            return words(DOTS, em=self.em, role="dim")
        return words("{}", token, em=self.em, weight=weight, narrow=self.narrow)

    def strong(self, token: Fact, i: int) -> Label:
        """A token that stands out, in its place; at the line's edge it is set narrower, to take no more room."""
        made = self.word(token, i, SEMIBOLD).place(self.x(i), self.baseline, "center")
        half, frame = made.advance / 2, theme().frame
        if frame.left <= self.x(i) - half and self.x(i) + half <= frame.right:
            return made
        share = self.narrow * self.words[i].advance / made.advance
        made = words("{}", token, em=self.em, weight=SEMIBOLD, narrow=share)
        return made.place(self.x(i), self.baseline, "center")

    def _slots(self, widths: Sequence[float], hanging: Sequence[float], gap: float) -> list[tuple[float, float]]:
        """Left and right edge of each slot. Room that hanging things need is shared by the gaps between them."""
        slots: list[tuple[float, float]] = []
        start, free, since = self.left, self.left, 0  # `since`: the first slot that may give way
        for n, (width, under) in enumerate(zip(widths, hanging, strict=True)):
            if under:
                more = max(0.0, free - (start + width / 2 - under / 2))
                for m in range(since, n):
                    x0, x1 = slots[m]
                    aside = more * (m - since + 1) / (n - since + 1)
                    slots[m] = x0 + aside, x1 + aside
                start, since = start + more, n + 1
                free = start + width / 2 + under / 2 + gap
            slots.append((start, start + width))
            start += width + gap
        return slots

    def x(self, i: int) -> float:
        """The middle of a token."""
        return sum(self.slots[i]) / 2

    def row(
        self, values: Fact, baseline: float, *, role: str = "text", best: Collection[int] = (), power: str = ""
    ) -> dict[int, Label]:
        """A figure under each token; those of the best are weights that stand out."""
        made = figures(values, role, power)
        made = {i: words(DOTS, em=theme().type.small, role="dim") if i in self.dots else made[i] for i in self.shown}
        for i in best:
            made[i] = words(short_place(values), values[i], em=theme().type.small, role="weight", weight=SEMIBOLD)
        return {i: label.place(self.x(i), baseline, "center") for i, label in made.items()}

    @property
    def end(self) -> float:
        """The right edge of the last slot."""
        return self.slots[len(self.slots) - 1][1]

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


def figures(values: Fact, role: str = "text", power: str = "") -> dict[int, Label]:
    """The figures of a row, by index; `power` is the place of those next to zero."""
    place = short_place(values)
    exact = not str(values.key).endswith("weights")  # a weight of 0.00 is told as it is
    em = theme().type.small
    return {
        i: number(value, place, power=power, em=em, role=role) if exact else words(place, value, em=em, role=role)
        for i, value in enumerate(values)
    }


def lines_of(tokens: Fact, *, middle: float, em: float, gap: float) -> list[Label]:
    """The whole sentence, on as many lines as it takes."""
    left, right = theme().frame.left, theme().frame.right
    made = [words("{}", token, em=em) for token in tokens]
    rows: list[list[Label]] = [[]]
    for label in made:
        if rows[-1] and sum(other.advance + gap for other in rows[-1]) + label.advance > right - left:
            rows.append([])
        rows[-1].append(label)
    leading = em * LEADING
    for k, row in enumerate(rows):
        run(*row, x=left, baseline=middle + (k - (len(rows) - 1) / 2) * leading, gap=gap)
    return made


def _gathered(count: int, needed: Sequence[int]) -> list[list[int]]:
    """Indices in order, those that are needed each alone, as is one alone between them; others together."""
    groups: list[list[int]] = []
    for i in range(count):
        if i in needed or i - 1 in needed or not groups:
            groups.append([i])
        else:
            groups[-1].append(i)
    return groups
