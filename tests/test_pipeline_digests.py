"""Digests that are remembered are the digests that are."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from pipeline.digests import FileDigests


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that has rested, as far as the memory can tell."""
    monkeypatch.setattr("pipeline.digests.REST_NS", -3_600_000_000_000)
    path = tmp_path / "a.mp4"
    path.write_bytes(b"abc")
    return path


def digests(folder: Path) -> FileDigests:
    return FileDigests(folder, folder / "known.json")


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_file_that_rests_is_read_once(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = digests(old.parent)
    assert first.of(old) == sha(b"abc")
    first.save()
    monkeypatch.setattr("pipeline.digests.digest_of_file", lambda path: pytest.fail("read again"))
    assert digests(old.parent).of(old) == sha(b"abc")


def test_a_change_that_hides_its_time_and_size_shows(old: Path) -> None:
    first = digests(old.parent)
    first.of(old)
    first.save()
    before = old.stat()
    old.write_bytes(b"abd")
    os.utime(old, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert old.stat().st_mtime_ns == before.st_mtime_ns
    assert digests(old.parent).of(old) == sha(b"abd")


def test_a_file_put_in_the_place_of_another_shows(old: Path) -> None:
    first = digests(old.parent)
    first.of(old)
    first.save()
    other = old.with_name("other")
    other.write_bytes(b"abd")
    os.utime(other, ns=(old.stat().st_atime_ns, old.stat().st_mtime_ns))
    other.replace(old)
    assert digests(old.parent).of(old) == sha(b"abd")


def test_a_file_that_was_just_written_is_not_remembered(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(b"abc")
    first = digests(tmp_path)
    assert first.of(path) == sha(b"abc")
    first.save()
    assert not (tmp_path / "known.json").exists()


def test_what_is_no_file_has_no_digest(tmp_path: Path) -> None:
    assert digests(tmp_path).of(tmp_path / "missing") is None
    assert digests(tmp_path).of(tmp_path) is None


@pytest.mark.parametrize("text", ["", "[]", '{"a.mp4": 3}', '{"a.mp4": []}'])
def test_a_memory_that_says_nothing_does_not_matter(old: Path, text: str) -> None:
    (old.parent / "known.json").write_text(text, encoding="utf-8")
    assert digests(old.parent).of(old) == sha(b"abc")
