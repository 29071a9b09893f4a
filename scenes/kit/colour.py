"""Colour arithmetic in OKLab (Ottosson 2020) and contrast as WCAG 2 defines it. Colours are "#RRGGBB"."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]

_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _linear(colour: str) -> Vector:
    c = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def to_oklab(colour: str) -> Vector:
    """[L, a, b]."""
    lab: Vector = _TO_LAB @ np.cbrt(_TO_LMS @ _linear(colour))
    return lab


def from_oklab(lab: Vector) -> str:
    """The nearest colour of the sRGB gamut, by clipping."""
    rgb = np.clip(np.linalg.inv(_TO_LMS) @ (np.linalg.inv(_TO_LAB) @ lab) ** 3, 0, 1)
    rgb = np.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * rgb ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * float(c)):02X}" for c in rgb)


@cache
def mix(a: str, b: str, t: float) -> str:
    """From a (t = 0) to b (t = 1), even to the eye."""
    return from_oklab(to_oklab(a) + (to_oklab(b) - to_oklab(a)) * t)


def _luminance(colour: str) -> float:
    return float(_linear(colour) @ np.array([0.2126, 0.7152, 0.0722]))


@cache
def contrast(a: str, b: str) -> float:
    """Contrast ratio, 1 to 21."""
    low, high = sorted((_luminance(a), _luminance(b)))
    return (high + 0.05) / (low + 0.05)


@cache
def sequential_scale(start: str, end: str, arch: float, t: float) -> str:
    """Lightness rises evenly; chroma arches, so that the middle keeps its hue instead of greying."""
    (l0, a0, b0), (l1, a1, b1) = to_oklab(start), to_oklab(end)
    chroma = (1 - t) * np.hypot(a0, b0) + t * np.hypot(a1, b1) + 4 * arch * t * (1 - t)
    hue = (1 - t) * np.arctan2(b0, a0) + t * np.arctan2(b1, a1)
    return from_oklab(np.array([l0 + (l1 - l0) * t, chroma * np.cos(hue), chroma * np.sin(hue)]))
