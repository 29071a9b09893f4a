"""Waits for files to change and to settle, then builds in a process of its own.

So any of our sources may change, or be broken for a while: each build is that of the sources as they are.
"""

from __future__ import annotations

import queue
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from watchdog.events import EVENT_TYPE_CLOSED_NO_WRITE, EVENT_TYPE_OPENED, FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

SETTLED = 0.5
"""Seconds without a change after which files count as settled: editors save in several steps."""


def watch(folders: Iterable[Path], files: Iterable[Path], build: Sequence[str], tell: Callable[[str], None]) -> None:
    """Build now, and again whenever something in the folders, or one of the files, has changed; until Ctrl-C.

    ``build`` is a command. How it ends makes no difference: what is wrong, it has said itself. A folder that isn't
    there may come.
    """
    inside, alone = {folder.resolve() for folder in folders}, {path.resolve() for path in files}
    while True:
        # Anew each time, for a folder that has come. Nothing is missed between two rounds: each begins with a build.
        with _changes(inside, alone) as paths:
            _run(build)
            tell("watching for changes; Ctrl-C ends it")
            changed = paths.get()
            _settle(paths)
        tell(f"{changed.name} has changed")


def _run(build: Sequence[str]) -> None:
    """In a session of its own, since a terminal sends Ctrl-C to all: the build shall be told once, and end in order."""
    process = subprocess.Popen(build, start_new_session=True)
    try:
        process.wait()
    except KeyboardInterrupt:
        process.terminate()
        process.wait()
        raise


def _settle(paths: queue.SimpleQueue[Path]) -> None:
    try:
        while True:
            paths.get(timeout=SETTLED)
    except queue.Empty:
        return


@contextmanager
def _changes(folders: set[Path], files: set[Path]) -> Iterator[queue.SimpleQueue[Path]]:
    """Paths as they change, from now on."""
    coming = {folder for folder in folders if not folder.is_dir()}
    handler = _Handler(folders, files, coming)
    observer = Observer()
    for folder in sorted(folders - coming):
        observer.schedule(handler, str(folder), recursive=True)
    # A file is watched through its folder, since editors put a new file in its place; so is a folder that may come.
    for folder in sorted({path.parent for path in files | coming} - folders):
        if folder.is_dir():
            observer.schedule(handler, str(folder))
    observer.start()
    try:
        yield handler.changed
    finally:
        observer.stop()
        observer.join()


class _Handler(FileSystemEventHandler):
    """Passes on the changes that matter; of folders, only that they have come."""

    def __init__(self, folders: set[Path], files: set[Path], coming: set[Path]) -> None:
        self.changed: queue.SimpleQueue[Path] = queue.SimpleQueue()
        self._folders = folders
        self._files = files
        self._coming = coming

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in (EVENT_TYPE_OPENED, EVENT_TYPE_CLOSED_NO_WRITE):
            return
        for name in filter(None, (event.src_path, event.dest_path)):
            path = Path(str(name))
            if path in self._coming if event.is_directory else self._matters(path):
                self.changed.put(path)

    def _matters(self, path: Path) -> bool:
        if path in self._files:
            return True
        passing = path.name.startswith(".") or path.name.endswith("~") or "__pycache__" in path.parts
        return not passing and any(path.is_relative_to(folder) for folder in self._folders)
