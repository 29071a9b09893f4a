"""Wording of lines about a sentence: its tokens read out, marked places for things listed, what may be guessed."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from lesson import Fact
from scenes.kit.figures import is_shown, place_of, rounded, rounded_to

CLOSING, OPENING, QUOTES = ".,;:!?…)]}’", "([{¿¡‘", '„“”«»"'  # close to the word before; after; by turns
JOINING = ("-", "/")  # close to both
CLITICS = ("’s", "’t", "’re", "’ve", "’ll", "’d", "’m", "n’t")
SEVERAL = "several alike"
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
NOT_SAID = 1e-3  # a number nearer to zero is not read out
Said = tuple[str, list[Fact]]  # a template and what fills its places
SMALL = ("zero", *NUMBERS[:5])  # whole numbers that are said as words


def places(name: str, count: int) -> list[str]:
    """Names for the marks of so many things that a line names."""
    return [f"{name} {letter}" for letter in ascii_lowercase[:count]]


def listing(marks: Sequence[str]) -> str:
    """Places for things that are named one after the other, each marked: "[a|{}], [b|{}] and [c|{}]"."""
    *first, last = (f"[{mark}|{{}}]" for mark in marks)
    return " and ".join(filter(None, (", ".join(first), last)))


def quoted_places(count: int) -> str:
    """Places for so many words: “{}”, “{}” and “{}”."""
    *first, last = ["“{}”"] * count
    return " and ".join(filter(None, (", ".join(first), last)))


def reading(tokens: Fact) -> tuple[str, list[str]]:
    """A template that says the tokens as a sentence, and the marks of its places."""
    marks, words = places("token", len(tokens)), [str(token) for token in tokens]
    sides = _joined(words)
    close = (before or after for (_, before), (after, _) in zip([(False, True), *sides], sides, strict=False))
    spaces = ("" if joined else " " for joined in close)
    return "".join(f"{space}[{mark}|{{}}]" for space, mark in zip(spaces, marks, strict=True)), marks


def _joined(words: Sequence[str]) -> list[tuple[bool, bool]]:
    """Whether each word stands close to the one before it, and to the one after it."""
    sides, open_ = [], False
    for word in words:
        if word in QUOTES:
            sides.append((open_, not open_))
            open_ = not open_
        else:
            before = word in JOINING or word.casefold() in CLITICS or all(sign in CLOSING for sign in word)
            sides.append((before, word in JOINING or word in OPENING or _elided(word)))
    return sides


def is_word(token: Fact) -> bool:
    """Is it more than a mark?"""
    return any(sign.isalnum() for sign in str(token))


def heard(tokens: Fact) -> list[str]:
    """The tokens as the ear tells them apart: One and one are the same."""
    return [str(token).casefold() for token in tokens]


def _elided(word: str) -> bool:
    """Has it lost its last vowel to the next word, as in qu’elle? Not so the dogs’ tails."""
    return word.endswith("’") and word != "’" and (len(word) == len("s’") or not word.endswith("s’"))


def guesses(tokens: Fact, who: int, most: Sequence[int], tied: bool) -> tuple[list[str], int]:
    """Words that the one that looks may draw on most, in the sentence's order, and which of them it is.

    `most` are the words that matter most, the first before all; or, `tied`, as much as another.
    """
    words_in_order = [str(token) for token in tokens]
    likely = {words_in_order[i] for i in most}
    others = {str(token) for token in tokens if is_word(token)} - likely - {words_in_order[who]}
    choices = sorted(likely | set(sorted(others, key=lambda word: (-len(word), word))[:2]), key=words_in_order.index)
    if tied:
        return [*choices, SEVERAL], len(choices)
    if not choices[1:]:
        choices.append(words_in_order[who])
    return choices, choices.index(words_in_order[most[0]])


def short_place(*rows: Fact) -> str:
    """The place for any of these numbers: one decimal where that is exact for all."""
    numbers = [float(number) for row in rows for number in row]
    return "{1}" if all(is_shown(float(rounded_to(number, 1)), number) for number in numbers) else "{}"


def said(number: Fact) -> Said:
    """How a sentence says a number: the word for a small whole one, or its place and what fills it."""
    value = float(number)
    if value in range(len(SMALL)):
        return SMALL[int(value)], []
    if abs(value) < NOT_SAID:
        return f"just {'above' if value > 0 else 'below'} zero", []
    place = place_of(number)
    if "e" in place:
        return "{0}" if value.is_integer() else "about {0}", [number]
    return place if is_shown(rounded(number), value) else f"about {place}", [number]


def about(number: Fact) -> str:
    """A place for a number, with "about" before it where its digits are rounded."""
    return "{}" if float(rounded_to(float(number), 2)) == float(number) else "about {}"


def different(tokens: Fact, indices: Sequence[int]) -> list[int]:
    """Those whose words are not there before."""
    seen: dict[str, int] = {}
    for i in indices:
        seen.setdefault(str(tokens[i]), i)
    return list(seen.values())
