"""Clips by content: whatever was made once is taken from here when the inputs are the same again.

An entry is a folder with the clip's files and its record, named by the inputs and the facts read. It appears by rename,
and each file is checked by its digest on the way out, so that a damaged entry is no worse than a missing one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pipeline.files import ClipFiles, digest_of_file
from pipeline.plan import Inputs, Record, fingerprint, matches
from pipeline.records import read_record, write_record

RECORD = "record.json"


@dataclass(frozen=True)
class Entry:
    """One stored clip and what it was made from."""

    folder: Path
    record: Record


class ClipStore:
    """The clips kept in ``folder``, which may be deleted at any time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, inputs: Inputs, digests: Mapping[str, str]) -> Entry | None:
        """The clip that would be made from these inputs and facts (their digests by key), if it was made before.

        What a clip reads is known only when it has been made. But a scene follows what it reads: when all that one
        run read is as it was, another run reads the same.
        """
        for folder in sorted(self.folder.glob(f"{_prefix(inputs)}-*")):
            record = read_record(folder / RECORD)
            if record is not None and matches(record, inputs, digests):
                return Entry(folder, record)
        return None

    def take(self, entry: Entry, files: ClipFiles) -> bool:
        """Copy the clip to these places; False, and no entry any more, when it is damaged.

        OSError when the copies can't be written.
        """
        for path in files.all:
            path.parent.mkdir(parents=True, exist_ok=True)
            stored = entry.folder / path.name
            if not stored.is_file():
                break
            shutil.copyfile(stored, path)
            if digest_of_file(path) != entry.record.files.get(path.name):
                break
        else:
            with suppress(OSError):
                os.utime(entry.folder)
            return True
        shutil.rmtree(entry.folder, ignore_errors=True)
        return False

    def put(self, record: Record, files: ClipFiles) -> None:
        """Keep a copy of a finished clip; OSError, and no entry, when there is no room for it."""
        folder = self.folder / f"{_prefix(record.inputs)}-{record.fingerprint}"
        partial = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(partial, ignore_errors=True)
        try:
            partial.mkdir(parents=True)
            for path in files.all:
                shutil.copyfile(path, partial / path.name)
            write_record(partial / RECORD, record)
            shutil.rmtree(folder, ignore_errors=True)
            partial.rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)

    def entries(self) -> Iterator[Entry]:
        """All that can be read, by name."""
        for folder in sorted(self.folder.glob("[!.]*")):
            record = read_record(folder / RECORD)
            if record is not None:
                yield Entry(folder, record)


def _prefix(inputs: Inputs) -> str:
    """Which inputs an entry belongs to: enough to find it, while its record decides."""
    return fingerprint(inputs, {})[:16]
