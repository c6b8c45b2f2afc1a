//! A reference implementation that enumerates all banker hands under any rules. There are 53,524,680 of them, or fewer
//! with dead cards. The fast code is tested against it.

use super::banker::BankerTable;
use super::hand::{HandCounts, LowerHalves};
use super::known::KnownCards;
use super::mixed::MixedTable;
use super::outcomes::{DealCounts, RANDOM_WEIGHT, Side};
use super::table::{ClassTable, canonical_hand};
use houseway_env::cards::classes::Classes;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::cards::{Card, CardSet};
use houseway_env::pai_gow::{Game, Hand, Outcome, ProfileStrategy, SetHand, Setting, Settlement, Strategy};
use rayon::prelude::*;

/// Evaluates a hand by setting every banker hand with the strategy and ranking its cards, without profiles, tables or
/// weights. This takes about 15 seconds on one core.
pub fn count<S: Strategy + ?Sized>(game: &Game, strategy: &S, hand: impl Into<KnownCards>) -> HandCounts {
    count_with(game, Side::Player, hand.into(), |banker| {
        let setting = strategy.set(banker);
        let mut front = setting.front(banker).iter();
        let (Some(a), Some(b)) = (front.next(), front.next()) else { unreachable!("a front consists of two cards") };
        SetHand { back: game.ranking().five(setting.back(banker)), front: game.ranking().two(a, b) }
    })
}

