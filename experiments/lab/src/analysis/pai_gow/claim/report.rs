//! Writes the report on a claim test, which is meant for readers who don't program, and a summary for the terminal.

use super::findings::{Case, ClaimFindings, Unplayable};
use super::findings::{
    banker_return, banking_needed, commission_needed, decided_return, free_return, is_rate, player_return,
};
use super::question::{Change, Owner};
use crate::report::{Report, TextTable, terminal, wrapped_lines};
use houseway_exact::Ratio;
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::DEALS;
use houseway_exact::pai_gow::matchup::PairTotals;
use std::path::Path;

/// A function that selects one of a case's player strategies.
type Player = fn(&Case) -> &PairTotals;

/// Both player strategies, with the names used in reports.
const PLAYERS: [(&str, Player); 2] = [("the house way", Case::house_way), ("optimal play", Case::optimal)];

fn percent_of(ratio: Ratio) -> String {
    percent(ratio.value(), 4)
}

/// Formats a difference between returns in percentage points.
fn points(ratio: Ratio) -> String {
    format!("{:+.6}", 100.0 * ratio.value())
}

impl ClaimFindings {
    fn stated_text(&self) -> String {
        format!("{}%", f64::from(self.stated.millionths()) / 1e4)
    }

    fn stated_ratio(&self) -> Ratio {
        Ratio::new(self.stated.millionths().into(), houseway_env::money::Rate::WHOLE.into())
    }

    /// Summarizes the claim under the rules as given.
    fn verdict(&self) -> String {
        let [way, best] = PLAYERS.map(|(_, player)| player_return(player(self.as_given())));
        let stated = self.stated_ratio();
        let (verdict, than) = match (way >= stated, best >= stated) {
            (true, _) => ("Yes", "which is no less than stated"),
            (false, true) => ("Only with optimal play", "between which the stated return lies"),
            (false, false) => ("No", "so no strategy gives the stated return"),
        };
        format!(
            "**{verdict}.** Under the rules as given, the return is {} with the house way and {} with optimal play \
             against it, {than}.",
            percent_of(way),
            percent_of(best)
        ) + &self.other_verdict()
    }

    /// Lists the single readings that would make the claim true for optimal play.
    fn other_verdict(&self) -> String {
        let stated = self.stated_ratio();
        let best = |case: &Case| player_return(&case.optimal);
        if best(self.as_given()) >= stated {
            return String::new();
        }
        let singles = self.cases.iter().filter(|case| case.changes.len() == 1 && best(case) >= stated);
        let listed: Vec<String> =
            singles.map(|case| format!("`{}` ({})", changes(&case.changes), percent_of(best(case)))).collect();
        if listed.is_empty() {
            return " No other reading of a single rule changes this.".to_owned();
        }
        format!(
            " Optimal play would give the stated return only under another reading of the house way or the rules: {}.",
            listed.join(", ")
        )
    }

    /// Returns the report to write to the run's folder.
    pub fn report(&self) -> Report {
        let [way, best] = PLAYERS.map(|(_, player)| percent_of(decided_return(player(self.as_given()))));
        let stated = self.stated_text();
        Report::new(format!("Is the return to player {stated}?"))
            .text(format!(
                "The source of these rules says: \"This game has a Return to Player of {stated} based on good playing \
                 strategy.\" The return to player is the average amount returned per 100 units staked, over all \
                 deals.",
            ))
            .text(self.verdict())
            .table(self.returns_table())
            .text(format!(
                "Player and banker are dealt from one deck, and the banker plays the house way of {}. A push returns \
                 the stake, so it counts as a return of 100%. Over decided bets only, the return is {way} with the \
                 house way and {best} with optimal play. The side bet is not included, as the source does not state \
                 its payouts.",
                self.title,
            ))
            .heading("Commission for the stated return")
            .text(self.commission_text())
            .table(self.commission_table())
            .heading("Other readings of the rules")
            .text(self.readings_text())
            .table(self.readings_table())
            .heading("Player banking")
            .text(self.banking_text())
            .heading("Method")
            .text(format!(
                "Nothing is simulated or estimated. Each row of these tables is computed over all {} deals. Printed \
                 percentages are rounded; exact integers and fractions are in [results.json](results.json). To \
                 recompute the first row in seconds:",
                grouped(DEALS),
            ))
            .code(format!(
                "houseway solve --player {way} --banker {way}\nhouseway solve --player optimal --banker {way}",
                way = self.way
            ))
            .text(
                "For another row, add its reading: `--set joker-in-flush=ace`, or `--set way.NAME=OPTION` for a \
             reading of the house way.",
            )
    }

    fn returns_table(&self) -> TextTable {
        let mut table = TextTable::new(["strategy", "wins", "pushes", "losses", "return", "difference to the claim"]);
        for column in 1..=5 {
            table = table.right(column);
        }
        for (name, player) in PLAYERS {
            let answer = player(self.as_given());
            let share = |count: u128| percent(count as f64 / answer.counts.all() as f64, 4);
            let back = player_return(answer);
            table = table.row([
                name,
                &share(answer.counts.wins),
                &share(answer.counts.pushes),
                &share(answer.counts.losses),
                &percent_of(back),
                &points(back - self.stated_ratio()),
            ]);
        }
        table
    }

    fn commission_text(&self) -> String {
        format!(
            "The commission of the rules is {} of every bet won. With the same wins and losses, the following \
             commission would give the stated {}. Optimal play refers to the commission of the rules; play adapted to \
             another commission would return at least as much, so the commission for optimal play is a lower bound.",
            percent(self.rules.commission.value(), 0),
            self.stated_text(),
        )
    }

