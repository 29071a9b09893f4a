"""Fixtures for tests of the pipeline."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, settings
from workshop import Workshop

from lesson import DEFAULT_LESSON, Lesson, load
from pipeline.encoder import ClipEncoder
from pipeline.quality import Quality

# The same examples in every run, however busy the machine is. Others, and more: --hypothesis-profile=search
settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", settings.get_profile("suite"), derandomize=False, max_examples=1000)
settings.load_profile("suite")

TINY = Quality("t", 64, 36, 15)
"""Small enough that a test's clip costs a few milliseconds."""

Picture = npt.NDArray[np.uint8]


@pytest.fixture(scope="session")
def shipped_lesson() -> Lesson:
    """The lesson as it is shipped."""
    return load(DEFAULT_LESSON)


@pytest.fixture
def tiny() -> Quality:
    return TINY


@pytest.fixture
def picture() -> Callable[..., Picture]:
    """A function that makes an opaque picture of one colour: uint8 [height, width, 4]."""

    def make(red: int = 17, green: int = 20, blue: int = 27, quality: Quality = TINY) -> Picture:
        pixels = np.empty((quality.height, quality.width, 4), np.uint8)
        pixels[...] = (red, green, blue, 255)
        return pixels

    return make


@pytest.fixture
def write_clip(picture: Callable[..., Picture]) -> Callable[..., Path]:
    """A function that writes a clip of so many frames, a new grey each, and returns its path."""

    def write(path: Path, frames: int, quality: Quality = TINY, keys: tuple[int, ...] = ()) -> Path:
        encoder = ClipEncoder(path, quality)
        for index in range(frames):
            if index in keys:
                encoder.force_key_frame()
            grey = 40 + 7 * index % 160
            encoder.write(picture(grey, grey, grey, quality))
        encoder.finish()
        return path

    return write


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny: Quality, shipped_lesson: Lesson) -> Workshop:
    film = tmp_path / "film"
    film.mkdir()
    for name in ("__init__.py", "b.py"):
        (film / name).write_text("", encoding="utf-8")
    (film / "kit.py").write_text("SIZE = 1\n", encoding="utf-8")
    for name in ("a.py", "c.py"):
        (film / name).write_text("from film import kit\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return Workshop(film, tmp_path / "media", tiny, shipped_lesson)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """A function that writes a file of the package "film", which can be found but not imported."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write_(name: str, text: str) -> None:
        path = tmp_path / "film" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    write_("__init__.py", "raise RuntimeError('nothing of this is run')\n")
    write_("kit/__init__.py", "from .theme import *\n")
    write_("kit/theme.py", "GREY = 1\n")
    write_("kit/unused.py", "BLUE = 2\n")
    write_("late.py", "import film.deep.inner\n")
    write_("deep/__init__.py", "")
    write_("deep/inner.py", "from .. import sibling\nfrom ...beyond import nothing\n")
    write_("sibling.py", "import numpy\n")
    write_("a.py", "import os\nfrom film.kit import GREY\n\ndef f():\n    from film import late\n")
    return write_
