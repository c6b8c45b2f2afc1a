"""Tests that results for Asian Stud and Joker Seven agree with binomial coefficients and committed results."""

import json
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from houseway.exact import asian_stud, joker_seven


@pytest.fixture(scope="module")
def solution() -> asian_stud.Solution:
    """Asian Stud under the default rules."""
    return asian_stud.solve()


def test_the_classes_of_asian_stud(solution: asian_stud.Solution) -> None:
    assert len(solution.hands) == 2_708 and solution.hands.sum() == comb(53, 5)
    assert (solution.dealers.sum(axis=1) == comb(48, 5)).all() and (solution.counts.sum(axis=1) == 5).all()
    no_joker = asian_stud.solve({"joker": "none"})
    assert len(no_joker.hands) == 1_993 and no_joker.hands.sum() == comb(52, 5)
    with pytest.raises(ValueError, match="no joker"):
        no_joker.hand_ev("Jk As Kd 2c 3d")


def test_the_best_policy_of_asian_stud(solution: asian_stud.Solution) -> None:
    best, always = solution.optimal, solution.always_raise
    # These values are committed in results/asian-stud.
    assert best.ev == pytest.approx(-0.02916643051530693, abs=1e-14)
    assert always.ev == pytest.approx(-0.03094981414733472, abs=1e-14)
    assert best.deals == always.raised == comb(53, 5) * comb(48, 5)
    # The table of payoffs gives the same EVs.
    gains = (solution.dealers * solution.payoffs[solution.value]).sum(axis=1) / comb(48, 5)
    np.testing.assert_allclose(solution.raise_ev, gains, rtol=0, atol=1e-12)
    mean = (np.maximum(gains, -1) * solution.hands).sum() / solution.hands.sum()
    assert best.ev == pytest.approx(mean, abs=1e-12)
    assert best.exact_average_wager == 1 + Fraction(best.raised, best.deals)
    folded = solution.total(np.zeros(len(solution.hands), np.bool_))
    assert (folded.exact_ev, folded.variance, folded.raised) == (-1, 0, 0)
    with pytest.raises(ValueError, match="expected 2708 decisions"):
        solution.total(np.ones(3, np.bool_))


def test_hands_of_asian_stud(solution: asian_stud.Solution) -> None:
    values, ev = solution.hand_ev(["Ks Qh Td 4c 3s", "2s 2h 2d 3c 3s"])
    assert values.tolist() == [7, 0] and ev[0] > ev[1]
    row = np.flatnonzero((solution.counts == [0, 0, 1, 1, 0, 0, 0, 0, 0, 3, 0]).all(axis=1))
    assert len(row) == 1 and solution.raise_ev[row[0]] == ev[0]
    for bad in ("Ks Qh Td 4c", "Ks Ks Td 4c 3s"):
        with pytest.raises(ValueError):
            solution.hand_ev(bad)


def test_the_side_bet(solution: asian_stud.Solution) -> None:
    bet = solution.side_bet()
    hands = {name: hands for name, _, hands in bet.rows}
    # The numbers of straights and flushes in a deck with one joker, as in any poker reference.
    assert [hands[name] for name in ("royal flush", "straight flush", "flush", "straight")] == [24, 180, 7_804, 20_532]
    paid = sum(hands.values())
    assert bet.exact_ev == Fraction(sum(odds * n for _, odds, n in bet.rows) - (bet.hands - paid), bet.hands)
    with pytest.raises(ValueError, match="example-pair"):
        solution.side_bet("pair")
    with pytest.raises(ValueError, match="which hands are folded"):
        asian_stud.solve({"side-bet-on-fold": "lost"}).side_bet()


