"""Tests for the behavior that other tools expect from environments, such as seeding, casts, keyword arguments, masks,
copies, processes and modes."""

import copy
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
import timeit
import warnings
from collections.abc import Mapping
from fractions import Fraction

import gymnasium
import houseway
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList
from houseway import cards, exact, pettingzoo, searching

NAMES = list(houseway.GAMES)
TABLE = "pai-gow-table"
HAND = "As Ah Kd Kh 9c 8c 7d"


def episode(env: houseway.HousewayEnv, seed: int | None = None) -> tuple:
    """Resets an environment, plays the highest legal actions and returns everything that is observed."""
    seen, _ = env.reset(seed=seed)
    shown, over = [seen["observation"].tobytes()], False
    while not over:
        seen, reward, terminated, truncated, info = env.step(int(np.flatnonzero(seen["action_mask"])[-1]))
        np.testing.assert_array_equal(info["action_mask"], seen["action_mask"])
        assert not truncated or env._core.spec[0] == houseway.GAMES[TABLE]
        shown += [seen["observation"].tobytes(), reward]
        over = terminated or truncated
    assert seen["action_mask"].all()  # masks are never empty
    return tuple(shown)


@pytest.mark.parametrize("name", NAMES)
def test_an_unseeded_environment_takes_entropy(name: str) -> None:
    envs = [houseway.HousewayEnv(name) for _ in range(6)]
    seen = [[episode(env) for _ in range(12)] for env in envs]
    assert len({tuple(one) for one in seen}) > 1
    # Resetting with the seed that was drawn gives the same episodes.
    again = houseway.HousewayEnv(name)
    assert [episode(again, envs[0].np_random_seed), *(episode(again) for _ in range(11))] == seen[0]
    assert len({env.np_random_seed for env in envs}) == 6


def test_unseeded_vectors_and_tables_take_entropy() -> None:
    one, two = (houseway.HousewayVectorEnv(num_envs=3, observation="raw-cards") for _ in range(2))
    (a, _), (b, _) = one.reset(), two.reset()
    assert (a["observation"] != b["observation"]).any() and one.np_random_seed != two.np_random_seed
    tables = [pettingzoo.env() for _ in range(2)]
    for table in tables:
        table.reset()
    assert tables[0].np_random_seed != tables[1].np_random_seed
    assert tables[0].history_header["seed"]["seed"] == tables[0].np_random_seed


def test_numbers_are_not_rounded() -> None:
    for wrong in ([[300, 1, 2, 3, 4, 5, 6]], [[-1, 1, 2, 3, 4, 5, 6]]):
        with pytest.raises(ValueError, match="is not a card number"):
            exact.hand_ev(np.array(wrong))
        with pytest.raises(ValueError, match="is not a card number"):
            cards.as_rows(wrong)
    with pytest.raises(TypeError, match="must be integers"):
        cards.as_rows([[0.5, 1.0]])
    env = houseway.HousewayEnv()
    env.reset(seed=1)
    for action in (20.5, np.float64(20), "1"):
        with pytest.raises(TypeError):
            env.step(action)
    many = houseway.HousewayVectorEnv(num_envs=2)
    many.reset(seed=1)
    with pytest.raises(TypeError, match="actions must be integers"):
        many.step(np.array([20.5, 20.0]))
    with pytest.raises(TypeError):
        exact.bank([("trump-plaza", 1.5)])
    with pytest.raises(TypeError, match="must be integers"):
        exact.score(np.full(exact.CLASSES, 0.5))
    with pytest.raises(ValueError, match="invalid settings: expected 0 to 20"):
        exact.score(np.full(exact.CLASSES, 256))
    table = pettingzoo.parallel_env()
    table.reset(seed=1)
    with pytest.raises(TypeError):
        table.step(dict.fromkeys(table.agents, 29.5))


@pytest.mark.parametrize("make", [houseway.HousewayEnv, houseway.HousewayVectorEnv, pettingzoo.env])
def test_unknown_keywords_are_type_errors(make: object) -> None:
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'frameskip'"):
        make(frameskip=4)
    if make is pettingzoo.env:
        with pytest.raises(TypeError, match=r"^TableParallel\(\) got .*'frameskip', expected one of players, bankrolls,"):
            pettingzoo.parallel_env(frameskip=4)
    else:
        with pytest.raises(ValueError, match="unknown field `frameskip`"):
            make(rules={"frameskip": 4})
        # This is no keyword argument, although there is one with the same name.
        with pytest.raises(ValueError, match="^rules: unknown field `observation`"):
            make(rules={"observation": 4}, observation="raw-cards")
        with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
            gymnasium.make("houseway/AsianStud-v0", frameskip=4)


@pytest.mark.parametrize("name", NAMES)
def test_copies_continue_from_the_same_state(name: str) -> None:
    env = houseway.HousewayEnv(name)
    env.reset(seed=9)
    env.action_space.seed(1)
    for steps in range(25):
        copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        action = env.action_space.sample()
        expected = env.step(action)
        if expected[2] or expected[3]:
            expected = (*expected, env.reset())
        for other in copies:
            assert other.action_space.sample() == action
            found = other.step(action)
            if found[2] or found[3]:
                found = (*found, other.reset())
            assert repr(found[1:]) == repr(expected[1:])
            np.testing.assert_array_equal(found[0]["observation"], expected[0]["observation"])
    assert pickle.loads(pickle.dumps(houseway.HousewayEnv(name))).reset(seed=1) is not None


