"""Audits, which compute the EV that a house way or another strategy loses by enumerating all hands.

>>> import houseway
>>> audit = houseway.audit("trump-plaza", shard=(0, 500))  # the full game takes a few seconds
>>> table = audit.by_rule()
>>> worst = table["ev_lost"].argmax()
>>> str(table["rule"][worst]), int(table["suboptimal"][worst]) <= int(table["hands"][worst])
('one pair, complete hand kept', True)

Numbers of hands and deals are integers. Gains are integers in millionths of a stake, summed over all deals. EVs are
:class:`fractions.Fraction`, or floats in arrays. They are per unit staked by the player and from the audited side's
point of view. The audits of all shards add up to exactly the full game's audit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from . import _core, cards
from ._config import shard_of
from .exact.pai_gow import BANKER_HANDS, Counts, Strategy, counts_of, fees_of, joined_shards, sides_of
from .exact.solver import Printed, TextTable
from .ways import core_rules

#: Gains are integers in units of one stake divided by this number.
GAIN_UNIT = 1_000_000


@dataclass(frozen=True)
class Sample:
    """An example hand from a group, with the setting played and an alternative, and their gains before the fee."""

    cards: tuple[int, ...]
    plays: int
    other: int
    gain: int
    other_gain: int
    fee: Fraction = Fraction(0)  # the fee for each hand, which is negative for a banker, who receives it

    @property
    def hand(self) -> str:
        """The seven cards as text."""
        return cards.text(self.cards)

    @property
    def fronts(self) -> tuple[str, str]:
        """The fronts in the setting played and in the alternative, as text."""
        played, other = (cards.front_and_back(self.cards, setting)[0] for setting in (self.plays, self.other))
        return played, other

    @property
    def exact_ev(self) -> tuple[Fraction, Fraction]:
        """Both settings' EVs, after the fee."""
        ev, other_ev = (Fraction(gain, BANKER_HANDS * GAIN_UNIT) - self.fee for gain in (self.gain, self.other_gain))
        return ev, other_ev

    def _clearness(self) -> tuple[int, int, int]:
        """Returns a sort key: the difference in EV, with the same tie-breakers as in Rust."""
        bits = sum(1 << card for card in self.cards)
        return abs(self.other_gain - self.gain), -bits, -self.other


def _clearest(one: Sample | None, other: Sample | None) -> Sample | None:
    return max((it for it in (one, other) if it), key=Sample._clearness, default=None)


@dataclass(frozen=True)
class Change:
    """The effect of an alternative, with the number of hands that it sets differently, how many of them are better and
    worse off, and the gain over all deals."""

    hands: int
    better: int
    worse: int
    gain: int

    def __add__(self, more: Change) -> Change:
        if not isinstance(more, Change):
            return NotImplemented
        return Change(
            self.hands + more.hands, self.better + more.better, self.worse + more.worse, self.gain + more.gain
        )


@dataclass(frozen=True)
class Group:
    """The losses on one kind of hand that is set by one rule, or by a strategy without rules, where ``rule`` is 0.

    ``suboptimal`` is the number of hands for which another setting has a higher EV. ``dominated`` is the number of
    hands for which another legal setting is at least as good in both halves and better in one, which makes the setting
    played a mistake against any opponent. ``lost`` is the total loss over all deals.
    """

    rule: int
    name: str
    hands: int
    suboptimal: int
    dominated: int
    lost: int
    worst: Sample | None
    worst_dominated: Sample | None

    def __add__(self, more: Group) -> Group:
        if not isinstance(more, Group):
            return NotImplemented
        sums = {name: getattr(self, name) + getattr(more, name) for name in ("hands", "suboptimal", "dominated", "lost")}
        worst = _clearest(self.worst, more.worst)
        return replace(self, **sums, worst=worst, worst_dominated=_clearest(self.worst_dominated, more.worst_dominated))


@dataclass(frozen=True)
class RulePrice:
    """The effect of removing a rule, or the number of hands that no other rule would set if it was removed."""

    rule: str
    text: str
    without: Change | None
    needed_by: int


@dataclass(frozen=True)
class ReadingPrice:
    """The effect of choosing a different option for a reading, or the reason why the way is invalid with it."""

    name: str
    option: str
    change: Change | None
    reason: str | None


@dataclass(frozen=True)
class Half:
    """A front or back that the way forms, with the number of hands, and the number of deals in which it beats or copies
    the other side's."""

    strength: int  # a larger number beats a smaller one
    name: str
    category: str
    hands: int
    beats: int
    copies: int

    @property
    def beaten(self) -> int:
        """The number of deals in which the other side's half is higher."""
        return self.hands * BANKER_HANDS - self.beats - self.copies


