"""CPU time of a cold build with the voice and without, both in one run:  python benchmarks/voice_cost.py [OPTIONS]

Options are those of render.py, such as `-q m --only summary`; without any it is a whole lesson at 1080p60. A silent
lesson has the pace of a lecturer, not the voice's, so the lengths of both films are told, too.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent


def cold_build(voice: str, options: list[str], media: Path) -> tuple[float, float]:
    """CPU seconds of the build and all its workers, and seconds of film."""
    command = [sys.executable, str(ROOT / "render.py"), *options, "--voice", voice, "--media", str(media)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    records = media.glob("*/clips/*.json")
    film = sum(float(json.loads(path.read_text(encoding="utf-8"))["duration"]) for path in records)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, film


def main(options: list[str]) -> None:
    """Build twice, and print both times and their ratio."""
    found = {}
    for voice in ("none", "hibari"):
        with TemporaryDirectory() as media:
            found[voice] = cold_build(voice, options, Path(media))
        print(f"{voice:>6}: {found[voice][0]:.1f} s of CPU for {found[voice][1]:.1f} s of film", flush=True)
    print(f"with the voice: {found['hibari'][0] / found['none'][0]:.3f} times the CPU time")


if __name__ == "__main__":
    main(sys.argv[1:])
