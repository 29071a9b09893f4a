"""A line of narration: its text with figures and marks put in, and who speaks it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Protocol

from lesson import Fact
from scenes.kit.captions import Words
from scenes.kit.figures import filled

_AROUND = "“‘\"'«([{”’»)]},.;:!?…—"  # punctuation at a word's ends
# Characters that can't stand in a lesson; they hold the places of brackets while figures are put in.
_OPEN, _CLOSE, _MARK_OPEN, _MARK_CLOSE = "\ue000\ue001\ue002\ue003"


@dataclass(frozen=True)
class Line:
    """What is said: an id that outlives edits of other lines, the text as captions show it, and how to say words."""

    id: str
    text: str
    says: tuple[tuple[str, str], ...] = ()


class Spoken(Protocol):
    """A line as a narrator says it.

    ``words`` are the start and end of each of the text's tokens, s from the start; ``origin`` is the voice, and
    ``sound`` the key of its samples ("" when silent).
    """

    @property
    def seconds(self) -> float: ...
    @property
    def words(self) -> Words: ...
    @property
    def spoken(self) -> str: ...
    @property
    def origin(self) -> str: ...
    @property
    def sound(self) -> str: ...


class Narrator(Protocol):
    """Who speaks."""

    def speak(self, line: Line) -> Spoken:
        """Say the line, or say how long that takes."""
        ...


@dataclass(frozen=True)
class Silence:
    """A line that is read, not heard."""

    seconds: float
    words: Words
    spoken: str = ""
    origin: str = "none"
    sound: str = ""


class Paced:
    """No voice: lines last as long as a lecturer would take, word by word."""

    characters_per_second = 16.0  # about 165 words a minute, as the voice
    digit = 4  # characters that a digit takes to say

    def speak(self, line: Line) -> Silence:
        """Time the line by its characters."""
        tokens = line.text.split()
        shares = [len(token) + 1 + (self.digit - 1) * len(re.findall(r"\d", token)) for token in tokens]
        times = [share / self.characters_per_second for share in accumulate(shares, initial=0)]
        return Silence(times[-1], tuple(pairwise(times)))


def holds(text: str, written: str) -> bool:
    """Whether words stand in a text, whatever punctuation is around each."""
    words, wanted = ([word.strip(_AROUND) for word in part.split()] for part in (text, written))
    return any(words[i : i + len(wanted)] == wanted for i in range(len(words) - len(wanted) + 1))


@dataclass(frozen=True)
class Mark:
    """Words of a line that an animation waits for: the first and the last token's place."""

    first: int
    last: int


def marked(template: str, facts: Sequence[Fact]) -> tuple[str, dict[str, Mark]]:
    """A line's text with its figures put in (see `filled`), and its marks by name.

    A mark is `[words]`, or `[name|words]` where another name serves better; `[[` and `]]` stand for brackets.

    Raises
    ------
    ValueError
        As `filled`; a mark that doesn't close, holds no words, or has another one's name.
    """
    names: list[str] = []

    def note(match: re.Match[str]) -> str:
        name, bar, words = match[1].rpartition("|")
        names.append(name if bar else words)
        return f"{_MARK_OPEN}{words}{_MARK_CLOSE}"

    plain = template.replace("[[", _OPEN).replace("]]", _CLOSE)
    plain = re.sub(r"\[([^\[\]]+)\]", note, plain)
    if "[" in plain or "]" in plain:
        raise ValueError(f"{template!r}: a mark doesn't close or holds no words; a bracket is written [[ or ]]")
    if len(set(names)) != len(names):
        raise ValueError(f"{template!r}: two marks of one name; name one [other|words]")
    text = filled(plain, facts)[0]
    tokens = text.split()
    opens = [i for i, token in enumerate(tokens) for _ in range(token.count(_MARK_OPEN))]
    closes = [i for i, token in enumerate(tokens) for _ in range(token.count(_MARK_CLOSE))]
    clean = re.sub(f"[{_MARK_OPEN}{_MARK_CLOSE}]", "", text).replace(_OPEN, "[").replace(_CLOSE, "]")
    marks = {name: Mark(i, j) for name, i, j in zip(names, opens, closes, strict=True)}
    return " ".join(clean.split()), marks
