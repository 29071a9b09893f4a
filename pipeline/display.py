"""What a build says while it runs: live bars on a terminal, plain lines elsewhere. Only the parent prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import IO, TYPE_CHECKING, Protocol

from pipeline.plan import ClipPlan

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Display(Protocol):
    """Told of every step of a build, in the parent process, from one thread at a time."""

    def begin(self, stale: Sequence[ClipPlan], frames: Mapping[str, int]) -> None:
        """These clips will be rendered; ``frames`` are the lengths expected."""

    def progress(self, name: str, frames: int) -> None:
        """So many frames of a clip are encoded."""

    def done(self, name: str, frames: int) -> None:
        """A clip is published."""

    def failed(self, message: str, traceback: str) -> None:
        """A clip failed."""

    def say(self, line: str) -> None:
        """Any other news."""

    def end(self) -> None:
        """The build is over, well or not."""


class PlainDisplay:
    """Lines: each clip's start, quarters and end."""

    def __init__(self, output: IO[str], errors: IO[str]) -> None:
        self._output = output
        self._errors = errors
        self._expected: dict[str, int] = {}
        self._quarters: dict[str, int] = {}

    def begin(self, stale: Sequence[ClipPlan], frames: Mapping[str, int]) -> None:
        self._expected = dict(frames)
        for clip in stale:
            self.say(f"{clip.name}: to render ({summary(clip.reasons)})")

    def progress(self, name: str, frames: int) -> None:
        quarter = min(3, 4 * frames // max(1, self._expected.get(name, 1)))
        if quarter > self._quarters.get(name, -1):
            self._quarters[name] = quarter
            self.say(f"{name}: rendering, frame {frames} of about {self._expected.get(name, 0)}")

    def done(self, name: str, frames: int) -> None:
        self.say(f"{name}: done, {frames} frames")

    def failed(self, message: str, traceback: str) -> None:
        for text in filter(None, (traceback, message)):
            self._print(text, self._errors)

    def say(self, line: str) -> None:
        self._print(line, self._output)

    def end(self) -> None:
        pass

    def _print(self, text: str, file: IO[str]) -> None:
        print(text, file=file, flush=True)


class LiveDisplay(PlainDisplay):
    """Bars for the clips being rendered and for all of them: frames and time left."""

    def __init__(self, output: IO[str], errors: IO[str]) -> None:
        super().__init__(output, errors)
        self._running = False
        self._frames: dict[str, int] = {}
        self._tasks: dict[str, TaskID] = {}

    @cached_property
    def _bars(self) -> Progress:
        """Made when there is something to render: rich takes longer to import than to find all fresh."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        return Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("frames"),
            TimeRemainingColumn(),
            console=Console(file=self._output),
            transient=True,
            redirect_stderr=self._errors.isatty(),
        )

    def begin(self, stale: Sequence[ClipPlan], frames: Mapping[str, int]) -> None:
        super().begin(stale, frames)
        self._tasks["all"] = self._bars.add_task("all")
        self._show("all")
        self._bars.start()
        self._running = True

    def progress(self, name: str, frames: int) -> None:
        self._frames[name] = frames
        self._expected[name] = max(frames, self._expected.get(name, 0))
        if name not in self._tasks:
            self._tasks[name] = self._bars.add_task(name)
        self._show(name)
        self._show("all")

    def done(self, name: str, frames: int) -> None:
        self._frames[name] = self._expected[name] = frames
        if name in self._tasks:
            self._bars.update(self._tasks[name], visible=False)
        self._show("all")
        super().done(name, frames)

    def _show(self, name: str) -> None:
        done, expected = self._frames, self._expected
        completed = done[name] if name in done else sum(done.values())
        total = expected[name] if name in expected else sum(expected.values())
        self._bars.update(self._tasks[name], completed=completed, total=total)

    def end(self) -> None:
        if self._running:
            self._bars.stop()
            self._running = False

    def _print(self, text: str, file: IO[str]) -> None:
        """Above the bars, where they share a screen."""
        if self._running and file.isatty():
            self._bars.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            super()._print(text, file)


def make_display(output: IO[str], errors: IO[str]) -> Display:
    """Live where somebody watches."""
    return LiveDisplay(output, errors) if output.isatty() else PlainDisplay(output, errors)


def summary(reasons: Sequence[str], shown: int = 2) -> str:
    """The first reasons, and how many more there are."""
    more = f" and {len(reasons) - shown} more" if len(reasons) > shown else ""
    return "; ".join(reasons[:shown]) + more
