//! `houseway bank`: what the bank of a table is worth, exactly.

use super::{DEFAULT_WAY, Failure, OrUsage, Outcome, OutputOptions, ThreadOptions, print, print_json};
use crate::report::Table as TextTable;
use crate::run::stop_flag_with;
use crate::table::{CACHE, SeatedWays, TableWay, with_book};
use clap::Args;
use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::table::{Chips, MOST_SEATS, TableRules, chips};
use houseway_env::pai_gow::{Game, Rules};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::banking::{
    Bank as Banker, BankEv, BankedBet, Distribution, OpponentBet, SampledBank, bank_ev, kelly, player_ev,
    price_of_passing, sample_bank, single_bet,
};
use houseway_exact::pai_gow::whole::Payoff;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::str::FromStr;

/// What it is worth to take the bank against these bets: exact EV, the price of passing, Kelly shares, log growth
///
/// EVs are exact for any number of bets, but for a commission on the net win of several, which is enclosed exactly and sampled.
/// Log growth and the Kelly share are exact against one opponent and sampled against several.
#[derive(Args)]
pub(super) struct Bank {
    /// The bets against the bank, each with the way of its player: a house way by name or file, highest-front or lowest-front
    #[arg(required = true, value_name = "WAY:CHIPS")]
    bets: Vec<Bet>,
    /// How the bank sets
    #[arg(long, value_name = "WAY", default_value = DEFAULT_WAY)]
    banker: String,
    /// The own bet that is played if the bank is passed; the lowest of the table by default
    #[arg(long, value_name = "CHIPS")]
    own: Option<Chips>,
    /// How the own bet is set
    #[arg(long, value_name = "WAY", default_value = DEFAULT_WAY)]
    way: String,
    /// How the bank sets that the own bet is played against
    #[arg(long, value_name = "WAY", default_value = DEFAULT_WAY)]
    house: String,
    /// Chips to which log growth and Kelly sizes are to be referred
    #[arg(long, value_name = "CHIPS")]
    bankroll: Option<Chips>,
    /// Deals that are sampled where nothing is exact
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    deals: u64,
    /// The seed of the sample
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// A rule or reading of the table or the game, like commission-on-banker=per_bet
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Where counts of all deals are kept
    #[arg(long, value_name = "DIR", default_value = CACHE)]
    counts: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// A bet with the way of its player.
#[derive(Clone, Debug)]
struct Bet {
    way: String,
    chips: Chips,
}

impl FromStr for Bet {
    type Err = String;

    fn from_str(text: &str) -> Result<Bet, String> {
        let wrong = || format!("'{text}' is no bet; write WAY:CHIPS, like {DEFAULT_WAY}:100");
        let (way, bet) = text.rsplit_once(':').ok_or_else(wrong)?;
        let bet: Chips = bet.parse().map_err(|_| wrong())?;
        if way.is_empty() || bet < 1 { Err(wrong()) } else { Ok(Bet { way: way.to_owned(), chips: bet }) }
    }
}

/// All that was found.
struct Worth {
    rules: TableRules,
    bets: Vec<BankedBet>,
    own: BankedBet,
    bank: BankEv,
    pass: Ratio,
    price: (Ratio, Ratio),
    /// What can come of the bank in a round, if it is exact.
    single: Option<Distribution>,
    /// The same by sample, if it is not.
    sampled: Option<SampledBank>,
}

impl Bank {
    pub(super) fn run(self) -> Outcome {
        self.threads.start()?;
        if self.bets.len() >= MOST_SEATS {
            let (given, most) = (self.bets.len(), MOST_SEATS - 1);
            return Err(Failure::usage(format!("{given} bets: one deck deals to a bank and {most} opponents at most")));
        }
        if self.deals == 0 || self.bankroll.is_some_and(|chips| chips < 1) || self.own.is_some_and(|chips| chips < 1) {
            return Err(Failure::usage("--deals, --bankroll and --own are 1 or more"));
        }
        let (game, rules) = self.rules()?;
        let worth = self.worth(&Game::new(game), rules)?;
        if self.output.json { print_json(&self.json(&worth)) } else { print(&self.text(&worth)) }
    }

