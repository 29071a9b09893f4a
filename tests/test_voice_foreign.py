"""Words of other scripts and rare signs, for a voice that reads English."""

from __future__ import annotations

import re
import unicodedata

import pytest
from drawn_lessons import LETTERS
from hypothesis import given
from hypothesis import strategies as st

from voice.foreign import in_latin
from voice.spoken import count, joined, spoken_words, unspeakable


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("слово,", "slovo,"),
        ("въпрос", "vupros"),  # Bulgarian: a vowel
        ("ВЪГЪЛ", "VUGUL"),
        ("объект", "obyekt"),  # Russian: it parts a consonant from the vowel
        ("съюз", "syuz"),
        ("разъяснить", "razyasnit"),
        ("столъ", "stol"),  # as it was written once: not heard
        ("ъ", "cyrillic small letter hard sign"),
        ("моє", "moye"),
        ("Єва", "Yeva"),
        ("ь", "cyrillic small letter soft sign"),  # and has a name where it stands alone
        ("Ψυχή.", "Psychi."),
        ("α=½,", "alpha equals one half,"),
        ("⅗", "three over five"),
        ("№", "number"),
        ("№5", "number five"),
        ("čeština", "cheshtina"),
        ("їжа", "yizha"),
        ("мой", "moy"),
        ("κουρασμένο", "kourasmeno"),
        ("ζώο", "zo-o"),  # two syllables
        ("ΖΏΟ", "ZO-O"),
        ("вообще", "vo-obshche"),
        ("zoo", "zoo"),
        ("два½", "dva one half"),
        ("5€", "five euro sign"),
    ],
)
def test_it_sounds_like_the_word(written: str, said: str) -> None:
    assert in_latin(joined(spoken_words(written))) == said


SEEN_ONLY = str.maketrans("", "", "¡¿,.;:!?…")


@given(st.text(st.sampled_from(LETTERS), min_size=1))
def test_whatever_the_typeface_has_can_be_said(text: str) -> None:
    for form in spoken_words(text):
        said = in_latin(form)
        assert not unspeakable(said)
        named = any(unicodedata.category(char).startswith(("L", "S", "N", "Po")) for char in form.translate(SEEN_ONLY))
        assert bool(count(said)) == named


@given(st.text("abc xyz-',.?"))
def test_english_stays(form: str) -> None:
    assert in_latin(form) == re.sub(r" +([,.?])", r"\1", " ".join(form.split()))


def test_phonemes_stay() -> None:
    assert in_latin("слово [d k](/d\u02c8i k\u02c8A/), q") == "slovo [d k](/d\u02c8i k\u02c8A/), q"
