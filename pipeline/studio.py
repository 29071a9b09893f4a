"""What there is: chapters, a lesson, an output folder; and what of it is stale. Reads, never writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lesson import Lesson
from pipeline import manifest
from pipeline.files import Layout, digest_of_text, is_whole_mp4, read_json
from pipeline.inputs import clip_inputs, source_digest
from pipeline.job import SILENT, ChapterLike, VoiceOrders
from pipeline.plan import ClipPlan, Plan, Record, plan_clip, plan_lesson
from pipeline.quality import QUALITIES, Quality

HEADING = "Self-attention"
JOINERS = ("captions.py", "encoder.py", "join.py", "lesson_video.py", "manifest.py", "sound.py")
"""The modules of this package that shape the lesson video and its texts."""


@dataclass(frozen=True)
class Studio:
    """What a build works on; ``chapters`` in lesson order."""

    chapters: tuple[ChapterLike, ...]
    lesson: Lesson
    layout: Layout
    voice: VoiceOrders = SILENT

    @property
    def quality(self) -> Quality:
        """Picture size and frame rate."""
        return self.layout.quality

    @property
    def in_lesson(self) -> tuple[ChapterLike, ...]:
        """The chapters of the lesson video: all but the variants."""
        return tuple(chapter for chapter in self.chapters if chapter.variant_of is None)

    def chapter(self, name: str) -> ChapterLike:
        """The chapter of that name; KeyError without one."""
        return {chapter.name: chapter for chapter in self.chapters}[name]

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """All facts' digests."""
        return {key: self.lesson.facts.digest(key) for key in self.lesson.facts.keys()}  # noqa: SIM118

    def inputs(self, chapter: ChapterLike) -> dict[str, str]:
        """What the clip would be made from now, besides facts."""
        return clip_inputs(chapter, self.lesson, self.quality)

    def record(self, name: str) -> Record | None:
        """What the clip's manifest says, or None without a manifest that can be read."""
        files = self.layout.clip(name)
        data = _table(files.manifest)
        if not set(manifest.KEYS) <= set(data) or not isinstance(data["reads"], dict):
            return None
        faults = [f"{path.name} is missing" for path in files.all if not path.is_file()]
        if files.video.is_file() and not is_whole_mp4(files.video):
            faults.append(f"{files.video.name} is damaged")
        inputs = _table(self.layout.inputs(name))
        return Record(str(data["fingerprint"]), data["reads"], inputs or None, tuple(faults))

    def plan(self) -> Plan:
        """Fresh or stale, with reasons, for every clip and the lesson."""
        records = {chapter.name: self.record(chapter.name) for chapter in self.chapters}
        clips = tuple(
            plan_clip(chapter.name, self.inputs(chapter), self.digests, records[chapter.name])
            for chapter in self.chapters
        )
        prints = {name: record.fingerprint for name, record in records.items() if record is not None}
        return Plan(clips, self._plan_lesson(clips, prints))

    def _plan_lesson(self, clips: Sequence[ClipPlan], prints: Mapping[str, str]) -> tuple[str, ...]:
        faults = [f"{path.name} is missing" for path in self.layout.lesson_files if not path.is_file()]
        if self.layout.lesson_video.is_file() and not is_whole_mp4(self.layout.lesson_video):
            faults.append(f"{self.layout.lesson_video.name} is damaged")
        return plan_lesson(
            [clip.name for clip in clips if not clip.fresh and clip.name in {c.name for c in self.in_lesson}],
            self.lesson_fingerprint(prints),
            _table(self.layout.lesson_manifest).get("fingerprint"),
            faults,
        )

    def lesson_fingerprint(self, prints: Mapping[str, str]) -> str:
        """Over the clips' fingerprints in order, their titles, and the code that joins them."""
        order = [(c.name, c.title, prints.get(c.name, "")) for c in self.in_lesson]
        code = [source_digest(Path(__file__).with_name(name)) for name in JOINERS]
        return digest_of_text(repr((HEADING, order, code)))

    def lengths(self) -> dict[str, float]:
        """Last known lengths, s; a clip is equally long at every quality."""
        found: dict[str, float] = {}
        for quality in (self.quality, *QUALITIES.values()):
            for chapter in self.chapters:
                data = _table(Layout(self.layout.media, quality).clip(chapter.name).manifest)
                if isinstance(data.get("duration"), float):
                    found.setdefault(chapter.name, data["duration"])
        return found


def _table(path: Path) -> dict[str, Any]:
    """The JSON object in the file; an empty one when there is none."""
    data = read_json(path)
    return data if isinstance(data, dict) else {}
