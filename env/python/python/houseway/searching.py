"""Search for short house ways: the best lists of rules, each evaluated over all deals.

>>> import houseway
>>> houseway.searching.WORDS[:3]
('pair-sum', 'lower-singles', 'positions')

``found = houseway.search(range(4, 9))`` searches for lists of 4 to 8 rules, and ``found.ways[0].sheet`` has the sentences of the
first. ``houseway.search(fix="foxwoods", change=2)`` finds the best one and two changes of a casino's sheet.

A *loss* or *regret* is the EV of the best response less that of a list, per unit staked. Exact ones are
:class:`fractions.Fraction`. The lists are the best that a beam search finds: better ones may exist, but none with that many rules
loses less than ``bound``. Against several house ways, all EVs and prices are means over them, and ``regret`` is the mean or
the greatest of the regrets, as ``objective`` says.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, overload

from . import _core
from .exact.pai_gow import Way
from .ways import HouseWay, Rule, as_way

#: Words that rules may use besides shapes and ranks.
WORDS: tuple[str, ...] = tuple(_core.search_names()[0])
#: Objectives against several house ways.
OBJECTIVES: tuple[str, ...] = tuple(_core.search_names()[1])

_MAX_RULES, _MAX_WIDTH, _MAX_CHANGES = 40, 64, 8


@dataclass(frozen=True)
class Limit:
    """Limit of a rule, such as "higher pair up to queens", and the change of the EV if it is one rank lower or higher; ``None``
    if it cannot be."""

    name: str
    lower: float | None
    higher: float | None


@dataclass(frozen=True)
class RuleWorth:
    """Rule of a list: its sentence, the hands that it sets, the EV of the list without it (``None`` for the last one), and its
    limits."""

    name: str
    text: str
    hands: int
    ev_without: float | None
    limits: tuple[Limit, ...]


@dataclass(frozen=True)
class FoundWay:
    """List of rules, see :func:`search`."""

    way: HouseWay
    toml: str = field(repr=False)
    exact_ev: Fraction
    exact_regret: Fraction
    exact_regrets: tuple[Fraction, ...] = field(repr=False)  # by opponent
    bound: float  # no list with that many rules loses less
    per_rule: tuple[RuleWorth, ...] = field(repr=False)
    next_rule: tuple[str, float] | None = field(repr=False)  # the best further rule, and the gain of the EV

    ev = property(lambda self: float(self.exact_ev), doc="EV as a float.")
    regret = property(lambda self: float(self.exact_regret), doc="Regret as a float.")

    @property
    def rules(self) -> int:
        """Number of rules."""
        return len(self.per_rule)

    @property
    def sheet(self) -> list[str]:
        """The rules as sentences."""
        return [rule.text for rule in self.per_rule]


@dataclass(frozen=True)
class SearchResult:
    """Results of :func:`search`: the EV of the best response, the loss of the best play of the vocabulary for each hand, and the
    lists by number of rules. A list is left out if a shorter one loses no more."""

    seat: str  # "player" or "banker"
    opponents: tuple[str, ...]
    exact_best_ev: Fraction
    vocabulary_regret: float
    ways: tuple[FoundWay, ...]

    best_ev = property(lambda self: float(self.exact_best_ev), doc="EV of the best response as a float.")


@dataclass(frozen=True)
class Change:
    """Change of one rule: ``kind`` is ``"replace"``, ``"add"``, ``"drop"`` or ``"move"``; ``rule`` the rule of the sheet, ``text``
    the sentence of the added rule or the new place of a moved one, ``ev_change`` what undoing this change alone would lose."""

    kind: str
    rule: str | None
    text: str | None
    ev_change: float


@dataclass(frozen=True)
class ChangedWay:
    """Sheet with some rules changed, see :func:`search`."""

    way: HouseWay
    toml: str = field(repr=False)
    exact_ev: Fraction
    exact_ev_change: Fraction  # compared with the sheet
    changes: tuple[Change, ...]

    ev = property(lambda self: float(self.exact_ev), doc="EV as a float.")
    ev_change = property(lambda self: float(self.exact_ev_change), doc="Gain of the EV as a float.")


@overload
def search(
    rules: SupportsIndex | range = range(3, 25),
    *,
    bounds: int | None = None,
    as_: Literal["player", "banker"] = "player",
    banker: Way | Sequence[Way] = "trump-plaza",
    objective: str = "mean",
    words: Sequence[str] | None = None,
    max_words: int = 35,
    width: int = 4,
    game_rules: Mapping[str, Any] | None = None,
) -> SearchResult: ...


@overload
def search(
    *,
    fix: Way,
    change: int = 1,
    bounds: int | None = None,
    as_: Literal["player", "banker"] = "player",
    banker: Way | Sequence[Way] = "trump-plaza",
    words: Sequence[str] | None = None,
    max_words: int = 35,
    width: int = 4,
    game_rules: Mapping[str, Any] | None = None,
) -> tuple[ChangedWay, ...]: ...


def search(
    rules: SupportsIndex | range | None = None,
    *,
    bounds: int | None = None,
    as_: str = "player",
    banker: Way | Sequence[Way] = "trump-plaza",
    objective: str = "mean",
    words: Sequence[str] | None = None,
    max_words: int = 35,
    width: int = 4,
    game_rules: Mapping[str, Any] | None = None,
    fix: Way | None = None,
    change: int = 1,
) -> SearchResult | tuple[ChangedWay, ...]:
    """Searches for the best house ways of few rules, or with ``fix`` for the best changes of single rules of a sheet.

    It is ``houseway search``: the same arguments find the same lists. One pass over all deals for each house way of the other
    side, the search, and another pass for the exact EVs: half a minute for lists of few rules. It can be interrupted.

    Args:
        rules: number of rules, or a range of them: ``range(4, 13)`` for 4 to 12. By default 3 to 24.
        bounds: maximum number of bounds in all rules together: ends of ranges that exclude something, and minimum fronts.
        as_: side that the lists set for, ``"player"`` or ``"banker"``.
        banker: house way of the other side, or several of them.
        objective: against several, ``"mean"`` or ``"worst"`` of the losses.
        words: words that rules may use besides shapes and ranks, of :data:`WORDS`. By default all.
        max_words: maximum mean number of words of a rule, at least 10.
        width: number of lists kept for each length: more find better lists and take longer.
        game_rules: rules of the game, such as ``{"commission": 0.04}``, for house ways given by name, path, text or dict.
        fix: sheet to change instead. Its results are tuples: the best sheet with one change, with two, and so on.
        change: maximum number of changes of the sheet: a rule replaced, added, left out or moved to another place.

    Raises:
        ValueError: if an argument is invalid.
    """
    if as_ not in ("player", "banker"):
        raise ValueError(f"invalid side {as_!r}: expected 'player' or 'banker'")
    if objective not in OBJECTIVES:
        raise ValueError(f"invalid objective {objective!r}: choose from {', '.join(OBJECTIVES)}")
    chosen = list(WORDS if words is None else words)
    if unknown := [word for word in chosen if word not in WORDS]:
        raise ValueError(f"unknown word {unknown[0]!r}: choose from {', '.join(WORDS)}")
    _check("bounds", bounds if bounds is not None else 0, 0, 1 << 32)
    _check("max_words", max_words, 10, 255)
    _check("width", width, 1, _MAX_WIDTH)
    others = [_way(way, game_rules) for way in _several(banker)]
    limits = (bounds, max_words, chosen, width)
    opponents = [way._core for way in others]
    if fix is not None:
        if rules is not None or objective != "mean":
            raise ValueError("rules and objective are not used with fix; leave them out")
        _check("change", change, 1, _MAX_CHANGES)
        sheet = _way(fix, game_rules)
        origin, text, *_ = sheet._made_from
        before, found = _core.fix_way(
            sheet._core, text or _core.way_text(origin), change, opponents, as_ == "banker", limits
        )
        return tuple(_changed(sheet, Fraction(*before), *row) for row in found)
    if change != 1:
        raise ValueError("change is used only with fix")
    first, last = _range(range(3, 25) if rules is None else rules)
    best, floor, lists = _core.search_ways((first, last), opponents, as_ == "banker", objective, limits)
    made_for = others[0].game_rules
    ways = tuple(_found(made_for, *row) for row in lists)
    return SearchResult(as_, tuple(way.name for way in others), Fraction(*best), floor, ways)


def _found(
    game_rules: Mapping[str, Any],
    toml: str,
    ev: tuple[int, int],
    regrets: list[tuple[int, int]],
    regret: tuple[int, int],
    bound: float,
    prices: list[tuple[float | None, list[tuple[str, float | None, float | None]]]],
    next_rule: tuple[str, float] | None,
) -> FoundWay:
    way = HouseWay(toml, rules=game_rules)

    def worth(rule: Rule, price: tuple[float | None, list[tuple[str, float | None, float | None]]]) -> RuleWorth:
        return RuleWorth(*rule, price[0], tuple(Limit(*limit) for limit in price[1]))

    return FoundWay(
        way=way,
        toml=toml,
        exact_ev=Fraction(*ev),
        exact_regret=Fraction(*regret),
        exact_regrets=tuple(Fraction(*it) for it in regrets),
        bound=bound,
        per_rule=tuple(worth(rule, price) for rule, price in zip(way.rules, prices)),
        next_rule=next_rule,
    )


def _changed(
    sheet: HouseWay,
    before: Fraction,
    toml: str,
    ev: tuple[int, int],
    changes: list[tuple[str, str | None, str | None, float]],
) -> ChangedWay:
    chosen = {name: reading.chosen for name, reading in sheet.readings.items()}
    left = HouseWay(toml, rules=sheet.game_rules).readings if chosen else {}
    way = HouseWay(toml, readings={name: it for name, it in chosen.items() if name in left}, rules=sheet.game_rules)
    return ChangedWay(way, toml, Fraction(*ev), Fraction(*ev) - before, tuple(Change(*row) for row in changes))


def _way(way: Way, game_rules: Mapping[str, Any] | None) -> HouseWay:
    if game_rules is None or isinstance(way, HouseWay):
        return as_way(way)
    return HouseWay(way, rules=game_rules)


def _several(ways: Way | Sequence[Way]) -> list[Way]:
    if isinstance(ways, (str, os.PathLike, Mapping, HouseWay)):
        return [ways]
    return list(ways)


def _range(rules: SupportsIndex | range) -> tuple[int, int]:
    if isinstance(rules, range):
        if rules.step != 1 or not rules:
            raise ValueError(f"invalid {rules}: expected a range with one number at least, in steps of 1")
        first, last = rules.start, rules.stop - 1
    else:
        first = last = operator.index(rules)
    _check("rules", first, 1, _MAX_RULES)
    _check("rules", last, 1, _MAX_RULES)
    return first, last


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= operator.index(value) <= most:
        raise ValueError(f"invalid {name} {value}: expected {least} to {most}")
