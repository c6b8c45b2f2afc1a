//! Consequences of the outcome counts for the claim, in exact arithmetic.

use super::question::Change;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Rules;
use houseway_env::pai_gow::house_way::Way;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::matchup::PairTotals;
use serde::Serialize;
use serde_json::{Value, json};

/// Game under one choice of readings, with two answers against the same banker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Changed readings.
    pub changes: Vec<Change>,
    /// Totals of the house way against itself.
    pub house_way: PairTotals,
    /// Totals of the best response to the house way.
    pub optimal: PairTotals,
}

impl Case {
    /// Returns the answer of the house way.
    pub fn house_way(&self) -> &PairTotals {
        &self.house_way
    }

    /// Returns the answer of the best response.
    pub fn optimal(&self) -> &PairTotals {
        &self.optimal
    }
}

/// Case in which the house way is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unplayable {
    /// Changed readings.
    pub changes: Vec<Change>,
    /// Reason why the house way is invalid.
    pub reason: String,
}

/// Results of a claim test. The first case is the game as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimFindings {
    /// Claimed return.
    pub stated: Rate,
    /// Rules as given.
    pub rules: Rules,
    /// Name of the house way.
    pub way: String,
    /// Title of the house way.
    pub title: String,
    /// Evaluated cases.
    pub cases: Vec<Case>,
    /// Cases that cannot be evaluated.
    pub unplayable: Vec<Unplayable>,
}

/// One as a number of millionths.
const WHOLE: i128 = Rate::WHOLE as i128;

/// Returns the net gain after commission, in millionths of a stake.
fn gain(wins: u64, losses: u64, commission: Rate) -> i128 {
    i128::from(wins) * (WHOLE - i128::from(commission.millionths())) - i128::from(losses) * WHOLE
}

/// Returns the return per unit staked, with a push treated as a full return.
pub(super) fn player_return(answer: &PairTotals) -> Ratio {
    Ratio::new(1, 1) + answer.ev()
}

/// Returns the return per unit staked, over decided bets only.
pub(super) fn decided_return(answer: &PairTotals) -> Ratio {
    let (wins, losses) = (answer.counts.wins, answer.counts.losses);
    let decided = i128::from(wins) + i128::from(losses);
    Ratio::new(1, 1) + Ratio::new(gain(wins, losses, answer.rules().commission), decided * WHOLE)
}

/// Returns the return per unit staked without commission.
pub(super) fn free_return(answer: &PairTotals) -> Ratio {
    let [wins, losses, deals] = [answer.counts.wins, answer.counts.losses, answer.counts.deals()].map(i128::from);
    Ratio::new(1, 1) + Ratio::new(wins - losses, deals)
}

/// Returns the commission at which these wins and losses give the stated return, which is the c with (1 - c) wins -
/// losses = (stated - 1) deals. It is negative if no commission is low enough.
pub(super) fn commission_needed(answer: &PairTotals, stated: Rate) -> Ratio {
    let [wins, losses, deals] = [answer.counts.wins, answer.counts.losses, answer.counts.deals()].map(i128::from);
    let missing = WHOLE - i128::from(stated.millionths());
    Ratio::new((wins - losses) * WHOLE + missing * deals, wins * WHOLE)
}

/// Returns `true` if such a commission exists.
pub(super) fn is_rate(commission: Ratio) -> bool {
    (Ratio::ZERO..=Ratio::new(1, 1)).contains(&commission)
}

/// Returns the return per unit staked of a player who banks and pays the commission on each bet won.
pub(super) fn banker_return(answer: &PairTotals) -> Ratio {
    Ratio::new(1, 1) + answer.counts.other_side().ev(answer.payoff())
}

/// Returns the fraction of all stakes that must be banked for the stated return over banking and playing together. It
/// is negative if playing alone suffices, and `None` if banking does not return more than playing.
pub(super) fn banking_needed(answer: &PairTotals, stated: Rate) -> Option<Ratio> {
    let (wins, losses, commission) = (answer.counts.wins, answer.counts.losses, answer.rules().commission);
    let [playing, banking] = [gain(wins, losses, commission), gain(losses, wins, commission)];
    let target = (i128::from(stated.millionths()) - WHOLE) * i128::from(answer.counts.deals());
    (banking > playing).then(|| Ratio::new(target - playing, banking - playing))
}

impl ClaimFindings {
    /// Creates findings without cases.
    pub fn new(stated: Rate, rules: Rules, way: &Way) -> ClaimFindings {
        let (way, title) = (way.name().to_owned(), way.title().to_owned());
        ClaimFindings { stated, rules, way, title, cases: Vec::new(), unplayable: Vec::new() }
    }

    /// Returns the case with these readings changed, if it was evaluated.
    pub fn case(&self, changes: &[Change]) -> Option<&Case> {
        self.cases.iter().find(|case| case.changes == changes)
    }

    /// Returns the game as given.
    ///
    /// # Panics
    /// Panics if the game as given has not been evaluated yet.
    pub fn as_given(&self) -> &Case {
        self.case(&[]).expect("the game as given is evaluated first")
    }

    /// Returns the single changes that increase a player's return, with only the best option of each reading.
    pub(super) fn helpful(&self, player: fn(&Case) -> &PairTotals) -> Vec<Change> {
        let ev = |case: &Case| player(case).ev();
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

    /// Returns a player's highest return over all cases, and its case.
    pub(super) fn highest(&self, player: fn(&Case) -> &PairTotals) -> (Ratio, &Case) {
        let returns = self.cases.iter().map(|case| (player_return(player(case)), case));
        returns.reduce(|best, next| if next.0 > best.0 { next } else { best }).expect("there is at least one case")
    }

    /// Returns the findings as JSON: two documents of `houseway solve` for each case, and the consequences.
    pub fn json(&self) -> Value {
        json!({
            "stated_return": self.stated,
            "way": self.way,
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
        json!({
            "changes": case.changes,
            "house_way": player(&case.house_way),
            "optimal": player(&case.optimal),
            "banking_by_the_house_way": {
                "return": banker_return(&case.house_way).to_json(),
                "share_for_stated_return": banking_needed(&case.house_way, self.stated).map(Ratio::to_json),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Game;
    use houseway_env::pai_gow::house_way::HouseWay;
    use houseway_exact::pai_gow::matchup::DEALS;
    use houseway_exact::pai_gow::matchup::{BankedBy, Pair, Question};
    use houseway_exact::pai_gow::whole::DealCounts;

    /// Creates an answer with the given numbers of wins and losses.
    fn answer(wins: u64, losses: u64) -> PairTotals {
        let game = Game::new(Rules::default());
        let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
        let question = Question::new(Pair::ways(&way, &way), &game, BankedBy::House);
        let counts = DealCounts { wins, losses, pushes: DEALS - wins - losses, ..DealCounts::default() };
        PairTotals { question, part: None, counts }
    }

    #[test]
    fn returns_follow_from_counts() {
        let tenth = DEALS / 10;
        let answer = answer(3 * tenth, 4 * tenth);
        assert_eq!(player_return(&answer), Ratio::new(885, 1000));
        assert_eq!(decided_return(&answer), Ratio::new(7000 - 1150, 7000));
        assert_eq!(free_return(&answer), Ratio::new(9, 10));
        assert_eq!(banker_return(&answer), Ratio::new(1080, 1000));
        // Between 0.885 and 1.08, 0.9825 is the midpoint.
        assert_eq!(banking_needed(&answer, Rate::from_millionths(982_500).unwrap()), Some(Ratio::new(1, 2)));
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
