//! HTTP/1.1 requests and responses. Each connection handles a single request.

use crate::run::plain_words;
use houseway_env::names::expected;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::{self, ErrorKind, Read, Write};

const MAX_HEAD: usize = 16 * 1024;
const MAX_BODY: usize = 256 * 1024;
const MAX_HEADERS: usize = 64;
/// The prefix for query parameters that change a rule.
pub const SET: &str = "set.";
/// The end of the addresses of learning curves as JSON.
const CURVES_DATA: &str = "/curves/data";
const MAX_SETS: usize = 64;
/// The content security policy for pages. Everything must come from this server, and nothing may be inline.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                           connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// The content security policy for drawings. They are user files, so they may not load anything or run scripts.
const DRAWING_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// GET or HEAD.
    Get,
    Post,
    Delete,
    /// Any other method, which no address supports.
    Other,
}

impl Method {
    pub fn names(self) -> &'static str {
        match self {
            Method::Get => "GET, HEAD",
            Method::Post => "POST",
            Method::Delete => "DELETE",
            Method::Other => "",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    /// `true` for HEAD requests. The response is the same as for GET, but without the body.
    pub head_only: bool,
    pub path: String,
    pub query: Vec<(String, String)>,
    pub host: Option<String>,
    /// The `Origin` header, which names the site of the page that sent the request.
    pub origin: Option<String>,
    /// The `Sec-Fetch-Site` header, which describes how that site is related to this server.
    pub fetch_site: Option<String>,
    pub body: Vec<u8>,
}

/// The status code and the reason for refusing a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused(pub u16, pub String);

#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    kind: &'static str,
    policy: &'static str,
    /// The name and the value of another header.
    header: Option<(&'static str, String)>,
    pub body: Cow<'static, [u8]>,
}

/// Refuses a request with invalid input.
pub fn invalid(reason: impl ToString) -> Refused {
    Refused(422, reason.to_string())
}

fn refused<T>(status: u16, reason: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(status, reason.into()))
}

/// Reads a request. Returns `None` if the connection was closed before the request started.
pub fn read_request(stream: &mut impl Read) -> Result<Option<Request>, Refused> {
    let mut bytes = Vec::new();
    let end = loop {
        let before = bytes.len();
        if read_some(stream, &mut bytes)? == 0 {
            return if bytes.is_empty() { Ok(None) } else { refused(400, "the request headers are incomplete") };
        }
        if let Some(end) = end_of_head(&bytes, before).filter(|&end| end <= MAX_HEAD) {
            break end;
        }
        if bytes.len() > MAX_HEAD {
            return refused(431, format!("the headers are too large: must be at most {MAX_HEAD} bytes"));
        }
    };
    let (mut request, length) = parse_head(&bytes[..end])?;
    while bytes.len() < end + length {
        if read_some(stream, &mut bytes)? == 0 {
            return refused(400, "the body is shorter than its Content-Length");
        }
    }
    request.body = bytes[end..end + length].to_vec();
    Ok(Some(request))
}

fn read_some(stream: &mut impl Read, bytes: &mut Vec<u8>) -> Result<usize, Refused> {
    let mut chunk = [0; 8 * 1024];
    loop {
        match stream.read(&mut chunk) {
            Ok(count) => {
                bytes.extend_from_slice(&chunk[..count]);
                return Ok(count);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock) => {
                return refused(408, "the request took too long");
            }
            Err(error) => return refused(400, format!("failed to read the request: {error}")),
        }
    }
}

/// Returns the position of the end of the headers, if it has been received. The bytes before `before` have already been
/// searched.
fn end_of_head(bytes: &[u8], before: usize) -> Option<usize> {
    let start = before.saturating_sub(3);
    let ends = |end: &[u8]| bytes[start..].windows(end.len()).position(|window| window == end).map(|at| at + end.len());
    [ends(b"\r\n\r\n"), ends(b"\n\n")].into_iter().flatten().min().map(|end| start + end)
}

