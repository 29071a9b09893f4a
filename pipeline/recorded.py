"""Recordings before a build: new ones are noted, and the lecturer hears at once which no longer fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from pipeline.files import read_json
from pipeline.job import SILENT, ChapterLike
from pipeline.lines import RehearsalFailed, heard
from pipeline.studio import Studio
from voice import VoiceError
from voice.recordings import Recordings

Texts = Mapping[str, str]
"""Lines' texts by id."""


def family(chapter: ChapterLike, chapters: Iterable[ChapterLike]) -> set[str]:
    """The names that the ids of a chapter's lines, and of those it keeps time with, may begin with."""
    main = chapter.variant_of or chapter.name
    return {each.name for each in chapters if main in (each.name, each.variant_of)}


def heed_recordings(studio: Studio, recordings: Recordings, rendering: Collection[str], jobs: int) -> list[str]:
    """Note what each new recording was recorded for; returns a line for each that no longer fits, or fits no line.

    Parameters
    ----------
    rendering
        The chapters that are about to be rendered. Those with recordings are played, to know their lines; the lines
        of the others stand in their manifests.

    Raises
    ------
    VoiceError
        The folder holds something that can't be read; or recordings are taken strictly, and a line has changed since.
    """
    recorded = {_chapter_of(key) for key in recordings.ids}
    concerned = [each for each in studio.chapters if recorded & family(each, studio.chapters)]
    known = _known_lines(studio, concerned, rendering, jobs)
    texts = {key: text for lines in known.values() for key, text in lines.items()}
    outdated = recordings.outdated(texts)
    if outdated and studio.voice.strict:
        raise VoiceError(outdated[0] + (f" (and {len(outdated) - 1} more)" if len(outdated) > 1 else ""))
    unknown = {name for each in concerned if each.name not in known for name in family(each, studio.chapters)}
    undecided = {key for key in recordings.ids if _chapter_of(key) in unknown}
    news = [recordings.register(texts), *outdated, *recordings.strays(texts.keys() | undecided)]
    return [line for line in news if line]


def _chapter_of(line_id: str) -> str:
    return line_id.partition(".")[0]


def _known_lines(
    studio: Studio, chapters: Sequence[ChapterLike], rendering: Collection[str], jobs: int
) -> dict[str, Texts]:
    """The lines of each chapter; a chapter that fails, or was never made, has no entry."""
    found: dict[str, Texts] = {}
    to_play = [chapter for chapter in chapters if chapter.name in rendering]
    for chapter, lines in zip(to_play, heard(to_play, studio.lesson, SILENT, jobs), strict=True):
        if not isinstance(lines, RehearsalFailed):
            found[chapter.name] = {line.id: line.text for line, _ in lines}
    for chapter in chapters:
        data = read_json(studio.layout.clip(chapter.name).manifest)
        if chapter.name not in rendering and isinstance(data, dict):
            found[chapter.name] = {line["id"]: line["text"] for line in data.get("lines", ())}
    return found
