"""Tests with Stable-Baselines3 and sb3-contrib. They cover the vector environment adapter, masks, training and worker
processes."""

from typing import Any

import gymnasium
import houseway
import numpy as np
import pytest

pytest.importorskip("stable_baselines3")
contrib = pytest.importorskip("sb3_contrib")

from houseway.sb3 import HousewayVecEnv  # noqa: E402
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported  # noqa: E402
from stable_baselines3 import A2C, DQN, PPO  # noqa: E402
from stable_baselines3.common.env_checker import check_env  # noqa: E402
from stable_baselines3.common.vec_env import SubprocVecEnv, VecMonitor  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # from other packages

NAMES = list(houseway.GAMES)


@pytest.mark.parametrize("flatten", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_lanes_play_what_single_environments_play(name: str, flatten: bool) -> None:
    many = HousewayVecEnv(name, 3, flatten=flatten, seed=5)
    one = houseway.HousewayEnv(name, flatten=flatten)
    assert many.observation_space == one.observation_space and many.action_space == gymnasium.spaces.Discrete(one.action_space.n)
    batch, (single, _) = many.reset(), one.reset(seed=5)
    ended = 0
    for _ in range(40):
        for key in (None,) if flatten else ("observation", "action_mask"):
            lane = batch[0] if key is None else batch[key][0]
            np.testing.assert_array_equal(lane, single if key is None else single[key])
        masks = get_action_masks(many)
        np.testing.assert_array_equal(masks[0], one.action_masks())
        actions = masks.argmax(axis=1)
        batch, rewards, dones, infos = many.step(actions)
        single, reward, terminated, truncated, _ = one.step(int(actions[0]))
        assert rewards.dtype == np.float32 and rewards[0] == np.float32(reward)
        assert dones[0] == (terminated or truncated)
        assert infos[0]["TimeLimit.truncated"] == (truncated and not terminated)
        assert [("terminal_observation" in info) for info in infos] == dones.tolist()
        if dones[0]:
            last = infos[0]["terminal_observation"]
            assert many.observation_space.contains(last)
            np.testing.assert_array_equal(last if flatten else last["observation"], single if flatten else single["observation"])
            single, _ = one.reset()
            ended += 1
    assert ended or name == "pai-gow-table"


def test_attributes_methods_and_options_of_lanes() -> None:
    env = HousewayVecEnv("pai-gow-poker", 4, render_mode="ansi", observation="raw-cards")
    assert is_masking_supported(env) and not env.has_attr("frameskip")
    env.set_options({"stake": 5})
    first = env.reset()
    masks = env.env_method("action_masks", indices=[1, 3])
    assert len(masks) == 2
    np.testing.assert_array_equal(masks[1], env.get_attr("action_masks", indices=3)[0]())
    assert env.get_attr("action_space") == [env.action_space] * 4
    assert all("player" in text for text in env.env_method("render"))
    best = np.array(env.env_method("hindsight_action_rewards")).max(axis=1)
    assert set(np.unique(best)) <= {-5.0, 0.0, 4.75}
    with pytest.raises(AttributeError, match="lanes have no method 'cards'"):
        env.env_method("cards")
    with pytest.raises(ValueError, match="only some lanes"):
        env.set_attr("render_mode", None, indices=1)
    env.set_attr("render_mode", None)
    assert env.env_method("render") == [None] * 4 and env.env_is_wrapped(gymnasium.Wrapper) == [False] * 4
    env.set_options([{"stake": 1}, {"stake": 2}, {}, {}])
    with pytest.raises(ValueError, match="different options"):
        env.reset()
    env.set_options()
    env.seed(3)
    again = env.reset()
    assert (first != again).any()
    env.seed(3)
    np.testing.assert_array_equal(env.reset(), again)
    with pytest.raises(RuntimeError, match="call step_async"):
        env.step_wait()
    images = HousewayVecEnv("joker-seven", 2, render_mode="rgb_array")
    images.reset()
    assert images.render().ndim == 3
    env.close()


def test_observations_stay_as_they_are() -> None:
    env = HousewayVecEnv("pai-gow-poker", 20, seed=1)
    kept = [env.reset()]
    copies = [kept[0].copy()]
    for _ in range(10):
        observations, _, _, infos = env.step(get_action_masks(env).argmax(axis=1))
        kept += [observations, *(info["terminal_observation"] for info in infos)]
        copies += [observations.copy(), *(info["terminal_observation"].copy() for info in infos)]
    for found, expected in zip(kept, copies):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_accepts_every_game(name: str) -> None:
    for flatten in (True, False):
        check_env(houseway.HousewayEnv(name, illegal="penalty", flatten=flatten), skip_render_check=True)


@pytest.mark.parametrize("algorithm", [PPO, A2C, DQN])
def test_learners_without_masks_train(algorithm: Any) -> None:
    env = VecMonitor(HousewayVecEnv("pai-gow-poker", 8, observation="ranks-and-suits", illegal="penalty"))
    more = {"learning_starts": 50} if algorithm is DQN else {"n_steps": 8}
    model = algorithm("MlpPolicy", env, seed=1, device="cpu", **more)
    model.learn(256)
    assert model.num_timesteps >= 256 and model.ep_info_buffer[-1]["l"] == 1


@pytest.mark.parametrize(("policy", "flatten"), [("MlpPolicy", True), ("MultiInputPolicy", False)])
def test_maskable_ppo_plays_legal_actions(policy: str, flatten: bool) -> None:
    env = HousewayVecEnv("ultimate-holdem", 16, flatten=flatten)  # raises an error for illegal actions
    model = contrib.MaskablePPO(policy, env, n_steps=16, batch_size=64, seed=1, device="cpu")
    model.learn(1024)
    assert model.num_timesteps == 1024


def made(name: str, rank: int) -> Any:
    """Returns a function that makes an environment in another process."""

    def make() -> gymnasium.Env:
        env = gymnasium.make(f"houseway:houseway/{houseway.GAMES[name]}", illegal="lowest_legal", flatten=True)
        env.reset(seed=rank)
        return env

    return make


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_worker_processes(method: str) -> None:
    houseway.HouseWay().set(houseway.cards.deal(5_000, seed=1))  # starts threads in this process
    env = SubprocVecEnv([made("pai-gow-poker", rank) for rank in range(2)], start_method=method)
    try:
        env.seed(3)
        first = env.reset()
        masks = get_action_masks(env)
        assert masks.shape == (2, 21)
        observations, rewards, dones, _ = env.step(masks.argmax(axis=1))
        assert dones.all() and observations.shape == first.shape
        alone = houseway.HousewayEnv(flatten=True)
        np.testing.assert_array_equal(first[0], alone.reset(seed=3)[0])
        assert rewards[0] == np.float32(alone.step(int(masks[0].argmax()))[1])
    finally:
        env.close()
