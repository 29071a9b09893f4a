"""Plan, render what is stale in worker processes, publish it, join the lesson."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pipeline import captions as text
from pipeline import manifest
from pipeline.display import Display
from pipeline.files import Layout, to_json, write_whole
from pipeline.job import ChapterLike, ClipDone, ClipFailed, ClipJob, ClipResult, Progress
from pipeline.lesson_video import write_lesson
from pipeline.lock import media_lock
from pipeline.plan import EDITED, fingerprint, longest_first
from pipeline.studio import Studio
from pipeline.worker import render_clip, start_worker

GUESSED_SECONDS = 50.0
"""The length of a clip that was never rendered, s."""
STOP_SECONDS = 5.0
"""How long workers may take to stop at their next frame before they are ended."""


class RenderFailed(Exception):
    """Clips could not be rendered; the display has told which and why."""


MakeExecutor = Callable[[int, Any, Any], Executor]


def process_pool(jobs: int, progress: Any, stop: Any) -> Executor:
    """Worker processes that start from nothing, so that no state of the parent reaches a clip."""
    return ProcessPoolExecutor(
        jobs,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=start_worker,
        initargs=(progress, stop),
    )


@dataclass(frozen=True)
class Orders:
    """How to build: which clips only (None: all, and the lesson), with how many workers."""

    only: tuple[str, ...] | None = None
    jobs: int = 1
    debug: bool = False
    executor: MakeExecutor = process_pool


def build(studio: Studio, orders: Orders, display: Display) -> None:
    """Bring ``studio.layout`` up to date.

    RenderFailed when a clip failed, after all others are done; MediaError when the folder is in use or can't be
    written.
    """
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
    fps = studio.quality.fps
    display.begin(stale, {clip.name: round(lengths.get(clip.name, GUESSED_SECONDS) * fps) for clip in stale})
    order = longest_first([clip.name for clip in stale], lengths, GUESSED_SECONDS)
    failed = _Rendering(studio, orders, display).run([studio.chapter(name) for name in order])
    if failed:
        raise RenderFailed(f"not rendered: {', '.join(failed)}")


def _join_if_stale(studio: Studio, display: Display) -> None:
    if not studio.plan().lesson:
        display.say("lesson: fresh")
        return
    frames = write_lesson(studio)
    display.say(f"lesson: joined, {frames} frames, {manifest.clock(frames / studio.quality.fps)}")


class _Rendering:
    """Hands clips to workers and publishes what comes back."""

    def __init__(self, studio: Studio, orders: Orders, display: Display) -> None:
        self.studio = studio
        self.orders = orders
        self.display = display
        self.inputs = {chapter.name: studio.inputs(chapter) for chapter in studio.chapters}

    def run(self, chapters: Sequence[ChapterLike]) -> list[str]:
        """Render all, in this order; returns the names of those that failed, sorted."""
        context = multiprocessing.get_context("spawn")
        queue: Any = context.Queue()
        stop = context.Event()
        reader = threading.Thread(target=self._read_progress, args=(queue,), daemon=True)
        reader.start()
        executor = self.orders.executor(min(self.orders.jobs, len(chapters)), queue, stop)
        futures: dict[Future[ClipResult], str] = {}
        try:
            with _interrupts_held_back():
                for chapter in chapters:
                    futures[executor.submit(render_clip, self._job(chapter))] = chapter.name
            failed = [futures[future] for future in as_completed(futures) if not self._take(futures[future], future)]
            executor.shutdown()
        except BaseException:
            stop.set()
            executor.shutdown(wait=False, cancel_futures=True)
            if wait(futures, timeout=STOP_SECONDS).not_done:
                _end_children()
            executor.shutdown()
            raise
        finally:
            # A worker that was killed may hold the queue's lock for ever: neither wait for it here nor on exit.
            queue.cancel_join_thread()
            queue.put(None)
            reader.join(timeout=STOP_SECONDS)
        return sorted(failed)

    def _job(self, chapter: ChapterLike) -> ClipJob:
        files = self.studio.layout.unfinished(chapter.name)
        return ClipJob(
            name=chapter.name,
            module=chapter.module,
            class_name=chapter.class_name,
            lesson=self.studio.lesson,
            quality=self.studio.quality,
            voice=self.studio.voice,
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
            result = ClipFailed(name, f"{name}: a worker process ended unexpectedly (killed, or out of memory?)")
        if isinstance(result, ClipFailed):
            self.display.failed(result.message, result.traceback)
            return False
        publish(self.studio, result, self._inputs_of(name))
        self.display.done(name, result.frames)
        return True

    def _inputs_of(self, name: str) -> Mapping[str, str]:
        """What the clip was made from; marked when a source was edited meanwhile, so that it stays stale."""
        before = self.inputs[name]
        now = self.studio.inputs(self.studio.chapter(name))
        return before if now == before else {**before, EDITED: "yes"}


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Processes started here never see Ctrl-C, not even while they start; ours comes when this ends."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_children() -> None:
    for child in multiprocessing.active_children():
        child.terminate()
        child.join()


def publish(studio: Studio, done: ClipDone, inputs: Mapping[str, str]) -> None:
    """Move a rendered clip to its place.

    The manifest goes first and comes last: without it a clip counts as stale, so a build that is killed in
    between leaves nothing that looks fresh.
    """
    source, target = studio.layout.unfinished(done.name), studio.layout.clip(done.name)
    reads = {key: studio.digests[key] for key in done.reads}
    title = studio.chapter(done.name).title
    data = manifest.clip_manifest(done, title, fingerprint(inputs, reads), studio.quality, reads)
    target.video.parent.mkdir(parents=True, exist_ok=True)
    target.manifest.unlink(missing_ok=True)
    source.video.replace(target.video)
    source.poster.replace(target.poster)
    write_whole(target.captions, text.vtt(done.track.captions))
    write_whole(studio.layout.inputs(done.name), to_json(dict(sorted(inputs.items()))))
    write_whole(target.manifest, to_json(data))
