//! Computes each hand class's results by combining the sums by ranks with the corrections for the four suits.

use super::flush::Answers;
use super::multiset::{Form, FormKind, Multiset, Needs, SuitedProfile, Suiting};
use super::opponent::Part;
use super::pass::PassOptions;
use crate::pai_gow::outcomes::{BANKER_HANDS, DealCounts, Payoff, Side};
use houseway_env::cards::{Card, CardSet, Suit};
use houseway_env::pai_gow::{BankPushes, Hand, SetHand, Setting, settings_in};
use std::cmp::Reverse;
use std::num::Wrapping;
use std::ops::{Add, Sub};

/// A class of hands and the results of all its settings against the 53,524,680 opposing hands.
///
/// Against a mixed strategy, the numbers are weights of type `i64`, and the weights of an opposing hand add up to
/// [`MixedTable::WHOLE`](crate::pai_gow::MixedTable::WHOLE).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCounts<N = u32> {
    /// The canonical hand of the class.
    pub hand: Hand,
    /// The number of hands in the class.
    pub orbit: u32,
    /// A bit mask of the evaluated settings, with the setting at index `i` in bit `i`. They are the legal ones, unless
    /// dominated settings are left out. The arrays below are only meaningful for these settings.
    pub legal: u32,
    /// The set hand that each setting makes.
    pub sets: [SetHand; Setting::COUNT],
    /// The number of opposing hands against which each setting wins.
    pub wins: [N; Setting::COUNT],
    /// The number of opposing hands against which each setting loses.
    pub losses: [N; Setting::COUNT],
    /// The number of opposing hands with an equal back. Always 0 unless copies are counted.
    pub copies_back: [N; Setting::COUNT],
    /// The number of opposing hands with an equal front. Always 0 unless copies are counted.
    pub copies_front: [N; Setting::COUNT],
    /// The number of opposing hands with a lower back. Always 0 unless halves are counted.
    pub lower_backs: [N; Setting::COUNT],
    /// The number of opposing hands with a lower front. Always 0 unless halves are counted.
    pub lower_fronts: [N; Setting::COUNT],
}

impl<N: Copy + Default + Into<i64>> ClassCounts<N> {
    /// Creates a class from one of its hands, without results.
    fn new(hand: Hand, orbit: u32, legal: u32, sets: [SetHand; Setting::COUNT]) -> ClassCounts<N> {
        let none = [N::default(); Setting::COUNT];
        let ([wins, losses], [copies_back, copies_front], [lower_backs, lower_fronts]) =
            ([none; 2], [none; 2], [none; 2]);
        ClassCounts { hand, orbit, legal, sets, wins, losses, copies_back, copies_front, lower_backs, lower_fronts }
    }

    /// Returns `true` if a setting is legal.
    #[inline]
    pub fn is_legal(&self, setting: Setting) -> bool {
        self.legal >> setting.index() & 1 == 1
    }

    /// Iterates over the legal settings in order.
    pub fn legal_settings(&self) -> impl Iterator<Item = Setting> + use<N> {
        settings_in(self.legal)
    }

    /// Returns a setting's total gain over all opposing hands, in millionths of the stake.
    #[inline]
    pub fn gain(&self, setting: Setting, payoff: Payoff) -> i64 {
        payoff.gain(self.wins[setting.index()].into(), self.losses[setting.index()].into())
    }

    /// Returns the legal setting with the highest gain. Ties go to the lowest index.
    pub fn best(&self, payoff: Payoff) -> Setting {
        // Unlike `max_by_key`, `min_by_key` returns the first of several equal elements.
        let best = self.legal_settings().min_by_key(|&setting| Reverse(self.gain(setting, payoff)));
        best.expect("every hand has a legal setting")
    }

    /// Returns the first legal setting that makes the given set hand.
    pub fn setting_that_makes(&self, set: SetHand) -> Option<Setting> {
        self.legal_settings().find(|setting| self.sets[setting.index()] == set)
    }
}

impl ClassCounts {
    /// Returns a setting's outcome counts, or `None` if it is a foul.
    pub fn get(&self, setting: Setting) -> Option<DealCounts> {
        self.is_legal(setting).then(|| self.counts(setting, BANKER_HANDS))
    }

    /// Returns the outcome counts of a legal setting against `hands` opposing hands.
    pub(super) fn counts(&self, setting: Setting, hands: u64) -> DealCounts {
        let numbers = |a: &[u32; Setting::COUNT], b: &[u32; Setting::COUNT]| {
            [a[setting.index()], b[setting.index()]].map(u64::from)
        };
        DealCounts::new(hands, numbers(&self.wins, &self.losses), numbers(&self.copies_front, &self.copies_back))
    }
}

