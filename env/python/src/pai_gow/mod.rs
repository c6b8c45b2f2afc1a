//! Functions specific to Pai Gow Poker.
//!
//! - [`way`] has house ways, [`strategy`] has tables of all classes as strategies, and [`hands`] has hands, settings
//!   and observations as arrays.
//! - [`counts`] evaluates hands, pairs of strategies and tables of all classes, and [`audit`](mod@audit) finds the
//!   losses of a house way.
//! - [`search`] finds short house ways and improvements of a sheet.
//! - [`banking`] evaluates banking at a table, and [`table`] is the multi-agent table with player banking.

pub(crate) mod audit;
pub(crate) mod banking;
pub(crate) mod counts;
pub(crate) mod hands;
pub(crate) mod search;
pub(crate) mod strategy;
pub(crate) mod table;
pub(crate) mod way;
