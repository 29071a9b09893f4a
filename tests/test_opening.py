"""The opening: what a line names comes with its word, and other sentences and vectors keep the picture whole."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from kit_helpers import changed_lesson, play_chapter, shown_at, word_at

from lesson import Fact, FactReader, load
from pipeline.audit.clip import audited, played_and_audited
from scenes import chapter, scene_class
from scenes.kit.blend import blended, glance, share_labels
from scenes.kit.cast import Cast
from scenes.kit.figures import filled
from scenes.kit.geometry import bottom, centre, left, right, top
from scenes.kit.labels import Label, words
from scenes.kit.narration import marked
from scenes.kit.sentence import DOTS, TIGHT, Sentence, common_power, figures
from scenes.kit.tags import Tags
from scenes.kit.theme import theme
from scenes.kit.timeline import TICKS_PER_SECOND
from scenes.kit.wording import reading
from scenes.opening import Opening

if TYPE_CHECKING:
    from manim import VGroup

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
    "wide scores": [
        (TOKENS, 'tokens = ["a", "b", "c", "it", "d", "e", "f", "g"]'),
        ('dimensions = ["noun", "animate", "place", "action"]', 'dimensions = ["x"]'),
        ("looks_for = { noun = 3.5, animate = 3.5 }", "looks_for = { x = 0.0123 }"),
        (OFFERS, "a = { x = 0.0123 }\nb = { x = 0.0234 }\n"),
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


ROOM, GAP = 1000, 6  # px, of the bar and in it


def shares_of(weights: Fact, best: int) -> list[tuple[float, float]]:
    bar = blended(weights, [best], (0, 0, ROOM, 90), gap=GAP, strength=0.5)
    return [(left(share) - left(bar), right(share) - left(bar)) for share in bar]


def test_shares_that_would_not_be_seen_take_no_room() -> None:
    facts = load(LESSONS / "almost_all.toml").facts
    best = int(facts["opening.strongest_index"])
    shares = shares_of(facts["opening.weights"], best)
    assert shares[best] == pytest.approx((0, ROOM), abs=0.1)


def test_what_is_not_seen_leaves_the_gap_between_what_is() -> None:
    first, unseen, last = shares_of(Fact("w", np.array([0.5, 1e-7, 0.5])), 0)
    assert last[0] - first[1] == pytest.approx(GAP, abs=0.1)
    assert unseen[1] - unseen[0] < 0.1


def test_shares_that_are_seen_are_as_wide_as_their_weights_and_fill_the_bar() -> None:
    facts = load(LESSONS / "ties.toml").facts
    weights = facts["opening.weights"]
    shares = shares_of(weights, 0)
    room = ROOM - GAP * (len(weights) - 1)
    for (start, end), weight in zip(shares, weights, strict=True):
        assert end - start == pytest.approx(room * float(weight), abs=0.1)
    assert all(after[0] - before[1] == pytest.approx(GAP, abs=0.1) for before, after in pairwise(shares))
    assert shares[-1][1] == pytest.approx(ROOM, abs=0.1)


def labelled(lesson: str) -> tuple[VGroup, dict[int, tuple[Label, Label | None]]]:
    facts = load(LESSONS / f"{lesson}.toml").facts
    weights, best = facts["opening.weights"], int(facts["opening.strongest_index"])
    bar = blended(weights, [best], (96, 860, 1728, 90), gap=GAP, strength=0.5)
    return bar, share_labels(facts["opening.tokens"], weights, [best], bar, range(len(weights)))


def test_a_word_that_its_share_has_no_room_for_stands_under_it() -> None:
    bar, labels = labelled("cyrillic")
    ((share, word),) = [(bar[i], word) for i, (_, word) in labels.items() if word and top(word) > bottom(bar)]
    assert centre(word)[0] == pytest.approx(centre(share)[0], abs=1)
    assert all(word for _, word in labels.values())


def test_no_word_stands_under_its_share_where_there_is_no_room_for_all_of_these() -> None:
    bar, labels = labelled("markup")
    assert any(word is None for _, word in labels.values())
    assert not any(word and top(word) > bottom(bar) for _, word in labels.values())


def cast_of(lesson: str) -> Cast:
    return Cast(FactReader(load(LESSONS / f"{lesson}.toml").facts))


@pytest.mark.parametrize("lesson", ["almost_all", "millions"])
def test_a_word_that_gets_no_more_than_any_does_not_matter(lesson: str) -> None:
    cast = cast_of(lesson)
    assert len(cast.pair) > 1
    assert cast.mattering == [cast.best]


@pytest.mark.parametrize("lesson", ["cyrillic", "ties", "two_tokens"])
def test_words_with_weights_worth_telling_matter(lesson: str) -> None:
    cast = cast_of(lesson)
    assert cast.mattering == cast.pair


def test_of_words_that_are_alike_none_is_singled_out() -> None:
    cast = cast_of("millions")
    assert "every other word gets only" in cast.won()[0]
    assert sorted([cast.best, *cast.rivals]) == list(range(len(cast.tokens)))
    assert cast_of("ties").rivals == cast_of("ties").pair[1:]


def test_where_all_weights_are_shown_alike_none_is_said_to_get_less() -> None:
    cast = cast_of("thousandths")
    assert cast.alike
    assert sorted([cast.who, *cast.mattering]) == list(range(len(cast.tokens)))
    for template, facts in (cast.won(), cast.fits()):
        assert "about 0.10" in filled(template, facts)[0]
    assert not cast_of("ties").alike


@pytest.mark.slow
def test_arcs_are_alike_where_weights_are_shown_alike() -> None:
    scene = play_chapter("opening", load(LESSONS / "thousandths.toml"))
    assert isinstance(scene, Opening)
    assert len({str(arc.get_stroke_color()) for arc in scene.arcs.values()}) == 1


def glanced(lesson: str) -> list[str]:
    cast = cast_of(lesson)
    picture = glance(cast.tokens, cast.weights, cast.who, cast.mattering, 628)
    return ["".join(figure.shown for figure in part.figures) or DOTS for part in picture if isinstance(part, Label)]


def test_dots_stand_for_words_that_matter_and_have_no_room_at_the_close() -> None:
    assert DOTS in glanced("thousandths")
    assert DOTS not in glanced("ties") + glanced("long_words")


@pytest.mark.slow
def test_names_of_what_keys_offer_are_set_alike() -> None:
    scene = play_chapter("opening", load(LESSONS / "long_words.toml"))
    assert isinstance(scene, Opening)
    wide = {str(name): words("{}", name).advance for name in scene.names}
    rows = [(scene.names[d], row.title) for tag in scene.tags.values() for d, row in tag.rows.items()]
    shares = [title.advance / wide[str(name)] for name, title in rows]
    assert max(shares) < 1
    assert shares == pytest.approx([shares[0]] * len(rows))


@pytest.mark.slow
def test_a_weight_that_is_shown_as_zero_is_said_to_be_above_it() -> None:
    scene = play_chapter("opening", load(LESSONS / "almost_all.toml"))
    assert isinstance(scene, Opening)
    (note,) = scene.rows.above_zero
    assert note.figures[0].shown == "0.00"
    assert 0 < float(str(note.figures[0].value)) < 1e-3
    assert shown_at(scene.timeline, note.figures[0].fact)
    x, _, w, _ = scene.line.chip(scene.who)
    assert right(note) < x or x + w < left(note)


@pytest.mark.slow
def test_it_is_said_where_the_only_weight_shown_as_zero_is_that_of_the_word_that_looks(tmp_path: Path) -> None:
    changes = [
        (TOKENS, 'tokens = ["Rain", "it"]'),
        ("looks_for = { noun = 3.5, animate = 3.5 }", "looks_for = { noun = 6, animate = 6 }"),
        (OFFERS, "Rain = { noun = 2, animate = 2 }\n"),
    ]
    scene, findings = played_and_audited(OPENING, changed_lesson(tmp_path, *changes))
    assert findings == []
    assert isinstance(scene, Opening)
    assert [note.figures[0].fact for note in scene.rows.above_zero] == ["opening.weights[1]"]


def test_no_weight_is_said_to_be_above_zero_where_none_is_shown_as_zero() -> None:
    scene = play_chapter("opening")
    assert isinstance(scene, Opening)
    assert scene.rows.above_zero == []


@pytest.mark.slow
def test_a_sentence_of_two_words_has_no_rival() -> None:
    scene, findings = played_and_audited(OPENING, load(LESSONS / "two_tokens.toml"))
    assert findings == []
    assert sorted(scene.timeline.cues[0].choices) == ["It", "rains"]
    said = {line.id: line.text for line in scene.timeline.lines}
    assert "only" not in said["opening.winner"]
    assert said["opening.ask"] == "Does “It” get its meaning from “rains”?"


def sentence_of(text: str) -> tuple[Sentence, float, float]:
    """A short text as the opening sets it, and the edges of its line."""
    tokens, start, end = text.split(), 96, 1630
    none = [0.0] * len(tokens)
    line = Sentence(
        Fact("tokens", tuple(tokens)), baseline=628, em=52, left=start, right=end, gap=27,
        least=[66.0] * len(tokens), hanging=none, tight=none, needed=[range(len(tokens))], framed=0,
    )  # fmt: skip
    return line, start, end


@pytest.mark.parametrize("count", range(2, 13))
def test_a_short_sentence_stands_in_the_middle_and_a_long_one_from_the_left_on(count: int) -> None:
    for word in "a", "words", "sentences":
        line, start, end = sentence_of(" ".join([word] * count))
        first, last = line.slots[0][0], line.slots[count - 1][1]
        assert last <= end
        if first > start:
            assert first - start == pytest.approx(end - last)
        else:
            assert last - first >= (end - start) / 2
            slots = sorted(set(line.slots.values()))
            assert all(after[0] - before[1] <= 27 * TIGHT + 1e-6 for before, after in pairwise(slots))


def test_scores_next_to_zero_have_one_power_of_ten_where_they_are_near_enough() -> None:
    facts = load(LESSONS / "thousandths.toml").facts
    rows = [figures(facts[f"opening.{name}"], power=common_power(facts["opening.scores"], facts["opening.scaled"]))
            for name in ("scores", "scaled")]  # fmt: skip
    shown = [figure.shown for row in rows for label in row.values() for figure in label.figures if figure.shown != "0"]
    assert len(shown) == 4
    assert {one.split("×")[1] for one in shown} == {" 10^−4"}
    assert common_power(Fact("scores", np.array([1e-3, 2.5e-4, 1e-9]))) == ""
    assert common_power(Fact("scores", np.array([3.0, 0.002]))) == ""
    assert common_power(Fact("scores", np.array([5e-4, 2e-5]))) == "{1e-4}"
    assert common_power(Fact("scores", np.array([5e-4, 2e-4]))) == "{0e-4}"


def test_a_query_stands_above_its_word_in_a_sentence_of_two_words_and_is_seen_to_walk() -> None:
    scene = play_chapter("opening", load(LESSONS / "two_tokens.toml"))
    assert isinstance(scene, Opening)
    word, other = scene.line.x(scene.who), scene.line.x(scene.best)
    assert (scene.made.above(word), scene.made.above(other)) == pytest.approx((word, other))
    assert other - word > WIDEST_GAP


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("“ Tom ’s dog ” , ( he said ) — it did n’t .", "“Tom’s dog”, (he said) — it didn’t."),
        ("« C’ est - à - dire l’ eau » !", "«C’est-à-dire l’eau»!"),
        ("„ Der “ Rest ist „ die E - Mail “ …", "„Der“ Rest ist „die E-Mail“…"),
        ("¿ Tú ? ¡ A / B !", "¿Tú? ¡A/B!"),
        ("The dogs ’ tails , ‘ they ’ said", "The dogs’ tails, ‘they’ said"),
        ("Came – late ... no", "Came – late... no"),
    ],
)
def test_marks_are_read_where_they_stand_in_print(text: str, said: str) -> None:
    tokens = Fact("opening.tokens", tuple(text.split()))
    template, marks = reading(tokens)
    assert marked(template, list(tokens))[0] == said
    assert len(marks) == len(tokens)


def test_sums_and_products_are_shown_without_a_computers_last_digits() -> None:
    sums = Fact("opening.scores", np.array([0.1 + 0.2, 0.3, 6 * 0.2, 0.7 + 0.2 + 0.1, 1.235]))
    assert [label.figures[0].shown for label in figures(sums).values()] == ["0.30", "0.30", "1.20", "1", "1.235"]
    assert [
        label.figures[0].shown
        for label in figures(Fact("opening.scores", np.array([0.1 + 0.2, 0.3, 6 * 0.2, 0.7 + 0.2 + 0.1]))).values()
    ] == ["0.3", "0.3", "1.2", "1"]


@pytest.mark.parametrize(
    ("wanted", "offered", "name"),
    [(1.2345, 2, "score ≈"), (1.25, 0.5, "score"), (1e-5, 2, "score"), (1.2345, 1.99, "score ≈"), (0.1, 0.3, "score")],
)
def test_a_score_that_the_digits_shown_do_not_make_is_said_to_be_about_that(
    wanted: float, offered: float, name: str, tmp_path: Path
) -> None:
    offers = f"animal = {{ noun = {offered} }}\n"
    change = ("looks_for = { noun = 3.5, animate = 3.5 }", f"looks_for = {{ noun = {wanted} }}")
    facts = FactReader(changed_lesson(tmp_path, change, (OFFERS, offers)).facts)
    made = Tags(Cast(facts), facts["opening.q"], facts["opening.k"])
    assert made.named(1, figures(facts["opening.scores"])[1]) == name
