//! Tests for the bundled paytables.

use houseway_env::paytable::{Bet, Paytable};
use houseway_env::{asian_stud, joker_seven, pai_gow, pai_gow_tiles, ultimate_holdem};
use std::path::Path;

/// Reads all paytables for a bet, both by name and from the files in a folder.
fn check<B: Bet>(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("paytables").join(folder);
    let files = folder.read_dir().unwrap().count();
    let (all, plain) = (B::PAYTABLES.len() + B::SPECIAL.len(), B::PAYTABLES.len());
    assert_eq!((files, Paytable::<B>::built_in().count()), (all, plain));
    for (name, _) in B::PAYTABLES {
        let table = Paytable::<B>::load(name).unwrap();
        assert_eq!(table.name(), *name);
        assert!(!table.title().is_empty() && !table.source().is_empty(), "{name}");
        let file = folder.join(format!("{name}.toml"));
        assert_eq!(Paytable::<B>::load(file.to_str().unwrap()).unwrap(), table);
    }
    // Environments refuse terms that they don't settle.
    for (name, _) in B::SPECIAL {
        let table = Paytable::<B>::load_bet(name).unwrap();
        assert_eq!(table.name(), *name);
        let error = Paytable::<B>::load(name).unwrap_err().to_string();
        assert!(error.contains(table.special_terms()[0]) && error.contains("houseway side-bet"), "{error}");
        assert!(serde_json::from_value::<Paytable<B>>(serde_json::json!(name)).is_err());
    }
    assert_eq!(Paytable::<B>::default().name(), B::PAYTABLES[0].0);
}

#[test]
fn paytables_are_read_by_name_and_by_path() {
    check::<pai_gow::PaidHand>("pai-gow-poker");
    check::<ultimate_holdem::PaidHand>("ultimate-holdem");
    check::<joker_seven::WagerKind>("joker-seven");
    check::<asian_stud::PokerBet>("asian-stud");
    check::<pai_gow_tiles::PaidHand>("pai-gow-tiles");
}
