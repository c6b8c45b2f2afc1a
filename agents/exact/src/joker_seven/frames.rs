//! Data frames for Joker Seven.

use super::exact_game::ExactGame;
use super::{Frontier, HANDS};
use crate::answer::Frame;
use crate::solver::FrameSpec;
use houseway_env::joker_seven::{Wager, WagerKind};

/// The available frames.
pub(super) const FRAMES: &[FrameSpec] = &[
    FrameSpec {
        name: "wagers",
        about: "all wagers on the layout, with their names, kinds and odds, and the number of hands in which both the \
                wager in the row and the wager in the column win",
        inputs: &[],
    },
    FrameSpec {
        name: "frontier",
        about: "the spreads of one unit with the lowest standard deviation for their EV, with the fraction for each kind \
                of wager, the EV and the standard deviation",
        inputs: &[],
    },
];

impl ExactGame {
    pub(super) fn compute_frame(&self, name: &str) -> Frame {
        if name == "wagers" { self.wagers_frame() } else { self.frontier_frame() }
    }

    fn wagers_frame(&self) -> Frame {
        let (outcomes, rules) = (&self.outcomes, self.game.rules());
        let wagers: Vec<Wager> = outcomes.wagers().collect();
        let both = wagers.iter().flat_map(|&a| wagers.iter().map(move |&b| (a, b)));
        let both = both.map(|(a, b)| outcomes.winners_of_both(a, b) as i64).collect::<Vec<i64>>();
        Frame::default()
            .column("name", wagers.iter().map(|wager| wager.name(rules)).collect::<Vec<String>>())
            .column("kind", wagers.iter().map(|wager| wager.kind().name().to_owned()).collect::<Vec<String>>())
            .column("odds", wagers.iter().map(|&wager| i64::from(outcomes.odds(wager))).collect::<Vec<i64>>())
            .wide("both", wagers.len(), both)
            .fact("hands", HANDS)
    }

    fn frontier_frame(&self) -> Frame {
        let frontier = Frontier::new(&self.outcomes);
        let (kinds, points): (Vec<(WagerKind, _)>, _) = (frontier.kinds().collect(), frontier.points());
        let shares = points.iter().flat_map(|point| point.shares.iter().map(|&(_, share)| share));
        let spots: Vec<i64> = kinds.iter().map(|&(_, spots)| spots as i64).collect();
        Frame::default()
            .wide("shares", kinds.len(), shares.collect::<Vec<f64>>())
            .column("ev", points.iter().map(|point| point.ev).collect::<Vec<f64>>())
            .column("deviation", points.iter().map(|point| point.deviation).collect::<Vec<f64>>())
            .fact("kinds", kinds.iter().map(|(kind, _)| kind.name()).collect::<Vec<_>>())
            .fact("spots", spots)
    }
}
