"""When each word of a recording is said: forced alignment of sound and known text with pocketsphinx."""

# ruff: noqa: RUF001 - phonetic letters look like others

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, pairwise
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from voice.silence import Samples, sounding

Span = tuple[float, float]

_RATE = 16_000  # Hz, what the recogniser's model was trained on
_FRAME = 0.01  # s
_LATE = 0.015  # s: a frame's window reaches that far beyond the moment it is counted for
_PAUSE = 0.08  # s between two words
_REACH = 0.08  # s: how far an edge beside a pause may move to where the sound begins or ends
_INSTANT = 1e-6  # s: the side of a moment on which a word lies
_INLINE = re.compile(r"\[([^\]]*)\]\(/([^)]*)/\)")  # a spoken word with its phonemes
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

ARPABET = {
    "A": "EY", "I": "AY", "O": "OW", "W": "AW", "Y": "OY", "Q": "OW", "i": "IY", "u": "UW", "ɑ": "AA", "ɔ": "AO",
    "ɛ": "EH", "ɪ": "IH", "ʊ": "UH", "ʌ": "AH", "ə": "AH", "ᵊ": "AH", "ɐ": "AH", "ᵻ": "IH", "æ": "AE", "a": "AE",
    "ɒ": "AA", "ɜ": "ER", "ɚ": "ER", "ɝ": "ER", "e": "EH", "o": "OW", "b": "B", "d": "D", "f": "F", "h": "HH",
    "j": "Y", "k": "K", "l": "L", "m": "M", "n": "N", "p": "P", "s": "S", "t": "T", "v": "V", "w": "W", "z": "Z",
    "ɡ": "G", "ŋ": "NG", "ɹ": "R", "ʃ": "SH", "ʒ": "ZH", "ð": "DH", "θ": "TH", "ʤ": "JH", "ʧ": "CH", "T": "T",
    "ɾ": "T", "ʔ": "T",
}  # fmt: skip
"""The engine's phonemes as the recogniser's; marks of stress and length have none."""


@dataclass(frozen=True)
class Alignment:
    """Start and end of each word in s, ascending; a note when they are only estimated."""

    words: tuple[Span, ...]
    note: str = ""


def align(samples: Samples, rate: int, spoken: Sequence[str]) -> Alignment:
    """Find the words in the sound.

    Parameters
    ----------
    samples, rate
        float32 [n], mono, and samples a second.
    spoken
        The spoken form of each caption word: several words, or none for a lone dash.

    Returns
    -------
    One span for each caption word. Where the sound does not fit the text (a tone, another language), the words are
    spread over what sounds, by their length, and the note says so.
    """
    sounds = sounding(samples, rate) or ((0.0, samples.size / rate),)
    try:
        spans = _recognised(_at_16_khz(samples, rate), [_pronounced(each) for each in spoken])
    except _NoMatch as error:
        return Alignment(_spread(spoken, sounds), f"its words were not found ({error}): their times are estimated")
    return Alignment(_ascending(_to_sound(spans, sounds), samples.size / rate))


class _NoMatch(Exception):
    """The sound and the text don't belong together, or a word can't be pronounced."""


# ---------------------------------------------------------------------- words as phones


def _pronounced(spoken: str) -> list[tuple[str, ...]]:
    """For each word of a spoken form, the ways to say it, in ARPAbet."""
    found: list[tuple[str, ...]] = []
    position = 0
    for inline in _INLINE.finditer(spoken):
        found += _plain(spoken[position : inline.start()])
        found += [(_arpabet(word),) for word in inline[2].split()]
        position = inline.end()
    return found + _plain(spoken[position:])


def _plain(text: str) -> list[tuple[str, ...]]:
    return [_ways(word.lower().replace("’", "'")) for word in _WORD.findall(text)]


@cache
def _ways(word: str) -> tuple[str, ...]:
    return _dictionary().get(word) or (_arpabet(_engine_phonemes(word)),)


@cache
def _dictionary() -> dict[str, tuple[str, ...]]:
    from pocketsphinx import get_model_path

    found: dict[str, tuple[str, ...]] = {}
    for line in Path(get_model_path("en-us/cmudict-en-us.dict")).read_text(encoding="utf-8").splitlines():
        entry, _, phones = line.partition(" ")
        word = entry.partition("(")[0]
        found[word] = (*found.get(word, ()), phones)
    return found


def _engine_phonemes(word: str) -> str:
    phonemes: str = _grapheme_to_phoneme()(word)
    return phonemes


@cache
def _grapheme_to_phoneme() -> Any:
    from hibari.g2p import G2P

    return G2P()


def _arpabet(phonemes: str) -> str:
    phones = [ARPABET[each] for each in phonemes if each in ARPABET]
    if not phones:
        raise _NoMatch(f"no pronunciation for {phonemes!r}")
    return " ".join(phones).replace("ER R", "ER")


# ---------------------------------------------------------------------- sound and words together


