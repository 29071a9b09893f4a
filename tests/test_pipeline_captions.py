"""Captions, chapter marks and transcript: exact times, and no character eaten."""

from __future__ import annotations

import io

import pytest
import webvtt
from hypothesis import given
from hypothesis import strategies as st

from pipeline.captions import Part, chapter_marks, escape, lesson_captions, paragraphs, timestamp, transcript, vtt
from scenes.kit.timeline import Beat, Caption


@pytest.mark.parametrize(
    ("ticks", "text"),
    [
        (0, "00:00:00.000"),
        (1, "00:00:00.067"),
        (2, "00:00:00.133"),
        (15, "00:00:01.000"),
        (37, "00:00:02.467"),
        (15 * 3600 + 14, "01:00:00.933"),
        (15 * 60 - 1, "00:00:59.933"),
    ],
)
def test_timestamps(ticks: int, text: str) -> None:
    assert timestamp(ticks) == text


@given(st.integers(0, 10**7))
def test_timestamps_are_within_half_a_millisecond(ticks: int) -> None:
    hours, minutes, seconds = timestamp(ticks).split(":")
    milliseconds = (int(hours) * 60 + int(minutes)) * 60_000 + int(seconds.replace(".", ""))
    assert abs(milliseconds - ticks * 1000 / 15) <= 0.5


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" <>&-"), min_size=1),
        min_size=1,
        max_size=5,
    )
)
def test_any_text_comes_back_from_vtt(texts: list[str]) -> None:
    texts = [" ".join(text.split()) or "x" for text in texts]
    written = vtt(Caption(20 * i, 20 * i + 15, text) for i, text in enumerate(texts))
    assert written.count("-->") == len(texts)
    found = [cue.raw_text for cue in webvtt.from_buffer(io.StringIO(written)).captions]
    assert [f.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for f in found] == texts


def test_markup_is_escaped_and_a_blank_line_cannot_end_a_cue() -> None:
    assert escape("a < b & c --> d\n\n  \ne") == "a &lt; b &amp; c --&gt; d\ne"


def test_vtt_is_written_exactly() -> None:
    written = vtt([Caption(3, 18, "One & two\nthree."), Caption(18, 30, "Four.")])
    assert written == (
        "WEBVTT\n\n00:00:00.200 --> 00:00:01.200\nOne &amp; two\nthree.\n\n00:00:01.200 --> 00:00:02.000\nFour.\n"
    )


PARTS = [
    Part("a", "First *part*", 0, 45, (Caption(0, 15, "Hello."),), (Beat("one", 0, 45),)),
    Part("b", "Second", 45, 15 * 75, (Caption(5, 15, "World."),), ()),
    Part("c", "Third", 15 * 75, 15 * 80, (), ()),
]


def test_captions_of_the_lesson_are_on_its_own_clock() -> None:
    assert lesson_captions(PARTS) == [Caption(0, 15, "Hello."), Caption(50, 60, "World.")]


def test_one_mark_a_chapter_without_a_gap() -> None:
    marks = chapter_marks(PARTS)
    assert [mark.text for mark in marks] == ["First *part*", "Second", "Third"]
    assert [mark.start for mark in marks[1:]] == [mark.end for mark in marks[:-1]]


def test_transcript() -> None:
    assert transcript("The lesson", PARTS) == (
        "# The lesson\n\n## 1. First \\*part\\* (0:00)\n\nHello.\n\n"
        "## 2. Second (0:03)\n\nWorld.\n\n## 3. Third (1:15)\n"
    )


def test_paragraphs_follow_beats_but_hold_whole_sentences() -> None:
    captions = [
        Caption(0, 10, "The first\nsentence is"),
        Caption(10, 20, "long."),
        Caption(20, 30, "It said “so.”"),
        Caption(30, 40, "A sentence that"),
        Caption(45, 60, "crosses into the next beat."),
        Caption(60, 70, "Then a new one?"),
        Caption(90, 95, "Last"),
    ]
    beats = [Beat("a", 0, 30), Beat("b", 30, 45), Beat("c", 45, 80), Beat("d", 80, 100)]
    assert paragraphs(captions, beats) == [
        "The first sentence is long. It said “so.”",
        "A sentence that crosses into the next beat.",
        "Then a new one?",
        "Last",
    ]


def test_no_captions_no_paragraphs() -> None:
    assert paragraphs([], [Beat("a", 0, 30)]) == []


def test_markdown_shows_text_as_it_is() -> None:
    part = Part("a", "T", 0, 15, (Caption(0, 15, "# a_b *c* <d> & [e](f) 1. `g`"),), ())
    assert transcript("H", [part]).splitlines()[-1] == "\\# a\\_b \\*c\\* \\<d\\> \\& [e]\\(f) 1. \\`g\\`"
