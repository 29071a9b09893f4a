"""Ctrl-C is heard where a build waits, and only there."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pipeline.interrupts import SIGNS, interrupts_deferred


@pytest.fixture(autouse=True)
def as_in_a_shell() -> None:
    """A test runner in the background hands down an ignored SIGINT."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("sign", SIGNS)
def test_it_comes_between_no_two_steps(sign: signal.Signals) -> None:
    steps = []

    def work() -> None:
        with interrupts_deferred() as interrupts:
            signal.raise_signal(sign)
            steps.append("after the signal")
            with interrupts.waiting():
                steps.append("waiting")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert steps == ["after the signal"]


def test_it_ends_a_wait_and_what_cleans_up_is_not_interrupted_again() -> None:
    steps = []

    def work() -> None:
        with interrupts_deferred() as interrupts:
            try:
                with interrupts.waiting():
                    signal.raise_signal(signal.SIGINT)
                    steps.append("still waiting")
            finally:
                signal.raise_signal(signal.SIGINT)
                steps.append("cleaned up")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert steps == ["cleaned up"]


def test_what_came_after_the_last_wait_is_heard_at_the_end() -> None:
    steps = []

    def work() -> None:
        with interrupts_deferred() as interrupts:
            with interrupts.waiting():
                steps.append("waited")
            signal.raise_signal(signal.SIGINT)
            steps.append("done")
        steps.append("gone on")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert steps == ["waited", "done"]


def test_an_error_of_the_block_is_not_replaced_by_it() -> None:
    def work() -> None:
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            raise ValueError("told")

    with pytest.raises(ValueError, match="told"):
        work()


def test_handlers_are_as_before_and_ignored_signals_stay_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    before = [signal.getsignal(sign) for sign in SIGNS]
    with interrupts_deferred() as interrupts:
        assert signal.getsignal(signal.SIGTERM) == interrupts.note
        signal.raise_signal(signal.SIGINT)
    assert [signal.getsignal(sign) for sign in SIGNS] == before


def test_in_another_thread_nothing_is_deferred() -> None:
    found = []

    def look() -> None:
        with interrupts_deferred(), interrupts_deferred():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]


@pytest.mark.parametrize(("leaving", "silent"), [("deaf_from_now_on()", True), ("pass", False)])
def test_it_does_not_change_the_status_of_what_is_done(leaving: str, silent: bool) -> None:
    """As Python leaves, for which its handlers of the end stand here; without being deaf it would be told."""
    program = f"""
import atexit, signal
from pipeline.interrupts import deaf_from_now_on
signal.signal(signal.SIGINT, signal.default_int_handler)
atexit.register(signal.raise_signal, signal.SIGINT)
{leaving}
"""
    root = Path(__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, check=False)
    assert (done.returncode == 0 and done.stderr == b"") == silent
