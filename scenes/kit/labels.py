"""Text, figures and formulas as mobjects that know their baseline, their em and their facts."""

from __future__ import annotations

import re
from typing import Literal, Self

import numpy as np
from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.figures import MINUS, Figure, figure_of, filled, place_of, shown
from scenes.kit.geometry import PX_PER_UNIT, at, pixel
from scenes.kit.theme import theme
from scenes.kit.typesetting import REGULAR, SEMIBOLD, Setting, check_glyphs, quoted, typeset

__all__ = [
    "REGULAR", "SEMIBOLD", "Align", "Label", "axis_mark", "figure", "formula", "in_cell", "number", "paragraph", "rich",
    "run", "words",
]  # fmt: skip

Align = Literal["left", "center", "right", "origin"]
CAP = 0.655  # height of capitals and figures of Source Sans Pro, em
AXIS = 0.25  # height of the fraction bar of New Computer Modern, em
_SUPER = re.compile(r"#super\[(.*?)]")
_SIGN_SHIFT = 0.125  # figures in a signed column move right by a quarter of a minus


class Label(VGroup):
    """One line of type. Its parts are one path per run of the same role, in reading order."""

    def __init__(self, setting: Setting, em: float, role: str, figures: tuple[Figure, ...] = ()) -> None:
        super().__init__()
        self.figures = figures
        self.em = em
        self.markup = setting.markup
        self.advance = setting.advance * em
        runs: list[tuple[str | None, list[np.ndarray]]] = []
        for outline in setting.outlines:
            if not runs or runs[-1][0] != outline.role:
                runs.append((outline.role, []))
            runs[-1][1].append(outline.curves)
        for part_role, curves in runs:
            flat = np.concatenate(curves) * em / PX_PER_UNIT
            part = VMobject(stroke_width=0, fill_opacity=1, fill_color=theme().colour(part_role or role))
            part.points = np.column_stack([flat, np.zeros(len(flat))])
            self.add(part)
        self._corner = self.get_corner(np.array([-1, -1, 0])) if runs else np.zeros(3)
        self._width = max(self.width, self.height)
        self.natural_height = float(self.height)

    @property
    def _scale(self) -> float:
        return float(max(self.width, self.height) / self._width)

    @property
    def origin(self) -> tuple[float, float]:
        """The left end of the baseline, px."""
        return pixel(self.get_corner(np.array([-1, -1, 0])) - self._corner * self._scale)

    def place(self, x: float, baseline: float, align: Align = "left") -> Self:
        """Stand on a baseline with the ink's left edge, centre or right edge, or the origin, at x."""
        x0, y0 = self.origin
        edge = {
            "left": self.get_left(), "center": self.get_center(), "right": self.get_right(), "origin": at(x0, 0)
        }[align]  # fmt: skip
        self.shift(at(x, baseline) - at(pixel(edge)[0], y0))
        return self

    def middle(self, x: float, y: float, align: Align = "left", rise: float = CAP) -> Self:
        """As `place`, with a glyph of height `rise` em centred on y."""
        return self.place(x, y + rise * self.em * self._scale / 2, align)

    def paint(self, role: str) -> Self:
        """One colour for all parts."""
        self.set_fill(theme().colour(role))
        return self


def words(
    template: str,
    *facts: Fact,
    em: float | None = None,
    role: str = "text",
    weight: int = REGULAR,
    narrow: float = 1.0,
) -> Label:
    """Plain text in the sans face; facts go into its places (see `filled`). `narrow`: its width, as a share."""
    text, figures = filled(template, facts)
    check_glyphs(text)
    setting = typeset(quoted(text), weight)
    return Label(setting if narrow == 1 else setting.narrowed(narrow), em or theme().type.body, role, figures)


def paragraph(
    template: str,
    *facts: Fact,
    width: float,
    leading: float,
    x: float,
    baseline: float,
    em: float | None = None,
    role: str = "text",
    weight: int = REGULAR,
) -> VGroup:
    """Plain text broken into lines no wider than `width` px, the first one standing on `baseline`."""
    text, figures = filled(template, facts)
    check_glyphs(text)
    size = em or theme().type.body
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if typeset(quoted(longer), weight).advance * size <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    made = [Label(typeset(quoted(line), weight), size, role) for line in lines]
    made[0].figures = figures
    return VGroup(*[label.place(x, baseline + i * leading) for i, label in enumerate(made)])


def rich(markup: str, *facts: Fact, em: float | None = None, role: str = "text", weight: int = REGULAR) -> Label:
    """Typst markup in the sans face: `#qc[query]` colours by role, `$...$` is a formula in line."""
    text, figures = filled(markup, facts)
    return Label(typeset(text, weight), em or theme().type.body, role, figures)


def number(
    fact: Fact,
    digits: int = 3,
    decimals: int = 9,
    *,
    em: float | None = None,
    role: str = "text",
    weight: int = REGULAR,
) -> Label:
    """A number of any size, with so many digits as `place_of` says."""
    return rich(place_of(fact, digits, decimals), fact, em=em or theme().type.digits, role=role, weight=weight)


def formula(markup: str, *facts: Fact, em: float | None = None, role: str = "text") -> Label:
    """A formula; `qc(q)` colours by role."""
    text, figures = filled(markup, facts)
    for made in figures:
        if "," in made.shown:  # in a formula a comma parts arguments
            text = text.replace(made.shown, f'"{made.shown}"')
    text = _SUPER.sub(r"^(\1)", text)  # markup raises nothing there
    return Label(typeset(f"$display({text})$"), em or theme().type.formula, role, figures)


def figure(
    fact: Fact,
    decimals: int = 2,
    *,
    exact: bool = True,
    em: float | None = None,
    role: str = "text",
    weight: int = REGULAR,
) -> Label:
    """A figure on its own, for a cell or a bar."""
    made = figure_of(fact, decimals, exact=exact)
    return Label(typeset(quoted(made.shown), weight), em or theme().type.digits, role, (made,))


def axis_mark(value: int, *, em: float | None = None, role: str = "dim", weight: int = REGULAR) -> Label:
    """A number on a ruler: it belongs to the ruler and not to the lesson, and is listed as that."""
    mark = Figure("ruler", value, shown(value))
    return Label(typeset(quoted(mark.shown), weight), em or theme().type.small, role, (mark,))


def in_cell(label: Label, x: float, y: float, *, signed: bool = False) -> Label:
    """Centre a figure on (x, y): the digits are centred, a minus hangs out to the left.

    With `signed` all figures move right by a quarter of a minus, so that both sorts sit well; the decimal point
    stands in the same place whatever the sign.
    """
    sign = typeset(quoted(MINUS)).advance * label.em
    text = label.figures[0].shown if label.figures else ""
    hang = sign if text.startswith(MINUS) else 0.0
    start = x - (label.advance - hang) / 2 - hang + (_SIGN_SHIFT * label.em if signed else 0)
    return label.place(start, y + CAP * label.em / 2, "origin")


def run(*labels: Label, x: float, baseline: float, gap: float = 0, align: Align = "left") -> VGroup:
    """Labels one after the other on one baseline, `gap` px between their advances."""
    total = sum(label.advance for label in labels) + gap * (len(labels) - 1)
    start = x - {"left": 0.0, "origin": 0.0, "center": total / 2, "right": total}[align]
    for label in labels:
        label.place(start, baseline, "origin")
        start += label.advance + gap
    return VGroup(*labels)
