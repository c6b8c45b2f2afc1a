"""Tests that the house-way search states the correct exact EVs, and finds the same lists and changes as the command
line."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import houseway
import numpy as np
import pytest
from houseway import exact, searching
from houseway.tables import StrategyTable

FREE = houseway.HouseWay(rules={"commission": 0})


@pytest.fixture(scope="module")
def found() -> houseway.SearchResult:
    """The best lists with one and two rules."""
    return houseway.search(range(1, 3), width=1, banker="foxwoods")


def without_first_rule(toml: str) -> str:
    """Returns the text of a house way without its first rule."""
    start = toml.index("[[rule]]")
    return toml[:start] + toml[toml.index("[[rule]]", start + 1) :]


@pytest.fixture(scope="module")
def scores(found: houseway.SearchResult) -> list[exact.Score]:
    """The exact results for the lists found and for the longer list without its first rule, from a single pass."""
    alone = houseway.HouseWay(without_first_rule(found.ways[1].toml))
    return exact.scores([*(way.way for way in found.ways), alone], "foxwoods")


@pytest.mark.slow
def test_lists_have_the_stated_ev(found: houseway.SearchResult, scores: list[exact.Score]) -> None:
    assert (found.seat, found.opponents, [way.rules for way in found.ways]) == ("player", ("foxwoods",), [1, 2])
    for way, score in zip(found.ways, scores):
        assert way.exact_ev == score.policy.exact_ev and isinstance(way.exact_regret, Fraction)
        assert found.exact_best_ev - way.exact_ev == way.exact_regret == way.exact_regrets[0]
        assert way.regret >= way.bound and way.regret > found.vocabulary_regret > 0
        assert way.sheet == [rule.text for rule in way.way.rules] and sum(rule.hands for rule in way.per_rule) == 154_143_080
    assert found.ways[1].regret < found.ways[0].regret


@pytest.mark.slow
def test_prices_are_those_of_two_counts(found: houseway.SearchResult, scores: list[exact.Score]) -> None:
    way = found.ways[1]
    assert way.per_rule[0].ev_without is not None and way.per_rule[1].ev_without is None
    # Without its first rule, only the list's last rule is left.
    assert scores[2].policy.ev == pytest.approx(way.per_rule[0].ev_without, abs=4e-9)
    assert way.next_rule is not None and way.next_rule[1] > 0


@pytest.mark.slow
def test_a_change_of_a_sheet_has_the_stated_gain() -> None:
    # No words are allowed, so there is little to try.
    (changed,) = houseway.search(fix="claridge", banker="foxwoods", width=1, words=[])
    assert isinstance(changed, searching.ChangedWay)
    scores = exact.scores([houseway.HouseWay("claridge"), changed.way], "foxwoods")
    before, after = (score.policy.exact_ev for score in scores)
    assert (changed.exact_ev, changed.exact_ev_change) == (after, after - before) and changed.ev_change > 1e-4
    assert [change.kind for change in changed.changes if change.ev_change] in (["replace"], ["add"], ["drop"], ["move"])


@pytest.mark.slow
def test_the_command_line_finds_the_same(found: houseway.SearchResult, command: Callable, tmp_path: Path) -> None:
    arguments = ["search", "--length", "1..2", "--width", "1", "--banker", "foxwoods", "--json", "--out", str(tmp_path / "found")]
    told = json.loads(command(*arguments))
    for theirs, ours in zip(told["ways"], found.ways):
        exact_ev = Fraction(int(theirs["ev_exact"]["numerator"]), int(theirs["ev_exact"]["denominator"]))
        assert (exact_ev, theirs["hash"], theirs["sheet"]) == (ours.exact_ev, ours.way.hash, ours.sheet)
        limits = [[(it["limit"], it["lower"], it["higher"]) for it in rule["limits"]] for rule in theirs["per_rule"]]
        assert limits == [[(it.name, it.lower, it.higher) for it in rule.limits] for rule in ours.per_rule]
        assert Path(theirs["file"]).read_text(encoding="utf-8") == ours.toml


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": 0}, "rules 0"),
        ({"rules": range(3, 3)}, "range"),
        ({"rules": [1, 2]}, r"invalid rules \[1, 2\]: expected an integer, or a range"),
        ({"width": "a"}, "invalid width 'a': expected an integer"),
        ({"rules": range(3, 50)}, "rules 49"),
        ({"as_": "dealer"}, "dealer"),
        ({"objective": "median"}, "mean, worst"),
        ({"words": ["sums"]}, "pair-sum"),
        ({"width": 0}, "width 0"),
        ({"max_words": 5}, "max_words 5"),
        ({"bounds": -1}, "bounds -1"),
        ({"banker": []}, "at least one"),
        ({"banker": "nobody"}, "nobody"),
        ({"banker": [FREE, houseway.HouseWay(rules={"commission": 0.04})]}, r"^banker\[1\]: .* other game rules"),
        ({"banker": FREE, "game_rules": {}}, "^banker: .* other game rules"),
        ({"banker": StrategyTable(np.zeros(exact.CLASSES, np.uint8))}, "^banker: .* only supports house ways"),
        ({"banker": "table.safetensors"}, "^banker: .* only supports house ways"),
        ({"banker": ["trump-plaza", lambda batch: batch]}, r"^banker\[1\]: .* only supports house ways"),
        ({"change": 2}, "only be used with fix"),
        ({"fix": "foxwoods", "change": 9}, "change 9"),
        ({"fix": "foxwoods", "rules": 3}, "leave them out"),
        ({"fix": "nobody"}, "nobody"),
    ],
)
def test_invalid_arguments_are_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        houseway.search(**arguments)
