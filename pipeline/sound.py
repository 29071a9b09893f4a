"""Sound: lines placed by their timeline, one AAC pass over it all, muxed beside copied pictures.

Why these settings (figures: 25 s of the voice at the lesson's level, decoded again, error against what went in):

- 128 kbit/s with the ``fast`` coder and without noise substitution: 40.7 dB, and the true peak moves by 0.01 dB. The
  default coder gives 31.7 dB and takes twice the time. 96 kbit/s gives 33.9 dB and saves 0.2 MB a minute.
- The encoder's first 1,024 samples are its own delay. Their time stamps are below 0, so the muxer writes an edit list
  that starts behind them: FFmpeg, Chromium and GStreamer place a click at its sample.
- AAC comes in frames of 1,024 samples. The last one's length is cut in the index; a player that decodes it whole hears
  up to 21 ms of silence more, none when the length is a multiple of 8 ticks (25 frames).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import av
import numpy as np

from pipeline.encoder import CODEC_FLAG_BITEXACT, open_for_writing
from pipeline.files import appearing_whole
from pipeline.job import VoiceOrders
from scenes.kit.narration import Narrator, Paced
from scenes.kit.timeline import TICKS_PER_SECOND, Said
from voice import SAMPLE_RATE
from voice.speech import Samples

SAMPLES_PER_TICK = SAMPLE_RATE // TICKS_PER_SECOND
BIT_RATE = 128_000
AAC_OPTIONS: Mapping[str, str] = {"aac_coder": "fast", "aac_pns": "0"}

SamplesOf = Callable[[Said], Samples]


class SoundError(Exception):
    """The sound does not fit its timeline."""


class Speaker(Narrator, Protocol):
    """Who speaks, and has the samples of what was said."""

    def samples(self, said: Said) -> Samples:
        """The sound of a line, float32 [n] at 48 kHz."""
        ...


class Mute(Paced):
    """Times lines, and says none."""

    def samples(self, said: Said) -> Samples:
        """No sound."""
        return np.zeros(0, np.float32)


def speaker(orders: VoiceOrders) -> Speaker:
    """The voice that is asked for."""
    if orders.name == "none":
        return Mute()
    from voice.narrator import Voice
    from voice.recordings import Recordings
    from voice.store import SpeechStore

    recordings, store = Recordings(orders.recordings), SpeechStore(orders.store)
    paced: Callable[[Any], Any] = Paced().speak
    return Voice(orders.name == "hibari", recordings, store, paced, orders.strict)


def audible(lines: Iterable[Said]) -> bool:
    """Whether any of the lines sounds; a clip without one has no sound track."""
    return any(line.sound for line in lines)


def pcm(lines: Iterable[Said], ticks: int, samples_of: SamplesOf) -> Samples:
    """The sound of a clip of so many ticks: float32 [ticks * 3200], 0 wherever no line sounds.

    SoundError when lines overlap, a line's sound is longer than the line, or a line ends after the clip.
    """
    sound = np.zeros(ticks * SAMPLES_PER_TICK, np.float32)
    free = 0
    for line in lines:
        if line.start < free:
            raise SoundError(f"{line.id}: begins before the line before it has ended")
        if line.end > ticks:
            raise SoundError(f"{line.id}: ends after its clip")
        free = line.end
        if line.sound:
            samples = samples_of(line)
            start = line.start * SAMPLES_PER_TICK
            if start + len(samples) > line.end * SAMPLES_PER_TICK:
                raise SoundError(f"{line.id}: its sound is longer than the line")
            sound[start : start + len(samples)] = samples
    return sound


def add_sound(clip: Path, sound: Samples) -> None:
    """Give a finished silent clip its sound; its pictures are copied. The file is replaced whole, or not at all."""
    with appearing_whole(clip) as partial, av.open(str(clip)) as silent, open_for_writing(partial) as output:
        pictures = silent.streams.video[0]
        video, audio = output.add_stream_from_template(pictures), add_sound_stream(output)
        mux_by_time(output, copied(silent.demux(pictures), video), sound_packets(audio, [sound]))


def copied(packets: Iterable[Any], stream: Any) -> Iterator[Any]:
    """Packets of another file, for this stream; the empty one that ends a file is left out."""
    for packet in packets:
        if packet.size:
            packet.stream = stream
            yield packet


def mux_by_time(output: Any, *tracks: Iterable[Any]) -> None:
    """Write packets in the order of their time, so that a player reading along finds all tracks side by side."""
    for packet in heapq.merge(*tracks, key=lambda packet: packet.dts * packet.time_base):
        output.mux_one(packet)


def add_sound_stream(output: Any) -> Any:
    """An AAC track, 48 kHz mono, bit-exact."""
    stream = output.add_stream("aac", rate=SAMPLE_RATE, layout="mono", options=dict(AAC_OPTIONS))
    stream.bit_rate = BIT_RATE
    stream.time_base = Fraction(1, SAMPLE_RATE)
    stream.codec_context.flags |= CODEC_FLAG_BITEXACT
    stream.codec_context.thread_count = 1
    stream.metadata["language"] = "eng"
    return stream


def sound_packets(stream: Any, blocks: Iterable[Samples]) -> Iterator[Any]:
    """Blocks of samples, one after the other, through one encoder pass: no seam where they meet."""
    done = 0
    for block in blocks:
        frame = av.AudioFrame.from_ndarray(block[np.newaxis], format="fltp", layout="mono")
        frame.sample_rate = SAMPLE_RATE
        frame.time_base = Fraction(1, SAMPLE_RATE)
        frame.pts = done
        done += len(block)
        yield from stream.encode(frame)
    yield from stream.encode(None)
