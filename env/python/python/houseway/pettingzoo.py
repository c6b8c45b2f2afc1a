"""The table with player banking for several agents, under PettingZoo's interfaces. Needs the extra ``pettingzoo``.

>>> from houseway import pettingzoo
>>> env = pettingzoo.env(rounds=2, players={3: {"bet": 60, "bank": "always"}})  # seat 3 is played by the environment
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else int(observation["action_mask"].argmax()))

:func:`env` makes a :class:`TableAEC`, turn by turn; :func:`parallel_env` a :class:`TableParallel`, all at once.

============  =============================================================================================
agents        ``"seat_1"`` to ``"seat_6"``, clockwise; the house has seat 0. Seats that ``players`` names are
              played by the environment, and those without chips are empty
observation   ``{"observation": float32[127], "action_mask": int8[53]}``, new arrays every time; numbers are 0 to
              1. Nobody sees another's cards, nor bets before all are made
action        ``Discrete(53)``: 0 to 20 set the hand, 21 has it set the house way, 22 thinks on, 23 passes the bank,
              24 to 27 take it with 1 to 4 quarters of all bets against it, 28 sits the round out,
              29 + 8 s + b bets 2^b times the lowest bet (the highest for b = 7), with no (s = 0), the lowest
              or the highest side bet
reward        chips won or lost, at the end of a round; 0 else
end           who has not the lowest bet is terminated, the others are truncated after the last round
info          ``{"bankroll": int}``: the agent's chips that are not on the table
seed          ``reset(seed=s)`` deals what ``houseway table --seed s`` deals, to the same players
============  =============================================================================================

Bets are asked of all agents at once, and so are settings; the bank is offered to one seat after another. Turn by turn, agents
that are asked at once move in the order of seats and see nothing of one another's moves. All at once, agents that are not
asked have a mask of zeros, and what they do is passed over. ``action_space(agent).sample()`` draws among what is legal.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Union

import numpy as np
from gymnasium import spaces

from . import _core, _render
from ._actions import LegalActions
from ._config import from_seat_1, options_json, to_json
from .envs import Observation, observation_space_of

try:
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise ImportError(
        "houseway.pettingzoo needs PettingZoo, which is not installed: pip install 'houseway[pettingzoo]'"
    ) from error

Bankrolls = Union[Sequence[int], Mapping[int, int]]

_METADATA = {"name": "pai_gow_table_v0", "render_modes": ["ansi", "rgb_array"], "render_fps": 1}
_OPTIONS = ("bankrolls", "rounds")


class _Sitting:
    """What both interfaces have in common: the table, its spaces, and who sits where."""

    metadata: ClassVar[dict[str, Any]]

    def __init__(
        self,
        *,
        players: Mapping[int, Mapping[str, Any]] | None = None,
        bankrolls: Bankrolls | None = None,
        rounds: int = 10,
        rules: Mapping[str, Any] | None = None,
        game: Mapping[str, Any] | None = None,
        house_way: str = "trump-plaza",
        paytable: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r}: choose 'ansi', 'rgb_array' or None")
        self.render_mode = render_mode
        self._settings = {"rules": rules, "game": game, "house_way": house_way, "paytable": paytable}
        self._options = {"rounds": rounds, "bankrolls": None if bankrolls is None else from_seat_1(bankrolls)}
        self._table = _core.Table(to_json(players=players, **self._settings))
        self._seats = {f"seat_{seat}": seat for seat in self._table.seats}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space_of(self._table) for agent in self._seats}
        self.action_spaces = {agent: self._actions_of(seat) for agent, seat in self._seats.items()}

    def _actions_of(self, seat: int) -> LegalActions:
        return LegalActions(self._table.actions, lambda: self._table.action_masks(seat))

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> LegalActions:
        """``Discrete(53)``, whose ``sample()`` draws among what the agent can do now."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Opens the table; agents are those who have the lowest bet."""
        strange = sorted(set(options or {}) - set(_OPTIONS))
        if strange:
            warnings.warn(f"options {strange} are passed over; there are {list(_OPTIONS)}", stacklevel=3)
        given = {key: value for key, value in (options or {}).items() if key in _OPTIONS}
        merged = {key: value for key, value in {**self._options, **given}.items() if value is not None}
        self._table.reset(seed, options_json(merged))
        self._rounds = merged["rounds"]
        self.agents = [agent for agent, (out, _) in self._by_agent(self._table.status()) if not out]

    def _by_agent(self, values: Sequence[Any]) -> zip[tuple[str, Any]]:
        return zip(self.possible_agents, values)

    def _of_agents(self, values: Sequence[Any]) -> dict[str, Any]:
        return {agent: value for agent, value in self._by_agent(values) if agent in self.agents}

    def _read_infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {"bankroll": chips} for agent, chips in self._of_agents(self._table.bankrolls()).items()}

    def _read_status(self) -> tuple[dict[str, bool], dict[str, bool]]:
        status = self._of_agents(self._table.status())
        terminated = {agent: terminated for agent, (terminated, _) in status.items()}
        return terminated, {agent: truncated for agent, (_, truncated) in status.items()}

    def render(self) -> str | np.ndarray | None:
        """The table with all cards, for people who watch: text, or the text as a picture, uint8 ``(672, 1056, 3)``. While
        bets are made it shows how the last round ended, too."""
        if self.render_mode is None:
            return None
        text = self._table.render()
        return text if self.render_mode == "ansi" else _render.picture(text, _render.TABLE_LINES)

    def close(self) -> None:
        """Nothing is held that would have to be let go."""

    def action_masks(self, agent: str) -> np.ndarray:
        """What an agent can do now, bool ``(53,)``."""
        return self._table.action_masks(self._seats[agent])

    @property
    def rules_hash(self) -> str:
        """A stable hash of rules, house way, paytable and the players of the environment's own."""
        return self._table.rules_hash

    @property
    def last_round(self) -> dict[str, Any] | None:
        """The last round that is over, with all cards and moves, as ``houseway table --history`` writes it."""
        text = self._table.last_round()
        return None if text is None else json.loads(text)

    @property
    def history_head(self) -> dict[str, Any] | None:
        """The first line of the session's history, if it was begun with a seed. With :attr:`last_round` of every round as the
        other lines, JSON each, it is a file that ``houseway table --verify`` plays again."""
        text = self._table.history_head()
        if text is None:
            return None
        head = json.loads(text)
        settings = {key.replace("_", "-"): value for key, value in self._settings.items() if value is not None}
        seats = [{"seat": seat, "bankroll": chips} for seat, chips in enumerate(head["bankrolls"], 1) if chips]
        config = {"seed": head["seed"]["seed"], "rounds": self._rounds, **settings, "player": seats}
        return {**head, "config": config}


