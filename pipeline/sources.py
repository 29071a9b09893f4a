"""Python sources as they are now: a digest that comments and docstrings don't change, and what a module imports."""

from __future__ import annotations

import ast
import hashlib
import platform
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path

from pipeline.files import digest_of_parts, read_json, to_json, write_whole

READ_AT_RUN_TIME = (b"__doc__", b"getdoc")
"""A module with one of these may act by its docstrings, so there they count."""
MOST_KEPT = 1000


@dataclass(frozen=True)
class Learnt:
    """Of one source: its digest, and the names it imports as written, with their leading dots."""

    digest: str
    imports: list[str]


class Sources:
    """One look at the disk: each file is read once, so that all answers belong together.

    What parsing tells of a source is kept by its content in the file ``kept``, which is safe to delete.
    """

    def __init__(self, kept: Path | None = None) -> None:
        self._kept = kept
        self._table = _loaded(kept)
        self._size = len(self._table)
        self._read: dict[Path, Learnt] = {}
        self._paths: dict[str, Path | None] = {}
        self._told: dict[tuple[str, tuple[str, ...]], dict[str, str]] = {}

    def again(self) -> Sources:
        """Another look, now; what parsing tells is shared."""
        other = Sources()
        other._table = self._table
        return other

    def digest(self, path: Path) -> str:
        """Digest of a source without comments, docstrings and layout; of one with a syntax error as it is."""
        return self._learnt(path).digest

    def of(self, module: str, ours: Sequence[str]) -> dict[str, Path]:
        """The module's file and, transitively, all that it imports of our packages, wherever in the file that is said.

        By name, such as "scenes/kit/theme.py".
        """
        wanted = {*ours, module.partition(".")[0]}
        found: dict[str, Path] = {}
        waiting = _with_parents([module])
        while waiting:
            name = waiting.pop()
            if name in found or name.partition(".")[0] not in wanted or (path := self._path(name)) is None:
                continue
            found[name] = path
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            waiting.extend(_with_parents(_absolute(each, package) for each in self._learnt(path).imports))
        return {_label(name, path): path for name, path in sorted(found.items())}

    def digests_of(self, module: str, ours: Sequence[str]) -> dict[str, str]:
        """As ``of``, but with digests."""
        asked = module, tuple(ours)
        if asked not in self._told:
            self._told[asked] = {label: self.digest(path) for label, path in self.of(module, ours).items()}
        return dict(self._told[asked])

    def save(self) -> None:
        """Keep what was learnt; where that can't be, the next run learns it again."""
        if self._kept is not None and len(self._table) > self._size:
            table = {key: [each.digest, *each.imports] for key, each in sorted(self._table.items())}
            with suppress(OSError):
                write_whole(self._kept, to_json(table))

    def _learnt(self, path: Path) -> Learnt:
        if path not in self._read:
            source = path.read_bytes()
            # Python's version, since each has a syntax tree of its own.
            key = f"{platform.python_version()} {hashlib.sha256(source).hexdigest()}"
            if key not in self._table:
                self._table[key] = _parsed(source)
            self._read[path] = self._table[key]
        return self._read[path]

    def _path(self, module: str) -> Path | None:
        """The file of a module, found without importing anything; None when there is no such module."""
        if module not in self._paths:
            top, *rest = module.split(".")
            self._paths[module] = _below(self._path(top), rest) if rest else _origin(top)
        return self._paths[module]


def _loaded(kept: Path | None) -> dict[str, Learnt]:
    """What was kept, unless older versions of sources have piled up in it."""
    data = read_json(kept) if kept else None
    if not isinstance(data, dict) or len(data) > MOST_KEPT:
        return {}
    return {key: Learnt(entry[0], entry[1:]) for key, entry in data.items() if isinstance(entry, list) and entry}


def _parsed(source: bytes) -> Learnt:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # ValueError: null bytes
        return Learnt(hashlib.sha256(source).hexdigest(), [])
    imports = sorted(set(_imports(tree)))
    if not any(word in source for word in READ_AT_RUN_TIME):
        _drop_docstrings(tree)
    return Learnt(digest_of_parts("source, 2", [ast.dump(tree)]), imports)


def _drop_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            del node.body[0]


def _imports(tree: ast.Module) -> Iterator[str]:
    """Names that may be modules: "from a.b import c" may mean a.b.c."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield base
            yield from (f"{base}{'.' if node.module else ''}{alias.name}" for alias in node.names)


def _absolute(name: str, package: str) -> str:
    """The name with its leading dots resolved in the package it is written in."""
    rest = name.lstrip(".")
    level = len(name) - len(rest)
    if level == 0:
        return name
    parents = package.split(".")
    base = parents[: len(parents) - level + 1]
    return ".".join([*base, rest] if rest else base)


def _with_parents(names: Iterable[str]) -> list[str]:
    """a, a.b and a.b.c: whoever imports the last runs them all."""
    return [part for name in names for part in accumulate(name.split("."), "{}.{}".format)]


def _label(module: str, path: Path) -> str:
    suffix = "/__init__.py" if path.name == "__init__.py" else ".py"
    return module.replace(".", "/") + suffix


def _origin(package: str) -> Path | None:
    spec = find_spec(package) if package else None
    return Path(spec.origin) if spec is not None and spec.origin is not None else None


def _below(package: Path | None, rest: Sequence[str]) -> Path | None:
    if package is None:
        return None
    stem = package.parent.joinpath(*rest)
    candidates = (stem / "__init__.py", stem.with_suffix(".py"))
    return next((path for path in candidates if path.is_file()), None)
