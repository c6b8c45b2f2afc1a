"""Exact values for Joker Seven, computed over all 177,100,560 seven-card hands from the 54-card deck.

EVs are per unit staked, from the player's point of view. Wagers are in the order of the layout. Wagers that the rules
or the paytable don't have are left out.

>>> wagers = count()
>>> int(wagers.winners[wagers.index("one-joker")]) == 2 * 20_358_520  # C(2, 1) * C(52, 6)
True
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .._config import index_of
from .solver import Frame, Solver

#: The number of hands, C(54, 7).
HANDS = 177_100_560


@dataclass(frozen=True)
class Frontier:
    """The efficient splits of one unit between the wagers, from the lowest standard deviation to the highest EV."""

    kinds: tuple[str, ...]
    spots: np.ndarray  # int64 (k,): the number of spots of each kind, which share its stake evenly
    shares: np.ndarray  # float64 (n, k): the fraction of the unit on each kind
    ev: np.ndarray  # float64 (n,)
    deviation: np.ndarray  # float64 (n,): the standard deviation


@dataclass(frozen=True)
class Wagers:
    """The ``n`` wagers on a layout."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    odds: np.ndarray  # int64 (n,): the units won per unit staked
    both: np.ndarray  # int64 (n, n): the number of hands on which both wagers win

    def index(self, name: str | int) -> int:
        """Returns the index of a wager, which is given by name or by index."""
        return index_of("wager", name, self.names)

    @property
    def winners(self) -> np.ndarray:
        """The number of hands on which each wager wins, int64 ``(n,)``, out of :data:`HANDS`."""
        return self.both.diagonal()

    @property
    def ev(self) -> np.ndarray:
        """The EV of each wager, float64 ``(n,)``."""
        return np.asarray((self.winners * (self.odds + 1) - HANDS) / HANDS)

    def exact_ev(self, name: str | int) -> Fraction:
        """Returns a wager's EV as a fraction."""
        i = self.index(name)
        return Fraction(int(self.winners[i]) * (int(self.odds[i]) + 1), HANDS) - 1

    @property
    def covariance(self) -> np.ndarray:
        """The covariances between one unit on each of two wagers, float64 ``(n, n)``, with variances on the diagonal."""
        names = self.names
        return np.array([[float(self.exact_covariance(a, b)) for b in names] for a in names])

    def exact_covariance(self, a: str | int, b: str | int) -> Fraction:
        """Returns the covariance between one unit on each of two wagers, which is the variance if they are the same."""
        i, j = self.index(a), self.index(b)
        apart = int(self.winners[i]) * int(self.winners[j])
        returned = (int(self.odds[i]) + 1) * (int(self.odds[j]) + 1)
        return Fraction(returned * (int(self.both[i, j]) * HANDS - apart), HANDS**2)


def _frame(name: str, rules: Mapping[str, Any] | None, paytable: str | os.PathLike[str] | None) -> Frame:
    return Solver("joker-seven", rules, paytable=paytable).frame(name)


def count(rules: Mapping[str, Any] | None = None, paytable: str | os.PathLike[str] | None = None) -> Wagers:
    """Counts the hands on which each wager wins, and on which both wagers of each pair win. Uses a closed form, so it
    takes no noticeable time.

    Args:
        rules: Readings that differ from the defaults, such as ``{"colour": "either_colour"}``.
        paytable: The name of a built-in paytable, ``"source"`` or ``"new-jersey"``, or the path of a TOML file.
    """
    found = _frame("wagers", rules, paytable)
    return Wagers(tuple(found["name"].tolist()), tuple(found["kind"].tolist()), found["odds"], found["both"])


def frontier(rules: Mapping[str, Any] | None = None, paytable: str | os.PathLike[str] | None = None) -> Frontier:
    """Returns the efficient splits of a fixed stake, from the lowest standard deviation to the highest EV."""
    found = _frame("frontier", rules, paytable)
    kinds, spots = found.facts["kinds"], np.array(found.facts["spots"], np.int64)
    return Frontier(tuple(kinds), spots, found["shares"], found["ev"], found["deviation"])
