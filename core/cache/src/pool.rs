// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The memory of a cache in the host window of a pool.

use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::time::{Duration, SystemTime};

use mf_base::sync::pin;
use mf_base::{Error, Gva, Kind, MemKind, Rank, Result};
use mf_fabric::engine::Piece;
use mf_fabric::pool::{Pool, Side};
use mf_fabric::space::Presence;
use mf_fabric::transfer::Mode;
use mf_fabric::transport::{Atomic, AtomicKind, Width};

use crate::memory::{Memory, Source, Target};
use crate::words::Spot;

/// Turns of a wait in which the thread only gives its core to others.
const YIELDS: u32 = 32;

pub(crate) struct PoolMemory {
    pool: Arc<Pool>,
    /// Where the segment of each rank begins.
    starts: Box<[Gva]>,
}

impl PoolMemory {
    /// # Errors
    /// `InvalidParam` the pool has no host window.
    pub(crate) fn new(pool: Arc<Pool>) -> Result<Self> {
        let world = pool.layout().shape().world;
        let starts = (0..world).map(|rank| pool.address(MemKind::Host, Rank(rank))).collect::<Result<_>>()?;
        Ok(Self { pool, starts })
    }

    /// The address of a place, and where it is mapped here.
    pub(crate) fn address(&self, at: Spot) -> Option<Gva> {
        self.starts.get(usize::from(at.rank)).map(|start| start.add(at.offset))
    }

    fn find(&self, at: Spot) -> Result<Gva> {
        self.address(at).ok_or_else(|| {
            Error::new(Kind::NotConnected, "cache").what("there is no such rank").with("rank", at.rank)
        })
    }

    /// # Safety
    /// The end that is no pool memory is valid for its length.
    unsafe fn copy(&self, piece: Piece, sides: (Side, Side)) -> Result<()> {
        if piece.bytes == 0 {
            return Ok(());
        }
        // SAFETY: the copy ends with the call; the caller vouches for its own end.
        unsafe { self.pool.copy(&pin::enter(), piece, sides, Mode::Sync) }
    }

    fn change(&self, at: Spot, kind: AtomicKind, operand: u64, compare: u64) -> Result<u64> {
        let atomic = Atomic { kind, width: Width::W64, operand, compare };
        self.pool.atomic(&pin::enter(), self.find(at)?, atomic)
    }
}

impl Memory for PoolMemory {
    fn own(&self) -> u16 {
        u16::try_from(self.pool.rank().0).unwrap_or(u16::MAX)
    }

    fn own_bytes(&self) -> u64 {
        self.pool.local_bytes(MemKind::Host)
    }

    fn members(&self) -> Vec<u16> {
        self.pool.members().into_iter().filter_map(|rank| u16::try_from(rank.0).ok()).collect()
    }

    fn is_member(&self, rank: u16) -> bool {
        self.pool.presence(Rank(u32::from(rank))) == Presence::Joined
    }

    fn is_near(&self, rank: u16) -> bool {
        self.pool.mapped(MemKind::Host, Rank(u32::from(rank))).is_some()
    }

    fn read(&self, at: Spot, into: &mut [u8]) -> Result<()> {
        // SAFETY: the destination is a slice that lives during the call.
        let target = unsafe { Target::new(into.as_mut_ptr(), into.len() as u64) };
        self.fetch(at, target)
    }

    fn write(&self, at: Spot, bytes: &[u8]) -> Result<()> {
        // SAFETY: the source is a slice that lives during the call.
        let source = unsafe { Source::new(bytes.as_ptr(), bytes.len() as u64) };
        self.send(source, at)
    }

    fn compare_swap(&self, at: Spot, old: u64, new: u64) -> Result<u64> {
        self.change(at, AtomicKind::CompareSwap, new, old)
    }

    fn add(&self, at: Spot, value: u64) -> Result<()> {
        self.change(at, AtomicKind::Add, value, 0).map(drop)
    }

    fn fetch(&self, at: Spot, to: Target<'_>) -> Result<()> {
        let piece = Piece { src: self.find(at)?.as_ptr(), dst: to.start(), bytes: to.bytes() };
        // SAFETY: the target is writable as long as it lives.
        let copied = unsafe { self.copy(piece, (Side::Global, Side::Local)) };
        // Pairs with the release of a member that changes the state of what was read: the next read comes
        // after.
        fence(Ordering::Acquire);
        copied
    }

    fn send(&self, from: Source<'_>, at: Spot) -> Result<()> {
        // Pairs with the acquire of a member that reads this: what was written before is seen then.
        fence(Ordering::Release);
        let piece = Piece { src: from.start(), dst: self.find(at)?.as_ptr(), bytes: from.bytes() };
        // SAFETY: the source is readable as long as it lives.
        unsafe { self.copy(piece, (Side::Local, Side::Global)) }
    }

    fn now(&self) -> u64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_micros()).unwrap_or(0)
    }

    fn pause(&self, turn: u32) {
        match turn {
            0..YIELDS => std::thread::yield_now(),
            _ => std::thread::sleep(Duration::from_micros(100)),
        }
    }
}
