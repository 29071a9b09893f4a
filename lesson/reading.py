"""A lesson file becomes a lesson: bytes, TOML, validated inputs, computed facts. Every fault is one line."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from lesson.compute import all_facts
from lesson.config import LessonConfig
from lesson.errors import FaultError, LessonError
from lesson.facts import Facts
from lesson.limits import check_inputs, check_pictures
from lesson.messages import first_fault

DEFAULT_LESSON = Path(__file__).resolve().parent.parent / "lesson.toml"


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A lesson file with its validated inputs and all facts computed from them."""

    path: Path
    config: LessonConfig
    facts: Facts


def load(path: str | PathLike[str] = DEFAULT_LESSON) -> Lesson:
    """The lesson in the TOML file at `path`. Raises LessonError, one line, for any fault in the file."""
    path = Path(path)
    table = _toml(path, _text(path))
    try:
        config = _validated(table)
        check_inputs(config)
        facts = Facts(all_facts(config))
        check_pictures(facts)
    except FaultError as fault:
        raise LessonError(f"{path}: {fault}", fault.key) from None
    return Lesson(path, config, facts)


def _text(path: Path) -> str:
    if path.exists() and not path.is_file() and not path.is_dir():  # a pipe would be waited for without end
        raise LessonError(f"{path}: is no regular file; allowed: a lesson file in TOML")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LessonError(f"{path}: cannot be read: {error.strerror}; allowed: a lesson file in TOML") from None
    try:
        return data.decode("utf-8-sig")  # some editors put a byte order mark in front
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"byte 0x{data[error.start]:02x}"
        raise LessonError(f"{path}: line {line} is not UTF-8 ({byte}); allowed: a file saved as UTF-8") from None


def _toml(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        wrong = str(error)
    except ValueError:  # int() of more digits than Python reads
        wrong = "a number of thousands of digits"
    except RecursionError:
        wrong = "lists nested too deeply"
    raise LessonError(f"{path}: is not TOML: {wrong}; allowed: valid TOML, each table and each key once")


def _validated(table: dict[str, Any]) -> LessonConfig:
    try:
        return LessonConfig.model_validate(table)
    except ValidationError as error:
        raise first_fault(error, LessonConfig) from None
