//! Published and simple heuristics, which serve as baselines.

use super::banker::BankerTable;
use super::outcomes::{Payoff, Side, Ties};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::pai_gow::{
    BankerSet, Candidates, Game, Hand, ProfileStrategy, SetHand, Setting, Strategy, settings_in,
};
use houseway_env::rank::TwoStrength;

/// The number of banker hands with a lower back and a lower front. There is a row for each back and a column for each
/// front, and one more of each for the totals.
struct LowerHands(Vec<u64>);

/// The number of columns.
const COLUMNS: usize = TwoStrength::COUNT + 1;

impl LowerHands {
    /// Tabulates the backs and fronts that a banker sets from all 154,143,080 hands. Hands against which every bet pushes
    /// are left out because they are the same for all settings.
    fn new(game: &Game, banker: &BankerTable) -> LowerHands {
        let compared = banker.compared(game);
        let banker = compared.as_ref().unwrap_or(banker);
        let rows = game.ranking().strengths() + 1;
        let mut below = vec![0; rows * COLUMNS];
        for profile in Profile::all().filter(|&profile| banker.set(profile) != BankerSet::PUSHES.strengths()) {
            let set = banker.set(profile);
            below[(set.back.index() + 1) * COLUMNS + set.front.index() + 1] += Profiles::get().hands(profile);
        }
        for row in 1..rows {
            let mut sum = 0;
            for column in 0..COLUMNS {
                sum += below[row * COLUMNS + column];
                below[row * COLUMNS + column] = sum + below[(row - 1) * COLUMNS + column];
            }
        }
        LowerHands(below)
    }

    fn both(&self, back: usize, front: usize) -> u64 {
        self.0[back * COLUMNS + front]
    }

    fn backs(&self, back: usize) -> u64 {
        self.both(back, COLUMNS - 1)
    }

    fn fronts(&self, front: usize) -> u64 {
        self.0[self.0.len() - COLUMNS + front]
    }

    /// Returns the number of hands that are as high or higher in both halves.
    fn neither(&self, back: usize, front: usize) -> u64 {
        self.all() + self.both(back, front) - self.fronts(front) - self.backs(back)
    }

    fn all(&self) -> u64 {
        self.0[self.0.len() - 1]
    }
}

/// Returns the contender of a hand with the highest rating. The lowest index wins ties.
fn best_contender<R: PartialOrd>(game: &Game, hand: Hand, rating: impl Fn(SetHand) -> R) -> Setting {
    let candidates = Candidates::new(game, hand);
    let rated = settings_in(candidates.contenders()).map(|setting| (setting, rating(candidates.set(setting))));
    let best = rated.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.expect("every hand has a contender").0
}

/// A strategy that plays the setting with the highest power rating against one banker. The lowest index wins ties.
///
/// Let p5 and p2 be the probabilities that a back and a front beat the back and front of the banker's house way, taken
/// over all hands and treated as independent. A setting's rating is `(1 - commission) p2 p5 - (1 - p2)(1 - p5)`,
/// adapted to the rules if copies don't go to the banker.
///
/// Source: Wong, "Optimal Strategy for Pai Gow Poker", 1992. The book tabulates both probabilities, which are computed
/// by enumeration here. The rating ignores the cards that the player holds.
pub struct PowerRating<'a> {
    game: &'a Game,
    lower: LowerHands,
}

