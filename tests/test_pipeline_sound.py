"""Sound: lines where their timeline says, silence elsewhere, and a track exactly as long as the pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from listening import heard, misheard, sound_of
from mp4_boxes import boxes, find, opened, top_level

from pipeline.job import SILENT
from pipeline.quality import Quality
from pipeline.sound import SoundError, add_sound, audible, pcm, speaker
from scenes.kit.narration import Line
from scenes.kit.timeline import Said
from voice import SAMPLE_RATE

TICK = 3200
CLICKS = (0, 12_345, 64_000, 100_001)


def said(name: str, start: int, end: int, sound: str = "key") -> Said:
    return Said(f"little.{name}", start, end, "words", "words", "hibari", sound, ((0.0, 0.1),))


def steady(line: Said) -> Any:
    """A line that sounds from end to end."""
    return np.full((line.end - line.start) * TICK, 0.5, np.float32)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9), st.floats(0, 1)), max_size=6))
def test_each_line_sounds_in_its_place_and_nothing_elsewhere(gaps: list[tuple[int, int, float]]) -> None:
    lines, samples, now = [], {}, 0
    for index, (gap, length, share) in enumerate(gaps):
        lines.append(said(str(index), now + gap, now + gap + length))
        samples[lines[-1].id] = np.arange(1, 1 + int(share * length * TICK), dtype=np.float32)
        now += gap + length
    sound = pcm(lines, now + 2, lambda line: samples[line.id])
    assert sound.shape == ((now + 2) * TICK,)
    assert sound.dtype == np.float32
    for line in lines:
        start, mine = line.start * TICK, samples[line.id]
        assert np.array_equal(sound[start : start + len(mine)], mine)
        sound[start : start + len(mine)] = 0
    assert not sound.any()


@pytest.mark.parametrize(
    "lines, message",
    [
        ([said("a", 0, 9), said("b", 8, 12)], "little.b: begins before the line before it has ended"),
        ([said("a", 0, 9), said("b", 12, 21)], "little.b: ends after its clip"),
        ([said("long", 3, 9)], "little.long: its sound is longer than the line"),
    ],
)
def test_sound_that_does_not_fit_is_refused(lines: list[Said], message: str) -> None:
    with pytest.raises(SoundError) as error:
        pcm(lines, 20, lambda line: np.ones(6 * TICK + (line.id == "little.long"), np.float32))
    assert str(error.value) == message


def test_without_a_voice_lines_are_timed_and_silent() -> None:
    none = speaker(SILENT)
    speech = none.speak(Line("little.show", "Two words."))
    assert (speech.origin, speech.sound, len(speech.words)) == ("none", "", 2)
    lines = [said("show", 0, 9, speech.sound)]
    assert not audible(lines)
    assert not pcm(lines, 20, none.samples).any()


@pytest.fixture(params=[40, 47])
def ticks(request: pytest.FixtureRequest) -> int:
    """A length that is whole frames of AAC, and one that isn't."""
    length: int = request.param
    return length


@pytest.fixture
def clip(tmp_path: Path, write_clip: Callable[..., Path], ticks: int) -> Path:
    """A clip with a click at each of CLICKS, and as "silent.mp4" the clip it was made from."""
    quality = Quality("t", 64, 36, 60)
    silent = write_clip(tmp_path / "silent.mp4", 4 * ticks, quality, keys=(33, 80))
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(silent.read_bytes())
    add_sound(clip, clicks(ticks))
    return clip


def clicks(ticks: int) -> Any:
    sound = np.zeros(ticks * TICK, np.float32)
    sound[list(CLICKS)] = 0.9
    return sound


def video_packets(path: Path) -> list[tuple[Any, ...]]:
    with opened(path) as container:
        found = [packet for packet in container.demux(video=0) if packet.size]
        return [(p.pts, p.dts, p.duration, p.is_keyframe, bytes(p)) for p in found]


def test_pictures_are_copied(clip: Path) -> None:
    silent = clip.with_name("silent.mp4")
    assert video_packets(clip) == video_packets(silent)
    ours, theirs = (find(path, "moov/trak/mdia/minf/stbl/stsd")[0] for path in (clip, silent))
    assert ours.data.partition(b"btrt")[0] == theirs.data.partition(b"btrt")[0]  # but for the bit rate: it is known now
    for box in ("mdia/mdhd", "mdia/minf/stbl/stts", "mdia/minf/stbl/stss", "edts/elst"):
        assert find(clip, f"moov/trak/{box}")[0] == find(silent, f"moov/trak/{box}")[0]


