"""The last chapter: five points, each with the picture that showed it."""

from __future__ import annotations

from math import hypot

from manim import Animation, AnimationGroup, ApplyMethod, FadeIn, GrowFromPoint, LaggedStart, VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, Look, Restyle, filled_with, weight_of
from scenes.kit.geometry import at, by, centre
from scenes.kit.heads import Grid, head_look
from scenes.kit.labels import SEMIBOLD, Label, figure, formula, rich, words
from scenes.kit.matrix import token
from scenes.kit.motion import MoveCells, Travel
from scenes.kit.plane import Plane
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import BOLD, HAIR, XY, arrow, box, dot

# ---- layout, px: three columns, two rows of places; in each a picture above two lines of words
COLUMNS, ROWS = (96, 704, 1312), (176, 622)
WIDTH, HEIGHT = 512, 268  # of a picture
TEXT_DY, TEXT_LEADING = 324, 46  # from the top of a place to its words; between them
# a token's three vectors: the token above, the vectors as columns with their names on the left
TOKEN_DY, FAN_FROM, FAN_TO, VECTOR_DY, VECTOR_W, VECTOR_NAME, VECTOR_GAP = 30, 44, 78, 84, 104, 44, 34
FAN_HEAD = (16, 14)
LETTER_EM, LETTER_RISE = 48, 0.44  # the height of a small letter, em
# scores that become weights: a square of cells, three steps beside it
STEP_DX, STEPS_DY, STEP_EM = 308, (54, 174, 246), 44
# weighted values: the weights as a bar, the arrows above it, their names on the right and below
BAR_DY, BAR_H, PLANE_DY, PLANE_W, PLANE_H, NAME_GAP, NAME_HALF, OUTPUT_UP = 224, 44, 30, 386, 130, 12, 16, 14
SUM_DX, HEAD, ORIGIN = 18, (26, 26), 8
HEADS_APART = 44
TILE_GAP, NOTE_DX = 3, 24  # cost: between the cells of a square; how far its notes stand off
NEXT_DY, NEXT_LEADING = 118, 66
ROLES = "query", "key", "value"
RISE = 18  # how far things come from
PAST = 1 / 2  # opacity of words that are not spoken of


