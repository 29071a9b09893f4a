"""The oracle of the core's tests: attention in plain Python loops on lists, straight from the definitions."""

from __future__ import annotations

import math
from collections.abc import Callable

Vector = list[float]
Matrix = list[Vector]


def dot(a: Vector, b: Vector) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def softmax(z: Vector) -> Vector:
    top = max(z)
    e = [math.exp(x - top) if x > -math.inf else 0.0 for x in z]
    return [x / math.fsum(e) for x in e]


def everywhere(query: int, key: int) -> bool:
    return True


def itself_and_earlier(query: int, key: int) -> bool:
    return key <= query


def attention(
    q: Matrix, k: Matrix, v: Matrix, may_look: Callable[[int, int], bool] = everywhere, scale: float | None = None
) -> tuple[Matrix, Matrix]:
    """Weights and outputs."""
    divisor = math.sqrt(len(q[0])) if scale is None else scale
    weights, outputs = [], []
    for i, query in enumerate(q):
        scores = [dot(query, key) / divisor if may_look(i, j) else -math.inf for j, key in enumerate(k)]
        row = softmax(scores)
        weights.append(row)
        outputs.append([math.fsum(w * value[c] for w, value in zip(row, v, strict=True)) for c in range(len(v[0]))])
    return weights, outputs


def affine(x: Matrix, w: Matrix, b: Vector) -> Matrix:
    return [[dot(row, [line[c] for line in w]) + b[c] for c in range(len(b))] for row in x]


def multi_head(
    x: Matrix, w: list[Matrix], b: list[Vector], h: int, may_look: Callable[[int, int], bool] = everywhere
) -> tuple[list[Matrix], Matrix]:
    """Weights of each head, and the output. w and b hold the four projections: queries, keys, values, output."""
    q, k, v = (affine(x, w[i], b[i]) for i in range(3))
    d_head = len(w[0][0]) // h
    weights: list[Matrix] = []
    merged: Matrix = [[] for _ in x]
    for i in range(h):
        first, last = i * d_head, (i + 1) * d_head
        head = [[row[first:last] for row in m] for m in (q, k, v)]
        a, output = attention(head[0], head[1], head[2], may_look)
        weights.append(a)
        for row, part in zip(merged, output, strict=True):
            row.extend(part)
    return weights, affine(merged, w[3], b[3])
