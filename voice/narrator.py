"""Who speaks a line: its recording before the engine, and the store before both."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Protocol

import numpy as np

from voice import hibari
from voice.foreign import in_latin
from voice.recordings import Recordings, Take, outdated_message
from voice.speech import SAMPLE_RATE, Line, Said, Samples, Speech, Times, VoiceError
from voice.spoken import count, joined, spoken_words, unspeakable
from voice.store import SpeechStore, as_stored, key_of

RECORDING = "recording"
_ENGINE_SOURCES = ("hibari", "loudness", "store")
_RECORDING_SOURCES = ("alignment", "loudness", "silence", "sound_file", "store")


class Timed(Protocol):
    """How long a line takes that nobody speaks."""

    @property
    def seconds(self) -> float: ...
    @property
    def words(self) -> Sequence[tuple[float, float]]: ...


@dataclass(frozen=True)
class Voice:
    """Speaks lines, and has their samples.

    ``engine`` tells whether lines without a recording are spoken; otherwise ``paced`` times them. With ``strict``, a
    recording of an older text is an error.
    """

    engine: bool
    recordings: Recordings
    store: SpeechStore
    paced: Callable[[Line], Timed]
    strict: bool = False

    def speak(self, line: Line) -> Speech:
        """Say a line.

        Raises
        ------
        VoiceError
            The engine doesn't work, or can't say a word of the line; a recording can't be used.
        """
        take = self.recordings.find(line)
        if take and not take.outdated:
            return self._recorded(take)
        if take and self.strict:
            raise VoiceError(outdated_message(line.id, take.path, take.recorded_for, line.text))
        if self.engine:
            return self._spoken(line)
        timed = self.paced(line)
        return Speech(timed.seconds, tuple(timed.words), "", "none", "")

    def samples(self, said: Said) -> Samples:
        """The sound of what was said, float32 [n] at 48 kHz; made again when it is no longer in the store.

        Raises
        ------
        VoiceError
            It can't be made again as it was.
        """
        if not said.sound:
            return np.zeros(0, np.float32)
        if stored := self.store.get(said.sound):
            return stored.samples
        if said.origin == hibari.NAME and said.sound == _engine_key(said.spoken):
            return self._engine_words(said.spoken)[0]
        take = self.recordings.find(_Asked(said.id, said.text))
        if take and said.origin == RECORDING and said.sound == _take_key(take, said.spoken):
            return as_stored(take.samples)
        raise VoiceError(f"{said.id}: its sound is gone from {self.store.folder}, and what made it has changed")

    def _spoken(self, line: Line) -> Speech:
        forms = _forms(line)
        spoken = joined(forms)
        try:
            samples, words = self._engine_words(spoken)
        except VoiceError as error:
            raise VoiceError(f"{line.id}: {error}") from error
        return Speech(_seconds(samples), _by_token(forms, words), spoken, hibari.NAME, _engine_key(spoken))

    def _engine_words(self, spoken: str) -> tuple[Samples, Times]:
        key = _engine_key(spoken)
        stored = self.store.get(key) or self.store.put(key, *hibari.speak(spoken))
        return stored.samples, stored.words

    def _recorded(self, take: Take) -> Speech:
        spoken = joined(spoken_words(take.line.text, take.line.says))
        key = _take_key(take, spoken)
        stored = self.store.get(key) or self.store.put(key, take.samples, take.words)
        return Speech(_seconds(stored.samples), stored.words, spoken, RECORDING, key)


@dataclass(frozen=True)
class _Asked:
    """A line by what a timeline keeps of it."""

    id: str
    text: str
    says: tuple[tuple[str, str], ...] = ()


def _forms(line: Line) -> tuple[str, ...]:
    """The line's spoken forms, all of which the engine can say."""
    try:
        forms = spoken_words(line.text, line.says)
    except VoiceError as error:
        raise VoiceError(f"{line.id}: {error}") from error
    forms = tuple(in_latin(form) if unspeakable(form) else form for form in forms)
    for token, form in zip(line.text.split(), forms, strict=True):
        if unsaid := unspeakable(form):
            raise VoiceError(
                f"{line.id}: can't say {unsaid!r} in {token!r}: give its spoken form in [pronunciation] of "
                "the lesson file, or build without sound: --voice none"
            )
    if not any(map(count, forms)):
        raise VoiceError(f"{line.id}: {line.text!r} holds no word to say")
    return forms


def _by_token(forms: tuple[str, ...], words: Times) -> Times:
    """Times of the text's tokens from those of spoken words; a token that isn't heard has no length."""
    found: list[tuple[float, float]] = []
    for first, last in pairwise(accumulate(map(count, forms), initial=0)):
        here = found[-1][1] if found else 0.0
        found.append((words[first][0], words[last - 1][1]) if last > first else (here, here))
    return tuple(found)


def _seconds(samples: Samples) -> float:
    return len(samples) / SAMPLE_RATE


@cache
def _engine_key(spoken: str) -> str:
    return key_of("speech 1", hibari.identity(), *_sources(_ENGINE_SOURCES), spoken)


def _take_key(take: Take, spoken: str) -> str:
    packages = [f"{name} {version(name)}" for name in ("av", "numpy", "pocketsphinx", "pyloudnorm", "scipy")]
    return key_of("recording 1", *packages, *_sources(_RECORDING_SOURCES), take.digest, take.line.text, spoken)


@cache
def _sources(names: tuple[str, ...]) -> tuple[str, ...]:
    """Digests of our own modules that shape samples; comments and layout don't count."""
    texts = (Path(__file__).with_name(f"{name}.py").read_text(encoding="utf-8") for name in names)
    return tuple(hashlib.sha256(ast.dump(ast.parse(text)).encode()).hexdigest() for text in texts)
