"""How does one matrix become many heads?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Self

from manim import Animation, AnimationGroup, FadeIn, FadeOut, LaggedStart, Transform, VGroup, VMobject

from lesson import Fact
from scenes.kit.geometry import by, left, right
from scenes.kit.heads import Box, Grid, Rearrange, head_look, late, places, ring, spanner, wedge
from scenes.kit.labels import REGULAR, SEMIBOLD, Label, rich, words
from scenes.kit.matrix import Cell, Restyle, TokenLabels, filled_with, masked, rest, solid, token, weight_of
from scenes.kit.motion import Travel
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import HAIR, LINE, arrow, bent_arrow, box, dashed_box, polygon
from scenes.kit.theme import theme

# ---------------------------------------------------------------- layout, px
REAL = (150.0, 88.0)  # a cell with a real number in it
SIDE, EM = 50.0, 36.0  # a cell while heads are split; its figure, and the names of heads and steps
TOP = 304.0  # the upper edge of all matrices but the merged ones
OPEN, HEAD_GAP = 44.0, 62.0  # between heads side by side, and one above the other
TAG_DY, SPAN_DY, SPAN_TRIM = -74.0, -22.0, 12.0  # baselines over a matrix; a line that ends before its neighbour
TOKEN_GAP, TOKEN_DROP, NAME_GAP = 20.0, 0.33, 20.0  # beside a row; from its middle to the baseline, em; after a tag
ARROW_PAD, ARROW_RISE, ARROW_HEAD = 26.0, 20.0, (16.0, 16.0)
NOTE_LEADING, NOTE_GAP, NOTE_RISE = 48.0, 68.0, 36.0
CARD = (96.0, 740.0, 1440.0, 268.0)
MERGED_TOP, MERGED_SIDE, MERGED_GAP = 376.0, 76.0, 304.0  # the last: between the two merged matrices, at least
HEAD_Y, CHAIN_Y, FOOT_DY = 278.0, 340.0, 66.0
CHAIN_ARROW, CHAIN_GAP, CHAIN_RISE = (16.0, 60.0), 76.0, 11.0
CORNER, CORNER_DY, CORNER_GAP = 28.0, 25.0, 16.0  # the sign of a wrong cell, in the note
RECAP_Y, RECAP_SIDE, RECAP_GAP, RECAP_APART = 540.0, 24.0, 132.0, 36.0
# ---------------------------------------------------------------- paces, s
WAVE, SLIDE, PART = 4.0, 1.2, 1.0  # cell by cell, all at once, a small way
COUNT, FLOW, MERGE, MARK = 2.4, 2.6, 2.4, 1.5


@dataclass(frozen=True)
class Stage:
    """Where the matrices stand: one matrix, its heads side by side, its heads stacked, and the merged ones."""

    flat: Grid
    parted: tuple[Grid, ...]
    stacked: tuple[Grid, ...]
    at_left: tuple[Grid, ...]  # the stack where the one matrix was
    middle: tuple[Grid, ...]  # the stack between the merged matrices
    opened: tuple[Grid, ...]  # the left merged matrix before its heads close up
    good: Grid
    bad: Grid

    @classmethod
    def of(cls, n: int, d_model: int, h: int, d_head: int, token_width: float) -> Self:
        """By the sizes of the data and the width of the longest token."""
        frame, heads = theme().frame, range(h)
        gap, x = frame.gap, frame.left + token_width + TOKEN_GAP
        flat = Grid(x, TOP, SIDE, SIDE)
        half, tall = flat.right(d_head) - x, flat.bottom(n) - TOP
        c = frame.right - half
        b = (flat.right(d_model) + c - h * half - (h - 1) * OPEN) / 2
        between = max(MERGED_GAP, half + 2 * TOKEN_GAP, token_width + 3 * TOKEN_GAP)
        side = min(MERGED_SIDE, ((frame.right - x - between) / 2 + gap) // d_model - gap)
        good = Grid(x, MERGED_TOP, side, side)
        wide = good.right(d_model) - x
        narrow = (wide - (h - 1) * OPEN + h * gap) / d_model - gap
        opened = Grid(x, MERGED_TOP, narrow, side)
        apart = opened.right(d_head) - x + OPEN

        def stack(left_edge: float) -> tuple[Grid, ...]:
            return tuple(Grid(left_edge, TOP + i * (tall + HEAD_GAP), SIDE, SIDE) for i in heads)

        return cls(
            flat=flat,
            parted=tuple(Grid(b + i * (half + OPEN), TOP, SIDE, SIDE) for i in heads),
            stacked=stack(c), at_left=stack(x), middle=stack((x + frame.right - half) / 2),
            opened=tuple(Grid(x + i * apart, MERGED_TOP, narrow, side) for i in heads),
            good=good, bad=Grid(frame.right - wide, MERGED_TOP, side, side),
        )  # fmt: skip


class HeadSplitting(LessonScene):
    """A reshape and a transpose make each head a matrix of its own; the way back needs both, in reverse.

    Cells show their place in memory and keep it while they move. From left to right: one matrix, its heads side by
    side, its heads stacked. Then the stack stands in the middle: merged rightly to the left, wrongly to the right.
    """

    poster_beat = "merge_wrong"

    def construct(self) -> None:
        self.beats(
            self.memory, self.columns, self.reshape, self.transpose, self.one_batch, self.same_shape,
            self.predict_merge, self.merge_right, self.merge_wrong, self.wrong_cells, self.damage, self.close,
        )  # fmt: skip

    def setup(self) -> None:
        super().setup()
        self.n, self.d_model, self.h, self.d_head = (
            self.facts[f"multi_head.{name}"] for name in ("n", "d_model", "h", "d_head")
        )
        self.rows, self.width, self.wide = int(self.n), int(self.d_model), int(self.d_head)
        self.tokens, self.index = self.facts["sequence.tokens"], self.facts["multi_head.memory_index"]
        self.heads = list(self.facts["multi_head.head_index"])
        longest = max(right(label) - left(label) for label in (token(t, 0, 0, "dim") for t in self.tokens))
        self.stage = Stage.of(self.rows, self.width, len(self.heads), self.wide, longest)
        self.followed = int(self.facts["multi_head.memory_split"][1, 1, 0])  # the index of the cell with the ring

    # ------------------------------------------------------------ parts

    def _shape(self, *sizes: Fact, weight: int = SEMIBOLD, role: str = "text") -> Label:
        """A shape, as [6, 8]."""
        em = self.look.type.tag if weight == SEMIBOLD else self.look.type.body
        return words("[" + ", ".join("{}" for _ in sizes) + "]", *sizes, em=em, weight=weight, role=role)

    def _tag(self, grid: Grid, *sizes: Fact, name: str = "", role: str = "text") -> VGroup:
        """A shape over a matrix, and what the matrix is."""
        parts = VGroup(self._shape(*sizes).place(grid.x, grid.y + TAG_DY))
        if name:
            label = words(name, em=self.look.type.tag, weight=SEMIBOLD, role=role)
            parts.add(label.place(right(parts) + NAME_GAP, grid.y + TAG_DY))
        return parts

    def _span(self, head: Fact, x: float, y: float, x_end: float) -> VGroup:
        return spanner(words("head {}", head, em=EM, role="dim"), x, y + SPAN_DY, x_end)

    def _spans(self, grids: Iterable[Grid]) -> VGroup:
        """The names of the heads, each over a grid of its own."""
        pairs = zip(self.heads, grids, strict=True)
        return VGroup(*[self._span(head, grid.x, grid.y, grid.right(self.wide)) for head, grid in pairs])

    def _shared_spans(self, grid: Grid) -> VGroup:
        """The names of the heads over the one grid that they share."""
        spans = VGroup()
        for i, head in enumerate(self.heads):
            trim = SPAN_TRIM if head is not self.heads[-1] else 0
            x, x_end = grid.box(0, i * self.wide)[0], grid.right((i + 1) * self.wide)
            spans.add(self._span(head, x, grid.y, x_end - trim))
        return spans

    def _token_labels(self, grid: Grid) -> TokenLabels:
        drop, x = TOKEN_DROP * self.look.type.body, grid.x - TOKEN_GAP
        return TokenLabels(*[token(t, x, grid.row_y(i) + drop, "dim", "right") for i, t in enumerate(self.tokens)])

    def _boxes(self, array: str, grids: Grid | tuple[Grid, ...]) -> dict[int, Box]:
        """The box of each memory index, in the reading order of that array."""
        found = places(self.facts[f"multi_head.memory_{array}"])
        if isinstance(grids, Grid):
            return {index: grids.box(*address) for index, address in found.items()}
        head, row = (1, 0) if array == "reshaped" else (0, 1)
        return {index: grids[address[head]].box(address[row], address[2]) for index, address in found.items()}

    def _head_row(self, cells: dict[int, Cell], head: int, i: int) -> list[Cell]:
        """The cells of one token in one head."""
        return [cells[int(index)] for index in self.facts["multi_head.memory_split"][head, i]]

    def _moved(
        self, cells: dict[int, Cell], to: dict[int, Box], run_time: float, lag: float = 0, ring: VMobject | None = None
    ) -> Rearrange:
        """Cells move into the boxes of their memory indices, in the order in which those are read."""
        rings = {} if ring is None else {cells[self.followed]: ring}
        return Rearrange([cells[index] for index in to], list(to.values()), lag=lag, rings=rings, run_time=run_time)

    def _step(self, grid: Grid, x0: float, x1: float, name: Label) -> VGroup:
        """An arrow from x0 to x1, half way up a matrix, with a name over it."""
        y = (grid.y + grid.bottom(self.rows)) / 2
        pad = ARROW_PAD if x1 > x0 else -ARROW_PAD
        shaft = arrow((x0 + pad, y), (x1 - pad, y), "dim", LINE, ARROW_HEAD)
        return VGroup(shaft, name.place((x0 + x1) / 2, y - ARROW_RISE, "center"))

    # ------------------------------------------------------------ splitting

    def memory(self) -> None:
        """Real numbers first; then each cell shows its place in memory."""
        q, grid, look = self.facts["multi_head.q_flat"], Grid(self.stage.flat.x, TOP, *REAL), filled_with("query")
        addresses = list(product(range(self.rows), range(self.width)))
        cells = {a: Cell(*grid.box(*a), look, q[a], em=EM, signed=True) for a in addresses}
        self.cells = {int(self.index[a]): cell for a, cell in cells.items()}
        self.labels = self._token_labels(grid)
        self.tag, self.name = tag = self._tag(grid, self.n, self.d_model, name="queries", role="query")
        rows = [VGroup(label, *[cells[i, j] for j in range(self.width)]) for i, label in enumerate(self.labels)]
        with self.say("Here are the queries of {} tokens, {} numbers each.", self.n, self.d_model):
            self.show_title()
            self.play(FadeIn(tag), LaggedStart(*[FadeIn(row) for row in rows], lag_ratio=0.2))
        self.note = words("Each number is a place in memory.").place(grid.x, grid.bottom(self.rows) + NOTE_GAP)
        changes = [Restyle(cells[a], look, self.index[a]) for a in addresses]
        with self.say("Now let each cell show its place in memory, row by row."):
            self.play(FadeIn(self.note), LaggedStart(*changes, lag_ratio=0.1), run_time=COUNT)

    def columns(self) -> None:
        """Each head gets its share of the columns, and the matrix makes room."""
        s = self.stage
        spans, small = self._shared_spans(Grid(s.flat.x, TOP, *REAL)), self._shared_spans(s.flat)
        y = (s.stacked[1].y + s.stacked[1].bottom(self.rows)) / 2 - NOTE_RISE
        self.notes = [words("{} tokens, {} heads of {} columns.", self.n, self.h, self.d_head, role="dim")]
        self.notes[0].place(s.flat.x, y)
        with self.say("Half of the columns go to head {}, the others to head {}.", *self.heads):
            for i, span in enumerate(spans):
                mine = [cell for row in range(self.rows) for cell in self._head_row(self.cells, i, row)]
                gone = [FadeOut(self.name)] if i == 0 else []
                self.play(FadeIn(span), *gone, *[Restyle(cell, head_look(i)) for cell in mine], run_time=PART)
            self.play(
                self._moved(self.cells, self._boxes("index", s.flat), SLIDE),
                Transform(self.labels, self._token_labels(s.flat)), Transform(spans, small),
                Transform(self.note, self.note.copy().place(s.flat.x, y + NOTE_LEADING)), FadeIn(self.notes[0]),
                run_time=SLIDE,
            )  # fmt: skip
        self.first_stage = VGroup(*self.cells.values(), spans, self.tag)

    def reshape(self) -> None:
        """The heads get an axis of their own: the columns part, and that is all."""
        s = self.stage
        closed = Grid(s.parted[0].x + (OPEN - self.look.frame.gap) / 2, TOP, SIDE, SIDE)
        self.parted = {index: cell.copy() for index, cell in self.cells.items()}
        self.steps = self._step(s.flat, s.flat.right(self.width), s.parted[0].x, words("reshape", em=EM))
        names = VGroup(self._tag(s.parted[0], self.n, self.h, self.d_head), self._spans(s.parted))
        with self.say("Reshape gives the heads an axis of their own. In memory, nothing moves."):
            self.play(FadeIn(self.steps, shift=by(24, 0)), run_time=self.look.pace.fade)
            self.play(self._moved(self.parted, self._boxes("index", closed), SLIDE))
            self.play(self._moved(self.parted, self._boxes("reshaped", s.parted), PART), FadeIn(names))
        self.second_stage = VGroup(*self.parted.values(), names)

    def transpose(self) -> None:
        """The heads come one below the other, cell by cell."""
        s = self.stage
        end = s.parted[1].right(self.wide)
        step = self._step(s.flat, end, s.stacked[0].x, words("transpose", em=EM))
        x, y = (s.parted[1].x + end) / 2, (s.stacked[1].y + s.stacked[1].bottom(self.rows)) / 2
        turn = [(x, s.parted[1].bottom(self.rows) + ARROW_PAD), (x, y), (s.stacked[1].x - ARROW_PAD, y)]
        steps = VGroup(step, bent_arrow(turn, "dim", LINE, ARROW_HEAD, radius=0))
        self.stack = {index: cell.copy() for index, cell in self.parted.items()}
        self.ring = ring(self.stack[self.followed])
        self.names = VGroup(self._tag(s.stacked[0], self.h, self.n, self.d_head), self._spans(s.stacked))
        with self.say("Transpose puts the head axis first: each head becomes a matrix of its own."):
            arriving = FadeIn(steps, shift=by(24, 0)), FadeIn(self.ring), FadeIn(self.names)
            self.play(*arriving, run_time=self.look.pace.fade)
            self.play(self._moved(self.stack, self._boxes("split", s.stacked), WAVE, 0.8, self.ring))
        self.notes.append(words("It stays; only the reading order changes."))
        self.notes[-1].place(s.flat.x, self.notes[0].origin[1] + 2 * NOTE_LEADING)
        with self.say("The ringed cell has moved, yet its place in memory is the same."):
            self.play(FadeIn(self.notes[-1], shift=by(0, -12)))
        self.steps.add(steps)

    # ------------------------------------------------------------ attention on both heads

    def one_batch(self) -> None:
        """Queries meet keys in both heads at once."""
        s = self.stage
        old = VGroup(self.first_stage, self.second_stage, self.steps, self.note, *self.notes, self.ring)
        tag = self._tag(s.at_left[0], self.h, self.n, self.d_head, name="queries", role="query")
        below = self.labels.copy()
        self._make_weights()
        with self.say("Attention now runs on both heads at once: the head axis acts as a batch axis."):
            self.play(FadeOut(old), run_time=self.look.pace.fade)
            self.play(
                self._moved(self.stack, self._boxes("split", s.at_left), SLIDE),
                Transform(self.names, VGroup(VGroup(tag[0]), self._spans(s.at_left))),
                Transform(below, self._token_labels(s.at_left[1])), FadeIn(tag[1]), run_time=SLIDE,
            )  # fmt: skip
            self.play(FadeIn(self.weight_names), run_time=self.look.pace.fade)
            self._row_by_row(
                [[VGroup(*self._head_row(self.stack, i, row)) for row in range(self.rows)] for i in range(len(self.heads))],
                self.weights,
            )
        self.query_side = VGroup(*self.stack.values(), self.names, tag[1], self.labels, below)

    def _make_weights(self) -> None:
        """The weights of both heads as shades, between queries and outputs."""
        s, n = self.stage, self.rows
        start, room = s.at_left[0].right(self.wide), s.stacked[0].x - s.at_left[0].right(self.wide)
        x = start + (room - s.flat.right(n) + s.flat.x) / 2
        grids = [Grid(x, grid.y, SIDE, SIDE) for grid in s.stacked]
        self.weights = [[self._weight_row(i, row, grid) for row in range(n)] for i, grid in enumerate(grids)]
        self.weight_names = VGroup(
            self._tag(grids[0], self.h, self.n, self.n, name="weights", role="weight"),
            *[self._step(grid, start, x, rich("#kc[keys]", em=EM, weight=SEMIBOLD)) for grid in grids],
        )
        self.after_weights = grids[0].right(n)

    def _weight_row(self, head: int, i: int, grid: Grid) -> VGroup:
        """A row of weights; where the mask hides a key, the cell is hatched and says so."""
        hidden = self.facts["sequence.mask"][i] if bool(self.facts["multi_head.causal"]) else None
        cells = VGroup()
        for j, weight in enumerate(self.facts["multi_head.weights"][head, i]):
            if hidden is not None and bool(hidden[j]):
                cells.add(Cell(*grid.box(i, j), masked(), weight, em=EM))
            else:
                cells.add(Cell(*grid.box(i, j), weight_of(float(weight))))
        return cells

    def _row_by_row(self, sources: Sequence[Sequence[VGroup]], goals: Sequence[Sequence[VGroup]]) -> None:
        """A copy of each row travels into the row that is made of it, in all heads at the same time."""
        pairs = []
        for row in range(self.rows):
            moves: list[Animation] = []
            for source, goal in zip(sources, goals, strict=True):
                target = goal[row].get_center()
                moves += [Travel(source[row].copy(), target), FadeIn(goal[row], rate_func=late)]
            pairs.append(AnimationGroup(*moves))
        self.play(LaggedStart(*pairs, lag_ratio=0.25, run_time=FLOW))

    def same_shape(self) -> None:
        """The outputs have the shape of the queries, and so the same places."""
        s = self.stage
        boxes = self._boxes("split", s.stacked)
        self.outputs = {index: cell.copy() for index, cell in self.stack.items()}
        self._moved(self.outputs, boxes, PART).put()
        rows = [
            [VGroup(*self._head_row(self.outputs, i, row)) for row in range(self.rows)] for i in range(len(self.heads))
        ]
        value = [rich("#vc[values]", em=EM, weight=SEMIBOLD) for _ in s.stacked]
        arrows = [self._step(g, self.after_weights, g.x, v) for g, v in zip(s.stacked, value, strict=True)]
        self.weight_names.add(*arrows)
        self.names = VGroup(self._tag(s.stacked[0], self.h, self.n, self.d_head), self._spans(s.stacked))
        with self.say("The outputs keep that shape, and every cell its number."):
            self.play(*[FadeIn(a) for a in arrows], FadeIn(self.names), run_time=self.look.pace.fade)
            self._row_by_row(self.weights, rows)

    # ------------------------------------------------------------ merging

    def predict_merge(self) -> None:
        """What if the transpose is left out on the way back?"""
        s, end = self.stage, self.stage.flat.right(self.width)
        tall = s.flat.bottom(self.rows) - TOP
        place, tag = dashed_box(s.flat.x, TOP, end - s.flat.x, tall), self._tag(s.flat, self.n, self.d_model)
        back = self._step(s.flat, s.stacked[0].x, end, words("only reshape", em=EM))
        unknown = words("?", em=self.look.type.takeaway, role="dim")
        unknown.middle((s.flat.x + end) / 2, TOP + tall / 2, "center")
        weights = VGroup(*[row for head in self.weights for row in head])
        self.play(FadeOut(VGroup(self.query_side, weights, self.weight_names)), run_time=self.look.pace.fade)
        self.empty = VGroup(place, tag, back, unknown)
        self.play(FadeIn(self.empty), run_time=self.look.pace.fade)
        count = self.facts["multi_head.wrong_count"], self.facts["multi_head.cell_count"]
        self.predict(
            "forgotten_transpose",
            "Without the transpose on the way back, would the shapes still fit? Would the answer match?",
            choices=(
                "The shapes fit, and the answer matches",
                "The shapes fit, but the answer is wrong",
                "The shapes do not fit, and the program stops",
            ),
            answer=1,
            explain=self.text(
                "Either way the result is [{}, {}], but without the transpose {} of {} numbers are in the wrong place.",
                self.n, self.d_model, *count,
            ),
            place=CARD,
        )  # fmt: skip

    def _chain(self, grid: Grid, *shapes: tuple[Fact, ...]) -> list[VGroup]:
        """The shapes on the way, joined by arrows; the last one is emphasised."""
        x, y, links = grid.x, CHAIN_Y - CHAIN_RISE, []
        for k, shape in enumerate(shapes):
            link = VGroup()
            if k:
                link.add(arrow((x + CHAIN_ARROW[0], y), (x + CHAIN_ARROW[1], y), "dim", LINE, ARROW_HEAD))
                x += CHAIN_GAP
            weight, role = (SEMIBOLD, "text") if shape is shapes[-1] else (REGULAR, "dim")
            link.add(self._shape(*shape, weight=weight, role=role).place(x, CHAIN_Y))
            x = right(link)
            links.append(link)
        return links

    def _side(self, text: str, grid: Grid) -> Label:
        return words(text, em=self.look.type.tag, weight=SEMIBOLD).place(grid.x, HEAD_Y)

    def merge_right(self) -> None:
        """Back the way it came: transpose, then reshape."""
        s = self.stage
        split, parted, flat = (self.h, self.n, self.d_head), (self.n, self.h, self.d_head), (self.n, self.d_model)
        there = VGroup(self._tag(s.middle[0], *split), self._spans(s.middle))
        self.chains = self._chain(s.good, split, parted, flat)
        beside = self._side("With the transpose", s.good), self._token_labels(s.good), self.chains[0]
        with self.say("Transpose back, then reshape: every number is home again."):
            self.show_title("Why does the merge need a transpose?")
            self.play(
                self._moved(self.outputs, self._boxes("split", s.middle), PART), Transform(self.names, there),
                FadeOut(self.empty), *[FadeIn(mob, rate_func=late) for mob in beside], run_time=PART,
            )  # fmt: skip
            self.good = {index: cell.copy() for index, cell in self.outputs.items()}
            self.play(self._moved(self.good, self._boxes("reshaped", s.opened), MERGE, 0.7), FadeIn(self.chains[1]))
            self.play(self._moved(self.good, self._boxes("merged", s.good), PART), FadeIn(self.chains[2]))
        self.rest()

    def merge_wrong(self) -> None:
        """Reshape at once: the rows are filled in the order in which the stack is read."""
        s = self.stage
        chain = self._chain(s.bad, (self.h, self.n, self.d_head), (self.n, self.d_model))
        self.chains += chain
        with self.say("Reshape alone fills the rows in reading order: all of head {} first.", self.heads[0]):
            self.play(FadeIn(self._side("Without it", s.bad)), FadeIn(chain[0]), run_time=self.look.pace.fade)
            self.play(self._moved(self.outputs, self._boxes("forgotten", s.bad), WAVE, 0.8), FadeIn(chain[1]))
            self.play(FadeOut(self.names), FadeIn(self._token_labels(s.bad)), run_time=self.look.pace.fade)

    def wrong_cells(self) -> None:
        """A corner on each wrong cell, and one example: the same numbers on both sides."""
        s, wrong = self.stage, self.facts["multi_head.wrong_cells"]
        mixed = self.facts["multi_head.memory_forgotten"]
        marks = [wedge(self.outputs[i]) for i, address in places(mixed).items() if bool(wrong[address])]
        row, column = places(self.index)[int(mixed[0, self.wide])]  # where the second half of the first row belongs
        rings = (
            s.good.row_ring(row, column, self.wide, "text"), s.bad.row_ring(0, self.wide, self.wide, "error")
        )  # fmt: skip
        x, y = s.bad.x, s.bad.bottom(self.rows) + FOOT_DY
        corner = polygon([(x, y - CORNER_DY), (x + CORNER, y - CORNER_DY), (x + CORNER, y + 3)], fill="error")
        count = self.facts["multi_head.wrong_count"], self.facts["multi_head.cell_count"]
        pair = self.tokens[0], self.tokens[row]
        x += CORNER + CORNER_GAP
        notes = [
            words("{} of {} cells in the wrong place:", *count).place(x, y),
            words("“{}” now holds a piece of “{}”.", *pair).place(x, y + NOTE_LEADING),
        ]
        line = "The shape is right, but {} of {} cells are wrong: “{}” now holds a piece of “{}”."
        with self.say(line, *count, *pair):
            growing = LaggedStart(*[FadeIn(mark) for mark in marks], lag_ratio=0.1, run_time=MARK)
            self.play(FadeIn(corner), FadeIn(notes[0]), growing)
            self.play(*[FadeIn(mob) for mob in rings], FadeIn(notes[1]))
        self.marks = VGroup(*marks, corner, *notes, *rings)

    # ------------------------------------------------------------ the damage

    def damage(self) -> None:
        """How far each output of the layer is off."""
        loop, wrong = self.facts["multi_head.loop_batched_gap"], self.facts["multi_head.forgotten_transpose_gap"]
        exact = float(loop) == 0
        with self.say("The right merge gives the same output as a loop over the heads" + (", exactly." if exact else ".")):
            links = [FadeOut(link) for link in self.chains]
            self.play(FadeOut(self.marks), *links, run_time=self.look.pace.fade)
            found = "largest gap: {}" if exact else "largest gap: {1e}"
            self._show_gaps("merged", self.stage.good, self.good, "gap to a loop over the heads", rich(found, loop))
        with self.say("The wrong one is off by up to {}, and no error is raised.", wrong):
            found_wrong = rich("largest gap: #ec[{}]", wrong)
            self._show_gaps("forgotten", self.stage.bad, self.outputs, "gap to the right output", found_wrong)

    def _show_gaps(self, array: str, grid: Grid, cells: dict[int, Cell], what: str, largest: Label) -> None:
        """Each cell gives way to the gap of the output there; where it is largest, that is marked."""
        name = "loop_batched_gap" if array == "merged" else "forgotten_transpose_gap"
        gaps, most = self.facts[f"multi_head.{name}s"], float(self.facts[f"multi_head.{name}"])
        changes = []
        for index, address in places(self.facts[f"multi_head.memory_{array}"]).items():
            worst = array == "forgotten" and float(gaps[address]) == most
            changes.append(Restyle(cells[index], solid("error") if worst else rest(), gaps[address]))
        largest.place(grid.x, grid.bottom(self.rows) + FOOT_DY)
        self.play(FadeIn(words(what, role="dim").place(grid.x, CHAIN_Y)), FadeIn(largest), *changes)

    # ------------------------------------------------------------ takeaway

    def close(self) -> None:
        """Both ways in one sentence, beside one matrix and its heads."""
        self.show_title()
        self.takeaway(
            "Split: reshape, then transpose.", "Merge: transpose, then reshape.", "A right shape proves nothing.",
            says="Split: reshape, then transpose. Merge: transpose, then reshape. A right shape alone proves nothing.",
            picture=self._recap(),
        )  # fmt: skip

    def _recap(self) -> VGroup:
        """One matrix and its stacked heads, with an arrow each way."""
        frame, picture = self.look.frame, VGroup()
        unit = Grid(0, 0, RECAP_SIDE, RECAP_SIDE)
        half, tall = unit.right(self.wide), unit.bottom(self.rows)
        c = frame.right - half
        x = c - RECAP_GAP - unit.right(self.width)
        flat = Grid(x, RECAP_Y - tall / 2, RECAP_SIDE, RECAP_SIDE)
        for i in range(len(self.heads)):
            y = RECAP_Y - tall - RECAP_APART / 2 + i * (tall + RECAP_APART)
            stacked, look = Grid(c, y, RECAP_SIDE, RECAP_SIDE), head_look(i)
            for row, k in product(range(self.rows), range(self.wide)):
                for place in (flat.box(row, i * self.wide + k), stacked.box(row, k)):
                    picture.add(box(*place, fill=look.fill, edge=look.edge, width=HAIR, radius=4))
        ends = c - RECAP_GAP + ARROW_PAD, c - ARROW_PAD
        for (x0, x1), dy in ((ends, -ARROW_RISE), (ends[::-1], ARROW_RISE)):
            picture.add(arrow((x0, RECAP_Y + dy), (x1, RECAP_Y + dy), "dim", LINE, ARROW_HEAD))
        return picture
