"""Tests for bankers that aren't house ways, such as strategy tables, their files, and policies."""

import copy
import pickle
import time
import timeit
from pathlib import Path
from typing import Any

import gymnasium
import houseway
import numpy as np
import pytest
from houseway import exact, tables
from houseway.tables import StrategyTable


@pytest.fixture(scope="module")
def foxwoods() -> StrategyTable:
    return StrategyTable(houseway.HouseWay("foxwoods"), name="foxwoods-table")


def ranks(cards: str) -> list[str]:
    return sorted(card[:-1] for card in cards.split())


def episodes(env: gymnasium.Env, n: int = 300) -> list[tuple]:
    """Plays the lowest legal settings and returns the observations, rewards and outcomes, without the strategy's
    name."""
    played = []
    for i in range(n):
        seen, info = env.reset(seed=5 if i == 0 else None)
        _, reward, _, _, info = env.step(int(seen["action_mask"].argmax()))
        outcome = dict(info["outcome"])
        banker = outcome.pop("banker")
        played.append((seen["observation"].tobytes(), reward, outcome, banker["hand"], ranks(banker["front"])))
    return played


@pytest.mark.slow
def test_a_table_plays_as_the_house_way_that_it_was_made_of(foxwoods: StrategyTable, tmp_path: Path) -> None:
    expected = episodes(houseway.HousewayEnv(banker="foxwoods"))
    assert expected != episodes(houseway.HousewayEnv())
    tables.save_strategy(tmp_path / "way.safetensors", foxwoods.settings, "saved")
    way = houseway.HouseWay("foxwoods")
    bankers: list[Any] = [
        foxwoods,
        str(tmp_path / "way.safetensors"),
        lambda batch: way(batch),
    ]
    hashes = set()
    for banker in bankers:
        env = houseway.HousewayEnv(banker=banker, hindsight=True)
        assert episodes(env) == expected
        hashes.add(env.rules_hash)
        many = houseway.HousewayVectorEnv(num_envs=3, banker=banker)
        seen, _ = many.reset(seed=5)
        for _, reward, *_ in expected[:20]:
            seen, rewards, *_ = many.step(seen["action_mask"].argmax(axis=1))
            assert rewards[0] == np.float32(reward)
    assert len(hashes) == 1 and houseway.HousewayEnv(banker="foxwoods").rules_hash not in hashes


def assert_same_fronts(hands: np.ndarray, settings: np.ndarray, others: np.ndarray) -> None:
    """Checks that the fronts have the same ranks. A table may choose other suits."""
    for hand, *both in zip(hands, settings, others):
        fronts = [ranks(houseway.cards.front_and_back(hand, setting)[0]) for setting in both]
        assert fronts[0] == fronts[1]


def test_known_cards_have_any_banker(foxwoods: StrategyTable) -> None:
    way, table = (houseway.HousewayEnv("pai-gow-known-cards", banker=banker) for banker in ("foxwoods", foxwoods))
    assert episodes(way, 50) == episodes(table, 50)


def test_a_table_is_a_policy(foxwoods: StrategyTable) -> None:
    hands, _ = exact.classes()
    every = len(hands) // 1000
    assert_same_fronts(hands[::every], foxwoods(exact.Batch(hands[::every], {})), foxwoods.settings[::every])
    dealt = houseway.cards.deal(2_000, seed=1)
    assert_same_fronts(dealt, foxwoods.set(dealt), houseway.HouseWay("foxwoods").set(dealt))
    assert foxwoods.name == "foxwoods-table" and "foxwoods-table" in repr(foxwoods)
    for other in (pickle.loads(pickle.dumps(foxwoods)), copy.deepcopy(foxwoods)):
        np.testing.assert_array_equal(other.settings, foxwoods.settings)


def test_environments_against_a_table_are_copied_and_made_quickly(foxwoods: StrategyTable) -> None:
    for make in (houseway.HousewayEnv, lambda **settings: houseway.HousewayVectorEnv(num_envs=2, **settings)):
        env = make(banker=foxwoods)
        env.reset(seed=3)
        action = env.action_space.sample()
        expected = repr(env.step(action)[1])
        env.reset(seed=3)
        for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            assert repr(other.step(action)[1]) == expected
    # CPU time, which other processes don't affect
    assert min(timeit.repeat(lambda: houseway.HousewayEnv(banker=foxwoods), number=1, repeat=5, timer=time.process_time)) < 0.005


def test_invalid_tables_are_refused(foxwoods: StrategyTable) -> None:
    with pytest.raises(ValueError, match="fouls with"):
        houseway.HousewayEnv(banker=np.zeros(exact.CLASSES, np.uint8))
    with pytest.raises(ValueError, match="6972147 settings"):
        houseway.HousewayEnv(banker=np.zeros(5, np.uint8))
    with pytest.raises(ValueError, match="expected 0 to 20"):
        StrategyTable(np.full(exact.CLASSES, 21))
    with pytest.raises(ValueError, match="expected 0 to 20"):
        StrategyTable(np.full(exact.CLASSES, 300))
    with pytest.raises(TypeError, match="must be integers"):
        StrategyTable(np.zeros(exact.CLASSES))
    with pytest.raises(ValueError, match="can only be set if the banker is a house way"):
        houseway.HousewayEnv(banker=foxwoods, readings={"pair-with-complete-hand": "break"})
    with pytest.raises(TypeError, match="unexpected keyword argument 'banker'"):
        houseway.HousewayEnv("asian-stud", banker=foxwoods)
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        houseway.HousewayEnv(banker=foxwoods, frameskip=4)


def test_any_strategy_plays_either_side(foxwoods: StrategyTable) -> None:
    way = houseway.HouseWay("foxwoods")
    shard = (3, 900)
    expected = exact.solve(way, "trump-plaza", shard=shard)
    for player in (foxwoods, foxwoods.settings, lambda batch: way(batch)):
        assert exact.solve(player, "trump-plaza", shard=shard) == expected
    with pytest.raises(ValueError, match="other game rules"):
        exact.solve(StrategyTable(way, rules={}), "trump-plaza", rules={"copies": "player"})


@pytest.mark.slow
def test_a_table_banks_like_the_way_that_it_was_made_of(foxwoods: StrategyTable) -> None:
    way = houseway.HouseWay("foxwoods")
    hand = "As Ad Kh Kc Qs Qd 3c"
    by_way, by_table = (exact.hand_ev(hand, banker) for banker in (way, foxwoods))
    assert np.array_equal(by_way.wins, by_table.wins) and np.array_equal(by_way.losses, by_table.losses)
    assert exact.solve("trump-plaza", foxwoods) == exact.solve("trump-plaza", way)
    by_way, by_table = (exact.score("trump-plaza", banker) for banker in (way, foxwoods))
    assert by_table == by_way
    assert exact.solve(exact.OPTIMAL, foxwoods).exact_ev == by_way.optimum.exact_ev
