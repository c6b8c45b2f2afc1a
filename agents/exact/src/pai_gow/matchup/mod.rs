//! Evaluates a pair of strategies over all deals.
//!
//! - [`Pair`] is the player's and the banker's strategy, prepared for enumeration. Either side can play any
//!   suit-isomorphic strategy, such as a house way, a table or a mixed strategy. One of them can also play the best
//!   response to the other, or set uniformly at random.
//! - [`Question`] describes the pair and the rules as data. If two questions are equal, their results can be combined.
//! - [`PairTotals`] holds the outcome counts for a question and converts them to and from JSON.
//! - [`outcomes`] and [`pair_totals`] evaluate many pairs, unless a [`PassStore`] has their outcomes.

#[cfg(test)]
mod tests;
mod totals;

pub use super::strategies::{OPTIMAL, SideStrategy};
pub use totals::{BankedBy, PairTotals, Question};

use super::outcomes::{DealCounts, OutcomeWeights, Payoff, Side};
use super::table::{ClassTable, Tabulated};
use super::whole::{Cancelled, ClassCounts, Pass, Play, Run, Shard};
use crate::solver::{DeadCards, SolverError, invalid};
use crate::store::PassStore;
use houseway_env::cards::classes::Classes;
use houseway_env::cards::{Card, CardSet, Rank, Suit};
use houseway_env::pai_gow::{BankPushes, Game, Hand, Setting};
use serde_json::{Value, json};

/// An observer of a pass. It is called from all threads with all classes that have the same multiset of ranks, and the
/// setting chosen for each.
pub type ClassSink<'a> = &'a (dyn Fn(&[ClassCounts], &[Setting]) + Sync);

/// Two strategies, prepared for an enumeration of all hands on one side.
pub struct Pair<'a> {
    /// The pair as data.
    pub question: Question,
    pass: Pass<'a>,
    /// The payoff for the enumerated side.
    pub payoff: Payoff,
    /// The strategy of the enumerated side.
    own: SideStrategy,
    /// The strategy of the other side.
    pub other: Tabulated,
    dead: CardSet,
}

impl<'a> Pair<'a> {
    /// Prepares the player's and the banker's strategy. The enumerated side is the player, unless that takes longer.
    ///
    /// # Errors
    /// Returns an error if no side has a given strategy, if a side sets at random and the other one is mixed, or if the
    /// strategy that isn't enumerated is a table that fouls under the game's rules or isn't supported by them.
    pub fn new(sides: [SideStrategy; 2], game: &'a Game, bank: BankedBy) -> Result<Pair<'a>, SolverError> {
        let question = Question::new(&sides, game, bank);
        Pair::enumerating(question, orient(sides)?, game, bank)
    }

    /// Prepares a pair like [`Pair::new`], but always enumerates the player's hands.
    ///
    /// # Errors
    /// Also returns an error if the banker plays the best response or sets at random.
    pub fn of_player(sides: [SideStrategy; 2], game: &'a Game, bank: BankedBy) -> Result<Pair<'a>, SolverError> {
        let question = Question::new(&sides, game, bank);
        match sides {
            [player, SideStrategy::Given(banker)] => {
                Pair::enumerating(question, (Side::Player, player, banker), game, bank)
            }
            _ => Err(SolverError::invalid(
                "a side bet and the main bet are only evaluated together against a given strategy; choose a house way for \
                 the banker",
            )),
        }
    }

    fn enumerating(
        question: Question,
        (side, own, other): (Side, SideStrategy, Tabulated),
        game: &'a Game,
        bank: BankedBy,
    ) -> Result<Pair<'a>, SolverError> {
        let pass = other.pass(game, side).map_err(SolverError::invalid)?.with_copies();
        Ok(Pair { question, pass, payoff: bank.payoff_of(side, &game.rules()), own, other, dead: CardSet::EMPTY })
    }

    /// Leaves dead cards out of the deck. A best response takes them into account.
    ///
    /// # Errors
    /// Returns an error if too few cards remain, or unless both sides have a single setting for a hand and the side that
    /// isn't enumerated plays a strategy over profiles.
    pub fn without(mut self, dead: DeadCards) -> Result<Pair<'a>, SolverError> {
        self.dead = dead.beside(CardSet::EMPTY, CardSet::DECK_53, 2 * Hand::CARDS)?;
        if self.dead.is_empty() {
            return Ok(self);
        }
        self.question.dead = self.dead.to_string();
        match self.other.profiles() {
            Some(_) if self.weight() == 1 => Ok(self),
            _ => Err(invalid!(
                "dead cards need house ways, or one and 'optimal', not '{}' against '{}'",
                self.question.player,
                self.question.banker
            )),
        }
    }

