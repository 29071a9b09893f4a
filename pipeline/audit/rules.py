"""What is wrong in one picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.audit.outlines import SAMPLE, Array, Box, Mask, grown, meet
from pipeline.audit.picture import Item, Picture, Text
from scenes.kit.theme import theme
from scenes.kit.typesetting import quoted

TOUCH = 3.0
"""px that two letters' boxes may share: italics lean, descenders hang."""
OVERLAPS, RUNS_INTO, CROSSED, HIDDEN = "overlaps", "runs into", "is crossed by", "is partly hidden by"
FAINT, SMALL, OUTSIDE = "is too faint on", "is too small", "leaves the safe area"
APART = 0.1
"""em that two figures on one line stay apart: half a space."""
SMALLEST_SHARE = 1 / 30
"""Of the frame's height: the least em of a line of type."""
LEAST_CONTRAST = 4.5
TOLERANCE = 3.0
"""px by which strokes and side bearings may reach over the safe area."""
_ONE_LINE = 1.0  # px between two baselines
_ITS_COPY = 1.0  # px between the middles of a text and its copy
_NOTICED = 0.04  # difference of a channel from which two grounds differ to the eye; the hairline's is 0.1 or more
_COVERS = 0.15  # opacity from which a shape hides what is behind it
_TOUCHES = 4  # of a text's samples, SAMPLE px apart: fewer are a touch
_HEIGHTS = (0.1, 0.3, 0.5, 0.7, 0.9)  # of a line of type
_WORD_GAP = 0.2  # em: less than a space; what stands between closer letters crosses the text


@dataclass(frozen=True, eq=False)
class Sighting:
    """Something wrong: the rule, the two things (`other` may be a property), and details for a person."""

    rule: str
    thing: Text | Item
    other: Text | Item | None
    detail: str = ""


@dataclass(frozen=True)
class _Fault:
    """Of a text: the rule, and which of the shapes that it meets."""

    rule: str
    shape: int | None
    detail: str = ""


@dataclass(frozen=True)
class _Verdict:
    hidden: bool
    faults: tuple[_Fault, ...] = ()


class Inspector:
    """Looks at pictures one after the other; what it has worked out for equal texts and shapes it remembers."""

    def __init__(self) -> None:
        self._samples: dict[tuple[bytes, ...], tuple[Array, int]] = {}
        self._covers: dict[tuple[tuple[bytes, ...], bytes, bool, float], tuple[Mask, Mask]] = {}
        self._verdicts: dict[tuple[Any, ...], _Verdict] = {}

    def look(self, picture: Picture, *, still: bool) -> list[Sighting]:
        """All that is wrong; of a picture that moves, contrast, sizes and gaps are not judged."""
        seen: list[Text] = []
        found: list[Sighting] = []
        for text in picture.texts:
            near = [picture.shapes[i] for i in np.flatnonzero(_meeting(picture.shape_boxes, text.box))]
            verdict = self._verdict(text, near, picture.ground)
            if verdict.hidden:
                continue
            seen.append(text)
            for fault in verdict.faults:
                if still or fault.rule != FAINT:
                    other = None if fault.shape is None else near[fault.shape]
                    found.append(Sighting(fault.rule, text, other, fault.detail))
        if still:
            found += [sighting for text in seen for sighting in _small(text)]
            found += _runs_into(seen)
        return [*found, *_outside(picture, seen), *_overlaps(seen)]

    def _verdict(self, text: Text, near: list[Item], ground: Array) -> _Verdict:
        key = (text.look, tuple((item.look, item.order < text.order) for item in near))
        if key not in self._verdicts:
            points, ink_count = self._points(text)
            stack = _Stack(text, ground, len(points), ink_count)
            for place, item in enumerate(near):
                stack.put(place, item, item.order < text.order, *self._cover(text, item, points))
            self._verdicts[key] = stack.verdict()
        return self._verdicts[key]

    def _points(self, text: Text) -> tuple[Array, int]:
        """Points along the letters' outlines and between the letters; how many are the first."""
        if text.key not in self._samples:
            ink = np.concatenate([part.outline.samples for part in text.parts])
            between = _between(text.letter_boxes, text.label.em)
            self._samples[text.key] = np.concatenate([ink, between]), len(ink)
        return self._samples[text.key]

    def _cover(self, text: Text, item: Item, points: Array) -> tuple[Mask, Mask]:
        """Which of the text's points lie within the item's fill, and which on its stroke."""
        filled, reach = bool(item.fill[3] > 0), item.reach if item.stroke[3] > 0 else 0.0
        key = (text.key, item.outline.key, filled, reach)
        if key not in self._covers:
            x0, y0, x1, y1 = item.box
            near = (points >= (x0, y0)).all(axis=1) & (points <= (x1, y1)).all(axis=1)
            within, on = np.zeros((2, len(points)), bool)
            if filled and near.any():
                within[near] = item.outline.holds(points[near])
            if reach and near.any():
                on[near] = item.outline.touches(points[near], reach)
            self._covers[key] = within, on
        return self._covers[key]


