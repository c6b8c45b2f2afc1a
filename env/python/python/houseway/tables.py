"""Strategy and class tables in the file formats of the command line.

- A *strategy table*: one setting for each of the 6,972,147 classes of hands (7 MB) in the safetensors format. Written by
  ``houseway solve --strategy FILE``, played by ``houseway solve --player FILE``.
- A *class table*: the outcome counts of all settings of all classes as Parquet. Written by ``houseway solve --table FILE``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import Any, Union

import numpy as np

from ._config import integers
from ._core import __version__
from .exact import CLASSES, Way, to_arrow
from .ways import as_way

Path = Union[str, "os.PathLike[str]"]

_FORMAT, _GAME = "houseway-strategy-1", "pai-gow-poker"


def _hash(settings: np.ndarray) -> str:
    return hashlib.sha256(settings.tobytes()).hexdigest()[:16]


def save_strategy(path: Path, settings: np.ndarray, name: str, banker: Way = "trump-plaza") -> None:
    """Writes a strategy as returned by :func:`houseway.exact.settings_of` and :func:`~houseway.exact.best_settings`.

    Args:
        path: output file, usually with the extension ``.safetensors``.
        settings: uint8 ``(6972147,)``.
        name: display name in results.
        banker: a house way for the same rules of the game as the strategy.
    """
    settings = integers(settings, "settings")
    if settings.shape != (CLASSES,) or settings.max(initial=0) > 20 or settings.min(initial=0) < 0:
        raise ValueError(f"expected {CLASSES} settings from 0 to 20, found shape {settings.shape}")
    settings = np.ascontiguousarray(settings, np.uint8)
    way = as_way(banker)
    metadata = {
        "format": _FORMAT,
        "game": _GAME,
        "hash": _hash(settings),
        "name": name,
        "rules": way._core.game_rules,
        "rules_hash": way.rules_hash,
        "version": __version__,
    }
    tensor = {"dtype": "U8", "shape": [CLASSES], "data_offsets": [0, CLASSES]}
    # Written manually because the library orders metadata randomly; equal strategies must give equal files.
    header = json.dumps({"__metadata__": metadata, "settings": tensor}, separators=(",", ":"), sort_keys=True).encode()
    header += b" " * (-len(header) % 8)
    unfinished = f"{os.fspath(path)}.unfinished"
    with open(unfinished, "wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.write(settings.data)
    os.replace(unfinished, path)


def load_strategy(path: Path, banker: Way = "trump-plaza") -> tuple[np.ndarray, dict[str, str]]:
    """Reads a strategy; returns its settings, uint8 ``(6972147,)``, and the metadata of the file.

    Needs the extra ``learned`` (safetensors).

    Raises:
        ValueError: if the file has another format, was modified, or was computed under other rules of the game than those of
            ``banker``.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata() or {}
            settings = file.get_tensor("settings")
    except SafetensorError as error:
        raise ValueError(f"{os.fspath(path)} is not a strategy table: {error}") from None
    if (metadata.get("format"), metadata.get("game")) != (_FORMAT, _GAME):
        raise ValueError(f"{os.fspath(path)} is not a strategy table of {_GAME}; create one with houseway solve --strategy")
    if metadata.get("hash", _hash(settings)) != _hash(settings):
        raise ValueError(f"{os.fspath(path)} was modified: its settings do not match its hash")
    ours = as_way(banker).rules_hash
    if metadata.get("rules_hash") != ours:
        theirs = metadata.get("rules", metadata.get("rules_hash"))
        raise ValueError(f"{os.fspath(path)} was computed under other rules: {theirs}")
    return settings, metadata


def load_classes(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Reads a class table; returns its columns as arrays that share the file's buffers, and its metadata.

    Columns: ``class``, ``cards`` ``(n, 7)``, ``orbit``, ``wins`` and ``losses`` ``(n, 21)`` (-1 for fouls), ``best``, ``best_ev``,
    and the evaluated strategy, ``way`` and ``way_ev``. Needs the extra ``arrow``.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(path).combine_chunks()
    columns = {}
    for name in table.column_names:
        column = table[name].chunk(0)
        if pa.types.is_list(column.type) or pa.types.is_fixed_size_list(column.type):
            values = column.flatten().to_numpy(zero_copy_only=True)
            columns[name] = values.reshape(len(column), len(values) // max(len(column), 1))
        else:
            columns[name] = column.to_numpy(zero_copy_only=True)
    prefix = "houseway."
    metadata = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    return columns, {key.removeprefix(prefix): text for key, text in metadata.items() if key.startswith(prefix)}


def save_columns(path: Path, columns: Mapping[str, np.ndarray], **about: Any) -> None:
    """Writes columns, such as those of :func:`houseway.exact.whole_table`, as Parquet with the given metadata."""
    import pyarrow.parquet as pq

    table = to_arrow(columns)
    pq.write_table(table.replace_schema_metadata({f"houseway.{key}": str(value) for key, value in about.items()}), path)
