"""One build at a time in a media folder; the kernel drops the lock however its holder ends."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class LockedError(Exception):
    """Another build holds the folder; the message says which."""


@contextmanager
def media_lock(media: Path) -> Iterator[None]:
    """Hold ``media``; LockedError at once when another process does."""
    media.mkdir(parents=True, exist_ok=True)
    with (media / ".lock").open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise LockedError(
                f"{media}: {holder} is building here; wait for it to end, or give another folder with --media"
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
