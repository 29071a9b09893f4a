"""Narration to sound and word times: engines, recordings, pronunciation, loudness."""
