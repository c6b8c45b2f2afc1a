//! The findings in words, for readers who do not program, and in short for the terminal.

use super::findings::{Case, Findings, Unplayable};
use super::findings::{
    banker_return, banking_needed, commission_needed, decided_return, free_return, is_rate, player_return,
};
use super::question::{Change, Owner};
use crate::report::{Report, Table, terminal};
use houseway_exact::Ratio;
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::matchup::DEALS;
use houseway_exact::pai_gow::matchup::PairTotals;
use std::path::Path;

/// The answer of one of the players of a case.
type Player = fn(&Case) -> &PairTotals;

/// Both players of a case, with what a reader calls them.
const PLAYERS: [(&str, Player); 2] = [("the house way", Case::house_way), ("the best play", Case::optimal)];

fn percent_of(ratio: Ratio) -> String {
    percent(ratio.value(), 4)
}

/// A difference of returns in percentage points.
fn points(ratio: Ratio) -> String {
    format!("{:+.6}", 100.0 * ratio.value())
}

impl Findings {
    fn stated_text(&self) -> String {
        format!("{}%", f64::from(self.stated.millionths()) / 1e4)
    }

    fn stated_ratio(&self) -> Ratio {
        Ratio::new(self.stated.millionths().into(), houseway_env::money::Rate::WHOLE.into())
    }

    /// What is true of the claim by the rules as given, in a sentence.
    fn verdict(&self) -> String {
        let [way, best] = PLAYERS.map(|(_, player)| player_return(player(self.as_given())));
        let stated = self.stated_ratio();
        let (verdict, than) = match (way >= stated, best >= stated) {
            (true, _) => ("Yes", "which is no less than stated"),
            (false, true) => ("Only with the best play", "between which the stated return lies"),
            (false, false) => ("No", "so that no way to play returns as much as stated"),
        };
        format!(
            "**{verdict}.** By the rules as they stand, {} comes back with the house way, and {} with the best play that there \
             is against it, {than}.",
            percent_of(way),
            percent_of(best)
        ) + &self.other_verdict()
    }

