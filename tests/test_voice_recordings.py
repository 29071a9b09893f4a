"""The lecturer's recordings: any sound file becomes a line's sound, and a text that has changed since is noticed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sounds import Channels, tone, write_sound

from voice.loudness import integrated, true_peak
from voice.recordings import Recordings, same_words
from voice.script import Entry, ScriptError, as_csv, as_markdown, texts_of
from voice.speech import SAMPLE_RATE, VoiceError

QUERY, KEY = "opening.query", "opening.key"


@dataclass(frozen=True)
class Said:
    """A line of narration."""

    id: str
    text: str
    says: tuple[tuple[str, str], ...] = ()


LINE = Said(QUERY, "A query gets a weight of 0.68.")


def take(folder: Path, line: Said = LINE) -> Any:
    found = Recordings(folder).find(line)
    assert found is not None
    return found


def levels(samples: npt.NDArray[np.float32], window: float = 0.01) -> npt.NDArray[np.float64]:
    """RMS of each window."""
    size = round(window * SAMPLE_RATE)
    frames = samples[: samples.size // size * size].reshape(-1, size).astype(np.float64)
    return np.asarray(np.sqrt(np.square(frames).mean(axis=1)))


# ---------------------------------------------------------------------- sound


@pytest.mark.parametrize("ending", ["wav", "WAV", "flac", "mp3", "m4a"])
@pytest.mark.parametrize("channels, rate", [(1, 48_000), (2, 44_100), (1, 16_000)])
def test_any_sound_file_is_trimmed_to_mono_at_48_khz(tmp_path: Path, ending: str, channels: int, rate: int) -> None:
    write_sound(tmp_path / "en" / f"{QUERY}.{ending}", np.repeat(tone(rate=rate), channels, axis=0), rate)
    samples = take(tmp_path).samples
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert samples.size / SAMPLE_RATE == pytest.approx(0.05 + 1.0 + 0.1, abs=0.07)
    loud = np.flatnonzero(levels(samples) > 0.05)
    assert loud[0] * 0.01 == pytest.approx(0.05, abs=0.05)
    spectrum = np.abs(np.fft.rfft(samples))
    assert np.argmax(spectrum) * SAMPLE_RATE / samples.size == pytest.approx(440, abs=2)


def test_a_recording_has_the_lessons_loudness_no_offset_and_no_clicks(tmp_path: Path) -> None:
    write_sound(tmp_path / "en" / f"{QUERY}.wav", tone(level=0.02))
    samples = take(tmp_path).samples
    assert integrated(samples) == pytest.approx(-16, abs=0.5)
    assert true_peak(samples) <= -1.5
    assert abs(samples.mean()) < 1e-3
    assert np.abs(samples[[0, -1]]).max() < 1e-3


@pytest.mark.parametrize("noise", [-70, -50, -40])  # dBFS; the tone is at -23
def test_a_rooms_noise_is_silence(tmp_path: Path, noise: float) -> None:
    sound = tone()
    sound += np.random.default_rng(2).normal(0, 10 ** (noise / 20), sound.shape).astype(np.float32)
    write_sound(tmp_path / "en" / f"{QUERY}.wav", sound)
    assert take(tmp_path).samples.size / SAMPLE_RATE == pytest.approx(1.15, abs=0.06)


def test_a_mouse_click_is_not_the_line(tmp_path: Path) -> None:
    sound = tone(tail=1.0)
    sound[0, 4_000:4_400] = sound[0, -4_400:-4_000] = 0.5
    write_sound(tmp_path / "en" / f"{QUERY}.wav", sound)
    assert take(tmp_path).samples.size / SAMPLE_RATE == pytest.approx(1.15, abs=0.04)


def test_a_pause_within_a_line_stays(tmp_path: Path) -> None:
    write_sound(tmp_path / "en" / f"{QUERY}.wav", np.concatenate([tone(), tone()], axis=1))
    assert take(tmp_path).samples.size / SAMPLE_RATE == pytest.approx(0.05 + 1 + 0.5 + 0.7 + 1 + 0.1, abs=0.04)


@pytest.mark.parametrize(
    "sound, why",
    [
        (np.zeros((1, 44_100), np.float32), "silent"),
        (tone(seconds=0.1), "less than 0.2 s"),
        (np.full((1, 2_000), 0.2, np.float32), "shorter than 0.2 s"),
    ],
)
def test_a_file_without_a_line_in_it_is_refused(tmp_path: Path, sound: Channels, why: str) -> None:
    path = write_sound(tmp_path / "en" / f"{QUERY}.wav", sound)
    with pytest.raises(VoiceError, match=rf"{path}: it .*{why}.*record it again"):
        _ = take(tmp_path).samples


@pytest.mark.parametrize("content", [b"", b"RIFF", b"no sound at all" * 100])
@pytest.mark.parametrize("ending", ["wav", "mp3", "m4a", "flac"])
def test_a_file_that_is_no_sound_is_refused(tmp_path: Path, content: bytes, ending: str) -> None:
    path = tmp_path / "en" / f"{QUERY}.{ending}"
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(VoiceError, match=str(path)):
        _ = take(tmp_path).samples


# ---------------------------------------------------------------------- which text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one recording of LINE."""
    write_sound(tmp_path / "en" / f"{QUERY}.wav", tone())
    return tmp_path


