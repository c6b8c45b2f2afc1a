"""House ways, which are casinos' rules for setting hands."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._config import mapping, to_json
from .cards import Hands, as_hands

__all__ = ["HouseWay", "Reading", "Rule", "built_in_ways"]


# Defined here because modules that houseway.exact imports use it too.
OPTIMAL = "optimal"
#: The settings that take a way.
_WAYS = {"banker", "dealer", "house_way"}


class Rule(NamedTuple):
    """A rule in a house way, and the number of hands (out of 154,143,080) that it sets."""

    name: str
    text: str
    hands: int


class Reading(NamedTuple):
    """An ambiguity in the published text, with its options and the selected one."""

    options: list[str]
    chosen: str


class HouseWay:
    """A house way, checked and compiled. It sets every hand and never fouls.

    Args:
        way: The name of a built-in way, such as ``"trump-plaza"``, the path of a TOML file, the text of such a file
            (any string with a line break), or a dict with the same keys.
        readings: Options for the way's readings, such as ``{"pair-with-complete-hand": "break"}``.
        rules: Game rules, such as ``{"commission": 0.04}``.

    Raises:
        ValueError: If a rule is invalid or never reached, not even under the game's default rules, or if a hand doesn't
            match any rule. The message has the line number and a suggested fix.
    """

    def __init__(
        self,
        way: str | os.PathLike[str] | Mapping[str, Any] = "trump-plaza",
        *,
        readings: Mapping[str, str] | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(way, str | os.PathLike | Mapping):
            raise TypeError(f"invalid house way {way!r}: expected a name, a path, a text or a dict")
        given = way_text(way) if isinstance(way, Mapping) else os.fspath(check_way(way))
        chosen = to_json(**mapping("readings", readings))
        self.__setstate__({"made_from": (given, chosen), "game_rules": mapping("rules", rules)})

    #: The weight of each hand's settings, which is more than 1 for a mixed strategy.
    weight = 1

    name = property(lambda self: self._core.name, doc="The name to show in tables.")
    title = property(lambda self: self._core.title, doc="The casino and its location.")
    source = property(lambda self: self._core.source, doc="The publication that the rules are from.")
    hash = property(lambda self: self._core.hash, doc="A hash of the settings of all hands, as 16 hex digits.")
    rules_hash = property(lambda self: self._core.game_rules.hash, doc="A hash of the game rules, as 16 hex digits.")

    @property
    def rules(self) -> list[Rule]:
        """The active rules, in the order in which they are tested."""
        return [Rule(*rule) for rule in self._core.rules]

    @property
    def readings(self) -> dict[str, Reading]:
        """The readings by name."""
        return {name: Reading(*reading) for name, reading in self._core.readings.items()}

    def set(self, hands: Hands) -> np.ndarray:
        """Returns the settings of hands, uint8 ``(n,)``, from 0 to 20."""
        return self._core.set(as_hands(hands))["settings"]

    def rule_of(self, hands: Hands) -> list[str]:
        """Returns the name of the rule that sets each hand."""
        names = [rule.name for rule in self.rules]
        return [names[index] for index in self._core.set(as_hands(hands))["rules"]]

    def __call__(self, hands: Any) -> np.ndarray:
        """Acts as a policy for :func:`houseway.exact.score`."""
        return self.set(cards_of(hands, self))

    def __getstate__(self) -> dict[str, Any]:
        return {"made_from": self._made_from, "game_rules": self.game_rules}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._made_from: tuple[str, str] = state["made_from"]
        self.game_rules: dict[str, Any] = state["game_rules"]
        given, readings = self._made_from
        self._core = _core.HouseWay(given, readings, core_rules(self.game_rules))

    def __eq__(self, other: object) -> bool:
        """True if both set every hand the same, under the same game rules."""
        if not isinstance(other, HouseWay):
            return NotImplemented
        return (self.hash, self.rules_hash) == (other.hash, other.rules_hash)

    def __hash__(self) -> int:
        return hash((self.hash, self.rules_hash))

    def __repr__(self) -> str:
        return f"HouseWay({self.name!r})"


def built_in_ways() -> dict[str, str]:
    """Returns the TOML text of each built-in house way by name.

    >>> "trump-plaza" in built_in_ways()
    True
    """
    return _core.built_in_ways()


def way_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns settings in which every way has the form that Rust parses, and in which the game rules of ways apply."""
    given = dict(settings)
    rules = "rules" if "house_way" not in given and "players" not in given else "game"
    for key in _WAYS & given.keys():
        given[rules] = agreed_rules(given.get(rules), given[key])
        given[key] = way_text(check_way(given[key], name=key))
    players = given.get("players")
    if players is not None and not isinstance(players, Mapping):
        raise TypeError(f"invalid players {players!r}: expected a mapping from seat numbers to settings")
    for seat in players or ():
        if not str(seat).isdecimal():
            raise ValueError(f"invalid seat {seat!r} in players: expected the number of a seat")
    if players is not None:
        players = {seat if isinstance(seat, str) else int(seat): player for seat, player in players.items()}
        given["players"] = players
    if players is not None and all(isinstance(player, Mapping) for player in players.values()):
        for player in players.values():
            given[rules] = agreed_rules(given.get(rules), player.get("way"))
        given["players"] = {
            seat: {**player, "way": way_text(check_way(player["way"], name=f"seat {seat}"))} if "way" in player else player
            for seat, player in players.items()
        }
    return given