    /// Which single reading would turn the verdict for the best play.
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
            return " No other reading of a single rule changes that.".to_owned();
        }
        format!(
            " The best play would return as much only if the banker set by another reading of the house way or the rules: {}.",
            listed.join(", ")
        )
    }

    /// The report, as it is written into the run's folder.
    pub fn report(&self) -> Report {
        let [way, best] = PLAYERS.map(|(_, player)| percent_of(decided_return(player(self.as_given()))));
        let stated = self.stated_text();
        Report::new(format!("Does {stated} come back to the player?"))
            .text(format!(
                "The source of these rules says: \"This game has a Return to Player of {stated} based on good playing \
                 strategy.\" The return to player is what comes back, over all deals that there are, of every 100 units \
                 staked.",
            ))
            .text(self.verdict())
            .table(self.returns_table())
            .text(format!(
                "Player and banker are dealt from one deck, and the banker sets by the house way of {}. A push gives the stake \
                 back, so it counts as a bet of which all came back. Over the bets that are won or lost alone, {way} comes back \
                 with the house way and {best} with the best play. The side bet is left out: the source does not say what it pays.",
                self.title,
            ))
            .heading("Which commission would give the stated return")
            .text(self.commission_text())
            .table(self.commission_table())
            .heading("Whether another reading of the rules gives it")
            .text(self.readings_text())
            .table(self.readings_table())
            .heading("If players may bank")
            .text(self.banking_text())
            .heading("How this was counted")
            .text(format!(
                "Nothing here is simulated or estimated. Each row of these tables is a count of all {} deals; the shares are \
                 rounded when they are printed, the integers and fractions stand in [results.json](results.json). The first \
                 row can be counted again, in seconds, with:",
                grouped(DEALS),
            ))
            .code(format!(
                "houseway solve --player {way} --banker {way}\nhouseway solve --player optimal --banker {way}",
                way = self.way
            ))
            .text("For another row, add its reading: `--set joker-in-flush=ace`, or `--set way.NAME=OPTION` for one of the house way.")
    }

    fn returns_table(&self) -> Table {
        let mut table =
            Table::new(["the player sets by", "wins", "pushes", "losses", "comes back", "against the claim"]);
        for column in 1..=5 {
            table = table.right(column);
        }
        for (name, player) in PLAYERS {
            let answer = player(self.as_given());
            let share = |count: u64| percent(count as f64 / answer.counts.deals() as f64, 4);
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
            "The rules take {} of every won bet. With the same wins and losses, this commission would return the stated \
             {}. The best play here is the best for the commission of the rules; one that is adapted to another commission \
             returns no less there, so with the best play the commission may be at least this high.",
            percent(self.rules.commission.value(), 0),
            self.stated_text(),
        )
    }

    fn commission_table(&self) -> Table {
        let mut table =
            Table::new(["the player sets by", "commission needed", "as a fraction", "without any commission"]);
        table = table.right(1).right(3);
        for (name, player) in PLAYERS {
            let answer = player(self.as_given());
            let needed = commission_needed(answer, self.stated);
            let (commission, exact) = match is_rate(needed) {
                true => (percent_of(needed), format!("{needed:?}")),
                false => ("none does it".to_owned(), String::new()),
            };
            table = table.row([name, &commission, &exact, &percent_of(free_return(answer))]);
        }
        table
    }

    fn readings_text(&self) -> String {
        let stated = self.stated_ratio();
        let [way, best] = PLAYERS.map(|(_, player)| self.highest(player).0);
        let verdict = match (way >= stated, best >= stated) {
            (false, false) => "None of them gives the stated return",
            (false, true) => "Some give the stated return, with the best play only",
            (true, _) => "Some give the stated return",
        };
        let unplayable: Vec<String> = self.unplayable.iter().map(unplayable).collect();
        format!(
            "Where the text can be read in two ways, each row takes the other way, for both sides of the table; the last ones take several that bring the player more, by their letters. {verdict}: the \
             highest returns are {} with the house way and {} with the best play. The reading `side-bet-best` is not \
             here: it decides nothing between player and banker.{}",
            percent_of(way),
            percent_of(best),
            unplayable.concat(),
        )
    }

    fn readings_table(&self) -> Table {
        let header = ["read otherwise", "the house way", "points", "the best play", "points", "commission needed"];
        let mut table = Table::new(header);
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
            "The source gives the bank to the house. Where players may bank in turn, one who banks wins the copies: with the house \
             way on both sides and a commission of {commission} on every bet that the bank wins, {} comes back of each unit \
             that is staked against the bank.",
            percent_of(banker_return(answer))
        );
        match banking_needed(answer, self.stated).filter(|&share| is_rate(share)) {
            Some(share) => format!(
                "{text} Who banks {} of all that he has at stake, and plays the rest by the house way, has the stated {} come back.",
                percent(share.value(), 2),
                self.stated_text()
            ),
            None => text,
        }
    }

    /// What is read otherwise in a case: rows with one change have letters, by which the others call them.
    fn name(&self, case: &Case) -> String {
        let letter = |changes: &[Change]| {
            let singles = self.cases.iter().filter(|case| case.changes.len() == 1);
            let place = singles.map(|case| &case.changes[..]).position(|single| single == changes);
            place.map_or("?".to_owned(), |place| char::from(b'a' + (place % 26) as u8).to_string())
        };
        match &case.changes[..] {
            [] => "nothing: the rules as they stand".to_owned(),
            [_] => format!("{}: {}", letter(&case.changes), changes(&case.changes)),
            many => {
                let letters: Vec<String> = many.iter().map(|change| letter(std::slice::from_ref(change))).collect();
                format!("{} together", letters.join(", "))
            }
        }
    }

    /// The findings for a terminal.
    pub fn text(&self, folder: &Path) -> String {
        let [way, best] = PLAYERS.map(|(_, player)| player_return(player(self.as_given())));
        let mut table =
            Table::new(["readings", "house way", "best play", "commission needed"]).right(1).right(2).right(3);
        for case in &self.cases {
            let needed = PLAYERS.map(|(_, player)| commission_needed(player(case), self.stated));
            let needed =
                needed.map(|it| if is_rate(it) { percent(it.value(), 2) } else { "none".to_owned() }).join(", ");
            let [way, best] = PLAYERS.map(|(_, player)| percent_of(player_return(player(case))));
            table = table.row([self.name(case).as_str(), &way, &best, &needed]);
        }
        format!(
            "stated return {}: {} by the house way, {} by the best play\n\n{}{}\nThe report: {}\n",
            self.stated_text(),
            percent_of(way),
            percent_of(best),
            terminal(&table),
            self.unplayable
                .iter()
                .map(|it| format!("not counted: {}; {}\n", changes(&it.changes), it.reason))
                .collect::<String>(),
            folder.join("report.md").display()
        )
    }
}

/// Why a row is not there, as a sentence.
fn unplayable(Unplayable { changes: by, reason }: &Unplayable) -> String {
    // What follows is advice to whoever writes house ways.
    let reason = reason.split(';').next().unwrap_or(reason);
    format!(" `{}` has no row, since the house way cannot be followed under it: {reason}.", changes(by))
}

/// Changes as `--set` takes them.
fn changes(changes: &[Change]) -> String {
    let changes = changes.iter().map(|Change { of, reading, option }| match of {
        Owner::Game => format!("{reading}={option}"),
        Owner::HouseWay => format!("way.{reading}={option}"),
    });
    changes.collect::<Vec<_>>().join(", ")
}
