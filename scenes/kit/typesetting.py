"""Typst markup to outlines: one engine for words, digits and formulas, with a true em and a true baseline.

Typst is called directly, not through Manim's `Typst`: only so can fonts be taken by path with the machine's own
left out, the baseline be known, and a string cost 0.2 ms instead of 25 (fonts are read once a process).
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import svgelements as se
import typst
from fontTools.ttLib import TTFont

FONT_DIR = Path(str(files("font_source_sans_pro"))) / "files"
FONT_FILES = (FONT_DIR / "SourceSansPro-Regular.otf", FONT_DIR / "SourceSansPro-Semibold.otf")
REGULAR, SEMIBOLD = 400, 600

_EM = 100.0  # pt of em while compiling: SVG coordinates carry two or more decimals of this
_BAR = 0.045  # thickness of fraction and root bars, em; a little more than the font's, for screens
_ROLES = {"qc": "query", "kc": "key", "vc": "value", "wc": "weight", "sc": "score", "dc": "dim", "ec": "error"}
# Roles travel through Typst as sentinel colours, so that one outline serves both themes.
_SENTINEL = {f"#0000{i + 1:02x}": role for i, role in enumerate(_ROLES.values())}
_MARK = "#box(rect(width: 0.001pt, height: 0.001pt, fill: black, stroke: none))"
_PREAMBLE = (
    "#set page(width: auto, height: auto, margin: 0pt, fill: none)\n"
    '#set text(size: {em}pt, font: "Source Sans Pro", weight: {weight}, fallback: false, '
    'number-width: "tabular", number-type: "lining")\n'
    '#show math.equation: set text(font: "New Computer Modern Math", weight: 400)\n'
    + "".join(
        f'#let {name}(body) = text(fill: rgb("{colour}"), body)\n'
        for name, colour in zip(_ROLES, _SENTINEL, strict=True)
    )
)

Curves = npt.NDArray[np.float64]  # [4 * m, 2]: m cubic Bezier segments, em, y upwards


class TypesettingError(Exception):
    """The markup can't be set: bad Typst, or a character without a glyph."""


@dataclass(frozen=True)
class Outline:
    """The outlines of one glyph or bar; role None means the colour of the whole."""

    curves: Curves
    role: str | None


@dataclass(frozen=True)
class Setting:
    """A line of type: origin at its left end on the baseline, lengths in em."""

    outlines: tuple[Outline, ...]
    advance: float
    markup: str

    def narrowed(self, share: float) -> Setting:
        """The same as wide as that share of it."""
        outlines = tuple(Outline(outline.curves * [share, 1], outline.role) for outline in self.outlines)
        return Setting(outlines, self.advance * share, self.markup)


@cache
def _compiler() -> typst.Compiler:
    """One with our font files alone: of two files of one face, as the package has, Typst takes any.

    Typst asks for folders, and reads a font when it is first used.
    """
    with TemporaryDirectory() as folder:
        for path in FONT_FILES:
            (Path(folder) / path.name).symlink_to(path)
        compiler = typst.Compiler(font_paths=typst.Fonts(include_system_fonts=False, font_paths=[folder]))
        for weight in (REGULAR, SEMIBOLD):
            compiler.compile(f"{_PREAMBLE.format(em=_EM, weight=weight)}a".encode(), format="svg")
    return compiler


@cache
def _characters() -> frozenset[int]:
    """The characters that every face in use has."""
    return frozenset.intersection(*map(_characters_of, FONT_FILES))


def _characters_of(path: Path) -> frozenset[int]:
    font = TTFont(path)
    font.setGlyphOrder([str(i) for i in range(font["maxp"].numGlyphs)])  # reading their names takes the longest
    return frozenset(font.getBestCmap())


def check_glyphs(text: str) -> None:
    """Refuse text with a character that would be drawn as a box, or by another font.

    Raises
    ------
    TypesettingError
        Naming the characters.
    """
    missing = sorted({char for char in text if ord(char) not in _characters()})
    if missing:
        names = ", ".join(f"{char!r} (U+{ord(char):04X})" for char in missing)
        raise TypesettingError(f"text {text!r}: the lesson's font has no glyph for {names}; use other characters")


