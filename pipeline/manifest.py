"""A clip's record, <name>.json: everything a page or a later run needs to know of it, times in seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from pipeline.job import ClipDone, Track
from pipeline.quality import Quality
from scenes.kit.timeline import TICKS_PER_SECOND, Beat, Caption, Cue, Said, Shown

KEYS = "name title fingerprint width height fps frames duration beats lines captions cues numbers reads".split()


def seconds(ticks: int) -> float:
    """Ticks as seconds: the nearest float, so exact to the frame."""
    return ticks / TICKS_PER_SECOND


def ticks(time: float) -> int:
    """The inverse of ``seconds``."""
    return round(time * TICKS_PER_SECOND)


def clip_manifest(
    done: ClipDone, title: str, fingerprint: str, quality: Quality, digests: Mapping[str, str]
) -> dict[str, Any]:
    """The data of <name>.json, its keys in the order of KEYS."""
    track = done.track
    return {
        "name": done.name,
        "title": title,
        "fingerprint": fingerprint,
        "width": quality.width,
        "height": quality.height,
        "fps": quality.fps,
        "frames": done.frames,
        "duration": seconds(track.ticks),
        "beats": [_timed(beat) for beat in track.beats],
        "lines": [_timed(line) for line in track.lines],
        "captions": [_timed(caption) for caption in track.captions],
        "cues": [_timed(cue) for cue in track.cues],
        "numbers": [_timed(number) for number in track.numbers],
        "reads": {key: digests[key] for key in sorted(digests)},
    }


_TIMES = {"start", "end", "pause_at", "reveal_at"}


def _timed(item: Beat | Said | Caption | Cue | Shown) -> dict[str, Any]:
    return {key: seconds(value) if key in _TIMES else value for key, value in asdict(item).items()}


def track_of(manifest: Mapping[str, Any]) -> Track:
    """The timeline that a manifest was made from."""

    def items(name: str, kind: Any) -> Any:
        return tuple(
            kind(**{key: ticks(value) if key in _TIMES else value for key, value in item.items()})
            for item in manifest[name]
        )

    lines = tuple(replace(line, words=tuple(map(tuple, line.words))) for line in items("lines", Said))
    cues = tuple(replace(cue, choices=tuple(cue.choices)) for cue in items("cues", Cue))
    return Track(
        ticks=ticks(manifest["duration"]),
        beats=items("beats", Beat),
        lines=lines,
        captions=items("captions", Caption),
        cues=cues,
        numbers=items("numbers", Shown),
    )


def clock(time: float) -> str:
    """Seconds as minutes, seconds and tenths: 12:34.5."""
    minutes, tenths = divmod(round(time * 10), 600)
    return f"{minutes}:{tenths / 10:04.1f}"
