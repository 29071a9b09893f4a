"""The lesson's words against the typeface: one that can't be drawn is a fault of the file, found before rendering."""

from __future__ import annotations

from scenes.kit.typesetting import TypesettingError, check_glyphs


def drawable(char: str) -> bool:
    """Whether every face of the film's typeface has a glyph for this character."""
    try:
        check_glyphs(char)
    except TypesettingError:
        return False
    return True
