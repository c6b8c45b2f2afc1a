//! Tests for the bundled paytables.

use houseway_env::paytable::{Bet, Paytable};
use houseway_env::{asian_stud, joker_seven, pai_gow, ultimate_holdem};
use std::path::Path;

/// Reads all paytables for a bet, both by name and from the files in a folder.
fn check<B: Bet>(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("paytables").join(folder);
    let files = folder.read_dir().unwrap().count();
    assert_eq!((files, Paytable::<B>::built_in().count()), (B::PAYTABLES.len(), B::PAYTABLES.len()));
    for (name, _) in B::PAYTABLES {
        let table = Paytable::<B>::load(name).unwrap();
        assert_eq!(table.name(), *name);
        assert!(!table.title().is_empty() && !table.source().is_empty(), "{name}");
        let file = folder.join(format!("{name}.toml"));
        assert_eq!(Paytable::<B>::load(file.to_str().unwrap()).unwrap(), table);
    }
    assert_eq!(Paytable::<B>::default().name(), B::PAYTABLES[0].0);
}

#[test]
fn paytables_are_read_by_name_and_by_path() {
    check::<pai_gow::Jokolor>("pai-gow-poker");
    check::<ultimate_holdem::TableBet>("ultimate-holdem");
    check::<joker_seven::LayoutBet>("joker-seven");
    check::<asian_stud::PokerBet>("asian-stud");
}
