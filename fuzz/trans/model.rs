// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registrations and memory contents of two endpoints of this process: a trivial model.

use std::collections::VecDeque;
use std::ptr::with_exposed_provenance;

/// Bytes that the program has from the beginning to the end.
pub const ARENA: usize = 8192;

/// A piece of a transfer: local address, remote address, bytes.
pub type Piece = (u64, u64, u64);

/// Memory that may be named in calls that succeed.
struct Block {
    start: u64,
    /// Contents.
    bytes: Vec<u8>,
    /// The endpoint that has allocated it; none: the program's own.
    owner: Option<usize>,
}

/// A registered range, with the number of its merged registrations.
struct Range {
    start: u64,
    end: u64,
    run: usize,
}

/// Blocks, ranges and notifications of both endpoints.
pub struct Model {
    blocks: Vec<Block>,
    ranges: [Vec<Range>; 2],
    runs: usize,
    /// Sender and message of what each was notified of.
    pub inboxes: [VecDeque<(usize, Vec<u8>)>; 2],
}

/// True if a transfer of these pieces is refused before anything else is done.
pub fn is_malformed(pieces: &[Piece]) -> bool {
    let is_bad = |&(local, remote, bytes): &Piece| {
        let is_over = local.checked_add(bytes).is_none() || remote.checked_add(bytes).is_none();
        local == 0 || remote == 0 || bytes == 0 || is_over
    };
    pieces.is_empty() || pieces.iter().any(is_bad)
}

fn do_meet(one: (u64, u64), other: (u64, u64)) -> bool {
    one.0 < other.0.saturating_add(other.1) && other.0 < one.0.saturating_add(one.1)
}

impl Model {
    /// Nothing is registered; the program has `arena`.
    pub fn new(arena: u64) -> Self {
        let (ranges, inboxes) = Default::default();
        let mut model = Self { blocks: Vec::new(), ranges, runs: 0, inboxes };
        model.add(arena, ARENA, None);
        model
    }

    fn add(&mut self, start: u64, bytes: usize, owner: Option<usize>) {
        self.blocks.push(Block { start, bytes: vec![0; bytes], owner });
        self.sync();
    }

    /// The block of a number: the first is the program's own.
    pub fn block(&self, number: usize) -> (u64, u64) {
        let block = &self.blocks[number % self.blocks.len()];
        (block.start, block.bytes.len() as u64)
    }

    /// True if a range lies in one block, in which `endpoint` may register it: memory must stay as long as it
    /// is registered.
    pub fn may_register(&self, endpoint: usize, start: u64, bytes: u64) -> bool {
        self.holder(start, bytes).is_some_and(|block| block.owner.is_none_or(|owner| owner == endpoint))
    }

    /// True if all of a range is memory of the program.
    pub fn is_memory(&self, start: u64, bytes: u64) -> bool {
        self.holder(start, bytes).is_some()
    }

    fn holder(&self, start: u64, bytes: u64) -> Option<&Block> {
        let end = start.checked_add(bytes)?;
        self.blocks.iter().find(|block| start >= block.start && end <= block.start + block.bytes.len() as u64)
    }

    // ---- registrations ----

    /// `endpoint` has allocated memory of zeroes.
    pub fn allocated(&mut self, endpoint: usize, start: u64, bytes: usize) {
        self.add(start, bytes, Some(endpoint));
        assert!(self.blocks.last().is_some_and(|block| block.bytes.iter().all(|byte| *byte == 0)));
        self.register(endpoint, &[(start, bytes as u64)]);
    }

    /// Frees memory; true if `endpoint` had allocated it.
    pub fn free(&mut self, endpoint: usize, start: u64) -> bool {
        let is_it = |block: &Block| block.start == start && block.owner == Some(endpoint);
        let Some(place) = self.blocks.iter().position(is_it) else { return false };
        let block = self.blocks.remove(place);
        let within = start..start + block.bytes.len() as u64;
        self.ranges[endpoint].retain(|range| !within.contains(&range.start));
        true
    }

    /// Allocated blocks.
    pub fn allocations(&self) -> impl Iterator<Item = (usize, u64)> {
        self.blocks.iter().filter_map(|block| Some((block.owner?, block.start)))
    }

    /// Registers ranges (start and bytes) of one call.
    pub fn register(&mut self, endpoint: usize, ranges: &[(u64, u64)]) {
        let mut sorted: Vec<(u64, u64)> =
            ranges.iter().map(|(start, bytes)| (*start, start + bytes)).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut last = 0;
        for (start, end) in sorted {
            // Of several that begin where one ends, the first continues it.
            self.runs += usize::from(start != last);
            self.ranges[endpoint].push(Range { start, end, run: self.runs });
            last = end;
        }
        self.runs += 1;
    }

