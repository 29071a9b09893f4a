"""The chapter on softmax: its words stay true, and its figures in sight, when the lesson's inputs change."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
import pytest
from kit_helpers import changed_lesson, play_chapter, play_scene, shown_at, word_at
from manim import ManimColor

from lesson import Fact, Lesson, load
from scenes.kit.average import WeightedAverage
from scenes.kit.cancelling import struck
from scenes.kit.geometry import bottom, left, right, top
from scenes.kit.labels import Label, formula, words
from scenes.kit.row_by_row import STAGE, needed_decimals
from scenes.kit.scene import LessonScene
from scenes.kit.theme import theme
from scenes.kit.timeline import TICKS_PER_SECOND
from scenes.softmax_normalisation import SoftmaxNormalisation as Original

NAME, LESSONS = "softmax_normalisation", Path(__file__).parent / "lessons"
CLOSE = 0.6  # s between a number and the word that brings it
KEYS, LOGITS = "keys = [[1, 0], [0, 1]]", "logits = [1000, 1001, 1002]"
SIX = 'tokens = ["The", "animal", "was", "too", "tired", "."]'


def lesson_of(name: str) -> Lesson:
    return load(LESSONS / f"{name}.toml")


@cache
def played() -> LessonScene:
    """The chapter as shipped, played once."""
    return play_chapter(NAME)


def spoken(scene: LessonScene) -> str:
    return " ".join(caption.text.replace("\n", " ") for caption in scene.timeline.captions)


def test_the_worked_example_is_told_step_by_step() -> None:
    scene = played()
    text = spoken(scene)
    for step in ("about 0.67 and 0.33", "e to the power of 1000", "about 1.61"):
        assert step in text
    shown = {(n.fact, n.shown) for n in scene.timeline.numbers}
    assert {"0.7071", "2.0281", "3.0281", "0.6698", "0.3302"} <= {text for _, text in shown}
    assert {("stability.softmax[2]", "0.6652"), ("stability.shifted[0]", "\u22122")} <= shown
    least = {("sequence.row_maxima_full[0]", "0.41"), ("sequence.shifted_full[0,0]", "\u22120.72")}
    assert least <= shown, "the exponentials of the rows are those of shifted scores"
    (cue,) = scene.timeline.cues
    assert cue.choices[cue.answer] == "The same weights as for 0, 1 and 2"
    assert len(set(cue.choices)) == 4


@pytest.mark.parametrize(
    ("fact", "line", "word"),
    [
        ("worked_example.exponential_sum", "total", "total"),
        ("worked_example.weights[0]", "division", "0.67"),
        ("worked_example.weight_sum", "division", "together"),
        ("stability.shifted[0]", "shift_by_maximum", "stay"),
        ("stability.shifted_exponentials[2]", "shift_by_maximum.exponentials", "one"),
        ("stability.softmax[2]", "shift_by_maximum.divided", "total"),
        ("stability.softmax_from_zero[0]", "only_gaps_count", "same"),
        ("sequence.row_sums_by_column[5]", "never_by_column.never", "row"),
        ("sequence.weights_full[5,0]", "never_by_column.right", "The"),
    ],
)
def test_numbers_come_with_their_words(fact: str, line: str, word: str) -> None:
    timeline = played().timeline
    word_begins = word_at(timeline, f"{NAME}.{line}", word)
    assert min(abs(second - word_begins) for second in shown_at(timeline, fact)) < CLOSE


def test_what_is_right_stands_still_at_last() -> None:
    beats = {beat.name: beat for beat in played().timeline.beats}
    turned = [number.start for number in played().timeline.numbers if number.fact == "sequence.row_sums_full[5]"]
    rest = (beats["never_by_column"].end - max(turned)) / TICKS_PER_SECOND
    assert rest >= theme().pace.move + theme().pace.rest


def test_the_stages_of_a_row_rest() -> None:
    """Between the play that brings a number of the first row and the one that takes it, the picture stands still."""
    shown = {number.fact: number for number in played().timeline.numbers if number.fact.endswith(("[0,0]", "[0]"))}
    for fact in ("sequence.shifted_full[0,0]", "sequence.exponentials_full[0,0]", "sequence.exponential_sums_full[0]"):
        plays = STAGE + theme().pace.move
        assert (shown[fact].end - shown[fact].start) / TICKS_PER_SECOND >= plays + theme().pace.rest - 0.1


def test_the_shift_is_seen_to_cancel() -> None:
    parted = formula("= (sc(e^(-m)) thin e^(s_i)) / (sc(e^(-m)) thin sum_j e^(s_j))")
    half, whole = struck(parted, "score", 0.5), struck(parted, "score")
    lines = whole.submobjects[len(parted.submobjects) :]
    factors = [part for part in parted.submobjects if part.get_fill_color() == ManimColor(theme().score)]
    assert len(lines) == len(factors) == 2, "above and below"
    for line, factor, shorter in zip(lines, factors, half.submobjects[len(parted.submobjects) :], strict=True):
        assert left(line) < left(factor)
        assert right(factor) < right(line)
        assert right(shorter) < right(line)


def test_two_tokens_and_equal_logits(tmp_path: Path) -> None:
    lesson = changed_lesson(tmp_path, (SIX, 'tokens = ["a", "b"]'), (LOGITS, "logits = [800, 800, 800]"))
    scene = play_chapter(NAME, lesson)
    assert "The other row does the same:" in spoken(scene)
    (cue,) = scene.timeline.cues
    assert not any("Equal" in choice for choice in cue.choices), "equal weights would be right, too"
    assert not any("largest score" in choice for choice in cue.choices), "none is the largest"


def test_the_question_speaks_of_one_largest_score_only_where_there_is_one() -> None:
    for name, largest in (("ties", "one of the largest scores"), ("greek", "the largest score")):
        (cue,) = play_chapter(NAME, lesson_of(name)).timeline.cues
        assert f"All the weight on {largest}" in cue.choices


class SoftmaxNormalisation(Original):
    """Notes each label that reaches beyond the margins at the end of a play. The name finds the chapter's title.

    `rounded` are the labels that say so when a beat ends.
    """

    outside: ClassVar[set[str]] = set()

    def play(self, *args: Any, **kwargs: Any) -> None:
        super().play(*args, **kwargs)
        labels = [part for mob in self.mobjects for part in mob.get_family() if isinstance(part, Label)]
        self.rounded = getattr(self, "rounded", {}) | {self._beat: sum("rounded" in label.markup for label in labels)}
        self.outside.update(
            f"{label.figures} at {left(label):.0f} to {right(label):.0f}, {top(label):.0f} to {bottom(label):.0f}"
            for label in labels
            if left(label) < 95 or right(label) > 1825 or top(label) < 53 or bottom(label) > 1027
        )


def test_large_totals_and_long_tokens_stay_in_the_frame(tmp_path: Path) -> None:
    long = 'tokens = ["Somewhat", "mammoths", "hippos", "elephant", "zebras!?", "Wombats."]'
    lesson = changed_lesson(
        tmp_path, ("query = [1, 0]", "query = [1.95, 0.9]"), (KEYS, "keys = [[1.25, 0.2], [0, 0.7]]"), (SIX, long),
        (LOGITS, "logits = [9999, 9993, 9996]"),
    )  # fmt: skip
    scene = play_scene(SoftmaxNormalisation, lesson)
    total = f"{float(lesson.facts['worked_example.exponential_sum']):.4f}"
    assert total in {number.shown for number in scene.timeline.numbers}
    assert SoftmaxNormalisation.outside == set()


def test_leaders_that_tie_are_named_together_once(tmp_path: Path) -> None:
    values = "values = [[10, 0], [0, 6]]", "values = [[10, 0], [0, 6], [3, 3]]"
    tie = ("query = [1, 0]", "query = [0.3, 0]"), (KEYS, "keys = [[1, 0], [1, 0.5], [-1.4, 1]]")
    scene = play_chapter(NAME, changed_lesson(tmp_path, *tie, values))
    assert "the largest weights are about 0.38 each; all weights together are exactly one." in spoken(scene)


def test_digits_that_dont_add_up_say_so_beside_their_sum() -> None:
    scene = cast(Original, played())
    total = words("sum {0}", scene.facts["worked_example.weight_sum"])
    assert len(scene._rounded_beside(total, True)) == 0
    (beside,) = scene._rounded_beside(total.place(1000, 900), False)
    assert left(beside) > right(total)
    assert abs(cast(Label, beside).origin[1] - 900) < 0.01
    (below,) = scene._rounded_beside(total.place(1730, 900), False)
    assert top(below) > bottom(total)
    assert right(below) <= theme().frame.right


@pytest.mark.parametrize("name", ["greek", "almost_all"])
def test_what_is_said_of_the_total_stands_on_its_line(name: str) -> None:
    scene = cast(Original, play_chapter(NAME, lesson_of(name)))
    (note,) = scene._rounded_beside(scene.total_value, scene._total_agrees())
    assert cast(Label, note).origin[1] == pytest.approx(scene.total_value.origin[1])
    assert left(note) > right(scene.total_value)


def test_the_division_is_by_the_total_as_it_is_shown(tmp_path: Path) -> None:
    """Also where four decimals would make it a division by zero."""
    low = changed_lesson(tmp_path, (KEYS, "keys = [[-989, 0], [-980, 0]]"))
    numbers = play_chapter(NAME, low).timeline.numbers
    shown = {number.shown for number in numbers if number.fact == "worked_example.exponential_sum"}
    assert shown == {"1.122 \u00d7 10^\u2212301", "1.1 \u00d7 10^\u2212301"}  # the latter beside the takeaway


def test_exponentials_and_weights_that_vanish_are_said_to_be_rounded(tmp_path: Path) -> None:
    """e to no power is 0, though a computer's number may be; an exact 1 beside such weights is rounded, too."""
    values = "values = [[10, 0], [0, 6]]", "values = [[10, 0], [0, 6], [3, 3]]"
    low = "keys = [[-2000, 0], [0, 1], [-3000, 0]]"
    scene = cast(SoftmaxNormalisation, play_scene(SoftmaxNormalisation, changed_lesson(tmp_path, (KEYS, low), values)))
    assert [float(e) for e in scene.facts["worked_example.exponentials"]] == [0, 1, 0]
    assert scene.rounded["scores"] == 0
    assert scene.rounded["exponentials"] == 2
    assert scene.rounded["total"] == 2 + 1, "their total is, too"
    assert scene.rounded["division"] == 3 + 1, "and the sum of the weights"