@pytest.mark.parametrize("make", [houseway.HousewayEnv, lambda: houseway.HousewayVectorEnv(num_envs=2)])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_copies_of_spaces_have_a_random_stream_of_their_own(make, copied) -> None:  # type: ignore[no-untyped-def]
    assert copied(make().action_space) == make().action_space  # without a stream
    space = make().action_space
    space.seed(5)
    other, before = copied(space), space.np_random.bit_generator.state
    assert other.np_random.bit_generator.state == before
    other.sample()
    assert space.np_random.bit_generator.state == before != other.np_random.bit_generator.state


def test_tables_ways_and_batches_are_copied() -> None:
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        env = make(players={2: {"bank": "always"}}, rounds=4)
        env.reset(seed=4)
        for step in range(30):
            copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
            played = play(env)
            assert [play(other) for other in copies] == [played, played]
            if not env.agents:
                break
    way = houseway.HouseWay("foxwoods", rules={"commission": 0.04})
    hands = cards.deal(50, seed=1)
    for other in (copy.deepcopy(way), pickle.loads(pickle.dumps(way))):
        assert (other.hash, other.rules_hash, other.game_rules) == (way.hash, way.rules_hash, way.game_rules)
        np.testing.assert_array_equal(other.set(hands), way.set(hands))
    batch = pickle.loads(pickle.dumps(exact.Batch(hands, {})))
    np.testing.assert_array_equal(batch.cards, hands)


def play(env: object) -> str:
    """Plays the lowest legal actions and returns what all agents observe afterwards."""
    if isinstance(env, pettingzoo.TableAEC):
        agent = env.agent_selection
        over = env.terminations[agent] or env.truncations[agent]
        env.step(None if over else int(env.action_masks(agent).argmax()))
        return repr((env.agents, env.rewards, env.infos))
    masks = {agent: env.action_masks(agent) for agent in env.agents}
    return repr(env.step({agent: int(mask.argmax()) for agent, mask in masks.items() if mask.any()})[1:])