/// Parses the request line and the headers. Returns the request without its body and the length of the body.
fn parse_head(head: &[u8]) -> Result<(Request, usize), Refused> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(head) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) => return refused(400, "the request headers are incomplete"),
        Err(httparse::Error::TooManyHeaders) => {
            return refused(431, format!("too many headers: must be at most {MAX_HEADERS}"));
        }
        Err(error) => return refused(400, format!("invalid request: {error}")),
    }
    let (method, head_only) = match parsed.method.unwrap_or_default() {
        "GET" => (Method::Get, false),
        "HEAD" => (Method::Get, true),
        "POST" => (Method::Post, false),
        "DELETE" => (Method::Delete, false),
        _ => (Method::Other, false),
    };
    let target = parsed.path.unwrap_or_default();
    if !target.starts_with('/') {
        return refused(400, "invalid target: expected a path starting with /");
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let one = |name: &str| one_header(parsed.headers, name);
    if one("transfer-encoding")?.is_some() {
        return refused(411, "transfer encodings are not supported; use Content-Length");
    }
    let length = match one("content-length")? {
        None => 0,
        Some(text) if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) => {
            return refused(400, "invalid Content-Length");
        }
        Some(text) => match text.parse() {
            Ok(length) if length <= MAX_BODY => length,
            _ => return refused(413, format!("the body is too large: must be at most {MAX_BODY} bytes")),
        },
    };
    let request = Request {
        method,
        head_only,
        path: path.to_owned(),
        query: form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        host: one("host")?,
        origin: one("origin")?,
        fetch_site: one("sec-fetch-site")?,
        body: Vec::new(),
    };
    Ok((request, length))
}

/// Returns the value of a header that must not occur more than once.
fn one_header(headers: &[httparse::Header<'_>], name: &str) -> Result<Option<String>, Refused> {
    let mut found = headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
    let first = found.next().map(|header| std::str::from_utf8(header.value).map(|value| value.trim().to_owned()));
    match (first.transpose(), found.next()) {
        (Ok(value), None) => Ok(value),
        _ => refused(400, format!("invalid header {name}: must be valid UTF-8 and occur only once")),
    }
}

impl Request {
    /// Returns the same request with another value of a parameter.
    pub fn with(&self, name: &str, value: &str) -> Request {
        let others = self.query.iter().filter(|(other, _)| other != name).cloned();
        let query = others.chain([(name.to_owned(), value.to_owned())]).collect();
        Request { query, ..self.clone() }
    }

    /// Returns the same request with the last value of each of these parameters and no others. A name that ends with a dot
    /// is a prefix.
    pub fn only(&self, known: &[&str]) -> Request {
        let is_last = |i: usize| self.query[i + 1..].iter().all(|(name, _)| *name != self.query[i].0);
        let kept = (0..self.query.len()).filter(|&i| is_known(&self.query[i].0, known) && is_last(i));
        Request { query: kept.map(|i| self.query[i].clone()).collect(), ..self.clone() }
    }

    pub fn query_text(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.query).finish()
    }

    /// Returns the last query value with the given name, unless it is empty.
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.query.iter().rev().find(|(key, _)| key == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    /// Checks that the query has no other names than these, each at most once. A name that ends with a dot is a prefix.
    ///
    /// # Errors
    /// Returns the message for the client.
    pub fn check_names(&self, known: &[&str]) -> Result<(), String> {
        for (i, (name, _)) in self.query.iter().enumerate() {
            let shown: String = name.chars().take(60).collect();
            if !is_known(name, known) {
                let known =
                    if known.is_empty() { "this address has none" } else { &expected(name, known.iter().copied()) };
                return Err(format!("unknown parameter '{shown}'; {known}"));
            }
            if self.query[..i].iter().any(|(other, _)| other == name) {
                return Err(format!("the parameter '{shown}' is given twice"));
            }
        }
        Ok(())
    }

    /// Returns the query values whose names start with a prefix, with the rest of the names.
    pub fn prefixed<'r>(&'r self, prefix: &'r str) -> impl Iterator<Item = (&'r str, &'r str)> {
        self.query.iter().filter_map(move |(key, value)| Some((key.strip_prefix(prefix)?, value.as_str())))
    }

    /// Returns the changes to rules as `key=value`.
    pub fn assignments(&self) -> Result<Vec<String>, String> {
        let sets = self.prefixed(SET).map(|(key, value)| (key, value.trim())).filter(|(_, value)| !value.is_empty());
        let sets: Vec<String> = sets.map(|(key, value)| format!("{key}={value}")).collect();
        match sets.len() {
            0..=MAX_SETS => Ok(sets),
            _ => Err(format!("more than {MAX_SETS} rules are changed")),
        }
    }

    /// Returns `true` if the request uses the API. Its errors are JSON rather than pages.
    pub fn is_api(&self) -> bool {
        self.path.starts_with("/api/") || self.path.ends_with(CURVES_DATA)
    }
}

