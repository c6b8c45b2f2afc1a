"""Tests that every kind of strategy is accepted on either side, with the results of the strategies that it consists of."""

import copy
import json
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import houseway
import numpy as np
import pytest
from houseway import exact, tables, weights
from houseway.exact import banking
from houseway.tables import StrategyTable

SHARD = (3, 900)
HAND = "As Kd Jk 7c 7d 2h 3s"
#: The weights of the ways that the mixed strategy consists of.
WEIGHTS = {"trump-plaza": 1_024, "foxwoods": 3_072}
DATA = Path(__file__).parent / "data"
RESULTS = Path(__file__).parents[3] / "results"


@pytest.fixture(scope="module")
def mixed() -> StrategyTable:
    """A strategy that plays one of two ways at random."""
    hands, sizes = exact.profiles()
    assert hands.shape == (exact.PROFILES, 7) and int(sizes.sum(dtype=np.int64)) == 154_143_080
    found = np.zeros((exact.PROFILES, 21), np.int64)
    for name, weight in WEIGHTS.items():
        found[np.arange(len(hands)), houseway.HouseWay(name).set(hands)] += weight
    return StrategyTable(found, name="mixed")


def written(path: Path, mixed: StrategyTable, **changes: str) -> Path:
    """Writes a mixed strategy as ``houseway equilibrium`` does, except for the columns of text."""
    import pyarrow.parquet as pq

    profile, setting = np.nonzero(mixed.weights)
    columns = {"profile": profile, "setting": setting, "weight": mixed.weights[profile, setting]}
    rules_hash = houseway.HouseWay().rules_hash
    about = {"name": mixed.name, "hash": mixed._core.hash, "rules_hash": rules_hash, **changes}
    about["seal"] = tables._seal("houseway-mixed", about)
    metadata = {f"houseway.{key}": value for key, value in about.items()}
    pq.write_table(exact.to_arrow(columns).replace_schema_metadata(metadata), path)
    return path


def counts_of(it: exact.Counts) -> np.ndarray:
    return np.array([it.wins, it.pushes, it.losses, it.copies_front, it.copies_back], object)


def mean(found: Any) -> Any:
    """Returns the weighted sum of what a function finds for the ways."""
    return sum(weight * found(name) for name, weight in WEIGHTS.items())


def test_a_mixed_strategy_on_either_side_is_the_mean_of_its_parts(mixed: StrategyTable) -> None:
    def solve(player: Any, banker: Any) -> np.ndarray:
        return counts_of(exact.solve(player, banker, shard=SHARD))

    assert (solve(mixed, "wong") == mean(lambda name: solve(name, "wong"))).all()
    both = mean(lambda player: mean(lambda banker: solve(player, banker)))
    assert (solve(mixed, mixed) == both).all()
    found = exact.solve(mixed, mixed, shard=SHARD)
    assert found.exact_ev == exact.Counts(*both, found.commission).exact_ev
    by_hand = exact.hand_ev(HAND, mixed)
    for name in ("wins", "losses", "copies_front", "copies_back"):
        expected = mean(lambda way: np.maximum(getattr(exact.hand_ev(HAND, way), name), 0))
        np.testing.assert_array_equal(np.maximum(getattr(by_hand, name), 0), expected)
    assert ((by_hand.wins + by_hand.pushes + by_hand.losses)[by_hand.legal] == by_hand.banker_hands).all()
    # What is printed are hands and deals, not weights.
    assert "against 53,524,680 banker hands" in repr(by_hand)
    whole = exact.Counts(*(exact.DEALS * weight for weight in (2_048, 1_024, 1_024)), 0, 0, found.commission)
    assert f"{exact.DEALS // 2:,}  {exact.DEALS // 4:,}  {exact.DEALS // 4:,}" in str(exact.Score(whole, whole, 1))
    evs = mean(lambda way: exact.hand_ev(HAND, way).ev) / exact.MIXED_WEIGHT
    np.testing.assert_allclose(by_hand.ev, evs, rtol=0, atol=1e-12)


@pytest.mark.slow
def test_a_mixed_banker_is_the_mean_of_its_parts(mixed: StrategyTable) -> None:
    # A shard has hands of the mixed side here, and of the player otherwise, so only whole games are comparable.
    expected = mean(lambda name: counts_of(exact.solve("wong", name)))
    assert (counts_of(exact.solve("wong", mixed)) == expected).all()


