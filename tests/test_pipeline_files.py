"""Files appear whole; damage shows; one build at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline.files import Layout, digest_of_file, digest_of_text, is_whole_mp4, read_json, write_whole
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
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest_of_file(tmp_path / "a") == digest_of_text("abc") == known


def test_any_cut_of_a_video_shows(tmp_path: Path, write_clip: Any) -> None:
    clip = write_clip(tmp_path / "clip.mp4", 5)
    whole = clip.read_bytes()
    assert is_whole_mp4(clip)
    for size in (0, 1, 7, 48, len(whole) // 2, len(whole) - 1):
        clip.write_bytes(whole[:size])
        assert not is_whole_mp4(clip)
    clip.write_bytes(whole + b"more")
    assert not is_whole_mp4(clip)
    assert not is_whole_mp4(tmp_path / "missing.mp4")


HOLD = """
import sys
from pathlib import Path
from pipeline.lock import media_lock
with media_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def test_the_second_build_says_who_holds_the_lock_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        message = rf"process {holder.pid} on .+ is building here; wait"
        with pytest.raises(MediaError, match=message), media_lock(tmp_path):
            pass
        holder.kill()
        holder.wait()
        with media_lock(tmp_path):
            assert list(tmp_path.iterdir())


def test_the_lock_is_free_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), media_lock(tmp_path / "media"):
        _ = 1 / 0
    with media_lock(tmp_path / "media"):
        assert (tmp_path / "media" / ".lock").is_file()


def test_a_folder_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "media").write_text("", encoding="utf-8")
    message = r"media: can't be used as the output folder: File exists"
    with pytest.raises(MediaError, match=message), media_lock(tmp_path / "media"):
        pass