@pytest.mark.parametrize("illegal", ["penalty", "lowest_legal", "house_way"])
@pytest.mark.parametrize("name", NAMES)
def test_illegal_actions_are_replaced(name: str, illegal: str) -> None:
    twin = houseway.HousewayEnv(name)
    twin.reset(seed=0)
    if illegal == "house_way" and twin._core.house_action() is None:
        for make in (houseway.HousewayEnv, houseway.HousewayVectorEnv):
            with pytest.raises(ValueError, match="no house strategy"):
                make(name, illegal=illegal)
        return
    env = houseway.HousewayEnv(name, illegal=illegal)
    many = houseway.HousewayVectorEnv(name, 2, illegal=illegal)
    replaced = 0
    for seed in range(30):
        seen, _ = env.reset(seed=seed)
        twin.reset(seed=seed)
        many.reset(seed=seed)
        mask = seen["action_mask"]
        if mask.all():
            continue
        replaced += 1
        illegal_action = int(mask.argmin())
        instead = env._core.house_action() if illegal == "house_way" else int(mask.argmax())
        found, expected = env.step(illegal_action), twin.step(instead)
        np.testing.assert_array_equal(found[0]["observation"], expected[0]["observation"])
        assert found[1] == (env._core.spec[1] if illegal == "penalty" else expected[1])
        rewards = many.step(np.array([illegal_action, int(many.action_masks()[1].argmax())]))[1]
        assert rewards[0] == np.float32(found[1])
    assert replaced or name in ("asian-stud", "pai-gow-tiles")
    with pytest.raises(ValueError, match="invalid illegal"):
        houseway.HousewayEnv(name, illegal="forgive")


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_checks_unmasked_play_for_many_seeds(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(12):
            env = houseway.HousewayEnv(name, illegal="penalty")
            env.action_space.seed(seed)
            check_env(env, skip_render_check=True)


def test_the_end_tells_what_was_hidden() -> None:
    env = houseway.HousewayEnv(hindsight=True)
    for seed in range(20):
        seen, info = env.reset(seed=seed)
        rewards = info["hindsight_action_rewards"]
        action = int(seen["action_mask"].argmax())
        _, reward, _, _, info = env.step(action)
        outcome = info["outcome"]
        assert reward == pytest.approx(rewards[action]) == pytest.approx(outcome["net"])
        banker = outcome["banker"]
        way = houseway.HouseWay()
        assert way.set(banker["hand"])[0] == banker["setting"] and way.rule_of(banker["hand"]) == [banker["rule"]]
    for name in NAMES:
        env = houseway.HousewayEnv(name)
        env.reset(seed=1)
        over, info = False, {}
        while not over:
            assert "outcome" not in info
            *_, terminated, truncated, info = env.step(env.action_space.sample())
            over = terminated or truncated
        if name != TABLE:
            kept = info["outcome"]
            copied = pickle.loads(pickle.dumps(kept))
            env.reset()
            assert kept == copied and "net" in kept


def test_environments_are_made_quickly_after_the_first() -> None:
    houseway.HousewayEnv()
    # CPU time, which other processes don't affect
    assert min(timeit.repeat(houseway.HousewayEnv, number=1, repeat=5, timer=time.process_time)) < 0.005


@pytest.mark.parametrize("name", NAMES)
def test_flat_observations_have_no_mask(name: str) -> None:
    flat, usual = houseway.HousewayEnv(name, flatten=True, illegal="penalty"), houseway.HousewayEnv(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(flat, skip_render_check=True)
    many = houseway.HousewayVectorEnv(name, 3, flatten=True)
    seen, info = flat.reset(seed=2)
    np.testing.assert_array_equal(seen, usual.reset(seed=2)[0]["observation"])
    np.testing.assert_array_equal(info["action_mask"], flat.action_masks())
    rows, info = many.reset(seed=2)
    assert many.observation_space.contains(rows)
    np.testing.assert_array_equal(rows[0], seen)
    for _ in range(30):
        rows, *_, info = many.step(info["action_mask"].argmax(axis=1))
        assert many.observation_space.contains(rows)
        for final in info.get("final_obs", ()):
            assert final is None or many.single_observation_space.contains(final)


def test_ids_are_made_without_an_import() -> None:
    # Gymnasium imports the module before the colon. It doesn't support any other plug-ins.
    script = """import gymnasium, sys
assert "houseway" not in sys.modules
for env_id in sys.argv[1:]:
    env = gymnasium.make(f"houseway:{env_id}")
    env.reset(seed=1)
    gymnasium.make_vec(f"houseway:{env_id}", num_envs=2).reset(seed=1)
print(len(sys.argv[1:]))
"""
    ids = [f"houseway/{versioned}" for versioned in houseway.GAMES.values()]
    told = subprocess.run([sys.executable, "-c", script, *ids], check=True, capture_output=True, text=True).stdout
    assert int(told) == len(ids) > 4


def test_forked_processes_have_threads_of_their_own() -> None:
    houseway.HouseWay().set(cards.deal(5_000, seed=1))  # starts threads in this process
    env = AsyncVectorEnv([lambda: gymnasium.make("houseway/PaiGowPoker-v0")] * 2, context="fork")
    try:
        env.reset(seed=1)
    finally:
        env.close(terminate=True)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=in_fork, args=(queue,))
    process.start()
    try:
        assert queue.get(timeout=60) == expected_in_fork()
    finally:
        process.kill()
        process.join()


def in_fork(queue: object) -> None:
    queue.put(expected_in_fork())


def expected_in_fork() -> tuple[list[int], float]:
    env = houseway.HousewayVectorEnv(num_envs=200, threads=2)
    seen, _ = env.reset(seed=3)
    rewards = env.step(seen["action_mask"].argmax(axis=1))[1]
    return houseway.HouseWay().set(cards.deal(300, seed=1)).tolist(), float(rewards.sum())


def is_option(name: str, key: str, value: int) -> bool:
    try:
        houseway.HousewayEnv(name).reset(options={key: value})
    except ValueError as error:
        assert "unknown field" in str(error)
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_an_illegal_action_never_pays_off(name: str) -> None:
    scales = {"stake": 100, "side_stake": 30, "ante": 100, "trips": 30, "chip": 100, "chips": 20}
    options = {key: value for key, value in scales.items() if is_option(name, key, value)}
    assert options or name == TABLE
    env, many = houseway.HousewayEnv(name, illegal="penalty"), houseway.HousewayVectorEnv(name, 2, illegal="penalty")
    lowest, penalties = 0.0, set()
    for seed in range(100):
        env.reset(seed=seed, options=options)
        over = False
        while not over:
            _, reward, ended, cut, info = env.step(env.action_space.sample())
            assert info["illegal_action"] is False
            lowest, over = min(lowest, reward), ended or cut
        seen, _ = env.reset(seed=seed, options=options)
        if not seen["action_mask"].all():
            _, penalty, *_, info = env.step(int(seen["action_mask"].argmin()))
            assert info["illegal_action"] is True
            many.reset(seed=seed, options=options)
            legal = many.action_masks()
            *_, info = (step := many.step(np.array([legal[0].argmin(), legal[1].argmax()])))
            assert step[1][0] == penalty and info["illegal_action"].tolist() == [True, False]
            penalties.add(penalty)
    assert len(penalties) == 1 or (name in ("asian-stud", "pai-gow-tiles") and not penalties)
    assert not penalties or min(penalties) <= lowest < 0
    if name != TABLE:
        assert not penalties or min(penalties) < 20 * env._core.spec[1]


def test_a_penalty_is_chosen_and_follows_the_stakes_of_each_lane() -> None:
    env = houseway.HousewayEnv(illegal="penalty", penalty=-7)
    seen, _ = env.reset(seed=1, options={"stake": 100})
    assert env.step(int(seen["action_mask"].argmin()))[1] == -7
    for wrong in ({"illegal": "error", "penalty": -1}, {"illegal": "penalty", "penalty": float("nan")}):
        for make in (houseway.HousewayEnv, houseway.HousewayVectorEnv):
            with pytest.raises(ValueError, match="invalid penalty"):
                make(**wrong)
    many = houseway.HousewayVectorEnv(num_envs=3, illegal="penalty", autoreset_mode="Disabled")
    many.reset(seed=1, options={"stake": 2})
    assert many.step(np.full(3, 99))[1].tolist() == [-2, -2, -2]
    many.reset(seed=1, options={"stake": 2})
    chosen = np.array([False, True, False])
    many.step(many.action_masks().argmax(axis=1))
    many.reset(options={"reset_mask": ~chosen})
    many.reset(options={"reset_mask": chosen, "stake": 50})
    assert many.step(np.full(3, 99))[1].tolist() == [-2, -50, -2]


@pytest.mark.parametrize("name", NAMES)
def test_wrappers_of_gymnasium_take_outcomes_and_final_observations(name: str) -> None:
    torch_free = NumpyToLists(gymnasium.make(f"houseway/{houseway.GAMES[name]}"))
    torch_free.reset(seed=1)
    over = False
    while not over:
        *_, terminated, truncated, info = torch_free.step(torch_free.unwrapped.action_space.sample())
        over = terminated or truncated
    if name != TABLE:
        outcome = info["outcome"]
        assert "net" in outcome and isinstance(outcome, Mapping)
    env = DictInfoToList(gymnasium.make_vec(f"houseway/{houseway.GAMES[name]}", num_envs=4))
    seen, _ = env.reset(seed=1)
    finals = 0
    for _ in range(400 if name == TABLE else 30):
        seen, *_, infos = env.step(seen["action_mask"].argmax(axis=1))
        assert len(infos) == 4
        finals += sum("final_obs" in info for info in infos)
        for info in infos:
            if "final_obs" in info:
                assert env.env.single_observation_space.contains(info["final_obs"])
    assert finals


class NumpyToLists(gymnasium.Wrapper):
    """Converts infos in the same way as Gymnasium's wrappers for arrays, which rebuild each mapping as its own type."""

    def step(self, action: object) -> tuple:
        *rest, info = self.env.step(action)
        converted = {key: type(it)(**it) if isinstance(it, Mapping) else it for key, it in info.items()}
        return (*rest, converted)


def test_sizes_are_limited() -> None:
    with pytest.raises(ValueError, match=r"invalid num_envs 1000000000, which need about [0-9,]+ GB"):
        houseway.HousewayVectorEnv(num_envs=10**9)
    for threads in (0, -1, 100_000):
        with pytest.raises(ValueError, match="invalid threads"):
            houseway.HousewayVectorEnv(num_envs=2, threads=threads)


def test_messages_are_in_the_words_of_the_caller() -> None:
    env, many = houseway.HousewayEnv(), houseway.HousewayVectorEnv(num_envs=2)
    env.reset(seed=1)
    many.reset(seed=1)
    table = pettingzoo.env()
    table.reset(seed=1)
    for used, message in (
        (lambda: env.reset(options={"stake": float("nan")}), "invalid stake nan: expected finite numbers"),
        (lambda: env.reset(options={"stake": "much"}), 'stake: invalid type: string "much", expected a number'),
        (lambda: houseway.HousewayEnv(rules=3), "rules: invalid type: integer `3`, expected an object$"),
        (lambda: houseway.HousewayEnv(rules={"joker": True}), "^rules.joker: unknown value 'true'; expected one of half_wild, "),
        (lambda: houseway.HousewayEnv(rules={"joker": ["wild"]}), r"^rules.joker: unknown value '\["),
        (lambda: houseway.HousewayEnv(observation="raw"), "^observation: unknown value 'raw'; did you mean raw-cards. Expected"),
        (lambda: houseway.HousewayEnv(observation=5), "^observation: unknown value '5'; expected one of raw-cards, "),
        (lambda: houseway.HousewayEnv("asian-stud", paytable=5), "^paytable: expected a paytable's name or file"),
        (lambda: houseway.HousewayEnv(TABLE, seat="a"), 'seat: invalid type: string "a", expected an integer of 0 or more'),
        (lambda: houseway.HousewayEnv(TABLE, players={1: {}}), "^players: seat 1 is the agent's"),
        (lambda: houseway.HousewayEnv(TABLE, game_rules={"joker": 1}), "^game_rules.joker: unknown value '1'; expected"),
        (lambda: exact.hand_ev(HAND, rules={"copies": "foo"}), "copies: unknown value 'foo'; expected one of banker, player, "),
        (lambda: exact.Solver("asian-stud", {"joker": 3}), "^invalid rules: joker: unknown value '3'; expected one of one, none"),
        (lambda: exact.Solver("asian-stud", {"jokers": 3}), "^invalid rules: unknown field `jokers`.* .did you mean joker"),
        (lambda: pettingzoo.env(rules={"commission-on-banker": "perbet"}), "^rules.commission-on-banker: unknown value 'perbet'"),
        (lambda: pettingzoo.env(players={3: {"bank": "sometimes"}}), "^players.3.bank: unknown value 'sometimes'; expected one of"),
        (lambda: pettingzoo.env(players={3: {"bets": 5}}), "^players.3: unknown field `bets`"),
        (lambda: pettingzoo.env(players={"x": {}}), "invalid seat 'x' in players"),
        (lambda: env.reset(seed=2**64), "invalid seed 18446744073709551616"),
        (lambda: env.step(-1), "action -1 is illegal"),
        (lambda: env.step(10**30), "action 10{30} is illegal"),
        (lambda: table.step(10**30), "invalid action 10{30}: expected at least"),
        (lambda: exact.solve(shard=(10**20, 10**21)), "invalid shard 10{20} of 10{21}: shards are numbered from 0"),
        (lambda: exact.bank([("trump-plaza", 10**30)]), "invalid bet 10{30}: expected at least"),
        (lambda: many.step(np.array([0, -1])), "lane 1: action -1 is illegal"),
        (lambda: table.step(-1), "action -1 is illegal"),
        (lambda: pettingzoo.env(players={2: {"bet": -5}}), "players: .*-5"),
        (lambda: pettingzoo.env(players={2: 3}), "players.2: invalid type"),
        (lambda: houseway.HouseWay(readings={"a": 3}), "a: invalid type: integer `3`, expected a string"),
        (lambda: exact.bank(["trump-plaza"]), "expected pairs of a strategy and a bet"),
    ):
        with pytest.raises(ValueError, match=message) as caught:
            used()
        assert "line 1" not in str(caught.value)


def test_idle_agents_wait_and_a_session_must_start() -> None:
    fresh = pettingzoo.env()
    for used in (fresh.last, lambda: fresh.step(0)):
        with pytest.raises(AttributeError, match="call reset"):
            used()
    env = pettingzoo.parallel_env(rounds=3)
    seen, _ = env.reset(seed=3)
    idle = 0
    for _ in range(200):
        if not env.agents:
            break
        for agent in env.agents:
            mask = seen[agent]["action_mask"]
            assert mask.any() and (mask == env.action_masks(agent)).all()
            idle += mask.tolist() == [0] * 22 + [1] + [0] * 30
        seen, *_ = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
        assert all(it["action_mask"].any() for it in seen.values())
    assert idle and not env.agents


def test_results_are_shown_in_a_few_lines() -> None:
    audit = houseway.audit(shard=(0, 500))
    answer = exact.Solver("joker-seven").solve()
    assert len(repr(audit)) < 1_500 and len(repr(answer.plots[0])) < 300 and "PaiGowPoker-v0" in repr(houseway.HousewayEnv())
    shown = repr(exact.hand_ev(cards.deal(50, seed=1)))
    assert "50 hands" in shown and len(shown.splitlines()) == 12
    one = exact.hand_ev("As Ad Kh Kc Qs Qd 3c")
    assert f"As Ad | Kh Kc Qs Qd 3c  {one.ev[0, one.best[0]]:+.6f}" in repr(one)
    assert answer._repr_html_().startswith("<pre>") and answer.tables[0].header[0] in answer.tables[0]._repr_html_()
    by_rule = audit.by_rule()
    costliest = by_rule["rule"][by_rule["ev_lost"].argmax()]
    assert costliest in str(audit).splitlines()[3] and f"regret {audit.regret:.6%}" in audit._repr_html_()
    score = exact.Score(audit.counts, audit.best, 0)
    assert f"{audit.best.losses:,}" in str(score) and str(score) in score._repr_html_()
    change = searching.Change("drop", "no pair", None, 0.00025)
    changed = searching.ChangedWay(houseway.HouseWay(), "", Fraction(-1, 40), Fraction(1, 4_000), (change,))
    assert "EV -2.500000%, +0.025000%" in str(changed) and "drop    no pair" in changed._repr_html_()
    way = searching.FoundWay(houseway.HouseWay(), "", Fraction(-1, 40), Fraction(1, 2_000), (), 0.0004, (), None)
    found = houseway.SearchResult("player", ("trump-plaza",), Fraction(-49, 2_000), 0.0001, (way,))
    assert "-2.500000%  0.050000%  0.040000%" in str(found)
    pytest.importorskip("matplotlib")
    assert answer.plots[0]._repr_png_().startswith(b"\x89PNG")


def test_solvers_and_solutions_are_copied() -> None:
    solution = exact.asian_stud.solve({"commission": "none"})
    solver = exact.Solver("pai-gow-poker", dead="Ks")
    for copied in (copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))):
        assert copied(solution).optimal == solution.optimal
        hand = "As Ad Kh Kc Qs Qd 3c"
        assert dict(copied(solver).value(hand)) == dict(solver.value(hand))


