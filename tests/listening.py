"""What the tests hear in a file: decoded samples, and whether speech is where the timeline says it is."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from mp4_boxes import opened

Samples = npt.NDArray[np.float32]

RATE = 48_000
TICK = RATE // 15
FRAME = 1024  # samples: AAC lets a sound show so far before and after it
LOUD, QUIET = -40.0, -60.0  # dBFS, RMS


def sound_of(path: Path) -> Samples:
    """The decoded sound: float32 [n] at the track's rate."""
    with opened(path) as container:
        return np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])


def level(sound: Samples) -> float:
    """RMS in dBFS; -200 of silence and of nothing."""
    return float(10 * np.log10(np.square(sound, dtype=np.float64).mean() + 1e-20)) if sound.size else -200.0


def heard(path: Path) -> list[int]:
    """The ticks that are not quiet."""
    sound = sound_of(path)
    return [index for index in range(len(sound) // TICK) if level(sound[index * TICK : (index + 1) * TICK]) > QUIET]


def misheard(sound: Samples, lines: Iterable[Any], offset: int = 0) -> list[str]:
    """What is wrong: words that can't be heard, and sound where no line is said.

    ``lines`` are Said or a manifest's ``lines`` made to it, ``offset`` ticks later in the sound.
    """
    found: list[str] = []
    quiet = [0]
    for line in lines:
        start = (line.start + offset) * TICK
        for word, (begin, end) in zip(line.text.split(), line.words, strict=True):
            span = sound[start + round(begin * RATE) : start + round(end * RATE)]
            if end > begin and level(span) < LOUD:
                found.append(f"{line.id}: {word!r} is not heard, {level(span):.0f} dBFS")
        quiet += [start, (line.end + offset) * TICK]
    quiet.append(len(sound))
    for begin, end in list(pairwise(quiet))[::2]:
        between = sound[begin + (FRAME if begin else 0) : max(0, end - FRAME)]
        if level(between) > QUIET:
            found.append(f"sound where no line is said: {begin / RATE:.2f} to {end / RATE:.2f} s")
    return found
