//! Metrics for the length and style of house ways, and warnings about rules that are hard to read.

use super::file::Way;
use super::rule::Rule;

/// The maximum number of bounds in a rule that a dealer can be expected to read at the table.
const MAX_BOUNDS: usize = 4;

/// A warning about a rule that a dealer couldn't be expected to read. It doesn't affect how the rule works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleWarning {
    /// The rule's name.
    pub rule: String,
    /// The line where the rule starts, counting from 1.
    pub line: usize,
    /// A description of the problem and how to fix it.
    pub message: String,
}

impl Way {
    /// Returns the total number of bounds in all active rules. See [`Rule::bounds`].
    pub fn bounds(&self) -> usize {
        self.active_rules().map(Rule::bounds).sum()
    }

    /// Returns a warning for every active rule that has nested exceptions or more than four bounds, in order.
    pub fn style_warnings(&self) -> Vec<StyleWarning> {
        self.active_rules()
            .flat_map(|rule| {
                let warning = |message| StyleWarning { rule: rule.name.clone(), line: rule.line, message };
                problems(rule).into_iter().map(warning)
            })
            .collect()
    }
}

fn problems(rule: &Rule) -> Vec<String> {
    let mut problems = Vec::new();
    if rule.has_nested_exceptions() {
        let remedy = "move the inner exception to a separate rule before this one";
        problems.push(format!("an exception within an exception; {remedy}"));
    }
    let bounds = rule.bounds();
    if bounds > MAX_BOUNDS {
        problems.push(format!("{bounds} bounds, more than {MAX_BOUNDS}; drop a condition or split the rule"));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(body: &str) -> Rule {
        let head = "name = \"x\"\ntitle = \"x\"\nsource = \"x\"\n[[rule]]\nname = \"r\"\ntext = \"One, two  three.\"\n";
        Way::parse(&format!("{head}{body}"), "style.toml").unwrap().rules()[0].clone()
    }

    #[test]
    fn bounds_are_those_of_every_condition_and_play() {
        for (body, bounds) in [
            ("play = {}", 0),
            (
                "when = { shape = \"one pair\", single = \"2-A\" }\nplay = { front = \"pair pair\", back = \"flush\" }",
                0,
            ),
            ("when = [{ high-pair = \"2-10\", low-pair = \"7\" }, { fifth-single = \"A\" }]\nplay = {}", 4),
            ("when = { pair-sum = \"5-16\", except = { third-single = \"7-10\" } }\nplay = {}", 3),
            ("when = { possible = { back-high = \"A\", front-at-most = \"K\" } }\nplay = {}", 2),
            ("play = [{ front-at-least = \"A J\", except = { back-high = \"9\" } }, { front-at-most = \"10 10\" }]", 4),
            ("play = { front-above = { front-at-least = \"K\", back-high = \"2-A\" } }", 1),
        ] {
            assert_eq!(rule(body).bounds(), bounds, "{body}");
        }
        assert_eq!(rule("play = {}").words(), 3);
    }

    #[test]
    fn exceptions_are_nested_where_one_is_within_another() {
        let above = "front-above = { back = \"complete\" }";
        for (body, nested) in [
            ("when = { except = { single = \"A\" } }\nplay = { except = { back = \"flush\" } }".to_owned(), false),
            (
                "when = { possible = { back = \"straight\", except = { back-high = \"A\" } } }\nplay = {}".to_owned(),
                false,
            ),
            (format!("play = {{ front = \"single single\", {above} }}"), false),
            ("when = { except = { single = \"A\", except = { pair = \"K\" } } }\nplay = {}".to_owned(), true),
            ("play = { except = { back = \"straight\", except = { back-high = \"A\" } } }".to_owned(), true),
            (format!("when = {{ possible = {{ {above} }} }}\nplay = {{}}"), true),
            (format!("play = {{ except = {{ {above} }} }}"), true),
            (format!("play = {{ front-above = {{ {above} }} }}"), true),
            ("play = { front-above = { except = { back = \"flush\" } } }".to_owned(), true),
            (
                "when = { except = { possible = { back = \"straight\", except = { back-high = \"A\" } } } }\nplay = {}"
                    .to_owned(),
                true,
            ),
        ] {
            assert_eq!(rule(&body).has_nested_exceptions(), nested, "{body}");
        }
    }

    #[test]
    fn rules_that_are_hard_to_read_are_named_with_their_line() {
        let way = |reading: &str| {
            let text = format!(
                "name = \"x\"\ntitle = \"x\"\nsource = \"x\"\n[readings.r]\ntext = \"x\"\noptions = [\"a\", \"b\"]\n\
                 [[rule]]\nname = \"plain\"\ntext = \"x\"\nwhen = {{ single = \"K-A\" }}\nplay = {{}}\n\
                 [[rule]]\nname = \"hard\"\ntext = \"x\"\nreading = {{ r = \"{reading}\" }}\n\
                 when = {{ pair = \"3-9\", single = \"3-9\", second-single = \"9\", \
                 except = {{ single = \"A\", except = {{ pair = \"A\" }} }} }}\nplay = {{}}\n\
                 [[rule]]\nname = \"rest\"\ntext = \"x\"\nplay = {{}}\n"
            );
            Way::parse(&text, "style.toml").unwrap()
        };
        let warnings = way("a").style_warnings();
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        for (warning, part) in warnings.iter().zip(["exception within", "8 bounds, more than 4"]) {
            assert_eq!((warning.rule.as_str(), warning.line), ("hard", 12));
            assert!(warning.message.contains(part), "{warning:?}");
        }
        assert_eq!((way("a").bounds(), way("b").bounds()), (9, 1));
        assert_eq!(way("b").style_warnings(), []);
    }
}
