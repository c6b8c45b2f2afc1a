//! Tests against published returns, enumeration and the reasons for refusals.

use super::*;
use crate::pai_gow::whole::Side;
use crate::pai_gow::{BANKER_HANDS, BankerTable, slow};
use crate::registry::find;
use crate::solver::{Control, SolverConfig};
use houseway_env::cards::classes::{Classes, orbit};
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::cards::{Card, CardSet, Rank};
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{self, Game, Hand, Rules, SideBet, Strategy};
use rayon::prelude::*;

fn evaluate(game: &str, paytable: Option<&str>, rules: &[&str]) -> Result<BetReturn, SolverError> {
    let config = rules.iter().fold(SolverConfig::default(), |config, rule| config.assign(rule));
    (find(game)?.side_bet.unwrap())(paytable, &config, &Control::default())
}

/// Evaluates a paytable with these lines in its file.
fn evaluate_file(game: &str, lines: &str) -> Result<BetReturn, SolverError> {
    evaluate(game, Some(&format!("name = 'test'\n{lines}")), &[])
}

/// The edges of Trips are from Wizard of Odds, "Ultimate Texas Hold'em", those of the other bets from the sources that the
/// paytables name.
#[test]
fn every_game_has_the_published_returns() {
    for (game, name, edge) in [
        ("pai-gow-poker", "fortune-2", 0.077_656),
        ("pai-gow-poker", "pai-gow-insurance", 0.073_457),
        ("ultimate-holdem", "ultimate-trips-30-8-6-5-3", 0.019_040),
        ("ultimate-holdem", "ultimate-trips-30-8-7-4-3", 0.034_979),
        ("ultimate-holdem", "ultimate-trips-30-9-7-4-3", 0.009_018),
        ("ultimate-holdem", "ultimate-trips-20-7-6-5-3", 0.061_808),
        ("ultimate-holdem", "bad-beat-two-way", 0.147_868),
        ("pai-gow-poker", "mania-3", 0.038_590),
        ("face-up-pai-gow", "mania-3", 0.038_590),
        ("pai-gow-tiles", "bonanza-melbourne", 0.096_051),
        ("pai-gow-tiles", "bonanza-commerce", 0.060_734),
    ] {
        let found = evaluate(game, Some(name), &[]).unwrap();
        assert!((found.ev(Ratio::ZERO).value() + edge).abs() < 6e-7, "{name}");
    }
    let [bonanza, bad_beat, florida] = [
        ("pai-gow-tiles", "bonanza-melbourne"),
        ("ultimate-holdem", "bad-beat-two-way"),
        ("ultimate-holdem", "florida-trips"),
    ]
    .map(|(game, name)| evaluate(game, Some(name), &[]).unwrap());
    // The source adds up the three rows with odds of 5.
    let tiles = bonanza.paid();
    assert_eq!(
        (&tiles[..5], tiles[5..8].iter().sum(), &tiles[8..]),
        (&[1, 1, 1, 64, 117][..], 1_260, &[5_460, 2_704][..])
    );
    assert_eq!(bonanza.losing(), 26_352);
    let losing = [10_300_592, 471_040_512, 8_435_225_376, 19_434_208_592, 18_271_076_976, 64_049_759_448];
    assert_eq!((bad_beat.paid(), bad_beat.all), (losing.to_vec(), 2_781_381_002_400));
    let winning = [85_615_200, 734_237_144, 4_240_864_800, 62_810_500_464, 71_523_195_288];
    assert_eq!(florida.paid()[..5], winning);
    assert!((florida.ev(Ratio::ZERO).value() + 0.0488).abs() < 5e-5 && florida.pushed() > 0);
    // The five-card hands of a 52-card pack are well known. Flushes pay half units, and straight flushes are flushes.
    let lines = "cards = 5\nrow = [{ hand = 'royal-flush', odds = 2 }, { hand = 'flush', odds = 1.5 }, \
                 { hand = 'high-card', odds = 0 }]";
    assert_eq!(evaluate_file("ultimate-holdem", lines).unwrap().paid(), [4, 5_108 + 36, 1_302_540]);
    let stud = evaluate("asian-stud", Some("example-pair"), &[]).unwrap();
    assert_eq!((stud.paid()[0], stud.all), (1, 2_869_685));
    let wagers = evaluate("joker-seven", None, &[]).unwrap();
    assert_eq!((wagers.rows.len(), wagers.rows[8].paid), (11, 2 * 20_358_520));
    let json = wagers.json("joker-seven", BetStakes { meter: None, seats: 1 });
    assert!(json["ev"].is_null() && json["rows"][8]["ev"]["value"].as_f64().unwrap() < -0.08);
}

