"""What the world does to real builds: disks fill up, folders can't be written, Ctrl-C comes at any moment."""

from __future__ import annotations

import ctypes
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from lesson import DEFAULT_LESSON

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
CHAPTERS = "little,longer"
Files = dict[str, bytes]


@dataclass(frozen=True)
class Bench:
    """A folder to build into, and two lesson files: the clip "little" shows a number that they differ in."""

    media: Path
    older: Path
    newer: Path

    def command(self, lesson: Path, *arguments: str) -> list[str]:
        options = ["-q", "l", "--voice", "none", "--jobs", "1", "--media", str(self.media), "--lesson", str(lesson)]
        return [sys.executable, str(HERE / "little_render.py"), CHAPTERS, *options, *arguments]

    def run(
        self, lesson: Path, *arguments: str, before: Callable[[], object] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Build; ``before`` is called in the new process."""
        command = self.command(lesson, *arguments)
        return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=before)

    def files(self) -> Files:
        """All but the lock and the store."""
        return {
            path.relative_to(self.media).as_posix(): path.read_bytes()
            for path in self.media.rglob("*")
            if path.is_file() and path.name != ".lock" and ".store" not in path.parts
        }

    def leftovers(self) -> list[Path]:
        return [path for path in self.media.rglob("*") if path.name.endswith(".part") or path.name == ".work"]


@dataclass(frozen=True)
class Built:
    """The little lesson, built from nothing of either file."""

    bench: Bench
    older: Files
    newer: Files


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("faults")
    text = DEFAULT_LESSON.read_text(encoding="utf-8")
    assert "query = [0, 2]" in text
    older, newer = folder / "older.toml", folder / "newer.toml"
    older.write_text(text, encoding="utf-8")
    newer.write_text(text.replace("query = [0, 2]", "query = [0, 1]"), encoding="utf-8")
    of_newer, of_older = Bench(folder / "newer", older, newer), Bench(folder / "older", older, newer)
    assert of_newer.run(newer).returncode == of_older.run(older).returncode == 0
    return Built(of_older, of_older.files(), of_newer.files())


@pytest.fixture
def bench(built: Built, tmp_path: Path) -> Bench:
    """A copy of the build of the older file."""
    shutil.copytree(built.bench.media, tmp_path / "media")
    return Bench(tmp_path / "media", built.bench.older, built.bench.newer)


def old_or_new(bench: Bench, built: Built) -> bool:
    """Whether all that is published is whole; what a killed build was at work on is not."""
    published = {name: data for name, data in bench.files().items() if "/.work/" not in name}
    return bool(published) and all(data in (built.older[name], built.newer[name]) for name, data in published.items())


@pytest.mark.parametrize("room", ["none", "for half a clip", "for clips"])
def test_a_disk_that_is_full_leaves_the_older_files_or_the_newer_ones(bench: Bench, built: Built, room: str) -> None:
    """A limit for each file stands in for a full disk: that needs no rights, and fails writing in the middle, too."""
    sizes = {name: len(data) for name, data in built.newer.items()}
    clips = max(size for name, size in sizes.items() if "/clips/" in name)
    assert clips < sizes["480p15/lesson.mp4"]
    limit = {"none": 0, "for half a clip": sizes["480p15/clips/little.mp4"] // 2, "for clips": clips}[room]
    done = bench.run(bench.newer, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert done.returncode == 3
    assert all("File too large" in line or "not rendered" in line for line in done.stderr.splitlines())
    assert old_or_new(bench, built)
    assert bench.files()["480p15/lesson.mp4"] == built.older["480p15/lesson.mp4"]
    assert not bench.leftovers()
    assert bench.run(bench.newer).returncode == 0
    assert bench.files() == built.newer


def as_one_without_rights() -> None:
    """Let a superuser be held up by a file's mode, as everybody else is (Linux's prctl: PR_CAPBSET_DROP)."""
    if os.geteuid() == 0:
        dac_override = 1
        ctypes.CDLL(None).prctl(24, dac_override, 0, 0, 0)


@pytest.fixture
def read_only(bench: Bench) -> Iterator[Path]:
    folders = [bench.media, *(path for path in bench.media.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    yield bench.media
    for folder in folders:
        folder.chmod(0o755)


def test_a_folder_that_cannot_be_written_can_be_read(bench: Bench, built: Built, read_only: Path) -> None:
    fresh = bench.run(bench.older, "check", before=as_one_without_rights)
    assert (fresh.returncode, fresh.stdout, fresh.stderr) == (0, "all fresh\n", "")
    told = {
        read_only: "480p15: can't be written; allow it, or give another --media",
        read_only / "new": "can't be used as the output folder: Permission denied",
    }
    for media, message in told.items():
        done = Bench(media, bench.older, bench.newer).run(bench.newer, before=as_one_without_rights)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"render.py: {media}")
        assert done.stderr.endswith(f"{message}\n")
        assert done.stderr.count("\n") == 1
    assert bench.files() == built.older


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_an_end_at_any_moment_leaves_all_whole(bench: Bench, built: Built, seed: int, sign: signal.Signals) -> None:
    """From when it begins to render; the thirty kills of real builds are in benchmarks/kill_builds.py."""
    moment = random.Random(seed).uniform(0, 6)
    with subprocess.Popen(
        bench.command(bench.newer), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        while "to render" not in (line := process.stdout.readline()):
            assert line
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, sign)
        _, errors = process.communicate()
    assert process.returncode in (0, 130 if sign == signal.SIGINT else -sign)
    assert errors.strip() in ("", "render.py: interrupted") or sign == signal.SIGKILL
    assert sign == signal.SIGKILL or not bench.leftovers()
    assert old_or_new(bench, built)
    assert bench.run(bench.newer).returncode == 0
    assert bench.files() == built.newer
    assert not bench.leftovers()