class TableAEC(_Sitting, AECEnv[str, Observation, int]):
    """The table turn by turn.

    Args:
        players: seats that the environment plays, each a dict with any of ``bet`` (chips; the lowest bet if neither this nor
            the next is given), ``bet_share`` (of the bankroll), ``side`` (chips; 0), ``bank`` (``"never"``, ``"always"``) and
            ``way`` (house way: name or path; that of the table). ``{}`` is a player who bets the minimum, never banks and
            sets the house way.
        bankrolls: chips from seat 1 on, or by seat; 0 is an empty seat. A hundred lowest bets for everybody if none are given.
        rounds: length of a session.
        rules: of the table, a dict like ``{"seats": 5, "bet-minimum": 10}``. game: of the game, like ``{"commission": 0.04}``.
        house_way: how the house sets, and who does not set in time: name or path.
        paytable: of the side bet, by name.
        render_mode: ``"ansi"``, ``"rgb_array"`` or none.

    ``reset(options={"bankrolls": …, "rounds": …})`` changes these two for one session.

    Raises:
        ValueError: for an unknown seat, house way, rule or key, naming it and what there is.
    """

    metadata: ClassVar[dict[str, Any]] = {**_METADATA, "is_parallelizable": False}

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Opens the table; without a seed the random stream goes on."""
        self._begin(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = self._read_status()
        self.infos = self._read_infos()
        self._skip_agent_selection = None
        self.agent_selection = f"seat_{self._table.acting()[0]}"

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        return self._table.observe(self._seats[agent])

    def step(self, action: int | None) -> None:
        """Plays an action of ``agent_selection``. Raises ``ValueError`` on an illegal one, and then nothing has changed."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        rewards = self._table.step(self._seats[agent], action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._of_agents(rewards)
        self.terminations, self.truncations = self._read_status()
        self.infos = self._read_infos()
        acting = self._table.acting()
        if acting:
            self.agent_selection = f"seat_{acting[0]}"
        self._accumulate_rewards()
        self._deads_step_first()


class TableParallel(_Sitting, ParallelEnv[str, Observation, int]):
    """The table all at once. Arguments as for :class:`TableAEC`."""

    metadata: ClassVar[dict[str, Any]] = {**_METADATA}

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Opens the table; without a seed the random stream goes on."""
        self._begin(seed, options)
        return self._observations(), self._read_infos()

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._table.observe(self._seats[agent]) for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Plays one action of every agent that is asked; those of others are passed over and can be left out. Raises
        ``ValueError`` if one of them is illegal or missing, and then nothing has changed."""
        rewards = self._table.step_all({self._seats[agent]: int(action) for agent, action in actions.items()})
        terminations, truncations = self._read_status()
        told = self._observations(), self._of_agents(rewards), terminations, truncations, self._read_infos()
        self.agents = [agent for agent in self.agents if not (terminations[agent] or truncations[agent])]
        return told


def env(**settings: Any) -> TableAEC:
    """The table turn by turn, see :class:`TableAEC`."""
    return TableAEC(**settings)


raw_env = env


def parallel_env(**settings: Any) -> TableParallel:
    """The table all at once, see :class:`TableParallel`."""
    return TableParallel(**settings)
