"""A clip's poster: one of its own frames, decoded from the finished file."""

from __future__ import annotations

import os
from pathlib import Path

import av
from av.video.reformatter import ColorRange, Colorspace
from PIL import Image

from pipeline.encoder import CONVERSION
from pipeline.job import Track
from pipeline.quality import Quality

WEBP = {"quality": 90, "method": 6, "exact": True}


def poster_tick(track: Track, beat_name: str | None = None) -> int:
    """The last tick of the named beat; without a name, of the beat before the takeaway, else of the longest.

    ValueError when no beat has that name.
    """
    if beat_name is not None:
        named = [beat for beat in track.beats if beat.name == beat_name]
        if not named:
            known = ", ".join(beat.name for beat in track.beats)
            raise ValueError(f"poster_beat: no beat is named {beat_name!r} (beats: {known})")
        return named[-1].end - 1
    names = [beat.name for beat in track.beats]
    if "takeaway" in names[1:]:
        return track.beats[names.index("takeaway") - 1].end - 1
    if not track.beats:
        return track.ticks - 1
    return max(track.beats, key=lambda beat: beat.end - beat.start).end - 1


def write_poster(video: Path, tick: int, quality: Quality, target: Path) -> None:
    """Write the last frame of ``tick`` as WebP."""
    index = (tick + 1) * quality.frames_per_tick - 1
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        frame_image(video, index, quality.fps).save(partial, format="WEBP", **WEBP)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def frame_image(video: Path, index: int, fps: int) -> Image.Image:
    """Frame ``index`` of a clip, as RGB. ValueError when the clip is shorter."""
    with av.open(str(video)) as container:
        stream = container.streams.video[0]
        time_base = stream.time_base
        assert time_base is not None
        wanted = round(index / (fps * time_base))
        container.seek(wanted, stream=stream)
        for frame in container.decode(stream):
            if frame.pts is not None and frame.pts >= wanted:
                rgb = frame.reformat(
                    format="rgb24",
                    src_colorspace=Colorspace.ITU709,
                    dst_colorspace=Colorspace.ITU709,
                    src_color_range=ColorRange.MPEG,
                    dst_color_range=ColorRange.JPEG,
                    interpolation=CONVERSION,
                    threads=1,
                )
                return Image.fromarray(rgb.to_ndarray())
    raise ValueError(f"{video.name} has no frame {index}")
