"""Plan, take from the store or render what is stale, publish it, join the lesson."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline import captions, manifest
from pipeline.clean import remove_leftovers, remove_strangers, shrink
from pipeline.display import Display
from pipeline.files import digest_of_file, to_json
from pipeline.job import ClipDone, ClipJob
from pipeline.lock import media_lock
from pipeline.places import check_places
from pipeline.plan import EDITED, ClipPlan, Inputs, Record, fingerprint, longest_first
from pipeline.records import write_record
from pipeline.studio import LESSON, Studio

if TYPE_CHECKING:
    from pipeline.rendering import MakeExecutor

GUESSED_SECONDS = 50.0
"""The length of a clip that was never rendered, s."""


class RenderFailed(Exception):
    """Clips could not be rendered, or the lesson not be joined; the display has told which and why."""


@dataclass(frozen=True)
class Orders:
    """How to build: which clips only (None: all, and the lesson), and with how many workers.

    ``executor`` makes the workers; None takes processes of this machine.
    """

    only: tuple[str, ...] | None = None
    jobs: int = 1
    debug: bool = False
    executor: MakeExecutor | None = None


def build(studio: Studio, orders: Orders, display: Display) -> None:
    """Bring ``studio.layout`` up to date, after any other build in its folder.

    RenderFailed when a clip failed, after all others are done; MediaError when the folder can't be written;
    VoiceError when recordings can't be used.
    """
    with media_lock(studio.layout.media, display.say):
        check_places(studio)
        remove_leftovers(studio.layout)
        _heed_recordings(studio, orders, display)
        try:
            _Build(studio, orders, display).run()
        finally:
            display.end()
            remove_leftovers(studio.layout)


def _heed_recordings(studio: Studio, orders: Orders, display: Display) -> None:
    """Before anything is rendered: what is noted here of new recordings is part of what clips are made from."""
    if studio.recordings is None:
        return
    from pipeline.recorded import heed_recordings

    rendering = [clip.name for clip in studio.plan().stale if orders.only is None or clip.name in orders.only]
    for line in heed_recordings(studio, studio.recordings, rendering, orders.jobs):
        display.say(line)


class _Build:
    """One build; the folder is ours."""

    def __init__(self, studio: Studio, orders: Orders, display: Display) -> None:
        self.studio = studio
        self.orders = orders
        self.display = display
        self.sources = studio.look()
        self.inputs = {chapter.name: studio.inputs(chapter, self.sources) for chapter in studio.chapters}

    def run(self) -> None:
        plan = self.studio.plan(self.sources)
        if self._make_clips(plan.clips):
            plan = self.studio.plan(self.sources)
            shrink(self.studio.layout.store)
        if self.orders.only is None:
            remove_strangers(self.studio)
            self._join(plan.lesson)
        self.studio.remember()

    def _make_clips(self, clips: Sequence[ClipPlan]) -> bool:
        """Whether any had to be made. RenderFailed when one couldn't be."""
        only = self.orders.only
        wanted = [clip for clip in clips if only is None or clip.name in only]
        for clip in wanted:
            if clip.fresh:
                self.display.say(f"{clip.name}: fresh")
        stale = [clip for clip in wanted if not clip.fresh]
        failed = self._render([clip for clip in stale if not self._take_from_store(clip.name)])
        if failed:
            raise RenderFailed(f"not rendered: {', '.join(failed)}")
        return bool(stale)

    def _take_from_store(self, name: str) -> bool:
        store = self.studio.store
        entry = store.find(self.inputs[name], self.studio.facts.digests)
        if entry is None or not store.take(entry, self.studio.layout.unfinished(name)):
            return False
        self._publish(name, entry.record)
        self.display.say(f"{name}: taken from the store")
        return True

    def _render(self, stale: Sequence[ClipPlan]) -> list[str]:
        """Names of those that failed."""
        if not stale:
            return []
        from pipeline.rendering import render_all, worker_pool

        lengths, fps = self.studio.lengths(), self.studio.quality.fps
        self.display.begin(stale, {clip.name: round(lengths.get(clip.name, GUESSED_SECONDS) * fps) for clip in stale})
        order = longest_first([clip.name for clip in stale], lengths, GUESSED_SECONDS)
        jobs = [self._job(name) for name in order]
        return render_all(jobs, self.orders.jobs, self.orders.executor or worker_pool, self.display, self._take)

    def _job(self, name: str) -> ClipJob:
        studio = self.studio
        chapter, files = studio.chapter(name), studio.layout.unfinished(name)
        return ClipJob(
            name=name,
            module=chapter.module,
            class_name=chapter.class_name,
            lesson=studio.lesson,
            quality=studio.quality,
            voice=studio.voice,
            video=files.video.resolve(),
            poster=files.poster.resolve(),
            work=studio.layout.work.resolve(),
            debug=self.orders.debug,
        )

    def _take(self, done: ClipDone) -> None:
        """Publish a rendered clip, and keep a copy in the store: the last that a full disk may cost."""
        record = self._finish(done)
        self._publish(done.name, record)
        if EDITED not in record.inputs:
            try:
                self.studio.store.put(record, self.studio.layout.clip(done.name))
            except OSError as error:
                self.display.say(f"{done.name}: not kept in the store: {error.strerror or error}")
        self.display.done(done.name, done.frames)

    def _finish(self, done: ClipDone) -> Record:
        """Write the rest of a clip's files beside its video; its record."""
        studio, files = self.studio, self.studio.layout.unfinished(done.name)
        inputs = self._inputs_of(done.name)
        reads = {key: studio.facts.digests[key] for key in done.reads}
        title = studio.chapter(done.name).title
        data = manifest.clip_manifest(done, title, fingerprint(inputs, reads), studio.quality, reads)
        files.captions.write_text(captions.vtt(done.track.captions), encoding="utf-8", newline="\n")
        files.manifest.write_text(to_json(data), encoding="utf-8", newline="\n")
        values = {key: studio.facts.values[key] for key in done.reads}
        return Record(inputs, reads, values, {path.name: digest_of_file(path) for path in files.all})

    def _inputs_of(self, name: str) -> Inputs:
        """What the clip was made from; marked when a source was edited meanwhile, so that it stays stale."""
        before = self.inputs[name]
        now = self.studio.inputs(self.studio.chapter(name), self.studio.look())
        return before if now == before else {**before, EDITED: "yes"}

    def _publish(self, name: str, record: Record) -> None:
        """Move a finished clip to its place. Its record comes last: what it says of the files must be true."""
        target = self.studio.layout.clip(name)
        for ready, path in zip(self.studio.layout.unfinished(name).all, target.all, strict=True):
            ready.replace(path)
        write_record(self.studio.layout.made(name), record)

    def _join(self, reasons: Sequence[str]) -> None:
        if not reasons:
            self.display.say("lesson: fresh")
            return
        try:
            frames = self._joined()
        except Exception as error:
            raise RenderFailed(f"lesson not joined: {type(error).__name__}: {error}") from error
        self.display.say(f"lesson: joined, {frames} frames, {manifest.clock(frames / self.studio.quality.fps)}")

    def _joined(self) -> int:
        from pipeline.lesson_video import write_lesson

        studio, layout = self.studio, self.studio.layout
        names = [chapter.name for chapter in studio.in_lesson]
        inputs = studio.lesson_inputs(self.sources)
        frames = write_lesson(layout, names, studio.voice, fingerprint(inputs, {}), layout.work)
        ready = [layout.work / path.name for path in layout.lesson_files]
        record = Record(inputs, files={path.name: digest_of_file(path) for path in ready})
        for path in ready:
            path.replace(layout.root / path.name)
        write_record(layout.made(LESSON), record)
        return frames
