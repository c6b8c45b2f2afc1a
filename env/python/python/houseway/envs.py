"""Single environments with the Gymnasium interface.

``gymnasium.make("houseway/PaiGowPoker-v0", **settings)`` creates a :class:`HousewayEnv`. ``houseway/PaiGowTable-v0``
has a single agent, and the environment plays the other seats. See :mod:`houseway.pettingzoo` for the multi-agent
version of the table and for its actions.

- Observation: ``{"observation": float32[...], "action_mask": int8[n]}``, newly allocated in every step.
- Action: ``Discrete(n)``. An illegal action raises ``ValueError`` and changes nothing, unless ``illegal=`` says
  otherwise. ``action_space.sample()`` draws from the legal actions.
- Info: ``{"action_mask": int8[n]}``. Once the episode is over, ``outcome`` reveals what was hidden.
- End: the mask is all true, so that it is never empty.
- Reset options: they depend on the game, e.g. ``{"stake": 5, "side_stake": 1}``, and apply to one episode.
- Seed: ``reset(seed=s)`` starts the same stream as seed ``s`` in Rust and on the command line.

:attr:`HousewayEnv.layout` describes the actions and observations of a game, and says if it is a contextual bandit,
which has one decision per episode. ``help(houseway.envs)`` ends with the layouts of all games, and the book has a
chapter on each game.
"""

from __future__ import annotations

import functools
import json
import math
import operator
import re
import secrets
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

import gymnasium
import numpy as np
from gymnasium import spaces

from . import _core, _render
from ._actions import LegalActions
from ._config import check_seed, flag, keyword_error, options_json, text, to_json
from ._copies import Copied
from .tables import StrategyTable, banker_of

__all__ = ["HousewayEnv", "Illegal", "Outcome", "register"]

Observation = dict[str, np.ndarray]

#: The ways to handle an illegal action. See :class:`HousewayEnv`.
Illegal = Literal["error", "penalty", "lowest_legal", "house_way"]


def observation_space_of(core: _core.Env | _core.Table, flatten: bool = False) -> Any:
    """Returns an environment's observation space, including the mask unless flattened."""
    shape, low, high = core.observation_space
    box = spaces.Box(low, high, tuple(shape), np.float32)
    return box if flatten else spaces.Dict({"observation": box, "action_mask": spaces.MultiBinary(core.actions)})


def lines_of(core: _core.Env) -> int:
    """Returns the number of lines in an environment's frames."""
    return _render.TABLE_LINES if core.spec[0] == _core.GAMES["pai-gow-table"] else _render.LINES


def entropy() -> int:
    """Returns a seed from the operating system."""
    return secrets.randbits(63)


def check_illegal(illegal: Illegal, penalty: float | None) -> Illegal:
    """Returns the way to handle illegal actions, or raises an error if it or the penalty is invalid."""
    if illegal not in get_args(Illegal):
        raise ValueError(f"invalid illegal {illegal!r}: expected one of {', '.join(map(repr, get_args(Illegal)))}")
    is_finite = isinstance(penalty, float | int | np.number) and math.isfinite(penalty)
    if penalty is not None and not (illegal == "penalty" and is_finite):
        raise ValueError(f"invalid penalty {penalty!r}: expected a finite number, with illegal='penalty'")
    return illegal


def lowest_reward(by_default: float, options: Mapping[str, Any] | None) -> float:
    """Returns the lowest reward under reset options, given the one under the default options. Stakes scale it, and side
    bets are lost as well."""
    given = {key.replace("-", "_"): value for key, value in (options or {}).items()}
    penalty = by_default
    if given.get("chips") is not None:  # in Joker Seven, the lowest reward by default is the loss of the fewest chips
        penalty = -float(given["chips"])
    for stake in ("stake", "ante", "chip"):
        penalty *= float(given.get(stake, 1))
    return penalty - sum(float(given.get(stake, 0)) for stake in ("side_stake", "trips", "progressive"))