def test_no_folder_means_no_recordings(tmp_path: Path) -> None:
    nothing = Recordings(tmp_path / "nowhere")
    assert nothing.find(LINE) is None
    assert nothing.digests == {}
    assert nothing.register({QUERY: LINE.text}) == ""
    assert not (tmp_path / "nowhere").exists()


def test_a_new_recording_is_of_the_line_as_it_is_and_a_later_change_is_noticed(folder: Path) -> None:
    assert not take(folder).outdated
    Recordings(folder).register({QUERY: LINE.text})
    changed = Said(QUERY, LINE.text.replace("0.68", "0.67"))
    assert take(folder, changed).outdated
    assert not take(folder).outdated
    (message,) = Recordings(folder).outdated({QUERY: changed.text})
    for part in (QUERY, LINE.text, changed.text, "record it again", "recorded.json"):
        assert part in message
    assert Recordings(folder).outdated({QUERY: LINE.text}) == []


def test_a_line_recorded_again_is_current(folder: Path) -> None:
    Recordings(folder).register({QUERY: "The old words."})
    assert take(folder).outdated
    write_sound(folder / "en" / f"{QUERY}.wav", tone(seconds=1.2))
    assert not take(folder).outdated
    Recordings(folder).register({QUERY: LINE.text})
    assert not take(folder).outdated


def test_the_script_says_what_was_read(folder: Path) -> None:
    entry = Entry(QUERY, "The words that were read.", 2.0, ())
    (folder / "en" / "script.csv").write_text(as_csv([("Opening", [entry])]), encoding="utf-8-sig")
    assert take(folder).outdated
    assert not take(folder, Said(QUERY, entry.text)).outdated
    Recordings(folder).register({QUERY: LINE.text})
    assert take(folder).recorded_for == entry.text


def test_what_is_still_fitting_counts_again_once_its_entry_is_deleted(folder: Path) -> None:
    Recordings(folder).register({QUERY: "The old words."})
    (folder / "en" / "recorded.json").write_text("{}", encoding="utf-8")
    assert not take(folder).outdated


def test_the_register_keeps_what_others_wrote_and_is_sorted(folder: Path) -> None:
    other = {"z.other": {"sound": "0" * 64, "text": "Other."}}
    (folder / "en" / "recorded.json").write_text(json.dumps(other), encoding="utf-8")
    assert Recordings(folder).register({QUERY: LINE.text, KEY: "No sound."}) == ""
    data = json.loads((folder / "en" / "recorded.json").read_text(encoding="utf-8"))
    assert list(data) == [QUERY, "z.other"]
    assert data["z.other"] == other["z.other"]
    assert data[QUERY]["text"] == LINE.text
    assert sorted(path.name for path in (folder / "en").iterdir()) == [f"{QUERY}.wav", "recorded.json"]


def test_a_folder_that_cannot_be_written_costs_a_line(folder: Path) -> None:
    """A folder in the register's place can't be written by anyone, not even by root."""
    recordings = Recordings(folder)
    assert not take(folder).outdated
    assert recordings.find(LINE) is not None
    (folder / "en" / "recorded.json").mkdir()
    note = recordings.register({QUERY: LINE.text})
    assert "recorded.json" in note
    assert "\n" not in note


@pytest.mark.parametrize("name, content", [
    ("recorded.json", "{"), ("recorded.json", "[]"), ("recorded.json", '{"a": 1}'),
    ("recorded.json", '{"a": {"sound": 1}}'),
    ("script.csv", "a,b\n1,2\n"), ("script.csv", ""),
])  # fmt: skip
def test_a_broken_register_or_script_is_one_clear_error(folder: Path, name: str, content: str) -> None:
    (folder / "en" / name).write_text(content, encoding="utf-8")
    with pytest.raises(VoiceError, match=name) as caught:
        take(folder)
    assert "\n" not in str(caught.value)


def test_two_sounds_of_one_line_are_refused(folder: Path) -> None:
    write_sound(folder / "en" / f"{QUERY}.mp3", tone())
    with pytest.raises(VoiceError, match=rf"{QUERY}.mp3 .*{QUERY}.wav|{QUERY}.mp3.* and {QUERY}.wav"):
        take(folder)


