"""Limits that tie several inputs together. Each check says which tables it needs and yields their faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from attention_core import default_scale, dot_terms
from lesson.config import MultiHead, Opening, Practice, Sequence, WorkedExample
from lesson.errors import Fault, dotted, shown
from lesson.words import named

LARGEST_POWER = 700  # of e, up or down: five such exponentials still add up to a number, and none is 0
OFFERING_WORDS = 4  # what they offer hangs side by side under the sentence

Tables = Mapping[str, Any]


def faults_between(tables: Tables, *, lacking: bool = False) -> Iterator[Fault]:
    """Faults that only several inputs together have.

    `lacking`: tables are left out that are wrong as a whole, and keys of others that are wrong by themselves; what
    hangs on one of these isn't checked.
    """
    for needed, check in CHECKS:
        if all(name in tables for name in needed):
            with suppress(*[AttributeError] * lacking):
                yield from check(*(tables[name] for name in needed))


def faults_of_words(tables: Tables, drawable: Callable[[str], bool]) -> Iterator[Fault]:
    """Words of the lesson with characters that its typeface lacks."""
    for table, key in (("opening", "tokens"), ("opening", "dimensions"), ("sequence", "tokens")):
        for i, word in enumerate(getattr(tables.get(table), key, ())):
            missing = [named(char) for char in dict.fromkeys(word) if not drawable(char)]
            if missing:
                wrong = f"the film's typeface has no glyph for {', '.join(missing)}"
                yield Fault(
                    dotted((table, key, i)), wrong, "Latin, Greek and Cyrillic letters, digits and common signs"
                )


def query_places(opening: Opening) -> list[int]:
    """Indices from 0 of the tokens that opening.query_token can mean; exactly one in a valid lesson."""
    wanted, tokens = opening.query_token, opening.tokens
    if isinstance(wanted, int):
        return [wanted - 1] if 1 <= wanted <= len(tokens) else []
    return [i for i, token in enumerate(tokens) if token == wanted]


def _query_token(opening: Opening) -> Iterator[Fault]:
    wanted, tokens, places = opening.query_token, opening.tokens, query_places(opening)
    if len(places) > 1:
        wrong = f"{wanted!r} stands {len(places)} times"
        allowed = "its place: " + " or ".join(str(place + 1) for place in places)
    elif isinstance(wanted, int):
        wrong, allowed = f"there is no token {shown(wanted)}", f"1 to {len(tokens)}, or one of the tokens"
    else:
        wrong, allowed = f"{shown(wanted)} is none of opening.tokens", ", ".join(tokens)
    if len(places) != 1:
        yield Fault("opening.query_token", wrong, allowed)


def _offering_words(opening: Opening) -> Iterator[Fault]:
    if len(opening.offers) > OFFERING_WORDS:
        wrong = f"{len(opening.offers)} words offer something, which doesn't fit under the sentence"
        yield Fault("opening.offers", wrong, f"at most {OFFERING_WORDS}")
    yield from _unknown(("opening", "offers"), opening.offers, "tokens", opening.tokens)


def _looking_word(opening: Opening) -> Iterator[Fault]:
    looking = {opening.tokens[place] for place in query_places(opening)}
    for token in looking & opening.offers.keys():
        wrong = "is the word that looks; below it stands what it looks for"
        yield Fault(dotted(("opening", "offers", token)), wrong, "the other tokens")


def _dimensions_looked_for(opening: Opening) -> Iterator[Fault]:
    yield from _unknown(("opening", "looks_for"), opening.looks_for, "dimensions", opening.dimensions)


def _dimensions_offered(opening: Opening) -> Iterator[Fault]:
    for token, offered in opening.offers.items():
        yield from _unknown(("opening", "offers", token), offered, "dimensions", opening.dimensions)


def _something_matches(opening: Opening) -> Iterator[Fault]:
    if not any(name in offered for offered in opening.offers.values() for name in opening.looks_for):
        wrong = "no word offers anything that is looked for, so that all would weigh the same"
        yield Fault("opening.offers", wrong, f"at least one word that offers {' or '.join(opening.looks_for)}")


def _unknown(place: tuple[str, ...], names: Iterable[str], kind: str, known: tuple[str, ...]) -> Iterator[Fault]:
    for name in names:
        if name not in known:
            yield Fault(dotted((*place, name)), f"is none of opening.{kind}", ", ".join(known))


def _as_many_values(example: WorkedExample) -> Iterator[Fault]:
    if len(example.keys) != len(example.values):
        wrong = f"{len(example.values)} values for {len(example.keys)} keys"
        yield Fault("worked_example.values", wrong, f"{len(example.keys)} values, one a key")


def _worked_example(example: WorkedExample) -> Iterator[Fault]:
    yield from _powers("worked_example.query", example.query, example)


def _practice(practice: Practice, example: WorkedExample) -> Iterator[Fault]:
    yield from _powers("practice.query", practice.query, example)


def _powers(place: str, query: tuple[float, ...], example: WorkedExample) -> Iterator[Fault]:
    """Scaled scores become powers of e, written out as they are: none may overflow, and not all may vanish."""
    scores = dot_terms(query, example.keys).sum(axis=-1) / default_scale(len(query))  # [n_k, d_k] -> [n_k]
    largest, key = float(scores.max()), int(scores.argmax()) + 1
    allowed = (
        f"a query whose largest dot product with a key, divided by √d_k, is from -{LARGEST_POWER} to {LARGEST_POWER}"
    )
    if largest > LARGEST_POWER:
        yield Fault(place, f"its scaled score with key {key} is {largest:.6g}, and e to that power overflows", allowed)
    if largest < -LARGEST_POWER:
        wrong = f"its largest scaled score is {largest:.6g}, with key {key}, and e to that power vanishes"
        yield Fault(place, wrong, allowed)


def _heads(heads: MultiHead, sequence: Sequence) -> Iterator[Fault]:
    if sequence.d_model % heads.h:
        divisors = [str(h) for h in range(1, sequence.d_model + 1) if sequence.d_model % h == 0]
        wrong = f"{heads.h} does not divide sequence.d_model = {sequence.d_model}"
        yield Fault("multi_head.h", wrong, ", ".join(divisors))


def _paper(heads: MultiHead) -> Iterator[Fault]:
    paper = heads.paper
    if paper.d_model % paper.h:
        wrong = f"{paper.h} does not divide multi_head.paper.d_model = {paper.d_model}"
        yield Fault("multi_head.paper.h", wrong, "a whole number from 1 to 1024 that divides it")


CHECKS: tuple[tuple[tuple[str, ...], Callable[..., Iterator[Fault]]], ...] = (
    (("opening",), _query_token),
    (("opening",), _offering_words),
    (("opening",), _dimensions_looked_for),
    (("opening",), _looking_word),
    (("opening",), _dimensions_offered),
    (("opening",), _something_matches),
    (("worked_example",), _as_many_values),
    (("worked_example",), _worked_example),
    (("practice", "worked_example"), _practice),
    (("multi_head", "sequence"), _heads),
    (("multi_head",), _paper),
)
