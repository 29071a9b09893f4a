"""Watching: a build after each change that has settled, whatever is broken meanwhile; a clean end."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from lesson import DEFAULT_LESSON

HERE = Path(__file__).parent
WAITING = "watching for changes; Ctrl-C ends it"

WATCH = """
import sys
from pathlib import Path
from pipeline.watch import watch
folder = Path(sys.argv[1])
build = [sys.executable, "-c", "import sys; print('built', len(open(sys.argv[1]).read()))", str(folder / "a.txt")]
watch([folder / "src"], [folder / "a.txt"], build, lambda line: print(line, flush=True))
"""


@dataclass
class Watcher:
    """A watching process, its lines one by one."""

    process: subprocess.Popen[str]

    def until(self, wanted: str) -> list[str]:
        """The lines up to and with the first that holds this."""
        lines: list[str] = []
        assert self.process.stdout is not None
        while not lines or wanted not in lines[-1]:
            line = self.process.stdout.readline()
            assert line, f"ended after {lines}"
            lines.append(line.rstrip("\n"))
        return lines


@contextmanager
def watching(command: list[str]) -> Iterator[Watcher]:
    # In a session of its own: a terminal's Ctrl-C goes to a whole group.
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        cwd=HERE.parent,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            yield Watcher(process)
        finally:
            process.kill()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "a.txt").write_text("one", encoding="utf-8")
    return tmp_path


def saved(path: Path, text: str) -> None:
    """Write as editors do, whole: on a busy machine an emptied file could settle before its text comes."""
    beside = path.with_suffix(".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def test_each_change_is_built_once_when_it_has_settled(folder: Path) -> None:
    with watching([sys.executable, "-c", WATCH, str(folder)]) as watcher:
        assert watcher.until(WAITING)[:-1] == ["built 3"]
        saved(folder / "a.txt", "three")
        assert watcher.until(WAITING)[:-1] == ["a.txt has changed", "built 5"]
        saved(folder / "a.txt", "seven77")
        assert watcher.until(WAITING)[:-1] == ["a.txt has changed", "built 7"]
        (folder / "other.txt").write_text("not watched", encoding="utf-8")
        (folder / "src" / ".hidden").write_text("not a source", encoding="utf-8")
        (folder / "src" / "__pycache__").mkdir()
        (folder / "src" / "__pycache__" / "x.pyc").write_text("", encoding="utf-8")
        (folder / "src" / "deep").mkdir()
        (folder / "src" / "deep" / "b.py").write_text("x = 1", encoding="utf-8")
        assert watcher.until(WAITING)[:-1] == ["b.py has changed", "built 7"]


def test_a_folder_may_come_later(folder: Path) -> None:
    (folder / "src").rmdir()
    with watching([sys.executable, "-c", WATCH, str(folder)]) as watcher:
        watcher.until(WAITING)
        (folder / "src").mkdir()
        assert watcher.until(WAITING)[:-1] == ["src has changed", "built 3"]
        (folder / "src" / "en").mkdir()
        (folder / "src" / "en" / "line.wav").write_text("", encoding="utf-8")
        assert watcher.until(WAITING)[:-1] == ["line.wav has changed", "built 3"]


def test_a_build_that_fails_is_followed_by_another(folder: Path) -> None:
    (folder / "a.txt").unlink()
    with watching([sys.executable, "-c", WATCH, str(folder)]) as watcher:
        assert "FileNotFoundError" in watcher.until(WAITING)[-2]
        saved(folder / "a.txt", "three")
        assert watcher.until(WAITING)[:-1] == ["a.txt has changed", "built 5"]


@pytest.mark.slow
def test_a_broken_lesson_file_is_waited_for(tmp_path: Path) -> None:
    lesson = tmp_path / "lesson.toml"
    text = DEFAULT_LESSON.read_text(encoding="utf-8")
    lesson.write_text(text, encoding="utf-8")
    media = tmp_path / "media"
    command = [sys.executable, str(HERE / "little_render.py"), "longer", "watch"]
    with watching([*command, "--lesson", str(lesson), "--media", str(media)]) as watcher:
        assert any(line.startswith("longer: done") for line in watcher.until(WAITING))
        assert (media / "480p15" / "lesson.mp4").is_file()
        saved(lesson, "[look")
        told = watcher.until(WAITING)
        assert told[0] == "lesson.toml has changed"
        assert told[1].startswith(f"render.py: {lesson}: is not TOML")
        saved(lesson, text.replace("[10, 0]", "[9, 0]"))
        assert "longer: fresh" in watcher.until(WAITING)
        watcher.process.send_signal(signal.SIGINT)
        output, _ = watcher.process.communicate()
    assert watcher.process.returncode == 130
    assert output.strip() == "render.py: interrupted"


@pytest.mark.slow
def test_ctrl_c_during_a_build_ends_all(tmp_path: Path) -> None:
    command = [sys.executable, str(HERE / "little_render.py"), "long", "watch", "--media", str(tmp_path)]
    with watching(command) as watcher:
        watcher.until("long: rendering, frame")
        builds = Path(f"/proc/{watcher.process.pid}/task/{watcher.process.pid}/children").read_text().split()
        handles = [os.pidfd_open(int(build)) for build in builds]
        os.killpg(watcher.process.pid, signal.SIGINT)
        output, _ = watcher.process.communicate()
    assert watcher.process.returncode == 130
    assert "Traceback" not in output
    assert handles
    for handle in handles:
        assert select.select([handle], [], [], 60)[0]
        os.close(handle)
    assert not list((tmp_path / "480p15").rglob("*.mp4"))
    assert not (tmp_path / "480p15" / ".work").exists()
