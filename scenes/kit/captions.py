"""Captions: a line of narration cut as a person would cut it, each piece shown while its words are said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import ceil, floor

from scenes.kit.timeline import TICKS_PER_SECOND, Caption

LINE_CHARACTERS, LINES = 42, 2
CHARACTERS_PER_SECOND = 20  # at most, where the next caption leaves the time
_SHORTEST, _LINGER = 1.2, 0.5  # s: of a caption, and after its last word, where the next one leaves the time

# How much a cut after a word hurts. A phrase begins with the words of the first list; those of the second hang on
# what follows.
_OPENERS = frozenset(
    "after and as at because before but by for from how if in into like of on onto or so than that then though to "
    "until what when where which while who why with without".split()
)
_CLINGING = frozenset(
    "a all am an and are as at be been but by can each every for from has have how in into is it its may more most "
    "no not of on one only or our so than that the their these this those to two very was we were will with you "
    "your".split()
)
_AT_CLAUSE, _AT_PHRASE, _BETWEEN, _WITHIN = 2, 6, 10, 20
_PER_CUT, _EVENNESS = 6, 8

Words = Sequence[tuple[float, float]]


def captions(text: str, words: Words, start: int, end: int) -> list[Caption]:
    """Cut a line into captions of at most two lines and time them by its words.

    The cut depends on the text alone, so that every voice has the same captions.

    Parameters
    ----------
    text
        The line; a token is what stands between spaces.
    words
        Start and end of each token, s from the line's start.
    start, end
        Ticks in which the line begins, and in which the next may.

    Raises
    ------
    ValueError
        A word doesn't fit on a line, or there is not one pair of times for each token.
    """
    if len(words) != len(text.split()):
        raise ValueError(f"{text!r}: {len(words)} times for {len(text.split())} words")
    pieces = cut(text)
    lasts = list(accumulate(len(piece.split()) for piece in pieces))
    firsts = [0, *lasts[:-1]]
    begins = [start + floor(words[i][0] * TICKS_PER_SECOND) for i in firsts]
    nexts = [*begins[1:], end]
    return [
        Caption(begin, _end(piece, begin, start + words[last - 1][1] * TICKS_PER_SECOND, after), wrapped(piece))
        for piece, begin, last, after in zip(pieces, begins, lasts, nexts, strict=True)
    ]


def _end(piece: str, begin: int, said: float, after: int) -> int:
    """After the last word, and not before it could be read; but the next caption has its time."""
    readable = max(_SHORTEST, len(piece) / CHARACTERS_PER_SECOND) * TICKS_PER_SECOND
    wanted = max(said + _LINGER * TICKS_PER_SECOND, begin + readable)
    # A gap too short to be seen as one would only flicker.
    return after if after - wanted <= _LINGER * TICKS_PER_SECOND else ceil(wanted)


def cut(text: str) -> list[str]:
    """The line's captions, each on one line still: few, even, and cut where a phrase ends."""
    tokens = text.split()
    ends = [i for i, (a, b) in enumerate(pairwise(tokens), start=1) if _ends_sentence(a, b)]
    sentences = [tuple(tokens[i:j]) for i, j in pairwise([0, *ends, len(tokens)])]
    return [piece for sentence in sentences for piece in _cut_sentence(sentence)]


def _ends_sentence(before: str, after: str) -> bool:
    """A full stop can also be what the sentence is about: “.” is a token."""
    return re.search(r"\w.*[.?!…][”’)]*$", before) is not None and not after[:1].islower()


def wrapped(piece: str) -> str:
    """On one line, or on two that are about even and part where a phrase ends."""
    lines = _wrap(tuple(piece.split()))
    assert lines is not None
    return "\n".join(lines)


@cache
def _cut_sentence(tokens: tuple[str, ...]) -> list[str]:
    """The cheapest way to cut, found from the end backwards."""
    costs: dict[int, float] = {len(tokens): 0}
    ends: dict[int, int] = {}
    for first in reversed(range(len(tokens))):
        for last in range(first + 1, len(tokens) + 1):
            piece = tokens[first:last]
            if _wrap(piece) is None:
                break
            if last not in costs:
                continue
            here = _PER_CUT + _EVENNESS * (_length(piece) / (LINES * LINE_CHARACTERS)) ** 2
            cost = costs[last] + here + (_pain(tokens[last - 1], tokens[last]) if last < len(tokens) else 0)
            if cost < costs.get(first, float("inf")):
                costs[first], ends[first] = cost, last
    if 0 not in ends:
        raise ValueError(f"caption {' '.join(tokens)!r}: a word doesn't fit on a line of {LINE_CHARACTERS} characters")
    pieces, first = [], 0
    while first < len(tokens):
        pieces.append(" ".join(tokens[first : ends[first]]))
        first = ends[first]
    return pieces


@cache
def _wrap(tokens: tuple[str, ...]) -> tuple[str, ...] | None:
    """One line or two; None when that is not enough."""
    if _length(tokens) <= LINE_CHARACTERS:
        return (" ".join(tokens),)
    cuts = [
        (_pain(tokens[i - 1], tokens[i]) + abs(_length(tokens[:i]) - _length(tokens[i:])) / 4, i)
        for i in range(1, len(tokens))
        if max(_length(tokens[:i]), _length(tokens[i:])) <= LINE_CHARACTERS
    ]
    if not cuts:
        return None
    at = min(cuts)[1]
    return " ".join(tokens[:at]), " ".join(tokens[at:])


def _length(tokens: Sequence[str]) -> int:
    return sum(map(len, tokens)) + len(tokens) - 1


def _pain(before: str, after: str) -> int:
    """How much it hurts to part two words."""
    if before.endswith((",", ";", ":")) and not after[:1].isdigit():
        return _AT_CLAUSE
    if before.lower() in _CLINGING or (before[-1:].isdigit() and after in ("and", "or")):
        return _WITHIN
    return _AT_PHRASE if after.lower() in _OPENERS else _BETWEEN
