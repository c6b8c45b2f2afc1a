use super::*;
use crate::gym::Env;
use crate::pai_gow::{ProfileStrategy, ProfileTable, Rules};
use std::collections::BTreeSet;

fn banked(rules: Rules) -> BankedGame<ProfileTable> {
    let game = Game::new(rules);
    let banker = ProfileTable::max_front(&game);
    BankedGame::new(Arc::new(game), Arc::new(banker))
}

fn env(rules: Rules) -> PaiGowPoker<ProfileTable> {
    PaiGowPoker::new(banked(rules))
}

/// Resets an environment and returns the reward for each setting.
fn rewards(env: &PaiGowPoker<ProfileTable>) -> [f32; 21] {
    env.game().rewards(env.state().unwrap())
}

/// Returns the completed round after a step.
fn round(env: &PaiGowPoker<ProfileTable>) -> Round {
    env.game().round(env.state().unwrap()).unwrap()
}

#[test]
fn the_reward_is_that_of_the_settlement() {
    let mut env = env(Rules::default());
    let options = PaiGowOptions { stake: 20.0, ..PaiGowOptions::default() };
    for seed in 0..500 {
        env.start(Some(seed), &options).unwrap();
        assert_eq!(env.game().round(env.state().unwrap()), None);
        let rewards = rewards(&env);
        let mut written = [f32::NAN; 21];
        env.action_rewards(&mut written).unwrap();
        assert_eq!(written, rewards.map(|reward| if reward.is_nan() { 0.0 } else { reward }));
        for (action, &expected) in rewards.iter().enumerate() {
            let mut env = env.clone();
            let Ok(step) = env.step(action) else {
                assert!(expected.is_nan());
                continue;
            };
            let (round, state) = (round(&env), env.state().unwrap());
            let (game, player, banker) = (env.game().game(), state.player.hand(), state.banker.hand());
            assert_eq!(round.player_set, game.set(player, round.player_setting));
            assert_eq!(round.banker_set, game.set(banker, round.banker_setting));
            assert_eq!(round.settlement, game.settle(round.player_set, game.banker_set(banker, round.banker_set)));
            assert_eq!(step.reward, 20.0 * game.payoff(round.settlement.outcome));
            assert_eq!((expected, round.reward), (step.reward as f32, step.reward));
            assert!(player.set().intersection(banker.set()).is_empty());
            assert!(env.render().ends_with(&format!("net {}", step.reward)), "{}", env.render());
        }
    }
}

#[test]
fn variants_reach_the_reward() {
    let mut pushed = [0; 3];
    for (changed, pushed) in
        ["copies=player", "bank-pushes=nine_high_front", "bank-pushes=queen_high_pai_gow"].into_iter().zip(&mut pushed)
    {
        let mut env = env(Rules::default().with(changed).unwrap());
        let game = Arc::clone(env.game().game());
        for seed in 0..2_000 {
            env.reset(Some(seed), None).unwrap();
            let rewards = rewards(&env);
            let action = rewards.iter().position(|reward| !reward.is_nan()).unwrap();
            let reward = env.step(action).unwrap().reward;
            let Round { settlement, banker_set, player_set, .. } = round(&env);
            let banker = env.state().unwrap().banker.hand();
            assert_eq!((reward as f32, reward), (rewards[action], game.payoff(settlement.outcome)));
            assert_eq!(settlement, game.settle(player_set, game.banker_set(banker, banker_set)));
            assert_eq!(settlement.bank_pushes, env.render().contains("push, whatever"));
            *pushed += u32::from(settlement.bank_pushes);
        }
    }
    assert!(pushed[0] == 0 && pushed[1] > 20 && pushed[2] > 10, "{pushed:?}");
}

#[test]
fn fouls_are_named() {
    let mut env = env(Rules::default());
    assert_eq!(env.action_rewards(&mut [0.0; 21]), Err(EnvError::NotReset));
    env.reset(None, None).unwrap();
    let mut mask = [true; 21];
    env.action_mask(&mut mask).unwrap();
    let foul = mask.iter().position(|&legal| !legal).expect("this deal has fouls");
    let error = env.step(foul).unwrap_err().to_string();
    assert!(error.contains("in front is a foul above"), "{error}");
    let error = env.step(21).unwrap_err().to_string();
    assert!(error.contains("settings 0 to 20"), "{error}");
}

#[test]
fn the_side_bet_is_paid_for_any_setting() {
    let game = banked(Rules::default()).with_paytable(Paytable::load("example-three-pairs").unwrap());
    let side_bet = SideBet::new(game.paytable().clone(), &Rules::default());
    let mut env = PaiGowPoker::new(game);
    let (mut paid, mut lost) = (0, 0);
    for seed in 0..300 {
        env.start(Some(seed), &PaiGowOptions { stake: 2.0, side_stake: 5.0, hand: None }).unwrap();
        let row = side_bet.row(env.state().unwrap().player.hand().into());
        let rewards = rewards(&env);
        let action = rewards.iter().position(|reward| !reward.is_nan()).unwrap();
        let step = env.step(action).unwrap();
        let round = round(&env);
        let side = row.map_or(-5.0, |row| 5.0 * row.odds.value());
        assert_eq!(step.reward, 2.0 * env.game().game().payoff(round.settlement.outcome) + side);
        assert_eq!((round.side_bet, rewards[action]), (row, step.reward as f32));
        assert!(env.render().contains(if row.is_some() { " to 1\n" } else { "side    lost\n" }));
        paid += usize::from(row.is_some());
        lost += usize::from(row.is_none());
    }
    assert!(paid > 20 && lost > 150, "{paid} {lost}");
}

#[test]
fn a_chosen_hand_is_dealt_against_random_bankers() {
    let mut env = env(Rules::default());
    let options = |hand: &str| format!("{{\"hand\":\"{hand}\"}}");
    let mut bankers = BTreeSet::new();
    for seed in 0..200 {
        env.reset(Some(seed), Some(&options("2h 3s As Kd Jk 7c 7d"))).unwrap();
        let state = env.state().unwrap();
        assert_eq!(state.player.hand().to_string(), "Jk As Kd 7d 7c 3s 2h");
        assert!(state.player.hand().set().intersection(state.banker.hand().set()).is_empty());
        bankers.insert(state.banker.hand());
        assert!(env.view().is_some() && !env.public_table().unwrap().notes.is_empty());
    }
    assert_eq!(bankers.len(), 200);
    for hand in ["As", "As As Kd Jk 7c 7d 2h", "Jk2 As Kd Jk 7c 7d 2h"] {
        assert!(matches!(env.reset(Some(1), Some(&options(hand))), Err(EnvError::BadOption { .. })), "{hand}");
    }
    // Options without a hand are written as before.
    assert_eq!(env.default_options(), r#"{"stake":1.0,"side-stake":0.0}"#);
}

#[test]
fn the_banker_may_be_any_strategy() {
    let fixed = banked(Rules::default());
    let banker: Arc<dyn ProfileStrategy + Send> = fixed.banker().clone();
    let mut dynamic = PaiGowPoker::new(BankedGame::new(Arc::clone(fixed.game()), banker));
    assert_eq!(fixed.rules_hash(), dynamic.rules_hash());
    dynamic.reset(Some(1), None).unwrap();
    assert!(dynamic.step(20).unwrap().terminated);
}
