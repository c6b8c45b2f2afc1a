//! Buffering the classes of a pass on disk until they can be written in order.
//!
//! A pass visits the classes by their ranks and on all threads, but rows are sorted by class index. Holding all classes
//! in memory would take more than a gigabyte, so each class becomes a record in its row group, and each group is
//! buffered in small pieces that are appended to an unnamed file. Each thread needs [`PIECE`] bytes of memory per
//! group. The file is deleted when the process ends.

use houseway_env::cards::classes::Classes;
use houseway_env::pai_gow::{Setting, settings_in};
use houseway_exact::pai_gow::whole::{ClassCounts, Play};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of classes in a row group.
pub(super) const GROUP: usize = 1 << 16;
/// The number of bytes that a thread buffers per group.
const PIECE: usize = 1 << 15;

pub struct Spill<'a> {
    /// The strategy for the column `way`, unless it is the enumerated one.
    way: Option<Play<'a>>,
    /// All groups' buffers, by thread.
    buffers: Vec<Mutex<Vec<Vec<u8>>>>,
    file: Mutex<Groups>,
    failure: Mutex<Option<io::Error>>,
    /// A flag that stops the pass. It is set when a write fails.
    stop: &'a AtomicBool,
}

/// The file, and the positions of each group's pieces in it.
pub(super) struct Groups {
    file: File,
    end: u64,
    pub(super) of_group: Vec<Vec<(u64, usize)>>,
}

pub(super) struct Record {
    /// The index of the class in its group.
    pub(super) place: usize,
    /// The setting chosen by the strategy.
    pub(super) way: u8,
    /// The legal settings, as a bit set.
    pub(super) legal: u32,
    /// The wins and losses of each legal setting.
    pub(super) counts: Vec<(u32, u32)>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // If a thread panics, the process ends, so poisoning can be ignored.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Spill<'a> {
    pub(super) fn new(folder: &Path, way: Option<Play<'a>>, stop: &'a AtomicBool) -> io::Result<Spill<'a>> {
        let groups = Classes::seven().len().div_ceil(GROUP);
        let file = Groups { file: tempfile::tempfile_in(folder)?, end: 0, of_group: vec![vec![]; groups] };
        // Add one for a caller outside the thread pool.
        let threads = rayon::current_num_threads() + 1;
        let buffers = (0..threads).map(|_| Mutex::new(vec![Vec::new(); groups])).collect();
        Ok(Spill { way, buffers, file: Mutex::new(file), failure: Mutex::new(None), stop })
    }

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

    pub(super) fn into_groups(self) -> io::Result<Groups> {
        let mut file = self.file.into_inner().unwrap_or_else(PoisonError::into_inner);
        for buffers in self.buffers {
            for (group, mut buffer) in
                buffers.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().enumerate()
            {
                file.push(group, &mut buffer)?;
            }
        }
        Ok(file)
    }

    /// Writes these classes. An error stops the pass.
    pub(crate) fn put(&self, classes: &[ClassCounts], settings: &[Setting]) {
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

impl Groups {
    fn push(&mut self, group: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        if !bytes.is_empty() {
            self.file.write_all(bytes)?;
            self.of_group[group].push((self.end, bytes.len()));
            self.end += bytes.len() as u64;
            bytes.clear();
        }
        Ok(())
    }

    /// Calls `visit` with every class in a group, in no particular order.
    pub(super) fn read(&mut self, group: usize, mut visit: impl FnMut(Record)) -> io::Result<()> {
        let mut bytes = vec![];
        for (start, len) in std::mem::take(&mut self.of_group[group]) {
            bytes.resize(len, 0);
            self.file.seek(SeekFrom::Start(start))?;
            self.file.read_exact(&mut bytes)?;
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

fn array<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (first, rest) = bytes.split_first_chunk().expect("records are whole");
    *bytes = rest;
    *first
}
