"""The worked example from left to right: a query, its keys, their values, and the output that is still to be found."""

from __future__ import annotations

from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, filled_with
from scenes.kit.geometry import at, centre, stroke
from scenes.kit.labels import SEMIBOLD, formula, rich, words
from scenes.kit.shapes import BOLD, dashed_box, path
from scenes.kit.theme import theme

CELL = (92.0, 76.0)
MIDDLE, MIDDLE_OF_MANY, ROW_STEP, ROWS_SPAN = 494.0, 554.0, 160.0, 348.0  # between the heads and a question's card
QUERY_X, KEY_X, VALUE_X, OUTPUT_X, HEAD_Y = 166.0, 655.0, 1143.0, 1630.0, 312.0
LINK_GAP, NAME_ROOM, NAME_GAP, SCORE_DX, SCORE_DY = 28.0, 62.0, 22.0, -10.0, 64.0
SIZE, SIZE_NAME, ANSWER_DY = 40.0, 44.0, 58.0
SIZE_SCORE, SCORE_ROOM, SCORE_RISE = 40.0, 200.0, 20.0  # over a line to a value


class Flow(VGroup):
    """Parts: `query`, `keys`, `values`, `output`, and `links[i]`: the three lines of key i on the way to the output."""

    def __init__(self, q: Fact, k: Fact, v: Fact) -> None:
        super().__init__()
        self.middle = MIDDLE if len(k) == 2 else MIDDLE_OF_MANY
        step = min(ROW_STEP, ROWS_SPAN / (len(k) - 1))
        self.rows = [self.middle + step * (i - (len(k) - 1) / 2) for i in range(len(k))]
        self.query = _vector(q, QUERY_X, self.middle, "query", "q")
        self.query.add(_head("query", QUERY_X, "query"))
        self.keys, self.values = VGroup(_head("keys", KEY_X, "key")), VGroup(_head("values", VALUE_X, "value"))
        for i, y in enumerate(self.rows):
            self.keys.add(_vector(k[i], KEY_X, y, "key", f"k_{i + 1}"))
            self.values.add(_vector(v[i], VALUE_X, y, "value", f"v_{i + 1}"))
        self.output = self._open_output(len(q))
        width = _width(len(q))
        self.links = [
            VGroup(
                path([(QUERY_X + width + LINK_GAP, self.middle), (KEY_X - LINK_GAP - NAME_ROOM, y)], "axis"),
                path([(KEY_X + width + LINK_GAP, y), (VALUE_X - LINK_GAP - NAME_ROOM, y)], "axis"),
                path([(VALUE_X + width + LINK_GAP, y), (OUTPUT_X - LINK_GAP, self.middle)], "axis"),
            )
            for y in self.rows
        ]
        self.add(self.query, self.keys, self.values, self.output, *self.links)

    def _open_output(self, entries: int) -> VGroup:
        marks = [
            words("?", role="dim").middle(OUTPUT_X + CELL[0] / 2 + n * _pitch(), self.middle, "center")
            for n in range(entries)
        ]
        frame = dashed_box(OUTPUT_X, self.middle - CELL[1] / 2, _width(entries), CELL[1])
        return VGroup(frame, *marks, _head("output", OUTPUT_X, "text"))

    def bright_links(self, i: int) -> list[VMobject]:
        """The way from the query through key i to the output, emphasised; to be drawn over the links in order."""
        return [link.copy().set_stroke(theme().text, stroke(BOLD)) for link in self.links[i]]

    def mostly(self, i: int, how: str = "mostly") -> VMobject:
        """The answer under the output: which value it mostly is."""
        made = rich(f"{how} #vc[$v_{i + 1}$]", em=SIZE)
        return made.place(OUTPUT_X + _width(2), self.middle + CELL[1] / 2 + ANSWER_DY, "right")

    def score_labels(self, scores: Fact) -> VGroup:
        """q . k = score: of two over and under the lines from the query, of more over the lines to the values."""
        labels = VGroup()
        for i, score in enumerate(scores):
            markup = f"qc(q) dot kc(k_{i + 1}) = {{}}"
            label = formula(markup, score, em=SIZE_NAME)
            if len(scores) == 2:
                x, y = centre(self.links[i][0])
                labels.add(label.move_to(at(x + SCORE_DX, y + SCORE_DY * (2 * i - 1))))
            else:
                label = formula(markup, score, em=min(SIZE_SCORE, SIZE_NAME * SCORE_ROOM / label.advance))
                x, y = centre(self.links[i][1])
                labels.add(label.place(x, y - SCORE_RISE, "center"))
        return labels


def _pitch() -> float:
    return CELL[0] + theme().frame.gap


def _width(entries: int) -> float:
    return entries * _pitch() - theme().frame.gap


def _head(text: str, x: float, role: str) -> VMobject:
    return words(text, em=SIZE, role=role, weight=SEMIBOLD).place(x, HEAD_Y)


def _vector(fact: Fact, x: float, y: float, role: str, name: str) -> VGroup:
    w, h = CELL
    cells = [Cell(x + n * _pitch(), y - h / 2, w, h, filled_with(role), entry, em=SIZE) for n, entry in enumerate(fact)]
    return VGroup(*cells, formula(name, em=SIZE_NAME, role=role).middle(x - NAME_GAP, y, "right", rise=0.45))
