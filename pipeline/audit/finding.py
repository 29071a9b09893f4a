"""What the audit found: plain data, which crosses from a worker process."""

from __future__ import annotations

from dataclasses import dataclass

Box = tuple[float, float, float, float]  # left, top, right, bottom, px


@dataclass(frozen=True)
class Finding:
    """One fault: where, from when to when (s), the rule, the two things, and where they were at first.

    ``places`` counts the places of the picture in which it is so; ``look`` is the number of the look that found it.
    """

    chapter: str
    beat: str
    start: float
    end: float
    rule: str
    thing: str
    other: str | None
    detail: str
    boxes: tuple[Box, ...]
    places: int
    look: int

    @property
    def picture(self) -> str:
        """The name of the file that shows it."""
        return f"{self.chapter}-{self.beat}-{self.start:.2f}s.png"

    def __str__(self) -> str:
        left, top, _, _ = self.boxes[0]
        when = f"{self.start:.1f}" if self.end - self.start < 0.1 else f"{self.start:.1f} to {self.end:.1f}"
        often = f", and {self.places - 1} more like it" if self.places > 1 else ""
        detail = f" ({self.detail})" if self.detail else ""
        fault = f"{self.thing} {self.rule} {self.other}" if self.other else f"{self.thing} {self.rule}"
        return f"{self.chapter}, {self.beat}, {when} s: {fault}{detail}, at {left:.0f}, {top:.0f} px{often}"
