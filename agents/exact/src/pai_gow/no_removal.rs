//! The best setting if the player's own cards are ignored.

use super::banker::BankerTable;
use super::outcomes::{Payoff, Side, Ties};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{BankerSet, Candidates, Game, Hand, SetHand, Setting, Strategy, settings_in};
use houseway_env::rank::TwoStrength;

/// A strategy that plays the setting with the highest EV against all 154,143,080 hands of one banker, including those
/// with cards that the player holds. The lowest index wins ties.
///
/// Its regret is the price of ignoring card removal. Unlike the [power rating](super::PowerRating), it doesn't treat
/// the banker's back and front as independent.
pub struct NoCardRemoval<'a> {
    game: &'a Game,
    payoff: Payoff,
    ties: Ties,
    /// The number of banker hands with a lower back and a lower front. There is a row for each back and a column for
    /// each front, and one more of each for the totals.
    below: Vec<u64>,
}

/// The number of columns.
const COLUMNS: usize = TwoStrength::COUNT + 1;

impl<'a> NoCardRemoval<'a> {
    /// Tabulates the backs and fronts that a banker sets from all hands. Hands against which every bet pushes are left
    /// out because they are the same for all settings.
    pub fn new(game: &'a Game, banker: &BankerTable) -> NoCardRemoval<'a> {
        let compared = banker.compared(game);
        let banker = compared.as_ref().unwrap_or(banker);
        let rows = game.ranking().strengths() + 1;
        let mut below = vec![0; rows * COLUMNS];
        for profile in Profile::all().filter(|&profile| banker.set(profile) != BankerSet::PUSHES.strengths()) {
            let set = banker.set(profile);
            below[(set.back.index() + 1) * COLUMNS + set.front.index() + 1] += Profiles::get().hands(profile);
        }
        for row in 1..rows {
            let mut sum = 0;
            for column in 0..COLUMNS {
                sum += below[row * COLUMNS + column];
                below[row * COLUMNS + column] = sum + below[(row - 1) * COLUMNS + column];
            }
        }
        let (payoff, ties) = (Payoff::player(game.rules().commission), Side::Player.ties(game.rules().copies));
        NoCardRemoval { game, payoff, ties, below }
    }

    /// Returns the number of banker hands that a set hand beats and that it loses to.
    pub fn counts(&self, set: SetHand) -> [u64; 2] {
        let (back, front) = (set.back.index(), set.front.index());
        let (last_back, last_front) = (self.below.len() / COLUMNS - 1, COLUMNS - 1);
        let both_below = |back: usize, front: usize| self.below[back * COLUMNS + front];
        let both_from = |back: usize, front: usize| {
            both_below(last_back, last_front) + both_below(back, front)
                - both_below(last_back, front)
                - both_below(back, last_front)
        };
        match self.ties {
            Ties::Lost => [both_below(back, front), both_from(back, front)],
            Ties::Won => [both_below(back + 1, front + 1), both_from(back + 1, front + 1)],
            Ties::Pushed => {
                let not_higher = both_below(back + 1, front + 1);
                let tied =
                    not_higher + both_below(back, front) - both_below(back, front + 1) - both_below(back + 1, front);
                [not_higher - tied, both_from(back, front) - tied]
            }
        }
    }
}

impl Strategy for NoCardRemoval<'_> {
    fn name(&self) -> &str {
        "no card removal"
    }

    fn set(&self, hand: Hand) -> Setting {
        let candidates = Candidates::new(self.game, hand);
        let gain = |setting: Setting| {
            let [wins, losses] = self.counts(candidates.set(setting));
            (setting, self.payoff.gain(wins as i64, losses as i64))
        };
        let gains = settings_in(candidates.contenders()).map(gain);
        let best = gains.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.expect("every hand has a contender").0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::house_way::{HouseWay, Way};
    use houseway_env::pai_gow::{Outcome, Rules};

    #[test]
    fn counts_are_those_of_settling_against_every_profile() {
        for change in ["copies=banker", "copies=player", "copies=pushed", "bank-pushes=nine_high_front", "joker=wild"] {
            let game = Game::new(Rules::default().with(change).unwrap());
            let way = HouseWay::compile(Way::named("trump-plaza").unwrap(), &game).unwrap();
            let banker = BankerTable::new(&way);
            let strategy = NoCardRemoval::new(&game, &banker);
            let representative = |profile| Hand::representative(profile);
            let set = |profile: Profile| game.banker_set(representative(profile), banker.set(profile));
            let all: Vec<(BankerSet, u64)> =
                Profile::all().map(|profile| (set(profile), Profiles::get().hands(profile))).collect();
            for text in ["As Kd Jk 7c 7d 2h 3s", "9s 8s 7s 6s 5s 4d 4c", "Ks Kd Qc Qd 2h 3h 4h"] {
                let hand: Hand = text.parse().unwrap();
                let candidates = Candidates::new(&game, hand);
                for setting in settings_in(candidates.legal()) {
                    let set = candidates.set(setting);
                    let mut counts = [0; 2];
                    for &(banker, hands) in &all {
                        match game.settle(set, banker).outcome {
                            Outcome::Win => counts[0] += hands,
                            Outcome::Loss => counts[1] += hands,
                            Outcome::Push => {}
                        }
                    }
                    assert_eq!(strategy.counts(set), counts, "{change} {hand} {setting:?}");
                }
            }
        }
    }
}
