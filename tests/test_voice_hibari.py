"""The engine's speech: word times against the sound and another model, its level, and what is said when it fails."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from voice import hibari
from voice.alignment import align
from voice.loudness import CEILING, integrated, true_peak
from voice.speech import SAMPLE_RATE, Samples, Times, VoiceError
from voice.spoken import joined, spoken_words

SENTENCES = (
    "The query visits the keys, one by one.",
    "Entries that both have are multiplied; their sum is the score.",
    "Before the softmax, the mask sets their scores to minus infinity.",
    "Attention compares the word with every other word, all at once.",
)


@cache
def speech(spoken: str) -> tuple[Samples, Times]:
    return hibari.speak(spoken)


def level(sound: Samples, start: float, end: float) -> float:
    """Power between two times, in dB."""
    part = sound[round(start * SAMPLE_RATE) : round(end * SAMPLE_RATE)]
    return float(10 * np.log10(np.square(part, dtype=np.float64).mean() + 1e-12))


@pytest.fixture
def fresh_engine() -> Iterator[None]:
    hibari._engine.cache_clear()
    yield
    hibari._engine.cache_clear()


class TestWordTimes:
    @pytest.mark.parametrize("sentence", SENTENCES)
    def test_each_word_has_its_time_and_is_heard_then(self, sentence: str) -> None:
        sound, words = speech(sentence)
        assert len(words) == len(sentence.split())
        assert all(start < end for start, end in words)
        assert all(one[1] <= two[0] for one, two in pairwise(words))
        assert words[0][0] >= 0
        assert words[-1][1] <= len(sound) / SAMPLE_RATE
        assert all(level(sound, *word) > -45 for word in words)

    def test_between_sentences_there_is_silence_and_no_word(self) -> None:
        sound, words = speech("It looks for a noun. Do others have one? Yes.")
        for before, after in ((4, 5), (8, 9)):
            start, end = words[before][1], words[after][0]
            assert end - start > 0.2
            assert level(sound, start + 0.05, end - 0.05) < -50

    def test_another_model_hears_the_words_at_the_same_times(self) -> None:
        late: list[float] = []
        for sentence in SENTENCES:
            sound, words = speech(sentence)
            heard = align(sound, SAMPLE_RATE, sentence.split())
            assert not heard.note
            late += [one[0] - two[0] for one, two in zip(words, heard.words, strict=True)]
        constant = float(np.median(late))
        median, most = np.percentile([abs(each - constant) for each in late], (50, 90))
        assert abs(constant) < 0.03
        assert median < 0.025
        assert most < 0.06

    @pytest.mark.parametrize(
        "spoken, words",
        [
            ("NumPy and PyTorch run", 4),  # the engine makes two words of each
            ("LayerNorm or Mr. K. say: a k.", 7),
            ("[d k](/d\u02c8i k\u02c8A/), [Luong](/l\u02c8u\u0254\u014b/)", 3),
            ("it's — so they say… — one-hot?", 5),
            ("W. O. mixes. Q. Done!", 5),
            ("Chapter IV, in Sept. at five p.m.", 7),
        ],
    )
    def test_words_are_those_of_the_spoken_form(self, spoken: str, words: int) -> None:
        assert len(speech(spoken)[1]) == words

    def test_a_letter_s_full_stop_is_no_abbreviation(self) -> None:
        (phonemes,) = hibari._sentences(hibari._engine(), "up to d k.")
        assert phonemes.endswith("k\u02c8A.")


class TestSound:
    def test_it_is_the_same_in_another_process(self) -> None:
        code = (
            "import hashlib; from voice import hibari; samples, words = hibari.speak('Same inputs, same bytes.');"
            "print(hashlib.sha256(samples.tobytes() + repr(words).encode()).hexdigest())"
        )
        samples, words = hibari.speak("Same inputs, same bytes.")
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert found.stdout.strip() == hashlib.sha256(samples.tobytes() + repr(words).encode()).hexdigest()

    @pytest.mark.parametrize("sentence", SENTENCES)
    def test_it_is_at_the_lesson_s_level_and_under_the_ceiling(self, sentence: str) -> None:
        sound, _ = speech(sentence)
        assert sound.dtype == np.float32
        assert integrated(sound) == pytest.approx(-16, abs=1.5)
        assert true_peak(sound) < CEILING + 0.05

    @pytest.mark.parametrize("sentence", SENTENCES)
    def test_silence_around_it_is_short(self, sentence: str) -> None:
        sound, words = speech(sentence)
        seconds = len(sound) / SAMPLE_RATE
        assert words[0][0] == pytest.approx(0.05, abs=0.03)
        assert seconds - words[-1][1] == pytest.approx(0.1, abs=0.03)
        assert level(sound, 0, 0.03) < -50
        assert level(sound, seconds - 0.03, seconds) < -50

    def test_the_pace_is_a_lecture_s(self) -> None:
        words = sum(len(sentence.split()) for sentence in SENTENCES)
        minutes = sum(len(speech(sentence)[0]) for sentence in SENTENCES) / SAMPLE_RATE / 60
        assert 130 < words / minutes < 190


@pytest.mark.usefixtures("fresh_engine")
class TestWithoutTheEngine:
    def test_a_missing_one_says_so_and_offers_silence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in [name for name in sys.modules if name.partition(".")[0] == "hibari"]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, "hibari", None)
        self.refuses(r"ModuleNotFoundError.*")

    def test_another_version_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hibari.__version__", "9.9")
        self.refuses(r"its version is 9\.9, not 0\.2\.1")

    @pytest.mark.parametrize("content", [b"", b"no model", b"\x08\x08"])
    def test_a_broken_model_is_refused(self, content: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        model = tmp_path / "hibari.onnx"
        model.write_bytes(content)
        monkeypatch.setattr("hibari.voices.voice_path", lambda name: str(model))
        self.refuses(r".+")

    def refuses(self, why: str) -> None:
        with pytest.raises(VoiceError, match=f"^the voice hibari doesn't work .{why}.: .*without sound: --voice none$"):
            hibari.speak("Hello.")


def test_what_changes_the_sound_is_in_its_identity() -> None:
    assert "hibari-tts 0.2.1" in hibari.identity()
    assert f"speed {hibari.SPEED}" in hibari.identity()


@pytest.mark.parametrize("text", ["1.8 × 10^308", "QKᵀ/√d_k", "[1, 0, 0]", "−∞", "“.”", "0.6698", "1,048,576"])
def test_formulas_become_words_that_are_heard(text: str) -> None:
    spoken = joined(spoken_words(text))
    assert len(speech(spoken)[1]) == len(spoken.split())
