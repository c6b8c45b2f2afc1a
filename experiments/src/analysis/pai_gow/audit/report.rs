//! Findings as a report, for readers who do not program.

use super::findings::{Findings, RuleFinding, RulePrice};
use crate::analysis::pai_gow::seat::Seat;
use crate::analysis::pai_gow::units::{change_per_thousand, part, per_thousand, share_of_stake};
use crate::report::{Report, Table};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::matchup::DEALS;

/// Groups of hands that are shown.
const SHOWN: usize = 20;
/// Groups with dominated settings that are shown.
const DOMINATED: usize = 10;

impl Findings {
    /// The report, as it is written into the run's folder.
    pub fn report(&self) -> Report {
        let report = Report::new(format!("Audit of a house way: {}, as the {}", self.way.title, self.seat.name()))
            .text(self.question())
            .text(self.verdict())
            .table(self.outcomes_table())
            .heading("What each rule loses")
            .text(self.rules_text())
            .figure("lost-by-rule", "What each rule loses in 1,000 games", self.rules_figure())
            .table(self.rules_table(false))
            .heading("The hands that lose most")
            .text(self.classes_text())
            .figure("costliest-hands", "The kinds of hands that lose most in 1,000 games", self.classes_figure())
            .table(self.classes_table(SHOWN));
        let report = self.add_prices(self.add_dominated(report));
        self.add_origin(self.add_halves(report))
    }

    fn question(&self) -> String {
        let source = if self.way.source.is_empty() { String::new() } else { format!(" (source: {})", self.way.source) };
        let opponent = match self.opponent.hash == self.way.hash {
            true => format!("The {} sets by the same way.", self.seat.other().name()),
            false => format!("The {} sets by the way of {}.", self.seat.other().name(), self.opponent.title),
        };
        format!(
            "In Pai Gow Poker each side splits its seven cards into a hand of five, the *back*, and a hand of two, the \
             *front*. A *house way* is a list of rules that says how. This report looks at the rules of {}{source}, followed \
             by the {}. {opponent} It says exactly where these rules cost money. The *expected value* (EV) is what a bet of \
             one unit brings on average; the *best play* is the setting with the highest EV of each single hand, which no \
             short list of rules can reach everywhere.",
            self.way.title,
            self.seat.name(),
        )
    }

    fn verdict(&self) -> String {
        let total = self.counts.total();
        let worst = self.rules.iter().max_by_key(|rule| rule.loss.lost).filter(|rule| rule.loss.lost > 0);
        let worst = worst.map_or(String::new(), |rule| {
            format!(
                " The rule that loses most is \"{}\": {} units.",
                rule.name,
                per_thousand(self.ev_of(rule.loss.lost))
            )
        });
        let dominated = match total.dominated {
            0 => " No setting is worse in both halves than another one that the hand allows.".to_owned(),
            hands => format!(
                " {} hands are set so that another legal setting is better in one half and no worse in the other: \
                 plain mistakes, whatever the other side does.",
                grouped(hands)
            ),
        };
        format!(
            "**The rules are complete and legal:** every one of the {} hands that can be dealt falls under a rule, and none is \
             set foul. **They give away {} of the stake** against the best play: {} units in 1,000 games of one unit. {} \
             hands ({}) are set worse than they could be.{worst}{dominated}",
            grouped(self.counts.hands),
            share_of_stake(self.regret(), 4),
            per_thousand(self.regret()),
            grouped(total.suboptimal),
            part(total.suboptimal, self.counts.hands, 2),
        )
    }

    fn outcomes_table(&self) -> Table {
        let header = ["the side sets by", "wins", "pushes", "losses", "EV of a unit"];
        let mut table = (1..=4).fold(Table::new(header), Table::right);
        for (name, counts, ev) in
            [("these rules", &self.counts.way, self.ev()), ("the best play", &self.counts.best, self.optimal_ev())]
        {
            let share = |count: u64| percent(count as f64 / counts.deals() as f64, 4);
            let (wins, pushes, losses) = (share(counts.wins), share(counts.pushes), share(counts.losses));
            table = table.row([name, &wins, &pushes, &losses, &share_of_stake(ev, 4)]);
        }
        table
    }

    fn rules_text(&self) -> String {
        let perfect = self.rules.iter().filter(|rule| rule.loss.lost == 0).count();
        format!(
            "Each hand is set by the first rule that fits it. The table says how many of all deals a rule decides, how many of \
             its hands could be set better, and what that loses in 1,000 games of one unit. {} of the {} rules lose nothing. \
             All losses together are the {} units above.",
            if perfect == 0 { "None".to_owned() } else { perfect.to_string() },
            self.rules.len(),
            per_thousand(self.regret()),
        )
    }

