"""The opening: what a line names comes with its word, and other sentences and vectors keep the picture whole."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from kit_helpers import changed_lesson, play_chapter, shown_at, word_at

from lesson import load
from pipeline.audit.clip import audited, played_and_audited
from scenes import chapter, scene_class
from scenes.kit.blend import blended
from scenes.kit.geometry import left, right
from scenes.kit.theme import theme
from scenes.kit.timeline import TICKS_PER_SECOND
from scenes.opening import Opening

if TYPE_CHECKING:
    from scenes.kit.timeline import Timeline

CLOSE, WIDEST_GAP = 0.4, 90  # s; px between words
LESSONS = Path(__file__).parent / "lessons"
OPENING = scene_class(chapter("opening"))


@cache
def timeline() -> Timeline:
    return play_chapter("opening").timeline


@pytest.mark.parametrize(
    ("fact", "line_id", "word"),
    [
        ("opening.q[0]", "opening.keys.by_hand", "numbers"),
        ("opening.d_k", "opening.scale", "four"),
        ("opening.scale", "opening.scale", "two"),
        ("opening.weights[1]", "opening.weigh", "weights"),
        ("opening.weight_sum", "opening.weigh", "exactly"),
    ],
)
def test_a_figure_comes_with_its_word(fact: str, line_id: str, word: str) -> None:
    assert shown_at(timeline(), fact)[0] == pytest.approx(word_at(timeline(), line_id, word), abs=CLOSE)


def test_scores_stand_side_by_side_before_the_keys_leave() -> None:
    line = next(line for line in timeline().lines if line.id == "opening.match.others")
    after = next(line for line in timeline().lines if line.id == "opening.compare")
    assert after.start - line.end >= theme().pace.rest * TICKS_PER_SECOND


def test_the_question_comes_before_any_score() -> None:
    scores = [figure.start for figure in timeline().numbers if figure.fact.startswith("opening.scores[")]
    assert min(scores) >= timeline().cues[0].reveal_at


def test_scores_are_divided_before_they_become_weights() -> None:
    first = {name: min(f.start for f in timeline().numbers if f.fact.startswith(f"opening.{name}[")) for name in NAMES}
    assert sorted(NAMES, key=lambda name: first[name]) == NAMES


NAMES = ["scores", "scaled", "weights"]
TOKENS = 'tokens = ["The", "animal", "didn’t", "cross", "the", "street", "because", "it", "was", "too", "tired", "."]'
OFFERS = "animal = { noun = 1, animate = 1 }\nstreet = { noun = 1, place = 1 }\ncross = { action = 1 }\n"
OTHERS = {
    "one offers": [(OFFERS, "animal = { noun = 1, animate = 1 }\n")],
    "the first word looks": [
        (TOKENS, 'tokens = ["She", "saw", "Anna", ",", "not", "Berta", "!"]'),
        ('query_token = "it"', 'query_token = "She"'),
        (OFFERS, "Anna = { noun = 1, animate = 0.8 }\nBerta = { noun = 0.25 }\n"),
    ],
    "one entry meets": [("looks_for = { noun = 3.5, animate = 3.5 }", "looks_for = { noun = 3.5 }")],
    "a wide first word wins": [
        (TOKENS, 'tokens = ["Wolfgangs", "wife", "wrote", "what", "we", "all", "think", "it", "was", "."]'),
        (OFFERS, "Wolfgangs = { noun = 1, animate = 1 }\nwife = { noun = 1 }\nwrote = { action = 1 }\n"),
    ],
    "six dimensions": [
        ('dimensions = ["noun", "animate", "place", "action"]',
         'dimensions = ["noun", "animate", "abstract", "personal", "relation", "movement"]'),
        ("looks_for = { noun = 3.5, animate = 3.5 }", "looks_for = { noun = 2.75, animate = 3.5, personal = 1 }"),
        (OFFERS, "animal = { noun = 1, animate = 1 }\nstreet = { noun = 1, abstract = 1 }\n"),
    ],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("changes", OTHERS.values(), ids=OTHERS.keys())
def test_other_sentences_and_vectors_keep_the_picture_whole(changes: list[tuple[str, str]], tmp_path: Path) -> None:
    assert audited(OPENING, changed_lesson(tmp_path, *changes)) == []


@pytest.mark.slow
def test_words_that_tie_share_the_largest_weight() -> None:
    timeline = play_chapter("opening", load(LESSONS / "ties.toml")).timeline
    assert next(line.text for line in timeline.lines if line.id == "opening.winner").startswith("“Tom” and “Tim” share")
    assert timeline.cues[0].choices[timeline.cues[0].answer] == "several alike"


@pytest.mark.slow
def test_words_that_tie_stand_out_alike() -> None:
    scene = play_chapter("opening", load(LESSONS / "ties.toml"))
    assert isinstance(scene, Opening)
    assert sorted(str(scene.tokens[i]) for i in scene.stars) == ["Tim", "Tom"]


@pytest.mark.slow
def test_a_key_below_makes_no_hole_in_the_sentence() -> None:
    scene = play_chapter("opening", load(LESSONS / "twelve_tokens.toml"))
    assert isinstance(scene, Opening)
    line = [scene.line.words[i] for i in sorted(scene.line.words)]
    assert max(left(after) - right(before) for before, after in pairwise(line)) < WIDEST_GAP


def test_shares_that_would_not_be_seen_are_hairlines() -> None:
    facts = load(LESSONS / "almost_all.toml").facts
    weights = facts["opening.weights"]
    best = int(facts["opening.strongest_index"])
    bar = blended(weights, [best], (0, 0, 1000, 90), gap=6, strength=0.5)
    assert min(float(weight) for weight in weights) < 1e-4
    assert min(right(share) - left(share) for share in bar) > 1
    assert right(bar) - left(bar) == pytest.approx(1000, abs=4)


@pytest.mark.slow
def test_a_sentence_of_two_words_has_no_rival() -> None:
    scene, findings = played_and_audited(OPENING, load(LESSONS / "two_tokens.toml"))
    assert findings == []
    assert sorted(scene.timeline.cues[0].choices) == ["It", "rains"]
    assert not any("only" in line.text for line in scene.timeline.lines if line.id == "opening.winner")
