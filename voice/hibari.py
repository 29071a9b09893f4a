"""The voice hibari: a small neural engine from pip, offline, and the times of its words from its own durations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voice.loudness import amplified, limited
from voice.speech import SAMPLE_RATE, Samples, Times, VoiceError
from voice.spoken import count, parts

NAME = "hibari"
SPEED = 0.85  # of its own pace: about 190 words a minute within a line, 165 with the breaths between lines
SEED = 2017  # of the noise in breath and consonants
GAIN = 10.5  # dB: the lesson's lines, one after the other, are then at -16.0 LUFS after the limiter

_VERSION = "0.2.1"
_DURATIONS = "/Clip_output_0"  # frames of each phoneme; the name belongs to this version
_FRAME, _RATE = 600, 24_000  # samples a frame, and a second
_LEAD = 0.05  # s that a phoneme sounds before its frames: half the window of the spectrum, and its rise
_PAUSES = frozenset(' ;:,.!?—…"()“”')  # among the phonemes
_UNHEARD = _PAUSES | {"\u02c8", "\u02cc"}  # and the marks of stress
_SILENT = -45.0  # dB, against the loudest moment
_MOMENT = 0.005  # s
_BEFORE, _AFTER = 0.05, 0.1  # s of silence that stay around a line


@cache
def identity() -> str:
    """What makes the same words sound the same: the versions of all that shapes samples, pace, seed and gain."""
    try:
        versions = [f"{name} {version(name)}" for name in ("hibari-tts", "onnxruntime", "numpy", "scipy")]
    except PackageNotFoundError as error:
        raise _broken(f"{error.name} is not installed") from error
    return ", ".join([*versions, f"speed {SPEED}", f"seed {SEED}", f"gain {GAIN}"])


def speak(spoken: str) -> tuple[Samples, Times]:
    """Say a spoken form.

    Returns
    -------
    The samples, float32 [n] at 48 kHz, at their final level, and the start and end of each of its words in s.

    Raises
    ------
    VoiceError
        The engine is missing, broken or of another version, or a word has no sound.
    """
    engine, rng = _engine(), np.random.default_rng(SEED)
    sounds: list[Samples] = []
    words: list[tuple[float, float]] = []
    start = 0.0
    for phonemes in _sentences(engine, spoken):
        sound, times = _said(engine, phonemes, rng)
        words += [(start + a, start + b) for a, b in times]
        sounds.append(sound)
        start += len(sound) / _RATE
    return _finished(np.concatenate(sounds), words)


@cache
def _engine() -> Any:
    """The engine, with its durations as one more output of the model."""
    try:
        import hibari
        from hibari.voices import DEFAULT, voice_path

        if hibari.__version__ == _VERSION:
            return hibari.Hibari(model=Path(voice_path(DEFAULT)).read_bytes() + _output(_DURATIONS))
    except Exception as error:  # whatever a damaged installation raises
        raise _broken(f"{type(error).__name__}: {error}") from error
    raise _broken(f"its version is {hibari.__version__}, not {_VERSION}")


def _broken(why: str) -> VoiceError:
    why = " ".join(why.split())
    return VoiceError(f"the voice {NAME} doesn't work ({why}): set up again, or build without sound: --voice none")


def _output(name: str) -> bytes:
    """A serialized ModelProto that holds only graph.output[].name: appended to a model it adds this output."""
    message = name.encode()
    for field in (1, 12, 7):  # ValueInfoProto.name, GraphProto.output, ModelProto.graph
        message = bytes([field << 3 | 2, len(message)]) + message
    return message


def _sentences(engine: Any, spoken: str) -> Iterator[str]:
    """The phonemes of each sentence, whose words are those of the spoken form: one for one, between spaces."""
    for sentence in engine.split_sentences(spoken):
        chunks = engine.phonemize(sentence)
        if sum(len(_heard(chunk)) for chunk in chunks) != count(sentence):
            chunks = [_word_by_word(engine, sentence)]
        if chunks and sentence[-1] in ".!?…" and chunks[-1][-1] != sentence[-1]:
            chunks[-1] += sentence[-1]  # taken for an abbreviation's: up to d k.
        yield from chunks


def _word_by_word(engine: Any, sentence: str) -> str:
    """Phonemes without regard to neighbours, where the engine joins or parts words."""
    found = []
    for part, words in parts(sentence):
        phonemes = " ".join(engine.phonemize(part))
        said = phonemes.replace(" ", "") if words == 1 else phonemes
        if len(_heard(said)) != words:
            raise VoiceError(f"can't say {part!r}: give another spoken form in [pronunciation] of the lesson file")
        found.append(said)
    return " ".join(found)


def _heard(phonemes: str) -> list[str]:
    return [word for word in phonemes.split(" ") if not _UNHEARD.issuperset(word)]


def _said(engine: Any, phonemes: str, rng: np.random.Generator) -> tuple[Samples, list[tuple[float, float]]]:
    """A sentence's samples at the engine's rate, and its words' start and end in s."""
    from hibari import dsp

    inputs = {"ids": np.array([engine.ids(phonemes)], np.int64), "speed": np.array([SPEED], np.float32)}
    *spectrum, durations = engine.sess.run(None, inputs)
    sound: Samples = dsp.synth(*(part[0] for part in spectrum), rng)
    frames = np.cumsum(durations)  # [phonemes + 2]: the first and the last are pauses
    if frames[-1] * _FRAME != len(sound):
        raise _broken("its durations don't add up to its sound")
    known = [phoneme for phoneme in phonemes if phoneme in engine.vocab]
    times = frames * (_FRAME / _RATE) - _LEAD
    return sound, list(_words(known, times[:-2].tolist(), times[1:-1].tolist()))


