"""The one error of the core."""


class AttentionError(ValueError):
    """An input that attention is not defined for; the message is one line that says which and why."""
