"""The lecturer's own voice: sound files named after lines, and which text each was recorded for.

A folder holds one sound a line, `en/<line id>.wav` (or flac, mp3, m4a). `en/recorded.json` keeps for each the text it
was recorded for, so that a later change of the line is noticed. A sound that is not in it yet was recorded for what
`en/script.csv` says, or for the line as it is.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from voice.alignment import Alignment, align
from voice.script import ScriptError, texts_of
from voice.silence import Samples
from voice.sound_file import SoundError, read_sound
from voice.speech import SAMPLE_RATE, Line, Times, VoiceError
from voice.spoken import spoken_words

LANGUAGE = "en"
SUFFIXES = (".wav", ".flac", ".mp3", ".m4a")
REGISTER, SCRIPT = "recorded.json", "script.csv"

_QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’", "'"))


@dataclass(frozen=True)
class Take:
    """A recording of a line; its sound is decoded when it is first asked for.

    ``digest`` is the SHA-256 of the file. ``recorded_for`` is the text it was recorded for; the take is outdated when
    the line says something else by now.
    """

    line: Line
    path: Path
    digest: str
    recorded_for: str

    @property
    def outdated(self) -> bool:
        return not same_words(self.recorded_for, self.line.text)

    @cached_property
    def samples(self) -> Samples:
        """float32 [n] at 48 kHz, trimmed and levelled.

        Raises
        ------
        VoiceError
            The file can't be decoded, holds no sound, or is no longer what it was when the build began.
        """
        content = _content(self.path)
        if _digest(content) != self.digest:
            raise VoiceError(f"{self.path} changed while it was used: build again")
        try:
            return read_sound(content)
        except SoundError as error:
            raise VoiceError(f"{self.path}: {error}; record it again, or delete it") from error

    @cached_property
    def alignment(self) -> Alignment:
        for announced in (False, True):  # a reader may say what is written, or "the word it" as the engine does
            forms = spoken_words(self.line.text, self.line.says, announced=announced)
            found = align(self.samples, SAMPLE_RATE, forms)
            if not found.note:
                break
        return found

    @property
    def words(self) -> Times:
        """Start and end of each word of the text, s."""
        return self.alignment.words

    @property
    def note(self) -> str:
        """What the lecturer should know of this take; "" when all is well."""
        return f"{self.path}: {self.alignment.note}" if self.alignment.note else ""


class Recordings:
    """What lies in a recordings folder, as it was when first looked at.

    Raises
    ------
    VoiceError
        From any method: two sounds of one line, or a register or a script that can't be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / LANGUAGE
        self._file_digests: dict[str, str] = {}

    def find(self, line: Line) -> Take | None:
        """The line's recording, current or outdated; None without one."""
        path = self._sounds.get(line.id)
        if path is None:
            return None
        return Take(line, path, self._file_digest(line.id), self._recorded_for(line.id, line.text))

    @property
    def ids(self) -> Collection[str]:
        """The lines that are recorded, or what the files' names say of them."""
        return self._sounds.keys()

    @property
    def new(self) -> Collection[str]:
        """Those that no build has noted yet."""
        return [key for key in self._sounds if not self._is_registered(key)]

    @property
    def digests(self) -> Mapping[str, str]:
        """What a clip depends on for each recorded line: its file, and the text that it is known to be recorded for."""
        return {
            key: _digest(repr((self._file_digest(key), self._recorded_for(key, ""))).encode()) for key in self._sounds
        }

    def outdated(self, texts: Mapping[str, str]) -> list[str]:
        """A message for each line whose recording says something else; `texts` are the lines' by id."""
        return [
            outdated_message(key, self._sounds[key], old, texts[key])
            for key in self._sounds
            if key in texts and not same_words(old := self._recorded_for(key, texts[key]), texts[key])
        ]

    def strays(self, ids: Collection[str]) -> list[str]:
        """A message for each sound that belongs to no line."""
        return [_stray_message(path, ids) for key, path in self._sounds.items() if key not in ids]

    def register(self, texts: Mapping[str, str]) -> str:
        """Note for which texts new sounds were recorded; `texts` are the lines' by id.

        Returns "", or one line when the folder can't be written.
        """
        new = {
            key: {"sound": self._file_digest(key), "text": self._recorded_for(key, texts[key])}
            for key in self.new
            if key in texts
        }
        if not new:
            return ""
        register = self.folder / REGISTER
        try:
            _write(register, dict(sorted({**self._register, **new}.items())))
        except OSError as error:
            return f"{register}: {error.strerror}: a later change of a recorded line will go unnoticed"
        self.__dict__.pop("_register")  # to be read anew
        return ""

    def _recorded_for(self, key: str, otherwise: str) -> str:
        if self._is_registered(key):
            return self._register[key]["text"]
        return self._script.get(key, otherwise)

    def _is_registered(self, key: str) -> bool:
        return self._register.get(key, {}).get("sound") == self._file_digest(key)

    def _file_digest(self, key: str) -> str:
        if key not in self._file_digests:
            self._file_digests[key] = _digest(_content(self._sounds[key]))
        return self._file_digests[key]

    @cached_property
    def _sounds(self) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for path in sorted(self.folder.iterdir()) if self.folder.is_dir() else ():
            if path.suffix.lower() not in SUFFIXES or path.name.startswith("."):
                continue
            if path.stem in found:
                raise VoiceError(f"{path.stem} has two recordings, {found[path.stem]} and {path.name}: delete one")
            found[path.stem] = path
        return found

    @cached_property
    def _register(self) -> dict[str, dict[str, str]]:
        path = self.folder / REGISTER
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise VoiceError(f"{path} can't be read ({error}): mend or delete it") from error
        if not isinstance(data, dict) or not all(map(_is_entry, data.values())):
            raise VoiceError(f'{path}: every line needs its "sound" and "text": mend or delete it')
        return data

    @cached_property
    def _script(self) -> Mapping[str, str]:
        path = self.folder / SCRIPT
        try:
            return texts_of(path.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, ScriptError) as error:
            raise VoiceError(
                f"{path} can't be read ({error}): delete it, or write it anew with the command script"
            ) from error


def same_words(one: str, other: str) -> bool:
    """Whether a recording of one text serves for the other: white space, letter case and the shape of quotes apart."""
    return _plain(one) == _plain(other)


def outdated_message(key: str, path: Path, old: str, new: str) -> str:
    """What the lecturer is told of a line that has changed since it was recorded."""
    return (
        f"{key}: {path} was recorded for “{old}”, but the line is “{new}” now: record it again, or, if it still fits, "
        f"delete its entry in {path.with_name(REGISTER)} and run the command script"
    )


def _stray_message(path: Path, ids: Collection[str]) -> str:
    near = difflib.get_close_matches(path.stem, sorted(ids), n=1, cutoff=0)
    return f"{path} belongs to no line" + (f"; the nearest: {near[0]}" if near else "")


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(_QUOTES).casefold().split())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise VoiceError(f"{path} can't be read: {error.strerror}") from error


def _is_entry(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("sound"), str) and isinstance(value.get("text"), str)


def _write(path: Path, data: object) -> None:
    """JSON through a temporary sibling and a rename."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        partial.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
