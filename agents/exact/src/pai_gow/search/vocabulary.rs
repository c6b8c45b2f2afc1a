//! Defines the plays available to rules, and the sentences that describe them.

use super::list::Word;
use houseway_env::pai_gow::house_way::Way;

/// The extent to which a play fits a set of hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The play fits none of the hands.
    None,
    /// The play fits some of the hands.
    Some,
    /// The play fits all of the hands.
    All,
}

impl Fit {
    /// Combines the fits of individual hands. With no hands, returns [`Fit::All`].
    pub(super) fn of_all(parts: impl Iterator<Item = Fit>) -> Fit {
        let (mut any, mut all) = (false, true);
        parts.for_each(|fit| (any, all) = (any || fit != Fit::None, all && fit == Fit::All));
        match (any, all) {
            (_, true) => Fit::All,
            (true, false) => Fit::Some,
            (false, false) => Fit::None,
        }
    }
}

/// A filter for settings, as in the house way language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Filter {
    /// The value of `front`.
    front: Option<&'static str>,
    /// The value of `back`.
    back: Option<&'static str>,
    /// The value of `front-at-least`.
    at_least: Option<&'static str>,
}

/// A rule's play, made up of one or two filters. The second filter applies if the first fits no setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    first: Filter,
    second: Option<Filter>,
    /// `true` if the back is maximized first.
    pub(super) prefer_back: bool,
}

/// The fronts that filters may require, with their descriptions.
const FRONTS: [(&str, &str); 14] = [
    ("single single", "the two highest singles in front"),
    ("pair pair", "the pair in front"),
    ("low-pair low-pair", "the lowest pair in front"),
    ("middle-pair middle-pair", "the middle pair in front"),
    ("high-pair high-pair", "the highest pair in front"),
    ("trips trips", "two of the three of a kind in front"),
    ("second-trips second-trips", "two of the lower three of a kind in front"),
    ("trips single", "one of the three and the highest single in front"),
    ("trips pair", "one of the three and one of the pair in front"),
    ("quads quads", "two of the four in front"),
    ("quads single", "one of the four and the highest single in front"),
    ("aces aces", "two aces in front"),
    ("pair single", "one of the pair and the highest single in front"),
    ("low-pair single", "one of the lowest pair and the highest single in front"),
];

/// The singles that filters may require by position, with their descriptions.
const POSITIONS: [(&str, &str); 12] = [
    ("first-single third-single", "the highest and the third single in front"),
    ("first-single fourth-single", "the highest and the fourth single in front"),
    ("first-single fifth-single", "the highest and the fifth single in front"),
    ("second-single third-single", "the second and the third single in front"),
    ("second-single fourth-single", "the second and the fourth single in front"),
    ("second-single fifth-single", "the second and the fifth single in front"),
    ("second-single sixth-single", "the second and the sixth single in front"),
    ("second-single seventh-single", "the second single and the lowest in front"),
    ("third-single fourth-single", "the third and the fourth single in front"),
    ("third-single fifth-single", "the third and the fifth single in front"),
    ("third-single sixth-single", "the third and the sixth single in front"),
    ("third-single seventh-single", "the third single and the lowest in front"),
];

/// The backs that filters may require, with their descriptions.
const BACKS: [(&str, &str); 9] = [
    ("complete", "a complete hand in back"),
    ("straight", "a straight in back"),
    ("flush", "a flush in back"),
    ("straight flush", "a straight flush in back"),
    ("two pairs", "two pairs in back"),
    ("three of a kind", "three of a kind in back"),
    ("full house", "a full house in back"),
    ("four of a kind", "all four of a kind in back"),
    ("one pair", "just a pair in back"),
];

/// The minimum fronts, with their descriptions.
const LEAST: [(&str, &str); 12] = [
    ("J", "jack-high"),
    ("Q", "queen-high"),
    ("Q J", "queen-jack"),
    ("K", "king-high"),
    ("K 10", "king-ten"),
    ("K J", "king-jack"),
    ("K Q", "king-queen"),
    ("A", "ace-high"),
    ("A 10", "ace-ten"),
    ("A J", "ace-jack"),
    ("A Q", "ace-queen"),
    ("A K", "ace-king"),
];

/// The backs that may be combined with a minimum front.
const CONDITIONAL: [&str; 5] = ["complete", "two pairs", "three of a kind", "full house", "four of a kind"];