fn is_known(name: &str, known: &[&str]) -> bool {
    known.iter().any(|it| name == *it || it.ends_with('.') && name.starts_with(it))
}

impl Response {
    pub fn new(status: u16, kind: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Response {
        Response { status, kind, policy: PAGE_POLICY, header: None, body: body.into() }
    }

    pub fn json(status: u16, value: &Value) -> Response {
        Response::new(status, "application/json", format!("{value:#}\n").into_bytes())
    }

    pub fn error(status: u16, reason: &str) -> Response {
        Response::json(status, &json!({ "error": plain_words(reason) }))
    }

    /// Creates a response with a user file, which must not load anything or run scripts.
    pub fn file(kind: &'static str, bytes: Vec<u8>) -> Response {
        Response { policy: DRAWING_POLICY, ..Response::new(200, kind, bytes) }
    }

    /// Gives the file the name to save it under, which is the last part of a plain path. Browsers show texts and JSON and
    /// save other files.
    pub fn named(self, path: &str) -> Response {
        let is_shown = self.kind.starts_with("text/plain") || self.kind == "application/json";
        let (way, name) = (if is_shown { "inline" } else { "attachment" }, path.rsplit('/').next().unwrap_or(path));
        self.with_header("Content-Disposition", format!("{way}; filename=\"{name}\""))
    }

    pub fn with_header(self, name: &'static str, value: String) -> Response {
        Response { header: Some((name, value)), ..self }
    }

    pub fn write(&self, head_only: bool, stream: &mut impl Write) -> io::Result<()> {
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
             Content-Security-Policy: {}\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cache-Control: no-cache\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n",
            self.status,
            phrase(self.status),
            self.kind,
            self.body.len(),
            self.policy
        );
        let header = self.header.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let mut bytes = (head + &header.collect::<String>() + "\r\n").into_bytes();
        if !head_only {
            bytes.extend_from_slice(&self.body);
        }
        stream.write_all(&bytes)?;
        stream.flush()
    }
}

pub fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        421 => "Misdirected Request",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            (buffer[0], self.0) = (*first, rest);
            Ok(1)
        }
    }

    fn status(text: &str) -> u16 {
        read_request(&mut text.as_bytes()).err().map_or(200, |Refused(status, _)| status)
    }

    #[test]
    fn a_request_is_read_in_any_pieces() {
        let text =
            "POST /api/x?hand=As+Kd&hand=%37c&way= HTTP/1.1\r\nHost: localhost\r\ncontent-length: 3\r\n\r\nabcdef";
        for request in [read_request(&mut text.as_bytes()), read_request(&mut Slow(text.as_bytes()))] {
            let request = request.unwrap().unwrap();
            assert_eq!(
                (request.method, request.path.as_str(), &request.body[..]),
                (Method::Post, "/api/x", &b"abc"[..])
            );
            assert_eq!((request.value("hand"), request.value("way"), request.is_api()), (Some("7c"), None, true));
            assert_eq!(request.host.as_deref(), Some("localhost"));
        }
        assert!(read_request(&mut &b""[..]).unwrap().is_none());
    }

    #[test]
    fn invalid_requests_are_refused() {
        for (expected, text) in [
            (400, "GET / HTTP/1.1\r\nHost"),
            (400, "\0\0\r\n\r\n"),
            (400, "GET http://elsewhere/ HTTP/1.1\r\n\r\n"),
            (400, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
            (400, "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n"),
            (400, "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc"),
            (411, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
            (413, "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n"),
            (413, "POST / HTTP/1.1\r\nContent-Length: 262145\r\n\r\n"),
        ] {
            assert_eq!(status(text), expected, "{text:?}");
        }
        assert_eq!(status(&format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "a".repeat(20_000))), 431);
        assert_eq!(status(&format!("GET / HTTP/1.1\r\n{}\r\n", "X: a\r\n".repeat(65))), 431);
        assert_eq!(status("GET / HTTP/1.1\nHost: a\n\n"), 200);
    }
}
