"""Exact values for decisions, starting hands and the full game in Ultimate Texas Hold'em, and a simple strategy.

Amounts are in antes and from the player's point of view. The rules come from an online casino. Where they are
ambiguous, there are several *readings* to choose from, as in ``rules={"dealer-unqualified": "casino_holdem"}``.
``houseway games -g ultimate-holdem`` lists them. Under the default rules, optimal play has the published house edge, 2.185% of the
ante (Wizard of Odds, "Ultimate Texas Hold'em").

>>> ev = hand_ev("Kh 8c", "8d 5s 2h")
>>> ev.actions, ev.actions[ev.best[0]]
(('check', 'play2'), 'play2')
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from .._config import check_seed, index_of, integer, mapping, text, to_json
from ..cards import Hands, as_rows, as_settings
from .solver import Frame, Solver, fraction

#: The number of deals. There are C(52, 2) player hands, C(50, 3) flops, C(47, 2) turns and rivers, and C(45, 2) dealer
#: hands.
DEALS = 27_813_810_024_000
#: Optimal play, as an argument to :func:`solve`.
OPTIMAL = "optimal"
#: The Wizard of Odds' simple strategy, as an argument to :func:`solve`.
SIMPLE = "simple"

_RANKS = "23456789TJQKA"


@dataclass(frozen=True)
class Decisions:
    """Each action's EV in ``n`` positions at the same stage, with optimal play afterwards."""

    actions: tuple[str, ...]  # "check" or "fold", "play1", "play2", "play3", "play4", in ascending order of wager
    gains: np.ndarray  # int64 (n, len(actions)): the EVs in antes, times the denominator
    denominator: int

    def columns(self) -> dict[str, np.ndarray]:
        """Returns one row per position, with each action's EV by name, and the best action's name as ``best``."""
        evs = {action: self.ev[:, i] for i, action in enumerate(self.actions)}
        return {**evs, "best": np.array(self.actions)[self.best]}

    @property
    def ev(self) -> np.ndarray:
        """The EV of each action in antes, float64 ``(n, len(actions))``."""
        return self.gains / self.denominator

    @property
    def best(self) -> np.ndarray:
        """The best action in each position, uint8 ``(n,)``. Ties go to the smallest wager."""
        return np.asarray(self.gains.argmax(axis=1), np.uint8)

    def exact(self, position: int, action: str | int) -> Fraction:
        """Returns the EV of one action, given by name or by index, as a fraction."""
        if not 0 <= integer("position", position) < len(self.gains):
            raise ValueError(f"invalid position {position}: expected 0 to {len(self.gains) - 1}")
        return Fraction(int(self.gains[position, index_of("action", action, self.actions)]), self.denominator)

    def regret(self, chosen: np.ndarray) -> np.ndarray:
        """Returns the regret of one action per position in antes, float64 ``(n,)``. Actions are given by index."""
        rows = np.arange(len(self.gains))
        chosen = np.asarray(chosen)
        numbers = chosen.astype(np.uint8) if chosen.dtype == np.bool_ else chosen  # True is the action 1
        chosen = as_settings(numbers, len(rows), "actions", most=self.gains.shape[1] - 1)
        lost = self.gains.max(axis=1) - self.gains[rows, chosen]
        return np.asarray(lost / self.denominator)


def kind_of(cards: Hands) -> np.ndarray:
    """Returns the kinds of starting hands, int64 ``(n,)``, as indices into the tables of 169 kinds in :class:`Totals`.

    >>> str(kind_names()[kind_of("Kh 8c")[0]])
    'K8o'
    """
    rows = -np.sort(-as_rows(cards).astype(np.int64), axis=1)
    if rows.shape[1] != 2 or (rows[:, 0] == rows[:, 1]).any() or (rows > 51).any():
        raise ValueError("invalid starting hand: expected two different cards and no joker")
    high, low = rows[:, 0] // 4, rows[:, 1] // 4
    return np.where(rows[:, 0] % 4 == rows[:, 1] % 4, 13 * high + low, 13 * low + high)


def kind_names() -> np.ndarray:
    """Returns the names of the 169 kinds of starting hands in order, as text ``(169,)``."""
    pairs = [(row, column) for row in range(13) for column in range(13)]
    kinds = [(max(pair), min(pair), "" if a == b else "s" if a > b else "o") for pair in pairs for a, b in [pair]]
    return np.array([_RANKS[high] + _RANKS[low] + suited for high, low, suited in kinds])


