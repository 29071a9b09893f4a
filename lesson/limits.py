"""Limits that tie several inputs together, or that only the computed numbers show."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lesson.config import SENTENCE_LETTERS, LessonConfig, Opening
from lesson.errors import FaultError, dotted
from lesson.facts import Facts

LARGEST_TOTAL = 8.0  # of the exponentials: more would leave the bars of the weights too thin to read
CLEAR_GAP = 0.05  # between the two largest weights, so that "which one?" has one answer
OFFERING_WORDS = 4  # what they offer hangs side by side under the sentence
CELL_LIMIT = 9.995  # a matrix cell shows one digit before the point


def check_inputs(config: LessonConfig) -> None:
    """Refuses inputs that contradict each other. Raises FaultError."""
    _check_opening(config.opening)
    paper = config.multi_head.paper
    if paper.d_model % paper.h:
        raise FaultError(
            "multi_head.paper.h",
            f"{paper.h} does not divide multi_head.paper.d_model = {paper.d_model}",
            "a whole number from 1 to 1024 that divides it",
        )


def check_pictures(facts: Facts) -> None:
    """Refuses numbers that the pictures cannot hold. Raises FaultError."""
    _check_opening_weights(facts)
    for group in ("worked_example", "practice"):
        _check_scores(facts, group)
    for key in ("x", "w_q", "w_k", "w_v", "q", "k", "v", "products", "scores"):
        _check_cells(facts, f"sequence.{key}", "sequence.seed")
    for key in ("w_q", "w_k", "w_v", "w_o", "q", "k", "v", "output"):
        _check_cells(facts, f"multi_head.{key}", "multi_head.seed")


def _check_opening(opening: Opening) -> None:
    letters = sum(len(token) for token in opening.tokens)
    if letters > SENTENCE_LETTERS:
        wrong = f"{letters} characters don't fit on one line"
        raise FaultError("opening.tokens", wrong, f"at most {SENTENCE_LETTERS} in all")
    if len(opening.offers) > OFFERING_WORDS:
        wrong = f"{len(opening.offers)} words offer something, which doesn't fit under the sentence"
        raise FaultError("opening.offers", wrong, f"at most {OFFERING_WORDS}")
    query_token = opening.tokens[query_place(opening)]
    _check_names(("opening", "looks_for"), opening.looks_for, "dimensions", opening.dimensions)
    _check_names(("opening", "offers"), opening.offers, "tokens", opening.tokens)
    for token, offered in opening.offers.items():
        place = ("opening", "offers", token)
        if token == query_token:
            wrong = "is the word that looks; below it stands what it looks for"
            raise FaultError(dotted(place), wrong, "the other tokens")
        _check_names(place, offered, "dimensions", opening.dimensions)


def _check_names(place: tuple[str, ...], names: Iterable[str], kind: str, known: tuple[str, ...]) -> None:
    for name in names:
        if name not in known:
            raise FaultError(dotted((*place, name)), f"is none of opening.{kind}", ", ".join(known))


def query_place(opening: Opening) -> int:
    """Index from 0 of the query token. Raises FaultError if there is none, or more than one."""
    wanted, tokens = opening.query_token, opening.tokens
    if isinstance(wanted, int):
        places = [wanted - 1] if 1 <= wanted <= len(tokens) else []
        wrong, allowed = f"there is no token {wanted}", f"1 to {len(tokens)}, or one of the tokens"
    else:
        places = [i for i, token in enumerate(tokens) if token == wanted]
        wrong, allowed = f"{wanted!r} is none of opening.tokens", ", ".join(tokens)
    if len(places) > 1:
        wrong = f"{wanted!r} stands {len(places)} times"
        allowed = "its place: " + " or ".join(str(place + 1) for place in places)
    if len(places) != 1:
        raise FaultError("opening.query_token", wrong, allowed)
    return places[0]


def _check_opening_weights(facts: Facts) -> None:
    weights = facts["opening.weights"].value
    first, second = (weights[facts[f"opening.{name}_index"].value] for name in ("strongest", "second"))
    if first - second < CLEAR_GAP:
        raise FaultError(
            "opening.looks_for",
            f"the two largest weights are {first:.4f} and {second:.4f}: no token clearly wins",
            f"vectors whose largest weight leads by {CLEAR_GAP} or more",
        )


def _check_scores(facts: Facts, group: str) -> None:
    scores, total = facts[f"{group}.scores"].value, float(facts[f"{group}.exponential_sum"])
    weights = facts[f"{group}.weights"].value
    key = f"{group}.query"
    if scores.min() < -1e-9:  # entries have 2 decimals: anything nearer to 0 is rounding
        i = int(scores.argmin())
        raise FaultError(
            key,
            f"its score with key {i + 1} is {scores[i]:.4g}, and the bars of the softmax start at 0",
            "a query whose dot product with each key is 0 or more",
        )
    if total > LARGEST_TOTAL:
        raise FaultError(
            key,
            f"the exponentials add up to {total:.4g}, too long for the picture",
            f"a query and keys whose exponentials add up to {LARGEST_TOTAL:g} or less",
        )
    if abs(float(np.diff(weights)[0])) < CLEAR_GAP:
        raise FaultError(
            key,
            f"the weights are {weights[0]:.4f} and {weights[1]:.4f}: no key clearly wins",
            f"a query and keys whose weights are {CLEAR_GAP} or more apart",
        )


def _check_cells(facts: Facts, key: str, seed: str) -> None:
    largest = float(np.abs(facts[key].value).max())
    if largest >= CELL_LIMIT:
        raise FaultError(seed, f"draws a number of size {largest:.2f} in {key}, too wide for its cell", "another seed")