class _Stack:
    """What lies behind and in front of a text, at points along its letters' outlines and between them."""

    def __init__(self, text: Text, ground: Array, count: int, ink_count: int) -> None:
        self.text, self.ink_count = text, ink_count
        self.behind = np.tile(ground, (count, 1))
        self.top = np.full(count, -1)  # of what lies behind: the nearest shape
        self.front = np.zeros((count, 4))  # colour, premultiplied, and opacity
        self.nearest = np.full(count, -1)  # of what lies in front

    def put(self, place: int, item: Item, behind: bool, within: Mask, on: Mask) -> None:
        """Add a shape; they come from back to front."""
        for paint, mask in ((item.fill, within), (item.stroke, on)):
            alpha = paint[3]
            if alpha <= 0 or not mask.any():
                continue
            if behind:
                self.behind[mask] += (paint[:3] - self.behind[mask]) * alpha
                self.top[mask] = place
            else:
                self.front[mask] = self.front[mask] * (1 - alpha) + np.array([*paint[:3] * alpha, alpha])
                self.nearest[mask] = place

    def verdict(self) -> _Verdict:
        ink = self.front[: self.ink_count, 3]
        if (ink <= 1 - _COVERS).sum() < _TOUCHES:
            return _Verdict(hidden=True)
        return _Verdict(hidden=False, faults=(*self._crossings(), *self._faint()))

    def _crossings(self) -> Iterator[_Fault]:
        """What covers a part of the text, and what begins or ends behind it."""
        covered = self.front[:, 3] >= _COVERS
        if _TOUCHES <= covered.sum() <= len(covered) - _TOUCHES:
            yield _Fault(HIDDEN, _most(self.nearest[covered]))
            return
        codes = np.round(self.behind / _NOTICED).astype(int) @ [1, 1 << 8, 1 << 16]
        if (codes == codes[0]).all():
            return
        _, first, counts = np.unique(codes, return_index=True, return_counts=True)
        main = self.behind[first[counts.argmax()]]
        other: Mask = np.abs(self.behind - main).max(axis=1) > _NOTICED
        if other.sum() >= _TOUCHES:
            culprits = self.top[other]
            if (culprits < 0).mean() > 1 / 2:  # a piece of the text hangs over the edge of what it stands on
                culprits = self.top[~other]
            yield _Fault(CROSSED, _most(culprits))

    def _faint(self) -> Iterator[_Fault]:
        """Letters too close in colour to what is behind them."""
        begin, found = 0, []
        for part in self.text.parts:
            end = begin + len(part.outline.samples)
            behind, front = self.behind[begin:end], self.front[begin:end]
            ink = behind + (part.fill[:3] - behind) * part.fill[3]
            clear, veil = 1 - front[:, 3:], front[:, :3]
            ratio = float(np.median(contrasts(ink * clear + veil, behind * clear + veil)))
            found.append((ratio, _most(self.top[begin:end])))
            begin = end
        worst, place = min(found, key=lambda pair: pair[0])
        if worst < LEAST_CONTRAST:
            yield _Fault(FAINT, place, f"contrast {worst:.2f}")


def _most(places: npt.NDArray[np.int64]) -> int | None:
    """The shape that comes most often; None for the bare ground."""
    places = places[places >= 0]
    return int(np.bincount(places).argmax()) if len(places) else None


def _meeting(boxes: Array, box: Box) -> Mask:
    """Which boxes [n, 4] share a point with that one."""
    left, top, right, bottom = boxes.T
    found: Mask = (left <= box[2]) & (right >= box[0]) & (top <= box[3]) & (bottom >= box[1])
    return found


def _overlaps(texts: list[Text]) -> Iterator[Sighting]:
    boxes = np.array([text.box for text in texts]).reshape(-1, 4)
    for i, text in enumerate(texts):
        for j in np.flatnonzero(_meeting(boxes[i + 1 :], text.box)) + i + 1:
            if _letters_collide(text, texts[j]):
                yield Sighting(OVERLAPS, text, texts[j])


