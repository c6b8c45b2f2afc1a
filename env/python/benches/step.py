"""Compares a training step with PyTorch, on the same network, loss and batch size, in the same run.

    python benches/step.py

Requires PyTorch, this package and cargo. Both sides train the main job's all-action agent: 128 hands with the rows of
their contenders, two hidden layers of 128 units, the focused loss, clipped gradients, Adam and a moving average of the
weights. PyTorch always gets the same batch, while Houseway also deals the hands and computes their rewards. The two
alternate, and the best of several turns counts. Both may use all cores.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import time
from pathlib import Path

import houseway
import numpy as np
import torch
from torch import nn

ROOT = Path(__file__).parents[3]
HANDS, ROW, CONTEXT, CONTENDER, WIDTH = 128, 70, 18, 1, 128
SCALE, FLOOR, VALUE_WEIGHT, EMA = 0.05, 0.02, 0.003, 0.995


class Batch:
    """Hands with at least two contenders. Each contender has a row."""

    def __init__(self) -> None:
        env = houseway.HousewayVectorEnv(num_envs=4 * HANDS, observation="candidates")
        seen = env.reset(seed=1)[0]["observation"]
        rows = seen[:, : 21 * ROW].reshape(-1, 21, ROW)
        chosen = rows[:, :, CONTENDER] > 0
        kept = np.flatnonzero(chosen.sum(axis=1) >= 2)[:HANDS]
        rows, chosen = rows[kept], chosen[kept]
        counts, places = chosen.sum(axis=1), int(chosen.sum(axis=1).max())
        first = np.concatenate([[0], np.cumsum(counts)[:-1]])
        place = np.minimum(np.arange(places), counts[:, None] - 1)
        self.rows = torch.tensor(rows[chosen])
        self.context = torch.tensor(seen[kept, 21 * ROW :])
        self.decision = torch.tensor(np.repeat(np.arange(HANDS), counts))
        self.index = torch.tensor((first[:, None] + place).ravel())
        self.mask = torch.tensor((np.arange(places) < counts[:, None]).astype(np.float32))
        self.targets = torch.tensor(np.random.default_rng(1).uniform(-1, 1, (HANDS, places)).astype(np.float32))


class Net(nn.Module):
    """The network of the main job."""

    def __init__(self) -> None:
        super().__init__()
        self.context = nn.Linear(CONTEXT, WIDTH, bias=False)
        self.row = nn.Linear(ROW, WIDTH)
        self.hidden = nn.Linear(WIDTH, WIDTH)
        self.head = nn.Linear(WIDTH, 1)

    def forward(self, batch: Batch) -> torch.Tensor:
        first = torch.relu(self.row(batch.rows) + self.context(batch.context)[batch.decision])
        scores = self.head(torch.relu(self.hidden(first)))[:, 0]
        return scores[batch.index].reshape(HANDS, -1)


def focused(scores: torch.Tensor, batch: Batch) -> torch.Tensor:
    """The focused loss of houseway-learned."""
    errors, known = scores - batch.targets, scores.detach()
    best = (known + (batch.mask - 1) * 1e9).max(dim=1, keepdim=True).values
    weights = ((known - best) / SCALE).clamp(max=0).exp().clamp(min=FLOOR) * batch.mask
    mean = (errors * weights).sum(dim=1, keepdim=True) / weights.sum(dim=1, keepdim=True)
    return ((errors - mean).square() * weights).sum() / HANDS + mean.square().mean() * VALUE_WEIGHT


def with_torch(steps: int) -> float:
    """Returns the seconds for a step in PyTorch."""
    torch.manual_seed(1)
    batch, net, average = Batch(), Net(), Net()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.015, eps=1e-5)
    start = 0.0
    for step in range(steps + steps // 5):
        if step == steps // 5:
            start = time.perf_counter()
        optimizer.zero_grad()
        loss = focused(net(batch), batch)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            for own, new in zip(average.parameters(), net.parameters()):
                own.lerp_(new, 1 - EMA)
        if not np.isfinite(loss.item()):
            raise RuntimeError("the loss isn't finite")
    return (time.perf_counter() - start) / steps


def with_houseway() -> float:
    """Returns the seconds for a step of the training loop, measured by its benchmark."""
    command = ["cargo", "bench", "--workspace", "--locked", "--bench", "step", "--", "--json", "--training"]
    run = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return float(json.loads(run.stdout)["training"]) / 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--steps", type=int, default=1000)
    options = parser.parse_args()
    turns = [(with_houseway(), with_torch(options.steps)) for _ in range(options.turns)]
    ours, theirs = (1000 * min(times) for times in zip(*turns))
    print(f"{platform.processor() or platform.machine()}, PyTorch {torch.__version__} with {torch.get_num_threads()} threads")
    print(f"houseway: {ours:.2f} ms a step; PyTorch: {theirs:.2f} ms; ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
