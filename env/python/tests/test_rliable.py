"""Compares the statistics of ``houseway stats`` with those of rliable. Requires ``HOUSEWAY``, the path of the binary."""

import importlib
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rliable")

#: The number of resamples. rliable takes milliseconds for each of them.
RESAMPLES, RLIABLE_RESAMPLES = 20_000, 2_000
#: Typical regrets of the methods, relative to those of the games.
METHODS = {"bandit": 1.6, "all-action": 0.9}
GAMES = {"pai-gow-poker": 1e-3, "asian-stud": 4e-2}


@pytest.fixture(scope="module")
def rly() -> Iterator[ModuleType]:
    """Returns ``rliable.library``.

    It only needs the bootstrap from its dependency arch, but the versions of arch that it accepts import other modules
    too, and these fail with pandas 3. An empty parent module skips them.
    """
    spec = importlib.util.find_spec("arch")
    assert spec is not None and spec.submodule_search_locations is not None
    with pytest.MonkeyPatch.context() as patch:
        arch = ModuleType("arch")
        arch.__path__ = list(spec.submodule_search_locations)
        patch.setitem(sys.modules, "arch", arch)
        yield importlib.import_module("rliable.library")


@pytest.fixture(autouse=True)
def seeded() -> None:
    """Seeds NumPy's global generator, from which rliable draws the resamples, whatever its ``random_state`` is."""
    np.random.seed(1)


@pytest.fixture(scope="module")
def stats(command: Callable, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Returns what the command prints about ten runs of two methods on two games."""
    rng = np.random.default_rng(3)
    folders = []
    for game, scale in GAMES.items():
        folder = tmp_path_factory.mktemp(game)
        agents = [
            {"name": f"{method}, seed {seed}", "regret": round(scale * factor * float(rng.lognormal(0, 0.5)), 6)}
            for method, factor in METHODS.items()
            for seed in range(1, 11)
        ]
        agents[10]["regret"] = agents[0]["regret"]  # a tie between two methods
        agents[3]["regret"] = scale * 40  # an outlier
        (folder / "results.json").write_text(json.dumps({"game": game, "agents": agents}))
        (folder / "provenance.json").write_text(json.dumps({"rules_hash": "0"}))
        (folder / "config.toml").write_text("")
        folders.append(folder)
    answer: dict[str, Any] = json.loads(command("stats", *folders, "--samples", RESAMPLES, "--json"))
    return answer


@pytest.fixture(scope="module")
def scores(stats: dict[str, Any]) -> dict[str, np.ndarray]:
    """Returns the scores as rliable expects them: a matrix per method, with a row per run and a column per task."""
    return {name: np.array(rows) for name, rows in stats["score_dict"].items()}


def test_scores_are_negated_regrets(stats: dict[str, Any], scores: dict[str, np.ndarray]) -> None:
    assert set(scores) == set(METHODS)
    for method in stats["methods"]:
        assert scores[method["name"]].shape == (10, 2)
        np.testing.assert_array_equal(scores[method["name"]], -np.array(method["scores"]))


def test_interquartile_means_and_their_intervals(rly: ModuleType, stats: dict[str, Any], scores: dict[str, np.ndarray]) -> None:
    metrics = importlib.import_module("rliable.metrics")
    # The ends of rliable's intervals have a standard error of up to 3% of the width.
    means, intervals = rly.get_interval_estimates(
        scores, lambda rows: np.array([metrics.aggregate_iqm(rows)]), reps=RLIABLE_RESAMPLES
    )
    for method in stats["methods"]:
        name = method["name"]
        assert -method["iqm"] == pytest.approx(means[name][0], rel=1e-12)
        high, low = -intervals[name][:, 0]
        assert method["ci"] == pytest.approx([low, high], abs=0.1 * (high - low)), name


def test_probabilities_of_improvement(rly: ModuleType, stats: dict[str, Any], scores: dict[str, np.ndarray]) -> None:
    metrics = importlib.import_module("rliable.metrics")
    pairs = {f"{pair['method']},{pair['over']}": pair for pair in stats["improvements"]}
    both = {name: tuple(scores[method] for method in name.split(",")) for name in pairs}
    found, intervals = rly.get_interval_estimates(
        both,
        lambda one, other: np.array([metrics.probability_of_improvement(one, other)]),
        reps=RLIABLE_RESAMPLES // 2,
    )
    assert len(pairs) == 1
    for name, pair in pairs.items():
        assert pair["probability"] == pytest.approx(found[name][0], abs=1e-12), name
        assert pair["ci"] == pytest.approx(intervals[name][:, 0], abs=0.025), name


def test_performance_profiles(rly: ModuleType, stats: dict[str, Any], scores: dict[str, np.ndarray]) -> None:
    # rliable takes the fraction of scores above a threshold, but a profile includes the regrets that are equal to it.
    thresholds = np.nextafter(-np.array(stats["profile_regrets"]), -np.inf)
    profiles, intervals = rly.get_interval_estimates(
        scores, lambda rows: rly.score_distributions(rows, thresholds), reps=RLIABLE_RESAMPLES
    )
    for method in stats["methods"]:
        name = method["name"]
        np.testing.assert_allclose(method["profile"], profiles[name], atol=1e-12)
        # The percentiles are multiples of one run out of twenty.
        np.testing.assert_allclose(np.array(method["profile_ci"]).T, intervals[name], atol=0.0501)
