"""Single environments with the Gymnasium interface.

``gymnasium.make("houseway/PaiGowPoker-v0", **settings)`` creates a :class:`HousewayEnv`. ``houseway/PaiGowTable-v0`` has a single
agent; the other seats are played by the environment. :mod:`houseway.pettingzoo` has the multi-agent version of the table and
documents its actions.

=================  ========================================================================================
observation        ``{"observation": float32[...], "action_mask": int8[n]}``; new arrays at every step
action             ``Discrete(n)``; illegal actions raise ``ValueError`` and change nothing;
                   ``action_space.sample()`` draws from the legal actions
info               ``{"action_mask": int8[n]}``
reset options      depend on the game, e.g. ``{"stake": 5, "side_stake": 1}``; valid for one episode
seed               ``reset(seed=s)`` starts the same stream as seed ``s`` in Rust and on the command line
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
    """Returns the observation space of an environment."""
    shape, low, high = core.observation_space
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, tuple(shape), np.float32),
            "action_mask": spaces.MultiBinary(core.actions),
        }
    )


class HousewayEnv(gymnasium.Env[Observation, np.int64]):
    """Environment with one table of a game.

    Args:
        game: name or versioned id, such as ``"pai-gow-poker"`` or ``"PaiGowPoker-v0"``.
        render_mode: ``"ansi"`` (text), ``"rgb_array"`` (the text as an image, uint8 ``(height, width, 3)``) or ``None``.
        settings: configuration of the game. Pai Gow Poker: ``banker`` (house way: name or path), ``readings`` (of the
            house way), ``rules`` (a dict like ``{"commission": 0.04}``), ``observation`` (``"candidates"``,
            ``"ranks-and-suits"``, ``"raw-cards"``), ``paytable`` (of the side bet). Ultimate Texas Hold'em: ``rules`` (including
            the paytables of Blind and Trips), ``observation`` (``"features"``, ``"raw-cards"``), ``progressive`` (paytable of
            the progressive bet, which is off by default). Joker Seven and Asian Stud: ``rules``, ``observation``
            (``"cards"``, ``"counts"``; ``"raw-cards"``, ``"points"``), ``paytable``. The table: ``seat`` (the agent's, 1 to
            6), ``players``, ``rules``, ``game``, ``house_way`` and ``paytable`` as for
            :class:`houseway.pettingzoo.TableAEC`; players not listed in ``players`` bet the minimum, never bank, and
            set by the house way.

    Raises:
        ValueError: for an unknown game, house way, rule, option or encoding; the message lists the valid ones.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}

    def __init__(self, game: str = "pai-gow-poker", *, render_mode: str | None = None, **settings: Any) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"invalid render_mode {render_mode!r}: expected 'ansi', 'rgb_array' or None")
        self.render_mode = render_mode
        self._core = _core.Env(game, to_json(**settings))
        is_table = self._core.spec[0] == _core.GAMES["pai-gow-table"]
        self._lines = _render.TABLE_LINES if is_table else _render.LINES
        self.observation_space = observation_space_of(self._core)
        self.action_space = LegalActions(self._core.actions, self._core.action_masks)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode. Without a seed, the random stream continues."""
        if seed is not None:
            super().reset(seed=seed)
        return self._core.reset(seed, options_json(options) if options else None)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays one action. An illegal action raises ``ValueError`` and changes nothing."""
        return self._core.step(action)

    def render(self) -> str | np.ndarray | None:  # type: ignore[override]
        """Renders the table as text or image, depending on ``render_mode``."""
        if self.render_mode is None:
            return None
        text = self._core.render()
        return text if self.render_mode == "ansi" else _render.picture(text, self._lines)

    def action_masks(self) -> np.ndarray:
        """Returns the currently legal actions, bool ``(n,)``, in the form that ``sb3_contrib.MaskablePPO`` expects."""
        return self._core.action_masks()

    @property
    def rules_hash(self) -> str:
        """Stable hash of rules, opponents and paytables: everything that determines rewards besides seed and actions."""
        return self._core.rules_hash


def register() -> None:
    """Registers every game with Gymnasium as ``houseway/ID``. Called by ``import houseway``."""
    for name, versioned in _core.SINGLE_AGENT.items():
        env_id = f"houseway/{versioned}"
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="houseway.envs:HousewayEnv",
                vector_entry_point="houseway.vector:HousewayVectorEnv",
                kwargs={"game": name},
            )
