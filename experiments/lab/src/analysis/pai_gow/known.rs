//! `houseway known-cards`: how much a player gains from knowing cards of other seats.

use super::runner::{WayConfig, rules_of, run, spec, with_progress};
use crate::console::{CommandResult, CommonOptions, Failure, ForceOptions, user_store};
use crate::plot::{Axis, Figure, LineChart, Series};
use crate::report::TextTable;
use crate::run::{Destination, ProgressBar, RunKind, RunSpec, STOPPING};
use clap::Args;
use houseway_env::cards::combinations::binomial;
use houseway_env::cards::{Card, CardSet, Pack, Rank};
use houseway_env::gym::stream;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::known_cards::MAX_KNOWN_CARDS;
use houseway_env::pai_gow::{CARDS, Game, Hand, Setting};
use houseway_exact::Ratio;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::matchup::{SideStrategy, outcomes};
use houseway_exact::pai_gow::whole::{
    Cancelled, DealCounts, KnownCardTotals, KnownCardValues, Pass, Payoff, Run, Side,
};
use houseway_exact::pai_gow::{BankerTable, HandCounts, HandEvaluator, KnownCards, MAX_LOSS};
use houseway_exact::solver::{SolverError, loss_interval};
use houseway_exact::store::PassStore;
use rayon::prelude::*;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const MAX_HANDS: usize = 1_000_000;
/// The number of hands between two progress reports.
const CHUNK: usize = 64;
/// The number of cards at two other seats. A published question asks what they are worth.
const TWO_HANDS: usize = 2 * Hand::CARDS;

/// Measure how much a player who sets optimally gains from knowing other cards
///
/// Deals random hands and known cards, computes the exact EVs for each deal, and writes the mean gain as JSON and as a
/// report. Every seven known cards correspond to the hand at one other seat. With --exact, the value of a single known
/// card is computed over all hands. Without it, all 46 cards are evaluated for each hand, which takes most of the time.
#[derive(Args)]
pub struct KnownCardsArgs {
    /// The numbers of known cards to evaluate, from 1 to 39
    #[arg(long, value_name = "N", num_args = 1.., default_values_t = [1, 2, 3, 7, 14, 21, 28, 35, 39])]
    cards: Vec<usize>,
    /// Compute the exact value of each single known card over all hands, which takes minutes
    #[arg(long)]
    exact: bool,
    /// The number of hands to deal
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    hands: usize,
    /// The seed for the deals
    #[arg(long, value_name = "SEED", default_value_t = 20_261_122)]
    seed: u64,
    /// The banker's house way, by name or file
    #[arg(long, value_name = "WAY", default_value = Way::DEFAULT)]
    banker: String,
    /// The folder to write the results to
    #[arg(long, value_name = "DIR", default_value = "runs/known-cards")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    common: CommonOptions,
}

impl KnownCardsArgs {
    pub fn run(self) -> CommandResult {
        if let Some(cards) = self.cards.iter().find(|cards| !(1..=MAX_KNOWN_CARDS).contains(*cards)) {
            return Err(Failure::usage(format!(
                "invalid number of known cards {cards}: must be between 1 and {MAX_KNOWN_CARDS}"
            )));
        }
        if !(2..=MAX_HANDS).contains(&self.hands) {
            let hands = self.hands;
            return Err(Failure::usage(format!("invalid number of hands {hands}: must be between 2 and {MAX_HANDS}")));
        }
        let (game, stop) = self.common.start(STOPPING)?;
        let [way] = self.common.game.ways([&self.banker])?;
        let banker = HouseWay::shared(way, &game).map_err(Failure::usage)?;
        let inputs = self.common.game.files([&*self.banker]);
        let mut cards = self.cards;
        cards.extend(self.exact.then_some(1));
        cards.sort_unstable();
        cards.dedup();
        let study = Study { game, banker, cards, exact: self.exact, hands: self.hands, seed: self.seed };
        let to = Destination::new(&self.out, &inputs, self.force.force);
        run(&study.spec()?, &to, &self.common.output, |_| Ok(study.findings(&user_store(), &stop)?.answer()))
    }
}

