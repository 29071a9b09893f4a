"""Where a recording sounds: measured against its own loudest and quietest moments, so that room noise is silence."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]

_HOP = 0.005  # s: the step between two moments that are judged
_FRAME = 4  # hops that are judged together
_ABOVE_NOISE, _BELOW_SPEECH, _NEVER_CLOSER = 8.0, 38.0, 12.0  # dB
_SYLLABLE, _BESIDE = 0.06, 0.25  # s
_SILENT = -65.0  # dBFS


def sounding(samples: Samples, rate: int) -> tuple[tuple[float, float], ...]:
    """The stretches that sound, start and end in s, ascending; none for silence.

    A sound shorter than a syllable counts only beside another (the last t of a word does, a mouse click does not).

    Parameters
    ----------
    samples
        float32 [n], without DC.
    rate
        Samples a second.
    """
    hop = round(_HOP * rate)
    levels = _levels(samples, hop)
    if levels.size == 0:
        return ()
    quiet, loud = np.percentile(levels, (5, 95))
    if loud < _SILENT:
        return ()
    threshold = min(max(quiet + _ABOVE_NOISE, loud - _BELOW_SPEECH), loud - _NEVER_CLOSER)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], levels > threshold, [False]]).astype(np.int8)))
    runs = [(start * hop / rate, end * hop / rate) for start, end in edges.reshape(-1, 2).tolist()]
    long = [run for run in runs if run[1] - run[0] >= _SYLLABLE]
    return tuple(run for run in runs if any(_gap(run, other) <= _BESIDE for other in long))


def _levels(samples: Samples, hop: int) -> npt.NDArray[np.float64]:
    """dBFS of each frame, centred on its hop."""
    count = samples.size // hop
    power = np.square(samples[: count * hop].astype(np.float64)).reshape(count, hop).mean(axis=1)
    smooth = np.convolve(power, np.ones(_FRAME) / _FRAME, mode="same") if count >= _FRAME else power
    return np.asarray(10 * np.log10(smooth + 1e-12))


def _gap(one: tuple[float, float], other: tuple[float, float]) -> float:
    return max(one[0] - other[1], other[0] - one[1], 0.0)