/// The number of pairs of starting hands is known: 6 of 1,326 hands are aces, and the dealer then has 1 of 1,225.
#[test]
fn hole_cards_are_counted_with_the_dealers() {
    let bonus = evaluate("ultimate-holdem", Some("holdem-bonus"), &[]).unwrap();
    assert_eq!((bonus.all, bonus.paid()[..2].to_vec()), (1_326 * 1_225, vec![6, 6 * 1_224]));
    let hands = [4, 4, 4, 12, 18, 12, 12, 54].map(|hands| hands * 1_225);
    assert_eq!(bonus.paid()[2..], hands);
    assert_eq!(bonus.ev(Ratio::ZERO), Ratio::new(-13_873, 162_435));

    let rows = "row = [{ hand = 'both-AKo', odds = 9 }, { hand = 'AKo', odds = 3 }, { hand = 'AA', odds = 2 }]";
    let paid = |terms: &str| {
        let found = evaluate_file("ultimate-holdem", &format!("cards = 2\n{terms}\n{rows}")).unwrap();
        (found.paid(), found.all)
    };
    // Of nine pairs of the remaining aces and kings, two are suited.
    let both = 12 * 7;
    assert_eq!(paid(""), (vec![both, 12 * 1_225 - both, 6 * 1_225], 1_326 * 1_225));
    assert_eq!(paid("on = 'dealer'"), paid(""));
    // 12 hands leave 3 pairs of aces, and both have aces in six deals, which `either` counts once.
    let either = vec![both, 2 * (12 * 1_225 - both), 2 * 6 * 1_225 - 6 - 2 * 12 * 3];
    assert_eq!(paid("on = 'either'").0, either);
    let own = evaluate_file("ultimate-holdem", "cards = 2\nrow = [{ hand = '22-AA', odds = 5 }]").unwrap();
    assert_eq!((own.paid(), own.all), (vec![78], 1_326));
    // With the flop, a row for a pair is for the only pair of five cards.
    let aces = "cards = 5\nrow = [{ hand = 'two-pairs', odds = 8 }, { hand = 'one-pair', odds = 1 }, { hand = 'KK-AA', odds = 7 }]";
    assert_eq!(evaluate_file("ultimate-holdem", aces).unwrap().paid(), [123_552, 11 * 84_480, 2 * 84_480]);
}

/// Counted by ranks and suits in a program of its own, without enumerating deals.
#[test]
fn pai_gows_of_both_hands_are_counted() {
    let found = evaluate("face-up-pai-gow", Some("ace-high"), &[]).unwrap();
    let (deals, both) = (154_143_080 * 53_524_680, 71_700_086_682_780);
    assert_eq!((found.all, found.paid()[0], found.losing()), (deals, both, deals - 14_430_780 * 53_524_680));
    assert_eq!(found.paid().iter().sum::<u64>(), 14_430_780 * 53_524_680);
    assert!((found.ev(Ratio::ZERO).value() + 0.047_905_36).abs() < 5e-9, "{}", found.ev(Ratio::ZERO));
    let rows = "row = [{ hand = 'ace-high-pai-gow-with-joker', odds = 15 }, { hand = 'pai-gow', odds = 1 }]";
    assert_eq!(evaluate_file("pai-gow-poker", rows).unwrap().paid()[0], 1_485_960);
}

#[test]
fn short_explanations_share_a_paragraph() {
    let found = evaluate("pai-gow-tiles", Some("bonanza-commerce"), &[]).unwrap();
    let text = json!(found.section(BetStakes { meter: None, seats: 1 })).to_string();
    assert!(text.contains("tiles:H2+H2: 6-6 + 6-6; "), "{text}");
    let found = evaluate("pai-gow-poker", Some("jackpot"), &[]).unwrap();
    let text = json!(found.section(BetStakes { meter: None, seats: 1 })).to_string();
    assert!(text.contains("\"flush plus a pair: a flush in five cards and a pair in the other two.\""), "{text}");
}

/// California's Dynasty Bonus has an edge of 6.9368% with its wild joker (an independent enumeration).
#[test]
fn rules_that_a_paytable_was_not_published_for_are_noted() {
    let text = |rules: &[&str]| {
        let found = evaluate("pai-gow-poker", Some("dynasty-bonus"), rules).unwrap();
        json!(found.section(BetStakes { meter: None, seats: 1 })).to_string()
    };
    let (half_wild, wild) = (text(&[]), text(&["joker=wild"]));
    assert!(half_wild.contains("EV -27.4869%") && half_wild.contains("add --set joker=wild"), "{half_wild}");
    assert!(half_wild.contains("exact, but not for the paytable's rules"), "{half_wild}");
    assert!(wild.contains("EV -6.9368%") && !wild.contains("--set"), "{wild}");
    let error = evaluate_file("pai-gow-poker", "rules = ['joker=maybe']\nrow = [{ hand = 'flush', odds = 1 }]");
    assert!(
        error
            .unwrap_err()
            .to_string()
            .contains("the paytable 'test' is for other rules: cannot set the rule 'joker=maybe'")
    );
}