def place(i: int) -> XY:
    """The top left corner of the i-th place."""
    return COLUMNS[i % len(COLUMNS)], ROWS[i // len(COLUMNS)]


def tiles(x: float, y: float, rows: int, columns: int, side: float, role: str) -> VMobject:
    """Small squares side by side, as one mobject."""
    pitch = side + TILE_GAP
    first, *others = [
        box(x + j * pitch, y + i * pitch, side, side, fill=role, radius=TILE_GAP)
        for i in range(rows)
        for j in range(columns)
    ]
    for other in others:
        first.append_points(other.points)
    return first


class Summary(LessonScene):
    """Five points to keep.

    They come one at a time, each in its own place: a picture, and two lines under it. The one that is spoken of
    is bright; at the end all are, beside what comes next.
    """

    poster_beat = "outlook"

    def construct(self) -> None:
        self.points: list[VGroup] = []
        self.beats(self.vectors, self.weights, self.output, self.heads, self.cost, self.outlook)

    def point(self, *lines: str) -> Animation:
        """The words of the next point come, those of the last one step back."""
        x, y = place(len(self.points))
        made = [rich(line).place(x, y + TEXT_DY + i * TEXT_LEADING) for i, line in enumerate(lines)]
        last = self.points[-1] if self.points else VGroup()
        self.points.append(VGroup(*made))
        arriving = [FadeIn(label, shift=by(0, -RISE)) for label in made]
        return AnimationGroup(ApplyMethod(last.set_opacity, PAST), *arriving)

    # ------------------------------------------------------------------ beats

    def vectors(self) -> None:
        """One token, three vectors."""
        self.show_title()
        x, y = place(0)
        first = 1
        lefts = [x + i * (VECTOR_NAME + VECTOR_W + VECTOR_GAP) for i in range(len(ROLES))]
        middle = lefts[1] + VECTOR_NAME + VECTOR_W / 2
        word = token(self.facts["sequence.tokens"][first], middle, y + TOKEN_DY, "text", weight=SEMIBOLD)
        with self.say("Learned maps turn each token into three vectors: a query, a key and a value."):
            self.play(FadeIn(word), self.point("A token becomes a #qc[query],", "a #kc[key] and a #vc[value]"))
            for left, role in zip(lefts, ROLES, strict=True):
                name = role[0]
                self._vector(self.facts[f"sequence.{name}"][first], name, role, left, (middle, y + FAN_FROM))

    def _vector(self, fact: Fact, name: str, role: str, x: float, source: XY) -> None:
        """A vector comes out of the token."""
        y, left, count, gap = ROWS[0], x + VECTOR_NAME, len(fact), self.look.frame.gap
        height = (HEIGHT - VECTOR_DY - gap * (count - 1)) / count
        cells = VGroup(*[
            Cell(
                left, y + VECTOR_DY + i * (height + gap), VECTOR_W, height, filled_with(role), entry,
                em=self.look.type.small, signed=True,
            )
            for i, entry in enumerate(fact)
        ])  # fmt: skip
        letter = formula(name, role=role, em=LETTER_EM).middle(x, y + (VECTOR_DY + HEIGHT) / 2, rise=LETTER_RISE)
        line = arrow(source, (left + VECTOR_W / 2, y + FAN_TO), role, HAIR, FAN_HEAD)
        arriving = FadeIn(letter), FadeIn(cells, shift=by(0, VECTOR_NAME / 2))
        self.play(GrowFromPoint(line, at(*source)), *arriving, run_time=self.look.pace.fade)

    def weights(self) -> None:
        """Scores are scaled, masked, and turned into weights row by row."""
        x, y = place(1)
        mask, weights = self.facts["sequence.mask"], self.facts["sequence.weights_causal"]
        n = len(weights)
        side = (HEIGHT - self.look.frame.gap * (n - 1)) / n
        grid = Grid(x, y, side, side)
        rows = [[Cell(*grid.box(i, j), Look("live")) for j in range(n)] for i in range(n)]
        named = [words(name, em=self.look.type.tag) for name in ("mask", "softmax")]
        steps = [formula("(qc(q) dot kc(k)) / sqrt(d_k)", em=STEP_EM), *named]
        for step, dy in zip(steps, STEPS_DY, strict=True):
            step.place(x + STEP_DX, y + dy)
        hidden = [rows[i][j] for i in range(n) for j in range(n) if mask[i, j]]
        with self.say(
            "Scores are scaled dot products. A mask hides what comes later, and a softmax turns each row into weights."
        ):
            self.play(self.point("#sc[Scores] are scaled, masked,", "and softmaxed #wc[row by row]"))
            self.play(FadeIn(steps[0]), LaggedStart(*[FadeIn(VGroup(*row)) for row in rows], lag_ratio=1 / 5))
            self.play(FadeIn(steps[1]), *[Restyle(cell, Look("masked", hatched=True)) for cell in hidden])
            turn = [
                AnimationGroup(*[
                    Restyle(rows[i][j], Look(self.look.weight_shade(float(weights[i, j]))))
                    for j in range(n) if not mask[i, j]
                ])
                for i in range(n)
            ]  # fmt: skip
            self.play(FadeIn(steps[2]), LaggedStart(*turn, lag_ratio=1 / 2), run_time=self.look.pace.slow)

    def output(self) -> None:
        """The values, shortened by their weights, head to tail."""
        x, y = place(2)
        parts, whole = self.facts["worked_example.contributions"], self.facts["worked_example.output"]
        weights = self.facts["worked_example.weights"]
        plane = Plane.around([*parts, whole], (x, y + PLANE_DY, PLANE_W, PLANE_H), WIDTH)
        bars = self._bars(weights, x, y + BAR_DY)
        total = words("= {=2}", self.facts["worked_example.weight_sum"], role="dim")
        total.middle(x + PLANE_W + SUM_DX, y + BAR_DY + BAR_H / 2)
        flat_first = sorted(range(len(parts)), key=lambda i: float(parts[i, 1]) / hypot(*map(float, parts[i])))
        at_tip, tip = plane.origin, plane.to(whole)
        with self.say("The output is the average of the values under these weights. Every row of weights sums to one."):
            self.play(self.point("The output averages the #vc[values]\\;", "its #wc[weights] sum to one"))
            self.play(LaggedStart(*[FadeIn(bar, shift=by(-RISE, 0)) for bar in bars], FadeIn(total), lag_ratio=1 / 2))
            for i in flat_first:
                dx, dy = (plane.to(parts[i])[k] - plane.origin[k] for k in (0, 1))
                end = at_tip[0] + dx, at_tip[1] + dy
                name = self._beside(rich(f"#wc[{{}}] $vc(v_{i + 1})$", weights[i]), at_tip, end)
                line = arrow(at_tip, end, "value", BOLD, HEAD)
                going = Travel(bars[i][1].copy().paint("weight"), at(*centre(name)))
                self.play(GrowFromPoint(line, at(*at_tip)), going)
                self.play(FadeIn(name), run_time=self.look.pace.quick)
                at_tip = end
            blend = VGroup(arrow(plane.origin, tip, "text", BOLD, HEAD), dot(*plane.origin, ORIGIN, "text"))
            word = words("output", weight=SEMIBOLD).place(max(tip[0], x + PLANE_W / 2), tip[1] - OUTPUT_UP, "right")
            self.play(GrowFromPoint(blend, at(*plane.origin)), FadeIn(word))
        self.rest()

    def _bars(self, weights: Fact, x: float, y: float) -> VGroup:
        """Weights as lengths of one bar: parts [ground, figure]."""
        bars = VGroup()
        for weight in weights:
            w = PLANE_W * float(weight)
            look = weight_of(float(weight))
            made = figure(weight, em=self.look.type.small, role=look.ink or "text", weight=SEMIBOLD)
            made.middle(x + w / 2, y + BAR_H / 2, "center")
            bars.add(VGroup(box(x, y, w, BAR_H, fill=look.fill, edge="ground"), made))
            x += w
        return bars

    @staticmethod
    def _beside(name: Label, start: XY, end: XY) -> Label:
        """Stand a name on the right hand of an arrow."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        nx, ny = -dy / hypot(dx, dy), dx / hypot(dx, dy)
        off = NAME_GAP + nx * name.advance / 2 + ny * NAME_HALF
        return name.middle((start[0] + end[0]) / 2 + nx * off, (start[1] + end[1]) / 2 + ny * off, "center")

    def heads(self) -> None:
        """One matrix parts into heads."""
        x, y = place(3)
        n, columns, head = (int(self.facts[f"multi_head.{name}"]) for name in ("n", "d_model", "d_head"))
        gap = self.look.frame.gap
        w, h = (WIDTH - HEADS_APART - gap * (columns - 1)) / columns, (HEIGHT - gap * (n - 1)) / n
        grid = Grid(x + HEADS_APART / 2, y, w, h)
        cells = [Cell(*grid.box(i, j), head_look(j // head)) for i in range(n) for j in range(columns)]
        goals = [
            (cell.centre[0] + (HEADS_APART / 2 if k % columns >= head else -HEADS_APART / 2), cell.centre[1])
            for k, cell in enumerate(cells)
        ]
        with self.say("Several heads share a token’s width. Each attends on its own, so each can specialise."):
            self.play(self.point("Several heads split the width,", "and each looks in its own way"))
            rows = [VGroup(*cells[i * columns : (i + 1) * columns]) for i in range(n)]
            self.play(LaggedStart(*[FadeIn(row) for row in rows], lag_ratio=1 / 5))
            self.play(MoveCells(cells, goals, lag=0), run_time=self.look.pace.slow)

    def cost(self) -> None:
        """Twice the tokens, four times the scores; a new token adds a row."""
        x, y = place(4)
        n = int(self.facts["sequence.n"])
        side = (HEIGHT + TILE_GAP) / (2 * n) - TILE_GAP
        half = n * (side + TILE_GAP)
        left, right = (VGroup(tiles(x, y + half, n, n, side, "score")) for _ in range(2))
        below, above = VGroup(left, right), VGroup(left.copy(), right.copy().shift(by(half, 0)))
        row = tiles(x, y + HEIGHT - side, 1, 2 * n, side, "query")
        cached = words("cached", role="dim").middle(x + HEIGHT + NOTE_DX, y + half)
        new = words("new token", role="query").middle(x + HEIGHT + NOTE_DX, y + HEIGHT - side / 2)
        with self.say(
            "Twice the tokens mean four times the scores. With keys and values cached, a new token adds only one row."
        ):
            self.play(self.point("Cost grows with n²; with a cache,", "a new token costs one row"), FadeIn(left))
            self.add(right)
            self.play(right.animate.shift(by(half, 0)))
            self.add(above)
            self.play(above.animate.shift(by(0, -half)))
            self.play(below.animate.set_fill(self.look.live), above.animate.set_fill(self.look.live), FadeIn(cached))
            self.play(FadeIn(row, shift=by(0, -side)), FadeIn(new))
        self.rest()

    def outlook(self) -> None:
        """All five, and what comes next."""
        x, y = place(5)
        first = words("Next", em=self.look.type.tag, role="dim").place(x, y + NEXT_DY)
        lines = [
            words(text, em=self.look.type.question, weight=SEMIBOLD).place(x, y + NEXT_DY + (i + 1) * NEXT_LEADING)
            for i, text in enumerate(("the transformer", "architecture"))
        ]
        with self.say("That is self-attention. Next comes the transformer architecture, which is built around it."):
            self.play(*[label.animate.set_opacity(1) for group in self.points for label in group])
            self.play(FadeIn(first), *[FadeIn(line, shift=by(-RISE, 0)) for line in lines])
        self.rest()
