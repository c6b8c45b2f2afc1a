//! Views of batches and exact values as arrays of `ndarray`. They copy nothing and allocate nothing.
//!
//! ```
//! let env = (houseway_env::registry::find("asian-stud").unwrap().make)("{}").unwrap();
//! let mut lanes = env.vectorized(4, false).unwrap();
//! lanes.reset(Some(1), None).unwrap();
//! let mut rewards = ndarray::Array2::zeros((4, lanes.actions()));
//! lanes.action_reward_rows(rewards.view_mut()).unwrap();
//! // The rewards have a row for each lane.
//! assert!(lanes.action_reward_rows(rewards.t().as_standard_layout().to_owned().view_mut()).is_err());
//! assert_eq!(lanes.batch().observation_rows().dim(), (4, lanes.observation_len()));
//! ```

use super::{AnyVecEnv, Batch, EnvError, ExactValues};
use ndarray::{ArrayView1, ArrayView2, ArrayViewMut2};

impl Batch {
    /// Returns [`Batch::observations`] with shape `[lanes, observation length]`.
    pub fn observation_rows(&self) -> ArrayView2<'_, f32> {
        self.rows(&self.observations)
    }

    /// Returns [`Batch::masks`] with shape `[lanes, actions]`.
    pub fn mask_rows(&self) -> ArrayView2<'_, bool> {
        self.rows(&self.masks)
    }

    /// Returns [`Batch::final_observations`] with shape `[lanes, observation length]`, or `[lanes, 0]` if they are
    /// disabled.
    pub fn final_observation_rows(&self) -> ArrayView2<'_, f32> {
        self.rows(&self.final_observations)
    }

    /// Returns [`Batch::rewards`] with shape `[lanes]`, in the unit that the environment documents.
    pub fn reward_row(&self) -> ArrayView1<'_, f32> {
        ArrayView1::from(&self.rewards)
    }

    fn rows<'a, T>(&self, values: &'a [T]) -> ArrayView2<'a, T> {
        let lanes = self.rewards.len();
        let length = values.len() / lanes.max(1);
        ArrayView2::from_shape((lanes, length), values).expect("every lane has a row of the same length")
    }
}

impl dyn AnyVecEnv {
    /// Writes the rewards of all actions in every lane to an array with shape `[lanes, actions]`. See
    /// [`AnyVecEnv::action_rewards`].
    ///
    /// # Errors
    /// Returns any error from [`AnyVecEnv::action_rewards`], or [`EnvError::Length`] if the array has another shape or
    /// isn't contiguous.
    pub fn action_reward_rows(&mut self, mut out: ArrayViewMut2<'_, f32>) -> Result<(), EnvError> {
        check("the lanes of the rewards", self.len(), out.nrows())?;
        check("the actions of the rewards", self.actions(), out.ncols())?;
        self.action_rewards(out.as_slice_mut().unwrap_or_default())
    }
}

impl dyn ExactValues {
    /// Writes consecutive decisions starting with `first`, one to each row of the arrays. The observations have the shape
    /// `[decisions, observation length]`, and the masks and the EVs per unit staked `[decisions, actions]`.
    ///
    /// # Errors
    /// Returns [`EnvError::Length`] if the arrays have different numbers of rows, if there are fewer decisions, or if a
    /// row has the wrong length or isn't contiguous.
    pub fn write_rows(
        &self,
        first: usize,
        mut observations: ArrayViewMut2<'_, f32>,
        mut masks: ArrayViewMut2<'_, bool>,
        mut evs: ArrayViewMut2<'_, f32>,
    ) -> Result<(), EnvError> {
        let count = observations.nrows();
        check("the rows of the masks", count, masks.nrows())?;
        check("the rows of the EVs", count, evs.nrows())?;
        let left = self.decisions().saturating_sub(first);
        check("the rows of the observations", count.min(left), count)?;
        let rows = observations.rows_mut().into_iter().zip(masks.rows_mut()).zip(evs.rows_mut());
        for (decision, ((mut observation, mut mask), mut evs)) in (first..).zip(rows) {
            let observation = observation.as_slice_mut().unwrap_or_default();
            let mask = mask.as_slice_mut().unwrap_or_default();
            self.write(decision, observation, mask, evs.as_slice_mut().unwrap_or_default())?;
        }
        Ok(())
    }
}

fn check(what: &'static str, expected: usize, found: usize) -> Result<(), EnvError> {
    if expected == found { Ok(()) } else { Err(EnvError::Length { what, expected, found }) }
}