#[derive(Serialize)]
struct Study {
    #[serde(flatten, serialize_with = "banker_keys")]
    banker: Arc<HouseWay>,
    /// The numbers of known cards, in ascending order.
    cards: Vec<usize>,
    /// `true` if the value of a single known card is computed over all hands.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    exact: bool,
    hands: usize,
    seed: u64,
    #[serde(rename = "rules", serialize_with = "rules_of")]
    game: Game,
}

fn banker_keys<S: Serializer>(banker: &HouseWay, serializer: S) -> Result<S::Ok, S::Error> {
    let WayConfig { name, hash, readings } = banker.into();
    json!({ "banker": name, "banker_hash": hash, "readings": readings }).serialize(serializer)
}

impl Study {
    fn spec(&self) -> std::io::Result<RunSpec> {
        Ok(RunSpec { seeds: vec![self.seed], ..spec(RunKind::KnownCards, self, self.game.rules().hash())? })
    }

    /// Returns the numbers of known cards whose value is estimated from a sample.
    fn sampled(&self) -> &[usize] {
        // The numbers are sorted, and a single card is among them if its value is exact.
        &self.cards[usize::from(self.exact)..]
    }

    /// Returns dealt hands, each with other cards in random order.
    fn deal(&self) -> Vec<(Hand, Vec<Card>)> {
        let mut rng = stream(self.seed.into());
        let deal = |_| {
            let mut pack = Pack::new(CARDS);
            let hand: [Card; Hand::CARDS] = pack.draw(&mut rng).expect("a pack has a hand");
            let mut other = || -> [Card; 1] { pack.draw(&mut rng).expect("a pack has the other cards") };
            let others = (0..MAX_KNOWN_CARDS).map(|_| other()[0]).collect();
            let hand = Hand::new(hand.into_iter().collect()).expect("seven cards are dealt");
            (hand, others)
        };
        (0..self.hands).map(deal).collect()
    }

    fn effects(&self, evaluator: &HandEvaluator<'_>, (hand, others): &(Hand, Vec<Card>)) -> Vec<Effect> {
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

    fn findings(&self, store: &PassStore, stop: &AtomicBool) -> Result<Findings<'_>, SolverError> {
        let table = BankerTable::new(&*self.banker);
        let payoff = Payoff::player(&self.game.rules());
        let one_card = match self.exact {
            false => None,
            true => {
                let whole = Pass::new(&self.game, Side::Player, &table).without_dominated();
                let values = with_progress("one known card", stop, |run| whole.known_card_values(run))?;
                Some(OneCard { values, payoff })
            }
        };
        let best_ev = match &one_card {
            Some(one_card) => one_card.best_ev(),
            None => {
                let pair = [SideStrategy::Optimal, (&self.banker).into()];
                let count = |run: &Run<'_>| outcomes(store, &self.game, &[pair], [payoff; 2], run);
                with_progress("best play", stop, count)?[0].ev(payoff)
            }
        };
        let sampled = self.sample(&table, stop)?;
        let values = one_card.iter().map(KnownCardsValue::exact).chain(sampled).collect();
        Ok(Findings { study: self, best_ev, values, one_card })
    }

    fn sample(&self, table: &BankerTable, stop: &AtomicBool) -> Result<Vec<KnownCardsValue>, Cancelled> {
        if self.sampled().is_empty() {
            return Ok(vec![]);
        }
        let (evaluator, deals) = (HandEvaluator::new(&self.game, table), self.deal());
        let bar = ProgressBar::new("known cards", "hands");
        let mut effects: Vec<Vec<Effect>> = Vec::with_capacity(deals.len());
        for chunk in deals.chunks(CHUNK) {
            if stop.load(Ordering::Relaxed) {
                return Err(Cancelled);
            }
            effects.par_extend(chunk.par_iter().map(|deal| self.effects(&evaluator, deal)));
            bar.update(effects.len() as u64, deals.len() as u64);
        }
        let values = self.sampled().iter().enumerate().map(|(i, &cards)| {
            let of_size: Vec<Effect> = effects.iter().map(|effects| effects[i]).collect();
            KnownCardsValue::new(cards, &of_size)
        });
        Ok(values.collect())
    }
}

/// The effect of known cards on a hand, or its mean over several sets of known cards.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Effect {
    /// The gain per unit staked.
    gain: f64,
    /// The fraction of sets that change the best setting.
    changed: f64,
    /// The fraction of sets that make several settings equally good, although their EVs differ without known cards.
    tied: f64,
}

