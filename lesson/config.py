"""The inputs of the lesson as frozen pydantic models; field names are the keys of lesson.toml.

Each field says what is allowed in its `description`, which error messages quote. Limits that need computed
numbers are in `lesson.limits`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from lesson.errors import shown
from lesson.words import checked_word

MAX_SEED = 2**32 - 1
MOST_TOKENS, LONGEST_WORD = 12, 14  # more would not be readable at the smallest text allowed
LEAST_SIZE, LARGEST_SIZE = 1e-3, 1e6  # of the numbers of the worked example that are not 0
MOST_KEYS = 5  # of the worked example: each is worked out line by line
WIDEST, WIDEST_HEAD = 16, 8  # d_model; d_k and d_v: every entry of a matrix gets a cell
LONGEST_SPOKEN = 80  # characters of a word's spoken form


class Section(BaseModel):
    """A table of lesson.toml: frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _within_sizes(number: float) -> float:
    if number and not LEAST_SIZE <= abs(number) <= LARGEST_SIZE:
        raise ValueError(f"{number:g} is too {'small' if abs(number) < LEAST_SIZE else 'large'}")
    return number


def _not_zero(vector: tuple[float, ...]) -> tuple[float, ...]:
    if not any(vector):
        raise ValueError("an arrow of length 0 has no direction")
    return vector


def _overflowing(logit: int) -> int:
    if not math.log(1.7976931348623157e308) < logit <= 9999:
        raise ValueError(f"{shown(logit)} is out of range: exp of it must overflow, and it must fit the cell")
    return logit


def _close_together(logits: tuple[int, ...]) -> tuple[int, ...]:
    gap = max(logits) - min(logits)
    if gap > 6:
        raise ValueError(f"{list(logits)} lie {gap} apart, so that the smallest bar could not be seen")
    return logits


def _word_or_place(given: object) -> object:
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise ValueError(f"{shown(given)} is neither a word nor a whole number")
    return given


def _rising(sizes: tuple[int, ...]) -> tuple[int, ...]:
    if list(sizes) != sorted(set(sizes)):
        raise ValueError(f"{list(sizes)} does not rise from left to right")
    return sizes


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{twice[0]!r} stands twice")
    return names


def _spoken(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z' -]*[A-Za-z][A-Za-z' -]*", text):
        raise ValueError(f"{text!r} is not of letters a to z, spaces, apostrophes and hyphens")
    return text


Number: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Whole: TypeAlias = Annotated[int, Field(strict=True)]
Sized: TypeAlias = Annotated[Number, AfterValidator(_within_sizes)]
Arrow: TypeAlias = Annotated[tuple[Sized, ...], Field(min_length=2, max_length=2), AfterValidator(_not_zero)]
Arrows: TypeAlias = Annotated[tuple[Arrow, ...], Field(min_length=2, max_length=MOST_KEYS)]
Word: TypeAlias = Annotated[
    str, Field(strict=True, min_length=1, max_length=LONGEST_WORD), AfterValidator(checked_word)
]
Tokens: TypeAlias = Annotated[tuple[Word, ...], Field(min_length=2, max_length=MOST_TOKENS)]
Written: TypeAlias = Annotated[str, Field(strict=True, min_length=1, max_length=40), AfterValidator(checked_word)]
Spoken: TypeAlias = Annotated[str, Field(strict=True, max_length=LONGEST_SPOKEN), AfterValidator(_spoken)]
Seed: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=MAX_SEED)]
Positive: TypeAlias = Annotated[Number, Field(gt=0)]

SEED_ALLOWED = f"a whole number from 0 to {MAX_SEED}"
WORD_ALLOWED = f"each 1 to {LONGEST_WORD} visible characters, an accent and its letter being one"
TOKENS_ALLOWED = f"2 to {MOST_TOKENS} words and marks, {WORD_ALLOWED}"
SIZES_ALLOWED = f"each number 0 or of a size from 0.001 to {LARGEST_SIZE:.0f}"
ARROW_ALLOWED = f"two numbers, not both 0, {SIZES_ALLOWED}"
ARROWS_ALLOWED = f"each two numbers, not both 0, {SIZES_ALLOWED}"


class Look(Section):
    """How the film looks."""

    theme: Literal["dark", "light"] = Field(description='"dark" or "light"')


