"""Where finished files stand, and how they appear: whole, by rename."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.quality import Quality


@dataclass(frozen=True)
class ClipFiles:
    """The four files of a clip."""

    video: Path
    captions: Path
    poster: Path
    manifest: Path

    @property
    def all(self) -> tuple[Path, ...]:
        return (self.video, self.captions, self.poster, self.manifest)


@dataclass(frozen=True)
class Layout:
    """The output folder of one quality."""

    media: Path
    quality: Quality

    @property
    def root(self) -> Path:
        return self.media / self.quality.folder

    @property
    def work(self) -> Path:
        """Unfinished files; on the file system of the finished ones, so that a rename is enough."""
        return self.root / ".work"

    @property
    def lesson_video(self) -> Path:
        return self.root / "lesson.mp4"

    @property
    def lesson_manifest(self) -> Path:
        return self.root / "lesson.json"

    @property
    def lesson_files(self) -> tuple[Path, ...]:
        texts = ("lesson.vtt", "lesson.chapters.vtt", "transcript.md")
        return (self.lesson_video, *(self.root / name for name in texts), self.lesson_manifest)

    def clip(self, name: str) -> ClipFiles:
        return self._clip_in(self.root / "clips", name)

    def unfinished(self, name: str) -> ClipFiles:
        return self._clip_in(self.work, name)

    def inputs(self, name: str) -> Path:
        """What a clip was made from, part by part: only to say later what changed. Safe to delete."""
        return self.root / ".inputs" / f"{name}.json"

    @staticmethod
    def _clip_in(folder: Path, name: str) -> ClipFiles:
        return ClipFiles(
            folder / f"{name}.mp4", folder / f"{name}.vtt", folder / f"{name}.webp", folder / f"{name}.json"
        )


@contextmanager
def appearing_whole(path: Path) -> Iterator[Path]:
    """A temporary sibling to write to; it gets the name ``path`` at the end of the block, or is gone after an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write a UTF-8 text file through a temporary sibling and a rename."""
    with appearing_whole(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


def to_json(data: Any) -> str:
    """JSON as this project writes it: keys in the order given, no NaN, a newline at the end."""
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def read_json(path: Path) -> Any:
    """The file's data, or None when it is missing or not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def digest_of_text(text: str) -> str:
    """SHA-256, hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of_file(path: Path) -> str:
    """SHA-256 of the content, hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_whole_mp4(path: Path) -> bool:
    """Whether the file's top-level boxes fill it exactly and hold an index and data: cheap, and any cut shows."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            return {b"ftyp", b"moov", b"mdat"} <= set(_top_level_boxes(file, size))
    except (OSError, ValueError):
        return False


def _top_level_boxes(file: Any, size: int) -> list[bytes]:
    kinds, position = [], 0
    while position < size:
        file.seek(position)
        header = file.read(16)
        if len(header) < 8:
            raise ValueError("a box header is cut off")
        length, kind = int.from_bytes(header[:4]), header[4:8]
        if length == 1:  # a 64-bit length follows
            length = int.from_bytes(header[8:16])
        if length < 8 or position + length > size:
            raise ValueError("a box is cut off")
        kinds.append(kind)
        position += length
    return kinds