def test_a_sound_of_no_line_is_told_with_the_nearest(folder: Path) -> None:
    write_sound(folder / "en" / "opening.qurey.wav", tone())
    (folder / "en" / "notes.txt").write_text("mine", encoding="utf-8")
    (folder / "en" / "._opening.key.wav").write_bytes(b"what a Mac leaves behind")
    (message,) = Recordings(folder).strays([QUERY, KEY])
    assert "opening.qurey.wav belongs to no line" in message
    assert message.endswith(f"the nearest: {QUERY}")


def test_digests_follow_content_alone(folder: Path) -> None:
    before = Recordings(folder).digests
    (folder / "en" / f"{QUERY}.wav").touch()
    assert Recordings(folder).digests == before
    write_sound(folder / "en" / f"{QUERY}.wav", tone(seconds=0.9))
    assert Recordings(folder).digests[QUERY] != before[QUERY]


def test_digests_tell_every_change_of_what_a_clip_would_sound_like(folder: Path) -> None:
    """What a build notes after registering must stand at the next look, and be gone when the entry is deleted."""
    recordings = Recordings(folder)
    assert recordings.find(Said("opening.other", "Not recorded.")) is None
    unknown = recordings.digests
    assert list(recordings.ids) == list(unknown) == [QUERY]
    recordings.register({QUERY: LINE.text})
    noted = recordings.digests
    assert noted != unknown
    assert Recordings(folder).digests == noted
    (folder / "en" / "recorded.json").unlink()
    assert Recordings(folder).digests != noted


def test_a_file_that_changes_while_it_is_used_is_refused(folder: Path) -> None:
    found = take(folder)
    write_sound(folder / "en" / f"{QUERY}.wav", tone(seconds=0.9))
    with pytest.raises(VoiceError, match="changed while it was used: build again"):
        _ = found.samples


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("“it” draws\non  “animal”", '"It" draws on "animal"', True),
        ("didn’t", "didn't", True),
        ("0.68", "0.67", False),
        ("−0.3", "0.3", False),
        ("a weight", "the weight", False),
    ],
)
def test_figures_count_and_typography_does_not(one: str, other: str, same: bool) -> None:
    assert same_words(one, other) is same


# ---------------------------------------------------------------------- the script

texts = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), include_characters="=+-@'\",;\t“−"), min_size=1, max_size=60
)


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,9}(\.[a-z_]{1,9}){1,2}", fullmatch=True), texts, max_size=6))
def test_the_table_reads_back_equal_and_holds_no_formula(lines: dict[str, str]) -> None:
    table = as_csv([("=A title", [Entry(key, text, 1.0, ()) for key, text in lines.items()])])
    assert texts_of(table) == lines
    for row in csv.reader(io.StringIO(table, newline="")):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in row)


@given(st.lists(texts, max_size=5))
def test_a_table_saved_again_with_semicolons_reads_back_equal(lines: Sequence[str]) -> None:
    table = as_csv([("T", [Entry(f"a.b{index}", text, 1.0, ()) for index, text in enumerate(lines)])])
    saved = io.StringIO(newline="")
    csv.writer(saved, delimiter=";").writerows(csv.reader(io.StringIO(table, newline="")))
    assert list(texts_of(saved.getvalue()).values()) == list(lines)


def test_a_table_without_ids_is_refused() -> None:
    with pytest.raises(ScriptError, match="line id"):
        texts_of("id,text\na,b\n")


def test_the_markdown_has_every_line_with_its_id_length_state_and_hard_words() -> None:
    entries = [
        Entry(
            QUERY,
            "Scores are divided by √d_k.",
            2.04,
            ("Scores", "are", "divided", "by", "the root of d k."),
            "recorded",
        ),
        Entry(
            "opening.stop", "So “.” gets 0.68.", 1.0, ("So", "full stop", "gets", "zero point six eight."), "to record"
        ),
        Entry(KEY, "- 1. *Keys* <b> W_Q", 1.0, ("", "one.", "Keys", "b", "W Q"), "to record"),
    ]
    page = as_markdown("A lesson", [("What is a query?", entries)], "recordings/en")
    assert "## What is a query?" in page
    assert (
        "Scores are divided by √d\\_k.\\\n<sub>`opening.query` · 2.0 s · recorded · √d\\_k: *the root of d k*</sub>"
        in page
    )
    assert "So “.” gets 0.68.\\\n<sub>`opening.stop` · 1.0 s · to record · “.”: *full stop*</sub>" in page
    assert "\\- 1. \\*Keys\\* \\<b\\> W\\_Q" in page
    assert "3 lines, about 0:04 of speech: 1 recorded, 2 to record." in page
