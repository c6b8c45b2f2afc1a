//! Computes the EVs of all settings, summed over each profile's classes.

use crate::pai_gow::whole::{Cancelled, ClassCounts, Pass, Payoff, Run};
use houseway_env::cards::profile::{PROFILES, Profile, Profiles};
use houseway_env::pai_gow::{Candidates, Game, Hand, SetHand, Setting, settings_in};
use rayon::prelude::*;

/// The gain of every legal setting for every profile against one opponent, in millionths of a stake, summed over all
/// deals with the profile's hands. The total gain of a profile strategy is exactly the sum of the gains of its
/// settings. The table occupies 49 MB.
pub struct SettingGains {
    gains: Vec<[i64; Setting::COUNT]>,
    best: i128,
}

/// A profile and its gains.
type Row = (Profile, [i64; Setting::COUNT]);

#[derive(Default)]
struct Tally {
    rows: Vec<Row>,
    best: i128,
}

impl SettingGains {
    /// Evaluates all settings in one pass over all deals. This takes about 13 s on two cores.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn compute(whole: &Pass<'_>, payoff: Payoff, slots: &Slots, run: &Run<'_>) -> Result<SettingGains, Cancelled> {
        let visit = |tally: &mut Tally, classes: &[ClassCounts]| {
            // Hands with the same profile have the same ranks, so they all arrive in one call.
            let first = tally.rows.len();
            for class in classes {
                let profile = Profiles::get().of(class.hand.set());
                let row = match tally.rows[first..].iter().rposition(|row| row.0 == profile) {
                    Some(place) => &mut tally.rows[first + place].1,
                    None => {
                        tally.rows.push((profile, [0; Setting::COUNT]));
                        &mut tally.rows.last_mut().expect("a row was pushed above").1
                    }
                };
                let orbit = i64::from(class.orbit);
                for &(slot, set) in slots.get(profile) {
                    let setting = if class.is_legal(slot) && class.sets[slot.index()] == set {
                        slot
                    } else {
                        class.setting_that_makes(set).expect("hands with the same profile have the same set hands")
                    };
                    row[slot.index()] += orbit * class.gain(setting, payoff);
                }
                tally.best += i128::from(orbit) * i128::from(class.gain(class.best(payoff), payoff));
            }
        };
        let merge = |mut a: Tally, b: Tally| {
            a.rows.extend(b.rows);
            Tally { rows: a.rows, best: a.best + b.best }
        };
        let tally = whole.fold(run, Tally::default, visit, merge)?;
        let mut gains = vec![[0; Setting::COUNT]; PROFILES];
        tally.rows.into_iter().for_each(|(profile, row)| gains[profile.index()] = row);
        Ok(SettingGains { gains, best: tally.best })
    }

    /// Returns the total gain of the best response.
    pub fn best(&self) -> i128 {
        self.best
    }

    /// Returns the gain of a profile's slot.
    pub fn get(&self, profile: Profile, slot: Setting) -> i64 {
        self.gains[profile.index()][slot.index()]
    }
}

/// The distinct legal set hands for every profile. Each is stored with its slot, the first setting of the profile's
/// representative that produces it.
pub struct Slots(Vec<Vec<(Setting, SetHand)>>);

impl Slots {
    /// Enumerates the settings of all profiles.
    pub fn new(game: &Game) -> Slots {
        let profiles: Vec<Profile> = Profile::all().collect();
        Slots(profiles.into_par_iter().map(|profile| sets_of(game, profile)).collect())
    }

    /// Returns a profile's set hands.
    pub fn get(&self, profile: Profile) -> &[(Setting, SetHand)] {
        &self.0[profile.index()]
    }

    /// Returns the slot of a set hand.
    ///
    /// # Panics
    /// Panics if the set hand isn't legal for the profile.
    pub fn slot(&self, profile: Profile, set: SetHand) -> Setting {
        self.get(profile).iter().find(|slot| slot.1 == set).expect("the set hand is legal for the profile").0
    }
}

fn sets_of(game: &Game, profile: Profile) -> Vec<(Setting, SetHand)> {
    let hand = Hand::representative(profile);
    let candidates = Candidates::new(game, hand);
    let legal = settings_in(candidates.legal());
    legal.map(|it| (it, candidates.set(it))).filter(|&(it, set)| candidates.find(set) == Some(it)).collect()
}
