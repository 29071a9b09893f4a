"""Audits many lessons drawn at random, all chapters of each, and counts what was found.

    python benchmarks/audit_many.py [--lessons 200] [--seed 0] [--from 0] [--to N] [--jobs N] [--only NAME,...]
        [--keep DIR]

The lessons come from the strategy that the tests draw from; with the same seed they are the same. Each is kept as a
file, so that `render.py audit --lesson DIR/017.toml --png ...` shows what was found. Exit status 1 if anything was.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import mkdtemp

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from drawn_lessons import Table, lessons, write_lesson  # noqa: E402
from hypothesis import HealthCheck, Phase, given, seed, settings  # noqa: E402

from lesson import load  # noqa: E402
from pipeline.audit.finding import Finding  # noqa: E402
from pipeline.audit.run import audit_part  # noqa: E402
from pipeline.job import SILENT  # noqa: E402
from pipeline.lines import Part, RehearsalFailed  # noqa: E402
from scenes import CHAPTERS  # noqa: E402

TASKS_OF_A_WORKER = 40  # then a fresh one: outlines and typeset words pile up


def drawn(count: int, seed_: int) -> list[Table]:
    """So many valid lessons."""
    found: list[Table] = []

    @seed(seed_)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(lessons())
    def take(lesson: Table) -> None:
        found.append(lesson)

    take()
    return found[:count]


def outcome(part: Part) -> list[Finding] | str:
    """What was found in a chapter, or why it could not be played."""
    gc.disable()  # its passes over a chapter's many objects take a tenth of the time and free little
    try:
        return audit_part(part, None)
    except RehearsalFailed as failure:
        return str(failure)
    finally:
        gc.collect()


def main() -> int:
    """Draw, audit, count."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lessons", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--from", type=int, default=0, dest="first", help="leave out those before this one")
    parser.add_argument("--to", type=int, dest="end", help="leave out this one and those after it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default=",".join(chapter.name for chapter in CHAPTERS))
    parser.add_argument("--keep", type=Path, help="where the lesson files go (default: a new temporary folder)")
    given_ = parser.parse_args()
    folder = given_.keep or Path(mkdtemp(prefix="audited-"))
    folder.mkdir(parents=True, exist_ok=True)
    files = [write_lesson(folder / f"{i:03}.toml", table) for i, table in enumerate(drawn(given_.lessons, given_.seed))]
    files = files[given_.first : given_.end]
    chapters = [chapter for chapter in CHAPTERS if chapter.name in given_.only.split(",")]
    parts = [(file, Part(c.name, c.module, c.class_name, load(file), SILENT)) for file in files for c in chapters]
    begun, counts = time.monotonic(), Counter[tuple[str, str]]()
    # not concurrent.futures: its processes with a limit of tasks hang in Python 3.11
    with multiprocessing.get_context("spawn").Pool(given_.jobs, maxtasksperchild=TASKS_OF_A_WORKER) as pool:
        for (file, part), found in zip(parts, pool.imap(outcome, [part for _, part in parts]), strict=True):
            lines = [found] if isinstance(found, str) else [str(finding) for finding in found]
            rules = {"could not be played"} if isinstance(found, str) else {finding.rule for finding in found}
            counts.update((part.name, rule) for rule in rules)
            for line in lines:
                print(f"{file.name}: {line}", flush=True)
            if part.name == chapters[-1].name:
                print(f"{file.name} done, {time.monotonic() - begun:.0f} s", file=sys.stderr)
    print(f"{len(files)} lessons, {len(parts)} chapters, {time.monotonic() - begun:.0f} s; lessons in {folder}")
    for (name, rule), count in sorted(counts.items()):
        print(f"  {name}: {rule}: {count} of {len(files)} lessons")
    return 1 if counts else 0


if __name__ == "__main__":
    raise SystemExit(main())