class Opening(Section):
    """One sentence, one query, hand-made vectors with named dimensions."""

    tokens: Tokens = Field(description=TOKENS_ALLOWED)
    query_token: Annotated[str | int, BeforeValidator(_word_or_place)] = Field(
        description="one of the tokens, or its place counted from 1 where the word stands twice"
    )
    dimensions: Annotated[tuple[Word, ...], Field(min_length=1, max_length=WIDEST_HEAD), AfterValidator(_distinct)] = (
        Field(description=f"1 to {WIDEST_HEAD} different names, {WORD_ALLOWED}")
    )
    looks_for: Mapping[str, Annotated[Positive, Field(le=6)]] = Field(
        min_length=1, description="names from opening.dimensions, each a number above 0, at most 6"
    )
    offers: Mapping[str, Mapping[str, Annotated[Positive, Field(le=2)]]] = Field(
        min_length=1,
        description="per token, names from opening.dimensions, each a number above 0, at most 2",
    )


class WorkedExample(Section):
    """One query and as many keys as values, all with d_k = d_v = 2, since they are drawn as arrows."""

    query: Arrow = Field(description=ARROW_ALLOWED)
    keys: Arrows = Field(description=f"2 to {MOST_KEYS} keys, {ARROWS_ALLOWED}")
    values: Arrows = Field(description=f"as many values as keys, {ARROWS_ALLOWED}")


class Practice(Section):
    """Another query for the keys and values of the worked example."""

    query: Arrow = Field(description=ARROW_ALLOWED)


class Stability(Section):
    """Logits whose plain exponential overflows."""

    logits: Annotated[
        tuple[Annotated[Whole, AfterValidator(_overflowing)], ...],
        Field(min_length=3, max_length=3),
        AfterValidator(_close_together),
    ] = Field(description="exactly three whole numbers from 710 to 9999, at most 6 apart")


class Spread(Section):
    """Random dot products for several sizes of d_k."""

    d_k: Annotated[
        tuple[Annotated[Whole, Field(ge=1, le=1024)], ...],
        Field(min_length=2, max_length=5),
        AfterValidator(_rising),
    ] = Field(description="2 to 5 whole numbers from 1 to 1024, rising")
    pairs: Annotated[int, Field(strict=True, ge=1000, le=10_000)] = Field(
        description="a whole number from 1000 to 10000"
    )
    seed: Seed = Field(description=SEED_ALLOWED)
    rows: Annotated[int, Field(strict=True, ge=100, le=1000)] = Field(description="a whole number from 100 to 1000")
    keys: Annotated[int, Field(strict=True, ge=2, le=12)] = Field(description="a whole number from 2 to 12")


class Sequence(Section):
    """The tokens whose whole attention matrix is shown."""

    tokens: Tokens = Field(description=TOKENS_ALLOWED)
    d_model: Annotated[Whole, Field(ge=1, le=WIDEST)] = Field(description=f"a whole number from 1 to {WIDEST}")
    d_k: Annotated[Whole, Field(ge=1, le=WIDEST_HEAD)] = Field(description=f"a whole number from 1 to {WIDEST_HEAD}")
    d_v: Annotated[Whole, Field(ge=1, le=WIDEST_HEAD)] = Field(description=f"a whole number from 1 to {WIDEST_HEAD}")
    seed: Seed = Field(description=SEED_ALLOWED)


class Paper(Section):
    """The sizes of the 2017 transformer's attention layer."""

    d_model: Annotated[Whole, Field(ge=1, le=65_536)] = Field(
        description="a whole number from 1 to 65536 that multi_head.paper.h divides"
    )
    h: Annotated[Whole, Field(ge=1, le=1024)] = Field(
        description="a whole number from 1 to 1024 that divides multi_head.paper.d_model"
    )


class MultiHead(Section):
    """The tokens of `sequence`, seen by several heads."""

    h: Annotated[Whole, Field(ge=1, le=WIDEST)] = Field(description="a whole number that divides sequence.d_model")
    seed: Seed = Field(description=SEED_ALLOWED)
    causal: Annotated[bool, Field(strict=True)] = Field(description="true or false")
    paper: Paper = Field(description="a table with d_model and h")


class LessonConfig(Section):
    """Everything lesson.toml holds."""

    look: Look = Field(description="a table")
    opening: Opening = Field(description="a table")
    worked_example: WorkedExample = Field(description="a table")
    practice: Practice = Field(description="a table")
    stability: Stability = Field(description="a table")
    spread: Spread = Field(description="a table")
    sequence: Sequence = Field(description="a table")
    multi_head: MultiHead = Field(description="a table")
    pronunciation: Mapping[Written, Spoken] = Field(
        default={},
        max_length=100,
        description=f"per written word, 1 to {LONGEST_SPOKEN} letters a to z, spaces, apostrophes or hyphens",
    )


SECTIONS: Mapping[str, type[Section]] = {
    name: field.annotation
    for name, field in LessonConfig.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, Section)
}
"""The tables with keys of their own, by name; `pronunciation` is a list of words."""
