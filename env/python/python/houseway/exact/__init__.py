"""Exact expected values by enumeration, without sampling.

This module covers Pai Gow Poker, with :func:`hand_ev`, :func:`solve`, :func:`score` and tables of all classes. See
also:

- :mod:`houseway.exact.banking` covers banking: its EV, the distribution of its results, and how much to risk.
- :class:`Solver` (:mod:`houseway.exact.solver`) evaluates the whole game, hands and arbitrary policies for any
  registered game, and computes data frames. :func:`games` lists the games with their rules and options.
- :func:`side_bet` evaluates side bets of any game that has them, with any paytable.
- :mod:`houseway.exact.ultimate_holdem`, :mod:`houseway.exact.asian_stud` and :mod:`houseway.exact.joker_seven` have the
  other games.

:func:`to_arrow`, :func:`to_pandas` and :func:`to_polars` convert tables to data frames, and :mod:`houseway.plot` draws
figures.

Counts are Python integers, and EVs are :class:`fractions.Fraction` until they are printed. Count arrays are int64, and
EV arrays are float64. Unless stated otherwise, all values are from the player's point of view, per unit staked.
Long computations release the GIL and can be interrupted.
"""

from __future__ import annotations

from . import asian_stud, banking, joker_seven, ultimate_holdem
from .banking import bank
from .columns import to_arrow, to_pandas, to_polars
from .pai_gow import (
    BANKER_HANDS,
    CLASSES,
    DEALS,
    MIXED_WEIGHT,
    OPTIMAL,
    PROFILES,
    Batch,
    Counts,
    HandEv,
    Policy,
    Score,
    Way,
    batches,
    best_settings,
    classes,
    exploitability,
    hand_ev,
    profiles,
    score,
    scores,
    settings_of,
    solve,
    whole_table,
)
from .solver import Answer, Frame, Solver, TextTable, games, side_bet

__all__ = [
    "BANKER_HANDS",
    "CLASSES",
    "DEALS",
    "MIXED_WEIGHT",
    "OPTIMAL",
    "PROFILES",
    "Answer",
    "Batch",
    "Counts",
    "Frame",
    "HandEv",
    "Policy",
    "Score",
    "Solver",
    "TextTable",
    "Way",
    "asian_stud",
    "bank",
    "banking",
    "batches",
    "best_settings",
    "classes",
    "exploitability",
    "games",
    "hand_ev",
    "joker_seven",
    "profiles",
    "score",
    "scores",
    "settings_of",
    "side_bet",
    "solve",
    "to_arrow",
    "to_pandas",
    "to_polars",
    "ultimate_holdem",
    "whole_table",
]
