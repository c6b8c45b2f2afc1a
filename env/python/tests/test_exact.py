"""Tests that exact values agree with published and committed numbers, and that independent evaluations agree with each
other."""

import json
from fractions import Fraction
from pathlib import Path

import houseway
import numpy as np
import pytest
from houseway import cards, exact


def test_a_hand() -> None:
    ev = exact.hand_ev(["As Ad Kh Kc Qs Qd 3c", "Jk As Kd 7c 7d 3s 2h"])
    assert cards.front_and_back(ev.hands[0], ev.best[0]) == ("As Ad", "Kh Kc Qs Qd 3c")
    sums = (ev.wins + ev.pushes + ev.losses)[ev.legal]
    assert (sums == exact.BANKER_HANDS).all()
    assert np.isnan(ev.ev[~ev.legal]).all()
    best = ev.exact(0, ev.best[0])
    assert isinstance(best, Fraction) and float(best) == pytest.approx(ev.ev[0, ev.best[0]], abs=1e-12)
    assert ev.regret(ev.best).tolist() == [0, 0]
    way = houseway.HouseWay()
    assert (ev.regret(way.set(ev.hands)) >= 0).all()


def test_dead_cards() -> None:
    hand, dead = "As Kd Jk 7c 7d 2h 3s", "Ad Kc 7s 7h 9d Td 2c"
    ev = exact.hand_ev(hand, dead=dead)
    sums = (ev.wins + ev.pushes + ev.losses)[ev.legal]
    assert (sums == ev.banker_hands).all() and ev.banker_hands == 15_380_937  # C(39, 7)
    answer = exact.Solver("pai-gow-poker", dead=dead).value(hand)
    assert (answer["dead"], answer["banker_hands"]) == ("Ad Kc Td 9d 7s 7h 2c", "15380937")
    for setting, counts in enumerate(answer["settings"]):
        assert (counts["foul"], counts["wins"]) == (
            (False, str(ev.wins[0, setting])) if ev.legal[0, setting] else (True, None)
        )
    plain = exact.hand_ev(hand)
    assert (exact.hand_ev(hand, dead="").wins == plain.wins).all() and plain.banker_hands == exact.BANKER_HANDS
    assert exact.Solver("asian-stud", dead="Qh").value("As Kd 7c 7d 2h")["dead"] == "Qh"
    for bad, message in (("Qh Qh", "twice"), ("Qh As", "As is in play"), ("Zz", "invalid card"), ("Jk2", "not in the deck")):
        with pytest.raises(ValueError, match=message):
            exact.hand_ev(hand, dead=bad)
    with pytest.raises(ValueError, match="no option 'dead'"):
        exact.Solver("joker-seven", dead="Qh")


@pytest.mark.parametrize(
    ("game", "paytable", "rules", "edge"),
    [
        # Wizard of Odds has 7.77% for table 2 of Fortune and 1.90% for this paytable of Trips.
        ("pai-gow-poker", "fortune-2", None, 0.077656),
        ("ultimate-holdem", "ultimate-trips-30-8-6-5-3", None, 0.019040),
        # An independent enumeration for California's wild joker.
        ("pai-gow-poker", "dynasty-bonus", {"joker": "wild"}, 0.069368),
    ],
)
def test_side_bets(game: str, paytable: str, rules: dict[str, str] | None, edge: float) -> None:
    bet = exact.side_bet(paytable, game=game, rules=rules)
    assert (bet["game"], bet["paytable"]) == (game, paytable) and bet["ev"]["value"] == pytest.approx(-edge, abs=6e-7)


