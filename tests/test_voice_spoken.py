"""Spoken forms: what a lecturer would say, one form a token, and nothing that the engine can't say."""

from __future__ import annotations

import json
import string
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.reading import listed
from voice.speech import VoiceError
from voice.spoken import count, joined, parts, spoken_words, unspeakable


def said(text: str, *says: tuple[str, str]) -> str:
    return joined(spoken_words(text, says))


@pytest.mark.parametrize(
    "written, spoken",
    [
        ("q, k and v", "q, k and v"),
        ("d_k", "d k"),
        ("Divide by √d_k.", "Divide by the square root of d k."),
        ("Divide by the √d_k.", "Divide by the square root of d k."),
        ("W_Q, W_K, W_V, W_O", "w q, w k, w v, w o"),
        ("K^T", "k transposed"),
        ("QKᵀ/√d_k", "q k transposed over the square root of d k"),
        ("−∞", "minus infinity"),
        ("exp(1000)", "exp of one thousand"),
        ("exp(−∞) = 0", "exp of minus infinity equals zero"),
        ("[1, 0, 0]", "one, zero, zero"),
        ("[6,2,4].", "six, two, four."),
        ("[6, 8]·[8, 4] → [6, 4]", "six, eight times eight, four to six, four"),
        ("softmax([0, 1, 2])", "softmax of zero, one, two"),
        ("0.6698", "zero point six six nine eight"),
        ("−0.30", "minus zero point three zero"),
        ("1,048,576", "one million forty eight thousand five hundred and seventy six"),
        ("1000, 1001 and 1002", "one thousand, one thousand one and one thousand two"),
        ("6 × 8", "six by eight"),
        ("n × d", "n by d"),
        ("1×1 + 0×0 = 1", "one times one plus zero times zero equals one"),
        ("4 × 512²", "four times five hundred and twelve squared"),
        ("1.8 × 10^308", "one point eight times ten to the power three hundred and eight"),
        ("10⁻¹²", "ten to the power minus twelve"),
        ("−1e9", "minus one times ten to the power nine"),
        ("n²d", "n squared d"),
        ("e^x", "e to the power x"),
        ("k_1 and k₂", "k one and k two"),
        ("x_i ≠ y_j", "x i is not y j"),
        ("q·k", "q dot k"),
        ("50%", "fifty percent"),
        ("the 1st and the 22nd", "the first and the twenty second"),
        ("3–5 heads", "three to five heads"),
        ("In 2017, Vaswani", "In twenty seventeen, Vaswani"),
        ("2017 scores", "two thousand seventeen scores"),
        ("NumPy, PyTorch and RoPE", "num pie, pie torch and rope"),
        ("FlashAttention", "Flash Attention"),
        ("GPT-3’s KV cache", "g p t three's KV cache"),
        ("LLaMA’s", "llama's"),
        ("a key–value pair", "a key value pair"),
        ("key-value, and/or", "key-value, and or"),
        ("α is ∞", "alpha is infinity"),
        ("naïve Straße", "naive Strasse"),
        ("“animal” wins: it didn’t.", "animal wins: it didn't."),
        ("the key of “.” matches", "the key of full stop matches"),
        ("“,”.", "comma."),
        ("“The” and “it”, the", "the word [the](/ð\u02c8i/) and the word [it](/\u02c8\u026at/), the"),
        ("the “too” and the word “not”", "the word too and the word not"),
        ("After “all”, it must predict “so”.", "After the word all, it must predict the word so."),
        ("the first “too”, the next “not”", "the first word too, the next word not"),
        (
            "multiplied, and animate",
            "[multiplied](/m\u02c8\u028clt\u0259pl\u02ccId/), and [animate](/\u02c8\u00e6n\u0259m\u0259t/)",
        ),
        ("tired .", "tired."),
        ("it — then", "it— then"),
        ("(so what?)", "so what?"),
        ("A decoder, I think", "A decoder, I think"),
        ("</span>", "less than slash span greater than"),
        ("“<br/>”, <b>x", "less than br slash greater than, less than b greater than x"),
        ("*bold* and 2*3 or 2 * 3", "star bold star and two times three or two times three"),
        ("_it_ _ and d_k", "underscore it underscore underscore and d k"),
        ("“_it_” wins", "underscore it underscore wins"),
        ("{}, “{}” and {4}", "braces, braces and four"),
        ("x < y and x<y", "x is less than y and x is less than y"),
        ("#let &amp; #1", "hash let ampersand amp; number one"),
        ("row A_1", "row [A](/\u02c8A/) one"),
        ("after “-->”, “{4}”.", "after hyphen hyphen greater than, opening brace four closing brace."),
        ("-->0 and “-->0”", "hyphen hyphen greater than zero and hyphen hyphen greater than zero"),
        (
            '“<b>&"#{$x$}\\n”?',
            "less than b greater than ampersand double quote hash "
            "opening brace dollar sign x dollar sign closing brace backslash n?",
        ),
        ("#{$x$} $y$.", "hash opening brace dollar sign x dollar sign closing brace dollar sign y dollar sign."),
        ("{0:.2f},", "opening brace zero colon full stop two f closing brace,"),
        ('“"q"”', "double quote q double quote"),
        ("“#let”, “#”, “&”, “*”", "hash let, hash, ampersand, star"),
        ("“&lt;”", "ampersand lt semicolon"),
        ("“x²” “GPT-4” “0.67” “-5”", "x squared g p t four zero point six seven minus five"),
        ("“C#” “C++” “10%” “a_b”", "c number c plus plus ten percent [A](/\u02c8A/) b"),
        ("“a/b” “AT&T” “x=1”", "[A](/\u02c8A/) over b a t and t x equals one"),
        ("“don’t” “'s” “[CLS]” “Mr.”", "don't s CLS Mr."),
    ],
)
def test_a_lecturer_would_say(written: str, spoken: str) -> None:
    assert said(written) == spoken


