"""Who speaks a line: the times of its tokens, the store before the engine, silence, and errors that name the line."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from voice.narrator import Voice
from voice.recordings import Recordings
from voice.speech import SAMPLE_RATE, Speech, VoiceError
from voice.store import SpeechStore


@dataclass(frozen=True)
class Line:
    id: str
    text: str
    says: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Said:
    id: str
    text: str
    spoken: str
    origin: str
    sound: str


def paced(line: object) -> Speech:
    return Speech(2.0, ((0.0, 2.0),), "", "none", "")


def voice(folder: Path, *, engine: bool = True) -> Voice:
    return Voice(engine, Recordings(folder / "recordings"), SpeechStore(folder / "store"), paced)


def said(line: Line, speech: Speech) -> Said:
    return Said(line.id, line.text, speech.spoken, speech.origin, speech.sound)


def test_times_are_those_of_the_text_s_tokens(tmp_path: Path) -> None:
    line = Line("softmax.divide", "Divide by 3.0281 — the weights are 0.6698, 0.3302.")
    speech = voice(tmp_path).speak(line)
    assert len(speech.words) == len(line.text.split())
    lengths = dict(zip(line.text.split(), (end - start for start, end in speech.words), strict=True))
    assert lengths["3.0281"] > 3 * lengths["by"]
    assert lengths["—"] == 0
    assert speech.words == tuple(sorted(speech.words))
    assert speech.words[-1][1] <= speech.seconds
    assert speech.origin == "hibari"
    assert speech.spoken.startswith("Divide by three point zero two eight one")


def test_a_line_s_own_words_are_said(tmp_path: Path) -> None:
    line = Line("heads.mix", "The matrix W O mixes.", (("W O", "of all outputs"),))
    assert voice(tmp_path).speak(line).spoken == "The matrix of all outputs mixes."


def test_the_store_gives_the_same_and_is_made_again_when_it_is_gone(tmp_path: Path) -> None:
    line = Line("opening.query", "It sends out a query.")
    speech = voice(tmp_path).speak(line)
    samples = voice(tmp_path).samples(said(line, speech))
    assert len(samples) == round(speech.seconds * SAMPLE_RATE)
    assert voice(tmp_path).speak(line) == speech
    for path in (tmp_path / "store").iterdir():
        path.unlink()
    np.testing.assert_array_equal(voice(tmp_path).samples(said(line, speech)), samples)
    assert voice(tmp_path).speak(line) == speech


def test_the_same_words_are_kept_once(tmp_path: Path) -> None:
    one = voice(tmp_path).speak(Line("a.b", "Half of 0.5."))
    two = voice(tmp_path).speak(Line("c.d", "Half of 0.5."))
    assert one == two
    assert len(list((tmp_path / "store").iterdir())) == 1


def test_a_full_store_needs_no_engine(tmp_path: Path) -> None:
    """A warm build starts quickly: neither the engine nor what measures sound is imported."""
    line = Line("opening.query", "It sends out 2 queries.")
    voice(tmp_path).speak(line)
    code = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_voice_narrator import Line, voice
for name in ("hibari", "onnxruntime", "pyloudnorm", "pocketsphinx"):
    sys.modules[name] = None
print(voice(Path({str(tmp_path)!r})).speak(Line({line.id!r}, {line.text!r})).origin)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (found.stdout, found.stderr) == ("hibari\n", "")


def test_without_the_engine_a_line_is_timed_and_silent(tmp_path: Path) -> None:
    line = Line("opening.query", "Query.")
    speech = voice(tmp_path, engine=False).speak(line)
    assert speech == Speech(2.0, ((0.0, 2.0),), "", "none", "")
    assert len(voice(tmp_path).samples(said(line, speech))) == 0
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize(
    "text, message",
    [
        ("The key \ue000.", "a.b: can't say '\\ue000' in '\\ue000.': give its spoken form in "),
        ("— …", "a.b: '— …' holds no word to say"),
    ],
)
def test_what_cannot_be_said_is_named_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(VoiceError) as caught:
        voice(tmp_path).speak(Line("a.b", text))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_words_of_other_scripts_are_said_in_latin_letters(tmp_path: Path) -> None:
    speech = voice(tmp_path).speak(Line("a.b", "So “слово” and λόγος win."))
    assert speech.spoken == "So slovo and logos win."
    assert len(speech.words) == 5


def test_an_override_that_fits_nowhere_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match=r"^a\.b: 'cat' is to be said as 'dog'"):
        voice(tmp_path).speak(Line("a.b", "The key.", (("cat", "dog"),)))


def test_sound_that_cannot_be_made_again_is_no_other_sound(tmp_path: Path) -> None:
    line = Line("opening.query", "Query.")
    speech = voice(tmp_path).speak(line)
    for changed in (replace(speech, spoken="Key."), replace(speech, origin="recording"), replace(speech, sound="f00")):
        for path in (tmp_path / "store").iterdir():
            path.unlink()
        with pytest.raises(VoiceError, match=r"^opening\.query: its sound is gone"):
            voice(tmp_path).samples(said(line, changed))