def hand_ev(cards: Hands, board: Hands = "", *, rules: Mapping[str, Any] | None = None, trips: int = 0) -> Decisions:
    """Returns the exact EV of every decision with two cards and a board of zero, three or five cards.

    Before the flop, all deals are enumerated, but only once per process and set of rules (see :func:`solve`). A flop
    takes milliseconds and a complete board microseconds.

    Args:
        cards: One or ``n`` hands, as text, a list of texts, or card numbers ``(n, 2)``.
        board: The community cards for each hand, or one board for all hands. There may be none, the flop, or all five.
        rules: Readings that differ from the defaults.
        trips: The number of antes staked on Trips. Its result is part of the EV.
    """
    holes, boards = _positions(cards, board)
    if boards.shape[1] == 0:
        kinds = kind_of(holes)  # refuses bad hands before the long computation
        totals = solve(rules=rules, trips=trips)
        return Decisions(totals.actions, totals.gains[kinds], totals.denominator)
    found = Solver("ultimate-holdem", rules, trips=trips).frame("decisions", hands=holes, boards=boards)
    return Decisions(tuple(found.facts["actions"]), found["gains"], found.facts["denominator"])


def simple_strategy(cards: Hands, board: Hands = "", *, rules: Mapping[str, Any] | None = None) -> np.ndarray:
    """Returns the bets of the Wizard of Odds' simple strategy in antes, uint8 ``(n,)``. A check or a fold is 0.

    >>> simple_strategy("Kh 8c", "8d 5s 2h").tolist()
    [2]
    """
    holes, boards = _positions(cards, board)
    given = {"boards": boards} if boards.shape[1] else {}
    return Solver("ultimate-holdem", rules).frame("simple-strategy", hands=holes, **given)["antes"]


@dataclass(frozen=True)
class Totals:
    """The results of a strategy over all deals, in antes.

    Arrays over the 169 kinds of starting hands have one row per kind. ``array.reshape(13, 13)`` gives the usual square,
    from twos to aces, with suited hands where the row's rank is higher, offsuit hands where the column's is, and pairs
    on the diagonal. Arrays are read-only because results are cached.
    """

    exact_ev: Fraction
    variance: float  # the variance of the net result, including all wagers
    played: tuple[int, ...]  # the number of deals with a Play of 4, 3, 2 and 1 antes, and with a fold
    exact_average_wager: Fraction  # the mean total stake on Ante, Blind, Trips and Play
    # The number of hands by category, out of 133,784,560 seven-card hands or, with ``hole-cards=both``, out of
    # 2,809,475,760 hands of two cards and a board.
    categories: dict[str, int]
    exact_trips_ev: Fraction  # the EV of a Trips bet beside the strategy, per unit staked
    names: np.ndarray  # text (169,)
    combinations: np.ndarray  # int64 (169,): 4, 6 or 12
    chosen: np.ndarray  # int64 (169,): the antes played before the flop, or 0 for a check
    actions: tuple[str, ...]  # the actions before the flop
    gains: np.ndarray  # int64 (169, len(actions)): the EVs in antes, times the denominator
    denominator: int
    after_check: np.ndarray  # float64 (169, 3): the probabilities of a Play on the flop or river, and of a fold

    @property
    def ev(self) -> float:
        """The EV as a float, which is minus the house edge."""
        return float(self.exact_ev)

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of a hand's result."""
        return math.sqrt(self.variance)

    @property
    def element_of_risk(self) -> float:
        """The element of risk, which is the loss per unit of the total stake."""
        return float(-self.exact_ev / self.exact_average_wager)

    @property
    def frequencies(self) -> np.ndarray:
        """The probabilities of a Play of 4, 3, 2, 1 antes, and of a fold, float64 ``(5,)``."""
        return np.array(self.played) / DEALS

    @property
    def start_ev(self) -> np.ndarray:
        """The EV of each action before the flop, float64 ``(169, len(actions))``. After a check, the strategy continues
        to play."""
        return self.gains / self.denominator

    def exact_start_ev(self, kind: str | int, action: str | int) -> Fraction:
        """Returns the EV of an action with a kind of starting hand, such as ``"AKs"``, as a fraction. Both may be given
        by index."""
        row, column = index_of("starting hand", kind, self.names.tolist()), index_of("action", action, self.actions)
        return Fraction(int(self.gains[row, column]), self.denominator)


