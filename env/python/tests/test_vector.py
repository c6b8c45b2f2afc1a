"""Tests for vector environments. Lanes behave like single environments and are reset in the same step, and buffers are
only shared on request."""

import gymnasium
import houseway
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

NAMES = list(houseway._core.GAMES)


@pytest.mark.parametrize("name", NAMES)
def test_make_vec_gives_a_vector_env(name: str) -> None:
    env = gymnasium.make_vec(f"houseway/{houseway.GAMES[name]}", num_envs=5, vectorization_mode="vector_entry_point")
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    for _ in range(20):
        actions = env.action_space.sample()
        assert (observation["action_mask"][np.arange(5), actions] == 1).all()
        observation, reward, terminated, truncated, _ = env.step(actions)
        assert env.observation_space.contains(observation)
        assert reward.shape == terminated.shape == truncated.shape == (5,)


@pytest.mark.parametrize("name", NAMES)
def test_lane_0_is_the_single_environment(name: str) -> None:
    many, one = houseway.HousewayVectorEnv(name, 3), houseway.HousewayEnv(name)
    batch, _ = many.reset(seed=11)
    single, _ = one.reset(seed=11)
    for _ in range(50):
        np.testing.assert_array_equal(batch["observation"][0], single["observation"])
        actions = np.array([np.flatnonzero(mask)[-1] for mask in batch["action_mask"]])
        batch, rewards, terminated, truncated, info = many.step(actions)
        single, reward, over, cut, _ = one.step(int(actions[0]))
        assert (np.float32(reward), over, cut) == (np.float32(rewards[0]), terminated[0], truncated[0])
        if over or cut:
            assert info["_final_obs"][0]
            np.testing.assert_array_equal(info["final_obs"][0]["observation"], single["observation"])
            single, _ = one.reset()


def test_copies_and_views() -> None:
    copies = houseway.HousewayVectorEnv(num_envs=64)
    views = houseway.HousewayVectorEnv(num_envs=64, copy=False)
    (a, _), (b, _) = copies.reset(seed=2), views.reset(seed=2)
    kept = a["observation"].copy()
    for _ in range(5):
        np.testing.assert_array_equal(a["observation"], b["observation"])
        actions = a["action_mask"].argmax(axis=1)
        again, *_ = views.step(actions)
        assert np.shares_memory(again["observation"], b["observation"])
        assert not again["observation"].flags.writeable
        before = a
        a, *_ = copies.step(actions)
        assert not np.shares_memory(a["observation"], before["observation"])
    assert (kept != a["observation"]).any()


def test_views_outlive_the_environment() -> None:
    observation, _ = houseway.HousewayVectorEnv(num_envs=8, copy=False).reset(seed=4)
    expected, _ = houseway.HousewayVectorEnv(num_envs=8).reset(seed=4)
    np.testing.assert_array_equal(observation["observation"], expected["observation"])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_nothing(threads: int) -> None:
    def rewards(threads: int | None) -> np.ndarray:
        env = houseway.HousewayVectorEnv(num_envs=300, threads=threads, observation="raw-cards")
        observation, _ = env.reset(seed=7)
        all_rewards = []
        for _ in range(10):
            observation, reward, *_ = env.step(observation["action_mask"].argmax(axis=1))
            all_rewards.append(reward)
        return np.array(all_rewards)

    np.testing.assert_array_equal(rewards(threads), rewards(None))


def test_a_refused_action_moves_no_lane() -> None:
    env = houseway.HousewayVectorEnv(num_envs=4)
    with pytest.raises(ValueError, match="call reset"):
        env.step(np.zeros(4, np.int64))
    before, _ = env.reset(seed=1)
    good = before["action_mask"].argmax(axis=1)
    for bad in (99, -1):
        actions = good.copy()
        actions[2] = bad
        with pytest.raises(ValueError, match="lane 2"):
            env.step(actions)
    with pytest.raises(ValueError, match="expected 4 actions, one per lane, found 3"):
        env.step(good[:3])
    with pytest.raises(ValueError, match="at least one lane"):
        houseway.HousewayVectorEnv(num_envs=0)
    after, *_ = env.step(good)
    assert (before["observation"] != after["observation"]).any()
