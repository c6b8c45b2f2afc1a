"""PettingZoo interfaces for the multi-agent table with player banking. Requires the extra ``pettingzoo``.

>>> from houseway import pettingzoo
>>> env = pettingzoo.env(rounds=2, players={3: {"bet": 60, "bank": "always"}})  # the environment plays seat 3
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else int(observation["action_mask"].argmax()))

:func:`env` creates a :class:`TableAEC` (turn-based) and :func:`parallel_env` a :class:`TableParallel` (simultaneous
moves).

- Agents: ``"seat_1"`` to ``"seat_6"``, clockwise. The house has seat 0. Seats listed in ``players`` are played by the
  environment, and seats without chips are empty.
- Observation: ``{"observation": float32[127], "action_mask": int8[53]}``, newly allocated in every step. Values are
  between 0 and 1. Other players' cards are hidden, and so are bets until all are made.
- Action: ``Discrete(53)``. 0 to 20 set the hand, 21 sets it by the house way, 22 waits, 23 passes the bank, 24 to 27
  take it with 1 to 4 quarters of all bets against it, 28 sits the round out, and 29 + 8 s + b bets 2^b times the minimum bet
  (the maximum for b = 7) with no (s = 0), the minimum or the maximum side bet.
- Reward: the chips won or lost at the end of a round, and 0 otherwise.
- End: agents without the minimum bet are terminated, and the others truncated after the last round.
- Info: ``{"bankroll": int}``, the agent's chips, excluding those on the table.
- Seed: ``reset(seed=s)`` deals the same cards as ``houseway table --seed s`` with the same players.

All agents bet simultaneously and set simultaneously, while the bank is offered to one seat after another. In the
turn-based interface, simultaneous moves are made in seat order without revealing them. In the parallel interface, the
only legal action of agents that don't have to act is to wait (22), and any action that they choose is ignored.
``action_space(agent).sample()`` draws from the legal actions.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union, cast

import numpy as np
from gymnasium import spaces

from . import _core, _render
from ._actions import LegalActions
from ._config import check_seed, from_seat_1, integer, mapping, options_json, to_json
from ._copies import Copied
from .envs import Observation, entropy, observation_space_of
from .exact import Way
from .ways import way_settings

try:
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise ImportError(
        "houseway.pettingzoo needs PettingZoo, which is not installed: pip install 'houseway[pettingzoo]'"
    ) from error

Bankrolls = Union[Sequence[int], Mapping[int, int]]

_METADATA = {"name": "pai_gow_table_v0", "render_modes": _render.MODES, "render_fps": 1}
_OPTIONS = ("bankrolls", "rounds")
#: The maximum number of rounds in a session.
_MAX_ROUNDS = 1_000_000
#: The action that waits.
_WAIT = 22


class _Sitting(Copied[_core.Table]):
    """The common base of both interfaces, with the table, its spaces and its seats."""

    metadata: dict[str, Any]
    _bound = ("_core", "action_spaces")
    action_spaces: dict[str, spaces.Space[Any]]

    def __init__(
        self,
        *,
        players: Mapping[int, Mapping[str, Any]] | None = None,
        bankrolls: Bankrolls | None = None,
        rounds: int = 10,
        rules: Mapping[str, Any] | None = None,
        game: Mapping[str, Any] | None = None,
        house_way: Way = "trump-plaza",
        paytable: str | None = None,
        render_mode: _render.RenderMode | None = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            known = list(inspect.signature(_Sitting.__init__).parameters)[1:-1]
            name = f"{type(self).__name__}() got an unexpected keyword argument {next(iter(unknown))!r}"
            raise TypeError(f"{name}, expected one of {', '.join(known)}")
        self.render_mode = _render.check_mode(render_mode, _render.MODES)
        settings = way_settings({"rules": rules, "game": game, "house_way": house_way, "players": players})
        players = settings.pop("players")
        self._settings = {**settings, "paytable": paytable}
        if not 1 <= integer("rounds", rounds) <= _MAX_ROUNDS:
            raise ValueError(f"invalid rounds {rounds}: expected 1 to {_MAX_ROUNDS}")
        self._options = {"rounds": rounds, "bankrolls": None if bankrolls is None else from_seat_1(bankrolls)}
        self._config = to_json(players=players, **self._settings)
        core = self._make()
        if not core.seats:
            raise ValueError(f"invalid players {list(players or ())}: no seat is left for an agent")
        # Refuses bankrolls that no session can have.
        self._make().reset(0, options_json({key: value for key, value in self._options.items() if value is not None}))
        self._seats = {f"seat_{seat}": seat for seat in core.seats}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self.observation_spaces: dict[str, spaces.Space[Any]] = {agent: observation_space_of(core) for agent in self._seats}
        self._bind(core)
        #: The last seed passed to :meth:`reset`. A first session without a seed draws one from the operating system.
        self.np_random_seed: int | None = None

    def _make(self) -> _core.Table:
        return _core.Table(self._config)

    def _bind(self, core: _core.Table) -> None:
        self._core = core
        self.action_spaces = {agent: self._actions_of(seat) for agent, seat in self._seats.items()}

    def _action_spaces(self) -> list[Any]:
        return list(self.action_spaces.values())

    def _actions_of(self, seat: int) -> LegalActions:
        return LegalActions(self._core.actions, lambda: self.action_masks(f"seat_{seat}"))

    def observation_space(self, agent: str) -> Any:
        """Returns an agent's observation space."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Returns an agent's ``Discrete(53)`` action space, whose ``sample()`` draws from the legal actions."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Starts a session. The agents are the seats that can make the minimum bet."""
        options = mapping("options", options)
        strange = sorted(options.keys() - _OPTIONS)
        if strange:
            warnings.warn(f"unknown options {strange} are ignored; expected {list(_OPTIONS)}", stacklevel=3)
        given = {key: value for key, value in options.items() if key in _OPTIONS}
        changed = {key: value for key, value in given.items() if value is not None}
        merged = {key: value for key, value in {**self._options, **changed}.items() if value is not None}
        seed = check_seed(seed)
        if seed is None and self.np_random_seed is None:
            seed = entropy()
        self._core.reset(seed, options_json(merged))
        self.np_random_seed = self.np_random_seed if seed is None else seed
        self._rounds = merged["rounds"]
        self.agents = [agent for agent, (out, _) in self._by_agent(self._core.status()) if not out]

    def _by_agent(self, values: Sequence[Any]) -> zip[tuple[str, Any]]:
        return zip(self.possible_agents, values)

    def _of_agents(self, values: Sequence[Any]) -> dict[str, Any]:
        return {agent: value for agent, value in self._by_agent(values) if agent in self.agents}

    def _read_infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {"bankroll": chips} for agent, chips in self._of_agents(self._core.bankrolls()).items()}

    def _read_status(self) -> tuple[dict[str, bool], dict[str, bool]]:
        status = self._of_agents(self._core.status())
        terminated = {agent: terminated for agent, (terminated, _) in status.items()}
        return terminated, {agent: truncated for agent, (_, truncated) in status.items()}

    def render(self) -> str | np.ndarray | None:
        """Renders the table with all cards, as text or as an image, uint8 ``(672, 1056, 3)``. During betting, it also
        shows the previous round's result. Returns ``None`` for ``"human"``, which prints the table after every reset
        and step."""
        if self.render_mode in (None, "human"):
            return None
        return _render.rendered(self.render_mode, self._core.render(), _render.TABLE_LINES)

    def _show(self) -> None:
        if self.render_mode == "human":
            print(self._core.render(), end="\n\n", flush=True)

    def close(self) -> None:
        """Does nothing because there are no resources to release."""

    def action_masks(self, agent: str) -> np.ndarray:
        """Returns an agent's legal actions, bool ``(53,)``."""
        return self._core.action_masks(self._seats[agent])

    @property
    def rules_hash(self) -> str:
        """A stable hash of the rules, the house way, the paytable and the players controlled by the environment."""
        return self._core.rules_hash

    @property
    def last_round(self) -> dict[str, Any] | None:
        """The last completed round, with all cards and moves, in the format of ``houseway table --history``."""
        text = self._core.last_round()
        return None if text is None else json.loads(text)

    @property
    def history_header(self) -> dict[str, Any] | None:
        """The first line of the session's history, or ``None`` if the session was started without a seed. Together with
        :attr:`last_round` after each round, :func:`history_text` turns it into a file that ``houseway table --verify``
        accepts."""
        text = self._core.history_header()
        if text is None:
            return None
        head = json.loads(text)
        settings = {key.replace("_", "-"): value for key, value in self._settings.items() if value is not None}
        seats = [{"seat": seat, "bankroll": chips, "policy": "agent"} for seat, chips in enumerate(head["bankrolls"], 1) if chips]
        config = {"seed": head["seed"]["seed"], "rounds": self._rounds, **settings, "player": seats}
        return {**head, "config": config}


