// SPDX-License-Identifier: Apache-2.0 OR MIT
//! [`Memory`] over the host window of a pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::time::{Duration, SystemTime};

use mf_base::sync::rcu::{self, ReadSection};
use mf_base::{Error, Gva, Kind, MemKind, Rank, Result};
use mf_device::Access;
use mf_device::engine::Piece;
use mf_fabric::pool::{Pages, Pool, Side};
use mf_fabric::space::{PoolPlace, Presence};
use mf_fabric::transfer::Mode;
use mf_transport::{Atomic, AtomicKind, Width};

use crate::atomic_fields::Spot;
use crate::memory::{Memory, Source, Target};

/// Turns of a wait in which the thread only yields its core.
const YIELDS: u32 = 32;

pub(crate) struct PoolMemory {
    pool: Arc<Pool>,
    /// Start of each rank's segment.
    starts: Box<[Gva]>,
}

impl PoolMemory {
    /// Wraps a joined pool.
    ///
    /// # Errors
    /// `InvalidParam` the pool has no host window.
    pub(crate) fn new(pool: Arc<Pool>) -> Result<Self> {
        let world = pool.layout().shape().world;
        let starts = (0..world).map(|rank| pool.address(MemKind::Host, Rank(rank))).collect::<Result<_>>()?;
        Ok(Self { pool, starts })
    }

    /// Returns the address of a place, if it is valid.
    pub(crate) fn address(&self, at: Spot) -> Option<Gva> {
        self.starts.get(usize::from(at.rank)).map(|start| start.add(at.offset))
    }

    fn find(&self, at: Spot) -> Result<Gva> {
        self.address(at)
            .ok_or_else(|| Error::new(Kind::NotConnected, "cache").what("no such rank").with("rank", at.rank))
    }

    /// # Safety
    /// The local end is valid for its length.
    unsafe fn copy(&self, piece: Piece, sides: (Side, Side)) -> Result<()> {
        if piece.bytes == 0 {
            return Ok(());
        }
        // SAFETY: the copy ends with the call; the caller vouches for its own end.
        unsafe { self.pool.copy(&rcu::read_lock(), piece, sides, Mode::Sync) }
    }

    /// Returns the address of `count` words, if the processor reaches them; valid during the section.
    #[inline]
    fn words(&self, section: ReadSection<'_>, at: Spot, count: usize, access: Access) -> Option<*mut u64> {
        let place = PoolPlace { kind: MemKind::Host, rank: Rank(u32::from(at.rank)), offset: at.offset };
        let is_whole = at.offset.is_multiple_of(8);
        let start = self.pool.mapped_address(section, place, 8 * count as u64, access).filter(|_| is_whole);
        start.map(|start| start.as_ptr().cast())
    }

    /// Changes a word by an atomic instruction, or lets its owner do so.
    #[inline]
    fn change(&self, at: Spot, here: impl FnOnce(&AtomicU64) -> u64, there: Atomic) -> Result<u64> {
        let section = rcu::read_lock();
        if let Some(word) = self.words(section.section(), at, 1, Access::Write) {
            // SAFETY: aligned, and mapped as long as the section lasts; others change it by atomic
            // instructions, too.
            return Ok(here(unsafe { AtomicU64::from_ptr(word) }));
        }
        self.pool.atomic(&section, self.find(at)?, there)
    }
}

/// Prefetches a line; does nothing on processors without an intrinsic for it.
#[inline]
fn prefetch(word: *const u64) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        #[allow(unused_unsafe, reason = "a prefetch is unsafe in the oldest Rust that we support")]
        // SAFETY: a prefetch reads nothing that the program sees and never faults.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(word.cast());
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = word;
}

