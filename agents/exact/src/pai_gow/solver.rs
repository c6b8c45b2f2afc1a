//! The solver for Pai Gow Poker with a fixed set of rules, and exercises that the casinos' house ways get wrong.

use super::banker::BankerTable;
use super::evaluation::{PaiGowEvaluator, SAMPLE};
use super::hand::{HandCounts, HandEvaluator};
use super::hand_answer::{bank_decision, hand_answer, hand_decision};
use super::known::KnownCards;
use super::matchup::{BankedBy, Pair, PairTotals};
use super::outcomes::{BANKER_HANDS, DEALS, DealCounts, HANDS};
use super::strategies::{NamedStrategy, RANDOM, SideStrategy, load_strategies, with_assignments};
use super::table::Tabulated;
use super::whole::{ClassCounts, Run};
use crate::Ratio;
use crate::answer::Answer;
use crate::side_bet::{self, BetReturn, better_of_two, joint_rows, load};
use crate::solver::{
    BATCH, Control, DeadCards, Decision, Evaluator, EvaluatorConfig, Exercise, IsAsked, OptionKind, OptionSpec,
    Practice, Solver, SolverConfig, SolverEntry, SolverError, StakeUnit, draw_deals, invalid, text_of,
};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::{binomial, for_each_subset};
use houseway_env::cards::profile::{Profile, Profiles};
use houseway_env::money::Chips;
use houseway_env::pai_gow::house_way::{CASINOS, HouseWay, Shape, Way};
use houseway_env::pai_gow::{Dealt, Game, Hand, PaidHand, Paytable, Setting, SideBet, SideBetBest, Strategy};
use houseway_env::paytable::{Bet, HandOf};
use houseway_env::rules::RuleSet;
use rand_pcg::Pcg64;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The flag for games in which pushes are settled by another card.
pub const NO_PUSH: &str = "no-push";

/// The solver's registry entry.
pub const SOLVER: SolverEntry = SolverEntry {
    game: "pai-gow-poker",
    about: "all 8,250,459,031,214,400 deals for a pair of strategies",
    unit: StakeUnit { name: "stake", percent: true },
    options: &[
        OptionSpec::of_value(
            "way",
            OptionKind::Text("WAY"),
            "the strategy to compare with: a house way by name or file, a strategy table, a mixed strategy or a \
             trained agent [default: trump-plaza]",
        ),
        OptionSpec::of_value(
            "front",
            OptionKind::Text("CARDS"),
            "explain the setting with these two cards in front, such as \"7c 7d\"",
        ),
        DeadCards::OPTION,
        DeadCards::UNKNOWN,
        OptionSpec::of_solve(
            "player",
            OptionKind::Text("S"),
            "the player's strategy: a house way by name or file, a strategy table, a mixed strategy, a trained agent, \
             'optimal' or 'random' [default: trump-plaza]",
        ),
        OptionSpec::of_both(
            "banker",
            OptionKind::Text("S"),
            "the banker's strategy: a house way by name or file, a strategy table, a mixed strategy, a trained agent \
             or 'random', and for 'solve' also 'optimal' [default: trump-plaza]",
        ),
        OptionSpec::of_solve(
            "bank",
            OptionKind::Choice(&["house", "player"]),
            "the party that banks; a player pays the commission on every bet that the bank wins [default: house]",
        ),
        OptionSpec::of_both(
            NO_PUSH,
            OptionKind::Flag,
            "settle each push by one more card for both sides, as in No Push Pai Gow; equal ranks go to the banker. It \
             needs house ways, and 'solve' takes 14 times as long as with --dead",
        ),
    ],
    hands: Some("seven cards: all 21 settings, each against all 53,524,680 banker hands"),
    sample: Some(SAMPLE),
    side_bet: Some(side_bet),
    main_bet: None,
    ways: None,
    make: |config| Ok(Box::new(ExactGame::new(config)?)),
};

/// Returns the setting that puts these cards of a hand in front.
///
/// # Errors
/// Returns an error if these aren't two cards of the hand.
pub fn setting_with_front(hand: Hand, front: &str) -> Result<Setting, SolverError> {
    let cards: CardSet = front.parse().map_err(SolverError::invalid)?;
    Setting::with_front(hand, cards)
        .ok_or_else(|| invalid!("invalid front \"{front}\": expected two cards from {hand}"))
}

