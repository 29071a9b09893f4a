"""Cells: how one stands (its look), and how it changes from one state into another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, cast

from manim import Animation, ManimColor, VGroup, VMobject, interpolate_color

from lesson import Fact
from scenes.kit.colour import contrast
from scenes.kit.geometry import by, stroke
from scenes.kit.labels import REGULAR, SEMIBOLD, Label, figure, in_cell, words
from scenes.kit.shapes import HAIR, box, hatch
from scenes.kit.theme import theme

NARROW, HANG = 2.9, 0.12  # a cell narrower than that, em, has its signed figures further right, for a minus to hang
READABLE = 4.5  # contrast of a figure with its ground, at least
INSET = 1  # px from a figure and its own margins to its cell's edges: it loses decimals before it comes nearer


@dataclass(frozen=True)
class Look:
    """How a cell stands: ground, edge, ink. Roles or colours; None means none."""

    fill: str | None = None
    edge: str | None = None
    ink: str | None = None  # None: no figure is shown
    weight: int = REGULAR
    hatched: bool = False


def rest() -> Look:
    """A given number, not at work."""
    return Look("panel", ink="quiet")


def filled_with(role: str) -> Look:
    """A vector of a role, at rest."""
    return Look(theme().fill(role), ink="text")


def solid(role: str) -> Look:
    """The pair at work now."""
    return Look(role, ink="on_solid", weight=SEMIBOLD)


def copy_of(role: str) -> Look:
    """A copy of something, or a quantity not yet normalised."""
    wash, colour = theme().wash(role), theme().colour(role)
    ink = role if contrast(colour, wash) >= READABLE else "text"
    return Look(wash, edge=role, ink=ink, weight=SEMIBOLD)


def known() -> Look:
    """A score that has been computed."""
    return Look("live", ink="score", weight=SEMIBOLD)


def empty() -> Look:
    """A place that is still to be filled."""
    return Look(edge="hairline")


def weight_of(value: float) -> Look:
    """A weight, on the sequential scale."""
    shade = theme().weight_shade(value)
    return Look(shade, ink=theme().ink_on(shade), weight=SEMIBOLD)


def masked() -> Look:
    """Not to be looked at: hatched, told apart without colour."""
    return Look("masked", ink="masked_ink", weight=SEMIBOLD, hatched=True)


class Cell(VGroup):
    """Ground, hatching and figure; `box` is (x, y, w, h) in px at rest."""

    def __init__(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        look: Look,
        fact: Fact | None = None,
        *,
        decimals: int = 2,
        em: float | None = None,
        signed: bool = False,
        text: str | None = None,
        exact: bool = True,
    ) -> None:
        super().__init__()
        self.box = (x, y, w, h)
        self.fact = fact
        self.look = look
        self._decimals, self._em, self._signed, self._text, self._exact = decimals, em, signed, text, exact
        self.ground = box(x, y, w, h, fill=look.fill, edge=look.edge, width=HAIR)
        if not look.fill:
            self.ground.set_fill(theme().ground, 0)
        self.hatching: VMobject = hatch(x, y, w, h) if look.hatched else VMobject()
        self.label = self._make_label(look)
        self.add(self.ground, self.hatching, self.label)

    def _make_label(self, look: Look) -> VGroup:
        if look.ink is None or (self.fact is None and self._text is None):
            return VGroup()
        least, most = self.box[0] + INSET, self.box[0] + self.box[2] - INSET
        made = self._set(self._decimals, look)
        for fewer in range(self._decimals - 1, -1, -1) if self._text is None else ():
            if made.advance <= most - least:
                break
            made = self._set(fewer, look)
        start = made.origin[0]
        aside = max(0.0, least - start) - max(0.0, start + made.advance - most)
        if aside:  # a minus hangs out
            made.shift(by(aside, 0))
        return on_hatching(made, look) if look.hatched else VGroup(made)

    def _set(self, decimals: int, look: Look) -> Label:
        x, y, w, h = self.box
        em, role = self._em or theme().type.digits, look.ink or "text"
        if self._text is not None:
            made = words(self._text, em=em, role=role, weight=look.weight)
        else:
            assert self.fact is not None
            made = figure(self.fact, decimals, exact=self._exact, em=em, role=role, weight=look.weight)
        signed = self._signed and bool(made.figures) and "." in made.figures[0].shown
        return in_cell(made, x + w / 2 + (HANG * em if signed and w < NARROW * em else 0), y + h / 2, signed=signed)

    def restyled(
        self,
        look: Look,
        fact: Fact | None = None,
        *,
        text: str | None = None,
        decimals: int | None = None,
        signed: bool | None = None,
        em: float | None = None,
        exact: bool | None = None,
    ) -> Cell:
        """The same place in another state, for `Restyle`; `fact` and `text` replace the figure."""
        replaced = fact is not None or text is not None
        made = Cell(
            *self.box, look, fact if replaced else self.fact, decimals=self._decimals if decimals is None else decimals,
            em=em or self._em, signed=self._signed if signed is None else signed,
            text=text if replaced else self._text, exact=self._exact if exact is None else exact,
        )  # fmt: skip
        made.shift(self.ground.get_center() - made.ground.get_center())
        return made

    def take(self, other: Cell) -> Self:
        """Become that state at once."""
        self.fact, self.look = other.fact, other.look
        self._text, self._decimals, self._signed, self._em = other._text, other._decimals, other._signed, other._em
        self._exact = other._exact
        self.ground, self.hatching, self.label = other.ground, other.hatching, other.label
        self.submobjects = [self.ground, self.hatching, self.label]
        return self

    @property
    def text(self) -> str | None:
        """What stands in the cell instead of a fact's figure."""
        return self._text

    @property
    def signed(self) -> bool:
        return self._signed

    @property
    def exact(self) -> bool:
        """Whether a whole number stands without decimals."""
        return self._exact

    @property
    def centre(self) -> tuple[float, float]:
        x, y, w, h = self.box
        return x + w / 2, y + h / 2


