//! Advice on a bank that is offered at a table, with the numbers of `houseway bank`.

use super::{BankArgs, Worth};
use clap::Parser;
use houseway_env::money::Chips;
use houseway_env::pai_gow::Game;
use houseway_env::pai_gow::house_way::Way;
use houseway_exact::format::percent;
use serde_json::Value;
use std::sync::atomic::AtomicBool;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    bank: BankArgs,
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
    let bank = BankArgs { is_quiet: true, ..Line::try_parse_from(line).map_err(|error| error.to_string())?.bank };
    let (game, rules) = bank.rules().map_err(|failure| failure.to_string())?;
    let worth = bank.worth(&Game::new(game), rules, cancel).map_err(|failure| failure.to_string())?;
    Ok((bank, worth))
}
