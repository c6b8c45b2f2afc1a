"""Rendering for Gymnasium's and PettingZoo's render modes."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from PIL import Image, ImageFont

#: The render modes of single environments and tables. In ``"human"`` mode, every reset and step prints the text.
MODES = ["human", "ansi", "rgb_array"]
RenderMode = Literal["human", "ansi", "rgb_array"]

# A frame is a grid of characters, 84 wide including margins. A card takes up as much space as its two characters and a
# space.
_COLUMN, _LINE, _MARGIN, _WIDTH = 12, 28, 24, 1056
_CARD, _GAP = (34, 25), 2
#: The factor by which cards are drawn larger before they are scaled down.
_SCALE = 4
_INK, _PAPER, _FELT, _RED, _VIOLET = (26, 26, 26), (255, 255, 255), (226, 234, 226), (190, 30, 45), (106, 50, 140)

#: The number of lines in a frame for a single hand, and for a table including the previous round.
LINES, TABLE_LINES = 8, 24

_NUMBER = re.compile(r"-?[\d,.]+")
_PIECE = re.compile(r"\S+(?: \S+)*")
# A card, or a tile with two halves of one to six pips.
_CARD_NAME = re.compile(r"\b(?:[2-9TJQKA][cdhs]|Jk2?|(?<!-)[1-6]-[1-6](?!-))\b")


def check_mode(mode: RenderMode | None, modes: Sequence[str]) -> RenderMode | None:
    """Returns the render mode, or raises an error if it isn't one of ``modes``."""
    if mode not in (None, *modes):
        raise ValueError(f"invalid render_mode {mode!r}: expected {', '.join(map(repr, modes))} or None")
    return mode


def rendered(mode: str | None, text: str, lines: int) -> str | np.ndarray | None:
    """Returns the value for ``render()``, which is the text, an image of it, or ``None`` if it was already printed."""
    if mode == "ansi":
        return text
    return picture(text, lines) if mode == "rgb_array" else None


def picture(text: str, lines: int = LINES) -> np.ndarray:
    """Draws text with its cards as playing cards, uint8 ``(28 * lines, 1056, 3)``.

    All frames with the same number of lines have the same size, as videos require.

    Raises:
        ImportError: If Pillow is not installed.
    """
    from PIL import Image, ImageDraw

    frame = Image.new("RGB", (_WIDTH, _LINE * lines), _FELT)
    draw, font = ImageDraw.Draw(frame), _font(19)
    for row, line in enumerate(text.splitlines()[:lines]):
        top = _MARGIN // 2 + row * _LINE
        for piece in _PIECE.finditer(line):
            # The font is proportional, so each piece starts at its grid position to keep columns aligned.
            left = float(_MARGIN + _COLUMN * piece.start())
            if _NUMBER.fullmatch(piece.group()):
                right = _MARGIN + _COLUMN * piece.end()
                draw.text((right, top + _CARD[1] // 2), piece.group(), fill=_INK, font=font, anchor="rm")
                continue
            for run in re.split(f" ?({_CARD_NAME.pattern}) ?", piece.group()):
                if _CARD_NAME.fullmatch(run):
                    frame.paste(_card(run), (round(left), top))
                    left += _CARD[0] + _GAP
                elif run:
                    draw.text((left + _GAP, top + _CARD[1] // 2), run, fill=_INK, font=font, anchor="lm")
                    left += draw.textlength(run, font) + 4 * _GAP
    return np.array(frame)


@functools.cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size)


@functools.cache
def _card(name: str) -> Image.Image:
    """Returns the image of a card. It shows the rank and the suit, a star for a joker, or the pips of a tile."""
    from PIL import Image, ImageDraw

    width, height = (_SCALE * side for side in _CARD)
    card = Image.new("RGB", (width, height), _FELT)
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle((2, 2, width - 3, height - 3), radius=4 * _SCALE, fill=_PAPER, outline=(120, 120, 120), width=3)
    if name[1] == "-":
        draw.line([(width / 2, 0.2 * height), (width / 2, 0.8 * height)], fill=(120, 120, 120), width=3)
        for middle, pips in ((0.26 * width, int(name[0])), (0.74 * width, int(name[2]))):
            for place in _PIPS[pips]:
                x, y = middle + (place % 3 - 1) * 0.13 * width, (0.5 + (place // 3 - 1) * 0.26) * height
                draw.ellipse((x - 7, y - 7, x + 7, y + 7), fill=_RED if pips in (1, 4) else _INK)
        return card.resize(_CARD, Image.Resampling.LANCZOS)
    joker = name.startswith("Jk")
    color = _VIOLET if joker else _RED if name[1] in "dh" else _INK
    rank = name[2:] if joker else name[0].replace("T", "10")
    size = 14 if rank == "10" else 18
    draw.text((0.29 * width, 0.5 * height), rank, fill=color, font=_font(size * _SCALE), anchor="mm")
    center, reach = ((0.5 if name == "Jk" else 0.73) * width, 0.5 * height), 0.29 * height
    for shape in _STAR if joker else _SUITS[name[1]]:
        points = [(center[0] + reach * x, center[1] + reach * y) for x, y in shape]
        draw.polygon(points, fill=color)
    return card.resize(_CARD, Image.Resampling.LANCZOS)


#: The places of the pips among nine. On tiles and Chinese dice, one and four pips are red.
_PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]]

_Polygon = list[tuple[float, float]]


def _disc(x: float, y: float, radius: float) -> _Polygon:
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    return [(x + radius * float(np.cos(angle)), y + radius * float(np.sin(angle))) for angle in angles]


# The suits and the joker's star, as polygons around (0, 0) with y pointing down.
_STEM: _Polygon = [(-0.12, 0.1), (0.12, 0.1), (0.32, 1.0), (-0.32, 1.0)]
_SUITS: dict[str, list[_Polygon]] = {
    "c": [_disc(0, -0.5, 0.44), _disc(-0.5, 0.2, 0.44), _disc(0.5, 0.2, 0.44), _STEM],
    "d": [[(0, -1), (0.75, 0), (0, 1), (-0.75, 0)]],
    "h": [_disc(-0.44, -0.4, 0.48), _disc(0.44, -0.4, 0.48), [(-0.88, -0.22), (0.88, -0.22), (0, 1)]],
    "s": [_disc(-0.42, 0.28, 0.44), _disc(0.42, 0.28, 0.44), [(-0.82, 0.12), (0, -1), (0.82, 0.12)], _STEM],
}
_STAR: list[_Polygon] = [
    [
        (float(radius * np.sin(np.pi * i / 5)), float(-radius * np.cos(np.pi * i / 5)))
        for i, radius in enumerate([1.1, 0.45] * 5)
    ]
]
