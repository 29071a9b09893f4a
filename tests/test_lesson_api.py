"""Fact, Facts and FactReader: keys that stay, values that cannot change, digests that tell."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from lesson import DEFAULT_LESSON, Fact, FactReader, Facts, Lesson, UnknownFactError, load


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return load()


@pytest.fixture
def facts() -> Facts:
    return Facts(
        {
            "a.matrix": np.arange(6.0).reshape(2, 3),
            "a.count": 3,
            "a.ratio": np.float64(0.25),
            "a.on": True,
            "a.word": "it",
            "a.words": ("The", "animal"),
            "a.inner.mask": np.array([True, False]),
        }
    )


# ---------------------------------------------------------------- Fact


def test_indexing_keeps_the_key(facts: Facts) -> None:
    matrix = facts["a.matrix"]
    assert (matrix[1, 2].key, matrix[1, 2].value) == ("a.matrix[1,2]", 5.0)
    assert (matrix[1][2].key, matrix[1][2].value) == ("a.matrix[1,2]", 5.0)
    assert matrix[1].key == "a.matrix[1]"
    np.testing.assert_array_equal(matrix[1].value, [3, 4, 5])
    assert matrix[-1, -3].key == "a.matrix[1,0]"
    assert (facts["a.words"][1].key, facts["a.words"][1].value) == ("a.words[1]", "animal")
    assert matrix[int(np.int64(0))].key == "a.matrix[0]"


def test_iteration_length_and_shape(facts: Facts) -> None:
    assert [row.key for row in facts["a.matrix"]] == ["a.matrix[0]", "a.matrix[1]"]
    assert [str(word) for word in facts["a.words"]] == ["The", "animal"]
    assert (len(facts["a.matrix"]), facts["a.matrix"].shape) == (2, (2, 3))
    assert (len(facts["a.words"]), facts["a.words"].shape) == (2, (2,))
    assert facts["a.count"].shape == ()


def test_values_are_plain(facts: Facts) -> None:
    assert type(facts["a.ratio"].value) is float
    assert type(facts["a.matrix"][0, 0].value) is float
    assert type(facts["a.inner.mask"][0].value) is bool
    assert type(Fact("n", np.int32(3)).value) is int
    assert type(Fact("n", np.array(3)).value) is int
    assert Fact("n", ["a", "b"]).value == ("a", "b")
    assert Fact("n", np.array([0.5], dtype=np.float32)).value.dtype == np.float64


def test_scalars_convert_and_nothing_else_does(facts: Facts) -> None:
    assert (float(facts["a.ratio"]), float(facts["a.count"]), int(facts["a.count"])) == (0.25, 3.0, 3)
    assert (str(facts["a.word"]), str(facts["a.count"]), bool(facts["a.on"])) == ("it", "3", True)
    for convert, key in [
        (float, "a.word"),
        (float, "a.on"),
        (float, "a.matrix"),
        (int, "a.ratio"),
        (int, "a.on"),
        (str, "a.matrix"),
        (str, "a.words"),
        (bool, "a.count"),
        (bool, "a.matrix"),
        (len, "a.count"),
    ]:
        with pytest.raises(TypeError, match=key):
            convert(facts[key])  # type: ignore[operator]


def test_no_arithmetic_and_no_rounding(facts: Facts) -> None:
    with pytest.raises(TypeError):
        facts["a.ratio"] + 1  # type: ignore[operator]
    with pytest.raises(TypeError):
        facts["a.ratio"] < 1  # type: ignore[operator]  # noqa: B015
    with pytest.raises(TypeError):
        f"{facts['a.ratio']:.2f}"


@pytest.mark.parametrize("index", [2, -3, (0, 3), (0, 0, 0), ()])
def test_wrong_indices_name_the_key(facts: Facts, index: int | tuple[int, ...]) -> None:
    with pytest.raises(IndexError, match=r"a\.matrix has"):
        facts["a.matrix"][index]


def test_slices_are_refused(facts: Facts) -> None:
    with pytest.raises(TypeError):
        facts["a.matrix"][0:1]  # type: ignore[index]


def test_a_fact_cannot_change(facts: Facts) -> None:
    matrix = facts["a.matrix"]
    with pytest.raises(ValueError, match="read-only"):
        matrix.value[0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        matrix[0].value[0] = 1
    with pytest.raises(AttributeError, match="cannot be changed"):
        matrix._value = 1
    with pytest.raises(AttributeError):
        setattr(matrix, "key", "other")  # noqa: B010
    with pytest.raises(AttributeError, match="cannot be changed"):
        del matrix._value
    with pytest.raises(AttributeError, match="cannot be changed"):
        facts._facts = {}


def test_a_fact_is_independent_of_the_array_it_was_made_from() -> None:
    array = np.zeros(2)
    fact = Fact("a", array)
    array[0] = 9
    assert fact[0].value == 0
    assert array.flags.writeable


@pytest.mark.parametrize("value", [np.nan, np.inf, np.array([1, -np.inf]), np.array([np.nan])])
def test_only_finite_numbers_are_facts(value: object) -> None:
    with pytest.raises(ValueError, match=r"fact a .*finite"):
        Fact("a", value)


@pytest.mark.parametrize("value", [None, 1j, np.array(["a"]), {"a": 1}, (1, 2), np.array([1j])])
def test_other_kinds_are_no_facts(value: object) -> None:
    with pytest.raises(TypeError, match="fact a cannot be"):
        Fact("a", value)


def test_there_is_no_negative_zero() -> None:
    assert str(Fact("a", -0.0)) == "0.0"
    assert np.signbit(Fact("a", np.array([-0.0, -1.0])).value).tolist() == [False, True]


# ---------------------------------------------------------------- Facts


def test_unknown_key_names_the_nearest(facts: Facts) -> None:
    with pytest.raises(UnknownFactError, match=r"no fact is called 'a\.matrx'; nearest: a\.matrix"):
        facts["a.matrx"]
    with pytest.raises(KeyError):
        facts["nothing like it"]


def test_keys_are_sorted_and_complete(facts: Facts) -> None:
    assert facts.keys() == tuple(sorted(facts.keys())) == tuple(facts)
    assert len(facts) == 7
    assert "a.word" in facts
    assert "a.inner" not in facts


def test_to_dict_is_nested_plain_and_unrounded(facts: Facts) -> None:
    assert facts.to_dict() == {
        "a": {
            "count": 3,
            "inner": {"mask": [True, False]},
            "matrix": [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]],
            "on": True,
            "ratio": 0.25,
            "word": "it",
            "words": ["The", "animal"],
        }
    }


def test_a_key_is_a_value_or_a_group() -> None:
    with pytest.raises(ValueError, match=r"fact a\.b cannot also be the group of a\.b\.c\.d"):
        Facts({"a.b": 1, "a.b.c.d": 2})


def test_json_of_the_lesson_loses_nothing(lesson: Lesson) -> None:
    text = json.dumps(lesson.facts.to_dict(), allow_nan=False, ensure_ascii=False)
    tree = json.loads(text)
    for key in lesson.facts:
        branch = tree
        for name in key.split("."):
            branch = branch[name]
        value = lesson.facts[key].value
        again = Fact(key, np.array(branch, dtype=value.dtype) if isinstance(value, np.ndarray) else branch)
        assert Facts({key: again.value}).digest(key) == lesson.facts.digest(key), key


def digest(value: object) -> str:
    return Facts({"a": value}).digest("a")


def test_digest_of_equal_values_is_equal() -> None:
    a = np.arange(6.0).reshape(2, 3)
    assert digest(a) == digest(np.asfortranarray(a)) == digest(a.astype(">f8")) == digest(a[:, ::-1][:, ::-1])
    assert digest(np.array([1, 2], dtype=np.int32)) == digest(np.array([1, 2]))
    assert digest(0.0) == digest(-0.0)
    assert digest(np.float64(0.5)) == digest(0.5)
    assert digest(["a", "b"]) == digest(("a", "b"))


def test_digest_of_different_values_differs() -> None:
    values: list[object] = [
        1,
        1.0,
        True,
        "1",
        ("1",),
        np.array([1]),
        np.array([1.0]),
        np.array([True]),
        np.array([[1.0]]),
        np.array([1.0, 0.0]),
        1.0000000000000002,
        ("ab", "c"),
        ("a", "bc"),
        ("abc",),
        "abc",
        np.arange(6.0).reshape(2, 3),
        np.arange(6.0).reshape(3, 2),
        "ä",
    ]
    assert len({digest(value) for value in values}) == len(values)


@pytest.mark.parametrize(
    "value, content",
    [
        (0.1, b"float\n0x1.999999999999ap-4"),
        (12, b"int\n12"),
        (True, b"bool\nTrue"),
        ("é", b"str\n\xc3\xa9"),
        (("a", "é"), b"words [1, 2]\na\xc3\xa9"),
        (np.array([[1.0, 0.5]]), b"array <f8 [1, 2]\n\0\0\0\0\0\0\xf0?\0\0\0\0\0\0\xe0?"),
        (np.array([258]), b"array <i8 [1]\n\2\1\0\0\0\0\0\0"),
        (np.array([True]), b"array |b1 [1]\n\1"),
    ],
)
def test_digest_is_over_these_bytes(value: object, content: bytes) -> None:
    """Files already made keep their digests: other canonical bytes would make all of them stale."""
    assert digest(value) == hashlib.sha256(content).hexdigest()


# ---------------------------------------------------------------- FactReader


def test_reader_remembers_what_was_read(facts: Facts) -> None:
    reader = FactReader(facts)
    for key in ("a.words", "a.matrix", "a.matrix"):
        assert reader[key][1].key == f"{key}[1]"
    assert reader.reads == ("a.matrix", "a.words")


def test_reader_does_not_count_what_does_not_exist(facts: Facts) -> None:
    reader = FactReader(facts)
    with pytest.raises(UnknownFactError):
        reader["a.nothing"]
    assert reader.reads == ()


# ---------------------------------------------------------------- the lesson as a whole


@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy])
def test_a_lesson_survives_the_way_to_a_worker(lesson: Lesson, again: object) -> None:
    assert callable(again)
    other = again(lesson)
    assert other.path == lesson.path
    assert other.config == lesson.config
    assert other.facts.keys() == lesson.facts.keys()
    for key in lesson.facts:
        assert other.facts.digest(key) == lesson.facts.digest(key)
        value = other.facts[key].value
        assert not isinstance(value, np.ndarray) or not value.flags.writeable


def test_lesson_and_config_are_frozen(lesson: Lesson) -> None:
    with pytest.raises(AttributeError):
        lesson.path = Path("other")  # type: ignore[misc]
    with pytest.raises(ValueError, match="frozen"):
        lesson.config.look.theme = "light"  # type: ignore[misc]


def test_default_lesson_is_the_one_beside_the_packages(lesson: Lesson) -> None:
    assert lesson.path == DEFAULT_LESSON
    assert DEFAULT_LESSON.name == "lesson.toml"
    assert lesson.config.look.theme == "dark"