    fn classes_text(&self) -> String {
        let shown: i128 = self.costliest().take(SHOWN).map(|(_, loss)| loss.lost).sum();
        format!(
            "Hands of the same kind, by what they lose together; a joker counts as an ace (`Jk`), T is a ten. The example is the \
             hand of its kind that loses most, with what the rules put in front and what would be best there. The kinds below \
             make up {} of the whole loss; all {} kinds stand in [tables/classes.csv](tables/classes.csv).",
            percent(shown as f64 / self.counts.total().lost.max(1) as f64, 1),
            grouped(self.counts.groups.len() as u64),
        )
    }

    fn add_dominated(&self, report: Report) -> Report {
        let total = self.counts.total();
        let report = report.heading("Settings that are never right");
        if total.dominated == 0 {
            return report.text(
                "A setting is *dominated* if the same hand allows another one that is higher in one half and no lower in the \
                 other. Whatever the other side holds, the other one does as well or better. These rules never set a hand so.",
            );
        }
        report
            .text(format!(
                "A setting is *dominated* if the same hand allows another one that is higher in one half and no lower in the \
                 other. Whatever the other side holds, the other one does as well or better. These rules set {} hands so, {} of \
                 all. Most of them are of these kinds:",
                grouped(total.dominated),
                part(total.dominated, self.counts.hands, 4),
            ))
            .table(self.dominated_table(DOMINATED))
    }

    fn add_prices(&self, report: Report) -> Report {
        let mut report = report.heading("What open choices are worth");
        if self.readings.is_empty() && self.game_readings.is_empty() {
            report = report.text("The file of these rules names no open choice.");
        } else {
            report = report.text(self.readings_text()).table(self.readings_table());
        }
        let report = report
            .heading("What each rule earns")
            .text(format!(
                "If a rule is struck out, its hands go to the next rules that fit. The change is what the {} would gain or lose by \
                 that; a rule whose loss brings a gain, or no change, earns nothing. A rule is *needed* if hands would be left \
                 without any. {}",
                self.seat.name(),
                self.idle_rules(),
            ))
            .table(self.prices_table(false));
        if !self.has_prices() {
            return report;
        }
        report.figure("without-each-rule", "What would change in 1,000 games without each rule", self.prices_figure())
    }

    fn has_prices(&self) -> bool {
        self.rules.iter().any(|RuleFinding { price, .. }| matches!(price, RulePrice::Without(_)))
    }

    fn readings_text(&self) -> String {
        let mut text = format!(
            "Where the text of the rules can be read in two ways, each row takes another option than the one audited here, for \
             the {} alone.",
            self.seat.name()
        );
        for (name, open) in &self.reading_texts {
            text += &format!(" `{name}` (here `{}`): {}", self.way.readings[name], open.trim_end());
        }
        if let Some(reading) = self.game_readings.iter().find_map(|reading| reading.price.as_ref().ok()) {
            text += &format!(
                " The last rows read the rules of the game itself otherwise, for both sides; the first of them changes {} units.",
                change_per_thousand(*reading)
            );
        }
        self.reasons().into_iter().fold(text, |text, reason| format!("{text} Not possible: {reason}"))
    }

    fn add_halves(&self, report: Report) -> Report {
        let other = self.seat.other().name();
        let copies = match self.seat {
            Seat::Player => "An exact tie, a *copy*, goes to the other side",
            Seat::Banker => "An exact tie, a *copy*, goes to this side",
        };
        report
            .heading("The backs and fronts that are formed")
            .text(format!(
                "How often the rules form each back, and how it then stands against the {other}'s back, over all deals. {copies} \
                 by the usual rules. Every back and front by itself, with its integers: [tables/backs.csv](tables/backs.csv), \
                 [tables/fronts.csv](tables/fronts.csv).",
            ))
            .figure("backs", "How often each kind of back is formed, and beaten", self.backs_figure())
            .table(self.backs_table())
            .figure("fronts-formed", "How often each front is formed", self.formed_figure())
            .figure("fronts-beaten", "How often each front is beaten", self.beaten_figure())
            .text("The fronts that are formed most often:")
            .table(self.fronts_table(SHOWN))
    }

    fn add_origin(&self, report: Report) -> Report {
        report
            .heading("How this was counted")
            .text(format!(
                "Nothing here is simulated or estimated. Each number is a count over all {} deals: {} hands of the {}, each \
                 against the 53,524,680 hands that the {} can then hold. Shares are rounded when they are printed; the integers \
                 and fractions stand in [results.json](results.json). To look closer at one hand, or to try a changed rule:",
                grouped(DEALS),
                grouped(self.counts.hands),
                self.seat.name(),
                self.seat.other().name(),
            ))
            .code(format!(
                "houseway ev \"As Kd Jk 7c 7d 2h 3s\" --way {way}\nhouseway diff {way} my-changed-way.toml",
                way = self.way.name
            ))
    }
}
