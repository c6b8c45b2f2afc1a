use super::*;
use crate::report::Report;
use houseway_env::pai_gow::Rules;
use houseway_exact::pai_gow::whole::Shard;
use std::sync::LazyLock;

fn study(cards: &[usize], hands: usize) -> Study {
    let game = Game::new(Rules::default());
    let banker = HouseWay::shared(Way::named(Way::DEFAULT).unwrap(), &game).unwrap();
    Study { game, banker, cards: cards.to_vec(), exact: false, hands, seed: 3 }
}

#[test]
fn more_known_cards_are_worth_more() {
    let three = study(&[7, 21, 39], 60);
    let values = three.sample(&BankerTable::new(&*three.banker), &AtomicBool::new(false)).unwrap();
    let cards: Vec<usize> = values.iter().map(|value| value.cards).collect();
    assert_eq!(cards, [7, 21, 39]);
    let gains: Vec<f64> = values.iter().map(|value| value.gain).collect();
    assert!(gains.is_sorted() && gains[0] >= 0.0 && gains[2] > 0.02, "{gains:?}");
    // The banker's hand is known, so each setting has a single outcome.
    let study = study(&[39], 20);
    let table = BankerTable::new(&*study.banker);
    let evaluator = HandEvaluator::new(&study.game, &table);
    for deal in study.deal() {
        let known = KnownCards::new(deal.0, deal.1.iter().copied().collect::<CardSet>()).unwrap();
        let counts = evaluator.count(known);
        assert!(counts.settings().iter().flatten().all(|counts| counts.all() == 1));
        let lost = counts.regret(evaluator.count(deal.0).best()).unwrap().value();
        let [effect] = study.effects(&evaluator, &deal)[..] else { panic!("one number of known cards") };
        assert_eq!((effect.gain, effect.changed), (lost, f64::from(u8::from(lost > 0.0))));
        // A setting that is worse without the known cards is as good as the best one.
        let (without, best) = (evaluator.count(deal.0), counts.ev(counts.best()));
        let prior = |setting: Setting| without.ev(setting).unwrap();
        let first = if lost > 0.0 { counts.best() } else { without.best() };
        let mut equal = Setting::all().filter(|&setting| counts.get(setting).is_some() && counts.ev(setting) == best);
        let tied = equal.any(|setting| prior(setting) != prior(first));
        assert_eq!(effect.tied, f64::from(u8::from(tied)));
    }
    assert!(study.findings(&PassStore::default(), &AtomicBool::new(true)).is_err());
}

#[test]
fn one_known_card_is_any_of_the_others() {
    let study = study(&[1], 1);
    let table = BankerTable::new(&*study.banker);
    let evaluator = HandEvaluator::new(&study.game, &table);
    let deal = &study.deal()[0];
    let best = evaluator.count(deal.0).best();
    let others = CardSet::DECK_53.difference(deal.0.set());
    let gain = |card| {
        let known = KnownCards::new(deal.0, CardSet::EMPTY.with(card)).unwrap();
        evaluator.count(known).regret(best).unwrap().value()
    };
    let sum: f64 = others.iter().map(gain).sum();
    assert_eq!(others.len(), 46);
    assert!((study.effects(&evaluator, deal)[0].gain - sum / 46.0).abs() < 1e-15);
    // If nothing is known about the dead card, it doesn't matter, so the mean EV is the EV without a dead card.
    let ev = |card| {
        let known = KnownCards::new(deal.0, CardSet::EMPTY.with(card)).unwrap();
        evaluator.count(known).ev(best).unwrap().value()
    };
    let mean = others.iter().map(ev).sum::<f64>() / 46.0;
    assert!((mean - evaluator.count(deal.0).ev(best).unwrap().value()).abs() < 1e-12);
}

