"""The command line. Exit status: 0 done, 1 stale, 2 wrong input, 3 rendering failed, 130 interrupted.

Quick commands stay quick: whatever needs Manim, PyAV or the lesson is imported where it is used.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.session import DRAFT, InputError, Session, with_options
from voice import VoiceError

if TYPE_CHECKING:
    from pipeline.job import ChapterLike
    from pipeline.plan import ClipPlan

DONE, STALE, WRONG, FAILED, INTERRUPTED = 0, 1, 2, 3, 130
PIPE_CLOSED = 141  # as shells know it: the reader of our output has left
LONGEST_SHOWN = 48
"""Entries of an array that `numbers` still lists without --json."""


@click.group(invoke_without_command=True)
@with_options
def cli(session: Session) -> None:
    """Render every clip that is stale, and the lesson video."""
    if click.get_current_context().invoked_subcommand is None:
        _render(session)


def _render(session: Session) -> None:
    chosen = session.chosen()
    from pipeline.build import Orders, RenderFailed, build
    from pipeline.display import make_display
    from pipeline.lock import MediaError

    orders = Orders(chosen, session.jobs or os.cpu_count() or 1, session.debug)
    try:
        build(session.studio(), orders, make_display(sys.stdout, sys.stderr))
    except MediaError as error:
        raise InputError(str(error)) from error
    except RenderFailed as error:
        click.echo(f"render.py: {error}", err=True)
        raise click.exceptions.Exit(FAILED) from error


@cli.command("check")
@with_options
def check(session: Session) -> None:
    """List stale clips with the reasons; exit status 1 if there are any."""
    chosen = session.chosen()
    plan = session.studio().plan()
    stale = [clip for clip in plan.stale if chosen is None or clip.name in chosen]
    for clip in stale:
        click.echo(f"{clip.name}: {'; '.join(clip.reasons)}")
    if chosen is None and plan.lesson:
        click.echo(f"lesson: {'; '.join(plan.lesson)}")
    if stale or (chosen is None and plan.lesson):
        raise click.exceptions.Exit(STALE)
    click.echo("all fresh")


@cli.command("list")
@with_options
def list_(session: Session) -> None:
    """Show the chapters in order, with length and state."""
    from pipeline.manifest import clock

    studio = session.studio()
    lengths = studio.lengths()
    width = max(len(chapter.name) for chapter in session.chapters)
    for chapter, clip in zip(session.chapters, studio.plan().clips, strict=True):
        length = clock(lengths[chapter.name]) if chapter.name in lengths else "-"
        variant = f" (variant of {chapter.variant_of}, not in the lesson video)" if chapter.variant_of else ""
        click.echo(f"{chapter.name:<{width}}  {length:>7}  {_state(clip)}{variant}")


def _state(clip: ClipPlan) -> str:
    from pipeline.display import summary

    return "fresh" if clip.fresh else f"stale: {summary(clip.reasons, shown=1)}"


@cli.command("why")
@click.argument("name")
@with_options
def why(session: Session, name: str) -> None:
    """Show what the clip NAME depends on, and what changed since it was made."""
    from pipeline.changes import shown_briefly
    from pipeline.plan import brief

    session.known(name)
    studio = session.studio()
    sources = studio.look()
    record = studio.record(name)
    plan = next(clip for clip in studio.plan(sources).clips if clip.name == name)
    click.echo(f"{name} is {'fresh' if plan.fresh else 'stale:'}")
    for reason in plan.reasons:
        click.echo(f"  {reason}")
    click.echo("It depends on")
    for label, value in sorted(studio.inputs(studio.chapter(name), sources).items()):
        click.echo(f"  {label}: {brief(value)}")
    for key in sorted(record.reads) if record else ():
        fact = studio.facts.values.get(key)
        click.echo(f"  fact {key}: {'no longer exists' if fact is None else shown_briefly(fact)}")
    if record is None:
        click.echo("  facts that will be known when it has been rendered")


@cli.command("audit")
@click.option(
    "--png", "pictures", metavar="DIR", type=click.Path(path_type=Path), help="Write the frame of each finding there."
)
@with_options
def audit_(session: Session, pictures: Path | None) -> None:
    """Play chapters without drawing them and list what overlaps, is cut, small or faint; exit status 1 if anything."""
    chosen = session.chosen()
    from pipeline.audit.run import audit
    from pipeline.lines import RehearsalFailed

    studio = session.studio()
    chapters = [chapter for chapter in studio.chapters if chosen is None or chapter.name in chosen]
    found = 0
    try:
        for findings in audit(chapters, studio.lesson, studio.voice, session.jobs or os.cpu_count() or 1, pictures):
            for finding in findings:
                click.echo(str(finding))
            found += len(findings)
    except RehearsalFailed as error:
        click.echo(f"render.py: {_one_line(str(error))}", err=True)
        raise click.exceptions.Exit(FAILED) from error
    if found:
        raise click.exceptions.Exit(STALE)
    click.echo("nothing found")


@cli.command("clean")
@with_options
def clean(session: Session) -> None:
    """Drop from the store what the lesson file doesn't need, and say how much that frees."""
    from pipeline.clean import clean as drop
    from pipeline.lock import MediaError, media_lock

    studio = session.studio()
    try:
        with media_lock(session.media, click.echo):
            freed, kept = drop(studio)
    except MediaError as error:
        raise InputError(str(error)) from error
    click.echo(f"freed {freed / 1e6:.1f} MB; {kept / 1e6:.1f} MB are kept in {studio.layout.store}")


