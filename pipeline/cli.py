"""The command line. Exit status: 0 done, 1 stale, 2 wrong input, 3 rendering failed, 130 interrupted.

Quick commands stay quick: whatever needs Manim, PyAV or the lesson is imported where it is used.
"""

from __future__ import annotations

import difflib
import functools
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.quality import QUALITIES
from voice import VOICES, VoiceError

if TYPE_CHECKING:
    from lesson import Facts, Lesson, LessonConfig
    from pipeline.job import ChapterLike, VoiceOrders
    from pipeline.plan import ClipPlan
    from pipeline.studio import Studio

ROOT = Path(__file__).resolve().parent.parent
DONE, STALE, WRONG, FAILED, INTERRUPTED = 0, 1, 2, 3, 130
PIPE_CLOSED = 141  # as shells know it: the reader of our output has left
LONGEST_SHOWN = 48
"""Entries of an array that `numbers` still lists without --json."""


class InputError(click.ClickException):
    """The input or the command line is wrong; one line."""


@dataclass(frozen=True)
class Session:
    """What the command line said; options may stand before or after a command's name."""

    chapters: tuple[ChapterLike, ...]
    quality: str = "h"
    only: str | None = None
    lesson: Path | None = None
    media: Path = field(default=ROOT / "media")
    jobs: int | None = None
    voice: str = "hibari"
    recordings: Path | None = None
    strict_recordings: bool = False
    debug: bool = False

    def with_options(self, given: dict[str, Any]) -> Session:
        """The same with the options that were given."""
        return replace(self, **{key: value for key, value in given.items() if value is not None})

    def load(
        self, drawable: Callable[[str], bool] | None = None, facts_of: Callable[[LessonConfig], Facts] | None = None
    ) -> Lesson:
        """The lesson, of characters that are drawable; InputError with a line for each fault in its file."""
        from lesson import DEFAULT_LESSON, LessonError, computed_facts, load

        try:
            return load(self.lesson or DEFAULT_LESSON, drawable, facts_of or computed_facts)
        except LessonError as error:
            raise InputError(str(error)) from error

    def studio(self) -> Studio:
        """All that a build or a plan works on."""
        from pipeline.facts_cache import FactsCache
        from pipeline.files import Layout
        from pipeline.sources import Sources
        from pipeline.studio import Studio
        from pipeline.words import drawable

        layout = Layout(self.media, QUALITIES[self.quality])
        sources = Sources(layout.known("sources"))
        cache = FactsCache(layout.known("facts"), sources)
        lesson = self.load(drawable, cache.facts)
        chapters = tuple(chapter.titled(lesson.facts) for chapter in self.chapters)
        return Studio(chapters, lesson, layout, self.orders(), sources, cache)

    def orders(self) -> VoiceOrders:
        """Who speaks, and where recordings and speech lie."""
        from pipeline.job import VoiceOrders

        recordings = self.recordings or ROOT / "recordings"
        return VoiceOrders(self.voice, recordings, self.media / ".store" / "speech", self.strict_recordings)

    def chosen(self) -> tuple[str, ...] | None:
        """The names given with --only, checked; None without it."""
        if self.only is None:
            return None
        names = [name.strip() for name in self.only.split(",") if name.strip()]
        if not names:
            raise InputError("--only: give at least one chapter's name")
        return tuple(self.known(name) for name in names)

    def known(self, name: str) -> str:
        """The name, when a chapter has it. InputError with the nearest names otherwise."""
        names = [chapter.name for chapter in self.chapters]
        if name not in names:
            near = difflib.get_close_matches(name, names, n=3, cutoff=0.4) or names
            raise InputError(f"there is no chapter {name!r}; the nearest: {', '.join(near)}")
        return name


