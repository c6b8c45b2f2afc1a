//! Formats audit results for a terminal with 80 columns.

use super::findings::{AuditFindings, RulePrice};
use crate::analysis::pai_gow::units::{part, per_thousand, share_of_stake};
use crate::report::{terminal, wrapped};
use houseway_exact::format::grouped;
use std::path::Path;

/// The maximum number of hand groups shown.
const SHOWN: usize = 10;
/// The maximum number of groups with dominated settings shown.
const DOMINATED: usize = 5;

impl AuditFindings {
    /// Formats the results. The report is in `folder`.
    pub fn text(&self, folder: &Path) -> String {
        let mut text = format!("{}\n\n{}\n", self.title(), self.summary());
        if self.has_rules() {
            text += &format!("\nBy rule\n{}{}", terminal(&self.rules_table(true)), self.perfect_rules());
        }
        text += &format!("\nHands with the greatest losses\n{}", terminal(&self.classes_terminal(SHOWN)));
        if self.counts.total().dominated > 0 {
            let table = terminal(&self.dominated_table(DOMINATED));
            text += &format!(
                "\nDominated: another setting is higher in one half and at least as high in the other\n{table}"
            );
        }
        if !self.readings.is_empty() || !self.game_readings.is_empty() {
            text += &format!("\nOther readings\n{}", terminal(&self.readings_table()));
            text += &self.reasons().into_iter().map(|reason| wrapped(&reason)).collect::<String>();
        }
        if self.has_rules() {
            let table = terminal(&self.prices_table(true));
            text += &format!("\nWithout a rule: its hands fall through to later rules\n{table}");
            text += &wrapped(&self.idle_rules());
            text += &wrapped(&self.next_step().replace('`', ""));
        }
        text += &format!("\nBacks\n{}", terminal(&self.backs_table()));
        text += &format!("\nMost frequent fronts\n{}", terminal(&self.fronts_table(SHOWN)));
        text + &format!("\nThe report: {}\n", folder.join("report.md").display())
    }

    fn title(&self) -> String {
        let title = if self.has_rules() { &self.way.title } else { "no rules" };
        format!(
            "{} ({title})\nas the {}, against {} as the {}\nrules {}, {} commission",
            self.way.name,
            self.seat.name(),
            self.opponent.name,
            self.seat.other().name(),
            self.rules_of_game.hash(),
            houseway_exact::format::percent(self.rules_of_game.commission.value(), 0),
        )
    }

    fn summary(&self) -> String {
        let total = self.counts.total();
        format!(
            "complete and legal  all {} hands are set, none of them foul\n\
             EV                  {} of the stake\n\
             optimal play        {}\n\
             EV lost             {}: {} units per 1,000 games of one unit\n\
             suboptimal          {} hands ({})\n\
             dominated           {} hands ({})",
            grouped(self.counts.hands),
            share_of_stake(self.ev(), 6),
            share_of_stake(self.optimal_ev(), 6),
            share_of_stake(self.regret(), 6),
            per_thousand(self.regret()),
            grouped(total.suboptimal),
            part(total.suboptimal, self.counts.hands, 2),
            grouped(total.dominated),
            part(total.dominated, self.counts.hands, 4),
        )
    }

    /// Returns sentences explaining why some options can't be evaluated.
    pub(super) fn reasons(&self) -> Vec<String> {
        let of_way = self.readings.iter().map(|it| (&it.name, &it.option, it.price.as_ref().err()));
        let of_game = self.game_readings.iter().map(|it| (&it.name, &it.option, it.price.as_ref().err()));
        let reasons = of_way.chain(of_game).filter_map(|(name, option, reason)| Some((name, option, reason?)));
        // Omit the part after the semicolon, which is advice for house-way authors.
        reasons
            .map(|(name, option, reason)| format!("{name}={option}: {}.", reason.split(';').next().unwrap_or(reason)))
            .collect()
    }

    /// Returns a line with the number of rules without losses.
    fn perfect_rules(&self) -> String {
        match self.rules.iter().filter(|rule| rule.loss.lost == 0).count() {
            0 => String::new(),
            1 => "One more rule loses nothing.\n".to_owned(),
            rules => format!("{rules} more rules lose nothing.\n"),
        }
    }

    /// Returns sentences that name the rules that could be removed without a loss and count the required ones.
    pub(super) fn idle_rules(&self) -> String {
        let idle = self.rules.iter().filter(|rule| match rule.price {
            RulePrice::Without(change) => change.gain >= 0,
            RulePrice::Needed(_) => false,
        });
        let names: Vec<String> = idle.map(|rule| format!("\"{}\"", rule.name)).collect();
        let without_benefit = match names.is_empty() {
            true => "Every other rule has a benefit.".to_owned(),
            false => format!("Each of these could be removed without a loss, one at a time: {}.", names.join(", ")),
        };
        match self.rules.iter().filter(|rule| matches!(rule.price, RulePrice::Needed(_))).count() {
            0 => without_benefit.replace("Every other", "Every"),
            needed => format!("{needed} rules are required: without them, hands would have no rule. {without_benefit}"),
        }
    }
}