impl ExactGame {
    /// Reads a player's bet from a table's view.
    fn bet(&self, player: &Value) -> Result<(Arc<BankerTable>, Chips), SolverError> {
        let bet = player["bet"].as_i64().filter(|&bet| bet > 0);
        let bet = bet.ok_or_else(|| SolverError::invalid("invalid view: it has a player without a bet"))?;
        let strategy = self.load(&[text_of(player, "way")?])?.swap_remove(0);
        let way = strategy
            .way()
            .ok_or_else(|| invalid!("invalid strategy '{}' for a player: expected a house way", strategy.name()))?;
        Ok((BankerTable::shared(way), bet))
    }

    /// Returns the EV of the side bet in a view, in chips. Views of games without a side bet have no stake for it.
    fn side_ev(&self, view: &Value) -> f64 {
        let stake = view["side_stake"].as_f64().filter(|&stake| stake > 0.0);
        stake.map_or(0.0, |stake| stake * self.side_bet_ev().value())
    }
}

impl Solver for ExactGame {
    fn rules(&self) -> (Value, String) {
        (json!(self.game.rules()), self.game.rules().hash())
    }

    fn solve(&self, control: &Control<'_>) -> Result<Answer, SolverError> {
        let sides = self.sides(control)?;
        let pair = Pair::new(sides, &self.game, self.bank()?)?;
        let pair = if self.config.flag(NO_PUSH) { pair.without_pushes()? } else { pair };
        let counts = Run::with(control, "enumerating", |run| pair.count(run, &[]))?;
        let totals = PairTotals::new(pair.question, None, counts);
        Ok(Answer::new(totals.json(), [totals.section()]))
    }

    fn value(&self, hand: &str, control: &Control<'_>) -> Result<Answer, SolverError> {
        let hand: Hand = hand.parse().map_err(SolverError::invalid)?;
        let known = KnownCards::new(hand, DeadCards::from_config(&self.config)?)?;
        let front = self.config.get("front").map(|front| setting_with_front(hand, front)).transpose()?;
        let (way, banker) = self.way_and_banker(control)?;
        hand_answer(&self.game, known, &way, banker.as_ref(), front, self.config.flag(NO_PUSH))
    }

    /// For a table with several seats, the view also contains the `banker`'s house way. If the hand belongs to the
    /// bank, it contains the opposing `players` instead, each with a `way` and a `bet`.
    fn decision(&self, view: &Value, control: &Control<'_>) -> Result<Option<Decision>, SolverError> {
        self.check_pushes()?;
        let hand: Hand = text_of(view, "hand")?.parse().map_err(SolverError::invalid)?;
        let (way, banker) = self.way_and_banker(control)?;
        if let Some(players) = view["players"].as_array() {
            let bets = players.iter().map(|player| self.bet(player)).collect::<Result<Vec<_>, SolverError>>()?;
            let decision = bank_decision(&self.game, hand, &way, &bets);
            return Ok(Some(Decision { side_ev: self.side_ev(view), ..decision }));
        }
        let banker = match view["banker"].as_str() {
            Some(name) => self.prepare(&self.load(&[name])?, control)?.pop(),
            None => banker,
        };
        // Most games show no cards outside the hand.
        let seen = view["known_cards"].as_str().unwrap_or_default();
        let known = KnownCards::new(hand, seen.parse::<CardSet>().map_err(SolverError::invalid)?)?;
        let decision = hand_decision(&self.game, known, &way, banker.as_ref());
        Ok(Some(Decision { side_ev: self.side_ev(view), ..decision }))
    }

    fn practice(&self) -> Option<&dyn Practice> {
        Some(self)
    }

    fn evaluator(
        &self,
        config: &EvaluatorConfig,
        control: &Control<'_>,
    ) -> Result<Box<dyn Evaluator + '_>, SolverError> {
        self.check_pushes()?;
        Ok(Box::new(PaiGowEvaluator::new(self, config, control)?))
    }

    fn has_exact_values(&self) -> bool {
        true
    }

    fn has_exploitability(&self) -> bool {
        true
    }
}

