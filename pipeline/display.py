"""What a build says while it runs: live bars on a terminal, plain lines elsewhere. Only the parent prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from pipeline.plan import ClipPlan


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

    def __init__(self, console: Console, errors: Console) -> None:
        self._console = console
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
        if traceback:
            self._errors.print(traceback, markup=False, highlight=False, soft_wrap=True)
        self._errors.print(message, markup=False, highlight=False, soft_wrap=True)

    def say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def end(self) -> None:
        pass


class LiveDisplay(PlainDisplay):
    """Bars for the clips being rendered and for all of them: frames and time left."""

    def __init__(self, console: Console, errors: Console) -> None:
        super().__init__(console, errors)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("frames"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            redirect_stderr=errors.is_terminal,
        )
        self._frames: dict[str, int] = {}
        self._tasks: dict[str, TaskID] = {}

    def begin(self, stale: Sequence[ClipPlan], frames: Mapping[str, int]) -> None:
        super().begin(stale, frames)
        self._tasks["all"] = self._bars.add_task("all")
        self._show("all")
        self._bars.start()

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
        self._bars.stop()


def make_display(console: Console, errors: Console) -> Display:
    """Live where somebody watches."""
    return LiveDisplay(console, errors) if console.is_terminal else PlainDisplay(console, errors)


def summary(reasons: Sequence[str], shown: int = 2) -> str:
    """The first reasons, and how many more there are."""
    more = f" and {len(reasons) - shown} more" if len(reasons) > shown else ""
    return "; ".join(reasons[:shown]) + more
