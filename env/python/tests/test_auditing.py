"""Tests that the shards of an audit add up and that audits agree with other evaluations."""

from fractions import Fraction

import houseway
import numpy as np
import pytest
from houseway import exact
from houseway.tables import StrategyTable


@pytest.fixture(scope="module")
def part() -> houseway.Audit:
    """Part of the audit of the house way against itself."""
    return houseway.audit(shard=(2, 40))


@pytest.fixture(scope="module")
def audit() -> houseway.Audit:
    """The audit of the house way against itself, combined from shards."""
    parts = [houseway.audit(shard=(i, 3)) for i in (2, 0, 1)]
    assert not (parts[0] + parts[1]).is_whole
    return parts[0] + parts[1] + parts[2]


@pytest.mark.slow
def test_the_sums_are_the_whole_game(audit: houseway.Audit) -> None:
    assert audit.is_whole and audit.hands == 154_143_080
    assert audit.counts.deals == audit.best.deals == exact.DEALS
    # These values are committed in results/claim.
    assert 100 * audit.ev == pytest.approx(-2.7246, abs=5e-5)
    assert 100 * audit.optimal_ev == pytest.approx(-2.4414, abs=5e-5)
    lost = sum(group.lost for group in audit.groups)
    assert audit.ev_of(lost) == audit.exact_regret > 0
    assert sum(group.hands for group in audit.groups) == audit.hands
    for halves in (audit.fronts, audit.backs):
        assert sum(half.hands for half in halves) == audit.hands
        assert min(min(half.beats, half.copies, half.beaten) for half in halves) >= 0
    assert sum(half.copies for half in audit.fronts) == audit.counts.copies_front
    assert sum(half.copies for half in audit.backs) == audit.counts.copies_back
    assert audit.fronts[0].name == "AA"


@pytest.mark.slow
def test_rules_have_all_their_hands(audit: houseway.Audit) -> None:
    rules, way = audit.by_rule(), houseway.HouseWay()
    assert rules["rule"].tolist() == [rule.name for rule in way.rules]
    assert rules["hands"].tolist() == [rule.hands for rule in way.rules]


def test_arrays_by_rule_and_class(part: houseway.Audit) -> None:
    rules, classes = part.by_rule(), part.by_class()
    assert 0 < rules["hands"].sum() == classes["hands"].sum() == part.hands
    for columns in (rules, classes):
        assert len({len(column) for column in columns.values()}) == 1
        assert columns["ev_lost"].sum() == pytest.approx(part.regret, abs=1e-15)
        assert (columns["suboptimal"] <= columns["hands"]).all()
    assert (np.diff(classes["ev_lost"]) <= 0).all()
    # A rule that no other rule can replace reports how many hands need it.
    for rule, change in zip(part.rules, rules["ev_change"]):
        assert np.isnan(change) == (rule.without is None) == (rule.needed_by > 0)


def test_examples_are_hands_that_are_set_so(part: houseway.Audit) -> None:
    way = houseway.HouseWay()
    for group in part.groups[:5]:
        sample = group.worst
        assert sample is not None
        ev = exact.hand_ev(sample.hand)
        assert way.set(sample.hand)[0] == sample.plays and ev.best[0] == sample.other
        assert sample.exact_ev == (ev.exact(0, sample.plays), ev.exact(0, sample.other))
        assert way.rule_of(sample.hand) == [part.rules[group.rule].rule]


@pytest.mark.parametrize(("seat", "sign"), [("player", 1), ("banker", -1)])
def test_the_evs_of_examples_include_the_fee(seat: str, sign: int) -> None:
    free, paid = (houseway.audit(seat=seat, shard=(3, 400), rules={"collection": fee}) for fee in ("none", "1/50"))
    assert free.exact_ev - paid.exact_ev == sign * Fraction(1, 50)
    samples = [(one.worst, other.worst) for one, other in zip(free.groups, paid.groups) if one.worst]
    for one, other in samples:
        assert [a - b for a, b in zip(one.exact_ev, other.exact_ev)] == [sign * Fraction(1, 50)] * 2
    sample = samples[0][1]
    if seat == "player":
        ev = exact.hand_ev(sample.hand, rules={"collection": "1/50"})
        assert sample.exact_ev == (ev.exact(0, sample.plays), ev.exact(0, sample.other))


