// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One rank of the demonstration.

use std::ffi::CStr;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use mf_base::settings::settings;
use mf_base::{Error, Kind, MemKind, Rank, Result};
use mf_library::abi::MFX_PERMANENT;
use mf_library::big_memory::{Job, Pool};
use mf_library::c_text;
use mf_measure::members::wait_for_end;
use mf_measure::sizes::length;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::message::{Message, Row};
use super::plan::{Place, Plan};
use super::{OPERATION, figures};

/// Longest wait for the other ranks.
const TIMEOUT: Duration = Duration::from_secs(600);
/// Progress is reported in steps of so many bytes.
const STEP_BYTES: u64 = 4 << 20;
/// Set by the rank that came when it has joined.
const CAME: &CStr = c"demo/came";

/// Work of a rank of the demonstration, in a process of its own.
#[derive(Clone, Serialize, Deserialize)]
pub struct Task {
    pub(crate) file: String,
    pub(crate) bytes: u64,
    pub(crate) ranks: u32,
    /// Join in place of the rank that left.
    pub(crate) newcomer: bool,
    /// Serve the store and nothing else.
    pub(crate) store_only: bool,
}

impl Task {
    /// Does the work of the rank.
    ///
    /// **Local.** Blocks until the rank has left the job.
    ///
    /// # Errors
    /// `Failed` a block or the file was read with a difference · `Timeout` other ranks are missing · errors
    /// of the library.
    pub fn run(&self) -> Result<()> {
        main(self)
    }
}

fn main(args: &Task) -> Result<()> {
    let plan = Plan::new(args.bytes, args.ranks);
    let url = &settings()?.store_url;
    if args.store_only {
        let _store = Job::join(url, args.ranks, 0, |config| config.start_config_store_only = 1)?;
        Message::Progress { bytes: 0 }.send()?;
        wait_for_end();
        return Ok(());
    }
    let seconds = u32::try_from(TIMEOUT.as_secs()).unwrap_or(u32::MAX);
    let job = Job::join(url, args.ranks, 0, |config| {
        // Any rank may leave, so none of them serves the store.
        config.start_config_store_server = 0;
        (config.init_timeout, config.control_operation_timeout) = (seconds, seconds);
    })?;
    let pool = job.create(0, plan.segment_bytes(), 0)?;
    pool.join()?;
    let own = Rank(job.rank());
    let mut demo = Demo {
        row: Row { rank: own.0, process: std::process::id(), ..Row::default() },
        digests: Vec::new(),
        untold: 0,
        block: vec![0; usize::try_from(plan.block_bytes()).map_err(|error| failed("block").source(error))?],
        own,
        pool: Some(pool),
        job: Some(job),
        plan,
    };
    if args.newcomer { demo.come() } else { demo.work(Path::new(&args.file)) }
}

struct Demo {
    own: Rank,
    /// Both until this rank leaves.
    pool: Option<Pool>,
    job: Option<Job>,
    plan: Plan,
    row: Row,
    /// Digest of the file, then of the blocks.
    digests: Vec<[u8; 32]>,
    /// Buffer for one block read back.
    block: Vec<u8>,
    untold: u64,
}

impl Demo {
    /// A rank that is there from the beginning.
    fn work(&mut self, file: &Path) -> Result<()> {
        let own = self.own;
        let started = Instant::now();
        self.together("joined")?;
        if own == Rank(0) {
            self.spread(file)?;
            self.note(&format!("rank 0 put the file into {} segments", self.plan.ranks()), started)?;
        }
        self.together("spread")?;
        self.fetch_digests()?;
        let started = Instant::now();
        if own != Rank(0) || self.plan.ranks() == 1 {
            self.compare_whole(|plan, block| plan.home(block))?;
        }
        self.together("read")?;
        if own == Rank(0) {
            self.note("the others read all of it and compared SHA-256", started)?;
        }
        let started = Instant::now();
        for block in self.blocks(|plan, block| plan.mover(block) == own) {
            self.move_block(block, self.plan.home(block), self.plan.moved(block))?;
        }
        self.together("moved")?;
        for block in self.blocks(|plan, block| plan.home(block).rank == own) {
            self.compare(block, self.plan.moved(block))?;
        }
        self.together("compared")?;
        if own == Rank(0) {
            self.note("every block moved to another rank and was compared", started)?;
        }
        self.figures_in_turn()?;
        match self.plan.leaver() {
            Some(leaver) if leaver == own => return self.leave(),
            Some(_) => self.stay()?,
            None => {}
        }
        self.last_look(own == Rank(0), "stayed")
    }

