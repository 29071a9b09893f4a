"""The layout audit finds what was planted, names it, and leaves alone what is meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kit_helpers import changed_lesson, shipped
from manim import UP, Create, FadeIn, FadeOut, Mobject, VGroup
from PIL import Image

from lesson import Lesson
from pipeline.audit.clip import audited
from pipeline.audit.finding import Finding
from pipeline.audit.rules import CROSSED, FAINT, HIDDEN, OUTSIDE, OVERLAPS, RUNS_INTO, SMALL
from scenes.kit.cells import Cell, copy_of, filled_with, masked, rest, weight_of
from scenes.kit.geometry import by, pixel, right
from scenes.kit.labels import SEMIBOLD, number, words
from scenes.kit.motion import Travel
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import arch, around, arrow, box, path

Draw = Callable[[LessonScene], None]
Make = Callable[[LessonScene], Mobject]


def findings(draw: Draw, lesson: Lesson | None = None, pictures: Path | None = None) -> list[Finding]:
    """What the audit says of a chapter with one beat, `only`."""

    class Planted(LessonScene):
        def construct(self) -> None:
            self.beats(self.only)

        def only(self) -> None:
            draw(self)

    return audited(Planted, lesson or shipped(), pictures=pictures)


def shown(*makers: Make) -> Draw:
    """A beat that shows things, the first one behind, and rests."""

    def draw(scene: LessonScene) -> None:
        scene.add(*[made(scene) for made in makers])
        scene.rest()

    return draw


def word(text: str = "meaning", x: float = 400, y: float = 500, role: str = "text", em: float | None = None) -> Make:
    return lambda _: words(text, role=role, em=em).place(x, y)


# ---------------------------------------------------------------------- planted at rest


def faded_digit(scene: LessonScene) -> Mobject:
    cell = Cell(400, 400, 116, 68, filled_with("query"), scene.facts["worked_example.scale"])
    cell.label.set_fill(opacity=0.35)
    return cell


def wrong_ink(scene: LessonScene) -> Mobject:
    cell = Cell(400, 400, 116, 68, weight_of(0.95), scene.facts["worked_example.scale"])
    cell.label.set_fill("#FFFFFF")
    return cell


def over_the_border(place: int) -> Make:
    """A text too wide for its cell; its cell is the last one drawn, or the first."""

    def make(_: LessonScene) -> Mobject:
        full = Cell(466, 400, 80, 68, rest(), text="meaning")  # a number gives up decimals
        empty = [Cell(x, 400, 60, 68, rest()) for x in (400, 552)]
        return VGroup(*[full, *empty] if place else [*empty, full])

    return make


def between_letters(_: LessonScene) -> Mobject:
    """A hairline in the gap between two letters, and the letters before it."""
    text = words("mm", em=80).place(400, 500)
    return VGroup(path([(pixel(text.get_center())[0], 400), (pixel(text.get_center())[0], 600)], "axis", 2), text)


def shrunk(_: LessonScene) -> Mobject:
    return words("meaning").place(400, 500).scale(0.8)


def figures_in_a_row(gap: float) -> Make:
    def make(scene: LessonScene) -> Mobject:
        first, second = (number(scene.facts[f"worked_example.{name}"]) for name in ("scale", "exponential_sum"))
        return VGroup(first.place(400, 500), second.place(right(first) + gap, 500))

    return make


AT_REST: dict[str, tuple[Draw, str, str, str | None]] = {
    "a label on another": (shown(word("query"), word("key", 440, 510)), OVERLAPS, "“query”", "“key”"),
    "two figures that read as one": (shown(figures_in_a_row(1)), RUNS_INTO, "“1.41”", "“3.03”"),
    "a small text": (shown(word(em=30)), SMALL, "“meaning”", None),
    "a text made smaller": (shown(shrunk), SMALL, "“meaning”", None),
    "a digit that fades into its cell": (shown(faded_digit), FAINT, "“1.41”", "query_fill area of Cell"),
    "white on a light cell": (shown(wrong_ink), FAINT, "“1.41”", "area of Cell"),
    "a text in the colour of lines": (shown(word(role="hairline")), FAINT, "“meaning”", None),
    "a line through a text": (
        shown(word(), lambda _: path([(300, 490), (700, 490)])), HIDDEN, "“meaning”", "dim line",
    ),
    "a line behind a text": (
        shown(lambda _: path([(300, 490), (700, 490)]), word()), CROSSED, "“meaning”", "dim line",
    ),
    "a thin line between two letters": (shown(between_letters), CROSSED, "“mm”", "axis line"),
    "an arc behind a text": (
        shown(lambda _: arch(300, 700, 600, 120, "weight", 4), word()), CROSSED, "“meaning”", "weight line",
    ),
    "an arrow behind a text": (
        shown(lambda _: arrow((300, 520), (480, 480)), word()), CROSSED, "“meaning”", "dim area",
    ),
    "a text over the margin": (shown(word(x=60)), OUTSIDE, "“meaning”", None),
    "a text cut by the frame": (shown(word(y=1085)), OUTSIDE, "“meaning”", None),
    "a ring over the margin": (shown(lambda _: box(80, 300, 200, 100, edge="query")), OUTSIDE, "query line", None),
    "a text half behind a shape": (
        shown(word(), lambda _: box(450, 400, 300, 200, fill="panel")), HIDDEN, "“meaning”", "panel area",
    ),
    "a text half on a plate": (
        shown(lambda _: box(450, 400, 300, 200, fill="panel"), word()), CROSSED, "“meaning”", "panel area",
    ),
    "a text over its cell's borders": (shown(over_the_border(0)), CROSSED, "“meaning”", "panel area of Cell"),
    "a text under the next cell": (shown(over_the_border(1)), HIDDEN, "“meaning”", "panel area of Cell"),
}  # fmt: skip


@pytest.mark.parametrize("draw, rule, thing, other", AT_REST.values(), ids=AT_REST.keys())
def test_a_planted_defect_is_found_and_named(draw: Draw, rule: str, thing: str, other: str | None) -> None:
    found = [finding for finding in findings(draw) if finding.rule == rule]
    assert len(found) == 1
    assert found[0].thing == thing
    assert (other is None) if found[0].other is None else (found[0].other.endswith(other or "-"))
    assert (found[0].chapter, found[0].beat) == ("planted", "only")


def test_figures_a_space_apart_are_two() -> None:
    assert findings(shown(figures_in_a_row(10))) == []


def test_low_contrast_on_a_light_theme(tmp_path: Path) -> None:
    light = changed_lesson(tmp_path, ('theme = "dark"', 'theme = "light"'))
    for role, faint in [("axis", True), ("head_line", True), ("quiet", False), ("dim", False)]:
        assert [f.rule for f in findings(shown(word(role=role)), light)] == ([FAINT] if faint else []), role


# ---------------------------------------------------------------------- planted within a play


def test_two_texts_that_overlap_only_within_a_play(tmp_path: Path) -> None:
    def draw(scene: LessonScene) -> None:
        old, new = words("query").place(400, 500), words("key").place(420, 500)
        scene.add(old)
        scene.rest()
        scene.play(FadeOut(old), FadeIn(new), run_time=1)
        scene.rest()

    (found,) = findings(draw)
    assert (found.rule, {found.thing, found.other}) == (OVERLAPS, {"“query”", "“key”"})
    assert 1.6 < found.start <= found.end < 2.7


def passing_text(seconds: float) -> Draw:
    def draw(scene: LessonScene) -> None:
        traveller = words("query").place(400, 300)
        scene.add(words("key").place(420, 500), traveller)
        scene.play(traveller.animate.shift(by(0, 400)), run_time=seconds)
        scene.rest()

    return draw


def test_a_text_that_travels_over_another_may_pass_and_not_stay() -> None:
    assert findings(passing_text(1)) == []
    assert {finding.rule for finding in findings(passing_text(20))} == {OVERLAPS}


def test_a_line_that_crosses_a_text_only_while_it_stands_there() -> None:
    def draw(scene: LessonScene) -> None:
        line = path([(300, 490), (700, 490)])
        text, other = words("meaning").place(400, 500), words("elsewhere").place(400, 800)
        scene.add(text)
        scene.rest()
        scene.add(line)
        scene.play(FadeIn(other), run_time=1)
        scene.remove(line)
        scene.rest()

    found = findings(draw)
    assert {(finding.rule, finding.thing, finding.other) for finding in found} == {(HIDDEN, "“meaning”", "dim line")}


# ---------------------------------------------------------------------- what is meant


def ringed(_: LessonScene) -> Mobject:
    text = words("meaning").place(400, 500)
    return VGroup(text, around(text))


def under_a_plate(_: LessonScene) -> Mobject:
    """A line, a plate over it, and the text on the plate."""
    return VGroup(
        path([(300, 490), (900, 490)]), box(380, 440, 300, 90, fill="ground"), words("meaning").place(400, 500)
    )


def quite_hidden(_: LessonScene) -> Mobject:
    return VGroup(words("meaning").place(400, 500), box(300, 400, 500, 200, fill="panel"))


def on_its_copy(_: LessonScene) -> Mobject:
    text = words("meaning").place(400, 500)
    return VGroup(text, text.copy())


def cells(scene: LessonScene) -> Mobject:
    number = scene.facts["worked_example.scale"]
    looks = [rest(), filled_with("key"), copy_of("value"), weight_of(0.1), weight_of(0.5), weight_of(0.9), masked()]
    return VGroup(*[Cell(400 + 122 * i, 400, 116, 68, look, number) for i, look in enumerate(looks)])


MEANT: dict[str, Draw] = {
    "figures in cells of every look": shown(cells),
    "a text in a ring": shown(ringed),
    "a text on a plate that covers a line": shown(under_a_plate),
    "a text that is covered as a whole": shown(quite_hidden),
    "a text on its own copy": shown(on_its_copy),
    "two lines of a paragraph": shown(word("jogging ply"), word("height", y=546)),
    "a plate as large as the frame, in the ground's colour": shown(
        lambda _: box(0, 0, 1920, 1080, fill="ground"), word()
    ),
    "what is parked outside the frame": shown(lambda _: box(2000, 100, 300, 300, fill="query"), word()),
}


@pytest.mark.parametrize("draw", MEANT.values(), ids=MEANT.keys())
def test_what_is_meant_is_left_alone(draw: Draw) -> None:
    assert findings(draw) == []


def test_what_comes_goes_and_changes_weight_is_left_alone() -> None:
    def draw(scene: LessonScene) -> None:
        title = words("meaning").place(400, 500)
        bold = words("meaning", weight=SEMIBOLD)
        bold.move_to(title)
        scene.play(FadeIn(title, shift=UP), run_time=1)
        scene.play(FadeOut(title), FadeIn(bold), run_time=1)
        guest = words("query").place(900, 1200)
        scene.play(guest.animate.shift(by(0, -600)), run_time=1)
        scene.play(Travel(guest.copy(), bold.get_center()), Create(around(bold)), run_time=1)
        scene.rest()

    assert findings(draw) == []


# ---------------------------------------------------------------------- how it is told


def test_a_finding_tells_where_and_shows_the_frame(tmp_path: Path) -> None:
    (found,) = findings(AT_REST["a label on another"][0], pictures=tmp_path)
    assert str(found).startswith("planted, only, ")
    assert "“query” overlaps “key”, at 4" in str(found)
    picture = np.asarray(Image.open(tmp_path / found.picture))
    assert picture.shape == (1080, 1920, 3)
    left, top, right, bottom = (round(edge) for edge in found.boxes[0])
    assert picture[top:bottom, left:right].max() > 200, "the text is in the picture"


def test_equal_faults_in_many_places_are_one_finding() -> None:
    def draw(scene: LessonScene) -> None:
        for i in range(4):
            scene.add(words("meaning", em=30).place(400, 300 + 100 * i))
        scene.rest()
        scene.rest()

    (found,) = findings(draw)
    assert found.places == 4
    assert "and 3 more like it" in str(found)
