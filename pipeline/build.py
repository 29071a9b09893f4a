"""Look at what is there, plan, render what is stale, publish it, join the lesson."""

from __future__ import annotations

import multiprocessing
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from lesson import Lesson

from pipeline import captions as text
from pipeline import manifest
from pipeline.captions import Part
from pipeline.display import Display
from pipeline.files import Layout, digest_of_text, is_whole_mp4, read_json, to_json, write_whole
from pipeline.inputs import clip_inputs, source_digest
from pipeline.job import ChapterLike, ClipDone, ClipFailed, ClipJob, ClipResult, Progress
from pipeline.join import join_clips
from pipeline.lock import media_lock
from pipeline.plan import ClipPlan, Plan, Record, fingerprint, longest_first, plan_clip, plan_lesson
from pipeline.quality import QUALITIES, Quality
from pipeline.worker import render_clip, start_worker

HEADING = "Self-attention"
GUESSED_SECONDS = 50.0
STOP_SECONDS = 5.0
"""How long workers may take to stop at their next frame before they are ended."""

JOINERS = ("captions.py", "encoder.py", "join.py", "manifest.py")


class RenderFailed(Exception):
    """Clips could not be rendered; the display has told which and why."""


@dataclass(frozen=True)
class Studio:
    """What a build works on. ``chapters`` in lesson order; ``lesson`` is loaded."""

    chapters: tuple[ChapterLike, ...]
    lesson: Lesson
    layout: Layout

    @property
    def quality(self) -> Quality:
        return self.layout.quality

    @property
    def in_lesson(self) -> tuple[ChapterLike, ...]:
        """The chapters of the lesson video: all but the variants."""
        return tuple(chapter for chapter in self.chapters if chapter.variant_of is None)

    @cached_property
    def digests(self) -> dict[str, str]:
        """All facts' digests."""
        return {key: self.lesson.facts.digest(key) for key in self.lesson.facts.keys()}  # noqa: SIM118

    def inputs(self, chapter: ChapterLike) -> dict[str, str]:
        return clip_inputs(chapter, self.lesson, self.quality)

    def record(self, name: str) -> Record | None:
        """What the clip's manifest says, or None without a manifest."""
        files = self.layout.clip(name)
        data = read_json(files.manifest)
        if not isinstance(data, dict) or not set(manifest.KEYS) <= set(data):
            return None
        faults = [f"{path.name} is missing" for path in files.all if not path.is_file()]
        if files.video.is_file() and not is_whole_mp4(files.video):
            faults.append(f"{files.video.name} is damaged")
        return Record(data["fingerprint"], data["reads"], read_json(self.layout.inputs(name)), tuple(faults))

    def plan(self) -> Plan:
        """Fresh or stale, with reasons, for every clip and the lesson."""
        records = {chapter.name: self.record(chapter.name) for chapter in self.chapters}
        clips = tuple(
            plan_clip(chapter.name, self.inputs(chapter), self.digests, records[chapter.name])
            for chapter in self.chapters
        )
        prints = {name: record.fingerprint for name, record in records.items() if record is not None}
        recorded = read_json(self.layout.lesson_manifest)
        lesson = plan_lesson(
            clips,
            [chapter.name for chapter in self.in_lesson],
            self.lesson_fingerprint(prints),
            recorded.get("fingerprint") if isinstance(recorded, dict) else None,
            [f"{path.name} is missing" for path in self.layout.lesson_files if not path.is_file()],
        )
        return Plan(clips, lesson)

    def lesson_fingerprint(self, prints: Mapping[str, str]) -> str:
        """Over the clips in order, their titles, and the code that joins them."""
        order = [(c.name, c.title, prints.get(c.name, "")) for c in self.in_lesson]
        code = [source_digest(Path(__file__).with_name(name)) for name in JOINERS]
        return digest_of_text(repr((HEADING, order, code)))

    def lengths(self) -> dict[str, float]:
        """Last known lengths, s; a clip is equally long at every quality."""
        found: dict[str, float] = {}
        for quality in (self.quality, *QUALITIES.values()):
            layout = Layout(self.layout.media, quality)
            for chapter in self.chapters:
                data = read_json(layout.clip(chapter.name).manifest)
                if isinstance(data, dict) and "duration" in data:
                    found.setdefault(chapter.name, float(data["duration"]))
        return found


MakeExecutor = Callable[[int, Any, Any], Executor]