@pytest.mark.slow
def test_readings_are_priced_as_two_counts_would(audit: houseway.Audit) -> None:
    price = audit.readings[0]
    other = houseway.HouseWay(readings={price.name: price.option})
    change = exact.solve(other, "trump-plaza").exact_ev - audit.exact_ev
    assert price.change is not None and audit.ev_of(price.change.gain) == change
    assert audit.by_reading()[0]["ev_change"] == float(change)


def test_a_way_from_a_dict_in_the_banker_s_seat() -> None:
    made = {
        "name": "highest",
        "title": "The highest front that is legal",
        "source": "made up",
        "rule": [{"name": "all", "text": "The highest front.", "when": {}, "play": [{}], "prefer": "front"}],
    }
    audit = houseway.audit(made, seat="banker", shard=(3, 50))
    assert audit.exact_ev == -audit.counts.exact_ev and isinstance(audit.exact_ev, Fraction)
    assert audit.exact_regret == audit.ev_of(sum(group.lost for group in audit.groups)) > 0
    assert audit.by_rule()["rule"].tolist() == ["all"] and audit.rules[0].without is None


def test_parts_that_do_not_belong_together_are_refused() -> None:
    one, other = (houseway.audit(shard=(0, n)) for n in (500, 400))
    with pytest.raises(ValueError, match="not shards of the same|cannot add shards"):
        one + other
    with pytest.raises(ValueError, match="in both"):
        one + one
    with pytest.raises(ValueError, match="seat"):
        houseway.audit(seat="dealer")


def test_a_table_is_audited_like_the_way_that_it_was_made_of(foxwoods_settings: np.ndarray) -> None:
    by_rule, by_kind = (houseway.audit(it, shard=(3, 900)) for it in ("foxwoods", foxwoods_settings))
    for name in ("hands", "counts", "best", "fronts", "backs"):
        assert getattr(by_kind, name) == getattr(by_rule, name)
    assert by_kind.ev_of(sum(group.lost for group in by_kind.groups)) == by_kind.exact_regret == by_rule.exact_regret
    assert not by_kind.rules and not by_kind.readings and not len(by_kind.by_rule()["rule"])
    kinds = by_kind.by_class()
    assert set(kinds["rule"]) == {""} and kinds["class"][0] in str(by_kind)
    assert list(houseway.plot.audit(by_kind)) == ["costliest-hands", "backs"]


def test_an_audit_against_a_table_is_that_against_its_way(foxwoods_settings: np.ndarray) -> None:
    by_way, by_table = (houseway.audit(opponent=it, seat="banker", shard=(3, 900)) for it in ("foxwoods", foxwoods_settings))
    for name in ("hands", "counts", "best", "groups", "rules", "readings"):
        assert getattr(by_table, name) == getattr(by_way, name)
    assert by_way.fronts and not by_table.fronts and not by_table.backs


def test_an_audit_has_the_rules_of_its_strategies() -> None:
    rules = {"commission": 0, "copies": "pushed"}
    way = houseway.HouseWay(rules=rules)
    by_rules, by_way = houseway.audit(rules=rules, shard=(0, 500)), houseway.audit(way, way, shard=(0, 500))
    assert by_rules == by_way and by_rules.rules_hash == way.rules_hash
    assert by_rules.counts == exact.solve(rules=rules, shard=(0, 500)) != houseway.audit(shard=(0, 500)).counts
    with pytest.raises(ValueError, match="^opponent: .* made for other game rules"):
        houseway.audit(opponent=way, rules={})


def test_strategies_for_other_game_rules_are_refused(foxwoods_settings: np.ndarray) -> None:
    free = houseway.HouseWay(rules={"commission": 0})
    assert houseway.audit(free, shard=(0, 500)).counts.commission == 0
    table = StrategyTable(foxwoods_settings, rules={})
    for opponent in (houseway.HouseWay(rules={"commission": 0.04}), table):
        with pytest.raises(ValueError, match="^opponent: .* made for other game rules"):
            houseway.audit(free, opponent)
