// SPDX-License-Identifier: Apache-2.0 OR MIT
//! One rank of the demonstration.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use mf_base::settings::settings;
use mf_base::{Error, Gva, Kind, MemKind, Rank, Result};
use mf_smem::bm::{Config, Context, Pool, PoolOptions};
use mf_store::Lifetime;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::message::{Message, Row};
use super::plan::{BlockPlace, Plan};
use super::{OPERATION, figures};
use crate::members::wait_for_end;

/// Longest wait for the other ranks.
const TIMEOUT: Duration = Duration::from_secs(600);
/// Progress is reported in steps of so many bytes.
const STEP_BYTES: u64 = 4 << 20;
/// Set by the rank that came when it has joined.
const CAME: &str = "demo/came";

/// Work of a rank of the demonstration.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(super) file: String,
    pub(super) bytes: u64,
    pub(super) ranks: u32,
    /// Join in place of the rank that left.
    pub(super) newcomer: bool,
    /// Serve the store and nothing else.
    pub(super) store_only: bool,
}

/// Does all that this rank has to do.
pub(crate) fn main(args: &Task) -> Result<()> {
    let plan = Plan::new(args.bytes, args.ranks);
    let config = Config::new(&settings()?.store_url, args.ranks);
    if args.store_only {
        let store = Context::init(config.start_store_only(true))?;
        Message::Progress { bytes: 0 }.send()?;
        wait_for_end();
        store.shutdown();
        return Ok(());
    }
    // Any rank may leave, so none of them serves the store.
    let config = config.start_store(false).init_timeout(TIMEOUT).control_timeout(TIMEOUT);
    let ctx = Context::init(config)?;
    let pool = ctx.create(PoolOptions::new(0).host(plan.segment_bytes()))?;
    pool.join()?;
    let mut demo = Demo {
        row: Row { rank: ctx.rank().0, process: std::process::id(), ..Row::default() },
        digests: Vec::new(),
        untold: 0,
        block: vec![0; usize::try_from(plan.block_bytes()).map_err(|error| failed("block").source(error))?],
        ctx,
        pool,
        plan,
    };
    if args.newcomer { demo.take_over() } else { demo.work(Path::new(&args.file)) }
}