    /// Moves the own blocks away and leaves.
    fn leave(&mut self) -> Result<()> {
        let own = self.own;
        for block in self.blocks(|plan, block| plan.moved(block).rank == own) {
            if let Some(refuge) = self.plan.refuge(block) {
                self.move_block(block, self.plan.moved(block), refuge)?;
            }
        }
        self.together("refuge")?;
        self.report(true)?;
        self.count_held();
        self.row.part = "left".to_owned();
        joined(&self.pool)?.leave()?;
        self.end();
        Message::Figures(self.row.clone()).send()?;
        Message::Left { rank: own.0 }.send()
    }

    /// Goes on reading while one rank leaves and another comes.
    fn stay(&mut self) -> Result<()> {
        let own = self.own;
        self.together("refuge")?;
        let guests = self.blocks(|plan, block| plan.refuge(block).is_some());
        let end = Instant::now() + TIMEOUT;
        let mut passes = 0u32;
        while !joined(&self.job)?.store().has(CAME)? {
            for &block in &guests {
                if let Some(place) = self.plan.refuge(block) {
                    self.read(block, place)?;
                }
            }
            passes += 1;
            if Instant::now() > end {
                return Err(Error::new(Kind::Timeout, OPERATION)
                    .what("no new rank joined")
                    .with("waited", format!("{TIMEOUT:?}")));
            }
        }
        if own == Rank(0) {
            let text = format!(
                "meanwhile rank 0 read and compared the {} blocks that had moved {passes} times",
                guests.len()
            );
            Message::Note { text }.send()?;
        }
        self.together("came")?;
        self.together("returned")?;
        self.together("figures came")
    }

    /// The joining rank: takes over the blocks of the leaver.
    fn come(&mut self) -> Result<()> {
        let own = self.own;
        let text = format!("a new process (pid {}) joined as rank {own}", std::process::id());
        Message::Note { text }.send()?;
        joined(&self.job)?.store().set(CAME, b"1", MFX_PERMANENT)?;
        self.together("came")?;
        self.fetch_digests()?;
        for block in self.blocks(|plan, block| plan.refuge(block).is_some()) {
            if let Some(refuge) = self.plan.refuge(block) {
                self.move_block(block, refuge, self.plan.moved(block))?;
            }
        }
        self.together("returned")?;
        self.measure()?;
        self.together("figures came")?;
        self.last_look(true, "came")
    }

    /// Reads the whole file once more, delivers the figures and waits for the end.
    fn last_look(&mut self, compare: bool, part: &str) -> Result<()> {
        let started = Instant::now();
        if compare {
            self.compare_whole(|plan, block| plan.moved(block))?;
        }
        self.together("end")?;
        if self.own == Rank(0) {
            self.note("the file is whole where it lies now", started)?;
        }
        self.report(true)?;
        self.count_held();
        self.row.part = part.to_owned();
        Message::Figures(self.row.clone()).send()?;
        wait_for_end();
        self.end();
        Ok(())
    }

    /// Destroys the pool, then leaves the job.
    fn end(&mut self) {
        drop(self.pool.take());
        drop(self.job.take());
    }

    /// Cuts the file into blocks and puts each at its home; the digests go to rank 0's segment.
    fn spread(&mut self, path: &Path) -> Result<()> {
        let changed = || failed("the file changed while it was read").with("file", path.display());
        let mut file = File::open(path).map_err(|error| failed("the file cannot be read").source(error))?;
        let (mut whole, mut digests) = (Sha256::new(), vec![0u8; 32]);
        for block in 0..self.plan.blocks() {
            let length = self.length(block);
            file.read_exact(&mut self.block[..length]).map_err(|error| changed().source(error))?;
            let bytes = &self.block[..length];
            whole.update(bytes);
            digests.extend_from_slice(&Sha256::digest(bytes));
            joined(&self.pool)?.put(bytes, self.address(self.plan.home(block))?)?;
            self.progress(length)?;
        }
        if file.read(&mut [0u8; 1]).map_err(|error| changed().source(error))? != 0 {
            return Err(changed());
        }
        digests[..32].copy_from_slice(&whole.finalize());
        joined(&self.pool)?.put(&digests, self.address(self.plan.digests())?)
    }

    fn fetch_digests(&mut self) -> Result<()> {
        let bytes =
            usize::try_from(self.plan.digests_bytes()).map_err(|error| failed("digests").source(error))?;
        let mut list = vec![0u8; bytes];
        joined(&self.pool)?.get(self.address(self.plan.digests())?, &mut list)?;
        self.digests = list.as_chunks::<32>().0.to_vec();
        Ok(())
    }

