//! Tests audits against sums over all deals and simple counts for single classes.

use super::*;
use crate::pai_gow::matchup::BankedBy;
use crate::pai_gow::tests::classes;
use crate::pai_gow::whole::{Play, Shard, Side};
use crate::pai_gow::{AnyLegal, BankerTable, ClassTable, HandEvaluator};
use houseway_env::cards::CardSet;
use houseway_env::cards::combinations::for_each_subset;
use houseway_env::pai_gow::house_way::{HouseWay, Way};
use houseway_env::pai_gow::{Game, ProfileStrategy, Rules, SetHand, Setting, Strategy};
use houseway_env::rank::{FiveStrength, TwoStrength};
use std::sync::LazyLock;

const TEXT: &str = include_str!("../../../../../env/house-ways/trump-plaza.toml");

static GAME: LazyLock<Game> = LazyLock::new(|| Game::new(Rules::default()));
static WAY: LazyLock<HouseWay> = LazyLock::new(|| compiled(Way::named("trump-plaza").unwrap()));
static TABLE: LazyLock<BankerTable> = LazyLock::new(|| BankerTable::new(&*WAY));

fn compiled(way: Way) -> HouseWay {
    HouseWay::compile(way, &GAME).unwrap()
}

/// Compiles the house way after replacing a part of its text.
fn changed(from: &str, to: &str) -> HouseWay {
    assert!(TEXT.contains(from), "{from}");
    let text = TEXT.replacen(from, to, 1).replacen("\"trump-plaza\"", "\"changed\"", 1);
    compiled(Way::parse(&text, "test").unwrap())
}

fn reading(name: &str, option: &str) -> HouseWay {
    let mut way = Way::named("trump-plaza").unwrap();
    way.choose(name, option).unwrap();
    compiled(way)
}

fn shard(index: usize, of: usize) -> Run<'static> {
    Run { shard: Shard::new(index, of).unwrap(), ..Run::default() }
}

fn payoff(side: Side) -> Payoff {
    BankedBy::House.payoff_of(side, &GAME.rules())
}

fn whole(side: Side) -> Pass<'static> {
    Pass::new(&GAME, side, &TABLE).with_halves()
}

/// Audits the house way against itself.
fn audited(pass: &Pass<'_>, run: &Run<'_>) -> AuditCounts {
    let payoff = BankedBy::House.payoff_of(pass.side(), &pass.game().rules());
    audit(pass, Play::Profiles(&TABLE), Some(&Alternatives::new(&WAY)), payoff, run).unwrap()
}

#[test]
fn losses_add_up_to_the_gain_of_the_best_response() {
    let run = shard(3, 100);
    for side in Side::ALL {
        let (whole, payoff) = (whole(side), payoff(side));
        let found = audited(&whole, &run);
        let totals = whole.totals(&[Play::Profiles(&TABLE), Play::Best(payoff)], &run).unwrap();
        assert_eq!([found.way, found.best], [totals[0], totals[1]]);
        let total = found.total();
        assert_eq!(ev_of(total.lost, found.hands), found.best.ev(payoff) - found.way.ev(payoff));
        assert!(total.lost > 0 && total.suboptimal > 0);
        let rules = found.by_rule(WAY.survey().rules.len());
        assert_eq!(rules.iter().map(|loss| loss.lost).sum::<i128>(), total.lost);
        for hands in [rules.iter().map(|loss| loss.hands).sum(), total.hands, found.way.all() / BANKER_HANDS] {
            assert_eq!(hands, found.hands);
        }
        assert!(found.groups.is_sorted_by_key(|(_, loss)| Reverse(loss.lost)));
    }
}

#[test]
fn samples_match_the_hand_evaluator_and_include_the_fee() {
    for rules in [Rules::default(), Rules::default().with("collection=1/50").unwrap()] {
        let game = Game::new(rules);
        let counter = HandEvaluator::new(&game, &TABLE);
        for side in Side::ALL {
            let found = audited(&Pass::new(&game, side, &TABLE).with_halves(), &shard(5, 200));
            let payoff = BankedBy::House.payoff_of(side, &rules);
            for (group, loss) in found.groups.iter().take(5) {
                let sample = loss.worst.unwrap();
                let counts = counter.count_for(side, sample.hand);
                assert_eq!(WAY.rule_index(Profiles::get().of(sample.hand.set())), group.rule);
                assert_eq!(game.set(sample.hand, sample.plays), game.set(sample.hand, WAY.set(sample.hand)));
                assert!(side == Side::Banker || sample.other == counts.best());
                for (setting, ev) in [(sample.plays, sample.ev()), (sample.other, sample.other_ev())] {
                    assert_eq!(ev, counts.get(setting).unwrap().ev(payoff));
                }
            }
        }
    }
}

