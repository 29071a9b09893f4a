"""What a build makes of clips that come back at once: all, what is stale, in which order.

tests/test_pipeline_render.py has real workers.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from little_chapters import LittleChapter
from mp4_boxes import opened
from workshop import ENDS, TICKS, AtOnce, Listener, Workshop, render_tiny

from pipeline.build import Orders, build
from pipeline.job import ClipJob, ClipResult


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
