//! The answers of `houseway bank`: over all hands, with a decision based on the price of passing, and for one hand.

use super::{BankArgs, OPTIMAL, Worth, part_of, payoff};
use crate::analysis::pai_gow::units::{outcome_shares, part};
use crate::console::CommandResult;
use crate::report::{TextTable, wrapped_lines};
use crate::run::{STOPPING, stop_flag_with};
use houseway_env::money::{Chips, Rate, chips};
use houseway_env::pai_gow::table::{CommissionOnBanker, TableRules};
use houseway_env::pai_gow::{Game, Hand, Setting};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::BANKER_HANDS;
use houseway_exact::pai_gow::banking::{BankedBet, HeldBank, bank_ev, best_setting, kelly};
use serde_json::{Value, json};

impl Worth {
    fn all_bets(&self) -> Chips {
        self.bets.iter().map(|bet| bet.bet).sum()
    }

    /// Returns the bank's fee for all bets.
    fn fee(&self) -> Chips {
        self.rules.bank_collection.fee(self.all_bets())
    }

    fn how(&self) -> &'static str {
        if self.sampled.is_none() { "exact" } else { "sampled" }
    }
}

/// A part of an answer as JSON and in words, which are empty if the part wasn't asked for.
type Part = (Value, String);

const NOT_ASKED: Part = (Value::Null, String::new());

