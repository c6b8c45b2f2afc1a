"""Asian Stud, counted: every class of hands against every dealer's hand.

Amounts are in antes and from the player's side. Suits do not matter in the main game, so a hand is how many of its cards count
1, 2, … 10 points, and whether it holds the joker: 2,708 classes. Open sentences of the rules are *readings*:
``rules={"joker": "ten"}`` (:data:`READINGS`).

>>> solution = solve()
>>> solution.optimal.ev >= solution.always_raise.ev
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ..cards import Hands, as_rows
from .solver import Solver, fraction, games

#: The readings with their options, the default first.
READINGS: dict[str, tuple[str, ...]] = {
    name: tuple(options) for name, options in games()["asian-stud"]["readings"].items()
}


@dataclass(frozen=True)
class Total:
    """Results of a policy over all deals."""

    deals: int
    raised: int  # deals in which the player raises
    exact_ev: Fraction  # in antes
    exact_ev_per_unit_staked: Fraction  # ante and raise alike; minus the house's edge by this measure
    exact_average_wager: Fraction  # in antes
    variance: float  # in squared antes

    ev = property(lambda self: float(self.exact_ev), doc="The EV in antes as a float.")
    raise_probability = property(lambda self: self.raised / self.deals, doc="How often the policy raises.")
    standard_deviation = property(lambda self: self.variance**0.5, doc="Of the result of a hand, in antes.")


@dataclass(frozen=True)
class SideBet:
    """Return of a paytable of the poker side bet."""

    rows: tuple[tuple[str, int, int], ...]  # what is paid, its odds to one, the hands that it pays
    hands: int  # all of them
    exact_ev: Fraction  # per unit staked

    ev = property(lambda self: float(self.exact_ev), doc="The EV per unit staked as a float.")


@dataclass(frozen=True)
class Solution:
    """All classes of hands under one set of rules, one row a class."""

    counts: np.ndarray  # uint8 (n, 11): cards that count 1, 2, ... 10, and the joker
    value: np.ndarray  # uint8 (n,): 0 without a set, else 1 to 10
    hands: np.ndarray  # int64 (n,): hands of the class
    dealers: np.ndarray  # int64 (n, 11): the dealer's hands of each value beside one of the class
    gains: np.ndarray  # int64 (n,): EV of raising in antes, times the denominator
    raises: np.ndarray  # bool (n,): whether the best play raises; it folds, for -1, where both are worth the same
    denominator: int
    _solver: Solver
    _rules: Mapping[str, Any]

    @property
    def raise_ev(self) -> np.ndarray:
        """EV of raising in antes, float64 ``(n,)``; folding is -1."""
        return self.gains / self.denominator

    @property
    def payoffs(self) -> np.ndarray:
        """Return the result of a raised hand in antes, by the player's value and the dealer's, float64 ``(11, 11)``."""
        frame = self._solver.frame("payoffs")
        return np.asarray(frame["dealer"] / frame.facts["unit"])

    def total(self, raises: np.ndarray) -> Total:
        """Evaluate the policy that raises the classes with true ``raises``, bool ``(n,)``, and folds the others."""
        found = self._solver.frame("policy", raises=np.asarray(raises, np.bool_)).facts
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
        """The best policy."""
        return self.total(self.raises)

    @cached_property
    def always_raise(self) -> Total:
        """Raising every hand."""
        return self.total(np.ones(len(self.raises), np.bool_))

    def hand_ev(self, cards: Hands) -> tuple[np.ndarray, np.ndarray]:
        """The values of hands of five cards, uint8 ``(n,)``, and the EV of raising them in antes, float64 ``(n,)``.

        >>> value, ev = solve().hand_ev("Ks Qh Td 4c 3s")
        >>> int(value[0]), bool(ev[0] > -1)
        (7, True)
        """
        frame = self._solver.frame("hands", cards=as_rows(cards))
        return frame["value"], frame["gains"] / frame.facts["denominator"]

    def side_bet(self, paytable: str | None = None) -> SideBet:
        """Return the results of a paytable of the side bet, by its name or the path of a TOML file."""
        frame = Solver("asian-stud", self._rules, paytable=paytable).frame("side-bet")
        rows = tuple(zip(*(frame[column].tolist() for column in ("hand", "odds", "hands"))))
        return SideBet(rows, frame.facts["hands"], fraction(frame.facts["ev"]))


def solve(rules: Mapping[str, Any] | None = None) -> Solution:
    """Counts every class of hands against every dealer's hand (a tenth of a second).

    Args:
        rules: readings and parameters that differ from the default.
    """
    solver = Solver("asian-stud", rules)
    frame = solver.frame("classes")
    return Solution(**frame, denominator=frame.facts["denominator"], _solver=solver, _rules=dict(rules or {}))


def readings() -> list[dict[str, Any]]:
    """The optimum under every option of every reading, all others at their defaults (some seconds).

    Rows of ``reading``, ``option``, ``ev`` and ``always_raise_ev`` (in antes), ``raise_probability``; the default is the first
    option of each reading.
    """
    rows = []
    for reading, options in READINGS.items():
        for option in options:
            solution = solve({reading: option})
            best, always = solution.optimal, solution.always_raise
            found = {"ev": best.ev, "always_raise_ev": always.ev, "raise_probability": best.raise_probability}
            rows.append({"reading": reading, "option": option, **found})
    return rows