def test_choices_are_not_changed_silently_in_other_games() -> None:
    decisions = exact.ultimate_holdem.hand_ev("Kh 8c", "8d 5s 2h")
    for wrong, error in (([1.7], TypeError), ([-1], ValueError), ([0, 1], ValueError), ([9], ValueError)):
        with pytest.raises(error):
            decisions.regret(np.array(wrong))
    assert decisions.regret(np.array([True])) == decisions.regret(np.array([1]))
    solution = exact.asian_stud.solve()
    with pytest.raises(TypeError, match="must be bool"):
        solution.total(solution.raises.astype(float))


SOLVE = "houseway.exact.classes(); houseway.exact.solve()"


@pytest.mark.parametrize(
    ("call", "wait", "limit"),
    [
        (SOLVE, 0.0, 60),
        (SOLVE, 0.3, 60),
        ("houseway.search()", 1, 60),
        ("houseway.exact.banking.joint('As Ad Kh Kc Qs Qd 3c', 0)", 1, 5),
        ("houseway.exact.hand_ev(houseway.cards.deal(1, 1).repeat(100_000, axis=0))", 1, 5),
    ],
)
def test_a_long_computation_is_interrupted(call: str, wait: float, limit: float) -> None:
    # A child of a background job ignores interrupts unless it asks for them.
    handle = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{handle}; import houseway; houseway.HouseWay(); print('ready', flush=True); {call}"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    threads = {**os.environ, "RAYON_NUM_THREADS": "2"}  # so that the time before the interrupt doesn't grow with the machine
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, "-c", script], **pipes, text=True, env=threads)
    process.stdout.readline()
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    # Processor time, which other processes don't affect. The last two results take several times as much.
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    assert "KeyboardInterrupt" in errors and "Panic" not in errors and used < limit, errors


