"""The base of every chapter: a clock that counts ticks, narration that sets the pace, and a record of it all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, cast

from manim import Animation, AnimationGroup, Camera, FadeIn, FadeOut, ManimColor, Mobject, Scene, config
from tqdm import tqdm

from lesson import DEFAULT_LESSON, Fact, FactReader, Lesson, load
from scenes import CHAPTERS, Chapter
from scenes.kit.cards import Heading, QuestionCard, takeaway_lines
from scenes.kit.figures import Figure, filled
from scenes.kit.geometry import by, overlap
from scenes.kit.labels import Label
from scenes.kit.narration import Narrator, Paced
from scenes.kit.telling import Teller, Telling
from scenes.kit.theme import Theme, theme, use_theme
from scenes.kit.timeline import CLIP_STEP, TICKS_PER_SECOND, Beat, Cue, Shown, Timeline, to_ticks

__all__ = ["LessonScene"]


class LessonScene(Scene):
    """A chapter. `construct` names its beats, one method each:  `self.beats(self.geometry, self.arithmetic)`.

    Every play lasts a whole number of ticks and ends on its final state; `timeline` and `reads` tell afterwards
    what was shown when, and which facts that took.
    """

    poster_beat: ClassVar[str | None] = None  # the beat whose last frame stands for the clip

    def __init__(
        self,
        renderer: Any = None,
        lesson: Lesson | None = None,
        narrator: Narrator | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(renderer, **kwargs)
        self.lesson = lesson or load(Path(DEFAULT_LESSON))
        self._teller = Teller(self.chapter, self._twin(), narrator or Paced(), self.lesson.config.pronunciation)
        self._beat, self._telling = "", False
        self.facts = FactReader(self.lesson.facts)
        self.timeline = Timeline()
        self.heading: Heading | None = None
        self._open_figures: dict[tuple[str, str], tuple[Figure, int]] = {}
        self._begun_with: dict[tuple[str, str], Figure] = {}

    # ------------------------------------------------------------------ what the pipeline asks

    @property
    def title(self) -> str:
        """The chapter's question."""
        return self.chapter.titled(self.lesson.facts).title

    @property
    def chapter(self) -> Chapter:
        """The chapter's entry in the list; one made up from the class where it has none."""
        mine = type(self).__name__
        return next((entry for entry in CHAPTERS if entry.class_name == mine), Chapter(mine.lower(), mine))

    def _twin(self) -> Chapter | None:
        """The variant of this chapter, or what it is a variant of."""
        own = self.chapter
        return next((e for e in CHAPTERS if own.name == e.variant_of or e.name == own.variant_of), None)

    @property
    def reads(self) -> tuple[str, ...]:
        """The facts that were read, sorted."""
        return tuple(self.facts.reads)

    # ------------------------------------------------------------------ life of the scene

    def setup(self) -> None:
        use_theme(self.lesson.config.look.theme)
        cast(Camera, self.camera).background_color = ManimColor(theme().ground)

    def tear_down(self) -> None:
        self._close_figures(set(self._open_figures))
        self.timeline.numbers.sort(key=lambda shown: (shown.start, shown.fact, shown.shown))

    @property
    def look(self) -> Theme:
        return theme()

    def beats(self, *methods: Callable[[], None]) -> None:
        """Play the methods in order; each is a beat, named as it is, and begins on a key frame.

        The last one's final picture stands until the clip's length is a multiple of CLIP_STEP.
        """
        for method in methods:
            start = self.timeline.ticks
            self._mark()
            self._beat = method.__name__.lstrip("_")
            method()
            if method is methods[-1]:
                self.hold(-self.timeline.ticks % CLIP_STEP)
            self.timeline.beats.append(Beat(self._beat, start, self.timeline.ticks))

    def _mark(self) -> None:
        force = getattr(self.renderer.file_writer, "force_key_frame", None)
        if force is not None:
            force()

    # ------------------------------------------------------------------ the clock

    def play(self, *args: Any, **kwargs: Any) -> None:
        """As Manim's; the length is rounded up to whole ticks."""
        super().play(*args, **kwargs)
        start = self.timeline.ticks
        self.timeline.ticks += round(self.duration * TICKS_PER_SECOND)
        self._note_figures(start)

    def hold(self, ticks: int) -> None:
        """Stand still for that many ticks (none is fine)."""
        if ticks > 0:
            self.wait(ticks / TICKS_PER_SECOND)

    def rest(self) -> None:
        """The pause after a number has changed."""
        self.wait(theme().pace.rest)

    def get_run_time(self, animations: list[Any]) -> float:
        """The longest run time, in whole ticks."""
        return to_ticks(super().get_run_time(animations)) / TICKS_PER_SECOND

    def compile_animation_data(self, *animations: Any, **play_kwargs: Any) -> Any:
        compiled = super().compile_animation_data(*animations, **play_kwargs)
        if self.is_current_animation_frozen_frame():
            # The renderer truncates duration * fps; a quarter of a frame more makes that exact.
            self.duration += 0.25 / config.frame_rate
        return compiled

    def get_time_progression(
        self, run_time: float, description: str, n_iterations: int | None = None, override_skip_animations: bool = False
    ) -> Any:
        """The times to draw: one a frame, the last at the very end, so that a play is seen to finish.

        Manim's own stop one frame short.
        """
        if self.renderer.skip_animations and not override_skip_animations:
            times = [run_time]
        else:
            count = round(run_time * config.frame_rate)
            times = [run_time * (i + 1) / count for i in range(count)]
        return tqdm(
            times, desc=description, total=n_iterations, leave=config["progress_bar"] == "leave",
            disable=config["progress_bar"] == "none",
        )  # fmt: skip

    # ------------------------------------------------------------------ narration

    def text(self, template: str, *facts: Fact) -> str:
        """A sentence with its figures put in from facts."""
        return filled(template, facts)[0]

    @contextmanager
    def say(
        self,
        template: str,
        *facts: Fact,
        name: str | None = None,
        twin: str | None = None,
        spoken: Mapping[str, str] | None = None,
    ) -> Iterator[Telling]:
        """Narrate while the block plays; afterwards hold until the line has been said.

        Parameters
        ----------
        template, facts
            The line, its figures in places as `filled` says and its marks as `marked` says.
        name
            Tells the lines of one beat apart: a line's id is chapter.beat or chapter.beat.name. Ids are for good,
            so that a recording stays with its line when others are edited.
        twin
            What the variant of this chapter says here instead; the block suits the longer of the two.
        spoken
            How to say words of this line, where the pronunciation list is not right.

        Raises
        ------
        ValueError
            Another line has this id, or one is still being said.
        """
        if self._telling:
            raise ValueError(f"{template!r}: another line is still being said")
        place = ".".join(part for part in (self._beat, name) if part)
        told = self._teller.tell(place, template, facts, twin=twin, spoken=spoken)
        start = self.timeline.ticks
        self._telling = True
        yield Telling(told, start, lambda: self.timeline.ticks, self.hold)
        self._telling = False
        self.hold(told.ends(start) - self.timeline.ticks)
        told.note(self.timeline, start)

    # ------------------------------------------------------------------ the parts every chapter has

    def show_title(self, text: str | None = None, subtitle: str | None = None, run_time: float | None = None) -> None:
        """The chapter's question as a title line (or a later one: it replaces the title in place)."""
        new = Heading(text or self.title, subtitle)
        old, self.heading = self.heading, new
        run_time = run_time or theme().pace.fade
        if old is None:
            self.play(FadeIn(new), run_time=run_time)
        else:
            self.play(*_swapped(old, new), run_time=run_time)

    def predict(
        self,
        name: str,
        prompt: str,
        *facts: Fact,
        choices: Iterable[str],
        answer: int,
        explain: str,
        place: tuple[float, float, float, float] = QuestionCard.ALONG_THE_BOTTOM,
    ) -> None:
        """Ask before the answer is shown: the question, a still hold, a countdown, and then it goes.

        Parameters
        ----------
        name
            The cue's id is the chapter's name and this.
        prompt, facts
            The question; facts go into its places.
        choices, answer, explain
            For pages that ask it; `answer` counts from 0. Their figures come in through `text`.
        place
            x, y, width, height of the card, px. What it would cover is faded while the question is asked.
        """
        card = QuestionCard(prompt, *facts, place=place)
        hidden = [mob for mob in self.mobjects if mob is not self.heading and overlap(mob, card.panel)]
        dim = [self.heading.animate.quieten()] if self.heading else []
        self._mark()
        with self.say(prompt, *facts, name=name):
            going = [FadeOut(mob) for mob in hidden]
            self.play(*going, *dim, FadeIn(card, shift=by(0, -24)), run_time=theme().pace.fade)
        pause_at = self.timeline.ticks
        self._mark()
        self.wait(theme().pace.question)
        self.play(card.countdown(), run_time=theme().pace.countdown)
        wake = [self.heading.animate.wake()] if self.heading else []
        self._mark()
        reveal_at = self.timeline.ticks
        self.play(FadeOut(card), *wake, *[FadeIn(mob) for mob in hidden], run_time=theme().pace.fade)
        self.timeline.cues.append(
            Cue(
                f"{self.chapter.name}.{name}",
                pause_at,
                reveal_at,
                self.text(prompt, *facts),
                tuple(choices),
                answer,
                explain,
            )
        )

    def takeaway(self, *lines: str, says: str, picture: Mobject | None = None, twin: str | None = None) -> None:
        """Close with one sentence, large, in up to three lines of markup; a picture may stand beside it.

        `says` and `twin` as in `say`.
        """
        sentence = takeaway_lines(lines)
        old = [mob for mob in self.mobjects if mob is not self.heading and mob is not picture]
        dim: list[Any] = []
        if self.heading is not None and self.heading.text != self.title:
            question = Heading(self.title).quieten()
            dim = _swapped(self.heading, question)
            self.heading = question
        elif self.heading is not None:
            dim = [self.heading.animate.quieten()]
        if old or dim:  # before the line, which is not spoken over an empty stage
            self.play(*[FadeOut(mob) for mob in old], *dim, run_time=theme().pace.quick)
        with self.say(says, twin=twin):
            arriving = [FadeIn(sentence, shift=by(0, -16))]
            if picture is not None and picture not in self.mobjects:
                arriving.append(FadeIn(picture))
            self.play(AnimationGroup(*arriving), run_time=theme().pace.fade)
        self.wait(theme().pace.fade)

    def clear_stage(self, *keep: Mobject, run_time: float | None = None) -> None:
        """Fade everything but the title and what is to be kept."""
        going = [mob for mob in self.mobjects if mob is not self.heading and mob not in keep]
        if going:
            self.play(*[FadeOut(mob) for mob in going], run_time=run_time or theme().pace.fade)

    # ------------------------------------------------------------------ the record of figures

    def begin_animations(self) -> None:
        super().begin_animations()
        self._begun_with = self._visible_figures()

    def _visible_figures(self) -> dict[tuple[str, str], Figure]:
        found: dict[tuple[str, str], Figure] = {}
        for mob in self.mobjects:
            for member in mob.get_family():
                if isinstance(member, Label) and member.figures and _is_visible(member):
                    found |= {(f.fact, f.shown): f for f in member.figures if not isinstance(f.value, str)}
        return found

    def _note_figures(self, start: int) -> None:
        """A figure counts from the start of the play that brings it to the end of the play that takes it away."""
        now = self._visible_figures()
        for key, seen in (self._begun_with | now).items():
            self._open_figures.setdefault(key, (seen, start))
        self._close_figures(set(self._open_figures) - set(now))
        self._begun_with = {}

    def _close_figures(self, gone: set[tuple[str, str]]) -> None:
        for key in sorted(gone):
            seen, since = self._open_figures.pop(key)
            self.timeline.numbers.append(Shown(seen.fact, seen.value, seen.shown, since, self.timeline.ticks))


def _swapped(old: Heading, new: Heading) -> list[Animation]:
    """One title after the other: two at once can't be read."""
    return [FadeOut(old, rate_func=lambda t: min(1.0, 2 * t)), FadeIn(new, rate_func=lambda t: max(0.0, 2 * t - 1))]


def _is_visible(label: Label) -> bool:
    return any(part.get_fill_opacity() > 0 for part in label.submobjects)