#[test]
fn an_exact_card_has_no_interval() {
    let study = Study { exact: true, ..study(&[1, 2], 2) };
    let Study { game, banker, .. } = &study;
    let run = Run { shard: Shard::new(9, 900).unwrap(), ..Run::default() };
    let pass = Pass::new(game, Side::Player, &BankerTable::new(&**banker)).without_dominated();
    let values = pass.known_card_values(&run).unwrap();
    let one_card = OneCard { values, payoff: Payoff::player(&game.rules()) };
    let effects = [Effect::default(), Effect { gain: 0.1, changed: 1.0, tied: 0.0 }];
    let values = vec![KnownCardsValue::exact(&one_card), KnownCardsValue::new(2, &effects)];
    let findings = Findings { study: &study, best_ev: one_card.best_ev(), values, one_card: Some(one_card) };
    let answer = findings.answer();
    let json = &answer.json;
    let (value, one_card) = (&json["cards"][0], &json["one_card"]);
    assert_eq!((&value["gain"], &value["gain_ci"]), (&one_card["gain"]["value"], &Value::Null));
    // The EVs with and without the known card differ by the gain.
    let ev = one_card_of(&one_card["with"]);
    assert!((value["ev"].as_f64().unwrap() - ev).abs() < 1e-12, "{value} {ev}");
    assert_eq!(json["cards"][1]["ev"], json["best_ev"]["value"].as_f64().unwrap() + 0.05);
    let cards = one_card["cards"].as_array().unwrap();
    assert_eq!((cards.len(), &cards[0]["card"], &cards[13]["card"]), (14, &json!("A"), &json!("joker")));
    let number = |totals: &Value, key: &str| totals[key].as_str().unwrap().parse::<u64>().unwrap();
    for key in ["pairs", "changed"] {
        assert_eq!(cards.iter().map(|card| number(card, key)).sum::<u64>(), number(one_card, key), "{key}");
    }
    let report = Report::from(answer.clone()).markdown();
    for part in [" exact |", "| joker ", "| any ", "The most valuable card to know is a"] {
        assert!(report.contains(part), "{part} in {report}");
    }
}

/// Returns the EV of JSON counts with a commission of 5%.
fn one_card_of(counts: &Value) -> f64 {
    let [wins, pushes, losses] =
        ["wins", "pushes", "losses"].map(|key| counts[key].as_str().unwrap().parse::<f64>().unwrap());
    (0.95 * wins - losses) / (wins + pushes + losses)
}

fn findings(best_ev: Ratio, values: &[(usize, f64, f64, f64)]) -> Findings<'static> {
    static STUDY: LazyLock<Study> = LazyLock::new(|| study(&[], 100));
    let value = |&(cards, gain, changed, tied): &(usize, f64, f64, f64)| KnownCardsValue {
        gain_ci: Some([gain * 0.9, gain * 1.1]),
        tied: Some(tied),
        cards,
        gain,
        changed,
    };
    Findings { study: &STUDY, best_ev, values: values.iter().map(value).collect(), one_card: None }
}

#[test]
fn an_advantage_is_only_stated_if_the_interval_shows_it() {
    let edge = Ratio::new(-1, 50);
    let unclear = findings(edge, &[(14, 0.001, 0.1, 0.0), (38, 0.0195, 0.2, 0.1)]);
    assert_eq!(
        unclear.advantage(),
        "Without known cards, best play loses 2.0000% of the stake. Seeing 14 cards, such as the hands at two other \
         seats, gains 0.1000%, which is 5.0% of that. Even with 14 known cards (the hands at 2 other seats), the house \
         keeps an edge: the EV is -1.9000%."
    );
    let clear = findings(edge, &[(35, 0.01, 0.2, 0.0), (39, 0.05, 0.2, 0.1)]);
    let end = "The player has an advantage with 39 known cards, which reveal the banker's hand: the EV is 3.0000%.";
    assert!(clear.advantage().ends_with(end), "{}", clear.advantage());
    let free = findings(Ratio::new(1, 1000), &[(14, 0.001, 0.1, 0.0)]);
    assert_eq!(free.advantage(), "Best play has an EV of 0.1000% even without known cards.");
}

#[test]
fn fewer_changes_are_explained_by_ties() {
    let values = [(21, 0.01, 0.1, 0.02), (28, 0.02, 0.2, 0.05), (35, 0.03, 0.15, 0.3)];
    let text = findings(Ratio::new(-1, 50), &values).fewer_changes().unwrap();
    for part in ["35 known cards than with 28", "only 330 possible hands left instead of 31,824", "30.0% of deals"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(findings(Ratio::new(-1, 50), &values[..2]).fewer_changes(), None);
}
