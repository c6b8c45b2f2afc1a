"""Audits house ways on a Ray cluster. Each audit is split into shards that any worker can compute, and their sums are
exact.

    python examples/ray_sweep.py trump-plaza foxwoods my-way.toml          this machine, one worker per core
    python examples/ray_sweep.py --workers 2 --shards 8 trump-plaza        two workers on this machine
    python examples/ray_sweep.py --address auto trump-plaza                the cluster that this machine belongs to

Every machine needs ``ray`` and ``houseway``. If a machine fails, another one repeats its shards. The results don't
depend on which worker computes which shard, because shards are sums of integers.
"""

from __future__ import annotations

import argparse
import functools
import operator
import os
from collections.abc import Iterable, Mapping
from typing import Any

import houseway
import ray
from houseway import Audit, HouseWay


@ray.remote(num_cpus=1)
def count(way: str | Mapping[str, Any], opponent: str | Mapping[str, Any], shard: tuple[int, int]) -> Audit:
    """Computes one shard of one audit on a single thread. Ray controls the number of workers."""
    os.environ["RAYON_NUM_THREADS"] = "1"  # read when a worker first uses the pool
    return houseway.audit(way, opponent, shard=shard)


def text_of(way: str) -> str:
    """Returns what a worker on another machine needs: the text of a file, or the name of a built-in way."""
    return open(way).read() if os.path.exists(way) else way


def sweep(
    ways: Iterable[str], opponent: str = "trump-plaza", *, shards: int = 8, parts: Iterable[int] | None = None
) -> dict[str, Audit]:
    """Audits ways against one opponent and returns the audits by name. ``parts`` restricts the shards, for testing."""
    parts = list(range(shards) if parts is None else parts)
    texts = {HouseWay(way).name: text_of(way) for way in ways}
    other = text_of(opponent)
    tasks = {name: [count.remote(text, other, (part, shards)) for part in parts] for name, text in texts.items()}
    return {name: functools.reduce(operator.add, ray.get(pending)) for name, pending in tasks.items()}


def start(workers: int | None, address: str | None) -> None:
    """Joins a cluster, or starts Ray on this machine."""
    if address:
        ray.init(address=address)
    else:
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)


def main() -> None:
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ways", nargs="+", metavar="WAY", help="the name or file of a house way")
    parser.add_argument("--opponent", default="trump-plaza", help="the other side's house way")
    parser.add_argument("--shards", type=int, default=8, help="the number of shards per audit")
    parser.add_argument("--workers", type=int, help="the number of workers on this machine (default: one per core)")
    parser.add_argument("--address", help="the Ray cluster to join, such as auto")
    arguments = parser.parse_args()
    start(arguments.workers, arguments.address)
    try:
        audits = sweep(arguments.ways, arguments.opponent, shards=arguments.shards)
    finally:
        ray.shutdown()
    print(f"{'way':24} {'EV':>11} {'EV lost':>11}  costliest rule")
    for name, audit in sorted(audits.items(), key=lambda item: -item[1].ev):
        rules = audit.by_rule()
        print(f"{name:24} {audit.ev:+11.6f} {audit.regret:11.6f}  {rules['rule'][rules['ev_lost'].argmax()]}")


if __name__ == "__main__":
    main()
