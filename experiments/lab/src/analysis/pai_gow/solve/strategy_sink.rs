//! Collecting the strategy chosen by an enumeration in a table.

use super::strategy_file::side_name;
use super::strategy_table::StrategyTable;
use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::Setting;
use houseway_exact::pai_gow::ClassTable;
use houseway_exact::pai_gow::matchup::{ClassSink, Pair};
use houseway_exact::pai_gow::whole::ClassCounts;
use std::sync::atomic::{AtomicU8, Ordering};

/// A sink that collects the setting chosen for each class during a pass.
pub struct StrategySink(Vec<AtomicU8>);

impl Default for StrategySink {
    fn default() -> StrategySink {
        StrategySink((0..Classes::seven().len()).map(|_| AtomicU8::new(u8::MAX)).collect())
    }
}

impl ClassSink for StrategySink {
    fn put(&self, classes: &[ClassCounts], settings: &[Setting]) {
        let index = Classes::seven();
        for (class, setting) in classes.iter().zip(settings) {
            self.0[index.index(class.hand.set())].store(setting.index() as u8, Ordering::Relaxed);
        }
    }
}

impl StrategySink {
    /// Returns the table for the side that was enumerated.
    pub fn table(self, pair: &Pair<'_>) -> StrategyTable {
        let name = match pair.own() {
            Some(own) => own.name().to_owned(),
            None => format!("optimal {} against {}", side_name(pair.side()), pair.other().name()),
        };
        let settings = self.0.into_iter().map(AtomicU8::into_inner).collect();
        StrategyTable::new(ClassTable::new(&name, settings).expect("every class was visited"))
    }
}
