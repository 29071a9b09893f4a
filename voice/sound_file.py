"""A recording as this project's sound: decoded, mixed to mono, trimmed to what sounds, levelled."""

from __future__ import annotations

import io

import numpy as np

from voice.loudness import limited, to_level
from voice.silence import Samples, sounding
from voice.speech import SAMPLE_RATE

BEFORE, AFTER = 0.05, 0.1  # s of the room left before and after the words
_FADE_IN, _FADE_OUT = 0.005, 0.03  # s
_LEAST = 0.2  # s that a line sounds at least
_RUMBLE = 60.0  # Hz: nothing of a voice lies below; takes DC away, too


class SoundError(Exception):
    """A file holds no usable sound; the message says why."""


def read_sound(content: bytes) -> Samples:
    """The line in a sound file's content, of any rate and any number of channels: float32 [n], mono, 48 kHz.

    Raises
    ------
    SoundError
        It can't be decoded, is silent, or sounds for less than 0.2 s.
    """
    from scipy.signal import butter, sosfiltfilt  # late: it takes long

    samples = _decoded(content)
    if samples.size < round(_LEAST * SAMPLE_RATE):
        raise SoundError(f"it is shorter than {_LEAST} s")
    samples = sosfiltfilt(butter(2, _RUMBLE, "highpass", fs=SAMPLE_RATE, output="sos"), samples).astype(np.float32)
    sounds = sounding(samples, SAMPLE_RATE)
    if not sounds:
        raise SoundError("it is silent")
    if sum(end - start for start, end in sounds) < _LEAST:
        raise SoundError(f"it sounds for less than {_LEAST} s")
    first = max(0, round((sounds[0][0] - BEFORE) * SAMPLE_RATE))
    last = round((sounds[-1][1] + AFTER) * SAMPLE_RATE)
    return limited(to_level(_faded(samples[first:last])))


def _decoded(content: bytes) -> Samples:
    import av

    resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE)
    try:
        with av.open(io.BytesIO(content), "r") as file:
            if not file.streams.audio:
                raise SoundError("it holds no sound")
            frames = [out for frame in file.decode(audio=0) for out in resampler.resample(frame)]
            frames += resampler.resample(None)
    except (av.FFmpegError, OSError, ValueError) as error:
        raise SoundError(f"it can't be decoded ({error.__class__.__name__})") from error
    samples: Samples = np.concatenate([np.zeros(0, np.float32), *[frame.to_ndarray()[0] for frame in frames]])
    if not np.isfinite(samples).all():
        raise SoundError("it holds values that are no numbers")
    return samples


def _faded(samples: Samples) -> Samples:
    """Samples that rise from and fall to nothing, so that no cut clicks."""
    rise, fall = (round(seconds * SAMPLE_RATE) for seconds in (_FADE_IN, _FADE_OUT))
    gain = np.ones(samples.size, np.float32)
    gain[:rise] = np.sin(np.linspace(0, np.pi / 2, rise)) ** 2
    gain[-fall:] = np.cos(np.linspace(0, np.pi / 2, fall)) ** 2
    return samples * gain
