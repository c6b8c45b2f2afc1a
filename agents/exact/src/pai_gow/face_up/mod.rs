//! Exact evaluation of Face Up Pai Gow Poker.
//!
//! The player sees the dealer's set hand, so the best setting is known for every deal: one that beats both halves if
//! there is any, or else one half if possible. One pass evaluates all 8,250,459,031,214,400 deals.
//!
//! The published house edge is about 1.81% of the bet (M. Shackleford, wizardofodds.com/games/face-up-pai-gow-poker).
//! It depends on the dealer's house way, which the source doesn't name:
//!
//! | dealer | edge |
//! |---|--:|
//! | mgm-style | 1.4284% |
//! | flamingo-hilton | 1.5442% |
//! | golden-nugget | 1.5852% |
//! | claridge | 1.8206% |
//! | trump-plaza | 1.8219% |
//! | ballys-atlantic-city | 1.8665% |
//! | balance-of-power | 1.9242% |
//! | wizard-two-pair | 1.9304% |
//! | foxwoods | 1.9946% |
//! | wong | 2.0323% |
//! | houseway-4 to houseway-20 | 2.0423% to 2.1382% |
//!
//! If no dealer hand pushed every bet, the player would have an edge of 3.9676% against trump-plaza.
//!
//! The readings change the edge against trump-plaza as follows:
//!
//! | reading | change of the edge |
//! |---|--:|
//! | `way.pair-with-complete-hand=break` | -1.1878% |
//! | `way.trips-complete-without-pair=three_of_a_kind` | -0.0034% |
//! | `way.quads-with-pair=split_rule` | -0.0007% |
//! | `joker-in-flush=ace` | -0.0002% |
//! | `wheel-straight-flush=lowest` | 0.0000% |
//! | `wheel-straight=lowest`, a variant | +0.0043% |
//!
//! No reading explains the published figure: none of these combinations rounds to 1.81%. The lowest edges above it are
//! 1.8152% (claridge) and 1.8176% (trump-plaza), both with the second to fourth of these readings. The source probably
//! uses Trump Plaza's house way, which its author names for another game without a commission
//! (`bank-pushes=nine_high_front`). The published edge of that game is 2.5096%, and the exact one 2.5057%, so its figures
//! seem to come from a simulation. Here, the difference is at least 0.007%, which a simulation of similar size could
//! produce.

mod solver;

use crate::Ratio;
use crate::answer::{Answer, Section, TextTable};
use crate::format::{grouped, percent};
use crate::pai_gow::hand::HandEvaluator;
use crate::pai_gow::known::KnownCards;
use crate::pai_gow::outcomes::{DealCounts, Payoff};
use crate::solver::SolverError;
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{BankerSet, Hand, Outcome, SetHand, Setting, Strategy};
use houseway_env::rules::RuleSet;
use serde_json::{Value, json};
use solver::ExactGame;
pub use solver::SOLVER;

impl ExactGame {
    /// Returns the answer for all deals.
    fn solved(&self, counts: DealCounts) -> Answer {
        let (ev, pushing) = (counts.ev(Payoff::EVEN), self.pushing_hands());
        let deviation = counts.variance(Payoff::EVEN).sqrt();
        let mut json = self.header();
        json["deals"] = counts.all().to_string().into();
        put_counts(&mut json, counts);
        json["ev"] = ev.to_json();
        json["edge"] = (-ev.value()).into();
        json["standard_deviation"] = deviation.into();
        json["pushing_hands"] = pushing.to_string().into();
        let section = self.section("all deals").table(counts_table(counts)).lines(format!(
            "EV                  {:+.12} of the stake\n  exactly           {ev:?}\n\
             edge                {} against the player\n\
             standard deviation  {deviation:.6} of the stake\n\
             every bet pushes    with {} of the dealer's hands, {}",
            ev.value(),
            percent(-ev.value(), 6),
            grouped(pushing),
            percent(pushing as f64 / binomial(53, 7) as f64, 4),
        ));
        Answer::new(json, [section])
    }

    /// Returns the number of dealer hands against which every bet pushes.
    fn pushing_hands(&self) -> u64 {
        let pushes = |&profile: &Profile| {
            let hand = Hand::representative(profile);
            self.game.game().banker_set(hand, self.dealer.set(profile)).pushes()
        };
        Profile::all().filter(pushes).map(|profile| Profiles::get().hands(profile)).sum()
    }

