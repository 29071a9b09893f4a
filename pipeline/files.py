"""Where finished files stand, and how they appear: whole, by rename."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
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

    def made(self, name: str) -> Path:
        """What a clip ("lesson": the lesson video) was made from, and the digests of its files."""
        return self.root / ".made" / f"{name}.json"

    @property
    def store(self) -> Path:
        """What was made earlier and may be needed again; safe to delete at any time."""
        return self.media / ".store"

    def known(self, what: str) -> Path:
        """What was learnt once and holds as long as the content does; safe to delete at any time."""
        return self.store / "known" / f"{what}.json"

    @property
    def folders(self) -> tuple[Path, ...]:
        """All folders that finished files appear in."""
        return (self.root, self.root / "clips", self.root / ".made")

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


def digest_of_parts(schema: str, parts: Iterable[str]) -> str:
    """SHA-256 over the schema's name and the parts, hex; each with its length before it, so that no two lists agree."""
    digest = hashlib.sha256()
    for part in (schema, *parts):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8) + data)
    return digest.hexdigest()


def digest_of_file(path: Path) -> str:
    """SHA-256 of the content, hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
