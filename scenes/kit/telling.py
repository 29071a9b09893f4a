"""A chapter tells its lines: each gets an id and is spoken, and the scene learns when its marked words are said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from lesson import Fact
from scenes import Chapter
from scenes.kit.captions import captions
from scenes.kit.narration import Line, Mark, Narrator, Spoken, holds, marked
from scenes.kit.timeline import TICKS_PER_SECOND, Said, Timeline

BREATH = 0.45  # s after a line

Spans = Mapping[str, tuple[float, float]]
"""When each mark is said: start and end, s from the line's start."""


@dataclass(frozen=True)
class Told:
    """A line as it is told: ``seconds`` long, with its marks' ``spans``."""

    line: Line
    said: Spoken
    spans: Spans
    seconds: float

    def ends(self, start: int) -> int:
        """The tick at which the next line may begin, when this one begins at `start`."""
        return start + ceil((self.seconds + BREATH) * TICKS_PER_SECOND)

    def note(self, timeline: Timeline, start: int) -> None:
        """Write down what was said, and its captions; the clock stands where the next line may begin."""
        said = self.said
        length = ceil(said.seconds * TICKS_PER_SECOND)
        words = tuple((round(a, 3), round(b, 3)) for a, b in said.words)
        timeline.lines.append(
            Said(self.line.id, start, start + length, self.line.text, said.spoken, said.origin, said.sound, words)
        )
        timeline.captions += captions(self.line.text, words, start, timeline.ticks)


class Teller:
    """Gives a chapter's lines their ids and has them spoken.

    An id is chapter.beat, or chapter.beat.name. A line that a variant shares with its chapter has the chapter's id,
    so that one recording serves both.
    """

    def __init__(
        self, chapter: Chapter, twin: Chapter | None, narrator: Narrator, pronunciation: Mapping[str, str]
    ) -> None:
        self._own, self._twin = chapter.name, twin.name if twin else chapter.name
        self._shared = chapter.variant_of or chapter.name
        self._narrator, self._pronunciation = narrator, pronunciation
        self._ids: set[str] = set()

    def tell(
        self,
        place: str,
        template: str,
        facts: Sequence[Fact],
        *,
        twin: str | None = None,
        spoken: Mapping[str, str] | None = None,
    ) -> Told:
        """Have a line spoken; `place` is what follows the chapter in its id.

        With `twin`, what the variant (or what it is a variant of) says here, the longer of the two counts, and marks
        lie where both have said them: so the clips keep one timeline.

        Raises
        ------
        ValueError
            Another line has this id; or as `marked`.
        """
        says = tuple((spoken or {}).items())
        line, spans, said = self._speak(self._shared if twin is None else self._own, place, template, facts, says)
        if line.id in self._ids:
            raise ValueError(f"{line.id}: two lines of a beat need names to tell them apart: say(..., name=...)")
        self._ids.add(line.id)
        if twin is None:
            return Told(line, said, spans, said.seconds)
        _, others, other = self._speak(self._twin, place, twin, facts, says)
        if spans.keys() != others.keys():
            raise ValueError(f"{line.id}: {template!r} and {twin!r} need the same marks")
        both = {mark: (max(span[0], others[mark][0]), max(span[1], others[mark][1])) for mark, span in spans.items()}
        return Told(line, said, both, max(said.seconds, other.seconds))

    def _speak(
        self, chapter: str, place: str, template: str, facts: Sequence[Fact], says: tuple[tuple[str, str], ...]
    ) -> tuple[Line, Spans, Spoken]:
        text, marks = marked(template, facts)
        listed = tuple((written, said) for written, said in self._pronunciation.items() if holds(text, written))
        line = Line(f"{chapter}.{place}", text, (*listed, *says))
        said = self._narrator.speak(line)
        return line, _spans(marks, said), said


def _spans(marks: Mapping[str, Mark], said: Spoken) -> Spans:
    return {name: (said.words[mark.first][0], said.words[mark.last][1]) for name, mark in marks.items()}


class Telling:
    """A line while it is told: how long until its marked words. What `say` gives its block.

    `now` is the scene's clock and `hold` makes it stand still, both in ticks.
    """

    def __init__(self, told: Told, start: int, now: Callable[[], int], hold: Callable[[int], None]) -> None:
        self._spans, self._start = told.spans, start
        self._end = start + ceil(told.seconds * TICKS_PER_SECOND)
        self._now, self._hold = now, hold

    def tick(self, mark: str, *, end: bool = False) -> int:
        """The tick nearest to the mark's first sound, or to its last.

        Raises
        ------
        KeyError
            The line has no such mark.
        """
        if mark not in self._spans:
            raise KeyError(f"the line has no mark {mark!r}, but {', '.join(map(repr, self._spans)) or 'none'}")
        return self._start + round(self._spans[mark][bool(end)] * TICKS_PER_SECOND)

    def until(self, mark: str, *, end: bool = False, least: float = 0.4) -> float:
        """Seconds until the mark is said (or has been, with `end`), for a run time: never less than `least`.

        A fast speaker's word may be over before the animation before it is.
        """
        return max(least, (self.tick(mark, end=end) - self._now()) / TICKS_PER_SECOND)

    def left(self, least: float = 0.4) -> float:
        """Seconds until the whole line has been said, for a run time: never less than `least`."""
        return max(least, (self._end - self._now()) / TICKS_PER_SECOND)

    def wait_for(self, mark: str, *, end: bool = False, before: float = 0) -> None:
        """Stand still until the mark is said, or until `before` seconds earlier; not at all when it is past."""
        self._hold(self.tick(mark, end=end) - round(before * TICKS_PER_SECOND) - self._now())
