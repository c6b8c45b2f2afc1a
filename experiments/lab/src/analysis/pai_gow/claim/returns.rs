//! The consequences of the outcome counts for the claim, in exact arithmetic, and the answer.

use super::{Case, Change, Claim, Owner, STATED_RETURN, Unplayable};
use crate::analysis::pai_gow::runner::settings;
use crate::analysis::pai_gow::units::outcome_shares;
use crate::report::TextTable;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Copies;
use houseway_env::rules::RuleSet;
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent, rate_text, unsigned_zero};
use houseway_exact::pai_gow::DEALS;
use houseway_exact::pai_gow::matchup::PairTotals;
use houseway_exact::pai_gow::whole::{OutcomeWeights, Payoff};
use serde_json::{Value, json};

/// One, in millionths.
const WHOLE: i128 = Rate::WHOLE as i128;

pub(super) const PLAYERS: [&str; 2] = ["the house way", "optimal play"];

fn integers(answer: &PairTotals) -> [i128; 3] {
    [answer.counts.wins, answer.counts.losses, answer.counts.all()].map(|count| count as i128)
}

/// Returns the return per unit staked. A push counts as a full return.
fn player_return(answer: &PairTotals) -> Ratio {
    Ratio::new(1, 1) + answer.ev()
}

/// Returns the return per unit staked on bets that don't push.
fn decided_return(answer: &PairTotals) -> Ratio {
    let decided = OutcomeWeights { pushes: 0, ..answer.counts };
    Ratio::new(1, 1) + decided.ev(answer.question.payoff())
}

/// Returns the return per unit staked without commission.
fn free_return(answer: &PairTotals) -> Ratio {
    Ratio::new(1, 1) + answer.counts.ev(Payoff::EVEN)
}

/// Returns the commission at which these wins and losses give the stated return. This is the c with (1 - c) wins -
/// losses = (stated - 1) deals. It is negative if the return is lower even without commission.
fn commission_needed(answer: &PairTotals, stated: Rate) -> Ratio {
    let [wins, losses, deals] = integers(answer);
    let missing = WHOLE - i128::from(stated.millionths());
    Ratio::new((wins - losses) * WHOLE + missing * deals, wins * WHOLE)
}

/// Returns `true` if such a commission exists.
fn is_rate(commission: Ratio) -> bool {
    (Ratio::ZERO..=Ratio::new(1, 1)).contains(&commission)
}

/// Returns the return per unit staked for a player who banks and pays the commission on each winning bet.
fn banker_return(answer: &PairTotals) -> Ratio {
    Ratio::new(1, 1) + answer.counts.other_side().ev(answer.question.payoff())
}

/// Returns the fraction of all stakes that a player must bank to get the stated return overall. It is negative if
/// playing without banking is enough. Returns `None` if banking doesn't return more than playing.
fn banking_needed(answer: &PairTotals, stated: Rate) -> Option<Ratio> {
    let [wins, losses, deals] = integers(answer);
    // The gains after commission, in millionths of a stake.
    let win = WHOLE - i128::from(answer.question.rules.commission.millionths());
    let (playing, banking) = (wins * win - losses * WHOLE, losses * win - wins * WHOLE);
    let target = (i128::from(stated.millionths()) - WHOLE) * deals;
    (banking > playing).then(|| Ratio::new(target - playing, banking - playing))
}

impl Claim {
    /// Returns the case with these readings changed, or `None` if it hasn't been evaluated.
    pub(super) fn case(&self, changes: &[Change]) -> Option<&Case> {
        self.cases.iter().find(|case| case.changes == changes)
    }

    fn as_given(&self) -> &Case {
        self.case(&[]).expect("the game as given is evaluated first")
    }

