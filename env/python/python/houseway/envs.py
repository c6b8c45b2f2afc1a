"""Single environments under Gymnasium's interface.

``gymnasium.make("houseway/PaiGowPoker-v0", **settings)`` makes a :class:`HousewayEnv`. At ``houseway/PaiGowTable-v0`` one agent
sits among players of the environment's own; :mod:`houseway.pettingzoo` has the table for several agents, and says what its
actions are.

=================  ========================================================================================
observation        ``{"observation": float32[...], "action_mask": int8[n]}``; new arrays every time
action             ``Discrete(n)``; what the mask forbids raises ``ValueError`` and changes nothing;
                   ``action_space.sample()`` draws among what is legal
info               ``{"action_mask": int8[n]}``
reset options      as the game has them, e.g. ``{"stake": 5, "side_stake": 1}``; they hold for one episode
seed               ``reset(seed=s)`` begins the same stream as seed ``s`` in Rust and on the command line
=================  ========================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from . import _core, _render
from ._actions import LegalActions
from ._config import options_json, to_json

Observation = dict[str, np.ndarray]


def observation_space_of(core: _core.Env | _core.Table) -> spaces.Dict:
    """The observation space of an environment."""
    shape, low, high = core.observation_space
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, tuple(shape), np.float32),
            "action_mask": spaces.MultiBinary(core.actions),
        }
    )


class HousewayEnv(gymnasium.Env[Observation, np.int64]):
    """One table of one game.

    Args:
        game: name or versioned id, ``"pai-gow-poker"`` or ``"PaiGowPoker-v0"``.
        render_mode: ``"ansi"`` (text), ``"rgb_array"`` (the text as a picture, uint8 ``(height, width, 3)``) or none.
        settings: what the game can be told. Pai Gow Poker: ``banker`` (house way: name or path), ``readings`` (of the
            house way), ``rules`` (a dict like ``{"commission": 0.04}``), ``observation`` (``"candidates"``,
            ``"ranks-and-suits"``, ``"raw-cards"``), ``paytable`` (of the side bet). Ultimate Texas Hold'em: ``rules`` (which
            name the paytables of Blind and Trips), ``observation`` (``"features"``, ``"raw-cards"``), ``progressive`` (its
            paytable; without one there is no progressive). Joker Seven and Asian Stud: ``rules``, ``observation``
            (``"cards"``, ``"counts"``; ``"raw-cards"``, ``"points"``), ``paytable``. The table: ``seat`` (the agent's, 1 to
            6), ``players``, ``rules``, ``game``, ``house_way`` and ``paytable`` as for
            :class:`houseway.pettingzoo.TableAEC`; a player whom ``players`` does not name bets the minimum, never banks and
            sets the house way.

    Raises:
        ValueError: for an unknown game, house way, rule, option or encoding, naming it and what there is.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(self, game: str = "pai-gow-poker", *, render_mode: str | None = None, **settings: Any) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r}: choose 'ansi', 'rgb_array' or None")
        self.render_mode = render_mode
        self._core = _core.Env(game, to_json(**settings))
        is_table = self._core.spec[0] == _core.GAMES["pai-gow-table"]
        self._lines = _render.TABLE_LINES if is_table else _render.LINES
        self.observation_space = observation_space_of(self._core)
        self.action_space = LegalActions(self._core.actions, self._core.action_masks)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode; without a seed the random stream goes on."""
        if seed is not None:
            super().reset(seed=seed)
        return self._core.reset(seed, options_json(options) if options else None)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays one action. Raises ``ValueError`` on an illegal one, and then nothing has changed."""
        return self._core.step(action)

    def render(self) -> str | np.ndarray | None:  # type: ignore[override]
        """The table as text or picture, by ``render_mode``."""
        if self.render_mode is None:
            return None
        text = self._core.render()
        return text if self.render_mode == "ansi" else _render.picture(text, self._lines)

    def action_masks(self) -> np.ndarray:
        """What is legal now, bool ``(n,)``: the name that ``sb3_contrib.MaskablePPO`` looks for."""
        return self._core.action_masks()

    @property
    def rules_hash(self) -> str:
        """A stable hash of rules, opponents and paytables: all that decides rewards besides seed and actions."""
        return self._core.rules_hash


def register() -> None:
    """Registers every game with Gymnasium as ``houseway/ID``; called by ``import houseway``."""
    for name, versioned in _core.SINGLE_AGENT.items():
        env_id = f"houseway/{versioned}"
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="houseway.envs:HousewayEnv",
                vector_entry_point="houseway.vector:HousewayVectorEnv",
                kwargs={"game": name},
            )
