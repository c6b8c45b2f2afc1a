"""A script as written by a user with strict type checking."""

from __future__ import annotations

from fractions import Fraction

import gymnasium
import houseway
import numpy as np
from houseway import cards, exact, pettingzoo, plot, tables, weights


def lowest(batch: exact.Batch) -> np.ndarray:
    settings: np.ndarray = batch.legal.argmax(axis=1)
    return settings


def single() -> float:
    env = houseway.HousewayEnv("pai-gow-poker", illegal="penalty", rules={"commission": 0.04})
    observation, info = env.reset(seed=1, options={"stake": 5})
    names: list[str] = env.action_names
    action = env.action_space.sample()
    _, reward, terminated, truncated, info = env.step(action)
    assert terminated or truncated or len(names) == env.action_masks().shape[0]
    made = gymnasium.make("houseway/PaiGowPoker-v0")
    made.reset(seed=2)
    return reward


def many() -> np.ndarray:
    env = houseway.HousewayVectorEnv(num_envs=4, threads=1, autoreset_mode="NextStep")
    env.reset(seed=1)
    _, rewards, *_ = env.step(env.action_masks().argmax(axis=1))
    return rewards


def table() -> dict[str, float]:
    env = pettingzoo.parallel_env(players={3: {"bet": 60}}, rounds=2)
    observations, infos = env.reset(seed=7)
    _, rewards, *_ = env.step({agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()})
    return rewards


def values() -> tuple[Fraction, float]:
    ev = exact.hand_ev("As Ad Kh Kc Qs Qd 3c")
    counts: exact.Counts = exact.solve("foxwoods", exact.OPTIMAL, shard=(0, 100))
    score: exact.Score = exact.score(lowest, houseway.HouseWay("foxwoods"))
    answer = exact.Solver("asian-stud", rules={"commission": "none"}).value("As Kd Qh Jc 9s")
    figures: list[plot.Figure] = answer.plots
    strategy = tables.StrategyTable(exact.best_settings())
    houseway.HousewayEnv(banker=strategy)
    network: weights.Network = weights.load("weights.safetensors")
    assert len(figures) + len(network.parameters) + len(cards.parse("As Kd Jk 7c 7d 2h 3s"))
    audit: houseway.Audit = houseway.audit("trump-plaza")
    found: houseway.SearchResult = houseway.search(range(2, 4), banker=["trump-plaza", "wong"], objective="worst")
    changed = houseway.search(fix="foxwoods", change=2)[-1]
    gained: Fraction = changed.exact_ev_change + found.ways[0].exact_regret
    return ev.exact(0, 0) + counts.exact_ev + gained, score.regret + audit.regret


print(single(), many(), table(), values())
