//! The commands `houseway play` and `houseway drill`.

use crate::analysis::LAYOUTS;
use crate::console::{
    CommandResult, Failure, ForceOptions, GameOptions, OutputOptions, ThreadOptions, input_lines, print,
};
use crate::drill::{Answer, DrillRecord, DrillRequest, DrillSource, Question, Score};
use crate::play::{
    BANKROLL, CoachMode, MAX_HISTORY, OtherPlayers, PlayRequest, add_player, check_terminal, play_plain, play_screen,
    random_seed, session_file,
};
use crate::report::wrapped_lines;
use crate::run::{
    FileLock, Output, cannot_read, check_outputs, folder_of, make_folder, make_room, stop_flag_with, write_atomic_by,
};
use clap::Args;
use houseway_env::gym::{GameEntry, HistoryError, Rounds, Verified};
use houseway_env::{files, registry};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

const EVENTS: &str = "Write every event as a line of JSON";

/// Play a game at a table with an exact coach
///
/// The session is saved after every deal and every action, and it is resumed the next time.
#[derive(Args)]
#[command(mut_arg("json", |json| json.help(EVENTS)))]
pub struct PlayArgs {
    #[command(flatten)]
    game: GameOptions,
    /// Read commands from standard input and write one line per event (for pipes and screen readers; type 'help' for a
    /// list); this is the default if TERM is dumb
    #[arg(long)]
    plain: bool,
    /// When the coach gives advice: on (including before decisions), off, or after (the round)
    #[arg(long, value_name = "WHEN", default_value_t = CoachMode::default())]
    coach: CoachMode,
    /// The seed for the cards in a new session; the same seed always deals the same cards
    #[arg(long)]
    seed: Option<u64>,
    /// Start a new session, replacing the saved one
    #[arg(long)]
    new: bool,
    /// The bankroll for a new session in chips
    #[arg(long, value_name = "CHIPS", value_parser = clap::value_parser!(i64).range(1..=1_000_000_000),
          help = format!("The bankroll for a new session in chips [default: {BANKROLL}]"))]
    bankroll: Option<i64>,
    /// The session file [default: one per game in the user's data folder]
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Append finished rounds to a file, as one line of JSON each
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Replay a history instead and check every result
    #[arg(long, value_name = "FILE", conflicts_with_all = ["history", "session", "new", "plain", "coach", "seed", "bankroll", "option", "clock"])]
    verify: Option<PathBuf>,
    /// List the finished rounds of the saved session instead, each with what its decisions cost, or replay one of them
    #[arg(long, value_name = "ROUND", num_args = 0..=1, conflicts_with_all = ["history", "verify", "new", "plain", "coach", "seed", "bankroll", "option", "player", "clock"])]
    review: Option<Option<u64>>,
    /// The banker's strategy in games that have one, as the name or file of a house way
    #[arg(long, value_name = "WAY")]
    banker: Option<String>,
    /// A reset option that is not a bet, such as chips=5 in a new session
    #[arg(long, value_name = "KEY=VALUE", value_parser = option_pair)]
    option: Vec<(String, Value)>,
    /// The player on another seat of a table in a new session: a house way with optional keys, such as
    /// 2=wong,bet=100,bank=always, or 3=empty
    ///
    /// The keys are bet, bet-share, side, bank (never, always or in-turn) and bankroll (the initial chips, by default 500
    /// minimum bets). Without a house way, the player follows the table's. All seats that aren't chosen keep their usual
    /// players.
    #[arg(long, value_name = "SEAT=PLAYER", value_parser = |text: &str| pair(text, "seat=player"))]
    player: Vec<(String, String)>,
    /// The time limit for a decision in seconds, after which the house plays
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    clock: Option<u64>,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

/// The time that a round may take to judge.
const REVIEW_WAIT: Duration = Duration::from_secs(600);

fn option_pair(text: &str) -> Result<(String, Value), String> {
    let (key, value) = pair(text, "key=value")?;
    Ok((key, serde_json::from_str(&value).unwrap_or_else(|_| value.into())))
}

