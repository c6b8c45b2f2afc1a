"""Text as a picture, for ``render_mode="rgb_array"``."""

from __future__ import annotations

import numpy as np

_SIZE = (528, 112)  # of a frame before it is doubled: 84 letters by 8 lines


def picture(text: str) -> np.ndarray:
    """Text in a fixed-width face, uint8 ``(224, 1056, 3)``; every frame has the same size, so that they make a film.

    Raises:
        ImportError: if Pillow is not installed.
    """
    from PIL import Image, ImageDraw, ImageFont

    frame = Image.new("RGB", _SIZE, (250, 250, 247))
    font = ImageFont.load_default_imagefont()  # every letter is 6 wide
    ImageDraw.Draw(frame).multiline_text((12, 10), text, fill=(26, 26, 26), font=font, spacing=4)
    doubled = frame.resize((2 * _SIZE[0], 2 * _SIZE[1]), Image.Resampling.NEAREST)
    return np.array(doubled)
