"""The last chapter: five points, each with the picture that showed it."""

from __future__ import annotations

from manim import (
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    GrowFromPoint,
    LaggedStart,
    VGroup,
    VMobject,
)  # fmt: skip

from lesson import Fact
from scenes.kit.average import WeightedAverage
from scenes.kit.cells import Cell, Look, Restyle, filled_with, masked
from scenes.kit.geometry import at, by
from scenes.kit.heads import head_look
from scenes.kit.labels import SEMIBOLD, Align, Label, axis_mark, formula, rich, run, words
from scenes.kit.matrix import token
from scenes.kit.motion import MoveCells, passing
from scenes.kit.scene import LessonScene
from scenes.kit.shapes import HAIR, XY, arrow, box
from scenes.kit.thumbnails import TILE_GAP, spaced, squares, tiles, veiled

# ---- layout, px: three columns, two rows of places; in each a picture above two lines of words
COLUMNS, ROWS = (96, 704, 1312), (176, 622)
WIDTH, HEIGHT = 512, 268  # of a picture
TEXT_DY, TEXT_LEADING = 324, 46  # from the top of a place to its words; between them
# a token's three vectors: the token above, the vectors as columns with their names on the left
TOKEN_DY, FAN_FROM, FAN_TO, VECTOR_DY, VECTOR_W, VECTOR_NAME, VECTOR_GAP = 22, 36, 104, 110, 104, 44, 34
FAN_HEAD = (16, 14)
MAP_AT: tuple[tuple[float, float, Align], ...] = (
    (-124, 64, "right"),
    (16, 92, "left"),
    (124, 64, "left"),
)  # names of the maps, from the token's middle
MOST_ENTRIES, TALLEST_ENTRY, WIDE_NUMBER = 4, 56, 9.995  # of a vector shown; px; from there a number has less room
LETTER_EM, LETTER_RISE = 48, 0.44  # the height of a small letter, em
# scores that become weights: a square of cells, three steps beside it
STEP_DX, STEPS_DY, STEP_EM = 308, (54, 174, 246), 44
LEAST_CELL = 34  # of a cell with a figure
HEADS_APART, PARTS_H, MAP_NAME_DY, MAP_DY = 44, 88, 124, 140  # around heads; how tall they are; below, names and maps
MAPS, MAPS_APART = 4, 18  # at most; between more than two
NOTE_DX, NOTE_LEADING = 24, 46  # cost: how far notes stand off; between them
CACHE_SIDE, CACHE_X, CACHE_ROOM = 22, 96, 310  # of a token in the cache, at most; where they begin; what they take
CACHE_DY = 126, 170, 238  # rows of keys, values, new scores
KEPT_SIDE, KEPT_DY = 92, (38, 84)  # of the square of scores that stays over the cache; its notes
NEXT_DY, NEXT_LEADING, NEXT_PAD, NEXT_RADIUS = 148, 66, 40, 16
ROLES = "query", "key", "value"
RISE, EARLY = 18, 0.15  # how far things come from, px; before their word, s
POINTS, PART = 5, "|"  # of which each is counted first; parts a line of words where they come one by one
VEIL_PAD = 24  # of what lies over things that are not spoken of
VEILED = "query", "key", "value", "weight", "dim", "score"  # what must be read through it


