"""Narration to sound and word times: an engine, recordings, pronunciation, loudness."""

from voice.speech import SAMPLE_RATE, Speech, VoiceError

__all__ = ["SAMPLE_RATE", "VOICES", "Speech", "VoiceError"]

VOICES = ("hibari", "recordings", "none")