impl Effect {
    /// Compares the EVs of a hand's settings without and with known cards.
    fn new(without: &HandCounts, with: &HandCounts) -> Effect {
        let usual = without.best();
        let gain = with.regret(usual).expect("the best setting is legal").value();
        let best = if gain > 0.0 { with.best() } else { usual };
        let is_level = |setting: Setting| with.ev(setting) == with.ev(best) && without.ev(setting) != without.ev(best);
        let one_if = |holds| if holds { 1.0 } else { 0.0 };
        Effect { gain, changed: one_if(gain > 0.0), tied: one_if(Setting::all().any(is_level)) }
    }

    fn mean(effects: &[Effect]) -> Effect {
        let mean = |part: fn(&Effect) -> f64| effects.iter().map(part).sum::<f64>() / effects.len() as f64;
        Effect { gain: mean(|it| it.gain), changed: mean(|it| it.changed), tied: mean(|it| it.tied) }
    }
}

#[derive(Debug)]
struct KnownCardsValue {
    cards: usize,
    gain: f64,
    /// The 95% confidence interval for the gain, or `None` if the gain is exact.
    gain_ci: Option<[f64; 2]>,
    /// The fraction of deals whose best setting changes because of the known cards.
    changed: f64,
    /// The fraction of deals in which a setting that is worse without the known cards is as good as the best one, or
    /// `None` if the gain is exact.
    tied: Option<f64>,
}

struct Findings<'a> {
    study: &'a Study,
    /// The EV per unit staked of best play without known cards. It is exact.
    best_ev: Ratio,
    values: Vec<KnownCardsValue>,
    /// The value of each single card, if it was computed over all hands.
    one_card: Option<OneCard>,
}

impl KnownCardsValue {
    fn new(cards: usize, effects: &[Effect]) -> KnownCardsValue {
        let Effect { gain, changed, tied } = Effect::mean(effects);
        let gains: Vec<f64> = effects.iter().map(|effect| effect.gain).collect();
        let gain_ci = Some(loss_interval(&gains, MAX_LOSS));
        KnownCardsValue { cards, gain, gain_ci, changed, tied: Some(tied) }
    }

    fn exact(card: &OneCard) -> KnownCardsValue {
        let all = card.values.all();
        let (gain, changed) = (all.gain(card.payoff).value(), all.changed_fraction().value());
        KnownCardsValue { cards: 1, gain, gain_ci: None, changed, tied: None }
    }

    /// Returns the number of other seats whose hands these cards make up, or `None` if they aren't complete hands.
    fn seats(&self) -> Option<usize> {
        self.cards.is_multiple_of(Hand::CARDS).then_some(self.cards / Hand::CARDS)
    }

    /// Returns the ends of the interval for the gain. They are equal if the gain is exact.
    fn ends(&self) -> [f64; 2] {
        self.gain_ci.unwrap_or([self.gain; 2])
    }

    fn banker_hands(&self) -> u64 {
        binomial((CARDS - Hand::CARDS - self.cards) as u64, Hand::CARDS as u64)
    }
}

