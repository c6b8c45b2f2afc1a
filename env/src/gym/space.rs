//! Action and observation spaces.

use serde::{Deserialize, Serialize};

/// An action space that consists of the actions 0 to n - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Discrete(pub usize);

impl Discrete {
    /// Returns the number of actions.
    pub const fn n(self) -> usize {
        self.0
    }

    /// Returns `true` if the space contains the action, even if the action is currently illegal.
    pub const fn contains(self, action: usize) -> bool {
        action < self.0
    }
}

/// A space of `f32` arrays with a fixed shape and inclusive bounds that apply to every entry. Observations are written
/// to a flat slice of [`BoxSpace::len`] numbers in row-major order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxSpace {
    /// The lengths of the axes. Their product is positive.
    pub shape: Vec<usize>,
    /// The lower bound for every entry.
    pub low: f32,
    /// The upper bound for every entry.
    pub high: f32,
}

impl BoxSpace {
    /// Returns the number of entries in an observation.
    #[allow(clippy::len_without_is_empty)] // observations are never empty
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns `true` if the observation has the right length and all entries are within the bounds.
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
