"""What the tests need to know of an MP4, read from its boxes without FFmpeg's help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av

PARENTS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"udta"}


@dataclass(frozen=True)
class Box:
    """A box with its path, such as "moov/trak/mdia/mdhd", and its payload."""

    path: str
    data: bytes

    def number(self, offset: int, size: int = 4) -> int:
        """The unsigned big-endian number at ``offset`` of the payload."""
        return int.from_bytes(self.data[offset : offset + size])


def boxes(path: Path) -> list[Box]:
    """All boxes of the file, depth first; ValueError when a box is cut off."""
    return list(_walk(path.read_bytes(), ""))


def _walk(data: bytes, parent: str) -> Iterator[Box]:
    position = 0
    while position < len(data):
        length, kind = int.from_bytes(data[position : position + 4]), data[position + 4 : position + 8]
        header = 8
        if length == 1:
            length, header = int.from_bytes(data[position + 8 : position + 16]), 16
        if length < header or position + length > len(data):
            raise ValueError(f"{parent}/{kind!r} at {position} is cut off")
        box = Box(f"{parent}/{kind.decode('latin-1')}".lstrip("/"), data[position + header : position + length])
        yield box
        if kind in PARENTS:
            yield from _walk(box.data, box.path)
        position += length


def top_level(path: Path) -> list[str]:
    """The kinds of the file's own boxes, in order."""
    return [box.path for box in boxes(path) if "/" not in box.path]


def find(path: Path, box_path: str) -> list[Box]:
    """All boxes at that path; one a track under moov/trak."""
    return [box for box in boxes(path) if box.path == box_path]


def opened(path: Path) -> Any:
    """The file opened for reading; untyped, since a test knows which of PyAV's optional values are there."""
    return av.open(str(path))