/// The game and the options of its solver.
pub(super) struct ExactGame {
    pub(super) game: Game,
    pub(super) config: SolverConfig,
    /// The EV of the side bet per unit staked, once it has been computed.
    side_bet: OnceLock<Ratio>,
}

impl ExactGame {
    pub(super) fn new(config: &SolverConfig) -> Result<ExactGame, SolverError> {
        let rules = with_assignments(config.given_rules()?, &config.assignments)?;
        Ok(ExactGame { game: Game::new(rules), config: config.clone(), side_bet: OnceLock::new() })
    }

    /// Checks that pushes stay pushes.
    fn check_pushes(&self) -> Result<(), SolverError> {
        if self.config.flag(NO_PUSH) {
            return Err(SolverError::invalid("no-push only supports the EVs of a hand and of a pair of house ways"));
        }
        Ok(())
    }

    /// Returns the EV of the side bet with the default paytable before the deal, per unit staked.
    pub(super) fn side_bet_ev(&self) -> Ratio {
        *self.side_bet.get_or_init(|| {
            let bet = SideBet::new(Paytable::default(), &self.game.rules());
            side_bet::ev(bet.paytable(), &bet.hands_by_row(|_| None), HANDS)
        })
    }

    /// Returns the name of the strategy that an option specifies.
    pub(super) fn strategy(&self, option: &str) -> &str {
        self.config.get(option).unwrap_or(Way::DEFAULT)
    }

    /// Loads and prepares the player's and the banker's strategy.
    fn sides(&self, control: &Control<'_>) -> Result<[SideStrategy; 2], SolverError> {
        let names = ["player", "banker"].map(|side| self.strategy(side));
        let load = |run: &Run<'_>| SideStrategy::load(names, &self.config.assignments, &self.game, run);
        Run::with(control, "setting all hands", load)
    }

    /// Returns the party that banks.
    pub(super) fn bank(&self) -> Result<BankedBy, SolverError> {
        self.config.get("bank").map_or(Ok(BankedBy::House), BankedBy::parse).map_err(SolverError::Invalid)
    }

    /// Returns the house way that an option names, using the readings from the configuration.
    pub(super) fn way(&self, option: &str) -> Result<Arc<HouseWay>, SolverError> {
        let name = self.strategy(option);
        let strategy = self.load(&[name])?.pop();
        strategy
            .and_then(|strategy| strategy.way().cloned())
            .ok_or_else(|| invalid!("invalid {option} '{name}': agents are trained and evaluated against a house way"))
    }

    /// Loads the strategy to compare with and prepares the banker's strategy. The banker's strategy is `None` if the
    /// banker sets at random.
    fn way_and_banker(&self, control: &Control<'_>) -> Result<(NamedStrategy, Option<Tabulated>), SolverError> {
        let names = ["way", "banker"].map(|option| self.strategy(option));
        let named = if names[1] == RANDOM { &names[..1] } else { &names[..] };
        let mut strategies = self.load(named)?;
        let banker = self.prepare(&strategies[1..], control)?.pop();
        Ok((strategies.swap_remove(0), banker))
    }

    /// Loads strategies. House ways use the readings from the configuration.
    pub(super) fn load(&self, names: &[&str]) -> Result<Vec<NamedStrategy>, SolverError> {
        load_strategies(names, &self.config.assignments, &self.game)
    }

    /// Prepares strategies for exact evaluation.
    pub(super) fn prepare(
        &self,
        strategies: &[NamedStrategy],
        control: &Control<'_>,
    ) -> Result<Vec<Tabulated>, SolverError> {
        let prepare = |run: &Run<'_>| NamedStrategy::prepare_all(strategies, &self.game, run);
        Ok(Run::with(control, "setting all hands", prepare)?)
    }
}

