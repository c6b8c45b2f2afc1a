//! `houseway bank`: the exact EV of banking, over all hands or with a known hand, and advice with its numbers on a bank that is
//! offered at a table.

mod answer;

use super::runner::{OPTIMAL, with_progress};
use super::table_run::{SeatedWays, seat_way};
use crate::console::{CommandResult, Failure, OutputOptions, StoreOptions, ThreadOptions};
use crate::run::{notice, stop_flag_with};
use clap::Parser;
use houseway_env::money::{Chips, Rate};
use houseway_env::names;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::table::{HouseHand, MAX_SEATS, TableRules, UncoveredBets};
use houseway_env::pai_gow::{Dealt, Game, Hand, Rules};
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::format::percent;
use houseway_exact::net::NetResults;
use houseway_exact::pai_gow::BankerTable;
use houseway_exact::pai_gow::banking::{
    BankEv, BankedBet, MixedOptimum, OpponentBet, OutcomeWeights, SampledBank, SampledBet, bank_ev, player_ev,
    sample_bank, single_bet,
};
use houseway_exact::pai_gow::matchup::{SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{Payoff, Run};
use houseway_exact::solver::SolverError;
use serde_json::{Value, json};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Rules of the table that no value of a bank depends on.
const UNUSED: [&str; 7] =
    ["seats", "side-minimum", "side-maximum", "bank-minimum", "house-bet", "time-steps", "button-without-hand"];

/// The maximum bet with a known hand, chosen so that its square fits into an exact variance.
const MAX_BET_WITH_HAND: Chips = 1_000_000;

/// Evaluate banking against given bets: exact EV, price of passing, Kelly fractions, log growth
///
/// EVs are exact for any number of bets, except with a commission on the net win of several bets. In this case, the EV
/// has exact bounds and is sampled. If the bounds are not decisive, the sample decides, or the required number of deals
/// is shown. Log growth and Kelly fractions are exact against one opponent and sampled against several. With --hand,
/// shows the results with that hand against all opponents together, which are exact against one or two and sampled
/// against more.
#[derive(Parser)]
pub struct BankArgs {
    /// The bets against the bank, each with its player's way: the name or file of a house way, highest-front or
    /// lowest-front, a strategy table or a trained agent
    #[arg(required = true, value_name = "WAY:CHIPS")]
    bets: Vec<Bet>,
    /// The bank's way, or "optimal" for the best setting of each hand against all of these bets (30 seconds per way if
    /// there are several bets), which is shown next to the house's way
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT)]
    banker: String,
    /// The bank's seven cards, if known
    #[arg(long, value_name = "CARDS")]
    hand: Option<Hand>,
    /// The bank's stake, if it does not cover all bets; sampled if there are several bets, which are settled in their order
    /// from a random one on
    #[arg(long, value_name = "CHIPS", conflicts_with = "hand")]
    stake: Option<Chips>,
    /// The fraction of the bank's results that are yours if you share the bank with the house, such as 0.5
    #[arg(long, value_name = "FRACTION", conflicts_with = "hand")]
    share: Option<Rate>,
    /// The bet to make instead of banking, or 0 to sit out [default: the table minimum]
    #[arg(long, value_name = "CHIPS", conflicts_with = "hand")]
    own: Option<Chips>,
    /// The way to set this bet's hands
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT, conflicts_with = "hand")]
    way: String,
    /// The way of the house when it banks against this bet
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT, conflicts_with = "hand")]
    house: String,
    /// The bankroll to compute log growth and Kelly fractions for
    #[arg(long, value_name = "CHIPS", conflicts_with = "hand")]
    bankroll: Option<Chips>,
    /// The number of deals to sample where no exact value is available
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    deals: u64,
    /// The seed for the sample
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Set a rule or reading of the table or the game, such as commission-on-banker=per_bet
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    store: StoreOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
    /// `true` if no progress is shown, because a table is on the screen.
    #[arg(skip)]
    is_quiet: bool,
}

#[derive(Clone, Debug)]
struct Bet {
    way: String,
    chips: Chips,
}

impl FromStr for Bet {
    type Err = String;

    fn from_str(text: &str) -> Result<Bet, String> {
        let wrong = || format!("invalid bet '{text}': expected WAY:CHIPS, such as {}:100", Way::DEFAULT);
        let (way, bet) = text.rsplit_once(':').ok_or_else(wrong)?;
        let bet: Chips = bet.parse().map_err(|_| wrong())?;
        if way.is_empty() || bet < 1 { Err(wrong()) } else { Ok(Bet { way: way.to_owned(), chips: bet }) }
    }
}

