"""What a clip is made from besides facts: sources, engine versions, fonts, encoder settings, the voice.

attention_core and lesson take no part: they act through the values of facts, whose digests are kept, and through the
look, whose values are. So a change in the mathematics that leaves all values alone re-renders nothing. Only the class
of the facts acts in scenes by its code, too.
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from types import MappingProxyType

import lesson.facts
from lesson import Lesson
from pipeline.encoder_settings import encoder_settings
from pipeline.files import digest_of_file
from pipeline.job import ChapterLike
from pipeline.quality import Quality
from pipeline.sources import Sources

DRAWN_WITH = ("scenes",)
CHAPTER_LIST = "scenes/__init__.py"
"""It only lists the chapters, and each clip has its own entry in its inputs."""
MAKERS = ("pipeline.worker", "pipeline.manifest", "pipeline.captions")
"""The modules of this package that make a clip's files."""
SILENT = "none"
FACTS_CLASS = {"lesson/facts.py": Path(lesson.facts.__file__)}
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
VOICE_ENGINES = ("anyascii", "hibari-tts", "num2words", "onnxruntime", "pocketsphinx", "pyloudnorm")


def clip_inputs(
    chapter: ChapterLike,
    lesson: Lesson,
    quality: Quality,
    sources: Sources,
    voice: str = "none",
    recordings: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, str]:
    """Label to digest or version, for plan.Inputs. ``recordings`` are those of its lines: their digests by id."""
    return {
        "title": chapter.title,
        "scene": f"{chapter.module}.{chapter.class_name}",
        **{f"look.{key}": str(value) for key, value in sorted(lesson.config.look.model_dump().items())},
        **{f"encoder {key}": value for key, value in encoder_settings(quality).items()},
        **engine_versions(),
        **font_digests(),
        **maker_digests(sources, MAKERS, voice),
        **{label: sources.digest(path) for label, path in FACTS_CLASS.items()},
        **_drawing(chapter, sources),
        **_speaking(lesson, sources, voice, recordings),
    }


def maker_digests(sources: Sources, makers: Sequence[str], voice: str) -> dict[str, str]:
    """The sources of these modules with all of ours that they import: of this package, and for a voice of its own."""
    ours = ("pipeline",) if voice == SILENT else ("pipeline", "voice")
    return {label: digest for maker in makers for label, digest in sources.digests_of(maker, ours).items()}


def _drawing(chapter: ChapterLike, sources: Sources) -> dict[str, str]:
    found = sources.digests_of(chapter.module, DRAWN_WITH)
    found.pop(CHAPTER_LIST, None)
    return found


def _speaking(lesson: Lesson, sources: Sources, voice: str, recordings: Mapping[str, str]) -> dict[str, str]:
    """The voice, the versions of its engines, its word lists, and the recordings."""
    if voice == SILENT:
        return {"voice": voice}
    sounds = {f"recording {line}": digest for line, digest in recordings.items()}
    package = sources.of("voice", ("voice",))["voice/__init__.py"].parent
    words = {f"voice/{path.name}": digest_of_file(path) for path in sorted(package.glob("*.toml"))}
    words |= {f"pronunciation of {word}": said for word, said in lesson.config.pronunciation.items()}
    return {"voice": voice, **_versions(VOICE_ENGINES), **words, **sounds}


@cache
def engine_versions() -> dict[str, str]:
    """Versions of the libraries that draw, typeset and encode, and of the Cairo and Pango libraries themselves."""
    import cairo

    return {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "cairo": cairo.cairo_version_string(),
        "pango": _pango_version(),
        **_versions(ENGINES),
    }


def _pango_version() -> str:
    """Of the Pango that manimpango is linked to; asked there, since importing manimpango takes 40 to 80 ms."""
    package = Path(str(distribution("manimpango").locate_file("manimpango")))
    (linked,) = package.glob("cmanimpango.*.so")
    ask = ctypes.CDLL(str(linked)).pango_version_string
    ask.restype = ctypes.c_char_p
    told: bytes = ask()
    return told.decode()


@cache
def _versions(packages: tuple[str, ...]) -> dict[str, str]:
    """The installed versions; a package that isn't there has none."""
    found = {}
    for name in packages:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


@cache
def font_digests() -> dict[str, str]:
    """The font files that the scenes load by path."""
    from scenes.kit.typesetting import FONT_FILES

    return {f"font {path.name}": digest_of_file(path) for path in FONT_FILES}
