"""Exact values for any registered game.

>>> solver = Solver("asian-stud", rules={"commission": "none"})
>>> answer = solver.value("As Kd Qh Jc 9s")
>>> answer["best"]
'raise'
>>> answer.tables[0].columns()["probability"][0]
'34.067%'

A game registered in Rust is available here without any Python code. See :func:`games`.
"""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .. import _core
from .._config import check_seed, integer, mapping, text, to_json
from ..plot import Figure
from ..ways import agreed_rules, way_text
from .columns import one_dimensional

__all__ = ["Answer", "Frame", "Solver", "TextTable", "games", "side_bet"]

#: A policy, which maps observations ``(n, length)`` and masks ``(n, actions)`` to ``n`` actions.
PolicyFunction = Callable[[np.ndarray, np.ndarray], Any]


def games() -> dict[str, dict[str, Any]]:
    """Returns all games by name.

    Each has its id, title, rules with their defaults, readings and variants with their options (the default first),
    observation encodings, data such as paytables, and, if it has a solver, the solver's options.

    >>> games()["asian-stud"]["readings"]["no-set-against-set"]
    ['both_lose', 'both_returned']
    """
    return {game["name"]: game for game in json.loads(_core.REGISTRY)}


def fraction(value: Mapping[str, Any]) -> Fraction:
    """Converts a fraction from an answer, ``{"numerator": …, "denominator": …}``."""
    return Fraction(int(value["numerator"]), int(value["denominator"]))


class Printed:
    """A result that notebooks show as it is printed."""

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


@dataclass(frozen=True)
class TextTable(Printed):
    """A table from an answer, formatted as on the command line."""

    header: list[str]
    rows: list[list[str]]

    def columns(self) -> dict[str, list[str]]:
        """Returns the columns by header, e.g. for ``pandas.DataFrame``."""
        return {name: [row[i] for row in self.rows] for i, name in enumerate(self.header)}

    def __str__(self) -> str:
        widths = [max(map(len, cells)) for cells in zip(self.header, *self.rows)]
        lines = [self.header, *self.rows]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines)


class Answer(Printed, Mapping[str, Any]):
    """A solver's result. It is a mapping with the same keys as ``houseway … --json``, and also has the same contents as
    sections of text and tables."""

    def __init__(self, text: str) -> None:
        answer = json.loads(text)
        self._json: dict[str, Any] = answer["json"]
        #: The sections as ``{"heading", "blocks"}``. Each block is one of ``text``, ``lines``, ``table`` and ``plot``.
        self.sections: list[dict[str, Any]] = answer["sections"]

    def __getitem__(self, key: str) -> Any:
        return self._json[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._json)

    def __len__(self) -> int:
        return len(self._json)

    @property
    def tables(self) -> list[TextTable]:
        """The tables in all sections."""
        blocks = [block["table"] for section in self.sections for block in section["blocks"] if "table" in block]
        return [TextTable(table["header"], table["rows"]) for table in blocks]

    @property
    def plots(self) -> list[Figure]:
        """The figures in all sections, as drawn by the command line."""
        blocks = [block["plot"] for section in self.sections for block in section["blocks"] if "plot" in block]
        return [Figure(plot["title"], plot["chart"], plot["note"] or None) for plot in blocks]

    def __str__(self) -> str:
        parts = []
        for section in self.sections:
            if section["heading"]:
                parts.append(section["heading"] + "\n" + "-" * len(section["heading"]))
            for block in section["blocks"]:
                [(kind, content)] = block.items()
                if kind == "table":
                    parts.append(str(TextTable(content["header"], content["rows"])))
                elif kind != "plot":
                    parts.append(content)
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        return f"Answer({', '.join(self._json)})"


class Frame(Mapping[str, np.ndarray]):
    """One- or two-dimensional columns of equal length by name. :attr:`facts` apply to all rows."""

    def __init__(self, columns: Mapping[str, Any], facts: str) -> None:
        self._columns = {name: np.asarray(column) for name, column in columns.items()}
        #: Values that apply to the whole frame, by name.
        self.facts: dict[str, Any] = json.loads(facts)

    def __getitem__(self, name: str) -> np.ndarray:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def plain(self) -> dict[str, np.ndarray]:
        """Splits two-dimensional columns, so ``wins`` becomes ``wins_0``, ``wins_1``, …"""
        return one_dimensional(self._columns)

    def __repr__(self) -> str:
        columns = ", ".join(f"{name} {column.dtype}{column.shape}" for name, column in self._columns.items())
        return f"Frame({columns})"


