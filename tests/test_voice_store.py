"""The speech store gives back what was put in, or nothing."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.speech import Samples
from voice.store import SpeechStore, as_stored, key_of

KEY = key_of("a line")
WORDS = ((0.05, 0.3), (0.3, 0.30000000000000004))
SOUND: Samples = np.sin(np.arange(480, dtype=np.float32))


def put_often(folder: Path) -> bool:
    store = SpeechStore(folder)
    for _ in range(20):
        store.put(KEY, SOUND, WORDS)
        found = store.get(KEY)
        if found is None or found.words != WORDS:
            return False
    return True


@given(st.lists(st.floats(-1, 1, width=32), max_size=50), st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9))))
def test_what_comes_out_is_what_putting_returned(
    tmp_path_factory: pytest.TempPathFactory, values: list[float], times: list[tuple[float, float]]
) -> None:
    store = SpeechStore(tmp_path_factory.mktemp("store"))
    samples = np.array(values, np.float32)
    put = store.put(KEY, samples, tuple(times))
    got = store.get(KEY)
    assert got is not None
    assert got.words == put.words == tuple(times)
    assert got.samples.dtype == np.float32
    np.testing.assert_array_equal(got.samples, put.samples)
    np.testing.assert_array_equal(got.samples, as_stored(got.samples))
    np.testing.assert_allclose(got.samples, samples, atol=0.5 / 32_767 + 1e-7)


def test_nothing_comes_out_of_an_empty_store(tmp_path: Path) -> None:
    assert SpeechStore(tmp_path / "not there").get(KEY) is None


def test_a_damaged_file_is_as_good_as_none(tmp_path: Path) -> None:
    store = SpeechStore(tmp_path)
    store.put(KEY, SOUND[:20], WORDS)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    for length in (0, 1, 40, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert store.get(KEY) is None
    for i in range(len(whole)):
        path.write_bytes(whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :])
        assert store.get(KEY) is None, i
    store.put(KEY, SOUND[:20], WORDS)
    assert path.read_bytes() == whole


def test_a_file_under_another_key_is_not_taken(tmp_path: Path) -> None:
    store = SpeechStore(tmp_path)
    store.put(KEY, SOUND, WORDS)
    other = key_of("another line")
    (path,) = tmp_path.iterdir()
    path.rename(tmp_path / path.name.replace(KEY, other))
    assert store.get(other) is None


def test_two_processes_may_keep_the_same_line_at_once(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert all(pool.map(put_often, [tmp_path] * 4))
    assert [path.name for path in tmp_path.iterdir()] == [f"{KEY}.speech"]


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="space"):
        SpeechStore(tmp_path).put(KEY, SOUND, WORDS)
    assert not list(tmp_path.iterdir())


def test_keys_tell_apart_where_texts_end() -> None:
    keys = {key_of("ab", "c"), key_of("a", "bc"), key_of("abc"), key_of("", "abc"), key_of("abc", "")}
    assert len(keys) == 5
    assert key_of("ab", "c") == key_of("ab", "c")