@cli.command("watch")
@with_options
def watch(session: Session) -> None:
    """Rebuild as files change, after they have settled; at 480p15, unless -q says otherwise."""
    from pipeline.watch import watch as rebuild

    session.chosen()
    session.orders()
    session = replace(session, quality=session.quality or DRAFT)
    rebuild(session.sources(), [session.lesson_file], [*session.program, *session.arguments()], click.echo)


@cli.command("numbers")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with full precision.")
@with_options
def numbers(session: Session, as_json: bool) -> None:
    """Show all facts of the lesson."""
    facts = session.load().facts
    if as_json:
        from pipeline.files import to_json

        click.echo(to_json(facts.to_dict()), nl=False)
        return
    for key in facts.keys():  # noqa: SIM118 - Facts is no dict
        click.echo(f"{key}: {_shown(facts[key].value)}")


def _shown(value: Any) -> str:
    """A fact's value on one line, six digits; a large array by its shape."""
    if hasattr(value, "size") and value.size > LONGEST_SHOWN:
        return f"array of shape {list(value.shape)} (all of it with --json)"
    plain = value.tolist() if hasattr(value, "tolist") else value
    return json.dumps(_rounded(plain), ensure_ascii=False)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.6g}")
    return [_rounded(entry) for entry in value] if isinstance(value, list) else value


@cli.command("script")
@with_options
def script(session: Session) -> None:
    """Write the narration as a reading script into the recordings folder, to record lines from."""
    from pipeline.lines import RehearsalFailed
    from pipeline.script import write_script

    try:
        news = write_script(session.studio(new_recordings=True), session.jobs or os.cpu_count() or 1)
    except RehearsalFailed as error:
        click.echo(f"render.py: {_one_line(str(error))}", err=True)
        raise click.exceptions.Exit(FAILED) from error
    for line in news:
        click.echo(line)


def main(
    arguments: Sequence[str] | None = None,
    chapters: Sequence[ChapterLike] | None = None,
    program: Sequence[str] = Session.program,
    at_end: Callable[[], None] = lambda: None,
) -> int:
    """Run the command line and return the exit status; any error is one line on standard error.

    ``program`` is the command that runs this again; ``at_end`` is called when nothing is left to interrupt.
    """
    if chapters is None:
        from scenes import CHAPTERS

        chapters = CHAPTERS
    given = list(sys.argv[1:] if arguments is None else arguments)
    with _terminable():
        return _status(given, Session(tuple(chapters), tuple(program)), at_end)


def _status(arguments: list[str], session: Session, at_end: Callable[[], None]) -> int:
    try:
        status = cli.main(arguments, prog_name="render.py", standalone_mode=False, obj=session)
        at_end()
    except (KeyboardInterrupt, click.Abort):
        at_end()
        click.echo("render.py: interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        for line in error.format_message().splitlines():
            click.echo(f"render.py: {_one_line(line)}", err=True)
        return WRONG
    except VoiceError as error:
        click.echo(f"render.py: {_one_line(str(error))}", err=True)
        return WRONG
    except (BrokenPipeError, SystemExit):  # SystemExit: rich says it so, while it draws bars
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exc()
        click.echo(f"render.py: {type(error).__name__}: {_one_line(str(error))}", err=True)
        return FAILED
    return int(status or DONE)  # what an Exit said, or nothing


def _one_line(text: str) -> str:
    return " ".join(text.split())


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM end a build as Ctrl-C does: workers and unfinished files are cleaned up."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGTERM) != signal.SIG_IGN:
            signal.signal(signal.SIGTERM, before)
