"""Real renders of little chapters in worker processes, at low quality, through the command line."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import webvtt
from little_chapters import LITTLE, LONGER
from mp4_boxes import opened, top_level
from PIL import Image

from lesson import Lesson
from pipeline.manifest import KEYS

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
SETS = "little,longer,little_variant"


@dataclass(frozen=True)
class Run:
    """How a build ended."""

    status: int
    output: str
    errors: str


def command(chapters: str, media: Path, *arguments: str) -> list[str]:
    return [sys.executable, str(HERE / "little_render.py"), chapters, "-q", "l", "--media", str(media), *arguments]


def run(chapters: str, media: Path, *arguments: str, **how: Any) -> Run:
    done = subprocess.run(command(chapters, media, *arguments), capture_output=True, text=True, check=False, **how)
    return Run(done.returncode, done.stdout, done.stderr)


def files(folder: Path) -> dict[str, bytes]:
    """All but the lock and the store."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock" and ".store" not in path.parts
    }


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The little lesson, built by two workers."""
    folder = tmp_path_factory.mktemp("built") / "media"
    done = run(SETS, folder, "--jobs", "2", env={**os.environ, "PYTHONHASHSEED": "1"})
    assert (done.status, done.errors) == (0, "")
    return folder


@pytest.fixture(scope="module")
def root(media: Path) -> Path:
    return media / "480p15"


def manifest(root: Path, name: str) -> Any:
    return json.loads((root / "clips" / f"{name}.json").read_text(encoding="utf-8"))


def test_all_files_of_the_contract_and_no_other(root: Path) -> None:
    names = ("little", "longer", "little_variant")
    clips = {f"clips/{name}.{end}" for name in names for end in ("mp4", "vtt", "webp", "json")}
    lesson = {"lesson.mp4", "lesson.vtt", "lesson.chapters.vtt", "transcript.md", "lesson.json"}
    assert set(files(root)) == clips | lesson | {f".made/{name}.json" for name in (*names, "lesson")}
    assert {path.name for path in root.iterdir() if path.is_dir()} == {"clips", ".made"}


def test_manifest(root: Path, shipped_lesson: Lesson) -> None:
    data = manifest(root, "little")
    assert list(data) == KEYS
    assert (data["name"], data["title"]) == (LITTLE.name, LITTLE.title)
    assert (data["width"], data["height"], data["fps"]) == (854, 480, 15)
    assert (data["frames"], data["duration"]) == (48, 3.2)
    assert [(b["name"], b["start"], b["end"]) for b in data["beats"]] == [
        ("show", 0, 12 / 15), ("move", 12 / 15, 27 / 15), ("takeaway_", 27 / 15, 3.2),
    ]  # fmt: skip
    assert data["reads"] == {"practice.q": shipped_lesson.facts.digest("practice.q")}
    assert manifest(root, "longer")["frames"] == 64


def test_constant_frame_rate_and_exact_length(root: Path) -> None:
    for path, frames in ((root / "clips" / "little.mp4", 48), (root / "lesson.mp4", 112)):
        with opened(path) as container:
            stream = container.streams.video[0]
            assert stream.average_rate == stream.base_rate == 15
            assert stream.frames == frames
            assert stream.duration * stream.time_base == Fraction(frames, 15)
            times = [packet.pts * stream.time_base for packet in container.demux(stream) if packet.size]
        assert times == [Fraction(index, 15) for index in range(frames)]
        assert top_level(path).index("moov") < top_level(path).index("mdat")


def test_key_frames_at_beats_and_cues(root: Path) -> None:
    data = manifest(root, "little")
    wanted = {round(15 * beat["start"]) for beat in data["beats"]} | {round(15 * data["cues"][0]["pause_at"])}
    with opened(root / "clips" / "little.mp4") as container:
        keys = {index for index, frame in enumerate(container.decode(video=0)) if frame.key_frame}
    assert wanted == keys == {0, 12, 27}


def test_the_patch_has_its_colour_and_moves(root: Path) -> None:
    with opened(root / "clips" / "little.mp4") as container:
        pictures = [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0)]
    patch, ground = np.array([0xFF, 0xB5, 0x4A]), np.array([0x11, 0x14, 0x1B])
    assert np.abs(pictures[11][240, 427] - patch).max() <= 3
    assert np.abs(pictures[11][10, 10] - ground).max() <= 3
    left = [int(np.argmax(picture[240, :, 0] > 130)) for picture in pictures]
    assert left[0] == left[11]
    assert left[12] < left[18] < left[26]
    assert abs(left[26] - left[0] - 60) <= 1  # one unit of Manim is 60 px
    assert left[26] == left[44]  # the play's last frame is its end


def test_the_poster_is_the_frame_before_the_takeaway(root: Path) -> None:
    with Image.open(root / "clips" / "longer.webp") as poster:
        assert (poster.format, poster.size) == ("WEBP", (854, 480))


def test_sidecar_captions(root: Path) -> None:
    text = (root / "clips" / "little.vtt").read_text(encoding="utf-8")
    assert text == (
        "WEBVTT\n\n00:00:00.133 --> 00:00:00.667\na &lt; b &amp; c &gt; d\nand --&gt; is no arrow\n\n"
        "00:00:00.800 --> 00:00:01.800\nIt moves.\n"
    )
    cues = webvtt.read(str(root / "lesson.vtt")).captions
    assert [(cue.start, cue.text) for cue in cues[-2:]] == [
        ("00:00:03.533", "Longer, in two"),
        ("00:00:04.533", "captions."),
    ]
    marks = (root / "lesson.chapters.vtt").read_text(encoding="utf-8")
    assert marks == (
        'WEBVTT\n\n00:00:00.000 --> 00:00:03.200\nA &lt;little&gt; "one" &amp; more\n\n'
        "00:00:03.200 --> 00:00:07.467\nLonger\n"
    )


def test_transcript(root: Path) -> None:
    assert (root / "transcript.md").read_text(encoding="utf-8") == (
        '# Self-attention\n\n## 1. A \\<little\\> "one" \\& more (0:00)\n\n'
        "a \\< b \\& c \\> d and --\\> is no arrow It moves.\n\n"
        "## 2. Longer (0:03)\n\nLonger, in two captions.\n"
    )


def test_chapters_and_caption_track_of_the_lesson(root: Path) -> None:
    with opened(root / "lesson.mp4") as container:
        chapters = container.chapters()
        (track,) = container.streams.subtitles
        texts = [bytes(p)[2:].decode() for p in container.demux(track) if p.size > 2]
    assert [c["metadata"]["title"] for c in chapters] == [LITTLE.title, LONGER.title]
    assert [c["start"] * c["time_base"] for c in chapters] == [0, Fraction(48, 15)]
    assert [c["end"] * c["time_base"] for c in chapters] == [Fraction(48, 15), Fraction(112, 15)]
    assert texts == ["a < b & c > d\nand --> is no arrow", "It moves.", "Longer, in two", "captions."]


def test_a_second_build_renders_nothing(media: Path) -> None:
    before = files(media)
    done = run(SETS, media)
    assert done.status == 0
    assert done.output.splitlines() == [*(f"{name}: fresh" for name in SETS.split(",")), "lesson: fresh"]
    assert files(media) == before
    assert run(SETS, media, "check").output == "all fresh\n"


@pytest.mark.parametrize(("jobs", "seed", "known"), [("1", "0", False), ("1", "2", True), ("2", "3", True)])
def test_the_same_bytes_however_they_are_made(media: Path, tmp_path: Path, jobs: str, seed: str, known: bool) -> None:
    """In one process the clips follow one another; whatever one leaves behind must not reach the next.

    What an earlier build learnt must not reach it, either.
    """
    if known:
        shutil.copytree(media, tmp_path / "media")
        shutil.rmtree(tmp_path / "media" / ".store" / "clips")
        shutil.rmtree(tmp_path / "media" / "480p15")
    done = run(SETS, tmp_path / "media", "--jobs", jobs, env={**os.environ, "PYTHONHASHSEED": seed})
    assert (done.status, done.output.count(": done, ")) == (0, 3)
    assert files(tmp_path / "media") == files(media)


def test_no_manim_configuration_leaks(media: Path, tmp_path: Path) -> None:
    settings = (
        "[CLI]\nbackground_color = RED\nframe_rate = 24\npixel_height = 100\nframe_height = 3\nplugins = no_such\n"
        "renderer = opengl\nmedia_dir = elsewhere\nlog_to_file = True\nsave_sections = True\ntransparent = True\n"
        "from_animation_number = 1\n[video_encoder]\ncodec = no_such\n"
    )
    home = tmp_path / "home"
    (home / ".config" / "manim").mkdir(parents=True)
    (home / ".config" / "manim" / "manim.cfg").write_text(settings, encoding="utf-8")
    (tmp_path / "manim.cfg").write_text(settings, encoding="utf-8")
    done = run(SETS, tmp_path / "media", cwd=tmp_path, env={**os.environ, "HOME": str(home)})
    assert (done.status, done.errors) == (0, "")
    assert files(tmp_path / "media") == files(media)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "manim.cfg", "media"]


def test_a_manim_cfg_that_cannot_be_read_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "manim.cfg").write_text("no section\n", encoding="utf-8")
    assert run("longer", tmp_path / "media", "--only", "longer", cwd=tmp_path).status == 0


def test_captions_are_equal_at_every_quality(root: Path, tmp_path: Path) -> None:
    assert run(SETS, tmp_path, "-q", "m").status == 0
    other = tmp_path / "720p30"
    texts = ("lesson.vtt", "lesson.chapters.vtt", "transcript.md", "clips/little.vtt")
    assert [(other / name).read_bytes() for name in texts] == [(root / name).read_bytes() for name in texts]
    ours, theirs = manifest(root, "little"), manifest(other, "little")
    assert theirs["frames"] == 2 * ours["frames"] == 96
    same = ("duration", "beats", "captions", "cues", "numbers", "reads")
    assert [ours[key] for key in same] == [theirs[key] for key in same]


def line_of(text: str) -> int:
    """The number of the line of little_scenes.py that holds the text."""
    source = (HERE / "little_scenes.py").read_text(encoding="utf-8")
    return source[: source.index(text)].count("\n") + 1


def test_failures_are_a_line_each_and_stop_nothing_else(tmp_path: Path) -> None:
    done = run("little,broken,wrong,quits,greedy", tmp_path, "--jobs", "1")
    assert done.status == 3
    assert sorted(done.errors.splitlines()) == [
        f"broken: ValueError: the picture does not fit (little_scenes.py:{line_of('raise ValueError')})",
        f"greedy: MemoryError: no message (little_scenes.py:{line_of('bytearray(1 << 62)')})",
        f"quits: SystemExit: enough (little_scenes.py:{line_of('raise SystemExit')})",
        "render.py: not rendered: broken, greedy, quits, wrong",
        "wrong: ValueError: the clip has 7 frames, but its timeline says 8",
    ]
    assert set(files(tmp_path / "480p15")) == {
        ".made/little.json", "clips/little.mp4", "clips/little.vtt", "clips/little.webp", "clips/little.json",
    }  # fmt: skip
    assert not (tmp_path / "480p15" / ".work").exists()
    told = run("little,broken", tmp_path, "check")
    assert (told.status, told.output) == (1, "broken: not rendered yet\nlesson: stale clips: broken\n")


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    done = run("broken", tmp_path, "--debug")
    assert done.status == 3
    assert "Traceback (most recent call last)" in done.errors
    assert 'raise ValueError("the picture\\ndoes not fit")' in done.errors


@contextmanager
def running(media: Path, until: str = "rendering, frame", chapters: str = "long") -> Iterator[subprocess.Popen[str]]:
    """A build by one worker that has just said this; ended, when that is still due, by SIGKILL."""
    with subprocess.Popen(
        command(chapters, media, "--jobs", "1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        while until not in (line := process.stdout.readline()):
            assert line, "the build ended before it rendered anything"
        try:
            yield process
        finally:
            process.kill()


def children(pid: int) -> list[int]:
    """The processes that this one's threads started (Linux)."""
    tasks = sorted(Path(f"/proc/{pid}/task").iterdir())
    return [int(child) for task in tasks for child in (task / "children").read_text(encoding="utf-8").split()]


