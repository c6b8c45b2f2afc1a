"""Tests RLlib's PPO with flat observations, where illegal actions are replaced."""

import gymnasium
import houseway
import numpy as np
import pytest

ray = pytest.importorskip("ray")
ppo = pytest.importorskip("ray.rllib.algorithms.ppo")
registry = pytest.importorskip("ray.tune.registry")

pytestmark = pytest.mark.filterwarnings("ignore")  # from Ray


def make(config: dict) -> gymnasium.Env:
    """Makes a worker's environment."""
    return houseway.HousewayEnv(**config)


def test_ppo_trains() -> None:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    try:
        registry.register_env("houseway", make)
        config = ppo.PPOConfig().environment(
            "houseway", env_config={"flatten": True, "illegal": "penalty", "observation": "ranks-and-suits"}
        )
        config = config.env_runners(num_env_runners=0, num_envs_per_env_runner=4)
        config = config.training(train_batch_size=256, minibatch_size=64, num_epochs=1)
        algorithm = config.build_algo()
        result = algorithm.train()
        assert np.isfinite(result["env_runners"]["episode_return_mean"])
        algorithm.stop()
    finally:
        ray.shutdown()
