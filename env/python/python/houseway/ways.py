"""House ways: rules of a casino for setting hands."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._config import to_json
from .cards import Hands, as_hands


class Rule(NamedTuple):
    """A rule of a house way and what it does with all 154,143,080 hands."""

    name: str
    text: str
    hands: int


class Reading(NamedTuple):
    """A choice that the published text leaves open: its options and the chosen one."""

    options: list[str]
    chosen: str


class HouseWay:
    """A house way, checked and compiled: it sets every hand, and none foul.

    Args:
        way: the name of a built-in way (``"trump-plaza"``), the path of a TOML file, the text of one (anything with a line
            break), or a dict with the keys of the file.
        readings: options of the way's open choices, ``{"pair-with-complete-hand": "break"}``.
        rules: rules of the game, ``{"commission": 0.04}``.

    Raises:
        ValueError: with the line and a remedy, if the rules are not in the language, never reached, or leave a hand out.
    """

    def __init__(
        self,
        way: str | os.PathLike[str] | Mapping[str, Any] = "trump-plaza",
        *,
        readings: Mapping[str, str] | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        origin, text = _origin(way)
        self._core = _core.HouseWay(origin, text, to_json(**(readings or {})), to_json(**(rules or {})))
        self.game_rules: dict[str, Any] = dict(rules or {})

    name = property(lambda self: self._core.name, doc="Name, as in tables.")
    title = property(lambda self: self._core.title, doc="Casino and place.")
    source = property(lambda self: self._core.source, doc="Where the rules are published.")
    hash = property(lambda self: self._core.hash, doc="What the way does with every hand, as 16 hex digits.")
    rules_hash = property(lambda self: self._core.rules_hash, doc="The rules of the game, as 16 hex digits.")

    @property
    def rules(self) -> list[Rule]:
        """The active rules in the order in which they are tried."""
        return [Rule(*rule) for rule in self._core.rules]

    @property
    def readings(self) -> dict[str, Reading]:
        """The open choices."""
        return {name: Reading(*reading) for name, reading in self._core.readings.items()}

    def set(self, hands: Hands) -> np.ndarray:
        """The settings of hands, uint8 ``(n,)``, 0 to 20."""
        return self._core.set(as_hands(hands))["settings"]

    def rule_of(self, hands: Hands) -> list[str]:
        """The name of the rule that sets each hand."""
        names = [rule.name for rule in self.rules]
        return [names[index] for index in self._core.set(as_hands(hands))["rules"]]

    def __call__(self, hands: Any) -> np.ndarray:
        """As a policy for :func:`houseway.exact.score`."""
        return self.set(getattr(hands, "cards", hands))

    def __repr__(self) -> str:
        return f"HouseWay({self.name!r})"


def built_in_ways() -> dict[str, str]:
    """The built-in house ways: the text of each one's TOML file by its name, to read and to change.

    >>> "trump-plaza" in built_in_ways()
    True
    """
    return _core.built_in_ways()


def _origin(way: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[str, str | None]:
    """What errors call the way, and its text if it is not a name or path."""
    if isinstance(way, Mapping):
        return "dict", _core.HouseWay.toml_of(to_json(**way))
    way = os.fspath(way)
    return ("text", way) if "\n" in way else (way, None)


def as_way(way: HouseWay | str | os.PathLike[str] | Mapping[str, Any]) -> HouseWay:
    """The way itself, or the one of this name, path, text or dict."""
    return way if isinstance(way, HouseWay) else HouseWay(way)
