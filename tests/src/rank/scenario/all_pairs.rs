// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Every rank puts to, gets from and copies between all ranks, in rounds in which no rank disturbs another.
//!
//! In round k rank r writes to rank r + k, then copies that data on to rank r + 2k + 1. Both are
//! permutations, so each segment has one writer at a time, and its owner knows the expected data. The lower
//! half of a segment is put to, the upper half copied to. Pieces lie at odd distances; the bytes between them
//! must stay zero.

use mf_base::{Gva, MemKind, Rank};
use mf_smem::bm::{Context, Pool};
use mf_tests::{Failure, pattern};

const SIZES: [usize; 21] =
    [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 255, 4095, 4097, 65537, 262_143, 700_001, 1 << 20];
const LARGEST: usize = 8 << 20;
/// Bytes between two pieces.
const GAP: usize = 3;

struct Round<'a> {
    pool: &'a Pool,
    world: u32,
    number: u32,
    kind: MemKind,
    sizes: Vec<usize>,
}

/// `large`: in so many of the rounds a piece of 8 MiB is moved, too.
pub(super) fn run(context: &Context, pool: &Pool, large: u64) -> Result<(), Failure> {
    let (me, world) = (pool.rank().0, context.world_size());
    for number in 0..world {
        for kind in MemKind::ALL {
            let mut sizes = SIZES.to_vec();
            if kind == MemKind::Host && u64::from(number) < large {
                sizes.push(LARGEST);
            }
            let round = Round { pool, world, number, kind, sizes };
            let barrier = |step: &str| context.barrier(&format!("{number} {kind} {step}"), world);
            round.put_and_get(me)?;
            barrier("put")?;
            round.check(me, round.writer_to(me), 0)?;
            round.copy_on(me)?;
            barrier("copied")?;
            round.check(me, round.copier_to(me), pool.local_bytes(kind) / 2)?;
            barrier("checked")?;
        }
    }
    Ok(())
}

impl Round<'_> {
    fn target_of(&self, rank: u32) -> u32 {
        (rank + self.number) % self.world
    }

    fn second_target_of(&self, rank: u32) -> u32 {
        (rank + 2 * self.number + 1) % self.world
    }

    fn writer_to(&self, rank: u32) -> u32 {
        (0..self.world).find(|writer| self.target_of(*writer) == rank).unwrap()
    }

    fn copier_to(&self, rank: u32) -> u32 {
        (0..self.world).find(|writer| self.second_target_of(*writer) == rank).unwrap()
    }

    /// Offset and size of each piece.
    fn pieces(&self) -> impl Iterator<Item = (u64, usize)> {
        let mut offset = 1;
        self.sizes.iter().map(move |size| {
            let piece = (offset as u64, *size);
            offset += size + GAP;
            piece
        })
    }

    fn seed(&self, writer: u32, size: usize) -> u64 {
        (u64::from(writer) << 40) + (u64::from(self.number) << 32) + size as u64
    }

    fn at(&self, rank: u32, offset: u64) -> Result<Gva, Failure> {
        Ok(self.pool.address(self.kind, Rank(rank))?.add(offset))
    }

    fn put_and_get(&self, me: u32) -> Result<(), Failure> {
        let target = self.target_of(me);
        for (offset, size) in self.pieces() {
            let content = pattern::stream(self.seed(me, size), size);
            self.pool.put(&content, self.at(target, offset)?)?;
            let mut back = vec![0; size];
            self.pool.get(self.at(target, offset)?, &mut back)?;
            if back != content {
                return Err(self.wrong(&format!("{size} bytes come back otherwise from rank {target}")));
            }
        }
        Ok(())
    }

    fn copy_on(&self, me: u32) -> Result<(), Failure> {
        let half = self.pool.local_bytes(self.kind) / 2;
        for (offset, size) in self.pieces() {
            let from = self.at(self.target_of(me), offset)?;
            self.pool.copy(from, self.at(self.second_target_of(me), half + offset)?, size as u64)?;
        }
        Ok(())
    }

    /// Checks the own memory from `base` on: the pieces are `writer`'s, and between them is nothing.
    fn check(&self, me: u32, writer: u32, base: u64) -> Result<(), Failure> {
        let mut end = 0;
        for (offset, size) in self.pieces() {
            let gap = usize::try_from(offset - end).unwrap();
            let mut found = vec![0xff; gap + size];
            self.pool.get(self.at(me, base + end)?, &mut found)?;
            if found[..gap].iter().any(|byte| *byte != 0) {
                return Err(self.wrong(&format!("something was written before offset {offset}")));
            }
            if let Some(at) = pattern::mismatch(self.seed(writer, size), &found[gap..]) {
                return Err(self.wrong(&format!("byte {at} of {size} of rank {writer} is wrong")));
            }
            end = offset + size as u64;
        }
        Ok(())
    }

    fn wrong(&self, what: &str) -> Failure {
        Failure::wrong(format!("round {}, {} memory: {what}", self.number, self.kind))
    }
}
