//! Tests of the results, with artificial counts.

use super::*;
use crate::answer::{CellText, Chart};
use crate::pai_gow::whole::DealCounts;

/// The house edges with players in rows and bankers in columns, in thousandths of the stake. The last row and the last
/// column are those of best responses.
const NEAR: [[u64; 4]; 4] = [[40, 55, 50, 60], [38, 47, 49, 52], [30, 45, 46, 50], [20, 30, 47, 0]];

/// Returns results in which the player never wins.
fn result(edge: u64) -> PairResult {
    let counts = DealCounts { losses: edge, pushes: 1_000 - edge, ..DealCounts::default() };
    PairResult { counts: counts.into(), weight: 1, ev: Ratio::new(-i128::from(edge), 1_000) }
}

fn standings(edges: [[u64; 4]; 4]) -> Standings {
    let way = |(name, title): (&str, &str)| ComparedWay {
        name: name.to_owned(),
        title: title.to_owned(),
        hash: "00ff".to_owned(),
        readings: BTreeMap::new(),
    };
    Standings {
        splitting: "splitting",
        deals: 1_000,
        command: "houseway solve".to_owned(),
        rules: json!({}),
        rules_hash: String::new(),
        described_rules: String::new(),
        ways: [("plaza", "Plaza, Atlantic City"), ("banker-table", "banker-table"), ("player-table", "player-table")]
            .map(way)
            .to_vec(),
        columns: (0..3).map(|banker| (0..4).map(|player| result(edges[player][banker])).collect()).collect(),
        best_banker: (0..3).map(|player| result(edges[player][3])).collect(),
    }
}

/// Returns results in which the third strategy is an equilibrium on both sides.
fn close() -> Standings {
    let mut edges = NEAR;
    edges[2] = [30, 45, 47, 47];
    standings(edges)
}

fn text(standings: &Standings) -> String {
    format!("{:?}", standings.answer())
}

#[test]
fn costs_are_differences_from_the_pair_that_loses_the_least_to_best_responses() {
    // Best responses gain 3 thousandths against the third strategy, which is on both sides of the pair.
    assert_eq!(standings(NEAR).costs(), None);
    assert!(standings(NEAR).json()["costs"].is_null() && !text(&standings(NEAR)).contains("close to an"));
    let standings = close();
    let costs = standings.costs().unwrap();
    assert_eq!((costs.player, costs.banker, costs.edge, costs.width), (2, 2, Ratio::new(47, 1_000), Ratio::ZERO));
    let ratios = |thousandths: [i128; 2]| thousandths.map(|it| Ratio::new(it, 1_000));
    let cost = |way, as_banker, as_player| Cost { way, as_banker: ratios(as_banker), as_player: ratios(as_player) };
    assert_eq!(costs.rows, [cost(0, [17, 27], [3, 13]), cost(1, [2, 17], [2, 5])]);
    let json = standings.json();
    assert_eq!((&json["costs"]["player"], &json["costs"]["ways"][0]["way"]), (&"player-table".into(), &"plaza".into()));
    assert_eq!(json["costs"]["ways"][0]["banker"]["best_response"], 0.027);
    assert_eq!(json["costs"]["ways"][1]["player"]["equilibrium_exact"]["denominator"], "500");
    let text = text(&standings);
    assert!(text.contains("close to an equilibrium") && text.contains("2.7000%"), "{text}");
}

#[test]
fn the_corner_of_the_heat_map_has_bounds() {
    for (standings, text) in [(standings(NEAR), "4.70\u{2013}5.00%"), (close(), "4.700%")] {
        let Chart::Heat(map) = standings.figure().chart else { panic!("the figure is a heat map") };
        assert_eq!(map.texts, [CellText { row: 3, column: 3, text: text.to_owned() }]);
        assert!(map.values[3][3].is_nan());
    }
    let ratio = |numerator| Ratio::new(numerator, 10_000_000);
    assert_eq!(short_bounds([ratio(273_533), ratio(273_540)]), "2.735%");
    assert_eq!(short_bounds([ratio(251_263), ratio(293_836)]), "2.51\u{2013}2.94%");
}

#[test]
fn tables_have_no_source() {
    let rows = close().entrants().rows;
    assert_eq!([rows[0][1].as_str(), rows[1][1].as_str()], ["Plaza, Atlantic City", ""]);
}
