"""Recordings before a build: new ones are noted, and the lecturer hears at once which can't be used."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pipeline.files import read_json
from pipeline.job import SILENT, ChapterLike
from pipeline.lines import RehearsalFailed, heard
from pipeline.studio import Studio, chapter_of
from scenes.kit.narration import Line
from voice import VoiceError
from voice.recordings import Recordings


def heed_recordings(studio: Studio, recordings: Recordings, rendering: Collection[str], jobs: int) -> list[str]:
    """Note what each new recording was recorded for; returns a line for each that does not fit, or fits no line.

    Parameters
    ----------
    rendering
        The chapters that are about to be rendered. Those with recordings are played, to know their lines; the lines
        of the others stand in their manifests.

    Raises
    ------
    VoiceError
        A new recording can't be used, or the folder holds something that can't be read; or recordings are taken
        strictly, and a line has changed since.
    """
    recorded = {chapter_of(key) for key in recordings.ids}
    concerned = [chapter for chapter in studio.chapters if recorded & studio.family(chapter)]
    known = _known_lines(studio, concerned, rendering, jobs)
    lines = {line.id: line for of_chapter in known.values() for line in of_chapter}
    texts = {key: line.text for key, line in lines.items()}
    outdated = recordings.outdated(texts)
    if outdated and studio.voice.strict:
        raise VoiceError(outdated[0] + (f" (and {len(outdated) - 1} more)" if len(outdated) > 1 else ""))
    notes = [take.note for key in recordings.new if key in lines and (take := recordings.find(lines[key]))]
    unknown = {name for chapter in concerned if chapter.name not in known for name in studio.family(chapter)}
    undecided = {key for key in recordings.ids if chapter_of(key) in unknown}
    news = [recordings.register(texts), *notes, *outdated, *recordings.strays(texts.keys() | undecided)]
    return [line for line in news if line]


def _known_lines(
    studio: Studio, chapters: Sequence[ChapterLike], rendering: Collection[str], jobs: int
) -> Mapping[str, Sequence[Line]]:
    """The lines of each chapter; a chapter that fails, or was never made, has no entry."""
    found: dict[str, Sequence[Line]] = {}
    to_play = [chapter for chapter in chapters if chapter.name in rendering]
    for chapter, lines in zip(to_play, heard(to_play, studio.lesson, SILENT, jobs), strict=True):
        if not isinstance(lines, RehearsalFailed):
            found[chapter.name] = [line for line, _ in lines]
    for chapter in chapters:
        data = read_json(studio.layout.clip(chapter.name).manifest)
        if chapter.name not in rendering and isinstance(data, dict):
            found[chapter.name] = [Line(line["id"], line["text"]) for line in data.get("lines", ())]
    return found
