//! A lexer for Rust source text that is precise enough to distinguish code from comments and literals.

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier or keyword.
    Ident,
    /// A string literal, with its contents as the text.
    Text,
    /// A character, number or lifetime.
    Other,
    /// A single punctuation character, or `::`.
    Punct,
}

/// A token of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// The line of the first character, counting from 1.
    pub(crate) line: usize,
}

impl Token {
    /// Returns `true` if the token is this identifier or punctuation. A literal with the same text doesn't match.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Ident | Kind::Punct) && self.text == text
    }
}

/// A line of a comment, without its marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) text: String,
    /// True for `///` and `//!`.
    pub(crate) doc: bool,
    pub(crate) line: usize,
}

/// Source text split into code and comments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    lexed: Lexed,
}

/// Splits source text into tokens and comments.
pub(crate) fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer { rest: text, line: 1, lexed: Lexed::default() };
    while !lexer.rest.is_empty() {
        lexer.next();
    }
    lexer.lexed
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

impl<'a> Lexer<'a> {
    /// Consumes and returns the given number of bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn push(&mut self, kind: Kind, text: &str, line: usize) {
        self.lexed.tokens.push(Token { kind, text: text.to_owned(), line });
    }

    fn next(&mut self) {
        let line = self.line;
        let first = self.rest.chars().next().unwrap_or(' ');
        if first.is_whitespace() {
            self.take(first.len_utf8());
        } else if self.rest.starts_with("//") {
            self.line_comment();
        } else if self.rest.starts_with("/*") {
            self.block_comment();
        } else if let Some(quote) = string_start(self.rest) {
            let contents = self.string(quote);
            self.push(Kind::Text, contents, line);
        } else if first == '\'' {
            let bytes = char_or_lifetime(self.rest);
            let text = self.take(bytes);
            self.push(Kind::Other, text, line);
        } else if first.is_ascii_digit() {
            let bytes = number(self.rest);
            let text = self.take(bytes);
            self.push(Kind::Other, text, line);
        } else if is_word(first) {
            let raw = if self.rest.starts_with("r#") { 2 } else { 0 };
            let bytes = raw + self.rest[raw..].find(|c| !is_word(c)).unwrap_or(self.rest.len() - raw);
            let text = self.take(bytes);
            self.push(Kind::Ident, &text[raw..], line);
        } else {
            let bytes = if self.rest.starts_with("::") { 2 } else { first.len_utf8() };
            let text = self.take(bytes);
            self.push(Kind::Punct, text, line);
        }
    }

    fn line_comment(&mut self) {
        let line = self.line;
        let text = self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
        let doc = text.starts_with("//!") || text.starts_with("///") && !text.starts_with("////");
        let text = text.trim_start_matches('/').trim_start_matches('!').trim().to_owned();
        self.lexed.comments.push(Comment { text, doc, line });
    }

    fn block_comment(&mut self) {
        let (line, mut depth, mut end) = (self.line, 0, 0);
        while end < self.rest.len() {
            let rest = &self.rest[end..];
            if rest.starts_with("/*") || rest.starts_with("*/") {
                depth = if rest.starts_with('/') { depth + 1 } else { depth - 1 };
                end += 2;
                if depth == 0 {
                    break;
                }
            } else {
                end += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        let text = self.take(end);
        for (offset, text) in text.lines().enumerate() {
            let text = text.trim().trim_start_matches("/*").trim_end_matches("*/").trim().to_owned();
            self.lexed.comments.push(Comment { text, doc: false, line: line + offset });
        }
    }

    /// Consumes a string literal whose opening quote is at `quote`, and returns its contents.
    fn string(&mut self, quote: usize) -> &'a str {
        let prefix = self.take(quote + 1);
        let hashes = prefix.matches('#').count();
        let end = if prefix.contains('r') {
            let close = format!("\"{}", "#".repeat(hashes));
            self.rest.find(&close).unwrap_or(self.rest.len())
        } else {
            let mut escaped = false;
            let end = self.rest.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.unwrap_or(self.rest.len())
        };
        let contents = self.take(end);
        self.take(self.rest.len().min(1 + hashes));
        contents
    }
}

/// Returns the offset of the opening quote if a string literal starts here.
fn string_start(rest: &str) -> Option<usize> {
    let letters = rest.find(|c| !"rbc".contains(c))?;
    let hashes = rest[letters..].find(|c| c != '#')?;
    let quote = letters + hashes;
    (letters <= 2 && (hashes == 0 || rest[..letters].contains('r')) && rest[quote..].starts_with('"')).then_some(quote)
}

fn char_or_lifetime(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), Some((escaped, c))) => {
            let after = escaped + c.len_utf8();
            rest[after..].find('\'').map_or(rest.len(), |end| after + end + 1)
        }
        (_, Some((close, '\''))) => close + 1,
        _ => 1 + rest[1..].find(|c| !is_word(c)).unwrap_or(rest.len() - 1),
    }
}

fn number(rest: &str) -> usize {
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let fraction = c == '.' && chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !is_word(c) && !fraction {
            return at;
        }
    }
    rest.len()
}

#[test]
fn code_comments_and_literals_are_told_apart() {
    let text = "/// Doc `crate::a`.\nfn f<'a>(x: &'a str) -> char { // plain\n let s = r#\"use \"b\"\"#; '\\'' ; 'x'; 0..5; 1.5 }\n\
                /* crate::c /* nested */ */ \"a \\\" use d\" r#type br\"e\" x::y";
    let Lexed { tokens, comments } = lex(text);
    let texts: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    let expected = "fn|f|<|'a|>|(|x|:|&|'a|str|)|-|>|char|{|let|s|=|use \"b\"|;|'\\''|;|'x'|;|0|.|.|5|;|1.5|}|a \\\" use d|type|e|x|::|y";
    assert_eq!(texts.join("|"), expected);
    let comments: Vec<_> = comments.iter().map(|c| (c.text.as_str(), c.doc, c.line)).collect();
    let expected = [("Doc `crate::a`.", true, 1), ("plain", false, 2), ("crate::c /* nested */", false, 4)];
    assert_eq!(comments, expected);
    assert_eq!(tokens.last().map(|token| token.line), Some(4));
}
