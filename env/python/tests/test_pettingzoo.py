"""Tests for the multi-agent table, using PettingZoo's own tests and covering what they don't check."""

import json
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import houseway
import numpy as np
import pytest
from houseway import pettingzoo
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

# PettingZoo warns about every dict observation, although its documentation recommends dicts for passing masks, and
# about the mask of an agent that is out, which has no actions left. It also passes an option that doesn't exist.
BY_DESIGN = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
    "unknown options ['options'] are ignored; expected ['bankrolls', 'rounds']",
)

TABLES: dict[str, dict[str, Any]] = {
    "six agents": {},
    "two agents, two residents": {
        "players": {2: {"bank": "always", "side": 5}, 5: {"bet_share": 0.05, "way": "foxwoods"}},
        "bankrolls": {1: 700, 2: 3000, 4: 400, 5: 900},
    },
    "a small table with other readings": {
        "rules": {
            "seats": 4,
            "time-steps": 3,
            "uncovered-bets": "lose",
            "commission-on-banker": "per_bet",
            "house-hand-when-player-banks": "dealt",
        },
        "rounds": 30,
    },
    "one agent who goes broke": {"players": {2: {}}, "bankrolls": [60, 5000], "rounds": 500},
}
tables = pytest.mark.parametrize("settings", TABLES.values(), ids=TABLES)


