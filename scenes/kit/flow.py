"""The worked example from left to right: a query, its keys, their values, and the output that is still to be found."""

from __future__ import annotations

from collections.abc import Iterable

from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, filled_with
from scenes.kit.figures import MINUS, place_of
from scenes.kit.geometry import at, centre, stroke
from scenes.kit.labels import SEMIBOLD, formula, in_cell, number, rich, words
from scenes.kit.shapes import BOLD, dashed_box, path
from scenes.kit.theme import theme

CELL, CELL_PAD, WIDE = (92.0, 76.0), 9.0, 340.0  # px; cells of three columns together, from which type is small
MIDDLE, MIDDLE_OF_MANY, ROW_STEP, ROWS_SPAN = 494.0, 554.0, 160.0, 348.0  # between the heads and a question's card
QUERY_X, OUTPUT_RIGHT, HEAD_Y = 166.0, 1820.0, 312.0
LINK_GAP, NAME_ROOM, NAME_GAP, SCORE_DX, SCORE_DY = 28.0, 62.0, 22.0, -10.0, 64.0
SIZE, SIZE_NAME, ANSWER_DY = 40.0, 44.0, 58.0
SIZE_SCORE, SCORE_ROOM, SCORE_OVER, SCORE_RISE = 40.0, 200.0, 20.0, 20.0  # over a line to a value
SCORE_MARGIN, LEAST_GAP = 4.0, 136.0


