"""What the voice gives: a spoken line, and one kind of error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

SAMPLE_RATE = 48_000  # Hz, of all sound in this project; mono

Samples = npt.NDArray[np.float32]  # [n], within [-1, 1]
Times = tuple[tuple[float, float], ...]  # start and end of each word in s, ascending


class VoiceError(Exception):
    """A line can't be spoken; the message is one line that names what to do."""


class Line(Protocol):
    """A line of narration."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def says(self) -> tuple[tuple[str, str], ...]: ...


class Said(Protocol):
    """A line as a clip's timeline keeps it."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def spoken(self) -> str: ...
    @property
    def origin(self) -> str: ...
    @property
    def sound(self) -> str: ...


@dataclass(frozen=True)
class Speech:
    """A spoken line, without its samples."""

    seconds: float  # of sound
    words: Times  # one a token (what whitespace separates) of the line's text, from the start of the sound
    spoken: str  # what was said; "" when silent
    origin: str  # "hibari", "recording" or "none"
    sound: str  # key of the samples in the speech store; "" when silent