impl ExactGame {
    /// Returns the banker's strategy, which must be a house way, because other strategies take seconds for a hand.
    fn practice_banker(&self, control: &Control<'_>) -> Result<Tabulated, SolverError> {
        self.check_pushes()?;
        match self.way_and_banker(control)?.1 {
            Some(banker) if banker.profiles().is_some() => Ok(banker),
            Some(_) => Err(SolverError::invalid(
                "invalid banker: exercises need a house way, not a strategy table or an agent",
            )),
            None => Err(invalid!("invalid banker '{RANDOM}': exercises need a house way")),
        }
    }
}

/// The shapes of hands that casinos' house ways set wrong by the default rules, except five aces and a pair, of which there
/// are too few hands to draw.
pub const TOPICS: [&str; 8] = [
    "no pair",
    "one pair",
    "two pairs",
    "three of a kind",
    "full house",
    "four of a kind",
    "four of a kind and a pair",
    "four and three of a kind",
];

impl Practice for ExactGame {
    fn topics(&self) -> &'static [&'static str] {
        &TOPICS
    }

    fn exercises(
        &self,
        is_asked: IsAsked<'_>,
        rng: &mut Pcg64,
        control: &Control<'_>,
    ) -> Result<Vec<Exercise>, SolverError> {
        let compile = |(name, _): &(&str, &str)| HouseWay::shared(Way::named(name)?, &self.game);
        let ways = CASINOS.iter().map(compile).collect::<Result<Vec<_>, _>>().map_err(SolverError::invalid)?;
        let banker = self.practice_banker(control)?;
        let Some(table) = banker.profiles() else { return Ok(vec![]) };
        let group = |hand: Hand| Shape::from_hand(hand).name();
        let hands = draw_deals(BATCH, || Dealt::random(rng).hand(), |&hand| is_asked(group(hand)));
        let counts = HandEvaluator::new(&self.game, table).count_many(&hands);
        let exercise = |(&hand, counts): (&Hand, &HandCounts)| {
            let regrets = ways.iter().map(|way| counts.regret(way.set(hand)).map_or(0.0, |regret| regret.value()));
            let regret = regrets.sum::<f64>() / ways.len() as f64;
            Exercise { position: hand.to_string(), group: group(hand).to_owned(), regret }
        };
        Ok(hands.iter().zip(&counts).map(exercise).collect())
    }

    fn decide(&self, position: &str, control: &Control<'_>) -> Result<Decision, SolverError> {
        let hand: Hand = position.parse().map_err(SolverError::invalid)?;
        let (way, _) = self.way_and_banker(control)?;
        let banker = self.practice_banker(control)?;
        Ok(hand_decision(&self.game, KnownCards::new(hand, DeadCards::default())?, &way, Some(&banker)))
    }
}

/// Counts the hands or deals that a paytable of the side bet pays.
pub(super) fn side_bet(
    paytable: Option<&str>,
    config: &SolverConfig,
    control: &Control<'_>,
) -> Result<BetReturn, SolverError> {
    let exact = ExactGame::new(config)?;
    exact.check_pushes()?;
    let rules = exact.game.rules();
    let able =
        ["on = \"dealer\"", "on = \"either\"", "needs-win", "cards", "for-one", "envy", "meter", "front", "both"];
    let paytable = load(paytable, &able, "a split hand has no loser")?;
    let bet = SideBet::new(paytable, &rules);
    let paytable = bet.paytable();
    if paytable.terms().needs_win.is_none() {
        return hand_return(&bet, &rules, || exact.way("banker"));
    }
    let held: Vec<u64> = bet.hands_by_row(|_| None).iter().map(|hands| hands * BANKER_HANDS).collect();
    let pair = Pair::of_player(exact.sides(control)?, &exact.game, exact.bank()?)?;
    let counts = Run::with(control, "enumerating", |run| outcomes_by_row(&pair, &bet, run))?;
    let wins: Vec<u64> = counts.iter().map(|counts| counts.wins).collect();
    let pushes: Vec<u64> = counts.iter().map(|counts| counts.pushes).collect();
    let note = format!("The main bet is played by {} against {}.", pair.question.player, pair.question.banker);
    let found = BetReturn::new(paytable, &held, DEALS, &rules)?.with_wins(&wins, &pushes).note(note);
    let found = found.with_options(&["player", "banker", "bank"]);
    Ok(with_meaning(found.without_rules(COSTS), &bet))
}

