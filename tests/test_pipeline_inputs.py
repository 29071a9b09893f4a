"""What a clip is made from: everything that can change its bytes, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import manimpango
import pytest
from little_chapters import LITTLE, LittleChapter

import scenes
from lesson import DEFAULT_LESSON, Lesson, load
from pipeline.inputs import DRAWN_WITH, clip_inputs, engine_versions, font_digests
from pipeline.job import ChapterLike
from pipeline.quality import QUALITIES, Quality
from pipeline.sources import Sources
from scenes import CHAPTERS

SCENES = Path(scenes.__file__).parent

Write = Callable[[str, str], None]


def inputs_of(
    chapter: ChapterLike,
    lesson: Lesson,
    quality: Quality = QUALITIES["l"],
    voice: str = "none",
    recordings: Mapping[str, str] | None = None,
) -> dict[str, str]:
    return clip_inputs(chapter, lesson, quality, Sources(), voice, recordings or {})


def test_each_input_has_its_entry(shipped_lesson: Lesson, write: Write, tmp_path: Path) -> None:
    chapter = LittleChapter("a", "Title", "Scene", module="film.a")
    before = inputs_of(chapter, shipped_lesson)

    def changed(other: dict[str, str]) -> set[str]:
        return {key for key in {*before, *other} if before.get(key) != other.get(key)}

    assert changed(inputs_of(chapter, shipped_lesson)) == set()
    assert changed(inputs_of(replace(chapter, title="T"), shipped_lesson)) == {"title"}
    assert changed(inputs_of(replace(chapter, class_name="S"), shipped_lesson)) == {"scene"}
    assert changed(inputs_of(chapter, shipped_lesson, QUALITIES["m"])) == {
        "encoder size",
        "encoder fps",
        "encoder x264-params",
    }
    text = DEFAULT_LESSON.read_text(encoding="utf-8")
    light = tmp_path / "light.toml"
    light.write_text(re.sub(r'theme = "dark"', 'theme = "light"', text), encoding="utf-8")
    assert changed(inputs_of(chapter, load(light))) == {"look.theme"}
    write("kit/theme.py", "GREY = 3\n")
    assert changed(inputs_of(chapter, shipped_lesson)) == {"film/kit/theme.py"}


def test_engines_fonts_and_the_encoder_are_in(shipped_lesson: Lesson) -> None:
    found = inputs_of(LITTLE, shipped_lesson)
    assert {"av", "cairo", "manim", "numpy", "pango", "pycairo", "typst", "python"} <= set(engine_versions())
    assert engine_versions().items() <= found.items()
    assert engine_versions()["pango"] == manimpango.pango_version()
    assert len(font_digests()) >= 2
    assert font_digests().items() <= found.items()
    assert found["encoder crf"] == "18"
    makers = "captions encoder encoder_settings manifest manim_setup poster sound worker writer".split()
    assert {"lesson/facts.py", *(f"pipeline/{name}.py" for name in makers)} <= set(found)
    assert not any(label.startswith(("pipeline/build", "pipeline/cli", "voice/", "attention_core")) for label in found)


def test_a_voice_has_its_sources_engines_and_recordings_in(shipped_lesson: Lesson) -> None:
    silent, spoken = inputs_of(LITTLE, shipped_lesson), inputs_of(LITTLE, shipped_lesson, voice="hibari")
    assert silent["voice"] == "none"
    more = {label for label in spoken if label not in silent}
    assert {"hibari-tts", "onnxruntime", "voice/__init__.py", "voice/speech.py", "voice/pronunciation.toml"} <= more
    found = inputs_of(LITTLE, shipped_lesson, voice="hibari", recordings={"little.show": "1"})
    assert set(found) - set(spoken) == {"recording little.show"}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.name)
def test_a_real_chapter_depends_on_itself_and_the_kit_only(chapter: scenes.Chapter, shipped_lesson: Lesson) -> None:
    found = Sources().of(chapter.module, DRAWN_WITH)
    own = f"{chapter.module.replace('.', '/')}.py"
    assert {own, "scenes/kit/scene.py", "scenes/kit/theme.py", "scenes/kit/typesetting.py"} <= set(found)
    assert all(name in (own, "scenes/__init__.py") or name.startswith("scenes/kit/") for name in found)
    assert "scenes/__init__.py" not in inputs_of(chapter, shipped_lesson)


def test_scenes_read_nothing_of_the_lesson_but_facts_and_the_look() -> None:
    """Else a clip would depend on something that its fingerprint doesn't know."""
    for path in sorted(SCENES.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert not re.findall(r"lesson\.config\b(?!\.(?:look|pronunciation)\b)", text), path.name
        assert "attention_core" not in text, path.name
        if path != SCENES / "kit" / "scene.py":  # it reads all facts through a FactReader
            assert not re.findall(r"\blesson\.facts\b|\bload\(", text), path.name


def test_inputs_are_the_same_in_every_process() -> None:
    code = (
        "import json; from lesson import load; from scenes import CHAPTERS; "
        "from pipeline.inputs import clip_inputs; from pipeline.quality import QUALITIES; "
        "from pipeline.sources import Sources; "
        "print(json.dumps(clip_inputs(CHAPTERS[0], load(), QUALITIES['l'], Sources(), 'hibari')))"
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


def test_asking_imports_no_manim_encoder_or_engine() -> None:
    code = (
        "import sys; from lesson import load; from scenes import CHAPTERS; "
        "from pipeline.inputs import clip_inputs; from pipeline.quality import QUALITIES; "
        "from pipeline.sources import Sources; "
        "[clip_inputs(c, load(), QUALITIES['l'], Sources(), 'hibari') for c in CHAPTERS]; "
        "sys.exit(any(name in sys.modules for name in ('manim', 'av', 'onnxruntime', 'hibari')))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=SCENES.parent, check=False).returncode == 0
