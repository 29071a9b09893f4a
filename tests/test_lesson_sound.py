"""The whole lesson's sound, decoded from the file: every line heard, silence between, loudness and true peak in bounds.

Chapters are played without drawing, and blank pictures stand for theirs: sound knows only the timeline.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from listening import RATE, TICK, Samples, level, misheard, sound_of
from pyloudnorm import Meter
from scipy.signal import resample_poly

from lesson import Lesson
from pipeline.captions import Part
from pipeline.encoder import ClipEncoder
from pipeline.job import VoiceOrders
from pipeline.join import join_clips
from pipeline.quality import Quality
from pipeline.rehearsal import rehearsed
from pipeline.sound import add_sound, pcm, speaker
from scenes import CHAPTERS
from scenes.kit.timeline import Said

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("lesson sound")]

TINY = Quality("t", 64, 36, 15)


@dataclass(frozen=True)
class Chapter:
    """A chapter's decoded sound, and its place in the lesson, ticks."""

    lines: tuple[Said, ...]
    sound: Samples
    start: int


@dataclass(frozen=True)
class Whole:
    """The lesson's decoded sound, and its chapters."""

    chapters: dict[str, Chapter]
    sound: Samples


@pytest.fixture(scope="module")
def whole(shipped_lesson: Lesson, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """The lesson as it is shipped, spoken by the engine."""
    folder = tmp_path_factory.mktemp("lesson")
    voice = speaker(VoiceOrders("hibari", folder / "recordings", folder / "speech"))
    parts, blocks, clips, chapters = [], [], [], {}
    start = 0
    for chapter in (entry for entry in CHAPTERS if entry.variant_of is None):
        scene = rehearsed(getattr(import_module(chapter.module), chapter.class_name), shipped_lesson, voice)
        length, lines = scene.timeline.ticks, tuple(scene.timeline.lines)
        blocks.append(pcm(lines, length, voice.samples))
        clips.append(blank(folder / f"{chapter.name}.mp4", length))
        parts.append(Part(chapter.name, chapter.name, start, start + length, (), ()))
        chapters[chapter.name] = Chapter(lines, voiced(clips[-1], blocks[-1]), start)
        start += length
    join_clips(clips, parts, TINY, "The lesson", folder / "lesson.mp4", blocks)
    return Whole(chapters, sound_of(folder / "lesson.mp4"))


def blank(path: Path, ticks: int) -> Path:
    encoder = ClipEncoder(path, TINY)
    encoder.write(np.full((TINY.height, TINY.width, 4), 255, np.uint8), ticks)
    encoder.finish()
    return path


def voiced(clip: Path, sound: Samples) -> Samples:
    add_sound(clip, sound)
    return sound_of(clip)


@pytest.mark.parametrize("name", [entry.name for entry in CHAPTERS if entry.variant_of is None])
def test_each_line_is_heard_in_clip_and_lesson_and_nothing_between(whole: Whole, name: str) -> None:
    chapter = whole.chapters[name]
    assert chapter.lines
    assert {line.origin for line in chapter.lines} == {"hibari"}
    assert misheard(chapter.sound, chapter.lines) == []
    length = len(chapter.sound)
    in_lesson = whole.sound[chapter.start * TICK :][:length]
    assert len(in_lesson) == length
    assert misheard(in_lesson, chapter.lines) == []


def test_the_lesson_sounds_as_its_clips(whole: Whole) -> None:
    """The same samples at the same level: what differs is AAC's error only."""
    clips = np.concatenate([chapter.sound for chapter in whole.chapters.values()])
    assert clips.shape == whole.sound.shape
    assert level(clips - whole.sound) < level(clips) - 30


def test_loudness_of_the_whole_lesson(whole: Whole) -> None:
    assert abs(Meter(RATE).integrated_loudness(whole.sound) + 16) <= 0.5


def test_true_peak_of_the_whole_lesson(whole: Whole) -> None:
    minutes = np.array_split(whole.sound, range(60 * RATE, len(whole.sound), 60 * RATE))
    peak = max(float(np.abs(resample_poly(minute, 8, 1)).max()) for minute in minutes)
    assert 20 * np.log10(peak) <= -1.5