    /// Reads every block from its place and compares it and the whole.
    fn compare_whole(&mut self, place: fn(&Plan, u64) -> Place) -> Result<()> {
        let mut whole = Sha256::new();
        for block in 0..self.plan.blocks() {
            let length = self.compare(block, place(&self.plan, block))?;
            whole.update(&self.block[..length]);
        }
        if self.digests.first().is_some_and(|digest| digest[..] == whole.finalize()[..]) {
            return Ok(());
        }
        Err(failed("MISMATCH: the file that was read is not the file that was put").with("rank", self.own))
    }

    /// Reads a block and compares it; returns its length and leaves it in `self.block`.
    fn compare(&mut self, block: u64, place: Place) -> Result<usize> {
        let length = self.read(block, place)?;
        self.progress(length)?;
        Ok(length)
    }

    fn read(&mut self, block: u64, place: Place) -> Result<usize> {
        let length = self.length(block);
        // Data of an earlier block must not pass for this block.
        self.block[..length].fill(0);
        let address = self.address(place)?;
        joined(&self.pool)?.get(address, &mut self.block[..length])?;
        let expected = usize::try_from(block).ok().and_then(|block| self.digests.get(block + 1));
        if expected.is_none_or(|digest| digest[..] != Sha256::digest(&self.block[..length])[..]) {
            return Err(failed("MISMATCH: a block that was read is not the block that was put")
                .with("block", block)
                .with("held_by", place.rank)
                .with("offset", place.offset)
                .with("read_by", self.own));
        }
        self.row.compared_bytes += length as u64;
        Ok(length)
    }

    fn move_block(&mut self, block: u64, from: Place, to: Place) -> Result<()> {
        let length = self.length(block);
        joined(&self.pool)?.copy(self.address(from)?, self.address(to)?, length)?;
        self.progress(length)
    }

    /// Every rank measures while the others wait.
    fn figures_in_turn(&mut self) -> Result<()> {
        for rank in 0..self.plan.ranks() {
            if Rank(rank) == self.own {
                self.measure()?;
            }
            self.together(&format!("figures {rank}"))?;
        }
        Ok(())
    }

    fn measure(&mut self) -> Result<()> {
        let next = Rank((self.own.0 + 1) % self.plan.ranks());
        let there = self.address(Place { rank: next, offset: self.plan.scratch_offset() })?;
        figures::measure(joined(&self.pool)?, there, self.block.len(), &mut self.row)
    }

    fn count_held(&mut self) {
        let own = self.own;
        let held = self.blocks(|plan, block| plan.moved(block).rank == own);
        self.row.blocks = held.len() as u64;
        self.row.bytes = held.into_iter().map(|block| self.plan.length(block)).sum();
    }

    fn blocks(&self, wanted: impl Fn(&Plan, u64) -> bool) -> Vec<u64> {
        (0..self.plan.blocks()).filter(|block| wanted(&self.plan, *block)).collect()
    }

    fn length(&self, block: u64) -> usize {
        // At most the length of the buffer, which is a block long.
        usize::try_from(self.plan.length(block)).unwrap_or(self.block.len())
    }

    fn address(&self, place: Place) -> Result<*mut u8> {
        let start = joined(&self.pool)?.address(MemKind::Host, place.rank.0)?;
        Ok(start.wrapping_add(length(place.offset)?))
    }

    /// Waits for all ranks.
    fn together(&self, step: &str) -> Result<()> {
        joined(&self.job)?.barrier(&c_text(&format!("demo/{step}"))?, self.plan.ranks(), TIMEOUT)
    }

    fn progress(&mut self, bytes: usize) -> Result<()> {
        self.untold += bytes as u64;
        self.report(false)
    }

    fn report(&mut self, all: bool) -> Result<()> {
        if self.untold < STEP_BYTES && !all {
            return Ok(());
        }
        Message::Progress { bytes: std::mem::take(&mut self.untold) }.send()
    }

    fn note(&self, text: &str, since: Instant) -> Result<()> {
        let milliseconds = mf_program::table::figure(since.elapsed().as_secs_f64() * 1e3);
        Message::Note { text: format!("{text} ({milliseconds} ms)") }.send()
    }
}

/// A pool or job, unless this rank has left it.
fn joined<T>(place: &Option<T>) -> Result<&T> {
    place.as_ref().ok_or_else(|| failed("this rank has left the pool"))
}

fn failed(what: &str) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what)
}
