"""Casino card games as reinforcement-learning environments, with exact expected values.

>>> import gymnasium, houseway
>>> env = gymnasium.make("houseway/PaiGowPoker-v0")
>>> observation, info = env.reset(seed=7)

- :mod:`houseway.envs` and :mod:`houseway.vector` have the Gymnasium environments, single and vectorized.
- :mod:`houseway.pettingzoo` has the multi-agent table with player banking. It requires PettingZoo and isn't imported by
  default.
- :mod:`houseway.sb3` has the vector environments for Stable-Baselines3. It isn't imported by default either.
- :mod:`houseway.exact` has exact expected values by enumeration, for hands, pairs of strategies and arbitrary policies
  over the full game, for banking, and for Ultimate Texas Hold'em, Asian Stud and Joker Seven.
- ``GAMES`` has the names of all games and the ids of their environments.
- :class:`HouseWay` is a casino's way to set hands, loaded from a name, a TOML file, TOML text or a dict.
- :func:`audit` (:mod:`houseway.auditing`) computes the EV that a house way loses, and the effect of its readings and
  rules.
- :func:`search` (:mod:`houseway.searching`) finds the best short house ways, and the best changes to an existing one.
- :mod:`houseway.tables` reads and writes strategy and class tables in the command line's file formats.
- :mod:`houseway.plot` draws the command line's figures with matplotlib.
- :mod:`houseway.weights` runs networks trained by the command line in NumPy.
- :mod:`houseway.cards` converts hands between text and arrays of card numbers.

Everything is deterministic: a seed produces the same episodes in Python, in Rust and on the command line.
"""

from __future__ import annotations

from . import cards, exact, plot, tables, weights
from ._core import GAMES, __version__
from .auditing import Audit, audit
from .envs import HousewayEnv, register
from .searching import SearchResult, search
from .vector import HousewayVectorEnv
from .ways import HouseWay, built_in_ways

__all__ = [
    "Audit",
    "GAMES",
    "HouseWay",
    "HousewayEnv",
    "HousewayVectorEnv",
    "SearchResult",
    "__version__",
    "audit",
    "built_in_ways",
    "cards",
    "exact",
    "plot",
    "register",
    "search",
    "tables",
    "weights",
]

register()
