"""Chapters for the audit's command: one with a fault, one without, one that can't be played."""

from __future__ import annotations

from scenes.kit.labels import words
from scenes.kit.scene import LessonScene


class Tidy(LessonScene):
    """Two words, one under the other."""

    def construct(self) -> None:
        self.beats(self.show)

    def show(self) -> None:
        self.add(words("query").place(400, 400), words("key").place(400, 600))
        self.rest()


class Crowded(LessonScene):
    """Two words, one on the other."""

    def construct(self) -> None:
        self.beats(self.show)

    def show(self) -> None:
        self.add(words("query").place(400, 400), words("key").place(420, 410))
        self.rest()


class Impossible(LessonScene):
    """Fails at once."""

    def construct(self) -> None:
        raise ValueError("the picture\ndoes not fit")
