use super::*;
use crate::gym::{Encoding, Env};
use crate::pai_gow;
use crate::pai_gow::observe::Observation as HandObservation;
use std::sync::Arc;

fn options(known_cards: usize) -> KnownCardsOptions {
    KnownCardsOptions { known_cards, ..KnownCardsOptions::default() }
}

#[test]
fn known_cards_are_in_neither_hand_and_change_neither_hand() {
    let mut known = from_config("{}").unwrap();
    let mut plain = pai_gow::from_config("{}").unwrap();
    for seed in 0..400 {
        let count = seed as usize % (MAX_KNOWN_CARDS + 1);
        let stakes = KnownCardsOptions { stake: 4.0, side_stake: 2.0, known_cards: count };
        known.start(Some(seed), &stakes).unwrap();
        plain.start(Some(seed), &stakes.stakes()).unwrap();
        let state = known.state().unwrap();
        let (player, banker) = (state.player.hand().set(), state.banker.hand().set());
        assert_eq!(state.known_cards.len(), count);
        assert!(player.intersection(banker).is_empty());
        assert!(player.union(banker).intersection(state.known_cards).is_empty());
        assert!(state.known_cards.difference(CardSet::DECK_53).is_empty());
        if count == MAX_KNOWN_CARDS {
            assert_eq!(CardSet::DECK_53.difference(player).difference(state.known_cards), banker);
        }
        // The hands and the rewards are the same as without known cards.
        let [mut with, mut without] = [[f32::NAN; 21]; 2];
        known.action_rewards(&mut with).unwrap();
        plain.action_rewards(&mut without).unwrap();
        assert_eq!((with, known.house_action()), (without, plain.house_action()));
        let action = known.house_action().unwrap();
        assert_eq!(known.step(action).unwrap(), plain.step(action).unwrap());
        assert_eq!(known.outcome(), plain.outcome());
    }
    assert_eq!(known.rules_hash(), plain.rules_hash());
}

#[test]
fn every_other_card_is_known_as_often() {
    // With the hands, the known cards partition the pack into three random parts. In 53 * 800 deals, each card is known
    // 21 / 53 of the time. The chi-squared statistic is scaled by the variance of a count without replacement, so that
    // it has 52 degrees of freedom. Their 99.99% quantile is 99.
    let (mut env, mut counts, deals) = (from_config("{}").unwrap(), [0_u32; CARDS], 53 * 800);
    for seed in 0..deals {
        env.start((seed == 0).then_some(23), &options(21)).unwrap();
        env.state().unwrap().known_cards.iter().for_each(|card| counts[card.index()] += 1);
    }
    let (mean, share) = (f64::from(deals) * 21.0 / 53.0, 21.0 / 53.0);
    let squares: f64 = counts.iter().map(|&count| (f64::from(count) - mean).powi(2)).sum();
    let chi_square = squares / (mean * (1.0 - share)) * 52.0 / 53.0;
    assert!(chi_square < 99.0, "{chi_square}");
}

#[test]
fn the_banker_is_uniform_over_the_unknown_cards() {
    // With 38 known cards, eight remain, and the banker holds all but one of them. In 8 * 2,000 deals, the chi-squared
    // statistic has 7 degrees of freedom. Their 99.99% quantile is 29.9.
    let (mut env, mut counts) = (from_config("{}").unwrap(), [0_u32; 8]);
    for seed in 0..8 * 2_000 {
        env.start((seed == 0).then_some(29), &options(38)).unwrap();
        let state = env.state().unwrap();
        let unknown = CardSet::DECK_53.difference(state.player.hand().set()).difference(state.known_cards);
        assert_eq!(unknown.len(), 8);
        let left = unknown.iter().position(|card| !state.banker.hand().set().contains(card)).unwrap();
        counts[left] += 1;
    }
    let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - 2_000.0).powi(2) / 2_000.0).sum();
    assert!(chi_square < 29.9, "{chi_square} {counts:?}");
}

