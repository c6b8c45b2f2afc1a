//! Golden playthroughs for fixed seeds. Each environment variant has a text file with the full state, the legal
//! actions, the layout and values of the observation, and the rewards of all actions.
//!
//! For every game in the registry, `playthroughs/registry/` has playthroughs of its encodings and examples. The other
//! files show individual games in more detail. If a playthrough differs, the meaning of seeds, rules or encodings has
//! changed, so either the environment needs a new version or there is a bug to fix.
//!
//! Run `HOUSEWAY_WRITE_PLAYTHROUGHS=1 cargo test --release -p houseway-env playthroughs` to rewrite the files.

use houseway_env::asian_stud::{self, AsianStud, AsianStudOptions};
use houseway_env::gym::{CardEnv, CardGame, Env, MultiEnv, playthrough};
use houseway_env::joker_seven::{self, JokerSeven, JokerSevenOptions};
use houseway_env::pai_gow::observe::Observation;
use houseway_env::pai_gow::table::{PaiGowTable, Setup, TableAction, TableOptions, TableRules};
use houseway_env::pai_gow::{BankedGame, Game, PaiGowOptions, PaiGowPoker, Paytable, ProfileTable, Rules, Setting};
use houseway_env::registry::games;
use houseway_env::rules::RuleSet;
use houseway_env::ultimate_holdem::{self, Action, Stage, UltimateHoldem, UltimateHoldemOptions};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

const WRITE: &str = "HOUSEWAY_WRITE_PLAYTHROUGHS";

/// Compares a playthrough with its file, or writes the file if requested.
fn compare(name: &str, played: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/playthroughs/{name}.txt"));
    if std::env::var_os(WRITE).is_some() {
        return std::fs::write(&path, played).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}.txt: {error}; set {WRITE}=1"));
    let differs = golden.lines().zip(played.lines()).position(|(golden, played)| golden != played);
    let line = differs.unwrap_or_else(|| golden.lines().count().min(played.lines().count()));
    let at = |text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_owned();
    assert!(golden == played, "{name}.txt, line {}:\nfile   {}\nplayed {}", line + 1, at(&golden), at(played));
}

fn numbers(values: &[f32]) -> String {
    values.iter().map(|value| format!("{value}")).collect::<Vec<_>>().join(" ")
}

/// Returns the observation as one row per candidate, where each row lists its nonzero entries.
fn observation_lines(encoding: Observation, values: &[f32]) -> String {
    use houseway_env::pai_gow::observe::candidates::ROW;
    if encoding != Observation::Candidates {
        return format!("observation {}\n", numbers(values));
    }
    let (rows, context) = values.split_at(Setting::COUNT * ROW);
    let mut lines = String::new();
    for (setting, row) in rows.chunks(ROW).enumerate() {
        let places = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
        let places: Vec<String> = places.map(|(place, value)| format!("{place}:{value}")).collect();
        let _ = writeln!(lines, "observation row {setting:2}  {}", places.join(" "));
    }
    lines + &format!("observation context {}\n", numbers(context))
}

