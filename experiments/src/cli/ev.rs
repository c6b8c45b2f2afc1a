//! `houseway ev`: the exact value of every setting of a hand.

use super::ways::{DEFAULT_WAY, compile};
use super::{GameOptions, OrUsage, Outcome, OutputOptions, ThreadOptions, print, print_json};
use crate::report::Table;
use clap::Args;
use houseway_env::pai_gow::house_way::HouseWay;
use houseway_env::pai_gow::{Game, Hand, Setting, Strategy};
use houseway_exact::pai_gow::{BANKER_HANDS, BankerTable, HandCounter, HandCounts};
use serde_json::{Value, json};

/// Count every setting of a hand against all 53,524,680 banker hands
#[derive(Args)]
pub(super) struct Ev {
    /// Seven cards, like "As Kd Jk 7c 7d 2h 3s"
    hand: String,
    /// The house way to compare with, by name or file
    #[arg(long, default_value = DEFAULT_WAY)]
    way: String,
    /// The house way by which the banker sets, by name or file
    #[arg(long, default_value = DEFAULT_WAY)]
    banker: String,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Ev {
    pub(super) fn run(self) -> Outcome {
        self.threads.start()?;
        let game = self.game.pai_gow()?;
        let hand: Hand = self.hand.parse().or_usage()?;
        let [way, banker] = self.game.ways([&self.way, &self.banker])?;
        let (way, banker) = (compile(way, &game)?, compile(banker, &game)?);
        let table = BankerTable::new(&banker);
        let counts = HandCounter::new(&game, &table).count(hand);
        let answer = Answer { game: &game, hand, way: &way, banker: &banker, counts: &counts };
        if self.output.json { print_json(&answer.json()) } else { print(&answer.text()) }
    }
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
            table.terminal(),
            Setting::COUNT - order.len(),
            self.way.name(),
            chosen.front(self.hand),
            self.way.rule(self.hand).name,
            regret,
        )
    }
}
