"""Tests that network inference in NumPy agrees with Rust, by evaluating both exactly."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from houseway import cards, exact, weights

pytest.importorskip("safetensors")
DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def network() -> weights.Network:
    """A small network trained with data/tiny.toml, which has the command."""
    return weights.load(DATA / "tiny.safetensors")


def test_the_parts_of_a_network(network: weights.Network) -> None:
    shapes = {name: array.shape for name, array in network.parameters.items()}
    assert shapes["row.weight"] == (70, 16) and shapes["context.weight"] == (18, 16) and shapes["head.weight"] == (16, 1)
    assert len(network.hidden) == 1 and network.metadata["producer"] == "burn"
    assert repr(network) == "Network(layers=2, width=16, among='contenders': 1,713 parameters)"


def test_scores_are_those_of_one_setting_after_the_other(network: weights.Network) -> None:
    batch = exact.Batch(cards.deal(20, seed=4), {})
    seen = batch.observations()
    scores = network.scores(seen)
    assert scores.shape == (20, 21) and (np.isfinite(scores) <= batch.legal).all()
    (hidden, hidden_bias), = network.hidden
    for hand, setting in np.argwhere(np.isfinite(scores))[::7]:
        row, context = seen[hand, 70 * setting : 70 * (setting + 1)], seen[hand, 21 * 70 :]
        assert row[weights.LEGAL] == row[weights.CONTENDER] == 1
        value = np.maximum(row @ network.row + network.row_bias + context @ network.context, 0)
        value = np.maximum(value @ hidden + hidden_bias, 0)
        assert scores[hand, setting] == pytest.approx(float(value @ network.head[:, 0] + network.head_bias[0]), abs=1e-5)
    every = weights.load(DATA / "tiny.safetensors", among="legal").scores(seen)
    assert (np.isfinite(every) == batch.legal).all()
    some = np.isfinite(scores)
    np.testing.assert_allclose(every[some], scores[some], rtol=0, atol=1e-5)


@pytest.fixture(scope="module")
def rust() -> dict[str, dict[str, Any]]:
    """The exact results from Rust for every agent in the run, by name."""
    return {agent["name"]: agent for agent in json.loads((DATA / "tiny.json").read_text())["agents"]}


# Floats are summed in a different order than in Rust. If two settings have nearly equal scores (within 3e-7, which
# happens in one of 80,000 hands), the other one may be played.


@pytest.mark.slow
def test_the_policy_sets_hands_as_in_rust(network: weights.Network, rust: dict[str, dict[str, Any]]) -> None:
    said = {shape["shape"]: shape for shape in rust["all-action, seed 1"]["shapes"]}
    hands, orbit = exact.classes()
    ranks = np.where(hands == 52, 12, hands // 4)  # the joker as an ace
    counts = -np.sort(-(ranks[:, :, None] == np.arange(13)).sum(axis=1, dtype=np.int8), axis=1)
    shapes = {"two threes of a kind": (3, 3, 1), "four of a kind and a pair": (4, 2, 1), "four and three of a kind": (4, 3, 0)}
    for name, (first, second, third) in shapes.items():
        some = (counts[:, 0] == first) & (counts[:, 1] == second) & (counts[:, 2] == third)
        assert orbit[some].sum(dtype=np.int64) == said[name]["hands"]
        regret = exact.hand_ev(hands[some]).regret(network(exact.Batch(hands[some], {})))
        whole = (regret * orbit[some]).sum() / 154_143_080
        assert whole == pytest.approx(said[name]["regret"], abs=1e-9) and said[name]["regret"] > 1e-7
        agreement = orbit[some][regret == 0].sum(dtype=np.int64) / said[name]["hands"]
        assert agreement == pytest.approx(said[name]["agreement"], abs=1e-3) and agreement < 0.9


@pytest.mark.slow
def test_the_policy_is_worth_what_rust_says_of_it(network: weights.Network, rust: dict[str, dict[str, Any]]) -> None:
    said, score = rust["all-action, seed 1"], exact.score(network)
    assert score.ev == pytest.approx(said["ev"], abs=1e-6) and score.regret == pytest.approx(said["regret"], abs=1e-6)
    assert score.agreement == pytest.approx(said["agreement"], abs=1e-4)
    assert score.optimum.ev == pytest.approx(rust["optimum"]["ev"], abs=1e-14)


def test_files_that_are_no_networks_are_refused(tmp_path: Path, network: weights.Network) -> None:
    from safetensors.numpy import save_file

    file = tmp_path / "weights.safetensors"
    file.write_text("nothing")
    with pytest.raises(ValueError, match="not a safetensors file"):
        weights.load(file)
    save_file({"row.weight": network.row}, file)
    with pytest.raises(ValueError, match="'row.bias' is missing"):
        weights.load(file)
    save_file(network.parameters | {"linear.weight": network.head}, file)
    with pytest.raises(ValueError, match="unexpected linear.weight"):
        weights.load(file)
    save_file(network.parameters | {"row.weight": network.row[:60]}, file)
    with pytest.raises(ValueError, match=r"\(60, 16\), not \(70, 16\)"):
        weights.load(file)
    save_file(network.parameters, file)
    assert weights.load(file).head.shape == (16, 1)
    content = (DATA.parents[3] / "results/quick/train/all-action-seed-3/weights.safetensors").read_bytes()
    file.write_bytes(content[:-3] + bytes([content[-3] ^ 1]) + content[-2:])
    with pytest.raises(ValueError, match="its checksum does not match"):
        weights.load(file)
    file.write_bytes(content)
    assert "sha256" in weights.load(file).metadata
    with pytest.raises(ValueError, match="contenders"):
        weights.load(file, among="all")
