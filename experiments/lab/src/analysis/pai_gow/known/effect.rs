//! The effect of known cards on the settings of a hand.

use houseway_env::pai_gow::Setting;
use houseway_exact::pai_gow::HandCounts;

/// The effect of known cards on a hand, or its mean over several sets of known cards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Effect {
    /// The gain per unit staked.
    pub(super) gain: f64,
    /// The fraction of sets that change the best setting.
    pub(super) changed: f64,
    /// The fraction of sets that make several settings equally good, although their EVs differ without known cards.
    pub(super) tied: f64,
}

impl Effect {
    /// Compares the EVs of a hand's settings without and with known cards.
    pub(super) fn new(without: &HandCounts, with: &HandCounts) -> Effect {
        let usual = without.best();
        let gain = with.regret(usual).expect("the best setting is legal").value();
        let best = if gain > 0.0 { with.best() } else { usual };
        let is_level = |setting: Setting| with.ev(setting) == with.ev(best) && without.ev(setting) != without.ev(best);
        let one_if = |holds| if holds { 1.0 } else { 0.0 };
        Effect { gain, changed: one_if(gain > 0.0), tied: one_if(Setting::all().any(is_level)) }
    }

    /// Returns the mean of several effects.
    pub(super) fn mean(effects: &[Effect]) -> Effect {
        assert!(!effects.is_empty(), "a mean needs values");
        let mean = |part: fn(&Effect) -> f64| effects.iter().map(part).sum::<f64>() / effects.len() as f64;
        Effect { gain: mean(|it| it.gain), changed: mean(|it| it.changed), tied: mean(|it| it.tied) }
    }
}