#[test]
fn alternatives_match_separately_compiled_ways() {
    let run = shard(11, 100);
    let readings = [
        reading("pair-with-complete-hand", "break"),
        reading("quads-with-pair", "split_rule"),
        changed("low-pair = \"2-6\", single = \"K-A\"", "low-pair = \"2-5\", single = \"K-A\""),
    ];
    for side in Side::ALL {
        let (whole, payoff) = (whole(side), payoff(side));
        let mut alternatives = Alternatives::new(&WAY);
        for way in &readings {
            alternatives.add(|profile| Some(way.set_profile(profile)));
        }
        let found = audit(&whole, Play::Profiles(&TABLE), Some(&alternatives), payoff, &run).unwrap();
        let tables = readings.each_ref().map(BankerTable::new);
        let totals = whole.totals(&tables.each_ref().map(Play::Profiles), &run).unwrap();
        for ((way, change), total) in readings.iter().zip(&found.alternatives).zip(totals) {
            assert_eq!(ev_of(change.gain, found.hands), total.ev(payoff) - found.way.ev(payoff));
            assert!(change.better + change.worse <= change.hands);
            // Comparing the two ways gives the same numbers.
            let ways = [BankerTable::new(&*WAY), BankerTable::new(way)];
            let [own, other] = ways.each_ref().map(Play::Profiles);
            let [other] = differences(&whole, own, [other], payoff, &run).unwrap();
            assert_eq!((other.from, other.to, other.change), (found.way, total, *change));
            assert_eq!(other.groups.iter().map(|(_, change, _)| change.hands).sum::<u64>(), change.hands);
            for (group, _, sample) in &other.groups {
                assert_eq!(*group, Group::new(whole.game(), sample.hand));
            }
        }
    }
}

#[test]
fn several_strategies_are_compared_in_one_pass() {
    let (run, way) = (shard(2, 500), reading("quads-with-pair", "split_rule"));
    for side in Side::ALL {
        let (whole, payoff) = (whole(side), payoff(side));
        let (own, other) = (BankerTable::new(&*WAY), BankerTable::new(&way));
        let (own, other, best) = (Play::Profiles(&own), Play::Profiles(&other), Play::Best(payoff));
        let found = differences(&whole, own, [other, best], payoff, &run).unwrap();
        let [alone] = differences(&whole, own, [other], payoff, &run).unwrap();
        assert_eq!(found[0], alone);
        let totals = whole.totals(&[own, best], &run).unwrap();
        assert_eq!([found[1].from, found[1].to], [totals[0], totals[1]]);
        assert!(found[1].change.worse == 0 && found[1].change.gain > 0);
    }
}

#[test]
fn a_table_is_audited_like_the_way_that_it_copies_but_for_rules() {
    let table = ClassTable::from_strategy(&*WAY);
    for side in Side::ALL {
        let (whole, run) = (whole(side), shard(3, 300));
        let of_way = audited(&whole, &run);
        let of_table = audit(&whole, Play::Classes(&table), None, payoff(side), &run).unwrap();
        let has_rules = |found: &AuditCounts| found.groups.iter().any(|(group, _)| group.rule > 0);
        assert!(has_rules(&of_way) && !has_rules(&of_table));
        let [one, other] = [&of_way, &of_table].map(|found| {
            let total = found.total();
            (found.hands, found.way, found.best, &found.fronts, &found.backs, total.suboptimal, total.lost)
        });
        assert_eq!(one, other);
        let way = BankerTable::new(&*WAY);
        let (own, other) = (Play::Profiles(&way), Play::Classes(&table));
        let [same] = differences(&whole, own, [other], payoff(side), &run).unwrap();
        assert_eq!((same.from, same.change, same.groups.len()), (same.to, ChangeCounts::default(), 0));
    }
}

