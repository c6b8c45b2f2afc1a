//! The answer for all settings of a hand, and the decisions of a player or a bank.

use super::banker::BankerTable;
use super::banking::{OpponentBet, setting_gains};
use super::enumerate::count_by_class;
use super::hand::{HandCounts, HandEvaluator, LowerHalves};
use super::known::KnownCards;
use super::matchup::check_no_push;
use super::mixed::{MixedTable, count_against_mixed, count_against_random};
use super::outcomes::{BANKER_HANDS, Payoff, Side};
use super::strategies::{NamedStrategy, RANDOM};
use super::table::Tabulated;
use super::whole::Play;
use crate::Ratio;
use crate::answer::{Answer, Section, TextTable};
use crate::format::{grouped, percent};
use crate::solver::{Decision, HousePlay, SolverError};
use houseway_env::money::{Chips, Rate};
use houseway_env::pai_gow::house_way::Shape;
use houseway_env::pai_gow::{Game, Hand, Setting};
use houseway_env::rules::RuleSet;
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns the counts of all settings of a hand on `side` against the other side's strategy, or against an opponent who
/// sets at random if there is none.
pub fn hand_counts(game: &Game, side: Side, hand: impl Into<KnownCards>, other: Option<&Tabulated>) -> HandCounts {
    match other.map_or(Play::Random, Tabulated::play) {
        Play::Profiles(other) => HandEvaluator::new(game, other).count_for(side, hand),
        Play::Classes(other) => count_by_class(game, side, other, hand),
        Play::Mixed(other) => count_against_mixed(game, side, other, hand),
        _ => count_against_random(game, side, hand),
    }
}

/// Returns the decision for a hand, along with the choice of the strategy `way`.
pub(super) fn hand_decision(
    game: &Game,
    known: KnownCards,
    way: &NamedStrategy,
    banker: Option<&Tabulated>,
) -> Decision {
    let counts = hand_counts(game, Side::Player, known, banker);
    let evs = Setting::all().map(|setting| counts.ev(setting).map(|ev| ev.value()));
    decision(game, known.hand(), way, evs.collect())
}

/// Returns a decision with the given EVs, along with the choice of the strategy `way`.
fn decision(game: &Game, hand: Hand, way: &NamedStrategy, evs: Vec<Option<f64>>) -> Decision {
    let (action, strategy) = (way.set(game, hand).index(), way.name().to_owned());
    let rule = way.rule(hand).map(|rule| (rule.name.clone(), rule.text.clone()));
    Decision {
        evs,
        house: Some(HousePlay { action, strategy, rule }),
        group: Shape::from_hand(hand).name().to_owned(),
        side_ev: 0.0,
    }
}

