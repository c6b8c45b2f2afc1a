//! Rules compiled for play. They determine hand strengths, legality and settlement.

use super::{BankPushes, BankerSet, Copies, EqualSetting, Hand, Rules, SetHand, Setting, settings_in};
use crate::cards::key::Key;
use crate::cards::{Card, Rank};
use crate::rank::{Category, Ranking};
use rand::{Rng, RngExt};
use std::cmp::Ordering;

/// The game, compiled from its rules.
pub struct Game {
    rules: Rules,
    ranking: &'static Ranking,
}

crate::named_enum! {
    /// The outcome of a stake for the player.
    pub enum Outcome: kebab_case {
        /// The player's back and front both beat the banker's.
        Win,
        /// Each side wins one comparison, or the rules call for a push. No money changes hands.
        Push,
        /// Neither the player's back nor the front beats the banker's.
        Loss,
    }
}

/// The result of comparing a player's set hand with the banker's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settlement {
    /// The outcome of the stake.
    pub outcome: Outcome,
    /// True if the backs tie exactly. The banker wins this comparison unless the rules say otherwise.
    pub copy_back: bool,
    /// True if the fronts tie exactly. The banker wins this comparison unless the rules say otherwise.
    pub copy_front: bool,
    /// True if every bet against the banker's hand is a push. In this case, nothing was compared.
    #[serde(skip)]
    pub bank_pushes: bool,
}

impl Settlement {
    /// Returns a remark about copies or a push of the whole bank, for use after the outcome.
    pub(crate) fn remark(&self) -> &'static str {
        match (self.copy_back, self.copy_front) {
            _ if self.bank_pushes => ", whatever the player holds",
            (false, false) => "",
            (true, false) => ", back copied",
            (false, true) => ", front copied",
            (true, true) => ", back and front copied",
        }
    }
}

impl Game {
    /// Compiles the rules into a hand ranking. The first time in each process, this takes a few milliseconds.
    pub fn new(rules: Rules) -> Game {
        Game { rules, ranking: Ranking::shared(rules.five()) }
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the hand ranking.
    pub fn ranking(&self) -> &'static Ranking {
        self.ranking
    }

    /// Returns the set hand for a setting.
    pub fn set(&self, hand: Hand, setting: Setting) -> SetHand {
        let (cards, (a, b)) = (hand.cards(), setting.positions());
        let key = Key::from_set(hand.set()) - Key::from_card(cards[a]) - Key::from_card(cards[b]);
        SetHand {
            back: self.ranking.five_of_key(key, || setting.back(hand)),
            front: self.ranking.two(cards[a], cards[b]),
        }
    }

