"""The little chapters' entries; importing this imports no Manim."""

from __future__ import annotations

from dataclasses import dataclass

from lesson import Facts


@dataclass(frozen=True)
class LittleChapter:
    """As scenes.Chapter, but with its module and class said outright."""

    name: str
    title: str
    class_name: str
    variant_of: str | None = None
    module: str = "little_scenes"

    def titled(self, facts: Facts) -> LittleChapter:
        """Their titles hold no facts."""
        return self


LITTLE = LittleChapter("little", 'A <little> "one" & more', "Little")
LONGER = LittleChapter("longer", "Longer", "Longer")
VARIANT = LittleChapter("little_variant", "A variant", "Little", variant_of="little")
BROKEN = LittleChapter("broken", "Broken", "Broken")
WRONG = LittleChapter("wrong", "Wrong", "Wrong")
LONG = LittleChapter("long", "Long", "Long")
QUITS = LittleChapter("quits", "Quits", "Quits")
GREEDY = LittleChapter("greedy", "Greedy", "Greedy")
SPEAKING = LittleChapter("speaking", "Who speaks?", "Speaking")
SPEAKING_ALONE = LittleChapter("speaking_alone", "Who speaks alone?", "SpeakingAlone", variant_of="speaking")
NAMED = {
    chapter.name: chapter
    for chapter in (LITTLE, LONGER, VARIANT, BROKEN, WRONG, LONG, QUITS, GREEDY, SPEAKING, SPEAKING_ALONE)
}
