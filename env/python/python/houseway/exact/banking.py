"""Banking at a Pai Gow Poker table: EV, Kelly fractions and log growth.

Here everything is seen from the bank's side, in chips. EVs are exact for any number of bets against any mix of house ways,
because those of several bets add up; a commission on the *net* win of several bets does not, so that EV comes as bounds and,
by a sample, with a standard error.

>>> from houseway.exact import banking
>>> bank = banking.bank([("trump-plaza", 100)], rules={"commission-on-banker": "none"})  # counts all deals, once
>>> bank.take, round(bank.ev, 4)
(True, 1.2939)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import index
from typing import Any

import numpy as np

from .. import _core
from .._config import to_json
from ..cards import Hands, as_hands
from ..ways import HouseWay, as_way
from .pai_gow import OPTIMAL, Counts, Way, solve

#: Maximum number of opponents: one deck deals to a bank and six hands.
MAX_OPPONENTS = 6


@dataclass(frozen=True)
class Distribution:
    """Return the probability of each result."""

    results: np.ndarray  # int64 (n,): in chips, the lowest first
    weights: np.ndarray  # int64 (n,): deals, of all of them or of a sample

    @property
    def chances(self) -> np.ndarray:
        """The probabilities, float64 ``(n,)``."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def exact_mean(self) -> Fraction:
        """The mean in chips, exact for these weights."""
        pairs = zip(self.results.tolist(), self.weights.tolist())
        return Fraction(sum(chips * weight for chips, weight in pairs), int(self.weights.sum()))

    @property
    def mean(self) -> float:
        """The mean in chips as a float."""
        return float(self.exact_mean)

    @property
    def variance(self) -> float:
        """The variance in chips squared."""
        return float(self.chances @ (self.results - self.mean) ** 2)

    @property
    def standard_error(self) -> float:
        """Of the mean of a sample with these weights."""
        return float(np.sqrt(self.variance / self.weights.sum()))

    def kelly_size(self, bankroll: int) -> float:
        """Return the multiple of this bet with the greatest log growth of a bankroll in chips, 0 if none grows."""
        return _core.bank_growth(self._rows(), bankroll)[0]

    def log_growth(self, bankroll: int) -> float:
        """The mean of the logarithm of what a bankroll in chips is multiplied with; minus infinity if it can be lost whole."""
        return _core.bank_growth(self._rows(), bankroll)[1]

    def _rows(self) -> list[tuple[int, int]]:
        return list(zip(self.results.tolist(), self.weights.tolist()))


def _distribution(rows: list[tuple[int, int]]) -> Distribution:
    return Distribution(*np.array(rows, np.int64).reshape(-1, 2).T.copy())


