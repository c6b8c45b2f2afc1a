"""Joker Seven, counted: all 177,100,560 hands of seven cards of the pack of 54.

EVs are per unit staked, from the player's side. Wagers are in the order of the layout; those that the rules or the paytable
leave out are not there.

>>> wagers = count()
>>> int(wagers.winners[wagers.index("one-joker")]) == 2 * 20_358_520  # C(2, 1) * C(52, 6)
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .solver import Frame, Solver

#: All hands: C(54, 7).
HANDS = 177_100_560


@dataclass(frozen=True)
class Frontier:
    """Efficient spreads of one unit over the wagers, from the lowest standard deviation to the highest EV."""

    kinds: tuple[str, ...]
    spots: np.ndarray  # int64 (k,): spots of each kind, over which its share lies evenly
    shares: np.ndarray  # float64 (n, k): of the unit, they add up to one
    ev: np.ndarray  # float64 (n,)
    deviation: np.ndarray  # float64 (n,): the standard deviation


@dataclass(frozen=True)
class Wagers:
    """The ``n`` wagers of a layout."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    odds: np.ndarray  # int64 (n,): won for one staked
    both: np.ndarray  # int64 (n, n): hands on which both wagers win; on the diagonal, on which one does

    def index(self, name: str) -> int:
        """The place of a wager."""
        if name not in self.names:
            raise ValueError(f"there is no wager {name!r}; choose among {', '.join(self.names)}")
        return self.names.index(name)

    @property
    def winners(self) -> np.ndarray:
        """Hands on which each wager wins, int64 ``(n,)``, of :data:`HANDS`."""
        return self.both.diagonal()

    @property
    def ev(self) -> np.ndarray:
        """The EVs, float64 ``(n,)``."""
        return np.asarray((self.winners * (self.odds + 1) - HANDS) / HANDS)

    def exact_ev(self, name: str) -> Fraction:
        """The EV of a wager as a ratio of integers."""
        i = self.index(name)
        return Fraction(int(self.winners[i]) * (int(self.odds[i]) + 1), HANDS) - 1

    @property
    def covariance(self) -> np.ndarray:
        """Covariances of one unit on each of two wagers, float64 ``(n, n)``; variances on the diagonal."""
        names = self.names
        return np.array([[float(self.exact_covariance(a, b)) for b in names] for a in names])

    def exact_covariance(self, a: str, b: str) -> Fraction:
        """The covariance of one unit on each of two wagers; of a wager with itself its variance."""
        i, j = self.index(a), self.index(b)
        apart = int(self.winners[i]) * int(self.winners[j])
        returned = (int(self.odds[i]) + 1) * (int(self.odds[j]) + 1)
        return Fraction(returned * (int(self.both[i, j]) * HANDS - apart), HANDS**2)


def _frame(name: str, rules: Mapping[str, Any] | None, paytable: str | None) -> Frame:
    return Solver("joker-seven", rules, paytable=paytable).frame(name)


def count(rules: Mapping[str, Any] | None = None, paytable: str | None = None) -> Wagers:
    """Counts on how many hands each wager wins, and each two of them together, by closed form (at once).

    Args:
        rules: readings that differ from the default, ``{"colour": "either_colour"}``.
        paytable: the name of a built-in one, ``"source"`` or ``"new-jersey"``, or the path of a TOML file.
    """
    found = _frame("wagers", rules, paytable)
    return Wagers(tuple(found["name"].tolist()), tuple(found["kind"].tolist()), found["odds"], found["both"])


def frontier(rules: Mapping[str, Any] | None = None, paytable: str | None = None) -> Frontier:
    """Return the efficient spreads of a fixed stake, from the lowest standard deviation to the highest EV."""
    found = _frame("frontier", rules, paytable)
    kinds, spots = found.facts["kinds"], np.array(found.facts["spots"], np.int64)
    return Frontier(tuple(kinds), spots, found["shares"], found["ev"], found["deviation"])
