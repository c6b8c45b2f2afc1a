"""Measures the rates of the environments on one core.

    RAYON_NUM_THREADS=1 taskset -c 0 python benches/rates.py

The vectorized workloads step lanes in place, taking the lowest legal action in each, both from Python and only in Rust,
and alternate between the two. The single workload resets an environment and plays one step to the end of the episode.
The table workload plays a session of six agents under PettingZoo, including their observations. With the parallel
interface, one step covers all agents.

The best of several turns counts. Rates are by CPU time, because other programs affect the wall-clock time, which is
also shown.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable, Iterator

import gymnasium
import houseway
import numpy as np
from houseway import _core, pettingzoo


def best_of(turns: int, works: list[Callable[[], int]]) -> list[tuple[float, float]]:
    """Measures the best rate of each workload in CPU time and wall-clock time, alternating between them.

    A workload returns its number of steps."""
    rates = [(0.0, 0.0) for _ in works]
    for _ in range(turns):
        for i, work in enumerate(works):
            cpu, clock = time.process_time(), time.perf_counter()
            done = work()
            cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
            rates[i] = (max(rates[i][0], done / cpu), max(rates[i][1], done / clock))
    return rates


def vectorised(encoding: str, lanes: int, steps: int) -> list[Callable[[], int]]:
    """Plays the lowest legal action in every lane: in place from Python, in Rust, and from Python with the defaults."""
    env = houseway.HousewayVectorEnv(num_envs=lanes, copy=False, final_observations=False, observation=encoding)
    seen, _ = env.reset(seed=3)
    mask = seen["action_mask"]
    core = _core.VecEnv(_core.Env("pai-gow-poker", f'{{"observation": "{encoding}"}}'), lanes, False)
    core.reset(3)

    def from_python() -> int:
        for _ in range(steps):
            env.step(mask.argmax(axis=1))
        return steps * lanes

    def in_rust() -> int:
        core.play_lowest_legal(steps)
        return steps * lanes

    default = houseway.HousewayVectorEnv(num_envs=lanes, observation=encoding)
    first, _ = default.reset(seed=3)

    def by_default() -> int:
        seen = first
        for _ in range(steps):
            seen, *_ = default.step(seen["action_mask"].argmax(axis=1))
        first.update(seen)
        return steps * lanes

    return [from_python, in_rust, by_default]


def single(env: gymnasium.Env, episodes: int) -> Callable[[], int]:
    """Resets and plays one step, which ends the episode.

    The actions (the lowest legal ones in the same episodes) are chosen in advance, so that only the environment is
    measured."""

    def choose() -> Iterator[int]:
        for episode in range(episodes):
            seen, _ = env.reset(seed=1 if episode == 0 else None)
            action = int(seen["action_mask"].argmax())
            yield action
            env.step(action)

    actions = list(choose())

    def play() -> int:
        reset, step = env.reset, env.step
        reset(seed=1)
        step(actions[0])
        for action in actions[1:]:
            reset()
            step(action)
        return episodes

    return play


BET, SET = 29, 21  # the minimum bet, and setting by the house way


def turn_by_turn(env: pettingzoo.TableAEC) -> int:
    """Plays a session without banking, turn by turn."""
    env.reset(seed=1)
    steps = 0
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        phase = seen["observation"][:3].argmax()
        env.step(None if terminated or truncated else (BET, 23, SET)[phase])
        steps += 1
    return steps


def all_at_once(env: pettingzoo.TableParallel) -> int:
    """Plays the same session with the parallel interface."""
    seen, _ = env.reset(seed=1)
    steps = 0
    while env.agents:
        action = (BET, 23, SET)[seen[env.agents[0]]["observation"][:3].argmax()]
        seen, *_ = env.step(dict.fromkeys(env.agents, action))
        steps += 1
    return steps


def main() -> None:
    """Runs and prints the measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lanes", type=int, default=4096)
    parser.add_argument("--turns", type=int, default=7)
    arguments = parser.parse_args()
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, Gymnasium {gymnasium.__version__}")
    print(f"{'M episodes/s, best':40}  {'CPU':>7}  {'clock':>7}")
    for encoding in ("candidates", "ranks-and-suits", "raw-cards"):
        steps = 20 if encoding == "candidates" else 60
        rates = best_of(arguments.turns, vectorised(encoding, arguments.lanes, steps))
        for name, (cpu, clock) in zip(("in place from Python", "Rust alone", "by default"), rates):
            print(f"{encoding + ', ' + name:40}  {cpu / 1e6:7.3f}  {clock / 1e6:7.3f}")
        print(f"{'  in place over default':40}  {rates[0][0] / rates[2][0]:7.2f}  {rates[0][1] / rates[2][1]:7.2f}")
        print(f"{'  share of Rust':40}  {rates[0][0] / rates[1][0]:7.1%}  {rates[0][1] / rates[1][1]:7.1%}")
    for encoding in ("candidates", "ranks-and-suits", "raw-cards"):
        envs = {
            "direct": houseway.HousewayEnv(observation=encoding),
            "gymnasium.make": gymnasium.make("houseway/PaiGowPoker-v0", observation=encoding),
        }
        rates = best_of(arguments.turns, [single(env, 20_000) for env in envs.values()])
        for name, (cpu, clock) in zip(envs, rates):
            print(f"{encoding + ', one by ' + name:40}  {cpu / 1e6:7.3f}  {clock / 1e6:7.3f}")
    tables = pettingzoo.env(rounds=1000), pettingzoo.parallel_env(rounds=1000)
    rates = best_of(arguments.turns, [lambda: turn_by_turn(tables[0]), lambda: all_at_once(tables[1])])
    print("M steps/s, best")
    for name, (cpu, clock) in zip(("turn by turn", "all at once"), rates):
        print(f"{'table, ' + name:40}  {cpu / 1e6:7.3f}  {clock / 1e6:7.3f}")


if __name__ == "__main__":
    main()
