//! The cost of each strategy compared with a pair of strategies that is close to an equilibrium.

use super::standings::Standings;
use super::text::edge;
use crate::report::TextTable;
use houseway_exact::Ratio;
use serde_json::{Value, json};

/// The costs of the other strategies, as differences in the house edge per unit staked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Costs {
    /// The index of the player's strategy in the pair.
    pub(super) player: usize,
    /// The index of the banker's strategy in the pair.
    pub(super) banker: usize,
    /// The house edge of the pair.
    pub(super) edge: Ratio,
    /// The total that best responses gain against the pair.
    pub(super) width: Ratio,
    /// The costs of all strategies that aren't in the pair.
    pub(super) rows: Vec<Cost>,
}

/// A strategy's costs, each against the pair's strategy for the other side and against the best response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) way: usize,
    pub(super) as_banker: [Ratio; 2],
    pub(super) as_player: [Ratio; 2],
}

impl Costs {
    /// The greatest total that best responses may gain against a pair that counts as close to an equilibrium: 0.1% of the
    /// stake.
    fn max_width() -> Ratio {
        Ratio::new(1, 1_000)
    }
}

impl Standings {
    /// Compares all strategies with the pair that loses the least to best responses. Any strategies can form this pair,
    /// such as those of `houseway equilibrium`. Returns `None` if the pair isn't close to an equilibrium, or if there are
    /// no others.
    pub(super) fn costs(&self) -> Option<Costs> {
        let best = self.len();
        let player = (0..best).min_by_key(|&player| (self.edge(player, best), player))?;
        let banker = (0..best).max_by_key(|&banker| (self.edge(best, banker), std::cmp::Reverse(banker)))?;
        let width = self.edge(player, best)? - self.edge(best, banker)?;
        let edge = self.edge(player, banker)?;
        let cost = |way: usize| {
            Some(Cost {
                way,
                as_banker: [edge - self.edge(player, way)?, edge - self.edge(best, way)?],
                as_player: [self.edge(way, banker)? - edge, self.edge(way, best)? - edge],
            })
        };
        let rows: Vec<Cost> = (0..best).filter(|way| ![player, banker].contains(way)).filter_map(cost).collect();
        let is_close = width <= Costs::max_width() && !rows.is_empty();
        is_close.then_some(Costs { player, banker, edge, width, rows })
    }

    /// Explains the table of costs.
    pub(super) fn costs_text(&self, costs: &Costs) -> String {
        let Costs { player, banker, edge: of_pair, width, .. } = costs;
        format!(
            "{} as the player and {} as the banker are close to an equilibrium: best responses gain {:.2e} stakes against \
             the two together. The table shows how much each other strategy loses compared with this pair's edge of {}%, \
             against the pair's strategy for the other side and against the best response. As an estimate of the cost compared \
             with an exact equilibrium, these numbers are accurate to {:.2e} stakes.",
            self.name(*player),
            self.name(*banker),
            width.value(),
            edge(Some(*of_pair), 4),
            width.value(),
        )
    }

    pub(super) fn costs_table(&self, costs: &Costs) -> TextTable {
        let header = [
            "strategy",
            "banker, against the equilibrium",
            "against a best response",
            "player, against the equilibrium",
            "against a best response",
        ];
        costs.rows.iter().fold(TextTable::new(header).right_from(1), |table, row| {
            let cells = row.as_banker.iter().chain(&row.as_player).map(|&cost| edge(Some(cost), 4) + "%");
            table.row([self.name(row.way).to_owned()].into_iter().chain(cells))
        })
    }

    /// Returns the costs as JSON, or `null`.
    pub(super) fn costs_json(&self) -> Value {
        let Some(Costs { player, banker, edge, width, rows }) = self.costs() else { return Value::Null };
        let both = |[equilibrium, best]: [Ratio; 2]| {
            json!({
                "equilibrium": equilibrium.value(),
                "equilibrium_exact": equilibrium.to_json(),
                "best_response": best.value(),
                "best_response_exact": best.to_json(),
            })
        };
        let row = |row: &Cost| json!({ "way": self.name(row.way), "banker": both(row.as_banker), "player": both(row.as_player) });
        json!({
            "player": self.name(player),
            "banker": self.name(banker),
            "edge_exact": edge.to_json(),
            "nash_conv_exact": width.to_json(),
            "ways": rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}
