"""A clip's poster: one of its own frames, decoded from the finished file."""

from __future__ import annotations

import os
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
from av.video.reformatter import Interpolation
from PIL import Image

from pipeline.job import Track
from pipeline.quality import Quality

UPSAMPLING = Interpolation.BILINEAR | Interpolation.ACCURATE_RND | Interpolation.BITEXACT
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
                return Image.fromarray(_rgb(frame))
    raise ValueError(f"{video.name} has no frame {index}")


def _rgb(frame: av.VideoFrame) -> npt.NDArray[np.uint8]:
    """The picture as uint8 [height, width, 3], from BT.709 in limited range.

    Computed here, since swscale's own way back to RGB rounds down: colours come out up to 4 levels too dark.
    """
    full = frame.reformat(format="yuv444p", interpolation=UPSAMPLING, threads=1)
    luma, blue, red = full.to_ndarray().astype(np.float64) - np.reshape([16, 128, 128], (3, 1, 1))
    luma, blue, red = luma * 255 / 219, blue * 255 / 224, red * 255 / 224
    rgb = np.stack([luma + 1.5748 * red, luma - 0.187324 * blue - 0.468124 * red, luma + 1.8556 * blue], axis=-1)
    return rgb.round().clip(0, 255).astype(np.uint8)