@pytest.mark.parametrize("make", [gymnasium.make, lambda name: gymnasium.make_vec(name, num_envs=2)])
def test_a_refused_reset_keeps_the_seed(make):
    env = make("houseway/PaiGowPoker-v0").unwrapped
    env.reset(seed=1)
    with pytest.raises(ValueError, match="stake"):
        env.reset(seed=99, options={"stake": -1})
    assert env.np_random_seed == 1


@pytest.mark.parametrize("make", [houseway.HousewayEnv, lambda: houseway.HousewayVectorEnv(num_envs=2), pettingzoo.env])
def test_seeds_are_integers_of_any_type(make):
    one, other = make(), make()
    for seed in (np.int64(8), np.uint8(9), True):
        started = [env.reset(seed=of) for env, of in ((one, seed), (other, int(seed)))]
        assert repr(started[0]) == repr(started[1])
        assert type(one.np_random_seed) is int and one.np_random_seed == seed
    penalized = houseway.HousewayEnv(illegal="penalty")
    seen, _ = penalized.reset(seed=np.int64(8))
    assert penalized.step(int(seen["action_mask"].argmin()))[1] == -1


def test_settings_are_given_once():
    env = gymnasium.make("houseway/PaiGowPoker-v0")
    with pytest.raises(ValueError, match="given twice"):
        env.reset(options={"side_stake": 1, "side-stake": 7})
    with pytest.raises(ValueError, match="given twice"):
        pettingzoo.parallel_env(players={3: {"bet": 60}, "3": {"bet": 100}})
    with pytest.raises(TypeError, match="seat numbers"):
        pettingzoo.parallel_env(bankrolls={1.0: 2000, 2.5: 700}).reset(seed=1)
    # A text may contain any words.
    text = houseway.built_in_ways()["houseway-4"].replace("Houseway's 4 rules", "Infinity NaN Casino")
    gymnasium.make("houseway/PaiGowPoker-v0", banker=houseway.HouseWay(text))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gymnasium.make("houseway/UltimateHoldem-v0", hindsight=True), "rewards of all actions"),
        (lambda: gymnasium.make("houseway/AsianStud-v0", flatten="no"), "invalid flatten 'no': expected True or False"),
        (lambda: gymnasium.make_vec("houseway/AsianStud-v0", copy="no"), "invalid copy 'no'"),
        (lambda: exact.hand_ev(None), "invalid cards None: expected"),
        (lambda: exact.hand_ev(HAND).exact(0, -1), "expected 0 to 20"),
        (lambda: exact.hand_ev(HAND).exact(-1, 0), "invalid hand -1: expected 0 to 0"),
        (lambda: exact.banking.joint(HAND, -1), "expected 0 to 20"),
        (lambda: exact.bank([("trump-plaza", "x")]), "invalid bet 'x': expected an integer"),
        (lambda: exact.bank(None), "invalid bets None"),
        (lambda: exact.side_bet(seats=-1), "invalid number of seats -1: expected 1 to 15"),
        (lambda: exact.Solver("asian-stud").evaluate(None), "invalid policies None"),
        (lambda: exact.Solver("asian-stud").evaluate({}, sample=0), "invalid sample 0"),
        (lambda: exact.Solver("asian-stud").evaluate({}, seed=-1), "invalid seed -1"),
        (lambda: exact.Solver("asian-stud").evaluate({"mine": 3}), "invalid policy 'mine': expected a function"),
        (lambda: exact.Solver("asian-stud", rules=3), "invalid rules 3: expected a mapping"),
        (lambda: exact.Solver("asian-stud").value(None), "invalid hand None: expected a text"),
        (lambda: exact.Solver(None), "invalid game None: expected a text"),
        (lambda: houseway.HousewayEnv(5), "invalid game 5: expected a text"),
        (lambda: houseway.HousewayEnv("baccarat"), "baccarat"),
        (lambda: houseway.HousewayEnv(banker="nobody"), "nobody"),
        (lambda: houseway.HousewayEnv(readings={"no": "way"}), "unknown reading"),
        (lambda: exact.hand_ev(HAND, dead=["Ks"]), r"invalid dead \['Ks'\]: expected a text"),
        (lambda: cards.parse(5), "invalid hand 5: expected a text"),
        (lambda: exact.bank([("trump-plaza", 100)], rules=[1]), r"invalid rules \[1\]: expected a mapping"),
        (lambda: exact.solve(rules={1: 2}), "invalid rules {1: 2}: expected a mapping with names"),
        (lambda: exact.ultimate_holdem.solve(rules=3), "invalid rules 3"),
        (lambda: exact.asian_stud.solve(3), "invalid rules 3"),
        (lambda: houseway.HouseWay(rules=3), "invalid rules 3"),
        (lambda: houseway.HouseWay(readings=3), "invalid readings 3"),
        (lambda: houseway.HouseWay(None), "invalid house way None: expected a name"),
        (lambda: exact.Solver("asian-stud").evaluate({}, reset_options=3), "invalid reset_options 3"),
        (lambda: exact.solve(shard=3), "invalid shard 3: expected two integers"),
        (lambda: houseway.audit(shard=(0, 1.5)), r"invalid shard \(0, 1.5\)"),
        (lambda: exact.ultimate_holdem.simple_regret(10, seed=-1), "invalid seed -1"),
        (lambda: houseway.HousewayEnv(illegal="penalty", penalty="x"), "invalid penalty 'x': expected a finite number"),
        (lambda: houseway.HousewayEnv().reset(seed=1.5), "invalid seed 1.5: expected an integer"),
        (lambda: houseway.HousewayVectorEnv(num_envs="x"), "invalid num_envs 'x': expected an integer"),
        (lambda: houseway.HousewayVectorEnv(num_envs=2).reset(seed=[1, 2]), r"invalid seed \[1, 2\]: .*which seeds all lanes"),
        (lambda: pettingzoo.env(players=[1, 2]), r"invalid players \[1, 2\]: expected a mapping from seat numbers"),
        (lambda: pettingzoo.env(players=dict.fromkeys(range(1, 7), {})), "no seat is left for an agent"),
        (lambda: pettingzoo.env(rounds=0), "invalid rounds 0: expected 1 to 1000000"),
        (lambda: pettingzoo.parallel_env(rounds=-1), "invalid rounds -1"),
        (lambda: pettingzoo.env(rounds=1.5), "invalid rounds 1.5: expected an integer"),
        (lambda: pettingzoo.env(bankrolls=[-1]), "invalid bankroll -1"),
        (lambda: pettingzoo.env(bankrolls="abc"), "invalid bankrolls 'abc'"),
        (lambda: exact.ultimate_holdem.hand_ev("Kh 8c", "8d 5s 2h").exact(0, "play4"), "'play4': expected one of check, play2, or"),
        (lambda: exact.ultimate_holdem.hand_ev("Kh 8c", "8d 5s 2h").exact(0, 2), "unknown action 2: expected one of check, play2"),
        (lambda: exact.ultimate_holdem.hand_ev("Kh 8c", "8d 5s 2h").exact(-1, 0), "invalid position -1: expected 0 to 0"),
        (lambda: exact.joker_seven.count().exact_ev(99), "unknown wager 99: expected one of 4"),
        (lambda: exact.solve(rules={"x": 1}), "^game rules: unknown field `x`"),
        (lambda: exact.hand_ev(HAND, rules={"commission": "1/3"}), "^game rules: commission: invalid rate"),
        (lambda: houseway.search(game_rules={"x": 1}), "^game rules: unknown field `x`"),
        (lambda: exact.score(lambda batch: batch.legal.argmax(axis=1), size=0), "^invalid size 0: expected 1 or more"),
        (lambda: houseway.tables.StrategyTable(np.full((exact.PROFILES, 21), 8_192)), "expected 0 to 4096, found 8192 to 8192"),
        (lambda: exact.scores("foxwoods"), "invalid policies 'foxwoods': expected a list of strategies"),
        (lambda: exact.scores(houseway.HouseWay()), "invalid policies HouseWay.*: expected a list"),
        (lambda: exact.Solver("asian-stud").evaluate({1: len}), "invalid policies {1: .*: expected functions by name"),
        (lambda: exact.hand_ev(np.array(5)), r"invalid cards array\(5\): expected an array"),
        (lambda: houseway.HousewayEnv(rules={"commission": np.array([0.1])}), "invalid rules .*: expected numbers.* not ndarray"),
        (lambda: houseway.HousewayEnv().reset(options={"hand": cards.deal(2, 1)}), "(?s)invalid hand .*: expected numbers, str"),
        (lambda: houseway.HousewayEnv().reset(options={1: 0}), "invalid options {1: 0}: expected a mapping with names"),
        (lambda: houseway.HousewayVectorEnv().reset(options={1: 0}), "invalid options {1: 0}"),
        (lambda: pettingzoo.env().reset(options={1: 0}), "invalid options {1: 0}"),
        (lambda: cards.front_and_back([2, 7, 20, 21, 45, 51, 52], 0), "not in the fixed order.*cards.in_order"),
        (lambda: cards.front_and_back([[52, 51, 45, 21, 20, 7, 2]] * 2, 0), "expected one hand, found 2"),
        (lambda: cards.text([54]), "54 is not a card number: cards are 0 to 52, and 53 is the second joker"),
        (lambda: exact.Solver("asian-stud").evaluate({}, reset_options={"players": 3}), "remove the reset options"),
        (lambda: exact.Solver("pai-gow-tiles").evaluate({}, reset_options={"foo": 3}), "remove the reset options"),
    ],
)
def test_nonsense_is_refused_with_its_name(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("way", lambda best: houseway.audit(best)),
        ("opponent", lambda best: houseway.audit(opponent=best)),
        (r"policies\[0\]", lambda best: exact.score(best)),
        ("banker", lambda best: exact.score("trump-plaza", best)),
        (r"bets\[0\]", lambda best: exact.bank([(best, 100)])),
        ("way", lambda best: exact.bank([("trump-plaza", 100)], way=best)),
        ("banker", lambda best: exact.hand_ev(HAND, best)),
        ("banker", lambda best: exact.best_settings(best)),
        ("first", lambda best: exact.banking.joint(HAND, 0, best)),
        ("banker", lambda best: gymnasium.make("houseway/PaiGowPoker-v0", banker=best)),
        ("dealer", lambda best: houseway.HousewayEnv("face-up-pai-gow", dealer=best)),
        ("house_way", lambda best: houseway.HousewayEnv(TABLE, house_way=best)),
        ("seat 3", lambda best: pettingzoo.env(players={3: {"way": best}})),
        ("banker", lambda best: houseway.search(banker=best)),
        ("fix", lambda best: houseway.search(fix=best)),
        ("", lambda best: houseway.HouseWay(best)),
        ("", lambda best: houseway.tables.StrategyTable(best)),
    ],
)
def test_the_best_response_is_only_taken_where_it_is_computed(name, call):
    words = "'optimal' is the best response to the other side, which only exact.solve, .* take: expected a"
    with pytest.raises(ValueError, match=f"^{name}{': ' * bool(name)}{words}"):
        call(exact.OPTIMAL)


