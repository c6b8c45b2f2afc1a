"""Banking at a Pai Gow Poker table: EV, Kelly fractions and log growth.

Everything is from the bank's point of view and in chips. The EV is exact for any number of bets and any mix of
strategies because EVs add up. This doesn't hold for a commission on the *net* win of several bets, so the EV then comes
with lower and upper bounds or, if it is sampled, with a standard error.

>>> from houseway.exact import banking
>>> bank = banking.bank([("trump-plaza", 100)], rules={"commission-on-banker": "none"})  # enumerates all deals
>>> bank.take, round(bank.ev, 4)
(True, 1.2939)
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .. import _core
from .._config import check_seed, integer, mapping, to_json
from ..cards import Hands, as_hands, as_settings
from ..ways import core_rules
from .pai_gow import OPTIMAL, Counts, Strategy, Way, sides_of, solve
from .solver import games

#: The maximum number of opponents. A deck has enough cards for the bank and six other hands.
MAX_OPPONENTS = 6


@dataclass(frozen=True)
class Distribution:
    """A probability distribution over results."""

    results: np.ndarray  # int64 (n,): the results in chips, in ascending order
    weights: np.ndarray  # int64 (n,): the number of deals with each result, among all deals or in a sample

    @property
    def chances(self) -> np.ndarray:
        """The probability of each result, float64 ``(n,)``."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def exact_mean(self) -> Fraction:
        """The mean in chips, computed exactly from the weights."""
        pairs = zip(self.results.tolist(), self.weights.tolist())
        return Fraction(sum(chips * weight for chips, weight in pairs), int(self.weights.sum()))

    @property
    def mean(self) -> float:
        """The mean in chips as a float."""
        return float(self.exact_mean)

    @property
    def variance(self) -> float:
        """The variance in squared chips."""
        return float(self.chances @ (self.results - self.mean) ** 2)

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, if the weights come from a sample. NaN for a single deal."""
        deals = self.weights.sum()
        return float(np.sqrt(self.variance / deals)) if deals > 1 else float("nan")

    def kelly_size(self, bankroll: int) -> float:
        """Returns the multiple of this bet that maximizes the log growth of a bankroll in chips, or 0 if no multiple
        makes it grow."""
        return _core.bank_growth(self._rows(), integer("bankroll", bankroll))[0]

    def log_growth(self, bankroll: int) -> float:
        """Returns the mean log growth of a bankroll in chips, or minus infinity if all of it can be lost."""
        return _core.bank_growth(self._rows(), integer("bankroll", bankroll))[1]

    def _rows(self) -> list[tuple[int, int]]:
        return list(zip(self.results.tolist(), self.weights.tolist()))


def _distribution(rows: list[tuple[int, int]]) -> Distribution:
    return Distribution(*np.array(rows, np.int64).reshape(-1, 2).T.copy())


@dataclass(frozen=True)
class Bank:
    """The results from :func:`bank`."""

    banker: str
    bets: tuple[tuple[str, int], ...]  # each opponent's strategy and bet in chips
    counts: tuple[Counts, ...]  # the *player's* outcomes over all deals, for each bet
    exact_before_commission: Fraction  # the EV in chips
    exact_bounds: tuple[Fraction, Fraction]  # bounds on the EV, which are equal if it is exact
    exact_pass: Fraction  # the EV of passing and playing one's own bet instead, in chips
    exact_price: tuple[Fraction, Fraction]  # bounds on the cost of passing, which is the bank's EV minus exact_pass
    exact_kelly: tuple[Fraction, ...]  # the Kelly fraction of each bet by itself, before a fee of the bank
    single: Distribution | None  # the bank's results in a round, if there is a single opponent and neither side mixes
    _game_rules: Mapping[str, Any]
    _rules: str  # those of the table
    _ways: tuple[Any, ...]  # the banker's strategy, and the opponents'

    @property
    def stake(self) -> int:
        """The bank's stake in chips, which covers all bets."""
        return sum(bet for _, bet in self.bets)

    @property
    def is_exact(self) -> bool:
        """True if the EV is exact, and false if there are only bounds on it."""
        return self.exact_bounds[0] == self.exact_bounds[1]

    @property
    def ev(self) -> float:
        """The EV in chips, or its lower bound if it isn't exact."""
        return float(self.exact_bounds[0])

    @property
    def take(self) -> bool | None:
        """True if banking has a higher EV than one's own bet, or ``None`` if the bounds don't decide it."""
        low, high = self.exact_price
        return True if low > 0 else False if high <= 0 else None

    def sample(self, deals: int = 200_000, seed: int = 1) -> Distribution:
        """Samples rounds, settles them by the table rules, and returns the distribution of the bank's results after
        commission.

        The results for a seed are the same as in ``houseway bank`` and don't depend on the number of cores. The banker
        must not be :data:`~houseway.exact.OPTIMAL`.
        """
        return _distribution(self._sample(deals, seed)[0])

    def sampled_ev(self, deals: int = 200_000, seed: int = 1) -> tuple[float, float]:
        """Returns the EV in chips and its standard error. Only the commission is sampled. The EV before commission is
        exact."""
        if self.is_exact:
            return self.ev, 0.0
        commission = _distribution(self._sample(deals, seed)[1])
        return float(self.exact_before_commission - commission.exact_mean), commission.standard_error

    def _sample(self, deals: int, seed: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        if self.banker == OPTIMAL:
            raise ValueError("sampling requires a banker with a given strategy, not an optimal one")
        check_seed(seed)
        if integer("deals", deals) < 1:
            raise ValueError(f"invalid number of deals {deals}: expected at least one")
        banker, *others = (way._core for way in self._ways)
        opponents = [(bet, other) for (_, bet), other in zip(self.bets, others)]
        return _core.bank_sample(core_rules(self._game_rules), self._rules, banker, opponents, (deals, seed))


def bank(
    bets: Sequence[tuple[Strategy, int]],
    banker: Strategy = "trump-plaza",
    *,
    own: int | None = None,
    way: Strategy = "trump-plaza",
    house: Strategy = "trump-plaza",
    rules: Mapping[str, Any] | None = None,
) -> Bank:
    """Evaluates banking against the given bets, like ``houseway bank``.

    All deals between two strategies are enumerated the first time that they meet, as by :func:`~houseway.exact.solve`.

    Args:
        bets: Each opponent's strategy and bet in chips. Strategies are those of :func:`~houseway.exact.solve`. Only pure ones
            can be sampled.
        banker: The bank's strategy, or :data:`~houseway.exact.OPTIMAL` if there is a single opponent.
        own: The bet in chips that is played if the bank is passed, or 0 to sit out. Defaults to the minimum bet.
        way: The strategy that sets the hands for this bet.
        house: The strategy of the banker that this bet is played against.
        rules: The rules of the table or the game that differ from the defaults, such as
            ``{"commission-on-banker": "per_bet"}``, or ``{"collection": "1/100", "bank-collection": "2/300"}`` for fees
            for each hand. Bets are only limited if ``bet-minimum`` or ``bet-maximum`` is given.
    """
    if not isinstance(bets, Sequence) or not all(map(_is_bet, bets)):
        raise ValueError(f"invalid bets {bets!r}: expected pairs of a strategy and a bet, such as ('trump-plaza', 100)")
    chips = [integer("bet", bet, "an integer, the number of chips") for _, bet in bets]
    own = None if own is None else integer("own", own, "an integer, the number of chips")
    if not 1 <= len(chips) <= MAX_OPPONENTS:
        raise ValueError(f"invalid number of bets {len(chips)}: expected 1 to {MAX_OPPONENTS}")
    best = isinstance(banker, str) and banker == OPTIMAL
    if best and len(chips) > 1:
        raise ValueError(
            "the best response to several bets is one setting for all of them, which isn't computed here: give a single "
            "bet, or a banker with a strategy"
        )
    of_game, of_table = (games()[name]["rules"] for name in ("pai-gow-poker", "pai-gow-table"))
    rules = mapping("rules", rules)
    for unknown in rules.keys() - of_game.keys() - of_table.keys():
        similar = difflib.get_close_matches(unknown, [*of_game, *of_table], 1, 0.8)
        hint = f" (did you mean {similar[0]}?)" if similar else ""
        known = f"expected one of {', '.join(of_table)} for the table, or {', '.join(of_game)} for the game"
        raise ValueError(f"unknown rule {unknown!r}{hint}: {known}")
    game_rules = {key: rule for key, rule in rules.items() if key in of_game}
    table = to_json(**{key: rule for key, rule in rules.items() if key not in of_game})
    has_limits = "bet-minimum" in rules or "bet-maximum" in rules
    minimum = _core.check_bank(table, [*chips, *([own] if own else [])], has_limits)
    own = minimum if own is None else own
    named = {"way": way, "house": house, "banker": house if best else banker}
    named |= {f"bets[{i}]": player for i, (player, _) in enumerate(bets)}
    game, sides = sides_of(named, game_rules or None)
    own_side, house_side, bank_side, *players = sides
    counts = [_pair(game, player, OPTIMAL if best else bank_side) for player in players]
    rows = [(bet, _bank_side(found)) for bet, found in zip(chips, counts)]
    own_row = (own, _bank_side(_pair(game, own_side, house_side)))
    found = _core.bank_worth(core_rules(game), table, rows, own_row)
    # The weights of mixed strategies don't fit into 64 bits.
    is_pure = all(side.weight == 1 for side in (bank_side, *players))
    low, high = (Fraction(*bound) for bound in found["bounds"])
    price = [Fraction(*bound) for bound in found["price"]]
    return Bank(
        banker=OPTIMAL if best else bank_side.name,
        bets=tuple((player.name, bet) for player, bet in zip(players, chips)),
        counts=tuple(counts),
        exact_before_commission=Fraction(*found["gross"]),
        exact_bounds=(low, high),
        exact_pass=Fraction(*found["pass"]),
        exact_price=(price[0], price[1]),
        exact_kelly=tuple(Fraction(*share) for share in found["kelly"]),
        single=_distribution(found["single"]) if "single" in found and is_pure else None,
        _game_rules=game,
        _rules=table,
        _ways=(bank_side, *players),
    )


def _is_bet(bet: Any) -> bool:
    return isinstance(bet, Sequence) and not isinstance(bet, str) and len(bet) == 2


def _bank_side(counts: Counts) -> tuple[int, int, int]:
    """Returns the bank's wins, pushes and losses."""
    return counts.losses, counts.pushes, counts.wins


#: The pairs of strategies that have been enumerated in this process.
_pairs: dict[tuple[str, str, str], Counts] = {}


def _pair(game: Mapping[str, Any], player: Any, banker: Any) -> Counts:
    key = (core_rules(game).hash, player._core.hash, banker if isinstance(banker, str) else banker._core.hash)
    if key not in _pairs:
        _pairs[key] = solve(player, banker, bank="player", rules=game)
    return _pairs[key]


def joint(
    hand: Hands,
    setting: int,
    first: Way = "trump-plaza",
    second: Way = "trump-plaza",
    *,
    rules: Mapping[str, Any] | None = None,
) -> np.ndarray:
    """Returns the joint results of two opponents against one banker hand, over all 823 trillion pairs of their hands.

    The result is int64 ``(3, 3)``. Rows are the bank's wins, pushes and losses against the first opponent, and columns
    are its wins, pushes and losses against the second one. The results are correlated because both opponents' hands are
    dealt from the same 46 cards. ``rules`` are game rules that differ from the defaults. This takes up to half a minute
    on one core and 250 MB of memory.
    """
    game, opponents = sides_of({"first": first, "second": second}, rules)
    setting = int(as_settings([setting], 1)[0])
    return _core.bank_joint(core_rules(game), as_hands(hand), setting, [it._core for it in opponents])