    /// Withdraws what begins there; whether anything did.
    pub fn withdraw(&mut self, endpoint: usize, start: u64) -> bool {
        let before = self.ranges[endpoint].len();
        self.ranges[endpoint].retain(|range| range.start != start);
        self.ranges[endpoint].len() < before
    }

    /// Starts of an endpoint's ranges.
    pub fn starts(&self, endpoint: usize) -> Vec<u64> {
        self.ranges[endpoint].iter().map(|range| range.start).collect()
    }

    /// True if all of a range lies inside one that `endpoint` has registered.
    pub fn covers(&self, endpoint: usize, start: u64, bytes: u64) -> bool {
        let Some(wanted) = start.checked_add(bytes) else { return false };
        let ranges = &self.ranges[endpoint];
        let reaches = |first: &Range| {
            if start < first.start || start >= first.end {
                return false;
            }
            let mut end = first.end;
            while let Some(next) = ranges.iter().find(|next| next.run == first.run && next.start == end) {
                end = next.end;
            }
            wanted <= end
        };
        ranges.iter().any(reaches)
    }

    // ---- what lies there ----

    /// Applies a call's writes to the model (`is_done`: all of them, else any part), and compares all bytes
    /// of the program with the model.
    pub fn check(&mut self, pieces: &[Piece], is_write: bool, is_done: bool) {
        let targets: Vec<(u64, u64)> = pieces.iter().map(|piece| Self::target(piece, is_write)).collect();
        let sources = pieces.iter().map(|piece| Self::target(piece, !is_write));
        let is_exact = sources.clone().all(|source| targets.iter().all(|target| !do_meet(source, *target)))
            && (1..targets.len()).all(|at| targets[..at].iter().all(|target| !do_meet(*target, targets[at])));
        let new: Vec<Vec<u8>> = sources.map(|source| self.read(source)).collect();
        for ((target, _), new) in targets.iter().zip(new) {
            for (at, byte) in (*target..).zip(new) {
                // SAFETY: memory of the program, unchanged meanwhile.
                let there = unsafe { with_exposed_provenance::<u8>(at as usize).read() };
                let Some(known) = self.byte(at) else { panic!("{at:#x} is no memory") };
                let is_right = there == byte || !is_done && there == *known;
                assert!(!is_exact || is_right, "{there} at {at:#x}, and not {byte}, or {known} before");
                *known = there;
            }
        }
        self.compare();
    }

    /// A range may have any contents now.
    pub fn accept(&mut self, start: u64, bytes: u64) {
        for at in start..start + bytes {
            // SAFETY: memory of the program, unchanged meanwhile.
            let there = unsafe { with_exposed_provenance::<u8>(at as usize).read() };
            *self.byte(at).expect("memory of the program") = there;
        }
    }

    fn target((local, remote, bytes): &Piece, is_write: bool) -> (u64, u64) {
        (if is_write { *remote } else { *local }, *bytes)
    }

    fn byte(&mut self, at: u64) -> Option<&mut u8> {
        let of =
            |block: &mut Block| at.checked_sub(block.start).is_some_and(|at| at < block.bytes.len() as u64);
        let block = self.blocks.iter_mut().find_map(|block| of(block).then_some(block))?;
        block.bytes.get_mut((at - block.start) as usize)
    }

    fn read(&mut self, (start, bytes): (u64, u64)) -> Vec<u8> {
        (start..start + bytes).map(|at| *self.byte(at).expect("memory of the program")).collect()
    }

    /// No byte of the program is another than it must be.
    pub fn compare(&self) {
        for block in &self.blocks {
            // SAFETY: memory of the program, unchanged meanwhile.
            let there: &[u8] = unsafe {
                std::slice::from_raw_parts(with_exposed_provenance(block.start as usize), block.bytes.len())
            };
            assert!(there == block.bytes, "a call has written where it may not");
        }
    }

    /// Compares the program's memory with the model.
    fn sync(&mut self) {
        let Some(block) = self.blocks.last_mut() else { return };
        for (at, byte) in (block.start..).zip(&mut block.bytes) {
            // SAFETY: memory of the program, unchanged meanwhile.
            *byte = unsafe { with_exposed_provenance::<u8>(at as usize).read() };
        }
    }
}
