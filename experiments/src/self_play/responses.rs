//! The EV that learned responses lose, stored so that a run can be resumed.

use houseway_lab::run::{make_folder, read_inside, write_atomic};
use std::io;
use std::path::Path;

/// The name of the file.
const FILE: &str = "responses.csv";
const HEADER: &str = "round,player,banker";

/// The EV that each response loses compared with the best response to the same average, by round and side.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Responses(Vec<[f64; 2]>);

impl Responses {
    /// Reads the responses of the first `rounds` rounds from a folder. Returns `None` if any of them is missing.
    pub(super) fn read(folder: &Path, rounds: u32) -> Option<Responses> {
        if rounds == 0 {
            return Some(Responses::default());
        }
        let text = read_inside(folder, FILE).ok()?;
        let row = |line: &str| {
            let (_, regrets) = line.split_once(',')?;
            let (player, banker) = regrets.split_once(',')?;
            Some([player.parse().ok()?, banker.parse().ok()?])
        };
        let lines = text.lines().skip(1).take(rounds as usize).map(row);
        let regrets: Vec<[f64; 2]> = lines.collect::<Option<_>>()?;
        let is_complete = regrets.len() == rounds as usize && regrets.iter().flatten().all(|regret| regret.is_finite());
        is_complete.then_some(Responses(regrets))
    }

    /// Adds a response. The file is written when both sides have responded.
    pub(super) fn put(&mut self, folder: &Path, round: u32, side: usize, regret: f64) -> io::Result<()> {
        self.0.resize(round as usize + 1, [f64::NAN; 2]);
        self.0[round as usize][side] = regret;
        if side == 0 {
            return Ok(());
        }
        let row = |(i, [player, banker]): (usize, &[f64; 2])| format!("{},{player},{banker}\n", i + 1);
        let rows: String = self.0.iter().enumerate().map(row).collect();
        make_folder(folder)?;
        write_atomic(&folder.join(FILE), format!("{HEADER}\n{rows}"))
    }

    /// Returns the EV lost by the player's and the banker's response in each round.
    pub(super) fn into_regrets(self) -> Vec<[f64; 2]> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finished_rounds_are_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut responses = Responses::default();
        let regrets = [[0.1, 1e-7], [0.25, 1.0 / 3.0]];
        for (round, regrets) in regrets.iter().enumerate() {
            for side in [0, 1] {
                responses.put(folder.path(), round as u32, side, regrets[side]).unwrap();
            }
        }
        assert_eq!(Responses::read(folder.path(), 2), Some(Responses(regrets.to_vec())));
        // A round that isn't finished is played again.
        responses.put(folder.path(), 2, 0, 0.5).unwrap();
        let mut read = Responses::read(folder.path(), 1).unwrap();
        assert_eq!(read, Responses(regrets[..1].to_vec()));
        read.put(folder.path(), 1, 0, 0.5).unwrap();
        read.put(folder.path(), 1, 1, 0.5).unwrap();
        assert_eq!(Responses::read(folder.path(), 2).unwrap().into_regrets(), [[0.1, 1e-7], [0.5, 0.5]]);
        assert_eq!(Responses::read(folder.path(), 3), None);
        std::fs::write(folder.path().join(FILE), "round,player,banker\n1,0.1,much\n").unwrap();
        assert_eq!(Responses::read(folder.path(), 1), None);
        assert_eq!(Responses::read(folder.path(), 0), Some(Responses::default()));
    }
}
