"""Plays a chapter without encoding it, and mostly without drawing it: a second or two instead of a minute."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from pipeline.manim_setup import manim_settings
from pipeline.quality import Quality

if TYPE_CHECKING:
    import numpy as np

    from lesson import Lesson
    from scenes.kit.narration import Narrator
    from scenes.kit.scene import LessonScene

SMALL = Quality("s", 192, 108, 15)


@dataclass
class _Section:
    """The part of Manim's Section that its renderer reads."""

    name: str
    skip_animations: bool = False


class NullWriter:
    """Answers Manim's calls to a file writer; counts frames and forced key frames, and writes nothing."""

    def __init__(self, settings: Any) -> None:
        self.settings = settings
        self.output_plan = settings.plan
        self.output_spec = settings.plan.output
        self.sections = [_Section("autocreated")]
        self.subcaptions: list[Any] = []
        self.frames = self.key_frames = 0
        self.on_frame: Any = None  # called with each picture and how often it is shown

    def force_key_frame(self) -> None:
        """Count a key frame."""
        self.key_frames += 1

    def write_frame(self, pixels: np.ndarray[Any, Any], *, repeat: int = 1) -> None:
        """Count one RGBA picture, uint8 [height, width, 4], as ``repeat`` frames."""
        self.frames += repeat
        if self.on_frame is not None:
            self.on_frame(pixels, repeat)

    def is_already_cached(self, hash_invocation: str) -> bool:
        """Nothing is cached."""
        return False

    def nothing(self, *_: Any, **__: Any) -> None:
        """For all calls that have no meaning without a file."""

    next_section = add_partial_movie_file = begin_animation = end_animation = finish = nothing
    abort_encode_jobs = save_image = nothing


def rehearsed(
    scene_type: type[LessonScene], lesson: Lesson, narrator: Narrator | None = None, *, draw: bool = False
) -> LessonScene:
    """Play a scene to its end; `timeline`, `reads` and `mobjects` of what comes back tell what happened.

    With `draw`, every frame is drawn (small), and `scene.renderer.file_writer.frames` counts them; without, each
    animation jumps to its end. Manim's configuration is left as it was.
    """
    from manim import CairoRenderer, Camera, tempconfig

    class BlindCamera(Camera):
        """Draws nothing."""

        def capture_mobjects(self, *_: Any, **__: Any) -> None:
            return

    with TemporaryDirectory() as scratch, tempconfig(manim_settings(SMALL, Path(scratch))):
        writer: Any = NullWriter
        camera = None if draw else BlindCamera
        renderer = CairoRenderer(file_writer_class=writer, camera_class=camera, skip_animations=not draw)
        scene = scene_type(renderer=renderer, lesson=lesson, narrator=narrator)
        scene.render()
        return scene
