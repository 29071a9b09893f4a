"""Hands clips to workers and takes them as they come back."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from pipeline.display import Display
from pipeline.job import ClipDone, ClipFailed, ClipJob, ClipResult, Progress
from pipeline.pool import WorkerPool, end_children, interrupts_held_back
from pipeline.worker import render_clip, start_worker

STOP_SECONDS = 5.0
"""How long workers may take to stop at their next frame before they are ended."""

MakeExecutor = Callable[[int, Any, Any], Executor]


def worker_pool(jobs: int, progress: Any, stop: Any) -> Executor:
    """Processes for clips, which report to ``progress`` and heed ``stop``."""
    return WorkerPool(jobs, start_worker, (progress, stop))


def _silence_the_tracker() -> None:
    """Python's tracker of semaphores writes a warning when Ctrl-C ends a process between two of its calls.

    Nothing is lost then, and the user's one line stays one. It is a process of its own, which listens to this alone.
    """
    quiet = "ignore::UserWarning:multiprocessing.resource_tracker"
    wanted = [*filter(None, os.environ.get("PYTHONWARNINGS", "").split(",")), quiet]
    os.environ["PYTHONWARNINGS"] = ",".join(dict.fromkeys(wanted))


def render_all(
    jobs: Sequence[ClipJob], workers: int, executor: MakeExecutor, display: Display, take: Callable[[ClipDone], None]
) -> list[str]:
    """Render all, started in this order; ``take`` is called with each clip as it is done.

    Returns the names of those that failed, sorted; an OSError of ``take`` fails its clip, too.
    """
    _silence_the_tracker()
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue()
    stop = context.Event()
    reader = threading.Thread(target=_read_progress, args=(queue, display), daemon=True)
    reader.start()
    pool = executor(min(workers, len(jobs)), queue, stop)
    futures: dict[Future[ClipResult], str] = {}
    try:
        with interrupts_held_back():
            for job in jobs:
                futures[pool.submit(render_clip, job)] = job.name
        results = (_result(future, futures[future]) for future in as_completed(futures))
        failed = [result.name for result in results if not _taken(result, display, take)]
        pool.shutdown()
    except BaseException:
        stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
        if wait(futures, timeout=STOP_SECONDS).not_done:
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
