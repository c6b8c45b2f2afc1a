//! Results over all deals: the distribution of the net result, the EV of each wager and how often each decision is made.

use super::board::{ALL_FLOPS, BoardCounter, Flops, PAIRS, flop_number};
use super::showdown::ENDS;
use super::whole::{FLOPS, for_each_flop, hole, kind};
use super::{ANTE, BOARDS, Before, Cancelled, DEALER_HANDS, DEALS, DecisionRule, FullGame, HandTotals};
use crate::Ratio;
use crate::net::NetResults;
use crate::solver::Control;
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::rank::Category;
use houseway_env::ultimate_holdem::{Hole, HoleCards};

/// The largest Play, in antes.
const LARGEST: usize = 4;
/// The number of ways to split seven cards into a board and a hand.
const SEVEN_AS_BOARDS: u64 = 21;

/// The deals by how they end. Every deal counts once for each of its board's ten flops.
pub(super) struct Ended {
    /// The number of deals by the Play in antes, or 0 for a fold, the player's category and the result of the comparison.
    deals: [[[i64; ENDS.len()]; Category::ALL.len()]; LARGEST + 1],
    /// The number of boards on which each kind of starting hand plays on the flop, plays on the river and folds, if it
    /// checks before the flop.
    after_check: [[i64; 3]; Hole::KINDS],
}

impl Ended {
    const NONE: Ended =
        Ended { deals: [[[0; ENDS.len()]; Category::ALL.len()]; LARGEST + 1], after_check: [[0; 3]; Hole::KINDS] };

    fn add(mut self, other: Ended) -> Ended {
        let deals = self.deals.iter_mut().flatten().flatten().zip(other.deals.iter().flatten().flatten());
        let after_check = self.after_check.iter_mut().flatten().zip(other.after_check.iter().flatten());
        deals.chain(after_check).for_each(|(count, more)| *count += more);
        self
    }
}

/// The results of a strategy over all deals, in antes.
#[derive(Clone, Debug)]
pub struct Totals {
    /// The EV of the net result of all wagers.
    pub ev: Ratio,
    /// The variance of the net result, computed from exact sums.
    pub variance: f64,
    /// The 169 kinds of starting hands, indexed by [`Hole::kind`].
    pub hands: Vec<HandTotals>,
    /// The probabilities of playing on the flop, playing on the river and folding, given a check, with each kind of starting
    /// hand.
    pub after_check: Vec<[Ratio; 3]>,
    /// The number of deals, out of [`DEALS`], with a Play of 4, 3, 2 and 1 antes, and with a fold.
    pub played: [i128; LARGEST + 1],
    /// The mean total wager, including Ante, Blind, Trips and Play.
    pub average_wager: Ratio,
    /// The number of seven-card hands, out of 133,784,560, that give the player each [`Category`]. If both hole cards belong
    /// to a hand, they count once for each pair of them, out of 2,809,475,760.
    pub categories: Vec<(Category, u64)>,
    /// The EV of a Trips bet beside this strategy, per unit staked. Folds only matter if they lose the bet.
    pub trips: Ratio,
}

impl Totals {
    /// Returns the house edge, in antes.
    pub fn edge(&self) -> Ratio {
        -self.ev
    }

    /// Returns the element of risk: the expected loss per unit of the total wager.
    pub fn element_of_risk(&self) -> f64 {
        self.edge().value() / self.average_wager.value()
    }