/// The rules of what the main bet costs.
const COSTS: &[&str] = &["collection", "commission", "commission-bet"];
/// The rules of what the main bet wins, beside its costs.
const WINS: &[&str] = &["bank-pushes", "copies", "dealer-pushes"];
/// The rules of how hands are set, with the readings of house ways.
const SETTING: &[&str] = &["equal-setting", "joker-in-flush", "way", "wheel-straight", "wheel-straight-flush"];

/// Counts the hands that a paytable pays if the main bet doesn't matter. `dealer` returns the house way that sets the fronts.
pub(super) fn hand_return<R: RuleSet>(
    bet: &SideBet,
    rules: &R,
    dealer: impl FnOnce() -> Result<Arc<HouseWay>, SolverError>,
) -> Result<BetReturn, SolverError> {
    let paytable = bet.paytable();
    let (terms, rows) = (paytable.terms(), paytable.rows().len());
    let cards = match terms.cards {
        None | Some(7) => 7,
        Some(3) => 3,
        Some(cards) => {
            let problem = "expected 3 for the first three cards, or 7";
            return Err(invalid!("invalid cards {cards} in '{}': {problem}", paytable.name()));
        }
    };
    let row_of = |hand| if cards == 3 { bet.row_of_three(hand) } else { bet.row_index(hand) };
    let found = if paytable.special_terms().contains(&"both") {
        let (held, all) = deals_by_row(bet);
        BetReturn::new(paytable, &held, all, rules)?
    } else if terms.on == HandOf::Either {
        let (held, all) = better_of_two(paytable, &joint_rows(CardSet::DECK_53, cards, rows, row_of));
        BetReturn::new(paytable, &held, all, rules)?
            .note("Of the player's and the dealer's hand, the one that pays more counts.")
    } else if cards == 3 {
        let mut held = vec![0; rows];
        for_each_subset(CardSet::DECK_53, cards, |three| row_of(three).into_iter().for_each(|row| held[row] += 1));
        BetReturn::new(paytable, &held, binomial(53, 3), rules)?
    } else {
        let is_set = paytable.special_terms().contains(&"front");
        let dealer = if is_set { Some(BankerTable::shared(&dealer()?)) } else { None };
        let held = bet.hands_by_row(|profile| dealer.as_ref().map(|dealer| dealer.set(profile).front));
        let found = BetReturn::new(paytable, &held, HANDS, rules)?;
        match dealer {
            Some(dealer) => {
                let note = format!("The dealer's hand is set by {}.", dealer.name());
                let found = found.note(note).with_options(&["banker", "dealer"]);
                return Ok(with_meaning(found.without_rules(COSTS).without_rules(WINS), bet));
            }
            None => found,
        }
    };
    let found = found.without_rules(COSTS).without_rules(WINS).without_rules(SETTING);
    Ok(with_meaning(found, bet))
}

/// Counts the deals of seven cards each to the player and the dealer that each row of a paytable with rows on both pays, and
/// all deals.
fn deals_by_row(bet: &SideBet) -> (Vec<u64>, u64) {
    let paytable = bet.paytable();
    let rows = paytable.rows();
    let both: Vec<PaidHand> = rows.iter().map(|row| row.hand).filter(|&hand| PaidHand::is_of_two(hand)).collect();
    // The rows on both that a hand is one half of, as bits.
    let halves = |profile| {
        both.iter().enumerate().fold(0, |halves, (i, &both)| halves | usize::from(bet.holds(both, profile)) << i)
    };
    let halves: Vec<usize> = Profile::all().map(halves).collect();
    // Hands with the same row of their own and the same bits are counted together.
    let class = |hand: CardSet| {
        let profile = Profiles::get().of(hand);
        bet.row_of(profile, || hand).unwrap_or(rows.len()) << both.len() | halves[profile.index()]
    };
    let classes = (rows.len() + 1) << both.len();
    let joint = joint_rows(CardSet::DECK_53, 7, classes, |hand| Some(class(hand)));
    let (mut held, mut all) = (vec![0; rows.len()], 0);
    for (player, counts) in joint.iter().enumerate() {
        for (dealer, &deals) in counts.iter().enumerate() {
            let single = |class: usize| rows.get(class >> both.len()).map(|row| row.hand);
            let (player_row, dealer_row) = (single(player), single(dealer));
            let is_both =
                |hand| both.iter().enumerate().any(|(i, &both)| both == hand && (player & dealer) >> i & 1 == 1);
            let row = paytable.best_row(|hand| match paytable.terms().on {
                _ if is_both(hand) => true,
                HandOf::Player | HandOf::Loser => player_row == Some(hand),
                HandOf::Dealer => dealer_row == Some(hand),
                HandOf::Either => player_row == Some(hand) || dealer_row == Some(hand),
            });
            all += deals;
            if let Some(row) = row {
                held[row] += deals;
            }
        }
    }
    (held, all)
}

