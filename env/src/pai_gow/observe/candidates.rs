//! The `candidates` encoding.

use super::sorted_suits;
use crate::cards::{Card, Rank};
use crate::gym::EnvError;
use crate::pai_gow::{Candidates, Game, Hand, Setting, settings_in};
use crate::rank::{FiveStrength, Ranking, TwoStrength};

/// The number of entries in a setting's row.
pub const ROW: usize = 70;
/// The number of entries in the block about the hand.
pub const CONTEXT: usize = 18;
/// The number of entries in an observation.
pub const LEN: usize = Setting::COUNT * ROW + CONTEXT;

/// The index within a row of the flag for legal settings.
pub const LEGAL: usize = 0;
/// The index within a row of the flag for contenders.
pub const CONTENDER: usize = 1;
const FRONT_PAIR: usize = 2;
const FRONT_HIGH: usize = 3;
const FRONT_LOW: usize = 16;
const BACK_CATEGORY: usize = 29;
const BACK_FIRST: usize = 40;
const BACK_SECOND: usize = 53;
const BACK_THIRD: usize = 66;
const FRONT_STRENGTH: usize = 67;
const BACK_STRENGTH: usize = 68;
const BACK_WITHIN: usize = 69;

/// The number to write at [`FRONT_STRENGTH`] for each strength of the front.
const FRONT_STRENGTHS: [f32; TwoStrength::COUNT] = {
    let mut strengths = [0.0; TwoStrength::COUNT];
    let mut index = 0;
    while index < TwoStrength::COUNT {
        strengths[index] = index as f32 / (TwoStrength::COUNT - 1) as f32;
        index += 1;
    }
    strengths
};

/// Writes all rows and the context. `out` must have [`LEN`] entries.
#[inline]
pub(super) fn write(game: &Game, hand: &Candidates, out: &mut [f32]) {
    out.fill(0.0);
    let contenders = hand.contenders();
    let (rows, context) = out.split_at_mut(Setting::COUNT * ROW);
    for (setting, row) in Setting::all().zip(rows.as_chunks_mut().0) {
        fill_row(game.ranking(), hand, contenders, setting, row);
    }
    fill_context(hand.hand(), context);
}

/// Writes the context and a row for each setting in `among`. Bits 0 to 20 of `among` represent the settings.
///
/// The rows are packed at the start of `rows` in the order of [`settings_in`]`(among)`, and the remaining entries are
/// left unchanged.
///
/// ```
/// use houseway_env::pai_gow::observe::candidates::{CONTENDER, CONTEXT, ROW, write_rows};
/// use houseway_env::pai_gow::{Candidates, Game, Rules, settings_in};
///
/// let game = Game::new(Rules::default());
/// let hand = Candidates::new(&game, "As Kd Jk 7c 7d 2h 3s".parse()?);
/// let (mut rows, mut context) = ([0.0; 21 * ROW], [0.0; CONTEXT]);
/// write_rows(&game, &hand, hand.contenders(), &mut rows, &mut context)?;
/// for (setting, row) in settings_in(hand.contenders()).zip(rows.chunks_exact(ROW)) {
///     assert!(hand.is_legal(setting) && row[CONTENDER] == 1.0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`EnvError::Length`] if `rows` is too short for the settings or if `context` does not have [`CONTEXT`]
/// entries. 21 rows are always enough.
pub fn write_rows(
    game: &Game,
    hand: &Candidates,
    among: u32,
    rows: &mut [f32],
    context: &mut [f32],
) -> Result<(), EnvError> {
    let needed = settings_in(among).count() * ROW;
    EnvError::check_length("the rows of the settings", rows.len().min(needed), needed)?;
    EnvError::check_length("the context", context.len(), CONTEXT)?;
    rows[..needed].fill(0.0);
    let contenders = hand.contenders();
    for (setting, row) in settings_in(among).zip(rows.as_chunks_mut().0) {
        fill_row(game.ranking(), hand, contenders, setting, row);
    }
    context.fill(0.0);
    fill_context(hand.hand(), context);
    Ok(())
}

/// Fills a row. Its entries must initially be zero, because only some of them are written.
#[inline]
fn fill_row(ranking: &Ranking, hand: &Candidates, contenders: u32, setting: Setting, row: &mut [f32; ROW]) {
    let set = hand.set(setting);
    let flag = |mask: u32| (mask >> setting.index() & 1) as f32;
    (row[LEGAL], row[CONTENDER]) = (flag(hand.legal()), flag(contenders));
    let (high, low) = set.front.ranks();
    row[FRONT_PAIR] = f32::from(u8::from(set.front.is_pair()));
    row[FRONT_HIGH + high.index()] = 1.0;
    row[FRONT_LOW + low.index()] = 1.0;
    row[FRONT_STRENGTH] = FRONT_STRENGTHS[set.front.index()];
    fill_back(ranking, set.back, row);
}

