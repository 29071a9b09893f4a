"""A sentence as a strip of boxes, one a token, with what is said about its parts; dots stand for what is left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from manim import Animation, FadeOut, VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, Look, Restyle, masked, on_hatching
from scenes.kit.excerpt import Slots, dots
from scenes.kit.geometry import stroke
from scenes.kit.labels import SEMIBOLD, Label, words
from scenes.kit.matrix import token
from scenes.kit.motion import late, passing, wave
from scenes.kit.shapes import HAIR, LINE, arch, arrow, path
from scenes.kit.theme import theme

BOX, PITCH, EM, PAD = (252, 124), 270, 52, 16
ARCH_RISE, ARCH_LIFT, ARCH_HEAD, ARCH_NAME_DY = 84, 14, (26, 30), 56
BRACKET_DY, BRACKET_LEG, NOTE_DY = 26, 18, 62
KNOCKOUT = 16  # as thick as hatching is kept off: between letters that stand apart, too


class Cover(Animation):
    """What keeps hatching off a word takes the colour of its box, as this changes in the same play, before it."""

    def __init__(self, knockout: VMobject, box: Cell, **kwargs: Any) -> None:
        self.box = box
        super().__init__(knockout, **kwargs)

    def interpolate_mobject(self, alpha: float) -> None:
        colour = self.box.ground.get_fill_color()
        cast(VMobject, self.mobject).set_fill(colour, 1).set_stroke(colour, opacity=1)


class TokenStrip(VGroup):
    """Its parts are one group a token: the box, a copy that keeps hatching off the word, and the word."""

    def __init__(self, tokens: Fact, y: float, shown: Slots) -> None:
        frame, h = theme().frame, BOX[1]
        gap = PITCH - BOX[0]
        pitch = min(PITCH, (frame.right - frame.left + gap) / len(shown))
        w = pitch - gap
        x = (frame.width - (len(shown) - 1) * pitch - w) / 2
        self.boxes = [Cell(x + j * pitch, y, w, h, Look("live")) for j in range(len(shown))]
        room = w - 2 * PAD
        widest = max(token(tokens[t], 0, 0, "text", em=EM).advance for t in shown if t is not None)
        em = min(EM, max(theme().type.body, EM * room / widest))
        self.words = [self._word(tokens, place, box, em, room) for place, box in zip(shown, self.boxes, strict=True)]
        for place, box in zip(shown, self.boxes, strict=True):
            if place is None:
                box.take(box.restyled(Look()))
        self.lines = [j for j, place in enumerate(shown) if place is not None]
        self.knockouts = [on_hatching(word, masked()).submobjects[0] for word in self.words]
        for knockout in self.knockouts:
            knockout.set_stroke(width=stroke(KNOCKOUT)).set_opacity(0)
        super().__init__(*[VGroup(*parts) for parts in zip(self.boxes, self.knockouts, self.words, strict=True)])

    @staticmethod
    def _word(tokens: Fact, place: int | None, box: Cell, em: float, room: float) -> Label:
        x, y = box.centre
        if place is None:
            return dots(em).place(x, y + em / 3, "center")
        return token(tokens[place], x, y + em / 3, "text", em=em, room=room, quotes=False)  # its box sets it apart

    @staticmethod
    def _edged(look: Look, answer: bool) -> Look:
        """The answer has the edge of the query that asks for it."""
        return replace(look, edge="query") if answer else look

    def hide(self, first: int) -> list[Any]:
        """From the answer on, put the mask over the boxes."""
        later = [j for j in self.lines if j >= first]
        return [
            *wave([Restyle(self.boxes[j], self._edged(masked(), j == first)) for j in later]),
            *wave([self.words[j].animate.paint("masked_ink").build() for j in later]),
            *[Cover(self.knockouts[j], self.boxes[j]) for j in later],
        ]

    def bare(self) -> list[Any]:
        """Only the words are left: the hatching goes first, then what has kept it off them."""
        hatchings = [FadeOut(box.hatching, rate_func=passing(0, 0.5)) for box in self.boxes]
        grounds = [late(FadeOut(VGroup(box.ground, box.label)), 0.5) for box in self.boxes]
        covers = [FadeOut(knockout, rate_func=lambda t: float(t >= 0.5)) for knockout in self.knockouts]
        return [*hatchings, *grounds, *covers]

    def light(self, first: int, last: int, look: Look) -> list[Any]:
        """From the answer to the last, give the boxes that look."""
        lit = [j for j in self.lines if first <= j <= last]
        return wave([Restyle(self.boxes[j], self._edged(look, j == first)) for j in lit])

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

    def bracket(self, first: int, last: int, note: str, drop: float = 0) -> VGroup:
        """A bracket under some boxes, and what it says of them, so much lower if wanted, px.

        A long note reaches out to the strip's nearer end.
        """
        (x0, y, _, h), (x1, _, w, _) = self.boxes[first].box, self.boxes[last].box
        low = y + h + BRACKET_DY + drop
        line = path([(x0, low - BRACKET_LEG), (x0, low), (x1 + w, low), (x1 + w, low - BRACKET_LEG)], "axis", HAIR)
        says = words(note)
        if says.advance <= x1 + w - x0:
            return VGroup(line, says.place((x0 + x1 + w) / 2, low + NOTE_DY, "center"))
        if first:
            return VGroup(line, says.place(x0, low + NOTE_DY))
        return VGroup(line, says.place(x1 + w, low + NOTE_DY, "right"))
