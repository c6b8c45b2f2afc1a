//! Saves a drill's answers and schedules hands for review.

use crate::run::{load_saved, open_saved, write_atomic_by};
use houseway_env::seal::Seal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

const FORMAT: u32 = 2;
const SEAL: Seal = Seal::new("houseway-drill", FORMAT);
/// The number of other hands to play before a hand is reviewed. It grows with each correct answer since the last
/// mistake.
const INTERVALS: [u64; 5] = [2, 5, 12, 30, 80];

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrillRecord {
    format: u32,
    /// The game, with the hash of its rules and of the opponent's strategy.
    pub game: String,
    pub seed: u64,
    pub drawn: u64,
    pub answers: Vec<Answer>,
    pub reviews: Vec<Review>,
}

/// An answer, which becomes a row of the exported table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The position, which starts with the player's cards.
    pub hand: String,
    pub group: String,
    pub is_review: bool,
    /// The action that the player chose. If it is formed by choosing cards, these are the cards.
    pub action: String,
    pub best: String,
    /// The action of the strategy to compare with, such as a house way.
    pub house: Option<String>,
    pub house_rule: Option<String>,
    pub ev: f64,
    pub best_ev: f64,
    /// The mean regret, as a fraction of the stake.
    pub regret: f64,
    pub house_regret: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    pub hand: String,
    /// The number of correct answers since the last mistake.
    pub right: usize,
    pub due: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    pub hands: usize,
    pub best: usize,
    pub house_best: usize,
    pub regret: f64,
    pub house_regret: f64,
}

impl Score {
    pub fn new(answers: &[Answer]) -> Score {
        let hands = answers.len();
        let mean = |value: fn(&Answer) -> f64| {
            answers.iter().map(value).fold(0.0, |sum, value| sum + value) / hands.max(1) as f64
        };
        Score {
            hands,
            best: answers.iter().filter(|answer| answer.regret == 0.0).count(),
            house_best: answers.iter().filter(|answer| answer.house_regret == Some(0.0)).count(),
            regret: mean(|answer| answer.regret),
            house_regret: mean(|answer| answer.house_regret.unwrap_or(0.0)),
        }
    }
}

impl DrillRecord {
    pub fn new(game: String, seed: u64) -> DrillRecord {
        DrillRecord { format: FORMAT, game, seed, drawn: 0, answers: vec![], reviews: vec![] }
    }

    pub fn load(path: &Path) -> io::Result<Option<DrillRecord>> {
        load_saved(path, "drill", SEAL, FORMAT)
    }