#[test]
fn the_player_sees_the_known_cards() {
    for (count, lines) in [(0, 1), (7, 1), (20, 1), (21, 2), (39, 2)] {
        let mut env = from_config(r#"{"observation": "raw-cards"}"#).unwrap();
        assert_eq!(env.encoding(), Observation(HandObservation::RawCards));
        env.start(Some(5), &options(count)).unwrap();
        let known = env.state().unwrap().known_cards;
        let mut out = vec![f32::NAN; env.encoding().len()];
        env.observe(&mut out).unwrap();
        let flagged = (0..CARDS).filter(|&i| out[7 + i] == 1.0);
        assert_eq!(flagged.collect::<Vec<_>>(), {
            let mut cards: Vec<usize> = known.iter().map(|card| card.index()).collect();
            cards.sort_unstable();
            cards
        });
        assert_eq!(env.view().unwrap()["known_cards"], known.to_string());
        let shown = env.render();
        let listed: Vec<&str> = shown.lines().skip(1).take(lines).map(|line| &line[8..]).collect();
        assert_eq!(listed.join(" "), if count == 0 { "no cards".to_owned() } else { known.to_string() });
        assert!(shown.lines().nth(1 + lines).unwrap().starts_with("banker  seven cards, face down"), "{shown}");
        let action = env.house_action().unwrap();
        env.step(action).unwrap();
        assert!(env.render().lines().nth(1 + lines).unwrap().starts_with("banker  back"), "{}", env.render());
    }
}

#[test]
fn invalid_options_are_refused() {
    let mut env = (GAME.make)("{}").unwrap();
    for (text, part) in [
        (r#"{"known-cards": 40}"#, "invalid option known-cards: 40 must be between 0 and 39"),
        (r#"{"known-cards": -1}"#, "expected an integer of 0 or more"),
        (r#"{"known-cards": 3.5}"#, "expected an integer of 0 or more"),
        (r#"{"known_cards": 3}"#, "unknown field `known_cards`, expected one of"),
        (r#"{"stake": 0}"#, "invalid option stake"),
        (r#"{"side-stake": -1}"#, "invalid option side-stake"),
    ] {
        let error = env.reset(Some(1), Some(text)).unwrap_err();
        assert!(matches!(error, EnvError::BadOption { .. }));
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
    for (config, part) in [
        (r#"{"observation": "none"}"#, "observation: unknown value 'none'; expected one of"),
        (r#"{"known-cards": 3}"#, "unknown field `known-cards`"),
        (r#"{"banker": "nobody"}"#, "nobody"),
    ] {
        let error = (GAME.make)(config).err().unwrap().to_string();
        assert!(error.contains(part), "{config}: {error}");
    }
    let banker = |game: &pai_gow::Game| Ok(Arc::new(pai_gow::ProfileTable::max_front(game)));
    assert!(pai_gow::game_against::<Observation, _>("{}", banker).is_ok());
    let refused = pai_gow::game_against::<Observation, _>(r#"{"banker": "wong"}"#, banker);
    let error = refused.err().unwrap().to_string();
    assert!(error.contains("house way"), "{error}");
}

#[test]
fn known_cards_follow_the_hand() {
    let game = Game::new(pai_gow::Rules::default());
    let hand = Candidates::new(&game, "As Kd Jk 7c 7d 2h 3s".parse().unwrap());
    let known: CardSet = "2c Qh Ah".parse().unwrap();
    for encoding in HandObservation::ALL.map(Observation) {
        let mut own = vec![f32::NAN; encoding.0.len()];
        encoding.0.write(&game, &hand, &mut own);
        let mut out = vec![f32::NAN; encoding.len()];
        encoding.write(&game, &hand, known, &mut out);
        let (hand_part, flags) = out.split_at(own.len());
        assert_eq!((hand_part, flags.len()), (&own[..], 53));
        let marked: Vec<usize> = (0..53).filter(|&i| flags[i] != 0.0).collect();
        assert_eq!(marked, [0, 42, 50]);
        assert!(encoding.space().contains(&out));
    }
}
