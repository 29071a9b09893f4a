"""The lesson video: exact at its joins, with chapters and captions that come back."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from listening import sound_of
from mp4_boxes import boxes, find, opened, top_level

from pipeline.captions import Part
from pipeline.encoder_settings import TIMESCALE
from pipeline.join import JoinError, join_clips
from pipeline.quality import Quality
from scenes.kit.timeline import Caption

TICK = 3200  # samples
TRICKY = "a < b & c\n--> “d” {\\i1}"
PARTS = [
    Part("a", 'First <"&">', 0, 33, (Caption(0, 10, TRICKY), Caption(15, 33, "Up to the end.")), ()),
    Part("b", "Second", 33, 34, (Caption(0, 1, "One tick."),), ()),
    Part("c", "Third", 34, 100, (Caption(20, 30, "After a gap."),), ()),
]


@pytest.fixture(params=[15, 60])
def quality(request: pytest.FixtureRequest) -> Quality:
    return Quality("t", 64, 36, request.param)


@pytest.fixture
def clips(tmp_path: Path, write_clip: Any, quality: Quality) -> list[Path]:
    return [
        write_clip(tmp_path / f"{part.name}.mp4", (part.end - part.start) * quality.frames_per_tick, quality)
        for part in PARTS
    ]


@pytest.fixture(params=["silent", "sound"])
def sound(request: pytest.FixtureRequest) -> list[Any] | None:
    """One tone through all parts, with a click on the first sample of each; or none."""
    return blocks() if request.param == "sound" else None


def blocks() -> list[Any]:
    whole = (0.2 * np.sin(np.arange(100 * TICK) * 0.05)).astype(np.float32)
    whole[[part.start * TICK for part in PARTS]] = 0.9
    return [whole[part.start * TICK : part.end * TICK] for part in PARTS]


@pytest.fixture
def lesson(tmp_path: Path, clips: list[Path], quality: Quality, sound: list[Any] | None) -> Path:
    target = tmp_path / "lesson.mp4"
    assert join_clips(clips, PARTS, quality, "The lesson", target, sound) == 100 * quality.frames_per_tick
    return target


def pictures(path: Path) -> list[Any]:
    with opened(path) as container:
        return [frame.to_ndarray() for frame in container.decode(video=0)]


def test_timestamps_rise_by_exactly_one_frame(lesson: Path, quality: Quality) -> None:
    with opened(lesson) as container:
        stream = container.streams.video[0]
        assert stream.average_rate == stream.base_rate == quality.fps
        assert stream.time_base == Fraction(1, TIMESCALE)
        assert stream.duration * stream.time_base == Fraction(100, 15)
        assert stream.frames == 100 * quality.frames_per_tick
        found = [packet for packet in container.demux(stream) if packet.size]
    assert [p.pts for p in found] == [i * TIMESCALE // quality.fps for i in range(len(found))]
    assert [p.dts for p in found] == [p.pts for p in found]
    assert {p.duration for p in found} == {TIMESCALE // quality.fps}
    (times,) = [b for b in find(lesson, "moov/trak/mdia/minf/stbl/stts") if b.number(8) == len(found)]
    assert (times.number(4), times.number(12)) == (1, TIMESCALE // quality.fps)


def test_pictures_are_those_of_the_clips(lesson: Path, clips: list[Path]) -> None:
    expected = [picture for clip in clips for picture in pictures(clip)]
    found = pictures(lesson)
    assert len(found) == len(expected)
    assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


def test_every_clip_begins_on_a_key_frame(lesson: Path, quality: Quality) -> None:
    with opened(lesson) as container:
        keys = {i for i, frame in enumerate(container.decode(video=0)) if frame.key_frame}
    assert {part.start * quality.frames_per_tick for part in PARTS} <= keys


def test_a_chapter_a_clip(lesson: Path) -> None:
    with opened(lesson) as container:
        chapters = container.chapters()
        assert container.metadata["title"] == "The lesson"
    assert [c["metadata"]["title"] for c in chapters] == [part.title for part in PARTS]
    for chapter, part in zip(chapters, PARTS, strict=True):
        assert chapter["start"] * chapter["time_base"] == Fraction(part.start, 15)
        assert chapter["end"] * chapter["time_base"] == Fraction(part.end, 15)


def captions_of(path: Path) -> list[tuple[Fraction, Fraction, str]]:
    """Start and length in seconds and text of each entry of the caption track."""
    with opened(path) as container:
        (stream,) = container.streams.subtitles
        found = []
        for packet in container.demux(stream):
            if packet.size:
                data = bytes(packet)
                length = int.from_bytes(data[:2])
                found.append((packet.pts * stream.time_base, packet.duration * stream.time_base, data[2:].decode()))
                assert len(data) == 2 + length
        return found


def test_captions_come_back_with_their_times_and_no_hole(lesson: Path) -> None:
    found = captions_of(lesson)
    spoken = [(int(start * 15), int((start + length) * 15), text) for start, length, text in found if text]
    assert spoken == [
        (0, 10, TRICKY),
        (15, 33, "Up to the end."),
        (33, 34, "One tick."),
        (54, 64, "After a gap."),
    ]
    for (start, length, _), (later, _, _) in pairwise(found):
        assert start + length == later
    assert sum(found[-1][:2], Fraction(0)) == Fraction(100, 15)


def test_the_caption_track_is_text_in_english(lesson: Path) -> None:
    with opened(lesson) as container:
        (stream,) = container.streams.subtitles
        assert stream.codec_context.name == "mov_text"
        assert stream.language == "eng"


def test_index_first_no_dates_and_the_same_bytes_again(
    tmp_path: Path, lesson: Path, clips: list[Path], quality: Quality, sound: list[Any] | None
) -> None:
    kinds = top_level(lesson)
    assert kinds.index("moov") < kinds.index("mdat")
    for box in boxes(lesson):
        if box.path.rpartition("/")[2] in {"mvhd", "tkhd", "mdhd"}:
            assert box.number(4) == box.number(8) == 0
    join_clips(clips, PARTS, quality, "The lesson", tmp_path / "again.mp4", sound)
    assert (tmp_path / "again.mp4").read_bytes() == lesson.read_bytes()


def test_a_silent_lesson_has_no_sound_track(tmp_path: Path, clips: list[Path], quality: Quality) -> None:
    join_clips(clips, PARTS, quality, "The lesson", tmp_path / "lesson.mp4")
    with opened(tmp_path / "lesson.mp4") as container:
        assert [stream.type for stream in container.streams] == ["video", "subtitle", "data"]


@pytest.fixture
def spoken(tmp_path: Path, clips: list[Path], quality: Quality) -> Path:
    target = tmp_path / "lesson.mp4"
    join_clips(clips, PARTS, quality, "The lesson", target, iter(blocks()))
    return target


def test_sound_has_no_seam_where_clips_join(spoken: Path) -> None:
    """A tone runs on, and each click is heard at its sample: nothing is lost, added or faded between."""
    expected, found = np.concatenate(blocks()), sound_of(spoken)[: 100 * TICK]
    clicks = [part.start * TICK for part in PARTS]
    for at in clicks[1:]:
        assert abs(int(np.abs(found[at - 500 : at + 500]).argmax()) - 500) <= 1
    error = (found - expected).reshape(-1, 800)
    beside = {at // 800 + offset for at in clicks for offset in (-2, -1, 0, 1, 2)}
    assert max(np.abs(block).max() for index, block in enumerate(error) if index not in beside) < 0.01


def test_sound_is_as_long_as_pictures_in_english_and_beside_them(spoken: Path) -> None:
    with opened(spoken) as container:
        (stream,) = container.streams.audio
        assert stream.language == "eng"
        assert stream.duration * stream.time_base == Fraction(100, 15)
        assert stream.start_time == 0
        packets = [
            (packet.pos, packet.stream.type, float(packet.pts * packet.time_base))
            for packet in container.demux(video=0, audio=0)
            if packet.size
        ]
    times = [time for _, _, time in sorted(packets)]
    assert all(later - earlier > -2 * 1024 / 48_000 for earlier, later in pairwise(times))
    assert {edits.number(8) for edits in find(spoken, "moov/trak/edts/elst")[:2]} == {100 * 1024}


def test_a_clip_of_another_length_is_refused_and_nothing_is_left(
    tmp_path: Path, clips: list[Path], quality: Quality
) -> None:
    (tmp_path / "lesson.mp4").write_bytes(b"older")
    wrong = [*PARTS[:2], Part("c", "Third", 34, 99, (), ())]
    with pytest.raises(JoinError, match=r"c\.mp4: \d+ frames, but its timeline has 65 ticks"):
        join_clips(clips, wrong, quality, "The lesson", tmp_path / "lesson.mp4")
    assert (tmp_path / "lesson.mp4").read_bytes() == b"older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mp4", "b.mp4", "c.mp4", "lesson.mp4"]


def test_a_clip_with_other_settings_is_refused(
    tmp_path: Path, clips: list[Path], write_clip: Any, quality: Quality
) -> None:
    write_clip(clips[1], quality.frames_per_tick, Quality("t", 96, 36, quality.fps))
    with pytest.raises(JoinError, match=r"b\.mp4: encoded with other settings"):
        join_clips(clips, PARTS, quality, "The lesson", tmp_path / "lesson.mp4")
