//! `houseway monitor`: the house's actual result in a log against the expected one, and the dealer's mistakes.

use super::identify::parse_probability;
use super::log::{Observed, Round, read_log};
use super::runner::{WayConfig, prepare, with_progress};
use super::units::change;
use crate::console::{CommandResult, CommonOptions, Failure, StoreOptions};
use crate::report::TextTable;
use crate::stats::MeanTest;
use clap::Args;
use houseway_env::money::{Chips, Collection, Rate};
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Rules, Setting};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::grouped;
use houseway_exact::pai_gow::matchup::outcomes;
use houseway_exact::pai_gow::whole::{OutcomeWeights, Payoff};
use houseway_exact::pai_gow::{NamedStrategy, Side, Tabulated, hand_counts};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The number of mistakes in the text.
const SHOWN: usize = 20;

/// Compare the results of a log with the expected ones, and find the dealer's mistakes
///
/// The log has one hand of the dealer per line: its seven cards, the two in front, and if they are known the winner
/// (banker, player or push) and the bet, which is 1 if left out, as in "As Kd Jk 7c 7d 2h 3s | 7c 7d | banker | 25". A
/// line may also be a JSON object with "hand", "front", "winner" and "bet". Bets against the same hand depend on each
/// other, so log one bet per round.
///
/// Expected values are exact, over all deals. The alarm is a sequential test, which may be repeated after every round:
/// if results are as expected, the probability that it is ever raised is at most the alarm rate. A mistake is a hand
/// that the dealer's house way sets differently. Its cost is the EV that the house loses by it, per unit of the bet.
/// A negative cost is a gain. A foul has no cost, because the rules leave open what follows.
#[derive(Args)]
pub struct MonitorArgs {
    /// The file with the dealer's hands
    log: PathBuf,
    /// The dealer's house way, or another strategy, by name or file
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT)]
    banker: String,
    /// The players' strategy, in the same form
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT)]
    player: String,
    /// The maximum probability of a false alarm over any number of rounds
    #[arg(long, value_name = "P", default_value = "0.01", value_parser = parse_probability)]
    alarm_rate: f64,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl MonitorArgs {
    pub fn run(self) -> CommandResult {
        let (game, stop) = self.common.start("stopping (press again to stop immediately)")?;
        if game.rules().commission_bet != Rules::default().commission_bet {
            let reason = "--set commission-bet: the bets are those of the log; leave it out";
            return Err(Failure::usage(reason));
        }
        let observed = read_log(&self.log, &game).map_err(Failure::usage)?;
        check_rounds(&observed).map_err(|error| Failure::usage(format!("{}, {error}", self.log.display())))?;
        let strategies = self.common.game.strategies(&[&self.player, &self.banker], &game)?;
        strategies[1].check_pure().map_err(Failure::usage)?;
        let [player, banker] = &prepare(&strategies, &game, &stop)?;
        let store = self.store.open()?;
        // Fees for each hand don't depend on the cards, so results are compared without them.
        let rules = Rules { collection: Collection::NONE, ..game.rules() };
        let payoffs = [Payoff::player(&rules), Payoff::house_bank(&rules)];
        let pairs = [[player.into(), banker.into()]];
        let counts = with_progress("all deals", &stop, |run| outcomes(&store, &game, &pairs, payoffs, run))?;
        let results = Results::new(counts[0].other_side(), payoffs[1], self.alarm_rate, &observed);
        let mistakes = mistakes(&game, &strategies[1], [player, banker], &observed);
        self.common.output.show(&answer(&game, [player, banker], observed.len(), &results, &mistakes))
    }
}

/// Checks that no two rounds in a row have the same hand, as a sign that a line is not one round.
fn check_rounds(observed: &[Observed]) -> Result<(), String> {
    let same = |pair: &&[Observed]| pair[0].hand == pair[1].hand && pair.iter().all(|it| it.round.is_some());
    match observed.windows(2).find(same) {
        Some(pair) => Err(format!(
            "line {}: the hand of the line before; keep one bet of each round, since bets against the same hand depend on \
             each other",
            pair[1].line
        )),
        None => Ok(()),
    }
}

struct Results {
    rounds: usize,
    bets: Chips,
    /// The house's EV per unit, and the standard deviation of a round.
    ev: Ratio,
    deviation: f64,
    squares: f64,
    actual: Ratio,
    alarm_rate: f64,
    /// The largest evidence that the sequential test had after any round.
    evidence: f64,
    /// The line of the round that raised the alarm.
    alarm_line: Option<usize>,
}

