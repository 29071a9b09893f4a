"""Audits chapters side by side, each in a worker process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from lesson import Lesson
from pipeline.audit.finding import Finding
from pipeline.job import ChapterLike, VoiceOrders
from pipeline.lines import Part, RehearsalFailed
from pipeline.manim_setup import configure_manim
from pipeline.pool import each_in_a_process
from pipeline.rehearsal import SMALL
from pipeline.sound import speaker
from voice import VoiceError


def audit(
    chapters: Sequence[ChapterLike], lesson: Lesson, voice: VoiceOrders, jobs: int, pictures: Path | None = None
) -> Iterator[list[Finding]]:
    """What is wrong with each chapter, in their order, as soon as it is known; frames go to the folder `pictures`.

    Raises
    ------
    VoiceError
        A line can't be spoken.
    RehearsalFailed
        A chapter can't be played.
    """
    parts = [Part(each.name, each.module, each.class_name, lesson, voice) for each in chapters]
    yield from each_in_a_process(partial(audit_part, pictures=pictures), parts, jobs)


def audit_part(part: Part, pictures: Path | None) -> list[Finding]:
    """Audit a chapter in this process; raises as `audit`."""
    with TemporaryDirectory() as scratch:
        configure_manim(SMALL, Path(scratch))
    from pipeline.audit.clip import audited  # imports Manim, which has to be configured first

    try:
        scene_type = getattr(import_module(part.module), part.class_name)
        return audited(scene_type, part.lesson, speaker(part.voice), pictures)
    except VoiceError:
        raise
    except Exception as error:
        raise RehearsalFailed(f"{part.name}: {type(error).__name__}: {error}") from error
