"""The five output qualities, named by Manim's letters."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.kit.timeline import TICKS_PER_SECOND

# Every frame rate below is a whole multiple of TICKS_PER_SECOND.


@dataclass(frozen=True)
class Quality:
    """One picture size and frame rate. Widths and heights in pixels, both even."""

    letter: str
    width: int
    height: int
    fps: int

    @property
    def folder(self) -> str:
        """Name of the output folder, e.g. "1080p60"."""
        return f"{self.height}p{self.fps}"

    @property
    def frames_per_tick(self) -> int:
        """Frames in one tick of the timeline."""
        return self.fps // TICKS_PER_SECOND


QUALITIES = {
    quality.letter: quality
    for quality in (
        Quality("l", 854, 480, 15),
        Quality("m", 1280, 720, 30),
        Quality("h", 1920, 1080, 60),
        Quality("p", 2560, 1440, 60),
        Quality("k", 3840, 2160, 60),
    )
}
