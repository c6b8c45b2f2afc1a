"""Ultimate Texas Hold'em, counted: decisions, starting hands, the whole game, a published simple strategy.

Amounts are in antes and from the player's side. The rules are those of the Blackpool edition, whose open sentences are
*readings*: ``rules={"dealer-unqualified": "casino_holdem"}`` (``houseway games --rules`` lists them). The optimum of the default
rules has the published house edge, 2.185% of the ante (Wizard of Odds, "Ultimate Texas Hold'em").

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

from .._config import to_json
from ..cards import Hands, as_rows
from .solver import Frame, Solver, fraction

#: All deals: C(52, 2) hands, C(50, 3) flops, C(47, 2) last cards, C(45, 2) hands of the dealer.
DEALS = 27_813_810_024_000
#: The best play, as an argument of :func:`solve`.
OPTIMAL = "optimal"
#: The simple strategy of Wizard of Odds, as an argument of :func:`solve`.
SIMPLE = "simple"

_RANKS = "23456789TJQKA"


@dataclass(frozen=True)
class Decisions:
    """EVs of the actions in ``n`` positions of one stage, with optimal play afterwards."""

    actions: tuple[str, ...]  # the smallest wager first: "check" or "fold", "play1", "play2", "play3", "play4"
    gains: np.ndarray  # int64 (n, len(actions)): EVs in antes, times the denominator
    denominator: int

    def columns(self) -> dict[str, np.ndarray]:
        """Returns one row per position: the EV of each action by its name, and ``best``, the name of the best action."""
        evs = {action: self.ev[:, i] for i, action in enumerate(self.actions)}
        return {**evs, "best": np.array(self.actions)[self.best]}

    @property
    def ev(self) -> np.ndarray:
        """EV of each action in antes, float64 ``(n, len(actions))``."""
        return self.gains / self.denominator

    @property
    def best(self) -> np.ndarray:
        """The best action of each position, uint8 ``(n,)``; of equal ones that with the smallest wager."""
        return np.asarray(self.gains.argmax(axis=1), np.uint8)

    def exact(self, position: int, action: str) -> Fraction:
        """The EV of one action as a ratio of integers."""
        return Fraction(int(self.gains[position, self.actions.index(action)]), self.denominator)

    def regret(self, chosen: np.ndarray) -> np.ndarray:
        """Return the regret of these actions (indices) in antes, float64 ``(n,)``."""
        rows = np.arange(len(self.gains))
        lost = self.gains.max(axis=1) - self.gains[rows, np.asarray(chosen, np.intp)]
        return np.asarray(lost / self.denominator)


def kind_of(cards: Hands) -> np.ndarray:
    """The kinds of starting hands, int64 ``(n,)``: the places in the tables of 169, see :class:`Totals`.

    >>> str(kind_names()[kind_of("Kh 8c")[0]])
    'K8o'
    """
    rows = -np.sort(-as_rows(cards).astype(np.int64), axis=1)
    if rows.shape[1] != 2 or (rows[:, 0] == rows[:, 1]).any() or (rows > 51).any():
        raise ValueError("a starting hand is two different cards without the joker")
    high, low = rows[:, 0] // 4, rows[:, 1] // 4
    return np.where(rows[:, 0] % 4 == rows[:, 1] % 4, 13 * high + low, 13 * low + high)


def kind_names() -> np.ndarray:
    """The names of the 169 kinds of starting hands in their order, as text ``(169,)``."""
    pairs = [(row, column) for row in range(13) for column in range(13)]
    kinds = [(max(pair), min(pair), "" if a == b else "s" if a > b else "o") for pair in pairs for a, b in [pair]]
    return np.array([_RANKS[high] + _RANKS[low] + suited for high, low, suited in kinds])


def hand_ev(cards: Hands, board: Hands = "", *, rules: Mapping[str, Any] | None = None, trips: int = 0) -> Decisions:
    """The exact EV of every decision with two cards and a board of none, three or five.

    Before the flop all deals are counted, once in a process for each set of rules (see :func:`solve`); a flop takes
    milliseconds, a whole board microseconds.

    Args:
        cards: one hand or ``n``: text, texts, or card numbers ``(n, 2)``.
        board: the cards that lie open, for each hand or one board for all: nothing, the flop, or all five.
        rules: readings that differ from the default.
        trips: antes staked on Trips, the result of which is part of the EV.
    """
    holes, boards = _positions(cards, board)
    if boards.shape[1] == 0:
        totals = solve(rules=rules, trips=trips)
        return Decisions(totals.actions, totals.gains[kind_of(holes)], totals.denominator)
    found = Solver("ultimate-holdem", rules, trips=trips).frame("decisions", hands=holes, boards=boards)
    return Decisions(tuple(found.facts["actions"]), found["gains"], found.facts["denominator"])


def simple_strategy(cards: Hands, board: Hands = "", *, rules: Mapping[str, Any] | None = None) -> np.ndarray:
    """Return the play of Wizard of Odds' simple strategy in antes, uint8 ``(n,)``; 0 for a check or a fold.

    >>> simple_strategy("Kh 8c", "8d 5s 2h").tolist()
    [2]
    """
    holes, boards = _positions(cards, board)
    given = {"boards": boards} if boards.shape[1] else {}
    return Solver("ultimate-holdem", rules).frame("simple-strategy", hands=holes, **given)["antes"]


@dataclass(frozen=True)
class Totals:
    """All deals under a strategy, in antes.

    Tables of the 169 kinds of starting hands have one row a kind; ``table.reshape(13, 13)`` is the usual square, from twos to
    aces: suited where the row's rank is the higher one, of two suits where the column's is, pairs on the diagonal. Arrays are
    read-only, since a count is kept.
    """

    exact_ev: Fraction
    variance: float  # of the net result of all wagers
    played: tuple[int, ...]  # deals in which 4, 3, 2, 1 antes are played, and those folded; of DEALS
    exact_average_wager: Fraction  # staked on average: Ante, Blind, Trips and Play
    categories: dict[str, int]  # the player's hands of seven cards, of 133,784,560
    exact_trips_ev: Fraction  # of a Trips bet that every hand settles
    names: np.ndarray  # text (169,)
    combinations: np.ndarray  # int64 (169,): 4, 6 or 12
    chosen: np.ndarray  # int64 (169,): antes that the strategy plays before the flop, 0 for a check
    actions: tuple[str, ...]  # before the flop
    gains: np.ndarray  # int64 (169, len(actions)): EVs in antes, times the denominator
    denominator: int
    after_check: np.ndarray  # float64 (169, 3): probability of a Play on the flop, on the river, of a fold

    @property
    def ev(self) -> float:
        """The EV as a float; minus the house edge."""
        return float(self.exact_ev)

    @property
    def standard_deviation(self) -> float:
        """Of the result of a hand."""
        return math.sqrt(self.variance)

    @property
    def element_of_risk(self) -> float:
        """Element of risk: loss per ante staked in total."""
        return float(-self.exact_ev / self.exact_average_wager)

    @property
    def frequencies(self) -> np.ndarray:
        """Probability of a Play of 4, 3, 2, 1 antes, and of a fold, float64 ``(5,)``."""
        return np.array(self.played) / DEALS

    @property
    def start_ev(self) -> np.ndarray:
        """EV of each action before the flop, float64 ``(169, len(actions))``, the strategy's own play after a check."""
        return self.gains / self.denominator

    def exact_start_ev(self, kind: str, action: str) -> Fraction:
        """The EV of a kind of starting hand ("AKs") as a ratio of integers."""
        row = int(np.flatnonzero(self.names == kind)[0])
        return Fraction(int(self.gains[row, self.actions.index(action)]), self.denominator)


