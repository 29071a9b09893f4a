"""What the command line said: the options that all commands share, and what a build works on by them."""

from __future__ import annotations

import difflib
import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.quality import QUALITIES
from voice import VOICES

if TYPE_CHECKING:
    from lesson import Facts, Lesson, LessonConfig
    from pipeline.job import ChapterLike, VoiceOrders
    from pipeline.studio import Studio

ROOT = Path(__file__).resolve().parent.parent
CODE = ("attention_core", "lesson", "pipeline", "scenes", "voice")
INTERNAL = ("chapters", "program")
"""What of a session no option says."""
BEST, DRAFT = "h", "l"
"""The qualities of a build and of watching, where none is asked for."""


class InputError(click.ClickException):
    """The input or the command line is wrong; one line."""


@dataclass(frozen=True)
class Session:
    """What the command line said; options may stand before or after a command's name."""

    chapters: tuple[ChapterLike, ...]
    program: tuple[str, ...] = (sys.executable, str(ROOT / "render.py"))
    quality: str | None = None
    only: str | None = None
    lesson: Path | None = None
    media: Path = field(default=ROOT / "media")
    jobs: int | None = None
    voice: str = "hibari"
    recordings: Path | None = None
    strict_recordings: bool = False
    debug: bool = False

    def updated(self, given: dict[str, Any]) -> Session:
        """The same with the options that were given."""
        return replace(self, **{key: value for key, value in given.items() if value is not None})

    def load(
        self, drawable: Callable[[str], bool] | None = None, facts_of: Callable[[LessonConfig], Facts] | None = None
    ) -> Lesson:
        """The lesson, of characters that are drawable; InputError with a line for each fault in its file."""
        from lesson import LessonError, computed_facts, load

        try:
            return load(self.lesson_file, drawable, facts_of or computed_facts)
        except LessonError as error:
            raise InputError(str(error)) from error

    def studio(self, *, new_recordings: bool = False) -> Studio:
        """All that a build or a plan works on; InputError as of `load` and `orders`."""
        from pipeline.facts_cache import FactsCache
        from pipeline.files import Layout
        from pipeline.sources import Sources
        from pipeline.studio import Studio
        from pipeline.words import drawable

        layout = Layout(self.media, QUALITIES[self.quality or BEST])
        sources = Sources(layout.known("sources"))
        cache = FactsCache(layout.known("facts"), sources)
        lesson = self.load(drawable, cache.facts)
        chapters = tuple(chapter.titled(lesson.facts) for chapter in self.chapters)
        return Studio(chapters, lesson, layout, self.orders(new_recordings), sources, cache)

    def orders(self, new_recordings: bool = False) -> VoiceOrders:
        """Who speaks, and where recordings and speech lie.

        InputError when recordings are named that aren't there, unless they are about to be ``new_recordings``.
        """
        from pipeline.job import VoiceOrders

        if self.recordings is not None and not new_recordings and not self.recordings.is_dir():
            raise InputError(f"--recordings: there is no folder {self.recordings}")
        recordings = self.recordings or ROOT / "recordings"
        return VoiceOrders(self.voice, recordings, self.media / ".store" / "speech", self.strict_recordings)

    @property
    def lesson_file(self) -> Path:
        """The lesson file, given or not."""
        from lesson import DEFAULT_LESSON

        return self.lesson or DEFAULT_LESSON

    def sources(self) -> list[Path]:
        """The folders that a build is made from."""
        packages = {*CODE, *(chapter.module.partition(".")[0] for chapter in self.chapters)}
        specs = [spec for package in sorted(packages) if (spec := find_spec(package)) is not None]
        return [*(Path(spec.origin).parent for spec in specs if spec.origin), self.recordings or ROOT / "recordings"]

    def arguments(self) -> list[str]:
        """The command line that says the same."""
        said: list[str] = []
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name not in INTERNAL and value not in (None, False):
                said += [f"--{each.name.replace('_', '-')}", *([] if value is True else [str(value)])]
        return said

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


def with_options(command: Command) -> Command:
    """Give a command the shared options, and the session with them as its first argument."""
    shared = [each.name for each in fields(Session) if each.name not in INTERNAL]

    @click.pass_context
    @functools.wraps(command)
    def run(context: click.Context, /, **given: Any) -> None:
        session = context.obj.updated({key: given.pop(key) for key in shared})
        context.obj = session
        command(session, **given)

    for option in reversed(_OPTIONS):
        run = option(run)
    return run
