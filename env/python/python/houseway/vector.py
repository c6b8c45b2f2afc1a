"""Vector environments, stepped in Rust.

``gymnasium.make_vec("houseway/PaiGowPoker-v0", num_envs=4096)`` creates a :class:`HousewayVectorEnv`.

Auto-reset is same-step, as declared in ``metadata["autoreset_mode"]``: when an episode ends, reward and end flags belong to the
old episode, observation and mask to the new one, and ``info["final_obs"]`` contains the last observation of the old one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import _core
from ._actions import LegalBatch
from ._config import options_json, to_json
from .envs import Observation, observation_space_of


class HousewayVectorEnv(VectorEnv[Observation, np.ndarray, np.ndarray]):
    """Vector environment of one game.

    Each lane has its own random stream, so lane ``i`` depends neither on the number of lanes nor on the number of threads.
    Lane 0 plays the same episodes as the single environment with the same seed.

    Args:
        game: name or versioned id.
        num_envs: number of lanes.
        copy: return copies (default), or read-only views of the buffers, which every ``step`` and ``reset`` overwrites. With
            views, a step allocates nothing; do not read them from another thread during a step.
        final_observations: keep the last observations of ended episodes. ``info["final_obs"]`` is an object array of
            dicts, as in Gymnasium; with ``copy=False`` it is a dict of batched views, whose rows are meaningless for lanes
            with a running episode.
        threads: size of a thread pool for this environment; the default is the global pool (``RAYON_NUM_THREADS``).
        settings: as for :class:`houseway.envs.HousewayEnv`.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "pai-gow-poker",
        num_envs: int = 1,
        *,
        copy: bool = True,
        final_observations: bool = True,
        threads: int | None = None,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"invalid render_mode {render_mode!r}: expected 'ansi' or None")
        self.render_mode = render_mode
        config = to_json(**settings)
        single = _core.Env(game, config)
        self.single_observation_space = observation_space_of(single)
        self.single_action_space = spaces.Discrete(single.actions)
        self.num_envs = num_envs
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = LegalBatch(single.actions, num_envs, lambda: self._legal)
        self._copy = copy
        self._core = _core.VecEnv(game, config, num_envs, final_observations, threads)
        buffers = self._core.buffers()
        for buffer in buffers.values():
            buffer.setflags(write=False)
        # Rust bools are bytes of 0 or 1, as MultiBinary requires.
        mask = buffers["action_mask"].view(np.int8)
        self._seen: Observation = {"observation": buffers["observation"], "action_mask": mask}
        self._legal = buffers["action_mask"]
        self._reward, self._terminated, self._truncated = (buffers[k] for k in ("reward", "terminated", "truncated"))
        self._final = buffers.get("final_observation")

    def reset(  # type: ignore[override]
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode in every lane. The options apply until the next reset."""
        super().reset(seed=seed)
        self._core.reset(seed, options_json(options))
        return self._out(self._seen), {"action_mask": self._out(self._seen["action_mask"])}

    def step(
        self, actions: np.ndarray
    ) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays one action per lane. If any action is illegal, raises ``ValueError`` naming the lane, and no lane is stepped."""
        self._core.step(np.ascontiguousarray(actions, np.int64))
        rewards, ended, cut = self._reward, self._terminated, self._truncated
        if self._copy:
            rewards, ended, cut = rewards.astype(np.float64), ended.copy(), cut.copy()
        seen = self._out(self._seen)
        info: dict[str, Any] = {"action_mask": seen["action_mask"]}
        if self._final is not None:
            self._add_finals(info)
        return seen, rewards, ended, cut, info

    def _add_finals(self, info: dict[str, Any]) -> None:
        over = self._terminated | self._truncated
        if not over.any():
            return
        info["_final_obs"] = over
        info["_final_info"] = over
        nothing = np.zeros(self._legal.shape[1], np.int8)  # no action is legal after the end
        if self._copy:
            finals = np.full(self.num_envs, None, dtype=object)
            rows = self._final.copy()
            for lane in np.flatnonzero(over):
                finals[lane] = {"observation": rows[lane], "action_mask": nothing.copy()}
            info["final_obs"] = finals
            masks = np.zeros(self._legal.shape, np.int8)
            info["final_info"] = {"action_mask": masks, "_action_mask": over}
        else:
            info["final_obs"] = {"observation": self._final}
            info["final_info"] = {}

    def _out(self, seen: Any) -> Any:
        if not self._copy:
            return seen
        return {key: value.copy() for key, value in seen.items()} if isinstance(seen, dict) else seen.copy()

    def render(self) -> tuple[str, ...] | None:  # type: ignore[override]
        """Renders every lane as text."""
        return tuple(self._core.render(lane) for lane in range(self.num_envs)) if self.render_mode else None

    def action_masks(self) -> np.ndarray:
        """Returns the currently legal actions, bool ``(num_envs, n)``."""
        return self._legal.copy() if self._copy else self._legal