impl ClassCounts<i64> {
    /// Returns the class with weights of 0.
    pub(super) fn zero(class: &ClassCounts) -> ClassCounts<i64> {
        ClassCounts::new(class.hand, class.orbit, class.legal, class.sets)
    }

    /// Adds the results against a part of the opponent's strategy.
    pub(super) fn add(&mut self, part: &Part, class: &ClassCounts, copies: bool) {
        let number = |count: u32| part.factor * part.number(count as i32);
        let add = |sums: &mut [i64; Setting::COUNT], counts: &[u32; Setting::COUNT]| {
            sums.iter_mut().zip(counts).for_each(|(sum, &count)| *sum += number(count));
        };
        add(&mut self.wins, &class.wins);
        add(&mut self.losses, &class.losses);
        if copies {
            add(&mut self.copies_back, &class.copies_back);
            add(&mut self.copies_front, &class.copies_front);
        }
    }
}

/// The width of a row. It has a value for each of the 21 settings, plus some padding so that it consists of whole
/// vectors.
pub(super) const WIDTH: usize = 24;

/// The maximum number of values per setting. The last two are only used if halves are options.
pub(super) const ROWS: usize = 6;

/// The values for each setting. The rows are wins, losses, equal backs, equal fronts, lower backs and lower fronts.
pub(super) type Values = [[i32; WIDTH]; ROWS];

impl Needs {
    /// Returns a setting's values in the order of [`Values`], given the result of each query. `hands` is the number of
    /// all opposing hands.
    #[inline]
    pub(super) fn results<T>(&self, hands: T, number: impl Fn(u16) -> T) -> [T; ROWS]
    where
        T: Copy + Default + Add<Output = T> + Sub<Output = T>,
    {
        let [both, back, front] = [self.both, self.back, self.front].map(&number);
        let [same_back, same_front] = [self.same_back, self.same_front].map(|place| place.map(&number));
        let lower = |below: T, same: Option<T>| {
            same.map_or(T::default(), |same| if self.ties_are_below { below - same } else { below })
        };
        let [lower_back, lower_front] = [lower(back, same_back), lower(front, same_front)];
        let [same_back, same_front] = [same_back, same_front].map(Option::unwrap_or_default);
        let (wins, losses) = (both, self.all.map_or(hands, &number) - back - front + both);
        // If ties push, winning one comparison and tying the other is a win, and losing one and tying the other is a
        // loss.
        let [one_tie, both_tie] = self.with_ties.map_or([T::default(); 2], |places| {
            let [ties, back_ties, front_ties] = places.map(&number);
            [back_ties + front_ties - both - both, ties - back_ties - front_ties + both]
        });
        [wins + one_tie, losses - both_tie, same_back, same_front, lower_back, lower_front]
    }
}

/// The values for all settings in one [`Form`].
pub(super) struct FormValues {
    /// The values based only on ranks.
    base: Values,
    /// The corrections for a suit, indexed by the set of ranks that this side holds in it. A class adds the corrections
    /// for each of its four suits.
    of_suit: Vec<Values>,
    /// The number of rows in use.
    rows: usize,
}

impl FormValues {
    /// Computes the values from the answers to the multiset's queries. The opposing hands have a total weight of
    /// `all_hands`.
    pub(super) fn new(form: &Form, rows: usize, all_hands: i32, answers: &Answers) -> FormValues {
        let of_suit = vec![[[0; WIDTH]; ROWS]; answers.sets];
        let mut values = FormValues { base: [[0; WIDTH]; ROWS], of_suit, rows };
        for (setting, _) in form.legal_sets() {
            let needs = &form.needs[setting];
            let put = |values: &mut Values, hands: i32, number: &dyn Fn(u16) -> i32| {
                let results = needs.results(Wrapping(hands), |place| Wrapping(number(place)));
                values.iter_mut().zip(results).for_each(|(row, number)| row[setting] = number.0);
            };
            put(&mut values.base, all_hands, &|place| answers.base[usize::from(place)]);
            for (set, of_suit) in values.of_suit.iter_mut().enumerate() {
                put(of_suit, 0, &|place| answers.corrections(place.into())[set]);
            }
        }
        values
    }

    /// Returns the values given the ranks that this side holds in each suit.
    pub(super) fn values(&self, masks: &[u8; 4]) -> Values {
        FormValues::sum([self; 4], masks)
    }

