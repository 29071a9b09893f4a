"""Renders one clip in this process.

Manim's configuration is global to a process, so a process renders one clip at a time.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import traceback
from functools import partial
from importlib import import_module
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, Protocol

from tqdm import tqdm

from pipeline.job import ClipDone, ClipFailed, ClipJob, ClipResult, Progress, Track
from pipeline.manim_setup import configure_manim
from pipeline.poster import poster_tick, write_poster
from pipeline.quality import Quality
from pipeline.sound import Speaker, add_sound, audible, pcm, speaker
from pipeline.writer import ClipWriter
from scenes.kit.timeline import Timeline
from voice import VoiceError


class Cancelled(BaseException):
    """The parent asked for an end; no Exception, so that no scene swallows it."""


class ProgressQueue(Protocol):
    """Where progress goes; multiprocessing's queues have this."""

    def put(self, item: Progress) -> None: ...


class StopSign(Protocol):
    """Whether to stop; multiprocessing's events have this."""

    def is_set(self) -> bool: ...


_progress: ProgressQueue | None = None
_stop: StopSign | None = None


def start_worker(progress: Any, stop: StopSign) -> None:
    """Initializer of a worker process: where to report, when to stop, and never to outlive the parent."""
    global _progress, _stop
    _progress, _stop = progress, stop
    progress.cancel_join_thread()  # news that nobody reads any more must not keep this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's; it raises the stop sign
    # Manim's bars would share a semaphore between processes, and one that is killed would leave it behind.
    tqdm.set_lock(threading.RLock())
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def render_clip(job: ClipJob) -> ClipResult:
    """Render ``job.video`` and ``job.poster``; both appear whole or not at all.

    Whatever goes wrong in the scene comes back as a ClipFailed.
    """
    try:
        return _render(job)
    except Cancelled:
        return ClipFailed(job.name, f"{job.name}: stopped")
    except (Exception, SystemExit) as error:
        detail = traceback.format_exc() if job.debug else ""
        return ClipFailed(job.name, f"{job.name}: {_describe(error, job.module)}", detail)


def _describe(error: BaseException, module: str) -> str:
    """One line: the kind of error, its text, and the chapter's innermost line that led to it."""
    text = " ".join(str(error).split()) or "no message"
    file_name = f"{module.rpartition('.')[2]}.py"
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).name == file_name
    ]
    place = f" ({file_name}:{lines[-1]})" if lines else ""
    return text if isinstance(error, VoiceError) else f"{type(error).__name__}: {text}{place}"


def _render(job: ClipJob) -> ClipDone:
    _stop_if_asked()
    job.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{job.name}-", dir=job.work) as scratch:
        configure_manim(job.quality, Path(scratch))
        voiced = speaker(job.voice)
        scene, writer = _make_scene(job, voiced)
        try:
            scene.render()
            track = plain_track(scene.timeline)
            _check_length(job.quality, writer.frames, track)
            tick = poster_tick(track, getattr(scene, "poster_beat", None))
            write_poster(job.video, tick, job.quality, job.poster)
            if audible(track.lines):
                add_sound(job.video, pcm(track.lines, track.ticks, voiced.samples))
        except BaseException:
            writer.abort_encode_jobs()
            job.video.unlink(missing_ok=True)
            raise
    return ClipDone(job.name, writer.frames, track, tuple(scene.reads))


def _make_scene(job: ClipJob, voiced: Speaker) -> tuple[Any, ClipWriter]:
    from manim import CairoRenderer

    make_writer: Any = partial(ClipWriter, target=job.video, quality=job.quality, on_frames=_Reporter(job))
    renderer = CairoRenderer(file_writer_class=make_writer)
    scene_class = getattr(import_module(job.module), job.class_name)
    scene = scene_class(renderer=renderer, lesson=job.lesson, narrator=voiced)
    return scene, renderer.file_writer


def _stop_if_asked() -> None:
    if _stop is not None and _stop.is_set():
        raise Cancelled


class _Reporter:
    """Tells the parent of progress, about three times a second of film, and stops when it says so."""

    def __init__(self, job: ClipJob) -> None:
        self._name = job.name
        self._step = job.quality.fps // 3
        self._next = 0

    def __call__(self, frames: int) -> None:
        _stop_if_asked()
        if _progress is not None and frames >= self._next:
            _progress.put(Progress(self._name, frames))
            self._next = frames + self._step


def _check_length(quality: Quality, frames: int, track: Track) -> None:
    expected = track.ticks * quality.frames_per_tick
    if frames != expected:
        raise ValueError(f"the clip has {frames} frames, but its timeline says {expected}")


def plain_track(timeline: Timeline) -> Track:
    """A scene's timeline, frozen, to be carried back."""
    return Track(
        ticks=timeline.ticks,
        beats=tuple(timeline.beats),
        lines=tuple(timeline.lines),
        captions=tuple(timeline.captions),
        cues=tuple(timeline.cues),
        numbers=tuple(timeline.numbers),
    )