    /// Returns the probabilities of a Play of 4, 3, 2 and 1 antes, and of a fold.
    pub fn frequencies(&self) -> [Ratio; LARGEST + 1] {
        self.played.map(|deals| Ratio::new(deals, DEALS))
    }
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
    fn new(strategy: &'a S, flops: &Flops, before: &Before) -> Plan<'a, S> {
        let mut on_flop = vec![0; ALL_FLOPS * PAIRS];
        for_each_subset(CardSet::DECK_52, 3, |flop| {
            let (class, pairs) = flops.class(flop);
            let row = &mut on_flop[flop_number(flop) * PAIRS..][..PAIRS];
            for (plays, &pair) in row.iter_mut().zip(pairs) {
                *plays = u8::from(before.flops[class * PAIRS + usize::from(pair)]);
            }
        });
        let before = before.hands.iter().map(|hand| hand.chosen as usize).collect();
        Plan { strategy, before, on_flop }
    }
}

impl FullGame<'_> {
    /// Evaluates a strategy over all deals, using the current thread pool.
    ///
    /// # Errors
    /// Returns [`Cancelled`] if the evaluation was canceled.
    ///
    /// # Panics
    /// Panics if [`DecisionRule::start`] returns a number of antes that the rules don't allow.
    pub fn count(&self, strategy: &impl DecisionRule, control: &Control<'_>) -> Result<Totals, Cancelled> {
        let before = self.before(strategy, control)?;
        let is_legal = |hand: &HandTotals| hand.chosen == 0 || self.plays.contains(&hand.chosen);
        assert!(before.hands.iter().all(is_legal), "a strategy checks or plays {:?} antes before the flop", self.plays);
        self.totals(strategy, &before, control)
    }

    /// Evaluates a strategy that has made its decisions before the river.
    pub(super) fn totals(
        &self,
        strategy: &impl DecisionRule,
        before: &Before,
        control: &Control<'_>,
    ) -> Result<Totals, Cancelled> {
        let ended = self.ended(strategy, before, control)?;
        let results = self.net_results(&ended);
        let played = [4, 3, 2, 1, 0].map(|antes: usize| ended.deals[antes].iter().flatten().sum::<i64>().into());
        let antes = [4, 3, 2, 1].into_iter().zip(played).map(|(antes, deals)| antes * deals).sum::<i128>();
        let splits = match self.game.rules().hole_cards {
            HoleCards::Any => SEVEN_AS_BOARDS,
            HoleCards::Both => 1,
        };
        let hands = |category: Category| {
            let deals = ended.deals.iter().flat_map(|by_category| by_category[category as usize]).sum::<i64>();
            deals as u64 / (FLOPS as u64 * DEALER_HANDS as u64 * splits)
        };
        let categories = Category::ALL.into_iter().map(|category| (category, hands(category)));
        let categories: Vec<(Category, u64)> = categories.filter(|(_, hands)| *hands > 0).collect();
        let shares = |(hand, boards): (&HandTotals, &[i64; 3])| {
            boards.map(|boards| Ratio::new(boards.into(), hand.combinations * BOARDS))
        };
        Ok(Totals {
            ev: results.ev(),
            variance: results.variance(),
            hands: before.hands.clone(),
            after_check: before.hands.iter().zip(&ended.after_check).map(shares).collect(),
            played,
            average_wager: Ratio::new(antes + 2 * DEALS, DEALS) + Ratio::new(self.pays.trips.into(), 1),
            trips: self.wager_evs(&ended, 1)[3],
            categories,
        })
    }

