"""Facts that were kept are, bit for bit, the facts that would be computed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lesson import DEFAULT_LESSON, Facts, Lesson, LessonConfig, load
from pipeline.facts_cache import FactsCache
from pipeline.sources import Sources

PARSED = Sources()


def cache(folder: Path) -> FactsCache:
    return FactsCache(folder / "facts.json", PARSED.again())


def digests(facts: Facts) -> dict[str, str]:
    return {key: facts.digest(key) for key in facts.keys()}  # noqa: SIM118 - Facts is no dict


@pytest.fixture
def kept(tmp_path: Path, shipped_lesson: Lesson) -> Path:
    """A folder with the shipped lesson's facts in it."""
    first = cache(tmp_path)
    assert digests(first.facts(shipped_lesson.config)) == digests(shipped_lesson.facts)
    first.save()
    return tmp_path


def refuse(config: LessonConfig) -> Facts:
    raise AssertionError("computed")


def test_facts_are_not_computed_again(kept: Path, shipped_lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.facts_cache.computed_facts", refuse)
    facts = cache(kept).facts(shipped_lesson.config)
    assert digests(facts) == digests(shipped_lesson.facts)
    for key in facts.keys():  # noqa: SIM118 - Facts is no dict
        assert type(facts[key].value) is type(shipped_lesson.facts[key].value), key


def test_another_number_is_computed(kept: Path) -> None:
    text = DEFAULT_LESSON.read_text(encoding="utf-8").replace("query = [0, 2]", "query = [0, 1]")
    (kept / "other.toml").write_text(text, encoding="utf-8")
    assert cache(kept).facts(load(kept / "other.toml").config)["practice.q"].value.tolist() == [0, 1]


def test_another_core_or_library_is_computed(
    kept: Path, shipped_lesson: Lesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.facts_cache.computed_facts", refuse)
    with monkeypatch.context() as patch:
        patch.setattr(Sources, "digests_of", lambda *_: {"attention_core/softmax.py": "another"})
        with pytest.raises(AssertionError, match="computed"):
            cache(kept).facts(shipped_lesson.config)
    monkeypatch.setattr("pipeline.facts_cache.version", lambda name: "0")
    with pytest.raises(AssertionError, match="computed"):
        cache(kept).facts(shipped_lesson.config)


def test_damage_shows(kept: Path, shipped_lesson: Lesson) -> None:
    path = kept / "facts.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["facts"]["multi_head.h"] = 3
    for text in (json.dumps(data), "", "[]", "{"):
        path.write_text(text, encoding="utf-8")
        assert digests(cache(kept).facts(shipped_lesson.config)) == digests(shipped_lesson.facts)
