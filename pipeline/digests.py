"""Digests of files without reading them twice.

A digest is remembered with all that the file system says of the file: size, inode, time of modification and time of
change. The last can't be set by any program, so a file whose bytes changed never passes for the older one; except
within the clock's own grain, and for that a file is remembered only when it has rested a while.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from pathlib import Path

from pipeline.files import digest_of_file, read_json, to_json, write_whole

REST_NS = 3_000_000_000
"""How long a file must have been left alone, ns: more than any file system's grain (FAT: 2 s)."""


class FileDigests:
    """SHA-256 of files below ``folder``, remembered in the file ``kept``, which is safe to delete."""

    def __init__(self, folder: Path, kept: Path) -> None:
        self._folder = folder
        self._kept = kept
        data = read_json(kept)
        self._known: dict[str, list[str | int]] = data if isinstance(data, dict) else {}
        self._before = dict(self._known)

    def of(self, path: Path) -> str | None:
        """The digest, hex; None when there is no such file, or it can't be read."""
        try:
            state = path.stat()
            if not stat.S_ISREG(state.st_mode):
                return None
            return self._remembered(path, state) or self._taken(path, state)
        except OSError:
            return None

    def save(self) -> None:
        """Keep what was learnt; where that can't be, the next run learns it again."""
        if self._known != self._before:
            with suppress(OSError):
                write_whole(self._kept, to_json(dict(sorted(self._known.items()))))

    def _remembered(self, path: Path, state: os.stat_result) -> str | None:
        entry = self._known.get(self._label(path))
        if not isinstance(entry, list) or entry[1:] != _marks(state):
            return None
        return str(entry[0])

    def _taken(self, path: Path, state: os.stat_result) -> str:
        now = time.time_ns()
        digest = digest_of_file(path)
        self._known.pop(self._label(path), None)
        if max(state.st_mtime_ns, state.st_ctime_ns) < now - REST_NS and _marks(path.stat()) == _marks(state):
            self._known[self._label(path)] = [digest, *_marks(state)]
        return digest

    def _label(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()


def _marks(state: os.stat_result) -> list[int]:
    return [state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino]