/// Counts the outcomes for a player who sees the banker's set hand. Each legal setting is settled under the game's
/// rules, and the best outcome counts.
pub fn count_open<S: Strategy + ?Sized>(game: &Game, strategy: &S, hand: impl Into<KnownCards>) -> DealCounts {
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

/// Evaluates a hand as [`count`] does, but the hand may be on either side, and a table sets each class of the other
/// side's hands. This takes about ten seconds on one core.
pub fn count_by_class(game: &Game, side: Side, table: &ClassTable, hand: impl Into<KnownCards>) -> HandCounts {
    let classes = Classes::seven();
    let set = |class| game.set(canonical_hand(class), table.setting(class));
    let sets: Vec<SetHand> = (0..classes.len()).into_par_iter().map(set).collect();
    count_with(game, side, hand.into(), |other| sets[classes.index(other.set())])
}

/// Evaluates a hand against all hands of the other side, given a function that sets those hands.
fn count_with(game: &Game, side: Side, known: KnownCards, set: impl Fn(Hand) -> SetHand + Sync) -> HandCounts {
    let hand = known.hand();
    let settings: Vec<SetHand> = game.settings(hand).map(|(_, set)| set).collect();
    let counts = over_all_hands(known, [DealCounts::default(); Setting::COUNT], |counts, cards| {
        let other = Hand::new(cards).expect("seven cards are dealt");
        let theirs = set(other);
        for (count, &own) in counts.iter_mut().zip(&settings) {
            count.settle(settle(game, side, (hand, own), (other, theirs)), side, 1);
        }
    });
    let sum = |mut sum: [DealCounts; Setting::COUNT], piece: [DealCounts; Setting::COUNT]| {
        sum.iter_mut().zip(piece).for_each(|(sum, piece)| *sum = sum.plus(piece));
        sum
    };
    legal_ones(game, known, counts.into_iter().fold([DealCounts::default(); Setting::COUNT], sum))
}

/// Settles a hand on `side` against a hand on the other side.
fn settle(game: &Game, side: Side, (hand, own): (Hand, SetHand), (other, theirs): (Hand, SetHand)) -> Settlement {
    match side {
        Side::Player => game.settle(own, game.banker_set(other, theirs)),
        Side::Banker => game.settle(theirs, game.banker_set(hand, own)),
    }
}

/// The number of opposing hands with each profile, given the known cards. Unlike [`count`], which takes longer, this looks
/// up each hand by its profile. The hands are dealt only once, and many strategies can then be evaluated with the same
/// numbers.
pub struct ProfileCounts {
    known: KnownCards,
    hands: Vec<u32>,
}

impl ProfileCounts {
    /// Deals all hands from the remaining deck. This takes about a second on one core.
    pub fn enumerate(hand: impl Into<KnownCards>) -> ProfileCounts {
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
    pub fn count(&self, game: &Game, side: Side, other: &BankerTable) -> HandCounts {
        self.count_with(game, side, |profile, _| vec![(other.set(profile), 1)])
    }

    /// Compares each half of all legal settings of a player's hand with the halves of a banker's table.
    pub fn count_lower(&self, game: &Game, banker: &BankerTable) -> [Option<LowerHalves>; Setting::COUNT] {
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
    pub fn count_random(&self, game: &Game, side: Side) -> HandCounts {
        self.count_with(game, side, |_, hand| {
            let sets: Vec<SetHand> =
                game.settings(hand).map(|(_, set)| set).filter(|&set| game.is_legal(set)).collect();
            let weight = u64::from(RANDOM_WEIGHT) / sets.len() as u64;
            sets.into_iter().map(|set| (set, weight)).collect()
        })
    }

    /// Evaluates a hand as [`count`](Self::count) does, but against a mixed strategy. Counts are in units of
    /// 1 / [`MixedTable::WHOLE`].
    pub fn count_mixed(&self, game: &Game, side: Side, other: &MixedTable) -> HandCounts {
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

/// Calls `visit` with the cards in every hand that the other side can hold, in parallel. Each chunk of work starts from
/// `empty`.
fn over_all_hands<T: Clone + Send + Sync>(
    known: KnownCards,
    empty: T,
    visit: impl Fn(&mut T, CardSet) + Sync,
) -> Vec<T> {
    let deck: Vec<Card> = CardSet::DECK_53.difference(known.set()).iter().collect();
    // There is one chunk for each highest card in the other hand.
    let pieces = (0..=deck.len() - Hand::CARDS).into_par_iter().map(|first| {
        let mut piece = empty.clone();
        let rest: CardSet = deck[first + 1..].iter().copied().collect();
        for_each_subset(rest, Hand::CARDS - 1, |others| visit(&mut piece, others.with(deck[first])));
        piece
    });
    pieces.collect()
}

fn legal_ones(game: &Game, known: KnownCards, counts: [DealCounts; Setting::COUNT]) -> HandCounts {
    let all = counts[0].all();
    assert!(counts.iter().all(|count| count.all() == all) && all.is_multiple_of(known.other_hands()));
    let legal = game.legal_mask(known.hand());
    let counts = std::array::from_fn(|i| (legal >> i & 1 == 1).then_some(counts[i]));
    HandCounts::new(game, counts)
}

impl DealCounts {
    /// Adds `hands` opposing hands with the given settlement, whose outcome is the player's.
    fn settle(&mut self, settlement: Settlement, side: Side, hands: u64) {
        match (settlement.outcome, side) {
            (Outcome::Push, _) => self.pushes += hands,
            (Outcome::Win, Side::Player) | (Outcome::Loss, Side::Banker) => self.wins += hands,
            (Outcome::Loss, Side::Player) | (Outcome::Win, Side::Banker) => self.losses += hands,
        }
        self.copies_back += hands * u64::from(settlement.copy_back);
        self.copies_front += hands * u64::from(settlement.copy_front);
    }
}

/// Plays an arbitrary legal setting for each profile. This has no structure that the engine could exploit, which makes
/// it useful in tests.
pub struct AnyLegal<'a> {
    game: &'a Game,
    seed: u64,
}

impl<'a> AnyLegal<'a> {
    /// Creates the strategy. Different seeds produce different settings.
    pub fn new(game: &'a Game, seed: u64) -> AnyLegal<'a> {
        AnyLegal { game, seed }
    }
}

/// Mixes the bits of a number with the SplitMix64 finalizer.
fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

impl Strategy for AnyLegal<'_> {
    fn name(&self) -> &str {
        "any legal"
    }

    fn set(&self, hand: Hand) -> Setting {
        let chosen = self.set_profile(Profiles::get().of(hand.set()));
        let mut settings = self.game.settings(hand);
        settings.find(|&(_, set)| set == chosen).expect("hands with the same profile have the same set hands").0
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
