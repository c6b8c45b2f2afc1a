"""Pickling and copying of environments in Rust."""

from __future__ import annotations

import copy
from typing import Any, Generic, TypeVar

from . import _core

#: The type of an environment in Rust.
Core = TypeVar("Core", _core.Env, _core.VecEnv, _core.Table)


class Copied(Generic[Core]):
    """An environment that can be pickled and deep-copied. A copy continues from the same state and random streams."""

    #: The attributes that :meth:`_bind` sets.
    _bound: tuple[str, ...] = ("_core", "action_space")
    _core: Core

    def _make(self) -> Core:
        """Makes the environment in Rust, as it was made before."""
        raise NotImplementedError

    def _bind(self, core: Core) -> None:
        """Uses an environment in Rust from now on."""
        raise NotImplementedError

    def _action_spaces(self) -> list[Any]:
        """Returns the action spaces, whose random streams are copied."""
        raise NotImplementedError

    def _unbound(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key not in self._bound}

    def _bind_copy(self, core: Core, randoms: list[Any]) -> None:
        self._bind(core)
        for space, random in zip(self._action_spaces(), randoms):
            space._np_random = random

    def _randoms(self) -> list[Any]:
        return [space._np_random for space in self._action_spaces()]

    def __getstate__(self) -> dict[str, Any]:
        return {**self._unbound(), "_saved": (self._core.state(), self._randoms())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved, randoms = state["_saved"]
        self.__dict__.update({key: value for key, value in state.items() if key != "_saved"})
        core = self._make()
        if saved is not None:
            core.set_state(saved)
        self._bind_copy(core, randoms)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        for key, value in self._unbound().items():
            other.__dict__[key] = copy.deepcopy(value, memo)
        other._bind_copy(self._core.copy(), copy.deepcopy(self._randoms(), memo))
        return other
