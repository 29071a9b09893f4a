"""A clip's record: exactly the keys of the contract, times in seconds."""

from __future__ import annotations

import json

import pytest

from pipeline.files import to_json
from pipeline.job import ClipDone, Track
from pipeline.manifest import KEYS, clip_manifest, clock, seconds, ticks, track_of
from pipeline.quality import QUALITIES
from scenes.kit.timeline import Beat, Caption, Cue, Said, Shown

TRACK = Track(
    ticks=100,
    beats=(Beat("show", 0, 37), Beat("tell", 37, 100)),
    lines=(
        Said("little.show", 1, 30, "a&b <c>", "a and b, c", "hibari", "ab" * 32, ((0.05, 0.31), (0.4, 1.9))),
        Said("little.tell", 40, 50, "--> c", "", "none", "", ((0.0, 0.6),)),
    ),
    captions=(Caption(1, 36, "a < b &\n--> c"),),
    cues=(Cue("little.where", 40, 91, "Where?", ("here", "there"), 1, "there"),),
    numbers=(Shown("sequence.q[0,1]", 0.1 + 0.2, "0.30", 3, 100), Shown("multi_head.h", 2, "2", 0, 1)),
)
DONE = ClipDone("little", 400, TRACK, ("sequence.q", "multi_head.h"))


def manifest() -> dict[str, object]:
    reads = {"sequence.q": "ab", "multi_head.h": "cd"}
    return clip_manifest(DONE, "A title", "f" * 64, QUALITIES["h"], reads)


def test_exactly_the_keys_of_the_contract_in_order() -> None:
    assert list(manifest()) == KEYS
    assert KEYS == [
        "name", "title", "fingerprint", "width", "height", "fps", "frames", "duration", "beats", "lines",
        "captions", "cues", "numbers", "reads",
    ]  # fmt: skip


def test_content() -> None:
    data = json.loads(to_json(manifest()))
    assert (data["name"], data["title"], data["fingerprint"]) == ("little", "A title", "f" * 64)
    assert (data["width"], data["height"], data["fps"], data["frames"]) == (1920, 1080, 60, 400)
    assert data["duration"] == 100 / 15
    assert data["beats"][1] == {"name": "tell", "start": 37 / 15, "end": 100 / 15}
    assert data["lines"][0] == {
        "id": "little.show", "start": 1 / 15, "end": 2.0, "text": "a&b <c>", "spoken": "a and b, c",
        "origin": "hibari", "sound": "ab" * 32, "words": [[0.05, 0.31], [0.4, 1.9]],
    }  # fmt: skip
    assert data["captions"] == [{"start": 1 / 15, "end": 36 / 15, "text": "a < b &\n--> c"}]
    assert data["cues"] == [
        {
            "id": "little.where", "pause_at": 40 / 15, "reveal_at": 91 / 15, "prompt": "Where?",
            "choices": ["here", "there"], "answer": 1, "explain": "there",
        }
    ]  # fmt: skip
    assert data["numbers"][0] == {
        "fact": "sequence.q[0,1]", "value": 0.1 + 0.2, "shown": "0.30", "start": 0.2, "end": 100 / 15,
    }  # fmt: skip
    assert data["numbers"][1]["value"] == 2
    assert list(data["reads"].items()) == [("multi_head.h", "cd"), ("sequence.q", "ab")]


def test_times_are_exact_to_the_frame_at_every_rate() -> None:
    for tick in range(15 * 60 * 20):
        assert ticks(seconds(tick)) == tick
        assert round(seconds(tick) * 60) == tick * 4


def test_the_timeline_comes_back() -> None:
    assert track_of(json.loads(to_json(manifest()))) == TRACK


def test_json_ends_with_a_newline_and_holds_no_nan() -> None:
    assert to_json({"a": "é"}) == '{\n "a": "é"\n}\n'
    with pytest.raises(ValueError, match="JSON compliant"):
        to_json({"a": float("nan")})


@pytest.mark.parametrize(("time", "text"), [(0, "0:00.0"), (59.96, "1:00.0"), (754.5, "12:34.5")])
def test_clock(time: float, text: str) -> None:
    assert clock(time) == text
