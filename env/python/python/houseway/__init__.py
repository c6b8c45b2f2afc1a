"""Casino card games as reinforcement-learning environments, with exact expected values.

>>> import gymnasium, houseway
>>> env = gymnasium.make("houseway/PaiGowPoker-v0")
>>> observation, info = env.reset(seed=7)

- :mod:`houseway.envs` and :mod:`houseway.vector`: Gymnasium environments, single and vectorized.
- :mod:`houseway.pettingzoo`: multi-agent table with player banking; needs PettingZoo, so it is not
  imported by default.
- :mod:`houseway.sb3`: vector environments for Stable-Baselines3, not imported by default either.
- :mod:`houseway.exact`: exact expected values by enumeration: of hands, pairs of strategies and any policy over the full game;
  of banking; of Ultimate Texas Hold'em, Asian Stud and Joker Seven.
- :class:`HouseWay`: a casino's rules for setting hands, given by name, TOML file, TOML text or dict.
- :func:`audit` (:mod:`houseway.auditing`): EV lost by a house way, and the effect of its readings and rules.
- :func:`search` (:mod:`houseway.searching`): the best short house ways, and the best changes of a sheet.
- :mod:`houseway.tables`: strategy and class tables in the file formats of the command line.
- :mod:`houseway.plot`: the figures of the command line, drawn with matplotlib.
- :mod:`houseway.weights`: networks trained by the command line, in NumPy.
- :mod:`houseway.cards`: conversion of hands between text and arrays of card numbers.

Everything is deterministic: a seed gives the same episodes in Python, in Rust and on the command line.
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
