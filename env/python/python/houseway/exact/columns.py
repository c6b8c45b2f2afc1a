"""Conversion of results to other packages' data frames.

Every function takes columns by name. These can be a dict of arrays, as returned by
:func:`~houseway.exact.whole_table` and :meth:`houseway.Audit.by_rule`, a :class:`~houseway.exact.Frame`, or an object
with a ``columns()`` method, such as :class:`~houseway.exact.HandEv` and :class:`~houseway.exact.TextTable`. A list of
rows, as returned by :meth:`houseway.Audit.by_reading`, is taken as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Union

import numpy as np

__all__ = ["HasColumns", "to_arrow", "to_pandas", "to_polars"]


class HasColumns(Protocol):
    """A result with a ``columns()`` method."""

    def columns(self) -> Mapping[str, Any]:
        """Returns the columns by name."""
        ...


Columns = Union[Mapping[str, Any], HasColumns, Sequence[Mapping[str, Any]]]


def to_arrow(columns: Columns) -> Any:
    """Converts columns to a ``pyarrow.Table`` that shares their memory. Two-dimensional columns become fixed-size
    lists.

    >>> import numpy as np
    >>> to_arrow({"x": np.arange(6, dtype=np.int32).reshape(2, 3)})["x"].to_pylist()
    [[0, 1, 2], [3, 4, 5]]
    """
    import pyarrow as pa

    def column(values: np.ndarray) -> Any:
        # Arrow stores strings and booleans differently, so these columns are copied. All others share memory.
        flat = pa.array(np.ascontiguousarray(values, values.dtype.newbyteorder("=")).reshape(-1))
        return flat if values.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, values.shape[1])

    return pa.table({name: column(values) for name, values in _arrays(columns).items()})


def to_pandas(columns: Columns) -> Any:
    """Converts columns to a ``pandas.DataFrame`` that shares their memory. A two-dimensional ``wins`` becomes
    ``wins_0``, ``wins_1``, …"""
    import pandas as pd

    return pd.DataFrame(one_dimensional(_arrays(columns)), copy=False)


def to_polars(columns: Columns) -> Any:
    """Converts columns to a ``polars.DataFrame`` via Arrow, without copying. Two-dimensional columns have the type
    ``Array``."""
    import polars as pl

    return pl.from_arrow(to_arrow(columns), rechunk=False)


def one_dimensional(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Splits two-dimensional columns without copying, so ``wins`` becomes ``wins_0``, ``wins_1``, …"""
    plain: dict[str, np.ndarray] = {}
    for name, column in columns.items():
        wide = column.ndim == 2
        plain |= {f"{name}_{i}": column[:, i] for i in range(column.shape[1])} if wide else {name: column}
    return plain


def _arrays(columns: Columns) -> dict[str, np.ndarray]:
    is_rows = isinstance(columns, Sequence) and all(isinstance(row, Mapping) for row in columns)
    if not (is_rows or isinstance(columns, Mapping) or hasattr(columns, "columns")):
        raise TypeError(f"invalid columns {columns!r}: expected a mapping, rows, or a result with columns")
    found: Mapping[str, Any]
    if isinstance(columns, Sequence):
        found = {name: [row[name] for row in columns] for name in (columns[0] if columns else ())}
    else:
        found = columns if isinstance(columns, Mapping) else columns.columns()
    arrays = {name: np.asarray(column) for name, column in found.items()}
    for name, array in arrays.items():
        if array.ndim not in (1, 2):
            raise ValueError(f"invalid column {name!r} of shape {array.shape}: expected one or two dimensions")
    return arrays
