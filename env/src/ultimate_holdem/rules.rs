//! The rules of Ultimate Texas Hold'em, consisting of readings, some of which are paytables.

use super::{PAYTABLES, Paytable};
use crate::files;

/// The names of the paytables.
const NAMES: [&str; PAYTABLES.len()] = files::names(&PAYTABLES);

crate::rules! {
    /// The rules of Ultimate Texas Hold'em.
    pub struct Rules {
        /// The size of the Play wager before the flop. The digit is missing in the source.
        reading preflop_play: PreflopPlay {
            /// The player plays four antes.
            Four,
            /// The player plays three antes.
            Three,
            /// The player chooses between three and four antes.
            ThreeOrFour,
        }

        /// The settlement when the dealer has less than a pair.
        reading dealer_unqualified: DealerUnqualified {
            /// The Ante pushes. Play and Blind are settled by comparing the hands.
            AntePushes,
            /// The Ante pushes unless the dealer's hand is higher, as in "If the Croupier wins, the Ante, Play and
            /// Blind bets are collected".
            AnteLostIfDealerWins,
            /// The dealer always qualifies, so the Ante is always in play.
            NoQualification,
            /// The hands are not compared. The Ante wins, and Play and Blind are returned.
            CasinoHoldem,
        }

        /// The result of the Trips bet when its player folds.
        reading trips_on_fold: TripsOnFold {
            /// The bet is settled according to its paytable.
            Settled,
            /// The bet loses, as in "Fold closing all the bets they have placed".
            Lost,
        }

        /// The payment of half antes.
        reading rounding: Rounding {
            /// Half antes are paid exactly.
            Exact,
            /// Payments are rounded down to whole antes, because the ante is the table's smallest chip.
            Down,
        }

        /// The odds of the Blind. The stake is returned if there is no row for the hand.
        reading blind_table: Paytable = built_in(NAMES[0]), options NAMES.split_at(1).0;

        /// The odds of Trips. The bet loses if there is no row for the hand.
        reading trips_table: Paytable = built_in(NAMES[1]), options NAMES.split_at(1).1;
    }
}

fn built_in(name: &str) -> Paytable {
    Paytable::named(name).expect("a test reads the paytables of the crate")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{RuleReading, RuleSet};

    #[test]
    fn readings_take_names_of_paytables() {
        assert_eq!(Rules::defaults().len(), Rules::READINGS.len());
        for RuleReading { name, options, .. } in Rules::READINGS {
            let with = |option: &str| Rules::default().with(&format!("{name}={option}"));
            assert_eq!(with(options[0]).unwrap(), Rules::default(), "the default comes first");
            for option in &options[1..] {
                assert_ne!(with(option).unwrap(), Rules::default(), "{name}={option}");
            }
            let error = with("nonsense").unwrap_err().to_string();
            assert!(error.contains(options[0]), "{error}");
        }
    }

    #[test]
    fn rules_round_trip_and_refuse_typos() {
        let rules = Rules::default().with("trips-table=ultimate-trips-20-7-6-5-3").unwrap();
        let read: Rules = toml::from_str(&toml::to_string(&rules).unwrap()).unwrap();
        assert_eq!(read.hash(), rules.hash());
        assert_ne!(rules.hash(), Rules::default().hash());
        let text = "blind-table = { name = 'odd', row = [{ hand = 'flush', odds = 2 }] }";
        assert_eq!(toml::from_str::<Rules>(text).unwrap().blind_table.units(crate::rank::Category::Flush), Some(4));
        assert!(toml::from_str::<Rules>("blind = 'ultimate-blind'").is_err());
    }

    #[test]
    fn the_hash_is_stable() {
        // Committed results contain this hash, so only change it deliberately.
        assert_eq!(Rules::default().hash(), "14bf20c0b0ccbe01");
    }
}