pub(super) fn sentence(words: &[(&'static str, &'static str)], word: &str) -> &'static str {
    words.iter().find(|known| known.0 == word).expect("the word is in the vocabulary").1
}

impl Filter {
    fn front(front: &'static str) -> Filter {
        Filter { front: Some(front), ..Filter::default() }
    }

    fn back(back: &'static str) -> Filter {
        Filter { back: Some(back), ..Filter::default() }
    }

    /// Returns the value of `play` in TOML.
    fn toml(self) -> String {
        let keys = [("front", self.front), ("back", self.back), ("front-at-least", self.at_least)];
        let keys = keys.into_iter().filter_map(|(key, value)| Some(format!("{key} = \"{}\"", value?)));
        let keys: Vec<String> = keys.collect();
        if keys.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", keys.join(", ")) }
    }

    /// Returns words that describe the setting. `prefer_back` matters if the filter leaves a choice.
    pub(super) fn sentence(self, prefer_back: bool, wording: Wording) -> String {
        let front = self.front.map(|front| {
            let all = [&FRONTS[..], &POSITIONS].concat();
            sentence(&all, front)
        });
        let back = self.back.map(|back| sentence(&BACKS, back));
        let mut text = match (front, back) {
            (None, None) if prefer_back => "the highest back".to_owned(),
            (None, None) => "the highest front".to_owned(),
            (Some(front), Some("a complete hand in back")) if wording != Wording::Draft => {
                format!("{front} of a complete hand")
            }
            (Some(front), Some(back)) => format!("{front}, {back}"),
            (Some(words), None) => words.to_owned(),
            (None, Some(words)) if prefer_back => format!("the highest hand in back, if that is {words}")
                .replace(" in back, if that is a complete hand in back", " in back, if complete"),
            (None, Some(words)) => words.to_owned(),
        };
        match wording {
            Wording::Cards => text = text.replace("single", "card"),
            Wording::BothPairs => text = text.replace("two pairs in back", "both pairs in back"),
            Wording::Draft | Wording::Plain => {}
        }
        if let Some(least) = self.at_least {
            text += &format!(" if the front is then {} or better", sentence(&LEAST, least));
        }
        text
    }

    /// Returns `true` if the words already say when the filter applies.
    fn says_when(self, prefer_back: bool) -> bool {
        self.at_least.is_some() || prefer_back && self.back.is_some()
    }
}

/// The wording of a play's text, which depends on the hands that the play is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wording {
    /// The wording of a draft, for any hands.
    Draft,
    /// Wording for hands of several shapes.
    Plain,
    /// Wording for hands without a pair, in which all cards are singles.
    Cards,
    /// Wording for two pairs.
    BothPairs,
}

impl Play {
    fn one(first: Filter) -> Play {
        Play { first, second: None, prefer_back: false }
    }

    /// Returns the value of `play` in the house way language.
    pub fn toml(&self) -> String {
        match self.second {
            None => self.first.toml(),
            Some(second) => format!("[{}, {}]", self.first.toml(), second.toml()),
        }
    }

    /// Returns the number of bounds.
    pub fn bounds(&self) -> usize {
        let filters = [Some(self.first), self.second];
        filters.into_iter().flatten().filter(|filter| filter.at_least.is_some()).count()
    }

    /// Returns the minimum front in words, along with the plays that have the next lower and the next higher minimum.
    /// Returns `None` if there is no minimum front.
    pub fn minimum_front(&self) -> Option<(&'static str, [Option<Play>; 2])> {
        let place = LEAST.iter().position(|known| Some(known.0) == self.first.at_least)?;
        let with = |place: Option<usize>| {
            let at_least = Some(LEAST.get(place?)?.0);
            Some(Play { first: Filter { at_least, ..self.first }, ..self.clone() })
        };
        Some((LEAST[place].1, [with(place.checked_sub(1)), with(place.checked_add(1))]))
    }

    /// Returns the words that the play needs beyond shapes and ranks.
    pub fn words(&self) -> Vec<Word> {
        let filters: Vec<Filter> = [Some(self.first), self.second].into_iter().flatten().collect();
        let mut words = Vec::new();
        if filters.iter().any(|filter| filter.at_least.is_some()) {
            words.push(Word::FrontAtLeast);
        }
        if filters.iter().any(|filter| filter.front.is_some_and(|front| POSITIONS.iter().any(|it| it.0 == front))) {
            words.push(Word::Positions);
        }
        if self.second.is_some() {
            words.push(Word::Otherwise);
        }
        if self.prefer_back {
            words.push(Word::PreferBack);
        }
        words
    }

