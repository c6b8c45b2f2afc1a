//! Lists of words in sentences.

/// Joins words with commas and a final "and".
pub fn and_list(words: &[String]) -> String {
    match words {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_follows_and() {
        for (words, list) in
            [(vec![], ""), (vec!["a"], "a"), (vec!["a", "b"], "a and b"), (vec!["a", "b", "c"], "a, b and c")]
        {
            assert_eq!(and_list(&words.into_iter().map(str::to_owned).collect::<Vec<_>>()), list);
        }
    }
}