@dataclass(frozen=True)
class Bank:
    """EV of a bank, see :func:`bank`."""

    banker: str
    bets: tuple[tuple[str, int], ...]  # the opponents' ways, and their bets in chips
    counts: tuple[Counts, ...]  # all deals of each bet, as they end for the *player*
    exact_before_commission: Fraction  # EV in chips
    exact_bounds: tuple[Fraction, Fraction]  # of the EV; equal if it is exact
    exact_pass: Fraction  # EV of playing one's own bet instead, in chips
    exact_price: tuple[Fraction, Fraction]  # of passing: EV of the bank less that of the own bet; above zero, take it
    exact_kelly: tuple[Fraction, ...]  # for each bet alone: the share of a bankroll that it should be
    single: Distribution | None  # what can come of the bank in a round, if there is one opponent
    _rules: str
    _ways: tuple[HouseWay, ...]  # the banker's, and the opponents'

    @property
    def stake(self) -> int:
        """All bets together, in chips; the bank's stake covers them."""
        return sum(bet for _, bet in self.bets)

    @property
    def is_exact(self) -> bool:
        """True if the EV is exact, false if it has bounds."""
        return self.exact_bounds[0] == self.exact_bounds[1]

    @property
    def ev(self) -> float:
        """The EV in chips; the lower bound if there are bounds."""
        return float(self.exact_bounds[0])

    @property
    def take(self) -> bool | None:
        """True if the bank has a higher EV than the own bet; ``None`` if the bounds do not decide."""
        low, high = self.exact_price
        return True if low > 0 else False if high <= 0 else None

    def sample(self, deals: int = 200_000, seed: int = 1) -> Distribution:
        """Sample the bank's results after commission in rounds dealt from a seed, settled by the rules of the table.

        The same seed gives the same result on any number of cores, and as ``houseway bank``. The banker sets by a way.
        """
        return _distribution(self._sample(deals, seed)[0])

    def sampled_ev(self, deals: int = 200_000, seed: int = 1) -> tuple[float, float]:
        """The EV in chips and its standard error: exact before commission, the commission by a sample of rounds."""
        if self.is_exact:
            return self.ev, 0.0
        commission = _distribution(self._sample(deals, seed)[1])
        return float(self.exact_before_commission - commission.exact_mean), commission.standard_error

    def _sample(self, deals: int, seed: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        if self.banker == OPTIMAL:
            raise ValueError("rounds are dealt to a banker who sets by a house way, and this one answers each bet apart")
        banker, *others = (way._core for way in self._ways)
        opponents = [(bet, way) for (_, bet), way in zip(self.bets, others)]
        return _core.bank_sample(self._rules, banker, opponents, deals, seed)


def bank(
    bets: Sequence[tuple[Way, int]],
    banker: Way = "trump-plaza",
    *,
    own: int = 20,
    way: Way = "trump-plaza",
    house: Way = "trump-plaza",
    rules: Mapping[str, Any] | None = None,
) -> Bank:
    """Evaluate banking against these bets, like ``houseway bank``.

    All deals of a pair of ways are counted (some seconds) the first time that the pair is met.

    Args:
        bets: the opponents: each one's house way and bet in chips.
        banker: how the bank sets: a house way, or with one opponent :data:`~houseway.exact.OPTIMAL`.
        own: the bet that is played instead if the bank is passed, in chips.
        way: how that bet is set.
        house: how the bank sets that it is played against.
        rules: rules of the table that differ from the default, ``{"commission-on-banker": "per_bet"}``.
    """
    given = [(as_way(player), index(bet)) for player, bet in bets]
    if not 1 <= len(given) <= MAX_OPPONENTS:
        raise ValueError(f"{len(given)} bets: one deck deals to a bank and 1 to {MAX_OPPONENTS} opponents")
    best = isinstance(banker, str) and banker == OPTIMAL
    if best and len(given) > 1:
        raise ValueError("the best response to several ways is one setting for all of them: use houseway bank --banker optimal")
    own_way, house_way, bank_way = as_way(way), as_way(house), given[0][0] if best else as_way(banker)
    counts = [_pair(player, OPTIMAL if best else bank_way) for player, _ in given]
    own_counts = _pair(own_way, house_way)
    rows = [(bet, _bank_side(found)) for (_, bet), found in zip(given, counts)]
    table = to_json(**(rules or {}))
    found = _core.bank_worth(table, rows, (index(own), _bank_side(own_counts)), own_way._core)
    low, high = (Fraction(*bound) for bound in found["bounds"])
    price = [Fraction(*bound) for bound in found["price"]]
    return Bank(
        banker=OPTIMAL if best else bank_way.name,
        bets=tuple((player.name, bet) for player, bet in given),
        counts=tuple(counts),
        exact_before_commission=Fraction(*found["gross"]),
        exact_bounds=(low, high),
        exact_pass=Fraction(*found["pass"]),
        exact_price=(price[0], price[1]),
        exact_kelly=tuple(Fraction(*share) for share in found["kelly"]),
        single=_distribution(found["single"]) if "single" in found else None,
        _rules=table,
        _ways=(bank_way, *(player for player, _ in given)),
    )


def _bank_side(counts: Counts) -> tuple[int, int, int]:
    """The bank's wins, pushes and losses."""
    return counts.losses, counts.pushes, counts.wins


#: Pairs of ways that were counted in this process.
_pairs: dict[tuple[str, str, str], Counts] = {}


def _pair(player: HouseWay, banker: HouseWay | str) -> Counts:
    key = (player.rules_hash, player.hash, banker if isinstance(banker, str) else banker.hash)
    if key not in _pairs:
        _pairs[key] = solve(player, banker, bank="player")
    return _pairs[key]


def joint(hand: Hands, setting: int, first: Way = "trump-plaza", second: Way = "trump-plaza") -> np.ndarray:
    """Return the joint results of two opponents against one banker's hand, over all 823 million million pairs of their hands.

    Int64 ``(3, 3)``: the bank wins, pushes, loses, by the first opponent and by the second. Their hands come from the same 46
    cards, so the two results are correlated. Takes up to half a minute of one core, and 250 MB.
    """
    ways = as_way(first), as_way(second)
    if ways[0].rules_hash != ways[1].rules_hash:
        raise ValueError("the two house ways are made for different rules of the game")
    return _core.bank_joint(as_hands(hand), setting, *(way._core for way in ways))
