//! The results of `houseway bank --hand` for one banker hand.

use super::{BankArgs, OPTIMAL, payoff};
use crate::analysis::pai_gow::table_run::{SeatWay, SeatedWays};
use crate::console::{CommandResult, print, print_json};
use crate::report::{TextTable, terminal};
use crate::run::{STOPPING, stop_flag_with};
use houseway_env::money::Chips;
use houseway_env::pai_gow::table::{TableRules, chips};
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::BANKER_HANDS;
use houseway_exact::pai_gow::banking::{HeldBank, best_setting};
use serde_json::{Value, json};

/// The names for a bet's possible results.
const RESULTS: [&str; 3] = ["bank wins", "push", "bank loses"];

/// The results for one hand.
struct Found<'a> {
    command: &'a BankArgs,
    rules: &'a TableRules,
    /// The game rules' hash.
    game_rules: String,
    hand: Hand,
    setting: Setting,
    /// The best setting and its EV, with a commission on the net win treated as one on each bet.
    best: (Setting, Ratio),
    held: HeldBank,
}

impl BankArgs {
    /// Evaluates one hand.
    pub(super) fn with_hand(&self, hand: Hand, game: &Game, rules: &TableRules) -> CommandResult {
        let stop = stop_flag_with(STOPPING)?;
        let ways = self.ways(&[], game, &stop)?;
        let seated = SeatedWays::new(&ways);
        let bets = self.opponents(&seated)?;
        let best = best_setting(game, hand, &bets, payoff(rules));
        let of_way = |way: &SeatWay| way.set(hand);
        let banker = ways.iter().find(|way| way.name() == self.banker).filter(|_| self.banker != OPTIMAL);
        let setting = banker.map_or(best.0, of_way);
        let held = HeldBank::evaluate(rules, game, (hand, game.set(hand, setting)), &bets, self.deals, self.seed);
        let game_rules = game.rules().hash();
        let found = Found { command: self, rules, game_rules, hand, setting, best, held };
        if self.output.json { print_json(&found.json()) } else { print(&found.text()) }
    }
}

impl Found<'_> {
    fn cards(&self, setting: Setting) -> (String, String) {
        (setting.front(self.hand).to_string(), setting.back(self.hand).to_string())
    }

    fn json(&self) -> Value {
        let set = |setting: Setting| {
            let (front, back) = self.cards(setting);
            json!({ "index": setting.index(), "front": front, "back": back })
        };
        let counts = |counts: &[u64; 3]| counts.map(|count| count.to_string());
        let bets = self.command.bets.iter().zip(&self.held.alone).map(|(bet, results)| {
            let [wins, pushes, losses] = counts(results);
            json!({ "way": bet.way, "bet": bet.chips, "wins": wins, "pushes": pushes, "losses": losses })
        });
        let net = self.held.net.results().map(|(result, weight)| {
            let (chance, error) = self.held.chance(|chips| chips == result);
            json!({ "chips": result, "weight": weight.to_string(), "chance": chance, "standard_error": error })
        });
        let sampled = (!self.held.is_exact)
            .then(|| json!({ "deals": self.held.net.weight().to_string(), "seed": self.command.seed }));
        let deviation = self.held.moments.variance.value().sqrt();
        json!({
            "hand": self.hand.to_string(),
            "banker": self.command.banker,
            "setting": set(self.setting),
            "best": set(self.best.0),
            "best_ev": self.best.1.to_json(),
            "bets": bets.collect::<Vec<_>>(),
            "joint": self.held.joint.map(|joint| joint.counts.map(|row| counts(&row))),
            "before_commission": { "ev": self.held.moments.mean.to_json(), "deviation": deviation, "exact": true },
            "net": { "exact": self.held.is_exact, "sampled": sampled, "ev": self.held.net.mean().value(),
                     "results": net.collect::<Vec<_>>() },
            "rules_hash": self.rules.hash(),
            "game_rules_hash": self.game_rules,
        })
    }

    fn text(&self) -> String {
        let (front, back) = self.cards(self.setting);
        let mut text = format!("{}, set by {}: front {front}, back {back}\n", self.hand, self.command.banker);
        if self.best.0 != self.setting {
            text += &format!("best front against these bets: {}\n", self.cards(self.best.0).0);
        }
        text += &format!("\n{}\n", terminal(&self.opponents()));
        text += &format!("each opponent separately: exact, over {} hands\n\n", grouped(BANKER_HANDS));
        if let Some(joint) = self.held.joint {
            let header = ["first \\ second"].into_iter().chain(RESULTS);
            let mut table = (1..4).fold(TextTable::new(header), TextTable::right);
            for (name, row) in RESULTS.iter().zip(joint.counts) {
                let cells = row.map(|count| percent(count as f64 / joint.pairs() as f64, 4));
                table = table.row(std::iter::once(*name).chain(cells.iter().map(String::as_str)));
            }
            let pairs = grouped(joint.pairs());
            text += &format!("{}\nboth opponents jointly: exact, over {pairs} pairs of hands\n\n", terminal(&table));
        }
        let all: Chips = self.command.bets.iter().map(|bet| bet.chips).sum();
        text += &format!("{}\n", terminal(&self.results(all)));
        text += &match self.held.is_exact {
            true => "result of the round: exact\n".to_owned(),
            false => {
                let deals = grouped(self.held.net.weight());
                format!("result of the round: sampled, {deals} deals; ± is half of a 95% confidence interval\n")
            }
        };
        let moments = self.held.moments;
        let (mean, deviation) = (moments.mean.value(), moments.variance.value().sqrt());
        text += &format!("before commission: EV {mean:+.4} chips, standard deviation {deviation:.4}; exact\n");
        text + &format!("rules of the table {}, of the game {}\n", self.rules.hash(), self.game_rules)
    }

    fn opponents(&self) -> TextTable {
        let header = ["player's way", "bet"].into_iter().chain(RESULTS);
        let mut table = (1..5).fold(TextTable::new(header), TextTable::right);
        for (bet, results) in self.command.bets.iter().zip(&self.held.alone) {
            let shares = results.map(|count| percent(count as f64 / BANKER_HANDS as f64, 4));
            let bet = [bet.way.clone(), chips(bet.chips)];
            table = table.row(bet.iter().chain(&shares).map(String::as_str));
        }
        table
    }

    fn results(&self, all: Chips) -> TextTable {
        let mut table = TextTable::new(["the bank", "probability"]).right(1);
        let rows: [(&str, &dyn Fn(Chips) -> bool); 5] = [
            ("loses all bets", &|chips| chips == -all),
            ("loses", &|chips| chips < 0),
            ("breaks even", &|chips| chips == 0),
            ("wins", &|chips| chips > 0),
            ("wins all bets", &|chips| chips == self.most()),
        ];
        for (name, inside) in rows {
            let (chance, error) = self.held.chance(inside);
            let error = if self.held.is_exact { String::new() } else { format!(" ± {}", percent(1.96 * error, 4)) };
            table = table.row([name, &format!("{}{error}", percent(chance, 4))]);
        }
        let ev = self.held.net.mean().value();
        let error = (self.held.net.variance() / self.held.net.weight() as f64).sqrt();
        let error = if self.held.is_exact { String::new() } else { format!(" ± {:.4}", 1.96 * error) };
        table.row(["EV, chips", &format!("{ev:+.4}{error}")])
    }

    /// Returns the bank's result if it wins all bets.
    fn most(&self) -> Chips {
        let bets: Vec<Chips> = self.command.bets.iter().map(|bet| bet.chips).collect();
        HeldBank::most(self.rules, &bets)
    }
}
