"""The writer that Manim is given: one pass, and nothing behind after an error."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mp4_boxes import opened

from pipeline.quality import Quality
from pipeline.writer import ClipWriter

SETTINGS = SimpleNamespace(plan=SimpleNamespace(output=SimpleNamespace(is_video=True)))


@pytest.fixture
def writer(tmp_path: Path, tiny: Quality) -> ClipWriter:
    return ClipWriter(SETTINGS, target=tmp_path / "clip.mp4", quality=tiny)


def test_all_plays_go_into_one_clip(tmp_path: Path, writer: ClipWriter, picture: Any) -> None:
    for play in range(3):
        writer.add_partial_movie_file(f"uncached_{play}")
        writer.begin_animation(True, animation_index=play)
        writer.force_key_frame()
        writer.write_frame(picture(50 * play), repeat=4)
        writer.write_frame(picture(50 * play + 9))
        writer.end_animation(True)
    writer.finish()
    assert writer.frames == 15
    with opened(tmp_path / "clip.mp4") as container:
        keys = [index for index, frame in enumerate(container.decode(video=0)) if frame.key_frame]
    assert keys == [0, 5, 10]
    assert [path.name for path in tmp_path.iterdir()] == ["clip.mp4"]


def test_sections_are_known_but_split_nothing(writer: ClipWriter) -> None:
    writer.next_section("later", "default.normal", skip_animations=True)
    assert [section.skip_animations for section in writer.sections] == [False, True]
    assert not writer.is_already_cached("anything")
    writer.abort_encode_jobs()


def test_an_error_while_encoding_surfaces_and_leaves_nothing(tmp_path: Path, writer: ClipWriter, picture: Any) -> None:
    writer.write_frame(picture())
    writer.write_frame(picture()[:10])
    with pytest.raises(ValueError, match="a frame must be uint8"):
        writer.write_frame(picture())
    writer.abort_encode_jobs()
    assert not list(tmp_path.iterdir())


def test_an_error_in_the_last_picture_surfaces_in_finish(tmp_path: Path, writer: ClipWriter, picture: Any) -> None:
    writer.write_frame(picture())
    writer.write_frame(picture()[:10])
    with pytest.raises(ValueError, match="a frame must be uint8"):
        writer.finish()
    assert not list(tmp_path.iterdir())


def test_whoever_watches_can_end_the_render(tmp_path: Path, tiny: Quality, picture: Any) -> None:
    seen: list[int] = []

    def watch(frames: int) -> None:
        seen.append(frames)
        if frames >= 6:
            raise KeyboardInterrupt

    writer = ClipWriter(SETTINGS, target=tmp_path / "clip.mp4", quality=tiny, on_frames=watch)
    writer.write_frame(picture(), repeat=3)
    writer.write_frame(picture(), repeat=3)
    with pytest.raises(KeyboardInterrupt):
        writer.write_frame(picture())
    writer.abort_encode_jobs()
    assert seen == [0, 3, 6]
    assert not list(tmp_path.iterdir())


def test_a_scene_adds_no_sound(writer: ClipWriter) -> None:
    with pytest.raises(ValueError, match=r"must not add sound \(click\.wav\)"):
        writer.add_sound("click.wav", 1.0, gain=-3)
    writer.abort_encode_jobs()
