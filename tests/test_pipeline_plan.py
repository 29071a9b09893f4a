"""Fresh or stale, and why."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.plan import ClipPlan, Plan, Record, fingerprint, longest_first, plan_clip, plan_lesson

INPUTS = {"scenes/a.py": "0" * 64, "manim": "0.22.0", "title": "A"}
FACTS = {"x.one": "1" * 64, "x.two": "2" * 64, "y": "3" * 64}
READS = {"x.one": "1" * 64, "y": "3" * 64}


def record(**changes: Any) -> Record:
    made: dict[str, Any] = {"fingerprint": fingerprint(INPUTS, READS), "reads": READS, "inputs": INPUTS}
    return Record(**{**made, **changes})


def reasons(inputs: dict[str, str], facts: dict[str, str], known: Record | None) -> tuple[str, ...]:
    return plan_clip("a", inputs, facts, known).reasons


def test_nothing_changed_is_fresh() -> None:
    clip = plan_clip("a", INPUTS, FACTS, record())
    assert clip.fresh
    assert clip == ClipPlan("a", ())


def test_never_rendered() -> None:
    assert reasons(INPUTS, FACTS, None) == ("not rendered yet",)


def test_a_fact_that_was_read_changed_and_one_is_gone() -> None:
    facts = {"x.one": "9" * 64, "x.two": "2" * 64}
    assert reasons(INPUTS, facts, record()) == ("fact x.one changed", "fact y no longer exists")


def test_a_fact_that_was_not_read_does_not_matter() -> None:
    assert reasons(INPUTS, {**FACTS, "x.two": "9" * 64, "z": "8" * 64}, record()) == ()


def test_a_source_changed_another_came_and_one_went() -> None:
    inputs = {"scenes/a.py": "4" * 64, "manim": "0.22.0", "scenes/kit/new.py": "5" * 64}
    assert reasons(inputs, FACTS, record()) == (
        "scenes/a.py changed",
        "scenes/kit/new.py is new",
        "title is no longer used",
    )


def test_a_version_changed_and_both_are_told() -> None:
    assert reasons({**INPUTS, "manim": "0.23.0"}, FACTS, record()) == ("manim changed from 0.22.0 to 0.23.0",)


@pytest.mark.parametrize("kept", [None, {**INPUTS, "manim": "0.19.0"}])
def test_without_a_true_record_of_the_inputs_it_is_stale_all_the_same(kept: dict[str, str] | None) -> None:
    changed = {**INPUTS, "manim": "0.23.0"}
    assert reasons(changed, FACTS, record(inputs=kept)) == ("its inputs changed (there is no record of which)",)
    assert reasons(INPUTS, FACTS, record(inputs=kept)) == ()


def test_missing_files_come_first() -> None:
    found = reasons(INPUTS, {**FACTS, "y": "9" * 64}, record(faults=("a.webp is missing",)))
    assert found == ("a.webp is missing", "fact y changed")


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
    assert plan_lesson([], "f", "f", []) == ()
    assert plan_lesson(["a", "b"], "f", "f", ["lesson.vtt is missing"]) == ("stale clips: a, b",)
    assert plan_lesson([], "f", None, ["lesson.mp4 is missing"]) == ("not joined yet",)
    assert plan_lesson([], "f", "f", ["lesson.vtt is missing"]) == ("lesson.vtt is missing",)
    assert plan_lesson([], "f", "g", []) == ("joined from other clips",)


def test_a_plan_is_fresh_when_all_of_it_is() -> None:
    fresh, stale = ClipPlan("a", ()), ClipPlan("b", ("not rendered yet",))
    assert Plan((fresh,), ()).fresh
    assert not Plan((fresh,), ("not joined yet",)).fresh
    assert not Plan((fresh, stale), ()).fresh
    assert Plan((fresh, stale), ()).stale == (stale,)


def test_the_longest_clip_starts_first_and_ties_go_by_name() -> None:
    assert longest_first(["c", "a", "b", "d"], {"a": 10, "b": 60, "d": 50}, 50) == ["b", "c", "d", "a"]
