"""render.py over the little chapters, run by tests as a process of its own: little_render.py CHAPTERS [ARGUMENTS]."""

from __future__ import annotations

import signal
import sys

from little_chapters import NAMED

from pipeline.cli import main
from pipeline.interrupts import deaf_from_now_on

if __name__ == "__main__":
    # A test runner in the background hands down an ignored SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chosen = [NAMED[name] for name in sys.argv[1].split(",")]
    sys.exit(main(sys.argv[2:], chosen, [sys.executable, *sys.argv[:2]], deaf_from_now_on))