/// Returns the answer for all settings of a hand against a banker's strategy, or against a banker who sets at random if
/// there is none, along with the choice of the strategy `way` and an explanation of the setting `asked`. With `no_push`,
/// pushes are settled by another card.
///
/// # Errors
/// Returns an error if pushes can't be settled by another card.
pub fn hand_answer(
    game: &Game,
    known: KnownCards,
    way: &NamedStrategy,
    banker: Option<&Tabulated>,
    asked: Option<Setting>,
    no_push: bool,
) -> Result<Answer, SolverError> {
    let hand = known.hand();
    let play = banker.map_or(Play::Random, Tabulated::play);
    let mut weight = u64::from(play.weight());
    let (counts, lower) = match play {
        Play::Profiles(banker) if no_push => {
            check_no_push(game)?;
            let (counts, pairs) = HandEvaluator::new(game, banker).count_without_pushes(known)?;
            weight = pairs;
            (counts, [None; Setting::COUNT])
        }
        _ if no_push => {
            return Err(SolverError::invalid("pushes are only settled by another card against a house way"));
        }
        Play::Profiles(banker) => HandEvaluator::new(game, banker).count_with_lower(known),
        _ => (hand_counts(game, Side::Player, known, banker), [None; Setting::COUNT]),
    };
    let chosen = way.set(game, hand);
    let json_of = |setting: Setting| setting_json(hand, &counts, lower[setting.index()], setting);
    let settings: Vec<Value> = Setting::all().map(json_of).collect();
    let mut json = json!({
        "hand": hand.to_string(),
        "way": way.name(),
        "banker": banker.map_or(RANDOM, Tabulated::name),
        "rules": game.rules(),
        "rules_hash": game.rules().hash(),
        "settings": settings,
        "best": counts.best().index(),
        "house_way": chosen.index(),
        "rule": way.rule(hand).map(|rule| &rule.name),
    });
    if no_push {
        json["no_push"] = true.into();
    }
    if weight != 1 {
        json["weight"] = weight.to_string().into();
    }
    known.dead().name_in(&mut json);
    if !known.dead().cards().is_empty() {
        json["banker_hands"] = known.other_hands().to_string().into();
    }
    let mixture = Mixture::new(game, way, hand);
    if let Some(mixture) = &mixture {
        json["probabilities"] = mixture.json();
    }
    if let Some(asked) = asked {
        json["front"] = json!({
            "index": asked.index(),
            "regret": counts.regret(asked).map(|regret| regret.value()),
            "why_foul": counts.get(asked).is_none().then(|| foul_text(game, hand, asked)),
        });
    }
    let rule = way.rule(hand).map_or(String::new(), |rule| format!(", by its rule \"{}\"", rule.name));
    // A pure strategy is a mixture of one setting.
    let whole = || Mixture { hand, settings: vec![(chosen, MixedTable::WHOLE as u16)] };
    let mixture = mixture.unwrap_or_else(whole);
    let is_played = |setting: Setting| mixture.settings.iter().any(|&(it, _)| it == setting);
    let fouls = Setting::all().filter(|&setting| counts.get(setting).is_none()).count();
    let section = Section::default()
        .text({
            let sets = banker.map_or("picks a legal setting uniformly at random".to_owned(), |banker| {
                format!("sets by {}", banker.name())
            });
            format!(
                "{hand}{}, against a banker who {sets}, under rules {}{}",
                known.dead().in_words(),
                game.rules().described(),
                if no_push { ", with pushes settled by one more card for each side" } else { "" },
            )
        })
        .table(table(game, hand, &counts, is_played))
        .lines(format!(
            "{fouls} of 21 settings {}.\nway: {} plays {} in front{rule},\n     and loses {:.5} of the stake.",
            if fouls == 1 { "is a foul" } else { "are fouls" },
            way.name(),
            mixture.words(),
            mixture.regret(&counts),
        ));
    let section = match asked {
        Some(asked) => section.text(explanation(game, hand, &counts, asked) + &lower_words(&counts, lower, asked)),
        None => section,
    };
    Ok(Answer::new(json, [section]))
}

/// The settings that a mixed strategy plays with a hand.
pub struct Mixture {
    hand: Hand,
    /// The settings with their weights, which add up to [`MixedTable::WHOLE`].
    settings: Vec<(Setting, u16)>,
}

impl Mixture {
    /// Returns the mixture that a strategy plays with a hand, or `None` if it isn't a mixed strategy.
    pub fn new(game: &Game, way: &NamedStrategy, hand: Hand) -> Option<Mixture> {
        way.exact()?.mixed().map(|table| Mixture { hand, settings: table.settings(game, hand) })
    }

    /// Returns the index, front, weight in units of 1/4096 and probability of each setting.
    pub fn json(&self) -> Value {
        let entry = |&(setting, weight): &(Setting, u16)| {
            json!({
                "index": setting.index(),
                "front": setting.front(self.hand).to_string(),
                "weight": weight.to_string(),
                "probability": probability(weight),
            })
        };
        self.settings.iter().map(entry).collect()
    }

    /// Returns the fronts, with their probabilities if there are several.
    pub fn words(&self) -> String {
        let front = |&(setting, weight): &(Setting, u16)| {
            let front = setting.front(self.hand);
            if self.settings.len() == 1 {
                front.to_string()
            } else {
                format!("{front} ({})", percent(probability(weight), 2))
            }
        };
        self.settings.iter().map(front).collect::<Vec<_>>().join(" or ")
    }

    /// Returns the mean regret.
    fn regret(&self, counts: &HandCounts) -> f64 {
        let regret = |&(setting, weight): &(Setting, u16)| {
            counts.regret(setting).map_or(0.0, |regret| regret.value() * probability(weight))
        };
        self.settings.iter().map(regret).sum()
    }
}

