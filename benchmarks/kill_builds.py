"""Kills real builds at random moments, runs each to its end, and compares all files with those of a cold build.

    python benchmarks/kill_builds.py [--kills N] [--only NAME,...] [--seed N] [--jobs N]

A third of the kills takes the parent, a third a worker, a third both, always by SIGKILL. Exit status 1 unless every
run ends with the same bytes and leaves no process, no temporary file and no lock behind.
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
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
VICTIMS = ("parent", "worker", "both")
WORKER = b"spawn_main"


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


def one(number: int, media: Path, length: float, options: Sequence[str], choice: random.Random) -> None:
    """Start a build, kill it somewhere in its first ``length`` seconds, wait for all it started."""
    victim = VICTIMS[number % len(VICTIMS)]
    moment = choice.uniform(0, length)
    with subprocess.Popen(
        command(media, options), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        time.sleep(moment)
        started = kill(process, victim, choice)
        process.wait()
    if not gone(started):
        raise SystemExit(f"kill {number}: a process outlived its parent")
    print(f"{number}: {victim} killed after {moment:.1f} s, status {process.returncode}", end="", flush=True)


def main() -> int:
    """Cold once, then the kills, each followed by a run to the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    given, options = parser.parse_known_args()
    choice = random.Random(given.seed)
    equal = 0
    with TemporaryDirectory() as folder:
        cold = Path(folder) / "cold"
        began = time.monotonic()
        subprocess.run(command(cold, options), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        length = time.monotonic() - began
        wanted = files(cold)
        print(f"cold: {length:.0f} s, {len(wanted)} files")
        for number in range(given.kills):
            media = Path(folder) / "killed"
            one(number, media, length, options, choice)
            ended = subprocess.run(command(media, options), cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
            same = ended.returncode == 0 and files(media) == wanted and not leftovers(media)
            print(f"; then {'equal' if same else f'DIFFERENT (status {ended.returncode})'}", flush=True)
            equal += same
            shutil.rmtree(media)
    print(f"{equal} of {given.kills} equal to cold")
    return 0 if equal == given.kills else 1


if __name__ == "__main__":
    sys.exit(main())
