"""Conversion of settings and options to the JSON that the Rust side reads."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any


def to_json(**settings: Any) -> str:
    """Returns the settings that are not ``None`` as a JSON object; paths become strings."""
    given = {key: value for key, value in settings.items() if value is not None}
    return json.dumps(given, default=_plain)


def options_json(options: Mapping[str, Any] | None) -> str | None:
    """Returns reset options as JSON. ``side_stake`` is accepted for ``side-stake``, and bankrolls may be given by seat."""
    if not options:
        return None
    written = {key.replace("_", "-"): value for key, value in options.items()}
    if "bankrolls" in written:
        written["bankrolls"] = from_seat_1(written["bankrolls"])
    return json.dumps(written, default=_plain)


def from_seat_1(bankrolls: Sequence[int] | Mapping[int, int]) -> list[int]:
    """Returns bankrolls as a list starting with seat 1; seats missing from a mapping have 0.

    >>> from_seat_1({4: 500, 2: 100})
    [0, 100, 0, 500]
    """
    if not isinstance(bankrolls, Mapping):
        return list(bankrolls)
    if any(seat < 1 for seat in bankrolls):
        raise ValueError(f"invalid bankrolls for seats {sorted(bankrolls)}: seats start at 1")
    return [bankrolls.get(seat, 0) for seat in range(1, max(bankrolls, default=0) + 1)]


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "item"):  # NumPy scalar
        return value.item()
    raise TypeError(f"{value!r} is not JSON serializable")