/// Adds a note on which of several rows pays a hand.
fn with_meaning(found: BetReturn, bet: &SideBet) -> BetReturn {
    let paytable = bet.paytable();
    // The answer has the meanings of rows that have one.
    let are_explained = paytable.rows().iter().all(|row| row.hand.meaning().is_some());
    let note = match bet.best() {
        SideBetBest::BestPaid if are_explained && paytable.rows().len() == 1 => return found,
        SideBetBest::BestPaid if are_explained => {
            "Of all rows that a hand qualifies for, the one with the highest odds pays."
        }
        SideBetBest::BestPaid => {
            "Other rows pay hands that contain them. Of all rows that a hand qualifies for, the one with the highest odds pays."
        }
        SideBetBest::BestRank => {
            "Only the row for the best hand by rank pays, whatever its odds and the other hands that the seven cards contain."
        }
    };
    found.note(note)
}

/// Counts the outcomes of a pair whose player's hands are enumerated for each row of a side bet's paytable, and at the end
/// for the hands that no row pays.
///
/// # Errors
/// Returns an error if the run was canceled, or if a side mixes its settings.
pub fn outcomes_by_row(pair: &Pair<'_>, bet: &SideBet, run: &Run<'_>) -> Result<Vec<DealCounts>, SolverError> {
    if pair.weight() != 1 {
        return Err(SolverError::invalid(
            "a side bet and the main bet are only evaluated together for pure strategies; use house ways or strategy tables",
        ));
    }
    let others = bet.paytable().rows().len();
    let rows = Mutex::new(vec![DealCounts::default(); others + 1]);
    let sink = |classes: &[ClassCounts], settings: &[Setting]| {
        let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
        for (class, &setting) in classes.iter().zip(settings) {
            rows[bet.row_index(class.hand.set()).unwrap_or(others)].add(class, setting);
        }
    };
    pair.count(run, &[&sink])?;
    Ok(rows.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use crate::registry::find;
    use crate::solver::{Control, SolverConfig, SolverError};
    use serde_json::Value;

    fn value(dead: &str) -> Result<Value, SolverError> {
        let solver = find("pai-gow-poker")?.solver(&SolverConfig::default().option("dead", dead))?;
        solver.value("As Kd Jk 7c 7d 2h 3s", &Control::default()).map(|answer| answer.json)
    }

    #[test]
    fn answers_name_dead_cards_only_if_there_are_any() {
        let solver = find("pai-gow-poker").unwrap().solver(&SolverConfig::default()).unwrap();
        let plain = solver.value("As Kd Jk 7c 7d 2h 3s", &Control::default()).unwrap().json;
        assert_eq!(value("").unwrap(), plain);
        assert!(plain.get("dead").is_none() && plain.get("banker_hands").is_none());
        let beside = value("3c Qh").unwrap();
        assert_eq!((&beside["dead"], &beside["banker_hands"]), (&Value::from("Qh 3c"), &Value::from("38320568")));
        assert_ne!(beside["settings"], plain["settings"]);
        let keys = |json: &Value| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let mut known = keys(&beside);
        known.retain(|key| key != "dead" && key != "banker_hands");
        assert_eq!(known, keys(&plain));
    }
}
