"""The lesson video from its clips: pictures are not encoded again, but moved by the frames before them.

Sound is encoded once, whole, so that nothing clicks where clips join.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av

from pipeline.captions import Part, lesson_captions
from pipeline.encoder import open_for_writing
from pipeline.encoder_settings import TIMESCALE
from pipeline.files import appearing_whole
from pipeline.quality import Quality
from pipeline.sound import add_sound_stream, copied, mux_by_time, sound_packets
from scenes.kit.timeline import TICKS_PER_SECOND, Caption
from voice.speech import Samples

UNITS_PER_TICK = TIMESCALE // TICKS_PER_SECOND

# mov_text opens only with a style sheet; players use their own look.
_SUBTITLE_HEADER = (
    b"[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\n"
    b"Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, "
    b"Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, "
    b"MarginL, MarginR, MarginV, Encoding\n"
    b"Style: Default,Sans,18,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,0\n\n"
    b"[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
)


class JoinError(Exception):
    """A clip does not fit the others."""


def join_clips(
    clips: Sequence[Path],
    parts: Sequence[Part],
    quality: Quality,
    title: str,
    target: Path,
    sound: Iterable[Samples] | None = None,
) -> int:
    """Join ``clips``, which stand at ``parts``, to ``target``; returns the number of frames.

    ``sound`` is that of each part, float32 [its ticks * 3200]; None makes a silent lesson.
    JoinError when a clip's length is not its part's, or its stream differs from the first one's.
    """
    with appearing_whole(target) as partial, av.open(str(clips[0])) as first, open_for_writing(partial) as output:
        template = first.streams.video[0]
        video = output.add_stream_from_template(template)
        audio = None if sound is None else add_sound_stream(output)
        text = _add_caption_stream(output)
        output.metadata["title"] = title
        output.start_encoding()
        output.set_chapters([_chapter(index, part) for index, part in enumerate(parts)])
        extradata = bytes(template.codec_context.extradata or b"")
        mux_by_time(
            output,
            _caption_packets(lesson_captions(parts), parts[-1].end, text),
            copied(_video_packets(clips, parts, quality, extradata), video),
            () if sound is None else sound_packets(audio, sound),
        )
    return parts[-1].end * quality.frames_per_tick


def _video_packets(clips: Sequence[Path], parts: Sequence[Part], quality: Quality, extradata: bytes) -> Iterator[Any]:
    for path, part in zip(clips, parts, strict=True):
        frames = 0
        with av.open(str(path)) as clip:
            stream = clip.streams.video[0]
            if bytes(stream.codec_context.extradata or b"") != extradata:
                raise JoinError(f"{path.name}: encoded with other settings than the first clip")
            for packet in clip.demux(stream):
                if packet.size == 0:
                    continue
                frame = part.start * quality.frames_per_tick + frames
                packet.pts = packet.dts = frame * TIMESCALE // quality.fps
                packet.time_base = Fraction(1, TIMESCALE)
                frames += 1
                yield packet
        if frames != (part.end - part.start) * quality.frames_per_tick:
            raise JoinError(f"{path.name}: {frames} frames, but its timeline has {part.end - part.start} ticks")


def _chapter(index: int, part: Part) -> Any:
    return {
        "id": index,
        "start": part.start * UNITS_PER_TICK,
        "end": part.end * UNITS_PER_TICK,
        "time_base": Fraction(1, TIMESCALE),
        "metadata": {"title": part.title},
    }


def _add_caption_stream(output: Any) -> Any:
    stream = output.add_stream("mov_text")
    stream.codec_context.subtitle_header = _SUBTITLE_HEADER
    stream.time_base = Fraction(1, TIMESCALE)
    stream.metadata["language"] = "eng"
    return stream


def _caption_packets(captions: Sequence[Caption], end: int, stream: Any) -> Iterator[Any]:
    """One packet a caption, and an empty one for each gap: the track has no holes."""
    clock = 0
    for caption in captions:
        if caption.start > clock:
            yield _text_packet("", clock, caption.start, stream)
        yield _text_packet(caption.text, caption.start, caption.end, stream)
        clock = caption.end
    if clock < end:
        yield _text_packet("", clock, end, stream)


def _text_packet(text: str, start: int, end: int, stream: Any) -> Any:
    data = text.encode()
    packet = av.Packet(len(data).to_bytes(2) + data)
    packet.stream = stream
    packet.time_base = Fraction(1, TIMESCALE)
    packet.pts = packet.dts = start * UNITS_PER_TICK
    packet.duration = (end - start) * UNITS_PER_TICK
    packet.is_keyframe = True
    return packet
