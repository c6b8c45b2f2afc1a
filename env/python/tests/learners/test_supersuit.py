"""Tests that SuperSuit can copy environments in this process and to others."""

import gymnasium
import numpy as np
import pytest

supersuit = pytest.importorskip("supersuit")
pytest.importorskip("pettingzoo")

from houseway import pettingzoo  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # from SuperSuit


@pytest.mark.parametrize("processes", [False, True])
def test_single_environments_side_by_side(processes: bool) -> None:
    env = gymnasium.make("houseway/PaiGowPoker-v0", flatten=True, illegal="lowest_legal", observation="raw-cards")
    many = supersuit.gym_vec_env_v0(env, 2, multiprocessing=processes)
    many.reset(seed=1)
    observations, *_ = many.step(np.array([0, 20]))
    assert observations.shape == (2, 7)
    many.close()


@pytest.mark.parametrize("cpus", [0, 2])
def test_tables_are_concatenated(cpus: int) -> None:
    table = supersuit.pettingzoo_env_to_vec_env_v1(pettingzoo.parallel_env(rounds=3))
    many = supersuit.concat_vec_envs_v1(table, 2, num_cpus=cpus, base_class="gymnasium")
    alone = [pettingzoo.parallel_env(rounds=3) for _ in range(2)]
    try:
        seen, _ = many.reset(seed=7)
        expected = [env.reset(seed=7 + i)[0] for i, env in enumerate(alone)]
        assert seen["observation"].shape == (12, 127)
        for _ in range(25):
            actions = seen["action_mask"].argmax(axis=1)
            rows = iter(range(12))
            results = []
            for env, shown in zip(alone, expected):
                for agent in env.possible_agents:
                    row = next(rows)
                    np.testing.assert_array_equal(seen["observation"][row], shown[agent]["observation"])
                first = row - 5
                results.append(env.step({agent: int(actions[first + i]) for i, agent in enumerate(env.possible_agents)}))
            seen, rewards, *_ = many.step(actions)
            assert rewards.tolist() == [result[1][agent] for env, result in zip(alone, results) for agent in env.possible_agents]
            expected = [result[0] if env.agents else env.reset()[0] for env, result in zip(alone, results)]
    finally:
        many.close()
