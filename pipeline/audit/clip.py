"""Audits one chapter in this process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from manim import Camera, ManimColor, Mobject
from PIL import Image, ImageDraw

from pipeline.audit.finding import Box, Finding
from pipeline.audit.judge import Seen, judged
from pipeline.audit.outlines import Outline, grown
from pipeline.audit.picture import picture_of
from pipeline.audit.rules import Inspector, Sighting
from pipeline.audit.watch import Moment, watched
from pipeline.files import appearing_whole
from scenes.kit.theme import theme

if TYPE_CHECKING:
    from lesson import Lesson
    from scenes.kit.narration import Narrator
    from scenes.kit.scene import LessonScene

_MARK, _AROUND = "#FF2D95", 8  # how a frame shows where to look
_GAP = 5.0  # s from the last look of a beat to the first one of the next, at most: a line of narration


def audited(
    scene_type: type[LessonScene], lesson: Lesson, narrator: Narrator | None = None, pictures: Path | None = None
) -> list[Finding]:
    """Play a chapter and look for faults; with `pictures`, a folder, write there the frame that shows each."""
    findings = played_and_audited(scene_type, lesson, narrator)[1]
    if pictures is not None and findings:
        watched(scene_type, lesson, _Photographer(findings, pictures).look, narrator)
    return findings


def played_and_audited(
    scene_type: type[LessonScene], lesson: Lesson, narrator: Narrator | None = None
) -> tuple[LessonScene, list[Finding]]:
    """A scene that has been played, as `rehearsed` leaves it, and what was found in it."""
    auditor = _Auditor()
    scene = watched(scene_type, lesson, auditor.look, narrator)
    return scene, auditor.findings(scene.chapter.name)


class _Auditor:
    """Gathers looks play by play, and what counts of them."""

    def __init__(self) -> None:
        self._inspector = Inspector()
        self._outlines: dict[bytes, Outline] = {}
        self._play: list[Seen] = []
        self._faults: dict[tuple[str, str, str, str | None], list[tuple[Seen, Sighting]]] = defaultdict(list)
        self._count = 0

    def look(self, moment: Moment, mobjects: Iterable[Mobject]) -> None:
        """Look at the picture; at rest, judge the play that led to it."""
        picture = picture_of(mobjects, self._outlines)
        self._play.append(Seen(self._count, moment, picture, self._inspector.look(picture, still=moment.rests)))
        self._count += 1
        if moment.rests:
            for seen, sighting in judged(self._play):
                other = sighting.other.name if sighting.other else None
                key = (seen.moment.beat, sighting.rule, sighting.thing.name, other)
                self._faults[key].append((seen, sighting))
            self._play = [Seen(self._count, moment, picture, ())]  # the rest before the next play: it has been judged

    def findings(self, chapter: str) -> list[Finding]:
        """One for each fault of a beat, in the order of time.

        Equal things in many places are one finding, and so is what stays the same into the next beats.
        """
        found = [self._finding(chapter, *key, cases) for key, cases in self._faults.items()]
        merged: list[Finding] = []
        for finding in sorted(found, key=lambda finding: (finding.start, str(finding))):
            before = next((i for i, earlier in enumerate(merged) if _goes_on(earlier, finding)), None)
            if before is None:
                merged.append(finding)
            else:
                merged[before] = replace(merged[before], end=finding.end)
        return merged

    @staticmethod
    def _finding(
        chapter: str, beat: str, rule: str, thing: str, other: str | None, cases: list[tuple[Seen, Sighting]]
    ) -> Finding:
        (first, sighting), (last, _) = cases[0], cases[-1]
        boxes = tuple(part.box for part in (sighting.thing, sighting.other) if part is not None)
        places = {tuple(round(edge) for edge in case.thing.box) for seen, case in cases if seen is first}
        return Finding(
            chapter, beat, round(first.moment.seconds, 2), round(last.moment.seconds, 2), rule, thing, other,
            sighting.detail, boxes, len(places), first.number,
        )  # fmt: skip


def _goes_on(earlier: Finding, later: Finding) -> bool:
    """Is it the same fault, still there when the next beat begins?"""
    same = (earlier.rule, earlier.thing, earlier.other) == (later.rule, later.thing, later.other)
    return same and later.start - earlier.end < _GAP


class _Photographer:
    """Draws the frames that findings name, with a ring around each of the things."""

    def __init__(self, findings: Iterable[Finding], folder: Path) -> None:
        self._folder, self._count = folder, 0
        self._wanted: dict[int, list[Finding]] = defaultdict(list)
        for finding in findings:
            self._wanted[finding.look].append(finding)

    def look(self, _: Moment, mobjects: Iterable[Mobject]) -> None:
        """Draw the frame if it is one of those."""
        findings = self._wanted.get(self._count)
        self._count += 1
        if findings is None:
            return
        image = _drawn(mobjects, [box for finding in findings for box in finding.boxes])
        self._folder.mkdir(parents=True, exist_ok=True)
        with appearing_whole(self._folder / findings[0].picture) as partial:
            image.save(partial, format="PNG")


def _drawn(mobjects: Iterable[Mobject], boxes: Iterable[Box]) -> Image.Image:
    frame = theme().frame
    camera = Camera(pixel_width=frame.width, pixel_height=frame.height, background_color=ManimColor(theme().ground))
    camera.reset()
    camera.capture_mobjects(mobjects)
    image = Image.fromarray(camera.pixel_array).convert("RGB")
    draw = ImageDraw.Draw(image)
    for box in boxes:
        draw.rectangle(grown(box, _AROUND), outline=_MARK, width=2)
    return image
