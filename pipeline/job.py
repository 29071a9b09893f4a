"""What crosses to a worker process and back: plain data only, so that any Executor can carry it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lesson import Facts, Lesson
from pipeline.quality import Quality
from scenes.kit.timeline import Beat, Caption, Cue, Said, Shown


class ChapterLike(Protocol):
    """What the pipeline needs to know of a chapter (scenes.Chapter has it)."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def variant_of(self) -> str | None: ...
    @property
    def module(self) -> str: ...
    @property
    def class_name(self) -> str: ...
    def titled(self, facts: Facts) -> ChapterLike:
        """The chapter with its title in full, where a fact belongs in it."""
        ...


@dataclass(frozen=True)
class Track:
    """A finished clip's timeline; times in ticks of 1/15 s."""

    ticks: int
    beats: tuple[Beat, ...]
    lines: tuple[Said, ...]
    captions: tuple[Caption, ...]
    cues: tuple[Cue, ...]
    numbers: tuple[Shown, ...]


@dataclass(frozen=True)
class VoiceOrders:
    """Who speaks: an engine, or "none"; where recordings that override it lie, and where speech is kept.

    With ``strict``, a recording of an older text is an error.
    """

    name: str
    recordings: Path
    store: Path
    strict: bool = False


SILENT = VoiceOrders("none", Path(), Path())


@dataclass(frozen=True)
class ClipJob:
    """One clip to render: which scene, of which lesson, how large, with which voice, and into which files.

    The lesson itself crosses, not its path: an edit of the file while clips are waiting changes nothing.
    """

    name: str
    module: str
    class_name: str
    lesson: Lesson
    quality: Quality
    voice: VoiceOrders
    video: Path
    poster: Path
    work: Path
    debug: bool = False


@dataclass(frozen=True)
class ClipDone:
    """A clip that was rendered; ``reads`` are the keys of the facts it read, sorted."""

    name: str
    frames: int
    track: Track
    reads: tuple[str, ...]


@dataclass(frozen=True)
class ClipFailed:
    """A clip that could not be rendered: one line, and with --debug the traceback."""

    name: str
    message: str
    traceback: str = ""


ClipResult = ClipDone | ClipFailed


@dataclass(frozen=True)
class Progress:
    """So many frames of a clip are encoded."""

    name: str
    frames: int
