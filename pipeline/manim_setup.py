"""Manim's global configuration, set by the pipeline alone: nothing of the current folder or the user takes part."""

from __future__ import annotations

import configparser
import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.quality import Quality

if TYPE_CHECKING:
    from manim._config.utils import ManimConfig


def configure_manim(quality: Quality, scratch: Path) -> None:
    """Put Manim's configuration to the library's defaults and then to ours; ``scratch`` takes what Manim caches.

    A manim.cfg is kept out both when Manim is first imported (its plug-ins and its console are set up then) and
    afterwards.
    """
    with _nothing_configured(scratch):
        import manim
    manim.config.update(_library_defaults())
    for key, value in manim_settings(quality, scratch).items():
        manim.config[key] = value


def manim_settings(quality: Quality, scratch: Path) -> dict[str, Any]:
    """Every setting of ours that differs from the library's defaults; lengths in Manim's units."""
    return {
        "pixel_width": quality.width,
        "pixel_height": quality.height,
        "frame_rate": quality.fps,
        "frame_height": 8.0,
        "frame_width": 8.0 * 16 / 9,
        "background_opacity": 1.0,
        "format": "mp4",
        "disable_caching": True,
        "disable_caching_warning": True,
        "media_dir": str(scratch),
        "assets_dir": str(scratch),
        "progress_bar": "none",
        "notify_outdated_version": False,
        "verbosity": "ERROR",
        "seed": 0,
    }


def _library_defaults() -> ManimConfig:
    from manim._config.utils import ManimConfig, config_file_paths

    library_file = config_file_paths()[0]
    parser = configparser.ConfigParser()
    parser.read(library_file, encoding="utf-8")
    return ManimConfig().digest_parser(parser)


@contextlib.contextmanager
def _nothing_configured(empty: Path) -> Iterator[None]:
    """Stand in an empty folder that is also the home: Manim looks in both for manim.cfg when imported."""
    home = os.environ.get("HOME")
    with contextlib.chdir(empty):
        os.environ["HOME"] = str(empty)
        try:
            yield
        finally:
            if home is None:
                del os.environ["HOME"]
            else:
                os.environ["HOME"] = home
