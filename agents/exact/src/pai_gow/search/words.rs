//! Words of the language that a search may use.

houseway_env::named_enum! {
    /// A kind of words of the language, beyond shapes, ranks of parts, fronts and backs.
    #[derive(PartialOrd, Ord)]
    pub enum Word: kebab_case {
        /// Sums of the ranks of two pairs.
        PairSum,
        /// Ranks of the second, third and fourth single.
        LowerSingles,
        /// Fronts by the position of singles.
        Positions,
        /// Minimum fronts.
        FrontAtLeast,
        /// A second play where the first fits no setting.
        Otherwise,
        /// The highest back rather than the highest front.
        PreferBack,
    }
}
