"""Renders one clip in this process. Manim's configuration is global, so a process renders one clip at a time."""

from __future__ import annotations

import configparser
import contextlib
import os
import random
import signal
import tempfile
import threading
import traceback
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from multiprocessing import parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pipeline.job import (
    Beat,
    Caption,
    ClipDone,
    ClipFailed,
    ClipJob,
    ClipResult,
    Cue,
    Number,
    Progress,
    Track,
)

if TYPE_CHECKING:
    from manim._config.utils import ManimConfig, config_file_paths

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


def start_worker(progress: ProgressQueue | None, stop: StopSign | None) -> None:
    """Initializer of a worker process: where to report, when to stop, and never to outlive the parent."""
    global _progress, _stop  # noqa: PLW0603 - an Executor hands no other channel to a worker
    _progress, _stop = progress, stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's; it raises the stop sign
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
    except Exception as error:
        detail = traceback.format_exc() if job.debug else ""
        return ClipFailed(job.name, f"{job.name}: {_describe(error)}", detail)


def _describe(error: Exception) -> str:
    """One line: the kind of error, its text, and the innermost line of a chapter that led to it."""
    text = " ".join(str(error).split()) or "no message"
    here = [frame for frame in traceback.extract_tb(error.__traceback__) if "scenes" in Path(frame.filename).parts]
    place = f" ({Path(here[-1].filename).name}:{here[-1].lineno})" if here else ""
    return f"{type(error).__name__}: {text}{place}"


def _render(job: ClipJob) -> ClipDone:
    from lesson import load

    from pipeline.poster import poster_tick, write_poster
    from pipeline.writer import ClipWriter

    job.work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{job.name}-", dir=job.work) as scratch:
        configure_manim(job, Path(scratch))
        from manim import CairoRenderer

        make_writer: Any = partial(
            ClipWriter, target=job.video, quality=job.quality, on_frames=partial(_report, job)
        )
        renderer = CairoRenderer(file_writer_class=make_writer)
        scene_class = getattr(import_module(job.module), job.class_name)
        scene = scene_class(renderer=renderer, lesson=load(job.lesson))
        writer: ClipWriter = renderer.file_writer
        try:
            scene.render()
            track = plain_track(scene.timeline)
            _check_length(job, writer.frames, track)
            write_poster(job.video, poster_tick(track, getattr(scene, "poster_beat", None)), job.quality, job.poster)
        except BaseException:
            writer.abort_encode_jobs()
            job.video.unlink(missing_ok=True)
            raise
    return ClipDone(job.name, writer.frames, track, tuple(scene.reads))


def _report(job: ClipJob, frames: int) -> None:
    if _stop is not None and _stop.is_set():
        raise Cancelled
    if _progress is not None:
        _progress.put(Progress(job.name, frames))


def _check_length(job: ClipJob, frames: int, track: Track) -> None:
    expected = track.ticks * job.quality.frames_per_tick
    if frames != expected:
        raise ValueError(f"the clip has {frames} frames, but its timeline says {expected}")


def plain_track(timeline: Any) -> Track:
    """A copy of a scene's timeline in plain, picklable data."""
    return Track(
        ticks=int(timeline.ticks),
        beats=tuple(Beat(b.name, b.start, b.end) for b in timeline.beats),
        captions=tuple(Caption(c.start, c.end, c.text) for c in timeline.captions),
        cues=tuple(
            Cue(c.id, c.pause_at, c.reveal_at, c.prompt, tuple(c.choices), c.answer, c.explain)
            for c in timeline.cues
        ),
        numbers=tuple(Number(n.fact, n.value, n.shown, n.start, n.end) for n in timeline.numbers),
    )


def configure_manim(job: ClipJob, scratch: Path) -> None:
    """Put Manim's global configuration to the library's defaults and then to this job's settings.

    No manim.cfg of the current folder or of the user takes part: neither when Manim is first imported (its plug-ins and
    its console are set up then) nor afterwards.
    """
    with _nothing_configured(scratch):
        import manim
    manim.config.update(_library_defaults())
    for key, value in manim_settings(job, scratch).items():
        manim.config[key] = value
    random.seed(0)


def manim_settings(job: ClipJob, scratch: Path) -> dict[str, Any]:
    """Every setting of ours that differs from the library's defaults, sizes first (frame_width follows from them)."""
    quality = job.quality
    return {
        "pixel_width": quality.width,
        "pixel_height": quality.height,
        "frame_rate": quality.fps,
        "frame_height": 8.0,
        "frame_width": 8.0 * 16 / 9,
        "background_opacity": 1.0,
        "format": "mp4",
        "disable_caching": True,
        "disable_caching_warning": True,
        "media_dir": str(scratch),
        "assets_dir": str(scratch),
        "progress_bar": "none",
        "notify_outdated_version": False,
        "verbosity": "ERROR",
        "seed": 0,
    }


def _library_defaults() -> ManimConfig:
    from manim._config.utils import ManimConfig, config_file_paths

    library_file = config_file_paths()[0]
    parser = configparser.ConfigParser()
    parser.read(library_file, encoding="utf-8")
    return ManimConfig().digest_parser(parser)


@contextlib.contextmanager
def _nothing_configured(empty: Path) -> Iterator[None]:
    """Stand in an empty folder that is also the home, where Manim looks for manim.cfg while it is imported."""
    home = os.environ.get("HOME")
    with contextlib.chdir(empty):
        os.environ["HOME"] = str(empty)
        try:
            yield
        finally:
            if home is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = home
