"""The last chapter: five points, each with the picture that showed it."""

from __future__ import annotations

from math import hypot

from manim import Animation, AnimationGroup, ApplyMethod, FadeIn, FadeOut, GrowFromPoint, LaggedStart, VGroup, VMobject

from lesson import Fact
from scenes.kit.cells import Cell, Look, Restyle, filled_with, masked, weight_of
from scenes.kit.geometry import at, by
from scenes.kit.heads import Grid, head_look
from scenes.kit.labels import SEMIBOLD, Label, figure, formula, rich, words
from scenes.kit.matrix import token
from scenes.kit.motion import MoveCells, late, passing
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
BAR_DY, BAR_H, PLANE_DY, PLANE_W, PLANE_H, NAME_GAP, NAME_HALF, OUTPUT_UP = 224, 44, 30, 346, 130, 12, 16, 14
SUM_DX, HEAD, ORIGIN, WEIGHT_ARC = 18, (26, 26), 8, 1.7  # weights rise past the arrows on their right
HEADS_APART, MAP_NAME_DY = 44, 34  # between heads; from the lower edge of a map to its name
TILE_GAP, NOTE_DX, NOTE_LEADING = 3, 24, 46  # cost: between the cells of a square; how far its notes stand off
CACHE_SIDE, CACHE_X, CACHE_DY = 22, 96, (34, 88, 200)  # of a token in the cache; rows of keys, values, new scores
NEXT_DY, NEXT_LEADING = 118, 66
ROLES = "query", "key", "value"
RISE, EARLY = 18, 0.15  # how far things come from, px; before their word, s
VEIL, VEIL_PAD = 0.2, 24  # over what is not spoken of: as much as leaves its words a contrast of 4.5


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
        self.veils = VGroup()
        self.beats(self.vectors, self.weights, self.output, self.heads, self.cost, self.outlook)

    def point(self, *lines: str) -> list[Animation]:
        """The words of the next point come line by line; with the first, the last point steps back."""
        i = len(self.points)
        x, y = place(i)
        made = [rich(line).place(x, y + TEXT_DY + n * TEXT_LEADING) for n, line in enumerate(lines)]
        self.points.append(VGroup(*made))
        first, *others = (FadeIn(label, shift=by(0, -RISE)) for label in made)
        return [AnimationGroup(*([FadeIn(self._veil(i - 1))] if i else []), first), *others]

    def _veil(self, i: int) -> VMobject:
        """The ground's colour, half through which the i-th place is seen."""
        x, y = place(i)
        width, height = WIDTH + 2 * VEIL_PAD, TEXT_DY + TEXT_LEADING + 2 * VEIL_PAD
        veil = box(x - VEIL_PAD, y - VEIL_PAD, width, height, fill="ground", radius=0).set_fill(opacity=VEIL)
        self.veils.add(veil)
        return veil

    # ------------------------------------------------------------------ beats

    def vectors(self) -> None:
        """One token, three vectors."""
        with self.say("Here are five things to keep.", name="five"):
            self.show_title()
        x, y = place(0)
        first = 1
        lefts = [x + i * (VECTOR_NAME + VECTOR_W + VECTOR_GAP) for i in range(len(ROLES))]
        middle = lefts[1] + VECTOR_NAME + VECTOR_W / 2
        word = token(self.facts["sequence.tokens"][first], middle, y + TOKEN_DY, "text", weight=SEMIBOLD)
        maps, vectors = self.point("Learned maps turn a token into", "a #qc[query], a #kc[key] and a #vc[value]")
        with self.say("Learned maps turn each [token] into [three] vectors: a [query], a [key] and a [value].") as line:
            self.play(maps)
            line.wait_for("token", before=EARLY)
            self.play(FadeIn(word), run_time=self.look.pace.fade)
            line.wait_for("three", before=EARLY)
            self.play(vectors, run_time=self.look.pace.fade)
            for left, role in zip(lefts, ROLES, strict=True):
                name = role[0]
                line.wait_for(role, before=EARLY)
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
        named = [rich(name, em=self.look.type.tag) for name in ("mask: $-oo$", "softmax")]
        steps = [formula("(qc(q) dot kc(k)) / sqrt(d_k)", em=STEP_EM), *named]
        for step, dy in zip(steps, STEPS_DY, strict=True):
            step.place(x + STEP_DX, y + dy)
        hidden = [rows[i][j] for i in range(n) for j in range(n) if mask[i, j]]
        with self.say(
            "Scores are [scaled] dot products. If attention is [causal], a [mask] hides what comes later. "
            "A [softmax] turns each row into weights."
        ) as line:
            self.play(*self.point("#sc[Dot products], scaled, masked", "if causal, softmaxed #wc[by row]"))
            line.wait_for("scaled", before=EARLY)
            arriving = LaggedStart(*[FadeIn(VGroup(*row)) for row in rows], lag_ratio=1 / 5)
            self.play(FadeIn(steps[0]), arriving, run_time=self.look.pace.move)
            line.wait_for("mask", before=EARLY)
            self.play(FadeIn(steps[1]), *[Restyle(cell, Look("masked", hatched=True)) for cell in hidden])
            turn = [
                AnimationGroup(*[
                    Restyle(rows[i][j], masked(), weights[i, j], em=self.look.type.small) if mask[i, j]
                    else Restyle(rows[i][j], Look(self.look.weight_shade(float(weights[i, j]))))
                    for j in range(n)
                ])
                for i in range(n)
            ]  # fmt: skip
            line.wait_for("softmax", before=EARLY)
            self.play(FadeIn(steps[2], rate_func=passing(0)), LaggedStart(*turn, lag_ratio=1 / 2), run_time=line.left())

    def output(self) -> None:
        """The values, shortened by their weights, head to tail."""
        x, y = place(2)
        parts, whole = self.facts["worked_example.contributions"], self.facts["worked_example.output"]
        weights = self.facts["worked_example.weights"]
        plane = Plane.around([*parts, whole], (x, y + PLANE_DY, PLANE_W, PLANE_H), WIDTH)
        bars = self._bars(weights, x, y + BAR_DY)
        total = words("sum {=2}", self.facts["worked_example.weight_sum"], em=self.look.type.small, role="dim")
        total.middle(x + PLANE_W + SUM_DX, y + BAR_DY + BAR_H / 2)
        flat_first = sorted(range(len(parts)), key=lambda i: float(parts[i, 1]) / hypot(*map(float, parts[i])))
        at_tip, tip = plane.origin, plane.to(whole)
        average, one = self.point("#wc[Weighted] average of the #vc[values]\\;", "each row of #wc[weights] sums to one")
        with self.say(
            "The [weights] say how much of each [value] to take. [Added] up, that makes the [output], "
            "a weighted average; and each row of weights [sums] to one."
        ) as line:
            self.play(average, LaggedStart(*[FadeIn(bar, shift=by(-RISE, 0)) for bar in bars], lag_ratio=1 / 2))
            for done, i in enumerate(flat_first):
                line.wait_for("Added" if done else "value", before=EARLY)
                lasts = line.until("output") / (len(parts) - done) if done else self.look.pace.move
                dx, dy = (plane.to(parts[i])[k] - plane.origin[k] for k in (0, 1))
                end = at_tip[0] + dx, at_tip[1] + dy
                name = self._beside(rich(f"#wc[{{}}] $vc(v_{i + 1})$", weights[i]), at_tip, end)
                shaft = arrow(at_tip, end, "value", BOLD, HEAD)
                weight, *others = name.submobjects  # its weight comes out of the bar
                goal = weight.get_center()
                weight.move_to(bars[i][1])
                going = ApplyMethod(weight.move_to, goal, path_arc=WEIGHT_ARC)
                naming = [late(FadeIn(part)) for part in others]
                self.play(GrowFromPoint(shaft, at(*at_tip)), going, *naming, run_time=lasts)
                self.remove(*name)
                self.add(name)
                at_tip = end
            blend = VGroup(
                arrow(plane.origin, tip, "text", BOLD, HEAD, edge="ground"), dot(*plane.origin, ORIGIN, "text")
            )
            word = words("output", weight=SEMIBOLD).place(max(tip[0], x + PLANE_W / 2), tip[1] - OUTPUT_UP, "right")
            line.wait_for("output", before=EARLY)
            self.play(GrowFromPoint(blend, at(*plane.origin)), FadeIn(word))
            line.wait_for("sums", before=EARLY)
            self.play(one, FadeIn(total), run_time=self.look.pace.fade)
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
        """One matrix parts into heads, and each makes weights of its own."""
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
        split, look = self.point("Several heads split the width,", "and each looks in its own way")
        with self.say(
            "Several heads [split] the width of a token. Each has its own [weights], so each looks in its [own way]."
        ) as line:
            rows = [VGroup(*cells[i * columns : (i + 1) * columns]) for i in range(n)]
            arriving = LaggedStart(*[FadeIn(row) for row in rows], lag_ratio=1 / 5)
            self.play(split, arriving, run_time=line.until("split"))
            self.play(MoveCells(cells, goals, lag=0), run_time=self.look.pace.move)
            width = (WIDTH - HEADS_APART) / 2
            maps = [self._map(fact, x + i * (width + HEADS_APART), width) for i, fact in enumerate(self._head_names())]
            turn: list[Animation] = []
            for i, new in enumerate(zip(*maps, strict=True)):  # from the top: first a row goes, then one comes
                old = cells[i * columns : (i + 1) * columns]
                turn += [AnimationGroup(*map(FadeOut, old))] if old else []
                turn.append(AnimationGroup(*map(FadeIn, new)))
            line.wait_for("weights", before=EARLY)
            self.play(LaggedStart(*turn, lag_ratio=1 / 2), run_time=line.until("own way", least=self.look.pace.move))
            self.play(look, run_time=self.look.pace.fade)

    def _head_names(self) -> list[Fact]:
        return list(self.facts["multi_head.head_index"])

    def _map(self, head: Fact, x: float, width: float) -> list[VGroup]:
        """The weights of a head as shades, row by row, and its name."""
        weights, causal = self.facts["multi_head.weights"][int(head)], bool(self.facts["multi_head.causal"])
        y, n = place(3)[1], len(weights)
        high = HEIGHT - MAP_NAME_DY
        side = (min(width, high) - self.look.frame.gap * (n - 1)) / n
        grid = Grid(x, y, side, side)
        hidden = Look("masked", hatched=True)
        rows = [
            VGroup(*[
                Cell(
                    *grid.box(i, j),
                    hidden if causal and j > i else Look(self.look.weight_shade(float(weights[i, j]))),
                )
                for j in range(n)
            ])
            for i in range(n)
        ]  # fmt: skip
        name = words("head {}", head, em=self.look.type.small, role="dim")
        return [*rows, VGroup(name.place(x, grid.bottom(n) + MAP_NAME_DY))]

    def cost(self) -> None:
        """Twice the tokens, four times the scores; with a cache, a new token adds a row."""
        x, y = place(4)
        n = int(self.facts["sequence.n"])
        side = (HEIGHT + TILE_GAP) / (2 * n) - TILE_GAP
        half = n * (side + TILE_GAP)
        first, right, below, last = [
            tiles(x + dx, y + dy, n, n, side, "score") for dy in (0, half) for dx in (0, half)
        ]  # fmt: skip
        notes = [
            rich(text, role=role).place(x + HEIGHT + NOTE_DX, y + NOTE_LEADING * (i + 1))
            for i, (text, role) in enumerate(
                (("$n times n$ scores", "dim"), ("twice $n$:", "text"), ("four times", "text"))
            )
        ]
        grows, cached = self.point("Cost grows with n²;", "with a cache, one row a token")
        with self.say(
            "Every token meets every other: [n times n] scores. [Twice] the tokens make [four] times as many."
        ) as line:
            self.play(grows)
            line.wait_for("n times n", before=EARLY)
            self.play(FadeIn(first), FadeIn(notes[0]), run_time=self.look.pace.fade)
            line.wait_for("Twice", before=EARLY)
            self.play(FadeIn(right), FadeIn(below), FadeIn(notes[1]), run_time=self.look.pace.fade)
            line.wait_for("four", before=EARLY)
            self.play(FadeIn(last), FadeIn(notes[2]), run_time=self.look.pace.fade)
        self._cache(2 * n, VGroup(first, right, below, last, *notes), cached)

    def _cache(self, count: int, old: VGroup, point: Animation) -> None:
        """Keys and values are kept; the query of a new token meets them all, and makes one row of scores."""
        x, y = place(4)
        pitch = CACHE_SIDE + TILE_GAP
        start, end = x + CACHE_X, x + CACHE_X + count * pitch
        middles = [y + dy + CACHE_SIDE / 2 for dy in CACHE_DY]
        names = [
            formula(name, em=LETTER_EM).middle(x, middle, rise=LETTER_RISE)
            for name, middle in zip(("kc(k)", "vc(v)", "qc(q) dot kc(k)"), middles, strict=True)
        ]
        kept = [tiles(start, y + dy, 1, count, CACHE_SIDE, role) for dy, role in zip(CACHE_DY, ROLES[1:], strict=False)]
        added = [tiles(end, y + dy, 1, 1, CACHE_SIDE, role) for dy, role in zip(CACHE_DY, ROLES[1:], strict=False)]
        row = [tiles(start + i * pitch, y + CACHE_DY[2], 1, 1, CACHE_SIDE, "score") for i in range(count + 1)]
        beside = end + pitch + NOTE_DX
        cached = words("cached", role="dim").middle(beside, (middles[0] + middles[1]) / 2)
        new = words("one row", role="score").middle(beside, middles[2])
        with self.say(
            "In generation, [keys] and values are [cached], so a [new] token’s [query] adds only [one row].",
            name="cached",
        ) as line:
            self.play(FadeOut(old), run_time=self.look.pace.fade)
            line.wait_for("keys", before=EARLY)
            coming = [FadeIn(mob, shift=by(0, RISE)) for mob in (*names[:2], *kept)]
            self.play(*coming, run_time=self.look.pace.fade)
            line.wait_for("cached", before=EARLY)
            self.play(FadeIn(cached), run_time=self.look.pace.fade)
            line.wait_for("new", before=EARLY)
            self.play(*[FadeIn(tile, shift=by(-RISE, 0)) for tile in added], run_time=self.look.pace.quick)
            line.wait_for("query", before=EARLY)
            self.play(FadeIn(names[2]), run_time=self.look.pace.fade)
            sweep = LaggedStart(*[FadeIn(tile, shift=by(0, RISE)) for tile in row], lag_ratio=1 / 5)
            self.play(sweep, run_time=line.until("one row", end=True, least=self.look.pace.move))
            self.play(FadeIn(new), point, run_time=self.look.pace.fade)
        self.rest()

    def outlook(self) -> None:
        """All five, and what comes next."""
        x, y = place(5)
        first = words("Next", em=self.look.type.tag, role="dim").place(x, y + NEXT_DY)
        labels = [
            words(text, em=self.look.type.question, weight=SEMIBOLD).place(x, y + NEXT_DY + (i + 1) * NEXT_LEADING)
            for i, text in enumerate(("the transformer", "architecture"))
        ]
        with self.say(
            "That is self-attention. [Next] comes the [transformer] architecture, which is built around it."
        ) as line:
            self.play(*[FadeOut(veil) for veil in self.veils])
            line.wait_for("Next", before=EARLY)
            self.play(FadeIn(first), run_time=self.look.pace.fade)
            line.wait_for("transformer", before=EARLY)
            self.play(*[FadeIn(label, shift=by(-RISE, 0)) for label in labels])
        self.rest()