class Config(NamedTuple):
    """An environment configuration in the form that Rust parses."""

    game: str
    settings: str
    banker: StrategyTable | None

    def make(self) -> _core.Env:
        """Makes the environment."""
        return self.banker._core.env(self.game, self.settings) if self.banker else _core.Env(self.game, self.settings)


def make_core(game: str, settings: Mapping[str, Any], function: str) -> tuple[_core.Env, Config]:
    """Makes an environment. Unknown arguments are reported as unexpected keyword arguments of ``function``."""
    settings = {"game" if key == "game_rules" else key: value for key, value in settings.items()}
    given, banker = banker_of(settings)
    # Gymnasium registers the games in a namespace.
    config = Config(text("game", game).removeprefix("houseway/"), to_json(**given), banker)
    try:
        return config.make(), config
    except ValueError as error:
        # Rust has another name for the rules of the game at a table.
        renamed = ValueError(re.sub(r"^game(?=[.:])", "game_rules", str(error).replace("`game`", "`game_rules`")))
        raise keyword_error(renamed, function, settings) from None


def check_house_strategy(config: Config, illegal: Illegal) -> None:
    """Rejects a game without a house strategy if that is how illegal actions are handled."""
    if illegal == "house_way":
        dealt = config.make()
        dealt.reset(0)
        if dealt.house_action() is None:
            raise ValueError(f"{dealt.spec[0]} has no house strategy; use a different value for illegal")


class Outcome(Mapping[str, Any]):
    """The outcome of an episode, which reveals hidden cards such as the opponent's. It is computed on first access, because
    that takes longer than an episode.

    It is no dict, whose entries Gymnasium's vector environments would take apart. Its wrappers convert a mapping by
    passing the converted entries to its type.
    """

    __slots__ = ("_ended", "_read")

    def __init__(self, ended: _core.Ended | None = None, **entries: Any) -> None:
        self._ended, self._read = ended, entries

    def _json(self) -> dict[str, Any]:
        if self._ended is not None:
            ended, self._ended = self._ended, None
            self._read = json.loads(ended.outcome() or "{}")
        return self._read

    def __reduce__(self) -> Any:
        return (functools.partial(Outcome, **self._json()), ())

    def __getitem__(self, key: str) -> Any:
        return self._json()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._json())

    def __len__(self) -> int:
        return len(self._json())

    def __repr__(self) -> str:
        return f"Outcome({self._json()!r})"


@functools.cache
def _games() -> dict[str, dict[str, Any]]:
    return {game["id"]: game for game in json.loads(_core.REGISTRY)}