def _words(phonemes: list[str], starts: list[float], ends: list[float]) -> Iterator[tuple[float, float]]:
    """The words' start and end. A stress mark before a vowel sounds with it; punctuation is a pause."""
    for parting, group in groupby(zip(phonemes, starts, ends, strict=True), key=lambda phoneme: phoneme[0] == " "):
        sounding = [phoneme for phoneme in group if phoneme[0] not in _PAUSES]
        if not parting and _heard("".join(phoneme[0] for phoneme in sounding)):
            yield sounding[0][1], sounding[-1][2]


def _finished(sound: Samples, words: list[tuple[float, float]]) -> tuple[Samples, Times]:
    """Trimmed, at 48 kHz and at its level; each word from its first to its last loud moment."""
    from scipy.signal import resample_poly

    loud = _loud(sound)
    first = max(0, round((loud[0] - _BEFORE) * _RATE))
    sound = sound[first : round((loud[-1] + _AFTER) * _RATE)]
    times = np.array([_within(loud, *word) for word in words]) - first / _RATE  # [words, 2]
    times = times.clip(0, len(sound) / _RATE).round(4)
    high = resample_poly(sound, SAMPLE_RATE, _RATE).astype(np.float32)
    return limited(amplified(high, GAIN)), tuple((start, end) for start, end in times.tolist())


def _within(loud: npt.NDArray[np.float64], start: float, end: float) -> tuple[float, float]:
    """From the first to the last loud moment between two times, which stay when there is none."""
    inside = loud[(loud >= start) & (loud < end)]
    return (float(inside[0]), float(inside[-1]) + _MOMENT) if len(inside) else (start, end)


def _loud(sound: Samples) -> npt.NDArray[np.float64]:
    """The moments that are no silence, in s."""
    length = round(_MOMENT * _RATE)
    power = np.square(sound[: len(sound) // length * length].reshape(-1, length)).mean(axis=1)
    return np.flatnonzero(power > power.max() * 10 ** (_SILENT / 10)).astype(np.float64) * _MOMENT