impl BankArgs {
    pub(super) fn answer(&self, worth: &Worth) -> Answer {
        let (net, is_exact) = (&worth.net, worth.sampled.is_none());
        // The EV in the sample and its standard error. A sample of whole stakes belongs to the exact bounds.
        let mean = worth.sampled.as_ref().map(|sampled| match self.stake {
            None => sampled.mean_by(&worth.bank),
            Some(_) => sampled.mean(),
        });
        let deals = worth.sampled.as_ref().map_or(0, |sampled| sampled.net.deals() as u64);
        let whole_bank = mean.filter(|_| self.stake.is_none());
        let whole = match self.stake {
            Some(_) => (net.ev(), net.ev()),
            None => worth.bank.bounds(),
        };
        // The price of passing is that of what the player would get: the share of a bank with this stake.
        let (low, high) = self.share.map_or(whole, |share| scaled(whole, share));
        let price = (low - worth.pass, high - worth.pass);
        let is_bounded = self.stake.is_none() || is_exact;
        let sampled_price = mean.map(|(ev, error)| {
            let share = self.share.map_or(1.0, Rate::value);
            let price = share * ev - worth.pass.value();
            SampledPrice { price, error: share * error, deals, seconds: worth.seconds }
        });
        let take = take_by_bounds(price).filter(|_| is_bounded);
        let decision = take.map(Decision::Bounds).or(sampled_price.map(Decision::Sample));
        let deviation = net.variance().sqrt();
        let funds = self.stake.unwrap_or(worth.all_bets()) + worth.fee();

        let (bets, table) = self.bets_part(worth);
        let (stake, stake_text) = self.stake_part(worth, mean);
        let (uncovered, uncovered_text) = self.uncovered_part(worth);
        let (share, share_text) = self.share_part(worth, whole, mean);
        let (kelly_share, kelly_text) = self.kelly_part(worth, whole_bank);
        let (growth, growth_text) = self.growth_part(worth, mean);
        let mut price_json = range_json(price);
        price_json["exact"] = (is_bounded && price.0 == price.1).into();
        let json = json!({
            "banker": self.banker,
            "beside": worth.beside.map(|bank| json!({ "banker": self.house, "ev": range_json(bank.bounds()) })),
            "bets": bets,
            "ev": range_json(worth.bank.bounds()),
            "stake": stake,
            "ev_before_commission": worth.bank.gross.to_json(),
            "standard_deviation": deviation,
            "funds": funds,
            "uncovered_bets": uncovered,
            "share": share,
            "sampled": whole_bank.map(|(ev, error)| {
                json!({ "deals": deals.to_string(), "seed": self.seed, "ev": ev, "standard_error": error })
            }),
            "pass": { "bet": worth.own.bet, "way": self.way, "banker": self.house, "ev": worth.pass.to_json() },
            "price_of_passing": price_json,
            "take": take,
            "decision": decision.map_or_else(|| json!({ "by": null, "take": null }), |it| it.json()),
            "bankroll": self.bankroll,
            "log_growth": growth,
            "kelly_share": kelly_share,
            "rules": worth.rules,
            "rules_hash": worth.rules.hash(),
            "game_rules": worth.game_rules,
            "game_rules_hash": worth.game_rules.hash(),
        });

        let mut text = format!("bank by {}, all bets covered: EV {} chips", self.banker, range(worth.bank.bounds()));
        if let (Some((ev, error)), None) = (whole_bank, worth.bank.exact()) {
            text += &format!("; {ev:+.4} ± {:.4} (95%) from {} deals", 1.96 * error, grouped(deals));
        }
        if let Some(beside) = worth.beside {
            text += &format!("\nbank by {}, the house's way: EV {} chips", self.house, range(beside.bounds()));
        }
        text += &stake_text;
        text += &format!(
            "\nstandard deviation of a round: {deviation:.4} chips, {}; it takes funds of {} chips",
            worth.how(),
            chips(funds)
        );
        text += &(uncovered_text + &share_text);
        text += &match (worth.own.bet, worth.pass.value()) {
            (0, _) => "\npass, without a bet: EV 0 chips".to_owned(),
            (own, ev) => format!("\npass, {} by {} against {}: EV {ev:+.4} chips", chips(own), self.way, self.house),
        };
        let of_bounds = if is_bounded { format!("{} chips: ", range(price)) } else { String::new() };
        let by_sample = if is_bounded { "undecided by the bounds\nby the sample: " } else { "" };
        let by_sample = if matches!(decision, Some(Decision::Sample(_))) { by_sample } else { "" };
        let decision_text = decision.map_or_else(|| "undecided by the bounds".to_owned(), |it| it.text());
        text += &format!("\nprice of passing: {of_bounds}{by_sample}{decision_text}\n");
        text += &(kelly_text + &growth_text);
        let (of_table, of_game) = (worth.rules.described(), worth.game_rules.described());
        text += &format!("rules of the table {of_table}, of the game {of_game}\n");
        if worth.rules.commission_on_one_bet() != Rate::ZERO {
            let except = if worth.fee() == 0 { ", except in the column Kelly" } else { "" };
            text += &format!("commissions are rounded to whole chips{except}\n");
        }
        Answer::new(json, [Section::default().table(table).lines(wrapped_lines(&text))])
    }

    /// Returns the counts of each bet as JSON, and their table.
    fn bets_part(&self, worth: &Worth) -> (Vec<Value>, TextTable) {
        let bank_payoff = payoff(&worth.rules);
        let mut bets = Vec::new();
        let header = ["player's way", "bet", "bank wins", "push", "bank loses", "Kelly"];
        let mut table = TextTable::new(header).right_from(1);
        for (bet, counted) in self.bets.iter().zip(&worth.bets) {
            let counts = counted.counts;
            // A fee is for all bets together, so with one, a bet has no fraction of its own.
            let kelly = (worth.fee() == 0).then(|| kelly(counts, bank_payoff));
            bets.push(json!({
                "way": bet.way,
                "bet": bet.chips,
                "wins": counts.wins.to_string(),
                "pushes": counts.pushes.to_string(),
                "losses": counts.losses.to_string(),
                "kelly": kelly.map(|kelly| kelly.to_json()),
            }));
            let kelly = kelly.map_or_else(|| "-".to_owned(), |kelly| percent(kelly.value(), 3));
            let cells = [bet.way.clone(), chips(bet.chips)].into_iter().chain(outcome_shares(counts));
            table = table.row(cells.chain([kelly]));
        }
        (bets, table)
    }