def test_side_bets_with_terms_and_their_mistakes(tmp_path: Path) -> None:
    rows = [{"hand": "three-pairs", "odds": 10}, {"hand": "five-aces", "meter": 0.1, "envy": 2}]
    table = {"name": "bet", "for-one": True, "row": rows}
    bet = exact.side_bet(table, meter=1000, seats=6)
    # 10 * 2,898,720 + 1,128 M / 10 = 154,143,080.
    assert bet["break_even_meter_exact"]["numerator"] == "156444850" and bet["envy"]["seats"] == 6
    lines = "row = [{ hand = 'three-pairs', odds = 10 }, { hand = 'five-aces', meter = 0.1, envy = 2 }]"
    text = f"name = 'bet'\nfor-one = true\n{lines}"
    file = tmp_path / "bet.toml"
    file.write_text(text)
    for same in (text, file, str(file)):
        assert dict(exact.side_bet(same, meter="1000", seats=6)) == dict(bet)
    assert len(exact.side_bet(game="joker-seven")["rows"]) == 11
    # A meter with more than four decimal places is rounded.
    fair = exact.side_bet(table, meter=bet["break_even_meter"], seats=6)
    assert abs(fair["ev"]["value"]) < 1e-9
    for arguments, message in (
        ({"game": "pai-gow-table"}, "^'pai-gow-table' is a table of pai-gow-poker and has no side bet of its own; use pai-gow-poker"),
        ({"paytable": "none"}, "unknown paytable 'none'"),
        ({"paytable": table | {"row": []}}, "at least one"),
        ({"rules": {"jokers": 2}}, "jokers"),
        ({"meter": -1}, "invalid amount '-1'"),
        ({"seats": 16}, "expected 1 to 15"),
        ({"game": "joker-seven", "player": "foxwoods"}, "no option 'player'"),
    ):
        with pytest.raises(ValueError, match=message):
            exact.side_bet(**arguments)


def test_hands_with_a_fee() -> None:
    hand, rules = "As Kd Jk 7c 7d 2h 3s", {"commission": 0, "collection": "1/100,3/200"}
    ev = exact.hand_ev(hand, rules=rules)
    assert ev.exact(0, ev.best[0]) == exact.hand_ev(hand, rules={"commission": 0}).exact(0, ev.best[0]) - Fraction(3, 200)
    settings = exact.Solver("pai-gow-poker", rules=rules).value(hand)["settings"]
    assert [it["ev"] for it in settings if not it["foul"]] == pytest.approx(ev.ev[ev.legal].tolist(), abs=1e-12)


def test_hands_in_any_order_and_form() -> None:
    one = exact.hand_ev("3c Qd Qs Kc Kh Ad As")
    assert (one.ev[one.legal] == exact.hand_ev(cards.parse("As Ad Kh Kc Qs Qd 3c")).ev[one.legal]).all()
    for bad in ("As As Kh Kc Qs Qd 3c", "As Kh", "Xx Ad Kh Kc Qs Qd 3c"):
        with pytest.raises(ValueError):
            exact.hand_ev(bad)
    with pytest.raises(ValueError, match="repeated"):
        exact.hand_ev(np.zeros((1, 7), np.uint8))


def test_batches_equal_single_hands() -> None:
    hands = cards.deal(50, seed=3)
    assert all(len(set(hand)) == 7 for hand in hands.tolist())
    many = exact.hand_ev(hands)
    for i in (0, 17, 49):
        np.testing.assert_array_equal(many.wins[i], exact.hand_ev(cards.text(hands[i])).wins[0])


@pytest.fixture(scope="module")
def solved() -> exact.Counts:
    """The house way against itself."""
    return exact.solve()


@pytest.fixture(scope="module")
def scored() -> exact.Score:
    """The house way, evaluated as a policy."""
    return exact.score(houseway.HouseWay())


def test_trump_plaza_against_itself(solved: exact.Counts) -> None:
    assert solved.deals == exact.DEALS
    # These values are committed in results/claim: 28.6132 / 41.4796 / 29.9072 %, edge 2.7246 %.
    shares = [100 * count / solved.deals for count in (solved.wins, solved.pushes, solved.losses)]
    assert shares == pytest.approx([28.6132, 41.4796, 29.9072], abs=5e-5)
    assert 100 * solved.ev == pytest.approx(-2.7246, abs=5e-5)


@pytest.mark.slow
def test_shards_add_up(solved: exact.Counts) -> None:
    assert sum((exact.solve(shard=(i, 3)) for i in (1, 2)), exact.solve(shard=(0, 3))) == solved


