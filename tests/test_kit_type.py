"""Type: a true baseline, tabular digits, fonts by path, no silent substitutes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.ttLib import TTFont

from lesson import Fact
from scenes.kit.geometry import at, pixel
from scenes.kit.labels import Label, figure, formula, in_cell, rich, run, words
from scenes.kit.typesetting import FONT_FILES, SEMIBOLD, TypesettingError, quoted, typeset


def fact(value: object) -> Fact:
    return Fact("group.name", value)


def ink(label: Label) -> tuple[float, float, float, float]:
    """Left, top, right, bottom, px."""
    (left, top), (right, bottom) = (pixel(label.get_corner(np.array(c))) for c in ([-1, 1, 0], [1, -1, 0]))
    return left, top, right, bottom


def test_outlines_are_the_font_s_own() -> None:
    """The advance of a line is the sum of its glyphs' advances in the font file (digits don't kern)."""
    font = TTFont(FONT_FILES[0])
    tabular = typeset(quoted("0123456789")).advance
    cmap, widths = font.getBestCmap(), font["hmtx"]
    plain = sum(widths[cmap[ord(c)]][0] for c in "H") / font["head"].unitsPerEm
    assert typeset(quoted("H")).advance == pytest.approx(plain, abs=1e-3)
    assert tabular == pytest.approx(10 * typeset(quoted("0")).advance, abs=1e-3)


@pytest.mark.parametrize(("weight", "path"), [*zip([400, SEMIBOLD], FONT_FILES, strict=True)])
def test_outlines_come_from_the_files_whose_digests_count(weight: int, path: Path) -> None:
    """To the last control point: the package has each face twice, in outlines of other kinds."""
    font = TTFont(path)
    pen = RecordingPen()
    font.getGlyphSet()[font.getBestCmap()[ord("g")]].draw(pen)
    wanted = {point for _, points in pen.value for point in points}
    (outline,) = typeset(quoted("g"), weight).outlines
    drawn = {tuple(point) for point in np.rint(outline.curves * font["head"].unitsPerEm).tolist()}
    assert wanted <= drawn


@pytest.mark.parametrize("weight", [400, SEMIBOLD])
def test_digits_are_tabular(weight: int) -> None:
    advances = {round(typeset(quoted(digit), weight).advance, 6) for digit in "0123456789"}
    assert len(advances) == 1


@pytest.mark.parametrize("text", ["H", "Hg", "gap", "0.67", "—H"])
def test_the_baseline_is_true(text: str) -> None:
    label = words("H").place(300, 500)
    assert ink(label)[3] == pytest.approx(500, abs=0.1), "a capital stands on the baseline"
    other = Label(typeset(quoted(text)), 38, "text").place(300, 500)
    assert other.origin[1] == pytest.approx(500, abs=0.1)
    assert ink(other)[0] == pytest.approx(300, abs=0.1)


def test_the_baseline_survives_moving_and_scaling() -> None:
    label = words("gap")
    label.scale(2).shift(at(10, 10) - at(0, 0)).place(700, 400)
    high = words("H").place(900, 400)
    assert label.origin[1] == pytest.approx(ink(high)[3], abs=0.2)


def test_decimal_points_stand_in_one_place_whatever_the_sign() -> None:
    plus, minus = (in_cell(figure(fact(v)), 500, 500, signed=True) for v in (0.44, -0.44))
    assert ink(plus)[2] == pytest.approx(ink(minus)[2], abs=0.1)


def test_a_figure_is_centred_in_its_cell() -> None:
    left, top, right, bottom = ink(in_cell(figure(fact(0.88)), 500, 400))
    assert (left + right) / 2 == pytest.approx(500, abs=1.5)
    assert (top + bottom) / 2 == pytest.approx(400, abs=1.5)


def test_roles_colour_their_parts_and_pieces_follow_one_another() -> None:
    label = rich("the #qc[query] and the #kc[key]")
    assert len({part.get_fill_color().to_hex() for part in label.submobjects}) == 3
    first, second = formula("qc(q)"), formula("= kc(k_1)")
    run(first, second, x=200, baseline=300, gap=10)
    assert first.origin[1] == pytest.approx(second.origin[1], abs=0.1)
    assert second.origin[0] == pytest.approx(200 + first.advance + 10, abs=0.2)


@pytest.mark.parametrize("make", [formula, rich])
def test_exponents_are_raised_in_formulas_as_in_words(make: Callable[..., Label]) -> None:
    """Else 10^6 would read as 106. The last glyphs are the base's 0 and the exponent's 6."""
    *_, zero, six = typeset(make("{0e}", fact(-1e6)).markup).outlines
    heights = [outline.curves[:, 1] for outline in (zero, six)]
    assert heights[1].min() > heights[0].max() / 3
    assert np.ptp(heights[1]) < 0.8 * np.ptp(heights[0])


def test_a_missing_glyph_is_named() -> None:
    with pytest.raises(TypesettingError, match=r"U\+732B"):
        words("a 猫")


def test_markup_in_plain_words_is_left_alone() -> None:
    """Quotes, dollars and hashes are text: as many outlines as characters drawn."""
    assert len(typeset(quoted('a "b" $c$ #d *e* \\f')).outlines) == len('a"b"$c$#d*e*\\f')


def test_bad_markup_is_a_clear_error() -> None:
    with pytest.raises(TypesettingError):
        typeset("#nonsense(")
