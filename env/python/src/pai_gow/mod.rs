//! Functions specific to Pai Gow Poker.
//!
//! - [`way`] has house ways, [`strategy`] has tables of all classes as strategies, and [`hands`] has hands, settings
//!   and observations as arrays.
//! - [`counts`] evaluates hands, pairs of strategies and tables of all classes, and [`audit`](mod@audit) finds the
//!   losses of a house way.
//! - [`search`] finds short house ways and improvements of a sheet.
//! - [`banking`] evaluates banking at a table, and [`table`] is the multi-agent table with player banking.

mod audit;
mod banking;
mod counts;
mod hands;
mod search;
mod strategy;
mod table;
mod way;

use pyo3::prelude::*;

/// Adds the classes and functions to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<way::HouseWay>()?;
    module.add_class::<strategy::Strategy>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(way::built_in_ways, module)?)?;
    module.add_function(wrap_pyfunction!(hands::parse_hand, module)?)?;
    module.add_function(wrap_pyfunction!(hands::canonical_classes, module)?)?;
    module.add_function(wrap_pyfunction!(hands::rules_hash, module)?)?;
    module.add_function(wrap_pyfunction!(hands::legal_masks, module)?)?;
    module.add_function(wrap_pyfunction!(hands::observations, module)?)?;
    module.add_function(wrap_pyfunction!(counts::count_hands, module)?)?;
    module.add_function(wrap_pyfunction!(counts::solve, module)?)?;
    module.add_function(wrap_pyfunction!(counts::best_settings, module)?)?;
    module.add_function(wrap_pyfunction!(counts::score_settings, module)?)?;
    module.add_function(wrap_pyfunction!(counts::whole_table, module)?)?;
    module.add_function(wrap_pyfunction!(audit::audit, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_ways, module)?)?;
    module.add_function(wrap_pyfunction!(search::fix_way, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_names, module)?)?;
    module.add_function(wrap_pyfunction!(search::way_text, module)?)?;
    module.add_function(wrap_pyfunction!(banking::check_bank, module)?)?;
    module.add_function(wrap_pyfunction!(banking::bank_worth, module)?)?;
    module.add_function(wrap_pyfunction!(banking::bank_sample, module)?)?;
    module.add_function(wrap_pyfunction!(banking::bank_growth, module)?)?;
    module.add_function(wrap_pyfunction!(banking::bank_joint, module)?)
}
