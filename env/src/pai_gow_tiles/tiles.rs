//! Tiles, hands of four tiles, and the order of halves.

use super::{Rules, Singles, Special, Zero};
use crate::names::InvalidText;
use std::fmt;
use std::str::FromStr;

/// The kinds of tiles from the best single tile to the worst, each with its code and its two faces. The number in a
/// code is what the tile counts.
const KINDS: [(&str, [&str; 2]); 16] = [
    ("H2", ["6-6", "6-6"]),
    ("L2", ["1-1", "1-1"]),
    ("H8", ["4-4", "4-4"]),
    ("H4", ["3-1", "3-1"]),
    ("H10", ["5-5", "5-5"]),
    ("H6", ["3-3", "3-3"]),
    ("L4", ["2-2", "2-2"]),
    ("11", ["6-5", "6-5"]),
    ("L10", ["6-4", "6-4"]),
    ("H7", ["6-1", "6-1"]),
    ("L6", ["5-1", "5-1"]),
    ("9", ["6-3", "5-4"]),
    ("L8", ["6-2", "5-3"]),
    ("L7", ["5-2", "4-3"]),
    ("5", ["4-1", "3-2"]),
    ("Gee", ["4-2", "2-1"]),
];

/// The kinds that special halves consist of. Gee Joon tiles count 3 or 6 and form the best pair.
const TEEN: usize = 0;
const DAY: usize = 1;
const YUN: usize = 2;
const NINE: usize = 11;
const EIGHT: usize = 12;
const GEE: usize = 15;

/// One of the 32 tiles. They are ordered by kind, best single tile first. This is the default order of single tiles,
/// whatever the reading of [`Singles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile(u8);

impl Tile {
    /// The number of tiles.
    pub const COUNT: usize = 32;
    /// The number of kinds. There are two tiles of each, which tie in every comparison except that the two Gee Joon
    /// tiles may differ as [single tiles](Singles).
    pub const KINDS: usize = KINDS.len();

    /// Returns the tile with this index from 0 to 31.
    ///
    /// # Panics
    /// Panics if `index` is greater than 31.
    pub const fn from_index(index: usize) -> Tile {
        assert!(index < Tile::COUNT, "tiles have indices 0 to 31");
        Tile(index as u8)
    }

    /// Returns the index from 0 to 31.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the kind from 0, the best single tile, to 15.
    pub const fn kind(self) -> usize {
        self.index() / 2
    }

    /// Returns the face, such as `6-4`.
    pub const fn face(self) -> &'static str {
        KINDS[self.kind()].1[self.index() % 2]
    }

    /// Returns the value that tells the tile from those that aren't interchangeable with it: its kind, or 16 for the
    /// second Gee Joon tile.
    pub const fn value(self) -> usize {
        self.kind() + (self.index() == Tile::COUNT - 1) as usize
    }

    /// Returns what the tile counts in a half, which is the number in its code. Gee Joon tiles also count 6.
    fn count(self) -> u8 {
        KINDS[self.kind()].0.trim_start_matches(['H', 'L']).parse().unwrap_or(3)
    }

    /// Returns the place among single tiles, where higher is better. Every kind is two places above the next one.
    fn single(self, reading: Singles) -> u16 {
        match (reading, self.kind()) {
            (Singles::SixAboveFives, GEE) if self.face() == "4-2" => 3,
            (Singles::Groups, 4..=6) => 22,
            (Singles::Groups, 7..=10) => 16,
            (Singles::Groups, 11..=14) => 8,
            (_, kind) => 2 * (GEE - kind) as u16,
        }
    }
}

/// Returns the kinds that a word stands for, as a set of bits: a code such as `H8`, or a number for all tiles that count
/// it, such as `8` for `H8` and `L8`.
pub(super) fn kinds(word: &str) -> Option<u16> {
    let fits = |code: &str| code == word || code.trim_start_matches(['H', 'L']) == word;
    let kinds = (0..Tile::KINDS).filter(|&kind| fits(KINDS[kind].0)).fold(0, |set, kind| set | 1 << kind);
    (kinds != 0).then_some(kinds)
}

fn in_set(set: u16) -> impl Iterator<Item = usize> {
    (0..Tile::KINDS).filter(move |kind| set >> kind & 1 == 1)
}

