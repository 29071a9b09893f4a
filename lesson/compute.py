"""All facts of a lesson from its inputs: each group in its own module, each number from the core."""

from __future__ import annotations

from collections.abc import Mapping

from lesson import multi_head, opening, sequence, spread, stability, worked_example
from lesson.config import LessonConfig


def all_facts(config: LessonConfig) -> dict[str, object]:
    """Values of all facts by key."""
    groups: dict[str, Mapping[str, object]] = {
        "opening": opening.facts(config.opening),
        "worked_example": worked_example.facts(config.worked_example),
        "practice": worked_example.practice_facts(config.practice, config.worked_example),
        "stability": stability.facts(config.stability),
        "spread": spread.facts(config.spread),
        "sequence": sequence.facts(config.sequence),
        "multi_head": multi_head.facts(config.multi_head, config.sequence),
        "multi_head.paper": multi_head.paper_facts(config.multi_head.paper),
    }
    return {f"{group}.{name}": value for group, values in groups.items() for name, value in values.items()}
