//! The answer of an audit. It is meant for readers who don't program.

use super::{Findings, ReadingPrice, RuleFinding};
use crate::analysis::pai_gow::diff::example_cells;
use crate::analysis::pai_gow::runner::settings;
use crate::analysis::pai_gow::units::{change_per_thousand, outcome_shares, part, per_thousand, share_of_stake};
use crate::plot::{Axis, Bar, BarChart, Figure, HeatMap};
use crate::report::TextTable;
use houseway_env::cards::Rank;
use houseway_env::pai_gow::house_way::Way;
use houseway_env::rank::TwoStrength;
use houseway_env::rules::RuleSet;
use houseway_exact::answer::{Answer, Section};
use houseway_exact::format::{grouped, percent};
use houseway_exact::pai_gow::DEALS;
use houseway_exact::pai_gow::audit::{ChangeCounts, HalfCounts};
use houseway_exact::pai_gow::whole::Side;
use std::cmp::Reverse;

/// The maximum number of hand groups shown, and in the terminal.
const SHOWN: [usize; 2] = [20, 10];
/// The maximum number of groups with dominated settings shown, and in the terminal.
const DOMINATED: [usize; 2] = [10, 5];
/// The maximum number of rules shown in the terminal.
const RULES: usize = 12;
const MAX_BARS: usize = 15;
/// The maximum length for a bar's label.
const NAME: usize = 52;
const EXACT: &str = "Exact, over all 8,250,459,031,214,400 deals.";

