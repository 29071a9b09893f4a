"""How what stands between two spaces is read: words, numbers, symbols, formulas; by rules and a list."""

from __future__ import annotations

import re
import string
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from voice.speech import VoiceError

PRONUNCIATION = Path(__file__).with_name("pronunciation.toml")
PROSODY = ",.;:!?…—"  # punctuation that shapes a sentence

_PIECE = re.compile(
    r"(?P<tag></?[^\W\d_][^<>]*>)"  # of HTML
    r"|(?P<mark>^(?:[*_<>/&]|#(?!\d))+(?=.)|(?<=.)[*_<>/]+$|^_+$)"  # at an end, where no operator stands
    r"|(?P<ordinal>\d+(?:st|nd|rd|th)\b)"
    r"|(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[+−-]?\d+)?)"
    r"|(?P<greek>(?<![\u0370-\u03ff])[\u0370-\u03ff](?![\u0370-\u03ff]))"
    r"|(?P<word>[^\W\d_]+(?:['-][^\W\d_]+)*)"
    r"|(?P<sign>.)",
    re.DOTALL,
)
_RUN = re.compile(r"[0-9]+|(?:[A-Za-z]|[^\x00-\x7f])+|\S")  # a number, a word or a sign
_SEEN_ONLY = "^_ )[]{}'\"“”‘."
_FOLDED = str.maketrans({
    "ß": "ss", "æ": "ae", "Æ": "Ae", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "Oe", "ł": "l", "Ł": "L",
    "č": "ch", "Č": "Ch", "š": "sh", "Š": "Sh", "ž": "zh", "Ž": "Zh", "ї": "йи", "Ї": "Йи",
    "є": "йе", "Є": "Йе",
})  # fmt: skip
_KEEPS_ITS_MARK = "йЙ"  # another letter without it
_LONGEST = 15  # digits that are read as one number

Piece = tuple[str, str]  # its kind and what stands there
_NOTHING: Piece = ("", "")


@cache
def listed(section: str) -> dict[str, str]:
    """A section of the pronunciation list: what is written, and what is said."""
    try:
        words: dict[str, str] = tomllib.loads(PRONUNCIATION.read_text(encoding="utf-8"))[section]
    except (OSError, ValueError, KeyError) as error:
        raise VoiceError(f"voice/{PRONUNCIATION.name}: [{section}] can't be read: {error}") from error
    return words


def read(core: str, *, times: str = "times") -> str:
    """The words for a token without the punctuation at its ends; `times` is how × is read.

    What no rule knows stays as it is.
    """
    core = _plain(core)
    if core in listed("words"):
        return listed("words")[core]
    if len(core) > 2 and core.endswith("'s"):
        return read(core[:-2], times=times) + "'s"
    pieces = [(match.lastgroup or "", match[0]) for match in _PIECE.finditer(core)]
    words = " ".join(filter(None, _words(pieces, times)))
    return re.sub(rf" +([{PROSODY}])", r"\1", words)


def spelled(code: str) -> str:
    """The words for code: numbers and words are read, and each sign has its one name, wherever it stands."""
    runs = _RUN.findall(code)
    return " ".join(filter(None, (_named(run) if run in string.punctuation else read(run) for run in runs)))


def number(text: str) -> str:
    """A number without its sign: digits after the point one by one, 1e-9 as a power of ten."""
    mantissa, _, exponent = text.replace("−", "-").partition("e")
    whole, _, decimals = mantissa.replace(",", "").partition(".")
    words = in_words(int(whole)) if len(whole) <= _LONGEST and whole == str(int(whole)) else _digits(whole)
    if decimals:
        words += f" point {_digits(decimals)}"
    if exponent:
        words += f" times ten to the power {in_words(int(exponent))}"
    return words


def in_words(value: int, form: str = "cardinal") -> str:
    """A whole number as a cardinal, an ordinal or a year."""
    from num2words import num2words

    words = num2words(value, to=form).replace(",", "").replace("-", " ")
    return re.sub(r"(thousand|[a-z]+illion) and", r"\1", words)  # one thousand one and one thousand two


def _digits(text: str) -> str:
    return " ".join(in_words(int(digit)) for digit in text)


def _plain(core: str) -> str:
    """A token in fewer characters: ^ and _ before what is raised and lowered, no accents, one apostrophe."""
    core = re.sub(r"\[[^\]]*\]?", lambda match: match[0].replace(",", ", "), core)
    core = _marked(_marked(core, "<super>", "^"), "<sub>", "_").translate(_FOLDED)
    letters = "".join(unicodedata.normalize("NFD", c) if c.isalpha() and c not in _KEEPS_ITS_MARK else c for c in core)
    return "".join(c for c in letters if not unicodedata.combining(c)).replace("’", "'")


def _marked(core: str, kind: str, mark: str) -> str:
    """Runs of characters of a kind, such as ⁻¹², as plain ones after a mark."""
    found = "".join(sorted({c for c in core if unicodedata.decomposition(c).startswith(kind)}))
    if not found:
        return core
    return re.sub(f"[{re.escape(found)}]+", lambda run: mark + unicodedata.normalize("NFKD", run[0]), core)


def _words(pieces: list[Piece], times: str) -> Iterator[str]:
    for before, (kind, text), after in _neighbours(pieces):
        if before[1] == "^":
            if text in listed("raised"):
                yield listed("raised")[text]
                continue
            yield "to the power"
        if kind == "tag":
            opens, name, closes = text.partition(text.strip("</>"))
            yield f"{_named(opens)} {read(name)} {_named(closes)}"
        elif kind == "mark":
            yield _named(text)
        elif kind == "ordinal":
            yield in_words(int(text[:-2]), "ordinal")
        elif kind == "number":
            yield number(text)
        elif kind == "word":
            yield _word(text, alone=len(pieces) == 1)
        elif kind == "greek":
            yield unicodedata.name(text).split()[-1].lower()
        else:
            yield times if text == "×" else _sign(text, before, after)


def _neighbours(pieces: list[Piece]) -> Iterator[tuple[Piece, Piece, Piece]]:
    around = [_NOTHING, *pieces, _NOTHING]
    return ((before, piece, after) for (before, piece), (_, after) in pairwise(pairwise(around)))


def _word(text: str, *, alone: bool) -> str:
    if text in listed("words"):
        said = listed("words")[text]
    elif len(text) == 1:  # small, since a capital before a full stop would be an initial, and end no sentence
        said = listed("letters").get(text.lower(), text.lower())
    elif text.isupper() and not alone:
        said = " ".join(text.lower())  # QKᵀ, GPT-3
    else:
        said = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)  # FlashAttention
    return said


def _named(marks: str) -> str:
    """Signs by their names, where they reckon nothing."""
    names = listed("quoted") | listed("marks")
    return " ".join(names[sign] for sign in marks)


def _sign(sign: str, before: Piece, after: Piece) -> str:
    """The words for one character, or "" where it is only seen."""
    words, numbers = (all(side[0] == kind for side in (before, after)) for kind in ("word", "number"))
    long = any(side[0] == "word" and len(side[1]) > 1 for side in (before, after))
    among_others = {
        "(": "of" if before[0] == "word" else "",
        "·": "dot" if words else "times",
        "/": "" if long else "over",
        "-": "minus" if after[0] and len(before[1]) < 2 else "",
        "–": "to" if numbers else "" if words else ",",
    }
    if sign in among_others:
        return among_others[sign]
    return "" if sign in _SEEN_ONLY else listed("symbols").get(sign, sign)
