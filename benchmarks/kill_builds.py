"""Kills real builds at random moments, runs each to its end, and compares all files with those of a cold build.

    python benchmarks/kill_builds.py [--kills N] [--seed N] [options of render.py]

The folder goes on from kill to kill; before each, one or two clips lose a published file and their copies in the store,
so that a build renders these, and joins. A third of the kills takes the parent, a third a worker, a third both, always
by SIGKILL. Exit status 1 unless every run ends with the same bytes and leaves no process, no temporary file and no lock
behind.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
VICTIMS = ("parent", "worker", "both")
WORKER = b"spawn_main"
START_SECONDS = 5.0
"""What a build takes before it draws a frame, and after the last."""


def command(media: Path, options: Sequence[str]) -> list[str]:
    """A draft build into that folder."""
    return [sys.executable, "render.py", "-q", "l", "--media", str(media), *options]


def files(media: Path) -> dict[str, bytes]:
    """All finished files; the store and the lock are left out."""
    found = [path for path in sorted(media.rglob("*")) if path.is_file() and path.name != ".lock"]
    return {str(path.relative_to(media)): path.read_bytes() for path in found if ".store" not in path.parts}


def leftovers(media: Path) -> list[str]:
    """Temporary files and folders."""
    return [str(path) for path in media.rglob("*") if path.name.endswith(".part") or path.name == ".work"]


def children(pid: int) -> list[int]:
    """The processes that this one's threads started."""
    tasks = sorted(Path(f"/proc/{pid}/task").iterdir())
    return [int(child) for task in tasks for child in (task / "children").read_text(encoding="utf-8").split()]


def workers(pid: int) -> list[int]:
    """Its worker processes."""
    return [child for child in children(pid) if WORKER in Path(f"/proc/{child}/cmdline").read_bytes()]


def kill(process: subprocess.Popen[bytes], victim: str, choice: random.Random) -> list[int]:
    """Kill; the process ids that must be gone a moment later."""
    try:
        started = children(process.pid)
        found = workers(process.pid)
    except OSError:  # it has ended
        return []
    chosen = [choice.choice(found)] if found and victim != "parent" else []
    if victim != "worker" or not chosen:
        chosen.append(process.pid)
    for pid in chosen:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return started


def gone(pids: Sequence[int]) -> bool:
    """Whether all these processes end within half a minute."""
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ended = bool(select.select([handle], [], [], 30)[0])
        os.close(handle)
        if not ended:
            return False
    return True


class Course:
    """A folder that begins as a copy of the cold build and is damaged, built, killed and built again."""

    def __init__(self, cold: Path, seconds: float, options: Sequence[str], seed: int) -> None:
        self.wanted = files(cold)
        self.media = cold.with_name("killed")
        shutil.copytree(cold, self.media)
        self.options = options
        self.choice = random.Random(seed)
        lengths = {path.stem: path.stat().st_size for path in cold.glob("*/clips/*.mp4")}
        alone = seconds * (os.cpu_count() or 1)  # what all clips would take one after another
        self.seconds = {name: alone * length / sum(lengths.values()) for name, length in lengths.items()}

    def damage(self) -> list[str]:
        """Take from one or two clips a file and all copies."""
        names = self.choice.sample(sorted(self.seconds), self.choice.choice((1, 1, 2)))
        for name in names:
            self.choice.choice(sorted(self.media.glob(f"*/clips/{name}.*"))).unlink()
            for copy in self.media.glob(f".store/clips/*/{name}.mp4"):
                shutil.rmtree(copy.parent)
        return names

    def kill(self, number: int) -> bool:
        """Start a build, kill it somewhere in the time that it should take, wait for all it started.

        Whether it was still running.
        """
        victim, names = VICTIMS[number % len(VICTIMS)], self.damage()
        moment = self.choice.uniform(0, START_SECONDS + sum(self.seconds[name] for name in names))
        with subprocess.Popen(command(self.media, self.options), cwd=ROOT, stdout=DEVNULL, stderr=DEVNULL) as process:
            with suppress(subprocess.TimeoutExpired):
                process.wait(moment)
            running = process.poll() is None
            started = kill(process, victim, self.choice)
        if not gone(started):
            raise SystemExit(f"kill {number}: a process outlived its parent")
        print(f"{number}: {' and '.join(names)}, {victim} killed after {moment:.1f} s", end="", flush=True)
        print(f", status {process.returncode}" if running else ", too late", end="", flush=True)
        return running

    def ends_equal(self) -> bool:
        """Run to the end; whether all is as in the cold build."""
        ended = subprocess.run(command(self.media, self.options), cwd=ROOT, check=False, stdout=DEVNULL)
        same = ended.returncode == 0 and files(self.media) == self.wanted and not leftovers(self.media)
        print(f"; then {'equal' if same else f'DIFFERENT (status {ended.returncode})'}", flush=True)
        return same


def main() -> int:
    """Cold once, then the kills, each followed by a run to the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    given, options = parser.parse_known_args()
    with TemporaryDirectory() as folder:
        cold = Path(folder) / "cold"
        began = time.monotonic()
        subprocess.run(command(cold, options), cwd=ROOT, check=True, stdout=DEVNULL)
        seconds = time.monotonic() - began
        course = Course(cold, seconds, options, given.seed)
        print(f"cold: {seconds:.0f} s, {len(course.wanted)} files", flush=True)
        kills = equal = 0
        while kills < given.kills:
            in_time = course.kill(kills)
            same = course.ends_equal()
            kills, equal = kills + in_time, equal + (same and in_time)
            if not same:
                break
    print(f"{equal} of {kills} equal to cold")
    return 0 if equal == given.kills else 1


if __name__ == "__main__":
    sys.exit(main())