const fn atomic(kind: AtomicKind, operand: u64, compare: u64) -> Atomic {
    Atomic { kind, width: Width::W64, operand, compare }
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
        let swap = |word: &AtomicU64| {
            let (done, or_not) = (Ordering::SeqCst, Ordering::SeqCst);
            word.compare_exchange(old, new, done, or_not).unwrap_or_else(|now| now)
        };
        self.change(at, swap, atomic(AtomicKind::CompareSwap, new, old))
    }

    fn add(&self, at: Spot, value: u64) -> Result<()> {
        let add = |word: &AtomicU64| word.fetch_add(value, Ordering::SeqCst);
        self.change(at, add, atomic(AtomicKind::Add, value, 0)).map(drop)
    }

    fn fetch(&self, at: Spot, to: Target<'_>) -> Result<()> {
        let piece = Piece { src: self.find(at)?.as_ptr(), dst: to.start(), bytes: to.bytes() };
        // SAFETY: the target is writable as long as it lives.
        let copied = unsafe { self.copy(piece, (Side::Global, Side::Local)) };
        // Acquire: pairs with the release of a member that changes the state after it wrote these bytes: the
        // next read comes after.
        fence(Ordering::Acquire);
        copied
    }

    fn send(&self, from: Source<'_>, at: Spot) -> Result<()> {
        // Release: pairs with the acquire of a member that reads this: it sees all earlier writes.
        fence(Ordering::Release);
        let piece = Piece { src: from.start(), dst: self.find(at)?.as_ptr(), bytes: from.bytes() };
        // SAFETY: the source is readable as long as it lives.
        unsafe { self.copy(piece, (Side::Local, Side::Global)) }
    }

    fn populate(&self, at: Spot, bytes: u64, makes: bool) -> Result<()> {
        let place = PoolPlace { kind: MemKind::Host, rank: Rank(u32::from(at.rank)), offset: at.offset };
        self.pool.populate(place, bytes, if makes { Pages::AsOwn } else { Pages::Ordinary }).map(drop)
    }

    #[inline]
    fn prefetch(&self, at: Spot) {
        let section = rcu::read_lock();
        if let Some(word) = self.words(section.section(), at, 1, Access::Read) {
            prefetch(word);
        }
    }

    fn now(&self) -> u64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_micros()).unwrap_or(0)
    }

    #[inline]
    fn load(&self, at: Spot) -> Result<u64> {
        self.load_all(at).map(|[word]| word)
    }

    #[inline]
    fn load_all<const N: usize>(&self, at: Spot) -> Result<[u64; N]> {
        let section = rcu::read_lock();
        let Some(first) = self.words(section.section(), at, N, Access::Read) else {
            let mut words = [[0; 8]; N];
            self.read(at, words.as_flattened_mut())?;
            return Ok(words.map(u64::from_ne_bytes));
        };
        // SAFETY: aligned, and mapped as long as the section lasts; others change it by whole words.
        let word = |index| unsafe { AtomicU64::from_ptr(first.wrapping_add(index)) };
        let words = std::array::from_fn(|index| word(index).load(Ordering::Relaxed));
        // As in `fetch`.
        fence(Ordering::Acquire);
        Ok(words)
    }

    #[inline]
    fn store(&self, at: Spot, word: u64) -> Result<()> {
        self.store_all(at, [word])
    }

    #[inline]
    fn store_all<const N: usize>(&self, at: Spot, words: [u64; N]) -> Result<()> {
        let section = rcu::read_lock();
        let Some(first) = self.words(section.section(), at, N, Access::Write) else {
            return self.write(at, words.map(u64::to_ne_bytes).as_flattened());
        };
        // As in `send`.
        fence(Ordering::Release);
        for (index, new) in words.into_iter().enumerate() {
            // SAFETY: aligned, and mapped as long as the section lasts; others change it by whole words.
            let word = unsafe { AtomicU64::from_ptr(first.wrapping_add(index)) };
            word.store(new, Ordering::Relaxed);
        }
        Ok(())
    }

    fn pause(&self, turn: u32) {
        match turn {
            0..YIELDS => std::thread::yield_now(),
            _ => std::thread::sleep(Duration::from_micros(100)),
        }
    }
}
