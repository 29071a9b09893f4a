"""Which words can be shown: what each character is, and which ones no line of type can hold."""

from __future__ import annotations

import unicodedata


def named(char: str) -> str:
    """A character by code and name: "U+202E RIGHT-TO-LEFT OVERRIDE"; itself first where it can be seen."""
    seen = f"{char} " if char.isprintable() and not is_mark(char) and not char.isspace() else ""
    return f"{seen}U+{ord(char):04X} {unicodedata.name(char, 'CONTROL CHARACTER')}"


def is_mark(char: str) -> bool:
    """Whether it is drawn onto the letter before it, as accents and variation selectors are."""
    return unicodedata.category(char).startswith("M")


def checked_word(text: str) -> str:
    """The word itself: no space, nothing invisible, and accents only as one character with their letter.

    Raises
    ------
    ValueError
        Naming each character that cannot be shown.
    """
    faults = []
    for char in dict.fromkeys(text):
        if char.isspace():
            faults.append(f"a space ({named(char)})")
        elif not char.isprintable():
            faults.append(f"the invisible {named(char)}")
        elif is_mark(char):
            faults.append(f"a mark apart from its letter ({named(char)})")
    if faults:
        raise ValueError(f"{text!r} holds {', '.join(faults)}")
    return text
