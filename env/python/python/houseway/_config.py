"""Conversion of environment settings and reset options to the JSON that Rust parses."""

from __future__ import annotations

import json
import operator
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


def to_json(**settings: Any) -> str:
    """Returns the settings that aren't ``None`` as a JSON object. Paths are converted to strings."""
    return _object({key: value for key, value in settings.items() if value is not None})


def mapping(name: str, value: Any) -> dict[str, Any]:
    """Returns a copy of rules or other settings by name. ``None`` stands for none."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise TypeError(f"invalid {name} {value!r}: expected a mapping with names as keys")
    return dict(value)


def text(name: str, value: Any) -> str:
    """Returns a text."""
    if not isinstance(value, str):
        raise TypeError(f"invalid {name} {value!r}: expected a text")
    return value


def integer(name: str, value: Any, expected: str = "an integer", bounded: bool = True) -> int:
    """Returns a Python integer, which isn't rounded. If it is bounded, Rust can represent it."""
    try:
        number = int(operator.index(value))
    except TypeError:
        raise TypeError(f"invalid {name} {value!r}: expected {expected}") from None
    if bounded and not -(2**63) <= number < 2**63:
        raise ValueError(f"invalid {name} {value}: expected at least -2^63 and less than 2^63")
    return number


def shard_of(shard: Any) -> tuple[int, int]:
    """Returns the index of a shard and the number of shards."""
    try:
        number, count = map(operator.index, shard)
    except (TypeError, ValueError):
        raise TypeError(f"invalid shard {shard!r}: expected two integers, such as (0, 4)") from None
    if not 0 <= number < count < 2**63:
        raise ValueError(f"invalid shard {number} of {count}: shards are numbered from 0, and there are fewer than 2^63")
    return number, count


def index_of(what: str, given: Any, names: Sequence[str]) -> int:
    """Returns the index of a name, which may also be given by its index."""
    if isinstance(given, str) and given in names:
        return names.index(given)
    if isinstance(given, int | np.integer) and not isinstance(given, bool) and 0 <= given < len(names):
        return int(given)
    known = f"{', '.join(names)}, or an index from 0 to {len(names) - 1}"
    raise ValueError(f"unknown {what} {given!r}: expected one of {known}")


def _object(settings: Mapping[str, Any]) -> str:
    """Returns a JSON object, which has no NaN and no infinity."""
    for key, value in settings.items():
        # JSON writes the keys 1 and "1" alike.
        if isinstance(value, Mapping) and len({str(name) for name in value}) < len(value):
            raise ValueError(f"invalid {key}: a key of {list(value)} is given twice")
        try:
            json.dumps(value, default=_plain, allow_nan=False)
        except ValueError:
            raise ValueError(f"invalid {key} {value!r}: expected finite numbers") from None
        except TypeError as error:
            raise TypeError(f"invalid {key} {value!r}: {error}") from None
    return json.dumps(settings, default=_plain)


def flag(name: str, value: bool) -> bool:
    """Returns a setting that is true or false. Converting other values would take ``"no"`` for true."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"invalid {name} {value!r}: expected True or False")
    return bool(value)


def check_seed(seed: int | None, expected: str = "an integer") -> int | None:
    """Returns a seed as a Python integer that Rust can represent, or ``None``."""
    if seed is None:
        return None
    number = integer("seed", seed, expected, bounded=False)
    if not 0 <= number < 2**64:
        raise ValueError(f"invalid seed {seed}: expected 0 to 2^64 - 1")
    return number


def keyword_error(error: ValueError, function: str, settings: Mapping[str, Any]) -> Exception:
    """Converts an unknown-field error to the ``TypeError`` that Python raises for an unexpected keyword argument.

    Returns the error unchanged if the field isn't one of the top-level settings.
    """
    # A field of a setting follows the setting's name.
    found = re.match(r"unknown field `([^`]+)`(.*)$", str(error))
    if found and found[1] in settings:
        return TypeError(f"{function}() got an unexpected keyword argument {found[1]!r}{found[2]}")
    return error


def integers(values: Any, name: str) -> np.ndarray:
    """Converts values to an integer array.

    Raises:
        TypeError: If the values aren't integers. Converting them would silently round them.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"{name} must be integers, not {array.dtype}")
    return array


def options_json(options: Mapping[str, Any] | None) -> str | None:
    """Returns reset options as JSON. Accepts ``side_stake`` for ``side-stake``, bankrolls by seat, and a hand as card
    numbers."""
    from .cards import text as hand_text

    options = mapping("options", options)
    if not options:
        return None
    written = {key.replace("_", "-"): value for key, value in options.items()}
    if len(written) < len(options):
        raise ValueError(f"invalid options {list(options)}: a key is given twice")
    if "bankrolls" in written:
        written["bankrolls"] = from_seat_1(written["bankrolls"])
    if "hand" in written and np.ndim(written["hand"]) == 1:
        written["hand"] = hand_text(written["hand"])
    return _object(written)


def from_seat_1(bankrolls: Sequence[int] | Mapping[int, int]) -> list[int]:
    """Returns bankrolls as a list starting with seat 1. Seats missing from a mapping get 0.

    >>> from_seat_1({4: 500, 2: 100})
    [0, 100, 0, 500]
    """
    if isinstance(bankrolls, Sequence | np.ndarray) and not isinstance(bankrolls, str):
        return list(bankrolls)
    if not isinstance(bankrolls, Mapping) or not all(isinstance(seat, int | np.integer) for seat in bankrolls):
        raise TypeError(f"invalid bankrolls {bankrolls!r}: expected a sequence, or a mapping from seat numbers to chips")
    if any(seat < 1 for seat in bankrolls):
        raise ValueError(f"invalid bankrolls for seats {sorted(bankrolls)}: seats start at 1")
    return [bankrolls.get(seat, 0) for seat in range(1, max(bankrolls, default=0) + 1)]


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if getattr(value, "ndim", None) == 0:  # a NumPy scalar
        return value.item()
    raise TypeError(f"expected numbers, strings, lists and dicts, not {type(value).__name__}")
