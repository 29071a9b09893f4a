"""What a build does with clips that come back at once: staleness, order, failures, leftovers.

Workers are replaced by an Executor that writes tiny clips itself; tests/test_pipeline_render.py has the real ones.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from little_chapters import LittleChapter
from mp4_boxes import opened

from lesson import DEFAULT_LESSON, Lesson, load
from pipeline.build import Orders, RenderFailed, build
from pipeline.encoder import ClipEncoder
from pipeline.files import Layout
from pipeline.job import ClipDone, ClipFailed, ClipJob, ClipResult, Track
from pipeline.lock import MediaError
from pipeline.plan import ClipPlan
from pipeline.poster import write_poster
from pipeline.quality import Quality
from pipeline.sources import Sources
from pipeline.studio import Studio
from scenes.kit.timeline import Beat, Caption

READS = {"a": ("practice.q",), "b": ("worked_example.q", "worked_example.v"), "c": (), "a_variant": ("practice.q",)}
PARSED = Sources()
"""What parsing tells of this project's sources, learnt once for all tests."""
ENDS = (".mp4", ".vtt", ".webp", ".json")
TICKS = {"a": 20, "b": 31, "c": 4, "a_variant": 20}


def render_tiny(job: ClipJob) -> ClipResult:
    """A grey clip of the chapter's length, and its poster."""
    encoder = ClipEncoder(job.video, job.quality)
    pixels = np.full((job.quality.height, job.quality.width, 4), 30 + len(job.name), np.uint8)
    encoder.write(pixels, TICKS[job.name] * job.quality.frames_per_tick)
    encoder.finish()
    track = Track(TICKS[job.name], (Beat("only", 0, TICKS[job.name]),), (), (Caption(0, 3, f"Of {job.name}."),), (), ())
    write_poster(job.video, 0, job.quality, job.poster)
    return ClipDone(job.name, encoder.frames, track, READS[job.name])


class AtOnce(Executor):
    """Runs a job when it is submitted, in this process."""

    def __init__(self, render: Callable[[ClipJob], ClipResult]) -> None:
        self.render = render

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(self.render(*args))
        except BaseException as error:
            future.set_exception(error)
        return future


@dataclass
class Listener:
    """A display that remembers."""

    lines: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    rendered: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    expected: dict[str, int] = field(default_factory=dict)

    def begin(self, stale: Sequence[ClipPlan], frames: Mapping[str, int]) -> None:
        self.expected = dict(frames)

    def progress(self, name: str, frames: int) -> None:
        self.lines.append(f"{name} {frames}")

    def done(self, name: str, frames: int) -> None:
        insort(self.rendered, name)

    def failed(self, message: str, traceback: str) -> None:
        self.errors.append(message)

    def say(self, line: str) -> None:
        self.lines.append(line)
        name, _, news = line.partition(": ")
        if news == "taken from the store":
            insort(self.taken, name)

    def end(self) -> None:
        self.lines.append("end")


