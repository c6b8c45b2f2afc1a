//! The distribution of the net result over all deals.

use super::board::{BoardCounter, Flops, PAIRS};
use super::whole::{FLOPS, for_each_flop, hole};
use super::{ANTE, Cancelled, DEALER_HANDS, DecisionRule, FullGame, Totals};
use crate::net::NetResults;
use crate::solver::Control;
use houseway_env::cards::CardSet;
use houseway_env::rank::Category;

/// The number of results of a comparison, which are the fields of [`Ends`](super::Ends).
const ENDS: usize = 6;
/// The largest Play, in antes.
const LARGEST: usize = 4;

/// The number of deals by the Play in antes, or 0 for a fold, the player's category and the result of the comparison.
type Ended = [[[i64; ENDS]; Category::ALL.len()]; LARGEST + 1];

fn joined(mut all: Ended, more: Ended) -> Ended {
    let counts = all.iter_mut().flatten().flatten();
    counts.zip(more.iter().flatten().flatten()).for_each(|(count, more)| *count += more);
    all
}

/// A strategy with its decisions before the river.
struct Plan<'a, S> {
    strategy: &'a S,
    flops: &'a Flops,
    /// The Play before the flop for every kind of starting hand, in antes, or 0 after a check.
    before: Vec<usize>,
    /// The decisions to play on the flop, by class and pair.
    on_flop: Vec<bool>,
}