def process_pool(jobs: int, progress: Any, stop: Any) -> Executor:
    """Worker processes that start from nothing, so that no state of the parent reaches a clip."""
    return ProcessPoolExecutor(
        jobs, mp_context=multiprocessing.get_context("spawn"), initializer=start_worker, initargs=(progress, stop)
    )


@dataclass(frozen=True)
class Orders:
    """How to build: which clips only (None: all, and the lesson), with how many workers."""

    only: tuple[str, ...] | None = None
    jobs: int = 1
    debug: bool = False
    executor: MakeExecutor = process_pool


def build(studio: Studio, orders: Orders, display: Display) -> None:
    """Bring ``studio.layout`` up to date. RenderFailed when a clip failed; LockedError when the folder is in use."""
    with media_lock(studio.layout.media):
        _sweep(studio.layout)
        try:
            _render_stale(studio, orders, display)
            if orders.only is None:
                _join_if_stale(studio, display)
        finally:
            display.end()
            _sweep(studio.layout)


def _sweep(layout: Layout) -> None:
    """Remove what a killed build left unfinished."""
    shutil.rmtree(layout.work, ignore_errors=True)
    for folder in (layout.root, layout.root / "clips", layout.root / ".inputs"):
        for partial in sorted(folder.glob(".*.part")):
            partial.unlink(missing_ok=True)


def _render_stale(studio: Studio, orders: Orders, display: Display) -> None:
    wanted = [clip for clip in studio.plan().clips if orders.only is None or clip.name in orders.only]
    stale = [clip for clip in wanted if not clip.fresh]
    for clip in wanted:
        if clip.fresh:
            display.say(f"{clip.name}: fresh")
    if not stale:
        return
    lengths = studio.lengths()
    expected = {
        clip.name: round(lengths.get(clip.name, GUESSED_SECONDS) * studio.quality.fps) for clip in stale
    }
    display.begin(stale, expected)
    order = longest_first([clip.name for clip in stale], lengths, GUESSED_SECONDS)
    chapters = {chapter.name: chapter for chapter in studio.chapters}
    failed = _Rendering(studio, orders, display).run([chapters[name] for name in order])
    if failed:
        raise RenderFailed(f"not rendered: {', '.join(failed)}")


class _Rendering:
    """Hands clips to workers and publishes what comes back."""

    def __init__(self, studio: Studio, orders: Orders, display: Display) -> None:
        self.studio = studio
        self.orders = orders
        self.display = display
        # Taken before rendering: an edit made meanwhile leaves the clip stale, not wrongly fresh.
        self.inputs = {chapter.name: studio.inputs(chapter) for chapter in studio.chapters}

    def run(self, chapters: Sequence[ChapterLike]) -> list[str]:
        """Render all; returns the names of those that failed."""
        context = multiprocessing.get_context("spawn")
        queue: Any = context.Queue()
        stop = context.Event()
        reader = threading.Thread(target=self._read_progress, args=(queue,), daemon=True)
        reader.start()
        executor = self.orders.executor(min(self.orders.jobs, len(chapters)), queue, stop)
        futures: dict[Future[ClipResult], str] = {}
        try:
            for chapter in chapters:
                futures[executor.submit(render_clip, self._job(chapter))] = chapter.name
            failed = [futures[future] for future in as_completed(futures) if not self._take(futures[future], future)]
            executor.shutdown()
            return sorted(failed)
        except BaseException:
            stop.set()
            executor.shutdown(wait=False, cancel_futures=True)
            wait(futures, timeout=STOP_SECONDS)
            for child in multiprocessing.active_children():
                child.terminate()
                child.join()
            raise
        finally:
            queue.put(None)
            reader.join()

    def _job(self, chapter: ChapterLike) -> ClipJob:
        files = self.studio.layout.unfinished(chapter.name)
        return ClipJob(
            name=chapter.name,
            title=chapter.title,
            module=chapter.module,
            class_name=chapter.class_name,
            lesson=self.studio.lesson.path.resolve(),
            quality=self.studio.quality,
            video=files.video.resolve(),
            poster=files.poster.resolve(),
            work=self.studio.layout.work.resolve(),
            debug=self.orders.debug,
        )

    def _read_progress(self, queue: Any) -> None:
        while isinstance(news := queue.get(), Progress):
            self.display.progress(news.name, news.frames)

    def _take(self, name: str, future: Future[ClipResult]) -> bool:
        try:
            result = future.result()
        except BrokenProcessPool:
            result = ClipFailed(name, f"{name}: its worker process ended unexpectedly (killed, or out of memory?)")
        if isinstance(result, ClipFailed):
            self.display.failed(result.message, result.traceback)
            return False
        publish(self.studio, result, self.inputs[name])
        self.display.done(name, result.frames)
        return True


