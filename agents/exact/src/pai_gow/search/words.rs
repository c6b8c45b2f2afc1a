//! The words of the house way language that a search may use.

houseway_env::named_enum! {
    /// A kind of word in the house way language that goes beyond shapes, ranks of parts, fronts and backs.
    #[derive(PartialOrd, Ord)]
    pub enum Word: kebab_case {
        /// Sums of two pairs' ranks.
        PairSum,
        /// The ranks of the second, third and fourth single.
        LowerSingles,
        /// Fronts chosen by the position of singles.
        Positions,
        /// Minimum fronts.
        FrontAtLeast,
        /// A second play for when the first fits no setting.
        Otherwise,
        /// The highest back instead of the highest front.
        PreferBack,
    }
}
