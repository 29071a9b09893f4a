"""The parts that are the same in every chapter: title, question and takeaway."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from manim import Animation, VGroup

from lesson import Fact
from scenes.kit.geometry import at
from scenes.kit.labels import SEMIBOLD, paragraph, rich, words
from scenes.kit.motion import Redraw
from scenes.kit.shapes import box, ring_arc
from scenes.kit.theme import theme


class Heading(VGroup):
    """The title line, and a quieter line under it."""

    def __init__(self, text: str, subtitle: str | None = None) -> None:
        super().__init__()
        look = theme()
        self.text = text
        # A word of the lesson may stand in it, digits and braces included, so that the whole is no template.
        self.line = words("{}", Fact("title", text), em=look.type.title, weight=SEMIBOLD)
        self.line.place(look.frame.left, look.frame.title_baseline)
        self.add(self.line)
        if subtitle:
            under = words(subtitle, em=look.type.small, role="dim")
            self.add(under.place(look.frame.left, look.frame.subtitle_baseline))

    def quieten(self) -> Self:
        """Step back while something else is the point."""
        self.line.set_fill(theme().dim)
        return self

    def wake(self) -> Self:
        self.line.set_fill(theme().text)
        return self


class QuestionCard(VGroup):
    """A panel with a pause sign in a ring, and the question. By default it lies along the bottom.

    Parameters
    ----------
    prompt, facts
        The question; facts go into its places.
    place
        x, y, width, height of the panel, px; the question is broken into lines that fit.
    """

    ALONG_THE_BOTTOM = (96, 776, 1728, 232)
    PAD, RADIUS, TEXT_DX, LEADING = 48, 45, 186, 62

    def __init__(self, prompt: str, *facts: Fact, place: tuple[float, float, float, float] = ALONG_THE_BOTTOM) -> None:
        super().__init__()
        look = theme()
        x, y, w, h = place
        self.centre = (x + self.PAD + self.RADIUS, y + h / 2)
        self.panel = box(x, y, w, h, fill="panel", radius=16)
        self.track = ring_arc(*self.centre, self.RADIUS, 1, "hairline", 6)
        self.ring = VGroup(self._ring(1.0))
        cx, cy = self.centre
        bars = VGroup(*[box(cx + dx, cy - 17, 10, 34, fill="text", radius=2) for dx in (-16, 6)])
        question = paragraph(
            prompt, *facts, width=w - self.TEXT_DX - self.PAD, leading=self.LEADING,
            x=x + self.TEXT_DX, baseline=0, em=look.type.question, weight=SEMIBOLD,
        )  # fmt: skip
        rise = self.LEADING * (len(question) - 1) / 2
        question.shift(at(0, cy + 42 - rise) - at(0, 0))
        first = words("Predict first", em=look.type.small, role="dim").place(x + self.TEXT_DX, cy - 32 - rise)
        self.add(self.panel, self.track, self.ring, bars, first, question)

    def _ring(self, share: float) -> VGroup:
        return VGroup(ring_arc(*self.centre, self.RADIUS, max(share, 1e-3), "dim", 6))

    def countdown(self) -> Animation:
        """The ring runs out: the answer comes."""
        return Redraw(self.ring, lambda t: self._ring(1 - t), rate_func=lambda t: t)


LEADING = 96  # between the baselines of a takeaway, px


def takeaway_lines(lines: Sequence[str]) -> VGroup:
    """One sentence in up to three lines of markup, standing on the middle of the frame."""
    look = theme()
    first = look.frame.height / 2 + 24 - LEADING * (len(lines) - 1) / 2
    return VGroup(*[
        rich(line, em=look.type.takeaway, weight=SEMIBOLD).place(look.frame.left, first + i * LEADING)
        for i, line in enumerate(lines)
    ])  # fmt: skip