def publish(studio: Studio, done: ClipDone, inputs: Mapping[str, str]) -> None:
    """Move a rendered clip to its place. The manifest goes first and comes last: without it a clip counts as stale, so

    a build that is killed in between leaves nothing that looks fresh.
    """
    chapter = next(chapter for chapter in studio.chapters if chapter.name == done.name)
    source, target = studio.layout.unfinished(done.name), studio.layout.clip(done.name)
    reads = {key: studio.digests[key] for key in done.reads}
    data = manifest.clip_manifest(done, chapter.title, fingerprint(inputs, reads), studio.quality, reads)
    target.video.parent.mkdir(parents=True, exist_ok=True)
    target.manifest.unlink(missing_ok=True)
    source.video.replace(target.video)
    source.poster.replace(target.poster)
    write_whole(target.captions, text.vtt(done.track.captions))
    write_whole(studio.layout.inputs(done.name), to_json(dict(sorted(inputs.items()))))
    write_whole(target.manifest, to_json(data))


def _join_if_stale(studio: Studio, display: Display) -> None:
    if not studio.plan().lesson:
        display.say("lesson: fresh")
        return
    layout = studio.layout
    manifests = [read_json(layout.clip(chapter.name).manifest) for chapter in studio.in_lesson]
    parts = lesson_parts(manifests)
    layout.lesson_manifest.unlink(missing_ok=True)
    clips = [layout.clip(chapter.name).video for chapter in studio.in_lesson]
    frames = join_clips(clips, parts, studio.quality, layout.lesson_video)
    write_whole(layout.root / "lesson.vtt", text.vtt(text.lesson_captions(parts)))
    write_whole(layout.root / "lesson.chapters.vtt", text.vtt(text.chapter_marks(parts)))
    write_whole(layout.root / "transcript.md", text.transcript(HEADING, parts))
    prints = {data["name"]: data["fingerprint"] for data in manifests}
    write_whole(
        layout.lesson_manifest,
        to_json(lesson_manifest(parts, manifests, studio.quality, studio.lesson_fingerprint(prints))),
    )
    display.say(f"lesson: joined, {frames} frames, {clock(frames / studio.quality.fps)}")


def lesson_parts(manifests: Sequence[Mapping[str, Any]]) -> list[Part]:
    """Chapters one after the other, from their manifests."""
    parts: list[Part] = []
    start = 0
    for data in manifests:
        track = manifest.track_of(data)
        end = start + track.ticks
        parts.append(Part(data["name"], data["title"], start, end, track.captions, track.beats))
        start = end
    return parts


def lesson_manifest(
    parts: Sequence[Part], manifests: Sequence[Mapping[str, Any]], quality: Quality, print_: str
) -> dict[str, Any]:
    """The data of lesson.json: the chapters with their places, and totals; times in seconds."""
    return {
        "title": HEADING,
        "fingerprint": print_,
        "width": quality.width,
        "height": quality.height,
        "fps": quality.fps,
        "frames": sum(data["frames"] for data in manifests),
        "duration": manifest.seconds(parts[-1].end),
        "video": "lesson.mp4",
        "captions": "lesson.vtt",
        "chapters": [
            {
                "name": part.name,
                "title": part.title,
                "start": manifest.seconds(part.start),
                "end": manifest.seconds(part.end),
                "frames": data["frames"],
                "clip": f"clips/{part.name}.mp4",
            }
            for part, data in zip(parts, manifests, strict=True)
        ],
    }


def clock(seconds: float) -> str:
    """12:34.5, or 0:07.0."""
    minutes, rest = divmod(round(seconds * 10), 600)
    return f"{minutes}:{rest / 10:04.1f}"


def find_stale(plan: Plan) -> list[ClipPlan]:
    """What ``check`` lists: stale clips, and the lesson when it is."""
    lesson = [ClipPlan("lesson", plan.lesson)] if plan.lesson else []
    return [*plan.stale, *lesson]
