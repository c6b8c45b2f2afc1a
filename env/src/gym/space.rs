//! Spaces of actions and observations.

use serde::{Deserialize, Serialize};

/// The actions 0 to n - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Discrete(pub usize);

impl Discrete {
    /// Returns the number of actions.
    pub const fn n(self) -> usize {
        self.0
    }

    /// Returns `true` if the action is in the space, whether or not it is currently legal.
    pub const fn contains(self, action: usize) -> bool {
        action < self.0
    }
}

/// Arrays of `f32` of a fixed shape whose entries all lie between two inclusive bounds. Observations are written in
/// row-major order into a flat slice of [`BoxSpace::len`] numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxSpace {
    /// Lengths of the axes; their product is positive.
    pub shape: Vec<usize>,
    /// Minimum value of an entry.
    pub low: f32,
    /// Maximum value of an entry.
    pub high: f32,
}

impl BoxSpace {
    /// Returns the number of entries in an observation.
    #[allow(clippy::len_without_is_empty)] // an observation is never empty
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns `true` if the entries are an observation in this space, with the right length and every entry within the
    /// bounds.
    pub fn contains(&self, observation: &[f32]) -> bool {
        observation.len() == self.len() && observation.iter().all(|&x| self.low <= x && x <= self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_tell_what_they_hold() {
        let space = BoxSpace { shape: vec![2, 3], low: 0.0, high: 1.0 };
        assert_eq!(space.len(), 6);
        assert!(space.contains(&[0.0, 1.0, 0.5, 0.0, 0.0, 0.0]));
        assert!(!space.contains(&[0.0; 5]) && !space.contains(&[1.1; 6]) && !space.contains(&[f32::NAN; 6]));
        assert!(Discrete(21).contains(20) && !Discrete(21).contains(21));
    }
}
