"""Captions, chapter marks and the transcript as text. Times come in ticks of 1/15 s."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scenes.kit.timeline import TICKS_PER_SECOND, Beat, Caption

HEADING = "Self-attention"


def timestamp(ticks: int) -> str:
    """WebVTT's HH:MM:SS.mmm, rounded to the nearest millisecond (a frame lasts 16 or more)."""
    milliseconds = (ticks * 2000 + TICKS_PER_SECOND) // (2 * TICKS_PER_SECOND)
    seconds, milliseconds = divmod(milliseconds, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}"


def escape(text: str) -> str:
    """Cue text: markup escaped, which breaks "-->", too, and no blank line, which would end the cue."""
    lines = [line for line in text.split("\n") if line.strip()]
    return "\n".join(lines).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def vtt(captions: Iterable[Caption]) -> str:
    """A WebVTT file."""
    cues = (f"{timestamp(c.start)} --> {timestamp(c.end)}\n{escape(c.text)}\n" for c in captions)
    return "\n".join(["WEBVTT\n", *cues])


@dataclass(frozen=True)
class Part:
    """A chapter's place in the lesson, in ticks, and its captions and beats on the clip's own clock."""

    name: str
    title: str
    start: int
    end: int
    captions: tuple[Caption, ...]
    beats: tuple[Beat, ...]


def lesson_captions(parts: Sequence[Part]) -> list[Caption]:
    """All captions of the lesson, on the lesson's own clock."""
    return [Caption(c.start + part.start, c.end + part.start, c.text) for part in parts for c in part.captions]


def chapter_marks(parts: Sequence[Part]) -> list[Caption]:
    """One cue a chapter, with its title."""
    return [Caption(part.start, part.end, part.title) for part in parts]


def transcript(heading: str, parts: Sequence[Part]) -> str:
    """Markdown: a heading a chapter with its time, a paragraph a beat, whole sentences."""
    blocks = [f"# {heading}"]
    for number, part in enumerate(parts, start=1):
        minutes, seconds = divmod(part.start // TICKS_PER_SECOND, 60)
        blocks.append(f"## {number}. {_markdown(part.title)} ({minutes}:{seconds:02})")
        blocks.extend(_markdown(paragraph) for paragraph in paragraphs(part.captions, part.beats))
    return "\n\n".join(blocks) + "\n"


def paragraphs(captions: Sequence[Caption], beats: Sequence[Beat]) -> list[str]:
    """Captions joined to paragraphs; a new one begins with a beat, but never inside a sentence."""
    starts = sorted(beat.start for beat in beats)
    done: list[str] = []
    current: list[str] = []
    beat_of_current = -1
    for caption in captions:
        beat = sum(start <= caption.start for start in starts)
        if current and beat != beat_of_current and _ends_sentence(current[-1]):
            done.append(" ".join(current))
            current = []
        if not current:
            beat_of_current = beat
        current.append(" ".join(caption.text.split()))
    return [*done, " ".join(current)] if current else done


def _ends_sentence(text: str) -> bool:
    return re.search(r"[.!?…][\"'”’)]*$", text) is not None


def _markdown(text: str) -> str:
    """Text that Markdown shows as it is."""
    escaped = re.sub(r"([\\`*_<>&])", r"\\\1", text).replace("](", "]\\(")
    return re.sub(r"^(#|[-+]|\d+\.)(?=\s)", r"\\\1", escaped)
