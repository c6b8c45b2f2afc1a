//! Evaluates sampled hands with known cards exactly.

use super::effect::Effect;
use super::findings::{KnownCardsFindings, KnownCardsValue};
use super::one_card::OneCard;
use crate::analysis::pai_gow::progress::with_progress;
use crate::run::{ProgressBar, RESULTS, RunFolder, RunKind, RunSpec, config_text};
use houseway_env::cards::{Card, CardSet, Pack};
use houseway_env::gym::stream;
use houseway_env::pai_gow::house_way::{HouseWay, Way, WayError};
use houseway_env::pai_gow::known_cards::MAX_KNOWN_CARDS;
use houseway_env::pai_gow::{CARDS, Game, Hand, Rules};
use houseway_exact::Ratio;
use houseway_exact::pai_gow::whole::{Pass, Payoff, Play, Side};
use houseway_exact::pai_gow::{BankerTable, HandEvaluator, KnownCards};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// The maximum number of known cards. This leaves seven cards for the banker.
pub const MAX_CARDS: usize = MAX_KNOWN_CARDS;
/// The maximum number of hands.
pub const MAX_HANDS: usize = 1_000_000;
/// The number of hands between two progress reports.
const CHUNK: usize = 64;

/// A study of the value of known cards.
pub struct KnownCardsStudy {
    game: Game,
    way: Way,
    banker: HouseWay,
    cards: Vec<usize>,
    /// `true` if the value of a single known card is computed over all hands.
    exact: bool,
    hands: usize,
    seed: u64,
}

/// The study as stored in `config.toml`.
#[derive(Serialize)]
struct Config {
    banker: String,
    banker_hash: String,
    readings: BTreeMap<String, String>,
    cards: Vec<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    exact: bool,
    hands: usize,
    seed: u64,
    rules: Rules,
}

/// A dealt hand and the other cards in random order.
struct Deal {
    hand: Hand,
    others: Vec<Card>,
}

impl KnownCardsStudy {
    /// Creates a study for the given numbers of known cards.
    pub fn new(
        game: Game,
        way: Way,
        mut cards: Vec<usize>,
        hands: usize,
        seed: u64,
    ) -> Result<KnownCardsStudy, WayError> {
        cards.sort_unstable();
        cards.dedup();
        let banker = HouseWay::compile(way.clone(), &game)?;
        Ok(KnownCardsStudy { game, way, banker, cards, exact: false, hands, seed })
    }

    /// Computes the value of a single known card over all hands instead of a sample. This takes minutes.
    #[must_use]
    pub fn with_exact_card(mut self) -> KnownCardsStudy {
        if self.cards.first() != Some(&1) {
            self.cards.insert(0, 1);
        }
        KnownCardsStudy { exact: true, ..self }
    }

    /// Returns a description of the study's run.
    pub fn spec(&self) -> anyhow::Result<RunSpec> {
        let config = Config {
            banker: self.way.name().to_owned(),
            banker_hash: self.banker.hash(),
            readings: self.way.chosen_options(),
            cards: self.cards.clone(),
            exact: self.exact,
            hands: self.hands,
            seed: self.seed,
            rules: self.game.rules(),
        };
        let (config, rules_hash) = (config_text(&config)?, self.game.rules().hash());
        Ok(RunSpec {
            kind: RunKind::KnownCards,
            config,
            seeds: vec![self.seed],
            rules_hash,
            environment_hash: None,
            task_hash: None,
        })
    }

    /// Returns the numbers of known cards whose value is estimated from a sample.
    fn sampled(&self) -> &[usize] {
        // The numbers are sorted, and a single card is among them if its value is exact.
        &self.cards[usize::from(self.exact)..]
    }

