"""What the tests need to know of an MP4, read from its boxes without FFmpeg's help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

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


def sound_of(path: Path) -> npt.NDArray[np.float32]:
    """The decoded sound: float32 [n] at the track's rate."""
    with opened(path) as container:
        return np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])


def heard(path: Path, floor: float = 1e-3) -> npt.NDArray[np.bool_]:
    """Whether each tick of 1/15 s is louder (RMS) than the floor."""
    sound = sound_of(path)
    ticks = len(sound) // 3200
    return np.asarray(np.sqrt(np.square(sound[: ticks * 3200].reshape(ticks, 3200)).mean(axis=1)) > floor)