/// Plays a fixed selection of settings for a few seeds, with two episodes per seed.
fn play(mut env: PaiGowPoker<ProfileTable>, options: PaiGowOptions, seeds: &[u64]) -> String {
    let (spec, space) = (env.spec(), env.observation_space());
    let mut text = format!(
        "env {}\nrules hash {}\nrules {}\nbanker highest front\npaytable {}\nreward range {:?}\nmax steps {}\nactions {}\nobservation {} {:?} low {} high {}\noptions {}\n",
        spec.id,
        env.rules_hash(),
        env.game().game().rules().identity(),
        env.game().paytable().name(),
        spec.reward_range,
        spec.max_steps,
        env.actions(),
        env.encoding(),
        space.shape,
        space.low,
        space.high,
        serde_json::to_string(&options).unwrap(),
    );
    for &seed in seeds {
        for (episode, seed) in [Some(seed), None].into_iter().enumerate() {
            env.start(seed, &options).unwrap();
            let _ = writeln!(
                text,
                "\n## reset({}), episode {}",
                seed.map_or("none".to_owned(), |s| s.to_string()),
                episode + 1
            );
            let _ = writeln!(text, "{}", env.render());
            let (mut observation, mut mask) = (vec![0.0; space.len()], [false; Setting::COUNT]);
            env.observe(&mut observation).unwrap();
            env.action_mask(&mut mask).unwrap();
            text += &observation_lines(env.encoding(), &observation);
            let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
            let _ = writeln!(text, "legal {legal:?}");
            let (game, state) = (env.game().clone(), env.state().unwrap());
            let (hand, rewards) = (state.player, game.rewards(state));
            for setting in Setting::all() {
                let (set, reward) = (hand.set(setting), rewards[setting.index()]);
                let (front, back) = (setting.front(hand.hand()), game.game().ranking().describe(set.back));
                let contender = if hand.contenders() >> setting.index() & 1 == 1 { ", contender" } else { "" };
                let _ = writeln!(text, "setting {:2}  {front}, back {back}: {reward}{contender}", setting.index());
            }
            let action = legal[(seed.unwrap_or(1) as usize * 7 + episode) % legal.len()];
            let step = env.step(action).unwrap();
            let _ = writeln!(text, "step({action})\n{}", env.render());
            let _ =
                writeln!(text, "reward {}, terminated {}, truncated {}", step.reward, step.terminated, step.truncated);
        }
    }
    text
}

fn banked(rules: Rules) -> BankedGame<ProfileTable> {
    let game = Arc::new(Game::new(rules));
    let banker = Arc::new(ProfileTable::max_front(&game));
    BankedGame::new(game, banker)
}

#[test]
fn every_game_by_encoding_and_example() {
    for game in games() {
        let name = |variant: &str| format!("registry/{}-{variant}", game.name);
        for encoding in game.encodings {
            let env = game.make_with_encoding("{}", encoding).unwrap();
            compare(&name(encoding), &playthrough(env.as_ref(), "{}", &[0, 42]).unwrap());
        }
        if game.encodings.is_empty() {
            let env = (game.make)("{}").unwrap();
            compare(&name("defaults"), &playthrough(env.as_ref(), "{}", &[0, 42]).unwrap());
        }
        for example in game.examples {
            let env = (game.make)(example.config).unwrap_or_else(|error| panic!("{}: {error}", example.name));
            let played = playthrough(env.as_ref(), example.options[0], &[3, 77]).unwrap();
            compare(&name(example.name), &format!("config {}\n{played}", example.config));
        }
    }
}

#[test]
fn pai_gow_poker_by_encoding() {
    for encoding in Observation::ALL {
        let env = PaiGowPoker::new(banked(Rules::default())).with_encoding(encoding);
        let played = play(env, PaiGowOptions::default(), &[0, 1, 42]);
        compare(&format!("pai-gow-poker-{encoding}"), &played);
    }
}

#[test]
fn pai_gow_poker_with_side_bet_and_other_readings() {
    let options = PaiGowOptions { stake: 20.0, side_stake: 5.0, hand: None };
    let rules = Rules::default().with("equal-setting=foul").unwrap().with("commission=0.04").unwrap();
    let rules = rules.with("side-bet-best=best_rank").unwrap();
    let game = banked(rules).with_paytable(Paytable::named("example-three-pairs").unwrap());
    let env = PaiGowPoker::new(game).with_encoding(Observation::RawCards);
    compare("pai-gow-poker-side-bet-other-readings", &play(env, options, &[3, 5, 8, 13, 21, 34]));
}

