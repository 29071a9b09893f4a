"""What a scene leaves behind besides its pictures: beats, captions, questions and figures, in whole ticks.

A tick is 1/15 s, so that every time is a whole number of frames at 15, 30 and 60 frames a second.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil

TICKS_PER_SECOND = 15
CLIP_STEP = 8
"""A clip lasts a multiple of so many ticks: 25 frames of AAC at 48 kHz, so that its sound ends with its pictures."""

Plain = float | int | bool | str


def to_ticks(seconds: float) -> int:
    """The ticks that hold that many seconds: rounded up, but forgiving of float noise; at least 1."""
    return max(1, ceil(seconds * TICKS_PER_SECOND - 1e-6))


@dataclass(frozen=True)
class Beat:
    """One idea of the chapter; it begins on a key frame."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Caption:
    """One or two lines of the narration."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Said:
    """A line of narration: from when to when it sounds, and what it takes to make that sound again.

    ``words`` are the start and end of each token of ``text`` in s from ``start``; ``origin`` is the voice, and
    ``sound`` the key of its samples ("" when silent).
    """

    id: str
    start: int
    end: int
    text: str
    spoken: str
    origin: str
    sound: str
    words: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Cue:
    """A question: where a page may pause, where the answer begins to show."""

    id: str
    pause_at: int
    reveal_at: int
    prompt: str
    choices: tuple[str, ...]
    answer: int
    explain: str


@dataclass(frozen=True)
class Shown:
    """A figure on the screen, the fact behind it, and from when to when."""

    fact: str
    value: Plain
    shown: str
    start: int
    end: int


@dataclass
class Timeline:
    """Grows while a scene is played. All times are ticks from the clip's start."""

    ticks: int = 0
    beats: list[Beat] = field(default_factory=list)
    lines: list[Said] = field(default_factory=list)
    captions: list[Caption] = field(default_factory=list)
    cues: list[Cue] = field(default_factory=list)
    numbers: list[Shown] = field(default_factory=list)
