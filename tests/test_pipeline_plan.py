"""Fresh or stale, and why."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.plan import (
    EDITED,
    ClipPlan,
    FactsNow,
    Plan,
    Record,
    fingerprint,
    longest_first,
    matches,
    plan_clip,
    plan_lesson,
)

OLD, NEW = "0" * 64, "4" * 64
INPUTS = {"scenes/a.py": OLD, "manim": "0.22.0", "title": "A"}
FACTS = {"x.one": "1" * 64, "x.two": "2" * 64, "y": "3" * 64}
READS = {"x.one": "1" * 64, "y": "3" * 64}
VALUES = {"x.one": 1.0, "x.two": [2, 2], "y": "why"}
RECORD = Record(INPUTS, READS, {key: VALUES[key] for key in READS}, {})


def reasons(
    inputs: dict[str, str], facts: dict[str, str], record: Record | None = RECORD, one: float = 1.0
) -> tuple[str, ...]:
    return plan_clip("a", inputs, FactsNow(facts, {**VALUES, "x.one": one}), record, ()).reasons


def test_nothing_changed_is_fresh() -> None:
    clip = plan_clip("a", INPUTS, FactsNow(FACTS, VALUES), RECORD, ())
    assert clip.fresh
    assert clip == ClipPlan("a", ())


def test_never_rendered() -> None:
    assert reasons(INPUTS, FACTS, None) == ("not rendered yet",)


def test_a_fact_that_was_read_changed_and_one_is_gone() -> None:
    found = reasons(INPUTS, {"x.one": NEW, "x.two": "2" * 64}, one=1.0000000000000002)
    assert found == ("fact x.one changed from 1 to 1.0000000000000002", "fact y no longer exists")


def test_a_fact_that_was_not_read_does_not_matter() -> None:
    assert reasons(INPUTS, {**FACTS, "x.two": NEW, "z": NEW}) == ()


def test_a_source_changed_another_came_and_one_went() -> None:
    inputs = {"scenes/a.py": NEW, "manim": "0.22.0", "scenes/kit/new.py": NEW}
    assert reasons(inputs, FACTS) == (
        "scenes/a.py changed from 00000000 to 44444444",
        "scenes/kit/new.py is new",
        "title is no longer used",
    )


def test_a_version_changed_and_both_are_told() -> None:
    assert reasons({**INPUTS, "manim": "0.23.0"}, FACTS) == ("manim changed from 0.22.0 to 0.23.0",)


def test_a_source_edited_while_it_was_rendered() -> None:
    edited = replace(RECORD, inputs={**INPUTS, EDITED: "yes"})
    assert reasons(INPUTS, FACTS, edited) == ("a source was edited while it was rendered",)


def test_faults_of_files_come_first() -> None:
    clip = plan_clip("a", {**INPUTS, "manim": "1"}, FactsNow(FACTS, VALUES), RECORD, ["a.webp is missing"])
    assert clip.reasons == ("a.webp is missing", "manim changed from 0.22.0 to 1")


def test_a_stored_clip_serves_when_all_it_was_made_from_is_as_it_was() -> None:
    assert matches(RECORD, INPUTS, {**FACTS, "x.two": NEW})
    assert not matches(RECORD, {**INPUTS, "manim": "1"}, FACTS)
    assert not matches(RECORD, INPUTS, {**FACTS, "y": NEW})
    assert not matches(RECORD, INPUTS, {"x.one": "1" * 64})


@given(st.dictionaries(st.text(), st.text(), min_size=1), st.dictionaries(st.text(), st.text()), st.randoms())
def test_the_fingerprint_knows_no_order_but_every_entry(
    inputs: dict[str, str], reads: dict[str, str], random: Any
) -> None:
    entries = list(inputs.items())
    random.shuffle(entries)
    assert fingerprint(dict(entries), reads) == fingerprint(inputs, reads)
    key, value = entries[0]
    assert fingerprint({**inputs, key: value + "x"}, reads) != fingerprint(inputs, reads)
    assert fingerprint(dict(entries[1:]), {**reads, key: value}) != fingerprint(inputs, reads)


def test_where_one_part_ends_and_the_next_begins_counts() -> None:
    assert fingerprint({"ab": "c"}, {}) != fingerprint({"a": "bc"}, {})
    assert fingerprint({"a": "b", "c": "d"}, {}) != fingerprint({"a": "b"}, {"c": "d"})


def test_the_fingerprint_is_the_same_in_every_process() -> None:
    code = (
        "import json, sys; from pipeline.plan import fingerprint; "
        "print(fingerprint(*map(dict, json.loads(sys.argv[1]))))"
    )
    given_ = json.dumps([INPUTS, READS])
    found = {
        subprocess.run(
            [sys.executable, "-c", code, given_],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert found == {fingerprint(INPUTS, READS)}


def test_lesson() -> None:
    record = Record({"clip a": OLD})
    assert plan_lesson([], {"clip a": OLD}, record, []) == ()
    assert plan_lesson(["a", "b"], {"clip a": OLD}, record, ["lesson.vtt is missing"]) == ("stale clips: a, b",)
    assert plan_lesson([], {"clip a": OLD}, None, ["lesson.mp4 is missing"]) == ("not joined yet",)
    assert plan_lesson([], {"clip a": OLD}, record, ["lesson.vtt is missing"]) == ("lesson.vtt is missing",)
    assert plan_lesson([], {"clip a": NEW}, record, []) == ("clip a changed from 00000000 to 44444444",)


def test_a_plan_is_fresh_when_all_of_it_is() -> None:
    fresh, stale = ClipPlan("a", ()), ClipPlan("b", ("not rendered yet",))
    assert Plan((fresh,), ()).fresh
    assert not Plan((fresh,), ("not joined yet",)).fresh
    assert not Plan((fresh, stale), ()).fresh
    assert Plan((fresh, stale), ()).stale == (stale,)


def test_the_longest_clip_starts_first_and_ties_go_by_name() -> None:
    assert longest_first(["c", "a", "b", "d"], {"a": 10, "b": 60, "d": 50}, 50) == ["b", "c", "d", "a"]
