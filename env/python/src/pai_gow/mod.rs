//! Functions of Pai Gow Poker that other games do not have.
//!
//! - [`way`]: house ways. [`strategy`]: tables of all classes as strategies. [`hands`]: hands, settings and observations as arrays.
//! - [`counts`]: hands, pairs of strategies and tables of all classes. [`audit`](mod@audit): losses of a house way.
//! - [`search`]: short house ways, and changes of a sheet.
//! - [`banking`]: the bank of a table. [`table`]: the table with player banking, for several agents.

mod audit;
mod banking;
mod counts;
mod hands;
mod search;
mod strategy;
mod table;
mod way;

use pyo3::prelude::*;

/// Adds classes and functions to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<way::HouseWay>()?;
    module.add_class::<strategy::Strategy>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(way::built_in_ways, module)?)?;
    module.add_function(wrap_pyfunction!(hands::parse_hand, module)?)?;
    module.add_function(wrap_pyfunction!(hands::canonical_classes, module)?)?;
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
    module.add_function(wrap_pyfunction!(banking::bank_worth, module)?)?;
    module.add_function(wrap_pyfunction!(banking::bank_sample, module)?)?;
    module.add_function(wrap_pyfunction!(banking::bank_growth, module)?)?;
    module.add_function(wrap_pyfunction!(banking::bank_joint, module)?)
}
