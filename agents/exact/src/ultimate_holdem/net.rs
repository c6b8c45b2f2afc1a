//! The distribution of the net result over all deals, and the EV of each wager.

use super::board::{ALL_FLOPS, BoardCounter, Flops, PAIRS, flop_number};
use super::showdown::ENDS;
use super::whole::{FLOPS, for_each_flop, hole};
use super::{ANTE, Cancelled, DEALER_HANDS, DEALS, DecisionRule, FullGame, Totals};
use crate::Ratio;
use crate::net::NetResults;
use crate::solver::Control;
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::rank::Category;

/// The largest Play, in antes.
const LARGEST: usize = 4;

/// The number of deals by the Play in antes, or 0 for a fold, the player's category and the result of the comparison.
pub(super) type Ended = [[[i64; ENDS.len()]; Category::ALL.len()]; LARGEST + 1];

fn joined(mut all: Ended, more: Ended) -> Ended {
    let counts = all.iter_mut().flatten().flatten();
    counts.zip(more.iter().flatten().flatten()).for_each(|(count, more)| *count += more);
    all
}

/// A strategy with its decisions before the river.
struct Plan<'a, S> {
    strategy: &'a S,
    /// The Play before the flop for every kind of starting hand, in antes, or 0 after a check.
    before: Vec<usize>,
    /// 1 to play on the flop or 0 to check, by the flop's number and pair, so that the rows of a board's ten flops add up.
    on_flop: Vec<u8>,
}

