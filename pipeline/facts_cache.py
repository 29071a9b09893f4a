"""Facts that the same code computed before from the same inputs: most runs need not compute them again."""

from __future__ import annotations

import platform
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from lesson import Facts, LessonConfig, computed_facts
from pipeline.files import digest_of_parts, read_json, to_json, write_whole
from pipeline.sources import Sources

COMPUTED_BY = ("lesson", "attention_core")
LIBRARIES = ("numpy", "scipy")


class FactsCache:
    """The facts of the lesson that was built last, in the file ``kept``, which is safe to delete."""

    def __init__(self, kept: Path, sources: Sources) -> None:
        self._kept = kept
        self._sources = sources
        self._computed: tuple[str, Facts] | None = None

    def facts(self, config: LessonConfig) -> Facts:
        """All facts of a lesson; they are computed only when they may differ from those that are kept."""
        key = self._key(config)
        data = read_json(self._kept)
        if isinstance(data, dict) and data.get("key") == key and data.get("digest") == _digest(data.get("facts")):
            return Facts({name: _decoded(value) for name, value in data["facts"].items()})
        facts = computed_facts(config)
        self._computed = key, facts
        return facts

    def save(self) -> None:
        """Keep facts that had to be computed; where that can't be, the next run computes them again."""
        if self._computed is None:
            return
        key, facts = self._computed
        table = {name: _encoded(facts[name].value) for name in facts.keys()}  # noqa: SIM118 - Facts is no dict
        with suppress(OSError):
            write_whole(self._kept, to_json({"key": key, "digest": _digest(table), "facts": table}))

    def _key(self, config: LessonConfig) -> str:
        code = self._sources.digests_of("lesson.compute", COMPUTED_BY)
        versions = [platform.python_version(), *(version(name) for name in LIBRARIES)]
        return digest_of_parts("facts, 1", [config.model_dump_json(), *versions, to_json(code)])


def _encoded(value: Any) -> Any:
    """A fact's value as JSON that gives back every bit: floats are written with all their digits."""
    if isinstance(value, np.ndarray):
        return {"dtype": value.dtype.str, "shape": value.shape, "bytes": value.tobytes().hex()}
    return value


def _decoded(data: Any) -> Any:
    if isinstance(data, dict):
        return np.frombuffer(bytes.fromhex(data["bytes"]), np.dtype(data["dtype"])).reshape(data["shape"])
    return data


def _digest(table: Any) -> str:
    return digest_of_parts("facts, 1", [to_json(table)])
