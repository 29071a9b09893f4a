"""What to make and why, as pure data: nothing here reads a file or a clock."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from pipeline.changes import value_change
from pipeline.files import digest_of_parts

Inputs = Mapping[str, str]
"""What shapes a clip besides facts: a label ("scenes/opening.py", "manim") and its digest or version."""
SCHEMA = "clip, 2"
"""What a fingerprint is taken over; another number when that changes."""
EDITED = "edited while rendering"
"""The label among a record's inputs that no clip has now: nobody knows from what it was made."""


@dataclass(frozen=True)
class Record:
    """What a finished clip, or the lesson video, was made from, and what was made.

    ``reads`` are the digests of the facts that it read and ``values`` those facts as plain data, so that a change can
    be told; ``files`` are the digests of its files by name.
    """

    inputs: Inputs
    reads: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """What it is known by: equal fingerprints, equal bytes."""
        return fingerprint(self.inputs, self.reads)


@dataclass(frozen=True)
class FactsNow:
    """All facts by key: their digests, and as plain data."""

    digests: Mapping[str, str]
    values: Mapping[str, Any]


@dataclass(frozen=True)
class ClipPlan:
    """One clip: stale for these reasons, or fresh without any."""

    name: str
    reasons: tuple[str, ...]

    @property
    def fresh(self) -> bool:
        return not self.reasons


@dataclass(frozen=True)
class Plan:
    """All clips in lesson order, and the reasons to join the lesson again (none: it is fresh)."""

    clips: tuple[ClipPlan, ...]
    lesson: tuple[str, ...]

    @property
    def stale(self) -> tuple[ClipPlan, ...]:
        return tuple(clip for clip in self.clips if not clip.fresh)

    @property
    def fresh(self) -> bool:
        return not self.stale and not self.lesson


def fingerprint(inputs: Inputs, reads: Mapping[str, str]) -> str:
    """SHA-256 over the inputs and the digests of the facts read; the order of either doesn't matter."""
    parts = [str(len(inputs)), *chain(*sorted(inputs.items())), str(len(reads)), *chain(*sorted(reads.items()))]
    return digest_of_parts(SCHEMA, parts)


def plan_clip(name: str, inputs: Inputs, facts: FactsNow, record: Record | None, faults: Sequence[str]) -> ClipPlan:
    """Compare a clip's record with what it would be made from now; ``faults`` name files missing or damaged."""
    if record is None:
        return ClipPlan(name, ("not rendered yet",))
    return ClipPlan(name, (*faults, *_changed_facts(record, facts), *_changed_inputs(record.inputs, inputs)))


def plan_lesson(stale: Sequence[str], inputs: Inputs, record: Record | None, faults: Sequence[str]) -> tuple[str, ...]:
    """Reasons to join the lesson: stale parts, files missing or damaged, or other parts than the recorded ones."""
    if stale:
        return (f"stale clips: {', '.join(stale)}",)
    if record is None:
        return ("not joined yet",)
    return (*faults, *_changed_inputs(record.inputs, inputs))


def matches(record: Record, inputs: Inputs, digests: Mapping[str, str]) -> bool:
    """Whether a clip made now would be the recorded one: the same inputs, and all that it read is as it was."""
    return record.inputs == inputs and all(digests.get(key) == digest for key, digest in record.reads.items())


def _changed_facts(record: Record, facts: FactsNow) -> list[str]:
    return [
        f"fact {key} {value_change(record.values.get(key), facts.values[key])}"
        if key in facts.digests
        else f"fact {key} no longer exists"
        for key, digest in sorted(record.reads.items())
        if facts.digests.get(key) != digest
    ]


def _changed_inputs(before: Inputs, now: Inputs) -> list[str]:
    if EDITED in before:
        return ["a source was edited while it was rendered"]
    labels = [label for label in sorted({*before, *now}) if before.get(label) != now.get(label)]
    return [f"{label} {_difference(before.get(label), now.get(label))}" for label in labels]


def _difference(before: str | None, now: str | None) -> str:
    if before is None or now is None:
        return "is new" if before is None else "is no longer used"
    return f"changed from {brief(before)} to {brief(now)}"


def brief(value: str) -> str:
    """An input's value for a reader: of a SHA-256 its first digits."""
    return value[:8] if re.fullmatch("[0-9a-f]{64}", value) else value


def longest_first(names: Sequence[str], lengths: Mapping[str, float], guess: float) -> list[str]:
    """The order to start clips in, so that a long one doesn't run alone at the end; ties by name."""
    return sorted(names, key=lambda name: (-lengths.get(name, guess), name))
