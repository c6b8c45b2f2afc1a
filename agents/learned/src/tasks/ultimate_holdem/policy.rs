//! The agent that plays with one model per decision.

use crate::device::playing_device;
use crate::model::Model;
use crate::network::Inputs;
use burn::prelude::*;
use houseway_env::gym::Policy;
use houseway_env::ultimate_holdem::Action;
use houseway_env::ultimate_holdem::observe::{Observation, features};

/// The length of a row. Each row is an observation in the `features` encoding.
pub(super) const ROW: usize = features::LEN;

/// For each row, returns `true` if the model would play.
pub(super) fn plays(model: &Model, rows: &[f32], device: &Device) -> Vec<bool> {
    if rows.is_empty() {
        return vec![];
    }
    let advantages = model.outputs(&Inputs::new(rows, rows.len() / ROW, device));
    advantages.into_iter().map(|advantage| advantage > 0.0).collect()
}

/// An agent with one model per decision. It reads the `features` encoding and plays for the maximum number of antes
/// if the advantage is positive.
pub struct StagePolicy {
    name: String,
    models: Vec<Model>,
    device: Device,
}

impl StagePolicy {
    pub(super) fn new(name: &str, models: &[Model]) -> StagePolicy {
        StagePolicy { name: name.to_owned(), models: models.to_vec(), device: playing_device() }
    }
}

impl Policy for StagePolicy {
    fn name(&self) -> &str {
        &self.name
    }

    fn encoding(&self) -> &str {
        Observation::Features.name()
    }

    fn choose(&self, observations: &[f32], masks: &[bool]) -> Vec<usize> {
        let masks = masks.chunks_exact(Action::ALL.len());
        // The first legal action is to wait or fold, and the last one is to play.
        let mut actions: Vec<usize> = masks.clone().map(|mask| first_legal(mask.iter())).collect();
        for (stage, model) in self.models.iter().enumerate() {
            let rows = observations.chunks_exact(ROW).enumerate();
            let (places, rows): (Vec<usize>, Vec<&[f32]>) = rows.filter(|(_, row)| row[stage] == 1.0).unzip();
            for (place, plays) in places.into_iter().zip(plays(model, &rows.concat(), &self.device)) {
                if plays && let Some(mask) = masks.clone().nth(place) {
                    actions[place] = mask.len() - 1 - first_legal(mask.iter().rev());
                }
            }
        }
        actions
    }
}

/// Returns the index of the first legal action.
fn first_legal<'a>(mut mask: impl Iterator<Item = &'a bool>) -> usize {
    mask.position(|&legal| legal).expect("an action is legal")
}