    /// Returns the EV of a partial stake.
    fn stake_part(&self, worth: &Worth, mean: Option<(f64, f64)>) -> Part {
        let Some(stake) = self.stake else { return NOT_ASKED };
        let (ev, error) = mean.unwrap_or((worth.net.ev().value(), 0.0));
        let how = if error == 0.0 {
            "exact".to_owned()
        } else {
            format!("± {:.4} (95%), {} deals", 1.96 * error, grouped(self.deals))
        };
        let json = json!({ "chips": stake, "ev": ev, "standard_error": error, "exact": worth.sampled.is_none() });
        (json, format!("\nwith a stake of {}: EV {ev:+.4} chips, {how}", chips(stake)))
    }

    /// Returns the EV under each reading of what happens to uncovered bets.
    fn uncovered_part(&self, worth: &Worth) -> Part {
        let (mut json, mut text) = (Vec::new(), String::new());
        for (reading, distribution) in &worth.uncovered {
            let (ev, deviation) = (distribution.ev().value(), distribution.variance().sqrt());
            let error = 1.96 * deviation / (self.deals as f64).sqrt();
            let error = if worth.sampled.is_none() { String::new() } else { format!(" ± {error:.4} (95%)") };
            json.push(json!({ "option": reading, "ev": ev, "standard_deviation": deviation }));
            text += &format!(
                "\nuncovered-bets={reading}: EV {ev:+.4}{error} chips, standard deviation {deviation:.4}, {}",
                worth.how()
            );
        }
        (json.into(), text)
    }

    /// Returns the EV of the player's share of the bank, whose bounds are `whole`.
    fn share_part(&self, worth: &Worth, whole: (Ratio, Ratio), mean: Option<(f64, f64)>) -> Part {
        let Some(share) = self.share else { return NOT_ASKED };
        let (is_part, is_exact) = (self.stake.is_some(), worth.sampled.is_none());
        // With the commission on the share instead of the whole bank. It isn't computed for a stake.
        let own_wins = (!is_part).then(|| {
            let part = |bet: &BankedBet| BankedBet { bet: part_of(bet.bet, share).expect("checked before"), ..*bet };
            bank_ev(&worth.rules, &worth.bets.iter().map(part).collect::<Vec<_>>()).bounds()
        });
        let (whole, deviation) = (scaled(whole, share), share.value() * worth.net.variance().sqrt());
        let mut whole_json = range_json(whole);
        if is_part && !is_exact {
            whole_json["exact"] = false.into();
        }
        let json = json!({
            "fraction": share,
            "ev_of_whole_bank": whole_json,
            "ev_of_own_wins": own_wins.map(range_json),
            "standard_deviation": deviation,
        });
        let cost = match (worth.rules.commission_on_banker, worth.fee()) {
            (_, 0) => "commission",
            (CommissionOnBanker::None, _) => "fee",
            _ => "commission and the fee",
        };
        let mut text = format!("\nyour share of {share}: EV {} chips if the whole bank pays the {cost}", range(whole));
        if let Some((_, error)) = mean.filter(|_| is_part) {
            let error = 1.96 * share.value() * error;
            text += &format!(" (± {error:.4}, 95%, {} deals)", grouped(self.deals));
        }
        if let Some(own) = own_wins {
            text += &format!(", {} if you pay it on your part", range(own));
        }
        (json, text + &format!("; standard deviation {deviation:.4}"))
    }

