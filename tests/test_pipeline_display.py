"""What a build says: lines for a file, bars for a terminal."""

from __future__ import annotations

import io

import pytest

from pipeline.display import LiveDisplay, PlainDisplay, make_display, summary
from pipeline.plan import ClipPlan

STALE = [ClipPlan("a", ("not rendered yet",)), ClipPlan("b", ("one", "two", "three"))]


class Terminal(io.StringIO):
    """Somebody watches."""

    def isatty(self) -> bool:
        return True


class Screen:
    """Output and errors, caught."""

    def __init__(self, output: type[io.StringIO], errors: type[io.StringIO]) -> None:
        self.output, self.errors = output(), errors()
        self.display = make_display(self.output, self.errors)


def test_lines_where_nobody_watches() -> None:
    screen = Screen(io.StringIO, io.StringIO)
    assert type(screen.display) is PlainDisplay
    screen.display.begin(STALE, {"a": 100, "b": 50})
    for frames in (0, 10, 24, 26, 40, 99, 120):
        screen.display.progress("a", frames)
    screen.display.done("a", 120)
    screen.display.failed("b: ValueError: [red]no[/red] " + "x" * 50, "")
    screen.display.failed("c: no", "Traceback")
    screen.display.end()
    assert screen.output.getvalue().splitlines() == [
        "a: to render (not rendered yet)",
        "b: to render (one; two and 1 more)",
        "a: rendering, frame 0 of about 100",
        "a: rendering, frame 26 of about 100",
        "a: rendering, frame 99 of about 100",
        "a: done, 120 frames",
    ]
    assert screen.errors.getvalue().splitlines() == [
        "b: ValueError: [red]no[/red] " + "x" * 50,
        "Traceback",
        "c: no",
    ]


@pytest.mark.parametrize("errors", [Terminal, io.StringIO])
def test_bars_where_somebody_watches(monkeypatch: pytest.MonkeyPatch, errors: type[io.StringIO]) -> None:
    monkeypatch.setenv("TERM", "xterm")  # rich draws no bars on a dumb terminal
    monkeypatch.setenv("COLUMNS", "100")
    screen = Screen(Terminal, errors)
    assert type(screen.display) is LiveDisplay
    screen.display.begin(STALE, {"a": 100, "b": 50})
    screen.display.progress("a", 30)
    screen.display.progress("b", 60)
    screen.display.progress("a", 40)
    screen.display.done("a", 100)
    screen.display.failed("b: [red]no[/red]", "")
    screen.display.end()
    screen.display.say("lesson: fresh")
    shown = screen.output.getvalue()
    assert "a: to render (not rendered yet)" in shown
    assert "a: done, 100 frames" in shown
    assert shown.endswith("lesson: fresh\n")
    assert "b: [red]no[/red]\n" in (screen.errors.getvalue() or shown)
    assert (screen.errors.getvalue() == "") == (errors is Terminal)  # on one screen, above the bars
    assert "60/60" in shown  # longer than was thought
    assert "160/160" in shown
    assert "frames" in shown


def test_the_end_without_a_beginning() -> None:
    Screen(Terminal, Terminal).display.end()


@pytest.mark.parametrize(
    ("reasons", "text"),
    [(["a"], "a"), (["a", "b"], "a; b"), (["a", "b", "c", "d"], "a; b and 2 more")],
)
def test_summary(reasons: list[str], text: str) -> None:
    assert summary(reasons) == text
