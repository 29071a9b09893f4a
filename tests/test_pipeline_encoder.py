"""A clip's bytes: constant frame rate, closed groups, tags and colours, and the same every time."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from av.video.frame import PictureType
from mp4_boxes import boxes, find, opened, top_level

from pipeline.encoder import ClipEncoder
from pipeline.encoder_settings import TIMESCALE
from pipeline.poster import frame_image
from pipeline.quality import QUALITIES, Quality
from scenes.kit.theme import DARK, LIGHT

LARGER = Quality("b", 640, 320, 60)


def packets(path: Path) -> list[Any]:
    with opened(path) as container:
        return [packet for packet in container.demux(video=0) if packet.size]


def key_frames(path: Path) -> list[int]:
    with opened(path) as container:
        return [index for index, frame in enumerate(container.decode(video=0)) if frame.key_frame]


def unit_types(packet: Any) -> set[int]:
    """The kinds of H.264's units in a packet (5: a picture that refers to nothing before it)."""
    data, position, found = bytes(packet), 0, set()
    while position < len(data):
        found.add(data[position + 4] & 31)
        position += 4 + int.from_bytes(data[position : position + 4])
    return found


@pytest.mark.parametrize("fps", [15, 30, 60])
def test_timestamps_rise_by_exactly_one_frame(tmp_path: Path, write_clip: Any, fps: int) -> None:
    clip = write_clip(tmp_path / "clip.mp4", 2 * fps + 7, Quality("t", 64, 36, fps))
    with opened(clip) as container:
        stream = container.streams.video[0]
        assert stream.average_rate == stream.base_rate == fps
        assert stream.time_base == Fraction(1, TIMESCALE)
        assert stream.start_time == 0
        assert stream.frames == 2 * fps + 7
        assert stream.duration == (2 * fps + 7) * TIMESCALE // fps
    found = packets(clip)
    assert [p.pts for p in found] == [index * TIMESCALE // fps for index in range(2 * fps + 7)]
    assert [p.dts for p in found] == [p.pts for p in found]
    assert {p.duration for p in found} == {TIMESCALE // fps}


def test_one_entry_of_time_and_no_shift(tmp_path: Path, write_clip: Any) -> None:
    clip = write_clip(tmp_path / "clip.mp4", 40)
    (times,) = find(clip, "moov/trak/mdia/minf/stbl/stts")
    assert (times.number(4), times.number(8), times.number(12)) == (1, 40, TIMESCALE // 15)
    assert not find(clip, "moov/trak/mdia/minf/stbl/ctts")
    (edits,) = find(clip, "moov/trak/edts/elst")
    assert (edits.number(4), edits.number(8), edits.number(12)) == (1, 40 * TIMESCALE // 15, 0)


def test_key_frames_every_two_seconds_and_where_forced(tmp_path: Path, write_clip: Any) -> None:
    clip = write_clip(tmp_path / "clip.mp4", 100, keys=(17, 18, 60))
    assert key_frames(clip) == [0, 17, 18, 48, 60, 90]


def test_groups_are_closed(tmp_path: Path, write_clip: Any) -> None:
    clip = write_clip(tmp_path / "clip.mp4", 64, keys=(20,))
    for index, packet in enumerate(packets(clip)):
        assert (5 in unit_types(packet)) == packet.is_keyframe == (index in {0, 20, 50})
    with opened(clip) as container:
        assert {frame.pict_type for frame in container.decode(video=0)} == {PictureType.I, PictureType.P}


def test_index_comes_first(tmp_path: Path, write_clip: Any) -> None:
    kinds = top_level(write_clip(tmp_path / "clip.mp4", 20))
    assert kinds.index("moov") < kinds.index("mdat")


def test_nothing_dates_or_names_the_muxer(tmp_path: Path, write_clip: Any) -> None:
    clip = write_clip(tmp_path / "clip.mp4", 20)
    dated = [box for box in boxes(clip) if box.path.rpartition("/")[2] in {"mvhd", "tkhd", "mdhd"}]
    assert len(dated) == 3
    for box in dated:
        assert box.number(4) == box.number(8) == 0
    assert b"Lavf" not in clip.read_bytes()
    assert b"Lavc" not in clip.read_bytes()


def test_same_frames_give_same_bytes(tmp_path: Path, write_clip: Any) -> None:
    first = write_clip(tmp_path / "a.mp4", 50, keys=(9,))
    second = write_clip(tmp_path / "b.mp4", 50, keys=(9,))
    assert first.read_bytes() == second.read_bytes()


def test_a_held_frame_is_that_frame_many_times(tmp_path: Path, tiny: Quality, picture: Any) -> None:
    held, single = ClipEncoder(tmp_path / "held.mp4", tiny), ClipEncoder(tmp_path / "single.mp4", tiny)
    held.write(picture(90, 0, 0), repeat=33)
    for _ in range(33):
        single.write(picture(90, 0, 0))
    held.finish()
    single.finish()
    assert held.path.read_bytes() == single.path.read_bytes()


def test_profile_and_tags(tmp_path: Path, write_clip: Any) -> None:
    clip = write_clip(tmp_path / "clip.mp4", 3)
    with opened(clip) as container:
        context = container.streams.video[0].codec_context
        assert context.profile == "High"
        assert context.pix_fmt == "yuv420p"
        assert (context.color_range, context.colorspace) == (1, 1)
        assert (context.color_primaries, context.color_trc) == (1, 1)
        assert not context.has_b_frames
    (entry,) = find(clip, "moov/trak/mdia/minf/stbl/stsd")
    colour = entry.data[entry.data.index(b"colr") + 4 :]
    assert colour[:4] == b"nclx"
    assert colour[4:11] == bytes([0, 1, 0, 1, 0, 1, 0])  # primaries, transfer, matrix: BT.709; limited range


PATCHES = 4, 8  # rows, columns
PATCH, BORDER = 80, 16  # px; a macroblock away from an edge, nothing rings


def colours() -> list[tuple[int, int, int]]:
    """Every colour of both themes."""
    named = [value for theme in (DARK, LIGHT) for value in vars(theme).values() if str(value).startswith("#")]
    return sorted({(int(c[1:3], 16), int(c[3:5], 16), int(c[5:7], 16)) for c in named})


@pytest.fixture(params=range(0, len(colours()), PATCHES[0] * PATCHES[1]))
def patches(request: pytest.FixtureRequest) -> npt.NDArray[np.uint8]:
    """A picture of up to 32 of the themes' colours: uint8 [320, 640, 4]."""
    some = colours()[request.param : request.param + PATCHES[0] * PATCHES[1]]
    pixels = np.full((LARGER.height, LARGER.width, 4), 255, np.uint8)
    for index, colour in enumerate(some):
        row, column = divmod(index, PATCHES[1])
        pixels[row * PATCH : (row + 1) * PATCH, column * PATCH : (column + 1) * PATCH, :3] = colour
    return pixels


def inside(picture: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The pixels away from any patch's border."""
    rows, columns = (np.arange(size) % PATCH for size in picture.shape[:2])
    far = np.outer(*((at >= BORDER) & (at < PATCH - BORDER) for at in (rows, columns)))
    return picture[far][:, :3].astype(np.int64)


def test_theme_colours_come_back_within_three_levels(tmp_path: Path, patches: Any) -> None:
    encoder = ClipEncoder(tmp_path / "patches.mp4", LARGER)
    encoder.write(patches, repeat=60)
    encoder.finish()
    with opened(encoder.path) as container:
        for index, frame in enumerate(container.decode(video=0)):
            if index in (0, 30, 59):
                found = inside(frame.to_ndarray(format="rgb24"))
                assert np.abs(found - inside(patches)).max() <= 3


def test_a_poster_is_nearer_still(tmp_path: Path, patches: Any) -> None:
    encoder = ClipEncoder(tmp_path / "patches.mp4", LARGER)
    encoder.write(patches, repeat=60)
    encoder.finish()
    found = inside(np.asarray(frame_image(encoder.path, 59, LARGER.fps)))
    assert np.abs(found - inside(patches)).max() <= 2


@pytest.mark.parametrize("letter", QUALITIES)
def test_sizes_are_even_and_rates_whole_ticks(letter: str) -> None:
    quality = QUALITIES[letter]
    assert quality.width % 2 == quality.height % 2 == quality.fps % 15 == 0
    assert TIMESCALE % quality.fps == 0


def test_parameter_sets_do_not_depend_on_the_pictures(tmp_path: Path, write_clip: Any) -> None:
    sets = set()
    for frames in (1, 5, 90):
        with opened(write_clip(tmp_path / "clip.mp4", frames)) as container:
            sets.add(bytes(container.streams.video[0].codec_context.extradata or b""))
    assert len(sets) == 1
    assert len(sets.pop()) > 0


def test_nothing_appears_before_the_end(tmp_path: Path, tiny: Quality, picture: Any) -> None:
    encoder = ClipEncoder(tmp_path / "clip.mp4", tiny)
    encoder.write(picture(), repeat=60)
    assert not encoder.path.exists()
    encoder.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["clip.mp4"]


def test_an_abort_leaves_nothing_and_an_older_clip_alone(tmp_path: Path, tiny: Quality, picture: Any) -> None:
    older = tmp_path / "clip.mp4"
    older.write_bytes(b"older")
    encoder = ClipEncoder(older, tiny)
    encoder.write(picture(), repeat=60)
    encoder.abort()
    encoder.abort()
    assert [path.name for path in tmp_path.iterdir()] == ["clip.mp4"]
    assert older.read_bytes() == b"older"


def test_a_clip_without_frames_is_refused_and_leaves_nothing(tmp_path: Path, tiny: Quality) -> None:
    with pytest.raises(ValueError, match=r"clip\.mp4: no frame was written"):
        ClipEncoder(tmp_path / "clip.mp4", tiny).finish()
    assert not list(tmp_path.iterdir())


def test_wrong_frames_are_refused(tmp_path: Path, tiny: Quality, picture: Any) -> None:
    encoder = ClipEncoder(tmp_path / "clip.mp4", tiny)
    with pytest.raises(ValueError, match=r"uint8 of shape \(36, 64, 4\), not uint8 \(36, 64, 3\)"):
        encoder.write(picture()[..., :3])
    with pytest.raises(ValueError, match="not float64"):
        encoder.write(picture().astype(np.float64))
    with pytest.raises(ValueError, match="at least once, not 0 times"):
        encoder.write(picture(), repeat=0)
    encoder.abort()
