"""Tests for creating house ways from names, files, texts and dicts."""

from pathlib import Path

import houseway
import pytest

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