    /// Returns the single changes that increase the return of a player strategy, given by its index. If several options
    /// of a reading do, only the best one is included.
    pub(super) fn helpful(&self, player: usize) -> Vec<Change> {
        let ev = |case: &Case| case.totals[player].ev();
        let mut helpful: Vec<&Case> = Vec::new();
        for case in self.cases.iter().filter(|case| case.changes.len() == 1 && ev(case) > ev(self.as_given())) {
            let same = |other: &&mut &Case| other.changes[0].reading == case.changes[0].reading;
            match helpful.iter_mut().find(same) {
                Some(other) if ev(case) > ev(other) => *other = case,
                Some(_) => {}
                None => helpful.push(case),
            }
        }
        helpful.iter().map(|case| case.changes[0].clone()).collect()
    }

    /// Returns the findings as JSON, with two `houseway solve` documents and their implications for each case.
    pub(super) fn json(&self) -> Value {
        json!({
            "stated_return": self.stated,
            "way": self.way.way().name(),
            "rules": self.rules,
            "rules_hash": self.rules.hash(),
            "cases": self.cases.iter().map(|case| self.case_json(case)).collect::<Vec<_>>(),
            "unplayable": self.unplayable,
        })
    }

    fn case_json(&self, case: &Case) -> Value {
        let player = |answer: &PairTotals| {
            let mut json = answer.json();
            let commission = commission_needed(answer, self.stated);
            json["return"] = player_return(answer).to_json();
            json["return_of_decided_bets"] = decided_return(answer).to_json();
            json["return_without_commission"] = free_return(answer).to_json();
            json["commission_for_stated_return"] = commission.to_json();
            json["commission_for_stated_return"]["possible"] = is_rate(commission).into();
            json
        };
        let [house_way, optimal] = &case.totals;
        json!({
            "changes": case.changes,
            "house_way": player(house_way),
            "optimal": player(optimal),
            "banking_by_the_house_way": {
                "return": banker_return(house_way).to_json(),
                "share_for_stated_return": banking_needed(house_way, self.stated).map(Ratio::to_json),
            },
        })
    }

    fn stated_text(&self) -> String {
        format!("{}%", f64::from(self.stated.millionths()) / 1e4)
    }

    fn stated_ratio(&self) -> Ratio {
        Ratio::new(self.stated.millionths().into(), Rate::WHOLE.into())
    }

