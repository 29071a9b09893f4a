"""Words that the film's typeface can't draw are refused by name, before anything is rendered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from drawn_lessons import LETTERS

from lesson import DEFAULT_LESSON, LessonError, load
from pipeline.cli import main
from pipeline.words import drawable
from scenes.kit.typesetting import REGULAR, SEMIBOLD, quoted, typeset

TOKENS = '"animal", "was", "too"'


@pytest.fixture
def lesson_with(tmp_path: Path) -> Callable[..., Path]:
    """A function that writes the shipped lesson with texts replaced."""

    def write(*changes: tuple[str, str]) -> Path:
        text = DEFAULT_LESSON.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "lesson.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    "text",
    [
        "naïve Größe façade Łódź Þórr İstanbul Việt",
        "αβγδεζηθικλμνξοπρστυφχψω ΑΩ άέήίόύώ ᾧ",
        "абвгдежзийклмнопрстуфхцчшщъыьэюя Київ ґ љ Қ",
        "0123456789 €%&@#$§ .,;:!?…‘’“”«»–— <>[]{}()/|^_~`'\"*+-=",
    ],
)
def test_latin_greek_cyrillic_and_common_signs_can_be_drawn(text: str) -> None:
    assert [char for char in text if not drawable(char)] == []


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("日", "日 U+65E5 CJK UNIFIED IDEOGRAPH-65E5"),
        ("ح", "ح U+062D ARABIC LETTER HAH"),
        ("ש", "ש U+05E9 HEBREW LETTER SHIN"),
        ("😀", "😀 U+1F600 GRINNING FACE"),
        ("ก", "ก U+0E01 THAI CHARACTER KO KAI"),
    ],
)
def test_other_scripts_are_refused_by_name(lesson_with: Callable[..., Path], word: str, name: str) -> None:
    path = lesson_with((TOKENS, f'"{word}{word}", "was", "too"'))
    with pytest.raises(LessonError) as error:
        load(path, drawable)
    assert str(error.value).startswith(f"{path}: sequence.tokens[1]: the film's typeface has no glyph for {name}; ")
    assert load(path).facts["sequence.tokens"].value[1] == 2 * word  # the numbers need no typeface


def test_all_words_are_checked_at_once(lesson_with: Callable[..., Path]) -> None:
    path = lesson_with(
        ('"The", "animal", "didn’t"', '"The", "animal", "猫"'),
        ('"place", "action"]', '"place", "犬"]'),
        ("cross = { action = 1 }", "cross = { place = 1 }"),
        (TOKENS, '"日本", "was", "too"'),
        ("h = 2", "h = 3"),
    )
    with pytest.raises(LessonError) as error:
        load(path, drawable)
    assert [fault.key for fault in error.value.faults] == [
        "multi_head.h", "opening.tokens[2]", "opening.dimensions[3]", "sequence.tokens[1]",
    ]  # fmt: skip


def test_the_command_line_says_it_and_renders_nothing(
    lesson_with: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, media = lesson_with((TOKENS, '"日本", "was", "too"'), ("h = 2", "h = 3")), tmp_path / "media"
    assert main(["--lesson", str(path), "--media", str(media), "-q", "l"]) == 2
    heads, word = capsys.readouterr().err.splitlines()
    assert heads.startswith(f"render.py: {path}: multi_head.h: 3 does not divide")
    assert word.startswith(f"render.py: {path}: sequence.tokens[1]: the film's typeface has no glyph for 日 U+65E5")
    assert not media.exists()


@pytest.mark.parametrize("weight", [REGULAR, SEMIBOLD])
def test_every_character_that_is_let_through_is_drawn_as_one_glyph(weight: int) -> None:
    for start in range(0, len(LETTERS), 100):
        some = LETTERS[start : start + 100]
        drawn = typeset(quoted("x".join(some)), weight).outlines  # an x between them, so that none join
        assert len(drawn) == 2 * len(some) - 1, some
