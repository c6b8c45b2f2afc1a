//! Renders the answer for a hand as HTML, with a bar for every setting.

use super::Setup;
use super::analyse::EV;
use crate::analysis::hand_page::{ev_bar, share_bar};
use crate::analysis::pai_gow::play::share_of;
use crate::serve::{Request, SET, escape};
use houseway_env::pai_gow::house_way::{Shape, Way};
use houseway_env::pai_gow::{GAME, Game, Hand, Setting};
use houseway_exact::pai_gow::{TOPICS, WAY_PREFIX};
use serde_json::Value;

/// Formats an answer, given the output of `houseway ev` as JSON and as text, and if there are dead cards, the output as
/// JSON without them.
pub(super) fn answer_html(
    request: &Request,
    game: &Game,
    json: &Value,
    without_dead: Option<&Value>,
    way: &Way,
    text: &str,
) -> String {
    let settings = json["settings"].as_array().map_or(&[][..], Vec::as_slice);
    let index = |value: &Value| value.as_u64().unwrap_or_default() as usize;
    let (best, house) = (index(&json["best"]), index(&json["house_way"]));
    let ev = |setting: usize| settings[setting]["ev"].as_f64().unwrap_or_default();
    let mut order: Vec<usize> = (0..settings.len()).filter(|&setting| settings[setting]["ev"].is_number()).collect();
    order.sort_by(|&a, &b| ev(b).total_cmp(&ev(a)));
    let asked = json["front"].is_object().then(|| index(&json["front"]["index"]));
    let mut compared = vec![(best, "Best"), (house, way.name())];
    compared.extend(asked.map(|asked| (asked, "Chosen")));
    let mut shown: Vec<(usize, String)> = Vec::new();
    for (setting, name) in compared {
        match shown.iter_mut().find(|(known, _)| *known == setting) {
            Some((_, names)) => *names = format!("{names}, {name}"),
            None => shown.push((setting, name.to_owned())),
        }
    }
    // One more setting is needed for a comparison.
    if let ([_], Some(&second)) = (&shown[..], order.get(1)) {
        shown.push((second, "Second".to_owned()));
    }
    let rows: String = order.iter().map(|&at| row(request, &settings[at], at == best, at == house)).collect();
    let fouls = settings.iter().filter(|setting| setting["foul"] == true);
    let fouls: Vec<String> = fouls.map(|setting| cards(text_of(setting, "front"))).collect();
    let query = escape(&request.only(&EV).query_text());
    let link = match Setup::names_own(request) {
        false => format!("<a id=\"json\" href=\"/api/ev?{query}\">As JSON</a>"),
        // The request needs the text of a house way in its body, so it can't be a link.
        true => format!("<span id=\"json\" data-post=\"/api/ev?{query}\"></span>"),
    };
    format!(
        include_str!("../../../serve/assets/answer.html"),
        hand = cards(text_of(json, "hand")),
        summary = summary(json, way, [best, house], [ev(best), ev(house)]),
        why = why(game, json, without_dead, &shown),
        banker = escape(text_of(json, "banker")),
        dead = match text_of(json, "dead") {
            "" => String::new(),
            dead => format!(", with the dead cards {}", cards(dead)),
        },
        fouls = match fouls.len() {
            0 => String::new(),
            _ => format!("<p>These cards in front would be a foul: {}.</p>\n", fouls.join(", ")),
        },
        links = links(request, text_of(json, "hand")),
        rows = rows,
        link = link,
        text = escape(text),
        rules = escape(text_of(json, "rules_hash")),
    )
}

/// Returns a table that compares how often each half of some settings is higher than the banker's, and what follows.
fn why(game: &Game, json: &Value, without_dead: Option<&Value>, compared: &[(usize, String)]) -> String {
    let Ok(hand) = text_of(json, "hand").parse::<Hand>() else { return String::new() };
    let settings: Vec<&Value> = compared.iter().map(|(at, _)| &json["settings"][*at]).collect();
    let sets: Vec<_> = compared.iter().filter_map(|(at, _)| Setting::all().nth(*at)).collect();
    let heads: String = compared.iter().map(|(_, name)| format!("<th scope=\"col\">{}</th>", escape(name))).collect();
    let line = |title: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|cell| format!("<td>{cell}</td>")).collect();
        format!("<tr><th scope=\"row\">{title}</th>{cells}</tr>\n")
    };
    let half = |key: &'static str, words: &dyn Fn(Setting) -> String| {
        let pairs = settings.iter().zip(&sets);
        pairs
            .map(|(setting, &set)| format!("{}<br>{}", cards(text_of(setting, key)), escape(&words(set))))
            .collect::<Vec<_>>()
    };
    let fronts = half("front", &|set| game.set(hand, set).front.words());
    let backs = half("back", &|set| game.ranking().words(game.set(hand, set).back));
    let share = |key: &'static str| {
        settings.iter().map(move |setting| share_of(setting, key).map_or_else(String::new, percent))
    };
    let ev = |setting: &&Value| setting["ev"].as_f64().map_or_else(|| "foul".to_owned(), |ev| format!("{ev:+.5}"));
    let mut lines = vec![
        line("Front", &mut fronts.into_iter()),
        line("Back", &mut backs.into_iter()),
        line("front is higher", &mut share("lower_fronts")),
        line("back is higher", &mut share("lower_backs")),
        line("both win", &mut share("wins")),
        line("one of them wins", &mut share("pushes")),
        line("both lose", &mut share("losses")),
        line("EV", &mut settings.iter().map(ev)),
    ];
    if let Some(json) = without_dead {
        let mut evs = compared.iter().map(|(at, _)| ev(&&json["settings"][*at]));
        lines.insert(lines.len() - 1, line("EV without the dead cards", &mut evs));
    }
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Why\"><table class=\"why\">\n\
         <thead><tr><th scope=\"col\">Against the banker</th>{heads}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
        lines.concat()
    )
}

