"""Words that the film's typeface can't draw are refused before anything is rendered."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit_helpers import changed_lesson, shipped

from lesson import LessonError
from pipeline.cli import main
from pipeline.words import check_words


def test_the_shipped_words_can_be_drawn() -> None:
    check_words(shipped())


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (('"animal", "was", "too"', '"日本", "was", "too"'), "sequence.tokens[1]"),
        (('dimensions = ["noun", "animate", "place", "action"]', 'dimensions = ["noun", "animate", "place", "猫"]'),
         "opening.dimensions[3]"),
    ],
)  # fmt: skip
def test_a_character_without_a_glyph_is_named_with_its_key(tmp_path: Path, change: tuple[str, str], key: str) -> None:
    changes = [change]
    if "dimensions" in change[0]:
        changes.append(("cross = { action = 1 }", "cross = { place = 1 }"))
    lesson = changed_lesson(tmp_path, *changes)
    with pytest.raises(LessonError) as error:
        check_words(lesson)
    assert error.value.key == key
    assert str(error.value).startswith(f"{lesson.path}: {key}: ")
    assert "\n" not in str(error.value)
    assert "U+" in str(error.value)


def test_the_command_line_says_it_and_renders_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lesson = changed_lesson(tmp_path, ('"animal", "was", "too"', '"日本", "was", "too"'))
    media = tmp_path / "media"
    assert main(["--lesson", str(lesson.path), "--media", str(media), "-q", "l"]) == 2
    assert "sequence.tokens[1]" in capsys.readouterr().err
    assert not media.exists()