    /// Returns the values given the ranks that this side holds in each suit. Each suit has corrections of its own.
    pub(super) fn sum(suits: [&FormValues; 4], masks: &[u8; 4]) -> Values {
        // Rows are padded to whole vectors and added modulo 2^32, which is right because a class's results fit in 32 bits,
        // even if the sums by ranks only or the corrections don't.
        let mut sum = suits[0].base;
        for (suit, &mask) in suits.iter().zip(masks) {
            let of_suit = &suit.of_suit[mask as usize][..suit.rows];
            sum[..suit.rows]
                .as_flattened_mut()
                .iter_mut()
                .zip(of_suit.as_flattened())
                .for_each(|(sum, &add)| *sum = sum.wrapping_add(add));
        }
        sum
    }
}

/// Appends all classes for a multiset. `values` receives a form and a suiting's index in the pattern, and returns the
/// suiting's values in that form.
pub(super) fn put_classes(
    options: &PassOptions<'_>,
    multiset: &Multiset<'_>,
    mut values: impl FnMut(FormKind, usize) -> Values,
    classes: &mut Vec<ClassCounts>,
) {
    let some_push = options.side == Side::Banker && options.game.rules().bank_pushes != BankPushes::None;
    for (place, (suiting, cards)) in hands(multiset).enumerate() {
        let mut of_settings = values(FormKind::Plain, place);
        let hand = Hand::new(cards).expect("a suiting has seven cards");
        let (legal, sets) = (multiset.plain.legal, multiset.plain.sets);
        let mut class = ClassCounts::new(hand, suiting.orbit.into(), legal, sets);
        let suited = suited_settings(multiset, suiting);
        if suited != 0 {
            replace_settings(&mut of_settings, &values(FormKind::Suited, place), suited);
            replace(&mut class.sets, &multiset.suited.sets, suited);
            class.legal = class.legal & !suited | multiset.suited.legal & suited;
        }
        let column = |row: usize| std::array::from_fn(|i| of_settings[row][i] as u32);
        [class.wins, class.losses] = [column(0), column(1)];
        [class.copies_back, class.copies_front] = [column(2), column(3)];
        if options.halves {
            [class.lower_backs, class.lower_fronts] = [column(4), column(5)];
        }
        if some_push {
            // All results of a banker setting are pushes if every bet pushes against it.
            for i in 0..Setting::COUNT {
                if options.game.banker_set(hand, class.sets[i]).pushes() {
                    [class.wins[i], class.losses[i], class.copies_back[i], class.copies_front[i]] = [0; 4];
                }
            }
        }
        classes.push(class);
    }
}

/// Iterates over the suitings of a multiset, each with the canonical hand of its class.
pub(super) fn hands<'m>(multiset: &'m Multiset<'_>) -> impl Iterator<Item = (&'m Suiting, CardSet)> {
    let sets = 1 << multiset.ranks.len();
    let spades: Vec<u64> = (0..sets).map(|set| spades(multiset, set)).collect();
    let joker = if multiset.joker { 1 << Card::JOKER.index() } else { 0 };
    multiset.pattern.suitings.iter().map(move |suiting| {
        let masks = suiting.masks.iter().enumerate();
        let cards = masks.fold(joker, |cards, (suit, &mask)| cards | spades[mask as usize] >> suit);
        (suiting, CardSet::from_bits(cards))
    })
}

/// Returns the spades with the given ranks, as bits in a card set. The four suits of a rank have adjacent bits, so
/// shifting right by one turns each suit into the next.
fn spades(multiset: &Multiset<'_>, set: usize) -> u64 {
    let held = multiset.ranks.iter().enumerate().filter(|&(at, _)| set >> at & 1 == 1);
    held.fold(0, |bits, (_, &rank)| bits | 1 << Card::new(rank, Suit::Spades).index())
}

/// Returns a bit mask of the settings whose back consists of spades, apart from the joker.
pub(super) fn suited_settings(multiset: &Multiset<'_>, suiting: &Suiting) -> u32 {
    if !suiting.flush {
        return 0;
    }
    let held = suited_positions(multiset, suiting.masks[0]);
    let is_suited = |setting: &Setting| {
        let (a, b) = setting.positions();
        0x7f & !(1 << a | 1 << b) & !held == 0
    };
    Setting::all().filter(is_suited).fold(0, |settings, setting| settings | 1 << setting.index())
}

/// Replaces the values of some settings, which are given as a bit mask.
pub(super) fn replace_settings(values: &mut Values, by: &Values, settings: u32) {
    values.iter_mut().zip(by).for_each(|(row, by)| replace(row, by, settings));
}

fn replace<T: Copy>(row: &mut [T], by: &[T], settings: u32) {
    for i in (0..Setting::COUNT).filter(|i| settings >> i & 1 == 1) {
        row[i] = by[i];
    }
}