def _totals(frame: Frame, facts: Mapping[str, Any], suffix: str = "") -> Totals:
    """The totals of a strategy; its columns have the suffix."""
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
    """Counts all 27,813,810,024,000 deals for a strategy (seconds; kept, so that asking again is free).

    Args:
        strategy: :data:`OPTIMAL` or :data:`SIMPLE`.
        rules: readings that differ from the default.
        trips: antes staked on Trips.
    """
    return _counted(strategy, to_json(**(rules or {})), trips)


@lru_cache(maxsize=16)
def _counted(strategy: str, rules: str, trips: int) -> Totals:
    frame = Solver("ultimate-holdem", json.loads(rules), player=strategy, trips=trips).frame("starting-hands")
    return _totals(frame, frame.facts)


@dataclass(frozen=True)
class Regret:
    """Regret of the simple strategy by stage, in antes per hand.

    Each loss is that of a decision if all later ones were the best, so the losses add up to the whole.
    """

    optimum: Totals
    with_best_rivers: Totals  # the strategy's play before the river, and the best on it
    exact_start: Fraction  # lost before the flop
    exact_flop: Fraction
    exact_river: Fraction  # the mean over the boards
    half_width: float  # of the 95% interval of the river's loss; 0 if these are all boards
    agreement: float  # share of deals in which every decision is one of the optimum's
    boards: int  # how many were looked at

    @property
    def total(self) -> float:
        """All that is given away."""
        return float(self.exact_start + self.exact_flop + self.exact_river)


def simple_regret(
    boards: int | None = 2_000, *, seed: int = 1, rules: Mapping[str, Any] | None = None, trips: int = 0
) -> Regret:
    """Return the regret of the simple strategy: exact before the river, on it over a sample of boards (``None``: all boards, exact).

    Takes the count of all deals, and with all boards about as long again.
    """
    sample = {} if boards is None else {"boards": boards, "seed": seed}
    frame = Solver("ultimate-holdem", rules, trips=trips).frame("simple-regret", **sample)
    found = frame.facts
    optimum, before = _totals(frame, found["optimum"]), _totals(frame, found["simple"], "_simple")
    rows = np.arange(len(optimum.names))
    # The start with everything after it at its best, so that only the first decision counts.
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