    /// Counts the deals by their end.
    pub(super) fn ended(
        &self,
        strategy: &impl DecisionRule,
        before: &Before,
        control: &Control<'_>,
    ) -> Result<Ended, Cancelled> {
        let plan = Plan::new(strategy, &self.flops, before);
        let add = |ended: &mut Ended, counter: &mut BoardCounter<'_>, board, weight| {
            self.add_board(&plan, counter, board, weight, ended);
        };
        self.over_boards("counting results", control, || Ended::NONE, add, Ended::add)
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
            let (kind, hole) = (kind(counted.pair), hole(counted.pair));
            let (play, fold) = (self.pays.moments(category, &counted.ends).value(1), self.pays.fold(category));
            let plays = plan.strategy.river(hole, &seen, play, fold * DEALER_HANDS);
            let on_flop = i64::from(on_flop[counted.pair]);
            let on_river = FLOPS as i64 - on_flop;
            let after_check = if plays { [on_flop, on_river, 0] } else { [on_flop, 0, on_river] };
            ended.after_check[kind].iter_mut().zip(after_check).for_each(|(count, boards)| *count += weight * boards);
            let mut add = |antes: usize, flops: i64| {
                let counts = &mut ended.deals[antes][category as usize];
                counts.iter_mut().zip(counted.ends.0).for_each(|(count, hands)| *count += weight * flops * hands);
            };
            match plan.before[kind] {
                0 => {
                    add(2, on_flop);
                    add(usize::from(plays), on_river);
                }
                before => add(before, FLOPS as i64),
            }
        });
    }

    /// Returns the net result of all wagers over the given deals.
    pub(super) fn net_results(&self, ended: &Ended) -> NetResults {
        let mut results = NetResults::new(ANTE);
        self.for_each_end(ended, self.pays.trips, |wagers, deals| results.add(wagers.iter().sum(), deals as u128));
        results
    }

    /// Returns the EV of each wager over all deals, in antes.
    pub(super) fn ev_parts(&self, ended: &Ended) -> Vec<(&'static str, Ratio)> {
        let evs = self.wager_evs(ended, self.pays.trips);
        let wagers = if self.pays.trips > 0 { 4 } else { 3 };
        ["ante", "blind", "play", "trips"].into_iter().zip(evs).take(wagers).collect()
    }

    /// Returns the EVs of the Ante, the Blind, the Play and a Trips bet of `trips` antes over all deals, in antes.
    fn wager_evs(&self, ended: &Ended, trips: u16) -> [Ratio; 4] {
        let mut sums = [0; 4];
        self.for_each_end(ended, trips, |wagers, deals| {
            sums.iter_mut().zip(wagers).for_each(|(sum, net)| *sum += i128::from(net * deals));
        });
        sums.map(|sum| Ratio::new(sum, DEALS * i128::from(ANTE)))
    }

    /// Calls `visit` with the net results of the Ante, the Blind, the Play and a Trips bet of `trips` antes in half antes,
    /// and the number of deals that end so.
    fn for_each_end(&self, ended: &Ended, trips: u16, mut visit: impl FnMut([i64; 4], i64)) {
        let (game, trips) = (self.game, i64::from(trips));
        for (antes, by_category) in (0..).zip(&ended.deals) {
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
    use houseway_env::ultimate_holdem::{Game, Rules};
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
            let category = game.best().category(game.on_board(board).of(hand.set()));
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
                for (end, hands) in ENDS.into_iter().zip(ends.0) {
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
        let whole = FullGame::new(&game, 1);
        let flops = &whole.flops;
        // Any decisions before the river are counted, not only good ones.
        let of_class: Vec<bool> = (0..flops.classes().len() * PAIRS).map(|place| place % 3 == 0).collect();
        let hands = (0..Hole::KINDS).map(|kind| HandTotals {
            hole: hole(0),
            combinations: 0,
            plays: vec![],
            check: Ratio::ZERO,
            chosen: [0, 0, 3, 4][kind % 4],
        });
        let before = Before { ev: Ratio::ZERO, hands: hands.collect(), flops: of_class.clone() };
        let plan = Plan::new(&Optimum, flops, &before);
        let on_flop = |flop: CardSet, pair: usize| {
            let (class, pairs) = flops.class(flop);
            of_class[class * PAIRS + usize::from(pairs[pair])]
        };
        for board in ["2c 7d Jh Qs Ah", "9s Ts Js Qs 2c", "4c 4d 4h 4s Kd"] {
            let (mut ended, mut counter) = (Ended::NONE, BoardCounter::new(&game));
            let board = board.parse().unwrap();
            whole.add_board(&plan, &mut counter, board, 1, &mut ended);
            let (results, sums) = slow(&game, &plan, &on_flop, board);
            assert_eq!(whole.net_results(&ended), results, "{board}");
            let evs = sums.map(|sum| Ratio::new(sum.into(), DEALS * i128::from(ANTE)));
            let expected: Vec<_> = ["ante", "blind", "play", "trips"].into_iter().zip(evs).collect();
            assert_eq!(whole.ev_parts(&ended), expected, "{board}");
            // A fold loses some of the hands that Trips pays, whether they are staked or not.
            let unstaked = FullGame::new(&game, 0);
            assert_eq!(unstaked.wager_evs(&ended, 1), evs, "{board}");
            assert_eq!(unstaked.ev_parts(&ended), expected[..3], "{board}");
        }
    }
}