    fn deal(&self) -> Vec<Deal> {
        let mut rng = stream(self.seed.into());
        let deal = |_| {
            let mut pack = Pack::new(CARDS);
            let hand: [Card; Hand::CARDS] = pack.draw(&mut rng).expect("a pack has a hand");
            let mut other = || -> [Card; 1] { pack.draw(&mut rng).expect("a pack has the other cards") };
            let others = (0..MAX_CARDS).map(|_| other()[0]).collect();
            let hand = Hand::new(hand.into_iter().collect()).expect("seven cards are dealt");
            Deal { hand, others }
        };
        (0..self.hands).map(deal).collect()
    }

    /// Returns the effect of each sampled number of known cards on a hand.
    fn effects(&self, evaluator: &HandEvaluator<'_>, Deal { hand, others }: &Deal) -> Vec<Effect> {
        let without = evaluator.count(*hand);
        let effect = |dead: CardSet| {
            let known = KnownCards::new(*hand, dead).expect("the known cards are dealt from the same pack");
            Effect::new(&without, &evaluator.count(known))
        };
        let of_size = |&cards: &usize| {
            let dead: Vec<CardSet> = match cards {
                1 => CardSet::DECK_53.difference(hand.set()).iter().map(|card| CardSet::EMPTY.with(card)).collect(),
                _ => vec![others[..cards].iter().copied().collect()],
            };
            Effect::mean(&dead.into_iter().map(effect).collect::<Vec<_>>())
        };
        self.sampled().iter().map(of_size).collect()
    }

    fn count(&self, stop: &AtomicBool) -> Option<KnownCardsFindings> {
        let table = BankerTable::new(&self.banker);
        let one_card = if self.exact { Some(self.one_card(&table, stop)?) } else { None };
        let best_ev = match &one_card {
            Some(one_card) => one_card.best_ev(),
            None => self.best_ev(&table, stop)?,
        };
        let values = one_card.iter().map(KnownCardsValue::exact).chain(self.sample(&table, stop)?).collect();
        Some(KnownCardsFindings {
            banker: self.way.name().to_owned(),
            rules_hash: self.game.rules().hash(),
            hands: self.hands,
            seed: self.seed,
            best_ev,
            values,
            one_card,
        })
    }

    /// Computes the value of a single known card over all hands. Returns `None` if the study was stopped.
    fn one_card(&self, table: &BankerTable, stop: &AtomicBool) -> Option<OneCard> {
        let whole = Pass::new(&self.game, Side::Player, table).without_dominated();
        let values = with_progress("one known card", stop, |run| whole.known_card_values(run)).ok()?;
        Some(OneCard { values, payoff: Payoff::player(self.game.rules().commission) })
    }

    /// Computes the EV of best play without known cards. Returns `None` if the study was stopped.
    fn best_ev(&self, table: &BankerTable, stop: &AtomicBool) -> Option<Ratio> {
        let payoff = Payoff::player(self.game.rules().commission);
        let whole = Pass::new(&self.game, Side::Player, table).without_dominated();
        let totals = with_progress("best play", stop, |run| whole.totals(&[Play::Best(payoff)], run)).ok()?;
        Some(totals[0].ev(payoff))
    }

    /// Estimates the values of the other numbers of known cards. Returns `None` if the study was stopped.
    fn sample(&self, table: &BankerTable, stop: &AtomicBool) -> Option<Vec<KnownCardsValue>> {
        if self.sampled().is_empty() {
            return Some(vec![]);
        }
        let (evaluator, deals) = (HandEvaluator::new(&self.game, table), self.deal());
        let bar = ProgressBar::new("known cards", "hands");
        let mut effects: Vec<Vec<Effect>> = Vec::with_capacity(deals.len());
        for chunk in deals.chunks(CHUNK) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            effects.par_extend(chunk.par_iter().map(|deal| self.effects(&evaluator, deal)));
            bar.update(effects.len() as u64, deals.len() as u64);
        }
        let values = self.sampled().iter().enumerate().map(|(i, &cards)| {
            let of_size: Vec<Effect> = effects.iter().map(|effects| effects[i]).collect();
            KnownCardsValue::new(cards, &of_size)
        });
        Some(values.collect())
    }
}