impl<'a> PowerRating<'a> {
    /// Tabulates the backs and fronts that a banker sets from all hands.
    pub fn new(game: &'a Game, banker: &BankerTable) -> PowerRating<'a> {
        PowerRating { game, lower: LowerHands::new(game, banker) }
    }

    /// Returns a set hand's rating, in stakes.
    pub fn rating(&self, set: SetHand) -> f64 {
        let (lower, back, front) = (&self.lower, set.back.index(), set.front.index());
        // The probabilities of each result when only the backs or only the fronts are compared.
        let half = |below: u64, through: u64| {
            let share = |hands: u64| hands as f64 / lower.all() as f64;
            let (lower, tied) = (share(below), share(through - below));
            let (won, pushed) = match Side::Player.ties(self.game.rules().copies) {
                Ties::Lost => (lower, 0.0),
                Ties::Won => (lower + tied, 0.0),
                Ties::Pushed => (lower, tied),
            };
            [won, pushed, 1.0 - won - pushed]
        };
        let [won5, pushed5, lost5] = half(lower.backs(back), lower.backs(back + 1));
        let [won2, pushed2, lost2] = half(lower.fronts(front), lower.fronts(front + 1));
        let wins = won5 * won2 + won5 * pushed2 + pushed5 * won2;
        let losses = lost5 * lost2 + lost5 * pushed2 + pushed5 * lost2;
        (1.0 - self.game.rules().commission_on_win().value()) * wins - losses
    }
}

impl Strategy for PowerRating<'_> {
    fn name(&self) -> &str {
        "power rating"
    }

    fn set(&self, hand: Hand) -> Setting {
        best_contender(self.game, hand, |set| self.rating(set))
    }
}

impl ProfileStrategy for PowerRating<'_> {
    fn set_profile(&self, profile: Profile) -> SetHand {
        let hand = Hand::representative(profile);
        self.game.set(hand, self.set(hand))
    }
}

/// A strategy that plays the setting with the highest EV against all 154,143,080 hands of one banker, including those
/// with cards that the player holds. The lowest index wins ties.
///
/// Its regret is the price of ignoring card removal. Unlike the [power rating](PowerRating), it doesn't treat
/// the banker's back and front as independent.
pub struct NoCardRemoval<'a> {
    game: &'a Game,
    payoff: Payoff,
    ties: Ties,
    lower: LowerHands,
}

impl<'a> NoCardRemoval<'a> {
    /// Tabulates the backs and fronts that a banker sets from all hands.
    pub fn new(game: &'a Game, banker: &BankerTable) -> NoCardRemoval<'a> {
        let (payoff, ties) = (Payoff::player(&game.rules()), Side::Player.ties(game.rules().copies));
        NoCardRemoval { game, payoff, ties, lower: LowerHands::new(game, banker) }
    }

    /// Returns the number of banker hands that a set hand beats and that it loses to.
    pub fn counts(&self, set: SetHand) -> [u64; 2] {
        let (lower, back, front) = (&self.lower, set.back.index(), set.front.index());
        match self.ties {
            Ties::Lost => [lower.both(back, front), lower.neither(back, front)],
            Ties::Won => [lower.both(back + 1, front + 1), lower.neither(back + 1, front + 1)],
            Ties::Pushed => {
                let not_higher = lower.both(back + 1, front + 1);
                let one_lower = lower.both(back, front + 1) + lower.both(back + 1, front);
                let tied = not_higher + lower.both(back, front) - one_lower;
                [not_higher - tied, lower.neither(back, front) - tied]
            }
        }
    }
}

impl Strategy for NoCardRemoval<'_> {
    fn name(&self) -> &str {
        "no card removal"
    }

