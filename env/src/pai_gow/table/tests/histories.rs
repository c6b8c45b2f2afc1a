//! Tests that histories are verified and that interrupted histories keep their finished rounds.

use super::*;
use crate::gym::{HistoryError, Verified};

#[test]
fn histories_are_verified() {
    let header = |table: &Table| HistoryHeader::new(table, 5.into(), serde_json::json!({ "note": "test" }));
    let new = || {
        Table::new(setup(rules(&["time-steps=2", "uncovered-bets=lose"])), &[3_000, 2_000, 0, 500, 8_000, 50]).unwrap()
    };
    let mut table = new();
    let mut writer = HistoryWriter::new(vec![], &header(&table)).unwrap();
    let mut players: Players = std::array::from_fn(|seat| Some(Player::random((seat as u64).into())));
    let mut rng = stream(5.into());
    for _ in 0..60 {
        assert!(play_round(&mut table, &mut players, &mut rng).unwrap());
        writer.write(&RoundRecord::new(&table)).unwrap();
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    let verify = |text: &str| {
        HistoryReader::read(text.as_bytes()).and_then(|history| history.verify(&mut new(), &mut Players::default()))
    };
    assert_eq!(verify(&text).unwrap(), Verified { rounds: 60, closed: true });
    let broken = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        verify(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(broken("\"round\":7", "\"round\":8").contains("round"));
    assert!(broken("\"format\":2", "\"format\":1").contains("the history has format 1, expected 2"));
    assert!(broken("\"throws\":1", "\"throws\":3").contains("/throws is recorded as 3"));
    assert!(broken("\"commission\":1", "\"commission\":7").contains("commission"));
    assert!(broken("\"outcome\":\"win\"", "\"outcome\":\"loss\"").contains("/outcome is recorded as \"loss\""));
    assert!(broken("\"moves\"", "\"move\"").starts_with("line 2"));
    assert!(broken("3000,2000", "3000,2001").contains("bankrolls"));
    assert!(verify("").unwrap_err().to_string().starts_with("the history is empty"));
    let mut other = Table::new(setup(rules(&["time-steps=3"])), &[3_000]).unwrap();
    let other = HistoryReader::read(text.as_bytes()).unwrap().verify(&mut other, &mut Players::default());
    assert!(matches!(other, Err(HistoryError::OtherRules { .. })));
    assert!(broken("\"note\":\"test\"", "\"note\":\"rest\"").contains("checksum in the footer"));
    assert!(
        broken("\"end\":{\"rounds\":60", "\"end\":{\"rounds\":61")
            .contains("records 61 rounds, but the history contains 60")
    );
    assert!(broken("\"end\"", "\"bend\"").starts_with("line 62"));
    let lines: Vec<&str> = text.lines().collect();
    let without_last = [&lines[..60], &lines[61..]].concat().join("\n") + "\n";
    assert!(verify(&without_last).unwrap_err().to_string().contains("records 60 rounds, but the history contains 59"));
    for more in ["{}\n", "{", &text] {
        let error = verify(&(text.clone() + more)).unwrap_err().to_string();
        assert!(error.starts_with("line 63 follows the footer"), "{error}");
    }
    let endless = lines[0].to_owned() + "\n" + &" ".repeat(1 << 20);
    assert!(verify(&endless).unwrap_err().to_string().contains("longer than 1 MB"));
}

/// Checks that a history can be read up to its last complete line, no matter where it is cut.
#[test]
fn interrupted_histories_are_readable() {
    let setup = setup(rules(&[]));
    let table = || Table::new(Arc::clone(&setup), &[900, 800]).unwrap();
    let mut played = table();
    let players = || -> Players { std::array::from_fn(|seat| Some(Player::random((seat as u64).into()))) };
    let (mut rng, mut own) = (stream(9.into()), players());
    let header = HistoryHeader::new(&played, 9.into(), serde_json::Value::Null);
    let mut text = vec![];
    let mut writer = HistoryWriter::new(&mut text, &header).unwrap();
    for _ in 0..3 {
        assert!(play_round(&mut played, &mut own, &mut rng).unwrap());
        writer.write(&RoundRecord::new(&played)).unwrap();
    }
    writer.finish().unwrap();
    for end in 0..text.len() {
        let whole = text[..end].iter().filter(|&&byte| byte == b'\n').count() as u64;
        let verified =
            HistoryReader::read(&text[..end]).and_then(|history| history.verify(&mut table(), &mut players()));
        match verified {
            Ok(verified) => assert_eq!(verified, Verified { rounds: whole - 1, closed: false }),
            Err(error) => assert!(whole == 0 && error.to_string().starts_with("the history is empty"), "{error}"),
        }
    }
    // Players with another seed choose other moves.
    let mut others: Players = std::array::from_fn(|_| Some(Player::random(77.into())));
    let error = HistoryReader::read(&text[..]).unwrap().verify(&mut table(), &mut others).unwrap_err().to_string();
    assert!(error.contains("its player 'random' plays"), "{error}");
}
