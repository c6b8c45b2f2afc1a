"""A search for short house ways. It finds the best lists of rules and evaluates each of them exactly over all deals.

>>> import houseway
>>> houseway.searching.WORDS[:3]
('pair-sum', 'lower-singles', 'positions')

``found = houseway.search(range(4, 9))`` searches for lists of 4 to 8 rules, and ``found.ways[0].sheet`` has the first
list's rules as sentences. ``houseway.search(fix="foxwoods", change=2)`` finds the best one or two changes to a casino's
sheet.

A *loss* or *regret* is the best response's EV minus a list's EV, per unit staked. Exact values are
:class:`fractions.Fraction`. The lists come from a beam search, so better ones may exist, but no list with the same
number of rules loses less than ``bound``. Against several house ways, all EVs and prices are averages over them, and
``regret`` is the mean or maximum regret, depending on ``objective``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, SupportsIndex, overload

from . import _core
from ._config import integer
from .exact.pai_gow import Way, sides_of
from .exact.solver import Printed, TextTable
from .ways import HouseWay, Rule, check_way, core_rules

#: The words that rules may use in addition to shapes and ranks.
WORDS: tuple[str, ...] = tuple(_core.search_names()[0])
#: The objectives against several house ways.
OBJECTIVES: tuple[str, ...] = tuple(_core.search_names()[1])

_MAX_RULES, _MAX_WIDTH, _MAX_CHANGES = 40, 64, 8


@dataclass(frozen=True)
class Limit:
    """A limit in a rule, such as "higher pair up to queens", with the change in EV if it is one rank lower or higher.

    The change is ``None`` if the limit can't be moved in that direction.
    """

    name: str
    lower: float | None
    higher: float | None


@dataclass(frozen=True)
class RuleWorth:
    """A rule in a list, with its sentence, the number of hands that it sets, the list's EV without it, and its limits.

    The EV is ``None`` for the last rule, which can't be removed.
    """

    name: str
    text: str
    hands: int
    ev_without: float | None
    limits: tuple[Limit, ...]


@dataclass(frozen=True)
class FoundWay:
    """A rule list found by :func:`search`."""

    way: HouseWay
    toml: str = field(repr=False)
    exact_ev: Fraction
    exact_regret: Fraction
    exact_regrets: tuple[Fraction, ...] = field(repr=False)  # the regret against each opponent
    bound: float  # a lower bound on the loss of any list with the same number of rules
    per_rule: tuple[RuleWorth, ...] = field(repr=False)
    next_rule: tuple[str, float] | None = field(repr=False)  # the best rule to add, and the resulting gain in EV

    ev = property(lambda self: float(self.exact_ev), doc="The EV as a float.")
    regret = property(lambda self: float(self.exact_regret), doc="The regret as a float.")

    @property
    def rules(self) -> int:
        """The number of rules."""
        return len(self.per_rule)

    @property
    def sheet(self) -> list[str]:
        """The rules as sentences."""
        return [rule.text for rule in self.per_rule]


@dataclass(frozen=True)
class SearchResult(Printed):
    """The results of :func:`search`, with the best list for each number of rules.

    ``vocabulary_regret`` is the loss that remains if each hand is set in the best way that any rule can describe. Lists
    that lose at least as much as a shorter one are left out.
    """

    seat: str  # "player" or "banker"
    opponents: tuple[str, ...]
    exact_best_ev: Fraction
    vocabulary_regret: float
    ways: tuple[FoundWay, ...]

    best_ev = property(lambda self: float(self.exact_best_ev), doc="The best response's EV as a float.")

    def __str__(self) -> str:
        rows = [[str(way.rules), f"{way.ev:+.6%}", f"{way.regret:.6%}", f"{way.bound:.6%}"] for way in self.ways]
        table = TextTable(["rules", "EV", "regret", "regret of any list at least"], rows)
        rest = f"the words leave a regret of {self.vocabulary_regret:.6%}"
        return f"best EV of the {self.seat} {self.best_ev:+.6%}; {rest}\n\n{table}"


@dataclass(frozen=True)
class Change:
    """A change to one rule.

    ``kind`` is ``"replace"``, ``"add"``, ``"drop"`` or ``"move"``. ``rule`` is the sheet's rule. ``text`` is an added
    rule's sentence or a moved rule's new position. ``ev_change`` is the EV that would be lost if only this
    change was undone.
    """

    kind: str
    rule: str | None
    text: str | None
    ev_change: float


@dataclass(frozen=True)
class ChangedWay(Printed):
    """A sheet with some of its rules changed, found by :func:`search`."""

    way: HouseWay
    toml: str = field(repr=False)
    exact_ev: Fraction
    exact_ev_change: Fraction  # the gain compared with the original sheet
    changes: tuple[Change, ...]

    ev = property(lambda self: float(self.exact_ev), doc="The EV as a float.")
    ev_change = property(lambda self: float(self.exact_ev_change), doc="The gain in EV as a float.")

    def __str__(self) -> str:
        rows = [[it.kind, it.rule or "", it.text or "", f"{it.ev_change:+.6%}"] for it in self.changes]
        table = TextTable(["change", "rule", "to", "EV"], rows)
        return f"EV {self.ev:+.6%}, {self.ev_change:+.6%} by these changes\n\n{table}"


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
    as_: Literal["player", "banker"] = "player",
    banker: Way | Sequence[Way] = "trump-plaza",
    objective: str = "mean",
    words: Sequence[str] | None = None,
    max_words: int = 35,
    width: int = 4,
    game_rules: Mapping[str, Any] | None = None,
    fix: Way | None = None,
    change: int = 1,
) -> SearchResult | tuple[ChangedWay, ...]:
    """Searches for the best house ways with few rules or, with ``fix``, for the best changes to a sheet's rules.

    The same arguments find the same lists as ``houseway search``. The search makes one pass over all deals for each of
    the other side's house ways, and another pass for the exact EVs at the end. This takes about half a minute for short
    lists and can be interrupted.

    Args:
        rules: The number of rules, or a range such as ``range(4, 13)`` for 4 to 12 rules. Defaults to 3 to 24.
        bounds: The maximum total number of bounds in all rules. A bound is a minimum front, or an end of a range that
            excludes something.
        as_: The side that the lists set for, ``"player"`` or ``"banker"``.
        banker: The other side's house way, or a sequence of house ways. Tables and policies are refused.
        objective: Whether to minimize the ``"mean"`` or ``"worst"`` loss against several house ways.
        words: The words from :data:`WORDS` that rules may use in addition to shapes and ranks. Defaults to all.
        max_words: The maximum average number of words per rule, at least 10.
        width: The number of lists to keep for each length. Larger values find better lists but take longer.
        game_rules: Game rules that differ from the defaults, such as ``{"commission": 0.04}``. A house way that was made
            for other rules is refused.
        fix: A sheet to change. The result is then a tuple with the best sheet for each number of changes, from one.
        change: The maximum number of changes to the sheet. A change replaces, adds, removes or moves a rule.

    Raises:
        ValueError: If an argument is invalid.
    """
    if as_ not in ("player", "banker"):
        raise ValueError(f"invalid side {as_!r}: expected 'player' or 'banker'")
    chosen = list(WORDS if words is None else words)
    _check("bounds", bounds if bounds is not None else 0, 0, 1 << 32)
    _check("max_words", max_words, 10, 255)
    _check("width", width, 1, _MAX_WIDTH)
    given: dict[str, Any] = {"banker": banker}
    if isinstance(banker, Sequence) and not isinstance(banker, str):
        given = {f"banker[{i}]": way for i, way in enumerate(banker)}
    count = len(given)
    if not count:
        raise ValueError("banker: expected at least one house way")
    if fix is not None:
        given["fix"] = fix
    for name, it in given.items():
        check_way(it, name=name)
        if not isinstance(it, (str, os.PathLike, Mapping, HouseWay)) or str(it).endswith(".safetensors"):
            raise ValueError(f"{name}: a search only supports house ways, not tables or policies")
    game, ways = sides_of(given, game_rules)
    others = ways[:count]
    question = {
        "opponents": [way._core for way in others],
        "as_banker": as_ == "banker",
        "objective": objective,
        "bounds": bounds,
        "words_per_rule": max_words,
        "words": chosen,
        "width": width,
    }
    if fix is not None:
        if rules is not None or objective != "mean":
            raise ValueError("rules and objective are not used with fix; leave them out")
        _check("change", change, 1, _MAX_CHANGES)
        sheet = ways[-1]
        before, found = _core.fix_way(core_rules(game), question, sheet._core, sheet._made_from[0], change)
        return tuple(_changed(sheet, Fraction(*before), *row) for row in found)
    if change != 1:
        raise ValueError("change can only be used with fix")
    lengths = _range(range(3, 25) if rules is None else rules)
    best, floor, lists = _core.search_ways(core_rules(game), question, lengths)
    found_ways = tuple(_found(game, *row) for row in lists)
    return SearchResult(as_, tuple(way.name for way in others), Fraction(*best), floor, found_ways)


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


def _range(rules: SupportsIndex | range) -> tuple[int, int]:
    if isinstance(rules, range):
        if rules.step != 1 or not rules:
            raise ValueError(f"invalid {rules}: expected a non-empty range with a step of 1")
        first, last = rules.start, rules.stop - 1
    else:
        first = last = integer("rules", rules, "an integer, or a range such as range(4, 13)")
    _check("rules", first, 1, _MAX_RULES)
    _check("rules", last, 1, _MAX_RULES)
    return first, last


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= integer(name, value) <= most:
        raise ValueError(f"invalid {name} {value}: expected {least} to {most}")
