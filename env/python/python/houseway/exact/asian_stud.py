"""Exact values for Asian Stud, computed by enumerating every class of hands against every dealer hand.

Amounts are in antes and from the player's point of view. Suits don't matter in the main game, so a class is given by
the number of cards that count 1, 2, … 10 points, and by whether it has the joker. There are 2,708 classes. Where the
rules are ambiguous, there are several *readings* to choose from, as in ``rules={"joker": "ten"}``. :data:`READINGS`
lists them.

>>> solution = solve()
>>> solution.optimal.ev >= solution.always_raise.ev
True
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from .._config import mapping
from ..cards import Hands, as_rows
from .solver import Solver, fraction, games

#: The options of each reading, with the default first.
READINGS: dict[str, tuple[str, ...]] = {
    name: tuple(options) for name, options in games()["asian-stud"]["readings"].items()
}


@dataclass(frozen=True)
class Total:
    """The results of a policy over all deals."""

    deals: int
    raised: int  # deals in which the player raises
    exact_ev: Fraction  # in antes
    exact_ev_per_unit_staked: Fraction  # per unit staked on ante and raise, which is minus this measure's house edge
    exact_average_wager: Fraction  # in antes
    variance: float  # in squared antes

    ev = property(lambda self: float(self.exact_ev), doc="The EV in antes as a float.")
    raise_probability = property(lambda self: self.raised / self.deals, doc="The probability of raising.")
    standard_deviation = property(lambda self: self.variance**0.5, doc="The standard deviation of a hand's result, in antes.")


@dataclass(frozen=True)
class SideBet:
    """The results of a paytable for the poker side bet."""

    rows: tuple[tuple[str, int, int], ...]  # each hand category, its odds to one, and its number of hands
    hands: int  # the number of all hands
    exact_ev: Fraction  # per unit staked

    ev = property(lambda self: float(self.exact_ev), doc="The EV per unit staked as a float.")


@dataclass(frozen=True)
class Solution:
    """All hand classes under one set of rules, with one row per class."""

    counts: np.ndarray  # uint8 (n, 11): the number of cards that count 1, 2, ... 10, and the number of jokers
    value: np.ndarray  # uint8 (n,): 0 without a set, otherwise 1 to 10
    hands: np.ndarray  # int64 (n,): the number of hands in the class
    dealers: np.ndarray  # int64 (n, 11): the number of dealer hands with each value, given a hand in the class
    gains: np.ndarray  # int64 (n,): the EV of raising in antes, times the denominator
    raises: np.ndarray  # bool (n,): whether raising beats folding (-1)
    denominator: int
    _solver: Solver
    _rules: Mapping[str, Any]

    @property
    def raise_ev(self) -> np.ndarray:
        """The EV of raising in antes, float64 ``(n,)``. The EV of folding is -1."""
        return self.gains / self.denominator

    @property
    def payoffs(self) -> np.ndarray:
        """The result of a raised hand in antes, by the player's value and the dealer's, float64 ``(11, 11)``."""
        frame = self._solver.frame("payoffs")
        return np.asarray(frame["dealer"] / frame.facts["unit"])

    def total(self, raises: np.ndarray) -> Total:
        """Evaluates the policy that raises exactly the classes for which ``raises``, bool ``(n,)``, is true."""
        if np.asarray(raises).dtype != np.bool_:
            raise TypeError(f"raises must be bool, not {np.asarray(raises).dtype}")
        found = self._solver.frame("policy", raises=np.asarray(raises)).facts
        return Total(
            deals=found["deals"],
            raised=found["raised"],
            exact_ev=fraction(found["ev"]),
            exact_ev_per_unit_staked=fraction(found["ev_per_unit_staked"]),
            exact_average_wager=fraction(found["average_wager"]),
            variance=found["variance"],
        )

    @cached_property
    def optimal(self) -> Total:
        """The best policy's results."""
        return self.total(self.raises)

    @cached_property
    def always_raise(self) -> Total:
        """The results when raising every hand."""
        return self.total(np.ones(len(self.raises), np.bool_))

    def hand_ev(self, cards: Hands) -> tuple[np.ndarray, np.ndarray]:
        """Returns the values of five-card hands, uint8 ``(n,)``, and their EVs when raised, in antes, float64 ``(n,)``.

        >>> value, ev = solve().hand_ev("Ks Qh Td 4c 3s")
        >>> int(value[0]), bool(ev[0] > -1)
        (7, True)
        """
        frame = self._solver.frame("hands", cards=as_rows(cards))
        return frame["value"], frame["gains"] / frame.facts["denominator"]

    def side_bet(self, paytable: str | os.PathLike[str] | None = None) -> SideBet:
        """Returns the results of a side-bet paytable, given by name or as the path of a TOML file."""
        frame = Solver("asian-stud", self._rules, paytable=paytable).frame("side-bet")
        rows = tuple(zip(*(frame[column].tolist() for column in ("hand", "odds", "hands"))))
        return SideBet(rows, frame.facts["hands"], fraction(frame.facts["ev"]))


def solve(rules: Mapping[str, Any] | None = None) -> Solution:
    """Evaluates every class of hands against every dealer hand. Takes a tenth of a second.

    Args:
        rules: Readings and parameters that differ from the defaults.
    """
    solver = Solver("asian-stud", rules)
    frame = solver.frame("classes")
    return Solution(**frame, denominator=frame.facts["denominator"], _solver=solver, _rules=mapping("rules", rules))


def readings() -> list[dict[str, Any]]:
    """Solves the game for every option of every reading, with the others at their defaults. Takes a few seconds.

    Each row has ``reading``, ``option``, ``ev`` and ``always_raise_ev`` (in antes) and ``raise_probability``. The first
    option of each reading is the default.
    """
    rows = []
    for reading, options in READINGS.items():
        for option in options:
            solution = solve({reading: option})
            best, always = solution.optimal, solution.always_raise
            found = {"ev": best.ev, "always_raise_ev": always.ev, "raise_probability": best.raise_probability}
            rows.append({"reading": reading, "option": option, **found})
    return rows