def test_counts_are_kept_where_a_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shard, folder = (0, 500), tmp_path / "counts"
    expected = exact.solve(shard=shard)
    monkeypatch.setenv("HOUSEWAY_COUNTS", str(folder))
    assert exact.solve(shard=shard) == expected
    [file] = folder.iterdir()
    content, written = file.read_bytes(), file.stat().st_mtime_ns
    # If a player banks, the counts for two ways are the same, but the optimal banker differs.
    assert exact.solve(shard=shard) == expected and exact.solve(bank="player", shard=shard).wins == expected.wins
    assert file.stat().st_mtime_ns == written
    for bank in ("house", "player"):
        exact.solve(banker=exact.OPTIMAL, bank=bank, shard=shard)
    exact.solve(exact.OPTIMAL, shard=shard)
    assert len(list(folder.iterdir())) == 4
    # Truncated or changed entries are computed again.
    for broken in (b"torn", content[:-1], content.replace(b'"wins":', b'"wins":1')):
        file.write_bytes(broken)
        assert exact.solve(shard=shard) == expected
        assert file.read_bytes() == content


def test_any_policy_is_scored_exactly(solved: exact.Counts, scored: exact.Score) -> None:
    assert scored.policy == solved
    assert 100 * scored.optimum.ev == pytest.approx(-2.4414, abs=5e-5)
    assert scored.exact_regret == scored.optimum.exact_ev - scored.policy.exact_ev > 0
    assert 0.5 < scored.agreement < 1


@pytest.mark.slow
def test_the_best_settings_score_as_the_optimum(scored: exact.Score) -> None:
    score, way = exact.scores([exact.best_settings(), houseway.HouseWay()])
    assert (score.optimum, score.exact_regret, score.agreement) == (scored.optimum, 0, 1)
    assert way == scored  # a single pass gives the same results as separate passes


def test_policies_that_foul_are_refused() -> None:
    with pytest.raises(ValueError, match="by setting 8s 7s in front"):
        exact.score(np.zeros(exact.CLASSES, np.uint8))
    with pytest.raises(ValueError, match="invalid settings of a policy: expected 0 to 20"):
        exact.score(lambda batch: np.full(len(batch), 21))
    with pytest.raises(ValueError, match="shape"):
        exact.score(lambda batch: np.zeros(3, int))


@pytest.mark.slow
def test_exploitability_is_the_distance_between_best_responses() -> None:
    """The EVs are those of `houseway compare`."""
    path = Path(__file__).parents[3] / "results" / "compare-equilibrium" / "results.json"
    compared = json.loads(path.read_text(encoding="utf-8"))
    expected = compared["optimal_player"][0] - compared["optimal_banker"][0]
    assert float(exact.exploitability("trump-plaza")) == pytest.approx(expected, rel=1e-9)


@pytest.mark.slow
def test_an_optimal_bank_earns_more_than_the_way(solved: exact.Counts) -> None:
    house = exact.solve(banker=exact.OPTIMAL)
    assert house.banker_ev > solved.banker_ev
    assert 100 * house.banker_ev == pytest.approx(3.0219, abs=5e-5)
    with pytest.raises(ValueError, match="both sides are optimal"):
        exact.solve(exact.OPTIMAL, exact.OPTIMAL)


def test_batches_show_what_agents_see() -> None:
    batch = next(exact.batches(size=100))
    assert batch.observations().shape == (100, 21 * 70 + 18)
    assert batch.observations("raw-cards").shape == (100, 7)
    np.testing.assert_array_equal(batch.observations("raw-cards"), batch.cards)
    np.testing.assert_array_equal(batch.legal, exact.hand_ev(batch.cards).legal)
    hands, orbit = exact.classes()
    assert len(hands) == exact.CLASSES and int(orbit.sum(dtype=np.int64)) == 154_143_080


def test_arrow_shares_memory() -> None:
    pa = pytest.importorskip("pyarrow")
    wins = np.arange(63, dtype=np.int32).reshape(3, 21)
    table = exact.to_arrow({"wins": wins, "orbit": np.ones(3, np.uint32)})
    assert table["wins"].type == pa.list_(pa.int32(), 21)
    shared = table["wins"].chunk(0).flatten().to_numpy(zero_copy_only=True)
    assert np.shares_memory(shared, wins)


