"""Text as a picture, for ``render_mode="rgb_array"``."""

from __future__ import annotations

import numpy as np

_WIDTH, _LINE = 528, 14  # of a frame before it is doubled: 84 letters

#: Lines of a frame: of a hand, and of a table with the round before.
LINES, TABLE_LINES = 8, 24


def picture(text: str, lines: int = LINES) -> np.ndarray:
    """Text in a fixed-width face, uint8 ``(28 * lines, 1056, 3)``; every frame has the same size, so that they make a film.

    Raises:
        ImportError: if Pillow is not installed.
    """
    from PIL import Image, ImageDraw, ImageFont

    frame = Image.new("RGB", (_WIDTH, _LINE * lines), (250, 250, 247))
    font = ImageFont.load_default_imagefont()  # every letter is 6 wide
    ImageDraw.Draw(frame).multiline_text((12, 10), text, fill=(26, 26, 26), font=font, spacing=4)
    doubled = frame.resize((2 * _WIDTH, 2 * _LINE * lines), Image.Resampling.NEAREST)
    return np.array(doubled)
