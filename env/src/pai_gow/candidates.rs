//! The 21 settings of a hand and their legality.

use super::{BankerSet, Copies, Game, Hand, Outcome, SetHand, Setting};

/// The set hands for all 21 settings of a hand, along with the settings that are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidates {
    hand: Hand,
    sets: [SetHand; Setting::COUNT],
    legal: u32,
}

impl Candidates {
    /// Computes the settings of a hand.
    pub fn new(game: &Game, hand: Hand) -> Candidates {
        let (mut sets, mut legal) = ([SetHand::default(); Setting::COUNT], 0);
        for (setting, set) in game.settings(hand) {
            sets[setting.index()] = set;
            legal |= u32::from(game.is_legal(set)) << setting.index();
        }
        Candidates { hand, sets, legal }
    }

    /// Returns the hand.
    pub const fn hand(&self) -> Hand {
        self.hand
    }

    /// Returns the set hand for a setting, even if the setting is a foul.
    #[inline]
    pub const fn set(&self, setting: Setting) -> SetHand {
        self.sets[setting.index()]
    }

    /// Returns the set hands for all settings in order, including fouls.
    #[inline]
    pub const fn sets(&self) -> &[SetHand; Setting::COUNT] {
        &self.sets
    }

    /// Returns the legal settings as bits 0 to 20. At least one bit is set.
    #[inline]
    pub const fn legal(&self) -> u32 {
        self.legal
    }

    /// Returns `true` if a setting is legal.
    #[inline]
    pub const fn is_legal(&self, setting: Setting) -> bool {
        self.legal >> setting.index() & 1 == 1
    }

    /// Returns the contenders as bits 0 to 20. These are the legal settings that no other legal setting
    /// [dominates](SetHand::dominates). If several settings give equal set hands, only the one with the lowest index is
    /// included. At least one bit is set. A player only has to consider contenders, because one of them is always
    /// optimal, no matter who the banker is.
    pub fn contenders(&self) -> u32 {
        // Compare settings without branches, eight at a time. `ordered` ranks settings by front and, if the fronts are
        // equal, by descending index. Fouls rank below everything else.
        const PADDED: usize = 24;
        let (mut backs, mut fronts, mut ordered) = ([-1_i16; PADDED], [-1_i16; PADDED], [-1_i16; PADDED]);
        for setting in settings_in(self.legal) {
            let (i, set) = (setting.index(), self.set(setting));
            (backs[i], fronts[i]) = (set.back.index() as i16, set.front.index() as i16);
            ordered[i] = fronts[i] * 32 + (31 - i as i16);
        }
        let mut contenders = 0;
        for setting in settings_in(self.legal) {
            let i = setting.index();
            let mut beaten = 0_i16;
            for other in 0..PADDED {
                let (back, front) = (backs[other] > backs[i], fronts[other] >= fronts[i]);
                beaten |= i16::from((back & front) | ((backs[other] >= backs[i]) & (ordered[other] > ordered[i])));
            }
            contenders |= u32::from(beaten == 0) << i;
        }
        contenders
    }

    /// Returns the legal setting that has this set hand, if any. If there are several, returns the one with the lowest
    /// index.
    pub fn find(&self, set: SetHand) -> Option<Setting> {
        settings_in(self.legal).find(|&setting| self.set(setting) == set)
    }

    /// Returns each setting's reward per unit staked against a banker's set hand. The reward is NaN for fouls.
    pub fn rewards(&self, game: &Game, banker: BankerSet) -> [f32; Setting::COUNT] {
        self.mean_rewards(game, &[banker])
    }

    /// Returns each setting's reward per unit staked, averaged over several of the banker's set hands. The mean is NaN
    /// for fouls, and for all settings if `bankers` is empty.
    pub fn mean_rewards(&self, game: &Game, bankers: &[BankerSet]) -> [f32; Setting::COUNT] {
        let (mut wins, mut losses) = ([0u32; Setting::COUNT], [0u32; Setting::COUNT]);
        let usual = game.rules().copies == Copies::Banker;
        for &compared in bankers.iter().filter(|banker| !banker.pushes()) {
            let banker = compared.strengths();
            for (i, &set) in self.sets.iter().enumerate() {
                let (win, loss) = if usual {
                    // This is equivalent to `Game::settle` but has no branches. Training spends most of its time in
                    // these loops.
                    let (back, front) = (set.back > banker.back, set.front > banker.front);
                    (back & front, !back & !front)
                } else {
                    let outcome = game.settle(set, compared).outcome;
                    (outcome == Outcome::Win, outcome == Outcome::Loss)
                };
                wins[i] += u32::from(win);
                losses[i] += u32::from(loss);
            }
        }
        let [win, push, loss] = [Outcome::Win, Outcome::Push, Outcome::Loss].map(|outcome| game.payoff(outcome));
        std::array::from_fn(|i| {
            let total = f64::from(wins[i]) * (win - push) + f64::from(losses[i]) * (loss - push);
            if self.legal >> i & 1 == 1 { (total / bankers.len() as f64 + push) as f32 } else { f32::NAN }
        })
    }
}

