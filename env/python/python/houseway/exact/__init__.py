"""Expected values by counting, never by sampling.

What stands here is Pai Gow Poker's: :func:`hand_ev`, :func:`solve`, :func:`score`, tables of all classes. Beside it:

- :mod:`houseway.exact.banking`: what the bank of a table is worth, how it is distributed, how much of a bankroll it bears.
- :class:`Solver` (:mod:`houseway.exact.solver`): exact values of every registered game: the game, a hand, data frames, and
  any policy. :func:`games` lists the games with their rules and options.
- :mod:`houseway.exact.ultimate_holdem`, :mod:`houseway.exact.asian_stud`, :mod:`houseway.exact.joker_seven`: the other games.

:func:`to_arrow`, :func:`to_pandas` and :func:`to_polars` make data frames of tables, :mod:`houseway.plot` draws figures.

Counts are Python integers, an EV is a :class:`fractions.Fraction` until it is printed; arrays of counts are int64, arrays of
EVs float64. Everything is seen from the player's side, per unit staked, unless said otherwise. What takes longer than a moment
runs without the interpreter's lock and can be interrupted.
"""

from __future__ import annotations

from . import asian_stud, banking, joker_seven, ultimate_holdem
from .banking import bank
from .columns import to_arrow, to_pandas, to_polars
from .pai_gow import (
    BANKER_HANDS,
    CLASSES,
    DEALS,
    OPTIMAL,
    Batch,
    Counts,
    HandEv,
    Policy,
    Score,
    Way,
    batches,
    best_settings,
    classes,
    hand_ev,
    score,
    scores,
    settings_of,
    solve,
    whole_table,
)
from .solver import Answer, Frame, Solver, TextTable, games

__all__ = [
    "BANKER_HANDS",
    "CLASSES",
    "DEALS",
    "OPTIMAL",
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
    "games",
    "hand_ev",
    "joker_seven",
    "score",
    "scores",
    "settings_of",
    "solve",
    "to_arrow",
    "to_pandas",
    "to_polars",
    "ultimate_holdem",
    "whole_table",
]
