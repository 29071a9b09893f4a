"""A sentence as a strip of boxes, one a token, with what is said about its parts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from manim import VGroup

from lesson import Fact
from scenes.kit.cells import Cell, Look, Restyle, masked, on_hatching
from scenes.kit.labels import SEMIBOLD, words
from scenes.kit.matrix import token
from scenes.kit.motion import wave
from scenes.kit.shapes import HAIR, LINE, arch, arrow, path
from scenes.kit.theme import theme

BOX, PITCH, EM = (252, 124), 270, 52
ARCH_RISE, ARCH_LIFT, ARCH_HEAD, ARCH_NAME_DY = 84, 14, (26, 30), 56
BRACKET_DY, BRACKET_LEG, NOTE_DY = 26, 18, 62


class TokenStrip(VGroup):
    """Its parts are one group a token: the box, a copy that keeps hatching off the word, and the word."""

    def __init__(self, tokens: Fact, y: float) -> None:
        w, h = BOX
        x = (theme().frame.width - (len(tokens) - 1) * PITCH - w) / 2
        self.boxes = [Cell(x + j * PITCH, y, w, h, Look("live")) for j in range(len(tokens))]
        self.words = [
            token(t, box.centre[0], y + h / 2 + EM / 3, "text", em=EM)
            for t, box in zip(tokens, self.boxes, strict=True)
        ]
        self.knockouts = [on_hatching(word, masked()).submobjects[0] for word in self.words]
        for knockout in self.knockouts:
            knockout.set_opacity(0)
        super().__init__(*[VGroup(*parts) for parts in zip(self.boxes, self.knockouts, self.words, strict=True)])

    @staticmethod
    def _edged(look: Look, answer: bool) -> Look:
        """The answer has the edge of the query that asks for it."""
        return replace(look, edge="query") if answer else look

    def hide(self, first: int) -> list[Any]:
        """From the answer on, put the mask over the boxes."""
        return [
            *wave([Restyle(box, self._edged(masked(), j == 0)) for j, box in enumerate(self.boxes[first:])]),
            *[word.animate.paint("masked_ink") for word in self.words[first:]],
            *[knockout.animate.set_opacity(1) for knockout in self.knockouts[first:]],
        ]

    def light(self, first: int, look: Look) -> list[Any]:
        """From the answer on, give the boxes that look."""
        return wave([Restyle(box, self._edged(look, j == 0)) for j, box in enumerate(self.boxes[first:])])

    def arch_to_next(self, i: int, name: str, role: str) -> VGroup:
        """An arrow that arches from a token to the next, and its name."""
        (x0, _), (x1, _), y = self.boxes[i].centre, self.boxes[i + 1].centre, self.boxes[i].box[1]
        foot = y - ARCH_LIFT - ARCH_HEAD[0]
        label = words(name, role=role, weight=SEMIBOLD)
        return VGroup(
            arch(x0, x1, foot, ARCH_RISE, role, LINE),
            arrow((x1, foot - HAIR), (x1, y - ARCH_LIFT), role, head=ARCH_HEAD),
            label.place((x0 + x1) / 2, y - ARCH_RISE - ARCH_NAME_DY, "center"),
        )

    def bracket(self, first: int, last: int, note: str) -> VGroup:
        """A bracket under some boxes, and what it says of them; a long note reaches out to the strip's nearer end."""
        (x0, y, _, h), (x1, _, w, _) = self.boxes[first].box, self.boxes[last].box
        low = y + h + BRACKET_DY
        line = path([(x0, low - BRACKET_LEG), (x0, low), (x1 + w, low), (x1 + w, low - BRACKET_LEG)], "axis", HAIR)
        says = words(note)
        if says.advance <= x1 + w - x0:
            return VGroup(line, says.place((x0 + x1 + w) / 2, low + NOTE_DY, "center"))
        if first:
            return VGroup(line, says.place(x0, low + NOTE_DY))
        return VGroup(line, says.place(x1 + w, low + NOTE_DY, "right"))
