"""`render.py audit`: what it prints, writes and returns."""

from __future__ import annotations

from pathlib import Path

import pytest
from little_chapters import LittleChapter

from pipeline.cli import main

TIDY, CROWDED, IMPOSSIBLE = (
    LittleChapter(name, name, name.capitalize(), module="audited_scenes") for name in ("tidy", "crowded", "impossible")
)

pytestmark = pytest.mark.slow


def run(*arguments: str, media: Path) -> int:
    return main(["audit", "--voice", "none", "--media", str(media), *arguments], (CROWDED, TIDY, IMPOSSIBLE))


def test_findings_come_in_order_with_their_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = run("--only", "tidy,crowded", "--png", str(tmp_path / "png"), "--jobs", "2", media=tmp_path / "media")
    lines = capsys.readouterr().out.splitlines()
    assert status == 1
    assert len(lines) == 1
    assert lines[0].startswith("crowded, show, ")
    assert "overlaps" in lines[0]
    assert [path.suffix for path in (tmp_path / "png").iterdir()] == [".png"]


def test_nothing_found_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--only", "tidy", media=tmp_path) == 0
    assert capsys.readouterr().out == "nothing found\n"


def test_a_chapter_that_cannot_be_played_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--only", "impossible", media=tmp_path) == 3
    assert capsys.readouterr().err == "render.py: impossible: ValueError: the picture does not fit\n"


def test_a_wrong_lesson_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--lesson", str(tmp_path / "none.toml"), media=tmp_path) == 2
    assert "none.toml" in capsys.readouterr().err