class Solver:
    """A solver, which computes exact values for a game.

    Args:
        game: The game's name or versioned id. See :func:`games`.
        rules: Rules that differ from the defaults.
        options: The solver's options, such as ``paytable="new-jersey"``. :func:`games` lists them. A
            :class:`~houseway.HouseWay` is accepted wherever an option names one.

    Raises:
        ValueError: If a game, rule or option is unknown. The message lists the valid ones.
    """

    def __init__(self, game: str, rules: Mapping[str, Any] | None = None, **options: Any) -> None:
        self._made_from = (text("game", game), *_made_for(rules, options))
        self._core = _core.Solver(*self._made_from)

    def __getstate__(self) -> tuple[str, str, dict[str, str]]:
        return self._made_from

    def __setstate__(self, made_from: tuple[str, str, dict[str, str]]) -> None:
        self._made_from = made_from
        self._core = _core.Solver(*made_from)

    @property
    def game(self) -> str:
        """The game's name."""
        return self._core.game

    @property
    def frames(self) -> dict[str, dict[str, Any]]:
        """Descriptions of the game's data frames and their inputs, by name."""
        return {frame["name"]: frame for frame in json.loads(self._core.frames)}

    def solve(self) -> Answer:
        """Solves the whole game, like ``houseway solve``. Can be interrupted."""
        return Answer(self._core.solve())

    def value(self, hand: str) -> Answer:
        """Returns the exact EV of every decision with a hand, like ``houseway ev``."""
        return Answer(self._core.value(text("hand", hand)))

    def frame(self, name: str, **inputs: Any) -> Frame:
        """Computes one of the game's data frames. See :attr:`frames`. Inputs are arrays or single integers."""
        return Frame(*self._core.frame(name, {key: _array(value) for key, value in inputs.items()}))

    def evaluate(
        self,
        policies: Mapping[str, PolicyFunction],
        *,
        encoding: str | None = None,
        reset_options: Mapping[str, Any] | None = None,
        sample: int | None = None,
        seed: int = 20_261_121,
    ) -> Answer:
        """Evaluates policies exactly, alongside the game's baselines and its optimum.

        Args:
            policies: Functions by name. A policy takes observations, float32 ``(n, length)``, and masks, bool
                ``(n, actions)``. It returns ``n`` legal actions. A stochastic policy returns the probabilities of all
                actions, ``(n, actions)``. Its score is that of its most probable actions, and the exact EV and regret of
                the stochastic policy itself are under ``stochastic``, apart from rounding each probability to a multiple
                of 2^-20.
            encoding: The observation encoding. Defaults to the one that the game's own evaluation uses.
            reset_options: The environment's reset options, in games whose evaluation depends on them, such as
                ``{"chips": 3}`` in Joker Seven.
            sample: The number of hands to sample instead of evaluating all of them, in games that support it.
            seed: The seed for the sample.
        """
        if not isinstance(policies, Mapping) or not all(isinstance(name, str) for name in policies):
            raise TypeError(f"invalid policies {policies!r}: expected functions by name")
        for name, policy in policies.items():
            if not callable(policy):
                raise TypeError(f"invalid policy {name!r}: expected a function, not {policy!r}")
        check_seed(seed)
        if sample is not None and integer("sample", sample) < 1:
            raise ValueError(f"invalid sample {sample}: expected one hand or more")
        functions = [(name, encoding, _returning_plain(policy)) for name, policy in policies.items()]
        options = to_json(**mapping("reset_options", reset_options))
        answer = Answer(self._core.evaluate(functions, options, None if sample is None else (sample, seed)))
        names = [agent["name"] for agent in answer["agents"]]
        if repeated := sorted({name for name in policies if names.count(name) > 1}):
            raise ValueError(f"invalid policies {repeated}: these are the names of baselines; choose other names")
        return answer

    def __repr__(self) -> str:
        return f"Solver({self.game!r})"


def side_bet(
    paytable: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    *,
    game: str | None = None,
    rules: Mapping[str, Any] | None = None,
    meter: float | str | None = None,
    seats: int = 1,
    **options: Any,
) -> Answer:
    """Computes the exact return of a side bet over all hands, like ``houseway side-bet``.

    >>> bet = side_bet({"name": "mine", "row": [{"hand": "straight-flush", "odds": 50}, {"hand": "flush", "odds": 5}]})
    >>> bet["rows"][1]["hands"], round(bet["ev"]["value"], 6)
    ('6205160', -0.688665)

    Args:
        paytable: A paytable by name, as the path or the text of a TOML file, or as a dict with the same keys. Defaults to
            the game's default paytable.
        game: The game's name or versioned id. Defaults to the first of :func:`games`.
        rules: Rules that differ from the defaults.
        meter: The amount on the progressive meter, in units of the stake. It is rounded to four decimal places.
        seats: The number of players at the table, whose hands pay envy bonuses to each other.
        options: The strategies ``player`` and ``banker``, for bets that also need the main bet to win.

    Raises:
        ValueError: If the game has no side bet, or if the paytable, a rule or an option is invalid.
    """
    made_for = _made_for(rules, options)
    game = next(iter(games())) if game is None else text("game", game)
    table = None if paytable is None else _text(way_text(paytable))
    amount = None if meter is None else f"{meter:.4f}" if isinstance(meter, float) else str(meter)
    stakes = (amount, integer("seats", seats))
    return Answer(_core.side_bet(game, *made_for, table, stakes))


def _made_for(rules: Mapping[str, Any] | None, options: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Returns the rules as JSON, which all house ways in the options must agree on, and the options as texts."""
    given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    for value in given.values():
        rules = agreed_rules(rules, value)
    return to_json(**mapping("rules", rules)), {name: _text(way_text(value)) for name, value in given.items()}


def _text(value: Any) -> str:
    if not isinstance(value, (str, bool, int, float, os.PathLike, np.number)):
        raise TypeError(f"an option must be a text, a number, a path or a house way, not a {type(value).__name__}")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _returning_plain(policy: PolicyFunction) -> Callable[[np.ndarray, np.ndarray], list[int] | np.ndarray]:
    def choose(observations: np.ndarray, masks: np.ndarray) -> list[int] | np.ndarray:
        answer = np.asarray(policy(observations, masks))
        return answer.astype(np.float32) if answer.ndim == 2 else answer.tolist()

    return choose


def _array(value: Any) -> np.ndarray:
    array = np.asarray(value)
    if array.ndim == 0:
        array = array[None]
    if array.dtype.kind in "iu" and array.dtype != np.uint8:
        array = array.astype(np.int64)
    return np.ascontiguousarray(array)
