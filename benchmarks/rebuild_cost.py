"""CPU seconds of a rebuild after changing `worked_example.query`, beside those of its clips alone from cold.

    python benchmarks/rebuild_cost.py [-q QUALITY] [--voice NAME]

Exit status 1 when the rebuild, joining included, takes more than LIMIT times as long.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 1.15
OLD, NEW = "query = [1, 0]", "query = [1, 0.25]"


def build(lesson: Path, media: Path, options: list[str]) -> tuple[float, list[str]]:
    """CPU seconds of a build with its workers, and the clips that it rendered."""
    command = [sys.executable, "render.py", "--lesson", str(lesson), "--media", str(media), *options]
    before = os.times()
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    after = os.times()
    rendered = [line.partition(":")[0] for line in done.stdout.splitlines() if ": done, " in line]
    return after.children_user + after.children_system - before.children_user - before.children_system, rendered


def main(options: list[str]) -> int:
    """Build, change the number, rebuild; then the same clips from cold."""
    text = (ROOT / "lesson.toml").read_text(encoding="utf-8")
    if OLD not in text:
        raise SystemExit(f"lesson.toml: {OLD!r} is not in it")
    with TemporaryDirectory() as folder:
        lesson, media = Path(folder) / "lesson.toml", Path(folder) / "media"
        lesson.write_text(text, encoding="utf-8")
        build(lesson, media, options)
        lesson.write_text(text.replace(OLD, NEW, 1), encoding="utf-8")
        rebuild, clips = build(lesson, media, options)
        alone, _ = build(lesson, Path(folder) / "cold", [*options, "--only", ",".join(clips)])
    ratio = rebuild / alone
    print(f"{', '.join(clips)}: {rebuild:.1f} s rebuilt, {alone:.1f} s alone from cold, {ratio:.3f} times as long")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
