//! Pai gow with its 32 tiles, in which four tiles are set into two halves and both must beat the bank's.
//!
#![doc = include_str!("rules.md")]
//!
//! - [`Rules`] has a field for each reading and variant.
//! - [`Tile`], [`Hand`] and [`Half`] are the pieces and their order.
//! - [`Game`] is the compiled form of the rules. It compares set hands.
//! - [`house_way`] has house ways as data.
//! - [`PaidHand`] is a hand that a side bet pays on.
//! - [`PaiGowTiles`] is the environment `PaiGowTiles-v0`, and [`Observation`] lists its observation encodings.

mod env;
mod game;
pub mod house_way;
mod paid_hand;
#[cfg(test)]
mod tests;
mod tiles;

pub use env::{GAME, ID, Observation, PaiGowTiles, State};
pub use game::Game;
pub use paid_hand::{PAYTABLES, PaidHand, Paytable};
pub use tiles::{Half, Hand, SetHand, Tile};

crate::rules! {
    /// The rules of pai gow with tiles.
    #[derive(Copy, Hash)]
    pub struct Rules {
        /// The places of the Gee Joon tiles among single tiles, and the tiles that tie.
        reading singles: Singles {
            /// Both Gee Joon tiles stand last and tie.
            GeeLowest,
            /// The 4-2 stands between the sevens and the fives, and the 2-1 last.
            SixAboveFives,
            /// H10, H6 and L4 tie, so do 11, L10, H7 and L6, and so do the mixed pairs. Gee Joon stands last.
            Groups,
        }

        /// The comparison of two Wongs or Gongs with the same Teen or Day.
        reading special: Special {
            /// They are a copy.
            TeenDay,
            /// The other tile decides.
            SecondTile,
        }

        /// The comparison of two halves with 0 points.
        reading zero: Zero {
            /// They are a copy.
            Copy,
            /// The better single tile decides.
            Ranked,
        }

        /// The result of equal halves.
        reading copies: Copies {
            /// The bank wins the comparison.
            Bank,
            /// Nobody wins the comparison, so the stake is a push.
            Push,
        }

        /// The commission on a win.
        reading commission: Commission {
            /// A twentieth of the win.
            FivePercent,
            /// A twenty-first of the win, because the player adds it to the wager beforehand, 21 for 20.
            Prepaid,
            /// A twenty-fifth of every win, as if the stake were 25 chips, whose 5% are rounded to a chip.
            Rounded,
            /// No commission is charged.
            None,
        }

        /// The first rule of a house way, which most sources leave unwritten: a setting that is at least as good as all
        /// others in both halves is played.
        reading only_way: OnlyWay {
            /// The rule is part of every house way that has it.
            On,
            /// The rule is left out.
            Off,
        }

        /// The last exception of the Foxwoods house way, whose picture was inferred.
        reading fox_last: FoxLast {
            /// The exception applies.
            On,
            /// The exception is left out.
            Off,
        }

        /// The house way of the house.
        variant way: HouseWay {
            /// The traditional house way.
            Traditional,
            /// The house way of Foxwoods.
            Foxwoods,
            /// The house way of Casino Canberra.
            Canberra,
        }

        /// The side that holds the bank and wins copies. The commission is always the player's.
        variant bank: Bank {
            /// The house banks.
            House,
            /// The player banks against the house's wager.
            Player,
        }
    }
}
