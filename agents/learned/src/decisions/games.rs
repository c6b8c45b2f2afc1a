//! What each action is worth on the cards as they lie, game by game.

use super::Decisions;
use houseway_env::asian_stud::AsianStud;
use houseway_env::gym::EnvError;
use houseway_env::joker_seven::{DEAL, JokerSeven, Wager};

impl Decisions for AsianStud {
    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let rewards = self.rewards()?;
        EnvError::check_length("the rewards", out.len(), rewards.len())?;
        out.iter_mut().zip(rewards).for_each(|(out, reward)| *out = reward as f32);
        Ok(())
    }
}

/// A chip adds what its wager brings, and to stake no more adds nothing: results of chips add up.
impl Decisions for JokerSeven {
    fn action_rewards(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let rewards = self.rewards()?;
        EnvError::check_length("the rewards", out.len(), Wager::COUNT + 1)?;
        let (stakes, minimum) = (self.stakes().ok_or(EnvError::NotReset)?, self.game().rules().minimum);
        for ((out, reward), stake) in out.iter_mut().zip(rewards).zip(stakes) {
            // The first chips on a wager are as many as its minimum.
            let chips = if stake == 0 { f64::from(minimum) } else { 1.0 };
            *out = if reward.is_nan() { 0.0 } else { (reward * chips) as f32 };
        }
        out[DEAL] = 0.0;
        Ok(())
    }
}
