"""Letters of other scripts, and signs that no rule knows, for a voice that reads English."""

from __future__ import annotations

import re
import unicodedata

from voice.reading import PROSODY, listed, read

_LINKED = r"\[[^\]]*\]\(/[^)]*/\)"  # a word with its phonemes
_UNKNOWN = re.compile(rf"{_LINKED}|[^\x00-\x7f]|[$@#&~|^`<>+=*%\\]")
_TOGETHER = {  # letters whose sound depends on the next one
    "ου": "ou", "αυ": "av", "ευ": "ev",  # noqa: RUF001 - Greek: two that are one sound
    # The hard sign only parts a consonant from ye, yo, yu and ya, and is not heard at a word's end; else it is a
    # vowel, as in Bulgarian.
    "ъ(?=[её])": "й", "Ъ(?=[ЕЁ])": "Й", r"ъ(?=\w)(?![юя])": "у", r"Ъ(?=\w)(?![ЮЯ])": "У",  # noqa: RUF001
}  # fmt: skip
_TWICE = re.compile("(?i)(?<=[οω])(?=[οω])|(?<=ε)(?=ε)|(?<=о)(?=о)|(?<=е)(?=е)")  # noqa: RUF001
"""Between vowels of two syllables that would be one sound in English: ζώο is zo-o, not the zoo."""
_SIGNS = ("S", "No", "Po")  # Unicode's categories of symbols, of numbers that are no digits, and of § and its like
_SEEN_ONLY = ("M", "Pi", "Pf", "Ps", "Pe", "Pd", "Pc")


def in_latin(form: str) -> str:
    """A spoken form with foreign letters in Latin ones, and signs by their names; what has phonemes stays.

    Letters go one by one, as a passport has them: слово becomes slovo. Quotes and brackets are only seen.
    """
    for letters, sound in _TOGETHER.items():
        form = re.sub(letters, sound, form)
    form = _TWICE.sub("-", form)
    said = _UNKNOWN.sub(lambda match: _said(match[0]), form)
    if not any(map(str.isalpha, said)):  # a soft sign alone
        said = _UNKNOWN.sub(lambda match: f" {_name(match[0])} " if match[0].isalpha() else _said(match[0]), form)
    return re.sub(rf" +([{PROSODY}])", r"\1", " ".join(said.split()))


def _said(found: str) -> str:
    if len(found) > 1:  # with phonemes
        return found
    category = unicodedata.category(found)
    if category.startswith("L"):
        return _letters(found)
    if found in PROSODY:
        return found
    if category.startswith(_SEEN_ONLY) or found in "¡¿":
        return ""
    if category.startswith(_SIGNS):
        return f" {listed('symbols').get(found) or _parted(found) or _name(found)} "
    return found


def _letters(letter: str) -> str:
    from anyascii import anyascii

    return "".join(char for char in anyascii(letter) if char.isalpha())


def _parted(sign: str) -> str:
    """½ as what it is made of, read by the rules; "" where that is the sign itself, or no rule knows it."""
    made_of = unicodedata.normalize("NFKD", sign).replace("\N{FRACTION SLASH}", "/")
    said = read(made_of) if made_of != sign else ""
    return said if all(char.isascii() and (char.isalpha() or char in " '-") for char in said) else ""


def _name(char: str) -> str:
    """Unicode's name, in words."""
    return re.sub(r"[^a-z]+", " ", unicodedata.name(char, "sign").lower()).strip()
