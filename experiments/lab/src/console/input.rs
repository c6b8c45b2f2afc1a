//! Lines of standard input.

use std::io::{self, BufRead, Read};

/// The maximum length of a line in bytes. Longer input isn't text for a command, and would fill the memory.
const MAX_LINE: u64 = 10_000;

/// Returns the lines of standard input, without their ends. A line that is too long or isn't UTF-8 gives an error with its
/// number, and ends the input.
pub fn input_lines() -> impl Iterator<Item = io::Result<String>> {
    lines_of(io::stdin().lock())
}

fn lines_of(mut input: impl BufRead) -> impl Iterator<Item = io::Result<String>> {
    let (mut number, mut has_ended) = (0, false);
    std::iter::from_fn(move || {
        if has_ended {
            return None;
        }
        number += 1;
        let line = next_line(&mut input, number).transpose();
        has_ended = !matches!(line, Some(Ok(_)));
        line
    })
}

fn next_line(input: &mut impl BufRead, number: usize) -> io::Result<Option<String>> {
    let wrong =
        |what: &str| io::Error::new(io::ErrorKind::InvalidData, format!("standard input: line {number} {what}"));
    let mut line = vec![];
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
        return Err(wrong(&format!("has more than {MAX_LINE} bytes")));
    }
    let text = String::from_utf8(line).map_err(|_| wrong("isn't UTF-8"))?;
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Result<String, String>> {
        lines_of(input).map(|line| line.map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn lines_are_read_without_their_ends() {
        assert_eq!(lines(b"a\n\nb c\r\nd"), ["a", "", "b c", "d"].map(|line| Ok(line.to_owned())));
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn endless_and_damaged_lines_end_the_input() {
        let endless = std::io::repeat(b'A').take(1 << 40);
        let found: Vec<_> = lines_of(io::BufReader::new(endless)).collect();
        assert!(found.len() == 1 && found[0].as_ref().unwrap_err().to_string().contains("line 1 has more than 10000"));
        let found = lines(b"good\nb\xe9d\nmore\n");
        assert_eq!(found, [Ok("good".to_owned()), Err("standard input: line 2 isn't UTF-8".to_owned())]);
    }
}