impl Findings<'_> {
    fn answer(&self) -> Answer {
        let points = self.values.iter().map(|value| (value.cards as f64, value.gain)).collect();
        let band = self.values.iter().map(|value| value.ends().into()).collect();
        let chart = LineChart::new(Axis::new("known cards"), Axis::new("gain, of the stake").percent().log());
        let chart = chart.with(Series::new("best setting for the known cards", points).band(band));
        // The gain at which the EV is zero.
        let edge = -self.best_ev.value();
        let chart = if edge > 0.0 { chart.reference("edge of the house", edge) } else { chart };
        let note =
            format!("{} hands; logarithmic axis; band: 95% confidence interval", grouped(self.study.hands as u64));
        let figure = Figure::new("Value of known cards", chart)
            .note(note)
            .named("gain-by-cards", "gain per unit staked against the number of known cards");
        let explanation = Section::default().detail().text(
            "A player who sees the cards of other seats knows that the banker holds none of them, and can set accordingly. The \
             gain is the EV of the best setting for the known cards, less that of the setting that is best without them, both \
             with the known cards out of the deck. The EV is that of best play without known cards plus the gain.",
        );
        let summary = Section::default().text(format!("**{}**", self.advantage())).table(self.table());
        let summary = self.fewer_changes().into_iter().fold(summary, Section::text).figure(figure);
        let method = Section::new("Method").text(format!(
            "{} The known cards are drawn at random, like the hands at other seats before they are set.",
            self.scope()
        ));
        let one_card = self.one_card.as_ref().map(OneCard::section);
        let sections = [explanation, summary].into_iter().chain(one_card).chain([method]);
        Answer::new(self.json(), sections).titled("What are known cards worth?")
    }

    fn json(&self) -> Value {
        let value = |value: &KnownCardsValue| {
            json!({
                "cards": value.cards,
                "seats": value.seats(),
                "ev": self.ev(value),
                "gain": value.gain,
                "gain_ci": value.gain_ci,
                "changed": value.changed,
                "tied": value.tied,
            })
        };
        json!({
            "banker": self.study.banker.way().name(),
            "rules": self.study.game.rules(),
            "rules_hash": self.study.game.rules().hash(),
            "hands": self.study.hands,
            "seed": self.study.seed,
            "best_ev": self.best_ev.to_json(),
            "cards": self.values.iter().map(value).collect::<Vec<_>>(),
            "one_card": self.one_card.as_ref().map(OneCard::json),
        })
    }

    fn ev(&self, value: &KnownCardsValue) -> f64 {
        self.best_ev.value() + value.gain
    }

    fn table(&self) -> TextTable {
        let header = [
            "known cards",
            "other seats",
            "EV",
            "gain, of the stake",
            "95% interval",
            "best setting changes",
            "another one is as good",
        ];
        let row = |value: &KnownCardsValue| {
            [
                value.cards.to_string(),
                value.seats().map_or(String::new(), |seats| seats.to_string()),
                percent(self.ev(value), 4),
                percent(value.gain, 4),
                value.gain_ci.map_or("exact".to_owned(), |ends| ends.map(|end| percent(end, 4)).join(" to ")),
                percent(value.changed, 2),
                value.tied.map_or(String::new(), |tied| percent(tied, 2)),
            ]
        };
        TextTable::new(header).right_from(1).rows(self.values.iter().map(row))
    }

    fn scope(&self) -> String {
        let mut sentences = vec![];
        if self.values.iter().any(|value| value.gain_ci.is_some()) {
            let all = if self.one_card.is_some() { "" } else { ", and for a single card all 46 are evaluated" };
            sentences.push(format!(
                "{} hands, seed {}, each with random known cards; the EVs of all settings are exact for each of \
                 them{all}.",
                grouped(self.study.hands as u64),
                self.study.seed
            ));
        }
        sentences.extend(self.one_card.as_ref().map(OneCard::scope));
        sentences.push(format!("The banker sets by {}.", self.study.banker.way().name()));
        sentences.join(" ")
    }

    fn advantage(&self) -> String {
        let ev = |value: &KnownCardsValue| percent(self.ev(value), 4);
        let edge = -self.best_ev.value();
        if edge <= 0.0 {
            return format!("Best play has an EV of {} even without known cards.", percent(-edge, 4));
        }
        let mut sentences = vec![format!("Without known cards, best play loses {} of the stake.", percent(edge, 4))];
        sentences.extend(self.values.iter().find(|value| value.cards == TWO_HANDS).map(|value| {
            let [low, high] = value.ends();
            // A small sample doesn't say much about the gain, which large gains on few hands make up.
            let gain = match high - low < value.gain {
                true => format!("{}, which is {} of that", percent(value.gain, 4), percent(value.gain / edge, 1)),
                false => format!("between {} and {}; evaluate more hands", percent(low, 4), percent(high, 4)),
            };
            format!("Seeing {TWO_HANDS} cards, such as the hands at two other seats, gains {gain}.")
        }));
        sentences.extend(self.values.iter().rfind(|value| value.ends()[1] < edge).map(|value| {
            let seats = value.seats().map_or(String::new(), |seats| format!(" (the hands at {seats} other seats)"));
            format!("Even with {} known cards{seats}, the house keeps an edge: the EV is {}.", value.cards, ev(value))
        }));
        sentences.extend(self.values.iter().find(|value| value.ends()[0] > edge).map(|value| {
            let all = if value.cards == MAX_KNOWN_CARDS { ", which reveal the banker's hand" } else { "" };
            format!("The player has an advantage with {} known cards{all}: the EV is {}.", value.cards, ev(value))
        }));
        sentences.join(" ")
    }

    /// Explains why more known cards change fewer settings, if this is the case.
    fn fewer_changes(&self) -> Option<String> {
        let falls = |(fewer, more): &(&KnownCardsValue, &KnownCardsValue)| {
            more.changed < fewer.changed && more.gain > fewer.gain && fewer.tied.is_some() && more.tied > fewer.tied
        };
        let (fewer, more) = self.values.iter().zip(self.values.iter().skip(1)).find(falls)?;
        Some(format!(
            "The best setting changes less often with {} known cards than with {}, although they are worth more. The \
             banker has only {} possible hands left instead of {}, so settings with different EVs are often equally good \
             against all of them: the best one is level with another one in {} of deals instead of {}.",
            more.cards,
            fewer.cards,
            grouped(more.banker_hands()),
            grouped(fewer.banker_hands()),
            percent(more.tied?, 1),
            percent(fewer.tied?, 1)
        ))
    }
}