/// Returns the word for a set of [`kinds`].
pub(super) fn word(set: u16) -> &'static str {
    let code = in_set(set).next().map_or("", |kind| KINDS[kind].0);
    if set.count_ones() == 1 { code } else { code.trim_start_matches(['H', 'L']) }
}

/// Returns the faces of the tiles of a set of [`kinds`], such as `6-1/5-2/4-3`.
pub(super) fn faces(set: u16) -> String {
    let mut faces: Vec<&str> = in_set(set).flat_map(|kind| KINDS[kind].1).collect();
    faces.dedup();
    faces.join("/")
}

/// A hand of four tiles in the order of [`Tile`], best single tile first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hand([Tile; 4]);

impl Hand {
    /// The number of tiles in a hand.
    pub const TILES: usize = 4;
    /// The number of settings. Setting `i` puts the hand's first tile together with the tile in position `i + 1`.
    pub const SETTINGS: usize = 3;

    /// Creates a hand from four different tiles in any order.
    pub fn new(mut tiles: [Tile; 4]) -> Hand {
        tiles.sort_unstable();
        Hand(tiles)
    }

    /// Returns all 35,960 hands.
    pub fn all() -> impl Iterator<Item = Hand> {
        let from = |first: usize| (first..Tile::COUNT).map(Tile::from_index);
        let after = move |tile: Tile| from(tile.index() + 1);
        let pairs = from(0).flat_map(move |a| after(a).map(move |b| (a, b)));
        pairs.flat_map(move |(a, b)| after(b).flat_map(move |c| after(c).map(move |d| Hand([a, b, c, d]))))
    }

    /// Returns the tiles, best single tile first.
    pub const fn tiles(self) -> [Tile; 4] {
        self.0
    }

    /// Returns the two pairs of tiles in a setting. The first one holds the best single tile.
    ///
    /// # Panics
    /// Panics if `setting` is greater than 2.
    pub const fn split(self, setting: usize) -> [[Tile; 2]; 2] {
        let [a, b, c, d] = self.0;
        match setting {
            0 => [[a, b], [c, d]],
            1 => [[a, c], [b, d]],
            2 => [[a, d], [b, c]],
            _ => panic!("settings have indices 0 to 2"),
        }
    }

    /// Returns the hand with the first of the two tiles wherever tiles of a kind are interchangeable.
    #[must_use]
    pub fn canonical(self) -> Hand {
        let mut tiles = self.0;
        for place in 0..tiles.len() {
            let second = place > 0 && tiles[place - 1].kind() == tiles[place].kind();
            if tiles[place].kind() != GEE {
                tiles[place] = Tile::from_index(2 * tiles[place].kind() + usize::from(second));
            }
        }
        Hand(tiles)
    }
}

impl FromStr for Hand {
    type Err = InvalidText;

    /// Parses four faces or codes, in upper or lower case. A code, or the face of two equal tiles, stands for the first one
    /// that is left.
    fn from_str(text: &str) -> Result<Hand, InvalidText> {
        let mut tiles: Vec<Tile> = Vec::new();
        for word in text.split_whitespace() {
            let fits = |tile: &Tile| tile.face() == word || KINDS[tile.kind()].0.eq_ignore_ascii_case(word);
            let mut all = (0..Tile::COUNT).map(Tile::from_index).filter(fits).peekable();
            let unknown =
                || format!("invalid tile '{word}': expected a face such as 6-4 or a code such as L10, H2 or Gee");
            all.peek().ok_or_else(|| InvalidText(unknown()))?;
            let repeated = format!("{word} occurs too often: there are only {} of them", all.clone().count());
            tiles.push(all.find(|tile| !tiles.contains(tile)).ok_or(InvalidText(repeated))?);
        }
        let count = tiles.len();
        tiles.try_into().map(Hand::new).map_err(|_| InvalidText(format!("a hand has 4 tiles, found {count}")))
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.map(Tile::face).join(" "))
    }
}

/// The strength of a half, where higher is better. It consists of the points, the place of the better single tile, and
/// that of the other one if it matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Half(u16);

