"""Trains MaskablePPO (sb3-contrib) on Pai Gow Poker and evaluates the learned policy exactly.

    pip install ".[sb3]"        # in the folder of the package
    python examples/maskable_ppo.py --steps 600000 --seed 1 --out results/sb3

First, Stable-Baselines3's `check_env` checks the environment. The agent then learns only from rewards, where each
episode is one deal that is won, pushed or lost. Its network scores each of the 21 settings with shared weights, given a
setting's 70 features. The mask excludes fouls. Finally, the policy sets one hand from each of the 6,972,147 classes,
which gives its exact EV and regret over all 8,250,459,031,214,400 deals.

Training is deterministic on a given machine with fixed versions, because torch uses a single thread.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import houseway
import numpy as np
import torch
from gymnasium.spaces import Box
from houseway import exact
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

ENVIRONMENT = "houseway/PaiGowPoker-v0"
SETTINGS, FEATURES, CONTEXT = 21, 70, 18
ENVIRONMENTS = 16


class OnlyObservation(gymnasium.ObservationWrapper):
    """Removes the mask from the observation. MaskablePPO gets it from `action_masks`."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        self.observation_space: Box = env.observation_space["observation"]

    def observation(self, observation: dict[str, np.ndarray]) -> np.ndarray:
        """Returns the network's input."""
        return observation["observation"]

    def action_masks(self) -> np.ndarray:
        """Returns the legal settings, bool (21,)."""
        return self.env.unwrapped.action_masks()


class Scores(BaseFeaturesExtractor):
    """Computes a score for every setting with shared weights, and appends the features of the hand."""

    def __init__(self, space: Box, width: int = 64) -> None:
        super().__init__(space, SETTINGS + CONTEXT)
        self.score = nn.Sequential(nn.Linear(FEATURES, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Maps (n, 21 * 70 + 18) to (n, 21 + 18)."""
        rows = observations[:, : SETTINGS * FEATURES].reshape(-1, FEATURES)
        scores = self.score(rows).reshape(-1, SETTINGS)
        return torch.cat([scores, observations[:, SETTINGS * FEATURES :]], dim=1)


class FirstScores(nn.Module):
    """Uses the scores as logits."""

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Maps (n, 21 + 18) to (n, 21)."""
        return features[:, :SETTINGS]


class ScoringPolicy(MaskableActorCriticPolicy):
    """A policy given by the scores of the settings, with a small separate network for the hand's value."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs, features_extractor_class=Scores, net_arch={"pi": [], "vf": [32]})
        self.action_net = FirstScores()


def policy_of(model: MaskablePPO) -> Any:
    """Returns the deterministic form of the learned policy, which plays the legal setting with the highest score."""

    def policy(batch: exact.Batch) -> np.ndarray:
        with torch.no_grad():
            scores = model.policy.features_extractor(torch.from_numpy(batch.observations()))[:, :SETTINGS].numpy()
        return np.where(batch.legal, scores, -np.inf).argmax(axis=1)

    return policy


def trained(steps: int, seed: int) -> tuple[MaskablePPO, float]:
    """Trains an agent for `steps` episodes of one step, and returns it with the training time in seconds."""
    envs = make_vec_env(lambda: OnlyObservation(gymnasium.make(ENVIRONMENT)), n_envs=ENVIRONMENTS, seed=seed)
    model = MaskablePPO(
        ScoringPolicy,
        envs,
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        learning_rate=lambda left: 2e-3 * left + 1e-5,
        ent_coef=0.005,
        gamma=1.0,
        seed=seed,
        device="cpu",
    )
    begun = time.perf_counter()
    model.learn(steps)
    return model, time.perf_counter() - begun


def report(found: dict[str, Any]) -> str:
    """Formats the results as Markdown."""
    score, way, about = found["score"], found["house_way"], found["provenance"]
    return f"""# MaskablePPO on Pai Gow Poker

Stable-Baselines3's `check_env` accepts `{ENVIRONMENT}`. MaskablePPO learned from the rewards of {found["steps"]:,} deals.
Its policy was then evaluated exactly over all 8,250,459,031,214,400 deals, against a banker with Trump Plaza's house way.

| policy | EV | regret | agreement with the optimum |
|---|---|---|---|
| MaskablePPO, seed {found["seed"]} | {score["ev"]:+.6f} | {score["regret"]:.6f} | {score["agreement"]:.2%} of hands |
| Trump Plaza's house way | {way["ev"]:+.6f} | {way["regret"]:.6f} | {way["agreement"]:.2%} of hands |
| the optimum | {found["optimum"]["ev"]:+.6f} | 0 | 100% |
| before training | {found["before"]["ev"]:+.6f} | {found["before"]["regret"]:.6f} | {found["before"]["agreement"]:.2%} of hands |

EVs are per unit staked. Created by `{about["command"]}` with {", ".join(f"{name} {it}" for name, it in about["versions"].items())};
training took {found["training_seconds"]:.0f} s on one thread.
"""


def summary(score: exact.Score) -> dict[str, Any]:
    """Returns a score as JSON, with floats and the integers that they are computed from."""
    counts = {name: str(getattr(score.policy, name)) for name in ("wins", "pushes", "losses")}
    return {"ev": score.ev, "regret": score.regret, "agreement": score.agreement, **counts}


def main() -> None:
    """Trains an agent, evaluates it and writes the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=600_000, help="number of training deals (default: 600000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="folder for results.json and report.md (default: print the results)")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    check_env(gymnasium.make(ENVIRONMENT).unwrapped)
    check_env(OnlyObservation(gymnasium.make(ENVIRONMENT)))
    untrained, _ = trained(0, arguments.seed)
    first = exact.settings_of(policy_of(untrained))
    model, seconds = trained(arguments.steps, arguments.seed)
    learned, before, way = exact.scores([policy_of(model), first, houseway.HouseWay()])
    packages = ("houseway", "stable-baselines3", "sb3-contrib", "torch", "gymnasium", "numpy")
    found = {
        "steps": model.num_timesteps,
        "seed": arguments.seed,
        "score": summary(learned),
        "before": summary(before),
        "house_way": summary(way),
        "optimum": {"ev": learned.optimum.ev},
        "training_seconds": round(seconds, 1),
        "provenance": {
            "command": "python " + " ".join(["env/python/examples/maskable_ppo.py", *sys.argv[1:]]),
            "rules_hash": houseway.HouseWay().rules_hash,
            "banker_hash": houseway.HouseWay().hash,
            "python": platform.python_version(),
            "versions": {name: version(name) for name in packages},
        },
    }
    text = json.dumps(found, indent=2) + "\n"
    print(text)
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "results.json").write_text(text)
        (arguments.out / "report.md").write_text(report(found))


if __name__ == "__main__":
    main()