struct Worth {
    rules: TableRules,
    game_rules: Rules,
    bets: Vec<BankedBet>,
    own: BankedBet,
    bank: BankEv,
    pass: Ratio,
    /// The EV of banking with the house's way, if the bank plays optimally.
    beside: Option<BankEv>,
    /// The bank's results in a round. They are exact against a single bet, and otherwise those of the sample.
    net: NetResults,
    sampled: Option<SampledBank>,
    /// The distributions with each reading of what happens to uncovered bets, unless the stake covers all bets.
    uncovered: Vec<(UncoveredBets, NetResults)>,
    seconds: f64,
}

impl BankArgs {
    pub fn run(self) -> CommandResult {
        self.threads.start()?;
        if self.bets.len() >= MAX_SEATS {
            let (given, most) = (self.bets.len(), MAX_SEATS - 1);
            return Err(Failure::usage(format!("{given} bets are too many: expected at most {most}")));
        }
        let all: Chips = self.bets.iter().map(|bet| bet.chips).sum();
        if let Some(stake) = self.stake.filter(|stake| !(1..=all).contains(stake)) {
            return Err(Failure::usage(format!("--stake {stake}: expected 1 to {all}, the sum of all bets")));
        }
        if self.deals == 0 || self.bankroll.is_some_and(|chips| chips < 1) || self.own.is_some_and(|chips| chips < 0) {
            return Err(Failure::usage("--deals and --bankroll must be at least 1, and --own at least 0"));
        }
        let (game, rules) = self.rules()?;
        check_uses(&rules)?;
        self.check_bets(&rules)?;
        if let Some(share) = self.share
            && let Some(bet) = self.bets.iter().find(|bet| part_of(bet.chips, share).is_none())
        {
            let message = "is not a whole number of chips, at least one; change the bet or the share";
            return Err(Failure::usage(format!("--share {share} of the bet {}:{} {message}", bet.way, bet.chips)));
        }
        let game = Game::new(game);
        if let Some(hand) = self.hand {
            if self.bets.iter().any(|bet| bet.chips > MAX_BET_WITH_HAND) {
                return Err(Failure::usage(format!("with --hand, bets must be at most {MAX_BET_WITH_HAND} chips")));
            }
            return self.output.show(&self.with_hand(hand, &game, &rules)?);
        }
        let stop = stop_flag_with("stopping: finished counts are kept (press again to stop immediately)")?;
        let worth = self.worth(&game, rules, &stop)?;
        self.output.show(&self.answer(&worth))
    }