    fn verdict(&self) -> String {
        let [way, best] = self.as_given().totals.each_ref().map(player_return);
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
        let best = |case: &Case| player_return(&case.totals[1]);
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

    pub(super) fn answer(&self) -> Answer {
        let [way, best] = self.as_given().totals.each_ref().map(|totals| percent_of(decided_return(totals)));
        let stated = self.stated_text();
        let claim = match STATED_RETURN.parse() == Ok(self.stated) {
            true => format!(
                "The source of these rules says: \"This game has a Return to Player of {stated} based on good playing \
                 strategy.\""
            ),
            false => format!("The claim is a return to player of {stated}."),
        };
        let explanation = Section::default().detail().text(format!(
            "{claim} The return to player is the average amount returned per 100 units staked, over all deals.",
        ));
        let decided = Section::default().detail().text(format!(
            "Player and banker are dealt from one deck, and the banker plays the house way of {}. A push returns the stake, \
             so it counts as a return of 100%. Over decided bets only, the return is {way} with the house way and {best} with \
             optimal play. The side bet is not included, as the source does not state its payouts.",
            self.way.way().title(),
        ));
        let method = Section::new("Method")
            .detail()
            .text(format!(
                "Nothing is simulated or estimated. Each row of these tables is computed over all {} deals. Printed \
                 percentages are rounded; exact integers and fractions are in [results.json](results.json). To recompute the \
                 first row in seconds:",
                grouped(DEALS),
            ))
            .lines(format!(
                "houseway solve --player {way} --banker {way}{settings}\n\
                 houseway solve --player optimal --banker {way}{settings}",
                way = self.way.way().argument(),
                settings = settings(&self.rules, &[self.way.way()]),
            ))
            .text(
                "For another row, add its reading: `--set joker-in-flush=ace`, or `--set way.NAME=OPTION` for a reading of the \
                 house way.",
            );
        let scope = format!("The house way {} on both sides, rules {}.", self.way.way().name(), self.rules.described());
        let sections = [
            explanation,
            Section::default().text(self.verdict()).table(self.returns_table()).text(scope),
            decided,
            self.commission_section(),
            self.readings_section(),
            Section::new("Player banking").detail().text(self.banking_text()),
            method,
        ];
        Answer::new(self.json(), sections).titled(format!("Is the return to player {stated}?"))
    }

    fn returns_table(&self) -> TextTable {
        let header = ["strategy", "wins", "pushes", "losses", "return", "points from the claim"];
        let rows = PLAYERS.into_iter().zip(&self.as_given().totals).map(|(name, answer)| {
            let back = player_return(answer);
            let returns = [percent_of(back), points(back - self.stated_ratio())];
            [name.to_owned()].into_iter().chain(outcome_shares(answer.counts)).chain(returns)
        });
        TextTable::new(header).right_from(1).rows(rows)
    }

    fn commission_section(&self) -> Section {
        let text = format!(
            "The commission of the rules is {} of every bet won. With the same wins and losses, the following \
             commission would give the stated {}. Optimal play refers to the commission of the rules; play adapted to \
             another commission would return at least as much, so the commission for optimal play is a lower bound.",
            rate_text(self.rules.commission),
            self.stated_text(),
        );
        let header = ["strategy", "commission required", "as a fraction", "return without commission"];
        let mut table = TextTable::new(header).right(1).right(3);
        for (name, answer) in PLAYERS.into_iter().zip(&self.as_given().totals) {
            let needed = commission_needed(answer, self.stated);
            let (commission, exact) = match is_rate(needed) {
                true => (percent_of(needed), format!("{needed:?}")),
                false => ("none".to_owned(), String::new()),
            };
            table = table.row([name, &commission, &exact, &percent_of(free_return(answer))]);
        }
        Section::new("Commission for the stated return").detail().text(text).table(table)
    }

    fn readings_section(&self) -> Section {
        let stated = self.stated_ratio();
        let gives = |case: &Case, player: usize| player_return(&case.totals[player]) >= stated;
        let verdict = if self.cases.iter().all(|case| gives(case, 0)) {
            "All give the stated return"
        } else if self.cases.iter().any(|case| gives(case, 0)) {
            "Some give the stated return"
        } else if self.cases.iter().any(|case| gives(case, 1)) {
            "Some give the stated return, but only with optimal play"
        } else {
            "None gives the stated return"
        };
        let highest = |player: usize| self.cases.iter().map(|case| player_return(&case.totals[player])).max();
        let [way, best] = [0, 1].map(|player| highest(player).expect("the game as given is evaluated first"));
        let unplayable: Vec<String> = self.unplayable.iter().map(unplayable).collect();
        let text = format!(
            "Where the text is ambiguous, each row uses another reading, for both sides of the table; the last rows \
             combine several that favor the player, referred to by letters. Each difference from the rules as given is \
             in percentage points. {verdict}: the highest returns are {} with the house way and {} with optimal play. \
             The reading `side-bet-best` is omitted because it affects only the side bet.{}",
            percent_of(way),
            percent_of(best),
            unplayable.concat(),
        );
        let header = ["reading", "the house way", "points", "optimal play", "points", "commission required"];
        let mut table = TextTable::new(header).right_from(1).detail(2).detail(4);
        for case in &self.cases {
            let mut cells = vec![self.name(case)];
            for (totals, as_given) in case.totals.iter().zip(&self.as_given().totals) {
                let back = player_return(totals);
                cells.extend([percent_of(back), points(back - player_return(as_given))]);
            }
            let needed = case.totals.each_ref().map(|totals| commission_needed(totals, self.stated));
            let needed = needed.map(|it| if is_rate(it) { percent(it.value(), 2) } else { "none".to_owned() });
            cells.push(needed.join(", "));
            table = table.row(cells);
        }
        Section::new("Other readings of the rules").text(text).table(table)
    }

    fn banking_text(&self) -> String {
        let answer = &self.as_given().totals[0];
        let commission = rate_text(self.rules.commission);
        let copies = match self.rules.copies {
            Copies::Banker => "Where players may bank in turn, the one who banks wins copies.",
            Copies::Player | Copies::Pushed => "Players may bank in turn elsewhere.",
        };
        let text = format!(
            "In the source, the house banks. {copies} With the house way on both sides and a commission of {commission} on \
             every bet that the bank wins, the return is {} per unit staked against the bank.",
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
}

fn percent_of(ratio: Ratio) -> String {
    percent(ratio.value(), 4)
}

/// Formats a difference of returns in percentage points, with its sign.
fn points(ratio: Ratio) -> String {
    unsigned_zero(format!("{:+.6}", 100.0 * ratio.value()))
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use houseway_env::pai_gow::{Game, Rules};
    use houseway_exact::pai_gow::matchup::{BankedBy, Question};
    use houseway_exact::pai_gow::whole::DealCounts;

    /// Creates totals with the given numbers of wins and losses.
    fn answer(wins: u64, losses: u64) -> PairTotals {
        let game = Game::new(Rules::default());
        let way = HouseWay::shared(Way::named("trump-plaza").unwrap(), &game).unwrap();
        let question = Question::new(&[(&way).into(), (&way).into()], &game, BankedBy::House);
        let counts = DealCounts { wins, losses, pushes: DEALS - wins - losses, ..DealCounts::default() };
        PairTotals::new(question, None, counts)
    }

    #[test]
    fn returns_follow_from_counts() {
        let tenth = DEALS / 10;
        let answer = answer(3 * tenth, 4 * tenth);
        assert_eq!(player_return(&answer), Ratio::new(885, 1000));
        assert_eq!(decided_return(&answer), Ratio::new(7000 - 1150, 7000));
        assert_eq!(free_return(&answer), Ratio::new(9, 10));
        assert_eq!(banker_return(&answer), Ratio::new(1080, 1000));
        // 0.9825 is halfway between 0.885 and 1.08.
        assert_eq!(banking_needed(&answer, Rate::from_millionths(982_500).unwrap()), Some(Ratio::new(1, 2)));
    }

    #[test]
    fn only_the_stated_return_is_quoted() {
        let game = Game::new(Rules::default());
        let texts = ["0.9835", "0.5"].map(|stated| {
            let mut claim = Claim::new(stated.parse().unwrap(), Way::named("wong").unwrap(), &game).unwrap();
            let totals = || answer(3 * DEALS / 10, 4 * DEALS / 10);
            claim.cases.push(Case { changes: vec![], totals: [totals(), totals()] });
            format!("{:?}", claim.answer())
        });
        let contain = |part: &str| texts.each_ref().map(|text| text.contains(part));
        assert_eq!(contain("The source of these rules says"), [true, false]);
        assert_eq!(contain("The claim is a return to player of 50"), [false, true]);
        assert_eq!((contain("None gives the stated"), contain("All give the stated")), ([true, false], [false, true]));
    }

    #[test]
    fn the_commission_needed_gives_the_stated_return() {
        let tenth = DEALS / 10;
        let stated = Rate::from_millionths(900_000).unwrap();
        let needed = |wins, losses| commission_needed(&answer(wins * tenth, losses * tenth), stated);
        assert_eq!(needed(3, 4), Ratio::ZERO);
        assert_eq!(needed(4, 4), Ratio::new(1, 4));
        assert!(!is_rate(needed(3, 5)) && !is_rate(needed(4, 0)) && is_rate(needed(4, 1)));
    }
}
