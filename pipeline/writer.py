"""The file writer that Manim's CairoRenderer is given: all frames of a scene go into one encoder pass.

Manim's own writer makes one file a play and joins them. This one answers the same calls (found in
manim/manager.py, manim/renderer/cairo_renderer.py and manim/scene/scene.py, version 0.22), but keeps no cache and
no segments.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.encoder import ClipEncoder
from pipeline.quality import Quality

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass
class _Section:
    """The part of Manim's Section that its renderer reads."""

    name: str
    skip_animations: bool


class ClipWriter:
    """Writes the frames of one scene to ``target``, one picture in a thread while the next one is drawn.

    ``on_frames(total)`` is called before each write with the frames so far; what it raises ends the render.
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
        self.frames = 0
        self._on_frames = on_frames
        self._key_frame = False
        self._encoder = ClipEncoder(target, quality)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="encoder")
        self._writing: Future[None] | None = None

    def force_key_frame(self) -> None:
        """Make the next frame a key frame, so that a player can jump to it exactly."""
        self._key_frame = True

    def write_frame(self, pixels: npt.NDArray[np.uint8], *, repeat: int = 1) -> None:
        """Encode one RGBA picture, uint8 [height, width, 4], as ``repeat`` frames. The picture is now ours."""
        if self._on_frames is not None:
            self._on_frames(self.frames)
        self._wait()
        self._writing = self._thread.submit(self._write, pixels, repeat, self._key_frame)
        self._key_frame = False
        self.frames += repeat

    def _write(self, pixels: npt.NDArray[np.uint8], repeat: int, key_frame: bool) -> None:
        if key_frame:
            self._encoder.force_key_frame()
        self._encoder.write(pixels, repeat)

    def _wait(self) -> None:
        """Until the encoder is free; an error of the picture before surfaces here."""
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    def finish(self) -> None:
        """Manim's sign that the scene is complete."""
        try:
            self._wait()
            self._encoder.finish()
        finally:
            self.abort_encode_jobs()

    def abort_encode_jobs(self, reraise_encoder_failures: bool = False) -> None:
        """Manim's sign that the scene failed. The first error has been told already: none is raised here."""
        self._thread.shutdown()
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

    def begin_animation(self, allow_write: bool = False, *, animation_index: int) -> None:
        """A play needs no file of its own."""

    def end_animation(self, allow_write: bool = False) -> None:
        """A play needs no file of its own."""

    def add_sound(self, sound_file: Any, *_: Any, **__: Any) -> None:
        """Sound is placed from the timeline after the pictures, never by a scene."""
        raise ValueError(f"a scene must not add sound ({sound_file}): it is placed from the timeline")
