"""Files appear whole; damage shows; one build at a time."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.files import Layout, digest_of_file, digest_of_parts, read_json, write_whole
from pipeline.lock import MediaError, media_lock
from pipeline.quality import QUALITIES


def test_layout_is_the_contract(tmp_path: Path) -> None:
    layout = Layout(tmp_path, QUALITIES["h"])
    assert layout.lesson_video == tmp_path / "1080p60" / "lesson.mp4"
    assert sorted(path.name for path in layout.lesson_files) == [
        "lesson.chapters.vtt", "lesson.json", "lesson.mp4", "lesson.vtt", "transcript.md",
    ]  # fmt: skip
    assert [path.name for path in layout.clip("a").all] == ["a.mp4", "a.vtt", "a.webp", "a.json"]
    assert layout.clip("a").video.parent == tmp_path / "1080p60" / "clips"
    assert {quality.folder for quality in QUALITIES.values()} == {
        "480p15", "720p30", "1080p60", "1440p60", "2160p60",
    }  # fmt: skip


def test_a_text_replaces_the_older_one_whole(tmp_path: Path) -> None:
    write_whole(tmp_path / "deep" / "a.txt", "one\n")
    write_whole(tmp_path / "deep" / "a.txt", "zwei ü\n")
    assert (tmp_path / "deep" / "a.txt").read_bytes() == "zwei ü\n".encode()
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["a.txt"]


def test_a_text_that_cannot_be_written_leaves_the_older_one(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", "older")
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "a.txt", "\ud800")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "older"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


@pytest.mark.parametrize("text", ["", "{", '{"a": 1', "\x00"])
def test_json_that_is_none_reads_as_none(tmp_path: Path, text: str) -> None:
    assert read_json(tmp_path / "missing.json") is None
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    assert read_json(tmp_path / "a.json") is None


def test_digests(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert digest_of_file(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@given(st.lists(st.text()), st.lists(st.text()))
def test_no_two_lists_of_parts_share_their_digest(one: list[str], other: list[str]) -> None:
    assert (digest_of_parts("s", one) == digest_of_parts("s", other)) == (one == other)
    assert digest_of_parts("s", one) != digest_of_parts("t", one)


HOLD = """
import sys
from pathlib import Path
from pipeline.lock import media_lock
with media_lock(Path(sys.argv[1]), print):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_the_second_build_says_for_whom_it_waits_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent
    told: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"

        def end_it(line: str) -> None:
            told.append(line)
            holder.kill()

        with media_lock(tmp_path, end_it):
            assert holder.wait() < 0
    (line,) = told
    assert re.fullmatch(rf".+: process {holder.pid} on .+ is building here; waiting until it has ended", line)


def test_the_lock_is_free_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), media_lock(tmp_path / "media", pytest.fail):
        _ = 1 / 0
    with media_lock(tmp_path / "media", pytest.fail):
        assert (tmp_path / "media" / ".lock").is_file()


def test_a_folder_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "media").write_text("", encoding="utf-8")
    message = r"media: can't be used as the output folder: File exists"
    with pytest.raises(MediaError, match=message), media_lock(tmp_path / "media", pytest.fail):
        pass