    fn rules(&self) -> Outcome<(Rules, TableRules)> {
        let (mut game, mut table) = (Rules::default(), TableRules::default());
        let of_table = TableRules::defaults();
        for setting in &self.set {
            let key = setting.split('=').next().unwrap_or_default().trim();
            match of_table.contains_key(key) {
                true => table = table.with(setting).or_usage()?,
                false => game = game.with(setting).or_usage()?,
            }
        }
        table.check().or_usage()?;
        Ok((game, table))
    }

    fn worth(&self, game: &Game, rules: TableRules) -> Outcome<Worth> {
        let names = self.bets.iter().map(|bet| &bet.way).chain([&self.banker, &self.way, &self.house]);
        let ways: Vec<TableWay> = names.map(|name| TableWay::load(name, game).or_usage()).collect::<Outcome<_>>()?;
        let seated = SeatedWays::of(&ways);
        let stop = stop_flag_with("stopping: what is counted so far is kept (once more stops at once)")?;
        let counted = with_book(&self.counts, game, &stop, |book, run| {
            let banker = seated.get(&self.banker);
            let bets: Option<Vec<BankedBet>> = self
                .bets
                .iter()
                .map(|bet| {
                    let counts = book.counts(Banker::Way(banker), seated.get(&bet.way), run).ok()?;
                    Some(BankedBet { bet: bet.chips, counts })
                })
                .collect();
            let own = book.counts(Banker::Way(seated.get(&self.house)), seated.get(&self.way), run).ok()?;
            Some((bets?, BankedBet { bet: self.own.unwrap_or(rules.bet_minimum), counts: own }))
        });
        let (bets, own) = counted?.ok_or_else(|| Failure::work("stopped before its end"))?;
        let commission = game.rules().commission;
        let stake: Chips = bets.iter().map(|bet| bet.bet).sum();
        let single = (bets.len() == 1).then(|| single_bet(&rules, stake, stake, &bets[0].counts));
        let sampled = single.is_none().then(|| {
            let opponents: Vec<OpponentBet<'_>> =
                self.bets.iter().map(|bet| OpponentBet { bet: bet.chips, way: &seated.get(&bet.way).table }).collect();
            let (banker, profiles) = (&seated.get(&self.banker).table, Profiles::get());
            let set = |dealt: houseway_env::pai_gow::Dealt| banker.set(dealt.profile(profiles));
            sample_bank(&rules, game, &set, stake, &opponents, self.deals, self.seed)
        });
        Ok(Worth {
            bank: bank_ev(&rules, &bets),
            pass: player_ev(commission, &own),
            price: price_of_passing(&rules, commission, &bets, &own),
            rules,
            bets,
            own,
            single,
            sampled,
        })
    }

    /// Log growth with its standard error, if a bankroll is given.
    fn growth(&self, worth: &Worth) -> Option<(f64, f64)> {
        let bankroll = self.bankroll?;
        match (&worth.single, &worth.sampled) {
            (Some(single), _) => Some((single.log_growth(bankroll), 0.0)),
            (None, Some(sampled)) => Some(sampled.log_growth(bankroll)),
            (None, None) => None,
        }
    }

    fn json(&self, worth: &Worth) -> Value {
        let bank_payoff = Payoff::player(worth.rules.bank_commission);
        let ratio = |value: Ratio| {
            json!({ "numerator": value.numerator().to_string(), "denominator": value.denominator().to_string(),
                    "value": value.value() })
        };
        let range =
            |(low, high): (Ratio, Ratio)| json!({ "low": ratio(low), "high": ratio(high), "exact": low == high });
        let bets = self.bets.iter().zip(&worth.bets).map(|(bet, counted)| {
            json!({
                "way": bet.way,
                "bet": bet.chips,
                "wins": counted.counts.wins.to_string(),
                "pushes": counted.counts.pushes.to_string(),
                "losses": counted.counts.losses.to_string(),
                "kelly": ratio(kelly(&counted.counts, bank_payoff)),
            })
        });
        let sampled = worth.sampled.as_ref().map(|sample| {
            let (ev, error) = sample.mean_by(&worth.bank);
            json!({ "deals": sample.deals().to_string(), "seed": self.seed, "ev": ev, "standard_error": error })
        });
        let growth =
            self.growth(worth).map(|(mean, error)| json!({ "mean": finite(mean), "standard_error": finite(error) }));
        json!({
            "banker": self.banker,
            "bets": bets.collect::<Vec<_>>(),
            "ev": range(worth.bank.bounds()),
            "ev_before_commission": ratio(worth.bank.gross),
            "sampled": sampled,
            "pass": { "bet": worth.own.bet, "way": self.way, "banker": self.house, "ev": ratio(worth.pass) },
            "price_of_passing": range(worth.price),
            "take": self.take(worth),
            "bankroll": self.bankroll,
            "log_growth": growth,
            "kelly_share": self.kelly_share(worth).filter(|share| share.is_finite()),
            "rules_hash": worth.rules.hash(),
        })
    }