def test_sound_and_pictures_are_equally_long(clip: Path, ticks: int) -> None:
    (movie,) = find(clip, "moov/mvhd")
    pictures, sound = find(clip, "moov/trak/edts/elst")
    assert movie.number(16) == pictures.number(8) == sound.number(8) == ticks * 1024  # of 15,360 a second
    _, heads = find(clip, "moov/trak/tkhd")
    assert heads.number(20) == ticks * 1024
    with opened(clip) as container:
        stream = container.streams.audio[0]
        assert stream.duration * stream.time_base == Fraction(ticks, 15)
        assert stream.start_time == container.streams.video[0].start_time == 0
    extra = len(sound_of(clip)) - ticks * TICK
    assert extra == -ticks * TICK % 1024
    assert extra == 0 or ticks % 8


def test_the_encoders_delay_is_left_out_by_an_edit_list(clip: Path, ticks: int) -> None:
    _, edits = find(clip, "moov/trak/edts/elst")
    assert (edits.number(4), edits.number(12), edits.number(16)) == (1, 1024, 0x10000)  # from here, at normal speed
    _, media = find(clip, "moov/trak/mdia/mdhd")
    assert (media.number(12), media.number(16)) == (SAMPLE_RATE, 1024 + ticks * TICK)


def test_a_click_is_heard_at_its_sample(clip: Path) -> None:
    sound = np.abs(sound_of(clip))
    for at in CLICKS:
        around = sound[max(0, at - 1000) : at + 1000]
        assert abs(int(around.argmax()) + max(0, at - 1000) - at) <= 1
        assert around.max() > 0.3
        sound[max(0, at - 1500) : at + 1500] = 0
    assert sound.max() < 0.01


def test_one_track_aac_lc_mono_48_khz_in_english(clip: Path) -> None:
    with opened(clip) as container:
        (stream,) = container.streams.audio
        context = stream.codec_context
        assert (context.name, context.profile, context.sample_rate, context.layout.name) == (
            "aac",
            "LC",
            48_000,
            "mono",
        )
        assert stream.language == "eng"


def test_a_reader_finds_sound_beside_its_pictures(clip: Path) -> None:
    """In the file's order, neither track runs ahead of the other by more than two frames of AAC."""
    with opened(clip) as container:
        packets = [
            (packet.pos, packet.stream.type, float(packet.pts * packet.time_base))
            for packet in container.demux()
            if packet.size
        ]
    packets.sort()
    times = [time for _, _, time in packets]
    assert {kind for _, kind, _ in packets[:3]} == {"video", "audio"}
    assert all(later - earlier > -2 * 1024 / SAMPLE_RATE for earlier, later in pairwise(times))


def test_index_first_no_names_no_dates_and_the_same_bytes_again(clip: Path, ticks: int) -> None:
    kinds = top_level(clip)
    assert kinds.index("moov") < kinds.index("mdat")
    for box in boxes(clip):
        if box.path.rpartition("/")[2] in {"mvhd", "tkhd", "mdhd"}:
            assert box.number(4) == box.number(8) == 0
    data = clip.read_bytes()
    assert b"Lavf" not in data
    assert b"Lavc" not in data
    again = clip.with_name("silent.mp4")
    add_sound(again, clicks(ticks))
    assert again.read_bytes() == data
    assert sorted(path.name for path in clip.parent.iterdir()) == ["clip.mp4", "silent.mp4"]


def test_an_error_leaves_the_clip_as_it_was(tmp_path: Path, write_clip: Callable[..., Path]) -> None:
    silent = write_clip(tmp_path / "clip.mp4", 20)
    before = silent.read_bytes()
    with pytest.raises(ValueError, match="dtype"):
        add_sound(silent, np.zeros(20 * TICK))  # type: ignore[arg-type]
    assert silent.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["clip.mp4"]


def test_a_steady_line_is_heard_from_its_start_to_its_end_and_not_beside_it(
    tmp_path: Path, write_clip: Callable[..., Path]
) -> None:
    lines = [said("a", 8, 20), said("b", 26, 30)]
    tone = np.sin(np.arange(40 * TICK) * 0.1).astype(np.float32) * 0.3
    clip = write_clip(tmp_path / "clip.mp4", 40)
    add_sound(clip, pcm(lines, 40, lambda line: tone[: (line.end - line.start) * TICK]))
    assert heard(clip) == [*range(8, 20), *range(26, 30)]
    assert misheard(sound_of(clip), [replace(line, words=((0.0, 0.2),)) for line in lines]) == []
    elsewhere = [replace(lines[0], start=2, words=((0.0, 0.2),)), replace(lines[1], end=28, words=((0.0, 0.1),))]
    assert misheard(sound_of(clip), elsewhere) == [
        "little.a: 'words' is not heard, -200 dBFS",
        "sound where no line is said: 1.87 to 2.67 s",
    ]
