//! Strategies that see hands only through an encoding.
//!
//! Hands with the same observation look alike to a policy, which must treat them in the same way. The regret of the best
//! such strategy is a floor for all policies that read the encoding.

use std::collections::HashMap;

/// Returns the best action for each decision if those with the same observation must have the same action. A decision is
/// an observation and the weighted rewards of all actions. Ties go to the first action.
pub fn best_alike(decisions: impl IntoIterator<Item = (Vec<f32>, Vec<i128>)>) -> Vec<usize> {
    let mut groups: HashMap<Vec<u32>, usize> = HashMap::new();
    let (mut totals, mut group_of): (Vec<Vec<i128>>, Vec<usize>) = (vec![], vec![]);
    for (observation, rewards) in decisions {
        let key = observation.iter().map(|number| number.to_bits()).collect();
        let group = *groups.entry(key).or_insert(totals.len());
        match totals.get_mut(group) {
            Some(total) => total.iter_mut().zip(rewards).for_each(|(total, reward)| *total += reward),
            None => totals.push(rewards),
        }
        group_of.push(group);
    }
    let best = |total: &Vec<i128>| {
        let best = (0..total.len()).reduce(|best, action| if total[action] > total[best] { action } else { best });
        best.unwrap_or_default()
    };
    let best: Vec<usize> = totals.iter().map(best).collect();
    group_of.into_iter().map(|group| best[group]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_that_look_alike_share_an_action() {
        let decisions = [(1.0, [0, 5]), (2.0, [3, 3]), (1.0, [9, 1]), (2.0, [0, 1])];
        let decisions = decisions.map(|(seen, rewards)| (vec![seen, 0.5], rewards.to_vec()));
        assert_eq!(best_alike(decisions.clone()), [0, 1, 0, 1]);
        assert_eq!(best_alike(decisions[..2].to_vec()), [1, 0]);
    }
}