    /// Returns the Kelly fraction of all bets together. With the bets themselves as the bankroll, the multiple is the
    /// fraction of the bankroll. `mean` is the EV in the sample and its standard error, if the bank is sampled.
    fn kelly_part(&self, worth: &Worth, mean: Option<(f64, f64)>) -> Part {
        // A fee doesn't grow with the bets, so no fraction of the bankroll is the best for all sizes.
        if self.stake.is_some() || worth.fee() > 0 {
            return NOT_ASKED;
        }
        let (net, all) = (&worth.net, worth.all_bets());
        let [share, error] = match worth.sampled.as_ref().zip(mean) {
            None => [net.kelly_size(all), 0.0],
            Some((sampled, (ev, error))) => [sampled.kelly_size(ev, all), error * all as f64 / net.variance()],
        };
        // A part of every result is as all of it for a bankroll that is larger by the same factor.
        let [share, error] = [share, error].map(|it| it / self.share.map_or(1.0, Rate::value));
        let Some(share) = finite(share) else { return NOT_ASKED };
        let error = if error > 0.0 { format!(" ± {} (95%)", percent(1.96 * error, 3)) } else { String::new() };
        let text = format!(
            "Kelly fraction: {}{error} of the bankroll for all bets together{}, {}\n",
            percent(share, 3),
            self.of_share(),
            worth.how()
        );
        (share.into(), text)
    }

    /// Returns the expected log growth of the bankroll.
    fn growth_part(&self, worth: &Worth, mean: Option<(f64, f64)>) -> Part {
        let Some(bankroll) = self.bankroll else { return NOT_ASKED };
        // As for the Kelly fraction, a share is as a larger bankroll.
        let relative = bankroll as f64 / self.share.map_or(1.0, Rate::value);
        let (growth, error) = match worth.sampled.as_ref().zip(mean) {
            None => (worth.net.log_growth(relative), 0.0),
            Some((sampled, mean)) => sampled.log_growth(mean, relative),
        };
        let bankroll = chips(bankroll);
        let shown = if worth.sampled.is_none() { String::new() } else { format!(" ± {:.6} (95%)", 1.96 * error) };
        let text = match growth.is_finite() {
            true => format!(
                "log growth of {bankroll} chips{}: {growth:+.6}{shown} per round, {}\n",
                self.of_share(),
                worth.how()
            ),
            false => format!("log growth: a round can lose all {bankroll} chips; give a larger bankroll\n"),
        };
        (json!({ "mean": finite(growth), "standard_error": finite(error) }), text)
    }

    fn of_share(&self) -> &'static str {
        if self.share.is_some() { " with your share" } else { "" }
    }
}

fn scaled((low, high): (Ratio, Ratio), share: Rate) -> (Ratio, Ratio) {
    let share = Ratio::new(share.millionths().into(), Rate::WHOLE.into());
    (low * share, high * share)
}

fn range_json((low, high): (Ratio, Ratio)) -> Value {
    json!({ "low": low.to_json(), "high": high.to_json(), "exact": low == high })
}

fn range((low, high): (Ratio, Ratio)) -> String {
    match low == high {
        true => format!("{:+.4}", low.value()),
        false => format!("{:+.4} to {:+.4}", low.value(), high.value()),
    }
}

/// Returns `None` for infinity, which JSON can't represent.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// The number of standard errors from zero at which a sampled price is decisive. If the true price is zero, one sample
/// in 370 makes the wrong decision.
const ERRORS: f64 = 3.0;

#[derive(Clone, Copy, Debug, PartialEq)]
struct SampledPrice {
    price: f64,
    error: f64,
    deals: u64,
    seconds: f64,
}

impl SampledPrice {
    fn errors(&self) -> f64 {
        self.price.abs() / self.error
    }

