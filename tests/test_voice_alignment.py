"""Words are found in sound: the oracle is the engine's speech, whose durations are known to the engine alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import resample_poly

from voice import hibari
from voice.alignment import Alignment, align
from voice.silence import sounding
from voice.speech import SAMPLE_RATE
from voice.spoken import joined, spoken_words

Samples = npt.NDArray[np.float32]

LINES = (
    "The animal didn’t cross the street because it was too tired.",
    "Scaled, and put through a softmax, the scores become weights.",
    "“animal” wins: it gets a weight of 0.68, and “street” only 0.12.",
    "In the row of “tired”, the key of “.” matches best.",
    "What does softmax return for the scores 1000, 1001 and 1002?",
    "Divided by √d_k, exp(1000) — and W_O with RoPE — an encoder’s exponentials specialise.",
    "No number moves in memory: only the reading order changes.",
    "Without the transpose on the way back, would the shapes still fit? Would the answer match?",
)


def spoken(line: str) -> tuple[tuple[str, ...], Samples, list[tuple[float, float]]]:
    """A line's spoken forms, its sound, and the times of the tokens that are heard."""
    forms = spoken_words(line)
    samples, words = hibari.speak(joined(forms))
    times, at = [], 0
    for form in forms:
        here = sum(any(map(str.isalpha, part)) for part in joined((form,)).split())
        times.append((words[at][0], words[at + here - 1][1]) if here else (-1.0, -1.0))
        at += here
    assert at == len(words)
    return forms, samples, times


def errors(found: Alignment, times: list[tuple[float, float]], shift: float = 0.0) -> list[float]:
    """Start by start, s."""
    return [word[0] - shift - time[0] for word, time in zip(found.words, times, strict=True) if time[0] >= 0]


def in_a_lecturers_room(samples: Samples) -> Samples:
    """At 44.1 kHz, after 0.7 s, quieter, and with noise at -50 dBFS: [n]."""
    sound = 0.5 * resample_poly(samples, 441, 480)
    whole = np.concatenate([np.zeros(30_870), sound, np.zeros(20_000)])
    return np.asarray(whole + np.random.default_rng(3).normal(0, 10 ** (-50 / 20), whole.size), np.float32)


@pytest.mark.slow
@pytest.mark.parametrize("noisy", [False, True], ids=["clean", "noisy"])
def test_words_are_found_where_the_engine_put_them(noisy: bool) -> None:
    found = []
    for line in LINES:
        forms, samples, times = spoken(line)
        alignment = align(in_a_lecturers_room(samples), 44_100, forms) if noisy else align(samples, SAMPLE_RATE, forms)
        assert alignment.note == ""
        found += errors(alignment, times, 0.7 if noisy else 0.0)
    assert abs(np.median(found)) <= 0.03  # the two don't agree on where a word begins, but nearly
    distances = np.abs(np.asarray(found) - np.median(found))
    assert np.median(distances) <= 0.025
    assert np.percentile(distances, 90) <= 0.06


def test_every_token_has_a_time_and_dashes_have_a_moment() -> None:
    forms, samples, _ = spoken(LINES[5])
    words = align(samples, SAMPLE_RATE, forms).words
    assert len(words) == len(LINES[5].split())
    dashes = [word for token, word in zip(LINES[5].split(), words, strict=True) if token == "—"]
    assert [end - start for start, end in dashes] == [0.0, 0.0]
    assert_in_order(words, samples.size / SAMPLE_RATE)


def test_the_same_sound_gives_the_same_times() -> None:
    forms, samples, _ = spoken(LINES[0])
    first = align(samples, SAMPLE_RATE, forms)
    other, others, _ = spoken(LINES[6])
    align(others, SAMPLE_RATE, other)
    assert align(samples, SAMPLE_RATE, forms) == first


def assert_in_order(words: tuple[tuple[float, float], ...], seconds: float) -> None:
    """Spans don't run backwards, nor leave the sound."""
    edges = [edge for word in words for edge in word]
    assert all(a <= b for a, b in pairwise(edges))
    assert edges[0] >= 0
    assert edges[-1] <= seconds + 1e-9


def tone(seconds: float) -> Samples:
    sound = np.sin(2 * np.pi * 440 * np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE)
    return np.asarray(0.2 * sound, np.float32)


@pytest.mark.parametrize("kind", ["tone", "noise", "backwards", "half"])
def test_what_is_not_the_text_gets_estimated_times_and_a_note(kind: str) -> None:
    forms, samples, _ = spoken(LINES[0])
    noise = np.random.default_rng(0).normal(0, 0.1, 100_000).astype(np.float32)
    sound = {"tone": tone(2), "noise": noise, "backwards": samples[::-1], "half": samples[: samples.size // 3]}[kind]
    alignment = align(sound, SAMPLE_RATE, forms)
    assert "estimated" in alignment.note
    assert len(alignment.words) == len(forms)
    assert_in_order(alignment.words, sound.size / SAMPLE_RATE)


def test_estimated_times_leave_pauses_out_and_follow_the_words_lengths() -> None:
    silence = np.zeros(SAMPLE_RATE, np.float32)
    sound = np.concatenate([silence, tone(1), silence, tone(1), silence])
    words = align(sound, SAMPLE_RATE, ("abcde", "abcde", "ab", "abcdefgh")).words
    expected = [(1, 1.5), (1.5, 2), (3, 3.2), (3.2, 4)]
    assert np.abs(np.subtract(words, expected)).max() < 0.03


@given(st.lists(st.sampled_from(["", "a", "a word", "longer"]), max_size=12))
def test_estimated_times_are_in_order(forms: list[str]) -> None:
    words = align(tone(0.5), SAMPLE_RATE, [*forms, "[x](/!/)"]).words
    assert len(words) == len(forms) + 1
    assert_in_order(words, 0.5)


def test_a_word_without_pronunciation_costs_a_note() -> None:
    alignment = align(spoken(LINES[0])[1], SAMPLE_RATE, ("The", "[x](/!/)"))
    assert "no pronunciation" in alignment.note


@settings(max_examples=25)
@given(st.lists(st.floats(0.1, 0.5), min_size=1, max_size=4), st.sampled_from([16_000, 44_100, 48_000]))
def test_sounding_stretches_are_those_that_sound(lengths: list[float], rate: int) -> None:
    room = np.random.default_rng(5).normal(0, 1e-4, round((0.5 + sum(lengths) + 0.4 * len(lengths)) * rate))
    expected, at = [], 0.3
    for length in lengths:
        first, count = round(at * rate), round(length * rate)
        room[first : first + count] += 0.1 * np.sin(2 * np.pi * 300 * np.arange(count) / rate)
        expected.append((at, at + length))
        at += length + 0.4
    found = sounding(room.astype(np.float32), rate)
    assert len(found) == len(expected)
    assert np.abs(np.subtract(found, expected)).max() < 0.025


def test_silence_holds_nothing_that_sounds() -> None:
    assert sounding(np.zeros(48_000, np.float32), SAMPLE_RATE) == ()
    assert sounding(np.zeros(0, np.float32), SAMPLE_RATE) == ()
    assert sounding(np.random.default_rng(0).normal(0, 1e-4, 48_000).astype(np.float32), SAMPLE_RATE) == ()
