"""One change at a time: the clips that are rendered again are those whose pictures a cold build shows to be others.

A copy of the project with small chapters, one for each group of facts, is changed and built at a tiny size. Each
chapter's picture follows its facts to the last bit.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import font_source_sans_pro
import pytest
from fontTools.ttLib import TTFont
from mp4_boxes import opened

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
PACKAGES = ("attention_core", "lesson", "pipeline", "scenes", "voice")
GROUPS = ("opening", "worked_example", "practice", "stability", "spread", "sequence", "multi_head", "paper")
NAMES = (*GROUPS, "plain")

CHAPTER = '''
from hashlib import sha256
from manim import Square
from scenes.kit import size
from scenes.kit.labels import words
from scenes.kit.scene import LessonScene

GROUP = "{group}"


class {class_name}(LessonScene):
    """Says what it shows."""

    def construct(self) -> None:
        self.beats(self.show)

    def show(self) -> None:
        keys = [key for key in self.lesson.facts.keys() if GROUP and key.startswith(GROUP)]
        values = [repr(self.facts[key].value.tolist() if hasattr(self.facts[key].value, "tolist") else
                       self.facts[key].value) for key in keys if GROUP != "multi_head." or ".paper." not in key]
        colour = "#" + sha256(repr(values).encode()).hexdigest()[:6]
        self.add(Square(size.SIDE, fill_color=colour, fill_opacity=1, stroke_width=0).shift([-3, 0, 0]))
        self.add(words("animal", em=200).shift([2, 0, 0]))
        self.hold(2)
'''

RUNNER = """
import importlib.metadata, os, sys
if os.environ.get("ENGINE"):
    true = importlib.metadata.version
    importlib.metadata.version = lambda name: "9.9" if name == "manim" else true(name)
    import manim
    start = manim.Square.__init__
    manim.Square.__init__ = lambda self, side=2.0, **kwargs: start(self, side * 0.9, **kwargs)
from pipeline.quality import QUALITIES, Quality
QUALITIES["t"] = Quality("t", 192, 108, 15)
if __name__ == "__main__":
    from pipeline.cli import main
    sys.exit(main(["-q", "t", "--voice", "none", *sys.argv[1:]]))