def test_banking_against_a_mixed_strategy(mixed: StrategyTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(banking, "solve", partial(exact.solve, shard=SHARD))
    monkeypatch.setattr(banking, "_pairs", {})
    bank = exact.bank([(mixed, 100)], own=40, rules={"commission-on-banker": "per_bet"})
    parts = mean(lambda name: exact.bank([(name, 100)], own=40, rules={"commission-on-banker": "per_bet"}).exact_bounds[0])
    assert bank.exact_bounds == (parts / exact.MIXED_WEIGHT,) * 2 and bank.single is None
    assert exact.bank([("wong", 100)], mixed, way=mixed, house=mixed).bets == (("wong", 100),)
    with pytest.raises(ValueError, match="'mixed' is a mixed strategy"):
        bank.sample(10)


@pytest.mark.slow
def test_a_mixed_strategy_is_scored_by_what_it_plays(mixed: StrategyTable) -> None:
    for banker in ("wong", mixed):
        *parts, whole = exact.scores([*WEIGHTS, mixed], banker)
        expected = sum(weight * counts_of(part.policy) for weight, part in zip(WEIGHTS.values(), parts))
        assert (counts_of(whole.policy) == expected).all()
        agreeing = sum(weight * part.agreeing_hands for weight, part in zip(WEIGHTS.values(), parts))
        assert whole.agreeing_hands * exact.MIXED_WEIGHT == agreeing and 0.5 < whole.agreement < 1
        assert whole.optimum == parts[0].optimum and whole.exact_regret > 0


def test_a_mixed_strategy_needs_weights_that_add_up(mixed: StrategyTable) -> None:
    for wrong in (mixed.weights[:-1], mixed.weights.astype(np.int64) - 1):
        with pytest.raises(ValueError, match="invalid weights: expected"):
            StrategyTable(wrong)
    with pytest.raises(ValueError, match="must add up to 4096"):
        StrategyTable(mixed.weights // 2)
    foul = np.zeros_like(mixed.weights)
    foul[:, 20] = exact.MIXED_WEIGHT
    with pytest.raises(ValueError, match="^player: .* fouls with"):
        exact.solve(foul, shard=SHARD)
    for other in (pickle.loads(pickle.dumps(mixed)), copy.deepcopy(mixed)):
        assert other.name == "mixed" and (other.weights == mixed.weights).all() and other.weight == exact.MIXED_WEIGHT


def test_a_mixed_strategy_is_refused_where_hands_need_one_setting(mixed: StrategyTable) -> None:
    for used in (
        lambda: mixed.set(HAND),
        lambda: mixed.settings,
        lambda: houseway.audit(mixed, shard=SHARD),
        lambda: houseway.audit(opponent=mixed, shard=SHARD),
        lambda: exact.best_settings(mixed),
        lambda: houseway.HousewayEnv(banker=mixed),
    ):
        with pytest.raises(ValueError, match="mixed. is a mixed strategy|mixed is a mixed strategy"):
            used()
    with pytest.raises(ValueError, match="only supports house ways"):
        houseway.search(2, banker=mixed)


def test_files_of_mixed_strategies_are_strategies(mixed: StrategyTable, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = written(tmp_path / "mixed.parquet", mixed)
    expected = exact.solve(mixed, "wong", shard=SHARD)
    for form in (file, str(file), StrategyTable(file)):
        assert exact.solve(form, "wong", shard=SHARD) == expected
    read, about = tables.load_mixed(file)
    assert (read == mixed.weights).all() and about["name"] == StrategyTable(file).name == "mixed"
    for changes, message in (({"hash": "0" * 16}, "do not match its hash"), ({"rules_hash": "0" * 16}, "under other rules")):
        with pytest.raises(ValueError, match=message):
            StrategyTable(written(file, mixed, **changes))
    with pytest.raises(ValueError, match="^banker: .*under other rules"):
        exact.solve(banker=written(file, mixed), rules={"commission": 0.04})
    tables.save_columns(file, {"profile": np.arange(3)})
    with pytest.raises(ValueError, match="expected houseway-mixed"):
        StrategyTable(file)


@pytest.mark.slow
def test_the_equilibrium_has_the_ev_and_the_bounds_of_its_report() -> None:
    folder = RESULTS / "equilibrium"
    said = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    player, banker = (StrategyTable(folder / "strategies" / f"{side}.parquet") for side in ("player", "banker"))
    for key, sides in {"ev": (player, banker), "lower": (player, exact.OPTIMAL), "upper": (exact.OPTIMAL, banker)}.items():
        assert exact.solve(*sides).exact_ev == exact.solver.fraction(said[f"{key}_exact"]), key


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