def test_the_hand_of_an_episode_is_a_text_or_card_numbers():
    for make in (houseway.HousewayEnv, houseway.HousewayVectorEnv):
        hands = (HAND, cards.parse(HAND), cards.parse(HAND).tolist())
        shown = [make().reset(seed=1, options={"hand": hand})[0]["observation"].tolist() for hand in hands]
        assert shown[0] == shown[1] == shown[2]


def test_seats_are_integers_of_any_type():
    for seat in (np.int64(3), "3"):
        assert pettingzoo.env(players={seat: {"bet": 60}})._config == pettingzoo.env(players={3: {"bet": 60}})._config
        assert houseway.HousewayEnv(TABLE, players={seat: {}}).rules_hash == houseway.HousewayEnv(TABLE, players={3: {}}).rules_hash


def test_results_are_only_added_to_their_kind():
    part, more = (houseway.audit(shard=(i, 2_000)) for i in (0, 1))
    assert sum([part, more]) == part + more and sum([part.counts, more.counts]) == part.counts + more.counts
    for result in (part, part.counts, part.groups[0], houseway.auditing.Change(1, 1, 0, 5)):
        with pytest.raises(TypeError, match="unsupported operand"):
            result + 1
        with pytest.raises(TypeError, match="unsupported operand"):
            1 + result


