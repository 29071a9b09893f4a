"""The file writer that Manim's CairoRenderer is given: all frames of a scene go into one encoder pass.

Manim's own writer makes one file a play and joins them. This one answers the same calls (found in manim/manager.py,
manim/renderer/cairo_renderer.py and manim/scene/scene.py, version 0.22), but keeps no cache and no segments.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.encoder import ClipEncoder
from pipeline.quality import Quality

if TYPE_CHECKING:
    import numpy as np


@dataclass
class _Section:
    """The part of manim's Section that its renderer reads."""

    name: str
    skip_animations: bool


class ClipWriter:
    """Writes the frames of one scene to ``target``.

    ``on_frames(total)`` is called after each write with the frames encoded so far; what it raises ends the render.
    """

    def __init__(
        self,
        settings: Any,
        *,
        target: Path,
        quality: Quality,
        on_frames: Callable[[int], None] | None = None,
    ) -> None:
        self.settings = settings
        self.output_plan = settings.plan
        self.output_spec = settings.plan.output
        self.final_file_path = target
        self.sections = [_Section("autocreated", skip_animations=False)]
        self.subcaptions: list[Any] = []
        self._on_frames = on_frames
        self._encoder = ClipEncoder(target, quality)

    @property
    def frames(self) -> int:
        """Frames encoded so far."""
        return self._encoder.frames

    def force_key_frame(self) -> None:
        """Make the next frame a key frame, so that a player can jump to it exactly."""
        self._encoder.force_key_frame()

    def write_frame(self, pixels: np.ndarray[Any, Any], *, repeat: int = 1) -> None:
        """Encode one RGBA picture, uint8 [height, width, 4], as ``repeat`` frames."""
        if repeat < 1:
            raise ValueError(f"a frame must be shown at least once, not {repeat} times")
        self._encoder.write(pixels, repeat)
        if self._on_frames is not None:
            self._on_frames(self._encoder.frames)

    def finish(self) -> None:
        """Manim's sign that the scene is complete."""
        self._encoder.finish()

    def abort_encode_jobs(self, reraise_encoder_failures: bool = False) -> None:
        """Manim's sign that the scene failed."""
        self._encoder.abort()

    # What follows has no meaning for a single pass, but Manim calls it.

    def next_section(self, name: str, type_: str, skip_animations: bool) -> None:
        """Sections don't split a clip; only their skipping is honoured."""
        self.sections.append(_Section(name, skip_animations))

    def add_partial_movie_file(self, hash_animation: str | None) -> None:
        """There are no partial files."""

    def is_already_cached(self, hash_invocation: str) -> bool:
        """Nothing is cached by play."""
        return False

    def begin_animation(self, allow_write: bool = False, *, animation_index: int, file_path: Any = None) -> None:
        """A play needs no file of its own."""

    def end_animation(self, allow_write: bool = False) -> None:
        """A play needs no file of its own."""

    def add_sound(self, sound_file: Any, time: float | None = None, gain: float | None = None, **_: Any) -> None:
        """Sound is placed from the timeline after the pictures, never by a scene."""
        raise ValueError(f"a scene must not add sound ({sound_file}): it is placed from the timeline")

    def save_image(self, pixels: np.ndarray[Any, Any]) -> None:
        """Reached only by a scene without a single play, which is no clip."""
        raise ValueError("the scene plays nothing, so there is no clip to write")
