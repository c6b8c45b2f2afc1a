"""Tests for vector environments. Lanes behave like single environments and are reset in the same step, and buffers are
only shared on request."""

import copy
import pickle

import gymnasium
import houseway
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

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
    for illegal in ("error", "lowest_legal", "penalty"):
        other = houseway.HousewayVectorEnv(num_envs=4, illegal=illegal)
        other.reset(seed=1)
        for wrong in (good[:3], good[:, None], good[0]):
            with pytest.raises(ValueError, match=r"invalid actions of shape .*: expected \(4,\), one per lane"):
                other.step(wrong)
        with pytest.raises(ValueError, match=r"invalid reset_mask of shape \(1, 4\)"):
            other.reset(options={"reset_mask": np.ones((1, 4), bool)})
    with pytest.raises(TypeError, match="expected an array of bool"):
        env.reset(options={"reset_mask": np.arange(4)})
    with pytest.raises(ValueError, match="lane 0: action 9223372036854775807 is illegal"):
        env.step(np.full(4, 2**63, np.uint64))
    with pytest.raises(ValueError, match="at least one lane"):
        houseway.HousewayVectorEnv(num_envs=0)
    assert houseway.HousewayVectorEnv(num_envs=np.int64(2)).num_envs == 2 and houseway.HousewayVectorEnv(num_envs=True).num_envs == 1
    after, *_ = env.step(good)
    assert (before["observation"] != after["observation"]).any()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("copied", [True, False])
def test_every_mode_of_autoreset_shows_the_same_episodes(name: str, copied: bool) -> None:
    same = houseway.HousewayVectorEnv(name, 5)
    envs = [houseway.HousewayVectorEnv(name, 5, copy=copied, autoreset_mode=mode) for mode in ("NextStep", "Disabled")]
    assert [env.autoreset_mode for env in envs] == [AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED]
    assert all(env.metadata["autoreset_mode"] is env.autoreset_mode for env in envs)
    def record(env: houseway.HousewayVectorEnv) -> list[list[tuple]]:
        """Returns the observations and rewards of every lane's episodes."""
        lanes: list[list[tuple]] = [[] for _ in range(5)]
        seen, _ = env.reset(seed=3)
        over = np.zeros(5, bool)
        for _ in range(60):
            shown = seen["observation"].copy()
            actions = np.array([np.flatnonzero(mask)[-1] for mask in seen["action_mask"]])
            if env.autoreset_mode is AutoresetMode.DISABLED and over.any():
                with pytest.raises(ValueError, match="episode is over"):
                    env.step(actions)
                seen, _ = env.reset(options={"reset_mask": over})
                np.testing.assert_array_equal(seen["observation"][~over], shown[~over])
                over = np.zeros(5, bool)
                continue
            seen, rewards, ended, cut, info = env.step(actions)
            before, over = over, ended | cut
            for lane in range(5):
                if env.autoreset_mode is AutoresetMode.NEXT_STEP and before[lane]:
                    assert rewards[lane] == 0 and not over[lane]
                    continue
                final = seen["observation"][lane]
                if over[lane] and env.autoreset_mode is AutoresetMode.SAME_STEP:
                    final = info["final_obs"][lane]["observation"]
                    assert info["final_obs"][lane]["action_mask"].all()
                elif over[lane]:
                    assert seen["action_mask"][lane].all()
                lanes[lane].append((shown[lane].tobytes(), float(rewards[lane]), final.tobytes()))
        return lanes

    expected = record(same)
    for env in envs:
        for lane, other in zip(expected, record(env)):
            assert len(other) > 5 and lane[: len(other)] == other


def test_gymnasium_wrappers_of_vectors_work() -> None:
    env = gymnasium.make_vec("houseway/PaiGowPoker-v0", num_envs=4, autoreset_mode="NextStep", observation="raw-cards")
    env = RecordEpisodeStatistics(env)
    env.reset(seed=1)
    episodes = 0
    for _ in range(10):
        *_, info = env.step(env.action_space.sample())
        episodes += int(info["_episode"].sum()) if "episode" in info else 0
    assert episodes == 20


def test_what_is_returned_stays_as_it_is() -> None:
    env, twin = houseway.HousewayVectorEnv("ultimate-holdem", 40), houseway.HousewayVectorEnv("ultimate-holdem", 40)
    kept = []
    seen, _ = env.reset(seed=5)
    other, _ = twin.reset(seed=5)
    for _ in range(30):
        kept.append((seen["observation"], other["observation"].copy()))
        actions = seen["action_mask"].argmax(axis=1)
        seen, rewards, *_, info = env.step(actions)
        other, *_, twin_info = twin.step(actions)
        if "final_obs" in info:
            pairs = zip(info["final_obs"], twin_info["final_obs"])
            kept += [(one["observation"], other["observation"].copy()) for one, other in pairs if one is not None]
    for found, expected in kept:
        np.testing.assert_array_equal(found, expected)
    actions = seen["action_mask"].argmax(axis=1)
    with pytest.raises(ValueError, match="lane 3"):
        env.step(np.where(np.arange(40) == 3, 99, actions))
    np.testing.assert_array_equal(seen["observation"], other["observation"])


def advance(env: houseway.HousewayVectorEnv, over: np.ndarray) -> tuple[np.ndarray, list]:
    """Samples a step, or resets the lanes whose episode is over. Returns the lanes that are over afterwards, and all
    results."""
    if env.autoreset_mode is AutoresetMode.DISABLED and over.any():
        seen, info = env.reset(options={"reset_mask": over})
        return np.zeros_like(over), [seen["observation"].tobytes(), info["action_mask"].tobytes()]
    actions = env.action_space.sample()
    seen, rewards, ended, cut, info = env.step(actions)
    shown = [actions, seen["observation"], info["action_mask"], rewards, ended, cut]
    if "final_obs" in info:
        finals = info["final_obs"]
        rows = [it["observation"] for it in finals if it is not None] if env._copy else finals["observation"][info["_final_obs"]]
        shown.append(np.array(rows))
    return ended | cut, [it.tobytes() for it in shown]


@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
@pytest.mark.parametrize("name", NAMES)
def test_vectors_continue_from_the_same_state(name: str, mode: str) -> None:
    for copied in (True, False):
        env = houseway.HousewayVectorEnv(name, 6, copy=copied, autoreset_mode=mode)
        unused = pickle.loads(pickle.dumps(env))
        np.testing.assert_array_equal(unused.reset(seed=2)[0]["observation"], env.reset(seed=2)[0]["observation"])
        env.action_space.seed(1)
        over = np.zeros(6, bool)
        for _ in range(12):
            copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
            np.testing.assert_array_equal(copies[1].action_masks(), env.action_masks())
            before = over
            over, shown = advance(env, before)
            for other in copies:
                assert advance(other, before)[1] == shown
    with pytest.raises(ValueError, match="state"):
        env._core.set_state("{}")
