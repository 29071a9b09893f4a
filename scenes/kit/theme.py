"""The look of the film by role: colours, sizes, durations. Lengths are pixels of a 1920 x 1080 frame."""

from __future__ import annotations

from dataclasses import dataclass, field

from scenes.kit.colour import contrast, mix, sequential_scale

BLACK, WHITE = "#000000", "#FFFFFF"


@dataclass(frozen=True)
class Type:
    """Em sizes, px."""

    title: int = 64
    question: int = 52
    takeaway: int = 72
    tag: int = 40
    body: int = 38
    digits: int = 38
    small: int = 36
    formula: int = 56


@dataclass(frozen=True)
class Frame:
    """Where things may stand, px from the top left corner."""

    width: int = 1920
    height: int = 1080
    left: int = 96
    right: int = 1824
    top: int = 54
    bottom: int = 1026
    title_baseline: int = 118
    subtitle_baseline: int = 178
    radius: int = 6
    gap: int = 6


@dataclass(frozen=True)
class Pace:
    """Durations, s. The scene rounds each up to a whole tick."""

    fade: float = 0.5
    move: float = 1.0
    quick: float = 0.4
    slow: float = 1.6
    rest: float = 1.6  # after a number has changed
    question: float = 3.4  # the still hold before a reveal
    countdown: float = 1.2


@dataclass(frozen=True)
class Theme:
    """One role, one colour, in all chapters."""

    name: str
    ground: str
    panel: str
    hairline: str
    axis: str  # connectors and axes that carry meaning
    text: str
    dim: str
    quiet: str  # digits at rest
    query: str
    query_fill: str
    key: str
    key_fill: str
    value: str
    value_fill: str
    weight: str
    weight_fill: str
    score: str
    live: str  # ground of a live score cell
    masked: str
    masked_line: str
    masked_ink: str
    error: str
    head: str  # heads differ in fill, not in hue: the first is solid,
    head_line: str  # the second outlined
    weight_0: str
    weight_1: str
    weight_arch: float  # extra OKLCh chroma half way up the weight scale
    on_solid: str  # ink on a solid query, key or score
    type: Type = field(default_factory=Type)
    frame: Frame = field(default_factory=Frame)
    pace: Pace = field(default_factory=Pace)

    def colour(self, role: str) -> str:
        """The colour of a role, or the colour itself when given one."""
        return role if role.startswith("#") else str(getattr(self, role))

    def fill(self, role: str) -> str:
        """The quiet ground of a cell of a role, dark (or light) enough for text."""
        return str(getattr(self, f"{role}_fill"))

    def wash(self, role: str) -> str:
        """A thin wash of the role, inside an outline: not yet normalised, or a copy."""
        return mix(self.ground, self.colour(role), 0.24)

    def weight_shade(self, weight: float) -> str:
        """A weight from 0 to 1 on the one sequential scale."""
        return sequential_scale(self.weight_0, self.weight_1, self.weight_arch, weight)

    def ink_on(self, ground: str) -> str:
        """Black or white, whichever has the stronger contrast on that ground."""
        return max((BLACK, WHITE), key=lambda ink: contrast(ink, ground))


DARK = Theme(
    name="dark",
    ground="#11141B",
    panel="#1A1F2A",
    hairline="#2C3442",
    axis="#616D82",
    text="#F2F4F8",
    dim="#A9B3C4",
    quiet="#8491A6",
    query="#FFB54A",
    query_fill="#413424",
    key="#7FC6F7",
    key_fill="#273847",
    value="#2FBB8C",
    value_fill="#173532",
    weight="#B78EF5",
    weight_fill="#322C47",
    score="#D5DBE6",
    live="#293243",
    masked="#1B212C",
    masked_line="#384355",
    masked_ink="#A7B1C2",
    error="#FF6B4A",
    head="#C3CBD8",
    head_line="#8A95A8",
    weight_0="#211A33",
    weight_1="#E9C9FF",
    weight_arch=0.075,
    on_solid="#05060A",
)

LIGHT = Theme(
    name="light",
    ground="#FAFAF8",
    panel="#EEF0F3",
    hairline="#CBD1DA",
    axis="#858F9E",
    text="#161A22",
    dim="#525C6B",
    quiet="#525C6B",
    query="#A35000",
    query_fill="#FAE9D3",
    key="#0E4A86",
    key_fill="#D8E7F8",
    value="#07765C",
    value_fill="#D5EFE5",
    weight="#8A43C4",
    weight_fill="#EFE3FA",
    score="#3E4757",
    live="#E3E7ED",
    masked="#E4E7EB",
    masked_line="#CBD1DA",
    masked_ink="#5A6473",
    error="#8C1A2B",
    head="#4A5568",
    head_line="#7A8596",
    weight_0="#F0E9FA",
    weight_1="#43177F",
    weight_arch=0.03,
    on_solid="#FFFFFF",
)

THEMES = {theme.name: theme for theme in (DARK, LIGHT)}
_current = DARK


def theme() -> Theme:
    """The theme of the scene that is being made; read when used, never in a default argument."""
    return _current


def use_theme(name: str) -> Theme:
    """Make a theme current for this process (one process renders one clip at a time)."""
    global _current  # noqa: PLW0603 - Manim's own configuration is global to a process, too
    _current = THEMES[name]
    return _current
