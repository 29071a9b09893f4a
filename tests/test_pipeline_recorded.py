"""The lecturer's recordings in builds: they replace lines, and what has changed since is noticed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kit_helpers import changed_lesson
from listening import sound_of
from little_chapters import LITTLE, SPEAKING, SPEAKING_ALONE
from scipy.signal import resample_poly
from sounds import in_a_room, tone, write_sound

from pipeline.cli import main
from voice import SAMPLE_RATE, hibari

pytestmark = pytest.mark.slow

LINE = "speaking.show"
CHAPTERS = (LITTLE, SPEAKING, SPEAKING_ALONE)

Call = Callable[..., tuple[int, str, str]]


class Desk:
    """A lecturer's folders, and render.py over the little chapters."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys
        self.sounds = folder / "recordings" / "en"
        self.sounds.mkdir(parents=True)

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit status, output, errors."""
        folders = ["--media", str(self.folder / "media"), "--recordings", str(self.folder / "recordings"), "-q", "l"]
        status = main([*arguments, *folders], CHAPTERS)
        return status, *self.capsys.readouterr()

    def built(self, *arguments: str) -> str:
        """What a build that works says."""
        status, output, errors = self.run(*arguments)
        assert (status, errors) == (0, "")
        assert self.run("check", *arguments)[:2] == (0, "all fresh\n")
        return output

    def clip(self, name: str = "speaking") -> dict[str, Any]:
        path = self.folder / "media" / "480p15" / "clips" / f"{name}.json"
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return data

    def line(self, key: str = LINE, name: str = "speaking") -> dict[str, Any]:
        found: dict[str, Any] = next(line for line in self.clip(name)["lines"] if line["id"] == key)
        return found

    def heard(self, line: dict[str, Any], name: str = "speaking") -> np.ndarray[Any, Any]:
        """The sound of a line in its clip's file."""
        whole = sound_of(self.folder / "media" / "480p15" / "clips" / f"{name}.mp4")
        return whole[round(line["start"] * SAMPLE_RATE) : round(line["end"] * SAMPLE_RATE)]


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    return Desk(tmp_path, capsys)


def pitch(sound: np.ndarray[Any, Any]) -> float:
    """The strongest frequency, Hz."""
    return float(np.argmax(np.abs(np.fft.rfft(sound))) * SAMPLE_RATE / sound.size)


def test_a_tone_replaces_a_line_until_the_line_changes(desk: Desk, tmp_path: Path) -> None:
    desk.built()
    engine, others = desk.clip(), desk.clip("little")["fingerprint"]
    assert {line["origin"] for line in engine["lines"]} == {"hibari"}

    # A recording is taken up: sound, words, captions and picture follow it, in both clips that say the line.
    write_sound(desk.sounds / f"{LINE}.wav", np.repeat(tone(seconds=4.0), 2, axis=0))
    output = desk.built()
    assert "its words were not found" in output
    line, clip = desk.line(), desk.clip()
    assert line["origin"] == "recording"
    assert line["end"] - line["start"] == pytest.approx(0.05 + 4.0 + 0.1, abs=0.1)
    assert pitch(desk.heard(line)) == pytest.approx(440, abs=2)
    assert desk.line(name="speaking_alone") == line
    longer = line["end"] - engine["lines"][0]["end"]
    assert clip["lines"][1]["start"] - engine["lines"][1]["start"] == pytest.approx(longer, abs=0.1)
    assert clip["duration"] - engine["duration"] == pytest.approx(longer, abs=8 / 15)  # clips are whole AAC frames
    assert clip["frames"] == round(15 * clip["duration"])
    assert [each["text"] for each in clip["captions"]] == [each["text"] for each in engine["captions"]]
    assert clip["captions"][1]["start"] - engine["captions"][1]["start"] == pytest.approx(longer, abs=0.1)
    assert desk.clip("little")["fingerprint"] == others

    # The line changes: the build says so and the engine speaks, or it stops.
    changed_lesson(tmp_path, ("query = [0, 2]", "query = [1, 2]"))
    changed = ("--lesson", str(tmp_path / "lesson.toml"))
    before = desk.clip()
    status, output, errors = desk.run("--strict-recordings", *changed)
    assert (status, errors.count("\n")) == (2, 1)
    assert f"render.py: {LINE}: " in errors
    assert desk.clip() == before
    output = desk.built(*changed)
    for part in (LINE, "“The query begins with 0.”", "“The query begins with 1.” now", "record it again"):
        assert part in output
    assert desk.line()["origin"] == "hibari"
    assert "record it again" in desk.built(*changed)

    # It still fits, says the lecturer.
    (desk.sounds / "recorded.json").unlink()
    assert desk.run("check", *changed)[0] == 1
    desk.built("--strict-recordings", *changed)
    assert desk.line()["origin"] == "recording"

    # Back to the first numbers, and without the recording.
    (desk.sounds / f"{LINE}.wav").unlink()
    assert "taken from the store" in desk.built()
    assert desk.clip() == engine


def test_an_engines_speech_as_a_recording_gives_its_words_times(desk: Desk) -> None:
    """At another rate, in stereo, after a silence: the words are where the engine says they are."""
    samples, words = hibari.speak("Which key is it?")
    sound = in_a_room(0.4 * resample_poly(samples, 441, 480), 44_100)
    write_sound(desk.sounds / "speaking.ask.m4a", np.repeat(sound, 2, axis=0))
    write_sound(desk.sounds / "speaking.aks.flac", tone())
    output = desk.built()
    assert "speaking.aks.flac belongs to no line; the nearest: speaking.ask" in output
    assert "not found" not in output
    line = desk.line("speaking.ask")
    assert line["origin"] == "recording"
    assert np.abs(np.subtract(line["words"], words)).max() < 0.1
    caption = desk.clip()["captions"][-1]
    assert caption["text"] == "Which key is “it”?"
    assert abs(caption["start"] - line["start"] - line["words"][0][0]) <= 0.1


def test_a_recording_that_cannot_be_used_is_one_line_and_2_before_anything_is_rendered(desk: Desk) -> None:
    write_sound(desk.sounds / f"{LINE}.wav", np.zeros((1, 44_100), np.float32))
    status, _, errors = desk.run()
    assert status == 2
    assert f"{LINE}.wav: it is silent" in errors
    assert errors.count("\n") == 1
    assert not list((desk.folder / "media").rglob("*.mp4"))
    assert desk.run("--voice", "none")[0] == 0