def test_a_shard_counts_once() -> None:
    one = exact.solve(shard=(0, 500))
    for other, message in (
        (one, "shard 0 of 500 is in both"),
        (exact.solve(shard=(1, 400)), "cannot add shards of 500 and of 400"),
        (exact.solve("foxwoods", shard=(1, 500)), "different strategies"),
    ):
        with pytest.raises(ValueError, match=message):
            one + other
    both = one + exact.solve(shard=(1, 500))
    assert both.shards == (500, {0, 1}) and both.deals > one.deals
    for wrong in ((-1, 3), (3, 3), (0, 0), (0, -1)):
        with pytest.raises(ValueError, match="invalid shard"):
            exact.solve(shard=wrong)


def test_positions_are_those_of_the_fixed_order() -> None:
    unsorted = np.array([[2, 7, 20, 21, 45, 51, 52]])
    way = houseway.HouseWay()
    for used in (
        lambda: exact.Batch(unsorted, {}).legal,
        lambda: exact.Batch(unsorted, {}).observations(),
        lambda: way.set(unsorted),
        lambda: way.rule_of(unsorted),
        lambda: exact.banking.joint(unsorted, 0),
    ):
        with pytest.raises(ValueError, match="not in the fixed order.*cards.in_order"):
            used()
    ordered = cards.in_order(unsorted)
    assert exact.Batch(ordered, {}).legal.any() and exact.hand_ev(unsorted).hands.tolist() == ordered.tolist()
    assert exact.Batch(ordered.astype(np.int64), {}).legal.shape == (1, 21)


def test_settings_and_cards_are_not_changed_silently(tmp_path: Path) -> None:
    ev = exact.hand_ev(cards.deal(2, seed=1))
    with pytest.raises(TypeError, match="must be integers"):
        ev.regret(np.array([1.7, 2.2]))
    for wrong in ([1], [1, 2, 3], [[1, 2]]):
        with pytest.raises(ValueError, match="expected 2 settings"):
            ev.regret(np.array(wrong))
    for wrong in ([-1, 0], [0, 21]):
        with pytest.raises(ValueError, match="expected 0 to 20"):
            ev.regret(np.array(wrong))
    for used in (lambda: cards.in_order([[300, 1]]), lambda: cards.text([-1]), lambda: cards.text([54])):
        with pytest.raises(ValueError, match="is not a card number"):
            used()
    assert cards.text([53, 52]) == "Jk2 Jk"
    with pytest.raises(ValueError, match="expected 0 to 20"):
        cards.front_and_back(ev.hands[0], -1)
    with pytest.raises(ValueError, match="fouls"):
        houseway.tables.save_strategy(tmp_path / "foul.safetensors", np.zeros(exact.CLASSES, np.uint8), "foul")
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="invalid size 0"):
        next(exact.batches(size=0))


def test_rules_are_those_of_the_command_line() -> None:
    """The EZ Pai Gow rules of a public case: the banker's queen-high pai gow pushes, and there is no commission."""
    ez = {"commission": 0, "bank-pushes": "queen_high_pai_gow"}
    player, banker = houseway.HouseWay("houseway-4", rules=ez), houseway.HouseWay("trump-plaza", rules=ez)
    ours = exact.solve("houseway-4", "trump-plaza", rules=ez, shard=(0, 200))
    assert (ours, ours.commission) == (exact.solve(player, banker, shard=(0, 200)), 0)
    assert exact.solve("houseway-4", houseway.HouseWay("trump-plaza"), rules=ez, shard=(0, 200)) == ours
    hand = "As Ad Kh Kc Qs Qd 3c"
    pushed = exact.hand_ev(hand, rules=ez).ev
    assert np.array_equal(pushed, exact.hand_ev(hand, banker).ev, equal_nan=True)
    assert not np.array_equal(pushed, exact.hand_ev(hand).ev, equal_nan=True)
    with pytest.raises(ValueError, match="other game rules"):
        exact.hand_ev(hand, houseway.HouseWay("trump-plaza", rules={"commission": 0.04}), rules=ez)


def test_hands_that_always_push_have_no_copies() -> None:
    queen_jack = cards.SETTINGS.tolist().index([2, 3])
    usual, pushed = (exact.hand_ev("Ks Kd Qs Jh 9c 7d 5h", rules=rules) for rules in ({}, {"bank-pushes": "queen_high_front"}))
    assert usual.copies_front[0, queen_jack] > pushed.copies_front[0, queen_jack] == 0
    assert pushed.pushes[0, queen_jack] > usual.pushes[0, queen_jack]
