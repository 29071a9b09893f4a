"""Sound files as lecturers might hand them in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

Channels = npt.NDArray[np.float32]  # [channels, n]

CODECS = {"wav": "pcm_s16le", "flac": "flac", "mp3": "libmp3lame", "m4a": "aac"}


def write_sound(path: Path, channels: Channels, rate: int = 44_100) -> Path:
    """Encode sound as the file's ending asks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ending, layout = path.suffix[1:].lower(), "mono" if len(channels) == 1 else "stereo"
    with av.open(str(path), "w", format={"m4a": "ipod"}.get(ending)) as file:
        stream: Any = file.add_stream(CODECS[ending], rate=rate, layout=layout)
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(channels), format="fltp", layout=layout)
        frame.sample_rate = rate
        resampler = av.AudioResampler(stream.format, layout, rate, frame_size=stream.frame_size)
        for part in [*resampler.resample(frame), *resampler.resample(None)]:
            file.mux(stream.encode(part))
        file.mux(stream.encode(None))
    return path


def in_a_room(sound: npt.NDArray[Any], rate: int, lead: float = 0.7, tail: float = 0.5) -> Channels:
    """Sound between silences, with the noise of a quiet room and a constant offset: [1, n]."""
    whole = np.concatenate([np.zeros(round(lead * rate)), sound, np.zeros(round(tail * rate))])
    room = np.random.default_rng(1).normal(0, 10 ** (-62 / 20), whole.size)
    return np.asarray([whole + room + 0.02], np.float32)


def tone(
    seconds: float = 1.0, rate: int = 44_100, level: float = 0.1, lead: float = 0.7, tail: float = 0.5
) -> Channels:
    """440 Hz in a room: [1, n]."""
    return in_a_room(level * np.sin(2 * np.pi * 440 * np.arange(round(seconds * rate)) / rate), rate, lead, tail)