/// Returns links to play the hand against the same banker under the same rules, and to drill hands like it. A table knows
/// no house way of the user's own.
fn links(request: &Request, text: &str) -> String {
    let Ok(hand) = text.parse::<Hand>() else { return String::new() };
    let topic = Shape::from_hand(hand).name();
    let drill = format!("<a href=\"/drill?topic={}\">Drill hands with {topic}</a>", topic.replace(' ', "+"));
    let drill = if TOPICS.contains(&topic) { drill } else { String::new() };
    if Setup::names_own(request) {
        return format!("<p>{drill}</p>\n");
    }
    let is_of_way = |key: &str| key.strip_prefix(SET).is_some_and(|rule| rule.starts_with(WAY_PREFIX));
    let is_kept = |key: &str| key == "banker" || key.starts_with(SET) && !is_of_way(key);
    let kept = request.query.iter().filter(|(key, value)| is_kept(key) && !value.is_empty());
    let pairs = [("game", GAME.name), ("option.hand", text)].into_iter();
    let pairs = pairs.chain(kept.map(|(key, value)| (key.as_str(), value.as_str())));
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    let between = if drill.is_empty() { "" } else { " · " };
    format!("<p><a href=\"/play?{}\">Play this hand</a>{between}{drill}</p>\n", escape(&query))
}

fn text_of<'a>(json: &'a Value, key: &str) -> &'a str {
    json[key].as_str().unwrap_or_default()
}

fn summary(json: &Value, way: &Way, [best, house]: [usize; 2], evs: [f64; 2]) -> String {
    let front = |at: usize| cards(text_of(&json["settings"][at], "front"));
    let mut html =
        format!("<dl class=\"summary\">\n<dt>Best</dt><dd>{} in front, EV {:+.5}</dd>\n", front(best), evs[0]);
    let regret = evs[0] - evs[1];
    let compared =
        if best == house { "the same".to_owned() } else { format!("{} in front, EV {:+.5}", front(house), evs[1]) };
    let lost = if regret > 0.0 { format!(", a regret of {regret:.5} of the stake") } else { String::new() };
    html += &format!("<dt>{}</dt><dd>{compared}{lost}</dd>\n", escape(way.name()));
    if let Some(rule) = json["rule"].as_str() {
        let text = way.rules().iter().find(|known| known.name == rule).map_or("", |rule| &rule.text);
        html += &format!("<dt>Rule</dt><dd><strong>{}</strong>. {}</dd>\n", escape(rule), escape(text));
    }
    html + "</dl>\n"
}

fn row(request: &Request, setting: &Value, is_best: bool, is_house: bool) -> String {
    let shares = ["wins", "pushes", "losses"].map(|key| share_of(setting, key).unwrap_or_default());
    let ev = setting["ev"].as_f64().unwrap_or_default();
    let mut marks = String::new();
    if is_best {
        marks += "<span class=\"mark best\">best</span> ";
    }
    if is_house {
        marks += "<span class=\"mark house\">house way</span>";
    }
    let class = if is_best { " class=\"best\"" } else { "" };
    let front = text_of(setting, "front");
    // A house way of the user's own is not part of the address.
    let compare = match Setup::names_own(request) {
        true => cards(front),
        false => format!(
            "<a href=\"/?{}\" title=\"Compare with the best setting\">{}</a>",
            escape(&request.with("front", front).query_text()),
            cards(front)
        ),
    };
    format!(
        "<tr{class}><th scope=\"row\">{compare}</th><td class=\"number\">{ev:+.5}</td><td>{}</td><td>{}</td>\
         <td class=\"number\">{} · {} · {}</td><td>{}</td><td>{marks}</td></tr>\n",
        ev_bar(ev, 1.0),
        cards(text_of(setting, "back")),
        percent(shares[0]),
        percent(shares[1]),
        percent(shares[2]),
        share_bar(shares),
    )
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

pub(super) fn cards(text: &str) -> String {
    text.split_whitespace().map(card).collect::<Vec<_>>().join(" ")
}

fn card(text: &str) -> String {
    let suit = |symbol: &str, name: &str, class: &str, rank: &str| {
        format!(
            "<span class=\"card {class}\">{}<span aria-hidden=\"true\">{symbol}</span><span class=\"spoken\"> of {name}</span></span>",
            escape(rank)
        )
    };
    let end = text.char_indices().last().map_or(0, |(at, _)| at);
    match text.split_at(end) {
        (rank, "s") => suit("♠", "spades", "black", rank),
        (rank, "h") => suit("♥", "hearts", "red", rank),
        (rank, "d") => suit("♦", "diamonds", "red", rank),
        (rank, "c") => suit("♣", "clubs", "black", rank),
        _ => format!("<span class=\"card joker\">{}</span>", escape(&text.replace("Jk", "Joker"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_drawn() {
        assert!(card("Td").contains("card red\">T<span aria-hidden=\"true\">♦") && card("Jk").contains(">Joker<"));
    }
}
