//! The Jokolor side bet and its paytables.
//!
//! The bet pays according to the player's seven cards. It depends neither on how they are set nor on the banker's
//! cards. Each row of a paytable pays a [`PaidHand`]. The bundled paytables say which joker they were published for.
//!
//! A hand may qualify for several rows, and the reading [`SideBetBest`] determines which one pays. With the best hand
//! *by rank*, seven-card hands and three pairs only count if the paytable has a row for them. Five-card categories
//! always count, so a hand loses if there is no row for its best category, unless a row `at-least-...` includes it or a
//! row for its front pays.

use super::{Dealt, PaidHand, Rules, SideBetBest};
use crate::cards::CardSet;
use crate::cards::profile::{Profile, Profiles};
use crate::files::{self, NamedText};
use crate::paytable::{self, Bet, BetTerms};
use crate::rank::{Holdings, HoldingsTable, SevenCategory, TwoStrength};

/// Marks profiles that have no row in [`SideBet::row_of_profile`].
const NO_ROW: u8 = u8::MAX;
/// Marks profiles whose row may depend on the suits of the two cards beside a royal flush.
const BY_SUITS: u8 = u8::MAX - 1;

/// The names and contents of all bundled paytables.
pub const ALL_PAYTABLES: &[NamedText] = &files::built_in!(
    "paytables/pai-gow-poker": "fortune-2",
    "fortune-5000",
    "example-three-pairs",
    "fortune-4",
    "fortune-6",
    "emperor-treasure",
    "mania-7",
    "jackpot",
    "pai-gow-insurance",
    "dynasty-bonus",
    "emperors-challenge",
    "fortune-envy",
    "queens-dragon",
    "mania-3",
    "ace-high",
);

/// Those that the environment settles. The first one is the default.
pub const PAYTABLES: &[NamedText] = ALL_PAYTABLES.split_at(11).0;

/// Those whose terms the environment doesn't settle.
pub const SPECIAL_PAYTABLES: &[NamedText] = ALL_PAYTABLES.split_at(11).1;

/// The Jokolor side bet.
impl Bet for PaidHand {
    type Hand = PaidHand;
    const PAYTABLES: &'static [NamedText] = PAYTABLES;
    const SPECIAL: &'static [NamedText] = SPECIAL_PAYTABLES;
    // The seventh hand is the dealer's.
    const PLAYERS: u32 = 6;

    fn is_impossible(hand: PaidHand, terms: &BetTerms) -> bool {
        hand.is_impossible(terms.cards == Some(3))
    }

    fn is_set(hand: PaidHand) -> bool {
        matches!(hand, PaidHand::Front(_))
    }

    fn is_of_two(hand: PaidHand) -> bool {
        matches!(hand, PaidHand::BothPaiGow(_))
    }

    fn meaning(hand: PaidHand) -> Option<String> {
        hand.meaning()
    }
}

/// A row in the side bet's paytable.
pub type PayRow = paytable::PayRow<PaidHand>;

/// A paytable for the side bet. The default is the published Fortune table 2.
pub type Paytable = paytable::Paytable<PaidHand>;

/// Returns the rows as bytes. They represent the paytable in environment hashes.
pub(super) fn paytable_bytes(paytable: &Paytable) -> Vec<u8> {
    let row = |row: &PayRow| row.hand.hash_bytes().into_iter().chain(row.odds.units(PaidHand::UNITS).to_le_bytes());
    paytable.rows().iter().flat_map(row).collect()
}

