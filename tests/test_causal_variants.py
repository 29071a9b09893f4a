"""The clips with the mask and without it keep one timeline, so that a page can switch between them at any moment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from kit_helpers import changed_lesson, play_chapter, play_scene, shipped, shown_at, word_at
from manim import Animation

from lesson import Fact, Lesson, load
from scenes import CHAPTERS
from scenes.causal_triangle import CausalTriangle, CausalTriangleUnmasked
from scenes.kit.figures import figure_of
from scenes.kit.labels import Label
from scenes.kit.narration import Line, Paced, Silence
from scenes.kit.row_softmax import RowSoftmax
from scenes.kit.theme import theme
from scenes.kit.timeline import TICKS_PER_SECOND, Timeline

MASKED, UNMASKED = "causal_triangle", "causal_triangle_unmasked"
WORDS = '["The", "animal", "was", "too", "tired", "."]'
LESSONS = {
    "shipped": (),
    "two tokens": ((WORDS, '["Go", "!"]'),),
    "three long tokens": ((WORDS, '["Nobody’s", "thinking", "quietly."]'),),
}

Pair = tuple[Timeline, Timeline]


@dataclass(frozen=True)
class Speaker(Paced):
    """Speaks at that pace."""

    characters_per_second: float = Paced.characters_per_second


class Uneven(Paced):
    """One of the two clips is told much faster than the other, so that it has to wait for its words."""

    def __init__(self, hasty: str) -> None:
        self.hasty = f"{hasty}."

    def speak(self, line: Line) -> Silence:
        said = super().speak(line)
        pace = 0.5 if line.id.startswith(self.hasty) else 1.2
        return Silence(said.seconds * pace, tuple((a * pace, b * pace) for a, b in said.words))


@pytest.fixture(scope="module", params=LESSONS, ids=lambda name: name.replace(" ", "_"))
def lesson(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Lesson:
    folder: Path = tmp_path_factory.mktemp("lesson")
    return changed_lesson(folder, *LESSONS[request.param])


@pytest.fixture(scope="module")
def timelines(lesson: Lesson) -> Pair:
    return play_chapter(MASKED, lesson).timeline, play_chapter(UNMASKED, lesson).timeline


@pytest.mark.slow
def test_both_clips_have_one_timeline(timelines: Pair) -> None:
    _assert_one_timeline(*timelines)


@pytest.mark.slow
@pytest.mark.parametrize("hasty", [MASKED, UNMASKED])
def test_they_keep_it_whoever_speaks(hasty: str) -> None:
    _assert_one_timeline(*(play_chapter(name, narrator=Uneven(hasty)).timeline for name in (MASKED, UNMASKED)))


def _assert_one_timeline(masked: Timeline, unmasked: Timeline) -> None:
    assert masked.ticks == unmasked.ticks
    assert masked.beats == unmasked.beats
    assert [(c.pause_at, c.reveal_at) for c in masked.cues] == [(c.pause_at, c.reveal_at) for c in unmasked.cues]


@pytest.mark.slow
def test_they_ask_the_same_and_their_own_answer_is_right(timelines: Pair) -> None:
    masked, unmasked = timelines
    assert [(c.prompt, c.choices) for c in masked.cues] == [(c.prompt, c.choices) for c in unmasked.cues]
    assert masked.cues[0].answer != unmasked.cues[0].answer
    assert masked.cues[1].answer == unmasked.cues[1].answer


@pytest.mark.slow
def test_each_shows_and_says_its_own(lesson: Lesson, timelines: Pair) -> None:
    masked, unmasked = timelines
    assert [c.text for c in masked.captions] != [c.text for c in unmasked.captions]
    for timeline, name in ((masked, "causal"), (unmasked, "full")):
        beat = next(beat for beat in timeline.beats if beat.name == "every_row")
        there = {n.fact for n in timeline.numbers if n.start < beat.end <= n.end}
        n = int(lesson.facts["sequence.n"])
        assert {f"sequence.weights_{name}[{i},{j}]" for i, j in np.ndindex(n, n)} <= there


@pytest.mark.slow
def test_one_score_is_spoken_of_as_one(lesson: Lesson, timelines: Pair) -> None:
    for timeline in timelines:
        told = " ".join(cue.explain for cue in timeline.cues)
        assert any(word in told for word in ("All later", "they")) is (len(lesson.facts["sequence.tokens"]) > 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        ('["so", "so", "so", "so"]', "After the second token, it must predict the third."),
        ('["So", "it", "so", "is"]', "After the second token, it must predict the third."),
        ('["it", "it", "is", "go"]', "After the second token, it must predict the third."),
        ('["so", "it", "is", "so"]', "After “it”, it must predict “is”."),
    ],
)
def test_a_word_of_which_there_are_two_is_named_by_its_place(words: str, says: str, tmp_path: Path) -> None:
    timeline = play_chapter(MASKED, changed_lesson(tmp_path, (WORDS, words))).timeline
    assert next(line.text for line in timeline.lines if line.id == f"{MASKED}.guess.task") == says


def test_the_variant_stays_out_of_the_lesson() -> None:
    assert {entry.name: entry.variant_of for entry in CHAPTERS}[UNMASKED] == MASKED


def test_the_mask_changes_all_rows_but_the_last_as_the_answer_says() -> None:
    changes = shipped().facts["sequence.changes"].value
    assert (changes[:-1] != 0).all()
    assert (changes[-1] == 0).all()


@pytest.mark.slow
def test_what_they_share_has_one_id_and_one_text(timelines: Pair) -> None:
    """So that one recording serves both."""
    masked, unmasked = ({line.id: line.text for line in timeline.lines} for timeline in timelines)
    shared = masked.keys() & unmasked.keys()
    assert shared
    assert all(masked[key] == unmasked[key] for key in shared)
    own = unmasked.keys() - masked.keys()
    assert own
    assert all(key.startswith(f"{UNMASKED}.") for key in own)
    assert [line.start for line in timelines[0].lines] == [line.start for line in timelines[1].lines]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fact", "line_id", "word"),
    [
        ("sequence.masked_weight", "first_row", "zero"),
        ("sequence.exponential_sums_causal[3]", "every_row", "add"),
        ("sequence.weights_causal[0,0]", "first_row.divided", "becomes"),
        ("sequence.row_sums_masked_after[0]", "too_late.first_sum", "only"),
    ],
)
def test_a_figure_comes_with_its_word(fact: str, line_id: str, word: str) -> None:
    timeline = _shipped_timeline()
    said = word_at(timeline, f"{MASKED}.{line_id}", word)
    assert min(shown_at(timeline, fact)) == pytest.approx(said, abs=0.4)


@pytest.mark.slow
@pytest.mark.parametrize("name", [MASKED, UNMASKED])
@pytest.mark.parametrize("pace", [12, 16, 20])
def test_the_weights_stand_when_it_has_been_said_where_they_come_from(name: str, pace: float) -> None:
    """And rest before they go to their row, with its sum."""
    timeline = play_chapter(name, narrator=Speaker(pace)).timeline
    variant = "causal" if name == MASKED else "full"
    said = next(line for line in timeline.lines if line.id.endswith("every_row.divided"))
    legible = min(shown_at(timeline, f"sequence.weights_{variant}[3,0]")) + theme().pace.fade
    assert legible <= said.end / TICKS_PER_SECOND + 0.1
    assert min(shown_at(timeline, f"sequence.row_sums_{variant}[3]")) - legible >= 1.5


@pytest.mark.slow
def test_a_weight_that_reads_as_zero_is_said_to_be_above_it_as_long_as_it_stands() -> None:
    """In that lesson, no weight reads so with the mask, but others do without it, and masked too late."""
    notes: dict[str, bool] = {}

    class Looking(CausalTriangle):
        def _note_for(self, weights: Fact, mask: Fact | None) -> list[Animation]:
            changes = super()._note_for(weights, mask)
            notes[weights.key] = any("above zero" in part.markup for part in self.rounding if isinstance(part, Label))
            return changes

    play_scene(Looking, load(Path(__file__).parent / "lessons" / "accents.toml"))
    weights = (("weights_full", True), ("masked_after", True), ("weights_causal", False))
    assert notes == {f"sequence.{name}": told for name, told in weights}


@pytest.mark.slow
def test_what_zero_is_read_of_is_not_said_while_scores_stand_that_read_so() -> None:
    """In that lesson, a score of −0.0008 does until the last row is divided."""
    lesson = load(Path(__file__).parent / "lessons" / "cyrillic.toml")
    told: list[tuple[str, bool]] = []

    class Looking(CausalTriangleUnmasked):
        def _go_home(self, row: RowSoftmax) -> None:
            super()._go_home(row)
            told.append(("a row", "above zero" in self._noted()))

        def _noted(self) -> str:
            return " ".join(part.markup for part in self.rounding if isinstance(part, Label))

        def too_late(self) -> None:
            told.append(("all rows", "above zero" in self._noted()))
            super().too_late()

    assert "0.00" in {figure_of(score).shown.strip("−") for row in lesson.facts["sequence.scaled"] for score in row}
    play_scene(Looking, lesson)
    assert told == [("a row", False), ("a row", False), ("all rows", True)]


@pytest.mark.parametrize(
    ("name", "told"), [("almost_all", "the rest grow, some by too little to show;"), ("cyrillic", "the rest grow;")]
)
def test_growth_that_the_digits_do_not_show_is_said_to_be_there(name: str, told: str) -> None:
    """Of the first, a weight goes from 0.0317 to 0.0333, so from 0.03 to 0.03."""
    lesson = load(Path(__file__).parent / "lessons" / f"{name}.toml")
    before, after = (np.round(lesson.facts[f"sequence.weights_{kind}"].value, 2) for kind in ("full", "causal"))
    rows, columns = np.tril_indices(len(after) - 1)
    assert bool((before == after)[rows, columns].any()) is ("some" in told)
    (growth,) = [line.text for line in play_chapter(MASKED, lesson).timeline.lines if line.id.endswith(".growth")]
    assert told in growth


@cache
def _shipped_timeline() -> Timeline:
    return play_chapter(MASKED).timeline


LOUD = (("d_model = 8\nd_k = 4", "d_model = 1\nd_k = 1"), ("h = 2", "h = 1"))  # few dimensions make large scores


@pytest.mark.parametrize("name", [MASKED, UNMASKED])
def test_a_weight_is_one_only_where_it_is_alone(name: str, tmp_path: Path) -> None:
    """Next to 4e-50 it is just below one, which no computer's number shows."""
    lesson = changed_lesson(tmp_path, (WORDS, '["No", "no"]'), *LOUD, ("seed = 0", "seed = 11821"))
    assert 0 < float(lesson.facts["sequence.weights_full"][0, 1]) < 1e-40
    numbers = play_chapter(name, lesson).timeline.numbers
    shown = {kind: {n.shown for n in numbers if n.fact == f"sequence.{kind}"} for kind in (
        "weights_full[0,0]", "masked_after[0,0]", "weights_causal[0,0]", "weights_causal[1,1]",
    )}  # fmt: skip
    assert shown == {
        "weights_full[0,0]": {"1.00"}, "masked_after[0,0]": {"1.00"}, "weights_causal[0,0]": {"1"},
        "weights_causal[1,1]": {"1.00"},
    }  # fmt: skip


def test_a_first_row_of_which_nothing_can_be_seen_is_said_to_have_almost_nothing(tmp_path: Path) -> None:
    lesson = changed_lesson(
        tmp_path, (WORDS, '["a", "A", "a", "b", "a", "A", "c", "a", "1", "1", "a", "a"]'), *LOUD,
        ("seed = 0", "seed = 785"),
    )  # fmt: skip
    assert 0 < float(lesson.facts["sequence.row_sums_masked_after"][0]) < 0.005
    scene = play_chapter(MASKED, lesson)
    assert "The first row would add up to almost nothing." in [line.text for line in scene.timeline.lines]