/// Returns the probability of a setting with this weight.
fn probability(weight: u16) -> f64 {
    f64::from(weight) / f64::from(MixedTable::WHOLE)
}

/// Describes one setting in words.
fn explanation(game: &Game, hand: Hand, counts: &HandCounts, asked: Setting) -> String {
    let front = asked.front(hand);
    let Some(found) = counts.get(asked) else {
        return format!("{front} in front is a foul: {}.", foul_text(game, hand, asked));
    };
    let place = counts.ev_values().iter().filter(|&&ev| ev > counts.ev_values()[asked.index()]).count() + 1;
    let regret = counts.regret(asked).map_or(0.0, |regret| regret.value());
    format!(
        "{front} in front: {} of {} hands of the banker lose, {} push, {} win; equal fronts (won by the banker) \
         {}, equal backs {}. It is number {place} by EV, and loses {regret:.5} of the stake against the best setting.",
        grouped(found.wins),
        grouped(found.wins + found.pushes + found.losses),
        grouped(found.pushes),
        grouped(found.losses),
        grouped(found.copies_front),
        grouped(found.copies_back)
    )
}

/// Returns the reason why a setting is a foul.
fn foul_text(game: &Game, hand: Hand, setting: Setting) -> String {
    let made = game.set(hand, setting);
    format!("the back, {}, does not outrank the front, {}", game.ranking().describe(made.back), made.front)
}

/// Describes how often each half of a setting is higher than the banker's, or returns an empty text if that isn't known.
fn lower_words(counts: &HandCounts, lower: [Option<LowerHalves>; Setting::COUNT], setting: Setting) -> String {
    let Some((counts, lower)) = counts.get(setting).zip(lower[setting.index()]) else { return String::new() };
    let share = |lower: u64| percent(lower as f64 / counts.all() as f64, 2);
    format!(
        " Its front beats {} of the banker's fronts, and its back {} of the backs.",
        share(lower.front),
        share(lower.back)
    )
}

fn setting_json(hand: Hand, counts: &HandCounts, lower: Option<LowerHalves>, setting: Setting) -> Value {
    let of_setting = counts.get(setting);
    let text = |count: Option<u64>| count.map(|count| count.to_string());
    json!({
        "front": setting.front(hand).to_string(),
        "back": setting.back(hand).to_string(),
        "foul": of_setting.is_none(),
        "wins": text(of_setting.map(|counts| counts.wins)),
        "pushes": text(of_setting.map(|counts| counts.pushes)),
        "losses": text(of_setting.map(|counts| counts.losses)),
        "copies_front": text(of_setting.map(|counts| counts.copies_front)),
        "copies_back": text(of_setting.map(|counts| counts.copies_back)),
        "lower_fronts": text(lower.map(|lower| lower.front)),
        "lower_backs": text(lower.map(|lower| lower.back)),
        "ev": counts.ev(setting).map(|ev| ev.value()),
    })
}

/// Returns a table of the legal settings, best first.
fn table(game: &Game, hand: Hand, counts: &HandCounts, is_played: impl Fn(Setting) -> bool) -> TextTable {
    let (best, values) = (counts.best(), counts.ev_values());
    let mut legal: Vec<Setting> = Setting::all().filter(|&setting| counts.get(setting).is_some()).collect();
    legal.sort_by(|a, b| values[b.index()].total_cmp(&values[a.index()]));
    let header = ["front", "back", "back is", "win", "push", "lose", "EV", ""];
    let mut table = [3, 4, 5, 6].into_iter().fold(TextTable::new(header).spare(2), TextTable::right);
    for setting in legal {
        let Some(of_setting) = counts.get(setting) else { continue };
        let fraction = |count: u64| percent(count as f64 / of_setting.all() as f64, 2);
        let marks = match (setting == best, is_played(setting)) {
            (true, true) => "best, way",
            (true, false) => "best",
            (false, true) => "way",
            _ => "",
        };
        table = table.row([
            setting.front(hand).to_string().as_str(),
            &setting.back(hand).to_string(),
            game.ranking().category(game.set(hand, setting).back).name(),
            &fraction(of_setting.wins),
            &fraction(of_setting.pushes),
            &fraction(of_setting.losses),
            &format!("{:+.5}", values[setting.index()]),
            marks,
        ]);
    }
    table
}

