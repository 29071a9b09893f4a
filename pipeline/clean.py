"""What may go: leftovers of killed builds, clips of chapters that are no more, and what the store need not keep."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.files import Layout, read_json
from pipeline.quality import QUALITIES
from pipeline.studio import LESSON, Studio
from voice import VOICES

STORE_BYTES = 4_000_000_000
"""Room for some sixty versions of all clips at 1080p60."""


def remove_leftovers(layout: Layout) -> None:
    """Remove what a killed build left unfinished."""
    _remove(layout.work)
    store = [layout.store / name for name in ("clips", "known", "speech")]
    for folder in (*layout.folders, *store):
        for partial in sorted(folder.glob(".*.part")):
            _remove(partial)


def remove_strangers(studio: Studio) -> None:
    """Remove finished clips whose chapters are no more; only what a record of ours names."""
    names = {LESSON, *(chapter.name for chapter in studio.chapters)}
    for record in sorted(studio.layout.made(LESSON).parent.glob("[!.]*.json")):
        if record.stem not in names:
            for path in (*studio.layout.clip(record.stem).all, record):
                _remove(path)


@dataclass(frozen=True)
class Item:
    """One thing in the store: a clip's folder, or a spoken line."""

    path: Path
    size: int
    used: float


def items(store: Path) -> list[Item]:
    """All that is kept, by last use, oldest first."""
    found = [_item(path) for kind in ("clips", "speech") for path in sorted((store / kind).glob("[!.]*"))]
    return sorted(found, key=lambda item: (item.used, item.path))


def clean(studio: Studio) -> tuple[int, int]:
    """Drop from the store what the lesson doesn't need, at any quality and in any voice; bytes freed, bytes kept."""
    needed = {name for voice in VOICES for name in _needed(replace(studio, voice=replace(studio.voice, name=voice)))}
    freed = _drop(item for item in items(studio.layout.store) if not needed & {item.path.name, item.path.stem})
    return freed, sum(item.size for item in items(studio.layout.store))


def shrink(store: Path, limit: int = STORE_BYTES) -> int:
    """Drop what was not used for longest until the rest fits; how many bytes that freed."""
    kept = items(store)
    excess = sum(item.size for item in kept) - limit
    return _drop(_first(kept, excess))


def _first(kept: Iterable[Item], excess: int) -> Iterator[Item]:
    for item in kept:
        if excess <= 0:
            return
        excess -= item.size
        yield item


def _needed(studio: Studio) -> Iterator[str]:
    """Names of the stored clips that the lesson would take now, and the keys of the lines they speak."""
    sources = studio.look()
    for quality in {*QUALITIES.values(), studio.quality}:
        for chapter in studio.chapters:
            entry = studio.store.find(studio.inputs(chapter, sources, quality), studio.facts.digests)
            if entry is not None:
                yield entry.folder.name
                yield from _sounds(entry.folder / f"{chapter.name}.json")
            yield from _sounds(Layout(studio.layout.media, quality).clip(chapter.name).manifest)


def _sounds(manifest: Path) -> Iterator[str]:
    data = read_json(manifest)
    for line in data.get("lines", ()) if isinstance(data, dict) else ():
        yield line["sound"]


def _item(path: Path) -> Item:
    state = path.stat()
    if path.is_dir():  # a clip that is taken gets a new time of modification; reading a folder proves nothing
        return Item(path, sum(file.stat().st_size for file in path.iterdir()), state.st_mtime)
    return Item(path, state.st_size, max(state.st_mtime, state.st_atime))


def _drop(dropped: Iterable[Item]) -> int:
    freed = 0
    for item in dropped:
        _remove(item.path)
        freed += item.size
    return freed


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
