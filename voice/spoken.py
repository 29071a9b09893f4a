"""How a line is said: one spoken form for each token of its text.

A spoken form is what the engine reads well: letters, apostrophes, hyphens and the punctuation that shapes a sentence,
or a word with its phonemes, `[word](/phonemes/)`. Rules and a list (see `reading`) make it; a line may override them.
"""

from __future__ import annotations

import re
from itertools import pairwise

from voice.reading import PROSODY, in_words, listed, read, spelled
from voice.speech import VoiceError

_LINK = re.compile(r"\[[^\]]*\]\(/([^)]*)/\)")
_PART = re.compile(rf"{_LINK.pattern}\S*|\S+")
_ENDS = re.compile(r"([“‘\"'«(\[{]*)(.*?)([”’\"'»)\]},.;:!?…—]*)", re.DOTALL)
_QUOTED = re.compile(r"[“‘\"'](\S+?)[”’\"']([,.;:!?…—]*)")
_WORD = r"(?:[A-Za-z0-9]|[^\x00-\x7f])+"
_ORDINARY = re.compile(  # a word, number or small formula: it's, [CLS], key-value, d_k, 10:30, AT&T, −0.5, $5, 10%, C++
    rf"[(\['’]?(?:[-+#$](?=\d))?{_WORD}(?:[-'.,:/_^+=&@]{_WORD})*(?:[%#']|\+\+)?[)\]]?[.,;:!?]*"
)
_CODE = re.compile(r"->|[\\`]|\]\(|#\{|\{\w*[:.!]\S*\}|\$(?!\d|$)")
"""What neither a sentence nor a formula has."""
_BEFORE_YEARS = ("in", "since", "until", "from")


def spoken_words(text: str, says: tuple[tuple[str, str], ...] = (), *, announced: bool = True) -> tuple[str, ...]:
    """What to say for each token (what whitespace separates) of a caption text; a form may be several words, or none.

    `says` overrides the rules: pairs of written words, as they stand in the text, and spoken words. `announced` tells
    whether a little word in quotes is said as "the word it", for a listener who can't see the quotes.

    Raises
    ------
    VoiceError
        The written words of an override don't stand in the text.
    """
    tokens = text.split()
    cores = [_core(token) for token in tokens]
    forms = [_form(token, i, cores, announced) for i, token in enumerate(tokens)]
    for written, spoken in says:
        wanted = [_core(token) for token in written.split()]
        places = [i for i in range(len(tokens)) if wanted and cores[i : i + len(wanted)] == wanted]
        if not places:
            raise VoiceError(f"{written!r} is to be said as {spoken!r}, but doesn't stand in {text!r}")
        for i in places:
            last = i + len(wanted) - 1
            forms[i : last + 1] = _shared(spoken, len(wanted))
            forms[last] += _prosody(tokens[last])
    return tuple(forms)


def joined(forms: tuple[str, ...]) -> str:
    """The spoken form of a line."""
    return re.sub(rf" +([{PROSODY}])", r"\1", " ".join(filter(None, forms)))


def parts(spoken: str) -> tuple[tuple[str, int], ...]:
    """What a spoken form is made of, word by word, and how many words each is; punctuation alone is none.

    A word with its phonemes is one part and may be several words.
    """
    found = ((part[0], part[1]) for part in _PART.finditer(spoken))
    return tuple((part, len(phonemes.split()) if phonemes else any(map(str.isalpha, part))) for part, phonemes in found)


def count(spoken: str) -> int:
    """How many words a spoken form has."""
    return sum(words for _, words in parts(spoken))


def unspeakable(spoken: str) -> str:
    """The characters of a spoken form that the engine can't say, each once, in order."""
    phonemes = (c for c in "".join(_LINK.findall(spoken)) if c not in listed("engine")["phonemes"])
    rest = re.sub(rf"[A-Za-z '\-{PROSODY}]", "", _LINK.sub("", spoken))
    return "".join(dict.fromkeys([*phonemes, *rest]))


def _form(token: str, place: int, cores: list[str], announced: bool) -> str:
    core, before = cores[place], "".join(cores[place - 1 : place]).lower()
    if (quoted := _QUOTED.fullmatch(token)) and (mention := listed("quoted").get(quoted[1].lower())):
        return _announced(before) * (announced and quoted[1].isalpha()) + mention + quoted[2]
    if quoted and not _ORDINARY.fullmatch(quoted[1]):
        return spelled(quoted[1]) + quoted[2]
    if not quoted and _CODE.search(bare := token.rstrip(PROSODY)):
        return spelled(bare) + _prosody(token)
    if not _ends(token)[1]:  # punctuation, or brackets with nothing between them
        alone = token.rstrip(PROSODY)
        said = listed("quoted").get(alone, "") if alone[1:] else ""
    elif core in ("a", "A", "I"):  # words, where they stand alone
        said = core
    elif re.fullmatch(r"19\d\d|20[0-3]\d", core) and (before in _BEFORE_YEARS or token.startswith("(")):
        said = in_words(int(core), "year")
    else:
        said = read(core, times="by" if "×" in core and _is_shape(place, cores) else "times")
    if before == "the":  # the √d_k
        said = said.removeprefix("the ")
    return said + _prosody(token)


def _announced(before: str) -> str:
    """What a listener needs to hear in place of the quotes around a little word."""
    return {"word": "", "words": "", "the": "word ", "first": "word ", "next": "word "}.get(before, "the word ")


def _is_shape(place: int, cores: list[str]) -> bool:
    """Whether this × stands between sizes, 6 × 8, and not in a sum or an equation, 1×1 + 0×0 = 1."""
    reach = 2 if cores[place] == "×" else 1
    around = "".join(cores[max(0, place - reach + 1) : place + reach])
    outer = [cores[i] for i in (place - reach, place + reach) if 0 <= i < len(cores)]
    return re.fullmatch(r"(\d+|\w)×(\d+|\w)", around) is not None and not set(outer) & set("+=−·")


def _core(token: str) -> str:
    """A token without the punctuation at its ends."""
    return _ends(token)[1] or token


def _ends(token: str) -> tuple[str, str, str]:
    match = _ENDS.fullmatch(token)
    assert match is not None
    return match[1], match[2], match[3]


def _prosody(token: str) -> str:
    end = _ends(token)[2].replace("...", "…")
    return "".join(c for c in end if c in PROSODY)


def _shared(spoken: str, among: int) -> list[str]:
    """Spoken words shared among written ones; when they are too few, some written ones go without."""
    said = [part for part, _ in parts(spoken)]
    cuts = [len(said) * i // among for i in range(among + 1)]
    return [" ".join(said[a:b]) for a, b in pairwise(cuts)]