/// Returns the index of the row that pays a hand, or `None` if the hand loses. Rows on the front only pay if it is known, and
/// rows on two hands never.
fn row_for(paytable: &Paytable, held: Holdings, front: Option<TwoStrength>, best: SideBetBest) -> Option<usize> {
    let rows = paytable.rows();
    let named = |hand: PaidHand| rows.iter().any(|row| row.hand == hand);
    let pays = |hand: PaidHand| match hand {
        PaidHand::Plain(SevenCategory::FiveAces) if named(PaidHand::FiveOfAKind) => held.five_aces,
        PaidHand::BothPaiGow(_) => false,
        hand => hand.pays(held, front),
    };
    let best_hand = || {
        let counts = |hand: SevenCategory| !hand.is_seven_card() || rows.iter().any(|row| row.hand.base() == hand);
        SevenCategory::ALL.into_iter().rfind(|&hand| held.contains(hand) && counts(hand))
    };
    let by_rank = match best {
        SideBetBest::BestPaid => None,
        SideBetBest::BestRank => Some(best_hand()?),
    };
    let counts = |hand: PaidHand| match (hand, by_rank) {
        (_, None) | (PaidHand::AtLeast(_), _) => true,
        // A front has no rank among the hands.
        (PaidHand::Front(_), Some(_)) => false,
        (hand, Some(best)) => hand.base() == best,
    };
    let ranked = paytable.best_row(|hand| counts(hand) && pays(hand));
    ranked.or_else(|| paytable.best_row(pays).filter(|&row| matches!(rows[row].hand, PaidHand::Front(_))))
}

/// The side bet with a compiled paytable. For every profile, it stores the row that pays. This table occupies 0.3 MB.
#[derive(Clone)]
pub struct SideBet {
    paytable: Paytable,
    best: SideBetBest,
    row_of_profile: Vec<u8>,
    holdings: &'static HoldingsTable,
}

impl SideBet {
    /// Compiles a paytable. This takes a few milliseconds, or longer if the process hasn't created its
    /// [`HoldingsTable`] yet.
    pub fn new(paytable: Paytable, rules: &Rules) -> SideBet {
        let (best, holdings) = (rules.side_bet_best, HoldingsTable::get(rules.joker));
        let row = |profile| match holdings.of_profile(profile) {
            held if held.contains(SevenCategory::RoyalFlush) => BY_SUITS,
            held => row_for(&paytable, held, None, best).map_or(NO_ROW, |row| row as u8),
        };
        let row_of_profile = Profile::all().map(row).collect();
        SideBet { paytable, best, row_of_profile, holdings }
    }

    /// Returns the paytable.
    pub fn paytable(&self) -> &Paytable {
        &self.paytable
    }

    /// Returns the reading of which row pays.
    pub fn best(&self) -> SideBetBest {
        self.best
    }

    /// Returns the row that pays a hand, or `None` if the hand loses.
    #[inline]
    pub fn row(&self, dealt: Dealt) -> Option<PayRow> {
        let row = self.row_of(dealt.profile(Profiles::get()), || dealt.hand().set());
        row.map(|row| self.paytable.rows()[row])
    }

    /// Returns the index of the row that pays seven cards, or `None` if they lose.
    pub fn row_index(&self, hand: CardSet) -> Option<usize> {
        self.row_of(Profiles::get().of(hand), || hand)
    }

    /// Returns the index of the row that pays a hand with a profile, or `None` if it loses. `hand` is called for the few
    /// profiles that leave the row open.
    #[inline]
    pub fn row_of(&self, profile: Profile, hand: impl FnOnce() -> CardSet) -> Option<usize> {
        match self.row_of_profile[profile.index()] {
            NO_ROW => None,
            BY_SUITS => row_for(&self.paytable, self.holdings.of(hand(), profile), None, self.best),
            row => Some(row.into()),
        }
    }

    /// Returns `true` if all hands with a profile are the hand that a row is for, or the player's or dealer's part of it.
    pub fn holds(&self, hand: PaidHand, profile: Profile) -> bool {
        hand.pays(self.holdings.of_profile(profile), None)
    }

    /// Returns the net result per unit staked. This is the odds if the bet wins and -1 otherwise.
    #[inline]
    pub fn net(&self, dealt: Dealt) -> f64 {
        self.row(dealt).map_or(-1.0, |row| row.odds.value())
    }

    /// Returns the index of the row that pays three cards, or `None` if they lose.
    pub fn row_of_three(&self, cards: CardSet) -> Option<usize> {
        row_for(&self.paytable, Holdings::of_three(cards, self.holdings.joker()), None, SideBetBest::BestPaid)
    }

