"""The reading script of a lesson: its chapters are played without drawing, in worker processes, to hear their lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pipeline.captions import HEADING
from pipeline.files import write_whole
from pipeline.job import SILENT, VoiceOrders
from pipeline.lines import Lines, RehearsalFailed, heard
from pipeline.studio import Studio
from scenes.kit.narration import Line
from voice import VoiceError
from voice.recordings import LANGUAGE, SCRIPT, Recordings
from voice.script import OUTDATED, RECORDED, TO_RECORD, Entry, as_csv, as_markdown
from voice.spoken import spoken_words


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
    return [*filter(None, news), f"{page} and {SCRIPT}: {len(texts)} lines, {len(recordings.ids)} recordings"]


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


def _lines(studio: Studio, jobs: int) -> list[tuple[str, Lines]]:
    """Title and lines of each chapter; a line that a variant shares stands in its chapter alone."""
    found: list[tuple[str, Lines]] = []
    known: set[str] = set()
    for chapter, lines in zip(
        studio.chapters, heard(studio.chapters, studio.lesson, _engine(studio), jobs), strict=True
    ):
        if isinstance(lines, RehearsalFailed):
            raise lines
        own = tuple((line, seconds) for line, seconds in lines if line.id not in known)
        known |= {line.id for line, _ in own}
        if own:
            found.append((chapter.title, own))
    return found


def _engine(studio: Studio) -> VoiceOrders:
    """Lengths are the engine's, whatever is recorded already: nothing a recording can have wrong stops the script."""
    engine = replace(studio.voice, recordings=Path(os.devnull), strict=False)
    return engine if engine.name not in ("none", "recordings") else SILENT
