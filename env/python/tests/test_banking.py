"""Tests that banking agrees with a manual computation from all deals and with the command line."""

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import log
from pathlib import Path
from typing import Any

import houseway
import numpy as np
import pytest
from houseway import exact
from houseway.exact import banking
from houseway.tables import StrategyTable


@pytest.fixture(scope="module")
def one() -> banking.Bank:
    """The bank against one opponent, where both use the default way."""
    return exact.bank([("trump-plaza", 100)], own=40)


def test_one_opponent_by_hand(one: banking.Bank) -> None:
    (solved,) = one.counts
    # The same deals as in results/claim, where the house banks.
    assert (solved.wins, solved.losses) == (2_360_723_961_772_804, 2_467_480_314_035_240)
    assert one.is_exact and one.stake == 100
    assert one.exact_bounds[0] == 100 * solved.exact_banker_ev
    assert one.exact_before_commission == 100 * Fraction(solved.losses - solved.wins, solved.deals)
    assert one.exact_pass == 40 * solved.exact_ev
    assert one.exact_price[0] == one.exact_bounds[0] - one.exact_pass
    # The 5% commission exceeds the EV, but banking still loses less than playing one's own bet.
    assert one.ev < 0 < one.exact_price[0] and one.take is True
    assert one.sampled_ev() == (one.ev, 0)


def test_the_distribution_of_one_opponent(one: banking.Bank) -> None:
    single, counts = one.single, one.counts[0]
    assert single is not None and single.results.tolist() == [-100, 0, 95]
    assert single.weights.tolist() == [counts.wins, counts.pushes, counts.losses]
    assert single.exact_mean == one.exact_bounds[0]
    chances = single.chances
    assert single.variance == pytest.approx(chances[2] * 95**2 + chances[0] * 100**2 - one.ev**2)
    growth = chances[2] * log(1 + 95 / 5_000) + chances[0] * log(1 - 100 / 5_000)
    assert single.log_growth(5_000) == pytest.approx(growth, abs=1e-15)
    assert single.log_growth(100) == -np.inf and single.kelly_size(5_000) == 0
    with pytest.raises(ValueError, match="bankroll"):
        single.log_growth(0)


def test_without_commission_the_bank_bears_a_stake() -> None:
    free = exact.bank([("trump-plaza", 100)], rules={"commission-on-banker": "none"})
    counts = free.counts[0]
    # Without a commission, banking earns the house edge before commission, which is due to copies.
    assert free.exact_bounds[0] == 100 * Fraction(counts.losses - counts.wins, counts.deals) > 0 and free.take is True
    assert free.exact_kelly == (Fraction(counts.losses - counts.wins, counts.losses + counts.wins),)
    assert free.single is not None
    size = free.single.kelly_size(100_000)
    assert size * 100 / 100_000 == pytest.approx(float(free.exact_kelly[0]), abs=1e-9)
    best = free.single.log_growth(round(100 / float(free.exact_kelly[0])))
    assert best > max(free.single.log_growth(bankroll) for bankroll in (800, 20_000))


def test_fees_are_paid_for_every_hand(one: banking.Bank) -> None:
    # Fees as reported for Hustler Casino: players pay 1 chip for a bet of 10 to 100, and the bank pays 2.
    rules = {"commission": 0, "commission-on-banker": "none", "collection": "1/100", "bank-collection": "2/300"}
    bank, counts = exact.bank([("trump-plaza", 100)], own=40, rules=rules), one.counts[0]
    edge = Fraction(counts.losses - counts.wins, counts.deals)
    assert bank.exact_bounds == (100 * edge - 2, 100 * edge - 2) and bank.exact_pass == -40 * edge - 1
    assert bank.single is not None and bank.single.results.tolist() == [-102, -2, 98]
    # Per unit staked, the fee is that for the largest bet in the list.
    (solved,) = bank.counts
    assert (solved.exact_ev, solved.exact_banker_ev) == (-edge - Fraction(1, 100), edge - Fraction(1, 100))
    wins, pushes, losses = (count / solved.deals for count in (solved.wins, solved.pushes, solved.losses))
    variance = wins * 0.99**2 + pushes * 0.01**2 + losses * 1.01**2 - solved.ev**2
    assert solved.standard_deviation == pytest.approx(variance**0.5, abs=1e-12)


def test_several_opponents_add_up_and_net_win_is_enclosed(one: banking.Bank) -> None:
    bets = [("trump-plaza", 100), ("trump-plaza", 60)]
    per_bet = exact.bank(bets, own=40, rules={"commission-on-banker": "per_bet"})
    assert per_bet.is_exact and per_bet.exact_bounds[0] == one.exact_bounds[0] * Fraction(160, 100)
    net = exact.bank(bets, own=40)
    assert not net.is_exact and net.single is None
    (low, high), (ev, error) = net.exact_bounds, net.sampled_ev(50_000, seed=2)
    assert per_bet.exact_bounds[0] < ev < high and low < ev and 0 < error < 0.05
    sample = net.sample(50_000, seed=2)
    assert sample.weights.sum() == 50_000 and set(sample.results.tolist()) <= {-160, -100, -60, -40, 0, 38, 57, 95, 152}
    assert abs(sample.mean - ev) < 5 * sample.standard_error
    again = net.sample(50_000, seed=2)
    np.testing.assert_array_equal(again.weights, sample.weights)


