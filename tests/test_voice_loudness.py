"""Loudness and true peak against what the standard says of sines; the limiter against its ceiling."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import signal

from voice.loudness import CEILING, amplified, integrated, limited, reductions, to_level, true_peak
from voice.speech import SAMPLE_RATE, Samples


def sine(frequency: float, level: float = 0.0, phase: float = 0.0, seconds: float = 1.0) -> Samples:
    """A sine of a level in dBFS."""
    time = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    return (10 ** (level / 20) * np.sin(2 * np.pi * frequency * time + phase)).astype(np.float32)


@st.composite
def bursts(draw: st.DrawFn) -> Samples:
    """Noise that swells and stops, up to 12 dB over full scale."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lengths = draw(st.lists(st.integers(1, 9_000), min_size=1, max_size=5))
    levels = [draw(st.floats(0, 4)) for _ in lengths]
    pieces = [level * rng.uniform(-1, 1, length) for level, length in zip(levels, lengths, strict=True)]
    return np.concatenate(pieces).astype(np.float32)


class TestLoudness:
    @pytest.mark.parametrize("level", [0.0, -20.0, -40.0])
    def test_a_sine_of_997_hz_is_3_below_its_level(self, level: float) -> None:
        assert integrated(sine(997, level, seconds=3)) == pytest.approx(level - 3.01, abs=0.05)

    def test_a_line_shorter_than_a_block_counts_like_a_long_one(self) -> None:
        assert integrated(sine(1000, -20, seconds=0.1)) == pytest.approx(integrated(sine(1000, -20)), abs=0.1)

    def test_pauses_do_not_count(self) -> None:
        tone = sine(500, -20, seconds=4)
        pause = np.zeros(4 * SAMPLE_RATE, np.float32)
        assert integrated(np.concatenate([tone, pause, tone])) == pytest.approx(integrated(tone), abs=0.3)

    def test_silence_has_none(self) -> None:
        silence = np.zeros(SAMPLE_RATE, np.float32)
        assert integrated(silence) == -inf
        assert not to_level(silence).any()

    @pytest.mark.parametrize("level", [-50.0, -16.0, -3.0])
    def test_a_line_is_brought_to_a_level(self, level: float) -> None:
        assert integrated(to_level(sine(300, level), -16)) == pytest.approx(-16, abs=0.01)


class TestTruePeak:
    def test_it_is_found_between_the_samples(self) -> None:
        tone = sine(SAMPLE_RATE / 4, phase=np.pi / 4)  # every sample is at -3.01 dB, every peak between two
        faded = (tone * signal.windows.tukey(len(tone))).astype(np.float32)
        assert np.abs(faded).max() == pytest.approx(0.7071, abs=1e-3)
        assert true_peak(faded) == pytest.approx(0, abs=0.1)

    def test_silence_and_nothing_have_none(self) -> None:
        assert true_peak(np.zeros(100, np.float32)) == true_peak(np.zeros(0, np.float32)) == -inf


class TestLimiter:
    @given(bursts())
    @settings(max_examples=40)
    def test_nothing_passes_the_ceiling_and_nothing_is_turned_up(self, sound: Samples) -> None:
        kept = limited(sound)
        assert true_peak(kept) < CEILING + 0.05
        assert (np.abs(kept) <= np.abs(sound)).all()
        assert kept.dtype == np.float32

    def test_what_is_quiet_comes_back_as_it_was(self) -> None:
        quiet = sine(440, CEILING - 0.5)
        quiet *= np.hanning(len(quiet)).astype(np.float32)
        assert limited(quiet) is quiet

    def test_far_from_a_peak_nothing_happens(self) -> None:
        sound = sine(440, -20)
        sound[24_000:24_100] += sine(2_000, 6)[:100]
        changed = np.flatnonzero(np.abs(limited(sound) - sound) > 1e-4)
        assert 24_000 - 0.005 * SAMPLE_RATE < changed[0] < 24_000
        assert changed[-1] < 24_100 + 0.5 * SAMPLE_RATE

    def test_the_gain_glides(self) -> None:
        sound = sine(440, -20)
        sound[24_000:24_100] += sine(2_000, 6)[:100]
        steps = np.diff(reductions(sound))
        assert steps.max() < 0.1  # dB a sample
        assert steps.min() > -0.01

    def test_a_steady_tone_is_turned_down_and_stays_a_tone(self) -> None:
        kept = limited(sine(1_000, 0))[4_800:-4_800]
        assert np.abs(kept).max() == pytest.approx(10 ** (CEILING / 20), rel=0.01)
        spectrum = np.abs(np.fft.rfft(kept * np.hanning(len(kept))))
        tone = spectrum.argmax()
        assert 20 * np.log10(np.delete(spectrum, range(tone - 3, tone + 4)).max() / spectrum[tone]) < -60


def test_a_gain_is_in_decibels() -> None:
    assert true_peak(amplified(sine(1_000, -20), 6.0)) == pytest.approx(-14, abs=0.05)
