"""Lessons drawn by Hypothesis over all that a lesson file may hold, and the file of one."""

from __future__ import annotations

import json
import math
import sys
import unicodedata
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from pipeline.words import drawable

Table = dict[str, Any]
LETTERS = [
    char
    for char in map(chr, range(sys.maxunicode + 1))
    if drawable(char)
    and char.isprintable()
    and not char.isspace()
    and not unicodedata.category(char).startswith("M")
    and unicodedata.is_normalized("NFC", char)
]
SEEDS = st.integers(0, 2**32 - 1)


def words(longest: int = 14) -> st.SearchStrategy[str]:
    """Words of characters that the typeface has, mostly of plain letters; no two of them join to another one."""
    plain = st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,’", min_size=1, max_size=longest)
    any_letters = st.text(st.sampled_from(LETTERS), min_size=1, max_size=longest)
    return plain | any_letters.filter(lambda word: unicodedata.is_normalized("NFC", word))


def numbers(power: int) -> st.SearchStrategy[float]:
    """0, or a number of either sign and of a size from 0.001 to 10^power, with any count of decimals."""
    sizes = st.floats(-3, power).map(lambda p: min(10.0**power, max(1e-3, 10.0**p)))
    rounded = st.builds(lambda size, digits: max(1e-3, round(size, digits)), sizes, st.integers(0, 3))
    return st.just(0) | st.builds(lambda size, sign: sign * size, sizes | rounded, st.sampled_from([1, -1]))


def arrows(power: int) -> st.SearchStrategy[list[float]]:
    return st.lists(numbers(power), min_size=2, max_size=2).filter(any)


@st.composite
def openings(draw: st.DrawFn) -> Table:
    tokens = draw(st.lists(words(), min_size=2, max_size=12).filter(lambda tokens: len(set(tokens)) > 1))
    place = draw(st.integers(0, len(tokens) - 1))
    others = sorted(set(tokens) - {tokens[place]})
    dimensions = draw(st.lists(words(), min_size=1, max_size=8, unique=True))
    looks_for = draw(st.dictionaries(st.sampled_from(dimensions), st.floats(0.01, 6), min_size=1))
    offered = st.dictionaries(st.sampled_from(dimensions), st.floats(0.01, 2), min_size=1)
    offers = draw(st.dictionaries(st.sampled_from(others), offered, min_size=1, max_size=4))
    offers[next(iter(offers))][next(iter(looks_for))] = draw(st.floats(0.01, 2))
    return {
        "tokens": tokens,
        "query_token": place + 1,
        "dimensions": dimensions,
        "looks_for": looks_for,
        "offers": offers,
    }


@st.composite
def matchings(draw: st.DrawFn) -> tuple[Table, Table]:
    """A worked example and the practice of it; keys are so small that no score overflows."""
    power = draw(st.integers(-3, 5))  # of the largest query
    keys = draw(st.lists(arrows(2 - power), min_size=2, max_size=5))
    return {"query": draw(arrows(power)), "keys": keys}, {"query": draw(arrows(power))}


@st.composite
def extreme_matchings(draw: st.DrawFn) -> tuple[Table, Table]:
    """The largest scaled score is as large or small as e can be raised to, others are near it or far below.

    A query along an axis makes each key's first number its score; the other one may be of any size.
    """
    query = draw(st.sampled_from([0.001, 1.0, 900.0, 1e5])) * draw(st.sampled_from([1, -1]))
    largest = draw(st.sampled_from([-699.0, 699.0]) | st.floats(-699, 699))
    gaps = st.just(0.0) | st.floats(-2, 12).map(lambda p: 10**p)
    scores = draw(st.permutations([largest, *(largest - gap for gap in draw(st.lists(gaps, min_size=1, max_size=4)))]))
    firsts = [max(-1e6, min(1e6, score * math.sqrt(2) / query)) for score in scores]
    keys = [[x if abs(x) >= 1e-3 else 0, draw(numbers(6).filter(bool))] for x in firsts]
    return {"query": [query, 0], "keys": keys}, {"query": [query, 0]}


@st.composite
def lessons(draw: st.DrawFn) -> Table:
    """All tables of a valid lesson, its random samples few."""
    worked_example, practice = draw(matchings() | extreme_matchings())
    keys = worked_example["keys"]
    d_model = draw(st.integers(1, 16))
    low = draw(st.integers(710, 9993))
    paper_h = draw(st.integers(1, 64))
    return {
        "look": {"theme": draw(st.sampled_from(["dark", "light"]))},
        "opening": draw(openings()),
        "worked_example": {
            **worked_example,
            "values": draw(st.lists(arrows(6), min_size=len(keys), max_size=len(keys))),
        },
        "practice": practice,
        "stability": {"logits": draw(st.lists(st.integers(low, low + 6), min_size=3, max_size=3))},
        "spread": {
            "d_k": sorted(draw(st.sets(st.integers(1, 16), min_size=2, max_size=5))),
            "pairs": 1000,
            "seed": draw(SEEDS),
            "rows": 100,
            "keys": draw(st.integers(2, 12)),
        },
        "sequence": {
            "tokens": draw(st.lists(words(), min_size=2, max_size=12)),
            "d_model": d_model,
            "d_k": draw(st.integers(1, 8)),
            "d_v": draw(st.integers(1, 8)),
            "seed": draw(SEEDS),
        },
        "multi_head": {
            "h": draw(st.sampled_from([h for h in range(1, d_model + 1) if d_model % h == 0])),
            "seed": draw(SEEDS),
            "causal": draw(st.booleans()),
            "paper": {"d_model": paper_h * draw(st.integers(1, 64)), "h": paper_h},
        },
    }


def write_lesson(path: Path, lesson: Table) -> Path:
    """The lesson as a TOML file at `path`."""
    lines: list[str] = []
    for name, table in lesson.items():
        lines += [f"[{name}]", *(f"{_toml(key)} = {_toml(value)}" for key, value in table.items())]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml(key)} = {_toml(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)  # strings, numbers and truth values are written alike in both