class Flow(VGroup):
    """Parts: `query`, `keys`, `values`, `output`, and `links[i]`: the three lines of key i on the way to the output.

    Cells are as wide as their longest number; what is left of the width is shared by the lines, of which those to the
    values are longer if the scores need it.
    """

    def __init__(self, q: Fact, k: Fact, v: Fact, scores: Fact) -> None:
        super().__init__()
        self.middle = MIDDLE if len(k) == 2 else MIDDLE_OF_MANY
        step = min(ROW_STEP, ROWS_SPAN / (len(k) - 1))
        self.rows = [self.middle + step * (i - (len(k) - 1) / 2) for i in range(len(k))]
        self.em, wide = SIZE, _cell_width([q], SIZE) + _cell_width(k, SIZE) + _cell_width(v, SIZE)
        if wide > WIDE:
            self.em = theme().type.small
        cells = [_cell_width(vectors, self.em) for vectors in ([q], k, v)] + [CELL[0]]
        query, key, value, output = (_width(len(q), cell) for cell in cells)
        left = OUTPUT_RIGHT - QUERY_X - query - key - value - output
        longest = max(number(score, em=theme().type.small).advance for score in scores) + SCORE_MARGIN
        self.score_gap = max(left / 3, min(longest + 2 * LINK_GAP + NAME_ROOM - 2 * SCORE_OVER, left - 2 * LEAST_GAP))
        self.gap = (left - self.score_gap) / 2  # between one column and the next
        self.output_x = OUTPUT_RIGHT - output
        key_x = QUERY_X + query + self.gap
        value_x = key_x + key + self.score_gap
        self.query = self._vector(q, QUERY_X, self.middle, "query", "q", cells[0])
        self.query.add(_head("query", QUERY_X, "query"))
        self.keys, self.values = VGroup(_head("keys", key_x, "key")), VGroup(_head("values", value_x, "value"))
        for i, y in enumerate(self.rows):
            self.keys.add(self._vector(k[i], key_x, y, "key", f"k_{i + 1}", cells[1]))
            self.values.add(self._vector(v[i], value_x, y, "value", f"v_{i + 1}", cells[2]))
        self.output = self._open_output(len(q))
        self.links = [
            VGroup(
                path([(QUERY_X + query + LINK_GAP, self.middle), (key_x - LINK_GAP - NAME_ROOM, y)], "axis"),
                path([(key_x + key + LINK_GAP, y), (value_x - LINK_GAP - NAME_ROOM, y)], "axis"),
                path([(value_x + value + LINK_GAP, y), (self.output_x - LINK_GAP, self.middle)], "axis"),
            )
            for y in self.rows
        ]
        self.add(self.query, self.keys, self.values, self.output, *self.links)

    def _vector(self, fact: Fact, x: float, y: float, role: str, name: str, width: float) -> VGroup:
        made = VGroup()
        for n, entry in enumerate(fact):
            left, look = x + n * (width + theme().frame.gap), filled_with(role)
            made.add(Cell(left, y - CELL[1] / 2, width, CELL[1], look))
            made.add(in_cell(number(entry, em=self.em), left + width / 2, y))
        return made.add(formula(name, em=SIZE_NAME, role=role).middle(x - NAME_GAP, y, "right", rise=0.45))

    def _open_output(self, entries: int) -> VGroup:
        marks = [
            words("?", role="dim").middle(
                self.output_x + CELL[0] / 2 + n * (CELL[0] + theme().frame.gap), self.middle, "center"
            )
            for n in range(entries)
        ]
        frame = dashed_box(self.output_x, self.middle - CELL[1] / 2, _width(entries, CELL[0]), CELL[1])
        return VGroup(frame, *marks, _head("output", self.output_x, "text"))

    def bright_links(self, i: int) -> list[VMobject]:
        """The way from the query through key i to the output, emphasised; to be drawn over the links in order."""
        return [link.copy().set_stroke(theme().text, stroke(BOLD)) for link in self.links[i]]

    def mostly(self, i: int, how: str = "mostly") -> VMobject:
        """The answer under the output: which value it mostly is."""
        made = rich(f"{how} #vc[$v_{i + 1}$]", em=SIZE)
        return made.place(OUTPUT_RIGHT, self.middle + CELL[1] / 2 + ANSWER_DY, "right")

    def score_labels(self, scores: Fact) -> VGroup:
        """q . k = score: of two over and under the lines from the query, of more over the lines to the values.

        Where that is wider than the line, the scores stand there alone, under a head of their own.
        """
        names = [f"qc(q) dot kc(k_{i + 1}) = {place_of(score)}" for i, score in enumerate(scores)]
        labels = [formula(name, score, em=SIZE_NAME) for name, score in zip(names, scores, strict=True)]
        room = min(SCORE_ROOM, self.score_gap - 2 * LINK_GAP - NAME_ROOM + 2 * SCORE_OVER)
        if len(scores) == 2 and max(label.advance for label in labels) <= self.gap - NAME_ROOM:
            for i, label in enumerate(labels):
                x, y = centre(self.links[i][0])
                label.move_to(at(x + SCORE_DX, y + SCORE_DY * (2 * i - 1)))
            return VGroup(*labels)
        em = min(SIZE_SCORE, *(SIZE_NAME * room / label.advance for label in labels))
        heads = []
        if em < theme().type.small:
            em = min(SIZE_SCORE, *(SIZE_SCORE * room / number(score, em=SIZE_SCORE).advance for score in scores))
            em = max(em, theme().type.small)
            labels = [number(score, em=em, role="score", weight=SEMIBOLD) for score in scores]
            heads = [words("scores", em=SIZE, role="score", weight=SEMIBOLD)]
            heads[0].place(centre(self.links[0][1])[0], HEAD_Y, "center")
        else:
            labels = [formula(name, score, em=em) for name, score in zip(names, scores, strict=True)]
        for i, label in enumerate(labels):
            x, y = centre(self.links[i][1])
            label.place(x, y - SCORE_RISE, "center")
        return VGroup(*labels, *heads)


def _width(entries: int, cell: float) -> float:
    return entries * (cell + theme().frame.gap) - theme().frame.gap


def _cell_width(vectors: Iterable[Fact], em: float) -> float:
    """As wide as the longest number needs; a minus hangs out, so it needs its room on both sides."""
    minus = words(MINUS, em=em).advance
    numbers = [number(entry, em=em) for vector in vectors for entry in vector]
    hangs = [minus * made.figures[0].shown.startswith(MINUS) for made in numbers]
    return max(CELL[0], *(made.advance + hang + 2 * CELL_PAD for made, hang in zip(numbers, hangs, strict=True)))


def _head(text: str, x: float, role: str) -> VMobject:
    return words(text, em=SIZE, role=role, weight=SEMIBOLD).place(x, HEAD_Y)
