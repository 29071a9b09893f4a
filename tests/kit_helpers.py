"""Run a chapter without encoding it, and mostly without drawing it: a second or two instead of a minute."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from lesson import DEFAULT_LESSON, Lesson, load
from scenes import chapter, scene_class

if TYPE_CHECKING:
    import numpy as np

    from scenes.kit.narration import Narrator
    from scenes.kit.scene import LessonScene

FPS = 15
SIZE = (192, 108)  # pixels


@dataclass
class _Section:
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
        self.on_frame: Any = None

    def force_key_frame(self) -> None:
        self.key_frames += 1

    def write_frame(self, pixels: np.ndarray[Any, Any], *, repeat: int = 1) -> None:
        self.frames += repeat
        if self.on_frame is not None:
            self.on_frame(pixels, repeat)

    def is_already_cached(self, hash_invocation: str) -> bool:
        return False

    def nothing(self, *_: Any, **__: Any) -> None:
        """For all calls that have no meaning without a file."""

    next_section = add_partial_movie_file = begin_animation = end_animation = finish = nothing
    abort_encode_jobs = save_image = nothing


def shipped() -> Lesson:
    """The lesson as it is shipped."""
    return load(Path(DEFAULT_LESSON))


def changed_lesson(folder: Path, *changes: tuple[str, str]) -> Lesson:
    """The shipped lesson with each first text, which must stand in it, replaced by the second."""
    text = Path(DEFAULT_LESSON).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"the shipped lesson doesn't hold {old!r}"
        text = text.replace(old, new, 1)
    path = folder / "lesson.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def play_chapter(
    name: str, lesson: Lesson | None = None, *, draw: bool = False, narrator: Narrator | None = None
) -> LessonScene:
    """Play a chapter to its end; `timeline`, `reads` and `mobjects` of what comes back tell what happened.

    With `draw`, every frame is drawn (small), and `scene.renderer.file_writer.frames` counts them; without, each
    animation jumps to its end.
    """
    return play_scene(scene_class(chapter(name)), lesson, draw=draw, narrator=narrator)


def play_scene(
    scene_type: type[LessonScene],
    lesson: Lesson | None = None,
    *,
    draw: bool = False,
    narrator: Narrator | None = None,
) -> LessonScene:
    """As `play_chapter`, for any scene."""
    from manim import CairoRenderer, Camera, tempconfig

    class BlindCamera(Camera):
        """Draws nothing."""

        def capture_mobjects(self, *_: Any, **__: Any) -> None:
            return

    with TemporaryDirectory() as scratch, tempconfig(_settings(scratch)):
        writer: Any = NullWriter
        camera = None if draw else BlindCamera
        renderer = CairoRenderer(file_writer_class=writer, camera_class=camera, skip_animations=not draw)
        scene = scene_type(renderer=renderer, lesson=lesson or shipped(), narrator=narrator)
        scene.render()
        return scene


def _settings(scratch: str) -> dict[str, Any]:
    return {
        "pixel_width": SIZE[0], "pixel_height": SIZE[1], "frame_rate": FPS, "media_dir": scratch, "format": "mp4",
        "disable_caching": True, "progress_bar": "none", "verbosity": "ERROR",
    }  # fmt: skip