@pytest.mark.parametrize("sign", string.punctuation)
def test_a_sign_has_one_name_in_code(sign: str) -> None:
    name = said(f"“{sign}”")
    assert count(name)
    assert not unspeakable(name)
    assert said(f"“<{sign}~1”") == f"less than {name} tilde one"


def test_each_token_has_its_form() -> None:
    assert spoken_words("[1, 0.5] is “.” —") == ("one,", "zero point five", "is", "full stop", "—")


class TestOverrides:
    def test_written_words_are_said_otherwise(self) -> None:
        assert (
            said("The W O, then W O mixes", ("W O", "output matrix")) == "The output matrix, then output matrix mixes"
        )

    def test_words_are_shared_among_tokens_in_order(self) -> None:
        assert spoken_words("see A B now.", (("A B", "one two three four"),)) == (
            "see",
            "one two",
            "three four",
            "now.",
        )
        assert spoken_words("see it all.", (("it all", "everything"),)) == ("see", "", "everything.")

    def test_phonemes_are_one_word_of_the_text(self) -> None:
        forms = spoken_words("So Luong said", (("Luong", "[Luong](/l\u02c8u\u0254\u014b/)"),))
        assert forms[1] == "[Luong](/l\u02c8u\u0254\u014b/)"

    def test_one_for_words_that_do_not_stand_in_the_text_is_refused(self) -> None:
        with pytest.raises(VoiceError, match="'cat' is to be said as 'dog', but doesn't stand in 'The key'"):
            spoken_words("The key", (("cat", "dog"),))


class TestUnspeakable:
    def test_what_no_rule_knows_is_named(self) -> None:
        assert unspeakable(said("Мама saw 日本")) == "Мам日本"

    def test_marks_of_formulas_are(self) -> None:
        assert unspeakable("a_b [1] −2") == "_[1]−2"

    def test_phonemes_out_of_the_alphabet_are(self) -> None:
        assert unspeakable("a [word](/w3d/).") == "3"

    def test_the_alphabet_is_the_engine_s(self) -> None:
        vocabulary = json.loads(files("hibari").joinpath("assets/vocab.json").read_text(encoding="utf-8"))
        assert set(listed("engine")["phonemes"]) <= set(vocabulary)

    @pytest.mark.parametrize("section", ["words", "quoted", "letters", "raised", "marks", "symbols"])
    def test_nothing_of_the_list_is(self, section: str) -> None:
        for written, spoken in listed(section).items():
            assert not unspeakable(spoken), written
            assert count(spoken), written


def test_words_are_counted_by_what_is_heard() -> None:
    spoken = "one, — [d k](/d\u02c8i k\u02c8A/) two?"
    assert parts(spoken) == (("one,", 1), ("—", 0), ("[d k](/d\u02c8i k\u02c8A/)", 2), ("two?", 1))
    assert count(spoken) == 4


@given(st.text())
def test_any_text_has_one_form_a_token(text: str) -> None:
    forms = spoken_words(text)
    assert len(forms) == len(text.split())
    assert count(joined(forms)) == sum(map(count, forms))


@given(st.text("abcXYZ0123456789.,;:!?’'“”()[]{}_^√∞−×·=+<>≤≥%→–— \n²ᵀ₁é"))
def test_words_and_formulas_are_all_speakable(text: str) -> None:
    assert unspeakable(said(text)) == ""


_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_VALUES = {word: i for i, word in enumerate([*_ONES, "seventeen", "eighteen", "nineteen"])} | {
    word: 10 * i for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}


def heard(words: str) -> int:
    """The whole number that someone writes down who hears it."""
    total = group = 0
    for word in words.replace(" and ", " ").split():
        if word == "hundred":
            group *= 100
        elif word in ("thousand", "million", "billion"):
            total, group = total + group * 1000 ** ("thousand", "million", "billion").index(word) * 1000, 0
        else:
            group += _VALUES[word]
    return total + group


@given(st.integers(0, 10**12 - 1))
def test_a_whole_number_is_heard_as_it_is(value: int) -> None:
    assert heard(said(f"{value}")) == heard(said(f"{value:,}")) == value


@given(st.decimals(0, 10**6, places=4))
def test_digits_after_the_point_are_said_one_by_one(value: object) -> None:
    whole, _, digits = f"{value}".partition(".")
    before, after = said(f"{value}").split(" point ")
    assert heard(before) == int(whole)
    assert "".join(str(_VALUES[word]) for word in after.split()) == digits
