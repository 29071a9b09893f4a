"""How a line is said: one spoken form for each token of its text."""

from __future__ import annotations


def spoken_words(text: str, says: tuple[tuple[str, str], ...] = ()) -> tuple[str, ...]:
    """What to say for each token (what whitespace separates) of a caption text; a form may be several words.

    `says` overrides the rules: pairs of written words, as they stand in the text, and spoken words.
    """
    raise NotImplementedError


def unspeakable(spoken: str) -> str:
    """The characters of a spoken form that the engine can't say, each once, in order."""
    raise NotImplementedError