def place(i: int) -> XY:
    """The top left corner of the i-th place."""
    return COLUMNS[i % len(COLUMNS)], ROWS[i // len(COLUMNS)]


SEVERAL_HEADS = (
    "Several heads [split] the width of a token. Each has its own [weights], so each looks in its [own way].",
    ("Several heads split the width", "and each looks in its own way"),
)
ONE_HEAD = (
    "Several heads would [split] the width of a token, each with its own [weights], to look in its [own way]. "
    "Here, one head has it all.",
    ("Several heads can split the width", "and each look in its own way"),
)


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
        """The words of the next point come part by part; with the first, the last point steps back.

        What rests on the screen is whole: what leads on is a part of its own, and comes with what it leads to.
        """
        i = len(self.points)
        x, y = place(i)
        made = [[rich(part) for part in line.split(PART)] for line in lines]
        for n, parts in enumerate(made):
            run(*parts, x=x, baseline=y + TEXT_DY + n * TEXT_LEADING)
        labels = [label for parts in made for label in parts]
        self.points.append(VGroup(*labels))
        first, *others = (FadeIn(label, shift=by(0, -RISE)) for label in labels)
        reached = FadeOut(self.counted[i], rate_func=passing(0))
        return [AnimationGroup(reached, *([FadeIn(self._veil(i - 1))] if i else []), first), *others]

    def _veil(self, i: int) -> VMobject:
        """The ground's colour, half through which the i-th place is seen."""
        x, y = place(i)
        width, height = WIDTH + 2 * VEIL_PAD, TEXT_DY + TEXT_LEADING + 2 * VEIL_PAD
        veil = box(x - VEIL_PAD, y - VEIL_PAD, width, height, fill="ground", radius=0)
        veil.set_fill(opacity=self._veiled())
        self.veils.add(veil)
        return veil

    def _veiled(self) -> float:
        """How much of the ground may lie over figures so that they can still be read."""
        shades = [self.look.weight_shade(float(weight)) for weight in self.facts["worked_example.weights"]]
        pairs = [(self.look.ink_on(shade), shade) for shade in shades] + [(self.look.masked_ink, self.look.masked)]
        pairs += [(self.look.colour(role), self.look.ground) for role in VEILED]
        return veiled(pairs)

    # ------------------------------------------------------------------ beats

    def vectors(self) -> None:
        """One token, three vectors."""
        middles = [(x + WIDTH / 2, y + HEIGHT / 2) for x, y in map(place, range(POINTS))]
        self.counted = [
            axis_mark(i + 1, em=self.look.type.takeaway, role="quiet").middle(*middle, "center")
            for i, middle in enumerate(middles)
        ]
        self.show_title()
        with self.say("Here are [five] things to remember.", name="five") as line:
            line.wait_for("five", before=EARLY)
            self.play(LaggedStart(*map(FadeIn, self.counted), lag_ratio=1 / 5), run_time=line.left())
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
            for left, role, (dx, dy, align) in zip(lefts, ROLES, MAP_AT, strict=True):
                name = role[0]
                learned = formula(f"{name}c(W_{name.upper()})", em=self.look.type.small)
                learned.place(middle + dx, y + dy, align)
                line.wait_for(role, before=EARLY)
                self._vector(self.facts[f"sequence.{name}"][first], name, role, left, (middle, y + FAN_FROM), learned)

    def _vector(self, fact: Fact, name: str, role: str, x: float, source: XY, learned: Label) -> None:
        """A vector comes out of the token, by a map that has been learned."""
        y, left, gap = ROWS[0], x + VECTOR_NAME, self.look.frame.gap
        count = min(len(fact), MOST_ENTRIES)
        height = min((HEIGHT - VECTOR_DY - gap * (count - 1)) / count, TALLEST_ENTRY)
        shown = list(fact) if count == len(fact) else [*list(fact)[: count - 1], None]  # the last stands for the rest
        decimals = 2 if max(abs(float(entry)) for entry in fact) < WIDE_NUMBER else 1
        cells = VGroup(*[
            Cell(
                left, y + VECTOR_DY + i * (height + gap), VECTOR_W, height, filled_with(role), entry,
                em=self.look.type.small, signed=True, decimals=decimals, text="…" if entry is None else None,
            )
            for i, entry in enumerate(shown)
        ])  # fmt: skip
        middle = y + VECTOR_DY + (count * (height + gap) - gap) / 2
        letter = formula(name, role=role, em=LETTER_EM).middle(x, middle, rise=LETTER_RISE)
        line = arrow(source, (left + VECTOR_W / 2, y + FAN_TO), role, HAIR, FAN_HEAD)
        arriving = FadeIn(learned), FadeIn(letter), FadeIn(cells, shift=by(0, VECTOR_NAME / 2))
        self.play(GrowFromPoint(line, at(*source)), *arriving, run_time=self.look.pace.fade)

    def weights(self) -> None:
        """Scores are scaled, masked, and turned into weights row by row."""
        x, y = place(1)
        mask, weights = self.facts["sequence.mask"], self.facts["sequence.weights_causal"]
        n = len(weights)
        boxes = squares(x, y, n, HEIGHT)
        rows = [[Cell(*boxes[i][j], Look("live")) for j in range(n)] for i in range(n)]
        hatched = masked() if boxes[0][0][2] >= LEAST_CELL else Look("masked", hatched=True)
        named = [rich(name, em=self.look.type.tag) for name in ("mask: $-oo$", "softmax")]
        steps = [formula("(qc(q) dot kc(k)) / sqrt(d_k)", em=STEP_EM), *named]
        for step, dy in zip(steps, STEPS_DY, strict=True):
            step.place(x + STEP_DX, y + dy)
        hidden = [rows[i][j] for i in range(n) for j in range(n) if mask[i, j]]
        with self.say(
            "Scores are [dot products], then [scaled]. If attention is causal, a [mask] hides what comes later. "
            "A [softmax] turns each row into weights."
        ) as line:
            products, scaled, comma, causal, by_row = self.point(
                "#sc[Dot products]|, scaled|,", "masked if causal|, softmax #wc[by row]"
            )
            line.wait_for("dot products", before=EARLY)
            arriving = LaggedStart(*[FadeIn(VGroup(*row)) for row in rows], lag_ratio=1 / 5)
            self.play(products, arriving, run_time=line.until("scaled"))
            self.play(FadeIn(steps[0]), scaled, run_time=self.look.pace.fade)
            line.wait_for("mask", before=EARLY)
            hiding = [Restyle(cell, Look("masked", hatched=True)) for cell in hidden]
            self.play(comma, causal, FadeIn(steps[1]), *hiding)
            turn = [
                AnimationGroup(*[
                    Restyle(rows[i][j], hatched, weights[i, j], em=self.look.type.small) if mask[i, j]
                    else Restyle(rows[i][j], Look(self.look.weight_shade(float(weights[i, j]))))
                    for j in range(n)
                ])
                for i in range(n)
            ]  # fmt: skip
            line.wait_for("softmax", before=EARLY)
            self.play(
                by_row,
                FadeIn(steps[2], rate_func=passing(0)),
                LaggedStart(*turn, lag_ratio=1 / 2),
                run_time=line.left(),
            )

    def output(self) -> None:
        """The values, shortened by their weights, head to tail."""
        picture = WeightedAverage(self.facts, place(2), WIDTH)
        average, one = self.point("A #wc[weighted] average of the #vc[values]", "with #wc[weights] that add up to one")
        with self.say(
            "The weights say how much of each [value] to take. [Added] up, that makes the [output]: "
            "a weighted average, as each row of weights [adds up] to one."
        ) as line:
            bars = LaggedStart(*[FadeIn(bar, shift=by(-RISE, 0)) for bar in picture.bars], lag_ratio=1 / 2)
            self.play(average, FadeIn(picture.note), bars)
            for done, i in enumerate(picture.order):
                line.wait_for("Added" if done else "value", before=EARLY)
                lasts = line.until("output") / (len(picture.order) - done) if done else self.look.pace.move
                self.play(*picture.grow(i), run_time=lasts)
                for name in picture.come(i):
                    self.remove(*name)
                    self.add(name)
            line.wait_for("output", before=EARLY)
            self.play(*picture.add_up())
            line.wait_for("adds up", before=EARLY)
            self.play(one, FadeIn(picture.total), run_time=self.look.pace.fade)
        self.rest()

    def heads(self) -> None:
        """One matrix parts into heads, and under each come weights of its own."""
        x, y = place(3)
        n, h, head = (int(self.facts[f"multi_head.{name}"]) for name in ("n", "h", "d_head"))
        few = h if h <= MAPS else MAPS - 1  # of more, the first ones; dots stand for the others
        whole = WIDTH if few == h else few * (WIDTH + MAPS_APART) / MAPS - MAPS_APART
        parting = HEADS_APART if 1 < h <= MAPS else (few - 1) * MAPS_APART
        columns, apart = few * head, parting / max(few - 1, 1)
        wide, tall = spaced(x + parting / 2, columns, whole - parting), spaced(y, n, PARTS_H)
        cells = [
            Cell(x0, y0, w, height, head_look(j // head % 2)) for y0, height in tall for j, (x0, w) in enumerate(wide)
        ]
        goals = [
            (cell.centre[0] + (k % columns // head - (few - 1) / 2) * apart, cell.centre[1])
            for k, cell in enumerate(cells)
        ]
        more = [] if few == h else [self._more_heads(x, y + PARTS_H / 2)]
        said, points = SEVERAL_HEADS if h > 1 else ONE_HEAD
        split, look = self.point(*points)
        with self.say(said) as line:
            rows = [VGroup(*cells[i * columns : (i + 1) * columns]) for i in range(n)]
            arriving = LaggedStart(*[FadeIn(row) for row in rows], lag_ratio=1 / 5)
            self.play(split, arriving, *map(FadeIn, more), run_time=line.until("split"))
            self.play(MoveCells(cells, goals, lag=0), run_time=self.look.pace.move)
            turn = [AnimationGroup(*map(FadeIn, new)) for new in zip(*self._maps(x), strict=True)]  # names, then rows
            line.wait_for("weights", before=EARLY)
            self.play(LaggedStart(*turn, lag_ratio=1 / 2), run_time=line.until("own way", least=self.look.pace.move))
            self.play(look, run_time=self.look.pace.fade)

    def _maps(self, x: float) -> list[list[VGroup]]:
        """Of the heads as many as there is room for, side by side; dots stand for the others."""
        heads = list(self.facts["multi_head.head_index"])
        columns = min(max(len(heads), 2), MAPS)
        apart = HEADS_APART if columns == 2 else MAPS_APART
        width = (WIDTH - apart * (columns - 1)) / columns
        shown = heads if len(heads) <= MAPS else heads[: MAPS - 1]
        maps = [self._map(head, x + i * (width + apart), width) for i, head in enumerate(shown)]
        if len(shown) < len(heads):
            maps[-1][-1].add(self._more_heads(x, ROWS[1] + (MAP_DY + HEIGHT) / 2))
        return maps

    def _more_heads(self, x: float, y: float) -> Label:
        """Dots in the last place of the heads."""
        return words("…", role="dim").middle(x + (MAPS - 1) * (WIDTH + MAPS_APART) / MAPS, y)

    def _map(self, head: Fact, x: float, width: float) -> list[VGroup]:
        """The name of a head and under it its weights as shades, row by row."""
        weights, causal = self.facts["multi_head.weights"][int(head)], bool(self.facts["multi_head.causal"])
        size = min(width, HEIGHT - MAP_DY)
        y = ROWS[1] + MAP_DY
        boxes, hidden = squares(x, y, len(weights), size), Look("masked", hatched=True)
        rows = [
            VGroup(*[
                Cell(*box, hidden if causal and j > i else Look(self.look.weight_shade(float(weights[i, j]))))
                for j, box in enumerate(row)
            ])
            for i, row in enumerate(boxes)
        ]  # fmt: skip
        name = words("head {}", head, em=self.look.type.small, role="dim")
        return [VGroup(name.place(x, ROWS[1] + MAP_NAME_DY)), *rows]

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
        grows, *cached = self.point("Cost grows with n²|, but", "with a cache, one row per token")
        with self.say(
            "Every token meets every token: for n tokens, [n times n] scores. "
            "[Twice] the tokens make [four] times as many scores."
        ) as line:
            self.play(grows)
            line.wait_for("n times n", before=EARLY)
            self.play(FadeIn(first), FadeIn(notes[0]), run_time=self.look.pace.fade)
            line.wait_for("Twice", before=EARLY)
            self.play(FadeIn(right), FadeIn(below), FadeIn(notes[1]), run_time=self.look.pace.fade)
            line.wait_for("four", before=EARLY)
            self.play(FadeIn(last), FadeIn(notes[2]), run_time=self.look.pace.fade)
        self._cache(2 * n, VGroup(first, right, below, last), notes, cached)

    def _cache(self, count: int, square: VGroup, notes: list[Label], point: list[Animation]) -> None:
        """Keys and values are kept; the query of a new token meets them all, and makes one row of scores."""
        x, y = place(4)
        side = min(CACHE_SIDE, CACHE_ROOM / (count + 1) - TILE_GAP)
        pitch = side + TILE_GAP
        start, end = x + CACHE_X, x + CACHE_X + count * pitch
        middles = [y + dy + side / 2 for dy in CACHE_DY]
        names = [
            formula(name, em=LETTER_EM).middle(x, middle, rise=LETTER_RISE)
            for name, middle in zip(("kc(k)", "vc(v)", "qc(q) dot kc(k)"), middles, strict=True)
        ]
        kept = [tiles(start, y + dy, 1, count, side, role) for dy, role in zip(CACHE_DY, ROLES[1:], strict=False)]
        added = [tiles(end, y + dy, 1, 1, side, role) for dy, role in zip(CACHE_DY, ROLES[1:], strict=False)]
        row = [tiles(start + i * pitch, y + CACHE_DY[2], 1, 1, side, "score") for i in range(count + 1)]
        edge = end + pitch + NOTE_DX
        cached = words("cached", role="dim").middle(edge, (middles[0] + middles[1]) / 2)
        new = words("one row", role="score").middle(edge, middles[2])
        with self.say(
            "When text is generated, [keys] and values are [cached], so a [new] token’s [query] adds only [one row].",
            name="cached",
        ) as line:
            smaller = square.animate.scale(KEPT_SIDE / HEIGHT, about_point=at(x, y))
            beside = [
                note.animate.shift(by(KEPT_SIDE - HEIGHT, y + dy - note.origin[1]))
                for note, dy in zip(notes[1:], KEPT_DY, strict=True)
            ]
            self.play(FadeOut(notes[0]), smaller, *beside, run_time=self.look.pace.fade)
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
            self.play(FadeIn(new), *point, run_time=self.look.pace.fade)
        self.rest()

    def outlook(self) -> None:
        """All five, and what comes next."""
        x, y = place(5)
        ground = box(x, y, WIDTH, TEXT_DY + TEXT_LEADING, fill="panel", radius=NEXT_RADIUS)
        x += NEXT_PAD
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
            self.play(FadeIn(ground), FadeIn(first), run_time=self.look.pace.fade)
            line.wait_for("transformer", before=EARLY)
            self.play(*[FadeIn(label, shift=by(-RISE, 0)) for label in labels])
        self.rest()