/// The exact value of a single known card, over all hands and known cards.
struct OneCard {
    values: KnownCardValues,
    payoff: Payoff,
}

/// Returns the ranks from ace to two, followed by `None` for the joker.
fn cards() -> impl Iterator<Item = Option<Rank>> {
    Rank::ALL.into_iter().rev().map(Some).chain([None])
}

fn name(card: Option<Rank>) -> String {
    card.map_or("joker".to_owned(), |rank| rank.to_string())
}

fn in_words(card: Option<Rank>) -> String {
    match card {
        Some(rank @ (Rank::Ace | Rank::Eight)) => format!("an {}", rank.name()),
        Some(rank) => format!("a {}", rank.name()),
        None => "the joker".to_owned(),
    }
}

fn deals_json(deals: DealCounts) -> Value {
    let DealCounts { wins, pushes, losses, .. } = deals;
    json!({ "wins": wins.to_string(), "pushes": pushes.to_string(), "losses": losses.to_string() })
}

impl OneCard {
    fn json(&self) -> Value {
        let of_card = |card| {
            let mut totals = self.totals_json(self.values.of(card));
            totals["card"] = name(card).into();
            totals
        };
        let mut all = self.totals_json(&self.values.all());
        all["cards"] = cards().map(of_card).collect();
        all
    }

    fn totals_json(&self, totals: &KnownCardTotals) -> Value {
        json!({
            "pairs": totals.pairs.to_string(),
            "changed": totals.changed.to_string(),
            "gain": totals.gain(self.payoff).to_json(),
            "with": deals_json(totals.with),
            "without": deals_json(totals.without),
        })
    }

    fn table(&self) -> TextTable {
        let row = |name: String, totals: &KnownCardTotals| {
            [
                name,
                percent(totals.without.ev(self.payoff).value(), 4),
                percent(totals.with.ev(self.payoff).value(), 4),
                percent(totals.gain(self.payoff).value(), 5),
                percent(totals.changed_fraction().value(), 3),
            ]
        };
        let header =
            ["known card", "EV if it is ignored", "EV if it is used", "gain, of the stake", "best setting changes"];
        let cards = cards().map(|card| row(name(card), self.values.of(card)));
        TextTable::new(header).right_from(1).rows(cards).row(row("any".to_owned(), &self.values.all()))
    }

    /// Returns the EV of best play without known cards. What is dealt to other seats doesn't affect it.
    fn best_ev(&self) -> Ratio {
        self.values.all().without.ev(self.payoff)
    }

    fn scope(&self) -> String {
        let all = self.values.all();
        format!(
            "The value of a single known card is exact. It is computed over all {} pairs of a hand and a known card, \
             i.e. over {} deals.",
            grouped(all.pairs),
            grouped(all.with.all())
        )
    }

    fn section(&self) -> Section {
        let gain = |card: &Option<Rank>| self.values.of(*card).gain(self.payoff);
        let most = cards().max_by_key(gain).map_or(String::new(), in_words);
        let least = cards().min_by_key(gain).map_or(String::new(), in_words);
        Section::new("One known card")
            .text(format!(
                "The EV per unit staked if a random card is known, both for the setting that is best without it and for \
                 the best setting given this card. The most valuable card to know is {most}, and the least valuable one \
                 is {least}."
            ))
            .table(self.table())
    }
}

#[cfg(test)]
mod tests;
