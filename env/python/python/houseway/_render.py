"""Rendering of text as an image, for ``render_mode="rgb_array"``."""

from __future__ import annotations

import numpy as np

_WIDTH, _LINE = 528, 14  # frame size before doubling: 84 characters wide

#: Number of lines of a frame: for a hand, and for a table with the previous round.
LINES, TABLE_LINES = 8, 24


def picture(text: str, lines: int = LINES) -> np.ndarray:
    """Renders text in a fixed-width font, uint8 ``(28 * lines, 1056, 3)``. All frames have the same size, as for a video.

    Raises:
        ImportError: if Pillow is not installed.
    """
    from PIL import Image, ImageDraw, ImageFont

    frame = Image.new("RGB", (_WIDTH, _LINE * lines), (250, 250, 247))
    font = ImageFont.load_default_imagefont()  # characters are 6 pixels wide
    ImageDraw.Draw(frame).multiline_text((12, 10), text, fill=(26, 26, 26), font=font, spacing=4)
    doubled = frame.resize((2 * _WIDTH, 2 * _LINE * lines), Image.Resampling.NEAREST)
    return np.array(doubled)
