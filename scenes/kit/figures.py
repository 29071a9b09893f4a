"""Numbers that remember their fact: one function rounds, one pattern puts figures into text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from math import floor, isclose, log10

from lesson import Fact
from scenes.kit.timeline import Plain

MINUS, TIMES = "\u2212", "\u00d7"
SEPARATED = 10_000
_LAST_PLACES = 1e-14  # relative: what a few roundings of a computer's numbers make
_PLACE = re.compile(r"\{(=?)(\d*)(e(-?\d*))?\}")
_NAME = re.compile(r"[A-Za-z]+\d+|_\d+|_\(\d+\)")  # float64, k_1: digits that name things and count nothing


@dataclass(frozen=True)
class Figure:
    """What stands on the screen, and the fact behind it."""

    fact: str
    value: Plain
    shown: str
    markup: str | None = None  # how Typst sets it, where that is not simply `shown`


def shown(value: Plain, decimals: int = 2, *, exact: bool = True) -> str:
    """The one place where a number is rounded.

    Parameters
    ----------
    value
        Text passes as it is; numbers get separators from SEPARATED on.
    decimals
        Of a number that is not whole.
    exact
        Whole floats are shown without decimals (0, 1, 10); False keeps the decimals (1.00 for a sum).
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int) or (exact and value == int(value)):
        text, size = str(int(value)), abs(int(value))
    else:
        number = rounded_to(value, decimals)
        text, size = f"{number:f}", int(abs(number))
    if size >= SEPARATED:
        text = text.replace(str(size), f"{size:,}", 1)
    if not text.strip("-0."):
        text = text.lstrip("-")  # no negative zero
    return text.replace("-", MINUS)


def rounded_to(value: float, decimals: int) -> Decimal:
    """A number as it is shown with so many decimals. Halves go away from zero, as they are taught: 0.125 is 0.13."""
    written = Decimal(repr(float(value)))
    digits = max(written.adjusted(), 0) + decimals + 2
    return written.quantize(Decimal(1).scaleb(-decimals), context=Context(prec=digits, rounding=ROUND_HALF_UP))


def figure_of(fact: Fact, decimals: int = 2, *, exact: bool = True) -> Figure:
    """The figure of a scalar fact."""
    value = fact.value
    assert isinstance(value, int | float | bool | str), f"{fact.key} is no single figure"
    return Figure(fact.key, value, shown(value, decimals, exact=exact))


def scientific(fact: Fact, decimals: int, exponent: str = "") -> Figure:
    """As 1.8 × 10^308, for `rich`; with a given exponent, so that numbers can be compared, as 0.9 × 10^−4."""
    number = Context(prec=decimals + 1, rounding=ROUND_HALF_UP).create_decimal(repr(float(fact)))
    mantissa, own = f"{number:.{decimals}e}".split("e")
    if exponent:
        mantissa = str(rounded_to(float(Decimal(repr(float(fact))).scaleb(-int(exponent))), decimals))
    exponent = exponent or own
    mantissa, power = mantissa.replace("-", MINUS), str(int(exponent)).replace("-", MINUS)
    return Figure(fact.key, float(fact), f"{mantissa} {TIMES} 10^{power}", f"{mantissa} {TIMES} 10#super[{power}]")


def filled(template: str, facts: Sequence[Fact]) -> tuple[str, tuple[Figure, ...]]:
    """Put facts into the places of a template.

    `{}` rounds to 2 decimals, `{4}` to 4, `{=2}` keeps them on a whole number too, `{1e}` is scientific, `{1e-4}` has
    that exponent. A figure can come in by no other way: a digit in the template that doesn't belong to a name is
    refused.

    Raises
    ------
    ValueError
        A digit is typed in, or places and facts don't match.
    """
    literal = _NAME.sub("", _PLACE.sub("", template))
    if re.search(r"\d", literal):
        raise ValueError(f"{template!r}: a figure is typed in; take it from a fact")
    if len(_PLACE.findall(template)) != len(facts):
        raise ValueError(f"{template!r}: {len(facts)} facts for its places")
    waiting, figures = iter(facts), []

    def put(match: re.Match[str]) -> str:
        decimals = int(match[2] or 2)
        fact = next(waiting)
        figure = (
            scientific(fact, decimals, match[4] or "") if match[3] else figure_of(fact, decimals, exact=not match[1])
        )
        figures.append(figure)
        return figure.markup or figure.shown

    return _PLACE.sub(put, template), tuple(figures)


def is_shown(rounded_: float, value: float) -> bool:
    """Do the digits show the number itself? 3 × 0.1 is 0.3, though a computer's product differs in its last place."""
    return isclose(rounded_, value, rel_tol=_LAST_PLACES)


def place_of(number: Fact, digits: int = 3, decimals: int = 9) -> str:
    """The place for a number of any size, for `rich` and formulas.

    So many significant digits, one more where that is exact, and at most so many decimals; whole numbers below a
    million as they are; a power of ten where digits or zeros would be many.
    """
    value = float(number)
    size = abs(value)
    if size < 1e6 and is_shown(round(value), value):
        return "{}" if value == int(value) else "{0}"
    power = floor(log10(size))
    if not -3 <= power < 5 or power < -decimals:
        return next(
            (f"{{{n}e}}" for n in range(digits) if is_shown(float(f"{value:.{n}e}"), value)), f"{{{digits - 2}e}}"
        )
    usual = min(max(digits - 1 - power, 0), decimals)
    most = min(max(digits - power, 0), decimals)
    exact = (n for n in range(most + 1) if is_shown(round(value, n), value))
    return f"{{{next(exact, usual)}}}"


def rounded(number: Fact, digits: int = 3) -> float:
    """What `place_of` leaves of a number."""
    (figure,) = filled(place_of(number, digits).replace("{}", "{0}"), [number])[1]
    return float(written(figure))


def written(figure: Figure) -> str:
    """What its digits say, as Python writes numbers: 1.8e-4."""
    return figure.shown.replace(MINUS, "-").replace(",", "").replace(f" {TIMES} 10^", "e")


def sum_agrees(terms: Iterable[Fact], total: Fact, decimals: int = 2) -> bool:
    """Do the digits shown of the terms add up to the digits shown of their sum? If not, the sum says "rounded"."""
    return sum(rounded_to(float(term), decimals) for term in terms) == rounded_to(float(total), decimals)


def products_agree(a: Fact, b: Fact, products: Fact, decimals: int = 2) -> bool:
    """Do the digits shown of two rows multiply to the digits shown of their products?"""
    factors = zip(a, b, strict=True)
    made = [rounded_to(float(x), decimals) * rounded_to(float(y), decimals) for x, y in factors]
    return all(
        rounded_to(float(m), decimals) == rounded_to(float(p), decimals) for m, p in zip(made, products, strict=True)
    )


def adds_up(row: Fact, decimals: int = 2) -> bool:
    """Do the digits shown of a row of weights add up to exactly 1? If not, the row says "rounded"."""
    return sum(rounded_to(float(weight), decimals) for weight in row) == 1