    /// Whether the bank is worth more; nothing if the bounds do not say.
    fn take(&self, worth: &Worth) -> Option<bool> {
        let (low, high) = worth.price;
        if low > Ratio::ZERO {
            Some(true)
        } else if high <= Ratio::ZERO {
            Some(false)
        } else {
            None
        }
    }

    /// The share of a bankroll that all bets together should be for the greatest log growth of a bank like this.
    fn kelly_share(&self, worth: &Worth) -> Option<f64> {
        // Of so large a bankroll the size has no rounding.
        let stake: Chips = worth.bets.iter().map(|bet| bet.bet).sum();
        let distribution = worth.single.as_ref().or(worth.sampled.as_ref().map(|sampled| &sampled.net))?;
        Some(distribution.kelly_size(stake))
    }

    fn text(&self, worth: &Worth) -> String {
        let mut table = TextTable::new(["player's way", "bet", "bank wins", "push", "loses", "Kelly"]);
        table = (1..6).fold(table, TextTable::right);
        for (bet, counted) in self.bets.iter().zip(&worth.bets) {
            let deals = counted.counts.deals() as f64;
            let share = |count: u64| format!("{:.4}%", 100.0 * count as f64 / deals);
            let counts = counted.counts;
            let kelly = kelly(&counts, Payoff::player(worth.rules.bank_commission)).value();
            let cells = [
                bet.way.clone(),
                chips(bet.chips),
                share(counts.wins),
                share(counts.pushes),
                share(counts.losses),
                format!("{:.3}%", 100.0 * kelly),
            ];
            table = table.row(cells.iter().map(String::as_str));
        }
        let range = |(low, high): (Ratio, Ratio)| match low == high {
            true => format!("{:+.4}", low.value()),
            false => format!("{:+.4} to {:+.4}", low.value(), high.value()),
        };
        let mut text = table.terminal();
        text += &format!("\nbank by {}, all bets covered: EV {} chips", self.banker, range(worth.bank.bounds()));
        if let Some(sampled) = worth.sampled.as_ref().filter(|_| worth.bank.exact().is_none()) {
            let (ev, error) = sampled.mean_by(&worth.bank);
            text += &format!("; {ev:+.4} ± {:.4} by {} deals", 1.96 * error, sampled.deals());
        }
        let own = worth.own.bet;
        text += &format!(
            "\npass, {} by {} against {}: EV {:+.4} chips",
            chips(own),
            self.way,
            self.house,
            worth.pass.value()
        );
        let verdict = match self.take(worth) {
            Some(true) => "take the bank",
            Some(false) => "pass",
            None => "the bounds do not say",
        };
        text += &format!("\nprice of passing: {} chips: {verdict}\n", range(worth.price));
        if let Some(share) = self.kelly_share(worth).filter(|share| share.is_finite()) {
            text += &format!("Kelly: all bets together {:.3}% of the bankroll\n", 100.0 * share);
        }
        if let Some((mean, error)) = self.growth(worth) {
            let bankroll = chips(self.bankroll.unwrap_or_default());
            text += &format!("log growth of {bankroll} chips: {mean:+.6} ± {:.6} a round\n", 1.96 * error);
        }
        text
    }
}

/// JSON knows no infinity.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}
