//! Ways that take part in pairs.

use crate::pai_gow::BankerTable;

/// Tabulated way with an identifier.
pub struct Seated {
    /// Identifier that is equal only for ways that set all hands the same way, such as
    /// [`HouseWay::hash`](houseway_env::pai_gow::house_way::HouseWay::hash).
    pub id: String,
    /// Tabulated way.
    pub table: BankerTable,
}
