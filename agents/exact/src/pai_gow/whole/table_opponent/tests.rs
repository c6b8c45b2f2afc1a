//! Tests for the evaluation against tables. They compare the results with a brute-force enumeration and with the
//! evaluation by profiles, and check that they are consistent.

use crate::pai_gow::enumerate::count_by_class;
use crate::pai_gow::slow::mix;
use crate::pai_gow::tests::{SPECIAL, any_legal, classes, game, trump_plaza};
use crate::pai_gow::whole::classes::put_classes;
use crate::pai_gow::whole::shard::{Piece, pieces};
use crate::pai_gow::whole::tests::with_progress;
use crate::pai_gow::whole::{Cancelled, ClassCounts, DealCounts, Pass, Payoff, Play, Run, Shard, Side};
use crate::pai_gow::{BANKER_HANDS, BankerTable, ClassTable};
use houseway_env::cards::Card;
use houseway_env::cards::classes::{Classes, canonical};
use houseway_env::cards::profile::Profiles;
use houseway_env::pai_gow::{Hand, Setting};
use rayon::prelude::*;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Creates a table from the settings that `choose` returns. The closure takes each class and its index. The counts of
/// the class are not filled in.
fn table(name: &str, choose: impl Fn(&ClassCounts, usize) -> Setting + Sync) -> ClassTable {
    let whole = Pass::new(game(), Side::Player, any_legal());
    let settings: Vec<AtomicU8> = (0..Classes::seven().len()).map(|_| AtomicU8::new(u8::MAX)).collect();
    pieces().par_iter().for_each(|piece| {
        let mut classes = vec![];
        for multiset in &piece.multisets(&whole.options, &whole.patterns) {
            put_classes(&whole.options, multiset, |_, _| Default::default(), &mut classes);
        }
        for class in &classes {
            let index = Classes::seven().index(class.hand.set());
            settings[index].store(choose(class, index).index() as u8, Ordering::Relaxed);
        }
    });
    ClassTable::new(name, settings.into_iter().map(AtomicU8::into_inner).collect()).unwrap()
}

/// Returns a table of arbitrary legal settings, which have no structure that the engine could take advantage of.
fn arbitrary() -> &'static ClassTable {
    static TABLE: LazyLock<ClassTable> = LazyLock::new(|| {
        table("arbitrary", |class, index| {
            let number = mix(index as u64 + 0x9e37_79b9) % u64::from(class.legal.count_ones());
            class.legal_settings().nth(number as usize).unwrap()
        })
    });
    &TABLE
}

/// Tabulates a strategy that only depends on profiles.
fn tabulate(banker: &BankerTable) -> ClassTable {
    table(banker.name(), |class, _| class.setting_that_makes(banker.set(Profiles::get().of(class.hand.set()))).unwrap())
}

/// Asserts that two classes are the same, including the counts for all legal settings. The counts for fouls are
/// meaningless.
fn assert_same(own: &ClassCounts, expected: &ClassCounts) {
    assert_eq!(
        (own.hand, own.orbit, own.legal, own.sets),
        (expected.hand, expected.orbit, expected.legal, expected.sets)
    );
    for setting in Setting::all() {
        assert_eq!(own.get(setting), expected.get(setting), "{} {setting:?}", own.hand);
    }
}

/// Asserts that the counts for a hand match a brute-force enumeration of all hands of the other side.
fn assert_equals_enumeration(side: Side, table: &ClassTable, hand: Hand) {
    let expected = count_by_class(game(), side, table, hand);
    let whole = Pass::against_table(game(), side, table).unwrap().with_copies();
    let has_hand = |piece: &Piece| {
        let ranks: Vec<_> = hand.set().iter().filter_map(|card| card.rank()).collect();
        piece.joker == hand.set().contains(Card::JOKER)
            && piece.ranks.iter().all(|rank| ranks.contains(rank))
            && ranks.iter().all(|rank| piece.ranks.contains(rank))
    };
    let all = pieces();
    let shard = Shard::new(all.iter().position(has_hand).unwrap(), all.len()).unwrap();
    let classes = classes(&whole, shard);
    let class = classes.iter().find(|class| class.hand.set() == canonical(hand.set())).unwrap();
    for setting in Setting::all() {
        assert_eq!(class.get(setting), expected.get(setting), "{} {setting:?} {side:?} {}", class.hand, table.name());
    }
}

/// Returns the special cases followed by `spread` evenly spaced classes. All hands are canonical.
fn hands(spread: usize) -> Vec<Hand> {
    let classes = Classes::seven();
    let spread = (0..spread).map(|i| classes.hand(i * classes.len() / spread));
    let special = SPECIAL.map(|hand| canonical(hand.parse::<Hand>().unwrap().set()));
    special.into_iter().chain(spread).map(|cards| Hand::new(cards).unwrap()).collect()
}

#[test]
fn a_hand_of_the_banker_matches_enumeration() {
    assert_equals_enumeration(Side::Banker, arbitrary(), hands(0)[13]);
}

