"""The command line: exit statuses, one-line errors, and commands that render nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from little_chapters import LITTLE, LONGER, VARIANT

from lesson import DEFAULT_LESSON, Lesson
from pipeline.cli import main
from pipeline.files import Layout
from pipeline.quality import QUALITIES

ROOT = Path(__file__).parent.parent
CHAPTERS = (LITTLE, LONGER, VARIANT)

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """A function that runs render.py over the little chapters: exit status, output, errors."""

    def call_(*arguments: str) -> tuple[int, str, str]:
        status = main(["--media", str(tmp_path / "media"), *arguments], CHAPTERS)
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call_


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fly"], "No such command 'fly'."),
        (["--only", "litle"], "there is no chapter 'litle'; the nearest: little"),
        (["--only", "little, longr"], "there is no chapter 'longr'; the nearest: longer"),
        (["--only", "zzz"], "there is no chapter 'zzz'; the nearest: little, longer, little_variant"),
        (["--only", " , "], "--only: give at least one chapter's name"),
        (["check", "--only", "litle"], "there is no chapter 'litle'; the nearest: little"),
        (["why", "longr"], "there is no chapter 'longr'; the nearest: longer"),
        (["why"], "Missing argument 'NAME'."),
        (["-q", "x"], "Invalid value for '-q' / '--quality': 'x' is not one of 'l', 'm', 'h', 'p', 'k'."),
        (["--jobs", "0"], "Invalid value for '--jobs': 0 is not in the range x>=1."),
        (["--nope"], "No such option '--nope'."),
        (["--recordings", "no_such"], "--recordings: there is no folder no_such"),
        (["check", "--recordings", "no_such"], "--recordings: there is no folder no_such"),
        (["watch", "--recordings", "no_such"], "--recordings: there is no folder no_such"),
        (["numbers", "--only"], "Option '--only' requires an argument."),
    ],
)
def test_a_wrong_command_line_is_one_line_and_2(call: Call, arguments: list[str], message: str) -> None:
    status, output, errors = call(*arguments)
    assert (status, output) == (2, "")
    assert errors.startswith(f"render.py: {message}")
    assert errors.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["check"], ["list"], ["numbers"], ["why", "little"]])
def test_a_wrong_lesson_is_one_line_and_2(call: Call, tmp_path: Path, arguments: list[str]) -> None:
    text = DEFAULT_LESSON.read_text(encoding="utf-8").replace('theme = "dark"', 'theme = "blue"')
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(text, encoding="utf-8")
    status, output, errors = call(*arguments, "--lesson", str(wrong))
    assert (status, output) == (2, "")
    assert re.fullmatch(r"render\.py: \S*wrong\.toml: look\.theme: .*allowed.*\n", errors)


def test_an_output_folder_that_is_none_is_one_line_and_2(call: Call, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    status, _, errors = call("--media", str(tmp_path / "file"))
    assert status == 2
    assert errors == f"render.py: {tmp_path / 'file'}: can't be used as the output folder: File exists\n"


def test_check_lists_what_is_stale_and_gives_1(call: Call, tmp_path: Path) -> None:
    status, output, errors = call("check")
    assert (status, errors) == (1, "")
    assert output.splitlines() == [
        "little: not rendered yet",
        "longer: not rendered yet",
        "little_variant: not rendered yet",
        "lesson: stale clips: little, longer",
    ]
    assert call("check", "--only", "longer")[:2] == (1, "longer: not rendered yet\n")
    assert not (tmp_path / "media").exists()


def test_list_shows_order_length_and_state(call: Call, tmp_path: Path) -> None:
    other = Layout(tmp_path / "media", QUALITIES["l"]).clip("longer").manifest
    other.parent.mkdir(parents=True)
    other.write_text(json.dumps({"duration": 64.2}), encoding="utf-8")
    status, output, _ = call("list")
    assert status == 0
    assert output.splitlines() == [
        "little                -  stale: not rendered yet",
        "longer           1:04.2  stale: not rendered yet",
        "little_variant        -  stale: not rendered yet (variant of little, not in the lesson video)",
    ]


def test_why_names_what_a_clip_depends_on(call: Call) -> None:
    status, output, _ = call("why", "little", "-q", "l")
    assert status == 0
    lines = output.splitlines()
    assert lines[:3] == ["little is stale:", "  not rendered yet", "It depends on"]
    for part in ("little_scenes.py", "scenes/kit/scene.py", "manim: 0.22", "encoder size: 854x480", "look.theme: dark"):
        assert any(line.startswith(f"  {part}") for line in lines), part
    assert lines[-1] == "  facts that will be known when it has been rendered"


def test_options_may_stand_before_or_after_the_command(call: Call) -> None:
    assert "encoder size: 854x480" in call("-q", "l", "why", "little")[1]
    assert "encoder size: 1280x720" in call("-q", "l", "why", "little", "-q", "m")[1]
    assert "encoder size: 1920x1080" in call("why", "little")[1]


def test_numbers_as_json_are_all_facts_unrounded(call: Call, shipped_lesson: Lesson) -> None:
    status, output, errors = call("numbers", "--json")
    assert (status, errors) == (0, "")
    assert json.loads(output) == shipped_lesson.facts.to_dict()
    assert (
        json.loads(output)["worked_example"]["weights"] == shipped_lesson.facts["worked_example.weights"].value.tolist()
    )


def test_numbers_for_reading_are_a_line_a_fact(call: Call, shipped_lesson: Lesson) -> None:
    lines = call("numbers")[1].splitlines()
    assert [line.partition(":")[0] for line in lines] == list(shipped_lesson.facts.keys())
    assert "worked_example.weights: [0.669762, 0.330238]" in lines
    assert "worked_example.d_k: 2" in lines
    assert any(
        re.fullmatch(r"spread\.densities: array of shape \[3, \d+\] \(all of it with --json\)", x) for x in lines
    )
    assert any(line.startswith('sequence.tokens: ["The", "animal"') for line in lines)


def test_help_lists_every_command(call: Call) -> None:
    status, output, _ = call("--help")
    assert status == 0
    for name in ("check", "list", "numbers", "why", "--quality", "--only", "--lesson", "--media", "--jobs", "--debug"):
        assert name in output


def test_an_error_of_ours_is_one_line_and_3_and_debug_tells_all(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("something\nunforeseen")

    monkeypatch.setattr("pipeline.studio.Studio.plan", fail)
    assert call("check") == (3, "", "render.py: RuntimeError: something unforeseen\n")
    assert "Traceback (most recent call last)" in call("check", "--debug")[2]


@pytest.mark.parametrize("arguments", [["numbers"], ["list"], ["check"], ["why", "opening"], ["--help"]])
def test_quick_commands_import_no_manim(arguments: list[str]) -> None:
    code = "import sys; from pipeline.cli import main; main(sys.argv[1:]); sys.exit(10 + ('manim' in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (10, "")


def test_numbers_import_no_encoder_either() -> None:
    code = "import sys; from pipeline.cli import main; main(['numbers']); sys.exit(10 + ('av' in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 10


def test_render_py_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "render.py", "--only", "openin"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "render.py: there is no chapter 'openin'; the nearest: opening\n"


def test_a_reader_that_leaves_is_no_news() -> None:
    process = subprocess.Popen(
        [sys.executable, "render.py", "numbers", "--json"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, errors = process.communicate()
    assert (process.returncode, errors) == (141, b"")