impl Results {
    fn new(counts: OutcomeWeights, payoff: Payoff, alarm_rate: f64, observed: &[Observed]) -> Results {
        let ev = counts.ev(payoff);
        let [win, loss] = [payoff.win_millionths(), payoff.loss_millionths()].map(i64::from);
        let value = |millionths: i64| millionths as f64 / f64::from(Rate::WHOLE);
        // A large bet makes the later ones light, so half of the evidence is from rounds that all weigh the same.
        let mut tests = [(); 2].map(|()| MeanTest::new(ev.value(), [value(-loss), value(win)]));
        let mut millionths = 0i128;
        let mut largest_bet = 0;
        let mut results = Results {
            rounds: 0,
            bets: 0,
            ev,
            deviation: counts.variance(payoff).sqrt(),
            squares: 0.0,
            actual: Ratio::ZERO,
            alarm_rate,
            evidence: 1.0,
            alarm_line: None,
        };
        for Observed { line, round, .. } in observed {
            let Some(Round { winner, bet }) = *round else { continue };
            let net = match winner {
                Some(Side::Banker) => win,
                Some(Side::Player) => -loss,
                None => 0,
            };
            results.rounds += 1;
            results.bets += bet;
            results.squares += (bet as f64).powi(2);
            millionths += i128::from(net) * i128::from(bet);
            largest_bet = bet.max(largest_bet);
            // The bet is known before the cards, so the test may weigh rounds by it.
            tests[0].observe(value(net), bet as f64 / largest_bet as f64);
            tests[1].observe(value(net), 1.0);
            let evidence = tests.iter().map(MeanTest::evidence).sum::<f64>() / tests.len() as f64;
            results.evidence = results.evidence.max(evidence);
            if results.alarm_line.is_none() && results.evidence >= 1.0 / alarm_rate {
                results.alarm_line = Some(*line);
            }
        }
        results.actual = Ratio::new(millionths, i128::from(Rate::WHOLE));
        results
    }

    fn expected(&self) -> f64 {
        self.ev.value() * self.bets as f64
    }

    /// Returns the number of standard deviations between the actual and the expected result.
    fn z(&self) -> Option<f64> {
        let deviation = self.deviation * self.squares.sqrt();
        (self.rounds > 0).then(|| (self.actual.value() - self.expected()) / deviation)
    }

    fn section(&self) -> Section {
        let section = Section::new("Results of the house");
        let Some(z) = self.z() else {
            return section.text("No line of the log has a winner, so there are no results to compare.");
        };
        let cells = [
            grouped(self.rounds as u64),
            grouped(self.bets as u64),
            format!("{:.2}", self.expected()),
            format!("{:.2}", self.actual.value()),
            format!("{z:+.2}"),
        ];
        let table = TextTable::new(["rounds", "bets", "expected", "actual", "z"]).right_from(0).row(cells);
        let alarm = match self.alarm_line {
            Some(line) => format!("**Alarm**, raised in line {line}"),
            None => "No alarm".to_owned(),
        };
        section.table(table).text(format!(
            "{alarm}: the largest evidence so far against an EV of {} is {}, and {:.1} raises the alarm. If results are as \
             expected, the probability that it is ever raised is at most {}. z is the difference in standard deviations, for a number of \
             rounds that was chosen before; only the alarm may be looked at after every round.",
            change(self.ev, 4),
            if self.evidence < 1e6 { format!("{:.3}", self.evidence) } else { format!("{:.1e}", self.evidence) },
            1.0 / self.alarm_rate,
            self.alarm_rate,
        ))
    }
}

/// A hand that the dealer set differently from the house way.
struct Mistake<'a> {
    observed: &'a Observed,
    sheet: Setting,
    rule: Option<String>,
    /// The loss of the house's EV per unit of the bet, or `None` for a foul, whose consequences the rules leave open.
    cost: Option<Ratio>,
}

impl Mistake<'_> {
    fn bet(&self) -> Chips {
        self.observed.round.as_ref().map_or(1, |round| round.bet)
    }

    fn json(&self) -> Value {
        let Observed { line, hand, setting, .. } = *self.observed;
        json!({
            "line": line,
            "hand": hand.to_string(),
            "set": setting.front(hand).to_string(),
            "sheet": self.sheet.front(hand).to_string(),
            "rule": self.rule,
            "bet": self.bet(),
            "cost": self.cost.map(Ratio::value),
            "cost_exact": self.cost.map(Ratio::to_json),
        })
    }
}

/// Returns the hands that the dealer set differently from a strategy, which is also the second of both sides.
fn mistakes<'a>(
    game: &Game,
    sheet: &NamedStrategy,
    [player, banker]: [&Tabulated; 2],
    observed: &'a [Observed],
) -> Vec<Mistake<'a>> {
    let payoff = Payoff::house_bank(&game.rules());
    let mistake = |observed: &'a Observed| {
        let sheet_setting = banker.set(game, observed.hand);
        if game.set(observed.hand, sheet_setting) == observed.made {
            return None;
        }
        let counts = hand_counts(game, Side::Banker, observed.hand, Some(player));
        let ev = |setting| Some(counts.get(setting)?.ev(payoff));
        let cost = ev(sheet_setting).zip(ev(observed.setting)).map(|(best, set)| best - set);
        let rule = sheet.rule(observed.hand).map(|rule| rule.name.clone());
        Some(Mistake { observed, sheet: sheet_setting, rule, cost })
    };
    observed.par_iter().filter_map(mistake).collect()
}