def wait_for_end(pids: list[int]) -> None:
    """Until all these processes are gone."""
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        assert select.select([handle], [], [], 60)[0], f"process {pid} outlives its parent"
        os.close(handle)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_build_cleans_up(tmp_path: Path, sign: signal.Signals) -> None:
    with running(tmp_path) as process:
        workers = children(process.pid)
        process.send_signal(sign)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert errors.strip() == "render.py: interrupted"
    wait_for_end(workers)
    assert files(tmp_path) == {}
    assert not (tmp_path / "480p15" / ".work").exists()


@pytest.mark.parametrize("until", ["to render", "rendering, frame"])
def test_ctrl_c_reaches_workers_too_and_is_still_one_line(tmp_path: Path, until: str) -> None:
    """A terminal sends the signal to the whole group; with the first line, workers are only starting."""
    with running(tmp_path, until) as process:
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate()
    assert (process.returncode, errors.strip()) == (130, "render.py: interrupted")
    assert files(tmp_path) == {}


def test_after_kill_9_the_next_build_makes_the_same_bytes(tmp_path: Path) -> None:
    with running(tmp_path / "killed") as process:
        workers = children(process.pid)
        assert workers
        process.kill()
        process.wait()
    again = run("long", tmp_path / "killed")
    assert (again.status, again.errors) == (0, "")
    wait_for_end(workers)
    assert run("long", tmp_path / "whole").status == 0
    assert files(tmp_path / "killed") == files(tmp_path / "whole")