/// Returns the environment's specification as text.
fn specification<G: CardGame + 'static>(env: &CardEnv<G>, head: &str, options: &G::Options) -> String {
    let (spec, space) = (env.spec(), env.observation_space());
    format!(
        "env {}\nrules hash {}\n{head}\nreward range {:?}\nmax steps {}\nactions {}\nobservation {:?} low {} high {}\noptions {}\n",
        spec.id,
        env.rules_hash(),
        spec.reward_range,
        spec.max_steps,
        env.actions(),
        space.shape,
        space.low,
        space.high,
        serde_json::to_string(options).unwrap(),
    )
}

/// Plays legal actions in turn for a few seeds, with two episodes per seed. The text includes the rewards of all
/// actions in each state.
fn play_any<G: CardGame + 'static, const N: usize>(
    mut env: CardEnv<G>,
    head: &str,
    options: &G::Options,
    seeds: &[u64],
    rewards: impl Fn(&G, &G::State) -> [f64; N],
) -> String {
    let space = env.observation_space();
    let mut text = specification(&env, head, options);
    let state = |env: &CardEnv<G>, mask: &mut Vec<bool>| {
        let mut observation = vec![0.0; space.len()];
        env.observe(&mut observation).unwrap();
        env.action_mask(mask).unwrap();
        let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
        let rewards = rewards(env.game(), env.state().unwrap()).map(|reward| reward.to_string()).join(" ");
        let (shown, numbers) = (env.render(), numbers(&observation));
        (format!("{shown}\nobservation {numbers}\nlegal {legal:?}\nrewards {rewards}\n"), legal)
    };
    let mut mask = vec![false; env.actions()];
    for &seed in seeds {
        for (episode, reset) in [Some(seed), None].into_iter().enumerate() {
            env.start(reset, options).unwrap();
            let reset = reset.map_or("none".to_owned(), |seed| seed.to_string());
            let _ = writeln!(text, "\n## reset({reset}), episode {}", episode + 1);
            let (mut shown, mut legal) = state(&env, &mut mask);
            text += &shown;
            for step in 0.. {
                let action = legal[(seed as usize * 7 + episode + step * 5) % legal.len()];
                let result = env.step(action).unwrap();
                let _ = writeln!(text, "step({action}): {result:?}");
                (shown, legal) = state(&env, &mut mask);
                text += &shown;
                if result.is_last() {
                    break;
                }
            }
        }
    }
    text
}

fn head<R: RuleSet, P: serde::Serialize>(rules: &R, encoding: P, paytable: &str) -> String {
    let [rules, encoding] = [serde_json::to_string(rules), serde_json::to_string(&encoding)].map(Result::unwrap);
    format!("rules {rules}\nencoding {encoding}\npaytable {paytable}")
}

fn play_joker_seven(
    settings: &[&str],
    paytable: &str,
    encoding: joker_seven::Observation,
    options: &JokerSevenOptions,
) -> String {
    let rules = settings.iter().fold(joker_seven::Rules::default(), |rules, setting| rules.with(setting).unwrap());
    let game = joker_seven::Game::new(rules, joker_seven::Paytable::named(paytable).unwrap());
    let env = JokerSeven::new(game).with_encoding(encoding);
    play_any(env, &head(&rules, encoding, paytable), options, &[0, 1, 42, 77], joker_seven::Game::rewards)
}

#[test]
fn joker_seven_by_encoding() {
    for encoding in joker_seven::Observation::ALL {
        let played = play_joker_seven(&[], "source", encoding, &JokerSevenOptions::default());
        compare(&format!("joker-seven-{encoding}"), &played);
    }
}

#[test]
fn joker_seven_with_several_players_and_other_readings() {
    let settings = [
        "common-hand=one_hand_per_player",
        "colour=either_colour",
        "joker-pair=no",
        "no-pair=no_rank_exactly_twice",
        "three-of-a-kind=joker_wild",
        "two-pairs=exactly_two",
        "trips-hold-a-pair=no",
        "one-joker=at_least_one",
        "specific-pair=exactly_two",
        "minimum=2",
        "maximum=5",
    ];
    let options = JokerSevenOptions { chips: Some(8), chip: 2.5, players: 3 };
    let played = play_joker_seven(&settings, "new-jersey", joker_seven::Observation::Counts, &options);
    compare("joker-seven-players-other-readings", &played);
}

