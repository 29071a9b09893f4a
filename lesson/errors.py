"""Faults in a lesson file, each told in one line."""

from __future__ import annotations

import json
import re
import reprlib
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_KEY, LONGEST_PART = 100, 300  # characters of a line's parts, whatever a file holds
MOST_TOLD = 20  # faults of one file: more would fill the screen, and mending these mends others


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a lesson file.

    `key` is dotted with indices ("worked_example.keys[1]"), or "" where the file as a whole is at fault.
    """

    key: str
    wrong: str
    allowed: str

    def __str__(self) -> str:
        """One line: the key, what is wrong, what is allowed."""
        place = f"{clipped(self.key, LONGEST_KEY)}: " if self.key else ""
        wrong, allowed = (clipped(text, LONGEST_PART) for text in (self.wrong, self.allowed))
        return one_line(f"{place}{wrong}; allowed: {allowed}")


class LessonError(ValueError):
    """A lesson file that cannot be used; str() is one line a fault: file, key, what is wrong, what is allowed.

    After `MOST_TOLD` faults a last line says how many more there are.
    """

    def __init__(self, file: str, faults: Sequence[Fault]) -> None:
        lines = [f"{one_line(file)}: {fault}" for fault in faults[:MOST_TOLD]]
        if len(faults) > MOST_TOLD:
            lines.append(f"{one_line(file)}: and {len(faults) - MOST_TOLD} more faults")
        super().__init__("\n".join(lines))
        self.file = file
        self.faults = tuple(faults)

    @property
    def key(self) -> str:
        """The key of the first fault."""
        return self.faults[0].key

    def __reduce__(self) -> tuple[type[LessonError], tuple[str, tuple[Fault, ...]]]:
        return LessonError, (self.file, self.faults)


def dotted(names: Sequence[str | int]) -> str:
    """("worked_example", "keys", 1) -> "worked_example.keys[1]"; a name TOML would quote is quoted."""
    key = ""
    for name in names:
        if isinstance(name, int):
            key += f"[{name}]"
        else:
            bare = re.fullmatch(r"[A-Za-z0-9_-]+", name)
            word = name if bare else one_line(json.dumps(name, ensure_ascii=False))
            key += f".{word}" if key else word
    return key


def one_line(text: str) -> str:
    """`text` with control characters and line breaks made visible, so that it stays one line."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def clipped(text: str, most: int) -> str:
    """`text`, or its beginning and dots where it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - 3] + "..."


def shown(given: object) -> str:
    """A value as TOML gave it, as short as a line of text can hold it, however deep, long or large it is."""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int) and given.bit_length() > 64:
        return "a whole number of more than 64 bits"
    return clipped(reprlib.repr(given) if isinstance(given, list | dict) else repr(given), 40)