def history_text(head: Mapping[str, Any], rounds: Iterable[Mapping[str, Any]]) -> str:
    """Returns the text of a complete history. It has a header, one line per round, and a footer with the number of
    rounds and a checksum."""
    lines = [json.dumps(line) + "\n" for line in [head, *rounds]]
    end = {"rounds": len(lines) - 1, "sha256": hashlib.sha256("".join(lines).encode()).hexdigest()}
    return "".join(lines) + json.dumps({"end": end}) + "\n"


class TableAEC(_Sitting, AECEnv[str, Observation, int]):
    """The table with the turn-based AEC interface.

    Args:
        players: The seats played by the environment. Each is a dict with any of ``bet`` (in chips, defaulting to the
            minimum bet) or ``bet_share`` (a fraction of the bankroll), ``side`` (in chips, defaulting to 0), ``bank``
            (``"never"``, ``"always"`` or ``"in-turn"``) and ``way`` (a house way in any form, defaulting to the table's).
            ``{}`` is a player who bets the minimum, never banks, and sets by the house way.
        bankrolls: Each seat's chips, as a list starting with seat 1 or as a mapping by seat. Seats with 0 are
            empty. Defaults to 100 minimum bets per seat.
        rounds: The number of rounds in a session.
        rules: Table rules, such as ``{"seats": 5, "bet-minimum": 10}``.
        game: Game rules, such as ``{"commission": 0.04}``.
        house_way: The house way (a name, path, TOML text, dict or :class:`~houseway.HouseWay`), used by the house and
            for players who don't set in time. Its game rules apply.
        paytable: The name of the side bet's paytable.
        render_mode: ``"human"``, ``"ansi"``, ``"rgb_array"`` or ``None``.

    ``reset(options={"bankrolls": …, "rounds": …})`` overrides both for one session.

    Raises:
        ValueError: If a seat, house way, rule or key is unknown. The message lists the valid ones.
    """

    metadata: dict[str, Any] = {**_METADATA, "is_parallelizable": False}

    def __getattr__(self, name: str) -> Any:
        # PettingZoo declares these attributes, but they only exist after a reset.
        if name in AECEnv.__annotations__:
            raise AttributeError(f"the session has not started, so there is no {name} yet: call reset()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a session. Without a seed, the random stream continues, except that the first session draws a seed
        from the operating system. See ``np_random_seed``."""
        self._begin(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = self._read_status()
        self.infos = self._read_infos()
        self._skip_agent_selection = None
        self.agent_selection = f"seat_{self._core.acting()[0]}"
        self._show()

    def observe(self, agent: str) -> Observation:
        """Returns an agent's observation."""
        return self._core.observe(self._seats[agent])

    def step(self, action: int | None) -> None:
        """Plays an action for ``agent_selection``. An illegal action raises ``ValueError`` and changes nothing."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(cast(Any, action))
            return
        if action is None:
            raise ValueError(f"{agent} must act, but no action was given")
        rewards = self._core.step(self._seats[agent], integer("action", action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._of_agents(rewards)
        self.terminations, self.truncations = self._read_status()
        self.infos = self._read_infos()
        acting = self._core.acting()
        if acting:
            self.agent_selection = f"seat_{acting[0]}"
        self._accumulate_rewards()
        self._deads_step_first()
        self._show()


class TableParallel(_Sitting, ParallelEnv[str, Observation, int]):
    """The table with the parallel interface. Takes the same arguments as :class:`TableAEC`."""

    metadata: dict[str, Any] = {**_METADATA}

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Starts a session. Without a seed, the random stream continues, except that the first session draws a seed
        from the operating system. See ``np_random_seed``."""
        self._begin(seed, options)
        self._show()
        return self._observations(), self._read_infos()

    def _observations(self) -> dict[str, Observation]:
        seen = {agent: self._core.observe(self._seats[agent]) for agent in self.agents}
        return {agent: {**it, "action_mask": self.action_masks(agent).astype(np.int8)} for agent, it in seen.items()}

    def action_masks(self, agent: str) -> np.ndarray:
        """Returns an agent's legal actions, bool ``(53,)``. An agent that doesn't have to act can only wait."""
        mask = super().action_masks(agent)
        mask[_WAIT] |= bool(self.agents) and not mask.any()
        return mask

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Plays one action for every agent that must act. Other agents' actions are ignored and may be omitted.
        Raises ``ValueError`` if an action is illegal or missing, and changes nothing in that case."""
        rewards = self._core.step_all({self._seats[agent]: integer("action", action) for agent, action in actions.items()})
        terminations, truncations = self._read_status()
        told = self._observations(), self._of_agents(rewards), terminations, truncations, self._read_infos()
        self.agents = [agent for agent in self.agents if not (terminations[agent] or truncations[agent])]
        self._show()
        return told


def env(**settings: Any) -> TableAEC:
    """Creates the turn-based environment. See :class:`TableAEC`."""
    return TableAEC(**settings)


raw_env = env


def parallel_env(**settings: Any) -> TableParallel:
    """Creates the parallel environment. See :class:`TableParallel`."""
    return TableParallel(**settings)
