"""The chapter on matching: motions begin with their words, and what is said stays true when the inputs change."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, pairwise
from math import dist, exp, hypot, sqrt
from pathlib import Path
from typing import Any, cast

import pytest
from drawn_lessons import arrows, extreme_matchings, matchings
from hypothesis import given, settings
from hypothesis import strategies as st
from kit_helpers import changed_lesson, play_chapter, shown_at, word_at
from manim import VGroup, VMobject

from lesson import Fact, load, worked_example
from lesson.config import WorkedExample
from scenes.kit.cells import Cell
from scenes.kit.every_pair import MOST_FEATURES, EveryPair
from scenes.kit.flow import Flow, VectorName, digits_of
from scenes.kit.geometry import bottom, left, overlap, right, top
from scenes.kit.labels import Label, words
from scenes.kit.plane import Plane, cross, ruler_lines
from scenes.kit.scene import LessonScene
from scenes.kit.theme import theme
from scenes.kit.timeline import TICKS_PER_SECOND
from scenes.kit.wording import ORDINALS, said
from scenes.query_key_matching import PLANE_CORNER, PLANE_UNIT, RULER_GAP, RULER_ROOM

NAME = "query_key_matching"
CLOSE = 0.4  # s between a number and the word that brings it
EXAMPLE = "query = [1, 0]", "keys = [[1, 0], [0, 1]]"


@cache
def played() -> LessonScene:
    """The chapter as shipped, played once."""
    return play_chapter(NAME)


def changed(folder: Path, query: str, keys: str) -> LessonScene:
    new = f"query = {query}", f"keys = {keys}"
    return play_chapter(NAME, changed_lesson(folder, *zip(EXAMPLE, new, strict=True)))


def spoken(scene: LessonScene) -> str:
    return " ".join(line.text for line in scene.timeline.lines)


@pytest.mark.parametrize(
    ("fact", "line", "word"),
    [
        ("worked_example.q[0]", "shadows", "query"),
        ("worked_example.k[0,0]", "shadows", "keys"),
        ("worked_example.scores[0]", "shadows.first", "length"),
        ("worked_example.scores[1]", "shadows.second", "all"),
        ("worked_example.v[0,0]", "predict_value", "value"),
        ("sequence.q[0,0]", "sweep_one_row", "queries"),
        ("sequence.k[0,0]", "sweep_one_row", "keys"),
        ("sequence.scores[0,0]", "sweep_one_row.first_row", "sweeps"),
    ],
)
def test_numbers_come_with_their_words(fact: str, line: str, word: str) -> None:
    timeline = played().timeline
    word_begins = word_at(timeline, f"{NAME}.{line}", word)
    assert min(abs(second - word_begins) for second in shown_at(timeline, fact)) < CLOSE


def test_equal_scores_have_no_winner(tmp_path: Path) -> None:
    scene = changed(tmp_path, "[1, 1]", "[[1, 0], [0, 1]]")
    assert "Both keys score the same, so their values weigh the same." in spoken(scene)
    (cue,) = scene.timeline.cues
    assert cue.choices[cue.answer] == "Both equally"
    assert "equally well" in cue.explain


def test_directions_are_named_as_they_are(tmp_path: Path) -> None:
    scene = changed(tmp_path, "[1, 0]", "[[-2, 0], [0.5, 0.5]]")
    text = spoken(scene)
    assert "Along the first key, the query reaches backwards, by its full length." in text
    assert "Along the second key, the query reaches a part of its own length." in text
    assert "The second key scores higher" in text
    (cue,) = scene.timeline.cues
    assert cue.choices[cue.answer] == "The second value"


def test_scores_that_hardly_differ_have_no_winner(tmp_path: Path) -> None:
    scene = changed(tmp_path, "[1, 1]", "[[1, 0], [0, 0.999]]")
    assert "Both keys score almost the same, so their values weigh almost the same." in spoken(scene)
    (cue,) = scene.timeline.cues
    assert cue.prompt == "To two decimals, which value will weigh more?"
    assert cue.choices[cue.answer] == "Both equally"
    assert "almost equally well" in cue.explain


SCORES = [(0, 0, -1), (1, 1.003, -0.718), (1, 1.001, 0.5)]  # the second: 0.43, 0.44 and 0.13


@pytest.mark.parametrize("scores", SCORES)
def test_exactly_one_choice_is_right(tmp_path: Path, scores: tuple[float, ...]) -> None:
    keys = [[score, 1] for score in scores]
    values = VALUES[0], "values = [[1, 0], [0, 1], [1, 1]]"
    lesson = changed_lesson(tmp_path, (EXAMPLE[1], f"keys = {keys}"), values)
    (cue,) = play_chapter(NAME, lesson).timeline.cues
    powers = [exp(score / sqrt(2)) for score in scores]
    weights = [power / sum(powers) for power in powers]
    if "decimals" in cue.prompt:  # the question is about the figures shown
        weights = [float(f"{weight:.2f}") for weight in weights]
    best = [n for n, weight in enumerate(weights) if weight == max(weights)]
    assert cue.answer == (best[0] if len(best) == 1 else len(cue.choices) - 1)


def test_a_little_more_than_half_is_not_called_most(tmp_path: Path) -> None:
    scene = changed(tmp_path, "[1, 0]", "[[1, 0], [1.04, 1]]")  # 0.493 and 0.507
    assert "The second key scores higher, so its value gets a little more weight." in spoken(scene)
    (cue,) = scene.timeline.cues
    assert cue.prompt == "Which value will the output give more weight?"


@pytest.mark.parametrize(
    ("keys", "matches"),
    [
        ("[[0.1, 0], [10, 10]]", ["a positive match"] * 2),  # 0.1 is less than 10
        ("[[10, 0], [6, 8]]", ["a full match", "some match"]),
    ],
)
def test_no_match_is_called_better_than_one_that_scores_higher(tmp_path: Path, keys: str, matches: list[str]) -> None:
    assert re.findall(r"the sum is \S+: ([^.]*)", spoken(changed(tmp_path, "[1, 0]", keys)), re.I) == matches


@pytest.mark.parametrize(
    ("keys", "explained"),
    [
        ("[[0, 1], [0, -2]]", "Both keys score the same, so their values weigh the same."),
        ("[[0, 1], [-1, 0]]", "The first key scores higher than the other, so its value weighs more."),
    ],
)
def test_keys_that_do_not_match_are_not_said_to_match_well(tmp_path: Path, keys: str, explained: str) -> None:
    (cue,) = changed(tmp_path, "[1, 0]", keys).timeline.cues
    assert cue.explain == explained


def test_next_to_a_right_angle_a_query_reaches_only_a_little(tmp_path: Path) -> None:
    text = spoken(changed(tmp_path, "[1, 0]", "[[1, 100], [-1, 100]]"))
    assert "Along the first key, the query reaches only a little." in text
    assert "Along the second key, the query reaches backwards, and only a little." in text
    assert "some match" not in text


def test_entries_have_the_digits_that_make_their_scores() -> None:
    facts = load(Path(__file__).parent / "lessons" / "five_keys.toml").facts
    q, k, scores = (facts[f"worked_example.{name}"] for name in ("q", "k", "scores"))
    assert digits_of(q, k, scores) == 4  # 0.7071 * 1.25 + 1.41 * 0.333 would be 1.35, and the score is 1.36


def test_short_keys_have_a_scale_of_their_own() -> None:
    facts = load(Path(__file__).parent / "lessons" / "millions.toml").facts
    q, k = facts["worked_example.q"], list(facts["worked_example.k"])
    plane = Plane.around(q, k, PLANE_CORNER, PLANE_UNIT, k[:2], RULER_GAP, RULER_ROOM)
    assert plane.own_scale > plane.unit
    lengths = [dist(plane.origin, plane.to(key)) for key in k]
    true = [hypot(*map(float, key)) for key in k]
    assert [each / lengths[0] for each in lengths] == pytest.approx([each / true[0] for each in true])


def test_a_sum_of_more_products_than_are_shown_says_of_how_many() -> None:
    lesson = load(Path(__file__).parent / "lessons" / "cyrillic.toml")
    shown = shown_at(play_chapter(NAME, lesson).timeline, "sequence.d_k")
    assert len(shown) == 1
    assert int(lesson.facts["sequence.d_k"]) > MOST_FEATURES


MANY = "[[1, 0], [0, 1], [-1, 0], [0.8, 0.6], [0.6, -0.8]]"
VALUES = "values = [[10, 0], [0, 6]]", "values = [[10, 0], [0, 6], [3, 3], [1, 2], [5, 5]]"


def test_of_many_keys_the_best_and_the_worst_are_measured(tmp_path: Path) -> None:
    lesson = changed_lesson(tmp_path, (EXAMPLE[1], f"keys = {MANY}"), VALUES)
    scene = play_chapter(NAME, lesson)
    text = spoken(scene)
    assert "Here are five keys and a query; let us measure two of the keys. Along the first key, the query" in text
    assert "Along the third key, the query reaches backwards, by its full length." in text
    assert "The first key scores highest, so its value gets the most weight." in text
    (cue,) = scene.timeline.cues
    assert (len(cue.choices), cue.choices[cue.answer]) == (6, "The first value")
    assert cue.prompt == "Which value will the output give the most weight?"


TOKENS = 'tokens = ["The", "animal", "was", "too", "tired", "."]'


def test_keys_that_are_not_shown_count_too(tmp_path: Path) -> None:
    nine = 'tokens = [".", ",", ";", ":", "!", "?", "-", "+", "*"]'
    lesson = changed_lesson(tmp_path, (TOKENS, nine), ("seed = 0", "seed = 2"))
    row = [float(score) for score in lesson.facts["sequence.scores"][5]]
    assert row.index(max(row)) > 5  # the picture has six keys
    best = max(range(6), key=row.__getitem__)
    tokens = lesson.facts["sequence.tokens"]
    said = f"In the row of “{tokens[5]}”, no key shown matches better than that of “{tokens[best]}”."
    assert said in spoken(play_chapter(NAME, lesson))


def test_the_best_key_of_a_row_is_the_best_of_all() -> None:
    lesson = load(Path(__file__).parent / "lessons" / "twelve_tokens.toml")
    # "the" stands twice, so that places are named and not words
    said = re.search(r"In the (\w+) row, the key of the (\w+) token matches best", spoken(play_chapter(NAME, lesson)))
    assert said
    row = [float(score) for score in lesson.facts["sequence.scores"][ORDINALS.index(said[1])]]
    assert row.index(max(row)) == ORDINALS.index(said[2])


def test_a_word_that_stands_once_is_named_by_itself() -> None:
    tokens = [str(token) for token in played().lesson.facts["sequence.tokens"]]
    said = re.search("In the row of “(.+?)”, the key of “(.+?)” matches best", spoken(played()))
    assert said
    row = [float(score) for score in played().lesson.facts["sequence.scores"][tokens.index(said[1])]]
    assert tokens[row.index(max(row))] == said[2]


@pytest.mark.parametrize("name", ["accents", "cyrillic", "five_keys", "millions"])
def test_rulers_keep_apart_and_within_their_room(name: str) -> None:
    facts = load(Path(__file__).parent / "lessons" / f"{name}.toml").facts
    q, k = facts["worked_example.q"], facts["worked_example.k"]
    pair = [k[int(facts[f"worked_example.{which}_index"])] for which in ("strongest", "weakest")]
    plane = Plane.around(q, list(k), PLANE_CORNER, PLANE_UNIT, pair, RULER_GAP, RULER_ROOM)
    one, other = ruler_lines(plane, q, pair, RULER_GAP)
    left, top, right, bottom = RULER_ROOM
    assert not cross(one.reach, other.reach)
    for x, y in (*one.ends, *other.ends):
        assert left - 1 < x < right + 1
        assert top - 1 < y < bottom + 1
    arrows = [(plane.origin, plane.to(vector)) for vector in (q, *pair)]
    assert not [arrow for arrow in arrows for ruler in (one, other) if cross(ruler.ends, arrow)]


@pytest.mark.parametrize("name", ["ties", "twelve_tokens"])
def test_the_answer_rests_before_it_leaves(name: str) -> None:
    scene = play_chapter(NAME, load(Path(__file__).parent / "lessons" / f"{name}.toml"))
    (said,) = [line for line in scene.timeline.lines if line.id == f"{NAME}.answer"]
    (beat,) = [beat for beat in scene.timeline.beats if beat.name == "answer"]
    assert (beat.end - said.end) / TICKS_PER_SECOND >= theme().pace.rest


@pytest.mark.parametrize(("name", "seen"), [("ties", True), ("twelve_tokens", False)])
def test_why_equal_words_differ_is_said_where_they_are_seen(name: str, seen: bool) -> None:
    scene = cast(EveryPair, play_chapter(NAME, load(Path(__file__).parent / "lessons" / f"{name}.toml")))
    assert bool(scene.of_equal_words()) == seen  # of twelve tokens the second "the" is the seventh


def test_a_key_is_best_where_its_figure_shows_it_or_only_beyond_it(tmp_path: Path) -> None:
    narrow = [(f"{name} = {old}", f"{name} = 1") for name, old in (("d_model", 8), ("d_k", 4), ("d_v", 4), ("h", 2))]
    seed, tokens = ("seed = 0", "seed = 4364"), (TOKENS, 'tokens = ["a", "b", "c"]')
    lesson = changed_lesson(tmp_path, *narrow, seed, tokens)
    row = [float(score) for score in lesson.facts["sequence.scores"][2]]
    assert max(row) - min(row) < 0.01
    assert "matches best, though only beyond the second decimal." in spoken(play_chapter(NAME, lesson))
    assert "beyond" not in spoken(played())


def test_words_that_sound_alike_are_named_by_their_places() -> None:
    lesson = load(Path(__file__).parent / "lessons" / "millions.toml")  # One million and one
    (line,) = [each.text for each in play_chapter(NAME, lesson).timeline.lines if each.id.endswith(".look_closer")]
    assert re.fullmatch(r"Take the (\w+) token’s query and the (\w+) token’s key\.", line)


@pytest.mark.parametrize(
    ("score", "place"), [(-9e8, "{0}"), (1_234_567.5, "about {0}"), (480.25, "about {0}"), (0.5, "{1}")]
)
def test_only_rounded_scores_are_about_what_is_said(score: float, place: str) -> None:
    assert said(Fact("score", score))[0] == place


def test_scores_next_to_zero_are_not_called_matches() -> None:
    text = spoken(play_chapter(NAME, load(Path(__file__).parent / "lessons" / "thousandths.toml")))
    assert "just above zero: nearly the same direction, but small numbers." in text
    assert "Both keys score next to zero, so their values weigh almost the same." in text


FIVE = load(Path(__file__).parent / "lessons" / "five_keys.toml").facts
PARTS = [f"worked_example.{name}" for name in ("q", "k", "v", "scores")]


def test_rounded_entries_are_not_said_to_be_equal() -> None:
    rounded, whole = (VectorName("k", FIVE["worked_example.k"][i], "key", 4) for i in (0, 1))
    assert ["approx" in str(name[0][0].markup) for name in (rounded, whole)] == [True, False]  # -0.3333, -1.0625
    assert not Flow(*(FIVE[part] for part in PARTS)).whole
    assert Flow(*(played().lesson.facts[part] for part in PARTS)).whole


@pytest.mark.parametrize("keys", [((480.123, 0), (480.345, 1)), ((480.123, 0), (480.345, 1), (480.123, 2))])
def test_scores_that_differ_are_shown_to_differ(keys: tuple[tuple[float, float], ...]) -> None:
    """The higher one is said to be."""
    config = WorkedExample(query=(1, 0), keys=keys, values=len(keys) * ((1, 2),))
    computed = worked_example.facts(config)
    q, k, v, scores = (Fact(part, computed[part]) for part in ("q", "k", "v", "scores"))
    labels = [mob for mob in Flow(q, k, v, scores).score_labels(scores) if cast(Label, mob).figures]
    assert [cast(Label, label).figures[0].shown for label in labels] == ["480.1", "480.3", "480.1"][: len(keys)]


@settings(max_examples=60)
@given(matchings() | extreme_matchings(), st.lists(arrows(6), min_size=5, max_size=5))
def test_scores_stand_beside_the_cells(tables: tuple[dict[str, Any], ...], values: list[list[float]]) -> None:
    """However long all numbers are; and there is a line to be seen from each column to the next."""
    keys = tables[0]["keys"]
    computed = worked_example.facts(WorkedExample.model_validate(tables[0] | {"values": values[: len(keys)]}))
    q, k, v, scores = (Fact(part, computed[part]) for part in ("q", "k", "v", "scores"))
    flow = Flow(q, k, v, scores)
    cells = [part for part in (*flow.query, *flow.keys, *flow.values) if isinstance(part, Cell | Label)]
    for score in flow.score_labels(scores):
        apart = [right(score) <= left(part) or right(part) <= left(score) for part in cells]
        above = [bottom(score) <= top(part) or bottom(part) <= top(score) for part in cells]
        assert all(a or b for a, b in zip(apart, above, strict=True))
    for i, links in enumerate(flow.links):
        assert all(left(after) - right(link) > 0 for link, after in pairwise(links)), i
        assert all(right(link) - left(link) >= 16 for link in links), i


def test_points_of_a_column_stand_under_each_other() -> None:
    flow = Flow(*(FIVE[part] for part in PARTS))
    points: dict[str, list[float]] = {}
    for label in (mob for mob in flow.keys if isinstance(mob, Label) and mob.figures):
        (figure,) = label.figures
        before = words("{}", Fact("text", figure.shown.partition(".")[0]), em=label.em).advance
        points.setdefault(figure.fact[-2:], []).append(label.origin[0] + before)
    assert {len(column) for column in points.values()} == {5}
    for column in points.values():
        assert column == pytest.approx([column[0]] * 5, abs=0.01)


def opacity(label: VMobject) -> float:
    return max(float(part.get_fill_opacity()) for part in label.family_members_with_points())


@pytest.mark.parametrize("count", [1, 2, 4])
def test_falling_products_never_lie_on_one_another(count: int) -> None:
    products, again = (
        VGroup(*[words("product").place(0, 226 + 72 * row, "center") for row in range(count)]) for _ in range(2)
    )
    rule_y, steps = 226.0 + 72 * (count - 1) + 54, 60
    falling = EveryPair.fall(products, again, rule_y)
    for animation in falling:
        animation.begin()
    for step in range(1, steps + 1):
        for animation in falling:
            animation.interpolate(step / steps)
        seen = [mob for mob in (*products, *again) if opacity(mob)]
        assert not [pair for pair in combinations(seen, 2) if overlap(*pair)]
        assert all(bottom(mob) < rule_y for mob in seen)
    assert all(not opacity(mob) for mob in products)
    assert [opacity(mob) for mob in again] == pytest.approx([1] * count)


def test_of_some_products_those_are_shown_that_the_digits_make(tmp_path: Path) -> None:
    words_of_it = ('tokens = ["The", "animal", "was", "too", "tired", "."]', 'tokens = ["2", "+", "2", "=", "5"]')
    sizes = ("d_model = 8\nd_k = 4", "d_model = 6\nd_k = 8"), ("seed = 0", "seed = 31")
    timeline = play_chapter(NAME, changed_lesson(tmp_path, words_of_it, *sizes)).timeline
    shown = {number.fact: float(number.shown.replace("\u2212", "-")) for number in timeline.numbers}
    places = [re.findall(r"\d+", fact) for fact in shown if fact.startswith("sequence.products[")]
    assert len(places) == MOST_FEATURES - 1
    for i, j, feature in places:
        made = shown[f"sequence.q[{i},{feature}]"] * shown[f"sequence.k[{j},{feature}]"]
        assert abs(made - shown[f"sequence.products[{i},{j},{feature}]"]) <= 0.005 + 1e-9
