"""Audits house ways on a Ray cluster: every way is cut into shards, any worker counts any shard, and the sums are exact.

    python examples/ray_sweep.py trump-plaza foxwoods my-way.toml          this machine, one worker a core
    python examples/ray_sweep.py --workers 2 --shards 8 trump-plaza        two workers here
    python examples/ray_sweep.py --address auto trump-plaza                the cluster that this machine belongs to

Needs ``ray`` and ``houseway`` on every machine. A shard that is lost with its machine is counted again by another; which
worker counts what changes nothing, because shards are sums of integers.
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
    """One shard of one audit, on one thread: Ray decides how many workers there are."""
    os.environ["RAYON_NUM_THREADS"] = "1"  # read when a worker counts for the first time
    return houseway.audit(way, opponent, shard=shard)


def text_of(way: str) -> str:
    """What a worker on another machine needs of a way: the text of a file, or a built-in name."""
    return open(way).read() if os.path.exists(way) else way


def sweep(
    ways: Iterable[str], opponent: str = "trump-plaza", *, shards: int = 8, parts: Iterable[int] | None = None
) -> dict[str, Audit]:
    """The audits of ways against one opponent, by the ways' names. ``parts``: only these shards, to try it out."""
    parts = list(range(shards) if parts is None else parts)
    texts = {HouseWay(way).name: text_of(way) for way in ways}
    other = text_of(opponent)
    tasks = {name: [count.remote(text, other, (part, shards)) for part in parts] for name, text in texts.items()}
    return {name: functools.reduce(operator.add, ray.get(pending)) for name, pending in tasks.items()}


def start(workers: int | None, address: str | None) -> None:
    """Joins a cluster, or starts Ray here."""
    if address:
        ray.init(address=address)
    else:
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ways", nargs="+", metavar="WAY", help="name or file of a house way")
    parser.add_argument("--opponent", default="trump-plaza", help="the way of the other side")
    parser.add_argument("--shards", type=int, default=8, help="parts of each audit")
    parser.add_argument("--workers", type=int, help="workers on this machine; by default one a core")
    parser.add_argument("--address", help="a Ray cluster to join, e.g. auto")
    arguments = parser.parse_args()
    start(arguments.workers, arguments.address)
    try:
        audits = sweep(arguments.ways, arguments.opponent, shards=arguments.shards)
    finally:
        ray.shutdown()
    print(f"{'way':24} {'EV':>11} {'given away':>11}  costliest rule")
    for name, audit in sorted(audits.items(), key=lambda item: -item[1].ev):
        rules = audit.by_rule()
        print(f"{name:24} {audit.ev:+11.6f} {audit.regret:11.6f}  {rules['rule'][rules['ev_lost'].argmax()]}")


if __name__ == "__main__":
    main()
