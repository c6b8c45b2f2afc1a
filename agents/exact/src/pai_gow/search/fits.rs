//! Finds which hands reach a rule and how well its plays fit them.

use super::beam::Search;
use super::list::FoundRule;
use super::space::NO_PLAY;
use super::vocabulary::{Fit, Play};

/// The fit of a rule's two plays among the hands of a shape that reach the rule. The second play is only considered for
/// hands that the first doesn't fit. `None` if no hand of the shape reaches the rule.
pub(super) type Fits = Option<[Fit; 2]>;

impl Search<'_> {
    /// Returns how well a rule's plays fit the hands of each of its cases.
    pub(super) fn fits(&self, rules: &[FoundRule], rule: usize) -> Vec<Fits> {
        let plays = self.space().plays();
        let index = |wanted: Play| plays.iter().position(|play| *play == wanted);
        let (first, second) = plays[rules[rule].play].parts();
        let (first, second) = (index(first), second.and_then(index));
        let of_case = |(shape, ranges): &_| {
            let own = &self.space().shapes[*shape as usize];
            let (state, numbers) = self.state(rules, *shape);
            let place = numbers.iter().position(|&number| number == rule)?;
            let within = own.groups.within(ranges);
            let reaches = |&i: &usize| usize::from(state.by[i]) >= place && within[own.groups.cell[i] as usize];
            let groups: Vec<usize> = (0..own.groups.count()).filter(reaches).collect();
            let fits = |play: Option<usize>, group: usize| {
                let loss = play.and_then(|play| own.losses(play).get(group));
                if loss.is_some_and(|&loss| loss != NO_PLAY) { Fit::All } else { Fit::None }
            };
            let others = groups.iter().filter(|&&group| fits(first, group) == Fit::None);
            let second = Fit::of_all(others.map(|&group| fits(second, group)));
            let first = Fit::of_all(groups.iter().map(|&group| fits(first, group)));
            (!groups.is_empty()).then_some([first, second])
        };
        rules[rule].cases.iter().map(of_case).collect()
    }

    /// Returns `true` if a rule's first play fits every hand that reaches the rule.
    pub(super) fn always_fits(&self, rules: &[FoundRule], rule: usize) -> bool {
        self.fits(rules, rule).into_iter().flatten().all(|[first, _]| first == Fit::All)
    }
}
