"""The lesson: its inputs read and validated, its facts computed by the core and frozen.

lesson = load("lesson.toml")
lesson.facts["sequence.weights_causal"][2, 0]   # Fact("sequence.weights_causal[2,0]", 0.4977...)
"""

from lesson.config import LessonConfig
from lesson.errors import LessonError
from lesson.facts import Fact, FactReader, Facts, UnknownFactError
from lesson.reading import DEFAULT_LESSON, Lesson, computed_facts, load

__all__ = [
    "DEFAULT_LESSON",
    "Fact",
    "FactReader",
    "Facts",
    "Lesson",
    "LessonConfig",
    "LessonError",
    "UnknownFactError",
    "computed_facts",
    "load",
]
