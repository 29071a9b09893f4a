"""Worker processes behind concurrent.futures' interface. One that dies takes only its own task along."""

from __future__ import annotations

import multiprocessing
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from pipeline.interrupts import interrupts_deferred, interrupts_held_back

Part = TypeVar("Part")
Result = TypeVar("Result")


class WorkerPool(Executor):
    """So many processes, each a pool of its own: Python's pool gives up all its tasks when one process dies.

    Processes start from nothing, so that no state of the parent reaches a task, and are used again.
    """

    def __init__(self, jobs: int, initializer: Callable[..., object], initargs: tuple[Any, ...]) -> None:
        self._start: Callable[[], ProcessPoolExecutor] = lambda: ProcessPoolExecutor(
            1, multiprocessing.get_context("spawn"), initializer=initializer, initargs=initargs
        )
        self._threads = ThreadPoolExecutor(jobs)
        self._idle: queue.LifoQueue[ProcessPoolExecutor | None] = queue.LifoQueue()
        for _ in range(jobs):
            self._idle.put(None)

    def submit(self, fn: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Future[Result]:
        """Run it in a process; BrokenProcessPool is the result when that process died."""
        return self._threads.submit(self._run, fn, *args, **kwargs)

    def _run(self, fn: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
        worker = self._idle.get()
        try:
            worker = worker or self._start()
            return worker.submit(fn, *args, **kwargs).result()
        except BrokenProcessPool:
            worker = None
            raise
        finally:
            self._idle.put(worker)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, when ``wait``: after their tasks; without it they go on until a later call."""
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        while wait and not self._idle.empty():
            worker = self._idle.get()
            if worker is not None:
                worker.shutdown()


def each_in_a_process(work: Callable[[Part], Result], parts: Sequence[Part], jobs: int) -> Iterator[Result]:
    """What ``work`` makes of each part, in their order, by so many processes; an error of one ends all."""
    if not parts:
        return
    context = multiprocessing.get_context("spawn")
    with interrupts_deferred() as interrupts, ProcessPoolExecutor(min(jobs, len(parts)), context) as pool:
        try:
            with interrupts_held_back():
                futures = [pool.submit(work, part) for part in parts]
            for future in futures:
                with interrupts.waiting():
                    result = future.result()
                yield result
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            end_children()
            raise


def end_children() -> None:
    """End all processes that this one started, also one that is stopped, which would never hear SIGTERM."""
    for child in multiprocessing.active_children():
        child.kill()
        child.join()