"""


@dataclass
class Project:
    """A copy of the project that may be changed."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)

    def edit(self, name: str, change: Callable[[str], str]) -> None:
        path = self.root / name
        before = path.read_text(encoding="utf-8")
        after = change(before)
        assert after != before, name
        path.write_text(after, encoding="utf-8")

    def replace(self, name: str, old: str, new: str) -> None:
        self.edit(name, lambda text: text.replace(old, new, 1))

    def build(self, media: str) -> set[str]:
        """Build, and the clips that were rendered."""
        done = subprocess.run(
            [sys.executable, "runner.py", "--media", media, "--jobs", "1"],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root), **self.environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return set(re.findall(r"^(\w+): done", done.stdout, re.MULTILINE))

    def pictures(self, media: str) -> dict[str, str]:
        """A digest of each clip's decoded frames."""
        found = {}
        for path in sorted((self.root / media / "108p15" / "clips").glob("*.mp4")):
            with opened(path) as container:
                frames = b"".join(frame.to_ndarray().tobytes() for frame in container.decode(video=0))
            found[path.stem] = hashlib.sha256(frames).hexdigest()
        return found

    def files(self, media: str) -> dict[str, bytes]:
        folder = self.root / media / "108p15"
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The unchanged project, built once."""
    root = tmp_path_factory.mktemp("matrix") / "project"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    for chapter in (root / "scenes").glob("[!_]*.py"):
        chapter.unlink()
    shutil.copy(ROOT / "lesson.toml", root)
    (root / "runner.py").write_text(RUNNER, encoding="utf-8")
    (root / "scenes" / "kit" / "size.py").write_text("SIDE = 4\n", encoding="utf-8")
    prefixes = {"paper": "multi_head.paper.", "plain": ""}
    for name in NAMES:
        class_name = "".join(part.capitalize() for part in name.split("_"))
        text = CHAPTER.format(group=prefixes.get(name, f"{name}."), class_name=class_name)
        (root / "scenes" / f"{name}.py").write_text(text, encoding="utf-8")
    entries = "".join(f"    Chapter({name!r}, {name!r}),\n" for name in NAMES)
    listed = f"CHAPTERS: tuple[Chapter, ...] = (\n{entries})\n"
    project = Project(root)
    project.edit("scenes/__init__.py", lambda text: re.sub(r"CHAPTERS: .*?\n\)\n", listed, text, flags=re.S))
    assert project.build("media") == set(NAMES)
    return project


@pytest.fixture
def project(built: Project, tmp_path: Path) -> Project:
    """A copy of the built project."""
    root = tmp_path / "project"
    shutil.copytree(built.root, root)
    return Project(root)


def other_font(project: Project) -> None:
    """The package of the typeface with every "a" drawn as an "o"."""
    package = project.root / "font_source_sans_pro"
    shutil.copytree(Path(font_source_sans_pro.__file__).parent, package)
    path = package / "files" / "SourceSansPro-Regular.otf"
    font = TTFont(path)
    glyphs = font["CFF "].cff.topDictIndex[0].CharStrings
    glyphs["a"] = glyphs["o"]
    font.save(path)


def toml(old: str, new: str) -> Callable[[Project], None]:
    return lambda project: project.replace("lesson.toml", old, new)


def code(name: str, old: str, new: str) -> Callable[[Project], None]:
    return lambda project: project.replace(name, old, new)


def added(name: str, text: str) -> Callable[[Project], None]:
    return lambda project: project.edit(name, lambda before: before + text)


def engine(project: Project) -> None:
    project.environment["ENGINE"] = "yes"


CHANGES: dict[str, tuple[Callable[[Project], None], set[str]]] = {
    "look": (toml('theme = "dark"', 'theme = "light"'), set(NAMES)),
    "opening": (toml("noun = 3.5, animate = 3.5", "noun = 3.5, animate = 3.4"), {"opening"}),
    "worked_example": (toml("query = [1, 0]", "query = [1, 0.01]"), {"worked_example"}),
    "practice": (toml("query = [0, 2]", "query = [0, 1.99]"), {"practice"}),
    "stability": (toml("1002]", "1003]"), {"stability"}),
    "spread": (toml("seed = 52", "seed = 53"), {"spread"}),
    "sequence": (toml("seed = 0", "seed = 3"), {"sequence", "multi_head"}),
    "multi_head": (toml("seed = 1", "seed = 2"), {"multi_head"}),
    "multi_head.paper": (toml("d_model = 512", "d_model = 1024"), {"paper"}),
    "a comment in a scene": (added("scenes/plain.py", "\n\n# A remark.\n"), set()),
    "a docstring in a scene": (code("scenes/plain.py", "Says what it shows.", "Shows it."), set()),
    "a real change in a scene": (code("scenes/plain.py", "[-3, 0, 0]", "[-2, 0, 0]"), {"plain"}),
    "the kit": (code("scenes/kit/size.py", "4", "3"), set(NAMES)),
    "the theme": (lambda project: project.edit("scenes/kit/theme.py", _darker), set(NAMES)),
    "the core, all values alike": (added("attention_core/softmax.py", "\n\ndef unused() -> None:\n    pass\n"), set()),
    "the core, one value": (code("attention_core/spread.py", "+ 3) / (2 *", "+ 4) / (2 *"), {"spread"}),
    "an engine": (engine, set(NAMES)),
    "a font": (other_font, set(NAMES)),
}  # fmt: skip


def _darker(text: str) -> str:
    """The first colour of the dark theme, another."""
    return re.sub(r'"#11141B"', '"#21141B"', text, count=1)


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_rendered_is_what_looks_different(project: Project, name: str) -> None:
    change, expected = CHANGES[name]
    before = project.pictures("media")
    change(project)
    rendered = project.build("media")
    assert project.build("cold") == set(NAMES)
    cold = project.pictures("cold")
    different = {clip for clip in NAMES if cold[clip] != before[clip]}
    assert rendered == different == expected
    assert project.files("media") == project.files("cold") or not expected
