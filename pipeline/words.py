"""The lesson's words against the typeface: one that can't be drawn is a fault of the file, found before rendering."""

from __future__ import annotations

from lesson import Lesson, LessonError
from scenes.kit.typesetting import TypesettingError, check_glyphs

WORDS = ("opening.tokens", "opening.dimensions", "sequence.tokens")


def check_words(lesson: Lesson) -> None:
    """Refuse words with a character that the film's typeface lacks.

    Raises
    ------
    LessonError
        One line: file, key, which character, what is allowed.
    """
    for key in WORDS:
        for i, word in enumerate(lesson.facts[key]):
            try:
                check_glyphs(str(word))
            except TypesettingError as error:
                wrong = str(error).partition("glyph for ")[2].partition(";")[0]
                place = f"{key}[{i}]"
                line = f"{lesson.path}: {place}: the film's typeface has no glyph for {wrong}; allowed: other letters"
                raise LessonError(line, place) from None