    /// Settles each push by one more card for both sides, from the 39 cards that neither holds. The joker is an ace, and
    /// equal ranks go to the banker.
    ///
    /// # Errors
    /// Returns an error unless both sides have a single given setting for a hand and the side that isn't enumerated plays a
    /// strategy over profiles, or if some of the banker's hands push every bet.
    pub fn without_pushes(mut self) -> Result<Pair<'a>, SolverError> {
        check_no_push(self.pass.game())?;
        if self.other.profiles().is_none() || self.own().is_none() || self.weight() != 1 {
            return Err(invalid!(
                "pushes are only settled by another card between house ways, not '{}' against '{}'",
                self.question.player,
                self.question.banker
            ));
        }
        self.question.no_push = true;
        Ok(self)
    }

    /// Returns the player's outcomes after settling pushes by another card. Their weight is [`HIGH_CARD_WEIGHT`].
    fn by_high_card(
        &self,
        counts: OutcomeWeights,
        play: &Play<'_>,
        run: &Run<'_>,
    ) -> Result<OutcomeWeights, Cancelled> {
        // The two cards are equally likely to be in either order, so ties alone make a difference. Their number is the sum
        // of the pushes that leave the same two cards of a rank, over all such pairs of cards. It takes no copies.
        let pairs = equal_cards();
        let pass = self.other.pass(self.pass.game(), self.side()).expect("it was prepared before");
        let (passes, mut ties) = (pairs.len() as u64, 0);
        for (done, (cards, ways)) in (0..).zip(pairs) {
            let counts = run.part(done, passes, |run| pass.total_without(cards, play, run))?;
            ties += u128::from(counts.pushes) * ways;
        }
        let half = counts.pushes * (HIGH_CARD_WEIGHT / 2);
        let settled = counts.times(HIGH_CARD_WEIGHT);
        let [wins, losses] = [settled.wins + half - ties, settled.losses + half + ties];
        Ok(OutcomeWeights { wins, pushes: 0, losses, ..settled })
    }

    /// Returns the enumerated side.
    pub fn side(&self) -> Side {
        self.pass.side()
    }

    /// Returns the strategy of the enumerated side if it's given.
    pub fn own(&self) -> Option<&Tabulated> {
        self.own.given()
    }

    /// Returns the weight of each deal in a pass, which is 1 unless a side mixes its settings.
    pub fn weight(&self) -> u64 {
        u64::from(self.pass.weight()) * u64::from(self.own.play(self.payoff).weight())
    }

    /// Returns the player's outcomes over all deals in the run, including copies. Every class is passed to the sinks.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if there are sinks and a side mixes its settings, there are dead cards, or pushes are settled by another card.
    pub fn count(&self, run: &Run<'_>, sinks: &[ClassSink<'_>]) -> Result<OutcomeWeights, Cancelled> {
        let play = self.own.play(self.payoff);
        let visit = |total: &mut DealCounts, classes: &[ClassCounts]| {
            let settings = play.choose(classes);
            classes.iter().zip(&settings).for_each(|(class, &setting)| total.add(class, setting));
            sinks.iter().for_each(|sink| sink(classes, &settings));
        };
        let counts = match sinks {
            [] if !self.dead.is_empty() => self.pass.total_without(self.dead, &play, run)?.into(),
            [] => self.pass.weights(&[play], run)?[0],
            _ => {
                assert!(self.dead.is_empty() && !self.question.no_push, "sinks need all deals");
                assert_eq!(self.weight(), 1, "sinks need a single setting for every hand");
                self.pass.fold(run, DealCounts::default, visit, DealCounts::plus)?.into()
            }
        };
        let counts = if self.side() == Side::Player { counts } else { counts.other_side() };
        if self.question.no_push { self.by_high_card(counts, &play, run) } else { Ok(counts) }
    }

    /// Counts like [`Pair::count`], and tabulates the settings of the enumerated side.
    ///
    /// # Errors
    /// Returns an error if the run was canceled.
    ///
    /// # Panics
    /// Panics if the run is restricted to a shard, or like [`Pair::count`] with sinks.
    pub fn tabulate(&self, run: &Run<'_>, sinks: &[ClassSink<'_>]) -> Result<(OutcomeWeights, ClassTable), Cancelled> {
        let name = match self.own() {
            Some(own) => own.name().to_owned(),
            None => format!("optimal {} against {}", self.side().name(), self.other.name()),
        };
        ClassTable::fill(&name, |put| {
            let put: ClassSink<'_> = &|classes, settings| {
                for (class, &setting) in classes.iter().zip(settings) {
                    put(Classes::seven().index(class.hand.set()), setting);
                }
            };
            self.count(run, &[sinks, &[put]].concat())
        })
    }
}