    /// Counts the hands that each row pays out of all 154,143,080 if hands are set with the given fronts. Enumerates the
    /// profiles of all hands. Rows on a front that isn't given pay nothing.
    pub fn hands_by_row(&self, front: impl Fn(Profile) -> Option<TwoStrength>) -> Vec<u64> {
        let mut hands = vec![0; self.paytable.rows().len()];
        for profile in Profile::all() {
            for (holdings, count) in self.holdings.counted(profile) {
                if let Some(row) = row_for(&self.paytable, holdings, front(profile), self.best) {
                    hands[row] += count;
                }
            }
        }
        hands
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::combinations::for_each_subset;
    use crate::gym::stream;
    use crate::paytable::Odds;
    use crate::rank::{FiveRules, Ranking};

    /// The number of hands.
    const HANDS: i64 = 154_143_080;

    fn side_bet(name: &str, side_bet_best: SideBetBest) -> SideBet {
        SideBet::new(Paytable::load_bet(name).unwrap(), &Rules { side_bet_best, ..Rules::default() })
    }

    /// Returns the number of hands that each row pays, and the total net result when staking one on each hand.
    fn exact(bet: &SideBet) -> (Vec<u64>, i64) {
        let hands = bet.hands_by_row(|_| None);
        let rows = bet.paytable.rows().iter().zip(&hands);
        let returned: u64 = rows.map(|(row, hands)| u64::from(row.odds.units(1) + 1) * hands).sum();
        (hands, returned as i64 - HANDS)
    }

    fn edge(net: i64) -> f64 {
        -net as f64 / HANDS as f64
    }

    #[test]
    fn fortune_table_2_has_the_published_return() {
        let bet = side_bet("fortune-2", SideBetBest::BestPaid);
        let (hands, net) = exact(&bet);
        assert_eq!(hands[..4], [32, 72, 196, 1_128]);
        // Exclude the hands that the seven-card rows pay.
        let seven_card: u64 = hands[..3].iter().sum();
        assert_eq!(hands[4] + hands[5] + seven_card, 26_132 + 184_832);
        assert_eq!(hands[6..], [307_472, 4_188_528, 6_172_088, 7_672_500, 11_034_204]);
        let all = Profile::all().flat_map(|profile| bet.holdings.counted(profile)).map(|(_, hands)| hands).sum::<u64>();
        assert_eq!((all, net), (154_143_080, -11_970_096));
        // The odds are 3,000 lower for each of the 32 natural seven-card straight flushes, which gives the source's
        // 7.8%.
        let (_, other) = exact(&side_bet("fortune-5000", SideBetBest::BestPaid));
        assert_eq!(other, -11_970_096 - 32 * 3_000);
        assert!((edge(other) - 0.078).abs() < 5e-4);
    }

    #[test]
    fn the_best_by_rank_pays_straights_first() {
        let bet = side_bet("fortune-2", SideBetBest::BestRank);
        let (by_row, net) = exact(&bet);
        let row = |hand| bet.paytable.rows().iter().position(|row| row.hand == PaidHand::Plain(hand)).unwrap();
        let hands = |hand| by_row[row(hand)];
        assert_eq!(hands(SevenCategory::Straight), 11_236_028);
        assert_eq!(hands(SevenCategory::ThreeOfAKind), 7_470_676);
        // The hands that move to another row win one unit less.
        assert_eq!(net, -11_970_096 - 201_824);
        // If a paytable is in ranking order, both readings agree.
        let best = [SideBetBest::BestPaid, SideBetBest::BestRank];
        let bets = best.map(|best| side_bet("example-three-pairs", best));
        let [paid, rank] = [0, 1].map(|bet| exact(&bets[bet]));
        assert_eq!(paid, rank);
        let (row, hands) = (bets[1].paytable.rows()[8], rank.0[8]);
        let expected = (PaidHand::Plain(SevenCategory::ThreePairs), Odds::whole(1), 2_862_000);
        assert_eq!((row.hand, row.odds, hands), expected);
    }

    #[test]
    fn a_category_without_a_row_pays_nothing_by_rank() {
        let text =
            "name='x'\ntitle='x'\nsource='x'\n[[row]]\nhand='straight'\nodds=2\n[[row]]\nhand='two-pairs'\nodds=1";
        let table: Paytable = text.parse().unwrap();
        let [paid, rank] = [SideBetBest::BestPaid, SideBetBest::BestRank]
            .map(|side_bet_best| SideBet::new(table.clone(), &Rules { side_bet_best, ..Rules::default() }));
        let dealt = |hand: &str| Dealt::from(hand.parse::<super::super::Hand>().unwrap());
        // These are a flush with a straight, three pairs without a row for them, and a hand without a row.
        let flush = dealt("As 2d 3s 4s 5s 9s Ks");
        assert_eq!((paid.net(flush), rank.net(flush)), (2.0, -1.0));
        let pairs = dealt("As Ad 3s 3d 5s 5c Kh");
        assert_eq!((paid.net(pairs), rank.net(pairs)), (1.0, 1.0));
        let nothing = dealt("As Kd 3s 4d 9s Jc Qh");
        assert_eq!((paid.row(nothing), rank.row(nothing)), (None, None));
    }

    /// California's Dynasty Bonus with a fully wild joker. The counts of the highest three rows and the return come from
    /// an independent enumeration by the rules alone.
    #[test]
    fn a_wild_joker_makes_other_hands() {
        let rows = [
            ("five-aces", 100),
            ("royal-flush", 25),
            ("straight-flush", 15),
            ("four-of-a-kind", 10),
            ("full-house", 5),
            ("flush", 4),
            ("straight", 2),
            ("three-of-a-kind", 1),
        ];
        let rows = rows.map(|(hand, odds)| format!("[[row]]\nhand = \"{hand}\"\nodds = {odds}\n"));
        let text =
            format!("name = \"dynasty\"\ntitle = \"Dynasty Bonus\"\nsource = \"house rules\"\n{}", rows.concat());
        let wild = Rules::default().with("joker=wild").unwrap();
        let (hands, net) = exact(&SideBet::new(text.parse().unwrap(), &wild));
        assert_eq!([hands[0], hands[3], hands[4]], [14_664, 1_121_024, 5_997_144]);
        assert_eq!((edge(net) * 1e6).round(), 69_368.0);
    }

    fn counts(name: &str, rules: &str) -> Vec<u64> {
        let rules = if rules.is_empty() { Rules::default() } else { Rules::default().with(rules).unwrap() };
        SideBet::new(Paytable::load_bet(name).unwrap(), &rules).hands_by_row(|_| None)
    }

    fn count(row: &str) -> u64 {
        let table: Paytable = format!("name = 'one'\nrow = [{{ hand = '{row}', odds = 1 }}]").parse().unwrap();
        SideBet::new(table, &Rules::default()).hands_by_row(|_| None)[0]
    }

    /// The counts for the sixteen rows are from Wizard of Odds, "Pai Gow Poker Side Bets", and those for a pai gow from an
    /// independent enumeration by the rules alone. Edges are published in percent with two to four places.
    #[test]
    fn bundled_paytables_have_the_published_returns() {
        let jackpot = [
            12, 72, 1_560, 1_056, 24_560, 11_748, 57_648, 173_084, 249_824, 150_480, 489_260, 1_155_536, 4_024_560,
            5_631_420, 10_145_388, 7_470_676,
        ];
        assert_eq!(counts("jackpot", ""), jackpot);
        let pai_gow = [31_080, 248_640, 963_480, 2_719_500, 6_386_940, 14_430_780];
        assert_eq!(counts("pai-gow-insurance", ""), pai_gow);
        assert_eq!(counts("queens-dragon", ""), [2_719_500]);
        let mania = [1_128, 26_132, 184_832, 307_472, 4_188_528, 6_172_088, 7_672_500, 11_034_204];
        assert_eq!(counts("mania-7", ""), mania);
        assert_eq!(counts("emperor-treasure", "")[1], 72);
        assert_eq!(counts("dynasty-bonus", "joker=wild")[0], 14_664);
        for (name, expected) in [
            ("jackpot", 0.022_088),
            ("pai-gow-insurance", 0.073_457),
            ("mania-7", 0.063_667),
            ("fortune-4", 0.084_900),
            ("fortune-6", 0.092_855),
            ("emperor-treasure", 0.077_656),
            ("fortune-envy", 0.077_656),
            ("emperors-challenge", 0.041_714),
        ] {
            let found = edge(exact(&side_bet(name, SideBetBest::BestPaid)).1);
            assert!((found - expected).abs() < 6e-7, "{name}: {found}");
        }
    }

    /// The counts for Pai Gow Mania's three cards are from Wizard of Odds, Pai Gow Poker appendix 5. A natural straight flush
    /// includes ace, king and queen.
    #[test]
    fn three_cards_have_the_published_counts() {
        let counts = |rules: Rules, rows: &[&str]| {
            let row = |hand: &&str| format!("{{ hand = '{hand}', odds = 1 }}");
            let rows: Vec<String> = rows.iter().map(row).collect();
            let table: Paytable = format!("name = 'x'\ncards = 3\nrow = [{}]", rows.join(",")).parse().unwrap();
            let bet = SideBet::new(table, &rules);
            let mut hands = vec![0; rows.len()];
            for_each_subset(CardSet::DECK_53, 3, |cards| {
                bet.row_of_three(cards).into_iter().for_each(|row| hands[row] += 1);
            });
            hands
        };
        let rows = ["natural-straight-flush", "three-of-a-kind", "straight-flush", "straight", "flush", "one-pair"];
        assert_eq!(counts(Rules::default(), &rows), [48, 58, 100, 1_020, 1_308, 3_912]);
        // Four royal flushes are natural, and twelve are two of their cards with the joker.
        assert_eq!(counts(Rules::default(), &["royal-flush", "high-card"]), [16, 16_980]);
        // A wild joker makes three of a kind of every pair, and a straight of two cards that are one or two ranks apart.
        let wild = Rules::default().with("joker=wild").unwrap();
        assert_eq!(counts(wild, &["three-of-a-kind", "holding-straight"]), [52 + 78, 12 * 64 + 16 * 25]);
        // A joker that can be a face card makes three of a kind of pairs in four ranks.
        let face = Rules::default().with("joker=face_card").unwrap();
        assert_eq!(counts(face, &["three-of-a-kind"]), [52 + 24]);
        // Three of a kind contains a pair: 52 and 3,744 natural hands, and 270 with the joker, four of them with three aces.
        assert_eq!(counts(Rules::default(), &["natural-one-pair"]), [3_796]);
        assert_eq!(counts(Rules::default(), &["holding-one-pair"]), [4_066]);
        assert_eq!(counts(Rules::default(), &["natural-high-card"]), [16_440]);
        for (row, part) in [("full-house", "impossible"), ("at-least-flush", "cards = 3"), ("pai-gow", "remove")] {
            let table = format!("name = 'x'\ncards = 3\nrow = [{{ hand = '{row}', odds = 1 }}]").parse::<Paytable>();
            let error = table.unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    /// A hand is paid for what it also is.
    #[test]
    fn better_hands_without_a_row_are_paid_for_what_they_contain() {
        let table = |rows: &str| {
            let table: Paytable = format!("name = 'x'\nrow = [{rows}]").parse().unwrap();
            SideBet::new(table, &Rules::default()).hands_by_row(|_| None)
        };
        let royal = "{ hand = 'royal-flush', odds = 250 }, ";
        let below = "{ hand = 'straight-flush', odds = 50 }";
        assert_eq!(table(below), [table(&format!("{royal}{below}")).iter().sum::<u64>()]);
    }

    /// A single row pays the hands that are it. The counts for three pairs are those of three different questions.
    #[test]
    fn low_rows_pay_hands_that_are_no_better() {
        let all = [31_080, 248_640, 963_480, 2_719_500, 6_386_940, 14_430_780];
        for name in ["high-card", "pai-gow", "any-pai-gow", "exactly-high-card"] {
            assert_eq!(count(name), all.iter().sum::<u64>(), "{name}");
        }
        assert_eq!(count("holding-high-card"), 146_226_016);
        let pairs = ["three-pairs", "exactly-three-pairs", "holding-three-pairs"].map(count);
        assert_eq!(pairs, [2_898_720, 2_862_000, 3_049_200]);
        assert_eq!(count("exactly-straight"), 11_236_028);
        assert_eq!(count("at-least-high-card"), 154_143_080);
        assert_eq!(count("at-least-three-of-a-kind"), 154_143_080 - 124_556_196);
        assert_eq!(count("at-least-three-pairs"), 154_143_080 - 124_556_196 + 2_862_000);
        assert_eq!(["9-high-pai-gow", "nine-high", "T-high-pai-gow"].map(count), [31_080, 31_080, 248_640]);
        for name in ["natural-high-card", "high-card-plus-a-pair", "natural-five-aces"] {
            let table = format!("name = 'x'\nrow = [{{ hand = '{name}', odds = 1 }}]").parse::<Paytable>();
            assert!(table.unwrap_err().to_string().contains("impossible with all cards"), "{name}");
        }
    }

    #[test]
    fn five_of_a_kind_is_a_row_beside_five_aces() {
        let wild = Rules::default().with("joker=wild").unwrap();
        let table =
            "name = 'both'\nrow = [{ hand = 'five-aces', odds = 400 }, { hand = 'five-of-a-kind', odds = 500 }]";
        let turned = table.replace("500", "300");
        let rows = |table: &str, rules: &Rules| SideBet::new(table.parse().unwrap(), rules).hands_by_row(|_| None);
        assert_eq!([rows(table, &wild), rows(&turned, &wild)], [[0, 14_664], [1_128, 13_536]]);
        assert_eq!([rows(table, &Rules::default()), rows(&turned, &Rules::default())], [[0, 1_128], [1_128, 0]]);
    }

    #[test]
    fn names_of_hands_read_back_and_others_are_refused() {
        use SevenCategory::*;
        let hands = [
            PaidHand::Plain(RoyalFlushWithSuitedAceKing),
            PaidHand::Exactly(ThreePairs),
            PaidHand::AtLeast(Flush),
            PaidHand::Holding(HighCard),
            PaidHand::Natural(RoyalFlush),
            PaidHand::PlusAPair(FourOfAKind),
            PaidHand::FiveOfAKind,
            PaidHand::PaiGow(None),
            PaidHand::PaiGow(Some(crate::cards::Rank::Nine)),
        ];
        for hand in hands {
            let json = serde_json::to_string(&hand).unwrap();
            assert_eq!(serde_json::from_str::<PaidHand>(&json).unwrap(), hand);
            assert_eq!(hand.to_string().parse(), Ok(hand));
        }
        for (text, hand) in [
            ("Four of a Kind plus pair", PaidHand::PlusAPair(FourOfAKind)),
            ("4 of a kind", PaidHand::Plain(FourOfAKind)),
            ("7-Card Straight Flush", PaidHand::Plain(SevenCardStraightFlush)),
            ("Royal Flush plus Royal Match", PaidHand::Plain(RoyalFlushWithSuitedKingQueen)),
        ] {
            assert_eq!(text.parse(), Ok(hand), "{text}");
        }
        for name in ["three-pairs-plus-a-pair", "natural-three-pairs", "at-least-seven-card-straight-flush", "nonsense"]
        {
            assert!(name.parse::<PaidHand>().unwrap_err().to_string().contains("nine-high-pai-gow"), "{name}");
        }
        let error = |row: &str| format!("name = 'one'\nrow = [{{ hand = '{row}', odds = 1 }}]").parse::<Paytable>();
        for row in ["eight-high-pai-gow", "natural-five-aces"] {
            assert!(error(row).unwrap_err().to_string().contains("impossible"), "{row}");
        }
    }

    #[test]
    fn rows_agree_with_the_21_subsets_of_five_cards() {
        let ranking = Ranking::new(FiveRules::default());
        let mut rng = stream(6.into());
        let fixed = ["As Ks Qs Js Ts Kh Qh", "As Ks Qs Js Ts Kh Qd", "Jk Ks Qs Js Ts Kd Qd", "Ah Ad Ac As Jk Kd Kh"];
        let fixed = fixed.map(|hand| Dealt::from(hand.parse::<super::super::Hand>().unwrap()));
        let random = (0..20_000).map(|_| Dealt::random(&mut rng));
        let bets = [SideBetBest::BestPaid, SideBetBest::BestRank].map(|best| side_bet("fortune-2", best));
        for dealt in random.chain(fixed) {
            let holdings = Holdings::compute(&ranking, dealt.hand().set());
            for bet in &bets {
                let row = row_for(&bet.paytable, holdings, None, bet.best).map(|row| bet.paytable.rows()[row]);
                assert_eq!(bet.row(dealt), row, "{}", dealt.hand());
            }
        }
        assert_eq!(fixed.map(|dealt| bets[0].net(dealt)), [2_000.0, 150.0, 2_000.0, 400.0]);
    }
}
