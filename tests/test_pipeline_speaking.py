"""Builds that speak, through the command line: each line is heard where the timeline says it is, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from listening import misheard, sound_of
from mp4_boxes import opened

from pipeline.manifest import ticks, track_of

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
CHAPTERS = "little,speaking,speaking_alone,longer"
IN_LESSON = ("little", "speaking", "longer")


def build(media: Path, *arguments: str, seed: str = "1") -> Path:
    """Build the chapters at 480p15, without recordings; returns the folder."""
    (media / "recordings").mkdir(parents=True, exist_ok=True)
    command = [sys.executable, str(HERE / "little_render.py"), CHAPTERS, "-q", "l", "--media", str(media)]
    command += ["--recordings", str(media / "recordings"), *(arguments or ("--voice", "hibari"))]
    env = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    return media / "480p15"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@pytest.fixture(scope="module")
def cold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first build, from nothing."""
    return build(tmp_path_factory.mktemp("spoken") / "media")


@pytest.fixture(scope="module")
def warm(cold: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of everything with speech that was made before."""
    media = tmp_path_factory.mktemp("warm") / "media"
    shutil.copytree(cold.parent / ".store" / "speech", media / ".store" / "speech")
    return build(media, "--voice", "hibari", "--jobs", "1", seed="2")


@pytest.fixture(scope="module", params=["cold", "warm"])
def root(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.getfixturevalue(request.param)
    return folder


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("silent") / "media", "--voice", "none")


def record(root: Path, name: str) -> Any:
    return json.loads((root / "clips" / f"{name}.json").read_text(encoding="utf-8"))


def kinds(path: Path) -> list[str]:
    with opened(path) as container:
        return [stream.type for stream in container.streams]


@pytest.mark.parametrize("name", ["speaking", "speaking_alone"])
def test_each_line_is_heard_in_its_clip_and_nothing_between(root: Path, name: str) -> None:
    data = record(root, name)
    lines = track_of(data).lines
    assert len(lines) == 3
    assert {line.origin for line in lines} == {"hibari"}
    assert misheard(sound_of(root / "clips" / f"{name}.mp4"), lines) == []


def test_each_line_is_heard_in_the_lesson_and_nothing_between(root: Path) -> None:
    places = {part["name"]: ticks(part["start"]) for part in json.loads((root / "lesson.json").read_text())["chapters"]}
    lines = track_of(record(root, "speaking")).lines
    assert misheard(sound_of(root / "lesson.mp4"), lines, places["speaking"]) == []


@pytest.mark.parametrize("name", ["clips/speaking", "lesson"])
def test_sound_and_pictures_are_equally_long(root: Path, name: str) -> None:
    with opened(root / f"{name}.mp4") as container:
        video, audio = container.streams.video[0], container.streams.audio[0]
        assert video.start_time == audio.start_time == 0
        length = video.duration * video.time_base
        assert audio.duration * audio.time_base == length
    assert Fraction(len(sound_of(root / f"{name}.mp4")), 48_000) == length


def test_a_clip_without_a_line_has_no_sound_track(root: Path) -> None:
    assert kinds(root / "clips" / "little.mp4") == ["video"]
    assert kinds(root / "clips" / "speaking.mp4") == ["video", "audio"]


def test_the_same_bytes_warm_from_one_worker(cold: Path, warm: Path) -> None:
    assert files(cold) == files(warm)
    assert files(cold.parent / ".store" / "speech") == files(warm.parent / ".store" / "speech")


def test_the_lesson_is_joined_again_without_its_speech(cold: Path, tmp_path: Path) -> None:
    """Speech is safe to delete: what the lesson needs of it is made again."""
    media = shutil.copytree(cold.parent, tmp_path / "media")
    shutil.rmtree(media / ".store" / "speech")
    (media / "480p15" / "lesson.mp4").unlink()
    assert files(build(media)) == files(cold)


def test_lesson_json_says_who_speaks(cold: Path, silent: Path) -> None:
    spoken, unspoken = (
        json.loads((root / "lesson.json").read_text(encoding="utf-8"))["voice"] for root in (cold, silent)
    )
    assert (spoken["name"], spoken["lines"]) == ("hibari", {"hibari": 3})
    assert spoken["made_with"].startswith("hibari-tts 0.2.1, ")
    assert unspoken == {"name": "none", "lines": {"none": 3}}


def test_without_a_voice_there_is_no_sound_track_but_the_same_words(cold: Path, silent: Path) -> None:
    assert kinds(silent / "lesson.mp4") == ["video", "subtitle", "data"]
    assert kinds(silent / "clips" / "speaking.mp4") == ["video"]
    for name in ("speaking", "speaking_alone"):
        spoken, unspoken = record(cold, name), record(silent, name)
        assert [caption["text"] for caption in unspoken["captions"]] == [
            caption["text"] for caption in spoken["captions"]
        ]
        assert [(line["id"], line["text"]) for line in unspoken["lines"]] == [
            (line["id"], line["text"]) for line in spoken["lines"]
        ]
        assert {line["origin"] for line in unspoken["lines"]} == {"none"}