@dataclass(frozen=True)
class Audit(Printed):
    """The results from :func:`audit`.

    ``rules`` and ``readings`` are empty unless a house way is audited, and ``fronts`` and ``backs`` are empty unless the
    opponent is a house way.
    """

    way: str
    opponent: str
    seat: str  # "player" or "banker"
    way_hash: str
    opponent_hash: str
    rules_hash: str
    shards: tuple[int, frozenset[int]]  # the number of shards, and the indices of those included
    hands: int
    counts: Counts  # the player's outcomes
    best: Counts  # the player's outcomes with optimal play instead of the way
    groups: tuple[Group, ...] = field(repr=False)  # sorted by loss in descending order
    rules: tuple[RulePrice, ...] = field(repr=False)
    readings: tuple[ReadingPrice, ...] = field(repr=False)
    fronts: tuple[Half, ...] = field(repr=False)  # sorted in descending order
    backs: tuple[Half, ...] = field(repr=False)

    def __str__(self) -> str:
        """Shows the EV, the regret, and the ten rules that lose the most, or kinds of hand if there are no rules."""
        count, included = self.shards
        part = "" if self.is_whole else f", {len(included)} of {count} shards"
        name, by = ("rule", self.by_rule()) if self.rules else ("class", self.by_class())
        costliest = np.argsort(-by["ev_lost"], kind="stable")[:10]
        rows = [
            [by[name][i], f"{by['hands'][i]:,}", f"{by['suboptimal'][i]:,}", f"{by['ev_lost'][i]:.6%}"] for i in costliest
        ]
        head = f"{self.way} as the {self.seat} against {self.opponent}{part}: EV {self.ev:+.6%}, regret {self.regret:.6%}"
        return f"{head}\n\n{TextTable([name, 'hands', 'suboptimal', 'EV lost'], rows)}"

    @property
    def is_whole(self) -> bool:
        """True if all shards are included."""
        return len(self.shards[1]) == self.shards[0]

    @property
    def exact_ev(self) -> Fraction:
        """The way's EV."""
        return self._of_seat(self.counts)

    @property
    def exact_optimal_ev(self) -> Fraction:
        """The EV of optimal play against the same opponent."""
        return self._of_seat(self.best)

    @property
    def exact_regret(self) -> Fraction:
        """The total EV that the way loses."""
        return self.exact_optimal_ev - self.exact_ev

    ev = property(lambda self: float(self.exact_ev), doc="The way's EV as a float.")
    optimal_ev = property(lambda self: float(self.exact_optimal_ev), doc="The EV of optimal play as a float.")
    regret = property(lambda self: float(self.exact_regret), doc="The total EV that the way loses as a float.")

    def _of_seat(self, counts: Counts) -> Fraction:
        return counts.exact_ev if self.seat == "player" else counts.exact_banker_ev

    def ev_of(self, gain: int) -> Fraction:
        """Converts a sum of gains or losses to an EV."""
        return Fraction(gain, self.hands * BANKER_HANDS * GAIN_UNIT)

    def by_rule(self) -> dict[str, np.ndarray]:
        """Returns the losses by rule as columns with one row per rule, in order.

        The columns are ``rule``, ``text``, ``hands``, ``suboptimal``, ``dominated`` (int64), ``ev_lost``, and
        ``ev_change`` if the rule is removed (float64, NaN if that leaves hands without a rule).
        """
        rows = [[group for group in self.groups if group.rule == i] for i in range(len(self.rules))]
        columns = {
            "rule": np.array([rule.rule for rule in self.rules], np.str_),
            "text": np.array([rule.text for rule in self.rules], np.str_),
        }
        for name in ("hands", "suboptimal", "dominated"):
            columns[name] = np.array([sum(getattr(group, name) for group in row) for row in rows], np.int64)
        columns["ev_lost"] = np.array([float(self.ev_of(sum(group.lost for group in row))) for row in rows])
        columns["ev_change"] = np.array([self._change(rule.without) for rule in self.rules])
        return columns

    def by_class(self) -> dict[str, np.ndarray]:
        """Returns the losses by kind of hand and rule as columns, sorted by loss in descending order.

        The columns are ``class``, ``rule`` (empty if there are none), ``hands``, ``suboptimal``, ``dominated`` (int64),
        ``ev_lost`` (float64), ``example``, ``plays`` and ``best`` (text, empty if nothing is lost).
        """
        columns = {
            "class": np.array([group.name for group in self.groups]),
            "rule": np.array([self.rules[group.rule].rule if self.rules else "" for group in self.groups]),
        }
        for name in ("hands", "suboptimal", "dominated"):
            columns[name] = np.array([getattr(group, name) for group in self.groups], np.int64)
        columns["ev_lost"] = np.array([float(self.ev_of(group.lost)) for group in self.groups])
        samples = [group.worst for group in self.groups]
        columns["example"] = np.array([it.hand if it else "" for it in samples])
        columns["plays"] = np.array([it.fronts[0] if it else "" for it in samples])
        columns["best"] = np.array([it.fronts[1] if it else "" for it in samples])
        return columns

    def by_reading(self) -> list[dict[str, Any]]:
        """Returns the unselected options as dicts of ``name``, ``option``, ``ev_change`` (NaN if unavailable) and
        ``reason``."""
        return [
            {"name": it.name, "option": it.option, "ev_change": self._change(it.change), "reason": it.reason}
            for it in self.readings
        ]

    def _change(self, change: Change | None) -> float:
        return float(self.ev_of(change.gain)) if change else float("nan")

    def __add__(self, more: Audit) -> Audit:
        if not isinstance(more, Audit):
            return NotImplemented
        same = ("way_hash", "opponent_hash", "rules_hash", "seat")
        if any(getattr(self, name) != getattr(more, name) for name in same):
            raise ValueError("the audits are not shards of the same audit")
        shards = joined_shards(self.shards, more.shards)
        rules = [replace(a, without=_sum(a.without, b.without)) for a, b in zip(self.rules, more.rules)]
        readings = [replace(a, change=_sum(a.change, b.change)) for a, b in zip(self.readings, more.readings)]
        return replace(
            self,
            shards=shards,
            hands=self.hands + more.hands,
            counts=self.counts + more.counts,
            best=self.best + more.best,
            groups=_merged(self.groups + more.groups),
            rules=tuple(rules),
            readings=tuple(readings),
            fronts=_halves(self.fronts + more.fronts),
            backs=_halves(self.backs + more.backs),
        )

    def __radd__(self, start: int) -> Audit:
        return self if start == 0 else NotImplemented  # sum() starts with 0


