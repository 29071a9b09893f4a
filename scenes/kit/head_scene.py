"""What both halves of the chapter on heads share: how much is shown, and cells that move by their places in memory."""

from __future__ import annotations

from typing import Any

from manim import VGroup

from scenes.kit.cells import Cell
from scenes.kit.geometry import left
from scenes.kit.head_moves import Carried, Rearrange, carry
from scenes.kit.head_stage import Address, Box, Grid, Stage, places
from scenes.kit.head_words import words_for
from scenes.kit.heads import TAG_DY, further, head_look, head_spans, left_out, name_beside, shape_tag
from scenes.kit.matrix import longest
from scenes.kit.scene import LessonScene

EM = 36.0  # the figure of every cell
NAME_RISE = 48.0  # from a shape to the name over it, px


class HeadScene(LessonScene):
    """Cells show their place in memory and keep it while they move: `cells` of queries, `outputs` of outputs."""

    outputs: dict[int, Cell]
    names: VGroup  # over the stack

    def setup(self) -> None:
        super().setup()
        self.n, self.d_model, self.h, self.d_head = (
            self.facts[f"multi_head.{name}"] for name in ("n", "d_model", "h", "d_head")
        )
        self.tokens, self.index = self.facts["sequence.tokens"], self.facts["multi_head.memory_index"]
        self.stage = Stage.of(int(self.n), int(self.h), int(self.d_head), longest(self.tokens))
        self.part = part = self.stage.part
        self.rows, self.wide = part.rows, part.wide
        self.all_heads = list(self.facts["multi_head.head_index"])
        self.heads = self.all_heads[: part.heads]
        self.head_of = {i: head for i, (head, *_) in places(self.facts["multi_head.memory_split"]).items()}
        self.many = words_for(self.h, self.d_head)

    # ------------------------------------------------------------ parts

    def _places(self, array: str) -> dict[int, Address]:
        """Row, head and column of what is shown of an array, by memory index, in its reading order."""
        found: dict[int, Address] = {}
        for index, address in places(self.facts[f"multi_head.memory_{array}"]).items():
            if array == "reshaped":
                row, head, column = address
            elif array == "split":
                head, row, column = address
            else:
                row, (head, column) = address[0], divmod(address[1], int(self.d_head))
            if row < self.rows and head < self.part.heads and column < self.wide:
                found[index] = (row, head, column)
        return found

    def _boxes(self, array: str, grids: Grid | tuple[Grid, ...]) -> dict[int, Box]:
        """The box of each memory index that is shown, in the reading order of that array."""
        found = self._places(array)
        if isinstance(grids, Grid):
            return {i: grids.box(row, head * self.wide + column) for i, (row, head, column) in found.items()}
        return {i: grids[head].box(row, column) for i, (row, head, column) in found.items()}

    def _piece(self, cells: dict[int, Cell], head: int, row: int) -> list[Cell]:
        """The cells of one token in one head."""
        return [cells[int(i)] for i in self.facts["multi_head.memory_split"][head, row] if int(i) in cells]

    def _pieces(self, cells: dict[int, Cell]) -> list[list[VGroup]]:
        """The cells by head and token."""
        return [[VGroup(*self._piece(cells, head, row)) for row in range(self.rows)] for head in range(len(self.heads))]

    def _moved(self, cells: dict[int, Cell], to: dict[int, Box], run_time: float, **how: Any) -> Rearrange:
        """Cells move into the boxes of their memory indices, piece by piece, in the order in which those are read."""
        there = {i: box for i, box in to.items() if i in cells}
        moved = [cells[i] for i in there]
        return Rearrange(moved, list(there.values()), together=self.wide, run_time=run_time, **how)

    def _carry(self, cells: dict[int, Cell], to: dict[int, Box], time: float, lag: float, first: int = 0) -> Carried:
        """Copies of cells go to other boxes head by head; the cells stay."""
        order = [i for i, (_, head, _) in self._places("split").items() if head == first]
        order += [i for i in cells if i not in order and i in to]
        return carry(cells, {i: to[i] for i in order}, lag=lag, together=self.rows * self.wide, run_time=time)

    def _stack_names(self, grids: tuple[Grid, ...]) -> VGroup:
        """What stands around a stack of heads: its shape, the heads' names, and what is left out."""
        tag = shape_tag(grids[0], self.h, self.n, self.d_head)
        heads = head_spans(self.heads, grids, self.wide).add(further(self.all_heads, self.part, grids[-1]))
        return VGroup(tag, VGroup(heads, left_out(self.part, *grids)))

    def _output_names(self, grids: tuple[Grid, ...], start: float = 0) -> VGroup:
        """The same around outputs, and what they are: before their shape, but not before `start`, or else above it."""
        names = self._stack_names(grids)
        name = name_beside(grids[0], names[0], "outputs", before=True)
        if left(name) < start:
            name.place(grids[0].x, grids[0].y + TAG_DY - NAME_RISE)
        return names.add(name)

    def _output_cells(self, boxes: dict[int, Box], *, exact: bool) -> dict[int, Cell]:
        """Cells that show where they belong, and of which head they are; if `exact`, zero without decimals."""
        address = places(self.index)
        return {
            i: Cell(*box, head_look(self.head_of[i]), self.index[address[i]], em=EM, exact=exact)
            for i, box in boxes.items()
        }
