"""Tests that results for Ultimate Texas Hold'em agree with published numbers, and that independent evaluations agree
with each other."""

from fractions import Fraction

import numpy as np
import pytest
from houseway import cards
from houseway.exact import ultimate_holdem as holdem


@pytest.fixture(scope="module")
def optimum() -> holdem.Totals:
    """Optimal play over all deals."""
    return holdem.solve()


@pytest.mark.slow
def test_the_optimum_is_the_published_one(optimum: holdem.Totals) -> None:
    # The Wizard of Odds, "Ultimate Texas Hold'em", gives a house edge of 2.18497% of the ante, an element of risk of
    # 0.53%, and a standard deviation of 4.94.
    assert -100 * optimum.ev == pytest.approx(2.18497, abs=5e-6)
    assert 100 * optimum.element_of_risk == pytest.approx(0.53, abs=0.005)
    assert optimum.standard_deviation == pytest.approx(4.94, abs=0.005)
    assert sum(optimum.played) == holdem.DEALS and optimum.frequencies.sum() == pytest.approx(1)
    assert (optimum.categories["royal flush"], optimum.categories["one pair"]) == (4_324, 58_627_800)
    # From the section on Trips in the same source, for the paytable 30-8-7-4-3.
    assert -100 * float(optimum.exact_trips_ev) == pytest.approx(3.4979, abs=5e-5)
    assert holdem.solve() is optimum


@pytest.mark.slow
def test_starting_hands(optimum: holdem.Totals) -> None:
    assert optimum.names.tolist() == holdem.kind_names().tolist() and len(set(optimum.names)) == 169
    assert optimum.combinations.sum() == 1_326
    assert optimum.combinations[optimum.chosen == 4].sum() == 500  # published: 500 of 1,326 hands play
    # The mean EV over all starting hands is the total EV.
    best = optimum.gains.max(axis=1).tolist()
    mean = sum(n * gain for n, gain in zip(optimum.combinations.tolist(), best))
    assert Fraction(mean, 1_326 * optimum.denominator) == optimum.exact_ev
    np.testing.assert_allclose(optimum.after_check.sum(axis=1), 1)
    start = holdem.hand_ev(["Kh 8c", "8d Ks", "2s 3s"])
    assert start.actions == ("check", "play4") and start.best.tolist() == [1, 1, 0]
    assert start.gains[0].tolist() == start.gains[1].tolist()
    assert start.exact(0, "play4") == optimum.exact_start_ev("K8o", "play4") == optimum.exact_start_ev("K8o", 1)
    with pytest.raises(ValueError, match="unknown starting hand 'KKs': expected one of 22, "):
        optimum.exact_start_ev("KKs", 0)
    square = optimum.names.reshape(13, 13)
    assert (square[12, 11], square[11, 12], square[12, 12]) == ("AKs", "AKo", "AA")


def test_flops_and_rivers() -> None:
    flop = holdem.hand_ev("Kh 8c", "8d 5s 2h")
    assert flop.actions == ("check", "play2") and flop.best.tolist() == [1]
    assert flop.exact(0, 1) == flop.exact(0, np.int64(1)) == flop.exact(0, "play2") > flop.exact(0, 0)
    assert flop.denominator == 1_081 * 990 * 2
    # The EV of a Play on the flop is the mean over the complete boards, with a Play of two antes on each. The EV of a
    # check is the mean over the river decisions, which play one ante or fold.
    hole, board = cards.as_rows("7h 6h"), cards.as_rows("Ah 9h 9c")
    rest = np.setdiff1d(np.arange(52), np.concatenate([hole[0], board[0]]))
    last = np.array([(a, b) for i, a in enumerate(rest) for b in rest[:i]], np.uint8)
    boards = np.hstack([np.repeat(board, len(last), axis=0), last])
    rivers = holdem.hand_ev(np.repeat(hole, len(last), axis=0), boards)
    check = Fraction(int(rivers.gains.max(axis=1).sum()), rivers.denominator * len(last))
    assert holdem.hand_ev(hole, board).exact(0, "check") == check
    # A royal flush wins Ante 1 unless the dealer doesn't qualify, Blind 500 to 1, and Play 1.
    assert holdem.hand_ev("As Ks", "Qs Js Ts 2d 2c").ev[0].tolist() == [-2, 502]


def test_a_trips_bet_lost_by_a_fold_keeps_hands_in_play() -> None:
    def best(trips: int, **rules: str) -> str:
        rules = {key.replace("_", "-"): value for key, value in rules.items()}
        decision = holdem.hand_ev("3d 2c", "Ks Kh Kd Qc 9s", trips=trips, rules=rules)
        return decision.actions[decision.best[0]]

    assert best(5) == "fold" and best(0, trips_on_fold="lost") == "fold" and best(5, trips_on_fold="lost") == "play1"


@pytest.mark.slow
def test_the_simple_strategy_loses_what_is_published(optimum: holdem.Totals) -> None:
    simple = holdem.solve(holdem.SIMPLE)
    assert -100 * simple.ev == pytest.approx(2.43, abs=0.05)  # published with two decimals
    regret = holdem.simple_regret(2_000, seed=1)
    assert regret.optimum.exact_ev == optimum.exact_ev and regret.boards == 2_000
    assert regret.exact_start == 0 < regret.exact_flop < regret.exact_river
    assert abs(regret.total - float(optimum.exact_ev - simple.exact_ev)) < 1.5 * regret.half_width < 5e-4
    assert 0.97 < regret.agreement < 0.99


def test_what_the_simple_strategy_does() -> None:
    assert holdem.simple_strategy(["As 2d", "Kh 8c", "Qh 7c", "2s 2d"]).tolist() == [4, 4, 0, 0]
    assert holdem.simple_strategy(["2s 2d", "Kh 8c", "Qh 7h", "9h 7h"], "8h 5h 3c").tolist() == [0, 2, 2, 0]
    assert holdem.simple_strategy(["Kh 3c", "7h 6c"], "Kd Qs Js 9d 2h").tolist() == [1, 0]
    names = holdem.kind_names()
    plays = {str(name) for name, antes in zip(names, _starts(names)) if antes}
    assert {"33", "K2s", "K5o", "Q6s", "Q8o", "J8s", "JTo"} <= plays
    assert not {"22", "K4o", "Q5s", "Q7o", "J7s", "J9o", "T9s"} & plays


def _starts(names: np.ndarray) -> np.ndarray:
    hands = [f"{name[0]}s {name[1]}{'s' if name.endswith('s') else 'h'}" for name in names.tolist()]
    assert holdem.kind_of(hands).tolist() == list(range(169))
    return holdem.simple_strategy(hands)


def test_bad_positions_are_refused() -> None:
    for board, part in [("2c 3c", "0 or 3 or 5"), ("Kh 3c 4d", "Kh is in the hand"), ("Jk 3c 4d", "not in the deck")]:
        with pytest.raises(ValueError, match=part):
            holdem.hand_ev("Kh 8c", board)
    with pytest.raises(ValueError, match="two different cards"):
        holdem.hand_ev("Jk 8c")
    with pytest.raises(ValueError, match="expected 'optimal' or 'simple'"):
        holdem.solve("best")
    with pytest.raises(ValueError, match="blind"):
        holdem.solve(rules={"blind": 3})
    with pytest.raises(ValueError, match="expected one board per hand"):
        holdem.hand_ev("Kh 8c", ["8d 5s 2h", "8d 5s 3h"])
