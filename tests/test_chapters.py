"""Every chapter, played to its end without encoding: its record is true, and the audit finds nothing in it."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from kit_helpers import changed_lesson, shipped

from lesson import Lesson
from pipeline.audit.clip import played_and_audited
from pipeline.audit.finding import Finding
from scenes import CHAPTERS, chapter, scene_class
from scenes.kit.figures import scientific, shown
from scenes.kit.scene import LessonScene
from scenes.kit.timeline import TICKS_PER_SECOND, Cue, Timeline

NAMES = [entry.name for entry in CHAPTERS]
SHORTEST, LONGEST = 20, 80  # s of a chapter without its questions; the storyboard asks for 30 to 75


@cache
def played(name: str) -> tuple[LessonScene, list[Finding]]:
    """The chapter as shipped, played once for all its tests, and what the audit finds in it."""
    return played_and_audited(scene_class(chapter(name)), shipped())


# One worker plays a chapter and runs all its tests.
every_chapter = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in NAMES]
)


@every_chapter
def test_the_audit_finds_nothing(name: str) -> None:
    assert list(map(str, played(name)[1])) == []


@every_chapter
def test_the_record_of_a_chapter_is_true(name: str) -> None:
    lesson, scene = shipped(), played(name)[0]
    timeline = scene.timeline
    _beats_follow(timeline.beats, timeline.ticks)
    for caption in timeline.captions:
        assert 0 <= caption.start < caption.end <= timeline.ticks
        assert len(caption.text) <= 20 * (caption.end - caption.start) / TICKS_PER_SECOND + 1
        assert max(map(len, caption.text.split("\n"))) <= 42
    assert all(a.end <= b.start for a, b in pairwise(timeline.captions))
    for figure in timeline.numbers:
        assert 0 <= figure.start < figure.end <= timeline.ticks
        if figure.fact != "ruler":
            assert _is_fact(lesson, figure.fact, figure.value, figure.shown), figure
    assert scene.reads, "a chapter shows facts"
    assert scene.poster_beat in {beat.name for beat in timeline.beats}


def _beats_follow(beats: list[Any], ticks: int) -> None:
    assert len({beat.name for beat in beats}) == len(beats)
    assert [beat.start for beat in beats] == [0, *(beat.end for beat in beats[:-1])]
    assert beats[-1].end == ticks


def _is_fact(lesson: Lesson, key: str, value: object, text: str) -> bool:
    """Does the figure stand in the facts under its key, and do its digits round to what was shown?"""
    name, _, address = key.partition("[")
    fact = lesson.facts[name]
    if address:
        fact = fact[tuple(int(i) for i in address.rstrip("]").split(","))]
    rounded = {shown(fact.value, d, exact=e) for d in range(17) for e in (True, False)}
    rounded |= {scientific(fact, d).shown for d in range(1, 4)} if isinstance(fact.value, float) else set()
    return bool(fact.value == value) and text in rounded


@every_chapter
def test_questions_are_asked_before_they_are_answered(name: str) -> None:
    timeline = played(name)[0].timeline
    if name != "summary":
        assert timeline.cues, "every chapter asks its Predict question"
    for cue in timeline.cues:
        assert cue.id.startswith(f"{name}.")
        assert cue.reveal_at - cue.pause_at >= 3 * TICKS_PER_SECOND
        assert 0 <= cue.answer < len(cue.choices)
        assert len(set(cue.choices)) == len(cue.choices) >= 2
        assert cue.prompt.endswith("?")
        assert cue.explain.endswith(".")


@every_chapter
def test_a_chapter_keeps_to_its_time(name: str) -> None:
    timeline = played(name)[0].timeline
    asking = sum(cue.reveal_at - _asked_at(timeline, cue) for cue in timeline.cues)
    assert SHORTEST <= (timeline.ticks - asking) / TICKS_PER_SECOND <= LONGEST


def _asked_at(timeline: Timeline, cue: Cue) -> int:
    """When the question began to be spoken: its last captions before the hold."""
    spoken = [c.start for c in timeline.captions if c.text.replace("\n", " ") in cue.prompt and c.start < cue.pause_at]
    return min(spoken)


@pytest.mark.slow
@every_chapter
def test_the_other_theme_changes_no_time_and_no_figure(name: str, tmp_path: Path) -> None:
    lesson = changed_lesson(tmp_path, ('theme = "dark"', 'theme = "light"'))
    scene, findings = played_and_audited(scene_class(chapter(name)), lesson)
    assert list(map(str, findings)) == []
    assert scene.timeline == played(name)[0].timeline


def test_a_title_follows_the_fact_in_it(tmp_path: Path) -> None:
    lesson = changed_lesson(tmp_path, ('"it", "was"', '"she", "was"'), ('query_token = "it"', 'query_token = "she"'))
    opening = next(entry for entry in CHAPTERS if entry.name == "opening")
    assert opening.titled(shipped().facts).title == "What does “it” mean?"
    assert opening.titled(lesson.facts).title == "What does “she” mean?"


def test_the_poster_is_a_beat_of_the_chapter() -> None:
    for entry in CHAPTERS:
        assert scene_class(entry).poster_beat
