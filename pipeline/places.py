"""Whether finished files can take their places: found out before hours of rendering, not after."""

from __future__ import annotations

import os
from pathlib import Path

from pipeline.lock import MediaError
from pipeline.studio import Studio


def check_places(studio: Studio) -> None:
    """Make the folders that files will appear in. MediaError, one line, when something stands in the way."""
    layout = studio.layout
    for folder in (*layout.folders, layout.store):
        _check_folder(folder)
    clips = [path for chapter in studio.chapters for path in layout.clip(chapter.name).all]
    for path in (*layout.lesson_files, *clips, *map(layout.made, [chapter.name for chapter in studio.chapters])):
        if path.is_dir():
            raise MediaError(f"{path}: is a folder, and a file must stand there; move it away")


def _check_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise MediaError(f"{folder}: is no folder, and one must stand there; move it away") from None
    except OSError as error:
        raise MediaError(f"{folder}: can't be made: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise MediaError(f"{folder}: can't be written; allow it, or give another --media")
