//! All classes of a count, put by on disk until they can be written in their order.
//!
//! A count hands out classes by their ranks, on all threads, and rows stand in the order of the classes' indices. All of
//! them at once would take more than a gigabyte of memory. So each class goes as a record to the group of rows that it
//! belongs to; groups are buffered in small pieces, which go one after the other into a file without a name. The memory
//! is [`PIECE`] bytes for each group and thread, whatever the order of the classes; the file is gone with the process.

use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::{Setting, settings_in};
use houseway_exact::pai_gow::matchup::ClassSink;
use houseway_exact::pai_gow::whole::{Chooser, ClassCounts};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Classes of a group of rows.
pub(super) const GROUP: usize = 1 << 16;
/// Bytes of a group that a thread gathers before they go to disk.
const PIECE: usize = 1 << 15;

/// Classes on their way to disk.
pub(super) struct Spill<'a> {
    /// What sets the hands for the column of the strategy, if it is not what is counted.
    way: Option<Box<dyn Chooser + 'a>>,
    /// For each thread the buffers of all groups.
    buffers: Vec<Mutex<Vec<Vec<u8>>>>,
    file: Mutex<Pieces>,
    failure: Mutex<Option<io::Error>>,
    /// Raised when the disk fails, so that the count stops.
    stop: &'a AtomicBool,
}

/// The file, and where the pieces of each group lie in it.
struct Pieces {
    file: File,
    end: u64,
    of_group: Vec<Vec<(u64, usize)>>,
}

/// One class as it comes back.
pub(super) struct Record {
    /// Its place in its group.
    pub(super) place: usize,
    /// The setting of the strategy.
    pub(super) way: u8,
    /// The settings that are no fouls.
    pub(super) legal: u32,
    /// Wins and losses of each legal setting.
    pub(super) counts: Vec<(u32, u32)>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A thread that panics takes the process with it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Spill<'a> {
    /// Classes of which each group will be asked for later. The file lies in `folder`.
    pub(super) fn new(
        folder: &Path,
        way: Option<Box<dyn Chooser + 'a>>,
        stop: &'a AtomicBool,
    ) -> io::Result<Spill<'a>> {
        let groups = Classes::seven().len().div_ceil(GROUP);
        let file = Pieces { file: tempfile::tempfile_in(folder)?, end: 0, of_group: vec![vec![]; groups] };
        // One more for a caller outside of the pool.
        let threads = rayon::current_num_threads() + 1;
        let buffers = (0..threads).map(|_| Mutex::new(vec![Vec::new(); groups])).collect();
        Ok(Spill { way, buffers, file: Mutex::new(file), failure: Mutex::new(None), stop })
    }

    /// Why the disk failed, if it did.
    pub(super) fn failure(&self) -> Option<io::Error> {
        lock(&self.failure).take()
    }

    fn put_record(&self, buffers: &mut [Vec<u8>], class: &ClassCounts, way: Setting) -> io::Result<()> {
        let index = Classes::seven().index(class.hand.set());
        let (group, place) = (index / GROUP, index % GROUP);
        let buffer = &mut buffers[group];
        buffer.extend((place as u16).to_le_bytes());
        buffer.push(way.index() as u8);
        buffer.extend(class.legal.to_le_bytes());
        for setting in settings_in(class.legal) {
            buffer.extend(class.wins[setting.index()].to_le_bytes());
            buffer.extend(class.losses[setting.index()].to_le_bytes());
        }
        if buffer.len() < PIECE {
            return Ok(());
        }
        lock(&self.file).push(group, buffer)
    }

    /// All records are there: the groups can be read.
    pub(super) fn into_groups(self) -> io::Result<Groups> {
        let mut file = self.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        for buffers in self.buffers {
            for (group, mut buffer) in
                buffers.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().enumerate()
            {
                file.push(group, &mut buffer)?;
            }
        }
        Ok(Groups(file))
    }
}

impl ClassSink for Spill<'_> {
    fn put(&self, classes: &[ClassCounts], settings: &[Setting]) {
        let of_way = self.way.as_ref().map(|way| way.choose(classes));
        let thread = rayon::current_thread_index().map_or(0, |index| index + 1);
        let mut buffers = lock(&self.buffers[thread]);
        for (class, &setting) in classes.iter().zip(of_way.as_deref().unwrap_or(settings)) {
            if let Err(error) = self.put_record(&mut buffers, class, setting) {
                lock(&self.failure).get_or_insert(error);
                self.stop.store(true, Ordering::Relaxed);
                return;
            }
        }
    }
}

impl Pieces {
    fn push(&mut self, group: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        if !bytes.is_empty() {
            self.file.write_all(bytes)?;
            self.of_group[group].push((self.end, bytes.len()));
            self.end += bytes.len() as u64;
            bytes.clear();
        }
        Ok(())
    }
}

/// The groups of a count that is through.
pub(super) struct Groups(Pieces);

impl Groups {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.of_group.len()
    }

    /// Calls `visit` with every class of a group, in no fixed order.
    pub(super) fn read(&mut self, group: usize, mut visit: impl FnMut(Record)) -> io::Result<()> {
        let mut bytes = vec![];
        for (start, len) in std::mem::take(&mut self.0.of_group[group]) {
            bytes.resize(len, 0);
            self.0.file.seek(SeekFrom::Start(start))?;
            self.0.file.read_exact(&mut bytes)?;
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                visit(Record::take(&mut rest));
            }
        }
        Ok(())
    }
}

impl Record {
    fn take(bytes: &mut &[u8]) -> Record {
        let place = u16::from_le_bytes(array(bytes)).into();
        let [way] = array(bytes);
        let legal = u32::from_le_bytes(array(bytes));
        let mut number = || u32::from_le_bytes(array(bytes));
        let counts = (0..legal.count_ones()).map(|_| (number(), number())).collect();
        Record { place, way, legal, counts }
    }
}

/// The first bytes, which are taken away.
fn array<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (first, rest) = bytes.split_first_chunk().expect("records are whole");
    *bytes = rest;
    *first
}
