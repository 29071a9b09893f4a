"""The command line. Exit status: 0 done, 1 stale, 2 wrong input, 3 rendering failed, 130 interrupted."""

from __future__ import annotations

import difflib
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from pipeline.files import Layout, to_json
from pipeline.job import ChapterLike
from pipeline.quality import QUALITIES

ROOT = Path(__file__).resolve().parent.parent
DONE, STALE, WRONG, FAILED, INTERRUPTED = 0, 1, 2, 3, 130


class InputError(click.ClickException):
    """The input or the command line is wrong; one line."""


@dataclass(frozen=True)
class Options:
    """The options that any command may be given, before or after its name."""

    quality: str = "h"
    only: str | None = None
    lesson: Path | None = None
    media: Path = ROOT / "media"
    jobs: int | None = None
    debug: bool = False


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    path = click.Path(path_type=Path)
    for option in (
        click.option("--debug", is_flag=True, default=None, help="Show tracebacks."),
        click.option("--jobs", type=click.IntRange(min=1), help="Worker processes (default: one a core)."),
        click.option("--media", type=path, help="Output folder (default: media)."),
        click.option("--lesson", type=path, help="Lesson file (default: lesson.toml)."),
        click.option("--only", metavar="NAME[,NAME...]", help="Only these chapters' clips, no lesson video."),
        click.option(
            "-q", "--quality", type=click.Choice(list(QUALITIES)), help="480p15, 720p30, 1080p60, 1440p60, 2160p60."
        ),
    ):
        command = option(command)
    return command


def make_cli(chapters: Sequence[ChapterLike]) -> click.Group:
    """The commands over these chapters."""

    @click.group(invoke_without_command=True)
    @_options
    @click.pass_context
    def cli(context: click.Context, **given: Any) -> None:
        """Render every clip that is stale, and the lesson video."""
        context.obj = _merge(Options(), given)
        if context.invoked_subcommand is None:
            _render(tuple(chapters), context.obj)

    def command(run: Callable[..., None]) -> None:
        @_options
        @click.pass_context
        def wrapped(context: click.Context, **given: Any) -> None:
            shared = {key: given.pop(key) for key in Options.__dataclass_fields__}
            run(tuple(chapters), _merge(context.obj, shared), **given)

        wrapped.__doc__ = run.__doc__
        parameters = getattr(run, "__click_params__", [])
        wrapped.__click_params__ = [*parameters, *wrapped.__click_params__]  # type: ignore[attr-defined]
        cli.command(name=run.__name__.strip("_"))(wrapped)

    for run in (_check, _list, _numbers, _why):
        command(run)
    return cli


def _merge(options: Options, given: dict[str, Any]) -> Options:
    return replace(options, **{key: value for key, value in given.items() if value is not None})


def main(arguments: Sequence[str] | None = None, chapters: Sequence[ChapterLike] | None = None) -> int:
    """Run the command line; returns the exit status and prints one line for any error."""
    if chapters is None:
        from scenes import CHAPTERS

        chapters = CHAPTERS
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        make_cli(chapters).main(arguments, prog_name="render.py", standalone_mode=False)
    except click.exceptions.Exit as end:
        return int(end.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        click.echo(f"render.py: {' '.join(error.format_message().split())}", err=True)
        return WRONG
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exc()
        click.echo(f"render.py: {type(error).__name__}: {' '.join(str(error).split())}", err=True)
        return FAILED
    return DONE


def _load(options: Options) -> Any:
    from lesson import DEFAULT_LESSON, LessonError, load

    try:
        return load(options.lesson or DEFAULT_LESSON)
    except LessonError as error:
        raise InputError(str(error)) from error


def _studio(chapters: tuple[ChapterLike, ...], options: Options) -> Any:
    from pipeline.build import Studio

    return Studio(chapters, _load(options), Layout(options.media, QUALITIES[options.quality]))


def known_names(chapters: Sequence[ChapterLike], names: Sequence[str]) -> tuple[str, ...]:
    """The names, checked. InputError naming the first unknown one and the nearest that exist."""
    known = [chapter.name for chapter in chapters]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.4) or known
            raise InputError(f"there is no chapter {name!r}; the nearest: {', '.join(near)}")
    return tuple(names)


def _render(chapters: tuple[ChapterLike, ...], options: Options) -> None:
    from pipeline.build import Orders, RenderFailed, build
    from pipeline.display import make_display
    from pipeline.lock import LockedError

    only = None
    if options.only is not None:
        only = known_names(chapters, [name.strip() for name in options.only.split(",") if name.strip()])
        if not only:
            raise InputError("--only: give at least one chapter's name")
    orders = Orders(only, options.jobs or os.cpu_count() or 1, options.debug)
    studio = _studio(chapters, options)
    try:
        build(studio, orders, make_display(Console(), Console(stderr=True)))
    except (RenderFailed, LockedError) as error:
        click.echo(f"render.py: {error}", err=True)
        raise click.exceptions.Exit(FAILED) from error


def _check(chapters: tuple[ChapterLike, ...], options: Options) -> None:
    """List the stale clips with the reasons; exit status 1 if there are any."""
    from pipeline.build import find_stale

    stale = find_stale(_studio(chapters, options).plan())
    for clip in stale:
        click.echo(f"{clip.name}: {'; '.join(clip.reasons)}")
    if stale:
        raise click.exceptions.Exit(STALE)
    click.echo("all fresh")


def _list(chapters: tuple[ChapterLike, ...], options: Options) -> None:
    """Chapters in order, with length and state."""
    from pipeline.build import clock

    studio = _studio(chapters, options)
    states = {clip.name: "fresh" if clip.fresh else clip.reasons[0] for clip in studio.plan().clips}
    lengths = studio.lengths()
    width = max(len(chapter.name) for chapter in chapters)
    for chapter in chapters:
        length = clock(lengths[chapter.name]) if chapter.name in lengths else "-"
        variant = f" (variant of {chapter.variant_of}, not in the lesson video)" if chapter.variant_of else ""
        click.echo(f"{chapter.name:<{width}}  {length:>7}  {states[chapter.name]}{variant}")


@click.option("--json", "as_json", is_flag=True, help="JSON, full precision.")
def _numbers(chapters: tuple[ChapterLike, ...], options: Options, as_json: bool) -> None:
    """All facts of the lesson."""
    facts = _load(options).facts
    if as_json:
        click.echo(to_json(facts.to_dict()), nl=False)
        return
    for key in facts.keys():  # noqa: SIM118 - Facts is no dict
        click.echo(f"{key} = {' '.join(str(facts[key].value).split())}")


@click.argument("name")
def _why(chapters: tuple[ChapterLike, ...], options: Options, name: str) -> None:
    """What the clip NAME depends on, and what changed since it was made."""
    known_names(chapters, [name])
    studio = _studio(chapters, options)
    chapter = next(chapter for chapter in chapters if chapter.name == name)
    record = studio.record(name)
    plan = next(clip for clip in studio.plan().clips if clip.name == name)
    click.echo(f"{name} is {'fresh' if plan.fresh else 'stale'}")
    for reason in plan.reasons:
        click.echo(f"  {reason}")
    click.echo("it depends on")
    for label, value in sorted(studio.inputs(chapter).items()):
        click.echo(f"  {label} = {value if len(value) < 64 else value[:12]}")
    for key, digest in sorted(record.reads.items() if record else ()):
        click.echo(f"  fact {key} = {digest[:12]}")
