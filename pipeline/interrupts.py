"""Ctrl-C and SIGTERM, heard only where a build waits: never between two steps that belong together.

Python raises KeyboardInterrupt anywhere, also within its own bookkeeping: a semaphore that was made and not yet noted
for its removal is left behind then, and told of as a leak on standard error.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SIGNS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Whether an end was asked for, and whether this is a place to hear it."""

    def __init__(self) -> None:
        self.asked = self._waiting = False

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Here an interrupt is heard, also one that has come before: it raises KeyboardInterrupt."""
        self._waiting = True
        try:
            self.hear()
            yield
        finally:
            self._waiting = False

    def hear(self) -> None:
        """Raise KeyboardInterrupt if one has come."""
        if self.asked:
            raise KeyboardInterrupt

    def note(self, *_: object) -> None:
        """A handler of signals. After the first, what ends the work is not to be interrupted again."""
        first, self.asked = not self.asked, True
        if first and self._waiting:
            raise KeyboardInterrupt


@contextmanager
def interrupts_deferred() -> Iterator[Interrupts]:
    """Interrupts are heard where the block waits, and at its end. Signals that are ignored stay so."""
    interrupts = Interrupts()
    if threading.current_thread() is not threading.main_thread():  # which alone hears signals
        yield interrupts
        return
    before = {sign: signal.getsignal(sign) for sign in SIGNS}
    mine = [sign for sign in SIGNS if before[sign] != signal.SIG_IGN]
    for sign in mine:
        signal.signal(sign, interrupts.note)
    try:
        yield interrupts
    finally:
        for sign in mine:
            signal.signal(sign, before[sign])
    interrupts.hear()


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Processes and threads started here never see Ctrl-C, not even while they start; ours comes when this ends."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def deaf_from_now_on() -> None:
    """All is done, and leaving takes Python a moment: an interrupt has nothing to end any more."""
    for sign in SIGNS:
        signal.signal(sign, signal.SIG_IGN)
