"""What a word becomes: a blend whose shares are as wide as the weights."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from manim import Animation, ApplyMethod, FadeIn, VGroup, there_and_back

from lesson import Fact
from scenes.kit.colour import mix
from scenes.kit.geometry import bottom, centre, left, right
from scenes.kit.labels import SEMIBOLD, Label, figure, words
from scenes.kit.motion import late
from scenes.kit.sentence import CHIP_DOWN, CHIP_PAD, CHIP_RADIUS, CHIP_UP, DOTS, DOTS_ROOM, FULL_WIDTH, Box
from scenes.kit.shapes import HAIR, arch, box
from scenes.kit.theme import theme

LEAST_SEEN = 1e-3  # of a share: about a hairline of the whole bar
WORD_MIDDLE = 1 / 2  # the level at which the word is half covered
SHARE_PAD, SHARE_GAP = 14.0, 12.0  # beside what stands on a share; between its weight and its word
STACK_UP, STACK_DOWN = 8.0, 28.0  # baselines of these from the middle of the share, one above the other
UNDER = 38.0  # baseline of a word under its share
MOST_BESIDE = 2  # words, where there is room for no more
GLANCE_EM, GLANCE_GAP, GLANCE_ROOM, GLANCE_FEET = 52.0, 2.7, 800.0, 63.0  # size; between words, em; in all; over them


def between(start: Box, end: Box, t: float) -> Box:
    """A rectangle on its way from one to another."""
    x, y, w, h = (a + (b - a) * t for a, b in zip(start, end, strict=True))
    return x, y, w, h


def is_seen(weight: Fact) -> bool:
    """Is its share of the blend wide enough to be seen?"""
    return float(weight) >= LEAST_SEEN


def blended(weights: Fact, best: Collection[int], area: Box, *, gap: float, strength: float) -> VGroup:
    """Shares of one area, as wide as the weights and `gap` px apart; all but the best that strong.

    Gaps part only shares that are seen: many that are not would else take room that none of them has.
    """
    x, y, w, h = area
    seen = [i for i, weight in enumerate(weights) if is_seen(weight)]
    room = w - gap * (len(seen) - 1)
    shares = VGroup()
    for i, weight in enumerate(weights):
        x += gap * (i in seen[1:])
        width = room * float(weight)
        shade = mix(theme().ground, theme().value, 1 if i in best else strength)
        shares.add(box(x, y, width, h, fill=shade))
        x += width
    return shares


def lit_up(best: Collection[int], bar: VGroup, weights: Fact, figures: Mapping[int, Label]) -> list[Animation]:
    """Animations: all shares but the best light up, or, where a share is not seen, its figure does."""
    others = [i for i in range(len(weights)) if i not in best]
    parts = [bar[i] if is_seen(weights[i]) or i not in figures else figures[i] for i in others]
    return [ApplyMethod(part.set_fill, theme().value, rate_func=there_and_back) for part in parts]


def filled_chip(chip: Box, word: Label, share: float) -> VGroup:
    """What has flowed into the word in its frame so far, and the word, whose ink changes where it is covered."""
    x, y, w, h = chip
    level = min(max(share, 0), 1)
    rise = max(h * level, HAIR)
    shape = box(x, y + h - rise, w, rise, fill="value", radius=CHIP_RADIUS).set_fill(opacity=1 if level else 0)
    return VGroup(shape, word.copy().paint("on_solid" if level > WORD_MIDDLE else "query"))


def share_labels(
    tokens: Fact, weights: Fact, best: Collection[int], bar: VGroup, shown: Sequence[int]
) -> dict[int, tuple[Label, Label | None]]:
    """Weight and word on the shares of `bar` that have room for them, of the tokens `shown`.

    They stand side by side, or one above the other, or the weight alone; then the words that are left out stand under
    the bar, if all of them have room there.
    """
    labels: dict[int, tuple[Label, Label | None]] = {}
    under: dict[int, Label] = {}
    em = theme().type.small
    for i, share in enumerate(bar):
        ink = "on_solid" if i in best else "text"
        weight = figure(weights[i], em=em, role=ink, weight=SEMIBOLD)
        word = words("{}", tokens[i], em=em, role=ink, weight=SEMIBOLD)
        width, (x, y) = weight.advance + SHARE_GAP + word.advance, centre(share)
        room = right(share) - left(share) - 2 * SHARE_PAD
        if i not in shown or weight.advance > room:
            continue
        if width <= room:
            weight.middle(x - width / 2, y)
            labels[i] = weight, word.place(x + width / 2, weight.origin[1], "right")
        elif word.advance <= room + SHARE_PAD:
            weight.place(x, y - STACK_UP, "center")
            labels[i] = weight, word.place(x, y + STACK_DOWN, "center")
        else:
            labels[i] = weight.middle(x, y, "center"), None
            under[i] = word.paint("text").place(x, bottom(share) + UNDER, "center")
    frame, row = theme().frame, list(under.values())
    apart = all(right(one) + SHARE_GAP <= left(next_) for one, next_ in pairwise(row))
    if apart and all(frame.left <= left(word) and right(word) <= frame.right for word in row):
        labels |= {i: (labels[i][0], word) for i, word in under.items()}
    return labels


def landed(weight: Label, word: Label | None, source: Label) -> list[Any]:
    """Animations: a weight goes from under its token to its share, where its word joins it if there is room.

    Its ink changes on the way, since a share is solid.
    """
    goal, ink = weight.get_center(), weight[0].get_fill_color()
    weight.paint("weight").move_to(source)
    return [weight.animate.move_to(goal).set_fill(ink), *([late(FadeIn(word))] if word else [])]


def glance(tokens: Fact, weights: Fact, who: int, others: Sequence[int], baseline: float) -> VGroup:
    """On the right side, a word and those that matter most to it, in the order of the sentence.

    Dots stand where the first of several is left out for want of room.
    """
    small, room = theme().type.small, GLANCE_ROOM - 2 * CHIP_PAD - (DOTS_ROOM if others[2:] else 0)
    wide = [words("{}", tokens[i]).advance / theme().type.body for i in (who, *others)]
    while len(wide) > MOST_BESIDE and sum(wide) + GLANCE_GAP * (len(wide) - 1) > room / small:
        wide.pop()
    dots = others[len(wide) - 1 :][:1] if others[2:] else []
    others = others[: len(wide) - 1]
    em = min(GLANCE_EM, max(small, room / (sum(wide) + GLANCE_GAP * len(others))))
    narrow = min(1.0, (room / em - GLANCE_GAP * len(others)) / sum(wide))
    marks: dict[int, tuple[Label, float, float]] = {}
    x = float(theme().frame.right)
    for i, before in pairwise([*sorted((who, *others, *dots), reverse=True), -1]):
        label = words("{}", tokens[i], em=em, role="on_solid" if i == who else "value", narrow=narrow)
        label = words(DOTS, em=em, role="dim") if i in dots else label
        half = label.advance / 2 + CHIP_PAD * (i == who)
        marks[i] = label.place(x - half, baseline, "center"), x - half, half
        x -= 2 * half + GLANCE_GAP * em * (1 / 2 if dots and dots[0] in (i, before) else 1)
    picture, feet = VGroup(*[marks.pop(i)[0] for i in dots]), baseline - GLANCE_FEET
    word, here, half = marks.pop(who)
    for i, (label, there, _) in marks.items():
        width = max(HAIR, FULL_WIDTH * float(weights[i]))
        picture.add(arch(here, there, feet, abs(here - there) / 3, "weight", width), label)
    chip = box(here - half, baseline - CHIP_UP, 2 * half, CHIP_UP + CHIP_DOWN, fill="value", radius=CHIP_RADIUS)
    return picture.add(chip, word)
