"""Captions: nothing lost, never too long, never too fast."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.kit.narration import CHARACTERS_PER_SECOND, LINE_CHARACTERS, LINES, captions, speaking_ticks
from scenes.kit.timeline import TICKS_PER_SECOND, to_ticks

word = st.text(alphabet="abcdefghijklmnopqrstuvwxyz’“”", min_size=1, max_size=14)
mark = st.sampled_from(["", "", "", ",", ";", ":", ".", "?"])
line = st.lists(st.tuples(word, mark), min_size=1, max_size=60).map(
    lambda pairs: " ".join(text + sign for text, sign in pairs)
)


@given(line, st.integers(min_value=0, max_value=10_000))
def test_captions_hold_every_word_in_order_and_are_readable(text: str, start: int) -> None:
    end = start + speaking_ticks(text)
    made = captions(text, start, end)
    assert " ".join(caption.text for caption in made).split() == text.split()
    for caption in made:
        lines = caption.text.split("\n")
        assert len(lines) <= LINES
        assert max(map(len, lines)) <= LINE_CHARACTERS
        assert len(caption.text) <= 20 * (caption.end - caption.start) / TICKS_PER_SECOND + 1
    assert made[0].start == start
    assert made[-1].end == end
    assert all(a.end == b.start for a, b in pairwise(made))


def test_a_sentence_is_not_joined_to_the_next() -> None:
    made = captions("A score is one number. Softmax needs them all.", 0, 90)
    assert [caption.text for caption in made] == ["A score is one number.", "Softmax needs them all."]


def test_phrases_stay_whole_where_they_fit() -> None:
    text = "The rows are queries, and the columns are keys, and where a row meets a column there stands a score."
    first = captions(text, 0, 120)[0].text.replace("\n", " ")
    assert first.endswith(",")


def test_a_word_that_fits_no_line_is_refused() -> None:
    with pytest.raises(ValueError, match="fit"):
        captions("x" * (LINE_CHARACTERS + 1), 0, 100)


def test_the_pace_is_a_lecture_s() -> None:
    text = "x" * 145
    assert speaking_ticks(text) / TICKS_PER_SECOND >= len(text) / CHARACTERS_PER_SECOND


@given(st.floats(min_value=1e-3, max_value=100))
def test_ticks_hold_the_seconds(seconds: float) -> None:
    ticks = to_ticks(seconds)
    assert (ticks - 1) / TICKS_PER_SECOND < seconds <= ticks / TICKS_PER_SECOND + 1e-6
