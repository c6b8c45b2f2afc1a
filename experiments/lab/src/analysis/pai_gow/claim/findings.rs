//! Derives what the outcome counts imply for the claim, in exact arithmetic.

use super::question::Change;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Rules;
use houseway_env::pai_gow::house_way::Way;
use houseway_exact::Ratio;
use houseway_exact::pai_gow::matchup::PairTotals;
use serde::Serialize;
use serde_json::{Value, json};

/// The game under one choice of readings, with results for two player strategies against the same banker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The readings that differ from the game as given.
    pub changes: Vec<Change>,
    /// The house way's totals against itself.
    pub house_way: PairTotals,
    /// The best response's totals against the house way.
    pub optimal: PairTotals,
}

impl Case {
    /// Returns the house way's totals.
    pub fn house_way(&self) -> &PairTotals {
        &self.house_way
    }

    /// Returns the best response's totals.
    pub fn optimal(&self) -> &PairTotals {
        &self.optimal
    }
}

/// A case in which the house way is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unplayable {
    /// The readings that differ from the game as given.
    pub changes: Vec<Change>,
    /// The reason why the house way is invalid.
    pub reason: String,
}

/// The results from a claim test. The first case is the game as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimFindings {
    /// The claimed return.
    pub stated: Rate,
    /// The rules as given.
    pub rules: Rules,
    /// The house way's name.
    pub way: String,
    /// The house way's title.
    pub title: String,
    /// The evaluated cases.
    pub cases: Vec<Case>,
    /// The cases that can't be evaluated.
    pub unplayable: Vec<Unplayable>,
}

/// One, in millionths.
const WHOLE: i128 = Rate::WHOLE as i128;

/// Returns the net gain after commission, in millionths of a stake.
fn gain(wins: i128, losses: i128, commission: Rate) -> i128 {
    wins * (WHOLE - i128::from(commission.millionths())) - losses * WHOLE
}

/// Returns the numbers of wins, losses and deals.
fn integers(answer: &PairTotals) -> [i128; 3] {
    [answer.counts.wins, answer.counts.losses, answer.counts.all()].map(|count| count as i128)
}

/// Returns the return per unit staked. A push counts as a full return.
pub(super) fn player_return(answer: &PairTotals) -> Ratio {
    Ratio::new(1, 1) + answer.ev()
}

/// Returns the return per unit staked on bets that don't push.
pub(super) fn decided_return(answer: &PairTotals) -> Ratio {
    let [wins, losses, _] = integers(answer);
    let decided = wins + losses;
    Ratio::new(1, 1) + Ratio::new(gain(wins, losses, answer.rules().commission), decided * WHOLE)
}

/// Returns the return per unit staked without commission.
pub(super) fn free_return(answer: &PairTotals) -> Ratio {
    let [wins, losses, deals] = integers(answer);
    Ratio::new(1, 1) + Ratio::new(wins - losses, deals)
}

/// Returns the commission at which these wins and losses give the stated return. This is the c with (1 - c) wins -
/// losses = (stated - 1) deals. It is negative if the return is lower even without commission.
pub(super) fn commission_needed(answer: &PairTotals, stated: Rate) -> Ratio {
    let [wins, losses, deals] = integers(answer);
    let missing = WHOLE - i128::from(stated.millionths());
    Ratio::new((wins - losses) * WHOLE + missing * deals, wins * WHOLE)
}

/// Returns `true` if such a commission exists.
pub(super) fn is_rate(commission: Ratio) -> bool {
    (Ratio::ZERO..=Ratio::new(1, 1)).contains(&commission)
}

/// Returns the return per unit staked for a player who banks and pays the commission on each winning bet.
pub(super) fn banker_return(answer: &PairTotals) -> Ratio {
    Ratio::new(1, 1) + answer.counts.other_side().ev(answer.payoff())
}

/// Returns the fraction of all stakes that a player must bank to get the stated return overall. It is negative if
/// playing without banking is enough. Returns `None` if banking doesn't return more than playing.
pub(super) fn banking_needed(answer: &PairTotals, stated: Rate) -> Option<Ratio> {
    let ([wins, losses, deals], commission) = (integers(answer), answer.rules().commission);
    let [playing, banking] = [gain(wins, losses, commission), gain(losses, wins, commission)];
    let target = (i128::from(stated.millionths()) - WHOLE) * deals;
    (banking > playing).then(|| Ratio::new(target - playing, banking - playing))
}

impl ClaimFindings {
    /// Creates findings without cases.
    pub fn new(stated: Rate, rules: Rules, way: &Way) -> ClaimFindings {
        let (way, title) = (way.name().to_owned(), way.title().to_owned());
        ClaimFindings { stated, rules, way, title, cases: Vec::new(), unplayable: Vec::new() }
    }

    /// Returns the case with these readings changed, or `None` if it hasn't been evaluated.
    pub fn case(&self, changes: &[Change]) -> Option<&Case> {
        self.cases.iter().find(|case| case.changes == changes)
    }

    /// Returns the game as given.
    pub fn as_given(&self) -> &Case {
        self.case(&[]).expect("the game as given is evaluated first")
    }

    /// Returns the single changes that increase a player's return. If several options of a reading do, only the best
    /// one is included.
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

    /// Returns a player's highest return over all cases, and the case.
    pub(super) fn highest(&self, player: fn(&Case) -> &PairTotals) -> (Ratio, &Case) {
        let returns = self.cases.iter().map(|case| (player_return(player(case)), case));
        returns.reduce(|best, next| if next.0 > best.0 { next } else { best }).expect("there is at least one case")
    }

    /// Returns the findings as JSON, with two `houseway solve` documents and their implications for each case.
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
    use houseway_exact::pai_gow::DEALS;
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
    fn the_commission_needed_gives_the_stated_return() {
        let tenth = DEALS / 10;
        let stated = Rate::from_millionths(900_000).unwrap();
        let needed = |wins, losses| commission_needed(&answer(wins * tenth, losses * tenth), stated);
        assert_eq!(needed(3, 4), Ratio::ZERO);
        assert_eq!(needed(4, 4), Ratio::new(1, 4));
        assert!(!is_rate(needed(3, 5)) && !is_rate(needed(4, 0)) && is_rate(needed(4, 1)));
    }
}
