//! Logs of hands as dealers set them, with the results of the rounds if they are known.

use houseway_env::cards::CardSet;
use houseway_env::files;
use houseway_env::money::Chips;
use houseway_env::pai_gow::{Game, Hand, SetHand, Setting};
use houseway_exact::pai_gow::Side;
use serde::Deserialize;
use std::path::Path;

/// The maximum size of a log in bytes.
const MAX_LOG: u64 = 100_000_000;
/// The maximum number of hands in a log. `identify` remembers those that each of hundreds of candidates sets differently.
const MAX_HANDS: usize = 1_000_000;
const MAX_BET: Chips = 1_000_000_000;
const EXAMPLE: &str = "As Kd Jk 7c 7d 2h 3s | 7c 7d | banker | 25";
/// The winner of a round that neither side wins.
const PUSH: &str = "push";

/// A hand as a dealer set it, which may be a foul.
#[derive(Clone, Copy)]
pub(super) struct Observed {
    pub(super) line: usize,
    pub(super) hand: Hand,
    pub(super) setting: Setting,
    pub(super) made: SetHand,
    pub(super) round: Option<Round>,
}

/// A bet against a logged hand, and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Round {
    /// The side that wins, or `None` for a push.
    pub(super) winner: Option<Side>,
    pub(super) bet: Chips,
}

/// A line as it is written. Other keys of a line of JSON are ignored.
#[derive(Deserialize)]
struct Line {
    hand: String,
    front: String,
    winner: Option<String>,
    bet: Option<Chips>,
}

pub(super) fn read_log(path: &Path, game: &Game) -> Result<Vec<Observed>, String> {
    let text = files::read_text(path, MAX_LOG).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut observed = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let hand = parse_line(line, game).map_err(|error| format!("{}, line {number}: {error}", path.display()))?;
        if observed.len() == MAX_HANDS {
            return Err(format!("{}: more than {MAX_HANDS} hands; split the log", path.display()));
        }
        observed.push(Observed { line: number, ..hand });
    }
    match observed.is_empty() {
        true => Err(format!("{}: no hands; expected lines such as {EXAMPLE}", path.display())),
        false => Ok(observed),
    }
}

pub(super) fn parse_line(line: &str, game: &Game) -> Result<Observed, String> {
    let line = match line.trim_start().starts_with('{') {
        true => serde_json::from_str(line).map_err(|error| error.to_string())?,
        false => split(line)?,
    };
    let hand: Hand = line.hand.parse().map_err(|error| format!("{error}"))?;
    let front: CardSet = line.front.parse().map_err(|error| format!("{error}"))?;
    let setting = Setting::with_front(hand, front).ok_or_else(|| format!("{front} is not two cards of {hand}"))?;
    let made = game.set(hand, setting);
    let round = round(line.winner.as_deref(), line.bet)?;
    Ok(Observed { line: 1, hand, setting, made, round })
}

fn split(line: &str) -> Result<Line, String> {
    let mut columns = line.split('|').map(|column| column.trim().to_owned());
    let (Some(hand), Some(front)) = (columns.next(), columns.next()) else {
        return Err(format!("expected the hand and its front, separated by |, such as {EXAMPLE}"));
    };
    let winner = columns.next();
    let bet = columns.next().map(|bet| bet.parse().map_err(|_| format!("invalid bet '{bet}': {}", bets())));
    match columns.next() {
        Some(column) => Err(format!("'{column}' is after the last column; expected hand | front | winner | bet")),
        None => Ok(Line { hand, front, winner, bet: bet.transpose()? }),
    }
}

fn bets() -> String {
    format!("expected a whole number from 1 to {MAX_BET}, in cents if bets aren't whole")
}

fn round(winner: Option<&str>, bet: Option<Chips>) -> Result<Option<Round>, String> {
    let Some(winner) = winner.filter(|winner| !winner.is_empty()) else {
        return if bet.is_some() { Err("a bet needs a winner: player, banker or push".to_owned()) } else { Ok(None) };
    };
    let found = match winner.to_ascii_lowercase().as_str() {
        "player" => Some(Side::Player),
        "banker" | "dealer" | "house" => Some(Side::Banker),
        PUSH => None,
        _ => return Err(format!("invalid winner '{winner}': expected 'player', 'banker' or '{PUSH}'")),
    };
    let bet = bet.unwrap_or(1);
    match (1..=MAX_BET).contains(&bet) {
        true => Ok(Some(Round { winner: found, bet })),
        false => Err(format!("invalid bet '{bet}': {}", bets())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Rules;

    const LINE: &str = "As Kd Jk 7c 7d 2h 3s | 7c 7d";

    #[test]
    fn lines_that_are_no_set_hands_are_refused() {
        let game = Game::new(Rules::default());
        for (line, part) in [
            ("As Kd Jk 7c 7d 2h 3s", "separated by |"),
            ("As Kd Jk 7c 7d 2h | 7c 7d", "a hand has 7 cards"),
            ("As Kd Jk 7c 7d 2h 3s | 7c 8d", "is not two cards of"),
            ("{\"hand\": \"As Kd Jk 7c 7d 2h 3s\"}", "missing field `front`"),
            ("{\"hand\": \"As Kd Jk 7c 7d 2h 3s\", \"front\": \"7c 7d\", \"bet\": 5}", "a bet needs a winner"),
            (&format!("{LINE} | seat 2"), "invalid winner 'seat 2': expected 'player', 'banker' or 'push'"),
            (&format!("{LINE} | push | 2.5"), "invalid bet '2.5': expected a whole number from 1"),
            (&format!("{LINE} | push | 0"), "invalid bet '0'"),
            (&format!("{LINE} | push | 5 | 6"), "'6' is after the last column"),
        ] {
            let error = parse_line(line, &game).err().unwrap();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn text_and_json_say_the_same() {
        let game = Game::new(Rules::default());
        let json = "{\"hand\": \"As Kd Jk 7c 7d 2h 3s\", \"front\": \"7c 7d\", \"way\": \"x\"}";
        let parse = |line: &str| parse_line(line, &game).unwrap();
        assert_eq!(parse(json).made, parse("As Kd Jk 7c 7d 2h 3s | 7d 7c").made);
        assert_eq!(parse(LINE).round, None);
        let winner = |json: &str| format!("{{\"hand\": \"As Kd Jk 7c 7d 2h 3s\", \"front\": \"7c 7d\", {json}}}");
        let round = |winner, bet| Some(Round { winner, bet });
        for (line, expected) in [
            (format!("{LINE} | banker"), round(Some(Side::Banker), 1)),
            (winner("\"winner\": \"banker\""), round(Some(Side::Banker), 1)),
            (format!("{LINE} | Dealer"), round(Some(Side::Banker), 1)),
            (format!("{LINE}|player|25"), round(Some(Side::Player), 25)),
            (winner("\"winner\": \"player\", \"bet\": 25"), round(Some(Side::Player), 25)),
            (format!("{LINE} | push | 100"), round(None, 100)),
        ] {
            assert_eq!(parse(&line).round, expected, "{line}");
        }
    }
}
