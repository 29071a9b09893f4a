"""A small film to build, whose clips come back at once: an Executor in place of workers writes tiny ones itself."""

from __future__ import annotations

import shutil
from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from little_chapters import LittleChapter

from lesson import DEFAULT_LESSON, Lesson, load
from pipeline.build import Orders, RenderFailed, build
from pipeline.encoder import ClipEncoder
from pipeline.files import Layout
from pipeline.job import ClipDone, ClipJob, ClipResult, Track
from pipeline.plan import ClipPlan
from pipeline.poster import write_poster
from pipeline.quality import Quality
from pipeline.sources import Sources
from pipeline.studio import Studio
from scenes.kit.timeline import Beat, Caption

READS = {"a": ("practice.q",), "b": ("worked_example.q", "worked_example.v"), "c": (), "a_variant": ("practice.q",)}
PARSED = Sources()
"""What parsing tells of this project's sources, learnt once for all tests."""
ENDS = (".mp4", ".vtt", ".webp", ".json")
TICKS = {"a": 20, "b": 31, "c": 4, "a_variant": 20}


def render_tiny(job: ClipJob) -> ClipResult:
    """A grey clip of the chapter's length, and its poster."""
    encoder = ClipEncoder(job.video, job.quality)
    pixels = np.full((job.quality.height, job.quality.width, 4), 30 + len(job.name), np.uint8)
    encoder.write(pixels, TICKS[job.name] * job.quality.frames_per_tick)
    encoder.finish()
    track = Track(TICKS[job.name], (Beat("only", 0, TICKS[job.name]),), (), (Caption(0, 3, f"Of {job.name}."),), (), ())
    write_poster(job.video, 0, job.quality, job.poster)
    return ClipDone(job.name, encoder.frames, track, READS[job.name])


class AtOnce(Executor):
    """Runs a job when it is submitted, in this process."""

    def __init__(self, render: Callable[[ClipJob], ClipResult]) -> None:
        self.render = render

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(self.render(*args))
        except BaseException as error:
            future.set_exception(error)
        return future


@dataclass
class Listener:
    """A display that remembers."""

    lines: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    rendered: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    expected: dict[str, int] = field(default_factory=dict)

    def begin(self, stale: Sequence[ClipPlan], frames: Mapping[str, int]) -> None:
        self.expected = dict(frames)

    def progress(self, name: str, frames: int) -> None:
        self.lines.append(f"{name} {frames}")

    def done(self, name: str, frames: int) -> None:
        insort(self.rendered, name)

    def failed(self, message: str, traceback: str) -> None:
        self.errors.append(message)

    def say(self, line: str) -> None:
        self.lines.append(line)
        name, _, news = line.partition(": ")
        if news == "taken from the store":
            insort(self.taken, name)

    def end(self) -> None:
        self.lines.append("end")


@dataclass
class Workshop:
    """A film of four chapters on a package of its own, and an output folder."""

    film: Path
    media: Path
    quality: Quality
    lesson: Lesson

    @property
    def layout(self) -> Layout:
        return Layout(self.media, self.quality)

    def studio(self) -> Studio:
        chapters = tuple(LittleChapter(name, f"Title {name}", "Scene", module=f"film.{name}") for name in "abc")
        variant = LittleChapter("a_variant", "Variant", "Other", variant_of="a", module="film.a")
        return Studio((*chapters, variant), self.lesson, self.layout, sources=PARSED)

    def build(self, render: Callable[[ClipJob], ClipResult] = render_tiny, **orders: Any) -> Listener:
        """Build, and tell what happened; a failure shows in ``errors``."""
        listener = Listener()
        try:
            build(self.studio(), Orders(executor=lambda *_: AtOnce(render), **orders), listener)
        except RenderFailed as error:
            listener.errors.append(str(error))
        return listener

    def reasons(self) -> dict[str, tuple[str, ...]]:
        plan = self.studio().plan()
        return {clip.name: clip.reasons for clip in plan.stale} | ({"lesson": plan.lesson} if plan.lesson else {})

    def edit(self, name: str, text: str) -> None:
        (self.film / name).write_text(text, encoding="utf-8")

    def files(self) -> dict[str, bytes]:
        """All but the store."""
        store = self.layout.store
        found = [p for p in self.media.rglob("*") if p.is_file() and not p.is_relative_to(store)]
        return {p.relative_to(self.media).as_posix(): p.read_bytes() for p in found}

    def forget(self) -> None:
        """Delete the store."""
        shutil.rmtree(self.layout.store)

    def reload(self, old: str, new: str) -> None:
        text = DEFAULT_LESSON.read_text(encoding="utf-8")
        assert old in text
        changed = self.film.parent / "changed.toml"
        changed.write_text(text.replace(old, new), encoding="utf-8")
        self.lesson = load(changed)