Command = Callable[..., None]
_OPTIONS = (
    click.option("-q", "--quality", type=click.Choice(list(QUALITIES)), help="480p15 ... 2160p60; h is 1080p60."),
    click.option("--only", metavar="NAME[,NAME...]", help="These chapters' clips only, no lesson video."),
    click.option("--lesson", type=click.Path(path_type=Path), help="Lesson file (default: lesson.toml)."),
    click.option("--media", type=click.Path(path_type=Path), help="Output folder (default: media)."),
    click.option("--jobs", type=click.IntRange(min=1), help="Worker processes (default: one a core)."),
    click.option("--voice", type=click.Choice(VOICES), help="Who speaks (default: hibari); none: a silent lesson."),
    click.option(
        "--recordings",
        metavar="DIR",
        type=click.Path(path_type=Path),
        help="Recorded lines, which override the voice (default: recordings).",
    ),
    click.option(
        "--strict-recordings", is_flag=True, default=None, help="Stop where a line has changed since it was recorded."
    ),
    click.option("--debug", is_flag=True, default=None, help="Show tracebacks."),
)


def _with_options(command: Command) -> Command:
    """Give a command the shared options, and the session with them as its first argument."""
    shared = [each.name for each in fields(Session) if each.name != "chapters"]

    @click.pass_context
    @functools.wraps(command)
    def run(context: click.Context, /, **given: Any) -> None:
        session = context.obj.with_options({key: given.pop(key) for key in shared})
        context.obj = session
        command(session, **given)

    for option in reversed(_OPTIONS):
        run = option(run)
    return run


@click.group(invoke_without_command=True)
@_with_options
def cli(session: Session) -> None:
    """Render every clip that is stale, and the lesson video."""
    if click.get_current_context().invoked_subcommand is None:
        _render(session)


def _render(session: Session) -> None:
    chosen = session.chosen()
    from rich.console import Console

    from pipeline.build import Orders, RenderFailed, build
    from pipeline.display import make_display
    from pipeline.lock import MediaError

    orders = Orders(chosen, session.jobs or os.cpu_count() or 1, session.debug)
    try:
        build(session.studio(), orders, make_display(Console(), Console(stderr=True)))
    except MediaError as error:
        raise InputError(str(error)) from error
    except RenderFailed as error:
        click.echo(f"render.py: {error}", err=True)
        raise click.exceptions.Exit(FAILED) from error


@cli.command("check")
@_with_options
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
@_with_options
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
@_with_options
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
@_with_options
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


@cli.command("numbers")
@click.option("--json", "as_json", is_flag=True, help="As JSON, with full precision.")
@_with_options
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
@_with_options
def script(session: Session) -> None:
    """Write the narration as a reading script into the recordings folder, to record lines from."""
    from pipeline.lines import RehearsalFailed
    from pipeline.script import write_script

    try:
        news = write_script(session.studio(), session.jobs or os.cpu_count() or 1)
    except RehearsalFailed as error:
        click.echo(f"render.py: {_one_line(str(error))}", err=True)
        raise click.exceptions.Exit(FAILED) from error
    for line in news:
        click.echo(line)


def main(arguments: Sequence[str] | None = None, chapters: Sequence[ChapterLike] | None = None) -> int:
    """Run the command line and return the exit status; any error is one line on standard error."""
    if chapters is None:
        from scenes import CHAPTERS

        chapters = CHAPTERS
    given = list(sys.argv[1:] if arguments is None else arguments)
    with _terminable():
        return _status(given, tuple(chapters))


def _status(arguments: list[str], chapters: tuple[ChapterLike, ...]) -> int:
    try:
        status = cli.main(arguments, prog_name="render.py", standalone_mode=False, obj=Session(chapters))
    except (KeyboardInterrupt, click.Abort):
        click.echo("render.py: interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        for line in error.format_message().splitlines():
            click.echo(f"render.py: {_one_line(line)}", err=True)
        return WRONG
    except VoiceError as error:
        click.echo(f"render.py: {_one_line(str(error))}", err=True)
        return WRONG
    except (BrokenPipeError, SystemExit):  # SystemExit is rich's word for it: the reader of our output has left
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
        signal.signal(signal.SIGTERM, before)
