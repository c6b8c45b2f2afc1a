//! Evaluates the settings for information sets that see suits, in passes over all deals.

use super::profile_game::{ActionSums, SIDES, payoffs};
use super::{Actions, InformationSets, ProfileClasses};
use crate::equilibrium::HandGame;
use crate::pai_gow::matchup::BankedBy;
use crate::pai_gow::outcomes::{DEALS, Payoff};
use crate::pai_gow::table::{ClassTable, ClassTableError};
use crate::pai_gow::whole::{Cancelled, ClassCounts, Pass, Run};
use houseway_env::cards::classes::Classes;
use houseway_env::money::Rate;
use houseway_env::pai_gow::Game;

/// The game between player and banker if each of them sees the exact suits of some hands.
///
/// A pass takes longer than one of [`ProfileGame`](super::ProfileGame), because it evaluates all hands against a table
/// over classes. The classes of the other side take turns to play its mixture ([`InformationSets::table`]).
pub struct ClassGame<'a> {
    game: &'a Game,
    actions: &'a Actions,
    classes: &'a ProfileClasses,
    sets: &'a [InformationSets; 2],
    payoffs: [Payoff; 2],
    run: Run<'a>,
}

impl<'a> ClassGame<'a> {
    /// Creates the game with the information sets of both sides. Each pass reports its progress to `run` and can be
    /// cancelled through it.
    ///
    /// # Errors
    /// Returns an error if the rules don't support tables over classes.
    pub fn new(
        game: &'a Game,
        (actions, classes): (&'a Actions, &'a ProfileClasses),
        sets: &'a [InformationSets; 2],
        bank: BankedBy,
        run: Run<'a>,
    ) -> Result<ClassGame<'a>, ClassTableError> {
        ClassTable::check_rules(game)?;
        Ok(ClassGame { game, actions, classes, sets, payoffs: payoffs(game, bank), run })
    }

    fn count(&self, side: usize, table: &ClassTable) -> Result<ActionSums, Cancelled> {
        let own = &self.sets[side];
        let sums = ActionSums::new(*own.starts().last().expect("there is a last index") as usize);
        let whole = Pass::against_table(self.game, SIDES[side], table).expect("the mixture consists of legal sets");
        let visit = |(): &mut (), classes: &[ClassCounts]| {
            for class in classes {
                let (profile, first) = own.of_class(Classes::seven().index(class.hand.set()));
                sums.add_class(&self.actions.all()[self.actions.range(profile)], first, class);
            }
        };
        whole.without_dominated().fold(&self.run, || (), visit, |(), ()| ())?;
        Ok(sums)
    }
}

impl HandGame for ClassGame<'_> {
    type Error = Cancelled;

    fn starts(&self, side: usize) -> &[u32] {
        self.sets[side].starts()
    }

    fn probabilities(&self, side: usize) -> &[f64] {
        self.sets[side].probabilities()
    }

    fn values(&mut self, side: usize, other: &[u8]) -> Result<Vec<f64>, Cancelled> {
        let table = self.sets[1 - side].table(self.game, (self.actions, self.classes), "played", other);
        let sums = self.count(side, &table)?;
        let (payoff, whole) = (self.payoffs[side], DEALS as f64 * f64::from(Rate::WHOLE));
        Ok((0..sums.len()).map(|action| sums.gain(action, payoff) as f64 / whole).collect())
    }
}