fn play_asian_stud(
    settings: &[&str],
    paytable: &str,
    encoding: asian_stud::Observation,
    options: &AsianStudOptions,
) -> String {
    let rules = settings.iter().fold(asian_stud::Rules::default(), |rules, setting| rules.with(setting).unwrap());
    let game = asian_stud::Game::new(rules).with_paytable(asian_stud::Paytable::named(paytable).unwrap());
    let env = AsianStud::new(game).with_encoding(encoding);
    play_any(env, &head(&rules, encoding, paytable), options, &[0, 1, 42, 77], asian_stud::Game::rewards)
}

#[test]
fn asian_stud_by_encoding() {
    for encoding in asian_stud::Observation::ALL {
        let played = play_asian_stud(&[], "example-three-of-a-kind", encoding, &AsianStudOptions::default());
        compare(&format!("asian-stud-{encoding}"), &played);
    }
}

#[test]
fn asian_stud_with_several_players_and_other_readings() {
    let settings = [
        "joker=three_six_nine",
        "no-set-against-set=both_returned",
        "odds-on=both",
        "commission=both_except_dealer_no_set",
        "commission-rate=0.04",
        "joker-semiwild=wild",
        "side-bet-on-fold=lost",
    ];
    let options = AsianStudOptions { ante: 20.0, side_stake: 5.0, players: 4 };
    let played = play_asian_stud(&settings, "example-pair", asian_stud::Observation::Points, &options);
    compare("asian-stud-players-other-readings", &played);
}

/// Plays several fixed plans of Ultimate Texas Hold'em, one after another for each seed.
fn play_ultimate_holdem(mut env: UltimateHoldem, options: UltimateHoldemOptions, seeds: &[u64]) -> String {
    let mut text =
        specification(&env, &format!("rules {}", serde_json::to_string(env.game().rules()).unwrap()), &options);
    let (mut observation, mut mask) = (vec![0.0; env.observation_space().len()], [false; Action::ALL.len()]);
    for &seed in seeds {
        // The player plays right away, on the flop, on the river, or not at all.
        for (episode, checks) in [0, 1, 2, 2].into_iter().enumerate() {
            let reset = (episode == 0).then_some(seed);
            env.start(reset, &options).unwrap();
            let _ = writeln!(
                text,
                "\n## reset({reset:?}), episode {}\nrewards {:?}",
                episode + 1,
                env.game().rewards(env.state().unwrap())
            );
            for step in 0.. {
                env.observe(&mut observation).unwrap();
                env.action_mask(&mut mask).unwrap();
                let places = observation.iter().enumerate().filter(|(_, value)| **value != 0.0);
                let places: Vec<String> = places.map(|(place, value)| format!("{place}:{value}")).collect();
                let legal: Vec<usize> = (0..mask.len()).filter(|&action| mask[action]).collect();
                let _ = writeln!(text, "{}\nobservation {}\nlegal {legal:?}", env.render(), places.join(" "));
                if env.state().unwrap().stage() == Stage::Over {
                    break;
                }
                let plays = legal.iter().rev().copied().find(|&action| action > 1);
                let action = if step < checks { 0 } else { plays.filter(|_| episode < 3).unwrap_or(1) };
                let step = env.step(action).unwrap();
                let _ = writeln!(text, "step({action}): reward {}, terminated {}", step.reward, step.terminated);
            }
        }
    }
    text
}

