"""What the opening says of its weights holds for the weights, whatever they are."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from drawn_lessons import openings
from hypothesis import given, settings

from lesson.config import Opening
from lesson.facts import FactReader, Facts
from lesson.opening import facts
from scenes.kit.cast import Cast
from scenes.kit.figures import filled, rounded_to


def cast_of(table: dict[str, Any]) -> Cast:
    values = facts(Opening.model_validate(table))
    return Cast(FactReader(Facts({f"opening.{name}": value for name, value in values.items()})))


def opening(offers: dict[str, dict[str, float]], wanted: float = 2.0, tokens: str = "It met Ann and Bo and Cy") -> Cast:
    return cast_of(
        {
            "tokens": tokens.split(),
            "query_token": 1,
            "dimensions": ["noun", "verb", "mark"],
            "looks_for": {"noun": wanted, "mark": wanted},
            "offers": offers,
        }
    )


def said(cast: Cast) -> str:
    return re.sub(r"\[(?:[a-z]+\|)?([^]]*)\]", r"\1", filled(*cast.won())[0])


@settings(max_examples=40)
@given(openings())
def test_what_is_said_of_the_winner_holds(table: dict[str, Any]) -> None:
    cast = cast_of(table)
    weights = np.array(cast.weights.value)
    others = np.delete(weights, cast.who)
    text, blend = cast.won()[0], cast.becomes()[0]
    assert weights[cast.best] >= others.max() - 1e-9
    equals = {table["tokens"][i] for i in np.flatnonzero(np.abs(weights - weights.max()) < 1e-9)}
    assert ("share" in text or "same" in text or "are [wins|ahead]" in text) == (len(equals) > 1)
    if "gets only" in text:
        assert weights[cast.pair[1]] <= 0.8 * weights[cast.best]
    shown = [rounded_to(float(weight), 2) for weight in weights]
    assert ("All words" in text) == (len(set(shown)) == 1)
    behind = [figure for word, figure in zip(table["tokens"], shown, strict=True) if word not in equals]
    if "every other word" in text:
        assert len(set(behind)) == 1
    if len(set(shown)) > 1:
        assert ("beyond the second decimal" in text) == (max(shown) in behind)
    if len(set(shown)) == 1:
        assert {cast.who, *cast.mattering} >= {cast.who, *cast.pair}
        assert len({str(cast.tokens[i]) for i in (*cast.mattering, cast.who)}) == len({*map(str, cast.tokens)})
    if "nearly as much" in text:
        assert 0.8 * weights[cast.best] < weights[cast.pair[1]] < weights[cast.best]
    if "next to nothing" in text:
        assert weights[cast.pair[1]] < 0.005
    if "almost all" in blend:
        assert weights[cast.best] >= 0.95
    filled(*cast.becomes())
    for sentence in cast.won(), cast.fits():
        assert "1.00" not in filled(*sentence)[0], "what is less than one is not told as one"


@settings(max_examples=100)
@given(openings())
def test_what_is_said_of_the_blend_holds_for_words_that_stand_more_than_once(table: dict[str, Any]) -> None:
    cast = cast_of(table)
    weights, tokens = np.array(cast.weights.value), table["tokens"]
    totals = {word: sum(w for w, token in zip(weights, tokens, strict=True) if token == word) for word in tokens}
    leading = {tokens[i] for i in np.flatnonzero(np.abs(weights - weights.max()) < 1e-9)}
    least, most = min(totals[word] for word in leading), max(totals.values())
    next_ = max((total for word, total in totals.items() if word not in leading), default=0)
    blend = filled(*cast.becomes())[0]
    if "most of all" in blend or "almost all" in blend or "a little more" in blend:
        assert least > next_
    assert ("single share" in blend) <= (next_ >= least)
    assert ("a little more" in blend) <= (next_ > 0.8 * least)
    if "any other word" in blend:
        assert min(total for word, total in totals.items() if word not in leading) > 0.8 * least
    if "a trace" in blend:
        assert sum(totals[word] for word in leading | {word for word in totals if f"of “{word}”," in blend}) >= 0.95
    if "draw on most" in cast.question:
        assert next_ < least
        assert most < least + len(tokens) * 1e-9, "those that lead get the same in all"
    assert cast.asked
    assert tokens[cast.who] not in [tokens[i] for i in cast.asked]


@settings(max_examples=40)
@given(openings())
def test_every_choice_of_words_to_show_has_those_that_are_spoken_of(table: dict[str, Any]) -> None:
    cast = cast_of(table)
    for needed in cast.needed:
        assert {cast.who, *cast.pair} <= set(needed)
    for i in cast.offers:
        shown, wanted = cast.rows(i).keys(), cast.offers[i].keys() & cast.wanted.keys()
        assert shown <= cast.offers[i].keys()
        assert wanted <= shown or shown <= wanted, "what is looked for comes first"


def test_a_clear_winner_a_close_one_and_ties_are_told_apart() -> None:
    assert said(opening({"Ann": {"noun": 1}, "Bo": {"noun": 0.25}})).endswith("“Bo” gets only 0.14.")
    assert said(opening({"Ann": {"noun": 1}, "Bo": {"verb": 1}})).endswith("every other word gets only 0.11.")
    assert "wins by little" in said(opening({"Ann": {"noun": 1}, "Bo": {"noun": 0.95}}))
    tied = opening({"Ann": {"noun": 1}, "Bo": {"noun": 1}})
    assert said(tied) == "“Ann” and “Bo” share the largest weight: 0.28 each."
    assert "that of “Bo” fits just as well: each gets 0.28." in filled(*tied.fits())[0]
    assert said(opening({name: {"noun": 1} for name in ("Ann", "Bo", "Cy")})).startswith("“Ann”, “Bo” and “Cy”")
    four = opening({name: {"noun": 1} for name in ("Ann", "Bo", "Cy", "met")})
    assert said(four).startswith("Several words")
    assert "almost all the weight" in said(opening({"Ann": {"noun": 2, "mark": 2}}, wanted=6))


def test_words_that_stand_twice_are_named_once() -> None:
    twice = opening({"Ann": {"noun": 1}}, tokens="It saw Ann and Ann")
    assert said(twice).startswith("“Ann” wins with a weight of 0.34 each time; every other word")
    assert not twice.tied
    assert "so each “Ann” gets" in filled(*twice.fits())[0]
    tied = opening({"Ann": {"noun": 1}, "Bo": {"noun": 1}}, tokens="It met Ann and Bo and Bo")
    assert said(tied) == "“Ann” and “Bo” share the largest weight: 0.23 each time."
    assert "key fits" in tied.question


def test_a_word_that_gets_less_but_stands_more_often_is_not_outdone() -> None:
    often = opening({"Ann": {"noun": 1}, "Bo": {"noun": 0.9}}, tokens="It met Ann and Bo and Bo")
    assert "each “Bo” gets nearly as much" in said(often)
    assert often.becomes()[0].startswith("the largest single share from")
    assert "key fits" in often.question
    assert "draw on most" in opening({"Ann": {"noun": 1}, "Bo": {"noun": 0.8}}).question


def test_neither_a_mark_nor_the_same_word_is_asked_for_where_it_offers_nothing() -> None:
    names = {"rains": {"noun": 1.0}}
    for tokens in ("It rains .", "It It rains", "It « rains"):
        assert opening(names, tokens=tokens).asks()[0].startswith("Does")
    marks = opening({"Ann": {"noun": 1}, "!": {"noun": 0.5}}, tokens="It met Ann !")
    assert [str(marks.tokens[i]) for i in marks.asked] == ["Ann", "!"]


def test_of_a_word_that_looks_and_stands_twice_it_is_asked_which_it_is() -> None:
    def asks(tokens: str, query_token: int) -> str:
        words = {"tokens": tokens.split(), "query_token": query_token}
        given_ = {"dimensions": ["noun"], "looks_for": {"noun": 1}, "offers": {"Ann": {"noun": 1}}}
        return cast_of(words | given_).asks()[0].replace("who|{}", "who")

    assert asks("It met Ann", 1).startswith("What gives “[who]” its")
    assert asks("It met Ann and It went", 5).startswith("What gives the second “[who]” its")
    assert asks("so so so so so so so Ann", 7).startswith("Does this “[who]” get its")


def test_weights_that_are_shown_alike_and_differ_are_told_so() -> None:
    near = opening({"Ann": {"noun": 1}, "Bo": {"noun": 0.9999}})
    assert said(near) == "“Ann” is ahead of “Bo” only beyond the second decimal: each gets about 0.28."
    assert near.becomes()[0].startswith("a little more of [most|“{}”] than of “{}”, and a share")
    runners = opening({"Ann": {"noun": 1}, "Bo": {"noun": 0.5}, "Cy": {"noun": 0.5}})
    assert said(runners).endswith("“Bo” and “Cy” get only 0.17.")
    third = opening({"Ann": {"noun": 1}, "Bo": {"noun": 1}, "Cy": {"noun": 0.9999}})
    assert said(third).endswith("“Cy” gets less only beyond the second decimal.")


def test_words_that_all_lead_but_the_one_that_looks_are_told_as_all() -> None:
    four = opening({word: {"noun": 1.0} for word in "abcd"}, wanted=3, tokens="It a b c d")
    assert said(four).startswith("All other words share")
    assert filled(*four.becomes())[0].startswith(
        "most of all [most|the other words], and a trace of [rest|“It” itself]"
    )


def test_numbers_too_small_to_matter_leave_all_words_the_same() -> None:
    assert said(opening({"Ann": {"noun": 1e-9}}, wanted=1e-3)).startswith("All words get the")


def test_of_two_words_the_rest_is_the_one_that_looks() -> None:
    blend, named = opening({"rains": {"noun": 1.0}}, tokens="It rains").becomes()
    assert filled(blend, named)[0].endswith("of all [most|“rains”], and a share of [rest|“It” itself]")
    assert "everything else" in opening({"met": {"noun": 1.0}}, tokens="It met Ann").becomes()[0]
