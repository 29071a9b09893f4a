"""Run a chapter without encoding it, and mostly without drawing it: a second or two instead of a minute."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lesson import DEFAULT_LESSON, Lesson, load
from pipeline.rehearsal import rehearsed
from scenes import chapter, scene_class
from scenes.kit.timeline import TICKS_PER_SECOND

if TYPE_CHECKING:
    from scenes.kit.narration import Narrator
    from scenes.kit.scene import LessonScene
    from scenes.kit.timeline import Timeline


def shipped() -> Lesson:
    """The lesson as it is shipped."""
    return load(Path(DEFAULT_LESSON))


def changed_lesson(folder: Path, *changes: tuple[str, str]) -> Lesson:
    """The shipped lesson with each first text, which must stand in it, replaced by the second."""
    text = Path(DEFAULT_LESSON).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"the shipped lesson doesn't hold {old!r}"
        text = text.replace(old, new, 1)
    path = folder / "lesson.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


def play_chapter(
    name: str, lesson: Lesson | None = None, *, draw: bool = False, narrator: Narrator | None = None
) -> LessonScene:
    """Play a chapter to its end; `timeline`, `reads` and `mobjects` of what comes back tell what happened.

    With `draw`, every frame is drawn (small), and `scene.renderer.file_writer.frames` counts them; without, each
    animation jumps to its end.
    """
    return play_scene(scene_class(chapter(name)), lesson, draw=draw, narrator=narrator)


def play_scene(
    scene_type: type[LessonScene],
    lesson: Lesson | None = None,
    *,
    draw: bool = False,
    narrator: Narrator | None = None,
) -> LessonScene:
    """As `play_chapter`, for any scene."""
    return rehearsed(scene_type, lesson or shipped(), narrator, draw=draw)


def word_at(timeline: Timeline, line_id: str, word: str) -> float:
    """When a word of a line is begun, s; punctuation around it doesn't count."""
    line = next(line for line in timeline.lines if line.id == line_id)
    tokens = [token.strip(".,;:?“”") for token in line.text.split()]
    return line.start / TICKS_PER_SECOND + line.words[tokens.index(word)][0]


def shown_at(timeline: Timeline, fact: str) -> list[float]:
    """When a figure appears, each time, s."""
    return [figure.start / TICKS_PER_SECOND for figure in timeline.numbers if figure.fact == fact]
