//! A reference implementation that enumerates all banker hands under any rules. The fast code is tested against it.

use crate::pai_gow::enumerate::{count_with, legal_ones, over_all_hands, settle};
use crate::pai_gow::outcomes::{DealCounts, RANDOM_WEIGHT, Side};
use crate::pai_gow::table::setting_that_makes;
use crate::pai_gow::{BankerTable, HandCounts, KnownCards, LowerHalves, MixedTable};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::{Game, Hand, Outcome, ProfileStrategy, SetHand, Setting, Strategy};

/// Evaluates a hand by setting every banker hand with the strategy and ranking its cards, without profiles, tables or
/// weights. This takes about 15 seconds on one core.
pub(crate) fn count<S: Strategy + ?Sized>(game: &Game, strategy: &S, hand: impl Into<KnownCards>) -> HandCounts {
    count_with(game, Side::Player, hand.into(), |banker| {
        let setting = strategy.set(banker);
        let mut front = setting.front(banker).iter();
        let (Some(a), Some(b)) = (front.next(), front.next()) else { unreachable!("a front consists of two cards") };
        SetHand { back: game.ranking().five(setting.back(banker)), front: game.ranking().two(a, b) }
    })
}

/// Counts the outcomes for a player who sees the banker's set hand. Each legal setting is settled under the game's
/// rules, and the best outcome counts.
pub(crate) fn count_open<S: Strategy + ?Sized>(game: &Game, strategy: &S, hand: impl Into<KnownCards>) -> DealCounts {
    let known = hand.into();
    let legal: Vec<SetHand> =
        game.settings(known.hand()).map(|(_, set)| set).filter(|&set| game.is_legal(set)).collect();
    let counts = over_all_hands(known, DealCounts::default(), |counts, cards| {
        let banker = Hand::new(cards).expect("seven cards are dealt");
        let theirs = game.banker_set(banker, game.set(banker, strategy.set(banker)));
        let outcomes = || legal.iter().map(|&own| game.settle(own, theirs).outcome);
        if outcomes().any(|outcome| outcome == Outcome::Win) {
            counts.wins += 1;
        } else if outcomes().any(|outcome| outcome == Outcome::Push) {
            counts.pushes += 1;
        } else {
            counts.losses += 1;
        }
    });
    counts.into_iter().fold(DealCounts::default(), DealCounts::plus)
}

/// The number of opposing hands with each profile, given the known cards. Unlike [`count`], which takes longer, this looks
/// up each hand by its profile. The hands are dealt only once, and many strategies can then be evaluated with the same
/// numbers.
pub(crate) struct ProfileCounts {
    known: KnownCards,
    hands: Vec<u32>,
}

impl ProfileCounts {
    /// Deals all hands from the remaining deck. This takes about a second on one core.
    pub(crate) fn enumerate(hand: impl Into<KnownCards>) -> ProfileCounts {
        let (known, profiles) = (hand.into(), Profiles::get());
        let pieces = over_all_hands(known, vec![0u32; PROFILES], |hands, cards| hands[profiles.of(cards).index()] += 1);
        let sum = |mut sum: Vec<u32>, piece: Vec<u32>| {
            sum.iter_mut().zip(&piece).for_each(|(sum, piece)| *sum += piece);
            sum
        };
        ProfileCounts { known, hands: pieces.into_iter().reduce(sum).expect("there is at least one chunk") }
    }

    /// Evaluates all settings of the hand, which is on `side`, against a table for the other side. Each profile is
    /// settled separately with the game's rules.
    pub(crate) fn count(&self, game: &Game, side: Side, other: &BankerTable) -> HandCounts {
        self.count_with(game, side, |profile, _| vec![(other.set(profile), 1)])
    }