def _sum(one: Change | None, other: Change | None) -> Change | None:
    return one + other if one and other else None


def _merged(groups: tuple[Group, ...]) -> tuple[Group, ...]:
    known: dict[tuple[int, str], Group] = {}
    for group in groups:
        key = (group.rule, group.name)
        known[key] = known[key] + group if key in known else group
    return tuple(sorted(known.values(), key=lambda group: (-group.lost, group.rule, group.name)))


def _halves(halves: tuple[Half, ...]) -> tuple[Half, ...]:
    known: dict[int, Half] = {}
    for half in halves:
        if before := known.get(half.strength):
            sums = {name: getattr(before, name) + getattr(half, name) for name in ("hands", "beats", "copies")}
            half = replace(before, **sums)
        known[half.strength] = half
    return tuple(sorted(known.values(), key=lambda half: -half.strength))


def audit(
    way: Strategy = "trump-plaza",
    opponent: Strategy = "trump-plaza",
    *,
    seat: Literal["player", "banker"] = "player",
    shard: tuple[int, int] = (0, 1),
    rules: Mapping[str, Any] | None = None,
) -> Audit:
    """Audits a strategy. Computes its losses compared with optimal play, and the effect of a house way's readings and
    rules.

    Args:
        way: The strategy to audit, as in :func:`houseway.exact.solve`. It must not be mixed.
        opponent: The other side's strategy, which must not be mixed either. Against anything but a house way, an audit takes
            about a minute.
        seat: The side to audit, ``"player"`` or ``"banker"``. The banker is the house.
        shard: ``(i, n)`` audits part ``i`` of ``n``, counting from zero. Use ``+`` or ``sum`` to combine parts.
        rules: Game rules that differ from the defaults, such as ``{"copies": "pushed"}``. A house way that was made for
            other rules is refused.
    """
    if seat not in ("player", "banker"):
        raise ValueError(f"invalid seat {seat!r}: expected 'player' or 'banker'")
    game, [own, other] = sides_of({"way": way, "opponent": opponent}, rules)
    shard = shard_of(shard)
    found = _core.audit(core_rules(game), own._core, other._core, seat == "banker", shard)
    collection = fees_of(game)["collection"]
    fee = -collection if seat == "banker" else collection

    def change(row: tuple[int, ...] | None) -> Change | None:
        return None if row is None else Change(*row)

    def sample(row: tuple[Any, ...] | None) -> Sample | None:
        return None if row is None else replace(Sample(tuple(row[0]), *row[1:]), fee=fee)

    def group(
        rule: int, name: str, hands: int, suboptimal: int, dominated: int, lost: int, worst: Any, worst_dominated: Any
    ) -> Group:
        return Group(rule, name, hands, suboptimal, dominated, lost, sample(worst), sample(worst_dominated))

    return Audit(
        way=own.name,
        opponent=other.name,
        seat=seat,
        way_hash=own._core.hash,
        opponent_hash=other._core.hash,
        rules_hash=core_rules(game).hash,
        shards=(shard[1], frozenset([shard[0]])),
        hands=found["hands"],
        counts=counts_of(found["way"], game, shard=shard),
        best=counts_of(found["best"], game, shard=shard),
        groups=_merged(tuple(group(*row) for row in found["groups"])),
        rules=tuple(RulePrice(name, text, change(row), needed) for name, text, row, needed in found["rules"]),
        readings=tuple(ReadingPrice(name, option, change(row), why) for name, option, row, why in found["readings"]),
        fronts=_halves(tuple(Half(i, name, "front", *row) for i, name, row in found["fronts"])),
        backs=_halves(tuple(Half(i, name, category, *row) for i, name, category, row in found["backs"])),
    )
