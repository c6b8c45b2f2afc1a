//! From hands to rows of a [`CandidateBatch`]. The encoding itself is the environment's
//! ([`observe::candidates`](houseway_env::pai_gow::observe::candidates)).

use crate::candidates::CandidateBatch;
use crate::config::Among;
use houseway_env::pai_gow::observe::candidates::{CONTENDER, CONTEXT, LEGAL, ROW, write_rows};
use houseway_env::pai_gow::{Candidates, Game, Setting, settings_in};

/// Adds a hand with these settings, as bits 0 to 20, as its candidates.
///
/// # Panics
/// If no setting is among them.
pub fn encode(batch: &mut CandidateBatch, game: &Game, hand: &Candidates, among: u32) {
    let count = among.count_ones() as usize;
    assert!(count > 0, "a hand has a candidate");
    let (rows, contexts) = (batch.rows.len(), batch.context.len());
    batch.rows.resize(rows + count * ROW, 0.0);
    batch.context.resize(contexts + CONTEXT, 0.0);
    write_rows(game, hand, among, &mut batch.rows[rows..], &mut batch.context[contexts..])
        .expect("there is room for the rows");
    batch.settings.extend(settings_in(among));
    batch.counts.push(count);
}

/// Adds the hand of an observation in the encoding `candidates`; if it has only one candidate, returns that instead.
pub fn from_observation(batch: &mut CandidateBatch, observation: &[f32], among: Among) -> Option<Setting> {
    let flag = match among {
        Among::Contenders => CONTENDER,
        Among::Legal => LEGAL,
    };
    let (rows, context) = observation.split_at(Setting::COUNT * ROW);
    let candidates = Setting::all().zip(rows.chunks_exact(ROW)).filter(|(_, row)| row[flag] == 1.0);
    let mut settings = candidates.clone().map(|(setting, _)| setting);
    if let (Some(only), None) = (settings.next(), settings.next()) {
        return Some(only);
    }
    let before = batch.settings.len();
    for (setting, row) in candidates {
        batch.settings.push(setting);
        batch.rows.extend_from_slice(row);
    }
    batch.context.extend_from_slice(context);
    batch.counts.push(batch.settings.len() - before);
    None
}