    /// Describes the setting for a draft. `always` must be true if the first filter fits every hand the rule is for.
    pub(super) fn draft(&self, always: bool) -> String {
        let first = self.first.sentence(self.prefer_back, Wording::Draft);
        let if_possible = if always || self.first.at_least.is_some() { "" } else { " if possible" };
        match self.second {
            None => format!("{first}{if_possible}"),
            Some(second) => {
                format!("{first}{if_possible}, otherwise {}", second.sentence(self.prefer_back, Wording::Draft))
            }
        }
    }

    /// Describes the setting for hands that the filters fit to the given degrees.
    pub(super) fn sentence(&self, [first, second]: [Fit; 2], wording: Wording) -> String {
        let words = |filter: Filter, fit: Fit| {
            let possible = if fit == Fit::All || filter.says_when(self.prefer_back) { "" } else { " if possible" };
            filter.sentence(self.prefer_back, wording) + possible
        };
        match self.second {
            Some(other) if first == Fit::None => words(other, second),
            Some(other) if first == Fit::Some && second != Fit::None => {
                format!("{}, otherwise {}", words(self.first, first), words(other, second))
            }
            _ => words(self.first, first),
        }
    }
}

/// The maximum number of rules in one file.
const MAX_RULES: usize = 60;

/// Returns all plays that need no words other than the given ones.
pub(super) fn plays(words: &[Word]) -> Vec<Play> {
    let mut filters = vec![Filter::default()];
    filters.extend(FRONTS.iter().map(|it| Filter::front(it.0)));
    filters.extend(BACKS.iter().map(|it| Filter::back(it.0)));
    filters.extend(POSITIONS.iter().map(|it| Filter::front(it.0)));
    for front in ["single single", "pair pair", "trips trips"] {
        filters.push(Filter { back: Some("complete"), ..Filter::front(front) });
    }
    for back in CONDITIONAL {
        filters.extend(LEAST.iter().map(|it| Filter { at_least: Some(it.0), ..Filter::back(back) }));
    }
    let mut plays: Vec<Play> = filters.iter().map(|&filter| Play::one(filter)).collect();
    plays.extend(
        [Filter::default(), Filter::back("complete")].map(|first| Play { prefer_back: true, ..Play::one(first) }),
    );
    let seconds = [
        Filter::default(),
        Filter::front("single single"),
        Filter::front("low-pair low-pair"),
        Filter::front("quads quads"),
        Filter::front("trips trips"),
        Filter::back("complete"),
        Filter::back("three of a kind"),
    ];
    let is_conditional = |filter: &&Filter| filter.back.is_some();
    for &first in filters.iter().filter(is_conditional) {
        let others = seconds.iter().filter(|&&second| second != first);
        plays.extend(others.map(|&second| Play { second: Some(second), ..Play::one(first) }));
    }
    for second in POSITIONS.iter().map(|it| Filter::front(it.0)) {
        plays.push(Play { second: Some(second), ..Play::one(Filter::back("complete")) });
    }
    plays.retain(|play| play.words().iter().all(|word| words.contains(word)));
    plays
}

impl Play {
    /// Returns the plays for its two filters.
    pub fn parts(&self) -> (Play, Option<Play>) {
        let one = |first| Play { first, second: None, prefer_back: self.prefer_back };
        (one(self.first), self.second.map(one))
    }
}

/// Converts plays to ways, with one rule per play.
pub(super) fn ways(plays: &[Play]) -> Vec<Way> {
    let chunk = |plays: &[Play]| {
        let rule = |(i, play): (usize, &Play)| {
            let prefer = if play.prefer_back { "prefer = \"back\"\n" } else { "" };
            format!("[[rule]]\nname = \"{i}\"\ntext = \"\"\nplay = {}\n{prefer}\n", play.toml())
        };
        let rules: String = plays.iter().enumerate().map(rule).collect();
        let text = format!("name = \"vocabulary\"\ntitle = \"\"\nsource = \"\"\n\n{rules}");
        Way::parse(&text, "vocabulary").expect("the vocabulary is valid")
    };
    plays.chunks(MAX_RULES).map(chunk).collect()
}