def on_hatching(label: Label, look: Look) -> VGroup:
    """A figure on a thick copy of itself in the ground's colour, so that the hatching doesn't cut it."""
    under = VGroup(*[part.copy() for part in label.submobjects])
    ground = theme().colour(look.fill or "ground")
    under.set_fill(ground).set_stroke(ground, stroke(8), 1)
    return VGroup(under, label)


def _same_text(a: VGroup, b: VGroup) -> bool:
    """Do two cells' labels show the same figure?"""
    texts = [[f for mob in label.get_family() for f in getattr(mob, "figures", ())] for label in (a, b)]
    return bool(texts[0]) and texts[0] == texts[1]


class Restyle(Animation):
    """A cell changes state: its ground blends, figure and hatching fade out, then in. It ends as the target exactly."""

    def __init__(
        self,
        cell: Cell,
        look: Look,
        fact: Fact | None = None,
        *,
        text: str | None = None,
        decimals: int | None = None,
        signed: bool | None = None,
        em: float | None = None,
        exact: bool | None = None,
        **kwargs: Any,
    ) -> None:
        self.goal = cell.restyled(look, fact, text=text, decimals=decimals, signed=signed, em=em, exact=exact)
        super().__init__(cell, **kwargs)

    def begin(self) -> None:
        cell = cast(Cell, self.mobject)
        self.goal.shift(cell.ground.get_center() - self.goal.ground.get_center())
        self.shape = cell.ground.copy()
        self.blend = cell.ground
        hatching, label = self.goal.hatching.copy(), self.goal.label.copy()
        self.tinted: list[tuple[VMobject, Any, Any]] = []
        if _same_text(cell.label, label) and not cell.look.hatched and not self.goal.look.hatched:
            # The same figure in another ink: one figure that changes colour, or two would ghost.
            start, end = (theme().colour(look.ink or "text") for look in (cell.look, self.goal.look))
            self.tinted = [
                (part, ManimColor(start), ManimColor(end))
                for part in label.family_members_with_points()
                if isinstance(part, VMobject)
            ]
            cell.label = VGroup()
        self.fading = [(m, m.copy(), 0) for part in (cell.hatching, cell.label) for m in part.get_family()]
        self.fading += [(m, m.copy(), 1) for m in hatching.get_family()]
        self.fading += [(m, m.copy(), 1) for m in label.get_family() if not self.tinted]
        cell.submobjects = [cell.ground, cell.hatching, hatching, cell.label, label]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        t = self.rate_func(alpha)
        self.blend.interpolate(self.shape, self.goal.ground, t)
        for part, start, end in self.tinted:
            part.set_fill(interpolate_color(start, end, t), family=False)
        for mob, full, arrives in self.fading:
            if isinstance(mob, VMobject) and len(mob.points):
                share = max(0.0, 2 * t - 1) if arrives else max(0.0, 1 - 2 * t)  # one after the other: no ghosts
                mob.set_fill(opacity=full.get_fill_opacity() * share, family=False)
                mob.set_stroke(opacity=full.get_stroke_opacity() * share, family=False)

    def finish(self) -> None:
        super().finish()
        cell = cast(Cell, self.mobject)
        cell.take(self.goal)