struct Demo {
    ctx: Context,
    pool: Pool,
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
        let own = self.ctx.rank();
        let started = Instant::now();
        self.meet("joined")?;
        if own == Rank(0) {
            self.spread(file)?;
            self.note(&format!("rank 0 put the file into {} segments", self.plan.ranks()), started)?;
        }
        self.meet("spread")?;
        self.fetch_digests()?;
        let started = Instant::now();
        if own != Rank(0) || self.plan.ranks() == 1 {
            self.compare_whole(|plan, block| plan.home(block))?;
        }
        self.meet("read")?;
        if own == Rank(0) {
            self.note("the others read all of it and compared SHA-256", started)?;
        }
        let started = Instant::now();
        for block in self.blocks(|plan, block| plan.mover(block) == own) {
            self.move_block(block, self.plan.home(block), self.plan.moved(block))?;
        }
        self.meet("moved")?;
        for block in self.blocks(|plan, block| plan.home(block).rank == own) {
            self.compare(block, self.plan.moved(block))?;
        }
        self.meet("compared")?;
        if own == Rank(0) {
            self.note("every block moved to another rank and was compared", started)?;
        }
        self.figures_in_turn()?;
        match self.plan.leaver() {
            Some(leaver) if leaver == own => return self.leave(),
            Some(_) => self.read_during_change()?,
            None => {}
        }
        self.last_look(own == Rank(0), "stayed")
    }

    /// Moves the own blocks away and leaves.
    fn leave(&mut self) -> Result<()> {
        let own = self.ctx.rank();
        for block in self.blocks(|plan, block| plan.moved(block).rank == own) {
            if let Some(refuge) = self.plan.temporary_place(block) {
                self.move_block(block, self.plan.moved(block), refuge)?;
            }
        }
        self.meet("refuge")?;
        self.report(true)?;
        self.count_held();
        self.row.part = "left".to_owned();
        self.pool.leave()?;
        self.pool.destroy();
        self.ctx.shutdown();
        Message::Figures(self.row.clone()).send()?;
        Message::Left { rank: own.0 }.send()
    }

    /// Goes on reading while one rank leaves and another comes.
    fn read_during_change(&mut self) -> Result<()> {
        let own = self.ctx.rank();
        self.meet("refuge")?;
        let guests = self.blocks(|plan, block| plan.temporary_place(block).is_some());
        let end = Instant::now() + TIMEOUT;
        let mut passes = 0u32;
        while self.ctx.store()?.get(CAME)?.is_none() {
            for &block in &guests {
                if let Some(place) = self.plan.temporary_place(block) {
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
        self.meet("came")?;
        self.meet("returned")?;
        self.meet("figures came")
    }

    /// The joining rank: takes over the blocks of the leaver.
    fn take_over(&mut self) -> Result<()> {
        let own = self.ctx.rank();
        let text = format!("a new process (pid {}) joined as rank {own}", std::process::id());
        Message::Note { text }.send()?;
        self.ctx.store()?.set(CAME, b"1", Lifetime::Permanent)?;
        self.meet("came")?;
        self.fetch_digests()?;
        for block in self.blocks(|plan, block| plan.temporary_place(block).is_some()) {
            if let Some(refuge) = self.plan.temporary_place(block) {
                self.move_block(block, refuge, self.plan.moved(block))?;
            }
        }
        self.meet("returned")?;
        self.measure()?;
        self.meet("figures came")?;
        self.last_look(true, "came")
    }

    /// Reads the whole file once more, delivers the figures and waits for the end.
    fn last_look(&mut self, compare: bool, part: &str) -> Result<()> {
        let started = Instant::now();
        if compare {
            self.compare_whole(|plan, block| plan.moved(block))?;
        }
        self.meet("end")?;
        if self.ctx.rank() == Rank(0) {
            self.note("the file is whole where it lies now", started)?;
        }
        self.report(true)?;
        self.count_held();
        self.row.part = part.to_owned();
        Message::Figures(self.row.clone()).send()?;
        wait_for_end();
        self.pool.destroy();
        self.ctx.shutdown();
        Ok(())
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
            self.pool.put(bytes, self.address(self.plan.home(block))?)?;
            self.progress(length)?;
        }
        if file.read(&mut [0u8; 1]).map_err(|error| changed().source(error))? != 0 {
            return Err(changed());
        }
        digests[..32].copy_from_slice(&whole.finalize());
        self.pool.put(&digests, self.address(self.plan.digests())?)
    }

    fn fetch_digests(&mut self) -> Result<()> {
        let bytes =
            usize::try_from(self.plan.digests_bytes()).map_err(|error| failed("digests").source(error))?;
        let mut list = vec![0u8; bytes];
        self.pool.get(self.address(self.plan.digests())?, &mut list)?;
        self.digests = list.as_chunks::<32>().0.to_vec();
        Ok(())
    }

    /// Reads every block from its place and compares it and the whole.
    fn compare_whole(&mut self, place: fn(&Plan, u64) -> BlockPlace) -> Result<()> {
        let mut whole = Sha256::new();
        for block in 0..self.plan.blocks() {
            let length = self.compare(block, place(&self.plan, block))?;
            whole.update(&self.block[..length]);
        }
        if self.digests.first().is_some_and(|digest| digest[..] == whole.finalize()[..]) {
            return Ok(());
        }
        Err(failed("MISMATCH: the file that was read is not the file that was put")
            .with("rank", self.ctx.rank()))
    }

    /// Reads a block and compares it; returns its length and leaves it in `self.block`.
    fn compare(&mut self, block: u64, place: BlockPlace) -> Result<usize> {
        let length = self.read(block, place)?;
        self.progress(length)?;
        Ok(length)
    }

    fn read(&mut self, block: u64, place: BlockPlace) -> Result<usize> {
        let length = self.length(block);
        // Data of an earlier block must not pass for this block.
        self.block[..length].fill(0);
        let address = self.address(place)?;
        self.pool.get(address, &mut self.block[..length])?;
        let expected = usize::try_from(block).ok().and_then(|block| self.digests.get(block + 1));
        if expected.is_none_or(|digest| digest[..] != Sha256::digest(&self.block[..length])[..]) {
            return Err(failed("MISMATCH: a block that was read is not the block that was put")
                .with("block", block)
                .with("held_by", place.rank)
                .with("offset", place.offset)
                .with("read_by", self.ctx.rank()));
        }
        self.row.compared_bytes += length as u64;
        Ok(length)
    }

    fn move_block(&mut self, block: u64, from: BlockPlace, to: BlockPlace) -> Result<()> {
        let length = self.length(block);
        self.pool.copy(self.address(from)?, self.address(to)?, length as u64)?;
        self.progress(length)
    }

    /// Every rank measures while the others wait.
    fn figures_in_turn(&mut self) -> Result<()> {
        for rank in 0..self.plan.ranks() {
            if Rank(rank) == self.ctx.rank() {
                self.measure()?;
            }
            self.meet(&format!("figures {rank}"))?;
        }
        Ok(())
    }

    fn measure(&mut self) -> Result<()> {
        let next = Rank((self.ctx.rank().0 + 1) % self.plan.ranks());
        let there = self.address(BlockPlace { rank: next, offset: self.plan.scratch_offset() })?;
        figures::measure(&self.pool, there, self.block.len(), &mut self.row)
    }

    fn count_held(&mut self) {
        let own = self.ctx.rank();
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

    fn address(&self, place: BlockPlace) -> Result<Gva> {
        Ok(self.pool.address(MemKind::Host, place.rank)?.add(place.offset))
    }

    /// Waits for all ranks.
    fn meet(&self, step: &str) -> Result<()> {
        self.ctx.barrier(&format!("demo/{step}"), self.plan.ranks())
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

fn failed(what: &str) -> Error {
    Error::new(Kind::Failed, OPERATION).what(what)
}