def test_five_keys_are_normalised_together(tmp_path: Path) -> None:
    many = "keys = [[1, 0], [0, 1], [-1, 0], [0.8, 0.6], [0.6, -0.8]]"
    values = "values = [[10, 0], [0, 6]]", "values = [[10, 0], [0, 6], [3, 3], [1, 2], [5, 5]]"
    SoftmaxNormalisation.outside.clear()
    scene = play_scene(SoftmaxNormalisation, changed_lesson(tmp_path, (KEYS, many), values))
    text = spoken(scene)
    assert "Here are five scaled scores." in text
    assert "the largest of the weights is about 0.30, and together they are exactly one." in text
    assert {f"worked_example.weights[{i}]" for i in range(5)} <= {number.fact for number in scene.timeline.numbers}
    assert SoftmaxNormalisation.outside == set()


@pytest.mark.parametrize("name", ["almost_all", "greek", "millions", "five_keys"])
def test_scores_are_as_long_as_they_say(name: str) -> None:
    """Also where exponentials are beyond any ruler that both could share, and none is cut."""
    SoftmaxNormalisation.outside.clear()
    scene = cast(SoftmaxNormalisation, play_scene(SoftmaxNormalisation, lesson_of(name)))
    scaled = [float(score) for score in scene.facts["worked_example.scaled"]]
    assert [w / scene.measure.unit for _, _, w, _ in scene.given_at] == pytest.approx(scaled)
    longest = max(abs(w) for _, _, w, _ in scene.given_at)
    assert longest > 100
    assert SoftmaxNormalisation.outside == set()


