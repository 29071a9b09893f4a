"""Captions lose nothing and can be read; marks and ids of lines; a line's words set the pace."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit_helpers import changed_lesson, play_scene, shipped

from scenes.kit.captions import CHARACTERS_PER_SECOND, LINE_CHARACTERS, LINES, captions, cut, wrapped
from scenes.kit.narration import Line, Paced, Silence, holds, marked
from scenes.kit.scene import LessonScene
from scenes.kit.telling import BREATH
from scenes.kit.timeline import TICKS_PER_SECOND, to_ticks

word = st.text(alphabet="abcdefghijklmnopqrstuvwxyz’“”", min_size=1, max_size=14)
sign = st.sampled_from(["", "", "", ",", ";", ":", ".", "?"])
line = st.lists(st.tuples(word, sign), min_size=1, max_size=60).map(
    lambda pairs: " ".join(text + sign for text, sign in pairs)
)


def paced(text: str) -> Silence:
    return Paced().speak(Line("a.line", text))


@given(line, st.integers(min_value=0, max_value=10_000))
def test_captions_hold_every_word_in_order_and_are_readable(text: str, start: int) -> None:
    said = paced(text)
    end = start + to_ticks(said.seconds + BREATH)
    made = captions(text, said.words, start, end)
    assert " ".join(caption.text for caption in made).split() == text.split()
    for caption in made:
        lines = caption.text.split("\n")
        assert len(lines) <= LINES
        assert max(map(len, lines)) <= LINE_CHARACTERS
    assert all(a.end <= b.start for a, b in pairwise(made))
    assert made[-1].end <= end


@given(line, st.lists(st.floats(min_value=0.05, max_value=2), min_size=120, max_size=120))
def test_a_caption_stands_while_its_words_are_said(text: str, lengths: list[float]) -> None:
    tokens = text.split()
    edges = [sum(lengths[: 2 * i + k]) for i in range(len(tokens)) for k in (0, 1)]
    words = list(zip(edges[::2], edges[1::2], strict=True))
    made = captions(text, words, 30, 30 + to_ticks(edges[-1] + BREATH))
    at = 0
    for caption in made:
        first, last = words[at], words[at + len(caption.text.split()) - 1]
        begin, finish = (30 / TICKS_PER_SECOND + t for t in (first[0], last[1]))
        assert begin - 0.1 < caption.start / TICKS_PER_SECOND <= begin + 1e-9
        assert caption.end / TICKS_PER_SECOND >= finish - 1 / TICKS_PER_SECOND
        at += len(caption.text.split())


@given(line, st.floats(min_value=0.02, max_value=2))
def test_the_cut_depends_on_the_text_alone(text: str, pace: float) -> None:
    slow = [(pace * i, pace * (i + 1)) for i in range(len(text.split()))]
    made = captions(text, slow, 0, 10_000)
    assert [caption.text for caption in made] == [wrapped(piece) for piece in cut(text)]


def test_a_sentence_is_not_joined_to_the_next() -> None:
    assert cut("A score is one number. Softmax needs them all.") == [
        "A score is one number.",
        "Softmax needs them all.",
    ]


def test_a_full_stop_that_is_spoken_of_ends_no_sentence() -> None:
    assert cut("The key of “.” matches best. So does “?” here. “it” follows. 36 scores are made.") == [
        "The key of “.” matches best.", "So does “?” here.", "“it” follows.", "36 scores are made.",
    ]  # fmt: skip


def test_a_list_of_figures_stays_together() -> None:
    assert wrapped("So the scores 0, 1 and 2 have these weights, too.").split("\n")[0] == "So the scores 0, 1 and 2"


def test_a_cut_leaves_phrases_whole() -> None:
    text = "The rows are queries, and the columns are keys, and where a row meets a column there stands a score."
    assert cut(text) == [
        "The rows are queries, and the columns are keys,",
        "and where a row meets a column there stands a score.",
    ]
    assert wrapped("What it looks for is the meaning of the animal in the street") == (
        "What it looks for is the meaning\nof the animal in the street"
    )


def test_a_word_that_fits_no_line_is_refused() -> None:
    with pytest.raises(ValueError, match="fit"):
        cut("x" * (LINE_CHARACTERS + 1))


def test_each_word_needs_its_times() -> None:
    with pytest.raises(ValueError, match="1 times for 2 words"):
        captions("Two words.", [(0.0, 1.0)], 0, 30)


def test_the_pace_without_a_voice_is_a_lecture_s_and_figures_take_longer() -> None:
    assert 9 < paced("x" * 145).seconds < 11
    assert paced("a weight of 0.6698").seconds > paced("a weight of softly").seconds
    assert Paced.characters_per_second < CHARACTERS_PER_SECOND


@given(st.floats(min_value=1e-3, max_value=100))
def test_ticks_hold_the_seconds(seconds: float) -> None:
    ticks = to_ticks(seconds)
    assert (ticks - 1) / TICKS_PER_SECOND < seconds <= ticks / TICKS_PER_SECOND + 1e-6


@pytest.mark.parametrize(
    "text, found", [("Then “GPT-4,” came.", True), ("Then GPT-4 came", True), ("GPT-40 came.", False), ("GPT", False)]
)
def test_a_word_is_found_whatever_punctuation_is_around_it(text: str, found: bool) -> None:
    assert holds(text, "GPT-4") is found
    assert holds(text, "then GPT-4") is False


class Listening:
    """Keeps what it is asked to say."""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def speak(self, line: Line) -> Silence:
        self.lines.append(line)
        return Paced().speak(line)


def test_the_lesson_s_pronunciation_comes_with_the_lines_that_need_it(tmp_path: Path) -> None:
    lesson = changed_lesson(tmp_path, ("[pronunciation]", '[pronunciation]\nLuong = "loo ong"\nfar = "no"'))
    heard = Listening()

    class Names(LessonScene):
        def construct(self) -> None:
            with self.say("Then “Luong” came.", name="one", spoken={"came": "arrived"}):
                pass
            with self.say("And went.", name="two"):
                pass

    play_scene(Names, lesson, narrator=heard)
    assert [line.says for line in heard.lines] == [(("Luong", "loo ong"), ("came", "arrived")), ()]


# ---------------------------------------------------------------- marks


def test_marks_name_the_words_they_hold() -> None:
    token = shipped().facts["opening.tokens"][1]
    text, marks = marked("So [the best|“{}”] wins, and [the second one] loses. [[x]]", [token])
    assert text == "So “animal” wins, and the second one loses. [x]"
    tokens = text.split()
    spans = {name: tokens[mark.first : mark.last + 1] for name, mark in marks.items()}
    assert spans == {"the best": ["“animal”"], "the second one": ["the", "second", "one"]}


@pytest.mark.parametrize(
    "template, fault",
    [("a [mark", "doesn't close"), ("a mark]", "doesn't close"), ("an [] empty one", "holds no words"),
     ("[a] and [a]", "two marks")],
)  # fmt: skip
def test_a_mark_that_is_none_is_refused(template: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        marked(template, [])


class Slow:
    """Takes a second a word."""

    def speak(self, line: Line) -> Silence:
        count = len(line.text.split())
        return Silence(float(count), tuple((float(i), i + 0.6) for i in range(count)))


class Telling(LessonScene):
    """What the lines of a chapter make of its time."""

    def construct(self) -> None:
        self.beats(self.first, self.second)

    def first(self) -> None:
        with self.say("one two [three] four") as line:
            self.waits = line.until("three"), line.until("three", end=True), line.left()
            line.wait_for("three")
            self.at_three = self.timeline.ticks
            line.wait_for("three")
            self.hold(15)
            self.least = line.until("three", least=0.4)
            with pytest.raises(KeyError, match="no mark 'five', but 'three'"):
                line.until("five")
        with self.say("five", name="more"):
            pass

    def second(self) -> None:
        with self.say("six"):
            self.hold(60)
        with pytest.raises(ValueError, match=r"telling\.second: two lines"), self.say("seven"):
            pass


def test_animations_wait_for_words_and_a_beat_for_its_line() -> None:
    scene: Any = play_scene(Telling, narrator=Slow())
    first, second, third = scene.timeline.lines
    assert scene.waits == (2.0, 2.6, 4.0)
    assert scene.at_three == 2 * TICKS_PER_SECOND
    assert scene.least == 0.4
    assert [line.id for line in scene.timeline.lines] == ["telling.first", "telling.first.more", "telling.second"]
    assert (first.start, first.end, first.words[2]) == (0, 60, (2.0, 2.6))
    assert second.start == to_ticks(4 + BREATH)
    assert third.start + 60 == 149, "the longer of animation and line counts"
    assert scene.timeline.ticks == 152, "the clip's last picture stands until its sound can end with it"