#[test]
fn other_bets_are_refused_with_the_reason() {
    for (game, paytable, rules, part) in [
        ("ultimate-holdem", Some("ultimate-blind"), &[][..], "beats the dealer's"),
        ("ultimate-holdem", None, &["trips-on-fold=lost"], "folded"),
        (
            "ultimate-holdem",
            Some("florida-trips"),
            &["trips-table=ultimate-trips-20-7-6-5-3"],
            "leave out either of them",
        ),
        ("asian-stud", None, &["side-bet-on-fold=lost"], "folded"),
        ("joker-seven", Some("nope"), &[], "source, new-jersey"),
    ] {
        let error = evaluate(game, paytable, rules).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let row = "row = [{ hand = 'flush', odds = 1 }]";
    for (game, term, part) in [
        ("ultimate-holdem", "on = 'either'\ncards = 5", "the whole board"),
        ("asian-stud", "on = 'loser'", "has on = \"loser\""),
        ("pai-gow-poker", "on = 'loser'", "has no loser"),
        ("face-up-pai-gow", "needs-win = 'push'", "knowing the dealer's"),
        ("asian-stud", "needs-win = 'push'", "has needs-win"),
        ("pai-gow-poker", "cards = 5", "expected 3"),
        ("pai-gow-poker", "cards = 3\nneeds-win = 'lose'", "on all cards"),
        ("ultimate-holdem", "cards = 6", "expected 2"),
        ("ultimate-holdem", "cards = 2", "'flush' is impossible or no row with cards = 2"),
        ("pai-gow-poker", "on = 'either'\nneeds-win = 'lose'", "needs-win belongs to"),
        ("pai-gow-poker", "on = 'nobody'", "either"),
        ("ultimate-holdem", "on = 'loser'\nneeds-win = 'lose'", "on = \"loser\" and needs-win"),
    ] {
        let error = evaluate_file(game, &format!("{term}\n{row}")).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    for (game, lines, part) in [
        ("ultimate-holdem", "on = 'loser'\ncards = 2\nrow = [{ hand = 'AA', odds = 1 }]", "the whole board"),
        ("ultimate-holdem", "row = [{ hand = 'AA', odds = 1 }]", "or add cards"),
        ("ultimate-holdem", "cards = 5\nrow = [{ hand = 'AKs', odds = 1 }]", "no row with cards = 5"),
        ("pai-gow-poker", "needs-win = 'lose'\nrow = [{ hand = 'both-pai-gow', odds = 1 }]", "both and needs-win"),
    ] {
        let error = evaluate_file(game, lines).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

/// Renton's envy bonus is worth 0.93 points for each other player, computed by hand from the counts of the rows.
#[test]
fn an_envy_bonus_adds_up_over_players() {
    let found = evaluate("pai-gow-poker", Some("fortune-envy"), &[]).unwrap();
    let points = 32 * 1_000 + 72 * 200 + 196 * 100 + 1_128 * 50 + 26_020 * 10 + 184_644 * 4 + 307_472;
    assert_eq!(found.envy(), Ratio::new(points, 154_143_080));
    let json = found.json("pai-gow-poker", BetStakes { meter: None, seats: 6 });
    let net = -11_970_096 + 5 * points;
    assert_eq!(json["envy"]["ev_with_envy"], Ratio::new(net, 154_143_080).to_json());
    assert_eq!((json["net"].as_str(), json["ev"]["value"].as_f64().unwrap() < -0.07), (Some("-11970096"), true));
}

#[test]
fn a_bet_breaks_even_at_the_exact_meter() {
    let lines = "for-one = true\ncards = 5\nrow = [{ hand = 'royal-flush', meter = 1 }, \
                 { hand = 'straight-flush', meter = '1/10' }, { hand = 'four-of-a-kind', odds = 300 }]";
    let found = evaluate_file("ultimate-holdem", lines).unwrap();
    // 4 M + 36 M / 10 + 624 * 300 = 2,598,960.
    let even = found.break_even_meter().unwrap();
    assert_eq!(even, Ratio::new((2_598_960 - 624 * 300) * 10, 76));
    assert_eq!(found.ev(even), Ratio::ZERO);
    assert_eq!(
        found.ev(amount("1000.5").unwrap()),
        Ratio::new(76 * 10_005 / 100 + 187_200 - 2_598_960, 2_598_960) + Ratio::new(76 * 10_005 % 100, 100 * 2_598_960)
    );
    // 36 straight flushes at 80,000 for one pay more than all stakes.
    let generous = lines.replace("meter = '1/10'", "odds = 80000");
    assert_eq!(evaluate_file("ultimate-holdem", &generous).unwrap().break_even_meter(), None);
    for text in ["", "-1", "1e9", "1.23456", "99999999999", "ten"] {
        assert!(amount(text).is_err(), "{text}");
    }
    // A share of the meter pays more than any odds, although the meter may be empty.
    let lines = "row = [{ hand = 'straight-flush', odds = 5 }, { hand = 'royal-flush', meter = 1 }]";
    assert_eq!(evaluate_file("pai-gow-poker", lines).unwrap().paid()[1], 26_132);
}

#[test]
fn pairs_of_hands_match_enumeration_of_a_small_deck() {
    let ranks = [Rank::Ten, Rank::Jack, Rank::Queen];
    let natural = CardSet::DECK_52.iter().filter(|card| card.rank().is_some_and(|rank| ranks.contains(&rank)));
    let deck = natural.fold(CardSet::EMPTY, CardSet::with);
    for deck in [deck, deck.with(Card::JOKER)] {
        let row_of = |hand: CardSet| {
            let queens = hand.iter().filter(|card| card.rank() == Some(Rank::Queen)).count();
            [None, Some(0), Some(1)].get(queens + usize::from(hand.contains(Card::JOKER))).copied().unwrap_or(Some(0))
        };
        let mut slow = vec![vec![0; 3]; 3];
        for_each_subset(deck, 4, |one| {
            let rest = deck.difference(one);
            for_each_subset(rest, 4, |two| slow[row_of(one).unwrap_or(2)][row_of(two).unwrap_or(2)] += 1);
        });
        assert_eq!(joint_rows(deck, 4, 2, row_of), slow);
    }
}

#[test]
fn the_better_of_two_hands_pays() {
    let rows = "row = [{ hand = 'three-of-a-kind', odds = 5 }, { hand = 'four-of-a-kind', odds = 50 }]";
    let [one, two] =
        ["player", "either"].map(|on| evaluate_file("asian-stud", &format!("on = '{on}'\n{rows}")).unwrap());
    let pairs = binomial(53, 5) * binomial(48, 5);
    assert_eq!(two.all, pairs);
    // A hand in a row leaves the other hand in any row, so hands with a row are counted twice unless both have one.
    let counts: u64 = one.paid().iter().map(|hands| hands * binomial(48, 5)).sum();
    assert!(two.paid().iter().sum::<u64>() < 2 * counts && two.paid()[1] > one.paid()[1] * binomial(48, 5));
}

/// Counts the deals that Trump Plaza's way wins in each row, hand by hand and against every hand of the banker.
fn slow_wins(paytable: &pai_gow::Paytable) -> Vec<u64> {
    let game = Game::new(Rules::default());
    let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
    let (bet, table) = (SideBet::new(paytable.clone(), &game.rules()), BankerTable::new(&way));
    let mut wins = vec![0; paytable.rows().len()];
    for hand in Classes::seven().iter() {
        let Some(row) = bet.row_index(hand) else { continue };
        let full = Hand::new(hand).unwrap();
        let counts = slow::ProfileCounts::enumerate(full).count(&game, Side::Player, &table);
        wins[row] += u64::from(orbit(hand)) * counts.get(way.set(full)).unwrap().wins;
    }
    wins
}

/// All deals that the player wins are in a row that pays every hand.
#[test]
#[ignore = "takes two minutes; enumerates all deals and all pairs of seven-card hands"]
fn bets_that_depend_on_both_hands_add_up() {
    let lines = "needs-win = 'push'\nrow = [{ hand = 'at-least-high-card', odds = 1 }, { hand = 'flush', odds = 4 }]";
    let found = evaluate_file("pai-gow-poker", lines).unwrap();
    let solver = find("pai-gow-poker").unwrap().solver(&SolverConfig::default()).unwrap();
    let wins: u64 = solver.solve(&Control::default()).unwrap().json["wins"].as_str().unwrap().parse().unwrap();
    assert_eq!(found.paid().iter().sum::<u64>(), wins);
    assert_eq!((found.losing(), found.pushed()), (0, found.all - wins));
    let rows = "row = [{ hand = 'seven-card-straight-flush', odds = 9 }, \
                { hand = 'royal-flush-with-suited-king-queen', odds = 5 }]";
    let (found, held) = (evaluate_file("pai-gow-poker", &format!("needs-win = 'lose'\n{rows}")).unwrap(), [32, 72]);
    assert_eq!(found.rows.iter().map(|row| row.held / BANKER_HANDS).collect::<Vec<_>>(), held);
    assert_eq!(found.paid(), slow_wins(&format!("name = 'slow'\n{rows}").parse().unwrap()));
    let lines = "on = 'either'\nrow = [{ hand = 'nine-high-pai-gow', odds = 25 }, { hand = 'flush', odds = 4 }]";
    let found = evaluate_file("pai-gow-poker", lines).unwrap();
    assert_eq!(found.all, binomial(53, 7) * binomial(46, 7));
    // 150,701,280 of the pairs of nine-high pai gow share no card, counted suit by suit with an independent script.
    assert_eq!(found.paid()[0], 3_326_943_407_520);
    // Of two hands, one or the other is the only pai gow equally often.
    let paid = |on: &str| {
        let rows = "row = [{ hand = 'both-pai-gow', odds = 9 }, { hand = 'pai-gow', odds = 1 }]";
        evaluate_file("pai-gow-poker", &format!("on = '{on}'\n{rows}")).unwrap().paid()
    };
    let (player, either) = (paid("player"), paid("either"));
    assert_eq!((player[0], 2 * player[1]), (either[0], either[1]));
    assert_eq!(player.iter().sum::<u64>(), 24_780_420 * BANKER_HANDS);
}

/// Under Trump Plaza's way, 2,658,060 of the hands with no pair or one pair have a nine-high front, counted by ranks and suits
/// with an independent script. The dealer also sets the hand in Face Up Pai Gow Poker.
#[test]
fn a_front_is_paid_as_the_dealer_sets_it() {
    let game = Game::new(Rules::default());
    let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
    let classes = Classes::seven();
    let slow = |index: usize| {
        let hand = Hand::new(classes.hand(index)).unwrap();
        let ranks: Vec<Option<Rank>> = way.set(hand).front(hand).iter().map(Card::rank).collect();
        let nine = Some(Rank::Nine);
        let is_nine_high = ranks[0] != ranks[1] && ranks.contains(&nine) && ranks.iter().all(|&rank| rank <= nine);
        let is_joker = ranks.contains(&None);
        if is_nine_high && !is_joker { u64::from(orbit(hand.set())) } else { 0 }
    };
    let slow: u64 = (0..classes.len()).into_par_iter().map(slow).sum();
    let rows = "row = [{ hand = 'nine-high-front', odds = 30 }]";
    let lines = format!("on = 'dealer'\n{rows}");
    for game in ["pai-gow-poker", "face-up-pai-gow"] {
        let found = evaluate_file(game, &lines).unwrap();
        assert_eq!((found.paid(), found.all), (vec![slow], 154_143_080), "{game}");
    }
    assert!(evaluate_file("pai-gow-poker", rows).unwrap_err().to_string().contains("add on = \"dealer\""));
    // A hand has one of all fronts, and is paid by the best of its rows.
    let fronts = ["pair", "three-high", "four-high", "five-high", "six-high", "seven-high", "eight-high", "nine-high"];
    let more = ["ten-high", "jack-high", "queen-high", "king-high", "ace-high"];
    let all = fronts.iter().chain(&more).map(|front| format!("{{ hand = '{front}-front', odds = 1 }}"));
    let all = evaluate_file("pai-gow-poker", &format!("on = 'dealer'\nrow = [{}]", all.collect::<Vec<_>>().join(", ")));
    assert_eq!(all.unwrap().losing(), 0);
    let better = "{ hand = 'pai-gow', odds = 40 }, { hand = 'one-pair', odds = 40 }";
    let paid = evaluate_file("pai-gow-poker", &format!("{}, {better}]", lines.trim_end_matches(']'))).unwrap().paid();
    assert_eq!((slow - paid[0], paid[1]), (2_658_060, 24_780_420));
    // By rank, a front only pays if no other row does.
    let table = format!("name = 'rank'\n{}, {{ hand = 'pai-gow', odds = 1 }}]", lines.trim_end_matches(']'));
    let found = evaluate("pai-gow-poker", Some(&table), &["side-bet-best=best_rank"]).unwrap();
    assert_eq!((slow - found.paid()[0], found.paid()[1]), (1_168_980, 24_780_420));
}
