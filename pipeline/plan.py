"""What to render and why, as pure data: nothing here reads a file or a clock."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Inputs = Mapping[str, str]
"""What shapes a clip besides facts: a label ("scenes/opening.py", "manim") and its digest or version."""
EDITED = "edited while rendering"
"""The label among a record's inputs that no clip has now: nobody knows from what it was made."""


@dataclass(frozen=True)
class Record:
    """What is known of a finished clip.

    ``reads`` are the digests of the facts it read; ``inputs`` is None when the parts were not kept; ``faults`` name
    files that are missing or damaged.
    """

    fingerprint: str
    reads: Mapping[str, str]
    inputs: Inputs | None = None
    faults: tuple[str, ...] = ()


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
    text = json.dumps([sorted(inputs.items()), sorted(reads.items())], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def plan_clip(name: str, inputs: Inputs, facts: Mapping[str, str], record: Record | None) -> ClipPlan:
    """Compare a clip's record with what it would be made from now (``facts``: all facts' digests)."""
    if record is None:
        return ClipPlan(name, ("not rendered yet",))
    reasons = [*record.faults, *changed_facts(record.reads, facts), *_changed_inputs(inputs, record)]
    return ClipPlan(name, tuple(reasons))


def changed_facts(reads: Mapping[str, str], facts: Mapping[str, str]) -> list[str]:
    """A reason for each fact that has another value now, or is gone."""
    return [
        f"fact {key} changed" if key in facts else f"fact {key} no longer exists"
        for key in sorted(reads)
        if facts.get(key) != reads[key]
    ]


def _changed_inputs(inputs: Inputs, record: Record) -> list[str]:
    if fingerprint(inputs, record.reads) == record.fingerprint:
        return []
    before = record.inputs
    if before is None or fingerprint(before, record.reads) != record.fingerprint:
        return ["its inputs changed (there is no record of which)"]
    if EDITED in before:
        return ["a source was edited while it was rendered"]
    return [_difference(label, before, inputs) for label in _differing(before, inputs)]


def _differing(before: Inputs, now: Inputs) -> list[str]:
    return [label for label in sorted({*before, *now}) if before.get(label) != now.get(label)]


def is_digest(value: str) -> bool:
    """Whether an input's value is a SHA-256 in hex, which says nothing to a reader."""
    return re.fullmatch("[0-9a-f]{64}", value) is not None


def _difference(label: str, before: Inputs, now: Inputs) -> str:
    if label not in before:
        return f"{label} is new"
    if label not in now:
        return f"{label} is no longer used"
    if is_digest(before[label]) and is_digest(now[label]):
        return f"{label} changed"
    return f"{label} changed from {before[label]} to {now[label]}"


def plan_lesson(stale: Sequence[str], expected: str, recorded: str | None, faults: Sequence[str]) -> tuple[str, ...]:
    """Reasons to join the lesson: stale parts, missing or damaged files, or other clips than the recorded ones."""
    if stale:
        return (f"stale clips: {', '.join(stale)}",)
    if recorded is None:
        return ("not joined yet",)
    if faults:
        return tuple(faults)
    return () if recorded == expected else ("joined from other clips",)


def longest_first(names: Sequence[str], lengths: Mapping[str, float], guess: float) -> list[str]:
    """The order to start clips in, so that a long one doesn't run alone at the end; ties by name."""
    return sorted(names, key=lambda name: (-lengths.get(name, guess), name))
