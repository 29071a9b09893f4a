"""Narration as captions: how long a line takes to say, and how it is cut into captions."""

from __future__ import annotations

import re
from math import ceil

from scenes.kit.timeline import TICKS_PER_SECOND, Caption

LINE_CHARACTERS, LINES = 42, 2
CHARACTERS_PER_SECOND = 14.5  # about 150 words a minute; a caption may run at 20 at most
_BREATH = 0.45  # s after a line


def speaking_ticks(text: str, pace_of: str | None = None) -> int:
    """How long a line takes at a lecture's pace, with the breath after it; see `captions` for `pace_of`."""
    length = len(text) if pace_of is None else max(len(text), len(pace_of), sum(_shares(text, pace_of)))
    return ceil((length / CHARACTERS_PER_SECOND + _BREATH) * TICKS_PER_SECOND)


def captions(text: str, start: int, end: int, pace_of: str | None = None) -> list[Caption]:
    """Cut a line into captions of at most two lines, which share its time by their length.

    With `pace_of`, another line, each caption has the time of the longer of both lines' captions, so that either
    line gives captions at the same times.

    Raises
    ------
    ValueError
        A word doesn't fit on a line, or the other line makes another number of captions.
    """
    pieces = _pieces(text)
    shares = _shares(text, pace_of or text)
    total = sum(shares)
    found, done, here = [], 0, start
    for piece, share in zip(pieces, shares, strict=True):
        done += share
        then = start + round((end - start) * done / total)
        found.append(Caption(here, then, _wrapped(piece)))
        here = then
    return found


def _pieces(text: str) -> list[str]:
    """Whole phrases, as many as fit in one caption; a sentence is not joined to the next one's beginning."""
    pieces: list[str] = []
    for sentence in re.split(r"(?<=[.?!])\s+", text.strip()):
        current = ""
        for phrase in re.split(r"(?<=[,;:])\s+", sentence):
            joined = f"{current} {phrase}".strip()
            if current and not _fits(joined):
                pieces.append(current)
                joined = phrase
            current = joined
            while not _fits(current):
                head, current = _halved(current)
                pieces.append(head)
        pieces.append(current)
    return pieces


def _shares(text: str, other: str) -> list[int]:
    """The time of each caption of either line, in characters of the longer one."""
    pieces, others = _pieces(text), _pieces(other)
    if len(pieces) != len(others):
        raise ValueError(f"{text!r} makes {len(pieces)} captions, but {other!r} makes {len(others)}")
    return [max(len(a), len(b)) for a, b in zip(pieces, others, strict=True)]


def _fits(text: str) -> bool:
    return _wrap(text) is not None


def _halved(text: str) -> tuple[str, str]:
    """Cut a phrase that is too long at the space nearest its middle (or as late as its first part fits)."""
    spaces = [m.start() for m in re.finditer(" ", text) if _fits(text[: m.start()])]
    if not spaces:
        raise ValueError(f"caption {text!r}: a word doesn't fit on a line of {LINE_CHARACTERS} characters")
    cut = min(spaces, key=lambda i: abs(i - len(text) / 2))
    return text[:cut], text[cut + 1 :]


def _wrap(text: str) -> tuple[str, ...] | None:
    """One line, or two as even as the words allow; None when it doesn't fit."""
    if len(text) <= LINE_CHARACTERS:
        return (text,)
    cuts = [(text[: m.start()], text[m.end() :]) for m in re.finditer(" ", text)]
    fitting = [cut for cut in cuts if max(map(len, cut)) <= LINE_CHARACTERS]
    return min(fitting, key=lambda cut: abs(len(cut[0]) - len(cut[1])), default=None)


def _wrapped(piece: str) -> str:
    lines = _wrap(piece)
    assert lines is not None
    return "\n".join(lines)
