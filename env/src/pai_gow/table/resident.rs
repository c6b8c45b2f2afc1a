//! Residents: players that belong to the environment and play alongside or against the agents.

use super::{
    AlwaysBank, BankInTurn, BankRule, BetSize, MAX_SEATS, Move, NeverBank, Player, Regular, SeatView, SetRule, Setup,
};
use crate::money::Chips;
use crate::pai_gow::{BankerStrategy, ProfileStrategy, Strategy};
use crate::rules::short_hash;
use std::sync::Arc;

crate::named_enum! {
    /// The banking behavior of a resident.
    #[derive(Default)]
    pub enum ResidentBank: kebab_case {
        /// Always passes the bank.
        #[default]
        Never,
        /// Takes the bank whenever it is offered, and covers all bets as far as the resident's funds allow.
        Always,
        /// Takes the bank if no other seat was offered it before in the same round, and covers all bets as far as the
        /// resident's funds allow.
        InTurn,
    }
}

impl ResidentBank {
    fn rule(self) -> Box<dyn BankRule> {
        match self {
            ResidentBank::Never => Box::new(NeverBank),
            ResidentBank::Always => Box::new(AlwaysBank),
            ResidentBank::InTurn => Box::new(BankInTurn),
        }
    }

    /// Returns the behavior as it is written in hashes.
    const fn hashed(self) -> &'static str {
        match self {
            ResidentBank::Never => "false",
            ResidentBank::Always => "true",
            ResidentBank::InTurn => "in-turn",
        }
    }
}

/// A player that belongs to the environment and follows fixed rules for betting, banking and setting. Cloning is cheap,
/// because clones share the house way.
#[derive(Clone)]
pub struct Resident {
    /// The size of the bet.
    pub bet: BetSize,
    /// The side bet, limited to the maximum and to what is left of the bankroll after the bet.
    pub side: Chips,
    /// The banking behavior.
    pub bank: ResidentBank,
    /// The strategy for setting hands. It must be compiled for the same game. `None` means the table's house way.
    pub way: Option<Arc<dyn ProfileStrategy + Send>>,
}

/// The residents indexed by seat. Agents' seats and empty seats have `None`.
pub type Residents = [Option<Resident>; MAX_SEATS];

impl Resident {
    /// Returns a player that follows the resident's rules.
    pub(super) fn player(&self, name: &str) -> Regular {
        let set = self.way.as_ref().map_or(SetRule::HouseWay, |way| {
            let way = Arc::clone(way) as Arc<dyn Strategy + Send>;
            SetRule::Strategy { player: Arc::clone(&way), banker: way }
        });
        Regular { name: name.to_owned(), bet: self.bet, side: self.side, bank: self.bank.rule(), set }
    }

    /// Chooses the resident's move.
    pub(super) fn decide(&self, view: &SeatView<'_>) -> Move {
        self.player("").decide(view)
    }
}

/// The error returned when a single-agent environment doesn't have exactly one seat for an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a single-agent environment needs exactly one seat without a resident, found {seats:?}")]
pub struct AgentSeatError {
    /// The seats that have no resident.
    pub seats: Vec<usize>,
}

/// Returns the hash of a setup, combined with its residents if there are any.
pub(super) fn hash(setup: &Setup, residents: &Residents) -> String {
    if residents.iter().all(Option::is_none) {
        return setup.hash().to_owned();
    }
    let mut bytes = setup.hash().as_bytes().to_vec();
    for (seat, resident) in residents.iter().enumerate() {
        let Some(Resident { bet, side, bank, way }) = resident else { continue };
        bytes.extend(format!("{seat} {bet:?} {side} {} {}", bank.hashed(), way.is_some()).into_bytes());
        bytes.extend(way.iter().flat_map(|way| way.hash_bytes()));
    }
    short_hash([&bytes[..]])
}

#[cfg(test)]
mod tests {
    use super::super::{
        HistoryReader, HistoryWriter, OneSeat, PaiGowTable, Players, RoundRecord, Table, TableOptions, TableRules,
        Verified, play_round,
    };
    use super::*;
    use crate::gym::{Env, MultiEnv, stream};
    use crate::pai_gow::{Game, Paytable, ProfileTable, Rules};
    use rand::RngExt;

    fn setup() -> Arc<Setup> {
        let game = Arc::new(Game::new(Rules::default()));
        let way = Arc::new(ProfileTable::max_front(&game));
        Arc::new(Setup::new(TableRules::default(), game, way, Paytable::default()).unwrap())
    }

    fn residents(seats: &[usize]) -> Residents {
        let game = Game::new(Rules::default());
        let way: Arc<dyn ProfileStrategy + Send> = Arc::new(ProfileTable::min_front(&game));
        std::array::from_fn(|seat| {
            seats.contains(&seat).then(|| Resident {
                bet: BetSize::Chips(20 * seat as Chips),
                side: if seat == 4 { 5 } else { 0 },
                bank: if seat.is_multiple_of(2) { ResidentBank::Always } else { ResidentBank::Never },
                way: (seat > 3).then(|| Arc::clone(&way)),
            })
        })
    }

    const BANKROLLS: [Chips; 6] = [900, 2_000, 3_000, 1_500, 0, 800];

    /// Returns the action that bets the minimum, passes the bank, or sets the hand the house way.
    fn plain(phase: super::super::Phase) -> usize {
        match phase {
            super::super::Phase::Betting => 29,
            super::super::Phase::Banking => 23,
            _ => 21,
        }
    }

