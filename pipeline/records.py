"""Records on disk: one JSON file for a clip or the lesson, believed only when it agrees with its own fingerprint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.files import read_json, to_json, write_whole
from pipeline.plan import Record

PARTS = ("inputs", "reads", "values", "files")


def write_record(path: Path, record: Record) -> None:
    """Write it whole; OSError where that can't be."""
    tables = {name: dict(sorted(getattr(record, name).items())) for name in PARTS}
    write_whole(path, to_json({"fingerprint": record.fingerprint, **tables}))


def read_record(path: Path) -> Record | None:
    """The record, or None when it is missing or damaged."""
    data = read_json(path)
    if not isinstance(data, dict) or not all(isinstance(data.get(name), dict) for name in PARTS):
        return None
    if not all(_texts(data[name]) for name in ("inputs", "reads", "files")):
        return None
    record = Record(*(data[name] for name in PARTS))
    return record if record.fingerprint == data.get("fingerprint") else None


def _texts(table: dict[str, Any]) -> bool:
    return all(isinstance(value, str) for value in table.values())
