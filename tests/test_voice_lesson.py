"""The lines of the lesson as it is shipped: nothing that can't be said is left, and every word has its time."""

from __future__ import annotations

import pytest
from kit_helpers import play_chapter

from scenes import CHAPTERS
from scenes.kit.narration import Line, Paced, Silence
from voice import hibari
from voice.spoken import count, joined, spoken_words, unspeakable


class Listener(Paced):
    """Times lines, and keeps them."""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def speak(self, line: Line) -> Silence:
        self.lines.append(line)
        return super().speak(line)


@pytest.mark.slow
@pytest.mark.parametrize("name", [chapter.name for chapter in CHAPTERS])
def test_each_line_is_speakable_word_for_word(name: str) -> None:
    listener = Listener()
    play_chapter(name, narrator=listener)
    assert listener.lines
    engine = hibari._engine()
    for line in listener.lines:
        spoken = joined(spoken_words(line.text, line.says))
        assert not unspeakable(spoken), f"{line.id}: {spoken}"
        for sentence in engine.split_sentences(spoken):
            heard = [word for phonemes in engine.phonemize(sentence) for word in hibari._heard(phonemes)]
            assert len(heard) == count(sentence), f"{line.id}: {sentence} | {heard}"