def _runs_into(texts: list[Text]) -> Iterator[Sighting]:
    """Figures on one line that would be read as one number, though none of their letters touch."""
    figures = sorted((text for text in texts if _is_a_number(text)), key=lambda text: text.box)
    boxes = np.array([figure.box for figure in figures]).reshape(-1, 4)
    for i, a in enumerate(figures):
        left, top, right, bottom = a.box
        beside = (left, top, right + APART * a.em, bottom)
        for b in (figures[j] for j in np.flatnonzero(_meeting(boxes[i + 1 :], beside)) + i + 1):
            one_line = abs(a.label.origin[1] - b.label.origin[1]) < _ONE_LINE
            if one_line and not (_are_copies(a, b) or _letters_collide(a, b)):
                yield Sighting(RUNS_INTO, a, b)


def _is_a_number(text: Text) -> bool:
    """Is it nothing but one figure, without words?"""
    shown = [figure.markup or figure.shown for figure in text.label.figures]
    return text.label.markup in (*shown, *map(quoted, shown)) and len(shown) == 1


def contrasts(a: Array, b: Array) -> Array:
    """WCAG 2 contrast ratios of colours [n, 3], 0 to 1."""
    one, two = (_luminance(colours) for colours in (a, b))
    ratio: Array = (np.maximum(one, two) + 0.05) / (np.minimum(one, two) + 0.05)
    return ratio


def _luminance(colours: Array) -> Array:
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    bright: Array = linear @ np.array([0.2126, 0.7152, 0.0722])
    return bright


def _between(letters: Array, em: float) -> Array:
    """Points on several heights in the gaps between neighbouring letters, where both have ink beside the gap."""
    order = letters[letters[:, 0].argsort()]
    points: list[tuple[float, float]] = []
    before = order[0]
    for letter in order[1:]:
        top, bottom = max(before[1], letter[1]), min(before[3], letter[3])
        if 0 < letter[0] - before[2] < _WORD_GAP * em and top < bottom:
            xs = np.arange(before[2], letter[0], SAMPLE)
            points += [(x, top + (bottom - top) * share) for x in xs for share in _HEIGHTS]
        before = letter if letter[2] > before[2] else before
    return np.array(points).reshape(-1, 2)


def _small(text: Text) -> Iterator[Sighting]:
    least = theme().frame.height * SMALLEST_SHARE
    if text.em < least - 0.1:
        yield Sighting(SMALL, text, None, f"{text.em:.0f} px of em, the least is {least:.0f}")


def _outside(picture: Picture, texts: list[Text]) -> Iterator[Sighting]:
    """What can be seen, and lies at least in part between the safe area and the frame's edge."""
    frame = theme().frame
    safe = grown((frame.left, frame.top, frame.right, frame.bottom), TOLERANCE)
    whole = (0.0, 0.0, float(frame.width), float(frame.height))
    things: list[Text | Item] = [*texts, *(item for item in picture.shapes if _stands_out(item, picture.ground))]
    for thing in things:
        a = thing.box
        over = max(safe[0] - a[0], safe[1] - a[1], a[2] - safe[2], a[3] - safe[3])
        if over > 0 and meet(a, whole):
            yield Sighting(OUTSIDE, thing, None, f"by {over + TOLERANCE:.0f} px")


def _stands_out(item: Item, ground: Array) -> bool:
    paints = [item.fill] + ([item.stroke] if item.reach else [])
    return any(float(np.abs(paint[:3] - ground).max()) * paint[3] > _NOTICED for paint in paints)


def _are_copies(a: Text, b: Text) -> bool:
    middles = np.array([(box[0] + box[2], box[1] + box[3]) for box in (a.box, b.box)]) / 2
    return a.label.markup == b.label.markup and bool(np.abs(middles[0] - middles[1]).max() < _ITS_COPY)


def _letters_collide(a: Text, b: Text) -> bool:
    """Do letters of two texts share room? A text on its own copy is one text: it may change its weight there."""
    if _are_copies(a, b):
        return False
    one, two = a.letter_boxes, b.letter_boxes
    wide = np.minimum(one[:, None, 2], two[:, 2]) - np.maximum(one[:, None, 0], two[:, 0])
    high = np.minimum(one[:, None, 3], two[:, 3]) - np.maximum(one[:, None, 1], two[:, 1])
    return bool(((wide > TOUCH) & (high > TOUCH)).any())
