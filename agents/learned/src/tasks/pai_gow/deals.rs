//! Deals with the rewards for all settings.

use houseway_env::cards::Pack;
use houseway_env::cards::profile::Profiles;
use houseway_env::money::Rate;
use houseway_env::pai_gow::{
    BankerSet, CARDS, Candidates, Dealer, Dealt, Game, Hand, Outcome, ProfileStrategy, SetHand, Setting, settings_in,
};
use rand::RngExt;
use rand_pcg::Pcg64;
use std::sync::Arc;

/// A source of hands with the rewards for their settings.
pub trait Deals: Send + Sync {
    /// Returns the game.
    fn game(&self) -> &Arc<Game>;

    /// A set hand held by the other side.
    type Other: Copy + Default;

    /// Deals a hand to the agent and fills `others` with set hands for the other side. Each is dealt uniformly from the
    /// cards that are not in the agent's hand.
    fn deal(&self, rng: &mut Pcg64, others: &mut [Self::Other]) -> Hand;

    /// Returns each setting's mean reward against these hands, or NaN for fouls.
    fn rewards(&self, candidates: &Candidates, others: &[Self::Other]) -> [f32; Setting::COUNT];
}

/// Deals for a player against a banker.
pub struct PlayerDeals<B: ?Sized> {
    /// The game.
    pub game: Arc<Game>,
    /// The banker's strategy for this game.
    pub banker: Arc<B>,
}

impl<B: ProfileStrategy + Send + ?Sized> Deals for PlayerDeals<B> {
    type Other = BankerSet;

    fn game(&self) -> &Arc<Game> {
        &self.game
    }

    fn deal(&self, rng: &mut Pcg64, others: &mut [BankerSet]) -> Hand {
        Dealer::new(&self.game, &*self.banker).deal(rng, others).hand()
    }

    fn rewards(&self, candidates: &Candidates, others: &[BankerSet]) -> [f32; Setting::COUNT] {
        candidates.mean_rewards(&self.game, others)
    }
}

/// Deals for the bank against players. The bank wins copies and pays a commission on each bet it wins.
pub struct BankDeals {
    /// The game.
    pub game: Arc<Game>,
    /// The players' strategies. Each player hand is set by one of them, drawn uniformly at random.
    pub players: Vec<Arc<dyn ProfileStrategy + Send>>,
    /// The commission on bets won by the bank.
    pub commission: Rate,
}

impl Deals for BankDeals {
    type Other = SetHand;

    fn game(&self) -> &Arc<Game> {
        &self.game
    }

    fn deal(&self, rng: &mut Pcg64, others: &mut [SetHand]) -> Hand {
        let hand = Dealt::random(rng).hand();
        let (mut pack, profiles) = (Pack::without(CARDS, hand.set()), Profiles::get());
        for other in others {
            if pack.left() < Hand::CARDS {
                pack.gather();
            }
            let dealt = Dealt::draw(&mut pack, rng).expect("seven cards are left");
            *other = self.players[rng.random_range(0..self.players.len())].set_profile(dealt.profile(profiles));
        }
        hand
    }

    fn rewards(&self, candidates: &Candidates, others: &[SetHand]) -> [f32; Setting::COUNT] {
        let (mut rewards, win) = ([f32::NAN; Setting::COUNT], 1.0 - self.commission.value());
        for setting in settings_in(candidates.legal()) {
            let set = self.game.banker_set(candidates.hand(), candidates.set(setting));
            let (mut wins, mut losses) = (0u32, 0u32);
            for &other in others {
                match self.game.settle(other, set).outcome {
                    Outcome::Loss => wins += 1,
                    Outcome::Push => {}
                    Outcome::Win => losses += 1,
                }
            }
            rewards[setting.index()] = ((f64::from(wins) * win - f64::from(losses)) / others.len() as f64) as f32;
        }
        rewards
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{ProfileTable, Rules};
    use houseway_exact::pai_gow::whole::Side;
    use houseway_exact::pai_gow::{BankerTable, HandEvaluator};

    #[test]
    fn rewards_come_near_the_exact_values_of_the_bank() {
        let game = Arc::new(Game::new(Rules::default()));
        let way: Arc<dyn ProfileStrategy + Send> = Arc::new(ProfileTable::max_front(&game));
        let commission = "0.05".parse().unwrap();
        let deals = BankDeals { game: Arc::clone(&game), players: vec![Arc::clone(&way)], commission };
        let table = BankerTable::new(&*way);
        let counter = HandEvaluator::new(&game, &table);
        let (mut rng, mut others) = (stream(2.into()), vec![SetHand::default(); 40_000]);
        for _ in 0..3 {
            let hand = deals.deal(&mut rng, &mut others);
            let rewards = deals.rewards(&Candidates::new(&game, hand), &others);
            let counts = counter.count_for(Side::Banker, hand);
            for setting in Setting::all() {
                let (found, exact) = (rewards[setting.index()], counts.ev(setting));
                assert_eq!(found.is_nan(), exact.is_none());
                // Six hands from one shuffle vary no more than independent hands do.
                assert!(exact.is_none_or(|exact| (f64::from(found) - exact.value()).abs() < 4.5 / 200.0), "{hand}");
            }
        }
    }
}
