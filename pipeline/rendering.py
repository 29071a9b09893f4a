"""Hands clips to workers and takes them as they come back."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from pipeline.display import Display
from pipeline.interrupts import Interrupts, interrupts_deferred, interrupts_held_back
from pipeline.job import ClipDone, ClipFailed, ClipJob, ClipResult, Progress
from pipeline.pool import WorkerPool, end_children
from pipeline.worker import render_clip, start_worker

STOP_SECONDS = 5.0
"""How long workers may take to stop at their next frame before they are ended."""

MakeExecutor = Callable[[int, Any, Any], Executor]


def worker_pool(jobs: int, progress: Any, stop: Any) -> Executor:
    """Processes for clips, which report to ``progress`` and heed ``stop``."""
    return WorkerPool(jobs, start_worker, (progress, stop))


def render_all(
    jobs: Sequence[ClipJob], workers: int, executor: MakeExecutor, display: Display, take: Callable[[ClipDone], None]
) -> list[str]:
    """Render all, started in this order; ``take`` is called with each clip as it is done.

    Returns the names of those that failed, sorted; an OSError of ``take`` fails its clip, too.
    """
    with interrupts_deferred() as interrupts:
        return _render_all(jobs, workers, executor, display, take, interrupts)


def _render_all(
    jobs: Sequence[ClipJob],
    workers: int,
    executor: MakeExecutor,
    display: Display,
    take: Callable[[ClipDone], None],
    interrupts: Interrupts,
) -> list[str]:
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue()
    stop = context.Event()
    reader = threading.Thread(target=_read_progress, args=(queue, display), daemon=True)
    reader.start()
    pool = executor(min(workers, len(jobs)), queue, stop)
    names: dict[Future[ClipResult], str] = {}
    failed: list[str] = []
    try:
        with interrupts_held_back():
            for job in jobs:  # one by one: if a start fails, those before it are known, and are ended
                names[pool.submit(render_clip, job)] = job.name
        pending = set(names)
        while pending:
            with interrupts.waiting():
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
            results = [_result(future, names[future]) for future in done]
            failed += [result.name for result in results if not _taken(result, display, take)]
        pool.shutdown()
    except BaseException:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
        if wait(names, timeout=STOP_SECONDS).not_done:
            end_children()
        pool.shutdown()
        raise
    finally:
        # A worker that was killed may hold the queue's lock for ever: neither wait for it here nor on exit.
        queue.cancel_join_thread()
        queue.put(None)
        reader.join(timeout=STOP_SECONDS)
    return sorted(failed)


def _read_progress(queue: Any, display: Display) -> None:
    while isinstance(news := queue.get(), Progress):
        display.progress(news.name, news.frames)


def _result(future: Future[ClipResult], name: str) -> ClipResult:
    try:
        return future.result()
    except BrokenProcessPool:
        return ClipFailed(name, f"{name}: a worker process ended unexpectedly (killed, or out of memory?)")


def _taken(result: ClipResult, display: Display, take: Callable[[ClipDone], None]) -> bool:
    if isinstance(result, ClipDone):
        try:
            take(result)
            return True
        except OSError as error:
            result = ClipFailed(result.name, f"{result.name}: can't be written: {error.strerror or error}")
    display.failed(result.message, result.traceback)
    return False