def test_equal_scores_are_not_shown_twice() -> None:
    scene = play_chapter(NAME, lesson_of("two_tokens"))
    assert "So equal scores give equal weights" in spoken(scene)
    assert not shown_at(scene.timeline, "stability.softmax_from_zero[0]")
    assert "both weights are about 0.50" in spoken(scene) or "both weights are 0.50" in spoken(scene)


@pytest.mark.parametrize("name", ["almost_all", "five_keys", "millions", "thousandths", "twelve_tokens"])
def test_the_summary_names_every_value_of_the_average(name: str) -> None:
    """Also those whose weights leave nothing to see of them."""
    facts = lesson_of(name).facts
    picture = WeightedAverage(cast(Any, facts), (1312, 176), 512)
    assert set(picture.names) == set(range(len(facts["worked_example.weights"])))
    for label in picture.names.values():
        assert right(label) <= 1312 + 512 + 1
        assert not (left(label) < right(picture.output) and left(picture.output) < right(label)) or (
            bottom(label) < top(picture.output) or bottom(picture.output) < top(label)
        )


@pytest.mark.parametrize("name", ["accents", "ties", "long_words"])
def test_in_the_summary_names_stand_beside_their_arrows(name: str) -> None:
    picture = WeightedAverage(cast(Any, lesson_of(name).facts), (1312, 176), 512)
    assert len({round(right(label)) for label in picture.names.values()}) > 1, "not in a list"


@pytest.mark.parametrize("name", ["almost_all", "five_keys", "twelve_tokens"])
def test_names_that_stand_in_a_list_have_the_order_of_the_arrows(name: str) -> None:
    picture = WeightedAverage(cast(Any, lesson_of(name).facts), (1312, 176), 512)
    assert len({round(right(label)) for label in picture.names.values()}) == 1
    assert list(picture.names)[: len(picture.order)] == picture.order
    tops = [top(label) for label in picture.names.values()]
    assert tops == sorted(tops)


