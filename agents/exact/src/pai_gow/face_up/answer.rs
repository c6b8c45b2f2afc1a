//! Builds the answers for Face Up Pai Gow Poker over all deals, for a single hand, or for a hand against a known dealer
//! hand.

use super::solver::ExactGame;
use crate::Ratio;
use crate::answer::{Answer, Section, TextTable};
use crate::format::{grouped, percent};
use crate::pai_gow::whole::{DealCounts, Payoff};
use crate::pai_gow::{HandEvaluator, KnownCards};
use crate::solver::SolverError;
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{BankerSet, Hand, Outcome, SetHand, Setting, Strategy};
use houseway_env::rules::RuleSet;
use serde_json::{Value, json};

impl ExactGame {
    /// Returns the answer for all deals.
    pub(super) fn solved(&self, counts: DealCounts) -> Answer {
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
    pub(super) fn unseen(&self, hand: Hand) -> Result<Answer, SolverError> {
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
    pub(super) fn seen(&self, hand: Hand, dealer: Hand) -> Answer {
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
                if setting == best { "best" } else { "" },
            ]);
        }
        let dealt = format!("{} in back, {} in front", setting.back(dealer), setting.front(dealer));
        let pushes = if compared.pushes() { "; every bet pushes" } else { "" };
        let section = self.section(&format!("{hand}, against {dealt}{pushes}")).table(table);
        Answer::new(json, [section])
    }

    /// Returns the dealer's setting and the set hand that is compared with the player's.
    pub(super) fn set_dealer(&self, dealer: Hand) -> (Setting, BankerSet) {
        let (game, setting) = (self.game.game(), self.game.dealer().set(dealer));
        (setting, game.banker_set(dealer, game.set(dealer, setting)))
    }

    /// Returns the outcome of each legal setting, or `None` for fouls.
    pub(super) fn outcomes(&self, hand: Hand, dealer: BankerSet) -> [Option<Outcome>; Setting::COUNT] {
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
        let (dealer, hash) = (self.dealer.name(), self.game.rules().hash());
        Section::default().text(format!("Face Up Pai Gow Poker, rules {hash}: {about}; the dealer sets by {dealer}"))
    }
}

/// Returns the first setting with the best outcome.
pub(super) fn best(outcomes: &[Option<Outcome>; Setting::COUNT]) -> Setting {
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