@dataclass
class Workshop:
    """A film of four chapters on a package of its own, and an output folder."""

    film: Path
    media: Path
    quality: Quality
    lesson: Lesson

    @property
    def layout(self) -> Layout:
        return Layout(self.media, self.quality)

    def studio(self) -> Studio:
        chapters = tuple(LittleChapter(name, f"Title {name}", "Scene", module=f"film.{name}") for name in "abc")
        variant = LittleChapter("a_variant", "Variant", "Other", variant_of="a", module="film.a")
        return Studio((*chapters, variant), self.lesson, self.layout, sources=PARSED)

    def build(self, render: Callable[[ClipJob], ClipResult] = render_tiny, **orders: Any) -> Listener:
        """Build, and tell what happened; a failure shows in ``errors``."""
        listener = Listener()
        try:
            build(self.studio(), Orders(executor=lambda *_: AtOnce(render), **orders), listener)
        except RenderFailed as error:
            listener.errors.append(str(error))
        return listener

    def reasons(self) -> dict[str, tuple[str, ...]]:
        plan = self.studio().plan()
        return {clip.name: clip.reasons for clip in plan.stale} | ({"lesson": plan.lesson} if plan.lesson else {})

    def edit(self, name: str, text: str) -> None:
        (self.film / name).write_text(text, encoding="utf-8")

    def files(self) -> dict[str, bytes]:
        """All but the store."""
        store = self.layout.store
        found = [p for p in self.media.rglob("*") if p.is_file() and not p.is_relative_to(store)]
        return {p.relative_to(self.media).as_posix(): p.read_bytes() for p in found}

    def forget(self) -> None:
        """Delete the store."""
        shutil.rmtree(self.layout.store)

    def reload(self, old: str, new: str) -> None:
        text = DEFAULT_LESSON.read_text(encoding="utf-8")
        assert old in text
        changed = self.film.parent / "changed.toml"
        changed.write_text(text.replace(old, new), encoding="utf-8")
        self.lesson = load(changed)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: Quality, shipped_lesson: Lesson) -> Workshop:
    film = tmp_path / "film"
    film.mkdir()
    for name in ("__init__.py", "b.py"):
        (film / name).write_text("", encoding="utf-8")
    (film / "kit.py").write_text("SIZE = 1\n", encoding="utf-8")
    for name in ("a.py", "c.py"):
        (film / name).write_text("from film import kit\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return Workshop(film, tmp_path / "media", tiny, shipped_lesson)


def test_everything_is_made_and_nothing_else(shop: Workshop) -> None:
    assert shop.build().rendered == ["a", "a_variant", "b", "c"]
    clips = [f"36p15/clips/{name}{end}" for name in TICKS for end in ENDS]
    lesson = ["lesson.mp4", "lesson.vtt", "lesson.chapters.vtt", "transcript.md", "lesson.json"]
    notes = [f"36p15/.made/{name}.json" for name in (*TICKS, "lesson")]
    assert set(shop.files()) == {".lock", *clips, *notes, *(f"36p15/{name}" for name in lesson)}
    assert not (shop.layout.root / ".work").exists()


def test_the_lesson_holds_the_chapters_but_not_the_variant(shop: Workshop) -> None:
    assert "lesson: joined, 55 frames, 0:03.7" in shop.build().lines
    data = json.loads(shop.layout.lesson_manifest.read_text(encoding="utf-8"))
    assert data["frames"] == 55
    assert data["duration"] == 55 / 15
    assert data["chapters"] == [
        {"name": "a", "title": "Title a", "start": 0, "end": 20 / 15, "frames": 20, "clip": "clips/a.mp4"},
        {"name": "b", "title": "Title b", "start": 20 / 15, "end": 51 / 15, "frames": 31, "clip": "clips/b.mp4"},
        {"name": "c", "title": "Title c", "start": 51 / 15, "end": 55 / 15, "frames": 4, "clip": "clips/c.mp4"},
    ]
    with opened(shop.layout.lesson_video) as container:
        assert container.streams.video[0].frames == 55


def test_a_second_build_makes_nothing(shop: Workshop) -> None:
    shop.build()
    before = {path: path.stat().st_mtime_ns for path in shop.layout.root.rglob("*") if path.is_file()}
    assert shop.reasons() == {}
    again = shop.build()
    assert again.rendered == []
    assert "lesson: fresh" in again.lines
    after = {path: path.stat().st_mtime_ns for path in shop.layout.root.rglob("*") if path.is_file()}
    assert after == before


def test_a_changed_fact_makes_those_clips_that_read_it(shop: Workshop) -> None:
    shop.build()
    shop.reload("query = [0, 2]", "query = [0, 1]")
    assert shop.reasons() == {
        "a": ("fact practice.q changed from [0, 2] to [0, 1]",),
        "a_variant": ("fact practice.q changed from [0, 2] to [0, 1]",),
        "lesson": ("stale clips: a",),
    }
    assert shop.build().rendered == ["a", "a_variant"]
    assert shop.reasons() == {}


def test_a_changed_source_makes_those_clips_that_import_it(shop: Workshop) -> None:
    shop.build()
    shop.edit("kit.py", "SIZE = 2\n")
    stale = shop.reasons()
    assert stale.pop("lesson") == ("stale clips: a, c",)
    assert set(stale) == {"a", "c", "a_variant"}
    for (reason,) in stale.values():
        assert re.fullmatch("film/kit.py changed from [0-9a-f]{8} to [0-9a-f]{8}", reason)
    shop.edit("kit.py", '"""Sizes."""\n\nSIZE = 1  # as before\n')
    assert shop.reasons() == {}


def test_a_changed_look_makes_all(shop: Workshop) -> None:
    shop.build()
    shop.reload('theme = "dark"', 'theme = "light"')
    stale = shop.reasons()
    assert set(stale) == {*TICKS, "lesson"}
    assert stale["b"] == ("look.theme changed from dark to light",)


def test_a_touched_file_makes_nothing(shop: Workshop) -> None:
    shop.build()
    for path in (*shop.film.iterdir(), *shop.media.rglob("*.mp4")):
        if path.is_file():
            path.touch()
    assert shop.reasons() == {}


@pytest.mark.parametrize("end", ENDS)
def test_a_clip_with_a_file_missing_comes_from_the_store(shop: Workshop, end: str) -> None:
    shop.build()
    before = shop.files()
    (shop.layout.root / "clips" / f"b{end}").unlink()
    assert shop.reasons() == {"b": (f"b{end} is missing",), "lesson": ("stale clips: b",)}
    again = shop.build()
    assert (again.rendered, again.taken) == ([], ["b"])
    assert shop.files() == before


@pytest.mark.parametrize("name", ["clips/b.mp4", "clips/b.vtt", "clips/b.webp", "clips/b.json"])
@pytest.mark.parametrize("harm", ["cut", "flip", "empty", "longer"])
def test_a_damaged_file_is_seen_and_mended(shop: Workshop, name: str, harm: str) -> None:
    shop.build()
    before = shop.files()
    path = shop.layout.root / name
    damage(path, harm)
    assert shop.reasons() == {"b": (f"{path.name} is damaged",), "lesson": ("stale clips: b",)}
    assert shop.build().rendered == []
    assert shop.files() == before
    damage(path, harm)
    shop.forget()
    assert shop.build().rendered == ["b"]
    assert shop.files() == before


@pytest.mark.parametrize("name", ["lesson.mp4", "lesson.vtt", "lesson.chapters.vtt", "transcript.md", "lesson.json"])
@pytest.mark.parametrize("harm", ["cut", "flip", "remove"])
def test_a_damaged_lesson_is_joined_again(shop: Workshop, name: str, harm: str) -> None:
    shop.build()
    before = shop.files()
    damage(shop.layout.root / name, harm)
    assert shop.reasons() == {"lesson": (f"{name} is {'missing' if harm == 'remove' else 'damaged'}",)}
    assert shop.build().rendered == []
    assert shop.files() == before


def damage(path: Path, harm: str) -> None:
    """Change a file without changing what a glance shows: its time of modification stays."""
    before, data = path.stat(), path.read_bytes()
    if harm == "remove":
        path.unlink()
        return
    flipped = bytes([data[len(data) // 2] ^ 1])
    changes = {
        "cut": data[:-1],
        "flip": data[: len(data) // 2] + flipped + data[len(data) // 2 + 1 :],
        "empty": b"",
        "longer": data + b"\0",
    }
    path.write_bytes(changes[harm])
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("text", ["[]", "{}", "null", '{"fingerprint": 1, "reads": 2}', "{", None])
def test_records_that_say_nothing_are_made_again(shop: Workshop, text: str | None) -> None:
    shop.build()
    before = shop.files()
    for name in ("b", "lesson"):
        if text is None:
            shop.layout.made(name).unlink()
        else:
            shop.layout.made(name).write_text(text, encoding="utf-8")
    assert shop.reasons() == {"b": ("not rendered yet",), "lesson": ("stale clips: b",)}
    again = shop.build()
    assert (again.rendered, again.taken) == ([], ["b"])
    assert shop.files() == before


def test_a_record_that_lies_is_not_believed(shop: Workshop) -> None:
    shop.build()
    path = shop.layout.made("b")
    data = json.loads(path.read_text(encoding="utf-8"))
    data["inputs"]["manim"] = "0.0"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert shop.reasons()["b"] == ("not rendered yet",)


def test_going_back_takes_the_earlier_clip_from_the_store(shop: Workshop) -> None:
    shop.build()
    first, shipped = shop.files(), shop.lesson
    shop.reload("query = [0, 2]", "query = [0, 1]")
    assert shop.build().rendered == ["a", "a_variant"]
    shop.edit("kit.py", "SIZE = 2\n")
    assert shop.build().rendered == ["a", "a_variant", "c"]
    shop.edit("kit.py", "SIZE = 1\n")
    assert shop.build().taken == ["a", "a_variant", "c"]
    shop.lesson = shipped
    again = shop.build()
    assert (again.rendered, again.taken) == ([], ["a", "a_variant"])
    assert shop.files() == first


@pytest.mark.parametrize("name", ["b.mp4", "b.vtt", "b.webp", "b.json", "record.json"])
@pytest.mark.parametrize("harm", ["flip", "empty", "remove"])
def test_a_damaged_entry_of_the_store_is_made_again(shop: Workshop, name: str, harm: str) -> None:
    shop.build()
    before = shop.files()
    (entry,) = (path.parent for path in shop.layout.store.glob("clips/*/b.mp4"))
    damage(entry / name, harm)
    shop.layout.clip("b").video.unlink()
    again = shop.build()
    assert (again.rendered, again.taken) == (["b"], [])
    assert shop.files() == before
    shop.layout.clip("b").video.unlink()
    assert shop.build().taken == ["b"]


def test_a_store_that_cannot_be_written_stops_nothing(shop: Workshop) -> None:
    shop.layout.store.mkdir(parents=True)
    (shop.layout.store / "clips").write_text("", encoding="utf-8")
    listener = shop.build()
    assert listener.rendered == ["a", "a_variant", "b", "c"]
    assert "b: not kept in the store: Not a directory" in listener.lines
    assert shop.reasons() == {}


def test_clips_of_chapters_that_are_no_more_go(shop: Workshop) -> None:
    shop.build()
    kept = shop.layout.root / "clips" / "notes.txt"
    kept.write_text("mine", encoding="utf-8")
    studio = shop.studio()
    fewer = replace(studio, chapters=studio.chapters[1:3])
    build(fewer, Orders(executor=lambda *_: AtOnce(render_tiny)), Listener())
    names = {f"{name}{end}" for name in "bc" for end in ENDS}
    assert {path.name for path in kept.parent.iterdir()} == names | {"notes.txt"}
    assert {path.name for path in shop.layout.made("b").parent.iterdir()} == {"b.json", "c.json", "lesson.json"}


@pytest.mark.parametrize("name", ["36p15", "36p15/clips", "36p15/.made", ".store"])
def test_a_file_where_a_folder_must_stand_is_told_before_rendering(shop: Workshop, name: str) -> None:
    path = shop.media / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(MediaError, match=f"{name}: is no folder, and one must stand there; move it away"):
        shop.build(lambda job: pytest.fail("rendered"))
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["lesson.mp4", "clips/b.vtt", ".made/a.json"])
def test_a_folder_where_a_file_must_stand_is_told_before_rendering(shop: Workshop, name: str) -> None:
    (shop.layout.root / name).mkdir(parents=True)
    with pytest.raises(MediaError, match=f"{name}: is a folder, and a file must stand there; move it away"):
        shop.build(lambda job: pytest.fail("rendered"))


def test_only_some_clips_and_no_lesson(shop: Workshop) -> None:
    listener = shop.build(only=("c", "a"))
    assert listener.rendered == ["a", "c"]
    assert sorted(path.name for path in shop.layout.root.iterdir()) == [".made", "clips"]
    assert not list(shop.layout.root.glob("lesson*"))
    assert "c: fresh" in shop.build(only=("c", "b")).lines


def test_the_longest_known_clip_starts_first(shop: Workshop) -> None:
    shop.build(only=("a", "c"))
    shop.edit("kit.py", "SIZE = 3\n")
    order: list[str] = []

    def render(job: ClipJob) -> ClipResult:
        order.append(job.name)
        return render_tiny(job)

    listener = shop.build(render)
    assert order == ["a_variant", "b", "a", "c"]
    assert listener.expected == {"a": 20, "c": 4, "b": 750, "a_variant": 750}


def test_a_failed_clip_stops_neither_the_others_nor_leaves_a_trace(shop: Workshop) -> None:
    def render(job: ClipJob) -> ClipResult:
        if job.name == "b":
            job.video.parent.mkdir(parents=True, exist_ok=True)
            job.video.write_bytes(b"half")
            return ClipFailed("b", "b: ValueError: no (b.py:3)")
        return render_tiny(job)

    listener = shop.build(render)
    assert listener.errors == ["b: ValueError: no (b.py:3)", "not rendered: b"]
    assert listener.rendered == ["a", "a_variant", "c"]
    assert not [name for name in shop.files() if "/b." in name or "lesson" in name or ".work" in name]
    assert shop.reasons() == {"b": ("not rendered yet",), "lesson": ("stale clips: b",)}


def test_a_failed_clip_leaves_the_older_one_and_the_older_lesson(shop: Workshop) -> None:
    shop.build()
    before = shop.files()
    shop.edit("b.py", "SIZE = 3\n")
    listener = shop.build(lambda job: ClipFailed(job.name, f"{job.name}: no"))
    assert listener.errors == ["b: no", "not rendered: b"]
    assert shop.files() == before
    stale = shop.reasons()
    assert stale["b"][0].startswith("film/b.py changed from ")
    assert stale["lesson"] == ("stale clips: b",)


def test_a_worker_that_dies_is_told(shop: Workshop) -> None:
    def render(job: ClipJob) -> ClipResult:
        raise BrokenProcessPool

    errors = shop.build(render, only=("b",)).errors
    assert errors == [
        "b: a worker process ended unexpectedly (killed, or out of memory?)",
        "not rendered: b",
    ]


def test_a_source_edited_while_it_is_rendered_leaves_the_clip_stale(shop: Workshop) -> None:
    def render(job: ClipJob) -> ClipResult:
        if job.name == "b":
            shop.edit("b.py", "SIZE = 4\n")
        return render_tiny(job)

    assert shop.build(render).errors == []
    assert shop.reasons()["b"] == ("a source was edited while it was rendered",)
    shop.edit("b.py", "")
    assert set(shop.reasons()) == {"b", "lesson"}
    assert shop.build().rendered == ["b"]
    assert shop.reasons() == {}


@pytest.mark.parametrize("moved", range(5))
def test_a_build_that_dies_while_publishing_leaves_nothing_that_looks_fresh(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    """After so many of the clip's four files have been moved, or all of them but not the record."""
    shop.build()
    before = shop.files()
    shop.reload("query = [1, 0]", "query = [1, 0.5]")
    targets = [*shop.layout.clip("b").all, shop.layout.made("b")]
    replace_ = Path.replace

    def dying(self: Path, target: Path) -> Path:
        if target == targets[moved]:
            raise KeyboardInterrupt
        return replace_(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", dying)
        with pytest.raises(KeyboardInterrupt):
            shop.build()
    assert "b" in shop.reasons()
    half = shop.files()
    assert {name for name in before if half.get(name) != before[name]} <= {f"36p15/clips/b{e}" for e in ENDS[:moved]}
    assert shop.build().rendered == ["b"]
    whole = shop.files()
    shop.reload("query = [1, 0]", "query = [1, 0]")
    shop.build()
    assert shop.files() == before != whole


def test_what_a_killed_build_left_is_swept_away(shop: Workshop) -> None:
    shop.build()
    before = shop.files()
    for name in (
        ".work/a.mp4",
        ".work/deep/x",
        ".lesson.mp4.17.part",
        "clips/.a.json.4.part",
        ".made/.a.json.4.part",
        "../.store/clips/.x.part/a.mp4",
        "../.store/known/.files.json.4.part",
    ):
        path = shop.layout.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")
    shop.build()
    assert shop.files() == before
    assert not list(shop.layout.store.rglob("*.part"))


def test_an_interrupt_ends_the_build_and_frees_the_folder(shop: Workshop) -> None:
    class Interrupting(Listener):
        def done(self, name: str, frames: int) -> None:
            raise KeyboardInterrupt

    listener = Interrupting()
    with pytest.raises(KeyboardInterrupt):
        build(shop.studio(), Orders(executor=lambda *_: AtOnce(render_tiny)), listener)
    assert listener.lines[-1] == "end"
    assert not (shop.layout.root / ".work").exists()
    assert shop.build().errors == []


def test_the_same_bytes_from_nothing(shop: Workshop) -> None:
    shop.build()
    first = shop.files()
    other = replace(shop, media=shop.media.with_name("other"))
    other.build()
    assert other.files() == first


def test_another_title_makes_its_clip_and_another_order_joins_again(shop: Workshop) -> None:
    shop.build()
    studio = shop.studio()
    reordered = replace(studio, chapters=(studio.chapters[1], studio.chapters[0], *studio.chapters[2:]))
    plan = reordered.plan()
    assert not plan.stale
    assert plan.lesson == ("order changed from a, b, c to b, a, c",)
    retitled = replace(studio, chapters=(LittleChapter("a", "New", "Scene", module="film.a"), *studio.chapters[1:]))
    assert [clip.reasons for clip in retitled.plan().stale] == [("title changed from Title a to New",)]
