"""What a clip is made from besides facts: sources, engine versions, fonts, encoder settings.

attention_core and lesson take no part: they act only through the values of facts, whose digests are kept, and
through the look, whose values are. So a change in the mathematics that leaves all values alone re-renders nothing.
"""

from __future__ import annotations

import ast
import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path

from lesson import Lesson
from pipeline.encoder import encoder_settings
from pipeline.files import digest_of_file
from pipeline.job import ChapterLike
from pipeline.quality import Quality

OURS = ("scenes",)
ENGINES = (
    "av",
    "fonttools",
    "manim",
    "manimpango",
    "numpy",
    "pillow",
    "pycairo",
    "scipy",
    "skia-pathops",
    "svgelements",
    "typst",
)
MAKERS = ("encoder.py", "manim_setup.py", "poster.py", "sound.py", "writer.py")
"""The modules of this package that shape a clip's bytes."""


def clip_inputs(chapter: ChapterLike, lesson: Lesson, quality: Quality) -> dict[str, str]:
    """Label to digest or version, for plan.Inputs."""
    return {
        "title": chapter.title,
        "scene": f"{chapter.module}.{chapter.class_name}",
        **{f"look.{key}": str(value) for key, value in sorted(lesson.config.look.model_dump().items())},
        **{f"encoder {key}": value for key, value in encoder_settings(quality).items()},
        **engine_versions(),
        **font_digests(),
        **{f"pipeline/{name}": source_digest(Path(__file__).with_name(name)) for name in MAKERS},
        **{label: source_digest(path) for label, path in sources(chapter.module).items()},
    }


@cache
def engine_versions() -> dict[str, str]:
    """Versions of the libraries that draw, typeset and encode, and of the Cairo library itself."""
    import cairo

    versions = {"python": ".".join(platform.python_version_tuple()[:2]), "cairo": cairo.cairo_version_string()}
    for name in ENGINES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


@cache
def font_digests() -> dict[str, str]:
    """The font files that the scenes load by path."""
    from scenes.kit.typesetting import FONT_FILES

    return {f"font {path.name}": digest_of_file(path) for path in FONT_FILES}


def source_digest(path: Path) -> str:
    """Digest of a Python source without its comments and layout; of one with a syntax error as it is."""
    return _digest(path.read_bytes())


# Kept by content, not by path, so that an edit is seen at once.
@cache
def _digest(source: bytes) -> str:
    tree = _parsed(source)
    return hashlib.sha256(source if tree is None else ast.dump(tree).encode()).hexdigest()


@cache
def _parsed(source: bytes) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):  # ValueError: null bytes
        return None


def sources(module: str) -> dict[str, Path]:
    """The module's file and, transitively, all of ours that it imports, wherever in the file that is said.

    By name, such as "scenes/kit/theme.py". scenes/__init__.py is left out: it only lists the chapters, and each
    clip has its own entry in its inputs.
    """
    found: dict[str, Path] = {}
    waiting = _with_parents(module)
    while waiting:
        name = waiting.pop()
        path = _source_of(name)
        if name in found or path is None:
            continue
        found[name] = path
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        waiting.extend(_imports(path.read_bytes(), package))
    return {_label(name, path): path for name, path in sorted(found.items()) if name not in OURS}


def _label(module: str, path: Path) -> str:
    suffix = "/__init__.py" if path.name == "__init__.py" else ".py"
    return module.replace(".", "/") + suffix


def _source_of(module: str) -> Path | None:
    """The file of a module, found without importing anything; None when there is no such module."""
    top, *rest = module.split(".")
    spec = find_spec(top)
    if spec is None or spec.origin is None:
        return None
    if not rest:
        return Path(spec.origin)
    stem = Path(spec.origin).parent.joinpath(*rest)
    candidates = (stem / "__init__.py", stem.with_suffix(".py"))
    return next((path for path in candidates if path.is_file()), None)


@cache
def _imports(source: bytes, package: str) -> frozenset[str]:
    """Names that could be modules of ours: "from a.b import c" may mean a.b.c."""
    wanted = (*OURS, package.partition(".")[0])
    names: set[str] = set()
    for node in ast.walk(_parsed(source) or ast.Module([], [])):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            names.update((base, *(f"{base}.{alias.name}" for alias in node.names)))
    ours = {name for name in names if name.partition(".")[0] in wanted}
    return frozenset(module for name in ours for module in _with_parents(name))


def _with_parents(name: str) -> list[str]:
    """a, a.b and a.b.c: whoever imports the last runs them all."""
    return list(accumulate(name.split("."), "{}.{}".format))


def _absolute(node: ast.ImportFrom, package: str) -> str:
    """The module that "from ... import" names, its leading dots resolved."""
    if node.level == 0:
        return node.module or ""
    parents = package.split(".")
    base = ".".join(parents[: len(parents) - node.level + 1])
    return f"{base}.{node.module}" if node.module else base
