//! Rules made ready for play: strengths, legality and settling.

use super::{EqualSetting, Hand, Rules, SetHand, Setting};
use crate::cards::key::Key;
use crate::rank::{Ranking, TwoStrength};

/// The game under one set of rules.
pub struct Game {
    rules: Rules,
    ranking: Ranking,
}

/// How one stake ends for the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Both hands beat the banker's.
    Win,
    /// One each: no money moves.
    Push,
    /// Neither hand beats the banker's.
    Loss,
}

/// A comparison of a player's set hand with the banker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// How the stake ends.
    pub outcome: Outcome,
    /// The backs tie exactly; the banker won this comparison.
    pub copy_back: bool,
    /// The fronts tie exactly; the banker won this comparison.
    pub copy_front: bool,
}

impl Game {
    /// Prepares the game (milliseconds).
    pub fn new(rules: Rules) -> Game {
        Game { rules, ranking: Ranking::new(rules.five()) }
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The order of five-card hands.
    pub fn ranking(&self) -> &Ranking {
        &self.ranking
    }

    /// What one setting of a hand makes.
    pub fn set(&self, hand: Hand, setting: Setting) -> SetHand {
        let (cards, (a, b)) = (hand.cards(), setting.positions());
        let key = Key::of_set(hand.set()) - Key::of(cards[a]) - Key::of(cards[b]);
        SetHand {
            back: self.ranking.five_of_key(key, || setting.back(hand)),
            front: TwoStrength::of(cards[a], cards[b]),
        }
    }

    /// What each of the 21 settings makes, in order, fouls among them.
    pub fn settings(&self, hand: Hand) -> impl Iterator<Item = (Setting, SetHand)> + '_ {
        let (cards, key) = (hand.cards(), Key::of_set(hand.set()));
        Setting::all().map(move |setting| {
            let (a, b) = setting.positions();
            let back = key - Key::of(cards[a]) - Key::of(cards[b]);
            let back = self.ranking.five_of_key(back, || setting.back(hand));
            (setting, SetHand { back, front: TwoStrength::of(cards[a], cards[b]) })
        })
    }

    /// Whether a setting is no foul: its front does not stand above the like part of its back.
    #[inline]
    pub fn is_legal(&self, set: SetHand) -> bool {
        let like = self.ranking.like_part(set.back);
        match self.rules.equal_setting {
            EqualSetting::Legal => set.front <= like,
            // From two pairs on there is no like part that a pair of aces could equal.
            EqualSetting::Foul => set.front < like || self.ranking.outranks_pairs(set.back),
        }
    }

    /// The legal settings of a hand, as bits 0 to 20. Never empty.
    pub fn legal_mask(&self, hand: Hand) -> u32 {
        self.settings(hand).fold(0, |mask, (setting, set)| mask | u32::from(self.is_legal(set)) << setting.index())
    }

    /// Compares two set hands; copies go to the banker.
    #[inline]
    pub fn settle(player: SetHand, banker: SetHand) -> Settlement {
        let outcome = match (player.back > banker.back, player.front > banker.front) {
            (true, true) => Outcome::Win,
            (false, false) => Outcome::Loss,
            _ => Outcome::Push,
        };
        Settlement { outcome, copy_back: player.back == banker.back, copy_front: player.front == banker.front }
    }

    /// What the player receives for a stake of one: 1 less the commission, 0 or -1.
    #[inline]
    pub fn payoff(&self, outcome: Outcome) -> f64 {
        match outcome {
            Outcome::Win => 1.0 - self.rules.commission.value(),
            Outcome::Push => 0.0,
            Outcome::Loss => -1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        Game::new(Rules::default())
    }

    fn set(game: &Game, hand: &str, front: &str) -> SetHand {
        let hand = hand.parse().unwrap();
        game.set(hand, Setting::with_front(hand, front.parse().unwrap()).unwrap())
    }

    #[test]
    fn fouls_are_told_from_legal_settings() {
        let game = game();
        // Cards, front, legal when an equal setting is legal, legal when it is a foul.
        let cases = [
            ("As Kd Qh 9c 7d 5h 3s", "As Kd", false, false),
            ("As Kd Qh 9c 7d 5h 3s", "Kd Qh", true, true),
            ("7s 7d 7h 7c Kd 5h 3s", "7s 7d", true, false),
            ("7s 7d 5h 5c Kd Qh 3s", "7s 7d", false, false),
            ("7s 7d 5h 5c Kd Qh 3s", "5h 5c", true, true),
            ("As Ad Jk Kh Kd 3h 2s", "As Ad", false, false),
            ("As Ad Ah Ac Jk 3h 2s", "As Ad", true, true),
            ("3s 3d 3h As Ac 2h 2s", "As Ac", true, true),
            ("As Kd Qh Jc Td 2h 2s", "2h 2s", true, true),
            ("As Kd Qh Jc Td Ah Kh", "As Kd", true, true),
        ];
        let strict = Game::new(Rules::default().with("equal-setting=foul").unwrap());
        for (hand, front, equal_legal, equal_foul) in cases {
            assert_eq!(game.is_legal(set(&game, hand, front)), equal_legal, "{hand} front {front}");
            assert_eq!(strict.is_legal(set(&strict, hand, front)), equal_foul, "{hand} front {front}, strict");
        }
    }

    #[test]
    fn every_way_to_compute_a_setting_agrees() {
        let game = game();
        for hand in ["Jk As Kd 7d 7c 3s 2h", "As Ks Qs Js Ts 9s 8s", "Jk Ks Qs Js Ts 2d 2c"] {
            let hand: Hand = hand.parse().unwrap();
            for (setting, made) in game.settings(hand) {
                assert_eq!(made, game.set(hand, setting));
                assert_eq!(made.back, game.ranking().five(setting.back(hand)));
                assert_eq!(game.legal_mask(hand) >> setting.index() & 1 == 1, game.is_legal(made));
            }
        }
    }

    #[test]
    fn copies_go_to_the_banker() {
        let game = game();
        let player = set(&game, "As Kd Qh 9c 7d 5h 3s", "Kd Qh");
        let banker = set(&game, "Ad Kc Qc 9d 7c 5c 3d", "Kc Qc");
        let settlement = Game::settle(player, banker);
        assert_eq!(settlement, Settlement { outcome: Outcome::Loss, copy_back: true, copy_front: true });
        let better = set(&game, "Ah Kc Qc 9d 7c 5c 4d", "Kc Qc");
        assert_eq!(Game::settle(better, player).outcome, Outcome::Push);
        assert_eq!([Outcome::Win, Outcome::Push, Outcome::Loss].map(|o| game.payoff(o)), [0.95, 0.0, -1.0]);
    }
}