#[test]
#[ignore = "takes 20 min; enumerates all opposing hands for 54 hands per side, against an arbitrary table and the optimum"]
fn hands_match_enumeration() {
    let optimum = |side, payoff| {
        let whole = Pass::new(game(), side, any_legal());
        whole.tabulate("optimum", Play::Best(payoff), &Run::default()).unwrap()
    };
    let banker = optimum(Side::Banker, Payoff::house_bank(&game().rules()));
    let player = optimum(Side::Player, Payoff::player(&game().rules()));
    for (i, hand) in hands(40).into_iter().enumerate() {
        let [for_player, for_banker] = if i % 2 == 0 { [arbitrary(); 2] } else { [&banker, &player] };
        assert_equals_enumeration(Side::Player, for_player, hand);
        assert_equals_enumeration(Side::Banker, for_banker, hand);
    }
}

/// Asserts that evaluating a shard against a table gives the same counts as evaluating it against the same strategy by
/// profiles. Returns the number of compared classes.
fn assert_same_by_profiles(table: &ClassTable, banker: &BankerTable, shard: Shard, sides: &[Side]) -> usize {
    let compare = |&side: &Side| {
        let by_table = classes(&Pass::against_table(game(), side, table).unwrap().with_copies(), shard);
        let by_profile = classes(&Pass::new(game(), side, banker).with_copies(), shard);
        assert_eq!(by_table.len(), by_profile.len());
        by_table.iter().zip(&by_profile).for_each(|(own, expected)| assert_same(own, expected));
        by_table.len()
    };
    sides.iter().map(compare).sum()
}

#[test]
fn a_table_gives_the_same_counts_as_its_profiles() {
    let table = tabulate(any_legal());
    let compared = assert_same_by_profiles(&table, any_legal(), Shard::new(11, 900).unwrap(), &[Side::Player]);
    assert!(compared > 1_000, "{compared}");
}

#[test]
#[ignore = "takes 5 min; evaluates every setting of every class against a house way, as a table and by profiles"]
fn a_tabulated_house_way_gives_the_same_counts() {
    let banker = BankerTable::new(&trump_plaza(game()));
    let table = tabulate(&banker);
    for side in [Side::Player, Side::Banker] {
        let parts = (0..16).map(|part| Shard::new(part, 16).unwrap());
        let compared: usize = parts.map(|shard| assert_same_by_profiles(&table, &banker, shard, &[side])).sum();
        assert_eq!(compared, Classes::seven().len());
    }
}

#[test]
#[ignore = "takes 2 min; evaluates all deals between a table and a profile strategy, from both sides"]
fn deals_against_a_table_are_zero_sum() {
    let (table, banker) = (arbitrary(), any_legal());
    let totals = |whole: Pass<'_>, own: Play<'_>| whole.with_copies().totals(&[own], &Run::default()).unwrap()[0];
    let from_table = totals(Pass::new(game(), Side::Player, banker), Play::Classes(table));
    let against_table = totals(Pass::against_table(game(), Side::Banker, table).unwrap(), Play::Profiles(banker));
    assert_eq!(from_table, against_table.other_side());
    assert_eq!(from_table.all(), 8_250_459_031_214_400);
    let own_table = tabulate(banker);
    let from_banker = totals(Pass::against_table(game(), Side::Player, table).unwrap(), Play::Profiles(banker));
    let against_banker = totals(Pass::against_table(game(), Side::Banker, &own_table).unwrap(), Play::Classes(table));
    assert_eq!(from_banker, against_banker.other_side());
}

#[test]
fn shards_add_up_with_and_without_copies() {
    let whole = || Pass::against_table(game(), Side::Banker, arbitrary()).unwrap();
    let totals = |whole: Pass<'_>, (index, of)| {
        let plays = [Play::Profiles(any_legal())];
        let (totals, hands) =
            with_progress(Shard::new(index, of).unwrap(), |run| whole.totals(&plays, run).unwrap()[0]);
        assert_eq!(totals.all(), hands * BANKER_HANDS);
        totals
    };
    let [first, second] = [(7, 4000), (2007, 4000)].map(|shard| totals(whole().with_copies(), shard));
    let both = first.plus(second);
    assert!(both.copies_front > 0 && both.copies_back > 0);
    assert_eq!(totals(whole(), (7, 2000)), DealCounts { copies_front: 0, copies_back: 0, ..both });
}

#[test]
fn a_cancelled_run_returns_an_error() {
    let whole = Pass::against_table(game(), Side::Player, arbitrary()).unwrap();
    let run = Run { cancel: Some(&AtomicBool::new(true)), ..Run::default() };
    assert_eq!(whole.totals(&[Play::Profiles(any_legal())], &run), Err(Cancelled));
}

#[test]
fn a_foul_is_rejected() {
    let mut settings = arbitrary().settings().to_vec();
    let classes = Classes::seven();
    let hand = |class: &usize| Hand::new(classes.hand(*class)).unwrap();
    // Without a pair or a straight, the ace has to stay in the back.
    let class = classes.index("As Kh 9d 7c 5s 4h 2d".parse::<Hand>().unwrap().set());
    settings[class] = Setting::from_positions(0, 1).index() as u8;
    assert!(!game().is_legal(game().set(hand(&class), Setting::from_positions(0, 1))));
    let table = ClassTable::new("foul", settings).unwrap();
    let error = Pass::against_table(game(), Side::Player, &table).err().unwrap();
    let said = error.to_string();
    let hand = hand(&class);
    assert!(said.starts_with(&format!("foul fouls with {hand} (class {class}) by setting As Kh in front;")), "{said}");
    assert!(said.contains("legal"), "{said}");
}
