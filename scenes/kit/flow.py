"""The worked example: its vectors written out, its scores as sums, and its parts from left to right.

Those are a query, its keys, their values, and the output that is still to be found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isclose

from manim import VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, filled_with
from scenes.kit.figures import MINUS, TIMES, filled, is_shown, place_of, rounded
from scenes.kit.geometry import at, centre, right, stroke
from scenes.kit.labels import SEMIBOLD, Label, formula, in_cell, number, rich, run, words
from scenes.kit.shapes import BOLD, dashed_box, path
from scenes.kit.theme import theme
from scenes.kit.typesetting import quoted, typeset
from scenes.kit.wording import Said

CELL, CELL_PAD, WIDE = (92.0, 76.0), 9.0, 340.0  # px; cells of three columns together, from which type is small
MIDDLE, MIDDLE_OF_MANY, ROW_STEP, ROWS_SPAN = 494.0, 546.0, 160.0, 348.0  # between the heads and a question's card
QUERY_X, OUTPUT_RIGHT, HEAD_Y, HEAD_OF_MANY = 166.0, 1820.0, 312.0, 282.0
LINK_GAP, NAME_ROOM, NAME_GAP, SCORE_DX, SCORE_DY = 28.0, 62.0, 22.0, -10.0, 64.0
SIZE, SIZE_NAME, ANSWER_DY, ANSWER_LEADING = 40.0, 44.0, 58.0, 48.0
SIZE_SCORE, SCORE_ROOM, SCORE_OVER, SCORE_RISE = 40.0, 200.0, 10.0, 20.0  # over a line to a value
SCORE_MARGIN, LEAST_GAP, SCORE_END = 4.0, 136.0, 12.0
TIGHT_OUTPUT, TIGHT_GAP = 64.0, 90.0  # a cell of the output, and the room before it, where all numbers are long
SIZE_VECTOR, ENTRY_GAP, TERM_GAP, LINE_RISE = 50.0, 6.0, 16.0, 54.0
LEAST_EM, BROKEN_EM = 40.0, 44.0  # smaller than this, a sum is broken into two rows; their size
DIGITS, MOST_DIGITS = 3, 5  # of an entry: as a rule, and where the scores don't come out with fewer
LONG_DIGITS = 7  # of scores that hardly differ


def digits_of(q: Fact, k: Fact, scores: Fact) -> int:
    """How many digits of the entries are shown: as few as make most of the scores come out as they are shown."""

    def fine(digits: int) -> int:
        return sum(_comes_out(q, key, score, digits) for key, score in zip(k, scores, strict=True))

    return max(range(DIGITS, MOST_DIGITS + 1), key=fine)


def _product(q: Fact, key: Fact, digits: int) -> float:
    """The dot product of what is shown."""
    return sum(rounded(x, digits) * rounded(y, digits) for x, y in zip(q, key, strict=True))


def _comes_out(q: Fact, key: Fact, score: Fact, digits: int) -> bool:
    place, total = place_of(score), Fact(score.key, _product(q, key, digits))
    return filled(place, [total])[0] == filled(place, [score])[0]


def telling_digits(scores: Fact) -> int:
    """How many digits tell different scores apart; the usual where that would be too many."""
    count = len({float(score) for score in scores})
    told = (n for n in range(DIGITS, LONG_DIGITS + 1) if len({rounded(score, n) for score in scores}) == count)
    return next(told, DIGITS)


def shown_whole(numbers: Iterable[Fact], digits: int = DIGITS) -> bool:
    """Does every number stand there as it is, none of them rounded?"""
    return all(is_shown(rounded(number, digits), float(number)) for number in numbers)


class VectorName(VGroup):
    """A symbol and the entries of its vector; `entries` are labels of their own, so that they can be sent off."""

    def __init__(self, symbol: str, vector: Fact, role: str, digits: int) -> None:
        self.entries = [formula(place_of(entry, digits), entry, em=SIZE_VECTOR, role=role) for entry in vector]
        first, second = self.entries
        equals = "=" if shown_whole(vector, digits) else "approx"
        opening, comma, closing = (
            formula(markup, em=SIZE_VECTOR, role=role) for markup in (f"{symbol} {equals} \\[", "\\,", "\\]")
        )
        head = run(opening, first, comma, x=0, baseline=0)
        start = opening.advance + first.advance + comma.advance + ENTRY_GAP
        super().__init__(head, run(second, closing, x=start, baseline=0))


class Sums:
    """Lines q . k = a x b + c x d = score, alike in size: in one row, or, were that small, broken before the plus."""

    PLUS = 4  # name, factor, times, factor, plus, ...

    def __init__(self, q: Fact, keys: Mapping[int, Fact], scores: Fact, digits: int, room: float) -> None:
        self._q, self._keys, self._scores, self._digits, self._room = q, keys, scores, digits, room
        full = theme().type.formula
        whole = full * min(self._fit(i, broken=False) for i in keys)
        self.broken = whole < LEAST_EM
        small = max(theme().type.small + 2, full * min(self._fit(i, broken=True) for i in keys))
        self.em = min(BROKEN_EM, small) if self.broken else min(full, whole)

    def line(self, i: int, x: float, baseline: float) -> list[Label]:
        """The pieces of the line of key i, the score last, that stands on that baseline (with its second row)."""
        pieces = self._pieces(i, self.em)
        if not self.broken:
            run(*pieces, x=x, baseline=baseline, gap=TERM_GAP)
            return pieces
        above, below = pieces[: self.PLUS], pieces[self.PLUS :]
        run(*above, x=x, baseline=baseline - LINE_RISE, gap=TERM_GAP)
        width = sum(piece.advance + TERM_GAP for piece in below)
        run(*below, x=x + min(pieces[0].advance + TERM_GAP, self._room - width), baseline=baseline, gap=TERM_GAP)
        return pieces

    def _fit(self, i: int, *, broken: bool) -> float:
        """Of its full size, so much has room."""
        name, *rest = [piece.advance for piece in self._pieces(i, theme().type.formula)]
        rows = (rest[: self.PLUS - 1], rest[self.PLUS - 1 :]) if broken else (rest,)
        return min((self._room - TERM_GAP * (len(row) + 1)) / (name + sum(row)) for row in rows)

    def _pieces(self, i: int, em: float) -> list[Label]:
        q, key, score = self._q, self._keys[i], self._scores[i]
        equals = "=" if isclose(_product(q, key, self._digits), rounded(score), abs_tol=1e-15) else "approx"
        parts: list[Said] = [
            (f"qc(q) dot kc(k_{i + 1}) =", []),
            self._term("qc", q[0]), ("times", []), self._term("kc", key[0]), ("+", []),
            self._term("qc", q[1]), ("times", []), self._term("kc", key[1]), (equals, []),
            (place_of(score), [score]),
        ]  # fmt: skip
        return [formula(markup, *facts, em=em) for markup, facts in parts]

    def _term(self, role: str, entry: Fact) -> Said:
        """A factor in a sum; one below zero stands in brackets."""
        place = place_of(entry, self._digits)
        return (f"{role}(({place}))" if float(entry) < 0 else f"{role}({place})"), [entry]


class Flow(VGroup):
    """Parts: `query`, `keys`, `values`, `output`, and `links[i]`: the three lines of key i on the way to the output.

    Cells are as wide as their longest number; what is left of the width is shared by the lines, of which those to the
    values are longer if the scores need it. Where that doesn't do, cells and the way to the output are tight.
    """

    def __init__(self, q: Fact, k: Fact, v: Fact, scores: Fact) -> None:
        super().__init__()
        self.middle, self.head_y = (MIDDLE, HEAD_Y) if len(k) == 2 else (MIDDLE_OF_MANY, HEAD_OF_MANY)
        step = min(ROW_STEP, ROWS_SPAN / (len(k) - 1))
        self.rows = [self.middle + step * (i - (len(k) - 1) / 2) for i in range(len(k))]
        self.told = telling_digits(scores)
        longest = max(number(score, self.told, em=theme().type.small).advance for score in scores) + SCORE_MARGIN
        needed = longest + 2 * LINK_GAP + NAME_ROOM - 2 * SCORE_OVER
        most = digits_of(q, k, scores)
        for digits, tight in [*((n, False) for n in range(most, DIGITS - 1, -1)), (min(most, DIGITS), True)]:
            # the fewer digits, the more room for the scores
            self.em, cells = _cells(([q], digits), (list(k), digits), (list(v), DIGITS), tight=tight)
            query, key, value, output = (_width(len(q), cell) for cell in cells)
            left = OUTPUT_RIGHT - QUERY_X - query - key - value - output
            most_gap = left - LEAST_GAP - (TIGHT_GAP if tight else LEAST_GAP)
            if needed <= most_gap:
                break
        self.score_gap = min(needed, most_gap) if tight else max(left / 3, min(needed, most_gap))
        self.gap = max((left - self.score_gap) / 2, LEAST_GAP)  # between one column and the next
        self.output_x = OUTPUT_RIGHT - output
        key_x = QUERY_X + query + self.gap
        value_x = key_x + key + self.score_gap
        self.query = self._vectors([q], QUERY_X, [self.middle], "query", ["q"], cells[0], digits)
        self.query.add(self._head("query", QUERY_X, "query"))
        names = {letter: [f"{letter}_{i + 1}" for i in range(len(k))] for letter in "kv"}
        self.keys = self._vectors(list(k), key_x, self.rows, "key", names["k"], cells[1], digits)
        self.values = self._vectors(list(v), value_x, self.rows, "value", names["v"], cells[2], DIGITS)
        self.keys.add(self._head("keys", key_x, "key"))
        self.values.add(self._head("values", value_x, "value"))
        entered = [*q, *(entry for key in k for entry in key)]
        self.whole = shown_whole(entered, digits) and shown_whole(scores, self.told) and all(map(shown_whole, v))
        self.output = self._open_output(len(q), cells[-1])
        self.links = [
            VGroup(
                path([(QUERY_X + query + LINK_GAP, self.middle), (key_x - LINK_GAP - NAME_ROOM, y)], "axis"),
                path([(key_x + key + LINK_GAP, y), (value_x - LINK_GAP - NAME_ROOM, y)], "axis"),
                path([(value_x + value + LINK_GAP, y), (self.output_x - LINK_GAP, self.middle)], "axis"),
            )
            for y in self.rows
        ]
        self.add(self.query, self.keys, self.values, self.output, *self.links)

    def _vectors(
        self, facts: list[Fact], x: float, rows: list[float], role: str, names: list[str], width: float, digits: int
    ) -> VGroup:
        made, look = VGroup(), filled_with(role)
        for n in range(len(facts[0])):
            left = x + n * (width + theme().frame.gap)
            column = [number(fact[n], digits, em=self.em) for fact in facts]
            for label, shift, y in zip(column, _shifts(column, width - 2 * CELL_PAD), rows, strict=True):
                made.add(Cell(left, y - CELL[1] / 2, width, CELL[1], look))
                made.add(in_cell(label, left + width / 2 + shift, y))
        named = zip(names, rows, strict=True)
        symbols = [formula(s, em=SIZE_NAME, role=role).middle(x - NAME_GAP, y, "right", rise=0.45) for s, y in named]
        return made.add(*symbols)

    def _open_output(self, entries: int, cell: float) -> VGroup:
        marks = [
            words("?", role="dim").middle(
                self.output_x + cell / 2 + n * (cell + theme().frame.gap), self.middle, "center"
            )
            for n in range(entries)
        ]
        frame = dashed_box(self.output_x, self.middle - CELL[1] / 2, _width(entries, cell), CELL[1])
        return VGroup(frame, *marks, self._head("output", self.output_x, "text"))

    def _head(self, text: str, x: float, role: str) -> Label:
        return words(text, em=SIZE, role=role, weight=SEMIBOLD).place(x, self.head_y)

    def bright_links(self, i: int) -> list[VMobject]:
        """The way from the query through key i to the output, emphasised; to be drawn over the links in order."""
        return [link.copy().set_stroke(theme().text, stroke(BOLD)) for link in self.links[i]]

    def mostly(self, i: int, how: str = "mostly") -> VMobject:
        """The answer under the output: which value it mostly is."""
        return self._under_output(f"{how} #vc[$v_{i + 1}$]")

    def equally(self, which: Sequence[int], tied: bool) -> VMobject:
        """The answer under the output where values weigh the same, or nearly so."""
        names = ", ".join(f"#vc[$v_{i + 1}$]" for i in which) if len(which) == 2 else "several"
        names = "all" if len(self.links) == len(which) > 2 else names
        return self._under_output(names if tied else "almost", "equally")  # short lines: links end beside them

    def _under_output(self, *lines: str) -> VGroup:
        baseline = self.middle + CELL[1] / 2 + ANSWER_DY
        made = [
            rich(line, em=SIZE).place(OUTPUT_RIGHT, baseline + n * ANSWER_LEADING, "right")
            for n, line in enumerate(lines)
        ]
        return VGroup(*made)

    def score_labels(self, scores: Fact) -> VGroup:
        """q . k = score: of two over and under the lines from the query, of more over the lines to the values.

        Where that is wider than the line, the scores stand there alone, under a head of their own.
        """
        equals = ["=" if shown_whole([score], self.told) else "approx" for score in scores]
        shown = [place_of(score, self.told) for score in scores]
        names = [f"qc(q) dot kc(k_{i + 1}) {equals[i]} {place}" for i, place in enumerate(shown)]
        labels = [formula(name, score, em=SIZE_NAME) for name, score in zip(names, scores, strict=True)]
        room = min(SCORE_ROOM, self.score_gap - 2 * LINK_GAP - NAME_ROOM + 2 * SCORE_OVER)
        if len(scores) == 2 and max(label.advance for label in labels) <= self.gap - NAME_ROOM:
            for i, label in enumerate(labels):
                x, y = centre(self.links[i][0])
                end = right(self.links[i][0]) - SCORE_END  # before the key's name
                x = min(x + SCORE_DX, end - label.advance / 2)
                label.move_to(at(x, y + SCORE_DY * (2 * i - 1)))
            return VGroup(*labels)
        em = min(SIZE_SCORE, *(SIZE_NAME * room / label.advance for label in labels))
        heads = []
        if em < theme().type.small:
            widths = [number(score, self.told, em=SIZE_SCORE).advance for score in scores]
            em = max(min(SIZE_SCORE, SIZE_SCORE * room / max(widths)), theme().type.small)
            labels = [number(score, self.told, em=em, role="score", weight=SEMIBOLD) for score in scores]
            heads = [words("scores", em=SIZE, role="score", weight=SEMIBOLD)]
            heads[0].place(centre(self.links[0][1])[0], self.head_y, "center")
        else:
            labels = [formula(name, score, em=em) for name, score in zip(names, scores, strict=True)]
        for i, label in enumerate(labels):
            x, y = centre(self.links[i][1])
            label.place(x, y - SCORE_RISE, "center")
        return VGroup(*labels, *heads)


def _width(entries: int, cell: float) -> float:
    return entries * (cell + theme().frame.gap) - theme().frame.gap


def _cells(*shown: tuple[Sequence[Fact], int], tight: bool) -> tuple[float, list[float]]:
    """The size of the numbers in cells, and the cells' widths, the output's last; vectors come with their digits."""
    small = theme().type.small
    if tight:
        columns = [
            [number(entry, digits, em=small) for vector in vectors for entry in vector] for vectors, digits in shown
        ]
        widths = [max(label.advance for label in column) + 2 * CELL_PAD for column in columns]
        return small, [*widths, TIGHT_OUTPUT]
    for em, aligned in ((SIZE, True), (SIZE, False), (small, True), (small, False)):
        widths = [_cell_width(vectors, em, digits, aligned) for vectors, digits in shown]
        if sum(widths) <= WIDE:
            break
    return em, [*widths, CELL[0]]


def _cell_width(vectors: Sequence[Fact], em: float, digits: int, aligned: bool) -> float:
    """As wide as the longest number of a column, or all of it with points under each other, and a minus beside it."""
    columns = [[number(vector[n], digits, em=em) for vector in vectors] for n in range(len(vectors[0]))]
    needed = max(_aligned_width(column) if aligned else max(map(_width_of, column)) for column in columns)
    return max(CELL[0], needed + 2 * CELL_PAD)


def _width_of(label: Label) -> float:
    """With the digits in the middle, a minus needs its room on both sides."""
    return label.advance + _advance(MINUS, label.em) * _negative(label)


def _negative(label: Label) -> bool:
    return label.figures[0].shown.startswith(MINUS)


def _advance(text: str, em: float) -> float:
    return typeset(quoted(text)).advance * em


def _halves(column: Sequence[Label]) -> list[tuple[float, float]]:
    """How far each number reaches before its point, without its minus, and from there on; powers of ten don't align."""
    texts, em = [label.figures[0].shown.removeprefix(MINUS) for label in column], column[0].em
    if any(TIMES in text for text in texts):
        return []
    parts = [text.partition(".") for text in texts]
    return [(_advance(before, em), _advance(point + after, em)) for before, point, after in parts]


def _aligned_width(column: Sequence[Label]) -> float:
    halves = _halves(column)
    if not halves:
        return max(map(_width_of, column))
    minus = _advance(MINUS, column[0].em) * any(map(_negative, column))
    return max(before for before, _ in halves) + max(after for _, after in halves) + 2 * minus


def _shifts(column: Sequence[Label], room: float) -> list[float]:
    """How far from the middle each number of a column stands, so that points are under each other if there is room.

    Where a minus has no room beside digits in the middle, both stand in the middle.
    """
    halves = _halves(column)
    if not halves or _aligned_width(column) > room + 1:
        return [max(0.0, (_width_of(label) - room) / 2) for label in column]
    middle = max(before for before, _ in halves) - max(after for _, after in halves)
    return [(middle - before + after) / 2 for before, after in halves]