def test_every_reading_of_asian_stud(solution: asian_stud.Solution) -> None:
    rows = asian_stud.readings()
    assert len(rows) == sum(len(options) for options in asian_stud.READINGS.values())
    firsts = {name: options[0] for name, options in asian_stud.READINGS.items()}
    for row in rows:
        assert row["ev"] >= row["always_raise_ev"]
        if firsts[row["reading"]] == row["option"]:
            assert row["ev"] == solution.optimal.ev
    with pytest.raises(ValueError, match="six_nine|three_six_nine"):
        asian_stud.solve({"joker": "seven"})


def test_the_wagers_of_joker_seven() -> None:
    wagers = joker_seven.count()
    winners = dict(zip(wagers.names, wagers.winners.tolist()))
    assert len(wagers.names) == 28 and joker_seven.HANDS == comb(54, 7)
    # 26 of the 54 cards are black.
    for name, number in [("4-black", 4), ("5-red", 5), ("6-black", 6), ("7-red", 7)]:
        assert winners[name] == comb(26, number) * comb(28, 7 - number)
    assert winners["one-joker"] == 2 * comb(52, 6) and winners["two-jokers"] == comb(52, 5)
    assert winners["no-pair"] == comb(13, 7) * 4**7 + 2 * comb(13, 6) * 4**6
    assert winners["pair-A"] == winners["pair-2"] == sum(comb(4, n) * comb(50, 7 - n) for n in (2, 3, 4))
    for name, ev in zip(wagers.names, wagers.ev):
        assert float(wagers.exact_ev(name)) == pytest.approx(ev, abs=1e-15)
    # These values are committed in results/joker-seven.
    assert wagers.ev.max() == pytest.approx(-0.039425917117371055, abs=1e-14)
    with pytest.raises(ValueError, match="one-joker"):
        wagers.index("three-jokers")


def test_covariances_of_joker_seven() -> None:
    wagers = joker_seven.count()
    covariance = wagers.covariance
    np.testing.assert_array_equal(covariance, covariance.T)
    chance = wagers.winners / joker_seven.HANDS
    np.testing.assert_allclose(covariance.diagonal(), (wagers.odds + 1) ** 2 * chance * (1 - chance), rtol=1e-12)
    # "Four or more" is the disjoint union of exactly four, five, six and seven.
    parts = [wagers.index(f"{n}-black") for n in (4, 5, 6, 7)]
    np.testing.assert_array_equal(wagers.both[parts].sum(axis=0), wagers.both[wagers.index("4+-black")])
    assert wagers.both[wagers.index("one-joker"), wagers.index("two-jokers")] == 0


def test_readings_and_paytables_of_joker_seven(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert len(joker_seven.count({"colour": "either_colour"}).names) == 23
    jersey = joker_seven.count(paytable="new-jersey")
    assert jersey.odds[jersey.index("7-black")] == 25
    file = tmp_path / "mine.toml"
    rows = "".join(f'[[row]]\nhand = {json.dumps(name)}\nodds = 2\n' for name in ("no-pair", "one-joker"))
    file.write_text(f'name = "mine"\ntitle = "Mine"\nsource = "made up"\n{rows}')
    assert joker_seven.count(paytable=str(file)).names == ("no-pair", "one-joker")


def test_the_frontier_of_joker_seven() -> None:
    wagers, frontier = joker_seven.count(), joker_seven.frontier()
    assert (np.diff(frontier.ev) > 0).all() and (np.diff(frontier.deviation) > -1e-12).all()
    np.testing.assert_allclose(frontier.shares.sum(axis=1), 1)
    assert frontier.ev[-1] == pytest.approx(wagers.ev.max(), abs=1e-9)
    # Recompute a point from its stakes on single spots.
    kinds = dict(zip(frontier.kinds, frontier.shares[5] / frontier.spots))
    stakes = np.array([kinds[kind] for kind in wagers.kinds])
    assert stakes @ wagers.ev == pytest.approx(frontier.ev[5], abs=1e-12)
    assert stakes @ wagers.covariance @ stakes == pytest.approx(frontier.deviation[5] ** 2, abs=1e-12)