    /// Compares each half of all legal settings of a player's hand with the halves of a banker's table.
    pub(crate) fn count_lower(&self, game: &Game, banker: &BankerTable) -> [Option<LowerHalves>; Setting::COUNT] {
        let settings: Vec<SetHand> = game.settings(self.known.hand()).map(|(_, set)| set).collect();
        let legal = game.legal_mask(self.known.hand());
        std::array::from_fn(|i| {
            let mut lower = LowerHalves::default();
            for (profile, &hands) in Profile::all().zip(&self.hands) {
                let theirs = banker.set(profile);
                lower.front += u64::from(hands) * u64::from(theirs.front < settings[i].front);
                lower.back += u64::from(hands) * u64::from(theirs.back < settings[i].back);
            }
            (legal >> i & 1 == 1).then_some(lower)
        })
    }

    /// Evaluates a hand as [`count`](Self::count) does, but with all legal settings of the other side equally likely.
    /// Counts are in units of 1 / [`RANDOM_WEIGHT`].
    pub(crate) fn count_random(&self, game: &Game, side: Side) -> HandCounts {
        self.count_with(game, side, |_, hand| {
            let sets: Vec<SetHand> =
                game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set)).collect();
            let weight = u64::from(RANDOM_WEIGHT) / sets.len() as u64;
            sets.into_iter().map(|set| (set, weight)).collect()
        })
    }

    /// Evaluates a hand as [`count`](Self::count) does, but against a mixed strategy. Counts are in units of
    /// 1 / [`MixedTable::WHOLE`].
    pub(crate) fn count_mixed(&self, game: &Game, side: Side, other: &MixedTable) -> HandCounts {
        self.count_with(game, side, |profile, _| {
            other.sets(profile).iter().map(|&(set, weight)| (set, weight.into())).collect()
        })
    }

    /// Evaluates the hand against weighted set hands for each profile.
    fn count_with(&self, game: &Game, side: Side, sets: impl Fn(Profile, Hand) -> Vec<(SetHand, u64)>) -> HandCounts {
        let settings: Vec<SetHand> = game.settings(self.known.hand()).map(|(_, set)| set).collect();
        let mut counts = [DealCounts::default(); Setting::COUNT];
        for (profile, &hands) in Profile::all().zip(&self.hands).filter(|&(_, &hands)| hands > 0) {
            let representative = Hand::representative(profile);
            for (theirs, weight) in sets(profile, representative) {
                for (count, &own) in counts.iter_mut().zip(&settings) {
                    let settlement = settle(game, side, (self.known.hand(), own), (representative, theirs));
                    count.settle(settlement, side, u64::from(hands) * weight);
                }
            }
        }
        legal_ones(game, self.known, counts)
    }
}

/// Plays an arbitrary legal setting for each profile. This has no structure that the engine could exploit, which makes
/// it useful in tests.
pub(crate) struct AnyLegal<'a> {
    game: &'a Game,
    seed: u64,
}

impl<'a> AnyLegal<'a> {
    /// Creates the strategy. Different seeds produce different settings.
    pub(crate) fn new(game: &'a Game, seed: u64) -> AnyLegal<'a> {
        AnyLegal { game, seed }
    }
}

/// Mixes the bits of a number with the SplitMix64 finalizer.
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

impl Strategy for AnyLegal<'_> {
    fn name(&self) -> &str {
        "any legal"
    }

    fn set(&self, hand: Hand) -> Setting {
        setting_that_makes(self.game, hand, self.set_profile(Profiles::get().of(hand.set())))
    }
}

impl ProfileStrategy for AnyLegal<'_> {
    fn set_profile(&self, profile: Profile) -> SetHand {
        let settings = self.game.settings(Hand::representative(profile));
        let mut legal: Vec<SetHand> = settings.map(|(_, set)| set).filter(|&set| self.game.is_legal(set)).collect();
        legal.sort_unstable_by_key(|set| (set.back, set.front));
        legal.dedup();
        legal[(mix(self.seed ^ mix(profile.index() as u64)) % legal.len() as u64) as usize]
    }
}