/// Iterates over the settings whose bits are set, in ascending order. Bits 21 and above are ignored.
pub fn settings_in(mut mask: u32) -> impl Iterator<Item = Setting> {
    std::iter::from_fn(move || {
        let setting = Setting::from_index(mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(setting)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Card, CardSet};
    use crate::pai_gow::Rules;
    use proptest::prelude::*;

    fn any_hand() -> impl Strategy<Value = Hand> {
        proptest::sample::subsequence((0..53u8).collect::<Vec<_>>(), 7).prop_map(|indices| {
            let cards: CardSet = indices.into_iter().filter_map(Card::from_index).collect();
            Hand::new(cards).unwrap()
        })
    }

    #[test]
    fn contenders_of_a_known_hand() {
        let game = Game::new(Rules::default());
        let contenders = |hand: &str| {
            let candidates = Candidates::new(&game, hand.parse().unwrap());
            settings_in(candidates.contenders()).map(Setting::positions).collect::<Vec<_>>()
        };
        // Without a pair, the ace must stay in back, and a lower front leaves a higher back, so 15 of 21 settings
        // remain.
        let expected: Vec<_> = Setting::all().map(Setting::positions).filter(|&(a, _)| a > 0).collect();
        assert_eq!(contenders("As Kd Qh 9c 7d 5h 3s"), expected);
        // With Ks Kd Kc Kh As Ad Ac, a pair of aces is the best possible front and four kings are the best possible
        // back. The other two pairs of aces result in equal set hands.
        assert_eq!(contenders("Ks Kd Kc Kh As Ad Ac"), [(0, 1)]);
        // With two pairs and an ace, either both pairs go in back or the lower pair goes in front. Ace-king in front is
        // weaker than the lower pair in front on both sides.
        let pairs = contenders("As Kd Kc 7d 7c 3s 2h");
        assert!(pairs.contains(&(3, 4)) && pairs.contains(&(0, 5)) && !pairs.contains(&(0, 1)), "{pairs:?}");
        assert_eq!(settings_in(1 << 20 | 1 << 21 | 1 << 31).count(), 1);
    }

    proptest! {
        #[test]
        fn contenders_are_what_their_definition_says(hand in any_hand()) {
            let game = Game::new(Rules::default());
            let candidates = Candidates::new(&game, hand);
            prop_assert_eq!(candidates.legal(), game.legal_mask(hand));
            for setting in Setting::all() {
                let set = candidates.set(setting);
                prop_assert_eq!(set, game.set(hand, setting));
                let dominated = settings_in(candidates.legal()).any(|other| candidates.set(other).dominates(set));
                let twin = settings_in(candidates.legal()).any(|other| other < setting && candidates.set(other) == set);
                let contender = candidates.is_legal(setting) && !dominated && !twin;
                prop_assert_eq!(candidates.contenders() >> setting.index() & 1 == 1, contender);
            }
        }

        #[test]
        fn rewards_are_those_of_settling(hand in any_hand(), others in proptest::collection::vec(any_hand(), 0..4), skip in 0usize..4) {
            for change in ["copies=banker", "copies=player", "copies=pushed", "bank-pushes=nine_high_front", "joker=wild", "collection=1/40"] {
                let game = Game::new(Rules::default().with(change).unwrap());
                let candidates = Candidates::new(&game, hand);
                let set = |other: Hand| game.banker_set(other, game.settings(other).last().unwrap().1);
                // Include the player's own hand so that there are copies.
                let bankers: Vec<BankerSet> = others.iter().chain([&hand]).map(|&other| set(other)).skip(skip).collect();
                let means = candidates.mean_rewards(&game, &bankers);
                for setting in Setting::all() {
                    let payoff = |banker| game.payoff(game.settle(candidates.set(setting), banker).outcome);
                    let mean = bankers.iter().map(|&banker| payoff(banker)).sum::<f64>() / bankers.len() as f64;
                    let mean_reward = means[setting.index()];
                    prop_assert_eq!(mean_reward.is_nan(), bankers.is_empty() || !candidates.is_legal(setting));
                    prop_assert!(mean_reward.is_nan() || (f64::from(mean_reward) - mean).abs() < 1e-6);
                }
            }
        }
    }
}
