//! Data frames for Asian Stud.

use super::exact_game::ExactGame;
use super::{Total, poker_hands, side_bet_ev, side_bet_return};
use crate::Ratio;
use crate::answer::Frame;
use crate::solver::{FrameSpec, InputSpec, Inputs, SolverError};
use houseway_env::asian_stud::{Game, Hand, Points, UNIT, Value};
use std::cell::Cell;

/// The available frames.
pub(super) const FRAMES: &[FrameSpec] = &[
    FrameSpec {
        name: "classes",
        about: "all hand classes with their cards by points and jokers, value, number of hands, the dealer's hands by \
                value, the EV of raising in antes times the denominator, and whether the optimum raises",
        inputs: &[],
    },
    FrameSpec {
        name: "hands",
        about: "the value of each hand and its EV of raising in antes, times the denominator",
        inputs: &[InputSpec { name: "cards", about: "rows of five cards", optional: false }],
    },
    FrameSpec {
        name: "policy",
        about: "the results of a policy over all deals",
        inputs: &[InputSpec { name: "raises", about: "whether the policy raises with each class", optional: false }],
    },
    FrameSpec {
        name: "payoffs",
        about: "the result of raising in units of the ante, by the player's and the dealer's value",
        inputs: &[],
    },
    FrameSpec {
        name: "side-bet",
        about: "each row of the side bet's paytable, with its odds and the number of hands it pays",
        inputs: &[],
    },
];

/// Returns the numerator that a fraction has when expanded to the common denominator of all classes.
fn over(ratio: Ratio, denominator: i128) -> i64 {
    i64::try_from(ratio.numerator() * (denominator / ratio.denominator())).expect("EVs are only a few antes")
}

impl ExactGame {
    pub(super) fn compute_frame(&self, name: &str, inputs: &Inputs) -> Result<Frame, SolverError> {
        match name {
            "classes" => Ok(self.classes_frame()),
            "hands" => self.hands_frame(inputs),
            "policy" => self.policy_frame(inputs),
            "payoffs" => Ok(self.payoffs_frame()),
            _ => Ok(self.side_bet_frame()),
        }
    }

    /// Returns the common denominator of all class EVs.
    fn denominator(&self) -> i64 {
        i64::try_from(self.classes.dealer_hands()).expect("the number of five-card hands fits") * UNIT
    }

    fn classes_frame(&self) -> Frame {
        let (all, solution, denominator) = (self.classes.all(), self.solution(), self.denominator());
        let gain = |class| over(solution.raise_ev(class), denominator.into());
        Frame::default()
            .wide("counts", Points::COUNT, all.iter().flat_map(|class| class.counts).collect::<Vec<u8>>())
            .column("value", all.iter().map(|class| class.value.index() as u8).collect::<Vec<u8>>())
            .column("hands", all.iter().map(|class| class.hands as i64).collect::<Vec<i64>>())
            .wide(
                "dealers",
                Value::COUNT,
                all.iter().flat_map(|class| class.dealers.map(|hands| hands as i64)).collect::<Vec<i64>>(),
            )
            .column("gains", all.iter().map(gain).collect::<Vec<i64>>())
            .column("raises", all.iter().map(|class| solution.raises(class)).collect::<Vec<bool>>())
            .fact("denominator", denominator)
    }

    fn hands_frame(&self, inputs: &Inputs) -> Result<Frame, SolverError> {
        let (solution, denominator) = (self.solution(), self.denominator());
        let hand = |set| {
            let class = self.class(Hand::new(set).map_err(SolverError::invalid)?)?;
            Ok((class.value.index() as u8, over(solution.raise_ev(class), denominator.into())))
        };
        let hands = inputs.cards("cards", &[Hand::CARDS])?.into_iter().map(hand);
        let (values, gains): (Vec<u8>, Vec<i64>) = hands.collect::<Result<Vec<_>, SolverError>>()?.into_iter().unzip();
        Ok(Frame::default().column("value", values).column("gains", gains).fact("denominator", denominator))
    }

    fn policy_frame(&self, inputs: &Inputs) -> Result<Frame, SolverError> {
        let (raises, classes) = (inputs.flags("raises")?, self.classes.all().len());
        if raises.len() != classes {
            return Err(SolverError::Invalid(format!(
                "expected {classes} decisions to raise, one per class, found {}",
                raises.len()
            )));
        }
        // The classes are visited in order.
        let next = Cell::new(0);
        let total: Total = self.solution().total(|_| raises[next.replace(next.get() + 1)]);
        Ok(Frame::default()
            .fact("deals", total.deals)
            .fact("raised", total.raised)
            .fact("ev", total.ev().to_json())
            .fact("ev_per_unit_staked", total.ev_per_unit_staked().to_json())
            .fact("average_wager", total.average_wager().to_json())
            .fact("variance", total.variance()))
    }

    fn payoffs_frame(&self) -> Frame {
        let game = Game::new(self.rules);
        let payoffs = Value::all().flat_map(|player| Value::all().map(move |dealer| (player, dealer)));
        let payoffs = payoffs.map(|(player, dealer)| game.raised(player, dealer)).collect::<Vec<i64>>();
        Frame::default().wide("dealer", Value::COUNT, payoffs).fact("unit", UNIT)
    }

    fn side_bet_frame(&self) -> Frame {
        let found = side_bet_return(&self.paytable, &poker_hands(&self.rules));
        let rows = || found.rows.iter();
        Frame::default()
            .column("hand", rows().map(|(row, _)| row.hand.name().to_owned()).collect::<Vec<String>>())
            .column("odds", rows().map(|(row, _)| i64::from(row.odds.units(1))).collect::<Vec<i64>>())
            .column("hands", rows().map(|(_, hands)| *hands as i64).collect::<Vec<i64>>())
            .fact("hands", found.hands())
            .fact("ev", side_bet_ev(&found).to_json())
    }
}