def _at_16_khz(samples: Samples, rate: int) -> bytes:
    """16-bit samples as the recogniser takes them, at one level."""
    from scipy.signal import resample_poly  # late: it takes long

    divisor = int(np.gcd(_RATE, rate))
    resampled = resample_poly(samples.astype(np.float64), _RATE // divisor, rate // divisor)
    return bytes((resampled * (0.7 * 32767 / max(float(np.abs(resampled).max()), 1e-9))).astype("<i2").tobytes())


def _recognised(sound: bytes, words: Sequence[Sequence[tuple[str, ...]]]) -> list[list[Span]]:
    """The spans of each caption word's spoken words."""
    names = _names(words)
    ways = {name: way for way, name in names.items()}
    decoder = _decoder(ways)
    said = [names[way] for word in words for way in word]
    if not said:
        raise _NoMatch("the line has no words")
    try:
        decoder.set_align_text(" ".join(said))
        decoder.start_utt()
        decoder.process_raw(sound, full_utt=True)
        decoder.end_utt()
        segments = [segment for segment in decoder.seg() or () if segment.word.partition("(")[0] in ways]
    except RuntimeError as error:
        raise _NoMatch("the sound and the text don't fit") from error
    if len(segments) != len(said):
        raise _NoMatch("the sound and the text don't fit")
    spans = iter([(s.start_frame * _FRAME + _LATE, (s.end_frame + 1) * _FRAME + _LATE) for s in segments])
    return [[next(spans) for _ in word] for word in words]


def _names(words: Sequence[Sequence[tuple[str, ...]]]) -> dict[tuple[str, ...], str]:
    """A name for each pronunciation: names carry no meaning for the recogniser."""
    return {way: f"w{index}" for index, way in enumerate(dict.fromkeys(way for word in words for way in word))}


def _decoder(ways: dict[str, tuple[str, ...]]) -> Any:
    """A recogniser that knows these words only; a new one each time, since it adapts to what it has heard."""
    from pocketsphinx import Decoder

    decoder = Decoder(lm=None, dict=None, bestpath=False, samprate=_RATE, loglevel="FATAL")
    for name, pronunciations in ways.items():
        for number, phones in enumerate(pronunciations, start=1):
            decoder.add_word(name if number == 1 else f"{name}({number})", phones, False)
    decoder.add_word("unsaid", "AH", True)  # brings the words above into use
    return decoder


# ---------------------------------------------------------------------- edges


def _to_sound(spans: Sequence[Sequence[Span]], sounds: Sequence[Span]) -> list[Span | None]:
    """Each caption word's span; at a pause its edge is where the sound itself begins or ends."""
    times = [-inf, *chain(*sounds), inf]
    pauses = [(end, start) for end, start in zip(times[::2], times[1::2], strict=True) if start - end >= _PAUSE]
    said = [(word[0][0], word[-1][1]) for word in spans if word]
    befores = [-inf, *(end for _, end in said)]
    afters = [*(start for start, _ in said[1:]), inf]
    moved = iter(
        (_onset(start, start - before, pauses), _offset(end, after - end, pauses))
        for (start, end), before, after in zip(said, befores, afters, strict=False)
    )
    return [next(moved) if word else None for word in spans]


def _onset(time: float, gap: float, pauses: Sequence[Span]) -> float:
    """The end of the pause in which a word begins, or beside which it begins after a gap."""
    return next((end for start, end in pauses if start < time < end or _beside(time, end, gap)), time)


def _offset(time: float, gap: float, pauses: Sequence[Span]) -> float:
    """The beginning of the pause in which a word ends, or beside which it ends before a gap."""
    return next((start for start, end in pauses if start < time < end or _beside(time, start, gap)), time)


def _beside(time: float, edge: float, gap: float) -> bool:
    return gap >= _PAUSE and abs(time - edge) <= _REACH


def _ascending(spans: Sequence[Span | None], length: float) -> tuple[Span, ...]:
    """Spans that never run backwards nor leave the sound; a word that isn't spoken has a moment without length."""
    found: list[Span] = []
    now = 0.0
    for span in spans:
        start, end = span or (now, now)
        start = min(max(start, now), length)
        now = min(max(end, start), length)
        found.append((start, now))
    return tuple(found)


def _spread(spoken: Sequence[str], sounds: Sequence[Span]) -> tuple[Span, ...]:
    """The words over what sounds, pauses left out, each as long as its letters ask."""
    lengths = [len(_INLINE.sub(r"\1", each)) for each in spoken]
    share = sum(end - start for start, end in sounds) / max(1, sum(lengths))
    edges = [share * edge for edge in accumulate(lengths, initial=0)]
    spans = [(_moment(a + _INSTANT, sounds), _moment(b - _INSTANT, sounds)) for a, b in pairwise(edges)]
    return _ascending(spans, sounds[-1][1])


def _moment(sounded: float, sounds: Sequence[Span]) -> float:
    """The time at which so many seconds have sounded."""
    for start, end in sounds[:-1]:
        if sounded < end - start:
            return start + sounded
        sounded -= end - start
    start, end = sounds[-1]
    return min(start + sounded, end)
