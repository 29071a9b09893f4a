"""Loudness (ITU-R BS.1770, LUFS) and true peak (dBTP) of mono sound at 48 kHz, and the limiter."""

from __future__ import annotations

from math import ceil, inf, log10

import numpy as np
import numpy.typing as npt

from voice.speech import SAMPLE_RATE, Samples

LUFS = -16.0  # of the whole lesson
CEILING = -2.0  # dBTP; the encoded file may reach -1.5

_OVERSAMPLING = 4  # as BS.1770 asks at 48 kHz
_LOOK_AHEAD = 0.004  # s: the gain is on its way down that long before a peak
_RELEASE = 0.06  # s: a reduction falls to 1/e of its decibels in this time
_BLOCK = 0.4  # s: what loudness is measured in


def true_peak(samples: Samples) -> float:
    """The largest value between and at the samples [n], in dBTP; -inf of silence."""
    peak = float(_peaks(samples).max(initial=0.0))
    return 20 * log10(peak) if peak > 0 else -inf


def integrated(samples: Samples) -> float:
    """Gated loudness of samples [n] in LUFS; -inf of silence. What is shorter than a block is measured repeated."""
    from pyloudnorm import Meter

    if not samples.any():
        return -inf
    whole = np.resize(samples, max(len(samples), ceil(_BLOCK * SAMPLE_RATE)))
    with np.errstate(divide="ignore"):  # a silent block is -inf, and gated out
        return float(Meter(SAMPLE_RATE, block_size=_BLOCK).integrated_loudness(whole))


def to_level(samples: Samples, lufs: float = LUFS) -> Samples:
    """Samples [n] amplified to a loudness; peaks may pass full scale. Silence stays silence."""
    loudness = integrated(samples)
    return samples if loudness == -inf else amplified(samples, lufs - loudness)


def amplified(samples: Samples, decibels: float | npt.NDArray[np.float64]) -> Samples:
    """Samples [n] times a gain in dB, common or of each sample [n]."""
    return (samples * 10 ** (decibels / 20)).astype(np.float32)


def limited(samples: Samples, ceiling: float = CEILING) -> Samples:
    """Samples [n] whose true peak stays at the ceiling (dBTP). What is quieter is returned as it came."""
    reduction = reductions(samples, ceiling)
    return amplified(samples, -reduction) if reduction.any() else samples


def reductions(samples: Samples, ceiling: float = CEILING) -> npt.NDArray[np.float64]:
    """What `limited` takes off at each sample [n], in dB, 0 or more."""
    from scipy import ndimage

    with np.errstate(divide="ignore"):
        needed = np.maximum(20 * np.log10(_peaks(samples)) - ceiling, 0)  # [n] dB
    ahead = 2 * round(_LOOK_AHEAD / 4 * SAMPLE_RATE) + 1
    held = ndimage.maximum_filter1d(_released(needed), 2 * ahead - 1, mode="constant")
    # Each mean is over values that all reach what is needed in its middle: smooth, and never too little.
    smooth: npt.NDArray[np.float64] = held
    for _ in range(2):
        smooth = ndimage.uniform_filter1d(smooth, ahead, mode="nearest")
    return smooth


def _released(needed: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The least curve [n] above this one that falls no faster than the release: a running maximum of logarithms."""
    falling = np.arange(len(needed)) / (_RELEASE * SAMPLE_RATE)
    with np.errstate(divide="ignore"):
        return np.exp(np.maximum.accumulate(np.log(needed) + falling) - falling)


def _peaks(samples: Samples) -> npt.NDArray[np.float64]:
    """The largest magnitude at each sample [n] and on the way to the next."""
    from scipy.signal import resample_poly  # late: it takes as long as a minute of speech

    if not len(samples):
        return np.zeros(0)
    between = np.abs(resample_poly(samples, _OVERSAMPLING, 1))
    peaks = between[::_OVERSAMPLING]
    for i in range(1, _OVERSAMPLING):  # a maximum along the short axis would take ten times as long
        peaks = np.maximum(peaks, between[i::_OVERSAMPLING])
    return np.asarray(peaks, np.float64)
