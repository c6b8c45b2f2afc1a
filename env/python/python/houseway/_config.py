"""What environments and house ways are told, as the JSON that the Rust side reads."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any


def to_json(**settings: Any) -> str:
    """The settings that are not ``None`` as a JSON object; paths become text."""
    given = {key: value for key, value in settings.items() if value is not None}
    return json.dumps(given, default=_plain)


def options_json(options: Mapping[str, Any] | None) -> str | None:
    """Options of a reset as JSON; ``side_stake`` may be written for ``side-stake``."""
    if not options:
        return None
    return json.dumps({key.replace("_", "-"): value for key, value in options.items()}, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "item"):  # NumPy's numbers
        return value.item()
    raise TypeError(f"{value!r} cannot be written as JSON")