    /// Returns the answer for a hand before the dealer's cards are seen.
    fn unseen(&self, hand: Hand) -> Result<Answer, SolverError> {
        let known = KnownCards::new(hand, self.dead)?;
        let counts = HandEvaluator::new(self.game.game(), &self.dealer).count_open(known);
        let mut json = self.header();
        json["hand"] = hand.to_string().into();
        self.dead.name_in(&mut json);
        json["dealer_hands"] = counts.all().to_string().into();
        put_counts(&mut json, counts);
        json["ev"] = counts.ev(Payoff::EVEN).value().into();
        let about = format!("{hand}{}, before the dealer's cards are seen", self.dead.in_words());
        let section = self.section(&about).table(counts_table(counts));
        let ev = format!("EV  {:+.9} of the stake", counts.ev(Payoff::EVEN).value());
        Ok(Answer::new(json, [section.lines(ev)]))
    }

    /// Returns the answer for a hand against a known dealer hand.
    fn seen(&self, hand: Hand, dealer: Hand) -> Answer {
        let game = self.game.game();
        let (setting, compared) = self.set_dealer(dealer);
        let outcomes = self.outcomes(hand, compared);
        let best = best(&outcomes);
        let settings = Setting::all().map(|setting| {
            let outcome = outcomes[setting.index()].map(|outcome| outcome.to_string());
            let (front, back) = (setting.front(hand).to_string(), setting.back(hand).to_string());
            json!({ "front": front, "back": back, "foul": outcome.is_none(), "outcome": outcome })
        });
        let settings: Vec<Value> = settings.collect();
        let mut json = self.header();
        json["hand"] = hand.to_string().into();
        self.dead.name_in(&mut json);
        json["dealer_hand"] = json!({
            "hand": dealer.to_string(),
            "front": setting.front(dealer).to_string(),
            "back": setting.back(dealer).to_string(),
            "pushes": compared.pushes(),
        });
        json["settings"] = settings.into();
        json["best"] = best.index().into();
        let mut table = TextTable::new(["front", "back", "back is", "outcome", ""]);
        for setting in Setting::all() {
            let Some(outcome) = outcomes[setting.index()] else { continue };
            table = table.row([
                setting.front(hand).to_string().as_str(),
                &setting.back(hand).to_string(),
                game.ranking().category(game.set(hand, setting).back).name(),
                &outcome.to_string(),
                if outcomes[best.index()] == Some(outcome) { "best" } else { "" },
            ]);
        }
        let dealt = format!("{} in back, {} in front", setting.back(dealer), setting.front(dealer));
        let pushes = if compared.pushes() { "; every bet pushes" } else { "" };
        let section = self.section(&format!("{hand}, against {dealt}{pushes}")).table(table);
        Answer::new(json, [section])
    }

    /// Returns the dealer's setting and the set hand that is compared with the player's.
    fn set_dealer(&self, dealer: Hand) -> (Setting, BankerSet) {
        let (game, setting) = (self.game.game(), self.game.dealer().set(dealer));
        (setting, game.banker_set(dealer, game.set(dealer, setting)))
    }

    /// Returns the outcome of each legal setting, or `None` for fouls.
    fn outcomes(&self, hand: Hand, dealer: BankerSet) -> [Option<Outcome>; Setting::COUNT] {
        let game = self.game.game();
        let mut outcomes = [None; Setting::COUNT];
        let legal = |(_, set): &(Setting, SetHand)| game.is_legal(*set);
        for (setting, set) in game.settings(hand).filter(legal) {
            outcomes[setting.index()] = Some(game.settle(set, dealer).outcome);
        }
        outcomes
    }

    /// Returns the keys that all answers share.
    fn header(&self) -> Value {
        let rules = self.game.rules();
        json!({ "dealer": self.dealer.name(), "rules": rules, "rules_hash": rules.hash() })
    }

    fn section(&self, about: &str) -> Section {
        let (dealer, rules) = (self.dealer.name(), self.game.rules().described());
        Section::default().text(format!("Face Up Pai Gow Poker, rules {rules}: {about}; the dealer sets by {dealer}"))
    }
}

/// Returns the first setting with the best outcome.
fn best(outcomes: &[Option<Outcome>; Setting::COUNT]) -> Setting {
    let first = |wanted| Setting::all().find(|setting| outcomes[setting.index()] == Some(wanted));
    let best = [Outcome::Win, Outcome::Push, Outcome::Loss].into_iter().find_map(first);
    best.expect("every hand has a legal setting")
}

fn put_counts(json: &mut Value, counts: DealCounts) {
    for (key, count) in [("wins", counts.wins), ("pushes", counts.pushes), ("losses", counts.losses)] {
        json[key] = count.to_string().into();
    }
}

fn counts_table(counts: DealCounts) -> TextTable {
    let mut table = TextTable::new(["", "deals", "fraction"]).right_from(1);
    for (name, count) in
        [("player wins", counts.wins), ("push", counts.pushes), ("dealer wins", counts.losses), ("all", counts.all())]
    {
        let fraction = Ratio::new(count.into(), counts.all().into()).value();
        table = table.row([name, &grouped(count), &percent(fraction, 4)]);
    }
    table
}