    fn count<T>(&self, label: &str, stop: &AtomicBool, count: impl FnOnce(&Run<'_>) -> T) -> T {
        match self.is_quiet {
            true => count(&Run { cancel: Some(stop), ..Run::default() }),
            false => with_progress(label, stop, count),
        }
    }

    fn check_bets(&self, rules: &TableRules) -> CommandResult {
        let (least, most) = (rules.bet_minimum, rules.bet_maximum);
        let bets = self.bets.iter().map(|bet| (format!("the bet {}:{}", bet.way, bet.chips), bet.chips));
        let own = self.own.iter().filter(|&&chips| chips > 0).map(|&chips| (format!("--own {chips}"), chips));
        match bets.chain(own).find(|(_, chips)| !(least..=most).contains(chips)) {
            None => Ok(()),
            Some((name, chips)) => {
                let (what, key) = if chips < least { ("below", "minimum") } else { ("above", "maximum") };
                Err(Failure::usage(format!(
                    "{name} is {what} the table's limits of {least} to {most} chips; change the bet, or the limit with \
                     --set bet-{key}={chips}"
                )))
            }
        }
    }

    /// Returns the ways used by the bets, the bank and `more`.
    fn ways(&self, more: &[&String], game: &Game, stop: &AtomicBool) -> CommandResult<SeatedWays> {
        let banker = Some(&self.banker).filter(|banker| *banker != OPTIMAL);
        let mut names: Vec<&String> =
            self.bets.iter().map(|bet| &bet.way).chain(banker).chain(more.iter().copied()).collect();
        names.sort();
        let mut ways = SeatedWays::default();
        for name in names {
            self.count("setting all hands", stop, |run| seat_way(&mut ways, name, game, run))?;
        }
        Ok(ways)
    }

    fn opponents<'w>(&self, seated: &'w SeatedWays) -> CommandResult<Vec<OpponentBet<'w>>> {
        let opponent = |bet: &Bet| Ok(OpponentBet { bet: bet.chips, way: profiles(seated, &bet.way)? });
        self.bets.iter().map(opponent).collect()
    }

    fn rules(&self) -> CommandResult<(Rules, TableRules)> {
        let (mut game, mut table) = (Rules::default(), TableRules::default());
        let (of_table, of_game) = (TableRules::defaults(), Rules::defaults());
        for setting in &self.set {
            let key = setting.split('=').next().unwrap_or_default().trim();
            if of_table.contains_key(key) {
                table = table.with(setting).map_err(Failure::usage)?;
            } else if of_game.contains_key(key) || !setting.contains('=') {
                game = game.with(setting).map_err(Failure::usage)?;
            } else {
                let expected = names::expected(key, of_game.keys().chain(of_table.keys()).map(String::as_str));
                return Err(Failure::usage(format!("--set: unknown rule '{key}'; {expected}")));
            }
        }
        table.check().map_err(Failure::usage)?;
        if game.commission_bet != Rules::default().commission_bet {
            let reason = "--set commission-bet: a bank rounds the commission on its bets anyway; leave it out";
            return Err(Failure::usage(reason));
        }
        Ok((game, table))
    }

    fn worth(&self, game: &Game, rules: TableRules, stop: &AtomicBool) -> CommandResult<Worth> {
        let seated = self.ways(&[&self.way, &self.house], game, stop)?;
        let is_mixed = self.bets.len() > 1 && self.banker == OPTIMAL;
        let opponents = if is_mixed { self.opponents(&seated)? } else { vec![] };
        let payoff = payoff(&rules);
        let house = SideStrategy::from(&seated[&self.house]);
        let bank = match self.banker.as_str() {
            OPTIMAL => SideStrategy::Optimal,
            way => (&seated[way]).into(),
        };
        let against = |way: &String, bank: &SideStrategy| [(&seated[way]).into(), bank.clone()];
        let mut pairs = vec![against(&self.way, &house)];
        if !is_mixed {
            pairs.extend(self.bets.iter().map(|bet| against(&bet.way, &bank)));
        }
        if self.banker == OPTIMAL {
            pairs.extend(self.bets.iter().map(|bet| against(&bet.way, &house)));
        }
        let store = self.store.open()?;
        let found = self.count("counting", stop, |run| outcomes(&store, game, &pairs, [payoff; 2], run))?;
        let mut found = found.into_iter().map(OutcomeWeights::other_side);
        let own = BankedBet { bet: self.own.unwrap_or(rules.bet_minimum), counts: found.next().expect("one for each") };
        let optimum = match is_mixed {
            true => {
                notice("computing the best setting of every hand against these bets");
                let compute = |run: &Run<'_>| MixedOptimum::compute(OPTIMAL, game, &opponents, payoff, run);
                Some(self.count("counting", stop, compute).map_err(SolverError::from)?)
            }
            false => None,
        };
        let banked = |counts: &mut dyn Iterator<Item = OutcomeWeights>| -> Vec<BankedBet> {
            self.bets.iter().zip(counts).map(|(bet, counts)| BankedBet { bet: bet.chips, counts }).collect()
        };
        let bets = match &optimum {
            Some(optimum) => banked(&mut optimum.counts.iter().map(|&counts| counts.into())),
            None => banked(&mut found),
        };
        let beside = banked(&mut found);
        let game_rules = game.rules();
        let all: Chips = bets.iter().map(|bet| bet.bet).sum();
        let stake = self.stake.unwrap_or(all);
        let begun = Instant::now();
        let sample = |rules: &TableRules| {
            let banker = match &optimum {
                Some(optimum) => optimum.table.clone().into(),
                None => seated[&self.banker].clone(),
            };
            let set = |dealt: Dealt| banker.set_dealt(game, dealt);
            let opponent = |bet: &Bet| {
                let way = &seated[&bet.way];
                SampledBet { bet: bet.chips, set: Box::new(move |dealt| way.set_dealt(game, dealt)) }
            };
            let opponents: Vec<SampledBet<'_>> = self.bets.iter().map(opponent).collect();
            sample_bank(rules, game, &set, stake, &opponents, self.deals, self.seed)
        };
        let play = |rules: &TableRules| match bets[..] {
            [BankedBet { bet, counts }] => {
                let counts = counts.deals().expect("bets are set by pure strategies");
                (single_bet(rules, bet, stake, counts), None)
            }
            _ => {
                let sampled = sample(rules);
                (sampled.net.clone(), Some(sampled))
            }
        };
        let (net, sampled) = play(&rules);
        let seconds = begun.elapsed().as_secs_f64();
        let readings = if stake < all { &UncoveredBets::ALL[..] } else { &[] };
        let with_reading = |&uncovered_bets: &UncoveredBets| {
            let (net, _) = play(&TableRules { uncovered_bets, ..rules });
            (uncovered_bets, net)
        };
        let uncovered = readings.iter().map(with_reading).collect();
        Ok(Worth {
            bank: bank_ev(&rules, &bets),
            pass: player_ev(&game_rules, &own),
            beside: (!beside.is_empty()).then(|| bank_ev(&rules, &beside)),
            rules,
            bets,
            own,
            net,
            sampled,
            game_rules,
            seconds,
            uncovered,
        })
    }
}

