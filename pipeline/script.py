"""The reading script of a lesson: its chapters are played without drawing, in worker processes, to hear their lines."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from lesson import Lesson
from pipeline.files import write_whole
from pipeline.job import SILENT, ChapterLike, VoiceOrders
from pipeline.manim_setup import configure_manim
from pipeline.rehearsal import SMALL, rehearsed
from pipeline.sound import Speaker, speaker
from pipeline.studio import HEADING, Studio
from scenes.kit.narration import Line, Spoken
from voice import VoiceError
from voice.recordings import LANGUAGE, SCRIPT, Recordings
from voice.script import OUTDATED, RECORDED, TO_RECORD, Entry, as_csv, as_markdown
from voice.spoken import spoken_words


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


def write_script(studio: Studio, jobs: int) -> list[str]:
    """Write `en/script.md` and `en/script.csv` into the recordings folder; returns what there is to say of it.

    Raises
    ------
    VoiceError
        A line can't be spoken, or the folder holds something that can't be read.
    RehearsalFailed
        A chapter can't be played.
    """
    folder = studio.voice.recordings / LANGUAGE
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    chapters = _lines(studio, jobs)
    texts = {line.id: line.text for _, lines in chapters for line, _ in lines}
    recordings = Recordings(studio.voice.recordings)
    # What was recorded so far was read from the script that is about to be replaced.
    news = [recordings.register(texts), *recordings.strays(texts), *recordings.outdated(texts)]
    entries = [(title, [_entry(line, seconds, recordings) for line, seconds in lines]) for title, lines in chapters]
    page = folder / "script.md"
    with _writing(folder):
        write_whole(folder / SCRIPT, "\ufeff" + as_csv(entries))  # spreadsheets take the mark as a sign of UTF-8
        write_whole(page, as_markdown(HEADING, entries, f"{studio.voice.recordings.name}/{LANGUAGE}"))
    return [*filter(None, news), f"{page} and {SCRIPT}: {len(texts)} lines, {len(recordings)} recordings"]


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise VoiceError(
            f"{folder}: the script can't be written: {error.strerror}; --recordings names another"
        ) from error


def _entry(line: Line, seconds: float, recordings: Recordings) -> Entry:
    take = recordings.find(line)
    state = TO_RECORD if take is None else OUTDATED if take.outdated else RECORDED
    return Entry(line.id, line.text, seconds, spoken_words(line.text, line.says), state)


Lines = tuple[tuple[Line, float], ...]
"""Lines in order, each with its length in s."""


def _lines(studio: Studio, jobs: int) -> list[tuple[str, Lines]]:
    """Title and lines of each chapter; a line that a variant shares stands in its chapter alone."""
    found: list[tuple[str, Lines]] = []
    known: set[str] = set()
    for chapter, lines in zip(
        studio.chapters, _rehearse([_part(studio, each) for each in studio.chapters], jobs), strict=True
    ):
        own = tuple((line, seconds) for line, seconds in lines if line.id not in known)
        known |= {line.id for line, _ in own}
        if own:
            found.append((chapter.title, own))
    return found


def _part(studio: Studio, chapter: ChapterLike) -> Part:
    """Lengths are the engine's, whatever is recorded already: nothing a recording can have wrong stops the script."""
    engine = replace(studio.voice, recordings=Path(os.devnull), strict=False)
    voice = engine if engine.name not in ("none", "recordings") else SILENT
    return Part(chapter.name, chapter.module, chapter.class_name, studio.lesson, voice)


def _rehearse(parts: Sequence[Part], jobs: int) -> list[Lines]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(parts)), mp_context=context, initializer=_start_worker) as pool:
        try:
            return list(pool.map(lines_of, parts))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _start_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's


def lines_of(part: Part) -> Lines:
    """Play a chapter in this process.

    Raises
    ------
    VoiceError, RehearsalFailed
        As `write_script`.
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