    fn deals_to_decide(&self) -> f64 {
        (self.deals as f64 * (ERRORS / self.errors()).powi(2)).ceil()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Decision {
    /// By the bounds on the price. If true, banking has the higher EV.
    Bounds(bool),
    Sample(SampledPrice),
}

impl Decision {
    fn take(&self) -> Option<bool> {
        match self {
            Decision::Bounds(take) => Some(*take),
            Decision::Sample(sample) => (sample.errors() >= ERRORS).then_some(sample.price > 0.0),
        }
    }

    fn json(&self) -> Value {
        match self {
            Decision::Bounds(take) => json!({ "by": "bounds", "take": take }),
            Decision::Sample(sample) => json!({
                "by": "sample",
                "take": self.take(),
                "price": sample.price,
                "standard_error": sample.error,
                "deals_to_decide": finite(sample.deals_to_decide()),
            }),
        }
    }

    fn text(&self) -> String {
        let verdict = |take| if take { "bank" } else { "pass" };
        match self {
            Decision::Bounds(take) => verdict(*take).to_owned(),
            Decision::Sample(sample) => {
                let SampledPrice { price, error, deals, seconds } = *sample;
                let sampled = format!("{price:+.4} ± {:.4} chips (95%): ", 1.96 * error);
                let needed = sample.deals_to_decide();
                let cost = seconds * needed / deals as f64;
                sampled
                    + &match self.take() {
                        Some(take) => format!("{} ({:.1} standard errors)", verdict(take), sample.errors()),
                        None if needed.is_finite() => format!(
                            "undecided; to decide such a price takes about --deals {needed} ({} here)",
                            duration(cost)
                        ),
                        None => "undecided; the two are equal in this sample".to_owned(),
                    }
            }
        }
    }
}

/// Returns `true` if banking is certain to have the higher EV, `false` if it is certain not to, and `None` if the bounds
/// on the price of passing aren't decisive.
fn take_by_bounds((low, high): (Ratio, Ratio)) -> Option<bool> {
    if low > Ratio::ZERO { Some(true) } else { (high <= Ratio::ZERO).then_some(false) }
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6_000.0 => format!("{:.0} min", seconds / 60.0),
        ..200_000.0 => format!("{:.0} h", seconds / 3_600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}

const RESULTS: [&str; 3] = ["bank wins", "push", "bank loses"];

impl BankArgs {
    pub(super) fn with_hand(&self, hand: Hand, game: &Game, rules: &TableRules) -> CommandResult<Answer> {
        let stop = stop_flag_with(STOPPING)?;
        let seated = self.ways(&[], game, &stop)?;
        let bets = self.opponents(&seated)?;
        // A commission on the net win is treated as one on each bet.
        let (best, best_ev) = best_setting(game, hand, &bets, payoff(rules));
        let setting = if self.banker == OPTIMAL { best } else { seated[&self.banker].set(game, hand) };
        let held = HeldBank::evaluate(rules, game, (hand, setting), &bets, self.deals, self.seed);
        let (rules_hash, game_rules_hash) = (rules.hash(), game.rules().hash());

        let front = |setting: Setting| setting.front(hand).to_string();
        let set = |setting: Setting| json!({ "index": setting.index(), "front": front(setting), "back": setting.back(hand).to_string() });
        let counts = |counts: &[u64; 3]| counts.map(|count| count.to_string());
        let mut bets_json = vec![];
        let mut opponents = TextTable::new(["player's way", "bet"].into_iter().chain(RESULTS)).right_from(1);
        for (bet, results) in self.bets.iter().zip(&held.alone) {
            let [wins, pushes, losses] = counts(results);
            let bet_json =
                json!({ "way": bet.way, "bet": bet.chips, "wins": wins, "pushes": pushes, "losses": losses });
            bets_json.push(bet_json);
            let shares = results.map(|count| part(count, BANKER_HANDS, 4));
            opponents = opponents.row([bet.way.clone(), chips(bet.chips)].into_iter().chain(shares));
        }
        let net = held.net.results().map(|(result, weight)| {
            let (chance, error) = held.chance(|chips| chips == result);
            json!({ "chips": result, "weight": weight.to_string(), "chance": chance, "standard_error": error })
        });
        let sampled = (!held.is_exact).then(|| json!({ "deals": held.net.deals().to_string(), "seed": self.seed }));
        let (mean, deviation) = (held.mean, held.variance.value().sqrt());
        let json = json!({
            "hand": hand.to_string(),
            "banker": self.banker,
            "setting": set(setting),
            "best": set(best),
            "best_ev": best_ev.to_json(),
            "bets": bets_json,
            "joint": held.joint.map(|joint| joint.counts.map(|row| counts(&row))),
            "before_commission": { "ev": mean.to_json(), "deviation": deviation, "exact": true },
            "net": { "exact": held.is_exact, "sampled": sampled, "ev": held.net.ev().value(),
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
            .table(opponents)
            .text(format!("each opponent separately: exact, over {} hands", grouped(BANKER_HANDS)));
        let section = match held.joint {
            Some(joint) => {
                let mut table = TextTable::new(["first \\ second"].into_iter().chain(RESULTS)).right_from(1);
                for (name, row) in RESULTS.iter().zip(joint.counts) {
                    let cells = row.map(|count| part(count, joint.pairs(), 4));
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
                let deals = grouped(held.net.deals() as u64);
                format!("sampled, {deals} deals; with 95% confidence intervals")
            }
        };
        let mean = mean.value();
        let section = section.table(self.results_table(&held, rules)).lines(format!(
            "result of the round: {how}\n\
             before commission: EV {mean:+.4} chips, standard deviation {deviation:.4}; exact\n\
             rules of the table {}, of the game {}",
            rules.described(),
            game.rules().described()
        ));
        Ok(Answer::new(json, [section]))
    }

    fn results_table(&self, held: &HeldBank, rules: &TableRules) -> TextTable {
        let bets: Vec<Chips> = self.bets.iter().map(|bet| bet.chips).collect();
        let [least, most] = HeldBank::extremes(rules, &bets);
        let rows: [(&str, &dyn Fn(Chips) -> bool); 5] = [
            ("loses all bets", &|chips| chips == least),
            ("loses", &|chips| chips < 0),
            ("breaks even", &|chips| chips == 0),
            ("wins", &|chips| chips > 0),
            ("wins all bets", &|chips| chips == most),
        ];
        let mut table = TextTable::new(["the bank", "probability"]).right(1);
        for (name, inside) in rows {
            let limits = held.chance_interval(inside).map(|limits| limits.map(|limit| percent(limit, 4)));
            let limits = limits.map_or(String::new(), |[low, high]| format!(", {low} to {high}"));
            table = table.row([name, &format!("{}{limits}", percent(held.chance(inside).0, 4))]);
        }
        let ev = held.net.ev().value();
        let error = (held.net.variance() / held.net.deals() as f64).sqrt();
        let error = if held.is_exact { String::new() } else { format!(" ± {:.4}", 1.96 * error) };
        table.row(["EV, chips", &format!("{ev:+.4}{error}")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_decide_if_they_are_decisive_and_samples_name_their_cost() {
        for (low, high, take) in
            [(1, 5, Some(true)), (-5, 0, Some(false)), (-5, -1, Some(false)), (-5, 20, None), (0, 20, None)]
        {
            assert_eq!(take_by_bounds((Ratio::new(low, 10), Ratio::new(high, 10))), take);
        }
        let decide = |price, error| Decision::Sample(SampledPrice { price, error, deals: 10_000, seconds: 2.0 });
        let clear = decide(0.4, 0.1);
        assert_eq!(clear.text(), "+0.4000 ± 0.1960 chips (95%): bank (4.0 standard errors)");
        assert_eq!((clear.json()["take"].as_bool(), clear.json()["by"].as_str()), (Some(true), Some("sample")));
        assert_eq!(decide(-0.4, 0.1).json()["take"].as_bool(), Some(false));
        // A price that is a third of the required distance from zero takes nine times as many deals.
        let close = decide(0.1, 0.1);
        assert!(close.text().ends_with("undecided; to decide such a price takes about --deals 90000 (18 s here)"));
        assert_eq!((close.json()["take"].as_bool(), close.json()["deals_to_decide"].as_f64()), (None, Some(90_000.0)));
        assert!(decide(0.0, 0.1).text().contains("equal in this sample"));
        assert_eq!([3.0, 150.0, 7_200.0, 900_000.0].map(duration), ["3 s", "2 min", "2 h", "10 days"]);
    }
}
