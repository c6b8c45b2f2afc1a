//! Which games a command answers for, and with which of its options.

use crate::console::{Failure, OrUsage, Outcome};
use houseway_env::registry;

/// A game that a command answers for.
pub(super) struct Offer<C> {
    /// The game's name in the registry.
    pub(super) game: &'static str,
    /// The command's options that belong to this game; options that all games share are not named.
    pub(super) options: &'static [&'static str],
    /// What the command does for it.
    pub(super) run: fn(&C) -> Outcome,
}

/// What a command does for a game. `given` says which of the options that belong to single games are on the command line.
///
/// # Errors
/// If there is no such game, the command does not answer for it, or an option of another game is given.
pub(super) fn find<C>(
    command: &str,
    offers: &[Offer<C>],
    game: &str,
    given: &[(&str, bool)],
) -> Outcome<fn(&C) -> Outcome> {
    let name = registry::find(game).or_usage()?.name;
    let Some(offer) = offers.iter().find(|offer| offer.game == name) else {
        let known: Vec<&str> = offers.iter().map(|offer| offer.game).collect();
        let known = known.join(" or -g ");
        return Err(Failure::usage(format!(
            "houseway {command} has no answer for the game '{name}'; it takes -g {known}"
        )));
    };
    let foreign = given.iter().find(|(option, given)| *given && !offer.options.contains(option));
    if let Some((option, _)) = foreign {
        let takes = |other: &&Offer<C>| other.options.contains(option);
        let theirs: Vec<&str> = offers.iter().filter(takes).map(|other| other.game).collect();
        return Err(Failure::usage(format!(
            "the option {option} does not belong to the game {name}; leave it out, or choose -g {}",
            theirs.join(" or -g ")
        )));
    }
    Ok(offer.run)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFERS: &[Offer<()>] = &[Offer { game: "pai-gow-poker", options: &["--way"], run: |()| Ok(()) }];

    fn message(game: &str, given: &[(&str, bool)]) -> String {
        find("ev", OFFERS, game, given).err().map(|failure| format!("{failure:?}")).unwrap_or_default()
    }

    #[test]
    fn games_and_options_that_do_not_fit_are_named() {
        assert_eq!(message("pai-gow-poker", &[("--way", true), ("--board", false)]), "");
        assert_eq!(message("PaiGowPoker-v0", &[]), "");
        assert!(message("baccarat", &[]).contains("no game 'baccarat'"));
        let error = message("pai-gow-poker", &[("--board", true)]);
        assert!(error.contains("--board does not belong to the game pai-gow-poker"), "{error}");
    }
}