/// Checks that the rules suit a game in which pushes are settled by another card.
pub(super) fn check_no_push(game: &Game) -> Result<(), SolverError> {
    if game.rules().bank_pushes == BankPushes::None {
        return Ok(());
    }
    Err(SolverError::invalid(
        "no-push games have no hands of the banker that push every bet; leave out the rule 'bank-pushes'",
    ))
}

/// The weight of a deal if pushes are settled by another card for both sides, which is the number of ordered pairs of
/// cards.
const HIGH_CARD_WEIGHT: u128 = 39 * 38;

/// Returns pairs of cards with the same rank, each with the number of such pairs that are equal up to suits.
fn equal_cards() -> Vec<(CardSet, u128)> {
    let card = |rank, suit| CardSet::EMPTY.with(Card::new(rank, suit));
    let pairs = Rank::ALL.map(|rank| (card(rank, Suit::Spades).with(Card::new(rank, Suit::Hearts)), 6));
    let with_joker = (card(Rank::Ace, Suit::Spades).with(Card::JOKER), 4);
    pairs.into_iter().chain([with_joker]).collect()
}

/// Chooses the side of a pair whose hands are enumerated, which is the player unless that takes longer. Returns it with
/// its own and the other side's strategy.
fn orient(sides: [SideStrategy; 2]) -> Result<(Side, SideStrategy, Tabulated), SolverError> {
    let (side, own, other) = match sides {
        [SideStrategy::Given(player), SideStrategy::Given(banker)] if player.cost() < banker.cost() => {
            (Side::Banker, SideStrategy::Given(banker), player)
        }
        [own, SideStrategy::Given(banker)] => (Side::Player, own, banker),
        [SideStrategy::Given(player), own] => (Side::Banker, own, player),
        [SideStrategy::Optimal, SideStrategy::Optimal] => {
            return Err(SolverError::invalid(
                "both sides are optimal, but a best response needs a strategy to respond to; specify one of them with \
                 --player or --banker",
            ));
        }
        _ => {
            return Err(SolverError::invalid(
                "'random' can only be solved against a given strategy; use another strategy for the other side, or \
                 'houseway ev HAND --banker random' to find the best setting of a hand",
            ));
        }
    };
    if matches!(own, SideStrategy::Random) && other.mixed().is_some() {
        return Err(invalid!(
            "'random' cannot be solved against '{}', which is a mixed strategy; use a pure strategy, such as the strategy \
             table (.safetensors) that 'houseway equilibrium' writes beside it",
            other.name()
        ));
    }
    Ok((side, own, other))
}