    /// Returns the set hands for all 21 settings in order, including fouls.
    pub fn settings(&self, hand: Hand) -> impl Iterator<Item = (Setting, SetHand)> + '_ {
        let (cards, key) = (hand.cards(), Key::from_set(hand.set()));
        Setting::all().map(move |setting| {
            let (a, b) = setting.positions();
            let back = key - Key::from_card(cards[a]) - Key::from_card(cards[b]);
            let back = self.ranking.five_of_key(back, || setting.back(hand));
            (setting, SetHand { back, front: self.ranking.two(cards[a], cards[b]) })
        })
    }

    /// Returns `true` if a setting is legal. Its front must not outrank the corresponding part of its back.
    #[inline]
    pub fn is_legal(&self, set: SetHand) -> bool {
        let like = self.ranking.like_part(set.back);
        match self.rules.equal_setting {
            EqualSetting::Legal => set.front <= like,
            // For two pairs or better, the corresponding part is a pair of aces, so it is only an upper bound for the
            // front.
            EqualSetting::Foul => set.front < like || self.ranking.category(set.back) >= Category::TwoPairs,
        }
    }

    /// Returns the reason why a setting is illegal.
    pub(crate) fn foul(&self, hand: Hand, setting: Setting) -> String {
        let back = self.ranking.describe(self.set(hand, setting).back);
        format!("{} in front is a foul above {} ({back})", setting.front(hand), setting.back(hand))
    }

    /// Returns a hand's legal settings as bits 0 to 20. At least one bit is set.
    pub fn legal_mask(&self, hand: Hand) -> u32 {
        self.settings(hand).fold(0, |mask, (setting, set)| mask | u32::from(self.is_legal(set)) << setting.index())
    }

    /// Draws a legal setting of a hand, each with the same probability.
    pub fn random_setting(&self, hand: Hand, rng: &mut impl Rng) -> Setting {
        let legal = self.legal_mask(hand);
        let which = rng.random_range(0..legal.count_ones() as usize);
        settings_in(legal).nth(which).expect("every hand has a legal setting")
    }

    /// Converts a banker's set hand to the form that bets are compared with. The result is [`BankerSet::PUSHES`] if
    /// every bet against it is a push under the rules, and the set hand itself otherwise. `hand` contains the banker's
    /// seven cards.
    #[inline]
    pub fn banker_set(&self, hand: Hand, set: SetHand) -> BankerSet {
        let rule = self.rules.bank_pushes;
        let pushes = rule != BankPushes::None
            && (rule.front().is_some_and(|high| !set.front.is_pair() && set.front.ranks().0 == high)
                || rule.pai_gow().is_some_and(|high| self.is_pai_gow(hand, high)));
        if pushes { BankerSet::PUSHES } else { BankerSet::plain(set) }
    }

    /// Returns `true` if the best five of the cards are led by the given rank, without a pair, straight or flush. An ace
    /// may be the joker.
    fn is_pai_gow(&self, hand: Hand, high: Rank) -> bool {
        // Most hands have a pair or another highest card, so the best hand is rarely needed.
        let is_joker = u32::from(hand.set().contains(Card::JOKER));
        hand.cards()[0].rank().unwrap_or(Rank::Ace) == high
            && hand.set().ranks().count_ones() + is_joker == Hand::CARDS as u32
            && self.ranking.category(self.ranking.best(hand.set())) == Category::HighCard
    }

    /// Compares a player's set hand with a banker's.
    #[inline]
    pub fn settle(&self, player: SetHand, banker: BankerSet) -> Settlement {
        if banker.pushes() {
            return Settlement { outcome: Outcome::Push, copy_back: false, copy_front: false, bank_pushes: true };
        }
        let banker = banker.strengths();
        let [back, front] = [player.back.cmp(&banker.back), player.front.cmp(&banker.front)];
        let won = [back, front].map(|half| self.won(half));
        let outcome = match won.into_iter().sum::<i8>() {
            1.. => Outcome::Win,
            0 => Outcome::Push,
            _ => Outcome::Loss,
        };
        Settlement { outcome, copy_back: back.is_eq(), copy_front: front.is_eq(), bank_pushes: false }
    }

    /// Returns the player's score for one comparison: 1, -1, or 0 for a copy that nobody wins.
    #[inline]
    pub(super) fn won(&self, half: Ordering) -> i8 {
        match (half, self.rules.copies) {
            (Ordering::Greater, _) | (Ordering::Equal, Copies::Player) => 1,
            (Ordering::Equal, Copies::Pushed) => 0,
            (Ordering::Equal, Copies::Banker) | (Ordering::Less, _) => -1,
        }
    }

    /// Returns the player's net result per unit staked: 1 minus the commission, 0 or -1, less the fee for the hand if there
    /// is one.
    #[inline]
    pub fn payoff(&self, outcome: Outcome) -> f64 {
        let (fee, bet) = self.rules.collection.of_largest_bet();
        let net = match outcome {
            Outcome::Win => 1.0 - self.rules.commission_on_win().value(),
            Outcome::Push => 0.0,
            Outcome::Loss => -1.0,
        };
        net - f64::from(fee) / f64::from(bet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::profile::{Profile, Profiles};
    use crate::gym::stream;
    use crate::pai_gow::Dealt;

    fn game() -> Game {
        Game::new(Rules::default())
    }

    fn game_with(changes: &[&str]) -> Game {
        Game::new(changes.iter().fold(Rules::default(), |rules, change| rules.with(change).unwrap()))
    }

    fn set(game: &Game, hand: &str, front: &str) -> SetHand {
        let hand = hand.parse().unwrap();
        game.set(hand, Setting::with_front(hand, front.parse().unwrap()).unwrap())
    }

    #[test]
    fn fouls_are_told_from_legal_settings() {
        let game = game();
        // Each case has the cards, the front, and the legality of the setting when equal settings are legal and when
        // they are fouls.
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
    fn a_win_pays_the_stake_without_the_commission() {
        let game = game();
        assert_eq!([Outcome::Win, Outcome::Push, Outcome::Loss].map(|o| game.payoff(o)), [0.95, 0.0, -1.0]);
        assert_eq!(game_with(&["commission-bet=50"]).payoff(Outcome::Win), 0.94);
    }

    #[test]
    fn copies_go_to_whom_the_rules_say() {
        use Outcome::{Loss, Push, Win};
        // Against A 9 7 5 3 in back and K Q in front, the back and the front are each higher, copied or lower.
        let backs = [("Ah 9c 7c 5c 4d", 1), ("Ah 9c 7c 5c 3d", 0), ("Ah 9c 7c 5c 2d", -1)];
        let fronts = [("Ks Kd", 1), ("Ks Qd", 0), ("Ks Jd", -1)];
        // The outcomes are in the order of the pairs, starting with higher/higher, higher/copied, higher/lower,
        // copied/higher.
        for (option, expected) in [
            ("copies=banker", [Win, Push, Push, Push, Loss, Loss, Push, Loss, Loss]),
            ("copies=player", [Win, Win, Push, Win, Win, Push, Push, Push, Loss]),
            ("copies=pushed", [Win, Win, Push, Win, Push, Loss, Push, Loss, Loss]),
        ] {
            let game = game_with(&[option]);
            let made = |back: &str, front: &str| {
                let [a, b] = front.split_once(' ').map(|(a, b)| [a, b].map(|card| card.parse().unwrap())).unwrap();
                SetHand { back: game.ranking().five(back.parse().unwrap()), front: game.ranking().two(a, b) }
            };
            let banker = BankerSet::plain(made("As 9d 7d 5d 3s", "Kh Qh"));
            let pairs = backs.iter().flat_map(|back| fronts.iter().map(move |front| (back, front)));
            for ((back, front), outcome) in pairs.zip(expected) {
                let settlement = game.settle(made(back.0, front.0), banker);
                assert_eq!(settlement.outcome, outcome, "{option}: {back:?} {front:?}");
                assert_eq!((settlement.copy_back, settlement.copy_front), (back.1 == 0, front.1 == 0));
            }
        }
    }

    #[test]
    fn a_nine_high_front_of_the_banker_pushes() {
        let game = game_with(&["bank-pushes=nine_high_front"]);
        let push = Settlement { outcome: Outcome::Push, copy_back: false, copy_front: false, bank_pushes: true };
        let player = set(&game, "As Ad Kh Kc Qs Qd 3c", "Kh Kc");
        // Each case has the banker's hand, the front, and `true` if bets push.
        for (hand, front, pushes) in [
            ("Jh Jd 9h 8c 6s 4d 2c", "9h 8c", true),
            ("Jh Jd 9h 8c 6s 4d 2c", "9h 2c", true),
            ("Jh Jd 9h 8c 6s 4d 2c", "8c 6s", false),
            ("Jh Jd 9h 9c 6s 4d 2c", "9h 9c", false),
            ("Jh Jd Th 9c 6s 4d 2c", "Th 9c", false),
            ("Jk Jd Jh 9c 6s 4d 2c", "Jk 9c", false),
        ] {
            let banker = game.banker_set(hand.parse().unwrap(), set(&game, hand, front));
            assert_eq!(banker.pushes(), pushes, "{hand} front {front}");
            assert_eq!(game.settle(player, banker) == push, pushes);
        }
    }

    #[test]
    fn fronts_that_push_are_what_their_names_say() {
        let mut rng = stream(7.into());
        let fixed = ["Jk Ad Jh 9c 8d 4c 2s", "Jk 9d 8h 7c 5s 4c 2d"].map(|hand| hand.parse().unwrap());
        let hands: Vec<Hand> = (0..500).map(|_| Dealt::random(&mut rng).hand()).chain(fixed).collect();
        for (name, high) in ["eight", "nine", "ten", "jack", "queen", "king", "ace"].into_iter().zip(6..) {
            let game = game_with(&[&format!("bank-pushes={name}_high_front")]);
            let mut pushed = 0;
            for &hand in &hands {
                for (setting, set) in game.settings(hand) {
                    let (a, b) = setting.positions();
                    let ranks = [a, b].map(|card| hand.cards()[card].rank().map_or(12, Rank::index));
                    let expected = ranks[0] != ranks[1] && ranks[0].max(ranks[1]) == high;
                    assert_eq!(game.banker_set(hand, set).pushes(), expected, "{name}: {hand} {setting:?}");
                    pushed += u32::from(expected);
                }
            }
            assert!(pushed > 100, "{name}");
        }
    }

    /// The numbers of hands are those of an independent enumeration by the rules alone. A queen-high pai gow is one hand in
    /// 56.7. The "Queen's Dragon" bet pays 50 to 1 on it and has a published edge of just over 10%, which matches
    /// 1 - 51 / 56.7. For ace-high pai gows, 833 sets of seven ranks with an ace make no straight, and 15,540 of the 4^7
    /// suitings make no flush. With the joker as the ace, these are 427 sets of six other ranks and 3,480 of the 4^6
    /// suitings.
    #[test]
    fn pai_gows_that_push_are_what_their_names_say() {
        for (name, high, expected) in [
            ("nine", Rank::Nine, 31_080),
            ("ten", Rank::Ten, 248_640),
            ("jack", Rank::Jack, 963_480),
            ("queen", Rank::Queen, 2_719_500),
            ("king", Rank::King, 6_386_940),
            ("ace", Rank::Ace, 833 * 15_540 + 427 * 3_480),
        ] {
            let game = game_with(&[&format!("bank-pushes={name}_high_pai_gow")]);
            let mut hands = 0;
            for profile in Profile::all() {
                let hand = Hand::representative(profile);
                let best = game.ranking().best(hand.set());
                let pai_gow = game.ranking().category(best) == Category::HighCard
                    && game.ranking().order_ranks(best)[0] == Some(high);
                assert_eq!(game.banker_set(hand, SetHand::default()).pushes(), pai_gow, "{name}: {hand}");
                hands += if pai_gow { Profiles::get().hands(profile) } else { 0 };
            }
            assert_eq!(hands, expected, "{name}");
        }
    }
}