impl Half {
    /// The points of a Gong, for adding up the points of a setting.
    pub const GONG: u8 = 10;
    /// The points of a Wong.
    pub const WONG: u8 = 11;
    /// The points of a pair.
    pub const PAIR: u8 = 12;
    /// The upper limit of [`Half::place`].
    const PLACES: u16 = 32;

    pub(super) const fn from_parts(points: u8, place: u16, second: u16) -> Half {
        Half((points as u16 * Half::PLACES + place) * Half::PLACES + second)
    }

    /// Returns the strength of two tiles.
    pub fn new(rules: &Rules, tiles: [Tile; 2]) -> Half {
        let [a, b] = if tiles[0] <= tiles[1] { tiles } else { [tiles[1], tiles[0]] };
        if a.kind() == b.kind() {
            let rank = if a.kind() == GEE { GEE + 1 } else { GEE - a.kind() };
            return Half::from_parts(Half::PAIR, rank as u16, 0);
        }
        let place = a.single(rules.singles).max(b.single(rules.singles));
        let points = match (a.kind(), b.kind()) {
            (TEEN | DAY, NINE) => Half::WONG,
            (TEEN | DAY, YUN | EIGHT) => Half::GONG,
            (_, GEE) => ((a.count() + 3) % 10).max((a.count() + 6) % 10),
            _ => (a.count() + b.count()) % 10,
        };
        match points {
            0 if rules.zero == Zero::Copy => Half::default(),
            Half::GONG.. if rules.special == Special::SecondTile => {
                Half::from_parts(points, place, b.single(rules.singles))
            }
            _ => Half::from_parts(points, place, 0),
        }
    }

    /// Returns the weakest half with these points whose better tile is of one of the kinds, or the weakest of their pairs.
    pub(super) fn lowest(rules: &Rules, points: u8, kinds: u16) -> Half {
        let of_kind = |kind: usize| {
            let tile = Tile::from_index(2 * kind);
            match points {
                Half::PAIR => Half::new(rules, [tile, Tile::from_index(tile.index() + 1)]),
                _ => Half::from_parts(points, tile.single(rules.singles), 0),
            }
        };
        in_set(kinds).map(of_kind).min().unwrap_or_default()
    }

    /// Returns the strength as a number below 2^14.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Returns 0 to 9 points, or one of the numbers for Gongs, Wongs and pairs.
    pub const fn points(self) -> u8 {
        (self.0 / Half::PLACES / Half::PLACES) as u8
    }

    /// Returns the weakest half with the same points.
    pub(super) const fn only_points(self) -> Half {
        Half::from_parts(self.points(), 0, 0)
    }

    /// Returns the weakest half with the same points and the same place.
    #[must_use]
    pub const fn floor(self) -> Half {
        Half(self.0 - self.0 % Half::PLACES)
    }

    /// Returns the word for a [floor](Half::floor) in house ways, such as `9:H8`.
    pub fn word(self, rules: &Rules) -> String {
        let points = match self.points() {
            Half::PAIR => "pair".to_owned(),
            Half::WONG => "wong".to_owned(),
            Half::GONG => "gong".to_owned(),
            points => points.to_string(),
        };
        let is_own = |kind: &usize| Half::lowest(rules, self.points(), 1 << kind) == self;
        match (0..Tile::KINDS).find(is_own).filter(|_| self.place() > 0) {
            Some(kind) => format!("{points}:{}", KINDS[kind].0),
            None => points,
        }
    }

    /// Returns the place of the better single tile, or of the pair among the pairs.
    pub const fn place(self) -> u16 {
        self.0 / Half::PLACES % Half::PLACES
    }

    /// Returns `true` for nine points with a Teen or Day.
    pub const fn is_high_nine(self) -> bool {
        self.points() == 9 && self.place() >= 2 * (GEE - DAY) as u16
    }
}

impl fmt::Display for Half {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.points() {
            Half::PAIR => f.pad("pair"),
            Half::WONG => f.pad("Wong"),
            Half::GONG => f.pad("Gong"),
            _ if self.is_high_nine() => f.pad("high nine"),
            points => f.pad(&points.to_string()),
        }
    }
}

/// The strengths of both halves of a set hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetHand {
    /// The weaker half.
    pub low: Half,
    /// The better half.
    pub high: Half,
}

impl fmt::Display for SetHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} / {}", self.low, self.high))
    }
}
