"""Houseway: casino card games in which a hand is set, as environments and exact values.

>>> import gymnasium, houseway
>>> env = gymnasium.make("houseway/PaiGowPoker-v0")
>>> observation, info = env.reset(seed=7)

- :mod:`houseway.envs` and :mod:`houseway.vector`: Gymnasium environments, one at a time and many lanes in place.
- :mod:`houseway.pettingzoo`: the table with player banking for several agents; imported by itself, as it needs PettingZoo.
- :mod:`houseway.exact`: expected values by counting: a hand, a pair of strategies, any policy over the whole game; the bank
  of a table; Ultimate Texas Hold'em, Asian Stud, Joker Seven.
- :class:`HouseWay`: rules of a casino for setting hands, from a name, a TOML file, its text or a dict.
- :func:`audit` (:mod:`houseway.auditing`): where a house way loses, and what its readings and rules are worth.
- :mod:`houseway.tables`: strategies and tables of all classes as files, as the command line writes and reads them.
- :mod:`houseway.weights`: learned networks, as the command line trains them, in NumPy.
- :mod:`houseway.cards`: hands as text and as arrays of card numbers.

Everything is deterministic: the same seed gives the same episodes here, in Rust and on the command line.
"""

from __future__ import annotations

from . import cards, exact, tables, weights
from ._core import GAMES, __version__
from .auditing import Audit, audit
from .envs import HousewayEnv, register
from .vector import HousewayVectorEnv
from .ways import HouseWay, built_in_ways

__all__ = [
    "Audit",
    "GAMES",
    "HouseWay",
    "HousewayEnv",
    "HousewayVectorEnv",
    "__version__",
    "audit",
    "built_in_ways",
    "cards",
    "exact",
    "register",
    "tables",
    "weights",
]

register()