def _totals(frame: Frame, facts: Mapping[str, Any], suffix: str = "") -> Totals:
    """Creates the totals of a strategy from a frame whose columns have the given suffix."""
    chosen, gains, after_check = (frame[name + suffix] for name in ("chosen", "gains", "after_check"))
    for array in (frame["combinations"], chosen, gains, after_check):
        array.flags.writeable = False
    return Totals(
        exact_ev=fraction(facts["ev"]),
        variance=facts["variance"],
        played=tuple(int(deals) for deals in facts["played"]),
        exact_average_wager=fraction(facts["average_wager"]),
        categories=facts["categories"],
        exact_trips_ev=fraction(facts["trips"]),
        names=frame["name"],
        combinations=frame["combinations"],
        chosen=chosen,
        actions=tuple(frame.facts["actions"]),
        gains=gains,
        denominator=frame.facts["denominator"],
        after_check=after_check,
    )


def solve(strategy: str = OPTIMAL, *, rules: Mapping[str, Any] | None = None, trips: int = 0) -> Totals:
    """Enumerates all 27,813,810,024,000 deals for a strategy. Takes seconds, but results are cached.

    Args:
        strategy: :data:`OPTIMAL` or :data:`SIMPLE`.
        rules: Readings that differ from the defaults.
        trips: The number of antes staked on Trips.
    """
    return _counted(text("strategy", strategy), to_json(**mapping("rules", rules)), trips)


@lru_cache(maxsize=16)
def _counted(strategy: str, rules: str, trips: int) -> Totals:
    frame = Solver("ultimate-holdem", json.loads(rules), player=strategy, trips=trips).frame("starting-hands")
    return _totals(frame, frame.facts)


@dataclass(frozen=True)
class Regret:
    """The simple strategy's regret by stage, in antes per hand.

    The loss at each stage assumes optimal play at all later stages, so the losses add up to the total.
    """

    optimum: Totals
    with_best_rivers: Totals  # the strategy's play before the river and optimal play on the river
    exact_start: Fraction  # the loss before the flop
    exact_flop: Fraction
    exact_river: Fraction  # the mean loss over the boards
    half_width: float  # the half width of the river loss's 95% interval, or 0 if all boards are evaluated
    agreement: float  # the fraction of deals in which every decision is optimal
    boards: int  # the number of boards evaluated

    @property
    def total(self) -> float:
        """The total loss."""
        return float(self.exact_start + self.exact_flop + self.exact_river)


def simple_regret(
    boards: int | None = 2_000, *, seed: int = 1, rules: Mapping[str, Any] | None = None, trips: int = 0
) -> Regret:
    """Returns the simple strategy's regret. It is exact before the river. On the river, it is sampled unless ``boards``
    is ``None``.

    This takes as long as :func:`solve`, or about twice as long with all boards.
    """
    check_seed(seed)
    sample = {} if boards is None else {"boards": boards, "seed": seed}
    frame = Solver("ultimate-holdem", rules, trips=trips).frame("simple-regret", **sample)
    found = frame.facts
    optimum, before = _totals(frame, found["optimum"]), _totals(frame, found["simple"], "_simple")
    rows = np.arange(len(optimum.names))
    # The loss of the first decision, with optimal play afterwards.
    column = {0: 0} | {int(action[4:]): i for i, action in enumerate(optimum.actions) if i}
    chosen = np.array([column[antes] for antes in before.chosen.tolist()])
    lost = (optimum.gains.max(axis=1) - optimum.gains[rows, chosen]).tolist()
    start = Fraction(sum(n * loss for n, loss in zip(optimum.combinations.tolist(), lost)), 1_326 * optimum.denominator)
    return Regret(
        optimum=optimum,
        with_best_rivers=before,
        exact_start=start,
        exact_flop=optimum.exact_ev - before.exact_ev - start,
        exact_river=fraction(found["river"]),
        half_width=found["half_width"],
        agreement=found["agreement"],
        boards=found["boards"],
    )


def _positions(cards: Hands, board: Hands) -> tuple[np.ndarray, np.ndarray]:
    holes, boards = as_rows(cards), as_rows(board)
    if len(boards) == 1:
        boards = np.broadcast_to(boards, (len(holes), boards.shape[1]))
    return holes, np.ascontiguousarray(boards)