def test_no_hands_have_no_results():
    for none in ([], np.zeros((0, 7), int)):
        assert exact.hand_ev(none).ev.shape == (0, 21) and houseway.tables.is_held_out(none).shape == (0,)
        assert houseway.HouseWay().set(none).shape == (0,)


def test_environments_take_the_names_that_gymnasium_uses():
    names = [name for name in gymnasium.registry if name.startswith("houseway/")]
    assert len(names) == len(NAMES)
    for name in names:
        env = houseway.HousewayEnv(name)
        assert repr(env) == f"HousewayEnv({name.removeprefix('houseway/')!r})"
        assert houseway.HousewayVectorEnv(name, 2).single_observation_space == env.observation_space


def test_a_policy_cannot_have_the_name_of_a_baseline():
    with pytest.raises(ValueError, match="names of baselines"):
        exact.Solver("asian-stud").evaluate({"optimum": lambda seen, _: np.zeros(len(seen), int)})


def test_cards_of_frames_are_integers_of_any_type():
    solver = exact.Solver("asian-stud")
    frames = [solver.frame("hands", cards=np.array([[4, 3, 2, 1, 0]], kind)) for kind in (np.uint8, np.int32, np.int64)]
    columns = [{name: values.tolist() for name, values in frame.items()} for frame in frames]
    assert columns[0] == columns[1] == columns[2]
    with pytest.raises(ValueError, match="row 0 of cards has"):
        solver.frame("hands", cards=np.array([[4, 3, 2, 1, 300]]))


def test_one_sampled_deal_has_no_standard_error():
    assert np.isnan(houseway.exact.banking.bank([("trump-plaza", 100)] * 2).sample(1).standard_error)