/// Returns the EV of every setting for the bank, along with the choice that the strategy `way` makes. EVs are per chip
/// bet against the bank, before commission and with every bet covered.
///
/// Given the bank's hand, every player's hand has the same distribution. The players' hands depend on each other, but
/// the bank's EV is still the sum over the bets.
pub(super) fn bank_decision(
    game: &Game,
    hand: Hand,
    way: &NamedStrategy,
    bets: &[(Arc<BankerTable>, Chips)],
) -> Decision {
    let bets: Vec<OpponentBet<'_>> = bets.iter().map(|(way, bet)| OpponentBet { bet: *bet, way }).collect();
    let all = bets.iter().map(|bet| i128::from(bet.bet)).sum::<i128>() * i128::from(BANKER_HANDS);
    let ev = |gain: i128| (all > 0).then(|| Ratio::new(gain, all * i128::from(Rate::WHOLE)).value());
    let evs = setting_gains(game, hand, &bets, Payoff::EVEN).map(|gain| gain.and_then(ev));
    decision(game, hand, way, evs.to_vec())
}

#[cfg(test)]
mod tests {
    use crate::pai_gow::{BankerTable, HandEvaluator, SOLVER, Side};
    use crate::solver::{Control, SolverConfig};
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use houseway_env::pai_gow::{Game, Hand, Rules};
    use serde_json::json;

    const HAND: &str = "As Kd Jk 7c 7d 2h 3s";

    fn decide(view: &serde_json::Value) -> Result<crate::solver::Decision, String> {
        let solver = SOLVER.solver(&SolverConfig::default()).unwrap();
        solver.decision(view, &Control::default()).map(Option::unwrap).map_err(|error| error.to_string())
    }

    #[test]
    fn a_bank_has_the_mean_of_its_bets() {
        let (game, hand) = (Game::new(Rules::default()), HAND.parse::<Hand>().unwrap());
        let counts = ["foxwoods", "wong"].map(|way| {
            let way = HouseWay::shared(Way::load(way).unwrap(), &game).unwrap();
            HandEvaluator::new(&game, &BankerTable::new(&*way)).count_for(Side::Banker, hand)
        });
        let bet = |way: &str, bet: u64| json!({ "way": way, "bet": bet });
        let view = |players: &[serde_json::Value]| json!({ "hand": HAND, "players": players });
        let one = decide(&view(&[bet("wong", 7)])).unwrap();
        let two = decide(&view(&[bet("foxwoods", 20), bet("wong", 40), bet("foxwoods", 40)])).unwrap();
        for (i, (a, b)) in counts[0].settings().iter().zip(counts[1].settings()).enumerate() {
            let ev = |counts: &Option<crate::pai_gow::whole::DealCounts>| {
                counts.map(|counts| (counts.wins as f64 - counts.losses as f64) / counts.all() as f64)
            };
            let (a, b) = (ev(a), ev(b));
            assert_eq!((one.ev(i).is_some(), two.ev(i).is_some()), (b.is_some(), b.is_some()));
            let (Some(a), Some(b)) = (a, b) else { continue };
            assert!((one.ev(i).unwrap() - b).abs() < 1e-12 && (two.ev(i).unwrap() - 0.6 * a - 0.4 * b).abs() < 1e-12);
        }
        assert_eq!((one.house, one.group), (two.house, two.group));
        for (players, part) in
            [(bet("wong", 0), "without a bet"), (bet("nobody", 1), "nobody"), (json!(1), "without a bet")]
        {
            let error = decide(&view(&[players])).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_player_is_judged_against_the_house_way_of_the_banker() {
        let named = decide(&json!({ "hand": HAND, "banker": "wong" })).unwrap();
        let solver = SOLVER.solver(&SolverConfig::default().option("banker", "wong")).unwrap();
        let expected = solver.decision(&json!({ "hand": HAND }), &Control::default()).unwrap().unwrap();
        assert_eq!(named, expected);
        assert_ne!(named, decide(&json!({ "hand": HAND })).unwrap());
    }
}
