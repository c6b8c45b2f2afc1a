"""Vector environments, whose lanes are all stepped in Rust.

``gymnasium.make_vec("houseway/PaiGowPoker-v0", num_envs=4096)`` creates a :class:`HousewayVectorEnv`.

By default, a lane is reset in the same step in which its episode ends, as declared in ``metadata["autoreset_mode"]``.
The reward and end flags then belong to the old episode, and the observation and mask to the new one.
``info["final_obs"]`` has the old episode's last observation. For Gymnasium's vector wrappers, choose
``autoreset_mode="NextStep"``; all but ``NormalizeObservation`` also accept ``"Disabled"``.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import _core, _render
from ._actions import LegalBatch
from ._config import check_seed, flag, integer, integers, mapping, options_json
from ._copies import Copied
from .envs import (
    Illegal, Observation, check_house_strategy, check_illegal, entropy, lines_of, lowest_reward, make_core,
    observation_space_of
)

_MODES = {
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.DISABLED: "disabled",
}
#: The maximum number of buffer sets. A caller that holds on to more observations gets copies.
_MAX_SETS = 4
#: The maximum memory for buffers, and the maximum number of threads.
_MAX_BYTES, _MAX_THREADS = 2**34, 1024
#: The largest number that Rust takes for an action. No game has as many.
_MAX_ACTION = 2**63 - 1


class _Buffers:
    """A set of buffers that Rust writes to."""

    def __init__(self, core: _core.VecEnv, number: int) -> None:
        arrays = core.buffers()
        self.number = number
        self.observation, self.legal = arrays["observation"], arrays["action_mask"]
        # Rust booleans are bytes with the value 0 or 1, as MultiBinary requires.
        self.mask = self.legal.view(np.int8)
        self.reward, self.terminated, self.truncated = (arrays[name] for name in ("reward", "terminated", "truncated"))
        self.final = arrays.get("final_observation")
        self._arrays = arrays
        del arrays
        self._unused = self._references()

    def _references(self) -> int:
        return sys.getrefcount(self.observation) + (0 if self.final is None else sys.getrefcount(self.final))

    @property
    def is_free(self) -> bool:
        """True if no caller holds any of its observations."""
        return self._references() == self._unused

    def lock(self) -> None:
        """Makes the arrays read-only."""
        for array in (*self._arrays.values(), self.mask):
            array.setflags(write=False)


def _checked_lanes(lanes: int, single: _core.Env, copied: bool) -> int:
    """Rejects more lanes than their buffers have memory for."""
    values = math.prod(single.observation_space[0])
    # The observations and final observations of each set, and the bounds of the batched space.
    numbers = 2 * values * (_MAX_SETS + 1 if copied else 1) + 2 * values
    most = _MAX_BYTES // (4 * numbers)
    if not 1 <= integer("num_envs", lanes) <= most:
        need = f", which need about {max(4e-9 * numbers * lanes, 0):,.0f} GB" if lanes > most else ""
        raise ValueError(f"invalid num_envs {lanes}{need}: expected at least one lane and at most {most:,}")
    return int(lanes)


class HousewayVectorEnv(Copied[_core.VecEnv], VectorEnv[Any, np.ndarray, np.ndarray]):
    """A vector environment for any game.

    Each lane has its own random stream, so lane ``i`` doesn't depend on the number of lanes or threads. Lane 0 plays
    the same episodes as a single environment with the same seed.

    Args:
        game: The game's name or versioned id.
        num_envs: The number of lanes.
        copy: Whether to return arrays that later steps don't change (the default), or read-only views of the buffers
            that every ``step`` and ``reset`` overwrites. With views, steps don't allocate memory. Don't read views from
            another thread during a step.
        final_observations: Whether to keep the last observations of episodes that end (in same-step mode).
            ``info["final_obs"]`` is an array of objects as in Gymnasium, with a dict for each lane whose episode has
            just ended and ``None`` for the others. Turn it off if you don't need them, which makes steps faster. With
            ``copy=False``, it is a dict of batched views instead, whose rows are meaningless for lanes with a running
            episode.
        threads: The size of a thread pool for this environment. Defaults to sharing a global pool
            (``RAYON_NUM_THREADS``).
        autoreset_mode: ``"SameStep"``, ``"NextStep"``, ``"Disabled"`` or a ``gymnasium.vector.AutoresetMode``. The mask
            is all true where an episode is over. Use ``reset(options={"reset_mask": …})`` to reset some of the lanes.
        illegal, penalty, flatten: As in :class:`houseway.envs.HousewayEnv`.
        settings: As in :class:`houseway.envs.HousewayEnv`.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": ["ansi", "rgb_array"]}
    _bound = ("_core", "_current", "_scratch", "_sets", "_shown", "action_space")

    def __init__(
        self,
        game: str = "pai-gow-poker",
        num_envs: int = 1,
        *,
        copy: bool = True,
        final_observations: bool = True,
        threads: int | None = None,
        autoreset_mode: Literal["SameStep", "NextStep", "Disabled"] | AutoresetMode = AutoresetMode.SAME_STEP,
        illegal: Illegal = "error",
        penalty: float | None = None,
        flatten: bool = False,
        render_mode: _render.RenderMode | None = None,
        **settings: Any,
    ) -> None:
        self.render_mode = _render.check_mode(render_mode, self.metadata["render_modes"])
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**type(self).metadata, "autoreset_mode": self.autoreset_mode}
        self._illegal, self._flatten = check_illegal(illegal, penalty), flag("flatten", flatten)
        self._fixed_penalty = penalty
        single, self._config = make_core(game, settings, "HousewayVectorEnv.__init__")
        check_house_strategy(self._config, illegal)
        self.single_observation_space = observation_space_of(single, flatten)
        self.single_action_space = spaces.Discrete(single.actions)
        self._actions = single.actions
        self.num_envs = _checked_lanes(num_envs, single, copy)
        if threads is not None and not 1 <= integer("threads", threads) <= _MAX_THREADS:
            raise ValueError(f"invalid threads {threads}: expected 1 to {_MAX_THREADS}")
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._copy = flag("copy", copy)
        self._seeded = False
        self._finals = flag("final_observations", final_observations) and self.autoreset_mode is AutoresetMode.SAME_STEP
        # If steps never change the observation, the previous observation is also the final one.
        self._final_is_last = copy and single.observation_stays
        # The penalty of each lane's episode, and that of the episodes to come.
        self._lowest, self._penalties, self._next_penalty = single.spec[1], np.zeros(self.num_envs), 0.0
        self._lines = lines_of(single)
        in_rust = self._finals and not self._final_is_last
        self._lanes = (self.num_envs, in_rust, threads, _MODES[self.autoreset_mode])
        self._bind(_core.VecEnv(single, *self._lanes))

    def _make(self) -> _core.VecEnv:
        return _core.VecEnv(self._config.make(), *self._lanes)

    def _action_spaces(self) -> list[Any]:
        return [self.action_space]

    def _bind(self, core: _core.VecEnv) -> None:
        self._core = core
        self.action_space = LegalBatch(self._actions, self.num_envs, lambda: self._current.legal)
        self._current = _Buffers(core, 0)
        if not self._copy:
            self._current.lock()
        # When copying, set 0 is only scratch space and never returned directly.
        self._scratch = self._current
        self._sets: list[_Buffers] = []
        self._shown = self._current.observation.copy() if self._copy else self._current.observation

    def _next(self, keep: bool = False) -> None:
        """Picks a free set of buffers for the next results."""
        if not self._copy:
            return
        chosen = next((it for it in self._sets if it.is_free and it is not self._current), None)
        if chosen is None and len(self._sets) < _MAX_SETS:
            number = self._core.add_buffers()
            self._core.use_buffers(number)
            chosen = _Buffers(self._core, number)
            self._sets.append(chosen)
        chosen = chosen or self._scratch
        if keep and chosen is not self._current:
            np.copyto(chosen.observation, self._current.observation)
        self._core.use_buffers(chosen.number)
        self._current = chosen

    def _observation(self) -> Observation:
        now = self._current
        if not self._copy:
            return {"observation": now.observation, "action_mask": now.mask}
        self._shown = now.observation.copy() if now is self._scratch else now.observation
        return {"observation": self._shown, "action_mask": now.mask.copy()}

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode in every lane, or in those selected by ``options["reset_mask"]``, bool ``(num_envs,)``.

        Other options apply to every episode until a reset of all lanes, or until another reset with options. With
        ``reset_mask``, they apply to the selected lanes at once, and to the others from their next episode. The seed is a single integer, which seeds all lanes. Without one, the
        first reset draws a seed from the operating system. See ``np_random_seed``."""
        options = mapping("options", options)
        selected = options.pop("reset_mask", None)
        if selected is not None:
            # Indices of lanes would be taken for truth values.
            selected = np.asarray(selected)
            if selected.dtype != np.bool_:
                raise TypeError(f"invalid reset_mask of {selected.dtype}: expected an array of bool, one for each lane")
            selected = self._by_lane("reset_mask", selected)
        seed = check_seed(seed, "a single integer, which seeds all lanes")
        if seed is None and not self._seeded:
            seed = entropy()
        before = self._current
        self._next(keep=selected is not None)
        try:
            if selected is None:
                self._core.reset(seed, options_json(options))
            else:
                self._core.reset_lanes(selected, seed, options_json(options))
        except BaseException:
            self._return_to(before)
            raise
        super().reset(seed=seed)
        self._seeded = True
        if selected is None or options:
            self._next_penalty = lowest_reward(self._lowest, options) if self._fixed_penalty is None else self._fixed_penalty
        self._penalties[slice(None) if selected is None else selected] = self._next_penalty
        seen = self._observation()
        return self._given(seen), {"action_mask": seen["action_mask"]}

    def _given(self, seen: Observation) -> Any:
        return seen["observation"] if self._flatten else seen

    def _by_lane(self, name: str, values: np.ndarray) -> np.ndarray:
        """Returns contiguous values, of which there must be one per lane."""
        values = np.ascontiguousarray(values)  # which turns a single value into an array
        if values.shape != (self.num_envs,):
            raise ValueError(f"invalid {name} of shape {values.shape}: expected ({self.num_envs},), one per lane")
        return values

    def _return_to(self, buffers: _Buffers) -> None:
        self._core.use_buffers(buffers.number)
        self._current = buffers

    def step(
        self, actions: np.ndarray
    ) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Plays one action per lane. An illegal action raises ``ValueError`` with its lane and no lane is stepped,
        unless ``illegal`` says otherwise."""
        actions = self._by_lane("actions", integers(actions, "actions"))
        if actions.dtype == np.uint64:
            actions = np.minimum(actions, np.uint64(_MAX_ACTION))
        actions = actions.astype(np.int64, copy=False)
        replaced = None
        if self._illegal != "error":
            actions, replaced = self._replace_illegal(actions)
        before, last = self._current, self._shown
        self._next()
        try:
            self._core.step(actions)
        except BaseException:
            self._return_to(before)
            raise
        now = self._current
        rewards, ended, cut = now.reward, now.terminated, now.truncated
        if self._copy or replaced is not None:
            rewards, ended, cut = rewards.astype(np.float64), ended.copy(), cut.copy()
        if replaced is not None and self._illegal == "penalty":
            rewards[replaced] = self._penalties[replaced]
        self._penalties[ended | cut] = self._next_penalty
        seen = self._observation()
        info: dict[str, Any] = {"action_mask": seen["action_mask"]}
        if replaced is not None:
            info["illegal_action"] = np.zeros(self.num_envs, np.bool_)
            info["illegal_action"][replaced] = True
        if self._finals:
            self._add_finals(info, last, ended | cut)
        return self._given(seen), rewards, ended, cut, info

    def _replace_illegal(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns actions with the illegal ones replaced, and the lanes where that was necessary."""
        legal = self._current.legal
        if not legal.any():
            return actions, np.zeros(0, np.intp)  # the step rejects them
        inside = (actions >= 0) & (actions < legal.shape[1])
        lanes = np.flatnonzero(~(inside & legal[np.arange(len(legal)), np.where(inside, actions, 0)]))
        actions = actions.copy()
        actions[lanes] = legal[lanes].argmax(axis=1)
        if self._illegal == "house_way":
            for lane in lanes.tolist():
                actions[lane] = self._core.house_action(lane)
        return actions, lanes

    def _add_finals(self, info: dict[str, Any], last: np.ndarray, over: np.ndarray) -> None:
        if not over.any():
            return
        info["_final_obs"] = over
        info["_final_info"] = over
        if not self._copy:
            final = self._current.final
            info["final_obs"] = final if self._flatten else {"observation": final}
            info["final_info"] = {}
            return
        final = self._current.final
        rows = last if self._final_is_last or final is None else final
        if rows is final and self._current is self._scratch:
            rows = rows.copy()
        # The lanes share a mask, because the dicts already take as long as the step itself.
        mask, ended = np.ones(self._actions, np.int8), zip(rows, over.tolist())
        finals: list[Any]
        if self._flatten:
            finals = [row if is_over else None for row, is_over in ended]
        else:
            finals = [{"observation": row, "action_mask": mask} if is_over else None for row, is_over in ended]
        info["final_obs"] = np.fromiter(finals, object, len(finals))
        info["final_info"] = {"action_mask": np.ones((self.num_envs, self._actions), np.int8), "_action_mask": over}

    def outcomes(self) -> list[dict[str, Any] | None]:
        """Returns the outcomes of the episodes that are over, by lane, or ``None`` for lanes with a running episode.

        In same-step mode, all lanes are already in their next episode."""
        texts = (self._core.outcome(lane) for lane in range(self.num_envs))
        return [None if text is None else json.loads(text) for text in texts]

    def hindsight_action_rewards(self) -> np.ndarray:
        """Returns the rewards of all actions on the cards dealt, including the hidden ones, float32 ``(num_envs, n)``.

        Entries of illegal actions are arbitrary finite numbers, so apply the mask before taking a maximum. This is for training and analysis only, as a player can't know them."""
        return self._core.action_rewards()

    def render(self) -> tuple[Any, ...] | None:
        """Renders each lane as text or an image, depending on ``render_mode``."""
        if self.render_mode is None:
            return None
        texts = (self._core.render(lane) for lane in range(self.num_envs))
        return tuple(_render.rendered(self.render_mode, text, self._lines) for text in texts)

    def action_masks(self) -> np.ndarray:
        """Returns the currently legal actions, bool ``(num_envs, n)``."""
        return self._current.legal.copy() if self._copy else self._current.legal
