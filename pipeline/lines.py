"""The lines of chapters, without rendering: each is played without drawing, in worker processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from lesson import Lesson
from pipeline.job import ChapterLike, VoiceOrders
from pipeline.manim_setup import configure_manim
from pipeline.pool import each_in_a_process
from pipeline.rehearsal import SMALL, rehearsed
from pipeline.sound import Speaker, speaker
from scenes.kit.narration import Line, Spoken
from voice import VoiceError

Lines = tuple[tuple[Line, float], ...]
"""Lines in order, each with its length in s."""


class RehearsalFailed(Exception):
    """A chapter could not be played; one line."""


@dataclass(frozen=True)
class Part:
    """A chapter to play: plain data, which crosses to a worker process."""

    name: str
    module: str
    class_name: str
    lesson: Lesson
    voice: VoiceOrders


@dataclass
class _Listener:
    """A narrator that remembers what it was asked to say, and how long that took."""

    speaker: Speaker
    heard: dict[str, tuple[Line, float]] = field(default_factory=dict)

    def speak(self, line: Line) -> Spoken:
        """Have the line said."""
        spoken = self.speaker.speak(line)
        self.heard[line.id] = line, spoken.seconds
        return spoken


def heard(
    chapters: Sequence[ChapterLike], lesson: Lesson, voice: VoiceOrders, jobs: int
) -> list[Lines | RehearsalFailed]:
    """The lines of each chapter, spoken by that voice; what a chapter that can't be played failed of.

    Raises
    ------
    VoiceError
        A line can't be spoken.
    """
    parts = [Part(each.name, each.module, each.class_name, lesson, voice) for each in chapters]
    return list(each_in_a_process(_lines_or_failure, parts, jobs))


def _lines_or_failure(part: Part) -> Lines | RehearsalFailed:
    try:
        return lines_of(part)
    except RehearsalFailed as failure:
        return failure


def lines_of(part: Part) -> Lines:
    """Play a chapter in this process.

    Raises
    ------
    VoiceError
        A line can't be spoken.
    RehearsalFailed
        Anything else went wrong.
    """
    with TemporaryDirectory() as scratch:
        configure_manim(SMALL, Path(scratch))
    listener = _Listener(speaker(part.voice))
    try:
        scene = rehearsed(getattr(import_module(part.module), part.class_name), part.lesson, listener)
    except VoiceError:
        raise
    except Exception as error:
        raise RehearsalFailed(f"{part.name}: {type(error).__name__}: {error}") from error
    return tuple(listener.heard[said.id] for said in scene.timeline.lines)
