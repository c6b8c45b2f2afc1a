//! Pai gow with its 32 tiles, in which four tiles are set into two halves and both must beat the bank's.
//!
//! The tiles are Chinese dominoes. Eleven faces exist twice, and ten once. As single tiles, they rank in the order of this
//! table, and the two tiles of a row are worth the same:
//!
//! | code | name | faces | counts |
//! |---|---|---|---|
//! | H2 | Teen | 6-6, 6-6 | 2 |
//! | L2 | Day | 1-1, 1-1 | 2 |
//! | H8 | Yun | 4-4, 4-4 | 8 |
//! | H4 | Gor | 3-1, 3-1 | 4 |
//! | H10 | Mooy | 5-5, 5-5 | 0 |
//! | H6 | Chong | 3-3, 3-3 | 6 |
//! | L4 | Bon | 2-2, 2-2 | 4 |
//! | 11 | Foo | 6-5, 6-5 | 1 |
//! | L10 | Ping | 6-4, 6-4 | 0 |
//! | H7 | Tit | 6-1, 6-1 | 7 |
//! | L6 | Look | 5-1, 5-1 | 6 |
//! | 9 | Chop Gow | 6-3, 5-4 | 9 |
//! | L8 | Chop Bot | 6-2, 5-3 | 8 |
//! | L7 | Chop Chit | 5-2, 4-3 | 7 |
//! | 5 | Chop Ng | 4-1, 3-2 | 5 |
//! | Gee | Gee Joon | 4-2, 2-1 | 3 or 6, whichever is better |
//!
//! A half of two tiles is one of these, from best to worst:
//!
//! - a *pair*, two tiles of one row: Gee Joon, then the others in the order of the table
//! - a *Wong*: Teen or Day with a 9
//! - a *Gong*: Teen or Day with any 8
//! - *points*, the sum of both tiles without its tens, from 9 to 0; a *high nine* is Teen or Day with any 7. With equal
//!   points, the half with the better single tile is better. Two halves with 0 points are equal.
//!
//! The better half of a hand is its *high* half and the other one its *low* half, so a hand can't foul. The low halves
//! are compared with each other, and so are the high halves. Equal halves are a *copy*, which the bank wins. A player who
//! wins both comparisons wins the stake less a commission, one who loses both loses it, and otherwise it is a push.
//!
//! Sources: the Pennsylvania Code (title 58, chapter 621a), the New Zealand Gazette (1998 no. 20, 1999 no. 9, 2001 no.
//! 173), rules of Hard Rock Atlantic City, Borgata, the Hippodrome and other casinos, wizardofodds.com, and public
//! programs. Where they differ or say nothing, there is a reading. Of the other places at the
//! table, the order of dealing and co-banking, nothing affects a single wager.
//!
//! - [`Rules`] has a field for each reading and variant.
//! - [`Tile`], [`Hand`] and [`Half`] are the pieces and their order.
//! - [`Game`] is the compiled form of the rules. It compares set hands.
//! - [`house_way`] has house ways as data.
//! - [`PaiGowTiles`] is the environment `PaiGowTiles-v0`, and [`Observation`] lists its observation encodings.

mod env;
mod game;
pub mod house_way;
mod observe;
#[cfg(test)]
mod tests;
mod tiles;

pub use env::{GAME, ID, PaiGowTiles, State, TilesOptions};
pub use game::Game;
pub use observe::Observation;
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
            /// A twenty-fifth of the win, which is 5% of 25 chips, rounded to a chip.
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
