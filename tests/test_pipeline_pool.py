"""Worker processes: tasks come back, and one process that dies takes only its own along."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children
from pathlib import Path

import pytest

from pipeline.pool import WorkerPool, end_children

greetings: list[str] = []


def greet(greeting: str) -> None:
    greetings.append(greeting)


def greeted(name: str) -> tuple[str, int]:
    return f"{greetings[-1]}, {name}", os.getpid()


def die(_: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(text: str) -> None:
    raise ValueError(text)


def stop(_: str) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def be_deaf(path: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.mkfifo(path)
    Path(path).read_bytes()  # which nobody writes


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "T"


def test_tasks_come_back_from_processes_that_are_used_again() -> None:
    with WorkerPool(1, greet, ("Hello",)) as pool:
        one, other = [pool.submit(greeted, name).result() for name in ("you", "me")]
    assert (one[0], other[0]) == ("Hello, you", "Hello, me")
    assert one[1] == other[1] != os.getpid()


def test_a_process_that_dies_takes_only_its_own_task_along() -> None:
    with WorkerPool(2, greet, ("Hello",)) as pool:
        before = pool.submit(greeted, "a")
        dead = [pool.submit(die, "b") for _ in range(3)]
        after = [pool.submit(greeted, name) for name in "cde"]
        assert before.result()[0] == "Hello, a"
        assert [type(future.exception()) for future in dead] == [BrokenProcessPool] * 3
        assert [future.result()[0] for future in after] == ["Hello, c", "Hello, d", "Hello, e"]


def test_an_error_comes_back_as_it_is() -> None:
    with WorkerPool(1, greet, ("Hello",)) as pool, pytest.raises(ValueError, match="no"):
        pool.submit(fail, "no").result()


@pytest.mark.parametrize("hang", [stop, be_deaf])
def test_processes_that_hang_can_be_ended(hang: Callable[[str], None], tmp_path: Path) -> None:
    """The hardest to end: one that is stopped, as by Ctrl-Z, and one that ignores SIGTERM."""
    fifo = tmp_path / "fifo"
    pool = WorkerPool(1, greet, ("Hello",))
    hanging, waiting = pool.submit(hang, str(fifo)), pool.submit(greeted, "you")
    while not (fifo.exists() or any(is_stopped(child.pid or 0) for child in active_children())):
        assert not wait([hanging], timeout=0.05).done
    pool.shutdown(wait=False, cancel_futures=True)
    assert waiting.cancelled()
    end_children()
    pool.shutdown()
    assert isinstance(hanging.exception(), BrokenProcessPool)