fn pair(text: &str, form: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').ok_or_else(|| format!("expected {form}"))?;
    Ok((pair.0.to_owned(), pair.1.to_owned()))
}

impl PlayArgs {
    pub fn run(self) -> CommandResult {
        self.threads.start()?;
        let mut players = OtherPlayers::new();
        for (seat, player) in &self.player {
            add_player(&mut players, seat, player).map_err(|error| Failure::usage(format!("--player: {error}")))?;
        }
        let game = registry::find(&self.game.game).map_err(Failure::usage)?;
        let request = PlayRequest {
            game,
            rules: self.game.solver_config([].into())?,
            banker: self.banker.clone(),
            options: self.option.iter().cloned().collect(),
            players,
            // A replay doesn't need a session.
            session: if self.verify.is_some() {
                PathBuf::new()
            } else {
                session_file(self.session.as_deref(), "play", game)?
            },
            new: self.new,
            seed: self.seed,
            bankroll: self.bankroll,
            history: self.history.clone(),
            coach: self.coach,
            limit: self.clock.map(Duration::from_secs),
        };
        if let Some(path) = &self.verify {
            return self.verify(path, &mut *request.rounds(&request.players)?);
        }
        if let Some(round) = self.review {
            return self.review(PlayRequest { coach: CoachMode::After, ..request }, round);
        }
        // A dumb terminal can only show lines, like a shell in an editor.
        if self.plain || self.output.json || std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
            return play_plain(request.open(LAYOUTS)?, self.output.json);
        }
        check_terminal()?;
        let stop = stop_flag_with("ending the session (press again to stop immediately)")?;
        play_screen(request.open(LAYOUTS)?, &stop)
    }

    /// Replays the finished rounds. All of them are listed, or the given one is shown event by event.
    fn review(&self, request: PlayRequest, asked: Option<u64>) -> CommandResult {
        let (mut played, past) = request.open_review(LAYOUTS)?;
        let first = played.session.record.rounds + 1;
        let rounds = first..first + past.len() as u64;
        if let Some(asked) = asked.filter(|asked| !rounds.contains(asked)) {
            let reason = format!("there is no round {asked}; the session has rounds {first} to {}", rounds.end - 1);
            return Err(Failure::usage(reason));
        }
        for (number, past) in rounds.zip(past) {
            let is_shown = asked.is_none_or(|asked| asked == number);
            played.mode = if is_shown { CoachMode::After } else { CoachMode::Off };
            let mut events = played.replay(past)?;
            events.extend(played.listen(REVIEW_WAIT)?);
            let text = match played.rounds.last().filter(|round| asked.is_none() && round.round == number) {
                Some(round) => format!("{round}\n"),
                None => events.iter().map(|event| format!("{event}\n")).collect(),
            };
            if is_shown && self.output.json {
                events.iter().try_for_each(|event| print(&format!("{}\n", json!(event))))?;
            } else if is_shown {
                print(&wrapped_lines(&text))?;
            }
        }
        let text: String = played.session.record.ledger.summary().into_iter().map(|line| line + "\n").collect();
        if asked.is_some() || self.output.json { Ok(()) } else { print(&wrapped_lines(&text)) }
    }

    fn verify(&self, path: &Path, game: &mut dyn Rounds) -> CommandResult {
        let history =
            files::read(path, MAX_HISTORY).map_err(|error| cannot_read(path, error)).map_err(Failure::usage)?;
        let name = path.display();
        if let Some(reason) = other_game(&history, game.id()) {
            return Err(Failure::usage(format!("{name} {reason}")));
        }
        let verified = game.verify(&mut &history[..]).map_err(|error| match error {
            HistoryError::Unreadable(reason) => Failure::usage(format!("{name}: {reason}")),
            HistoryError::OtherRules { .. } => Failure::usage(format!(
                "{name} was played by other rules or against another house way; add the --set KEY=VALUE, --rules FILE or \
                 --banker WAY that it was played with"
            )),
            HistoryError::Differs(reason) => {
                let reason = reason.replacen("episode ", "round ", 1);
                Failure::work(format!("{name} does not match its replay: {reason}"))
            }
        });
        let Verified { rounds, closed } = verified?;
        if !closed {
            return Err(Failure::work(format!(
                "{name} is unfinished: it has no footer; its {rounds} complete rounds match their replay, but later \
                 rounds may be missing"
            )));
        }
        let json = json!({ "history": path, "rounds": rounds, "verified": true });
        let noun = if rounds == 1 { "round" } else { "rounds" };
        self.output.print(&json, &format!("{name}: {rounds} {noun} replayed, every result as recorded\n"))
    }
}

