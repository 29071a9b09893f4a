"""What a query looks for and what keys offer, entry by entry, over and under the words of a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from math import inf, prod
from typing import Any

from manim import ApplyMethod, FadeIn, VGroup, VMobject

from lesson import Fact
from scenes.kit.cast import MOST_ROWS, Cast
from scenes.kit.figures import written
from scenes.kit.geometry import Point, at, centre, top
from scenes.kit.labels import Label, run, words
from scenes.kit.sentence import DOTS, common_power, figures, number
from scenes.kit.shapes import HAIR, box
from scenes.kit.theme import theme
from scenes.kit.typesetting import quoted, typeset
from scenes.kit.wording import short_place

ENTRY_GAP = 10.0  # between the name of a dimension, its entry, and what that is multiplied by
SCORE_GAP = 12.0  # between "score" and figure
DOES = {"query": "looks for", "key": "offers"}
FRAME_PAD, FRAME_HEIGHT, FRAME_APART, FRAME_RADIUS = 12.0, 48.0, 2.0, 10.0  # around a row; between such frames
OVER_ACCENTS = 5.0  # from the top of a tall letter to the frame, px
MIDDLE, NARROWEST = 0.3, 0.75  # of a row over its baseline, em; of a name, as a share of its width
WAY_DOWN = -1.8  # the arc of an entry that comes down past the word
MANY_ROWS = 2  # with more, tags take the place of what stands under them
BASE, LEADING, END, MANY_END = 764.0, 54.0, 944.0, 1014.0  # of keys; where they end, the score included
QUERY_TOP, QUERY_END = 190.0, 530.0  # of the query: at most; its last line, above its word


class Row(VGroup):
    """One entry of a vector: parts `title`, `entry`, and `factor`, the query's entry, once both have met.

    Parameters
    ----------
    name, entry, factor
        The dimension, what the vector has there, and what the query has there, if anything.
    place
        A template with one place, for figures.
    x, baseline, role
        The middle of the row; its colour.
    most, narrow
        It is no wider than that, px: its name is set as narrow as that, and cut.
    """

    def __init__(
        self,
        name: Fact,
        entry: Fact,
        factor: Fact | None,
        place: str,
        x: float,
        baseline: float,
        role: str,
        most: float = inf,
        narrow: float = 1.0,
    ) -> None:
        super().__init__()
        self.title, self.entry = words("{}", name, role=role), number(entry, place, role=role)
        self.factor = number(factor, place, " ×", role="query") if factor is not None else None
        whole = [label for label in (self.title, self.factor, self.entry) if label is not None]
        figures = sum(label.advance + ENTRY_GAP for label in whole[1:]) + 2 * FRAME_PAD
        self.share = (most - figures) / self.title.advance  # of the width of its name, so much has room
        if narrow < 1:
            self.title = whole[0] = _shortened(name, most - figures, role, narrow)
        self.room: float = sum(label.advance for label in whole) + ENTRY_GAP * (len(whole) - 1) + 2 * FRAME_PAD
        run(*whole, x=x, baseline=baseline, gap=ENTRY_GAP, align="center")
        self.apart = [centre(label) for label in (self.title, self.entry)]
        self.middle = x, baseline - MIDDLE * self.title.em
        run(self.title, self.entry, x=x, baseline=baseline, gap=ENTRY_GAP, align="center")
        self.paired = centre(self.title)
        self.title.place(x, baseline, "center")
        self.add(self.title, self.entry)

    def frame(self, leading: float) -> VMobject:
        """A frame around the row: query and key agree here. It goes round a letter with two accents, too."""
        (x, y), height = self.middle, min(FRAME_HEIGHT, leading - FRAME_APART)
        upper = min(y - height / 2, top(self.title) - OVER_ACCENTS)
        height = y + height / 2 - upper
        return box(x - self.room / 2, upper, self.room, height, edge="query", width=HAIR, radius=FRAME_RADIUS)


class Tag(VGroup):
    """A query or a key: its `kind` and what it `does`, and under that `rows[d]` for each dimension it has.

    `rows[d].entry` is the number; until `number` the dimensions' names stand alone. `more`: dots on that baseline
    for rows that are left out.
    """

    def __init__(self, role: str, rows: dict[int, Row], x: float, baseline: float, more: float | None = None) -> None:
        super().__init__()
        self.kind, self.does = words(role, role=role), words(DOES[role], role="dim")
        run(self.kind, self.does, x=x, baseline=baseline, gap=ENTRY_GAP, align="center")
        self.room: float = max(self.kind.advance + ENTRY_GAP + self.does.advance, *(row.room for row in rows.values()))
        self.rows = rows
        self.more = [] if more is None else [words(DOTS, role=role).place(x, more, "center")]
        self.add(self.kind, self.does, *rows.values(), *self.more)

    @property
    def meets(self) -> int:
        """In how many dimensions that are shown the query has an entry, too."""
        return sum(row.factor is not None for row in self.rows.values())

    def number(self, shift: Point) -> list[Any]:
        """Animations: the numbers come, and the names make room for them."""
        moving: list[Any] = [row.title.animate.move_to(at(*row.paired)) for row in self.rows.values()]
        return moving + [FadeIn(row.entry, shift=shift) for row in self.rows.values()]

    def agree(self, leading: float) -> list[Any]:
        """Animations: frames around the rows that the query has, too; the other rows step back."""
        frames = [row.frame(leading) for row in self.rows.values() if row.factor is not None]
        missed = [part for row in self.rows.values() if row.factor is None for part in (row.title, row.entry)]
        self.add(*frames)
        return [*map(FadeIn, frames), *[part.animate.paint("quiet") for part in missed]]

    def multiply(self, query: Tag) -> list[Any]:
        """Animations: the query's entries come from where it stands down beside the key's."""
        moving: list[Any] = []
        for d, row in self.rows.items():
            if row.factor is not None:
                moving += [
                    part.animate.move_to(at(*to)) for part, to in zip((row.title, row.entry), row.apart, strict=True)
                ]
                goal = row.factor.get_center()
                row.factor.place(*query.rows[d].entry.origin, "origin")
                moving.append(ApplyMethod(row.factor.move_to, goal, path_arc=WAY_DOWN))
                self.add(row.factor)
        return moving

    def products(self) -> list[VGroup]:
        """Copies of the entries that have met, pair by pair."""
        return [VGroup(row.factor.copy(), row.entry.copy()) for row in self.rows.values() if row.factor is not None]


class Tags:
    """Makes the tags of a cast: keys under their words, the query above its own.

    `score_base` is the line under the keys; `many`: there are so many rows that they take all the room. `rooms` say
    how wide a tag may be.
    """

    def __init__(self, cast: Cast, q: Fact, k: Fact) -> None:
        self._cast, self._q, self._k = cast, q, k
        self._place = short_place(q, *k)
        self.rooms: Mapping[int, float] = {}
        rows = min(max(map(len, cast.offers.values())), MOST_ROWS)
        self.many = max(rows, len(cast.wanted)) > MANY_ROWS
        self.leading = min(LEADING, ((MANY_END if self.many else END) - BASE) / (rows + 1))
        self.score_base = BASE + self.leading * (rows + 1)

    def query(self, x: float) -> Tag:
        """What is looked for, over x."""
        leading = min(LEADING, (QUERY_END - QUERY_TOP) / len(self._cast.wanted))
        base = QUERY_END - leading * len(self._cast.wanted)
        rows = {
            d: Row(name, self._q[d], None, self._place, x, base + leading * (line + 1), "query")
            for line, (d, name) in enumerate(self._cast.wanted.items())
        }
        return Tag("query", rows, x, base)

    def key(self, i: int, x: float) -> Tag:
        """What a word offers, under x."""
        more = BASE + self.leading * MOST_ROWS if len(self._cast.offers[i]) > MOST_ROWS else None
        return Tag("key", self._key_rows(i, x, self._narrow()), x, BASE, more)

    def _key_rows(self, i: int, x: float, narrow: float) -> dict[int, Row]:
        wanted, own = self._cast.wanted, self._k[i]
        return {
            d: Row(
                name, own[d], self._q[d] if d in wanted else None, self._place,
                x, BASE + self.leading * (line + 1), "key", self.rooms.get(i, inf), narrow,
            )
            for line, (d, name) in enumerate(self._cast.rows(i).items())
        }  # fmt: skip

    def named(self, i: int, score: Label) -> str:
        """The name of a key's score: about that, where the digits shown of query and key don't make those of it."""
        met = self._cast.wanted.keys() & self._cast.offers[i].keys()
        rows = [[number(vector[d], self._place) for vector in (self._q, self._k[i])] for d in met]
        products = (prod(Decimal(written(label.figures[0])) for label in row) for row in rows)
        made, shown = sum(products), Decimal(written(score.figures[0]))
        return "score" if Decimal(made).quantize(shown, ROUND_HALF_UP) == shown else "score ≈"

    def _narrow(self) -> float:
        """How narrow names are set in keys, all alike, so that the longest has room."""
        hung = [i for i in self._cast.offers if i in self.rooms]
        shares = [row.share for i in hung for row in self._key_rows(i, 0, narrow=1).values()]
        return min(1, max(NARROWEST, min(shares, default=1)))

    def hanging(self, *, tight: bool) -> list[float]:
        """Width of what hangs at each token; unless it is `tight`, there is room for the query that visits, too."""
        query = self.query(0)
        visiting = 0.0 if tight else max(row.room for row in query.rows.values())
        rooms = [0.0] * len(self._cast.tokens)
        scores, scaled = self._cast.facts["opening.scores"], self._cast.facts["opening.scaled"]
        totals = figures(scores, power=common_power(scores, scaled))
        for i in self._cast.offers:
            name = words(self.named(i, totals[i]), em=theme().type.small)
            rooms[i] = max(self.key(i, 0).room, visiting, name.advance + SCORE_GAP + totals[i].advance)
        if not tight:
            rooms[self._cast.who] = query.room
        return rooms

    def above(self, x: float) -> float:
        """Where the query stands that visits a word at x: above it, but within the margins."""
        half = self.query(0).room / 2
        return min(max(x, theme().frame.left + half), theme().frame.right - half)


def _shortened(name: Fact, room: float, role: str, narrow: float) -> Label:
    """A name in less room: as narrow as that, and cut if that doesn't do."""
    text = str(name)
    made = words("{}", name, role=role)
    for end in range(len(text) - 1, 0, -1):
        if made.advance * narrow <= room:
            break
        made = Label(typeset(quoted(text[:end] + DOTS)), made.em, role)
    return Label(typeset(made.markup).narrowed(narrow), made.em, role)


def listed(names: Fact, room: float) -> Label:
    """The names of the dimensions, as many as there is room for."""
    for count in range(len(names), 0, -1):
        place = ", ".join(["{}"] * count) + (":" if count == len(names) else f", {DOTS}:")
        made = words(place, *list(names)[:count], em=theme().type.small, role="dim")
        if made.advance <= room:
            break
    return made
