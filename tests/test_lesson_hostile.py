"""Lesson files that nobody should write: refused in a few lines, without a traceback, before anything is made."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import webvtt
from hypothesis import given, settings
from hypothesis import strategies as st

from lesson import DEFAULT_LESSON, LessonError, load
from lesson.errors import LONGEST_KEY, LONGEST_PART, MOST_TOLD
from pipeline.captions import Part, transcript, vtt
from pipeline.cli import main
from pipeline.files import to_json
from pipeline.words import drawable
from scenes.kit.timeline import Beat, Caption
from scenes.kit.typesetting import quoted, typeset

SHIPPED = DEFAULT_LESSON.read_text(encoding="utf-8")
LONGEST_TOLD = LONGEST_KEY + 2 * LONGEST_PART + len(": : ; allowed: ")
WORDS = 'tokens = ["The", "animal", "was"'


def with_words(text: str) -> str:
    assert WORDS in SHIPPED
    return SHIPPED.replace(WORDS, f"tokens = [{text}")


def check_told(path: Path, error: LessonError) -> None:
    lines = str(error).split("\n")
    assert len(lines) <= MOST_TOLD + 1
    for line in lines:
        assert line.startswith(f"{path}: ")
        assert line.isprintable()
        assert len(line) <= len(str(path)) + 2 + LONGEST_TOLD


TEXTS = {
    "nothing": ("", "look: is missing"),
    "no words": ("\0\1\2", "is not TOML"),
    "10,000 tokens": (
        with_words(1_000 * (10 * '"a",' + "\n") + '"a"'),
        "sequence.tokens: has 10004 entries; allowed: 2 to 12",
    ),
    "a long line": (with_words(1_000 * '"a", '), "has 5,032 characters; allowed: lines of at most 1,000"),
    "keys in keys": ("\n".join(f"[{i}{'.a' * 450}]" for i in range(50)), "0: unknown key"),
    "tables in tables": (f"look = {300 * '{ a = '}1{300 * ' }'}", "characters; allowed: lines"),
    "lists in lists": (SHIPPED.replace('"it"', 200 * "[" + 200 * "]"), "opening.query_token: [[[[[[[...]]]]]]] is"),
    "lists without end": ("a = " + 5_000 * "[\n", "nested too deeply"),
    "6,000 unknown keys": ("\n".join(f"a{i}=1" for i in range(6_000)), "a0: unknown key"),
    "a key twice": (SHIPPED.replace("seed = 52", "seed = 52\nseed = 53"), "Cannot overwrite a value"),
    "a table twice": (SHIPPED + "\n[look]\n", "Cannot declare ('look',) twice"),
    "one key in two compositions": (SHIPPED.replace("animal =", '"é" = {}\n"e\u0301" = {}\nx ='), "Cannot overwrite"),
    "a number of 900 digits": (SHIPPED.replace("seed = 52", f"seed = {900 * '9'}"), "spread.seed: a whole number of"),
    "a hexadecimal one": (SHIPPED.replace("1001", "0x" + 900 * "f"), "stability.logits[1]: a whole number of more"),
    "a place too high": (
        SHIPPED.replace('token = "it"', "token = 0x" + 800 * "f"),
        "opening.query_token: there is no token a whole",
    ),
    "infinity": (SHIPPED.replace("query = [1, 0]", "query = [1e400, 0]"), "worked_example.query[0]: inf is not finite"),
    "an overflow": (SHIPPED.replace("query = [1, 0]", "query = [1e6, 0]"), "e to that power overflows"),
    "a long name": (SHIPPED.replace("[look]", f'[look]\n"{900 * "k"}" = 1'), "kkk...: unknown key"),
    "a long word": (with_words(f'"{900 * "k"}"'), "has 900 characters; allowed: 2 to 12 words"),
    "spaces": (with_words('"a\\u2003b"'), "a space (U+2003 EM SPACE)"),
    "a line break": (with_words('"<b>&\\"#{$x$}\\n"'), "a space (U+000A CONTROL CHARACTER)"),
    "an override": (with_words('"a\\u202eb"'), "the invisible U+202E RIGHT-TO-LEFT OVERRIDE"),
    "an isolate": (with_words('"a\\u2066b"'), "the invisible U+2066 LEFT-TO-RIGHT ISOLATE"),
    "a private character": (with_words('"\\ue000"'), "the invisible U+E000"),
    "piled accents": (with_words('"Z\\u0351\\u036b\\u0343"'), "U+0351 COMBINING LEFT HALF RING ABOVE"),
    "an emoji's selector": (with_words('"\\u2764\\ufe0f"'), "U+FE0F VARIATION SELECTOR-16"),
    "phonemes": (SHIPPED + 'a = "[a](/b/)"', "pronunciation.a: '[a](/b/)' is not of letters"),
}


@pytest.mark.parametrize("text, wrong", TEXTS.values(), ids=TEXTS.keys())
def test_hostile_text_is_refused_in_a_few_lines(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "lesson.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LessonError) as caught:
        load(path)
    check_told(path, caught.value)
    assert wrong in str(caught.value)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50_000_000_000)  # no disk and no memory holds it: it has to be refused unread


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "folder": (Path.mkdir, "Is a directory"),
    "pipe": (os.mkfifo, "is no regular file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "is no regular file"),
    "loop": (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
    "missing": (lambda path: None, "No such file or directory"),
    "huge": (huge, "holds more than 50,000 bytes"),
    "utf-16": (lambda path: path.write_text(SHIPPED, encoding="utf-16"), "line 1 is not UTF-8 (byte 0xff)"),
    "latin-1": (lambda path: path.write_bytes(b'[look]\ntheme = "d\xe4rk"'), "line 2 is not UTF-8 (byte 0xe4)"),
}


@pytest.mark.parametrize("make, wrong", FILES.values(), ids=FILES.keys())
def test_what_is_no_lesson_file_is_refused_by_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Callable[[Path], object], wrong: str
) -> None:
    path, media = tmp_path / "lesson.toml", tmp_path / "media"
    make(path)
    assert main(["--lesson", str(path), "--media", str(media), "-q", "l"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert told[0].startswith(f"render.py: {path}: ")
    assert wrong in told[0]
    assert not media.exists()


@settings(max_examples=50)
@given(st.binary(max_size=200), st.integers(0, len(SHIPPED)), st.integers(0, 60))
def test_any_bytes_are_a_lesson_or_refused(noise: bytes, at: int, gone: int) -> None:
    data = SHIPPED.encode()
    check_any(data[:at] + noise + data[at + gone :])


@settings(max_examples=50)
@given(st.data())
def test_any_values_are_a_lesson_or_refused(data: st.DataObject) -> None:
    """A value of any kind in the place of one of the shipped file's."""
    lines = SHIPPED.splitlines()
    places = [i for i, line in enumerate(lines) if " = " in line and not line.startswith("#")]
    at = data.draw(st.sampled_from(places))
    scalars = st.one_of(
        st.integers().map(str),
        st.floats().map(str),
        st.sampled_from(["true", "''", '"it"', "2026-01-01", "07:30:00", "-inf", "1e-320", "0x10"]),
    )
    values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4).map(lambda v: f"[{', '.join(v)}]"))
    tables = values.map(lambda value: f"{{ a = {value}, noun = 1 }}")
    lines[at] = f"{lines[at].split(' = ')[0]} = {data.draw(values | tables)}"
    check_any("\n".join(lines).encode())