/// Returns the player's outcomes for pairs of a player's and a banker's strategy, over all deals or the deals of the
/// run's shard. Pairs in the store are taken from there. All others are evaluated in as few passes as possible and
/// stored after each pass. A side that plays the best response does so under its payoff; the player's payoff is first.
///
/// # Errors
/// Returns an error if the run was canceled, or if [`Pair::new`] would.
pub fn outcomes(
    store: &PassStore,
    game: &Game,
    pairs: &[[SideStrategy; 2]],
    payoffs: [Payoff; 2],
    run: &Run<'_>,
) -> Result<Vec<OutcomeWeights>, SolverError> {
    let questions: Vec<Value> = pairs.iter().map(|pair| entry_of(pair, game, payoffs, run.shard)).collect();
    let sides = pairs.iter().map(|pair| orient(pair.clone())).collect::<Result<Vec<_>, SolverError>>()?;
    let mut found: Vec<Option<OutcomeWeights>> = vec![None; pairs.len()];
    // The pairs of each pass, whose enumerated sides face the same strategy.
    let mut passes: Vec<Vec<usize>> = vec![];
    for (i, (side, own, other)) in sides.iter().enumerate() {
        if questions[..i].contains(&questions[i]) {
            continue;
        }
        let weight = u128::from(own.play(Payoff::EVEN).weight()) * u128::from(other.play().weight());
        found[i] = store.find(&questions[i]).filter(|counts| is_complete(counts, weight, run.shard));
        if found[i].is_some() {
            continue;
        }
        let is_same = |members: &[usize]| {
            let (of, _, against) = &sides[members[0]];
            of == side && against.hash() == other.hash()
        };
        match passes.iter_mut().find(|members| is_same(members)) {
            Some(members) => members.push(i),
            None => passes.push(vec![i]),
        }
    }
    let all = passes.len() as u64;
    for (done, members) in (0u64..).zip(&passes) {
        let (side, _, other) = &sides[members[0]];
        let pass = other.pass(game, *side).map_err(SolverError::invalid)?.with_copies();
        let payoff = payoffs[usize::from(*side == Side::Banker)];
        let plays: Vec<Play<'_>> = members.iter().map(|&i| sides[i].1.play(payoff)).collect();
        let totals = run.part(done, all, |run| pass.weights(&plays, run))?;
        for (&i, counts) in members.iter().zip(totals) {
            let counts = if *side == Side::Player { counts } else { counts.other_side() };
            store.put(&questions[i], &counts);
            found[i] = Some(counts);
        }
    }
    let first = |question: &Value| questions.iter().position(|other| other == question);
    Ok(questions.iter().map(|it| first(it).and_then(|i| found[i]).expect("every pair is evaluated")).collect())
}

/// Returns the totals over all deals for pairs of a player's and a banker's strategy, like [`outcomes`].
///
/// # Errors
/// Returns an error if [`outcomes`] would.
///
/// # Panics
/// Panics if the run is restricted to a shard.
pub fn pair_totals(
    store: &PassStore,
    game: &Game,
    pairs: &[[SideStrategy; 2]],
    bank: BankedBy,
    run: &Run<'_>,
) -> Result<Vec<PairTotals>, SolverError> {
    assert_eq!(run.shard, Shard::WHOLE, "totals require all deals");
    let found = outcomes(store, game, pairs, bank.payoffs(&game.rules()), run)?;
    let questions = pairs.iter().map(|pair| Question::new(pair, game, bank));
    Ok(questions.zip(found).map(|(question, counts)| PairTotals::new(question, None, counts)).collect())
}

/// Returns everything that determines a pair's outcomes, as an entry of the store. The keys are sorted.
fn entry_of(pair: &[SideStrategy; 2], game: &Game, payoffs: [Payoff; 2], shard: Shard) -> Value {
    let id = |i: usize| match &pair[i] {
        SideStrategy::Given(strategy) => strategy.hash().to_owned(),
        SideStrategy::Optimal => {
            format!("{OPTIMAL} {}/{}", payoffs[i].win_millionths(), payoffs[i].loss_millionths())
        }
        SideStrategy::Random => pair[i].name().to_owned(),
    };
    json!({ "banker": id(1), "player": id(0), "rules": game.rules().hash(), "shard": shard.to_string() })
}

/// Returns `true` if all deals are counted, each with the given weight.
fn is_complete(counts: &OutcomeWeights, weight: u128, shard: Shard) -> bool {
    let sum = counts.wins.checked_add(counts.pushes).and_then(|sum| sum.checked_add(counts.losses));
    sum == Some(u128::from(shard.deals()) * weight)
}
