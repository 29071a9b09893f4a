"""Narration to sound and word times: engines, recordings, pronunciation, loudness."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voice.speech import SAMPLE_RATE, Speech, VoiceError

if TYPE_CHECKING:
    from voice.narrator import Timed, Voice

__all__ = ["SAMPLE_RATE", "VOICES", "Speech", "VoiceError", "narrator"]

VOICES = ("hibari", "recordings", "none")


def narrator(
    voice: str, recordings: Path, store: Path, *, paced: Callable[[Any], Timed], strict: bool = False
) -> Voice:
    """Who speaks, by name: `hibari`, or `recordings` alone; a recording of a line always comes first.

    Parameters
    ----------
    recordings, store
        Folders: the lecturer's sounds, and speech that was made once. Neither need exist.
    paced
        Times a line that nobody speaks.
    strict
        Whether a recording of an older text is an error; otherwise it is passed over.
    """
    from voice.narrator import Voice
    from voice.recordings import Recordings
    from voice.store import SpeechStore

    return Voice(voice == "hibari", Recordings(recordings), SpeechStore(store), paced, strict)