/// A rule that splits one of two pairs even though another setting is better in both halves.
const BAD_RULE: &str = "
[[rule]]
name = \"two pairs, badly\"
text = \"Two pairs: a card of the lower pair in front with the highest other card.\"
when = { shape = \"two pairs\", low-pair = \"2-4\" }
play = { front = \"low-pair single\" }
";

fn with_bad_rule() -> HouseWay {
    changed("[[rule]]", &format!("{BAD_RULE}\n[[rule]]"))
}

#[test]
fn a_bad_rule_is_the_costliest() {
    let bad = with_bad_rule();
    let run = shard(2, 50);
    let (table, alternatives) = (BankerTable::new(&bad), Alternatives::new(&bad));
    let (whole, payoff) = (whole(Side::Player), payoff(Side::Player));
    let found = audit(&whole, Play::Profiles(&table), Some(&alternatives), payoff, &run).unwrap();
    let rules = found.by_rule(bad.survey().rules.len());
    let costliest = (0..rules.len()).max_by_key(|&rule| rules[rule].lost).unwrap();
    assert_eq!(bad.survey().rules[costliest].name, "two pairs, badly");
    assert_eq!(found.groups[0].0.rule, costliest);
}

#[test]
fn dominated_settings_match_the_simple_check() {
    let bad = with_bad_rule();
    let (whole, run) = (whole(Side::Player), shard(7, 400));
    for way in [&*WAY, &bad] {
        let (table, alternatives) = (BankerTable::new(way), Alternatives::new(way));
        let found = audit(&whole, Play::Profiles(&table), Some(&alternatives), payoff(Side::Player), &run).unwrap();
        let (mut dominated, mut hands) = (0, 0);
        for class in classes(&whole, run.shard) {
            let plays = GAME.set(class.hand, way.set(class.hand));
            let mut legal = GAME.settings(class.hand).filter(|(_, set)| GAME.is_legal(*set));
            let is_better = |set: SetHand| {
                set.back > plays.back && set.front >= plays.front || set.back >= plays.back && set.front > plays.front
            };
            dominated += u64::from(class.orbit) * u64::from(legal.any(|(_, set)| is_better(set)));
            hands += u64::from(class.orbit);
        }
        assert_eq!((found.total().dominated, found.hands), (dominated, hands));
        let samples = found.groups.iter().filter_map(|(_, loss)| loss.worst_dominated);
        samples.for_each(|it| assert!(GAME.set(it.hand, it.other).dominates(GAME.set(it.hand, it.plays))));
        assert_eq!(found.total().dominated > 0, way.way().rules().len() > WAY.way().rules().len());
    }
}

#[test]
fn halves_add_up_to_hands_and_copies() {
    let run = shard(9, 200);
    for side in Side::ALL {
        let found = audited(&whole(side), &run);
        for (halves, copies) in [(&found.fronts, found.way.copies_front), (&found.backs, found.way.copies_back)] {
            assert_eq!(halves.iter().map(|half| half.hands).sum::<u64>(), found.hands);
            assert_eq!(halves.iter().map(|half| half.copies).sum::<u64>(), copies);
        }
        // A pair of aces can't be beaten, and the lowest half beats nothing.
        assert_eq!(found.fronts.last().unwrap().beaten(), 0);
        assert_eq!(found.fronts[0].beats, 0);
    }
}

#[test]
fn lower_halves_match_losses_where_one_half_decides() {
    let shard = Shard::new(21, 400).unwrap();
    let inner = AnyLegal::new(&GAME, 3);
    let collect = |table: &BankerTable| classes(&Pass::new(&GAME, Side::Player, table).with_halves(), shard);
    let of_inner = collect(&BankerTable::new(&inner));
    let top = FiveStrength::from_index(GAME.ranking().strengths() - 1);
    for backs in [false, true] {
        // The highest possible front or back with every hand, whether that's legal or not, so the other half decides.
        let one_half = BankerTable::from_fn("one half", |profile| match (backs, inner.set_profile(profile)) {
            (true, set) => SetHand { front: TwoStrength::MAX, ..set },
            (false, set) => SetHand { back: top, ..set },
        });
        let decided = collect(&one_half);
        assert_eq!(of_inner.len(), decided.len());
        for (class, decided) in of_inner.iter().zip(&decided) {
            for setting in class.legal_settings() {
                let i = setting.index();
                let lower = if backs { class.lower_backs[i] } else { class.lower_fronts[i] };
                assert_eq!(u64::from(lower), BANKER_HANDS - u64::from(decided.losses[i]), "{} {setting:?}", class.hand);
            }
        }
    }
}

#[test]
fn lower_halves_of_a_banker_match_enumeration() {
    let classes = classes(&whole(Side::Banker), Shard::new(40, 3000).unwrap());
    let class = &classes[classes.len() / 2];
    let (mut backs, mut fronts) = ([0; Setting::COUNT], [0; Setting::COUNT]);
    for_each_subset(CardSet::DECK_53.difference(class.hand.set()), 7, |cards| {
        let other = TABLE.set(Profiles::get().of(cards));
        for i in 0..Setting::COUNT {
            backs[i] += u32::from(other.back < class.sets[i].back);
            fronts[i] += u32::from(other.front < class.sets[i].front);
        }
    });
    for setting in class.legal_settings() {
        let i = setting.index();
        assert_eq!((class.lower_backs[i], class.lower_fronts[i]), (backs[i], fronts[i]), "{} {setting:?}", class.hand);
    }
}
