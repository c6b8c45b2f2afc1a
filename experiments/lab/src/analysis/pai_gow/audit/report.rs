//! Writes the report on an audit. It is meant for readers who don't program.

use super::findings::{AuditFindings, RuleFinding, RulePrice};
use crate::analysis::pai_gow::seat::WaySide;
use crate::analysis::pai_gow::units::{change_per_thousand, part, per_thousand, share_of_stake};
use crate::report::{Report, TextTable};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::DEALS;

/// The maximum number of hand groups shown.
const SHOWN: usize = 20;
/// The maximum number of groups with dominated settings shown.
const DOMINATED: usize = 10;

impl AuditFindings {
    /// Returns the report to write to the run's folder.
    pub fn report(&self) -> Report {
        let kind = if self.has_rules() { "house way" } else { "strategy" };
        let report = Report::new(format!("Audit of a {kind}: {}, as the {}", self.way.title, self.seat.name()))
            .text(self.question())
            .text(self.verdict())
            .table(self.outcomes_table());
        let report = if self.has_rules() { self.add_rules(report) } else { report };
        let report = report
            .heading("Hands with the greatest losses")
            .text(self.classes_text())
            .figure(
                "costliest-hands",
                "Kinds of hands with the greatest losses, per 1,000 games",
                self.classes_figure(),
            )
            .table(self.classes_table(SHOWN));
        let report = self.add_dominated(report);
        let report = if self.has_rules() { self.add_prices(report) } else { self.add_readings(report) };
        self.add_origin(self.add_halves(report))
    }

    fn add_rules(&self, report: Report) -> Report {
        report
            .heading("EV lost by rule")
            .text(self.rules_text())
            .figure("lost-by-rule", "EV lost by rule, per 1,000 games", self.rules_figure())
            .table(self.rules_table(false))
    }

    fn question(&self) -> String {
        let source = if self.way.source.is_empty() { String::new() } else { format!(" (source: {})", self.way.source) };
        let opponent = match self.opponent.hash == self.way.hash {
            true => format!("The {} plays the same way.", self.seat.other().name()),
            false => format!("The {} plays the way of {}.", self.seat.other().name(), self.opponent.title),
        };
        let subject = match self.has_rules() {
            true => format!(
                "A *house way* is a list of rules for doing so. This report analyzes the rules of {}{source}, played by \
                 the {}. {opponent} It shows exactly where these rules lose money.",
                self.way.title,
                self.seat.name(),
            ),
            false => format!(
                "This report analyzes the strategy {}, which is not a list of rules, played by the {}. {opponent} It shows \
                 exactly where the strategy loses money.",
                self.way.name,
                self.seat.name(),
            ),
        };
        format!(
            "In Pai Gow Poker, each side splits its seven cards into a hand of five, the *back*, and a hand of two, \
             the *front*. {subject} The *expected value* (EV) is the average result of a bet of one unit. *Optimal \
             play* chooses the setting with the highest EV for every hand, which no short list of rules achieves."
        )
    }

    fn verdict(&self) -> String {
        let total = self.counts.total();
        let worst = self.rules.iter().max_by_key(|rule| rule.loss.lost).filter(|rule| rule.loss.lost > 0);
        let worst = worst.map_or(String::new(), |rule| {
            format!(
                " The rule with the greatest loss is \"{}\": {} units.",
                rule.name,
                per_thousand(self.ev_of(rule.loss.lost))
            )
        });
        let dominated = match total.dominated {
            0 => " No hand has another setting that is at least as high in both halves and higher in one.".to_owned(),
            hands => format!(
                " For {} hands, another legal setting is higher in one half and at least as high in the other, which \
                 is a mistake against any opponent.",
                grouped(hands)
            ),
        };
        let complete = match self.has_rules() {
            true => ["The rules are complete and legal:", "matches a rule, and none is set foul. **They lose"],
            false => ["The strategy is complete and legal:", "is set, and none foul. **It loses"],
        };
        format!(
            "**{}** each of the {} possible hands {} {} of the stake** compared with optimal play: {} units per 1,000 games of one unit. {} \
             hands ({}) have a better setting.{worst}{dominated}",
            complete[0],
            grouped(self.counts.hands),
            complete[1],
            share_of_stake(self.regret(), 4),
            per_thousand(self.regret()),
            grouped(total.suboptimal),
            part(total.suboptimal, self.counts.hands, 2),
        )
    }