    pub fn parse(text: &str) -> Result<DrillRecord, String> {
        open_saved(SEAL, FORMAT, text)
    }

    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_atomic_by("--session", path, format!("{}\n", SEAL.seal(self)))
    }

    /// Returns the hand that has been due for longest among the asked groups, or `None` if no hand is due.
    pub fn due(&self, is_asked: impl Fn(&str) -> bool) -> Option<&Review> {
        let now = self.answers.len() as u64;
        let group = |hand: &str| self.answers.iter().rfind(|answer| answer.hand == hand).map(|answer| &answer.group);
        let due = self.reviews.iter().filter(|review| review.due <= now);
        due.filter(|review| group(&review.hand).is_none_or(|group| is_asked(group))).min_by_key(|review| review.due)
    }

    /// Adds an answer. After a mistake, the hand returns soon. After a correct answer in a review, it returns later or,
    /// if it has been set correctly often enough, not at all.
    pub fn add(&mut self, answer: Answer) {
        let known = self.reviews.iter().position(|review| review.hand == answer.hand);
        let known = known.map(|at| self.reviews.remove(at));
        let right = match (&known, answer.regret == 0.0) {
            (_, false) => Some(0),
            (Some(review), true) => Some(review.right.saturating_add(1)),
            (None, true) => None,
        };
        if let Some((right, interval)) = right.and_then(|right| Some((right, INTERVALS.get(right)?))) {
            let due = self.answers.len() as u64 + 1 + interval;
            self.reviews.push(Review { hand: answer.hand.clone(), right, due });
        }
        self.answers.push(answer);
    }

    pub fn postpone(&mut self, hand: &str) {
        let due = self.answers.len() as u64 + 1 + INTERVALS[0];
        self.reviews.iter_mut().filter(|review| review.hand == hand).for_each(|review| review.due = due);
    }

    /// Returns the fraction of answers that were mistakes, by group.
    pub fn mistakes(&self) -> BTreeMap<String, f64> {
        let mut counts: BTreeMap<String, (u32, u32)> = BTreeMap::new();
        for answer in &self.answers {
            let (wrong, all) = counts.entry(answer.group.clone()).or_default();
            *wrong += u32::from(answer.regret > 0.0);
            *all += 1;
        }
        counts.into_iter().map(|(group, (wrong, all))| (group, f64::from(wrong) / f64::from(all))).collect()
    }

    /// Describes the last answers, and the hands that return.
    pub fn progress(&self) -> String {
        let right = self.answers.iter().rev().take_while(|answer| answer.regret == 0.0).count();
        let returning = self.reviews.len();
        let noun = if returning == 1 { "hand returns" } else { "hands return" };
        format!("{right} right in a row; {returning} {noun} later")
    }

    pub fn csv(&self) -> io::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // The header is written with the first row, so that of an empty table comes from a row that is cut off.
        let blank = [Answer::default()];
        let rows = if self.answers.is_empty() { &blank } else { &self.answers[..] };
        rows.iter().try_for_each(|answer| writer.serialize(answer)).map_err(io::Error::other)?;
        let mut text = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        if self.answers.is_empty() {
            text.truncate(text.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1));
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(hand: &str, regret: f64) -> Answer {
        Answer {
            hand: hand.to_owned(),
            group: "two pairs".to_owned(),
            is_review: false,
            action: "7c 7d".to_owned(),
            best: "7c 7d".to_owned(),
            house: Some("7c 7d".to_owned()),
            house_rule: Some("a rule, with a comma".to_owned()),
            ev: 0.5,
            best_ev: 0.5 + regret,
            regret,
            house_regret: Some(0.0),
        }
    }

    #[test]
    fn mistakes_return_at_growing_intervals() {
        let mut record = DrillRecord::new("rules".to_owned(), 1);
        record.add(answer("right", 0.0));
        assert_eq!(record.reviews, []);
        assert_eq!(record.progress(), "1 right in a row; 0 hands return later");
        record.add(answer("wrong", 0.1));
        let (mut asked, mut answered) = (vec![], record.answers.len());
        while answered < 200 {
            let is_due = record.due(|_| true).is_some();
            if is_due {
                asked.push(answered);
            }
            record.add(answer(if is_due { "wrong" } else { "other" }, 0.0));
            answered += 1;
        }
        // The hand returns after 2, 5, 12, 30 and 80 other hands and is then retired.
        assert_eq!(asked, [4, 10, 23, 54, 135]);
        // After a mistake in a review, the hand starts over with the first interval. Skipping a hand postpones it.
        record.add(answer("wrong", 0.2));
        assert_eq!(record.reviews, [Review { hand: "wrong".to_owned(), right: 0, due: 203 }]);
        assert_eq!(record.progress(), "0 right in a row; 1 hand returns later");
        assert_eq!(record.mistakes()["two pairs"], 2.0 / 201.0);
        record.postpone("wrong");
        assert_eq!((record.reviews[0].right, record.reviews[0].due), (0, 204));
    }

    #[test]
    fn drills_are_saved_scored_and_exported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("drill.json");
        assert_eq!(DrillRecord::load(&path).unwrap(), None);
        let mut record = DrillRecord::new("rules".to_owned(), 1);
        let header = record.csv().unwrap();
        record.add(answer("a", 0.25));
        record.add(answer("b", 0.0));
        assert!(record.csv().unwrap().starts_with(&header) && header.ends_with(b"house_regret\n"));
        record.save(&path).unwrap();
        assert_eq!(DrillRecord::load(&path).unwrap(), Some(record.clone()));
        let score = Score::new(&record.answers);
        assert_eq!((score.hands, score.best, score.house_best, score.regret), (2, 1, 2, 0.125));
        let csv = String::from_utf8(record.csv().unwrap()).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert!(
            lines[0].starts_with("hand,group,is_review,action,best,house,house_rule,ev,best_ev,regret,house_regret")
        );
        assert_eq!(lines[1], "a,two pairs,false,7c 7d,7c 7d,7c 7d,\"a rule, with a comma\",0.5,0.75,0.25,0.0");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen("0.25", "1e308", 1)).unwrap();
        assert!(DrillRecord::load(&path).unwrap_err().to_string().contains("its checksum does not match"));
        assert_eq!(DrillRecord::parse(&serde_json::to_string(&record).unwrap()), Ok(record));
        let old = text.replace("\"format\":2", "\"format\":1");
        std::fs::write(&path, old).unwrap();
        assert!(DrillRecord::load(&path).unwrap_err().to_string().contains("its format is 1, expected 2; use --new"));
        std::fs::write(&path, "[]").unwrap();
        assert!(DrillRecord::load(&path).unwrap_err().to_string().contains("--new"));
    }
}
