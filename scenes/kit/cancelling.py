"""A fraction whose common factor is struck out, above and below."""

from __future__ import annotations

from scenes.kit.geometry import bottom, left, right, top
from scenes.kit.labels import Label
from scenes.kit.shapes import polygon
from scenes.kit.theme import theme

OVER, THICK = 5.0, 4.0  # of a strike: how far it reaches over what it strikes, and its thickness, px


def struck(formula: Label, role: str, t: float = 1) -> Label:
    """The formula with its parts in that role struck out: the lines have a share t of their length.

    What is struck steps back. The lines are parts of the formula, as the bar of its fraction is.
    """
    made, look = formula.copy(), theme()
    colour = look.colour(role)
    for part in [part for part in made.submobjects if part.get_fill_color().to_hex().upper() == colour]:
        x0, x1, y0, y1 = left(part) - OVER, right(part) + OVER, bottom(part) + OVER, top(part) - OVER
        x, y = x0 + (x1 - x0) * t, y0 + (y1 - y0) * t
        line = polygon(
            [(x0, y0 - THICK / 2), (x0, y0 + THICK / 2), (x, y + THICK / 2), (x, y - THICK / 2)], fill="text"
        )
        part.set_fill(look.quiet if t == 1 else colour)
        made.add(line.set_opacity(1 if t else 0))
    return made
