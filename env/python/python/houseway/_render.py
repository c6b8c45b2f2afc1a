"""Rendering in the modes of Gymnasium and PettingZoo."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Render modes of single environments and tables. With ``"human"`` every reset and step prints the text.
MODES = ["human", "ansi", "rgb_array"]

_WIDTH, _LINE = 528, 14  # frame size before doubling: 84 characters wide

#: Number of lines of a frame: for a hand, and for a table with the previous round.
LINES, TABLE_LINES = 8, 24


def check_mode(mode: str | None, modes: Sequence[str]) -> str | None:
    """Returns a render mode, if it is one of those given."""
    if mode not in (None, *modes):
        raise ValueError(f"invalid render_mode {mode!r}: expected {', '.join(map(repr, modes))} or None")
    return mode


def rendered(mode: str | None, text: str, lines: int) -> str | np.ndarray | None:
    """Returns what ``render()`` returns: the text, its picture, or ``None`` where the text has been printed."""
    if mode == "ansi":
        return text
    return picture(text, lines) if mode == "rgb_array" else None


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
