"""Chapters of a few seconds, on the real kit, for tests that render."""

from __future__ import annotations

from manim import RIGHT, Square

from scenes import Chapter
from scenes.kit.scene import LessonScene
from scenes.kit.timeline import Caption, Cue

PATCH = "#FFB54A"
TRICKY = "a < b & c > d\nand --> is no arrow"


class Little(LessonScene):
    """A patch appears, moves, and a question is asked: 3 s."""

    def construct(self) -> None:
        self.patch = Square(3, fill_color=PATCH, fill_opacity=1, stroke_width=0)
        self.beats(self.show, self.move, self.takeaway_)

    def show(self) -> None:
        assert len(self.facts["practice.q"]) > 0
        self.add(self.patch)
        self.hold(12)
        self.timeline.captions.append(Caption(2, 10, TRICKY))

    def move(self) -> None:
        start = self.timeline.ticks
        self.play(self.patch.animate.shift(RIGHT), run_time=1)
        self._mark()
        self.timeline.cues.append(
            Cue("little.where", self.timeline.ticks, self.timeline.ticks + 5, "Where?", ("a", "b"), 1, "there")
        )
        self.timeline.captions.append(Caption(start, self.timeline.ticks, "It moves."))

    def takeaway_(self) -> None:
        self.hold(18)


class Longer(LessonScene):
    """Another length, without a caption at either end: 4 s."""

    def construct(self) -> None:
        self.beats(self.first, self.second)

    def first(self) -> None:
        assert len(self.facts["practice.k"]) > 0
        self.add(Square(2))
        self.hold(20)
        self.timeline.captions.append(Caption(5, 20, "Longer, in two"))

    def second(self) -> None:
        self.hold(40)
        self.timeline.captions.append(Caption(20, 30, "captions."))


class Broken(LessonScene):
    """Fails after its first frames."""

    def construct(self) -> None:
        self.hold(5)
        raise ValueError("the picture\ndoes not fit")


class Wrong(LessonScene):
    """Its timeline says more than it plays."""

    def construct(self) -> None:
        self.beats(self.only)

    def only(self) -> None:
        self.hold(5)
        self.timeline.ticks += 1


class Long(LessonScene):
    """Long enough to be interrupted: every frame is drawn."""

    def construct(self) -> None:
        patch = Square(3, fill_color=PATCH, fill_opacity=1, stroke_width=0)
        self.add(patch)
        for direction in (RIGHT, -RIGHT) * 5:
            self.play(patch.animate.shift(direction), run_time=1)


class Quits(LessonScene):
    """Ends the process, as a scene with a debugging leftover might."""

    def construct(self) -> None:
        raise SystemExit("enough")


class Greedy(LessonScene):
    """Asks for more memory than there is."""

    def construct(self) -> None:
        self.hold(5)
        self.everything = bytearray(1 << 62)


SPEAKING = Chapter("speaking", "Who speaks?")
ALONE = Chapter("speaking_alone", "Who speaks alone?", variant_of="speaking")


class Speaking(LessonScene):
    """Two lines with figures, one of which begins as a formula might, and one that its variant says otherwise."""

    chapter, other = SPEAKING, ALONE
    questions = ("Which key is “it”?", "No key is.")

    def _twin(self) -> Chapter:
        return self.other

    def construct(self) -> None:
        self.beats(self.show, self.ask)

    def show(self) -> None:
        self.add(Square(2))
        with self.say("The query begins with {}.", self.facts["practice.q"][0]):
            self.hold(2)
        with self.say("= {} comes next, before √d_k.", self.facts["practice.q"][1], name="next"):
            self.hold(2)

    def ask(self) -> None:
        own, twin = self.questions
        with self.say(own, twin=twin):
            self.hold(2)


class SpeakingAlone(Speaking):
    """The variant of it."""

    chapter, other = ALONE, SPEAKING
    questions = Speaking.questions[::-1]