/// Refuses rules that would be in the answer without any effect on it.
fn check_uses(rules: &TableRules) -> CommandResult {
    if rules.house_hand_when_player_banks != HouseHand::NotDealt {
        let bet = format!("{}:{}", Way::DEFAULT, rules.house_bet);
        let remedy = format!("leave it out, and add the house's bet as one more, such as {bet}");
        return Err(Failure::usage(format!("--set house-hand-when-player-banks: {remedy}")));
    }
    let (given, defaults) = (json!(rules), TableRules::defaults());
    match UNUSED.into_iter().find(|&key| given[key] != defaults[key]) {
        Some(key) => {
            Err(Failure::usage(format!("--set {key}: the value of a bank doesn't depend on it; leave it out")))
        }
        None => Ok(()),
    }
}

/// Returns a share of a bet if it is a positive whole number of chips.
fn part_of(bet: Chips, share: Rate) -> Option<Chips> {
    let (part, whole) = (bet * Chips::from(share.millionths()), Chips::from(Rate::WHOLE));
    (part > 0 && part % whole == 0).then_some(part / whole)
}

fn profiles<'w>(seated: &'w SeatedWays, way: &str) -> CommandResult<&'w BankerTable> {
    seated[way].profiles().ok_or_else(|| {
        Failure::usage(format!(
            "{way} is not a house way: --hand, and --banker optimal with several bets, only support house ways"
        ))
    })
}

/// Returns the payoff to choose settings by. A commission on the net win is treated as a commission on each bet, which
/// makes no difference for a single bet.
fn payoff(rules: &TableRules) -> Payoff {
    Payoff::with_commission(rules.commission_on_one_bet())
}

/// Returns the EVs of taking an offered bank and of passing it, and the Kelly fraction, in sentences. The offer has the
/// other seats' `bets` with their `way` and `bet`, the player's `own` bet, the `bankroll`, and the changed rules as `set`.
pub fn advice(offer: &Value, cancel: &AtomicBool) -> Result<Vec<String>, String> {
    let list = |key: &str| offer[key].as_array().map_or(&[][..], Vec::as_slice);
    let mut options = Vec::new();
    if offer["own"].as_i64() > Some(0) {
        options.extend(["--own".to_owned(), offer["own"].to_string()]);
    }
    for rule in list("set").iter().filter_map(Value::as_str) {
        options.extend(["--set".to_owned(), rule.to_owned()]);
    }
    let mut bets = Vec::new();
    for bet in list("bets") {
        let way = bet["way"].as_str().unwrap_or_default();
        if !Way::is_built_in(way) {
            return Err(format!("there is no advice on the bank, because the house way of {way} isn't built in"));
        }
        bets.push(format!("{way}:{}", bet["bet"]));
    }
    // Passes are kept when they are finished. One at a time, they aren't lost if the player leaves before the last one.
    for bet in &bets {
        worth(std::slice::from_ref(bet), &options, cancel)?;
    }
    let (bank, worth) = worth(&bets, &options, cancel)?;
    let json = bank.answer(&worth).json;

    // Without exact bounds that are equal, the sample is the better number.
    let ev = worth.bank.exact().map(|ev| ev.value()).or_else(|| json["sampled"]["ev"].as_f64());
    let best = match json["decision"]["take"].as_bool() {
        Some(true) => "best: BANK",
        Some(false) => "best: PASS",
        None => "too close to decide",
    };
    let all: Chips = worth.bets.iter().map(|bet| bet.bet).sum();
    let (ev, pass) = (ev.unwrap_or_default(), worth.pass.value());
    let mut lines = vec![format!("BANK: EV {ev:+.2}, against bets of {all} in all; PASS: EV {pass:+.2}; {best}")];
    if let Some((kelly, bankroll)) = json["kelly_share"].as_f64().zip(offer["bankroll"].as_f64()) {
        let share = percent(all as f64 / bankroll, 1);
        lines.push(format!(
            "Kelly fraction: {} of the bankroll for these bets; they are {share} of yours",
            percent(kelly, 1)
        ));
    }
    lines.push(format!("These EVs are for hands set by {}, with every bet covered", bank.banker));
    Ok(lines)
}

fn worth(bets: &[String], options: &[String], cancel: &AtomicBool) -> Result<(BankArgs, Worth), String> {
    let line = ["bank".to_owned()].iter().chain(bets).chain(options).cloned().collect::<Vec<_>>();
    let bank = BankArgs { is_quiet: true, ..BankArgs::try_parse_from(line).map_err(|error| error.to_string())? };
    let (game, rules) = bank.rules().map_err(|failure| failure.to_string())?;
    let worth = bank.worth(&Game::new(game), rules, cancel).map_err(|failure| failure.to_string())?;
    Ok((bank, worth))
}
