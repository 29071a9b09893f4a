"""A lesson file becomes a lesson: bytes, TOML, validated inputs, computed facts. Every fault is one line."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from pydantic import ValidationError, create_model

from lesson.compute import all_facts
from lesson.config import SECTIONS, LessonConfig, Section
from lesson.errors import Fault, LessonError
from lesson.facts import Facts
from lesson.limits import faults_between, faults_of_words
from lesson.messages import faults_of

DEFAULT_LESSON = Path(__file__).resolve().parent.parent / "lesson.toml"
MOST_BYTES = 50_000  # ten times the shipped file: what is larger is something else, and is refused unread
LONGEST_LINE = 1000  # characters: tomllib takes time by the square of a dotted key's length


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A lesson file with its validated inputs and all facts computed from them."""

    path: Path
    config: LessonConfig
    facts: Facts


def computed_facts(config: LessonConfig) -> Facts:
    """All facts, computed by the core."""
    return Facts(all_facts(config))


def load(
    path: str | PathLike[str] = DEFAULT_LESSON,
    drawable: Callable[[str], bool] | None = None,
    facts_of: Callable[[LessonConfig], Facts] = computed_facts,
) -> Lesson:
    """The lesson in the TOML file at `path`; `drawable` says which characters the film can draw.

    `facts_of` may bring the facts from elsewhere, as long as they are the same.
    Raises LessonError for a file with faults: one line for each of them, all at once.
    """
    path = Path(path)
    table = _toml(path, _text(path))
    tables, faults = _validated(table)
    faults += faults_between(tables, lacking=bool(faults))
    if drawable is not None:
        faults += faults_of_words(tables, drawable)
    if faults:
        raise LessonError(str(path), faults)
    config = LessonConfig(**tables)
    return Lesson(path, config, facts_of(config))


def _text(path: Path) -> str:
    """What the file holds, letters and their accents composed."""
    if path.exists() and not path.is_file() and not path.is_dir():  # a pipe would be waited for without end
        raise _refused(path, "is no regular file", "a lesson file in TOML")
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _refused(path, f"cannot be read: {error.strerror}", "a lesson file in TOML") from None
    if len(data) > MOST_BYTES:
        raise _refused(path, f"holds more than {MOST_BYTES:,} bytes", f"a lesson file of at most {MOST_BYTES:,} bytes")
    try:
        return unicodedata.normalize("NFC", data.decode("utf-8-sig"))  # some editors put a byte order mark in front
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = f"line {line} is not UTF-8 (byte 0x{data[error.start]:02x})"
        raise _refused(path, wrong, "a file saved as UTF-8") from None


def _toml(path: Path, text: str) -> dict[str, Any]:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST_LINE:
            wrong = f"line {number} has {len(line):,} characters"
            raise _refused(path, wrong, f"lines of at most {LONGEST_LINE:,} characters")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        wrong = str(error)
    except RecursionError:
        wrong = "lists nested too deeply"
    raise _refused(path, f"is not TOML: {wrong}", "valid TOML, each table and each key once")


def _refused(path: Path, wrong: str, allowed: str) -> LessonError:
    return LessonError(str(path), [Fault("", wrong, allowed)])


def _validated(table: dict[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """The tables, by name, and what is wrong in each by itself.

    Where something is, tables lack the keys that are wrong, and those are left out that are none.
    """
    try:
        return dict(LessonConfig.model_validate(table)), []
    except ValidationError as error:
        wrong = {tuple(detail["loc"][:2]) for detail in error.errors(include_url=False)}
        faults = faults_of(error, LessonConfig)
    tables = {name: model for name, model in SECTIONS.items() if name in table and (name,) not in wrong}
    return {name: _sound_part(name, model, table[name], wrong) for name, model in tables.items()}, faults


def _sound_part(name: str, model: type[Section], given: dict[str, Any], wrong: set[tuple[Any, ...]]) -> Section:
    sound = {key: field for key, field in model.model_fields.items() if key in given and (name, key) not in wrong}
    fields: dict[str, Any] = {key: (field.annotation, field) for key, field in sound.items()}
    part: type[Section] = create_model(model.__name__, __base__=Section, **fields)
    return part.model_validate({key: given[key] for key in sound})
