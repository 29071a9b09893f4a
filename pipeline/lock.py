"""One build at a time in a media folder; the kernel drops the lock however its holder ends."""

from __future__ import annotations

import fcntl
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


class MediaError(Exception):
    """The output folder can't be used, in one line."""


@contextmanager
def media_lock(media: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """Hold ``media`` (made if missing); ``tell`` for whom we wait when another build holds it.

    MediaError when the folder can't be made or written.
    """
    try:
        media.mkdir(parents=True, exist_ok=True)
        file = (media / ".lock").open("a+", encoding="utf-8")
    except OSError as error:
        raise MediaError(f"{media}: can't be used as the output folder: {error.strerror}") from error
    with file:
        _take(file, media, tell)
        _sign(file, f"process {os.getpid()} on {socket.gethostname()}")
        try:
            yield
        finally:
            _sign(file, "")


def _take(file: IO[str], media: Path, tell: Callable[[str], None]) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        tell(f"{media}: {file.read().strip() or 'another process'} is building here; waiting until it has ended")
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError as error:
        raise MediaError(f"{media}: can't be locked: {error.strerror}") from error


def _sign(file: IO[str], text: str) -> None:
    with suppress(OSError):  # on a full disk the lock holds without a name
        file.truncate(0)
        file.write(text)
        file.flush()
