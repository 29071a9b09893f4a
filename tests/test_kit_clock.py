"""The clock: whole ticks, whole frames, and every play is seen to its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kit_helpers import shipped
from manim import CairoRenderer, FadeIn, Square, tempconfig

from pipeline.rehearsal import NullWriter
from scenes.kit.scene import LessonScene
from scenes.kit.timeline import TICKS_PER_SECOND


class Opening(LessonScene):
    """Plays of odd lengths; takes a real chapter's name, so that it has a title."""

    def construct(self) -> None:
        self.beats(self.odd_lengths, self.talk)

    def odd_lengths(self) -> None:
        self.square = Square(2, fill_opacity=1, stroke_width=0)
        self.play(FadeIn(self.square), run_time=0.31)
        self.play(self.square.animate.shift((2, 0, 0)), run_time=1.2)
        self.wait(1.2)
        self.wait(0.01)
        self.wait(2.35)

    def talk(self) -> None:
        with self.say("A line that takes some time to say."):
            self.play(self.square.animate.set_fill("#FF0000"), run_time=0.7)


class Recorder(NullWriter):
    """Keeps every frame it is given."""

    def __init__(self, settings: Any) -> None:
        super().__init__(settings)
        self.kept: list[np.ndarray[Any, Any]] = []

    def write_frame(self, pixels: np.ndarray[Any, Any], *, repeat: int = 1) -> None:
        super().write_frame(pixels, repeat=repeat)
        self.kept += [pixels] * repeat


def play(tmp_path: Path, fps: int) -> tuple[Opening, Recorder]:
    settings = {
        "pixel_width": 96, "pixel_height": 54, "frame_rate": fps, "media_dir": str(tmp_path), "format": "mp4",
        "disable_caching": True, "progress_bar": "none", "verbosity": "ERROR",
    }  # fmt: skip
    with tempconfig(settings):
        writer: Any = Recorder
        scene = Opening(renderer=CairoRenderer(file_writer_class=writer), lesson=shipped())
        scene.render()
        recorder: Any = scene.renderer.file_writer
        return scene, recorder


@pytest.mark.parametrize("fps", [15, 30, 60])
def test_frames_are_ticks_exactly(tmp_path: Path, fps: int) -> None:
    scene, writer = play(tmp_path, fps)
    assert writer.frames == scene.timeline.ticks * fps // TICKS_PER_SECOND
    assert writer.key_frames == len(scene.timeline.beats)


def test_the_timeline_does_not_depend_on_the_frame_rate(tmp_path: Path) -> None:
    (slow, _), (fast, _) = play(tmp_path, 15), play(tmp_path, 60)
    assert slow.timeline == fast.timeline


def test_a_play_ends_on_its_final_state(tmp_path: Path) -> None:
    """The last frame of the move equals the still frames that follow it."""
    frames = play(tmp_path, 15)[1].kept
    fade, move = round(np.ceil(0.31 * 15)), round(1.2 * 15)
    assert np.array_equal(frames[fade + move - 1], frames[fade + move])
    assert not np.array_equal(frames[fade + move - 2], frames[fade + move])


def test_beats_follow_one_another_and_captions_lie_within(tmp_path: Path) -> None:
    timeline = play(tmp_path, 15)[0].timeline
    first, second = timeline.beats
    assert (first.name, second.name) == ("odd_lengths", "talk")
    assert (first.start, first.end, second.end) == (0, second.start, timeline.ticks)
    assert all(second.start <= c.start < c.end <= second.end for c in timeline.captions)
