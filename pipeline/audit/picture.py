"""What a scene would draw at one moment: texts and shapes, from back to front, with their colours and their names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import numpy as np
from manim import Mobject, VMobject
from manim.utils.family import extract_mobject_family_members

from pipeline.audit.outlines import Array, Box, Outline, grown, outline_of
from scenes.kit.geometry import PX_PER_UNIT, STROKE_PX
from scenes.kit.labels import Label
from scenes.kit.theme import theme

SEEN = 0.05
"""The least opacity with which a thing counts as there."""
_PLAIN = {"VGroup", "VMobject", "Group", "Mobject", "VectorizedPoint", "LessonScene"}
_LONGEST_NAME = 48


@dataclass(eq=False)
class Item:
    """One mobject's paint: its fill, then its stroke, both [r, g, b, opacity], 0 to 1.

    `order` is its place from back to front, `reach` half the stroke's width in px; `within` are the groups it belongs
    to, outermost first.
    """

    order: int
    mob: VMobject
    outline: Outline
    fill: Array
    stroke: Array
    reach: float
    text: Text | None
    within: tuple[Mobject, ...]

    @cached_property
    def box(self) -> Box:
        """With its stroke, px."""
        return grown(self.outline.box, self.reach)

    @property
    def opacity(self) -> float:
        """Of its strongest paint."""
        return float(max(self.fill[3], self.stroke[3] if self.reach else 0))

    @cached_property
    def look(self) -> tuple[bytes, bytes, bytes, float]:
        """Equal for things that are drawn the same."""
        return self.outline.key, self.fill.tobytes(), self.stroke.tobytes(), self.reach

    @property
    def name(self) -> str:
        """For a person: role, kind, what it is part of, and where."""
        look = theme()
        paint = self.fill if self.fill[3] > SEEN else self.stroke
        colour = "#" + "".join(f"{round(255 * float(c)):02X}" for c in paint[:3])
        roles = [name for name, value in vars(look).items() if value == colour]
        kind = "area" if self.fill[3] > SEEN else "line"
        groups = [type(mob).__name__ for mob in self.within if type(mob).__name__ not in _PLAIN]
        part = f" of {groups[-1]}" if groups else ""
        return f"{roles[0] if roles else colour} {kind}{part}"


@dataclass(eq=False)
class Text:
    """A label: its parts, and the place of the first of them among all items."""

    label: Label
    order: int
    parts: list[Item] = field(default_factory=list)

    @cached_property
    def box(self) -> Box:
        """Of the ink, px."""
        boxes = np.array([part.outline.box for part in self.parts])
        return cast(Box, tuple(map(float, (*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)))))

    @cached_property
    def letter_boxes(self) -> Array:
        """[contours, 4], px."""
        return np.concatenate([part.outline.contour_boxes for part in self.parts])

    @cached_property
    def key(self) -> tuple[bytes, ...]:
        """Equal for equal letters in the same place."""
        return tuple(part.outline.key for part in self.parts)

    @cached_property
    def look(self) -> tuple[Any, ...]:
        """Equal for texts that are drawn the same."""
        return tuple(part.look for part in self.parts)

    @property
    def opacity(self) -> float:
        return max(part.opacity for part in self.parts)

    @property
    def em(self) -> float:
        """As set, px: the label's em, scaled as its height has been since."""
        height = self.box[3] - self.box[1]
        return float(self.label.em * height / (self.label.natural_height * PX_PER_UNIT))

    @property
    def name(self) -> str:
        """Its words, or its markup."""
        markup = self.label.markup
        if markup.startswith('#"') and markup.endswith('"'):
            markup = markup[2:-1].replace('\\"', '"').replace("\\\\", "\\")
        text = " ".join(markup.split())
        return f"“{text[:_LONGEST_NAME]}…”" if len(text) > _LONGEST_NAME else f"“{text}”"


@dataclass(eq=False)
class Picture:
    """All that is drawn, from back to front."""

    items: list[Item]
    texts: list[Text]
    ground: Array  # [r, g, b]

    @cached_property
    def look(self) -> tuple[Any, ...]:
        """Equal for pictures that are drawn the same."""
        return tuple(item.look for item in self.items)

    @cached_property
    def shape_boxes(self) -> Array:
        """[shapes, 4], with strokes, px."""
        return np.array([item.box for item in self.shapes]).reshape(-1, 4)

    @cached_property
    def shapes(self) -> list[Item]:
        """What is no part of a text."""
        return [item for item in self.items if item.text is None]


def picture_of(mobjects: Iterable[Mobject], known: dict[bytes, Outline]) -> Picture:
    """The picture that Manim would draw of a scene's mobjects; `known` keeps outlines from picture to picture."""
    tops = list(mobjects)
    owners = {id(mob): groups for top in tops for mob, groups in _walk(top, ())}
    picture = Picture([], [], np.array(_rgb(theme().ground)))
    texts: dict[int, Text] = {}
    for mob in extract_mobject_family_members(tops, use_z_index=True, only_those_with_points=True):
        if not isinstance(mob, VMobject) or len(mob.points) < 4:
            continue
        within = owners[id(mob)]
        label = next((group for group in reversed(within) if isinstance(group, Label)), None)
        item = _item(len(picture.items), mob, within, known)
        if item.opacity <= SEEN:
            continue
        if label is not None:
            if id(label) not in texts:
                texts[id(label)] = Text(label, len(picture.items))
            item.text = texts[id(label)]
            item.text.parts.append(item)
        picture.items.append(item)
    picture.texts = list(texts.values())
    return picture


def _walk(mob: Mobject, groups: tuple[Mobject, ...]) -> Iterator[tuple[Mobject, tuple[Mobject, ...]]]:
    yield mob, groups
    for part in mob.submobjects:
        yield from _walk(part, (*groups, mob))


def _item(order: int, mob: VMobject, within: tuple[Mobject, ...], known: dict[bytes, Outline]) -> Item:
    key = hashlib.blake2b(mob.points.tobytes(), digest_size=16).digest()
    outline = known[key] if key in known else known.setdefault(key, outline_of(mob.points, key))
    reach = float(mob.get_stroke_width()) * STROKE_PX / 2
    return Item(order, mob, outline, _mean(mob.get_fill_rgbas()), _mean(mob.get_stroke_rgbas()), reach, None, within)


def _mean(rgbas: Any) -> Array:
    """One colour for a gradient: its middle. A copy: mobjects go on changing."""
    return np.array(rgbas[0] if len(rgbas) == 1 else rgbas.mean(axis=0), float)


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
