//! Names of hands as people say them, such as "pair of tens, A K 9".

use super::{Category, FiveStrength, Ranking, TwoStrength};
use crate::cards::Rank;

/// Returns the plural of a rank's name.
pub(crate) fn plural(rank: Rank) -> String {
    let name = rank.name();
    if rank == Rank::Six { format!("{name}es") } else { format!("{name}s") }
}

/// Returns the ranks of the cards that only break ties, for use after the name of a hand.
fn kickers(ranks: &[Rank]) -> String {
    let ranks = ranks.iter().map(|&rank| if rank == Rank::Ten { "10".to_owned() } else { rank.to_string() });
    let ranks: Vec<String> = ranks.collect();
    if ranks.is_empty() { String::new() } else { format!(", {}", ranks.join(" ")) }
}

impl Ranking {
    /// Returns the name of a five-card hand in words, with the cards that break ties.
    pub fn words(&self, strength: FiveStrength) -> String {
        let ranks: Vec<Rank> = self.order_ranks(strength).into_iter().flatten().collect();
        let category = self.category(strength);
        match (category, &ranks[..]) {
            (Category::HighCard, [high, rest @ ..]) => format!("{} high{}", high.name(), kickers(rest)),
            (Category::OnePair, [pair, rest @ ..]) => format!("pair of {}{}", plural(*pair), kickers(rest)),
            (Category::TwoPairs, [high, low, rest @ ..]) => {
                format!("{} and {}{}", plural(*high), plural(*low), kickers(rest))
            }
            (Category::ThreeOfAKind, [three, rest @ ..]) => format!("three {}{}", plural(*three), kickers(rest)),
            (Category::Straight | Category::StraightFlush, [high, ..]) => format!("{}-high {category}", high.name()),
            (Category::Flush, [high, rest @ ..]) => format!("{}-high flush{}", high.name(), kickers(rest)),
            (Category::FullHouse, [three, pair, ..]) => {
                format!("full house, {} over {}", plural(*three), plural(*pair))
            }
            (Category::FourOfAKind, [four, rest @ ..]) => format!("four {}{}", plural(*four), kickers(rest)),
            (Category::FiveAces, [five, ..]) => format!("five {}", plural(*five)),
            _ => category.name().to_owned(),
        }
    }
}

impl TwoStrength {
    /// Returns the name of a two-card hand in words.
    pub fn words(self) -> String {
        let (high, low) = self.ranks();
        if self.is_pair() { format!("pair of {}", plural(high)) } else { format!("{}-{}", high.name(), low.name()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::FiveRules;

    #[test]
    fn hands_are_named_as_people_say_them() {
        let ranking = Ranking::new(FiveRules::default());
        for (cards, words) in [
            ("As Kd Ts 7c 2h", "ace high, K 10 7 2"),
            ("6s 6d As Kc Qh", "pair of sixes, A K Q"),
            ("Ts Td 4s 4c Kh", "tens and fours, K"),
            ("Qs Qd Qh 9c 2h", "three queens, 9 2"),
            ("9s 8d 7h 6c 5h", "nine-high straight"),
            ("As 2d 3h 4c 5h", "five-high straight"),
            ("As Js 9s 6s 2s", "ace-high flush, J 9 6 2"),
            ("Ts Td Th 4c 4h", "full house, tens over fours"),
            ("Ts Td Th Tc 4h", "four tens, 4"),
            ("9s 8s 7s 6s 5s", "nine-high straight flush"),
            ("As Ks Qs Js Jk", "royal flush"),
            ("As Ah Ad Ac Jk", "five aces"),
        ] {
            assert_eq!(ranking.words(ranking.five(cards.parse().unwrap())), words, "{cards}");
        }
        let two = |a, b| TwoStrength::from_ranks(a, b).words();
        assert_eq!(two(Rank::Six, Rank::Six), "pair of sixes");
        assert_eq!(two(Rank::Jack, Rank::Ace), "ace-jack");
    }
}
