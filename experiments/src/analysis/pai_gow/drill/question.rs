//! Asks a drill's questions and judges the answers.

use super::hands::HandSource;
use super::record::{Answer, DrillRecord, Score};
use houseway_env::cards::CardSet;
use houseway_env::pai_gow::house_way::{HouseWay, Shape};
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy};
use houseway_exact::format::percent;
use houseway_exact::pai_gow::HandCounts;

/// A hand for the player to set.
pub struct Question {
    /// The hand.
    pub hand: Hand,
    /// The exact outcome counts for all settings.
    pub counts: HandCounts,
    /// `true` if the hand is repeated after a mistake.
    pub is_review: bool,
}

impl Question {
    /// Returns the next hand due for review, or a new one if none is due.
    ///
    /// # Errors
    /// Returns an error if the record contains an invalid hand.
    pub fn next(source: &HandSource<'_>, record: &mut DrillRecord) -> Result<Question, String> {
        if let Some(review) = record.due() {
            return Question::again(source, &review.hand);
        }
        let (hand, counts) = source.draw(record.drawn, &record.mistakes());
        record.drawn = record.drawn.saturating_add(1);
        Ok(Question { hand, counts, is_review: false })
    }

    /// Returns a hand that was asked before.
    ///
    /// # Errors
    /// Returns an error if the hand is invalid.
    pub fn again(source: &HandSource<'_>, hand: &str) -> Result<Question, String> {
        let hand = hand.parse::<Hand>().map_err(|error| format!("invalid hand '{hand}': {error}"))?;
        Ok(Question { hand, counts: source.count(hand), is_review: true })
    }

    /// Judges a setting. `way` is the house way to compare with.
    pub fn judge(&self, way: &HouseWay, setting: Setting) -> Answer {
        let Question { hand, counts, is_review } = self;
        let (best, house) = (counts.best(), way.set(*hand));
        let ev = |setting| counts.ev(setting).map_or(f64::NAN, |ev| ev.value());
        let regret = |setting| counts.regret(setting).map_or(f64::NAN, |regret| regret.value());
        let front = |setting: Setting| setting.front(*hand).to_string();
        Answer {
            hand: hand.to_string(),
            shape: Shape::from_hand(*hand).name().to_owned(),
            is_review: *is_review,
            front: front(setting),
            best_front: front(best),
            house_front: front(house),
            house_rule: way.rule(*hand).name.clone(),
            ev: ev(setting),
            best_ev: ev(best),
            regret: regret(setting),
            house_regret: regret(house),
        }
    }

    /// Parses a front given as two cards, or as the positions of two cards in the hand.
    ///
    /// # Errors
    /// Returns an error if the text isn't a front of the hand, or if the setting is a foul.
    pub fn parse_front(&self, game: &Game, text: &str) -> Result<Setting, String> {
        let hand = self.hand;
        let words: Vec<&str> = text.split_whitespace().collect();
        let places: Result<Vec<usize>, _> = words.iter().map(|word| word.parse::<usize>()).collect();
        let front: Result<CardSet, _> = text.parse();
        let setting = match (places.as_deref(), front) {
            (Ok(&[a, b]), _) if a != b && (1..=7).contains(&a) && (1..=7).contains(&b) => {
                Some(Setting::from_positions(a - 1, b - 1))
            }
            (_, Ok(front)) => Setting::with_front(hand, front),
            _ => None,
        };
        let setting = setting.ok_or_else(|| format!("'{text}' is not two cards of the hand: try {}", example(hand)))?;
        let made = game.set(hand, setting);
        match game.is_legal(made) {
            true => Ok(setting),
            false => Err(format!(
                "{} in front is a foul: the back, {}, does not outrank it",
                setting.front(hand),
                game.ranking().describe(made.back)
            )),
        }
    }
}

fn example(hand: Hand) -> String {
    let cards = hand.cards();
    format!("\"{} {}\" or \"2 3\", quit, skip or house", cards[1], cards[2])
}

impl Answer {
    /// Returns the judgment in two sentences, one about the player's setting and one about the house way's.
    pub fn sentences(&self, way: &HouseWay, hand: Hand) -> [String; 2] {
        let Answer { front, best_front, house_front, ev, best_ev, regret, house_regret, .. } = self;
        let own = match *regret == 0.0 {
            true => format!("right: {front} in front is the best, EV {ev:+.5}"),
            false => {
                format!("wrong: {front} in front, EV {ev:+.5}, costs {regret:.5}; best: {best_front}, EV {best_ev:+.5}")
            }
        };
        let cost = if *house_regret == 0.0 { "the best".to_owned() } else { format!("which costs {house_regret:.5}") };
        let rule = way.rule(hand);
        let house = format!(
            "{}: {house_front}, {cost}, by its rule \"{}\": {}",
            way.way().name(),
            rule.name,
            rule.text.split_whitespace().collect::<Vec<_>>().join(" ")
        );
        [own, house]
    }
}

impl Score {
    /// Returns the score in words. `way` is the name of the house way to compare with.
    pub fn text(&self, way: &str) -> String {
        let Score { hands, best, house_best, regret, house_regret } = self;
        format!(
            "{hands} hands: you found the best setting of {best} and gave away {} of a stake per hand;\n{way} finds {house_best} \
             and gives away {}, the optimum 0%",
            percent(*regret, 3),
            percent(*house_regret, 3),
        )
    }
}
