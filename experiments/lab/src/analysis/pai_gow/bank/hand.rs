//! The answer of `houseway bank --hand` for one banker hand.

use super::{BankArgs, OPTIMAL, payoff};
use crate::console::CommandResult;
use crate::report::TextTable;
use crate::run::{STOPPING, stop_flag_with};
use houseway_env::money::{Chips, chips};
use houseway_env::pai_gow::table::TableRules;
use houseway_env::pai_gow::{Game, Hand, Setting};
use houseway_env::rules::RuleSet;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::BANKER_HANDS;
use houseway_exact::pai_gow::banking::{HeldBank, best_setting};
use serde_json::json;

/// The names for a bet's possible results.
const RESULTS: [&str; 3] = ["bank wins", "push", "bank loses"];

impl BankArgs {
    pub(super) fn with_hand(&self, hand: Hand, game: &Game, rules: &TableRules) -> CommandResult<Answer> {
        let stop = stop_flag_with(STOPPING)?;
        let seated = self.ways(&[], game, &stop)?;
        let bets = self.opponents(&seated)?;
        // A commission on the net win is treated as one on each bet.
        let (best, best_ev) = best_setting(game, hand, &bets, payoff(rules));
        let setting = if self.banker == OPTIMAL { best } else { seated.get(&self.banker).set(game, hand) };
        let held = HeldBank::evaluate(rules, game, (hand, game.set(hand, setting)), &bets, self.deals, self.seed);
        let (rules_hash, game_rules_hash) = (rules.hash(), game.rules().hash());

        let front = |setting: Setting| setting.front(hand).to_string();
        let set = |setting: Setting| json!({ "index": setting.index(), "front": front(setting), "back": setting.back(hand).to_string() });
        let counts = |counts: &[u64; 3]| counts.map(|count| count.to_string());
        let bets_json = self.bets.iter().zip(&held.alone).map(|(bet, results)| {
            let [wins, pushes, losses] = counts(results);
            json!({ "way": bet.way, "bet": bet.chips, "wins": wins, "pushes": pushes, "losses": losses })
        });
        let net = held.net.results().map(|(result, weight)| {
            let (chance, error) = held.chance(|chips| chips == result);
            json!({ "chips": result, "weight": weight.to_string(), "chance": chance, "standard_error": error })
        });
        let sampled = (!held.is_exact).then(|| json!({ "deals": held.net.weight().to_string(), "seed": self.seed }));
        let (mean, deviation) = (held.moments.mean, held.moments.variance.value().sqrt());
        let json = json!({
            "hand": hand.to_string(),
            "banker": self.banker,
            "setting": set(setting),
            "best": set(best),
            "best_ev": best_ev.to_json(),
            "bets": bets_json.collect::<Vec<_>>(),
            "joint": held.joint.map(|joint| joint.counts.map(|row| counts(&row))),
            "before_commission": { "ev": mean.to_json(), "deviation": deviation, "exact": true },
            "net": { "exact": held.is_exact, "sampled": sampled, "ev": held.net.mean().value(),
                     "results": net.collect::<Vec<_>>() },
            "rules": rules,
            "rules_hash": rules_hash,
            "game_rules": game.rules(),
            "game_rules_hash": game_rules_hash,
        });

        let mut head = format!("{hand}, set by {}: front {}, back {}", self.banker, front(setting), setting.back(hand));
        if best != setting {
            head += &format!("\nbest front against these bets: {}", front(best));
        }
        let section = Section::default()
            .lines(head)
            .table(self.opponents_table(&held))
            .text(format!("each opponent separately: exact, over {} hands", grouped(BANKER_HANDS)));
        let section = match held.joint {
            Some(joint) => {
                let mut table = TextTable::new(["first \\ second"].into_iter().chain(RESULTS)).right_from(1);
                for (name, row) in RESULTS.iter().zip(joint.counts) {
                    let cells = row.map(|count| percent(count as f64 / joint.pairs() as f64, 4));
                    table = table.row([(*name).to_owned()].into_iter().chain(cells));
                }
                let pairs = grouped(joint.pairs());
                section.table(table).text(format!("both opponents jointly: exact, over {pairs} pairs of hands"))
            }
            None => section,
        };
        let how = match held.is_exact {
            true => "exact".to_owned(),
            false => {
                let deals = grouped(held.net.weight());
                format!("sampled, {deals} deals; ± is half of a 95% confidence interval")
            }
        };
        let mean = mean.value();
        let section = section.table(self.results_table(&held, rules)).lines(format!(
            "result of the round: {how}\n\
             before commission: EV {mean:+.4} chips, standard deviation {deviation:.4}; exact\n\
             rules of the table {rules_hash}, of the game {game_rules_hash}"
        ));
        Ok(Answer::new(json, [section]))
    }

    fn opponents_table(&self, held: &HeldBank) -> TextTable {
        let mut table = TextTable::new(["player's way", "bet"].into_iter().chain(RESULTS)).right_from(1);
        for (bet, results) in self.bets.iter().zip(&held.alone) {
            let shares = results.map(|count| percent(count as f64 / BANKER_HANDS as f64, 4));
            table = table.row([bet.way.clone(), chips(bet.chips)].into_iter().chain(shares));
        }
        table
    }

    fn results_table(&self, held: &HeldBank, rules: &TableRules) -> TextTable {
        let bets: Vec<Chips> = self.bets.iter().map(|bet| bet.chips).collect();
        let (all, most) = (bets.iter().sum::<Chips>(), HeldBank::most(rules, &bets));
        let rows: [(&str, &dyn Fn(Chips) -> bool); 5] = [
            ("loses all bets", &|chips| chips == -all),
            ("loses", &|chips| chips < 0),
            ("breaks even", &|chips| chips == 0),
            ("wins", &|chips| chips > 0),
            ("wins all bets", &|chips| chips == most),
        ];
        let mut table = TextTable::new(["the bank", "probability"]).right(1);
        for (name, inside) in rows {
            let (chance, error) = held.chance(inside);
            let error = if held.is_exact { String::new() } else { format!(" ± {}", percent(1.96 * error, 4)) };
            table = table.row([name, &format!("{}{error}", percent(chance, 4))]);
        }
        let ev = held.net.mean().value();
        let error = (held.net.variance() / held.net.weight() as f64).sqrt();
        let error = if held.is_exact { String::new() } else { format!(" ± {:.4}", 1.96 * error) };
        table.row(["EV, chips", &format!("{ev:+.4}{error}")])
    }
}