impl<'a, S> Plan<'a, S> {
    /// Creates a plan from the decisions on each class of flops, by class and pair.
    fn new(strategy: &'a S, flops: &Flops, before: Vec<usize>, of_class: &[bool]) -> Plan<'a, S> {
        let mut on_flop = vec![0; ALL_FLOPS * PAIRS];
        for_each_subset(CardSet::DECK_52, 3, |flop| {
            let (class, pairs) = flops.class(flop);
            let row = &mut on_flop[flop_number(flop) * PAIRS..][..PAIRS];
            for (plays, &pair) in row.iter_mut().zip(pairs) {
                *plays = u8::from(of_class[class * PAIRS + usize::from(pair)]);
            }
        });
        Plan { strategy, before, on_flop }
    }
}

impl FullGame<'_> {
    /// Evaluates a strategy over all deals like [`FullGame::count`], and counts the deals by their end. This takes twice as
    /// long, because the decision on a flop depends on all boards that can follow.
    pub(super) fn count_ends(
        &self,
        strategy: &impl DecisionRule,
        control: &Control<'_>,
    ) -> Result<(Totals, Ended), Cancelled> {
        let flops = Flops::new();
        let sums = self.sum(strategy, &flops, "enumerating", control)?;
        let (totals, on_flop) = self.decide(strategy, &flops, &sums);
        let before = totals.hands.iter().map(|hand| hand.chosen as usize).collect();
        let plan = Plan::new(strategy, &flops, before, &on_flop);
        let add = |ended: &mut Ended, counter: &mut BoardCounter<'_>, board, weight| {
            self.add_board(&plan, counter, board, weight, ended);
        };
        let ended = self.over_boards("counting results", control, Ended::default, add, joined)?;
        Ok((totals, ended))
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
        let mut on_flop = [0_u8; PAIRS];
        for_each_flop(board, |flop| {
            let plays = &plan.on_flop[flop_number(flop) * PAIRS..][..PAIRS];
            on_flop.iter_mut().zip(plays).for_each(|(count, plays)| *count += plays);
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
            let on_flop = i64::from(on_flop[counted.pair]);
            add(2, on_flop);
            add(usize::from(plays), FLOPS as i64 - on_flop);
        });
    }

    /// Returns the net result of all wagers over the given deals.
    pub(super) fn net_results(&self, ended: &Ended) -> NetResults {
        let mut results = NetResults::new(ANTE);
        self.for_each_end(ended, |wagers, deals| results.add(wagers.iter().sum(), deals as u128));
        results
    }

    /// Returns the EV of each wager over all deals, in antes.
    pub(super) fn ev_parts(&self, ended: &Ended) -> Vec<(&'static str, Ratio)> {
        let mut sums = [0; 4];
        self.for_each_end(ended, |wagers, deals| {
            sums.iter_mut().zip(wagers).for_each(|(sum, net)| *sum += i128::from(net * deals));
        });
        let evs = sums.map(|sum| Ratio::new(sum, DEALS * i128::from(ANTE)));
        let wagers = if self.pays.trips > 0 { 4 } else { 3 };
        ["ante", "blind", "play", "trips"].into_iter().zip(evs).take(wagers).collect()
    }

    /// Calls `visit` with the net results of the Ante, the Blind, the Play and Trips in half antes, and the number of deals
    /// that end so.
    fn for_each_end(&self, ended: &Ended, mut visit: impl FnMut([i64; 4], i64)) {
        let (game, trips) = (self.game, i64::from(self.pays.trips));
        for (antes, by_category) in (0..).zip(ended) {
            for (hand, counts) in Category::ALL.into_iter().zip(by_category) {
                for (end, &deals) in ENDS.into_iter().zip(counts) {
                    let (ante, blind) = (game.ante(end).into(), game.blind(end, hand).into());
                    let wagers = match antes {
                        0 => [-ANTE, -ANTE, 0, trips * i64::from(game.trips_after_fold(hand))],
                        _ => {
                            [ante, blind, ANTE * antes * i64::from(game.play(end)), trips * i64::from(game.trips(hand))]
                        }
                    };
                    visit(wagers, deals);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Optimum;
    use super::super::showdown;
    use super::*;
    use houseway_env::rules::RuleSet;
    use houseway_env::ultimate_holdem::{Game, Hole, Rules};
    use std::array::from_fn;
    use std::cmp::Ordering;

    /// The net results on one board with a Trips bet that a fold loses, and the sums of the four wagers in half antes,
    /// decision by decision.
    fn slow(
        game: &Game,
        plan: &Plan<'_, Optimum>,
        on_flop: &dyn Fn(CardSet, usize) -> bool,
        board: CardSet,
    ) -> (NetResults, [i64; 4]) {
        let (mut results, mut sums) = (NetResults::new(ANTE), [0; 4]);
        let mut add = |wagers: [i64; 4], hands: i64| {
            results.add(wagers.iter().sum(), hands as u128);
            sums.iter_mut().zip(wagers).for_each(|(sum, net)| *sum += net * hands);
        };
        for pair in (0..PAIRS).filter(|&pair| hole(pair).set().intersection(board).is_empty()) {
            let hand: Hole = hole(pair);
            let category = game.best().category(game.best().ranking().best(hand.set().union(board)));
            let ends = showdown::ends(game, hand, board, CardSet::EMPTY);
            let pays = showdown::Pays::new(game, 1);
            let fold = pays.fold(category);
            let play = pays.moments(category, &ends).value(1);
            for_each_flop(board, |flop| {
                let antes = match plan.before[hand.kind()] {
                    0 if on_flop(flop, pair) => 2,
                    0 => i64::from(play > fold * DEALER_HANDS),
                    before => before as i64,
                };
                if antes == 0 {
                    add([-ANTE, -ANTE, 0, -ANTE], DEALER_HANDS);
                    return;
                }
                let counts = [ends.wins, ends.ties, ends.losses].concat();
                for (end, hands) in ENDS.into_iter().zip(counts) {
                    let sign = match end.winner {
                        Ordering::Greater => 1,
                        Ordering::Equal => 0,
                        Ordering::Less => -1,
                    };
                    let ante = if end.qualified { sign * ANTE } else { 0 };
                    let (play, all) = (sign * antes * ANTE, i64::from(game.showdown(end, category, antes as i32)));
                    add([ante, all - ante - play, play, game.trips(category).into()], hands);
                }
            });
        }
        (results, sums)
    }

    #[test]
    fn results_and_wagers_on_a_board_match_those_of_its_hands() {
        let game = Game::new(Rules::default().with("trips-on-fold=lost").unwrap());
        let (whole, flops) = (FullGame::new(&game, 1), Flops::new());
        // Any decisions before the river are counted, not only good ones.
        let of_class: Vec<bool> = (0..flops.classes().len() * PAIRS).map(|place| place % 3 == 0).collect();
        let before = (0..Hole::KINDS).map(|kind| [0, 0, 3, 4][kind % 4]).collect();
        let plan = Plan::new(&Optimum, &flops, before, &of_class);
        let on_flop = |flop: CardSet, pair: usize| {
            let (class, pairs) = flops.class(flop);
            of_class[class * PAIRS + usize::from(pairs[pair])]
        };
        for board in ["2c 7d Jh Qs Ah", "9s Ts Js Qs 2c", "4c 4d 4h 4s Kd"] {
            let (mut ended, mut counter) = (from_fn(|_| from_fn(|_| [0; ENDS.len()])), BoardCounter::new(&game));
            let board = board.parse().unwrap();
            whole.add_board(&plan, &mut counter, board, 1, &mut ended);
            let (results, sums) = slow(&game, &plan, &on_flop, board);
            assert_eq!(whole.net_results(&ended), results, "{board}");
            let evs = sums.map(|sum| Ratio::new(sum.into(), DEALS * i128::from(ANTE)));
            let expected: Vec<_> = ["ante", "blind", "play", "trips"].into_iter().zip(evs).collect();
            assert_eq!(whole.ev_parts(&ended), expected, "{board}");
        }
    }

    #[test]
    #[ignore = "takes 30 s; compares the distribution over all deals with the sums of the optimum"]
    fn all_results_have_the_moments_of_the_totals() {
        let (game, control) = (Game::new(Rules::default()), Control::default());
        let whole = FullGame::new(&game, 1);
        let (totals, ended) = whole.count_ends(&Optimum, &control).unwrap();
        let (results, parts) = (whole.net_results(&ended), whole.ev_parts(&ended));
        assert_eq!((results.deals() as i128, results.ev()), (DEALS, totals.ev));
        assert!((results.variance() - totals.variance).abs() < 1e-9);
        assert_eq!(parts.iter().map(|&(_, ev)| ev).sum::<Ratio>(), totals.ev);
        assert_eq!(parts.last(), Some(&("trips", totals.trips)));
    }
}