impl Findings<'_> {
    pub(super) fn answer(&self) -> Answer {
        let kind = if self.has_rules() { "house way" } else { "strategy" };
        let title = format!("Audit of a {kind}: {}, as the {}", self.question.way.title(), self.seat());
        let summary = Section::default().text(self.verdict()).table(self.outcomes_table()).text(self.scope());
        let mut sections = vec![Section::default().detail().text(self.introduction()), summary];
        if self.has_rules() {
            sections.push(self.rules_section());
        }
        sections.extend(self.costliest_hands());
        sections.push(self.dominated_section());
        if !self.readings.is_empty() {
            sections.push(self.readings_section());
        } else if self.has_rules() {
            sections.push(Section::new("Effects of readings").detail().text("These rules have no readings."));
        }
        if self.has_rules() {
            sections.push(self.removal_section());
        }
        sections.extend([self.halves_section(), self.method_section()]);
        Answer::new(self.json(), sections).titled(title)
    }

    fn seat(&self) -> &'static str {
        self.question.side.name()
    }

    fn other_seat(&self) -> &'static str {
        self.question.side.other().name()
    }

    fn introduction(&self) -> String {
        let (way, opponent, seat) = (&self.question.way, &self.question.opponent, self.seat());
        let source = way.way().map_or(String::new(), |way| format!(" (source: {})", way.way().source()));
        let opponent = match opponent.hash() == way.hash() {
            true => format!("The {} plays the same way.", self.other_seat()),
            false => format!("The {} plays the way of {}.", self.other_seat(), opponent.way().title()),
        };
        let subject = match self.has_rules() {
            true => format!(
                "A *house way* is a list of rules for doing so. This report analyzes the rules of {}{source}, played by the \
                 {seat}. {opponent} It shows exactly where these rules lose money.",
                way.title(),
            ),
            false => format!(
                "This report analyzes the strategy {}, which is not a list of rules, played by the {seat}. {opponent} It \
                 shows exactly where the strategy loses money.",
                way.name(),
            ),
        };
        format!(
            "In Pai Gow Poker, each side splits its seven cards into a hand of five, the *back*, and a hand of two, the \
             *front*. {subject} The *expected value* (EV) is the average result of a bet of one unit. *Optimal play* chooses \
             the setting with the highest EV for every hand, which no short list of rules achieves."
        )
    }

    fn verdict(&self) -> String {
        let total = self.counts.total();
        let worst = self.rules.iter().max_by_key(|rule| rule.loss.lost).filter(|rule| rule.loss.lost > 0);
        let worst = worst.map_or(String::new(), |rule| {
            let lost = per_thousand(self.ev_of(rule.loss.lost));
            format!(" The rule with the greatest loss is \"{}\": {lost} units.", rule.name)
        });
        let dominated = match total.dominated {
            0 => " No hand has another setting that is at least as high in both halves and higher in one.".to_owned(),
            hands => format!(
                " For {} hands, another legal setting is higher in one half and at least as high in the other, which is a \
                 mistake against any opponent.",
                grouped(hands)
            ),
        };
        let [complete, set] = match self.has_rules() {
            true => ["The rules are complete and legal:", "matches a rule, and none is set foul. **They lose"],
            false => ["The strategy is complete and legal:", "is set, and none foul. **It loses"],
        };
        format!(
            "**{complete}** each of the {} possible hands {set} {} of the stake** compared with optimal play: {} units per \
             1,000 games of one unit. {} hands ({}) have a better setting.{worst}{dominated}",
            grouped(self.counts.hands),
            share_of_stake(self.regret(), 4),
            per_thousand(self.regret()),
            grouped(total.suboptimal),
            part(total.suboptimal, self.counts.hands, 2),
        )
    }

    fn outcomes_table(&self) -> TextTable {
        let own = if self.has_rules() { "these rules" } else { "this strategy" };
        let rows = [(own, &self.counts.way, self.ev()), ("optimal play", &self.counts.best, self.optimal_ev())];
        let rows = rows.into_iter().map(|(name, counts, ev)| {
            [name.to_owned()].into_iter().chain(outcome_shares(*counts)).chain([share_of_stake(ev, 6)])
        });
        TextTable::new(["strategy", "wins", "pushes", "losses", "EV per unit"]).right_from(1).rows(rows)
    }

    fn scope(&self) -> String {
        let rules = self.question.game.rules();
        format!(
            "{} as the {}, against {} as the {}; rules {}.",
            self.question.way.name(),
            self.seat(),
            self.question.opponent.way().name(),
            self.other_seat(),
            rules.described(),
        )
    }

    fn rules_section(&self) -> Section {
        let perfect = self.rules.iter().filter(|rule| rule.loss.lost == 0).count();
        let text = format!(
            "Each hand is set by the first rule that matches it. The table shows the fraction of deals that a rule decides, \
             the number of its hands with a better setting, and the loss per 1,000 games of one unit. {} of the {} rules lose \
             nothing. The losses add up to the {} units above.",
            if perfect == 0 { "None".to_owned() } else { perfect.to_string() },
            self.rules.len(),
            per_thousand(self.regret()),
        );
        let mut rules: Vec<&RuleFinding> = self.rules.iter().collect();
        rules.sort_by_key(|rule| Reverse(rule.loss.lost));
        let costly = rules.iter().filter(|rule| rule.loss.lost > 0).take(MAX_BARS);
        let bars = costly.map(|rule| (rule.name.clone(), rule.loss.lost)).collect();
        let figure = self.bars("EV lost by rule", "units lost per 1,000 games of one unit", bars);
        let header = ["rule", "fraction of deals", "suboptimal", "dominated", "lost per 1,000 games"];
        let row = |RuleFinding { name, loss, .. }: &RuleFinding| {
            [
                name.clone(),
                part(loss.hands, self.counts.hands, 4),
                grouped(loss.suboptimal),
                grouped(loss.dominated),
                per_thousand(self.ev_of(loss.lost)),
            ]
        };
        let table = TextTable::new(header).right_from(1).top(RULES).rows(rules.into_iter().map(row));
        let figure = figure.named("lost-by-rule", "EV lost by rule, per 1,000 games");
        Section::new("EV lost by rule").text(text).figure(figure).table(table)
    }

    fn costliest_hands(&self) -> [Section; 2] {
        let header =
            ["hands", "suboptimal", "example", "plays in front", "EV", "best in front", "EV", "lost per 1,000 games"];
        let table = [1, 4, 6, 7].into_iter().fold(TextTable::new(header), TextTable::right);
        let mut table = [1, 4, 6].into_iter().fold(table, TextTable::detail).top(SHOWN[1]);
        for (group, loss) in self.costliest().take(SHOWN[0]) {
            let Some(sample) = &loss.worst else { continue };
            let [hand, plays, best] = example_cells(sample);
            let [ev, best_ev] = [sample.ev(), sample.other_ev()].map(|ev| format!("{:+.4}", ev.value()));
            let suboptimal = format!("{} of {}", grouped(loss.suboptimal), grouped(loss.hands));
            let lost = per_thousand(self.ev_of(loss.lost));
            table = table.row([group.group.to_string(), suboptimal, hand, plays, ev, best, best_ev, lost]);
        }
        let bars = self.costliest().take(MAX_BARS).map(|(group, loss)| (group.group.to_string(), loss.lost)).collect();
        let figure = self
            .bars("Hands with the greatest losses", "units lost per 1,000 games of one unit", bars)
            .named("costliest-hands", "Kinds of hands with the greatest losses, per 1,000 games");
        let played = if self.has_rules() { "the rules play" } else { "it plays" };
        let shown: i128 = self.costliest().take(SHOWN[0]).map(|(_, loss)| loss.lost).sum();
        let text = format!(
            "Kinds of hands by their total loss; a joker (`Jk`) counts as an ace, T is a ten. The example is the hand of its \
             kind with the greatest loss, with the front that {played} and the best one. The kinds above make up {} of the \
             total loss; all {} kinds are in [tables/classes.csv](tables/classes.csv).",
            percent(shown as f64 / self.counts.total().lost.max(1) as f64, 1),
            grouped(self.counts.groups.len() as u64),
        );
        let hands = Section::new("Hands with the greatest losses").figure(figure).table(table);
        [hands, Section::default().detail().text(text)]
    }

    fn dominated_section(&self) -> Section {
        let (these, play, never) = match self.has_rules() {
            true => ("These rules", "play", "never play"),
            false => ("This strategy", "plays", "never plays"),
        };
        let meaning = "A setting is *dominated* if the hand has another legal setting that is higher in one half and at \
                       least as high in the other. The other setting is at least as good against every opponent.";
        let (section, hands) = (Section::new("Dominated settings"), self.counts.total().dominated);
        if hands == 0 {
            return section.detail().text(format!("{meaning} {these} {never} a dominated setting."));
        }
        let text = format!(
            "{meaning} {these} {play} a dominated setting for {} hands, {} of all. Most of them are of these kinds:",
            grouped(hands),
            part(hands, self.counts.hands, 4),
        );
        let header = ["hands", "dominated", "example", "plays in front", "better in front"];
        let mut table = TextTable::new(header).right(1).top(DOMINATED[1]);
        for (group, loss) in self.dominated().take(DOMINATED[0]) {
            let Some(sample) = &loss.worst_dominated else { continue };
            let [hand, plays, better] = example_cells(sample);
            table = table.row([group.group.to_string(), grouped(loss.dominated), hand, plays, better]);
        }
        section.text(text).table(table)
    }

    fn readings_section(&self) -> Section {
        let mut text = format!(
            "Where the text of the rules is ambiguous, each row uses another option than the one audited here, for the {} \
             only.",
            self.seat()
        );
        for reading in self.question.way.way().map_or(&[][..], |way| way.way().readings()) {
            let chosen = &reading.options[reading.chosen];
            let explained = reading.text.trim_end();
            let stop = if explained.ends_with(['.', '?', '!']) { "" } else { "." };
            text += &format!(" `{}` (here `{chosen}`): {explained}{stop}", reading.name);
        }
        let of_game = self.readings.iter().filter(|reading| reading.is_of_game);
        if let Some((ev, _)) = of_game.filter_map(|reading| reading.price.as_ref().ok()).next() {
            text += &format!(
                " The last rows use other readings of the rules of the game, for both sides; the first of them changes {} \
                 units.",
                change_per_thousand(*ev)
            );
        }
        let mut table = TextTable::new(["reading", "hands changed", "change per 1,000 games"]).right_from(1);
        for ReadingPrice { is_of_game, name, option, price } in &self.readings {
            let (hands, change) = match price {
                Ok((ev, counts)) => {
                    (counts.map_or(String::new(), |counts| grouped(counts.hands)), change_per_thousand(*ev))
                }
                Err(reason) => {
                    // Omit the part after the semicolon, which is advice for house-way authors.
                    let reason = reason.split(';').next().unwrap_or(reason);
                    text += &format!(" Not possible: {name}={option}: {reason}.");
                    (String::new(), "not possible".to_owned())
                }
            };
            let of = if *is_of_game { "game: " } else { "" };
            table = table.row([format!("{of}{name}={option}"), hands, change]);
        }
        Section::new("Effects of readings").text(text).table(table)
    }

    /// Shows the effect of removing each rule, beginning with those whose removal is a gain.
    fn removal_section(&self) -> Section {
        let mut gains: Vec<(&str, ChangeCounts)> = Vec::new();
        let mut needed: Vec<(&str, u64)> = Vec::new();
        for rule in &self.rules {
            match rule.without {
                Ok(change) => gains.push((&rule.name, change)),
                Err(hands) => needed.push((&rule.name, hands)),
            }
        }
        gains.sort_by_key(|(_, change)| change.gain);
        let idle = gains.iter().filter(|(_, change)| change.gain >= 0);
        let idle: Vec<String> = idle.map(|(name, _)| format!("\"{name}\"")).collect();
        let idle = match (idle.is_empty(), needed.is_empty()) {
            (true, true) => "Every rule has a benefit.".to_owned(),
            (true, false) => "Every other rule has a benefit.".to_owned(),
            _ => format!("Each of these could be removed without a loss, one at a time: {}.", idle.join(", ")),
        };
        let required = match needed.len() {
            0 => String::new(),
            rules => format!("{rules} rules are required: without them, hands would have no rule. "),
        };
        let text = format!(
            "If a rule is removed, its hands fall through to later rules. The table shows the resulting gain or loss of the \
             {}; a rule whose removal is a gain, or no change, has no benefit. A rule is *required* if hands would be left \
             without a rule. {required}{idle}",
            self.seat(),
        );
        let header = ["without the rule", "hands changed", "change per 1,000 games"];
        let mut table = TextTable::new(header).right_from(1).top(RULES.min(gains.len()));
        for (name, change) in gains.iter().rev() {
            table = table.row([*name, &grouped(change.hands), &change_per_thousand(self.ev_of(change.gain))]);
        }
        for (name, hands) in needed {
            table = table.row([name, &format!("{} unset", grouped(hands)), "required"]);
        }
        let next_step = format!(
            "The change of one rule that gains most: `houseway search --fix {} --as {} --banker {}{}`.",
            self.way_argument(),
            self.seat(),
            self.opponent_argument(),
            self.settings(),
        );
        let section = Section::new("Effects of removing a rule").text(text).table(table).text(next_step);
        if gains.is_empty() {
            return section;
        }
        let bars = gains.iter().map(|(name, change)| ((*name).to_owned(), change.gain)).collect();
        let figure = self.bars("Change without each rule", "change per 1,000 games of one unit", bars);
        section.figure(figure.named("without-each-rule", "Change per 1,000 games without each rule"))
    }

    fn halves_section(&self) -> Section {
        let copies = match self.question.side {
            Side::Player => "An exact tie, a *copy*, goes to the other side",
            Side::Banker => "An exact tie, a *copy*, goes to this side",
        };
        let text = format!(
            "Frequency of each back, and its results against the {}'s back over all deals. {copies} under the usual rules. \
             Exact numbers for every back and front are in [tables/backs.csv](tables/backs.csv) and \
             [tables/fronts.csv](tables/fronts.csv).",
            self.other_seat(),
        );
        let backs = self.backs_by_category().into_iter().map(|(category, counts)| (category.name().to_owned(), counts));
        let mut fronts: Vec<(usize, HalfCounts)> = self.counts.fronts.iter().copied().enumerate().collect();
        fronts.sort_by_key(|(i, counts)| (Reverse(counts.hands), *i));
        let fronts = fronts.into_iter().take(SHOWN[0]).map(|(i, it)| (TwoStrength::from_index(i).to_string(), it));
        let formed = |counts: &HalfCounts| counts.hands as f64 / self.counts.hands as f64;
        let beaten = |counts: &HalfCounts| counts.beaten() as f64 / counts.deals() as f64;
        let beaten_title = format!("Probability that each front is beaten by the {}'s", self.other_seat());
        Section::new("Backs and fronts")
            .detail()
            .text(text)
            .figure(self.backs_figure())
            .table(self.halves_table("back", backs))
            .figure(
                self.fronts_figure("Frequency of each front", 2, formed)
                    .named("fronts-formed", "Frequency of each front"),
            )
            .figure(
                self.fronts_figure(&beaten_title, 1, beaten)
                    .named("fronts-beaten", "Probability that each front is beaten"),
            )
            .text("The most frequent fronts:")
            .table(self.halves_table("front", fronts))
    }

    fn halves_table(&self, half: &str, rows: impl Iterator<Item = (String, HalfCounts)>) -> TextTable {
        let rows = rows.map(|(name, counts)| {
            let played = part(counts.hands, self.counts.hands, 4);
            let shares = [counts.beats, counts.copies, counts.beaten()].map(|deals| part(deals, counts.deals(), 3));
            [name, played].into_iter().chain(shares)
        });
        TextTable::new([half, "played", "beats", "copies", "is beaten"]).right_from(1).rows(rows)
    }

    fn method_section(&self) -> Section {
        let side = self.question.side;
        let further = match (self.has_rules(), side) {
            (false, _) => "",
            (true, Side::Player) => " To examine a single hand, or to try a changed rule:",
            (true, Side::Banker) => " To try a changed rule:",
        };
        let section = Section::new("Method").detail().text(format!(
            "Nothing is simulated or estimated. All numbers are computed over all {} deals: {} hands of the {}, each against \
             the 53,524,680 possible hands of the {}. Printed percentages are rounded; exact integers and fractions are in \
             [results.json](results.json).{further}",
            grouped(DEALS),
            grouped(self.counts.hands),
            self.seat(),
            self.other_seat(),
        ));
        if !self.has_rules() {
            return section;
        }
        let (way, opponent, settings) = (self.way_argument(), self.opponent_argument(), self.settings());
        let hand = match side {
            Side::Player => {
                format!("houseway ev \"As Kd Jk 7c 7d 2h 3s\" --way {way} --banker {opponent}{settings}\n")
            }
            // `ev` evaluates the player's hands.
            Side::Banker => String::new(),
        };
        let seat = self.seat();
        section
            .lines(format!("{hand}houseway diff {way} my-changed-way.toml --as {seat} --banker {opponent}{settings}"))
    }

    fn way_argument(&self) -> &str {
        self.question.way.way().map_or(self.question.way.name(), |way| way.way().argument())
    }

    fn opponent_argument(&self) -> &str {
        self.question.opponent.way().argument()
    }

    /// Returns the options with which a command uses the same rules and readings.
    fn settings(&self) -> String {
        let way = self.question.way.way().map(|way| way.way());
        let ways: Vec<&Way> = way.into_iter().chain([self.question.opponent.way()]).collect();
        settings(&self.question.game.rules(), &ways)
    }

    /// Draws bars in units per 1,000 games, in the given order.
    fn bars(&self, title: &str, axis: &str, bars: Vec<(String, i128)>) -> Figure {
        let name = |name: &str| match name.chars().count() > NAME {
            true => name.chars().take(NAME - 1).chain(['…']).collect(),
            false => name.to_owned(),
        };
        let categories = bars.iter().map(|(text, _)| name(text)).collect();
        let values = bars.iter().map(|(_, gain)| Bar::from(1e3 * self.ev_of(*gain).value())).collect();
        let chart = BarChart::new(Axis::new(axis), categories).with("units", values).places(3);
        Figure::new(title, chart).note(EXACT)
    }

    /// Draws a triangular heat map of fronts, with a row for each higher card and a column for each lower one.
    fn fronts_figure(&self, title: &str, places: usize, value: impl Fn(&HalfCounts) -> f64) -> Figure {
        let ranks: Vec<Rank> = Rank::ALL.into_iter().rev().collect();
        let names = || ranks.iter().map(Rank::to_string).collect::<Vec<_>>();
        let cell = |high: Rank, low: Rank| {
            let counts = &self.counts.fronts[TwoStrength::from_ranks(high, low).index()];
            if low > high || counts.hands == 0 { f64::NAN } else { value(counts) }
        };
        let values = ranks.iter().map(|&high| ranks.iter().map(|&low| cell(high, low)).collect()).collect();
        let chart = HeatMap::new(("higher card in front", names()), ("lower card in front", names()), values);
        Figure::new(title, chart.percent().places(places).hide_empty()).note(EXACT)
    }

    fn backs_figure(&self) -> Figure {
        let backs = self.backs_by_category();
        let categories = backs.iter().map(|(category, _)| category.name().to_owned()).collect();
        let values = |value: &dyn Fn(&HalfCounts) -> f64| backs.iter().map(|(_, it)| Bar::from(value(it))).collect();
        let beaten = format!("fraction of its deals with a higher back of the {}", self.other_seat());
        let chart = BarChart::new(Axis::new("share").percent(), categories)
            .with("fraction of all hands", values(&|it| it.hands as f64 / self.counts.hands as f64))
            .with(beaten, values(&|it| it.beaten() as f64 / it.deals() as f64))
            .places(2);
        let alt = "Frequency of each kind of back, and how often it is beaten";
        Figure::new("Backs by category", chart).note(EXACT).named("backs", alt)
    }
}