impl FullGame<'_> {
    /// Evaluates a strategy over all deals like [`FullGame::count`], and counts the deals with each net result. This
    /// takes twice as long, because the decision on a flop depends on all boards that can follow.
    pub(crate) fn count_results(
        &self,
        strategy: &impl DecisionRule,
        control: &Control<'_>,
    ) -> Result<(Totals, NetResults), Cancelled> {
        let flops = Flops::new();
        let sums = self.sum(strategy, &flops, "enumerating", control)?;
        let (totals, on_flop) = self.decide(strategy, &flops, &sums);
        let before = totals.hands.iter().map(|hand| hand.chosen as usize).collect();
        let plan = Plan { strategy, flops: &flops, before, on_flop };
        let add = |ended: &mut Ended, counter: &mut BoardCounter<'_>, board, weight| {
            self.add_board(&plan, counter, board, weight, ended);
        };
        let ended = self.over_boards("counting results", control, Ended::default, add, joined)?;
        Ok((totals, self.net_results(&ended)))
    }

    /// Adds the deals with a board that represents `weight` boards. Every deal counts once for each of the board's ten
    /// flops, on which the strategy may play for some and check for others.
    fn add_board<S: DecisionRule>(
        &self,
        plan: &Plan<'_, S>,
        counter: &mut BoardCounter<'_>,
        board: CardSet,
        weight: i64,
        ended: &mut Ended,
    ) {
        let seen = plan.strategy.board(board);
        let mut on_flop = [0i64; PAIRS];
        for_each_flop(board, |flop| {
            let (class, pairs) = plan.flops.class(flop);
            let plays = &plan.on_flop[class * PAIRS..][..PAIRS];
            for (count, &pair) in on_flop.iter_mut().zip(pairs) {
                *count += i64::from(plays[usize::from(pair)]);
            }
        });
        counter.count(board, |counted| {
            let category = self.game.best().category(counted.strength);
            let ends = &counted.ends;
            let ends = [ends.wins[0], ends.wins[1], ends.ties[0], ends.ties[1], ends.losses[0], ends.losses[1]];
            let hole = hole(counted.pair);
            let mut add = |antes: usize, flops: i64| {
                let counts = &mut ended[antes][category as usize];
                counts.iter_mut().zip(ends).for_each(|(count, hands)| *count += weight * flops * hands);
            };
            let before = plan.before[hole.kind()];
            if before > 0 {
                add(before, FLOPS as i64);
                return;
            }
            let (play, fold) = (self.pays.moments(category, &counted.ends).value(1), self.pays.fold(category));
            let plays = plan.strategy.river(hole, &seen, play, fold * DEALER_HANDS);
            add(2, on_flop[counted.pair]);
            add(usize::from(plays), FLOPS as i64 - on_flop[counted.pair]);
        });
    }

    fn net_results(&self, ended: &Ended) -> NetResults {
        let mut results = NetResults::new(ANTE);
        for (antes, by_category) in ended.iter().enumerate() {
            for (category, counts) in Category::ALL.into_iter().zip(by_category) {
                for (end, &deals) in counts.iter().enumerate() {
                    let net = match antes {
                        0 => self.pays.fold(category),
                        _ => self.pays.end(category, end).value(antes as i64),
                    };
                    results.add(net, deals as u128);
                }
            }
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::super::showdown;
    use super::super::{DEALS, Optimum};
    use super::*;
    use houseway_env::rules::RuleSet;
    use houseway_env::ultimate_holdem::{Game, Hole, Rules};
    use std::array::from_fn;

    /// The net results on one board with a Trips bet, decision by decision.
    fn slow(game: &Game, plan: &Plan<'_, Optimum>, board: CardSet) -> NetResults {
        let mut results = NetResults::new(ANTE);
        for pair in (0..PAIRS).filter(|&pair| hole(pair).set().intersection(board).is_empty()) {
            let hand: Hole = hole(pair);
            let category = game.best().category(game.best().ranking().best(hand.set().union(board)));
            let ends = showdown::ends(game, hand, board, CardSet::EMPTY);
            let pays = showdown::Pays::new(game, 1);
            let fold = pays.fold(category);
            let play = pays.moments(category, &ends).value(1);
            for_each_flop(board, |flop| {
                let (class, pairs) = plan.flops.class(flop);
                let antes = match plan.before[hand.kind()] {
                    0 if plan.on_flop[class * PAIRS + usize::from(pairs[pair])] => 2,
                    0 => i64::from(play > fold * DEALER_HANDS),
                    before => before as i64,
                };
                if antes == 0 {
                    results.add(fold, DEALER_HANDS as u128);
                    return;
                }
                let counts = [ends.wins, ends.ties, ends.losses].concat();
                for (end, hands) in counts.into_iter().enumerate() {
                    results.add(pays.end(category, end).value(antes), hands as u128);
                }
            });
        }
        results
    }

    #[test]
    fn results_on_a_board_match_those_of_its_hands() {
        let game = Game::new(Rules::default().with("trips-on-fold=lost").unwrap());
        let (whole, flops) = (FullGame::new(&game, 1), Flops::new());
        // Any decisions before the river are counted, not only good ones.
        let on_flop = (0..flops.classes().len() * PAIRS).map(|place| place % 3 == 0).collect();
        let before = (0..Hole::KINDS).map(|kind| [0, 0, 3, 4][kind % 4]).collect();
        let plan = Plan { strategy: &Optimum, flops: &flops, before, on_flop };
        for board in ["2c 7d Jh Qs Ah", "9s Ts Js Qs 2c", "4c 4d 4h 4s Kd"] {
            let (mut ended, mut counter) = (from_fn(|_| from_fn(|_| [0; ENDS])), BoardCounter::new(&game));
            let board = board.parse().unwrap();
            whole.add_board(&plan, &mut counter, board, 1, &mut ended);
            assert_eq!(whole.net_results(&ended), slow(&game, &plan, board), "{board}");
        }
    }

    #[test]
    #[ignore = "takes 30 s; compares the distribution over all deals with the sums of the optimum"]
    fn all_results_have_the_moments_of_the_totals() {
        let game = Game::new(Rules::default());
        let (totals, results) = FullGame::new(&game, 0).count_results(&Optimum, &Control::default()).unwrap();
        assert_eq!((results.deals() as i128, results.ev()), (DEALS, totals.ev));
        assert!((results.variance() - totals.variance).abs() < 1e-9);
    }
}