@pytest.fixture
def warned() -> Iterator[None]:
    """Ignores the warnings that are expected, but no others."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert {str(warning.message) for warning in caught} <= set(BY_DESIGN)


@tables
def test_pettingzoo_tests_the_table_turn_by_turn(settings: dict, warned: None) -> None:
    api_test(pettingzoo.env(**settings), num_cycles=200)


@pytest.mark.parametrize("settings", [TABLES["six agents"], TABLES["a small table with other readings"]])
def test_pettingzoo_tests_the_table_all_at_once(settings: dict, warned: None) -> None:
    parallel_api_test(pettingzoo.parallel_env(**settings), num_cycles=300)


@tables
def test_pettingzoo_tests_seeds(settings: dict) -> None:
    seed_test(lambda: pettingzoo.env(**settings), num_cycles=100)
    parallel_seed_test(lambda: pettingzoo.parallel_env(**settings), num_cycles=100)


def session(
    env: pettingzoo.TableAEC, seed: int, choices: int, never: int | None = None
) -> Iterator[tuple[str, dict, float, int | None]]:
    """Plays a session with random legal actions. Yields the agent, observation, reward since its last turn, and
    action."""
    rng = np.random.default_rng(choices)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        action = None
        if not (terminated or truncated):
            legal = np.flatnonzero(seen["action_mask"])
            action = int(rng.choice(legal[legal != never]))
        yield agent, seen, reward, action
        env.step(action)


@tables
def test_all_at_once_is_turn_by_turn(settings: dict) -> None:
    turns = pettingzoo.env(**settings)
    once = pettingzoo.parallel_env(**settings)
    # An agent that waits acts again immediately in the turn-based version, and after the others in the parallel one.
    played = list(session(turns, 9, 1, never=22))
    seen, _ = once.reset(seed=9)
    totals, others = (dict.fromkeys(once.possible_agents, 0.0) for _ in range(2))
    for agent, _, reward, _ in played:
        totals[agent] += reward
    moves = ((agent, observation, action) for agent, observation, _, action in played if action is not None)
    steps = 0
    while once.agents:
        asked = [f"seat_{seat}" for seat in once._core.acting()]
        actions = {}
        for expected in asked:
            agent, observation, action = next(moves)
            assert agent == expected
            for key, value in observation.items():
                np.testing.assert_array_equal(value, seen[agent][key])
            actions[agent] = action
        bystanders = {agent: 999 for agent in once.agents if agent not in asked}
        seen, rewards, *_ = once.step(actions | (bystanders if steps % 2 else {}))
        for agent, reward in rewards.items():
            others[agent] += reward
        steps += 1
    assert next(moves, None) is None and steps > 5
    assert others == totals


def cards_of(seen: dict) -> set[int]:
    return set(np.flatnonzero(seen["observation"][11:64]))


def test_agents_see_their_own_cards() -> None:
    """Checks that every agent sees the cards that its seat is dealt, and none before."""
    rank, suit = "23456789TJQKA", "cdhs"
    one = pettingzoo.env(rounds=1)
    hands = 0
    for seed in range(20):
        one.reset(seed=seed)
        dealt: dict[str, set[int]] = {}
        while not any(one.truncations.values()):
            setting = one.observe("seat_1")["observation"][2] == 1
            if setting:
                for agent in one.agents:
                    mine = cards_of(one.observe(agent))
                    assert len(mine) == 7
                    assert dealt.setdefault(agent, mine) == mine
            else:
                assert not any(cards_of(one.observe(agent)) for agent in one.agents)
            one.step(21 if setting else 23 if one.observe("seat_1")["observation"][1] == 1 else 29)
        assert sum(map(len, dealt.values())) == len(set().union(*dealt.values())) == 42
        # The observations match the cards dealt.
        for seat in one.last_round["seats"]:
            text = (seat["hand"]["back"] + " " + seat["hand"]["front"]).split()
            cards = {52 if card == "Jk" else 4 * rank.index(card[0]) + suit.index(card[1]) for card in text}
            if seat["seat"]:
                assert cards == dealt[f"seat_{seat['seat']}"]
                hands += 1
    assert hands == 120


def test_chips_are_what_rewards_say() -> None:
    bankrolls = [300, 500, 80, 2000, 40, 900]
    env = pettingzoo.env(bankrolls=bankrolls, rounds=60)
    won = dict.fromkeys(env.possible_agents, 0.0)
    out = []
    for agent, _, reward, action in session(env, 3, 2):
        won[agent] += reward
        if action is None:
            chips = env.infos[agent]["bankroll"]
            assert chips == bankrolls[int(agent[-1]) - 1] + won[agent]
            assert (chips < 20) == env.terminations[agent] != env.truncations[agent]
            out.append(env.terminations[agent])
    assert len(out) == 6 and any(out) and not env.agents


@tables
def test_the_command_line_verifies_a_session(settings: dict, command: Callable, tmp_path: Path) -> None:
    env = pettingzoo.env(**settings)
    rounds: list[dict] = []
    for _ in session(env, 12, 5):
        latest = env.last_round
        if latest and (not rounds or latest["round"] > rounds[-1]["round"]):
            rounds.append(latest)
    path = tmp_path / "history.jsonl"
    path.write_text(pettingzoo.history_text(env.history_header, rounds))
    assert f"{len(rounds)} rounds replayed" in command("table", "--verify", path)
    env.reset()
    assert env.history_header is None and env.last_round is None


def test_the_same_seed_is_the_same_history_as_on_the_command_line(command: Callable, tmp_path: Path) -> None:
    players = {
        1: {"bet": 60, "side": 5, "bank": "always", "way": "foxwoods"},
        4: {"bet-share": 0.03, "way": "golden-nugget"},
        6: {"bet": 100, "bank": "always"},
    }
    bankrolls = {1: 2000, 2: 1500, 3: 900, 4: 3000, 6: 5000}
    agents = {2: 40, 3: 80}
    lines = ['seed = 21\nrounds = 40\nhouse-way = "trump-plaza"\n[rules]\nuncovered-bets = "lose"\n']
    for seat, bankroll in bankrolls.items():
        keys = {"seat": seat, "bankroll": bankroll, **players.get(seat, {"bet": agents.get(seat)})}
        lines.append("[[player]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items()))
    config, history = tmp_path / "table.toml", tmp_path / "history.jsonl"
    config.write_text("".join(lines))
    command("table", config, "--history", history, "--quiet")
    head, *expected, footer = map(json.loads, history.read_text().splitlines())
    assert footer["end"]["rounds"] == len(expected)

    env = pettingzoo.env(players=players, bankrolls=bankrolls, rules={"uncovered-bets": "lose"}, rounds=40)
    env.reset(seed=21)
    assert (env.history_header["setup"], env.history_header["seed"]) == (head["setup"], head["seed"])
    bets = {f"seat_{seat}": 29 + bet.bit_length() - (20).bit_length() for seat, bet in agents.items()}
    rounds: list[dict] = []
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        phase = seen["observation"][:3].argmax()
        env.step(None if terminated or truncated else [bets[agent], 23, 21][phase])
        if env.last_round and (not rounds or rounds[-1]["round"] < env.last_round["round"]):
            rounds.append(env.last_round)
    assert len(rounds) == 40 and {line["banker"] for line in rounds} >= {1, 6}
    assert rounds == expected


def test_residents_are_no_agents() -> None:
    env = pettingzoo.env(players={seat: {} for seat in (1, 3, 5, 6)})
    assert env.possible_agents == ["seat_2", "seat_4"]
    env.reset(seed=1)
    assert (env.agents, env.agent_selection) == (["seat_2", "seat_4"], "seat_2")
    env.reset(options={"bankrolls": {4: 200, 1: 200}})
    assert (env.agents, env.agent_selection) == (["seat_4"], "seat_4")
    assert env.rules_hash != pettingzoo.env().rules_hash


@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.parallel_env])
def test_people_see_every_step(make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    env = make(render_mode="human", players={seat: {} for seat in range(2, 7)})
    env.reset(seed=1)
    for action in (29, 23, 21):
        env.step(action if make is pettingzoo.env else {"seat_1": action})
    shown = capsys.readouterr().out
    assert shown.count("round 1: ") == 4 and "round 2: betting" in shown and env.render() is None


@pytest.mark.parametrize("settings", [{}, {"players": {seat: {} for seat in range(2, 7)}}])
def test_pettingzoo_tests_rendering(settings: dict) -> None:
    render_test(lambda render_mode: pettingzoo.env(render_mode=render_mode, **settings))


@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array", None])
def test_rendering(render_mode: str | None) -> None:
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        env = make(render_mode=render_mode, players={seat: {} for seat in range(2, 7)})
        assert env.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
        env.reset(seed=1)
        frames = [env.render()]
        for action in (29, 23, 21):
            env.step(action if make is pettingzoo.env else {"seat_1": action})
            frames.append(env.render())
        if render_mode is None:
            assert frames == [None] * 4
        elif render_mode == "ansi":
            assert "betting, seats 1" in frames[0] and "setting, seats 1" in frames[2]
            # The last completed round is shown above the current one.
            assert "round 1: over" in frames[3] and "round 2: betting" in frames[3]
            assert max(len(text.splitlines()) for text in frames) <= houseway._render.TABLE_LINES - 1
        else:
            assert all(frame.shape == (672, 1056, 3) and frame.dtype == np.uint8 for frame in frames)
            assert len({frame.tobytes() for frame in frames}) == 4
        env.close()


def test_refused_actions_change_nothing() -> None:
    env = pettingzoo.env()
    env.reset(seed=1)
    before = env.observe("seat_1")["observation"]
    for action in (0, 99, -1):
        with pytest.raises(ValueError, match="seat_1: action"):
            env.step(action)
    np.testing.assert_array_equal(env.observe("seat_1")["observation"], before)
    once = pettingzoo.parallel_env()
    once.reset(seed=1)
    with pytest.raises(ValueError, match="seat_4: action 21 is illegal"):
        once.step({agent: 21 if agent == "seat_4" else 29 for agent in once.agents})
    with pytest.raises(ValueError, match="seat_6 must act, but no action was given"):
        once.step({agent: 29 for agent in once.agents[:-1]})
    assert all(once.action_masks(agent)[29] for agent in once.agents)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": {7: {}}}, "invalid seat 7"),
        ({"players": {1: {"bet": 5, "bet_share": 0.1}}}, "both bet and bet-share are given"),
        ({"players": {1: {"way": "nobody"}}}, "players: seat 1: .*nobody"),
        ({"rules": {"seats": 9}}, "2 to 7 seats"),
        ({"house_way": "nobody"}, "nobody"),
        ({"paytable": "nobody's"}, "nobody's"),
        ({"bankrolls": {0: 100}}, "seats start at 1"),
        ({"render_mode": "opengl"}, "'human', 'ansi', 'rgb_array' or None"),
    ],
)
def test_bad_settings_are_named(settings: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pettingzoo.env(**settings)


def test_bad_options_are_named() -> None:
    env = pettingzoo.env()
    with pytest.raises(ValueError, match="no agent can make the minimum bet"):
        env.reset(options={"bankrolls": [5, 5]})
    with pytest.raises(ValueError, match="rounds 0"):
        env.reset(options={"rounds": 0})
    with pytest.warns(UserWarning, match="round.* are ignored; expected"):
        env.reset(options={"round": 3})


def test_without_pettingzoo_the_package_works_and_says_what_to_install() -> None:
    script = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "import houseway\n"
        "try:\n    import houseway.pettingzoo\n"
        "except ImportError as error:\n    print(error)\n"
    )
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout
    assert "pip install 'houseway[pettingzoo]'" in told
