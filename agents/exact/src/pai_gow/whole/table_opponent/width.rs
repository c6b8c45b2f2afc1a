//! The widths of stored values.

/// The width of a stored value. A part's values are at most the number of hands that contain it, so they take less
/// space if it has more cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// 32 bits.
    Wide,
    /// 16 bits. At most C(49, 3) = 18,424 hands contain four given cards.
    Narrow,
    /// 8 bits. At most 47 hands contain six given cards.
    Byte,
}

impl Width {
    /// The number of widths.
    pub(super) const COUNT: usize = 3;

    /// Returns the width of the values for parts with the given number of cards.
    pub(super) const fn of_part(cards: usize) -> Width {
        match cards {
            0..4 => Width::Wide,
            4..6 => Width::Narrow,
            _ => Width::Byte,
        }
    }

    /// Returns the size of the given number of pairs of values of each width in bytes.
    pub(super) const fn bytes([wide, narrow, byte]: [usize; Width::COUNT]) -> usize {
        wide * size_of::<u64>() + narrow * size_of::<u32>() + byte * size_of::<u16>()
    }
}