    #[test]
    fn residents_play_like_players_with_the_same_rules() {
        let (setup, agents) = (setup(), [3, 6]);
        let mut env = PaiGowTable::new(Arc::clone(&setup)).with_residents(residents(&[1, 2, 4])).keeping_rounds();
        let options = TableOptions { bankrolls: BANKROLLS.to_vec(), rounds: 60 };
        env.start(Some(11), &options).unwrap();
        assert!(env.last_round().is_none() && env.status(0) != env.status(2));

        let mut table = Table::new(setup, &BANKROLLS).unwrap();
        let mut players: Players = std::array::from_fn(|seat| {
            let resident = residents(&[1, 2, 4])[seat].take();
            let plain = || Resident { bet: BetSize::Chips(20), side: 0, bank: ResidentBank::Never, way: None };
            let resident = resident.or_else(|| agents.contains(&seat).then(plain))?;
            Some(Box::new(Seated(resident)) as Box<dyn Player>)
        });
        let (mut rng, mut moves, mut banked) = (stream(11.into()), vec![], 0);
        for _ in 0..60 {
            assert!(play_round(&mut table, &mut players, &mut rng, &mut moves).unwrap());
            let played = RoundRecord::new(&table, &moves);
            while env.last_round().is_none_or(|round| round.round < played.round) {
                let phase = env.table().unwrap().phase();
                env.step(env.selection().unwrap(), plain(phase)).unwrap();
            }
            assert_eq!(env.last_round().unwrap(), played);
            banked += usize::from(played.banker == 2 || played.banker == 4);
        }
        assert!(env.acting().is_empty() && banked > 20);
    }

    struct Seated(Resident);

    impl Player for Seated {
        fn name(&self) -> &str {
            "seated"
        }
        fn decide(&mut self, view: &SeatView<'_>) -> Move {
            self.0.decide(view)
        }
    }

    #[test]
    fn kept_rounds_are_a_verifiable_history() {
        let setup = setup();
        let mut env = PaiGowTable::new(Arc::clone(&setup)).with_residents(residents(&[1, 4])).keeping_rounds();
        assert!(env.history_header().is_none());
        env.reset(None, None).unwrap();
        assert!(env.history_header().is_none(), "it continues a stream without a name");
        let options = TableOptions { bankrolls: BANKROLLS.to_vec(), rounds: 200 };
        env.start(Some(5), &options).unwrap();
        let mut writer = HistoryWriter::new(vec![], env.history_header().unwrap()).unwrap();
        let (mut rng, mut mask, mut written) = (stream(6.into()), [false; 53], 0);
        while let Some(agent) = env.selection() {
            env.action_mask(agent, &mut mask).unwrap();
            let legal: Vec<usize> = (0..53).filter(|&action| mask[action]).collect();
            env.step(agent, legal[rng.random_range(0..legal.len())]).unwrap();
            if let Some(round) = env.last_round().filter(|round| round.round > written) {
                writer.write(&round).unwrap();
                written = round.round;
            }
        }
        let lines = writer.finish().unwrap();
        let mut table = Table::new(setup, &BANKROLLS).unwrap();
        let verified = HistoryReader::read(&lines[..]).unwrap().verify(&mut table, &mut Players::default()).unwrap();
        assert_eq!(verified, Verified { rounds: written, closed: true });
        assert!(written > 10);
    }

    #[test]
    fn one_seat_has_the_observations_and_rewards_of_the_table() {
        let table = PaiGowTable::new(setup()).with_residents(residents(&[1, 2, 4, 5, 6]));
        let (mut one, mut all) = (OneSeat::new(table.clone()).unwrap(), table);
        let options = TableOptions { bankrolls: vec![500; 6], rounds: 40 };
        one.reset(Some(3), Some(&serde_json::to_string(&options).unwrap())).unwrap();
        all.start(Some(3), &options).unwrap();
        let (mut total, mut steps) = (0.0, 0);
        loop {
            assert_eq!(all.selection(), Some(2));
            let [mut seen, mut other] = [[0.0; super::super::observe::LEN]; 2];
            one.observe(&mut seen).unwrap();
            all.observe(2, &mut other).unwrap();
            assert_eq!(seen, other);
            let action = plain(all.table().unwrap().phase());
            let step = one.step(action).unwrap();
            all.step(2, action).unwrap();
            assert_eq!(step.reward, all.rewards()[2]);
            (total, steps) = (total + step.reward, steps + 1);
            if step.is_last() {
                break;
            }
        }
        assert!(steps > 80 && total == (all.table().unwrap().seat(3).bankroll - 500) as f64);
        let two = PaiGowTable::new(setup()).with_residents(residents(&[1, 2, 5, 6]));
        assert_eq!(OneSeat::new(two).err(), Some(AgentSeatError { seats: vec![3, 4] }));
    }

    #[test]
    fn the_hash_names_the_residents() {
        let plain = PaiGowTable::new(setup());
        let hashes = [residents(&[]), residents(&[1]), residents(&[2]), residents(&[4])]
            .map(|residents| plain.clone().with_residents(residents).rules_hash());
        assert_eq!(hashes[0], plain.setup().hash());
        assert!((1..4).all(|i| !hashes[..i].contains(&hashes[i])), "{hashes:?}");
    }

    #[test]
    fn a_session_needs_an_agent() {
        let mut env = PaiGowTable::new(setup()).with_residents(residents(&[1, 2]));
        let options = TableOptions { bankrolls: vec![100, 100], rounds: 1 };
        let error = env.start(None, &options).unwrap_err().to_string();
        assert!(error.contains("no agent can make the minimum bet"), "{error}");
    }
}
