"""What the sources of chapters may not hold: figures of the lesson, random numbers, computing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest
from kit_helpers import shipped

import scenes
from scenes.kit.figures import shown

FOLDER = Path(scenes.__file__).parent
SOURCES = sorted(path for path in FOLDER.glob("*.py") if path.name != "__init__.py")
ALLOWED_IMPORTS = {
    "manim", "lesson", "scenes", "math", "itertools", "typing", "collections", "functools", "dataclasses",
    "contextlib",
}  # fmt: skip
LITTLE = range(-1, 9)  # indices, steps, signs


def lesson_figures() -> set[str]:
    """Every figure of the lesson that is no small whole number, at 2, 3 and 4 decimals."""
    facts = shipped().facts
    found: set[str] = set()
    for key in facts.keys():  # noqa: SIM118 - facts are no dictionary
        value = facts[key].value
        if isinstance(value, str | tuple):
            continue
        for number in np.ravel(np.asarray(value, dtype=float)):
            if number != int(number) or abs(number) > 2000:
                found |= {shown(float(number), decimals).lstrip("\u2212") for decimals in (2, 3, 4)}
    return found - {"0.00", "0.50", "0.500", "0.5000", "0.25", "0.250", "0.2500"}


FIGURES = lesson_figures()


def violations(source: str) -> list[str]:
    """Why a chapter's source is refused; empty when it is fine."""
    tree = ast.parse(source)
    found = []
    layout = {id(node) for block in _layout_blocks(tree) for node in ast.walk(block)}
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            found += [f"{line}: imports {n}" for n in names if n.split(".")[0] not in ALLOWED_IMPORTS | {"__future__"}]
        if isinstance(node, ast.Name | ast.Attribute) and (getattr(node, "id", "") or getattr(node, "attr", "")) in (
            "random", "default_rng", "randint", "shuffle",
        ):  # fmt: skip
            found.append(f"{line}: draws random numbers")
        if not isinstance(node, ast.Constant) or id(node) in docstrings:
            continue
        value = node.value
        if isinstance(value, str):
            found += [f"{line}: figure {m} in a text" for m in re.findall(r"\d+\.\d+", value) if m in FIGURES]
        elif isinstance(value, bool) or not isinstance(value, int | float):
            continue
        elif id(node) in layout:
            if {shown(float(value), decimals) for decimals in (3, 4)} & FIGURES and value != round(value, 2):
                found.append(f"{line}: figure {value} in the layout")
        elif value not in LITTLE and not (isinstance(value, float) and 0 < value < 1 and value == round(value, 2)):
            found.append(f"{line}: number {value} outside the layout block")
    return found


def _layout_blocks(tree: ast.Module) -> list[ast.AST]:
    """Assignments to UPPERCASE names, of the module or of a class."""
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    return [
        statement
        for body in bodies
        for statement in body
        if isinstance(statement, ast.Assign | ast.AnnAssign) and all(name.isupper() for name in _targets(statement))
    ]


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_chapter_holds_no_lesson_number_and_draws_none(path: Path) -> None:
    assert violations(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("WEIGHT = 0.6698", "figure 0.6698 in the layout"),
        ("x = f(3.0281)", "number 3.0281"),
        ("x = words('about 0.67 of it')", "figure 0.67 in a text"),
        ("x = cells[17]", "number 17"),
        ("import numpy as np\nx = np.random.default_rng(0)", "draws random numbers"),
        ("import numpy as np", "imports numpy"),
        ("from attention_core import softmax", "imports attention_core"),
    ],
)
def test_the_rule_finds_what_it_is_for(source: str, why: str) -> None:
    assert any(why in found for found in violations(source)), violations(source)


def test_every_chapter_of_the_list_has_its_file_and_class() -> None:
    for entry in scenes.CHAPTERS:
        tree = ast.parse((FOLDER / f"{entry.module.split('.')[-1]}.py").read_text(encoding="utf-8"))
        assert entry.class_name in {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
