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

from .. import _core
from .._config import to_json
from ..cards import Hands, as_rows

#: The readings with their options, the default first.
READINGS: dict[str, tuple[str, ...]] = {
    "joker": ("one", "none", "ten", "one_or_ten", "three_six_nine", "wild"),
    "no-set-against-set": ("both_lose", "both_returned"),
    "odds-on": ("raise", "both", "ante_only"),
    "commission": ("both", "none", "ante", "raise", "both_except_dealer_no_set"),
    "joker-semiwild": ("semiwild", "wild"),
    "side-bet-on-fold": ("settled", "lost"),
}


@dataclass(frozen=True)
class Total:
    """What a policy brings over all deals."""

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
    """What a paytable of the poker side bet returns."""

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
    _core: Any

    @property
    def raise_ev(self) -> np.ndarray:
        """EV of raising in antes, float64 ``(n,)``; folding is -1."""
        return self.gains / self.denominator

    @property
    def payoffs(self) -> np.ndarray:
        """What a raised hand wins or loses in antes, by the player's value and the dealer's, float64 ``(11, 11)``."""
        return np.array(self._core.payoffs()) / 1_000_000

    def total(self, raises: np.ndarray) -> Total:
        """What a policy brings that raises where ``raises``, bool ``(n,)``, says so, and folds the other classes."""
        found = self._core.total(np.ascontiguousarray(raises, np.bool_))
        return Total(*found[:2], *(Fraction(*pair) for pair in found[2:5]), found[5])

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
        values, gains = self._core.hands(as_rows(cards))
        return values, gains / self.denominator

    def side_bet(self, paytable: str | None = None) -> SideBet:
        """What a paytable of the side bet returns: a built-in one by its name, or the path of a TOML file."""
        rows, hands, ev = self._core.side_bet(paytable)
        return SideBet(tuple(rows), hands, Fraction(*ev))


def solve(rules: Mapping[str, Any] | None = None) -> Solution:
    """Counts every class of hands against every dealer's hand (a tenth of a second).

    Args:
        rules: readings and parameters that differ from the default.
    """
    core = _core.AsianStud(to_json(**(rules or {})))
    return Solution(**core.columns(), _core=core)


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
