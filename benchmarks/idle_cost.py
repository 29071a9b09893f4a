"""CPU seconds of `render.py` with nothing to do, beside those of importing numpy and pydantic, in one run.

    python benchmarks/idle_cost.py [-q QUALITY ...] [--media DIR] [--runs N]

What is stale is made first. Exit status 1 when a quality takes more than BUDGET seconds more.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUDGET = 0.6
IMPORTS = [sys.executable, "-c", "import numpy, pydantic"]
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
"""Where that is set, each run would compile our sources anew."""


def cpu_seconds(command: Sequence[str]) -> float:
    """User and system time of a command and its children."""
    before = os.times()
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> int:
    """Measure each quality in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-q", "--quality", action="append", help="may be given more than once (default: l)")
    parser.add_argument("--media", type=Path, default=ROOT / "media")
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    within = True
    for quality in given.quality or ["l"]:
        build = [sys.executable, "render.py", "-q", quality, "--media", str(given.media.resolve())]
        subprocess.run(build, cwd=ROOT, env=ENVIRONMENT, check=True)
        subprocess.run(build, cwd=ROOT, env=ENVIRONMENT, check=True, stdout=subprocess.DEVNULL)
        # In turns, so that a busy machine slows both alike; the least of each is the nearest to the cost itself.
        pairs = [(cpu_seconds(IMPORTS), cpu_seconds(build)) for _ in range(given.runs)]
        imports, idle = (min(times) for times in zip(*pairs, strict=True))
        more = idle - imports
        print(f"-q {quality}: {idle:.2f} s with nothing to do, {imports:.2f} s for the imports: {more:.2f} s more")
        within = within and more <= BUDGET
    return 0 if within else 1


if __name__ == "__main__":
    sys.exit(main())
