//! Pai Gow Poker: the exact value of every setting of a hand.

use super::Ev;
use crate::analysis::pai_gow::commands::ways::compile;
use crate::console::{OrUsage, Outcome, print, print_json};
use crate::report::{Table, terminal};
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy};
use houseway_exact::pai_gow::{BANKER_HANDS, BankerTable, HandCounter, HandCounts};
use serde_json::{Value, json};

/// Counts every setting of the hand against all 53,524,680 banker hands.
pub(super) fn run(ev: &Ev) -> Outcome {
    let game = ev.game.pai_gow()?;
    let hand: Hand = ev.hand.parse().or_usage()?;
    let names = [&ev.way, &ev.banker].map(|name| name.as_deref().unwrap_or(Way::DEFAULT));
    let [way, banker] = ev.game.ways(names)?;
    let (way, banker) = (compile(way, &game)?, compile(banker, &game)?);
    let table = BankerTable::new(&banker);
    let counts = HandCounter::new(&game, &table).count(hand);
    let answer = Answer { game: &game, hand, way: &way, banker: &banker, counts: &counts };
    if ev.output.json { print_json(&answer.json()) } else { print(&answer.text()) }
}

struct Answer<'a> {
    game: &'a Game,
    hand: Hand,
    way: &'a HouseWay,
    banker: &'a HouseWay,
    counts: &'a HandCounts,
}

impl Answer<'_> {
    fn json(&self) -> Value {
        let settings: Vec<Value> = Setting::all().map(|setting| self.setting_json(setting)).collect();
        json!({
            "hand": self.hand.to_string(),
            "way": self.way.name(),
            "banker": self.banker.name(),
            "rules_hash": self.game.rules().hash(),
            "settings": settings,
            "best": self.counts.best().index(),
            "house_way": self.way.set(self.hand).index(),
            "rule": self.way.rule(self.hand).name,
        })
    }

    fn setting_json(&self, setting: Setting) -> Value {
        let counts = self.counts.get(setting);
        let text = |count: Option<u64>| count.map(|count| count.to_string());
        json!({
            "front": setting.front(self.hand).to_string(),
            "back": setting.back(self.hand).to_string(),
            "foul": counts.is_none(),
            "wins": text(counts.map(|counts| counts.wins)),
            "pushes": text(counts.map(|counts| counts.pushes)),
            "losses": text(counts.map(|counts| counts.losses)),
            "copies_front": text(counts.map(|counts| counts.copies_front)),
            "copies_back": text(counts.map(|counts| counts.copies_back)),
            "ev": self.counts.ev(setting).map(|ev| ev.value()),
        })
    }

    fn text(&self) -> String {
        let (best, chosen) = (self.counts.best(), self.way.set(self.hand));
        let mut order: Vec<Setting> = Setting::all().filter(|&setting| self.counts.get(setting).is_some()).collect();
        let values = self.counts.ev_values();
        order.sort_by(|a, b| values[b.index()].total_cmp(&values[a.index()]));
        let mut table =
            Table::new(["front", "back", "back is", "win %", "lose %", "EV", ""]).right(3).right(4).right(5);
        for &setting in &order {
            let Some(counts) = self.counts.get(setting) else { continue };
            let percent = |count: u64| format!("{:.3}", 100.0 * count as f64 / BANKER_HANDS as f64);
            let made = self.game.set(self.hand, setting);
            let marks = match (setting == best, setting == chosen) {
                (true, true) => "best, way",
                (true, false) => "best",
                (false, true) => "way",
                _ => "",
            };
            table = table.row([
                setting.front(self.hand).to_string().as_str(),
                &setting.back(self.hand).to_string(),
                self.game.ranking().category(made.back).name(),
                &percent(counts.wins),
                &percent(counts.losses),
                &format!("{:+.5}", values[setting.index()]),
                marks,
            ]);
        }
        let regret = self.counts.regret(chosen).map_or(0.0, |regret| regret.value());
        format!(
            "{}, against a banker who sets by {}\n\n{}\n{} of 21 settings are fouls.\n\
             way: {} plays {} in front, by its rule \"{}\",\n     and gives away {:.5} of the stake.\n",
            self.hand,
            self.banker.name(),
            terminal(&table),
            Setting::COUNT - order.len(),
            self.way.name(),
            chosen.front(self.hand),
            self.way.rule(self.hand).name,
            regret,
        )
    }
}
