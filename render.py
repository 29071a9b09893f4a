"""Render the lesson: python render.py --help."""

import sys

from pipeline.cli import main
from pipeline.interrupts import deaf_from_now_on

if __name__ == "__main__":
    sys.exit(main(at_end=deaf_from_now_on))
