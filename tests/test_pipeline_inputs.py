"""What a clip is made from: everything that can change its bytes, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from little_chapters import LITTLE, LittleChapter

import scenes
from lesson import DEFAULT_LESSON, Lesson, load
from pipeline.inputs import clip_inputs, engine_versions, font_digests, source_digest, sources
from pipeline.quality import QUALITIES
from scenes import CHAPTERS

SCENES = Path(scenes.__file__).parent

Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """A function that writes a file of the package "film", which can be found but not imported."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write_(name: str, text: str) -> None:
        path = tmp_path / "film" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    write_("__init__.py", "raise RuntimeError('nothing of this is run')\n")
    write_("kit/__init__.py", "from .theme import *\n")
    write_("kit/theme.py", "GREY = 1\n")
    write_("kit/unused.py", "BLUE = 2\n")
    write_("late.py", "import film.deep.inner\n")
    write_("deep/__init__.py", "")
    write_("deep/inner.py", "from .. import sibling\nfrom ...beyond import nothing\n")
    write_("sibling.py", "import numpy\n")
    write_("a.py", "import os\nfrom film.kit import GREY\n\ndef f():\n    from film import late\n")
    return write_


def test_all_that_a_chapter_imports_anywhere_and_nothing_else(write: Write) -> None:
    write("b.py", "x = 1\n")
    assert list(sources("film.a")) == [
        "film/__init__.py",
        "film/a.py",
        "film/deep/__init__.py",
        "film/deep/inner.py",
        "film/kit/__init__.py",
        "film/kit/theme.py",
        "film/late.py",
        "film/sibling.py",
    ]


def test_a_chapter_that_is_not_there_has_no_sources(write: Write) -> None:
    assert sources("film.missing") == {"film/__init__.py": sources("film.a")["film/__init__.py"]}
    assert sources("no_such_package.missing") == {}


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("GREY  =  1  # a remark\n\n\n", True),
        ("# GREY = 2\nGREY = (1)\n", True),
        ("GREY = 2\n", False),
        ("GREY = 1.0\n", False),
        ('"""Now it says what it is."""\nGREY = 1\n', False),
        ("GREY = = 1\n", False),
    ],
)
def test_comments_and_layout_do_not_count_but_all_else_does(write: Write, text: str, same: bool) -> None:
    before = source_digest(sources("film.a")["film/kit/theme.py"])
    write("kit/theme.py", text)
    assert (source_digest(sources("film.a")["film/kit/theme.py"]) == before) == same


def test_two_broken_sources_differ(write: Write) -> None:
    write("a.py", "def\n")
    first = source_digest(sources("film.a")["film/a.py"])
    write("a.py", "class\n")
    assert source_digest(sources("film.a")["film/a.py"]) != first


def test_each_input_has_its_entry(shipped_lesson: Lesson, write: Write, tmp_path: Path) -> None:
    chapter = LittleChapter("a", "Title", "Scene", module="film.a")
    before = clip_inputs(chapter, shipped_lesson, QUALITIES["l"])

    def changed(other: dict[str, str]) -> set[str]:
        return {key for key in {*before, *other} if before.get(key) != other.get(key)}

    assert changed(clip_inputs(chapter, shipped_lesson, QUALITIES["l"])) == set()
    assert changed(clip_inputs(replace(chapter, title="T"), shipped_lesson, QUALITIES["l"])) == {"title"}
    assert changed(clip_inputs(replace(chapter, class_name="S"), shipped_lesson, QUALITIES["l"])) == {"scene"}
    assert changed(clip_inputs(chapter, shipped_lesson, QUALITIES["m"])) == {
        "encoder size",
        "encoder fps",
        "encoder x264-params",
    }
    text = DEFAULT_LESSON.read_text(encoding="utf-8")
    light = tmp_path / "light.toml"
    light.write_text(re.sub(r'theme = "dark"', 'theme = "light"', text), encoding="utf-8")
    assert changed(clip_inputs(chapter, load(light), QUALITIES["l"])) == {"look.theme"}
    write("kit/theme.py", "GREY = 3\n")
    assert changed(clip_inputs(chapter, shipped_lesson, QUALITIES["l"])) == {"film/kit/theme.py"}


def test_engines_fonts_and_the_encoder_are_in(shipped_lesson: Lesson) -> None:
    found = clip_inputs(LITTLE, shipped_lesson, QUALITIES["h"])
    assert {"av", "cairo", "manim", "numpy", "pycairo", "typst", "python"} <= set(engine_versions())
    assert engine_versions().items() <= found.items()
    assert len(font_digests()) >= 2
    assert font_digests().items() <= found.items()
    assert found["encoder crf"] == "18"
    assert {"pipeline/encoder.py", "pipeline/writer.py", "pipeline/manim_setup.py", "pipeline/poster.py"} <= set(found)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_real_chapter_depends_on_itself_and_the_kit_only(chapter: scenes.Chapter) -> None:
    found = sources(chapter.module)
    own = f"{chapter.module.replace('.', '/')}.py"
    assert {own, "scenes/kit/scene.py", "scenes/kit/theme.py", "scenes/kit/typesetting.py"} <= set(found)
    assert all(name == own or name.startswith("scenes/kit/") for name in found)


def test_scenes_read_nothing_of_the_lesson_but_facts_and_the_look() -> None:
    """Else a clip would depend on something that its fingerprint doesn't know."""
    for path in sorted(SCENES.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r"lesson\.config\b(?!\.look\b)", text), path.name
        assert "attention_core" not in text, path.name
        if path != SCENES / "kit" / "scene.py":  # it reads all facts through a FactReader
            assert not re.findall(r"\blesson\.facts\b|\bload\(", text), path.name


def test_inputs_are_the_same_in_every_process() -> None:
    code = (
        "import json; from lesson import load; from scenes import CHAPTERS; "
        "from pipeline.inputs import clip_inputs; from pipeline.quality import QUALITIES; "
        "print(json.dumps(clip_inputs(CHAPTERS[0], load(), QUALITIES['l'])))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            cwd=SCENES.parent,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_asking_imports_no_manim() -> None:
    code = (
        "import sys; from lesson import load; from scenes import CHAPTERS; "
        "from pipeline.inputs import clip_inputs; from pipeline.quality import QUALITIES; "
        "[clip_inputs(c, load(), QUALITIES['l']) for c in CHAPTERS]; sys.exit('manim' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=SCENES.parent, check=False).returncode == 0
