//! Pits a given strategy against a side that sets uniformly at random.

use super::sections::deals_table;
use super::{BankedBy, DEALS, Given, Question};
use crate::answer::Answer;
use crate::pai_gow::whole::{Cancelled, ClassCounts, FullGame, OutcomeWeights, RANDOM_WEIGHT, RandomTotals, Run, Side};
use crate::pai_gow::{ClassTableError, RANDOM};
use houseway_env::pai_gow::Game;
use serde_json::{Value, json};

/// A side that sets uniformly at random, and the other side's strategy.
pub struct RandomPair<'a> {
    game: &'a Game,
    bank: BankedBy,
    side: Side,
    other: Given<'a>,
    whole: FullGame<'a>,
}

impl<'a> RandomPair<'a> {
    /// Prepares an enumeration in which `side` sets at random.
    ///
    /// # Errors
    /// Returns an error if a table fouls under the game's rules.
    pub fn new(
        game: &'a Game,
        bank: BankedBy,
        side: Side,
        other: Given<'a>,
    ) -> Result<RandomPair<'a>, ClassTableError> {
        let whole = other.against(game, side)?;
        Ok(RandomPair { game, bank, side, other, whole: whole.with_copies() })
    }

    /// Enumerates all deals in the run and returns the player's outcomes.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn count(&self, run: &Run<'_>) -> Result<OutcomeWeights, Cancelled> {
        let visit = |totals: &mut RandomTotals, classes: &[ClassCounts]| classes.iter().for_each(|it| totals.add(it));
        let weights = self.whole.fold(run, RandomTotals::default, visit, RandomTotals::plus)?.weights();
        Ok(if self.side == Side::Player { weights } else { weights.other_side() })
    }

    /// Returns an answer with the player's outcomes over all deals. In addition to the keys from
    /// [`PairTotals`](super::PairTotals), the answer has a `weight`: counts such as `wins` are in units of one deal
    /// divided by the weight.
    pub fn answer(&self, counts: &OutcomeWeights) -> Answer {
        let question = self.question();
        let mut json = serde_json::to_value(&question).expect("names and numbers are JSON");
        let keys = json.as_object_mut().expect("a question is an object");
        for (key, count) in [
            ("deals", u128::from(DEALS)),
            ("weight", u128::from(RANDOM_WEIGHT)),
            ("wins", counts.wins),
            ("pushes", counts.pushes),
            ("losses", counts.losses),
            ("copies_front", counts.copies_front),
            ("copies_back", counts.copies_back),
        ] {
            keys.insert(key.to_owned(), json!(count.to_string()));
        }
        keys.insert("shard".to_owned(), Value::Null);
        keys.extend(question.values(counts).map(|(key, value)| (key.to_owned(), value)));
        let section = question.section().table(deals_table(counts, RANDOM_WEIGHT)).lines(question.summary(counts));
        Answer { json, sections: vec![section] }
    }

    fn question(&self) -> Question {
        let (random, other) = ((RANDOM, None), ("", Some(self.other)));
        let sides = if self.side == Side::Player { [random, other] } else { [other, random] };
        Question::between(sides, self.game, self.bank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::whole::Shard;
    use crate::pai_gow::{BankerTable, HandCounts, HandEvaluator};
    use houseway_env::pai_gow::Rules;
    use houseway_env::pai_gow::house_way::{HouseWay, Way};

    /// Compares a shard with the mean over each hand's legal settings, computed with the hand engine.
    #[test]
    fn a_shard_matches_the_hand_engine() {
        let game = Game::new(Rules::default());
        let way = HouseWay::compile(Way::named("foxwoods").unwrap(), &game).unwrap();
        let table = BankerTable::new(&way);
        let run = Run { shard: Shard::new(7, 9_000).unwrap(), ..Run::default() };
        for side in [Side::Player, Side::Banker] {
            let pair = RandomPair::new(&game, BankedBy::House, side, (&way).into()).unwrap();
            let mut expected = OutcomeWeights::default();
            let collect =
                |all: &mut Vec<_>, some: &[ClassCounts]| all.extend(some.iter().map(|it| (it.hand, it.orbit)));
            let hands = pair.whole.fold(&run, Vec::new, collect, |a, b| [a, b].concat()).unwrap();
            assert!(hands.len() > 100);
            for (hand, orbit) in hands {
                let counts: HandCounts = HandEvaluator::new(&game, &table).count_for(side, hand);
                let legal: Vec<_> = counts.settings().iter().flatten().collect();
                let weight = u128::from(orbit) * u128::from(RANDOM_WEIGHT) / legal.len() as u128;
                for counts in legal {
                    expected.wins += weight * u128::from(counts.wins);
                    expected.pushes += weight * u128::from(counts.pushes);
                    expected.losses += weight * u128::from(counts.losses);
                    expected.copies_front += weight * u128::from(counts.copies_front);
                    expected.copies_back += weight * u128::from(counts.copies_back);
                }
            }
            let expected = if side == Side::Player { expected } else { expected.other_side() };
            assert_eq!(pair.count(&run).unwrap(), expected);
        }
    }
}
