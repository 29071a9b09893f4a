"""The lesson's chapters: one file each, their order here, and nothing that imports Manim."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lesson import Facts
    from scenes.kit.scene import LessonScene


@dataclass(frozen=True)
class Chapter:
    """One clip: its name is its file, its class in CamelCase and its address on a course site."""

    name: str
    title: str
    variant_of: str | None = None  # a variant lives in that chapter's file and stays out of the lesson video
    title_fact: str | None = None  # goes into the title's place

    def titled(self, facts: Facts) -> Chapter:
        """The chapter with its title in full."""
        if self.title_fact is None:
            return self
        return replace(self, title=self.title.format(facts[self.title_fact].value), title_fact=None)

    @property
    def module(self) -> str:
        return f"scenes.{self.variant_of or self.name}"

    @property
    def class_name(self) -> str:
        return "".join(part.capitalize() for part in self.name.split("_"))


CHAPTERS: tuple[Chapter, ...] = (
    Chapter("opening", "What does “{}” mean?", title_fact="opening.query_token"),
    Chapter("query_key_matching", "How well does a key match a query?"),
    Chapter("softmax_normalisation", "How do scores become weights?"),
    Chapter("causal_triangle", "Why must a decoder not look ahead?"),
    Chapter("causal_triangle_unmasked", "What if every token may look ahead?", variant_of="causal_triangle"),
    Chapter("head_splitting", "How does one matrix become many heads?"),
    Chapter("summary", "What to keep"),
)


def chapter(name: str) -> Chapter:
    """The chapter of that name.

    Raises
    ------
    KeyError
        There is none.
    """
    return {entry.name: entry for entry in CHAPTERS}[name]


def scene_class(entry: Chapter) -> type[LessonScene]:
    """Import the chapter's scene (and with it Manim)."""
    found: type[LessonScene] = getattr(import_module(entry.module), entry.class_name)
    return found