def quoted(text: str) -> str:
    """A string as Typst code: markup and smart punctuation leave it alone."""
    return '#"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cache
def typeset(markup: str, weight: int = REGULAR) -> Setting:
    """Set one line of Typst markup.

    Parameters
    ----------
    markup
        Typst; `#qc[...]` colours by role, `$...$` is a formula. Plain text goes through `quoted`.
    weight
        Of the sans face, 400 or 600.

    Raises
    ------
    TypesettingError
        Typst refuses it.
    """
    source = f"{_PREAMBLE.format(em=_EM, weight=weight)}{_MARK}{markup}{_MARK}"
    try:
        svg = _compiler().compile(source.encode(), format="svg")
    except typst.TypstError as error:
        raise TypesettingError(f"{markup!r}: {error}") from error
    assert isinstance(svg, bytes)
    first, *outlines, last = _outlines(ET.fromstring(svg))
    origin = np.array([first.curves[:, 0].min(), first.curves[:, 1].min()])
    moved = tuple(Outline((o.curves - origin) / _EM, o.role) for o in outlines)
    return Setting(moved, float(last.curves[:, 0].min() - origin[0]) / _EM, markup)


def _outlines(svg: ET.Element) -> list[Outline]:
    """Everything Typst drew, in order, in pt with y upwards."""
    symbols = {s.get("id"): s[0].get("d", "") for s in svg.iter(_tag("symbol")) if len(s)}
    found: list[Outline] = []

    def walk(element: ET.Element, transform: se.Matrix) -> None:
        for child in element:
            here = se.Matrix(child.get("transform", "")) * transform
            if child.tag == _tag("defs"):
                continue
            if child.tag == _tag("use"):
                here = se.Matrix.translate(float(child.get("x", 0)), float(child.get("y", 0))) * here
                data = symbols[child.get("{http://www.w3.org/1999/xlink}href", "")[1:]]
            else:
                data = child.get("d", "") if child.tag == _tag("path") else ""
            curves = _cubics(_as_area(data) if child.get("fill") == "none" else data)
            if len(curves):
                placed = curves @ np.array([[here.a, here.b], [here.c, here.d]]) + np.array([here.e, here.f])
                found.append(Outline(placed * [1, -1], _SENTINEL.get(_colour(child))))
            walk(child, here)

    walk(svg, se.Matrix())
    return found


def _tag(name: str) -> str:
    return "{http://www.w3.org/2000/svg}" + name


def _colour(element: ET.Element) -> str:
    fill = element.get("fill", "")
    return (element.get("stroke", "") if fill == "none" else fill).lower()


def _as_area(data: str) -> str:
    """Typst strokes the bars of fractions and roots ("M 0 0h 28"); as an area they scale like the glyphs."""
    match = re.fullmatch(r"\s*M 0 0\s*h ([\d.]+)\s*", data)
    if not match:
        raise TypesettingError(f"an unexpected stroke in a formula: {data!r}")
    half = _BAR * _EM / 2
    return f"M 0 {-half} h {match[1]} v {2 * half} h -{match[1]} Z"


@cache
def _cubics(data: str) -> Curves:
    """SVG path data as cubic segments [4 * m, 2]; kept, since glyphs come again and again."""
    points: list[tuple[complex, ...]] = []
    for segment in se.Path(data):
        match segment:
            case se.Line() | se.Close():
                if segment.start is None or segment.end is None or segment.start == segment.end:
                    continue
                a, b = complex(segment.start), complex(segment.end)
                points.append((a, a + (b - a) / 3, a + 2 * (b - a) / 3, b))
            case se.QuadraticBezier():
                a, c, b = complex(segment.start), complex(segment.control), complex(segment.end)
                points.append((a, a + 2 * (c - a) / 3, b + 2 * (c - b) / 3, b))
            case se.CubicBezier():
                points.append(
                    tuple(complex(p) for p in (segment.start, segment.control1, segment.control2, segment.end))
                )
    flat = np.array(points, dtype=complex).reshape(-1)
    return np.column_stack([flat.real, flat.imag])
