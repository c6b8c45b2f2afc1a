//! Example hands in JSON and in table cells.

use houseway_env::pai_gow::{Hand, Setting};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::audit::Sample;
use serde_json::{Map, Value};

/// A group's example hand, formatted as table cells.
pub(super) struct ExampleCells {
    pub(super) hand: String,
    pub(super) plays: String,
    pub(super) other: String,
    pub(super) evs: [String; 2],
}

impl ExampleCells {
    pub(super) fn new(sample: &Sample) -> ExampleCells {
        let [plays, other] = [sample.plays, sample.other].map(|setting| front(sample.hand, setting));
        let evs = [sample.ev(), sample.other_ev()].map(|ev| format!("{:+.4}", ev.value()));
        ExampleCells { hand: sample.hand.to_string(), plays, other, evs }
    }
}

/// Returns a hand and two named settings as JSON.
pub(super) fn example_json(hand: Hand, settings: [(&str, Setting, Ratio); 2]) -> Map<String, Value> {
    let mut json = Map::new();
    json.insert("example".to_owned(), hand.to_string().into());
    for (name, setting, ev) in settings {
        json.insert(name.to_owned(), front(hand, setting).into());
        json.insert(format!("{name}_setting"), setting.index().into());
        json.insert(format!("{name}_ev"), ev.value().into());
    }
    json
}

fn front(hand: Hand, setting: Setting) -> String {
    setting.front(hand).to_string()
}
