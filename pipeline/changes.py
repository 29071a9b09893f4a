"""A fact's change in words, from what to what; every digit counts, so none is rounded away."""

from __future__ import annotations

import json
from typing import Any

LONGEST = 60
"""Characters of a value that is still shown whole."""


def value_change(before: Any, now: Any) -> str:
    """Say how a plain value became another: whole when short, else how many entries differ, and the first of them."""
    old, new = shown(before), shown(now)
    if max(len(old), len(new)) <= LONGEST:
        return f"changed from {old} to {new}"
    entries, others = _entries(before), _entries(now)
    if entries.keys() != others.keys():
        return f"changed from {_size(before)} to {_size(now)}"
    differing = [place for place in entries if entries[place] != others[place]]
    if not differing:
        return "changed its kind"
    first = differing[0]
    place = ",".join(map(str, first))
    return (
        f"changed in {len(differing)} of {len(entries)} entries, first [{place}]"
        f" from {shown(entries[first])} to {shown(others[first])}"
    )


def shown(value: Any) -> str:
    """A plain value as in lesson.toml, with all its digits."""
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return json.dumps(value, ensure_ascii=False)


def shown_briefly(value: Any) -> str:
    """A plain value whole when it is short, else how large it is."""
    text = shown(value)
    return text if len(text) <= LONGEST else _size(value)


def _entries(value: Any, place: tuple[int, ...] = ()) -> dict[tuple[int, ...], Any]:
    """Every entry of nested lists by its indices."""
    if not isinstance(value, list):
        return {place: value}
    return {key: entry for i, part in enumerate(value) for key, entry in _entries(part, (*place, i)).items()}


def _size(value: Any) -> str:
    """An array's shape; a short value itself."""
    lengths = []
    while isinstance(value, list) and value:
        lengths.append(str(len(value)))
        value = value[0]
    return f"an array of {' x '.join(lengths)} entries" if lengths else shown(value)
