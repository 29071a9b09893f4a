"""What there is: chapters, a lesson, an output folder; and what of it is stale. Reads, never writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lesson import Lesson
from pipeline.digests import FileDigests
from pipeline.facts_cache import FactsCache
from pipeline.files import Layout, read_json
from pipeline.inputs import clip_inputs, maker_digests
from pipeline.job import SILENT, ChapterLike, VoiceOrders
from pipeline.plan import ClipPlan, FactsNow, Inputs, Plan, Record, plan_clip, plan_lesson
from pipeline.quality import QUALITIES, Quality
from pipeline.records import read_record
from pipeline.sources import Sources
from pipeline.store import ClipStore

if TYPE_CHECKING:
    from voice.recordings import Recordings

LESSON = "lesson"
"""Under this name the lesson video has its record."""
JOINERS = ("pipeline.lesson_video",)
"""The module that makes the lesson video and its texts."""


@dataclass(frozen=True)
class Studio:
    """What a build works on; ``chapters`` in lesson order."""

    chapters: tuple[ChapterLike, ...]
    lesson: Lesson
    layout: Layout
    voice: VoiceOrders = SILENT
    sources: Sources = field(default_factory=Sources)
    facts_cache: FactsCache | None = None

    @property
    def quality(self) -> Quality:
        """Picture size and frame rate."""
        return self.layout.quality

    @property
    def in_lesson(self) -> tuple[ChapterLike, ...]:
        """The chapters of the lesson video: all but the variants."""
        return tuple(chapter for chapter in self.chapters if chapter.variant_of is None)

    @cached_property
    def digests(self) -> FileDigests:
        """Digests of finished files."""
        return FileDigests(self.layout.media, self.layout.known("files"))

    @cached_property
    def store(self) -> ClipStore:
        """Clips made earlier."""
        return ClipStore(self.layout.store / "clips")

    @cached_property
    def facts(self) -> FactsNow:
        """All facts."""
        facts = self.lesson.facts
        digests = {key: facts.digest(key) for key in facts.keys()}  # noqa: SIM118 - Facts is no dict
        return FactsNow(digests, {key: _plain(facts[key].value) for key in digests})

    @cached_property
    def recordings(self) -> Recordings | None:
        """The lecturer's recordings, if there are any; without a voice, they are not looked at."""
        if self.voice.name == SILENT.name or not self.voice.recordings.is_dir():
            return None
        from voice.recordings import Recordings

        found = Recordings(self.voice.recordings)
        return found if found.ids else None

    def chapter(self, name: str) -> ChapterLike:
        """The chapter of that name; KeyError without one."""
        return {chapter.name: chapter for chapter in self.chapters}[name]

    def look(self) -> Sources:
        """A look at the sources as they are at this moment."""
        return self.sources.again()

    def inputs(self, chapter: ChapterLike, sources: Sources, quality: Quality | None = None) -> Inputs:
        """What the clip would be made from now, besides facts."""
        recorded = self.recordings.digests if self.recordings else {}
        mine = {line: digest for line, digest in recorded.items() if chapter_of(line) in self.family(chapter)}
        return clip_inputs(chapter, self.lesson, quality or self.quality, sources, self.voice.name, mine)

    def family(self, chapter: ChapterLike) -> set[str]:
        """The chapters whose lines set this one's pace: its own, and those of the variants that keep time with it."""
        main = chapter.variant_of or chapter.name
        return {each.name for each in self.chapters if main in (each.name, each.variant_of)}

    def record(self, name: str) -> Record | None:
        """The record of a clip or of the lesson, or None without one that can be believed."""
        return read_record(self.layout.made(name))

    def plan(self, sources: Sources | None = None) -> Plan:
        """Fresh or stale, with reasons, for every clip and the lesson; by these sources, or by those of this moment."""
        sources = sources or self.look()
        clips = tuple(self._plan_clip(chapter, sources) for chapter in self.chapters)
        return Plan(clips, self._plan_lesson(clips, sources))

    def _plan_clip(self, chapter: ChapterLike, sources: Sources) -> ClipPlan:
        record = self.record(chapter.name)
        faults = self._faults(record, self.layout.clip(chapter.name).all)
        return plan_clip(chapter.name, self.inputs(chapter, sources), self.facts, record, faults)

    def _plan_lesson(self, clips: Sequence[ClipPlan], sources: Sources) -> tuple[str, ...]:
        parts = {chapter.name for chapter in self.in_lesson}
        stale = [clip.name for clip in clips if not clip.fresh and clip.name in parts]
        record = self.record(LESSON)
        return plan_lesson(stale, self.lesson_inputs(sources), record, self._faults(record, self.layout.lesson_files))

    def _faults(self, record: Record | None, files: Sequence[Path]) -> list[str]:
        """What is wrong with finished files, by their digests."""
        faults = []
        for path in files if record is not None else ():
            found = self.digests.of(path)
            if found is None:
                faults.append(f"{path.name} is missing")
            elif record is not None and found != record.files.get(path.name):
                faults.append(f"{path.name} is damaged")
        return faults

    def lesson_inputs(self, sources: Sources) -> Inputs:
        """What the lesson video would be made from now: its clips by fingerprint, and the code that joins them."""
        names = [chapter.name for chapter in self.in_lesson]
        records = {name: self.record(name) for name in names}
        return {
            "order": ", ".join(names),
            **{f"title of {chapter.name}": chapter.title for chapter in self.in_lesson},
            **{f"clip {name}": record.fingerprint for name, record in records.items() if record is not None},
            **maker_digests(sources, JOINERS, self.voice.name),
        }

    def remember(self) -> None:
        """Keep what was learnt of files, sources and facts, for the next run to be quick."""
        self.digests.save()
        self.sources.save()
        if self.facts_cache is not None:
            self.facts_cache.save()

    def lengths(self) -> dict[str, float]:
        """Last known lengths, s; a clip is equally long at every quality."""
        found: dict[str, float] = {}
        for quality in (self.quality, *QUALITIES.values()):
            for chapter in self.chapters:
                data = _table(Layout(self.layout.media, quality).clip(chapter.name).manifest)
                if isinstance(data.get("duration"), float):
                    found.setdefault(chapter.name, data["duration"])
        return found


def chapter_of(line: str) -> str:
    """The chapter in a line's id."""
    return line.partition(".")[0]


def _plain(value: Any) -> Any:
    """A fact's value as JSON has it."""
    return value.tolist() if hasattr(value, "tolist") else list(value) if isinstance(value, tuple) else value


def _table(path: Path) -> dict[str, Any]:
    """The JSON object in the file; an empty one when there is none."""
    data = read_json(path)
    return data if isinstance(data, dict) else {}
