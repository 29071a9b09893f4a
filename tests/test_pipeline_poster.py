"""The frame that stands for a clip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pipeline.job import Track
from pipeline.poster import frame_image, poster_tick, write_poster
from pipeline.quality import Quality
from scenes.kit.timeline import Beat


def track(*names: str) -> Track:
    beats = tuple(Beat(name, 10 * i, 10 * i + (10 if name != "long" else 12)) for i, name in enumerate(names))
    return Track(10 * max(1, len(names)), beats, (), (), (), ())


def test_the_beat_that_a_scene_names() -> None:
    assert poster_tick(track("a", "b", "takeaway"), "a") == 9


def test_a_name_that_no_beat_has() -> None:
    with pytest.raises(ValueError, match=r"poster_beat: no beat is named 'c' \(beats: a, b\)"):
        poster_tick(track("a", "b"), "c")


def test_the_beat_before_the_takeaway() -> None:
    assert poster_tick(track("a", "long", "c", "takeaway")) == 29


@pytest.mark.parametrize(("names", "tick"), [(("a", "long", "c"), 21), (("takeaway", "b"), 9), ((), 9)])
def test_otherwise_the_longest_beat(names: tuple[str, ...], tick: int) -> None:
    assert poster_tick(track(*names)) == tick


@pytest.mark.parametrize("index", [0, 1, 29, 30, 31, 75, 99])
def test_the_frame_asked_for(tmp_path: Path, write_clip: Any, index: int) -> None:
    clip = write_clip(tmp_path / "clip.mp4", 100)
    grey = 40 + 7 * index % 160
    assert abs(int(np.asarray(frame_image(clip, index, 15))[18, 32, 0]) - grey) <= 2


def test_a_frame_behind_the_end(tmp_path: Path, write_clip: Any) -> None:
    with pytest.raises(ValueError, match=r"clip\.mp4 has no frame 100"):
        frame_image(write_clip(tmp_path / "clip.mp4", 100), 100, 15)


def test_the_last_frame_of_the_tick_and_the_same_bytes_again(tmp_path: Path, write_clip: Any) -> None:
    quality = Quality("t", 64, 36, 60)
    clip = write_clip(tmp_path / "clip.mp4", 40, quality)
    write_poster(clip, 4, quality, tmp_path / "a.webp")
    write_poster(clip, 4, quality, tmp_path / "b.webp")
    assert (tmp_path / "a.webp").read_bytes() == (tmp_path / "b.webp").read_bytes()
    with Image.open(tmp_path / "a.webp") as poster:
        assert (poster.format, poster.size) == ("WEBP", (64, 36))
        assert abs(int(np.asarray(poster.convert("RGB"))[18, 32, 0]) - (40 + 7 * 19)) <= 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.webp", "b.webp", "clip.mp4"]
