"""The encoder's settings as plain data: what only asks for them needs no encoder. Reasons are in pipeline.encoder."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.quality import Quality

TIMESCALE = 15_360
KEY_FRAME_SECONDS = 2

MUXER_OPTIONS: Mapping[str, str] = {
    "movflags": "+faststart",
    "movie_timescale": str(TIMESCALE),
    "video_track_timescale": str(TIMESCALE),
}
X264_OPTIONS: Mapping[str, str] = {"preset": "veryfast", "profile": "high", "crf": "18"}


def x264_parameters(fps: int) -> str:
    """x264's own parameters: closed groups of 2 s, a key frame only there and where one is forced."""
    return (
        f"keyint={KEY_FRAME_SECONDS * fps}:min-keyint=1:scenecut=0:open-gop=0:bframes=0"
        ":no-deblock=1:aq-mode=0:psy=0:threads=1:cpu-independent=1"
    )


def encoder_settings(quality: Quality) -> dict[str, str]:
    """All settings with a value of their own, for a clip's fingerprint."""
    return {
        **X264_OPTIONS,
        **MUXER_OPTIONS,
        "x264-params": x264_parameters(quality.fps),
        "size": f"{quality.width}x{quality.height}",
        "fps": str(quality.fps),
    }
