"""What a build makes of damaged files, of things in its way, of clips that fail and of ends in its middle."""

from __future__ import annotations

import json
import os
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest
from workshop import ENDS, AtOnce, Listener, Workshop, render_tiny

from pipeline.build import Orders, build
from pipeline.job import ClipFailed, ClipJob, ClipResult
from pipeline.lock import MediaError


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