def check_any(text: bytes) -> None:
    """It is read, or refused as any other file: no other error gets out."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lesson.toml"
        path.write_bytes(text.replace(b"4000", b"1000").replace(b"512]", b"65]"))
        try:
            load(path)
        except LessonError as error:
            check_told(path, error)


MARKUP = load(DEFAULT_LESSON.parent / "tests" / "lessons" / "markup.toml", drawable)
CODE = [*MARKUP.config.opening.tokens, *MARKUP.config.opening.dimensions, *MARKUP.config.sequence.tokens]


def test_the_word_of_all_markups_is_among_them() -> None:
    assert '<b>&"#{$x$}\\n' in CODE


@pytest.mark.parametrize("word", CODE)
def test_code_is_drawn_as_it_stands(word: str) -> None:
    """One outline a character: nothing was taken for markup, and nothing left out."""
    assert len(typeset(quoted(word)).outlines) == len(word)


def test_code_leaves_captions_transcript_and_records_well_formed() -> None:
    line = " ".join(CODE)
    captions = (Caption(0, 15, line),)
    (cue,) = webvtt.from_buffer(io.StringIO(vtt(captions))).captions
    assert unescape(cue.raw_text) == line
    transcribed = transcript("Self-attention", [Part("a", line, 0, 15, captions, (Beat("a", 0, 15),))])
    assert re.sub(r"\\([\\`*_<>&(])", r"\1", transcribed).split("\n\n")[2] == f"{line}\n"
    assert len(transcribed.split("\n\n")) == 3
    assert json.loads(to_json({line: [line]})) == {line: [line]}