def check_way(way: Any, expected: str = "a house way", name: str = "") -> Any:
    """Returns a strategy, which must have settings of its own rather than be the best response to another one.

    The name is that of the argument.
    """
    if isinstance(way, str) and way == OPTIMAL:
        where = "which only exact.solve, exact.Solver and the banker of exact.bank take"
        given = f"{name}: {OPTIMAL!r}" if name else repr(OPTIMAL)
        raise ValueError(f"{given} is the best response to the other side, {where}: expected {expected}")
    return way


def agreed_rules(rules: Mapping[str, Any] | None, strategy: Any) -> Mapping[str, Any] | None:
    """Returns the game rules to use with a strategy. A way or table that was made for rules brings them along.

    Raises:
        ValueError: If the strategy was made for other rules.
    """
    own = getattr(strategy, "game_rules", None)
    # A way without rules of its own is compiled again for these.
    if own is None or (isinstance(strategy, HouseWay) and not own):
        return rules
    if rules is not None:
        check_rules(strategy, rules)
    return dict(own)


def check_rules(strategy: Any, rules: Mapping[str, Any]) -> None:
    """Rejects a way or table that was made for other game rules."""
    own = strategy.game_rules
    if own is not None and core_rules(own).hash != core_rules(rules).hash:
        raise ValueError(f"{strategy!r} was made for other game rules ({own}) than these ({dict(rules)})")


def core_rules(rules: Mapping[str, Any] | None = None) -> _core.GameRules:
    """Returns game rules in the form that Rust uses."""
    return _parsed_rules(to_json(**mapping("rules", rules)))


@functools.lru_cache(maxsize=32)
def _parsed_rules(rules: str) -> _core.GameRules:
    return _core.GameRules(rules)


def cards_of(hands: Any, policy: Any) -> Any:
    """Returns the hands in a :class:`~houseway.exact.Batch`, whose game rules the policy must be made for."""
    rules = getattr(hands, "rules", None)
    if rules is None:
        return hands
    check_rules(policy, rules)
    return hands.cards


def way_text(way: Any) -> Any:
    """Returns a way as the name, path or text that Rust parses."""
    if isinstance(way, Mapping):
        return _core.HouseWay.toml_of(to_json(**way))
    if not isinstance(way, HouseWay):
        return way
    given, readings = way._made_from
    chosen = json.loads(readings)
    return _core.HouseWay.text_with_readings(given, chosen) if chosen else given


def as_way(
    way: HouseWay | str | os.PathLike[str] | Mapping[str, Any], rules: Mapping[str, Any] | None = None
) -> HouseWay:
    """Converts a name, path, text or dict to a way for these game rules.

    A way is returned unchanged, or compiled again if it was made without game rules.

    Raises:
        ValueError: If the way was made for other game rules.
    """
    rules = mapping("rules", agreed_rules(rules, way))
    if isinstance(way, str) and way in _NAMES:
        return _built_in(way, to_json(**rules))
    if not isinstance(way, HouseWay):
        return HouseWay(way, rules=rules)
    if way.game_rules == rules:
        return way
    given, readings = way._made_from
    return HouseWay(given, readings=json.loads(readings), rules=rules)


_NAMES = frozenset(_core.built_in_ways())


@functools.lru_cache(maxsize=32)
def _built_in(name: str, rules: str) -> HouseWay:
    """Returns a built-in way for game rules in JSON, with the tables that are made on first use."""
    return HouseWay(name, rules=json.loads(rules))
