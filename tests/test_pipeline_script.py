"""render.py script: every line once, with what a lecturer needs to read it, and the lines' ids stay with them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from kit_helpers import changed_lesson, shipped
from little_chapters import BROKEN, SPEAKING, SPEAKING_ALONE

from pipeline.cli import main
from pipeline.job import SILENT
from pipeline.lines import Part, lines_of
from scenes.kit.narration import Paced
from voice.recordings import Recordings
from voice.script import Entry, as_csv

CHAPTERS = (SPEAKING, SPEAKING_ALONE)
IDS = ["speaking.show", "speaking.show.next", "speaking.ask", "speaking_alone.ask"]
TEXTS = ["The query begins with 0.", "= 2 comes next, before √d_k.", "Which key is “it”?", "No key is."]

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """A function that runs `render.py script` into tmp_path/recordings: exit status, output, errors."""

    def call(*arguments: str, chapters: tuple[object, ...] = CHAPTERS) -> tuple[int, str, str]:
        folders = ["--media", str(tmp_path / "media"), "--recordings", str(tmp_path / "recordings")]
        status = main(["script", *folders, "--voice", "none", *arguments], chapters)  # type: ignore[arg-type]
        return status, *capsys.readouterr()

    return call


def rows(folder: Path) -> list[dict[str, str]]:
    """The table, as a spreadsheet reads it."""
    with (folder / "script.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def put_sound(path: Path) -> None:
    """Any bytes: the script looks at names and digests only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"sound")


@pytest.mark.slow
def test_every_line_stands_once_with_id_chapter_and_length(script: Call, tmp_path: Path) -> None:
    status, output, errors = script("--jobs", "1")
    assert (status, errors) == (0, "")
    assert "4 lines, 0 recordings" in output
    folder = tmp_path / "recordings" / "en"
    assert (folder / "script.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    table = rows(folder)
    assert list(table[0]) == ["line id", "chapter", "text", "expected seconds"]
    assert [row["line id"] for row in table] == IDS
    assert [row["text"] for row in table] == [TEXTS[0], f"'{TEXTS[1]}", *TEXTS[2:]]
    assert [row["chapter"] for row in table] == ["Who speaks?"] * 3 + ["Who speaks alone?"]
    assert float(table[0]["expected seconds"]) == pytest.approx(len(TEXTS[0]) / Paced.characters_per_second, abs=0.5)
    page = (folder / "script.md").read_text(encoding="utf-8")
    assert [page.index(f"`{key}`") for key in IDS] == sorted(page.index(f"`{key}`") for key in IDS)
    assert "## Who speaks?" in page
    assert "√d\\_k: *" in page
    assert "recordings/en/<line id>.wav" in page
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert sorted(before) == ["script.csv", "script.md"]
    script("--jobs", "2")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.slow
def test_states_follow_recordings_and_a_new_script_does_not_forget_what_was_read(script: Call, tmp_path: Path) -> None:
    folder = tmp_path / "recordings" / "en"
    for name in ("speaking.ask.wav", "speaking.show.flac", "speaking.shw.wav"):
        put_sound(folder / name)
    read = [("Who speaks?", [Entry(key, text, 1.0, ()) for key, text in zip(IDS, TEXTS, strict=True)])]
    (folder / "script.csv").write_text(as_csv(read), encoding="utf-8")
    changed_lesson(tmp_path, ("query = [0, 2]", "query = [1, 2]"))
    status, output, _ = script("--lesson", str(tmp_path / "lesson.toml"), "--jobs", "1", chapters=(SPEAKING,))
    assert status == 0
    assert rows(folder)[0]["text"] == "The query begins with 1."
    assert "speaking.shw.wav belongs to no line; the nearest: speaking.show" in output
    assert f"“{TEXTS[0]}”, but the line is “The query begins with 1.” now" in output
    page = (folder / "script.md").read_text(encoding="utf-8")
    states = {line.split("`")[1]: line.split(" · ")[2] for line in page.splitlines() if line.startswith("<sub>")}
    assert states["speaking.show"].startswith("outdated")
    assert states["speaking.ask"].startswith("recorded")
    assert states["speaking.show.next"].startswith("to record")


@pytest.mark.slow
def test_a_chapter_that_cannot_be_played_is_one_line_and_3(script: Call) -> None:
    status, output, errors = script("--jobs", "1", chapters=(BROKEN,))
    assert (status, output) == (3, "")
    assert errors == "render.py: broken: ValueError: the picture does not fit\n"


def test_a_folder_that_cannot_be_written_is_one_line_and_2(script: Call, tmp_path: Path) -> None:
    (tmp_path / "recordings").write_text("a file in its place", encoding="utf-8")
    status, output, errors = script()
    assert (status, output) == (2, "")
    assert "the script can't be written" in errors
    assert errors.count("\n") == 1


def test_ids_survive_edits_of_numbers_and_lines_are_those_of_the_film(tmp_path: Path) -> None:
    part = Part(SPEAKING.name, SPEAKING.module, SPEAKING.class_name, shipped(), SILENT)
    changed = changed_lesson(tmp_path, ("query = [0, 2]", "query = [1, 2]"))
    before, after = lines_of(part), lines_of(Part(part.name, part.module, part.class_name, changed, SILENT))
    assert [line.id for line, _ in before] == [line.id for line, _ in after] == IDS[:3]
    assert [line.text for line, _ in before] == TEXTS[:3]
    assert [old.text == new.text for (old, _), (new, _) in zip(before, after, strict=True)] == [False, True, True]


def test_what_is_registered_reads_back(tmp_path: Path) -> None:
    put_sound(tmp_path / "en" / "speaking.ask.wav")
    Recordings(tmp_path).register(dict(zip(IDS, TEXTS, strict=True)))
    data = json.loads((tmp_path / "en" / "recorded.json").read_text(encoding="utf-8"))
    assert {key: entry["text"] for key, entry in data.items()} == {"speaking.ask": TEXTS[2]}
