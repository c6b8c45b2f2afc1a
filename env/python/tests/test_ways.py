"""Tests for creating house ways from names, files, texts and dicts."""

import sys
import time
import timeit
from pathlib import Path

import houseway
import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HIGHEST = """
name = "highest"
title = "The highest front that is legal"
source = "made up"

[[rule]]
name = "all"
text = "The highest front."
when = {}
play = [{}]
prefer = "front"
"""


def test_a_built_in_way() -> None:
    way = houseway.HouseWay("trump-plaza")
    assert way.name == "trump-plaza" and len(way.hash) == 16
    assert sum(rule.hands for rule in way.rules) == 154_143_080
    assert way.readings["pair-with-complete-hand"].chosen == "keep_complete"
    other = houseway.HouseWay("trump-plaza", readings={"pair-with-complete-hand": "break"})
    assert other.hash != way.hash


def test_sets_and_rules() -> None:
    way = houseway.HouseWay()
    hand = houseway.cards.parse("As Ad Kh Kc Qs Qd 3c")
    assert houseway.cards.front_and_back(hand, way.set(hand)[0])[0] == "As Ad"
    assert way.rule_of(hand) == ["three pairs"]


def test_errors_name_the_way(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nobody"):
        houseway.HouseWay("nobody")
    broken = tmp_path / "broken.toml"
    broken.write_text('name = "broken"\ntitle = 3\n')
    with pytest.raises(ValueError, match="broken.toml"):
        houseway.HouseWay(broken)
    with pytest.raises(ValueError, match="option"):
        houseway.HouseWay(readings={"pair-with-complete-hand": "maybe"})


def test_a_way_from_text_file_and_dict(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(HIGHEST)
    made = {
        "name": "highest",
        "title": "The highest front that is legal",
        "source": "made up",
        "rule": [{"name": "all", "text": "The highest front.", "when": {}, "play": [{}], "prefer": "front"}],
    }
    ways = [houseway.HouseWay(form) for form in (HIGHEST, file, str(file), made)]
    assert len({way.hash for way in ways}) == 1
    assert ways[3].rules == [("all", "The highest front.", 154_143_080)]


def test_the_rules_of_the_game_count() -> None:
    free = houseway.HouseWay(rules={"commission": 0})
    assert free.rules_hash != houseway.HouseWay().rules_hash
    with pytest.raises(ValueError, match="commission"):
        houseway.HouseWay(rules={"comission": 0})


def test_every_built_in_way_is_the_text_of_its_file() -> None:
    for name, text in houseway.built_in_ways().items():
        assert houseway.HouseWay(text).hash == houseway.HouseWay(name).hash


FREE = {"commission": 0}


def test_an_environment_plays_by_the_rules_of_its_way() -> None:
    free = houseway.HouseWay(rules=FREE)
    expected = houseway.HousewayEnv(rules=FREE).rules_hash
    assert expected != houseway.HousewayEnv().rules_hash
    assert houseway.HousewayEnv(banker=free).rules_hash == expected
    assert houseway.HousewayEnv(banker=free, rules={"commission": "0"}).rules_hash == expected
    assert houseway.HousewayEnv(banker=houseway.HouseWay(), rules=FREE).rules_hash == expected
    table = houseway.HousewayEnv("pai-gow-table", house_way=free)
    assert table.rules_hash == houseway.HousewayEnv("pai-gow-table", game_rules=FREE).rules_hash
    for game, settings in (
        ("pai-gow-poker", {"banker": free, "rules": {"commission": 0.04}}),
        ("pai-gow-table", {"house_way": free, "game_rules": {"commission": 0.04}}),
        ("pai-gow-table", {"house_way": free, "players": {3: {"way": houseway.HouseWay(rules={"commission": 0.04})}}}),
    ):
        with pytest.raises(ValueError, match="made for other game rules"):
            houseway.HousewayEnv(game, **settings)
    assert houseway.exact.Solver("pai-gow-poker", player=free)._made_from[1] == '{"commission": 0}'
    with pytest.raises(TypeError, match="not a StrategyTable"):
        houseway.exact.Solver("pai-gow-poker", player=houseway.tables.StrategyTable(free))


def test_a_way_is_only_scored_under_its_own_rules() -> None:
    way = houseway.HouseWay(rules={"copies": "player"})
    for policy in (way, lambda batch: way(batch)):
        with pytest.raises(ValueError, match="made for other game rules"):
            houseway.exact.score(policy)
    with pytest.raises(ValueError, match="made for other game rules"):
        houseway.tables.StrategyTable(houseway.HouseWay(), rules=FREE)
    with pytest.raises(TypeError, match="expected a function"):
        houseway.exact.score(5)  # type: ignore[arg-type]


def test_a_house_way_is_accepted_wherever_one_is_set(tmp_path: Path) -> None:
    text = houseway.built_in_ways()["foxwoods"]
    file = tmp_path / "way.toml"
    file.write_text(text)
    forms = ["foxwoods", text, file, str(file), tomllib.loads(text), houseway.HouseWay("foxwoods"), houseway.HouseWay(text)]
    pytest.importorskip("pettingzoo")
    from houseway import pettingzoo

    hands = [
        lambda way: houseway.HousewayEnv(banker=way).rules_hash,
        lambda way: houseway.HousewayEnv("face-up-pai-gow", dealer=way).rules_hash,
        lambda way: houseway.HousewayEnv("pai-gow-table", house_way=way).rules_hash,
        lambda way: pettingzoo.env(house_way=way).rules_hash,
        lambda way: pettingzoo.env(players={3: {"way": way}}).rules_hash,
        lambda way: houseway.exact.Solver("pai-gow-poker", banker=way).value("As Ad Kh Kc Qs Qd 3c")["settings"][0]["wins"],
    ]
    for used in hands:
        assert len({used(form) for form in forms}) == 1
    # The chosen readings come along.
    broken = houseway.HouseWay(readings={"pair-with-complete-hand": "break"})
    hashes = {houseway.HousewayEnv(banker=way).rules_hash for way in ("trump-plaza", broken)}
    assert len(hashes) == 2
    assert houseway.HousewayEnv(readings={"pair-with-complete-hand": "break"}).rules_hash in hashes
    tables = [pettingzoo.env(house_way=way).rules_hash for way in ("trump-plaza", houseway.HouseWay(), broken)]
    assert tables[0] == tables[1] != tables[2]


def test_ways_are_equal_if_they_set_every_hand_the_same() -> None:
    ways = {houseway.HouseWay(), houseway.HouseWay(houseway.built_in_ways()["trump-plaza"]), houseway.HouseWay("foxwoods")}
    assert len(ways) == 2
    assert houseway.HouseWay() == houseway.HouseWay() != houseway.HouseWay(rules=FREE)
    assert houseway.HouseWay() != "trump-plaza"


def test_a_way_is_compiled_once() -> None:
    houseway.exact.hand_ev("As Ad Kh Kc Qs Qd 3c")
    # CPU time, which other processes don't affect
    assert min(timeit.repeat(lambda: houseway.exact.hand_ev("As Ad Kh Kc Qs Qd 3c"), number=1, repeat=5, timer=time.process_time)) < 0.005