#[inline]
fn fill_back(ranking: &Ranking, back: FiveStrength, row: &mut [f32; ROW]) {
    row[BACK_CATEGORY + ranking.category(back) as usize] = 1.0;
    let [first, second, third, ..] = ranking.order_ranks(back);
    for (start, rank) in [(BACK_FIRST, first), (BACK_SECOND, second)] {
        if let Some(rank) = rank {
            row[start + rank.index()] = 1.0;
        }
    }
    row[BACK_THIRD] = third.map_or(0.0, |rank: Rank| (rank.index() + 1) as f32 / 13.0);
    row[BACK_STRENGTH] = back.index() as f32 / (ranking.strengths() - 1) as f32;
    row[BACK_WITHIN] = ranking.place_in_category(back);
}

fn fill_context(hand: Hand, context: &mut [f32]) {
    for (place, count) in context.iter_mut().zip(hand.set().rank_counts()) {
        *place = f32::from(count) / 4.0;
    }
    context[13] = f32::from(u8::from(hand.set().contains(Card::JOKER)));
    for (place, count) in context[14..].iter_mut().zip(sorted_suits(hand.set())) {
        *place = f32::from(count) / 7.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gym::stream;
    use crate::pai_gow::{Dealt, Rules};
    use crate::rank::Category;
    use std::collections::HashMap;

    #[test]
    fn a_row_says_what_its_setting_makes() {
        let game = Game::new(Rules::default());
        let hand = Candidates::new(&game, "As Kd Jk 7c 7d 2h 3s".parse().unwrap());
        let mut out = vec![f32::NAN; LEN];
        write(&game, &hand, &mut out);
        // The positions are Jk As Kd 7d 7c 3s 2h. Putting 7d 7c in front is setting (3,4), which leaves a pair of aces
        // with K 3 2 in back.
        let row = &out[Setting::from_positions(3, 4).index() * ROW..][..ROW];
        let ones: Vec<usize> = (0..66).filter(|&i| row[i] != 0.0).collect();
        assert_eq!(ones, [0, 1, 2, 3 + 5, 16 + 5, 29 + Category::OnePair as usize, 40 + 12, 53 + 11]);
        assert_eq!(row[66], 2.0 / 13.0);
        assert_eq!(row[67], TwoStrength::from_ranks(Rank::Seven, Rank::Seven).index() as f32 / 90.0);
        assert!(row[69] > 0.92 && row[69] < 1.0);
        let context = &out[21 * ROW..];
        assert_eq!(context[..14], [0.25, 0.25, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 0.25, 1.0]);
        assert_eq!(context[14..], [2.0, 2.0, 1.0, 1.0].map(|count| count / 7.0));
        let legal: Vec<f32> = out[..21 * ROW].chunks(ROW).map(|row| row[0]).collect();
        assert_eq!(legal.iter().sum::<f32>(), 20.0);
    }

    #[test]
    fn contenders_get_the_rows_they_have_among_all() {
        let game = Game::new(Rules::default());
        let mut rng = stream(8.into());
        let (mut all, mut rows, mut context) = (vec![0.0; LEN], vec![9.0; 21 * ROW], vec![9.0; CONTEXT]);
        for _ in 0..2_000 {
            let hand = Candidates::new(&game, Dealt::random(&mut rng).hand());
            write(&game, &hand, &mut all);
            let contenders = hand.contenders();
            write_rows(&game, &hand, contenders, &mut rows, &mut context).unwrap();
            for (setting, row) in settings_in(contenders).zip(rows.chunks(ROW)) {
                assert_eq!(row, &all[setting.index() * ROW..][..ROW]);
            }
            assert_eq!(context, all[21 * ROW..]);
            let short = contenders.count_ones() as usize * ROW - 1;
            assert!(write_rows(&game, &hand, contenders, &mut rows[..short], &mut context).is_err());
            assert!(write_rows(&game, &hand, contenders, &mut rows, &mut context[1..]).is_err());
        }
    }

    #[test]
    fn rows_tell_settings_of_different_strength_apart() {
        // A network can't tell settings with the same row apart, so they must be equal or differ only in their last
        // ranks.
        let game = Game::new(Rules::default());
        let mut rng = stream(9.into());
        let (mut rows, mut context, mut seen) = (vec![0.0; 21 * ROW], vec![0.0; CONTEXT], HashMap::new());
        let mut contenders = 0;
        for _ in 0..10_000 {
            let hand = Candidates::new(&game, Dealt::random(&mut rng).hand());
            let mask = hand.contenders();
            write_rows(&game, &hand, mask, &mut rows, &mut context).unwrap();
            contenders += mask.count_ones();
            for (setting, row) in settings_in(mask).zip(rows.chunks(ROW)) {
                let bits: Vec<u32> = row.iter().map(|x| x.to_bits()).collect();
                assert_eq!(*seen.entry(bits).or_insert(hand.set(setting)), hand.set(setting));
            }
        }
        assert!((8.7..9.1).contains(&(f64::from(contenders) / 1e4)), "{contenders}");
    }
}
