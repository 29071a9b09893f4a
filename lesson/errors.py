"""Faults in a lesson file, told in one line."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence


class LessonError(ValueError):
    """A lesson file that cannot be used; str() is one line: file, key, what is wrong, what is allowed.

    `key` is dotted with indices ("worked_example.keys[1]"), or "" where the file as a whole is at fault.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(one_line(message))
        self.key = key

    def __reduce__(self) -> tuple[type[LessonError], tuple[str, str]]:
        return LessonError, (str(self), self.key)


class FaultError(Exception):
    """What is wrong at which key, before the file is known; `load` turns it into a LessonError."""

    def __init__(self, key: str, wrong: str, allowed: str) -> None:
        super().__init__(f"{key}: {wrong}; allowed: {allowed}")
        self.key = key


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