    /// Returns the phrase that refers to the strategy in the report.
    fn subject(&self) -> &'static str {
        if self.has_rules() { "these rules" } else { "this strategy" }
    }

    fn outcomes_table(&self) -> TextTable {
        let header = ["strategy", "wins", "pushes", "losses", "EV per unit"];
        let mut table = (1..=4).fold(TextTable::new(header), TextTable::right);
        for (name, counts, ev) in
            [(self.subject(), &self.counts.way, self.ev()), ("optimal play", &self.counts.best, self.optimal_ev())]
        {
            let share = |count: u64| percent(count as f64 / counts.all() as f64, 4);
            let (wins, pushes, losses) = (share(counts.wins), share(counts.pushes), share(counts.losses));
            table = table.row([name, &wins, &pushes, &losses, &share_of_stake(ev, 4)]);
        }
        table
    }

    fn rules_text(&self) -> String {
        let perfect = self.rules.iter().filter(|rule| rule.loss.lost == 0).count();
        format!(
            "Each hand is set by the first rule that matches it. The table shows the fraction of deals that a rule \
             decides, the number of its hands with a better setting, and the loss per 1,000 games of one unit. {} of \
             the {} rules lose nothing. The losses add up to the {} units above.",
            if perfect == 0 { "None".to_owned() } else { perfect.to_string() },
            self.rules.len(),
            per_thousand(self.regret()),
        )
    }

    fn classes_text(&self) -> String {
        let played = if self.has_rules() { "the rules play" } else { "it plays" };
        let shown: i128 = self.costliest().take(SHOWN).map(|(_, loss)| loss.lost).sum();
        format!(
            "Kinds of hands by their total loss; a joker (`Jk`) counts as an ace, T is a ten. The example is the hand \
             of its kind with the greatest loss, with the front that {played} and the best one. The kinds below \
             make up {} of the total loss; all {} kinds are in [tables/classes.csv](tables/classes.csv).",
            percent(shown as f64 / self.counts.total().lost.max(1) as f64, 1),
            grouped(self.counts.groups.len() as u64),
        )
    }

    fn add_dominated(&self, report: Report) -> Report {
        let total = self.counts.total();
        let report = report.heading("Dominated settings");
        let (these, play, never) = match self.has_rules() {
            true => ("These rules", "play", "never play"),
            false => ("This strategy", "plays", "never plays"),
        };
        let meaning = "A setting is *dominated* if the hand has another legal setting that is higher in one half and at \
                       least as high in the other. The other setting is at least as good against every opponent.";
        if total.dominated == 0 {
            return report.text(format!("{meaning} {these} {never} a dominated setting."));
        }
        report
            .text(format!(
                "{meaning} {these} {play} a dominated setting for {} hands, {} of all. Most of them are of these kinds:",
                grouped(total.dominated),
                part(total.dominated, self.counts.hands, 4),
            ))
            .table(self.dominated_table(DOMINATED))
    }

    /// Adds the effects of readings, if there are any.
    fn add_readings(&self, report: Report) -> Report {
        if self.readings.is_empty() && self.game_readings.is_empty() {
            return report;
        }
        report.heading("Effects of readings").text(self.readings_text()).table(self.readings_table())
    }

    fn add_prices(&self, report: Report) -> Report {
        let report = match self.readings.is_empty() && self.game_readings.is_empty() {
            true => report.heading("Effects of readings").text("These rules have no readings."),
            false => self.add_readings(report),
        };
        let report = report
            .heading("Effects of removing a rule")
            .text(format!(
                "If a rule is removed, its hands fall through to later rules. The table shows the resulting gain or \
                 loss of the {}; a rule whose removal is a gain, or no change, has no benefit. A rule is *required* \
                 if hands would be left without a rule. {}",
                self.seat.name(),
                self.idle_rules(),
            ))
            .table(self.prices_table(false))
            .text(self.next_step());
        if !self.has_prices() {
            return report;
        }
        report.figure("without-each-rule", "Change per 1,000 games without each rule", self.prices_figure())
    }

    /// Returns a sentence with the command that finds the best change to a single rule.
    pub(super) fn next_step(&self) -> String {
        format!(
            "The change of one rule that gains most: `houseway search --fix {} --as {} --banker {}`.",
            self.way.name,
            self.seat.name(),
            self.opponent.name,
        )
    }

    fn has_prices(&self) -> bool {
        self.rules.iter().any(|RuleFinding { price, .. }| matches!(price, RulePrice::Without(_)))
    }

    fn readings_text(&self) -> String {
        let mut text = format!(
            "Where the text of the rules is ambiguous, each row uses another option than the one audited here, for \
             the {} only.",
            self.seat.name()
        );
        for (name, open) in &self.reading_texts {
            text += &format!(" `{name}` (here `{}`): {}", self.way.readings[name], open.trim_end());
        }
        if let Some(reading) = self.game_readings.iter().find_map(|reading| reading.price.as_ref().ok()) {
            text += &format!(
                " The last rows use other readings of the rules of the game, for both sides; the first of them \
                 changes {} units.",
                change_per_thousand(*reading)
            );
        }
        self.reasons().into_iter().fold(text, |text, reason| format!("{text} Not possible: {reason}"))
    }

    fn add_halves(&self, report: Report) -> Report {
        let other = self.seat.other().name();
        let copies = match self.seat {
            WaySide::Player => "An exact tie, a *copy*, goes to the other side",
            WaySide::Banker => "An exact tie, a *copy*, goes to this side",
        };
        report
            .heading("Backs and fronts")
            .text(format!(
                "Frequency of each back, and its results against the {other}'s back over all deals. {copies} under \
                 the usual rules. Exact numbers for every back and front are in [tables/backs.csv](tables/backs.csv) \
                 and [tables/fronts.csv](tables/fronts.csv).",
            ))
            .figure("backs", "Frequency of each kind of back, and how often it is beaten", self.backs_figure())
            .table(self.backs_table())
            .figure("fronts-formed", "Frequency of each front", self.formed_figure())
            .figure("fronts-beaten", "Probability that each front is beaten", self.beaten_figure())
            .text("The most frequent fronts:")
            .table(self.fronts_table(SHOWN))
    }

    fn add_origin(&self, report: Report) -> Report {
        let further = match self.has_rules() {
            true => " To examine a single hand, or to try a changed rule:",
            false => "",
        };
        let report = report.heading("Method").text(format!(
            "Nothing is simulated or estimated. All numbers are computed over all {} deals: {} hands of the {}, \
                 each against the 53,524,680 possible hands of the {}. Printed percentages are rounded; exact \
                 integers and fractions are in [results.json](results.json).{further}",
            grouped(DEALS),
            grouped(self.counts.hands),
            self.seat.name(),
            self.seat.other().name(),
        ));
        if !self.has_rules() {
            return report;
        }
        report.code(format!(
            "houseway ev \"As Kd Jk 7c 7d 2h 3s\" --way {way}\nhouseway diff {way} my-changed-way.toml",
            way = self.way.name
        ))
    }
}