/// Returns the positions of the joker and the spades in a hand, given the spades' ranks.
fn suited_positions(multiset: &Multiset<'_>, spades: u8) -> u8 {
    let mut positions = 0;
    let mut before = None;
    for (i, &position) in multiset.positions.iter().enumerate() {
        // Spades are sorted before the other cards with the same rank.
        let is_spade = position.is_some_and(|at| before != position && spades >> at & 1 == 1);
        positions |= u8::from(is_spade || position.is_none()) << i;
        before = position;
    }
    positions
}

/// The results of a profile's settings, summed over its hands. The weights of an opposing hand add up to
/// [`MixedTable::WHOLE`](crate::pai_gow::MixedTable::WHOLE). Dominated settings may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileSums {
    /// A hand with this profile.
    pub hand: Hand,
    /// The number of hands with this profile.
    pub hands: u32,
    /// A bit mask of the evaluated settings. The arrays below are only meaningful for these settings.
    pub legal: u32,
    /// The set hand that each setting makes.
    pub sets: [SetHand; Setting::COUNT],
    /// The weight of the deals in which each setting wins.
    pub wins: [i64; Setting::COUNT],
    /// The weight of the deals in which each setting loses.
    pub losses: [i64; Setting::COUNT],
}

impl ProfileSums {
    /// Returns the first evaluated setting that makes the given set hand.
    pub fn setting_that_makes(&self, set: SetHand) -> Option<Setting> {
        settings_in(self.legal).find(|setting| self.sets[setting.index()] == set)
    }
}

/// A profile whose results are summed. Its hands belong to the same multiset.
pub(super) struct Summed<'m> {
    multiset: &'m Multiset<'m>,
    profile: &'m SuitedProfile,
    /// A bit mask of the settings whose back is a flush.
    suited: u32,
    sums: ProfileSums,
}

impl<'m> Summed<'m> {
    /// Returns all profiles of a multiset, with sums of 0.
    pub(super) fn all(multiset: &'m Multiset<'m>) -> impl Iterator<Item = Summed<'m>> {
        let hands: Vec<_> = hands(multiset).collect();
        multiset.pattern.profiles.iter().map(move |profile| {
            let (suiting, cards) = hands[profile.first];
            let suited = suited_settings(multiset, suiting);
            let form = |i: usize| form(multiset, suited, i);
            let is_legal = |i: &usize| form(*i).legal >> i & 1 == 1;
            let sums = ProfileSums {
                hand: Hand::new(cards).expect("a suiting has seven cards"),
                hands: profile.hands,
                legal: (0..Setting::COUNT).filter(is_legal).fold(0, |legal, i| legal | 1 << i),
                sets: std::array::from_fn(|i| form(i).sets[i]),
                wins: [0; Setting::COUNT],
                losses: [0; Setting::COUNT],
            };
            Summed { multiset, profile, suited, sums }
        })
    }

    /// Adds the results against a part of the opponent's strategy.
    pub(super) fn add(&mut self, part: &Part, answers: &Answers) {
        let SuitedProfile { first, hands, held } = self.profile;
        let first = &self.multiset.pattern.suitings[*first];
        let number = |place: u16| {
            let corrections = answers.corrections(place.into());
            let correction = |mask: u8| i64::from(corrections[usize::from(mask)]);
            // The number of opposing hands fits in 32 bits for each class. The number by ranks only might not, because
            // it treats flushes differently.
            let of_first: i64 = first.masks.iter().map(|&mask| correction(mask)).sum();
            let class = answers.base[usize::from(place)].wrapping_add(of_first as i32);
            let of_suits: i64 = held.iter().map(|&(mask, count)| i64::from(count) * correction(mask)).sum();
            i64::from(*hands) * (part.number(class) - of_first) + of_suits
        };
        let all = i64::from(*hands) * i64::from(part.weight) * BANKER_HANDS as i64;
        for i in settings_in(self.sums.legal).map(Setting::index) {
            let [wins, losses, ..] = form(self.multiset, self.suited, i).needs[i].results(all, number);
            self.sums.wins[i] += part.factor * wins;
            self.sums.losses[i] += part.factor * losses;
        }
    }

    /// Returns the sums. Settings against which every bet pushes have no wins and losses.
    pub(super) fn finish(mut self, options: &PassOptions<'_>) -> ProfileSums {
        if options.side == Side::Banker && options.game.rules().bank_pushes != BankPushes::None {
            for i in 0..Setting::COUNT {
                if options.game.banker_set(self.sums.hand, self.sums.sets[i]).pushes() {
                    [self.sums.wins[i], self.sums.losses[i]] = [0; 2];
                }
            }
        }
        self.sums
    }
}

/// Returns the form that a setting has, given the settings whose back is a flush.
fn form<'m>(multiset: &'m Multiset<'_>, suited: u32, setting: usize) -> &'m Form {
    if suited >> setting & 1 == 1 { &multiset.suited } else { &multiset.plain }
}
