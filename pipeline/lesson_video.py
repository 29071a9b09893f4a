"""The lesson's own files: the joined video, its captions, chapter marks, transcript and record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline import captions as text
from pipeline import manifest
from pipeline.captions import HEADING, Part
from pipeline.files import Layout, read_json, to_json
from pipeline.job import Track, VoiceOrders
from pipeline.join import join_clips
from pipeline.quality import Quality
from pipeline.sound import audible, pcm, speaker
from voice import hibari
from voice.speech import Samples


def write_lesson(layout: Layout, names: Sequence[str], voice: VoiceOrders, fingerprint: str, folder: Path) -> int:
    """Join the finished clips of these names; all files of the lesson go into ``folder``. Returns its frames."""
    manifests = [read_json(layout.clip(name).manifest) for name in names]
    tracks = [manifest.track_of(data) for data in manifests]
    parts = lesson_parts(manifests)
    record = {**lesson_record(parts, layout.quality, fingerprint), "voice": voice_record(voice.name, tracks)}
    folder.mkdir(parents=True, exist_ok=True)
    clips = [layout.clip(name).video for name in names]
    video = folder / layout.lesson_video.name
    frames = join_clips(clips, parts, layout.quality, HEADING, video, lesson_sound(voice, tracks))
    texts = {
        "lesson.vtt": text.vtt(text.lesson_captions(parts)),
        "lesson.chapters.vtt": text.vtt(text.chapter_marks(parts)),
        "transcript.md": text.transcript(HEADING, parts),
        layout.lesson_manifest.name: to_json(record),
    }
    for name, content in texts.items():
        (folder / name).write_text(content, encoding="utf-8", newline="\n")
    return frames


def lesson_sound(orders: VoiceOrders, tracks: Sequence[Track]) -> Iterator[Samples] | None:
    """The sound of each chapter, made when it is asked for; None when no line of the lesson sounds."""
    if not any(audible(track.lines) for track in tracks):
        return None
    voiced = speaker(orders)
    return (pcm(track.lines, track.ticks, voiced.samples) for track in tracks)


def lesson_parts(manifests: Sequence[Mapping[str, Any]]) -> list[Part]:
    """Chapters one after the other, from their manifests."""
    parts: list[Part] = []
    start = 0
    for data in manifests:
        track = manifest.track_of(data)
        end = start + track.ticks
        parts.append(Part(data["name"], data["title"], start, end, track.captions, track.beats))
        start = end
    return parts


def voice_record(name: str, tracks: Sequence[Track]) -> dict[str, Any]:
    """Who speaks, how many lines each origin has, and what the engine's were made with."""
    origins = Counter(line.origin for track in tracks for line in track.lines)
    made_with = {"made_with": hibari.identity()} if hibari.NAME in origins else {}
    return {"name": name, "lines": dict(sorted(origins.items())), **made_with}


def lesson_record(parts: Sequence[Part], quality: Quality, fingerprint: str) -> dict[str, Any]:
    """The data of lesson.json: totals, and the chapters with their places; times in seconds."""
    return {
        "title": HEADING,
        "fingerprint": fingerprint,
        "width": quality.width,
        "height": quality.height,
        "fps": quality.fps,
        "frames": parts[-1].end * quality.frames_per_tick,
        "duration": manifest.seconds(parts[-1].end),
        "video": "lesson.mp4",
        "captions": "lesson.vtt",
        "chapters": [
            {
                "name": part.name,
                "title": part.title,
                "start": manifest.seconds(part.start),
                "end": manifest.seconds(part.end),
                "frames": (part.end - part.start) * quality.frames_per_tick,
                "clip": f"clips/{part.name}.mp4",
            }
            for part in parts
        ],
    }