fn cost_of(mistakes: &[Mistake<'_>]) -> f64 {
    // A sum of no numbers is -0.0.
    mistakes.iter().filter_map(|mistake| Some(mistake.cost?.value() * mistake.bet() as f64)).sum::<f64>() + 0.0
}

fn answer(
    game: &Game,
    [player, banker]: [&Tabulated; 2],
    hands: usize,
    results: &Results,
    mistakes: &[Mistake<'_>],
) -> Answer {
    let rules = game.rules();
    let json = json!({
        "player": WayConfig::from(player),
        "banker": WayConfig::from(banker),
        "hands": hands,
        "rounds": results.rounds,
        "bets": results.bets,
        "ev": results.ev.value(),
        "ev_exact": results.ev.to_json(),
        "standard_deviation": results.deviation,
        "expected": results.expected(),
        "actual": results.actual.value(),
        "z": results.z(),
        "alarm": results.alarm_line.is_some(),
        "alarm_line": results.alarm_line,
        "alarm_rate": results.alarm_rate,
        "evidence": results.evidence,
        "mistakes": mistakes.iter().map(Mistake::json).collect::<Vec<_>>(),
        "mistakes_cost": cost_of(mistakes),
        "rules": rules,
        "rules_hash": rules.hash(),
    });
    let fee = if rules.collection == Collection::NONE { "" } else { " The fee for each hand is left out." };
    let scope = format!(
        "Players who set by {}, against a dealer who sets by {}; rules {}.{fee}",
        player.name(),
        banker.name(),
        rules.described()
    );
    let known = format!("{} of {} lines have a result.", grouped(results.rounds as u64), grouped(hands as u64));
    let scope = if (1..hands).contains(&results.rounds) { format!("{scope} {known}") } else { scope };
    Answer::new(json, [Section::default().text(scope), results.section(), mistakes_section(mistakes, hands)])
}

fn mistakes_section(mistakes: &[Mistake<'_>], hands: usize) -> Section {
    let section = Section::new("Mistakes of the dealer");
    let (count, hands) = (grouped(mistakes.len() as u64), grouped(hands as u64));
    if mistakes.is_empty() {
        return section.text(format!("Hands set by the house way: all {hands}."));
    }
    let mut table = TextTable::new(["line", "hand", "set", "house way", "rule", "cost"]).right(0).right(5);
    for Mistake { observed, sheet, rule, cost } in mistakes.iter().take(SHOWN) {
        table = table.row([
            observed.line.to_string(),
            observed.hand.to_string(),
            observed.setting.front(observed.hand).to_string(),
            sheet.front(observed.hand).to_string(),
            rule.clone().unwrap_or_default(),
            cost.map_or_else(|| "foul".to_owned(), |cost| change(cost, 4)),
        ]);
    }
    let shown = if mistakes.len() > SHOWN { format!(" The first {SHOWN} are shown.") } else { String::new() };
    let fouls = mistakes.iter().filter(|mistake| mistake.cost.is_none()).count();
    let fouls = match fouls {
        0 => "",
        1 => " This leaves out a foul.",
        _ => " This leaves out fouls.",
    };
    section
        .text(format!(
            "Hands set differently from the house way: {count} of {hands}. For the bets against them, the EV of the house \
             changes by {:+.4} in units of the bets.{fouls}{shown}",
            -cost_of(mistakes)
        ))
        .table(table)
}

#[cfg(test)]
mod tests {
    use super::super::log::parse_line;
    use super::*;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::house_way::HouseWay;
    use houseway_env::pai_gow::{Dealer, Outcome, Rules};
    use houseway_exact::pai_gow::HandEvaluator;
    use rand::RngExt;

    const LINES: [&str; 2] = ["9s 9d 5s 5c Kh 7d 3c | 5s 5c | push | 100", "As Ad Jk Kh Qc Js 3d | As 3d"];

    fn named(name: &str, game: &Game) -> NamedStrategy {
        NamedStrategy::Exact(HouseWay::shared(Way::named(name).unwrap(), game).unwrap().into())
    }

    #[test]
    fn costs_are_those_of_all_player_hands() {
        let game = Game::new(Rules::default());
        let [sheet, players] = ["trump-plaza", "foxwoods"].map(|name| named(name, &game));
        let observed = LINES.map(|line| parse_line(line, &game).unwrap());
        let found = mistakes(&game, &sheet, [players.exact().unwrap(), sheet.exact().unwrap()], &observed);
        let [Mistake { observed, sheet, cost, .. }] = &found[..] else { panic!("{} mistakes", found.len()) };
        let table = players.exact().unwrap().profiles().unwrap();
        let counts = HandEvaluator::new(&game, table).count_for(Side::Banker, observed.hand);
        // The house wins the whole bet and loses it without the commission.
        let gain = |setting: Setting| {
            let counts = counts.get(setting).unwrap();
            100 * i128::from(counts.wins) - 95 * i128::from(counts.losses)
        };
        assert_eq!(*cost, Some(Ratio::new(gain(*sheet) - gain(observed.setting), 5_352_468_000)));
        assert_eq!(found[0].bet(), 100);
        let foul = [parse_line("As Kd Jk 7c 7d 2h 3s | As Jk", &game).unwrap()];
        let found = mistakes(&game, &named("trump-plaza", &game), [players.exact().unwrap(); 2], &foul);
        assert_eq!((found.len(), found[0].cost, cost_of(&found)), (1, None, 0.0));
        assert!(cost_of(&found).is_sign_positive(), "no cost is +0.0000");
    }

    /// Deals rounds in which the player also wins a part of the pushes. The bet is doubled after a loss.
    fn rounds(game: &Game, way: &HouseWay, stolen: f64, seed: u64) -> Vec<Observed> {
        let template = parse_line(LINES[0], game).unwrap();
        let dealer = Dealer::new(game, way);
        let mut rng = stream(seed.into());
        let mut bet = 1;
        let mut observed = vec![];
        for _ in 0..2_000 {
            let mut banker = [Default::default()];
            let player = dealer.set(dealer.deal(&mut rng, &mut banker)).strengths();
            let winner = match game.settle(player, banker[0]).outcome {
                Outcome::Win => Some(Side::Player),
                Outcome::Loss => Some(Side::Banker),
                Outcome::Push => rng.random_bool(stolen).then_some(Side::Player),
            };
            observed.push(Observed { round: Some(Round { winner, bet }), ..template });
            bet = if winner == Some(Side::Banker) { (2 * bet).min(4) } else { 1 };
        }
        observed
    }

    /// The rate of false alarms is bounded over any number of rounds, with bets that follow from earlier results.
    #[test]
    fn the_alarm_rate_is_met() {
        const RUNS: usize = 400;
        const ALARM_RATE: f64 = 0.1;
        let game = Game::new(Rules::default());
        let way = HouseWay::shared(Way::named("trump-plaza").unwrap(), &game).unwrap();
        // The house's outcomes in `houseway solve`.
        let counts = OutcomeWeights {
            wins: 2_467_480_314_035_240,
            pushes: 3_422_254_755_406_356,
            losses: 2_360_723_961_772_804,
            ..OutcomeWeights::default()
        };
        let payoff = Payoff::house_bank(&Rules::default());
        let results = |stolen: f64| -> Vec<Results> {
            let run = |seed| {
                let observed = rounds(&game, &way, stolen, seed);
                Results::new(counts, payoff, ALARM_RATE, &observed)
            };
            (0..RUNS as u64).into_par_iter().map(run).collect()
        };
        let alarms = |results: &[Results]| results.iter().filter(|it| it.alarm_line.is_some()).count();
        let fair = results(0.0);
        let false_alarms = alarms(&fair);
        assert!((1..=(ALARM_RATE * RUNS as f64) as usize).contains(&false_alarms), "{false_alarms}");
        // The exact EV and deviation are those of the dealt rounds.
        let z: Vec<f64> = fair.iter().filter_map(Results::z).collect();
        let mean = z.iter().sum::<f64>() / RUNS as f64;
        let square = z.iter().map(|z| z * z).sum::<f64>() / RUNS as f64;
        assert!(mean.abs() < 4.0 / (RUNS as f64).sqrt() && (square - 1.0).abs() < 0.3, "{mean} {square}");
        let stolen = results(0.3);
        assert!(alarms(&stolen) > RUNS * 9 / 10, "{}", alarms(&stolen));
    }

    #[test]
    fn a_log_without_results_has_no_alarm() {
        let game = Game::new(Rules::default());
        let observed = [parse_line(LINES[1], &game).unwrap()];
        let counts = OutcomeWeights { wins: 3, pushes: 4, losses: 3, ..OutcomeWeights::default() };
        let results = Results::new(counts, Payoff::EVEN, 0.01, &observed);
        assert_eq!((results.rounds, results.z(), results.alarm_line), (0, None, None));
        assert!(check_rounds(&[observed[0], observed[0]]).is_ok());
        let same = [parse_line(LINES[0], &game).unwrap(); 2];
        assert!(check_rounds(&same).unwrap_err().contains("the hand of the line before"));
    }
}
