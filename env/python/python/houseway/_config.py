"""What environments and house ways are told, as the JSON that the Rust side reads."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any


def to_json(**settings: Any) -> str:
    """The settings that are not ``None`` as a JSON object; paths become text."""
    given = {key: value for key, value in settings.items() if value is not None}
    return json.dumps(given, default=_plain)


def options_json(options: Mapping[str, Any] | None) -> str | None:
    """Options of a reset as JSON; ``side_stake`` may be written for ``side-stake``, and bankrolls by seat."""
    if not options:
        return None
    written = {key.replace("_", "-"): value for key, value in options.items()}
    if "bankrolls" in written:
        written["bankrolls"] = from_seat_1(written["bankrolls"])
    return json.dumps(written, default=_plain)


def from_seat_1(bankrolls: Sequence[int] | Mapping[int, int]) -> list[int]:
    """Bankrolls as a list from seat 1 on, 0 for seats that a mapping leaves out.

    >>> from_seat_1({4: 500, 2: 100})
    [0, 100, 0, 500]
    """
    if not isinstance(bankrolls, Mapping):
        return list(bankrolls)
    if any(seat < 1 for seat in bankrolls):
        raise ValueError(f"bankrolls of seats {sorted(bankrolls)}: players sit on seats 1 and up")
    return [bankrolls.get(seat, 0) for seat in range(1, max(bankrolls, default=0) + 1)]


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "item"):  # NumPy's numbers
        return value.item()
    raise TypeError(f"{value!r} cannot be written as JSON")
