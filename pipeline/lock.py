"""One build at a time in a media folder; the kernel drops the lock however its holder ends."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class MediaError(Exception):
    """The output folder can't be used, in one line: another build holds it, or it can't be written."""


@contextmanager
def media_lock(media: Path) -> Iterator[None]:
    """Hold ``media`` (made if missing); MediaError at once when that can't be."""
    try:
        media.mkdir(parents=True, exist_ok=True)
        file = (media / ".lock").open("a+", encoding="utf-8")
    except OSError as error:
        raise MediaError(f"{media}: can't be used as the output folder: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise MediaError(
                f"{media}: {holder} is building here; wait until it has ended, or give another --media"
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
