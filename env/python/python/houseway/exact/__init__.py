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

from . import asian_stud, banking, columns, joker_seven, pai_gow, solver, ultimate_holdem
from .banking import bank
from .columns import *
from .pai_gow import *
from .solver import *

__all__ = ["asian_stud", "bank", "banking", "joker_seven", "ultimate_holdem"]
__all__ += columns.__all__ + pai_gow.__all__ + solver.__all__