/// Runs a study and writes its results to a run's folder. Returns `None` if it was stopped.
pub fn examine(
    study: &KnownCardsStudy,
    run: RunFolder,
    stop: &AtomicBool,
) -> anyhow::Result<Option<KnownCardsFindings>> {
    let Some(findings) = study.count(stop) else { return Ok(None) };
    run.write_json(RESULTS, &findings.json())?;
    findings.report().save(&run)?;
    run.finish()?;
    Ok(Some(findings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houseway_env::pai_gow::Setting;

    fn study(cards: &[usize], hands: usize) -> KnownCardsStudy {
        let way = Way::named("trump-plaza").unwrap();
        KnownCardsStudy::new(Game::new(Rules::default()), way, cards.to_vec(), hands, 3).unwrap()
    }

    #[test]
    fn more_known_cards_are_worth_more() {
        let findings = study(&[39, 7, 7, 21], 60).count(&AtomicBool::new(false)).unwrap();
        let cards: Vec<usize> = findings.values.iter().map(|value| value.cards).collect();
        assert_eq!(cards, [7, 21, 39]);
        let gains: Vec<f64> = findings.values.iter().map(|value| value.gain).collect();
        assert!(gains.is_sorted() && gains[0] >= 0.0 && gains[2] > 0.02, "{gains:?}");
        // The banker's hand is known, so each setting has a single outcome.
        let study = study(&[39], 20);
        let table = BankerTable::new(&study.banker);
        let evaluator = HandEvaluator::new(&study.game, &table);
        for deal in study.deal() {
            let known = KnownCards::new(deal.hand, deal.others.iter().copied().collect::<CardSet>()).unwrap();
            let counts = evaluator.count(known);
            assert!(counts.settings().iter().flatten().all(|counts| counts.all() == 1));
            let lost = counts.regret(evaluator.count(deal.hand).best()).unwrap().value();
            let [effect] = study.effects(&evaluator, &deal)[..] else { panic!("one number of known cards") };
            assert_eq!((effect.gain, effect.changed), (lost, f64::from(u8::from(lost > 0.0))));
            // A setting that is worse without the known cards is as good as the best one.
            let (without, best) = (evaluator.count(deal.hand), counts.ev(counts.best()));
            let prior = |setting: Setting| without.ev(setting).unwrap();
            let first = if lost > 0.0 { counts.best() } else { without.best() };
            let mut equal =
                Setting::all().filter(|&setting| counts.get(setting).is_some() && counts.ev(setting) == best);
            let tied = equal.any(|setting| prior(setting) != prior(first));
            assert_eq!(effect.tied, f64::from(u8::from(tied)));
        }
        assert!(study.count(&AtomicBool::new(true)).is_none());
    }

    #[test]
    fn one_known_card_is_any_of_the_others() {
        let study = study(&[1], 1);
        let table = BankerTable::new(&study.banker);
        let evaluator = HandEvaluator::new(&study.game, &table);
        let deal = &study.deal()[0];
        let best = evaluator.count(deal.hand).best();
        let others = CardSet::DECK_53.difference(deal.hand.set());
        let gain = |card| {
            let known = KnownCards::new(deal.hand, CardSet::EMPTY.with(card)).unwrap();
            evaluator.count(known).regret(best).unwrap().value()
        };
        let sum: f64 = others.iter().map(gain).sum();
        assert_eq!(others.len(), 46);
        assert!((study.effects(&evaluator, deal)[0].gain - sum / 46.0).abs() < 1e-15);
        // If nothing is known about the dead card, it doesn't matter, so the mean EV is the EV without a dead card.
        let ev = |card| {
            let known = KnownCards::new(deal.hand, CardSet::EMPTY.with(card)).unwrap();
            evaluator.count(known).ev(best).unwrap().value()
        };
        let mean = others.iter().map(ev).sum::<f64>() / 46.0;
        assert!((mean - evaluator.count(deal.hand).ev(best).unwrap().value()).abs() < 1e-12);
    }
}
