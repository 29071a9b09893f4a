"""Plays a chapter without drawing it and looks at it whenever it rests, and several times within each play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from manim import CairoRenderer, Camera, Mobject, tempconfig

from pipeline.manim_setup import manim_settings
from pipeline.rehearsal import SMALL, NullWriter
from scenes.kit.timeline import TICKS_PER_SECOND

if TYPE_CHECKING:
    from lesson import Lesson
    from scenes.kit.narration import Narrator
    from scenes.kit.scene import LessonScene

LOOKS_WITHIN = 3  # in a play at least: at a quarter, half and three quarters of it
APART = 1 / 3  # s between looks within a play, at most


@dataclass(frozen=True)
class Moment:
    """When a look happens: the beat, the time in s, and whether the picture rests."""

    beat: str
    seconds: float
    rests: bool


Look = Callable[[Moment, list[Mobject]], None]
EndOfPlay = Callable[[], None]


class _BlindCamera(Camera):
    """Draws nothing."""

    def capture_mobjects(self, *_: Any, **__: Any) -> None:
        return


class _Renderer(CairoRenderer):
    """Where Manim would draw a frame of a play, looks at the scene."""

    def __init__(self) -> None:
        writer: Any = NullWriter
        super().__init__(file_writer_class=writer, camera_class=_BlindCamera, skip_animations=True)

    def render(self, scene: Any, time: float, moving_mobjects: Any = None) -> None:
        if time < scene.duration - 1e-6:
            scene.look_at(time, rests=False)


def watched(scene_type: type[LessonScene], lesson: Lesson, look: Look, narrator: Narrator | None = None) -> LessonScene:
    """Play a scene to its end; `look` gets each moment with the scene's mobjects.

    The scene rests when a play has ended and while it waits.
    """

    class Watched(scene_type):  # type: ignore[misc, valid-type]
        def get_time_progression(self, run_time: float, *_: Any, **__: Any) -> Any:
            count = max(LOOKS_WITHIN, ceil(run_time / APART) - 1) + 1
            times = [run_time * (i + 1) / count for i in range(count)]
            return _Times(times)

        def play(self, *args: Any, **kwargs: Any) -> None:
            super().play(*args, **kwargs)
            self.look_at(0.0, rests=True)

        def look_at(self, since: float, *, rests: bool) -> None:
            seconds = self.timeline.ticks / TICKS_PER_SECOND + since
            look(Moment(self._beat, seconds, rests), self.mobjects)

    Watched.__name__ = scene_type.__name__  # a chapter is known by its class
    with TemporaryDirectory() as scratch, tempconfig(manim_settings(SMALL, Path(scratch))):
        scene: LessonScene = Watched(renderer=_Renderer(), lesson=lesson, narrator=narrator)
        scene.render()
        return scene


class _Times(list[float]):
    """What Manim expects of a progress bar."""

    def close(self) -> None: ...
