"""What goes from the store, and what stays."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from workshop import Workshop

from pipeline.clean import clean, items, shrink


def names(shop: Workshop) -> list[str]:
    """The clips in the store, by name."""
    return sorted(path.stem for path in shop.layout.store.glob("clips/*/*.mp4"))


def size(shop: Workshop) -> int:
    kept = [path for kind in ("clips", "speech") for path in (shop.layout.store / kind).rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in kept)


def test_clips_that_the_lesson_does_not_need_go(shop: Workshop) -> None:
    shop.build()
    first = size(shop)
    shop.edit("b.py", "SIZE = 2\n")
    shop.reload("query = [0, 2]", "query = [0, 1]")
    shop.build()
    assert names(shop) == ["a", "a", "a_variant", "a_variant", "b", "b", "c"]
    before = size(shop)
    freed, kept = clean(shop.studio())
    assert names(shop) == ["a", "a_variant", "b", "c"]
    assert (freed, kept) == (before - size(shop), size(shop))
    assert kept == pytest.approx(first, rel=0.05)
    files = shop.files()
    for path in shop.layout.root.glob("clips/*.mp4"):
        path.unlink()
    assert shop.build().rendered == []
    assert shop.files() == files
    assert clean(shop.studio()) == (0, kept)


def test_lines_that_clips_speak_stay(shop: Workshop) -> None:
    shop.build()
    manifest = shop.layout.clip("b").manifest
    data = json.loads(manifest.read_text(encoding="utf-8"))
    data["lines"] = [{"sound": "spoken"}, {"sound": ""}]
    manifest.write_text(json.dumps(data), encoding="utf-8")
    speech = shop.layout.store / "speech"
    speech.mkdir()
    for name in ("spoken", "other"):
        (speech / f"{name}.speech").write_bytes(bytes(1000))
    freed, _ = clean(shop.studio())
    assert freed == 1000
    assert [path.name for path in speech.iterdir()] == ["spoken.speech"]


def test_an_entry_that_cannot_be_read_goes(shop: Workshop) -> None:
    shop.build()
    (record,) = (path.parent / "record.json" for path in shop.layout.store.glob("clips/*/b.mp4"))
    record.write_text("{", encoding="utf-8")
    clean(shop.studio())
    assert names(shop) == ["a", "a_variant", "c"]


def age(path: Path, days: int) -> None:
    os.utime(path, ns=(0, 10**18 - days * 86_400 * 10**9))


def test_what_was_not_used_for_longest_goes_first(shop: Workshop) -> None:
    shop.build()
    found = {next(item.path.glob("*.mp4")).stem: item for item in items(shop.layout.store)}
    for days, name in enumerate(("c", "a", "b", "a_variant")):
        age(found[name].path, days)
    everything = sum(item.size for item in found.values())
    assert shrink(shop.layout.store, everything) == 0
    assert shrink(shop.layout.store, everything - 1) == found["a_variant"].size
    assert names(shop) == ["a", "b", "c"]
    assert shrink(shop.layout.store, found["c"].size) == found["a"].size + found["b"].size
    assert names(shop) == ["c"]
    assert shrink(shop.layout.store, 0) == found["c"].size


def test_taking_a_clip_is_using_it(shop: Workshop) -> None:
    shop.build()
    for item in items(shop.layout.store):
        age(item.path, 1)
    shop.layout.clip("b").video.unlink()
    shop.build()
    assert next(items(shop.layout.store)[-1].path.glob("*.mp4")).stem == "b"


def test_an_empty_store(shop: Workshop) -> None:
    assert clean(shop.studio()) == (0, 0)
    assert shrink(shop.layout.store) == 0