#[test]
fn ultimate_holdem_by_encoding() {
    for encoding in ultimate_holdem::observe::Observation::ALL {
        let game = ultimate_holdem::Game::new(ultimate_holdem::Rules::default());
        let env = UltimateHoldem::new(game).with_encoding(encoding);
        let played = play_ultimate_holdem(env, UltimateHoldemOptions::default(), &[0, 42]);
        compare(&format!("ultimate-holdem-{encoding}"), &played);
    }
}

#[test]
fn ultimate_holdem_with_side_bets_and_other_readings() {
    let settings = ["preflop-play=three_or_four", "dealer-unqualified=casino_holdem", "trips-on-fold=lost"];
    let rules = settings.iter().fold(ultimate_holdem::Rules::default(), |rules, set| rules.with(set).unwrap());
    let progressive = ultimate_holdem::Paytable::named("ultimate-trips-20-7-6-5-3").unwrap();
    let game = ultimate_holdem::Game::new(rules).with_progressive(progressive);
    let env = UltimateHoldem::new(game).with_encoding(ultimate_holdem::observe::Observation::RawCards);
    let options = UltimateHoldemOptions { ante: 10.0, trips: 5.0, progressive: true };
    compare("ultimate-holdem-side-bets-other-readings", &play_ultimate_holdem(env, options, &[3, 5, 8]));
}

/// Plays a session at a table and shows which agents have to move, what they see and may do, and what they do and
/// receive.
fn play_table(assignments: &[&str], options: &TableOptions, seed: u64) -> String {
    let game = Arc::new(Game::new(Rules::default()));
    let way = Arc::new(ProfileTable::max_front(&game));
    let rules = assignments.iter().fold(TableRules::default(), |rules, assignment| rules.with(assignment).unwrap());
    let mut env = PaiGowTable::new(Arc::new(Setup::new(rules, game, way, Paytable::default()).unwrap()));
    let (spec, len, actions) = (env.spec(), env.observation_space().len(), env.actions());
    let mut text = format!(
        "env {}\nrules hash {}\nrules {}\nhouse way highest front\nreward range {:?}\nmax steps {}\nagents {}\nactions {actions}\nobservation {len}\noptions {}\n",
        spec.id,
        env.rules_hash(),
        serde_json::to_string(&rules).unwrap(),
        spec.reward_range,
        spec.max_steps,
        env.agents(),
        serde_json::to_string(options).unwrap(),
    );
    env.start(Some(seed), options).unwrap();
    for step in 0.. {
        let _ = writeln!(text, "\n{}", env.render());
        let (mut observation, mut mask) = (vec![0.0; len], vec![false; actions]);
        for agent in 0..env.agents() {
            env.observe(agent, &mut observation).unwrap();
            let places = observation.iter().enumerate().filter(|(_, value)| **value != 0.0);
            let places: Vec<String> = places.map(|(place, value)| format!("{place}:{value}")).collect();
            let _ = writeln!(text, "agent {agent}  {:?}  {}", env.status(agent).unwrap(), places.join(" "));
        }
        let Some(agent) = env.selection() else { break };
        env.action_mask(agent, &mut mask).unwrap();
        let legal: Vec<usize> = (0..actions).filter(|&action| mask[action]).collect();
        let action = legal[(step * 7 + 3) % legal.len()];
        env.step(agent, action).unwrap();
        let name = TableAction::from_index(action).unwrap();
        let _ = writeln!(text, "legal {legal:?}\nagent {agent} step({action}) {name:?}\nrewards {:?}", env.rewards());
    }
    text
}

#[test]
fn pai_gow_table() {
    let options = TableOptions { bankrolls: vec![2_000, 0, 600, 400], rounds: 3 };
    compare("pai-gow-table", &play_table(&["seats=5"], &options, 4));
    let other = [
        "time-steps=2",
        "uncovered-bets=lose",
        "commission-on-banker=per_bet",
        "button-without-hand=roll_again",
        "house-hand-when-player-banks=dealt",
    ];
    compare("pai-gow-table-other-readings", &play_table(&other, &options, 9));
}
