"""Which sources a module stands on, and what of them counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.sources import Sources

Write = Callable[[str, str], None]


def digest(label: str) -> str:
    return Sources().digests_of("film.a", ())[label]


def test_all_that_a_chapter_imports_anywhere_and_nothing_else(write: Write) -> None:
    write("b.py", "x = 1\n")
    assert list(Sources().of("film.a", ())) == [
        "film/__init__.py",
        "film/a.py",
        "film/deep/__init__.py",
        "film/deep/inner.py",
        "film/kit/__init__.py",
        "film/kit/theme.py",
        "film/late.py",
        "film/sibling.py",
    ]


def test_a_chapter_that_is_not_there_has_no_sources(write: Write) -> None:
    assert list(Sources().of("film.missing", ())) == ["film/__init__.py"]
    assert Sources().of("no_such_package.missing", ()) == {}


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("GREY  =  1  # a remark\n\n\n", True),
        ("# GREY = 2\nGREY = (1)\n", True),
        ("GREY = 2\n", False),
        ("GREY = 1.0\n", False),
        ('"""Now it says what it is."""\nGREY = 1\n', True),
        ('"""Now it says what it is."""\nGREY = len(__doc__)\n', False),
        ('GREY = 1\n"""Nobody reads this, but it is no docstring."""\n', False),
        ("GREY = = 1\n", False),
    ],
)
def test_comments_docstrings_and_layout_do_not_count_but_all_else_does(write: Write, text: str, same: bool) -> None:
    before = digest("film/kit/theme.py")
    write("kit/theme.py", text)
    assert (digest("film/kit/theme.py") == before) == same


def test_two_broken_sources_differ(write: Write) -> None:
    write("a.py", "def\n")
    first = digest("film/a.py")
    write("a.py", "class\n")
    assert digest("film/a.py") != first


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f():\n    'Docs.'\n    return 1\n", "def f():\n    return 1\n"),
        ("class A:\n    'Docs.'\n    x = 1\n", "class A:\n    'Other docs.'\n    x = 1\n"),
        ("async def f():\n    'Docs.'\n    return 1\n", "async def f():\n    return 1\n"),
    ],
)
def test_docstrings_anywhere_do_not_count(write: Write, one: str, other: str) -> None:
    write("a.py", one)
    before = digest("film/a.py")
    write("a.py", other)
    assert digest("film/a.py") == before


def test_a_docstring_that_is_read_at_run_time_counts(write: Write) -> None:
    write("a.py", "class A:\n    'Docs.'\n\nprint(A.__doc__)\n")
    before = digest("film/a.py")
    write("a.py", "class A:\n    'Other docs.'\n\nprint(A.__doc__)\n")
    assert digest("film/a.py") != before


def test_packages_of_ours_are_followed_when_they_are_asked_for(write: Write) -> None:
    write("a.py", "import pipeline.quality\n")
    assert "pipeline/quality.py" not in Sources().of("film.a", ())
    assert {"pipeline/__init__.py", "pipeline/quality.py"} <= set(Sources().of("film.a", ("pipeline",)))


def test_one_look_is_of_one_moment_and_the_next_sees_the_edit(write: Write) -> None:
    look = Sources()
    before = look.digests_of("film.a", ())
    write("kit/theme.py", "GREY = 7\n")
    assert look.digests_of("film.a", ()) == before
    assert look.again().digests_of("film.a", ()) != before


@pytest.mark.parametrize("harm", [None, "", "[]", '{"3 x": 5}'])
def test_what_was_kept_changes_no_answer(write: Write, tmp_path: Path, harm: str | None) -> None:
    kept = tmp_path / "kept.json"
    first = Sources(kept)
    answer = first.digests_of("film.a", ())
    first.save()
    if harm is not None:
        kept.write_text(harm, encoding="utf-8")
    assert Sources(kept).digests_of("film.a", ()) == answer
    write("kit/theme.py", "GREY = 7\n")
    assert Sources(kept).digests_of("film.a", ()) != answer


def test_without_a_place_to_keep_it_nothing_is_kept(write: Write, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    look = Sources(tmp_path / "file" / "kept.json")
    assert look.digests_of("film.a", ())
    look.save()
