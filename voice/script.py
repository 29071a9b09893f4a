"""The narration as a reading script: Markdown to read aloud from, CSV for spreadsheets and for reading back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

COLUMNS = ("line id", "chapter", "text", "expected seconds")

TO_RECORD, RECORDED, OUTDATED = "to record", "recorded", "outdated: record again"

_FORMULA = re.compile(r"'*[=+\-@\t\r]")  # how a cell begins that a spreadsheet would compute
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~&])|^([-+]|\d+[.)])(?= )")
_NUMBER = re.compile(r"\d[\d.,]*")
_ENDS = ".,;:?!“” "  # what a word in a hint is without
_INLINE = re.compile(r"\[([^\]]*)\]\(/[^)]*/\)")  # a spoken word with its phonemes


class ScriptError(Exception):
    """A file is no reading script."""


@dataclass(frozen=True)
class Entry:
    """A line to read: its expected length in s, the spoken form of each of its words, and its state."""

    id: str
    text: str
    seconds: float
    spoken: tuple[str, ...]
    state: str = TO_RECORD


Chapters = Sequence[tuple[str, Sequence[Entry]]]
"""Title and lines of each chapter."""


def as_csv(chapters: Chapters) -> str:
    """One row a line.

    A text that a spreadsheet would take for a formula gets an apostrophe before it; `texts_of` takes it away.
    """
    output = io.StringIO(newline="")
    writer = csv.writer(output)
    writer.writerow(COLUMNS)
    for title, entries in chapters:
        for entry in entries:
            writer.writerow((entry.id, _no_formula(title), _no_formula(entry.text), f"{entry.seconds:.1f}"))
    return output.getvalue()


def texts_of(table: str) -> Mapping[str, str]:
    """The texts by line id, from such a CSV, also when a spreadsheet has saved it with semicolons or tabs.

    Raises
    ------
    ScriptError
        There are no columns of ids and texts.
    """
    header = table.partition("\n")[0]
    delimiter = next((each for each in ",;\t" if each in header), ",")
    rows = csv.DictReader(io.StringIO(table, newline=""), delimiter=delimiter)
    key, text = COLUMNS[0], COLUMNS[2]
    if not {key, text} <= set(rows.fieldnames or ()):
        raise ScriptError(f'it has no columns "{key}" and "{text}"')
    try:
        return {row[key]: _as_written(row[text] or "") for row in rows if row[key]}
    except csv.Error as error:
        raise ScriptError(str(error)) from error


def _no_formula(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def _as_written(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def as_markdown(title: str, chapters: Chapters, folder: str) -> str:
    """The script to read aloud from; recordings go into `folder`."""
    entries = [entry for _, of_chapter in chapters for entry in of_chapter]
    seconds = round(sum(entry.seconds for entry in entries))
    states = ", ".join(f"{sum(entry.state == state for entry in entries)} {state}" for state in _seen(entries))
    parts = [
        f"# {_escaped(title)}: reading script",
        f"{len(entries)} lines, about {seconds // 60}:{seconds % 60:02} of speech: {states}.",
        "\n".join(
            (
                f"- One file a line, named by its id: `{folder}/<line id>.wav` (or flac, mp3, m4a; mono or stereo).",
                "- A quiet room, one distance from the microphone; half a second of silence before and after.",
                "- Read what is written, at your own pace: pictures and captions follow you.",
                "- Silence is trimmed and loudness matched; a line without a file is spoken by the engine.",
            )
        ),
    ]
    for heading, of_chapter in chapters:
        parts.append(f"## {_escaped(heading)}")
        parts += [_paragraph(entry) for entry in of_chapter]
    return "\n\n".join(parts) + "\n"


def _seen(entries: Iterable[Entry]) -> list[str]:
    return sorted({entry.state for entry in entries})


def _paragraph(entry: Entry) -> str:
    details = [f"`{entry.id}`", f"{entry.seconds:.1f} s", entry.state, *_hints(entry)]
    return f"{_escaped(entry.text)}\\\n<sub>{' · '.join(details)}</sub>"


def _hints(entry: Entry) -> list[str]:
    """How to say the words that aren't said as they are written; anyone can say a plain number."""
    words = (token.strip(_ENDS) or token for token in entry.text.split())
    said = (_INLINE.sub(r"\1", form).strip(_ENDS) for form in entry.spoken)
    return [
        f"{_escaped(word)}: *{_escaped(form)}*"
        for word, form in dict.fromkeys(zip(words, said, strict=True))
        if _letters(word) != _letters(form) and not _NUMBER.fullmatch(word)
    ]


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKUP.sub(lambda match: f"\\{match[1]}" if match[1] else f"{match[2][:-1]}\\{match[2][-1]}", text)