def results(bank: banking.Bank) -> tuple[Any, ...]:
    sample = bank.sample(2_000)
    return bank.counts, bank.exact_bounds, bank.exact_price, sample.results.tolist(), sample.weights.tolist()


def test_players_with_a_table_play_like_the_way_that_it_was_made_of(
    foxwoods_settings: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(banking, "solve", partial(exact.solve, shard=(3, 900)))
    monkeypatch.setattr(banking, "_pairs", {})
    ways: list[Any] = ["foxwoods", foxwoods_settings]
    by_way, by_table = (results(exact.bank([(it, 100), ("trump-plaza", 60)], way=it)) for it in ways)
    assert by_table == by_way


@pytest.mark.slow
def test_a_table_banks_like_the_way_that_it_was_made_of(foxwoods_settings: np.ndarray) -> None:
    ways: list[Any] = ["foxwoods", foxwoods_settings]
    by_way, by_table = (results(exact.bank([("trump-plaza", 100)], it)) for it in ways)
    assert by_table == by_way


@pytest.mark.slow
def test_the_best_banker_earns_more(one: banking.Bank) -> None:
    best = exact.bank([("trump-plaza", 100)], exact.OPTIMAL, own=40)
    assert best.banker == "optimal" and best.exact_bounds[0] > one.exact_bounds[0]
    assert best.exact_pass == one.exact_pass
    with pytest.raises(ValueError, match="given strategy"):
        best.sample(10)


@pytest.mark.slow
def test_two_opponents_of_one_hand_have_the_results_of_each_alone() -> None:
    hand, way = "As Kd Jk 7c 7d 2h 3s", houseway.HouseWay()
    setting = int(way.set(hand)[0])
    joint = banking.joint(hand, setting)
    np.testing.assert_array_equal(joint, joint.T)
    pairs = int(joint.sum())
    assert pairs == exact.BANKER_HANDS * 15_380_937  # C(46, 7) C(39, 7)
    gain = np.array([1, 0, -1])
    # Both opponents tend to lose to a good hand and to beat a bad one, so their results are positively correlated.
    mean = float(gain @ joint.sum(axis=1)) / pairs
    assert float(gain @ joint.astype(float) @ gain) / pairs > mean**2


def test_banks_that_make_no_sense_are_refused(foxwoods_settings: np.ndarray) -> None:
    for bets, part in [([], "1 to 6"), ([("trump-plaza", 5)] * 7, "1 to 6"), ([("trump-plaza", 0)], "chips")]:
        with pytest.raises(ValueError, match=part):
            exact.bank(bets)
    limits = {"bet-minimum": 50, "bet-maximum": 90}
    for bet, own in [(100, 0), (60, 20), (60, 100)]:
        with pytest.raises(ValueError, match="chips: expected 50 to 90"):
            exact.bank([("trump-plaza", bet)], own=own, rules=limits)
    both = "'chairs': expected one of .*seats.* for the table, or .*copies.* for the game"
    for rules, part in [({"chairs": 3}, both), ({"comission": 0}, "did you mean commission?")]:
        with pytest.raises(ValueError, match=part):
            exact.bank([("trump-plaza", 5)], rules=rules)
    with pytest.raises(ValueError, match="one setting for all of them, which isn't computed here"):
        exact.bank([("trump-plaza", 5)] * 2, exact.OPTIMAL)
    free, table = houseway.HouseWay(rules={"commission": 0}), StrategyTable(foxwoods_settings, rules={})
    for player in (houseway.HouseWay(rules={"commission": 0.04}), table):
        with pytest.raises(ValueError, match=r"^bets\[0\]: .* made for other game rules"):
            exact.bank([(player, 5)], way=free)
    with pytest.raises(ValueError, match="foul"):
        banking.joint("As Ad 9h 7c 5s 4d 2c", 0)


def test_the_command_line_says_the_same(command: Callable, tmp_path: Path) -> None:
    bets = [("trump-plaza", 100), ("trump-plaza", 60)]
    arguments = [*(f"{way}:{bet}" for way, bet in bets), "--own", "40", "--deals", "20000", "--json"]
    told = command("bank", *arguments, cwd=tmp_path)
    said, bank = json.loads(told), exact.bank(bets, own=40)

    ratio = exact.solver.fraction
    assert tuple(ratio(said["ev"][end]) for end in ("low", "high")) == bank.exact_bounds
    assert tuple(ratio(said["price_of_passing"][end]) for end in ("low", "high")) == bank.exact_price
    assert ratio(said["pass"]["ev"]) == bank.exact_pass
    ev, error = bank.sampled_ev(20_000, seed=1)
    assert (said["sampled"]["ev"], said["sampled"]["standard_error"]) == pytest.approx((ev, error), abs=1e-12)