    fn set(&self, hand: Hand) -> Setting {
        best_contender(self.game, hand, |set| {
            let [wins, losses] = self.counts(set);
            self.payoff.gain(wins as i64, losses as i64)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pai_gow::tests::{rules, trump_plaza};
    use houseway_env::gym::stream;
    use houseway_env::pai_gow::{Dealt, Outcome};
    use std::sync::LazyLock;

    /// Games whose rules change how hands rank, win or push, with Trump Plaza's way. The first one has the default rules.
    static GAMES: LazyLock<Vec<(&str, Game, BankerTable)>> = LazyLock::new(|| {
        let copies = ["copies=banker", "copies=pushed", "copies=player"];
        let others = ["bank-pushes=nine_high_front", "joker=wild", "joker=face_card"];
        let with_way = |change| {
            let game = Game::new(rules(&[change]));
            let banker = BankerTable::new(&trump_plaza(&game));
            (change, game, banker)
        };
        copies.into_iter().chain(others).map(with_way).collect()
    });

    #[test]
    fn probabilities_match_the_banker() {
        let (_, game, banker) = &GAMES[0];
        let rating = PowerRating::new(game, banker);
        // The house way sets 221,460 fronts that are 3-high, which is the lowest, and 392,144 that are 4-high.
        let front = |text: &str| {
            let hand: Vec<_> = text.chars().map(|c| c.to_string().parse().unwrap()).collect();
            rating.lower.fronts(TwoStrength::from_ranks(hand[0], hand[1]).index())
        };
        assert_eq!((front("32"), front("42"), front("52")), (0, 221_460, 221_460 + 392_144));
        let hand: Hand = "As Kd Jk 7c 7d 2h 3s".parse().unwrap();
        assert_eq!(rating.set(hand).front(hand).to_string(), "7d 7c");
        // The highest set hand never loses, so its rating is just below the payout for a certain win.
        let best = game.set("As Ad Ah Ac Jk Ks Kd".parse().unwrap(), Setting::from_positions(5, 6));
        assert!(rating.rating(best) > 0.9 && rating.rating(best) < 0.95);
    }

    #[test]
    fn a_dominated_setting_is_never_rated_higher() {
        for (_, game, banker) in &*GAMES {
            let rating = PowerRating::new(game, banker);
            for text in ["As Kd Jk 7c 7d 2h 3s", "9s 8s 7s 6s 5s 4d 4c", "Ks Kd Qc Qd 2h 3h 4h"] {
                let hand: Hand = text.parse().unwrap();
                let candidates = Candidates::new(game, hand);
                let chosen = rating.rating(candidates.set(rating.set(hand)));
                assert!(settings_in(candidates.legal()).all(|other| rating.rating(candidates.set(other)) <= chosen));
            }
        }
    }

    #[test]
    fn hands_with_the_same_profile_are_set_alike_by_their_rating() {
        let mut rng = stream(1.into());
        for (change, game, banker) in &*GAMES {
            let rating = PowerRating::new(game, banker);
            for _ in 0..2_000 {
                let dealt = Dealt::random(&mut rng);
                let set = game.set(dealt.hand(), rating.set(dealt.hand()));
                assert!(game.is_legal(set), "{change} {}", dealt.hand());
                assert_eq!(rating.set_profile(dealt.profile(Profiles::get())), set, "{change} {}", dealt.hand());
            }
        }
    }

    #[test]
    fn ratings_follow_the_copy_rules() {
        let hand: Hand = "As Kd Jh 7c 7d 2h 3s".parse().unwrap();
        let [banker, pushed, player] = [0, 1, 2].map(|i: usize| {
            let (_, game, banker) = &GAMES[i];
            PowerRating::new(game, banker).rating(game.set(hand, Setting::from_positions(0, 1)))
        });
        assert!(banker < pushed && pushed < player, "{banker} {pushed} {player}");
    }

    #[test]
    fn counts_are_those_of_settling_against_every_profile() {
        for (change, game, banker) in &*GAMES {
            let strategy = NoCardRemoval::new(game, banker);
            let representative = |profile| Hand::representative(profile);
            let set = |profile: Profile| game.banker_set(representative(profile), banker.set(profile));
            let all: Vec<(BankerSet, u64)> =
                Profile::all().map(|profile| (set(profile), Profiles::get().hands(profile))).collect();
            for text in ["As Kd Jk 7c 7d 2h 3s", "9s 8s 7s 6s 5s 4d 4c", "Ks Kd Qc Qd 2h 3h 4h"] {
                let hand: Hand = text.parse().unwrap();
                let candidates = Candidates::new(game, hand);
                for setting in settings_in(candidates.legal()) {
                    let set = candidates.set(setting);
                    let mut counts = [0; 2];
                    for &(banker, hands) in &all {
                        match game.settle(set, banker).outcome {
                            Outcome::Win => counts[0] += hands,
                            Outcome::Loss => counts[1] += hands,
                            Outcome::Push => {}
                        }
                    }
                    assert_eq!(strategy.counts(set), counts, "{change} {hand} {setting:?}");
                }
            }
        }
    }
}
