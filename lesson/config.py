"""The inputs of the lesson as frozen pydantic models; field names are the keys of lesson.toml.

Each field says what is allowed in its `description`, which error messages quote. Limits that need computed
numbers are in `lesson.limits`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

MAX_SEED = 2**32 - 1
SENTENCE_LETTERS = 56  # the sentence and its weights share one line of the opening


class Section(BaseModel):
    """A table of lesson.toml: frozen, and unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _at_most_two_decimals(number: float) -> float:
    if number != round(number, 2):
        raise ValueError(f"{number} has more than 2 decimals and would be shown rounded")
    return number


def _arrow(vector: tuple[float, ...]) -> tuple[float, ...]:
    length = math.hypot(*vector)
    if not 0.25 <= length <= 3:
        raise ValueError(f"{list(vector)} has length {length:.4g}")
    return vector


def _not_zero(vector: tuple[float, ...]) -> tuple[float, ...]:
    if not any(vector):
        raise ValueError("an arrow of length 0 cannot be drawn")
    return vector


def _word(text: str) -> str:
    if not text.isprintable() or any(c.isspace() for c in text):
        raise ValueError(f"{text!r} holds a space or a character that cannot be printed")
    return text


def _overflowing(logit: int) -> int:
    if not math.log(1.7976931348623157e308) < logit <= 9999:
        raise ValueError(f"{logit} is out of range: exp of it must overflow, and it must fit the cell")
    return logit


def _close_together(logits: tuple[int, ...]) -> tuple[int, ...]:
    gap = max(logits) - min(logits)
    if gap > 6:
        raise ValueError(f"{list(logits)} lie {gap} apart, so that the smallest bar could not be seen")
    return logits


def _word_or_place(given: object) -> object:
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise ValueError(f"{given!r} is neither a word nor a whole number")
    return given


def _even(d_model: int) -> int:
    if d_model % 2:
        raise ValueError(f"{d_model} cannot be shared equally by the 2 heads drawn")
    return d_model


def _two_heads(h: int) -> int:
    if h != 2:
        raise ValueError(f"{h} heads have no picture: the lesson draws two heads, filled and outlined")
    return h


def _rising(sizes: tuple[int, ...]) -> tuple[int, ...]:
    if list(sizes) != sorted(set(sizes)):
        raise ValueError(f"{list(sizes)} does not rise from left to right")
    return sizes


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{twice[0]!r} stands twice")
    return names


Number: TypeAlias = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Whole: TypeAlias = Annotated[int, Field(strict=True)]
Shown: TypeAlias = Annotated[Number, AfterValidator(_at_most_two_decimals)]
Pair: TypeAlias = Annotated[tuple[Shown, ...], Field(min_length=2, max_length=2)]
Arrow: TypeAlias = Annotated[Pair, AfterValidator(_arrow)]
GridNumber: TypeAlias = Annotated[Shown, Field(ge=0, le=12)]
GridArrow: TypeAlias = Annotated[tuple[GridNumber, ...], Field(min_length=2, max_length=2), AfterValidator(_not_zero)]
ShortWord: TypeAlias = Annotated[str, Field(strict=True, min_length=1, max_length=8), AfterValidator(_word)]
Word: TypeAlias = Annotated[str, Field(strict=True, min_length=1, max_length=12), AfterValidator(_word)]
Seed: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=MAX_SEED)]
Positive: TypeAlias = Annotated[Number, Field(gt=0)]

SEED_ALLOWED = f"a whole number from 0 to {MAX_SEED}"
ARROW_ALLOWED = "two numbers with at most 2 decimals, together an arrow of length 0.25 to 3"


class Look(Section):
    """How the film looks."""

    theme: Literal["dark", "light"] = Field(description='"dark" or "light"')


class Opening(Section):
    """One sentence, one query, hand-made vectors with named dimensions."""

    tokens: Annotated[tuple[Word, ...], Field(min_length=6, max_length=14)] = Field(
        description=f"6 to 14 words of 1 to 12 printable characters, at most {SENTENCE_LETTERS} in all"
    )
    query_token: Annotated[str | int, BeforeValidator(_word_or_place)] = Field(
        description="one of the tokens, or its place counted from 1 where the word stands twice"
    )
    dimensions: Annotated[tuple[ShortWord, ...], Field(min_length=2, max_length=6), AfterValidator(_distinct)] = Field(
        description="2 to 6 different names of 1 to 8 printable characters"
    )
    looks_for: Mapping[str, Annotated[Positive, Field(le=6)]] = Field(
        min_length=1, description="names from opening.dimensions, each a number above 0, at most 6"
    )
    offers: Mapping[str, Mapping[str, Annotated[Positive, Field(le=2)]]] = Field(
        min_length=1,
        description="per token, names from opening.dimensions, each a number above 0, at most 2",
    )


class WorkedExample(Section):
    """One query, two keys, two values, all with d_k = 2."""

    query: Arrow = Field(description=ARROW_ALLOWED)
    keys: Annotated[tuple[Arrow, ...], Field(min_length=2, max_length=2)] = Field(
        description="exactly two keys, each " + ARROW_ALLOWED
    )
    values: Annotated[tuple[GridArrow, ...], Field(min_length=2, max_length=2)] = Field(
        description="exactly two values, each two numbers from 0 to 12 with at most 2 decimals, not both 0"
    )


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
    """Random dot products for three sizes of d_k."""

    d_k: Annotated[
        tuple[Annotated[Whole, Field(ge=1, le=1024)], ...],
        Field(min_length=3, max_length=3),
        AfterValidator(_rising),
    ] = Field(description="exactly three whole numbers from 1 to 1024, rising")
    pairs: Annotated[int, Field(strict=True, ge=1000, le=10_000)] = Field(
        description="a whole number from 1000 to 10000"
    )
    seed: Seed = Field(description=SEED_ALLOWED)
    rows: Annotated[int, Field(strict=True, ge=100, le=1000)] = Field(description="a whole number from 100 to 1000")
    keys: Annotated[int, Field(strict=True, ge=2, le=12)] = Field(description="a whole number from 2 to 12")


class Sequence(Section):
    """The tokens whose whole attention matrix is shown."""

    tokens: Annotated[tuple[ShortWord, ...], Field(min_length=2, max_length=6)] = Field(
        description="2 to 6 words of 1 to 8 printable characters"
    )
    d_model: Annotated[Whole, Field(ge=4, le=8), AfterValidator(_even)] = Field(description="4, 6 or 8")
    d_k: Annotated[Whole, Field(ge=2, le=4)] = Field(description="2, 3 or 4")
    d_v: Annotated[Whole, Field(ge=2, le=4)] = Field(description="2, 3 or 4")
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

    h: Annotated[Whole, AfterValidator(_two_heads)] = Field(description="2")
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