    fn commission_table(&self) -> TextTable {
        let mut table =
            TextTable::new(["strategy", "commission required", "as a fraction", "return without commission"]);
        table = table.right(1).right(3);
        for (name, player) in PLAYERS {
            let answer = player(self.as_given());
            let needed = commission_needed(answer, self.stated);
            let (commission, exact) = match is_rate(needed) {
                true => (percent_of(needed), format!("{needed:?}")),
                false => ("none".to_owned(), String::new()),
            };
            table = table.row([name, &commission, &exact, &percent_of(free_return(answer))]);
        }
        table
    }

    fn readings_text(&self) -> String {
        let stated = self.stated_ratio();
        let [way, best] = PLAYERS.map(|(_, player)| self.highest(player).0);
        let verdict = match (way >= stated, best >= stated) {
            (false, false) => "None gives the stated return",
            (false, true) => "Some give the stated return, but only with optimal play",
            (true, _) => "Some give the stated return",
        };
        let unplayable: Vec<String> = self.unplayable.iter().map(unplayable).collect();
        format!(
            "Where the text is ambiguous, each row uses another reading, for both sides of the table; the last rows \
             combine several that favor the player, referred to by letters. {verdict}: the highest returns are {} \
             with the house way and {} with optimal play. The reading `side-bet-best` is omitted because it affects \
             only the side bet.{}",
            percent_of(way),
            percent_of(best),
            unplayable.concat(),
        )
    }

    fn readings_table(&self) -> TextTable {
        let header = ["reading", "the house way", "points", "optimal play", "points", "commission required"];
        let mut table = TextTable::new(header);
        for column in 1..=5 {
            table = table.right(column);
        }
        for case in &self.cases {
            let mut cells = vec![self.name(case)];
            for (_, player) in PLAYERS {
                let back = player_return(player(case));
                cells.extend([percent_of(back), points(back - player_return(player(self.as_given())))]);
            }
            let needed = PLAYERS.map(|(_, player)| commission_needed(player(case), self.stated));
            cells
                .push(needed.map(|it| if is_rate(it) { percent(it.value(), 2) } else { "none".to_owned() }).join(", "));
            table = table.row(cells.iter().map(String::as_str));
        }
        table
    }

    fn banking_text(&self) -> String {
        let answer = &self.as_given().house_way;
        let commission = percent(self.rules.commission.value(), 0);
        let text = format!(
            "In the source, the house banks. Where players may bank in turn, a banking player wins copies: with the \
             house way on both sides and a commission of {commission} on every bet that the bank wins, the return is \
             {} per unit staked against the bank.",
            percent_of(banker_return(answer))
        );
        match banking_needed(answer, self.stated).filter(|&share| is_rate(share)) {
            Some(share) => format!(
                "{text} A player who banks {} of all stakes, and plays the rest with the house way, has the stated \
                 return of {}.",
                percent(share.value(), 2),
                self.stated_text()
            ),
            None => text,
        }
    }

    /// Returns a case's name. Rows with a single change have letters, which the other rows refer to.
    fn name(&self, case: &Case) -> String {
        let letter = |changes: &[Change]| {
            let singles = self.cases.iter().filter(|case| case.changes.len() == 1);
            let place = singles.map(|case| &case.changes[..]).position(|single| single == changes);
            place.map_or("?".to_owned(), |place| char::from(b'a' + (place % 26) as u8).to_string())
        };
        match &case.changes[..] {
            [] => "none: the rules as given".to_owned(),
            [_] => format!("{}: {}", letter(&case.changes), changes(&case.changes)),
            many => {
                let letters: Vec<String> = many.iter().map(|change| letter(std::slice::from_ref(change))).collect();
                format!("{} together", letters.join(", "))
            }
        }
    }

    /// Formats the findings for the terminal.
    pub fn text(&self, folder: &Path) -> String {
        let [way, best] = PLAYERS.map(|(_, player)| player_return(player(self.as_given())));
        let mut table =
            TextTable::new(["readings", "house way", "optimal play", "commission required"]).right(1).right(2).right(3);
        for case in &self.cases {
            let needed = PLAYERS.map(|(_, player)| commission_needed(player(case), self.stated));
            let needed =
                needed.map(|it| if is_rate(it) { percent(it.value(), 2) } else { "none".to_owned() }).join(", ");
            let [way, best] = PLAYERS.map(|(_, player)| percent_of(player_return(player(case))));
            table = table.row([self.name(case).as_str(), &way, &best, &needed]);
        }
        format!(
            "stated return {}: {} with the house way, {} with optimal play\nhouse way {} on both sides, rules {}\n\n{}{}\nThe \
             report: {}\n",
            self.stated_text(),
            percent_of(way),
            percent_of(best),
            self.way,
            self.rules.hash(),
            terminal(&table),
            self.unplayable
                .iter()
                .map(|it| wrapped_lines(&format!("not possible: {}; {}", changes(&it.changes), it.reason)))
                .collect::<String>(),
            folder.join("report.md").display()
        )
    }
}

/// Explains why a case is missing.
fn unplayable(Unplayable { changes: by, reason }: &Unplayable) -> String {
    // Omit the part after the semicolon, which is advice for house-way authors.
    let reason = reason.split(';').next().unwrap_or(reason);
    format!(" `{}` has no row because the house way is invalid under it: {reason}.", changes(by))
}

/// Formats changes as `--set` options.
fn changes(changes: &[Change]) -> String {
    let changes = changes.iter().map(|Change { of, reading, option }| match of {
        Owner::Game => format!("{reading}={option}"),
        Owner::HouseWay => format!("way.{reading}={option}"),
    });
    changes.collect::<Vec<_>>().join(", ")
}