/// Returns which game a history is of and what replays it, according to its first line. `None` if it may be this game.
fn other_game(history: &[u8], id: &str) -> Option<String> {
    let first = history.split(|&byte| byte == b'\n').next()?;
    let first: Value = serde_json::from_slice(first).ok()?;
    let env = first["env"].as_str()?;
    if first["setup"].is_string() && first["config"]["seat"].is_null() {
        return Some("is a history of houseway table; use houseway table --verify".to_owned());
    }
    (env != id).then(|| match registry::find(env) {
        Ok(GameEntry { name, .. }) => format!("is a history of {name}; use -g {name}"),
        Err(_) => format!("is a history of an unknown game, {env:?}"),
    })
}

/// Practice decisions: those that common strategies get wrong, and those that you got wrong before
///
/// Type the name or number of an action. If a hand is set, type the two cards to put in front, like "7c 7d", or their positions,
/// like "4 5" for the fourth and fifth cards. 'house', 'skip', 'help' and 'quit' are commands. Every answer is saved.
#[derive(Args)]
#[command(mut_arg("json", |json| json.help(EVENTS)))]
pub struct DrillArgs {
    /// The number of hands to play
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    hands: u32,
    /// The strategy to compare with in games with house ways: a house way by name or file, a strategy table or a trained
    /// agent
    #[arg(long)]
    way: Option<String>,
    /// The banker's house way, in games with house ways
    #[arg(long, value_name = "WAY")]
    banker: Option<String>,
    /// The only kind of hands to ask, such as "two pairs", or the stage in hold'em, such as "flop"
    #[arg(long)]
    topic: Option<String>,
    /// The seed for the hands in a new drill
    #[arg(long)]
    seed: Option<u64>,
    /// The drill file [default: one per game in the user's data folder]
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Start a new drill that replaces the saved one
    #[arg(long)]
    new: bool,
    /// Write all of the drill's answers as CSV at the end
    #[arg(long, value_name = "FILE")]
    export: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOptions,
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    output: OutputOptions,
}

const HELP: &[&str] = &[
    "raise, 2: answers with an action, by its name or number",
    "7c 7d, 4 5: answers with the cards to put in front, by their names or places, if a hand is set",
    "house: answers as the strategy to compare with",
    "skip: asks another hand",
    "help; quit",
];

impl DrillArgs {
    pub fn run(self) -> CommandResult {
        self.threads.start()?;
        let game = registry::find(&self.game.game).map_err(Failure::usage)?;
        let rules = self.game.solver_config([].into())?;
        let (way, banker, topic) = (self.way.clone(), self.banker.clone(), self.topic.clone());
        let request = DrillRequest { game, rules, way, banker, topic };
        let source = request.source(LAYOUTS).map_err(Failure::usage)?;
        let path = session_file(self.session.as_deref(), "drill", game)?;
        make_folder(folder_of(&path))?;
        let outputs: Vec<Output> = self.export.iter().map(|export| Output::new("--export", export)).collect();
        let _outputs =
            check_outputs(&outputs, std::slice::from_ref(&path), self.force.force).map_err(Failure::usage)?;
        let _lock = FileLock::file("--session", &path, false).map_err(Failure::usage)?;
        let mut record = self.record(&path, &source.id)?;
        let before = record.answers.len();
        let strategy = self.ask(&source, &mut record, &path)?;
        self.score(&record, before, strategy.as_deref())?;
        match &self.export {
            Some(export) => Ok(write_atomic_by("--export", export, record.csv()?)?),
            None => Ok(()),
        }
    }