class HousewayEnv(Copied[_core.Env], gymnasium.Env[Any, np.int64]):
    """A single environment for any game.

    Args:
        game: The game's name or versioned id, such as ``"pai-gow-poker"`` or ``"PaiGowPoker-v0"``.
        render_mode: ``"human"`` (every reset and step prints the table), ``"ansi"`` (text), ``"rgb_array"`` (an image
            with drawn cards, uint8 ``(height, width, 3)``, which requires the extra ``render``) or ``None``.
        illegal: How to handle an illegal action. ``"error"`` raises ``ValueError`` and leaves the environment
            unchanged. ``"lowest_legal"`` plays the lowest legal action instead. ``"house_way"`` plays the action of the
            house's own strategy, in games that have one. ``"penalty"`` plays the lowest legal action and replaces its
            reward with ``penalty``. Unless it raises an error, ``info["illegal_action"]`` says whether an action was
            replaced.
        penalty: The reward for an illegal action with ``illegal="penalty"``. Defaults to the lowest reward that the
            stakes of the episode allow, so that an illegal action never pays off. At the table, that is the loss of the
            maximum bets of all seats, so consider a penalty of your own.
        hindsight: Whether to add ``info["hindsight_action_rewards"]`` to every reset and to every step before the end.
            It has the rewards of all actions on the cards dealt, including the hidden ones. This is for training and
            analysis only, as a player can't know them.
        flatten: Whether to return observations as plain arrays, for learners that don't support dict observations. The
            mask is then only available from ``info["action_mask"]`` and :meth:`action_masks`.
        settings: The game's configuration. Pai Gow Poker takes ``banker`` (a house way: a name, path, TOML text, dict
            or :class:`~houseway.HouseWay`; a strategy table: a path ending in ``.safetensors``, the settings of all
            classes, or a :class:`~houseway.tables.StrategyTable`; or any policy for :func:`houseway.exact.score`, which
            is evaluated once for every class), ``readings`` (of the house way), ``rules`` (a dict like
            ``{"commission": 0.04}``), ``observation`` (``"candidates"``, ``"ranks-and-suits"``, ``"raw-cards"``) and
            ``paytable`` (of the side bet). Pai Gow Poker with known cards takes the same. Ultimate Texas Hold'em takes ``rules`` (including the paytables of Blind and
            Trips), ``observation`` (``"features"``, ``"raw-cards"``) and ``progressive`` (the paytable of the
            progressive bet, which is off by default). Joker Seven and Asian Stud take ``rules``, ``observation``
            (``"cards"``, ``"counts"`` and ``"raw-cards"``, ``"points"``, respectively) and ``paytable``. Face Up Pai Gow
            Poker takes ``dealer`` (a house way), ``readings``, ``rules`` and ``observation`` (``"comparisons"``,
            ``"raw-cards"``), and Pai Gow with tiles ``rules`` and ``observation`` (``"halves"``, ``"counts"``,
            ``"raw-tiles"``). The table
            takes ``seat`` (the agent's seat, 1 to 6), ``game_rules`` (such as ``{"commission": 0.04}``), and
            ``players``, ``rules`` (of the table), ``house_way`` and ``paytable`` as in
            :class:`houseway.pettingzoo.TableAEC`. Players not listed in ``players`` bet the minimum,
            never bank, and set by the house way.

    Environments can be pickled and deep-copied. A copy continues from the same state and random stream.

    Raises:
        TypeError: If a setting is unknown.
        ValueError: If a game, house way, rule, option or encoding is unknown, in which case the message lists the valid ones.
            With ``hindsight``, if the game doesn't define the rewards of all actions.
    """

    metadata: dict[str, Any] = {"render_modes": _render.MODES, "render_fps": 1}

    def __init__(
        self,
        game: str = "pai-gow-poker",
        *,
        render_mode: _render.RenderMode | None = None,
        illegal: Illegal = "error",
        penalty: float | None = None,
        hindsight: bool = False,
        flatten: bool = False,
        **settings: Any,
    ) -> None:
        self.render_mode = _render.check_mode(render_mode, _render.MODES)
        self._illegal = check_illegal(illegal, penalty)
        self._fixed_penalty = penalty
        self._hindsight, self._flatten = flag("hindsight", hindsight), flag("flatten", flatten)
        self._seeded = False
        self._has_outcome: bool | None = None  # known once the first episode is over
        core, self._config = make_core(game, settings, "HousewayEnv.__init__")
        check_house_strategy(self._config, illegal)
        if hindsight:
            # Refuses a game without the rewards of all actions, which is only known once cards are dealt.
            dealt = self._make()
            dealt.reset(0)
            dealt.action_rewards()
        self._bind(core)
        self.observation_space = observation_space_of(self._core, flatten)

    def _make(self) -> _core.Env:
        return self._config.make()

    def _action_spaces(self) -> list[Any]:
        return [self.action_space]

    def _bind(self, core: _core.Env) -> None:
        self._core = core
        self.action_space = LegalActions(core.actions, core.action_masks)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Starts an episode. Without a seed, the random stream continues, except that the first reset draws a seed from
        the operating system. See ``np_random_seed``."""
        seed = check_seed(seed)
        if seed is None and not self._seeded:
            seed = entropy()
        seen, info = self._core.reset(seed, options_json(options) if options else None)
        # Only after the options were accepted, so that a refused reset changes nothing.
        if seed is not None:
            super().reset(seed=seed)
        self._seeded = True
        if self._illegal == "penalty":
            self._penalty = lowest_reward(self._core.spec[1], options) if self._fixed_penalty is None else self._fixed_penalty
        if self._hindsight:
            info["hindsight_action_rewards"] = self._core.action_rewards()
        self._show()
        return (seen["observation"] if self._flatten else seen), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays one action. An illegal action raises ``ValueError`` and changes nothing, unless ``illegal`` says
        otherwise.

        Once the episode is over, the mask is all true and ``info["outcome"]`` reveals what was hidden."""
        replaced = self._illegal != "error" and not self._is_legal(action)
        try:
            seen, reward, terminated, truncated, info = self._core.step(self._instead() if replaced else action)
        except OverflowError:
            raise ValueError(f"action {action} is illegal") from None
        if self._illegal != "error":
            info["illegal_action"] = replaced
        if replaced and self._illegal == "penalty":
            reward = self._penalty
        if terminated or truncated:
            if self._has_outcome is None:
                self._has_outcome = self._core.outcome() is not None
            if self._has_outcome:
                info["outcome"] = Outcome(self._core.ended())
        elif self._hindsight:
            info["hindsight_action_rewards"] = self._core.action_rewards()
        self._show()
        return (seen["observation"] if self._flatten else seen), reward, terminated, truncated, info

    def _is_legal(self, action: Any) -> bool:
        legal = self._core.action_masks()
        action = operator.index(action)
        # Before the first reset no action is legal, and the step below reports that.
        return not legal.any() or (0 <= action < len(legal) and bool(legal[action]))

    def _instead(self) -> int:
        """Returns the action that replaces an illegal one."""
        if self._illegal != "house_way":
            return int(self._core.action_masks().argmax())
        house = self._core.house_action()
        assert house is not None  # the game has a house strategy
        return house

    def render(self) -> Any:
        """Renders the table as text or an image, depending on ``render_mode``. Returns ``None`` for ``"human"``."""
        if self.render_mode in (None, "human"):
            return None
        return _render.rendered(self.render_mode, self._core.render(), lines_of(self._core))

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self._core.render(), end="\n\n", flush=True)

    def action_masks(self) -> np.ndarray:
        """Returns the currently legal actions, bool ``(n,)``, in the form that ``sb3_contrib.MaskablePPO`` expects. All
        are true once the episode is over."""
        return self._core.action_masks()

    @property
    def action_names(self) -> list[str]:
        """The meaning of each action under the default rules, such as ``"cards 1 and 2 in front"``."""
        return list(_games()[self._core.spec[0]]["actions"])

    @property
    def layout(self) -> str:
        """The actions, the rewards and the columns of each observation encoding, as Markdown. ``help(houseway.envs)``
        shows all games."""
        return str(_games()[self._core.spec[0]]["layout"])

    @property
    def rules_hash(self) -> str:
        """A stable hash of the rules, opponents and paytables, which determine the rewards together with seed and
        actions."""
        return self._core.rules_hash

    def __repr__(self) -> str:
        return f"HousewayEnv({self._core.spec[0]!r})"


def register() -> None:
    """Registers every game with Gymnasium as ``houseway/ID``. Called by ``import houseway``."""
    for name, versioned in _core.GAMES.items():
        env_id = f"houseway/{versioned}"
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="houseway.envs:HousewayEnv",
                vector_entry_point="houseway.vector:HousewayVectorEnv",
                kwargs={"game": name},
            )


__doc__ = "\n".join([__doc__ or "", *(game["layout"] for game in _games().values())])
