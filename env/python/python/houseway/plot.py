"""The command line's figures, drawn with matplotlib. Drawing requires the extra ``plot``.

>>> import houseway
>>> figures = houseway.exact.Solver("joker-seven").solve().plots
>>> figures[0].title
'EV of each wager'
>>> axes = figures[0].draw()  # doctest: +SKIP

- :attr:`houseway.exact.Answer.plots` has the figures of an answer.
- :func:`read` loads a figure saved by a run, such as ``results/quick/plots/regret-by-hands.toml``.
- :func:`audit` creates the figures of an audit.
- :func:`bars`, :func:`lines` and :func:`heat` create figures from your own data in the same style.
"""

from __future__ import annotations

import io
import math
import os
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .auditing import Audit

_INK, _SOFT, _GRID, _EMPTY = "#222222", "#5f5f5f", "#e1e1e1", "#ececec"
_BLUE, _VERMILION = "#0072b2", "#d55e00"
#: The Okabe-Ito palette, which is safe for color-blind readers, without its yellow.
_PALETTE = (_BLUE, _VERMILION, "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
#: The maximum number of bars in an audit's figures.
_MAX_BARS = 15
#: The maximum number of characters in a line of a note.
_NOTE_WIDTH = 110


@dataclass(frozen=True)
class Figure:
    """A chart with a title, as data.

    ``chart`` has a single key, the kind of chart (``"lines"``, ``"bars"`` or ``"heat"``), with the data in the command
    line's file format.
    """

    title: str
    chart: Mapping[str, Any] = field(repr=False)
    note: str | None = None

    def _repr_png_(self) -> bytes | None:
        """Shows the figure in notebooks, if matplotlib is installed."""
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            return None
        self.draw()
        figure, file = plt.gcf(), io.BytesIO()
        plt.close(figure)
        figure.savefig(file, format="png")
        return file.getvalue()

    @property
    def kind(self) -> str:
        """The kind of chart: ``"lines"``, ``"bars"`` or ``"heat"``."""
        return next(iter(self.chart))

    def columns(self) -> dict[str, np.ndarray]:
        """Returns the data with one row per point, bar or cell, e.g. for :func:`houseway.exact.to_pandas`."""
        return _COLUMNS[self.kind](self.chart[self.kind])

    def draw(self, axes: Axes | None = None) -> Axes:
        """Draws the figure.

        Args:
            axes: The axes to draw on. Defaults to a new figure.
        """
        if axes is None:
            import matplotlib.pyplot as plt

            _, axes = plt.subplots(figsize=(8, self._height()), layout="constrained")
        # The layout collapses if a note is wider than the figure.
        note = textwrap.wrap(self.note or "", _NOTE_WIDTH)
        axes.set_title(self.title, loc="left", color=_INK, pad=8 + 12 * len(note))
        if note:
            above: dict[str, Any] = {"xycoords": "axes fraction", "textcoords": "offset points"}
            axes.annotate("\n".join(note), (0, 1), (0, 6), color=_SOFT, fontsize=8, **above)
        _DRAW[self.kind](axes, self.chart[self.kind])
        return axes

    def _height(self) -> float:
        chart = self.chart[self.kind]
        if self.kind == "bars":
            return max(2.5, 1.4 + len(chart["categories"]) * max(0.28, 0.14 * len(chart["series"])))
        return max(3.0, 1.4 + 0.4 * len(chart["rows"])) if self.kind == "heat" else 4.5


def read(path: Union[str, os.PathLike[str]]) -> Figure:
    """Reads a figure from the ``.toml`` file that a run saves next to its image.

    Raises:
        ValueError: If the file doesn't contain a figure.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        saved = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        figure = Figure(saved["title"], saved["chart"], saved.get("note"))
        figure.columns()
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{os.fspath(path)} is not a figure: {error!r}; use the .toml file next to an image") from None
    return figure


def _axis(label: str, percent: bool = False, log: bool = False, from_zero: bool = False) -> dict[str, Any]:
    return {"label": label, "percent": percent, "log": log, "from_zero": from_zero}


def _ends(argument: str, ends: Mapping[str, Any] | None, series: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the ends of intervals by the name of their series, which must exist."""
    if unknown := [name for name in ends or () if name not in series]:
        raise ValueError(f"invalid {argument} for {unknown}: expected names of series, which are {list(series)}")
    return ends or {}


def _shaped(name: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Returns values as floats. They must have the given shape."""
    array = np.asarray(values, float)
    if array.shape != shape:
        raise ValueError(f"invalid {name}: expected shape {shape}, found shape {array.shape}")
    return array


def bars(
    title: str,
    label: str,
    categories: Sequence[str],
    series: Mapping[str, Any],
    *,
    intervals: Mapping[str, Any] | None = None,
    percent: bool = False,
    places: int | None = None,
    note: str | None = None,
) -> Figure:
    """Returns a chart of horizontal bars, with the first category on top.

    Args:
        title, note: The texts above and below the chart.
        label: The axis label.
        categories: The category names.
        series: The values for each category, by series name.
        intervals: The lower and upper ends of error bars, ``(n, 2)``, by series name.
        percent: Whether to format 0.01 as 1%.
        places: The number of decimal places for the values next to the bars, or ``None`` to omit the values.
    """
    ends, count = _ends("intervals", intervals, series), len(categories)
    rows = []
    for name, values in series.items():
        low_high = ends.get(name, np.full((count, 2), np.nan))
        pairs = _shaped(f"intervals of {name!r}", low_high, (count, 2)).tolist()
        triples = zip(_shaped(f"values of {name!r}", values, (count,)).tolist(), pairs)
        rows.append({"name": name, "values": [{"value": value, "low": low, "high": high} for value, (low, high) in triples]})
    chart = {"axis": _axis(label, percent, from_zero=True), "categories": list(categories), "series": rows, "places": places}
    return Figure(title, {"bars": chart}, note)


def lines(
    title: str,
    labels: tuple[str, str],
    series: Mapping[str, tuple[Any, Any]],
    *,
    bands: Mapping[str, Any] | None = None,
    references: Mapping[str, float] | None = None,
    log: tuple[bool, bool] = (False, False),
    percent: bool = False,
    note: str | None = None,
) -> Figure:
    """Returns a line chart.

    Args:
        title, note: The texts above and below the chart.
        labels: The axis labels.
        series: The x and y values of each line, by name.
        bands: The lower and upper ends of bands, ``(n, 2)``, by line name.
        references: The heights of horizontal reference lines, by name.
        log: Whether each axis is logarithmic.
        percent: Whether to format 0.01 as 1% on the vertical axis.
    """
    ends = _ends("bands", bands, series)
    rows = []
    for name, (x, y) in series.items():
        count = np.size(x)
        points = [_shaped(f"{axis} values of {name!r}", values, (count,)) for axis, values in (("x", x), ("y", y))]
        band = _shaped(f"bands of {name!r}", ends[name], (count, 2)).tolist() if name in ends else []
        rows.append({"name": name, "points": np.column_stack(points).tolist(), "band": band})
    chart = {
        "x": _axis(labels[0], log=log[0]),
        "y": _axis(labels[1], percent, log[1]),
        "series": rows,
        "references": [{"name": name, "y": y} for name, y in (references or {}).items()],
    }
    return Figure(title, {"lines": chart}, note)


def heat(
    title: str,
    rows: tuple[str, Sequence[str]],
    columns: tuple[str, Sequence[str]],
    values: Any,
    *,
    percent: bool = False,
    places: int = 2,
    spread: bool = False,
    note: str | None = None,
) -> Figure:
    """Returns a heat map. Values above the center are blue, and values below it are vermilion.

    Args:
        title, note: The texts above and below the chart.
        rows, columns: The title and the names of the rows and columns.
        values: The values ``(rows, columns)``. Cells with NaN are left empty.
        percent: Whether to format 0.01 as 1%.
        places: The number of decimal places.
        spread: Whether to center the colors on the middle of the values instead of zero.
    """
    chart = {
        "row_label": rows[0],
        "rows": list(rows[1]),
        "column_label": columns[0],
        "columns": list(columns[1]),
        "values": _shaped("values", values, (len(rows[1]), len(columns[1]))).tolist(),
        "percent": percent,
        "places": places,
        "spread": spread,
        "hide_empty": False,
    }
    return Figure(title, {"heat": chart}, note)


def audit(found: Audit) -> dict[str, Figure]:
    """Returns an audit's figures by name: ``lost-by-rule``, ``costliest-hands``, ``without-each-rule`` and ``backs``,
    without those that would be empty."""
    rule, kind = found.by_rule(), found.by_class()
    lost = "units lost per 1,000 games of one unit"

    def ranked(title: str, label: str, names: np.ndarray, values: np.ndarray) -> Figure:
        return bars(title, label, [str(name) for name in names], {"units": 1_000 * values}, places=3)

    order = np.argsort(-rule["ev_lost"], kind="stable")
    order = order[rule["ev_lost"][order] > 0][:_MAX_BARS]
    change = np.argsort(rule["ev_change"], kind="stable")
    change = change[~np.isnan(rule["ev_change"][change])]
    costly = np.flatnonzero(kind["ev_lost"] > 0)[:_MAX_BARS]
    backs: dict[str, list[int]] = {}
    for half in found.backs:
        sums = backs.setdefault(half.category, [0, 0, 0])
        for i, number in enumerate((half.hands, half.beaten, half.beaten + half.beats + half.copies)):
            sums[i] += number
    shares = {
        "fraction of all hands": [hands / found.hands for hands, _, _ in backs.values()],
        "fraction of its deals with a higher back of the other side": [beaten / deals for _, beaten, deals in backs.values()],
    }
    figures = {
        "lost-by-rule": ranked("EV lost by rule", lost, rule["rule"][order], rule["ev_lost"][order]),
        "costliest-hands": ranked("Hands with the greatest losses", lost, kind["class"][costly], kind["ev_lost"][costly]),
        "without-each-rule": ranked(
            "Change without each rule", "change per 1,000 games of one unit", rule["rule"][change], rule["ev_change"][change]
        ),
        "backs": bars("Backs by category", "share", list(backs), shares, percent=True, places=2),
    }
    return {name: figure for name, figure in figures.items() if figure.chart["bars"]["categories"]}


def _number(value: Any) -> float:
    """Returns a number. JSON represents NaN as ``None``."""
    return math.nan if value is None else float(value)


def _bar_columns(chart: Mapping[str, Any]) -> dict[str, np.ndarray]:
    cells = [
        (row["name"], category, *(_number(bar[key]) for key in ("value", "low", "high")))
        for row in chart["series"]
        for category, bar in zip(chart["categories"], row["values"], strict=True)
    ]
    return _by_name(("series", "category", "value", "low", "high"), cells)


def _line_columns(chart: Mapping[str, Any]) -> dict[str, np.ndarray]:
    cells = []
    for row in chart["series"]:
        band = row["band"] or [(math.nan, math.nan)] * len(row["points"])
        for (x, y), (low, high) in zip(row["points"], band, strict=True):
            cells.append((row["name"], *map(_number, (x, y, low, high))))
    return _by_name(("series", "x", "y", "low", "high"), cells)


def _heat_columns(chart: Mapping[str, Any]) -> dict[str, np.ndarray]:
    cells = [
        (row, column, _number(value))
        for row, values in zip(chart["rows"], chart["values"], strict=True)
        for column, value in zip(chart["columns"], values, strict=True)
    ]
    return _by_name(("row", "column", "value"), cells)


def _by_name(names: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> dict[str, np.ndarray]:
    return {name: np.array([row[i] for row in rows]) for i, name in enumerate(names)}


def _format(axis: Any, percent: bool) -> None:
    if percent:
        from matplotlib.ticker import PercentFormatter

        axis.set_major_formatter(PercentFormatter(1.0))


def _clean(axes: Axes, grid: str) -> None:
    axes.spines[["top", "right", "left" if grid == "x" else "bottom"]].set_visible(False)
    axes.grid(axis="x" if grid == "x" else "y", color=_GRID)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_INK, length=0)


def _label(value: float, percent: bool, places: int) -> str:
    return f"{value:.{places}%}" if percent else f"{value:.{places}f}"


def _draw_bars(axes: Axes, chart: Mapping[str, Any]) -> None:
    columns, shape = _bar_columns(chart), (len(chart["series"]), len(chart["categories"]))
    value, low, high = (columns[name].reshape(shape) for name in ("value", "low", "high"))
    thickness = 0.8 / max(len(value), 1)
    # TOML has no null, so ``places`` is missing if there are no labels.
    percent, places = chart["axis"]["percent"], chart.get("places")
    for i, row in enumerate(chart["series"]):
        y = np.arange(shape[1]) + (i - (len(value) - 1) / 2) * thickness
        axes.barh(y, np.nan_to_num(value[i]), thickness * 0.9, color=_PALETTE[i % len(_PALETTE)], label=row["name"])
        has = low[i] < high[i]
        axes.hlines(y[has], low[i][has], high[i][has], color=_INK, linewidth=1.2)
        if places is None:
            continue
        for at, number, end in zip(y, value[i], np.fmax(high[i], value[i])):
            if not np.isnan(number):
                axes.annotate(
                    _label(number, percent, places), (max(end, 0), at), (4, 0), textcoords="offset points",
                    va="center", fontsize=8, color=_INK,
                )
    axes.set_yticks(np.arange(shape[1]), chart["categories"])
    axes.invert_yaxis()
    axes.set_xlabel(chart["axis"]["label"])
    axes.margins(x=0.12)
    _format(axes.xaxis, percent)
    _clean(axes, "x")
    if len(value) > 1:
        axes.legend(frameon=False, fontsize=8)


def _draw_lines(axes: Axes, chart: Mapping[str, Any]) -> None:
    for i, row in enumerate(chart["series"]):
        points = np.array([[_number(x), _number(y)] for x, y in row["points"]]).reshape(-1, 2)
        color, style = _PALETTE[i % len(_PALETTE)], "--" if i // len(_PALETTE) % 2 else "-"
        axes.plot(points[:, 0], points[:, 1], style, color=color, label=row["name"])
        if row["band"]:
            low, high = np.array([[_number(a), _number(b)] for a, b in row["band"]]).T
            axes.fill_between(points[:, 0], low, high, color=color, alpha=0.18, linewidth=0)
    for line in chart["references"]:
        axes.axhline(line["y"], color=_SOFT, linestyle=":", linewidth=1)
        if "band" in line:
            axes.axhspan(*map(_number, line["band"]), color=_SOFT, alpha=0.15, linewidth=0)
        axes.annotate(
            line["name"], (1, line["y"]), (-2, 3), xycoords=("axes fraction", "data"), textcoords="offset points",
            ha="right", fontsize=8, color=_SOFT,
        )
    x, y = chart["x"], chart["y"]
    if x["log"]:
        axes.set_xscale("log")
    elif x["from_zero"]:
        axes.set_xlim(left=0)
    if y["log"]:
        axes.set_yscale("log")
    elif y["from_zero"]:
        axes.set_ylim(bottom=0)
    _format(axes.xaxis, x["percent"])
    _format(axes.yaxis, y["percent"])
    axes.set_xlabel(x["label"])
    axes.set_ylabel(y["label"])
    _clean(axes, "y")
    if len(chart["series"]) > 1:
        axes.legend(frameon=False, fontsize=8)


def _draw_heat(axes: Axes, chart: Mapping[str, Any]) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    values = np.array([[_number(value) for value in row] for row in chart["values"]])
    known = values[~np.isnan(values)]
    center = (known.min() + known.max()) / 2 if chart["spread"] and known.size else 0.0
    reach = float(np.abs(known - center).max()) if known.size else 0.0
    scale = LinearSegmentedColormap.from_list("houseway", [_VERMILION, "white", _BLUE])
    colors = scale.with_extremes(bad="white" if chart["hide_empty"] else _EMPTY)
    axes.imshow(values - center, cmap=colors, vmin=-(reach or 1), vmax=reach or 1, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            dark = reach > 0 and abs(value - center) > 0.6 * reach
            text = _label(value, chart["percent"], chart["places"])
            axes.text(column, row, text, ha="center", va="center", fontsize=8, color="white" if dark else _INK)
    axes.set_xticks(np.arange(len(chart["columns"])), chart["columns"], rotation=30, ha="right")
    axes.set_yticks(np.arange(len(chart["rows"])), chart["rows"])
    axes.set_xlabel(chart["column_label"])
    axes.set_ylabel(chart["row_label"])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


_COLUMNS = {"bars": _bar_columns, "lines": _line_columns, "heat": _heat_columns}
_DRAW = {"bars": _draw_bars, "lines": _draw_lines, "heat": _draw_heat}