    fn record(&self, path: &Path, game: &str) -> CommandResult<DrillRecord> {
        if self.new {
            make_room(path, DrillRecord::load).map_err(Failure::usage)?;
        }
        let saved = if self.new { None } else { DrillRecord::load(path).map_err(Failure::usage)? };
        let shown = path.display();
        match saved {
            None => Ok(DrillRecord::new(game.to_owned(), self.seed.unwrap_or_else(random_seed))),
            Some(record) if record.game != game => Err(Failure::usage(format!(
                "{shown} is a drill of another game, under other rules or against another banker; use the same ones, start \
                 a new drill with --new, or choose another file with --session"
            ))),
            Some(record) if self.seed.is_some_and(|seed| seed != record.seed) => Err(Failure::usage(format!(
                "{shown} is a drill with the seed {}; omit --seed, or start a new drill with --new",
                record.seed
            ))),
            Some(record) => Ok(record),
        }
    }

    /// Asks questions until there are enough answers or the input ends. Returns the name of the strategy that the
    /// answers are compared with.
    fn ask(&self, source: &DrillSource, record: &mut DrillRecord, path: &Path) -> CommandResult<Option<String>> {
        let mut lines = input_lines();
        let mut strategy = None;
        let mut number = 1;
        while number <= self.hands {
            let question = Question::next(source, record).map_err(Failure::usage)?;
            strategy = question.strategy().map(str::to_owned);
            self.write_question(number, &question)?;
            let action = loop {
                let Some(line) = lines.next().transpose()? else { return Ok(strategy) };
                let line = line.map(|line| line.trim().to_lowercase());
                let answer = match line.as_deref() {
                    Ok("") => continue,
                    Ok("quit" | "exit" | "q") => return Ok(strategy),
                    Ok("skip") => break None,
                    Ok("help" | "?") => {
                        for text in HELP {
                            self.write(&json!({ "event": "help", "text": text }), &format!("help: {text}"))?;
                        }
                        continue;
                    }
                    Ok("house" | "house way") if question.house_action().is_some() => break question.house_action(),
                    Ok(text) => question.parse_action(text),
                    Err(reason) => Err(reason.clone()),
                };
                match answer {
                    Ok(action) => break Some(action),
                    Err(reason) => {
                        self.write(&json!({ "event": "refused", "reason": reason }), &format!("refused: {reason}"))?;
                    }
                }
            };
            match action {
                Some(action) => {
                    let answer = question.judge(action);
                    self.show(&question, &answer)?;
                    record.add(answer);
                    number += 1;
                }
                // A hand that is skipped isn't played.
                None => record.postpone(&question.position),
            }
            record.save(path)?;
        }
        Ok(strategy)
    }

    fn write(&self, event: &Value, text: &str) -> CommandResult {
        if self.output.json { print(&format!("{event}\n")) } else { print(&wrapped_lines(text)) }
    }

    fn write_question(&self, number: u32, question: &Question<'_>) -> CommandResult {
        let (hand, review, actions) = (&question.position, question.is_review, question.action_names());
        let again = if review { " (again)" } else { "" };
        let choice = |(label, number): (String, usize)| format!("\n  {number} {label}");
        let choices: String = question.labels().into_iter().zip(1..).map(choice).collect();
        self.write(
            &json!({ "event": "hand", "number": number, "hand": hand, "review": review, "actions": actions }),
            &format!("{number}/{}: {hand}{again}{choices}", self.hands),
        )
    }

    fn show(&self, question: &Question<'_>, answer: &Answer) -> CommandResult {
        let mut event = json!(answer);
        event["event"] = "answer".into();
        self.write(&event, &question.sentences(answer).join("\n  "))
    }

    /// Writes the score of the answers after the first ones, and where the whole drill stands.
    fn score(&self, record: &DrillRecord, first: usize, strategy: Option<&str>) -> CommandResult {
        let score = Score::new(&record.answers[first..]);
        let mut event = json!(score);
        event["event"] = "score".into();
        self.write(&event, &format!("{};\n{}", score.text(strategy), record.progress()))
    }
}
