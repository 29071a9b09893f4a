"""Pictures of the film for docs/: style frames beside the film at the same moment, and a picture for the README.

    python tools/film_pictures.py docs/film.png
    python tools/film_pictures.py docs/style_comparison.png --style FOLDER     with the style frames a1_*.png, ...

Both take frames from finished clips (media/1080p60, or --media and --quality).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from pipeline.poster import frame_image
from pipeline.quality import QUALITIES
from scenes.kit.theme import DARK
from scenes.kit.typesetting import FONT_FILES

# style frame: clip, beat, seconds before that beat's end
MOMENTS = {
    "a1_matching_geometry": ("query_key_matching", "arithmetic", 0.8),
    "a2_matching_matrix": ("query_key_matching", "look_closer", 1.2),
    "a3_softmax_bars": ("softmax_normalisation", "division", 0.3),
    "a4_softmax_shift": ("softmax_normalisation", "shift_by_maximum", 0.1),
    "b1_causal_scores": ("causal_triangle", "mask", 0.1),
    "b2_causal_weights": ("causal_triangle", "every_row", 0.1),
    "b3_mask_compare": ("causal_triangle", "encoders", 0.1),
    "b4_head_reshape": ("head_splitting", "transpose", 2.7),
    "b5_forgotten_transpose": ("head_splitting", "wrong_cells", 1.3),
    "c1_opening": ("opening", "winner", 2.0),
    "c2_question": ("query_key_matching", "predict_value", 3.0),
    "c3_takeaway": ("query_key_matching", "close", 0.1),
}
POSTERS = ("opening", "query_key_matching", "softmax_normalisation", "causal_triangle", "head_splitting", "summary")
TILE, GAP, CAPTION = (800, 450), 16, 34


def film_frame(clips: Path, clip: str, beat: str, before: float) -> Image.Image:
    """The frame that many seconds before a beat's end."""
    record = json.loads((clips / f"{clip}.json").read_text(encoding="utf-8"))
    ends = {entry["name"]: entry["end"] for entry in record["beats"]}
    if beat not in ends:
        raise SystemExit(f"{clip}: no beat is named {beat!r}; its beats: {', '.join(ends)}")
    index = max(0, round((ends[beat] - before) * record["fps"]) - 1)
    return frame_image(clips / f"{clip}.mp4", index, record["fps"])


def sheet(rows: Sequence[Sequence[tuple[str, Image.Image]]]) -> Image.Image:
    """Captioned pictures in rows."""
    width = max(len(row) for row in rows) * (TILE[0] + GAP) + GAP
    page = Image.new("RGB", (width, len(rows) * (TILE[1] + GAP + CAPTION) + GAP), DARK.hairline)
    draw, font = ImageDraw.Draw(page), ImageFont.truetype(str(FONT_FILES[0]), 22)
    for j, row in enumerate(rows):
        for i, (caption, picture) in enumerate(row):
            x, y = GAP + i * (TILE[0] + GAP), GAP + j * (TILE[1] + GAP + CAPTION)
            draw.text((x, y), caption, fill=DARK.text, font=font)
            page.paste(picture.resize(TILE, Image.Resampling.LANCZOS), (x, y + CAPTION))
    return page


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--style", type=Path, help="folder of style frames")
    parser.add_argument("--media", type=Path, default=Path("media"))
    parser.add_argument("--quality", choices=sorted(QUALITIES), default="h")
    options = parser.parse_args()
    clips = options.media / QUALITIES[options.quality].folder / "clips"
    if options.style:
        rows = [
            [
                (f"style frame {name}", Image.open(options.style / f"{name}.png").convert("RGB")),
                (f"film: {moment[0]}, {moment[1]}", film_frame(clips, *moment)),
            ]
            for name, moment in MOMENTS.items()
        ]
    else:
        posters = [(name, Image.open(clips / f"{name}.webp").convert("RGB")) for name in POSTERS]
        rows = [posters[i : i + 2] for i in range(0, len(posters), 2)]
    page = sheet(rows)
    page.save(options.picture, optimize=True)
    print(f"{options.picture}: {page.width} x {page.height}")


if __name__ == "__main__":
    main()