def test_parts_of_the_total_are_all_numbers_or_all_names() -> None:
    scene = cast(Original, played())
    exponentials = scene.facts["worked_example.exponentials"]

    def parts(width: float) -> list[Label]:
        return scene._within([(440.0, 700.0, width, 52.0), (440.0 + width, 700.0, 400.0, 52.0)], exponentials)

    assert [bool(label.figures) for label in parts(400)] == [True, True]
    assert [bool(label.figures) for label in parts(80)] == [False, False], "the second isn't read as the only one"
    (only,) = parts(10)
    assert 450 < left(only) < right(only) < 850


def test_where_columns_are_left_out_largest_and_sum_are_said_to_be_over_all() -> None:
    SoftmaxNormalisation.outside.clear()
    scene = cast(SoftmaxNormalisation, play_scene(SoftmaxNormalisation, lesson_of("accents")))
    note, trails = scene.cut
    assert "largest and sum over all" in cast(Label, note).markup
    matrix = scene.grid.matrix
    assert len(trails) == matrix.rows + matrix.columns, "each row and each column is seen to go on"
    assert all(left(dots) > matrix.right or top(dots) > matrix.bottom for dots in trails)
    assert SoftmaxNormalisation.outside == set()


def test_a_row_that_is_off_by_thousandths_is_shown_to_be_off() -> None:
    scene = play_chapter(NAME, lesson_of("thousandths"))
    shown = {n.fact: n.shown for n in scene.timeline.numbers if n.fact.startswith("sequence.row_sums_by_column[")}
    assert [shown[f"sequence.row_sums_by_column[{i}]"] for i in range(3)] == ["0.999", "1.021", "0.980"]
    (never,) = [line.text for line in scene.timeline.lines if line.id.endswith(".never")]
    assert never.endswith("add up to about 1.021.")  # as it is shown


def test_weights_that_are_the_largest_and_not_all_are_not_said_to_be_one_together() -> None:
    weights = lesson_of("ties").facts["worked_example.weights"]
    assert [f"{float(weight):.2f}" for weight in weights] == ["0.38", "0.38", "0.23"]
    (division,) = [line.text for line in play_chapter(NAME, lesson_of("ties")).timeline.lines if "division" in line.id]
    assert division.endswith("the largest weights are about 0.38 each; all weights together are exactly one.")


@pytest.mark.parametrize(
    ("totals", "decimals"), [((1.0, 0.8), 2), ((1.0, 0.997), 3), ((1.0004, 0.8), 4), ((1.0, 1.00001), 2)]
)
def test_sums_have_as_many_decimals_as_tell_them_from_one(totals: tuple[float, ...], decimals: int) -> None:
    assert needed_decimals(Fact("totals", np.array(totals))) == decimals


def test_what_is_read_as_zero_is_said_to_be_above_it() -> None:
    scene = cast(Original, play_chapter(NAME, lesson_of("twelve_tokens")))
    (note,) = scene.zero_note
    (figure,) = cast(Label, note).figures
    assert figure.shown == "0.00"
    assert float(cast(Any, figure.value)) > 0
    assert not cast(Original, played()).zero_note, "there is none in the lesson as shipped"


def test_what_is_said_of_zeros_goes_with_the_matrix_that_has_them() -> None:
    """The rows' weights have none here, those of a softmax down the columns have."""
    timeline = play_chapter(NAME, lesson_of("long_words")).timeline
    (end,) = {n.end for n in timeline.numbers if n.shown == "0.00" and "weights_by_column" in n.fact}
    assert end < timeline.beats[-1].start


@pytest.mark.parametrize(
    "seed, d_model, d_k, columns, row",
    [
        (1223, 1, 1, "columns happen to add up to about one, too", "one row would add up to about 0.995"),
        (11, 2, 8, "columns happen to add up to about one, too", "one row would add up to about 0.49"),
        (85, 2, 8, "a column may add up to more than one", "one row would add up to about 0.995"),
        (11821, 1, 1, "columns happen to add up to one, too", "each row has to add up to one"),
    ],
)
def test_sums_next_to_one_are_not_told_as_one_nor_as_what_rows_need(
    tmp_path: Path, seed: int, d_model: int, d_k: int, columns: str, row: str
) -> None:
    """Seeds found by search; what they are to be is seen from the weights here."""
    changes = [("seed = 0", f"seed = {seed}"), ("d_model = 8\nd_k = 4", f"d_model = {d_model}\nd_k = {d_k}")]
    lesson = changed_lesson(tmp_path, (SIX, 'tokens = ["A", "B"]'), *changes, ("h = 2", "h = 1"))
    weights = np.asarray(lesson.facts["sequence.weights_full"].value)
    assert ("to one, too" in columns) == np.allclose(weights.sum(axis=0), 1)
    text = spoken(play_chapter(NAME, lesson))
    assert columns in text
    assert row in text
