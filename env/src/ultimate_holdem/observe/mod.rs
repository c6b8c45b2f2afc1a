//! What an agent sees: two encodings, each with its layout in its own module.
//!
//! | name | module | numbers | bounds |
//! |---|---|---|---|
//! | `raw-cards` | [`raw_cards`] | 8 | 0 to 52 |
//! | `features` | [`features`] | 86 | 0 to 1 |
//!
//! Stakes are no part of an observation. When the hand is over the whole board is seen, and the dealer's cards never.

pub mod features;
pub mod raw_cards;

use super::{Game, Hole, Stage};
use crate::cards::CardSet;
use crate::gym::{BoxSpace, EnvError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// An encoding, by its name in kebab-case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observation {
    /// The indices of the cards, see [`raw_cards`].
    RawCards,
    /// Ranks, suits, straights and what is made of them, see [`features`].
    #[default]
    Features,
}

impl Observation {
    /// All encodings.
    pub const ALL: [Observation; 2] = [Observation::RawCards, Observation::Features];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Observation::RawCards => "raw-cards",
            Observation::Features => "features",
        }
    }

    /// How many numbers it writes.
    #[allow(clippy::len_without_is_empty)] // an observation is never empty
    pub const fn len(self) -> usize {
        match self {
            Observation::RawCards => raw_cards::LEN,
            Observation::Features => features::LEN,
        }
    }

    /// The shape and bounds.
    pub fn space(self) -> BoxSpace {
        let high = if self == Observation::RawCards { 52.0 } else { 1.0 };
        BoxSpace { shape: vec![self.len()], low: 0.0, high }
    }

    /// Writes what a player sees: his cards, the flop (looked at only when `board` shows it) and the board shown so far.
    ///
    /// # Errors
    /// [`EnvError::Length`] if the slice has not [`Observation::len`] entries.
    pub fn write(
        self,
        game: &Game,
        stage: Stage,
        hole: Hole,
        flop: CardSet,
        board: CardSet,
        out: &mut [f32],
    ) -> Result<(), EnvError> {
        EnvError::check_length("the observation", out.len(), self.len())?;
        match self {
            Observation::RawCards => raw_cards::write(stage, hole, flop.intersection(board), board, out),
            Observation::Features => features::write(game, stage, hole, board, out),
        }
        Ok(())
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Observation {
    type Err = EnvError;

    fn from_str(text: &str) -> Result<Observation, EnvError> {
        let found = Observation::ALL.into_iter().find(|encoding| encoding.name() == text);
        found.ok_or_else(|| EnvError::no_encoding(text, &Observation::ALL.map(Observation::name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;
    use crate::ultimate_holdem::{Deal, Rules};

    #[test]
    fn names_parse_back() {
        for encoding in Observation::ALL {
            assert_eq!(encoding.to_string().parse(), Ok(encoding));
            assert_eq!(serde_json::to_string(&encoding).unwrap(), format!("\"{encoding}\""));
        }
        let error = "cards".parse::<Observation>().unwrap_err().to_string();
        assert!(error.contains("raw-cards, features"), "{error}");
    }

    #[test]
    fn every_number_is_written_within_bounds_and_nothing_hidden_is_seen() {
        let game = Game::new(Rules::default());
        let mut rng = stream(4.into());
        for encoding in Observation::ALL {
            for _ in 0..2_000 {
                let [deal, other] = [0; 2].map(|_| Deal::new(&mut rng));
                for stage in [Stage::Start, Stage::Flop, Stage::River, Stage::Over] {
                    let mut out = vec![f32::NAN; encoding.len()];
                    let (hole, board) = (deal.hole(), deal.board(stage.board_cards()));
                    encoding.write(&game, stage, hole, deal.board(3), board, &mut out).unwrap();
                    assert!(encoding.space().contains(&out), "{encoding} of {hole}, {board}: {out:?}");
                    if stage == Stage::Start {
                        let mut again = vec![f32::NAN; encoding.len()];
                        encoding.write(&game, stage, hole, other.board(3), board, &mut again).unwrap();
                        assert_eq!(out, again);
                    }
                }
            }
            let (hole, none) = ("As Kd".parse().unwrap(), CardSet::EMPTY);
            let error = encoding.write(&game, Stage::Start, hole, none, none, &mut [0.0; 9]).unwrap_err();
            assert!(matches!(error, EnvError::Length { found: 9, .. }));
        }
    }
}