def test_two_builds_at_once(tmp_path: Path) -> None:
    """The second says for whom it waits, and then finds all done."""
    with running(tmp_path) as first:
        first.send_signal(signal.SIGSTOP)  # so that it can't end before the second one begins
        with subprocess.Popen(command("long", tmp_path), stdout=subprocess.PIPE, text=True) as second:
            assert second.stdout is not None
            waits = second.stdout.readline()
            first.send_signal(signal.SIGCONT)
            first.communicate()
            output, _ = second.communicate()
    assert f"process {first.pid} on " in waits
    assert (first.returncode, second.returncode) == (0, 0)
    assert output.splitlines() == ["long: fresh", "lesson: fresh"]


def test_a_worker_that_is_killed_takes_only_its_own_clip_along(tmp_path: Path) -> None:
    with running(tmp_path, "long: rendering, frame", chapters="long,little,longer") as process:
        (victim,) = [pid for pid in children(process.pid) if "spawn_main" in command_line(pid)]
        os.kill(victim, signal.SIGKILL)
        output, errors = process.communicate()
    assert process.returncode == 3
    assert errors.splitlines() == [
        "long: a worker process ended unexpectedly (killed, or out of memory?)",
        "render.py: not rendered: long",
    ]
    assert "longer: done" in output
    clips = {Path(name).stem for name in files(tmp_path) if "/clips/" in name}
    assert clips == {"little", "longer"}


def command_line(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
