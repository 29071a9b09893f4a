"""Speech that was made once: one file a line, named by what it was made from, safe to delete at any time."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from voice.speech import Samples, Times

_FULL = 32_767  # of 16-bit samples
_DIGEST = hashlib.sha256().digest_size


@dataclass(frozen=True)
class Stored:
    """A line's samples (16 bits' worth, so that they are the same before and after storing) and its words' times."""

    samples: Samples
    words: Times


@dataclass(frozen=True)
class SpeechStore:
    """The files of a folder. Several processes may use it at once."""

    folder: Path

    def get(self, key: str) -> Stored | None:
        """What stands under a key; None when nothing does, or something damaged."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None
        digest, body = content[:_DIGEST], content[_DIGEST:]
        if hashlib.sha256(key.encode() + body).digest() != digest:
            return None
        head, _, pcm = body.partition(b"\n")
        words = tuple((start, end) for start, end in json.loads(head))
        return Stored(np.frombuffer(pcm, "<i2").astype(np.float32) / np.float32(_FULL), words)

    def put(self, key: str, samples: Samples, words: Times) -> Stored:
        """Keep a line under a key, whole or not at all, and return it as `get` will.

        Parameters
        ----------
        samples
            float32 [n], within [-1, 1].
        """
        stored = Stored(as_stored(samples), words)
        body = json.dumps(words).encode() + b"\n" + (stored.samples * _FULL).round().astype("<i2").tobytes()
        path = self._path(key)
        partial = path.with_name(f".{key}.{os.getpid()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(hashlib.sha256(key.encode() + body).digest() + body)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
        return stored

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.speech"


def as_stored(samples: Samples) -> Samples:
    """Samples [n] as they come out of the store: rounded to 16 bits."""
    return (np.clip(samples, -1, 1) * _FULL).round().astype(np.float32) / np.float32(_FULL)


def key_of(*parts: str) -> str:
    """SHA-256, hex, of texts with their lengths, so that no two lists of texts run together."""
    return hashlib.sha256(b"".join(b"%d:%s" % (len(part.encode()), part.encode()) for part in parts)).hexdigest()
