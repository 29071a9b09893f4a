"""What of all that was seen counts: within a play things may pass over one another, but not stay there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pipeline.audit.picture import SEEN, Item, Picture, Text
from pipeline.audit.rules import CROSSED, HIDDEN, OUTSIDE, Sighting
from pipeline.audit.watch import Moment

LASTS = 0.5
"""s for which something that moves may be over a text, or a text that moves over something else."""
_STANDS = 0.5  # px between two looks


@dataclass(frozen=True, eq=False)
class Seen:
    """One look: its number, when, what was on the screen, what was wrong there."""

    number: int
    moment: Moment
    picture: Picture
    sightings: Sequence[Sighting]

    @cached_property
    def places(self) -> dict[int, Text | Item]:
        """Everything by its identity."""
        things: list[Text | Item] = [*self.picture.texts, *self.picture.shapes]
        return {_identity(thing): thing for thing in things}


def judged(looks: Sequence[Seen]) -> Iterator[tuple[Seen, Sighting]]:
    """What counts of a play's looks, from the rest before it (judged when its own play was) to the rest after it."""
    for i, seen in enumerate(looks):
        for sighting in seen.sightings:
            if seen.moment.rests or _counts(sighting, looks, i):
                yield seen, sighting


def _counts(sighting: Sighting, looks: Sequence[Seen], place: int) -> bool:
    """Does it count while the play runs?"""
    around = looks[max(place - 1, 0) : place + 2]
    things = [_identity(thing) for thing in (sighting.thing, sighting.other) if thing is not None]
    if sighting.rule in (CROSSED, HIDDEN) and any(_fades(thing, around) for thing in things):
        return False
    if all(_stands(thing, around) for thing in things):
        return True
    return sighting.rule != OUTSIDE and _lasts(sighting, looks, place)


def _identity(thing: Text | Item | None) -> int:
    """The same for the same mobject in all looks of a play."""
    if thing is None:
        return 0
    return id(thing.label if isinstance(thing, Text) else thing.mob)


def _stands(identity: int, around: Sequence[Seen]) -> bool:
    """Is it where it was at the look before, and where it will be at the next?"""
    found = [seen.places[identity].box for seen in around if identity in seen.places]
    return len(found) > 1 and bool(np.ptp(np.array(found), axis=0).max() < _STANDS)


def _fades(identity: int, around: Sequence[Seen]) -> bool:
    """Does it come or go, or change its opacity?"""
    found = [seen.places[identity].opacity if identity in seen.places else 0.0 for seen in around]
    return max(found) - min(found) > SEEN


def _lasts(sighting: Sighting, looks: Sequence[Seen], place: int) -> bool:
    """Is the same wrong at looks before and after this one without a break, for LASTS?"""
    wrong = (sighting.rule, _identity(sighting.thing), _identity(sighting.other))
    first = last = place
    while first > 0 and wrong in _wrongs(looks[first - 1]):
        first -= 1
    while last < len(looks) - 1 and wrong in _wrongs(looks[last + 1]):
        last += 1
    return looks[last].moment.seconds - looks[first].moment.seconds >= LASTS


def _wrongs(seen: Seen) -> set[tuple[str, int, int]]:
    return {(s.rule, _identity(s.thing), _identity(s.other)) for s in seen.sightings}
