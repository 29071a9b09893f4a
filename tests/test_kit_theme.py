"""The look by role: what can be read on what, in both themes."""

from __future__ import annotations

import numpy as np
import pytest

from scenes.kit.colour import contrast, from_oklab, mix, to_oklab
from scenes.kit.theme import THEMES, Theme, theme, use_theme

READABLE, SEEN = 4.5, 3.0  # WCAG 2: text, and graphics that carry meaning

themes = pytest.mark.parametrize("look", THEMES.values(), ids=THEMES.keys())


@themes
def test_digits_can_be_read_on_every_shade_of_the_weight_scale(look: Theme) -> None:
    shades = [look.weight_shade(float(w)) for w in np.linspace(0, 1, 201)]
    assert min(contrast(look.ink_on(shade), shade) for shade in shades) >= READABLE


@themes
def test_the_weight_scale_is_even(look: Theme) -> None:
    lightness = np.array([to_oklab(look.weight_shade(float(w)))[0] for w in np.linspace(0, 1, 21)])
    steps = np.diff(lightness)
    assert np.all(np.sign(steps) == np.sign(steps[0])), "lightness rises (or falls) all the way"
    assert abs(steps).max() < 1.25 * abs(steps).min()


@themes
@pytest.mark.parametrize("role", ["text", "dim", "query", "key", "value", "weight", "score", "error", "masked_ink"])
def test_roles_can_be_read_on_the_ground(look: Theme, role: str) -> None:
    assert contrast(look.colour(role), look.ground) >= READABLE


@themes
@pytest.mark.parametrize(
    ("ink", "ground"),
    [("quiet", "panel"), ("score", "live"), ("masked_ink", "masked"), ("text", "query_fill"), ("text", "key_fill"),
     ("text", "value_fill"), ("on_solid", "query"), ("on_solid", "key"), ("on_solid", "score"), ("dim", "panel")],
)  # fmt: skip
def test_figures_can_be_read_in_their_cells(look: Theme, ink: str, ground: str) -> None:
    assert contrast(look.colour(ink), look.colour(ground)) >= READABLE


@themes
def test_lines_that_carry_meaning_are_seen(look: Theme) -> None:
    assert contrast(look.axis, look.ground) >= SEEN


@themes
def test_the_smallest_text_can_be_read_in_a_page(look: Theme) -> None:
    assert min(vars(look.type).values()) >= look.frame.height / 30


def test_mixing_is_exact_at_its_ends() -> None:
    assert mix("#11141B", "#FFB54A", 0) == "#11141B"
    assert mix("#11141B", "#FFB54A", 1) == "#FFB54A"
    assert from_oklab(to_oklab("#2FBB8C")) == "#2FBB8C"


def test_the_theme_is_read_when_used() -> None:
    try:
        assert use_theme("light") is theme()
        assert theme().name == "light"
    finally:
        use_theme("dark")
