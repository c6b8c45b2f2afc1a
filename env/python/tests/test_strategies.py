"""Tests that every kind of strategy is accepted on either side."""

from pathlib import Path
from typing import Any

import houseway
import numpy as np
import pytest
from houseway import exact, tables, weights
from houseway.tables import StrategyTable

SHARD = (3, 900)
DATA = Path(__file__).parent / "data"


def test_files_of_trained_agents_are_strategies(
    foxwoods_settings: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("safetensors")
    network = weights.load(DATA / "tiny.safetensors")

    def played(policy: Any, rules: Any, size: int) -> np.ndarray:
        assert isinstance(policy, weights.Network) and (policy.head == network.head).all() and size == 4_096
        return foxwoods_settings

    monkeypatch.setattr(tables, "settings_of", played)
    agent = tmp_path / "run" / "train" / "tiny"
    agent.mkdir(parents=True)
    (agent / "weights.safetensors").write_bytes((DATA / "tiny.safetensors").read_bytes())
    for form in (DATA / "tiny.safetensors", agent / "weights.safetensors", str(agent), tmp_path / "run"):
        table = StrategyTable(form)
        assert table.name == "tiny" and (table.settings == foxwoods_settings).all()
    assert exact.solve(str(agent), "wong", shard=SHARD) == exact.solve("foxwoods", "wong", shard=SHARD)
    by_agent, by_table = (houseway.HousewayEnv(banker=it).rules_hash for it in (agent, foxwoods_settings))
    assert by_agent == by_table != houseway.HousewayEnv().rules_hash
    with pytest.raises(ValueError, match="has 0 trained agents: use the folder of one of them"):
        exact.solve(tmp_path, shard=SHARD)
    with pytest.raises(ValueError, match="only built into the program: use the path of an agent's weights"):
        exact.solve("agent:distillation", shard=SHARD)


@pytest.mark.slow
def test_a_trained_agent_plays_as_its_network_does() -> None:
    pytest.importorskip("safetensors")
    settings = exact.settings_of(weights.load(DATA / "tiny.safetensors"))
    assert exact.solve(DATA / "tiny.safetensors", shard=SHARD) == exact.solve(settings, shard=SHARD)


@pytest.mark.slow
def test_files_are_scored(foxwoods_settings: np.ndarray, tmp_path: Path) -> None:
    file = tmp_path / "way.safetensors"
    tables.save_strategy(file, foxwoods_settings, "foxwoods")
    by_way, *others = exact.scores(["foxwoods", file, str(file), StrategyTable(file)])
    assert all(score == by_way for score in others)
