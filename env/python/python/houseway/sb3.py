"""Vector environments for Stable-Baselines3 and sb3-contrib. Requires the extra ``sb3``.

>>> from houseway.sb3 import HousewayVecEnv
>>> env = HousewayVecEnv("pai-gow-poker", 256, observation="ranks-and-suits")
>>> env.reset().shape, env.env_method("action_masks", indices=0)[0].shape
((256, 56), (21,))

All lanes are stepped by a single call to Rust. ``MaskablePPO`` gets the masks from ``env_method("action_masks")``.
For learners that don't support masks, illegal actions must be replaced, e.g. with ``illegal="penalty"``. Use
``VecMonitor`` to record episode statistics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np

from .vector import HousewayVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError(
        "houseway.sb3 needs Stable-Baselines3, which is not installed: pip install 'houseway[sb3]'"
    ) from error

Indices = int | Iterable[int] | None

#: The methods supported by :meth:`HousewayVecEnv.env_method`. Each returns one value per lane.
LANE_METHODS = ("action_masks", "hindsight_action_rewards", "render")
#: Settings whose values are those that Stable-Baselines3 relies on.
FIXED_SETTINGS = frozenset({"autoreset_mode", "copy", "final_observations"})


class HousewayVecEnv(VecEnv):
    """A Stable-Baselines3 ``VecEnv`` that wraps a :class:`~houseway.vector.HousewayVectorEnv`.

    Args:
        game: The game's name or versioned id.
        n_envs: The number of lanes.
        flatten: Whether observations are plain arrays, for ``MlpPolicy`` (the default), or dicts with the mask, for
            ``MultiInputPolicy``.
        seed: The seed for the first reset. Lane ``i`` plays stream ``i`` of a seed, regardless of the number of lanes.
        settings: Settings as in :class:`~houseway.vector.HousewayVectorEnv`, such as ``illegal``, ``threads`` and
            ``render_mode``, except those of :data:`FIXED_SETTINGS`.

    ``infos[i]["terminal_observation"]`` is the last observation of an episode, and ``infos[i]["TimeLimit.truncated"]``
    says whether the episode was truncated. ``set_options`` takes the reset options for all lanes.
    """

    def __init__(
        self,
        game: str = "pai-gow-poker",
        n_envs: int = 1,
        *,
        flatten: bool = True,
        seed: int | None = None,
        **settings: Any,
    ) -> None:
        for name in FIXED_SETTINGS & settings.keys():
            raise ValueError(f"{name} cannot be chosen: Stable-Baselines3 resets lanes in the same step and keeps copies")
        self._env = HousewayVectorEnv(game, n_envs, flatten=flatten, **settings)
        super().__init__(n_envs, self._env.single_observation_space, self._env.single_action_space)
        self._actions: np.ndarray | None = None
        if seed is not None:
            self.seed(seed)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Sets the seed for the next reset. All lanes share it because each has its own random stream."""
        self._seeds = [int(np.random.randint(2**32)) if seed is None else seed] * self.num_envs
        return self._seeds

    def reset(self) -> Any:
        """Starts an episode in every lane."""
        options = self._options[0]
        if any(other != options for other in self._options):
            raise ValueError("the lanes have different options; pass the same dict for all of them to set_options")
        observations, _ = self._env.reset(seed=self._seeds[0], options=options)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Stores the actions for :meth:`step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Plays one action per lane. Lanes whose episode ends are reset."""
        if self._actions is None:
            raise RuntimeError("step_wait() was called without actions; call step_async() first")
        actions, self._actions = self._actions, None
        observations, rewards, terminated, truncated, info = self._env.step(actions)
        over = terminated | truncated
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(over).tolist():
            infos[lane]["terminal_observation"] = info["final_obs"][lane]
            infos[lane]["TimeLimit.truncated"] = bool(truncated[lane] and not terminated[lane])
        for lane, illegal in enumerate(info.get("illegal_action", ())):
            infos[lane]["illegal_action"] = bool(illegal)
        return observations, rewards.astype(np.float32), over, infos

    def close(self) -> None:
        """Closes the environment."""
        self._env.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Returns an attribute for each lane. All lanes share the same attributes, except that ``action_masks`` is a
        separate function for each lane."""
        lanes = self._lanes(indices)
        if attr_name == "action_masks":
            return [partial(self._mask, lane) for lane in lanes]
        if attr_name in ("action_space", "observation_space"):
            attr_name = f"single_{attr_name}"
        return [getattr(self._env, attr_name)] * len(lanes)

    def _mask(self, lane: int) -> np.ndarray:
        mask: np.ndarray = self._env.action_masks()[lane]
        return mask

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Sets an attribute of all lanes, which share one environment.

        Raises:
            ValueError: If only some of the lanes are selected.
        """
        if set(self._lanes(indices)) != set(range(self.num_envs)):
            raise ValueError(f"cannot set {attr_name} for only some lanes because all lanes share one environment")
        setattr(self._env, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> list[Any]:
        """Calls one of :data:`LANE_METHODS` for all lanes at once and returns the values for the selected lanes.

        Raises:
            AttributeError: If the method is not one of them.
        """
        if method_name not in LANE_METHODS:
            raise AttributeError(f"lanes have no method {method_name!r}: expected one of {', '.join(LANE_METHODS)}")
        values = getattr(self._env, method_name)(*method_args, **method_kwargs)
        return [None if values is None else values[lane] for lane in self._lanes(indices)]

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Indices = None) -> list[bool]:
        """Returns false for every lane because lanes don't have their own wrappers."""
        return [False for _ in self._lanes(indices)]

    def get_images(self) -> list[np.ndarray | None]:
        """Returns an image of each lane if ``render_mode`` is ``"rgb_array"``, and ``None`` for each lane otherwise."""
        return list(self._env.render() or ()) if self._env.render_mode == "rgb_array" else [None] * self.num_envs

    def _lanes(self, indices: Indices) -> list[int]:
        return [int(lane) for lane in self._get_indices(indices)]
