// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Memory of the program with holes, and connections that are lost under an operation.

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

use super::*;
use crate::transfer::Blocks;

/// Memory that begins with writable pages, then read-only ones, then a hole; and the bytes of each part.
struct Holes(*mut u8, usize);

impl Holes {
    fn new(pages: usize) -> Self {
        let bytes = pages * rustix::param::page_size();
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping, not used otherwise.
        let start = unsafe { mmap_anonymous(std::ptr::null_mut(), 3 * bytes, access, MapFlags::PRIVATE) };
        let start = start.unwrap().cast::<u8>();
        // SAFETY: the second part of it.
        unsafe { mprotect(start.wrapping_add(bytes).cast(), bytes, MprotectFlags::READ) }.unwrap();
        // SAFETY: its third part, which no reference points to.
        unsafe { munmap(start.wrapping_add(2 * bytes).cast(), bytes) }.unwrap();
        Self(start, bytes)
    }

    /// Returns the start of a copy of `bytes` with its second half in the first part that fails.
    fn before(&self, is_put: bool, bytes: usize) -> *mut u8 {
        self.0.wrapping_add(if is_put { 2 * self.1 } else { self.1 } - bytes / 2)
    }
}

impl Drop for Holes {
    fn drop(&mut self) {
        // SAFETY: the cases are over.
        let _ = unsafe { munmap(self.0.cast(), 2 * self.1) };
    }
}

#[test]
#[cfg_attr(miri, ignore = "has no holes")]
fn local_memory_with_holes_is_refused_before_anything_is_sent() {
    let bed = Bed::new();
    for pages in [1, 3, 300] {
        let holes = Holes::new(pages);
        let mut there = vec![1_u8; 2 * holes.1];
        for bytes in [8, holes.1, 2 * holes.1] {
            for is_put in [true, false] {
                let (local, far) = (holes.before(is_put, bytes), far(there.as_mut_ptr()));
                let (src, dst) = if is_put { (local, far) } else { (far, local) };
                let piece = Piece { src, dst, bytes: bytes as u64 };
                for until in [Until::Started, Until::Reusable, Until::Done] {
                    let error = bed.copy(piece, until).unwrap_err();
                    assert_eq!(error.kind(), Kind::InvalidParam, "{error}");
                    assert_eq!(error.fact("address"), Some(&*format!("{local:p}")), "{error}");
                }
                let good = Piece { bytes: 4, ..piece };
                // SAFETY: missing memory is refused.
                let batch = |pieces: &[Piece]| unsafe {
                    copy(&bed.space, &bed.lane, &rcu::read_lock(), pieces, Mode::Sync)
                };
                for number in [0, 1, 7] {
                    let pieces: Vec<Piece> =
                        (0..9).map(|at| if at == number { piece } else { good }).collect();
                    let error = batch(&pieces).unwrap_err();
                    let element = number.to_string();
                    assert_eq!((error.kind(), error.fact("element")), (Kind::InvalidParam, Some(&*element)));
                }
                assert_eq!(bed.fake.taken().len(), 0);
                batch(&[good; 9]).unwrap();
                bed.copy(good, Until::Done).unwrap();
                assert_eq!(bed.fake.taken().len(), 2);
            }
        }
        // A read-only source is read.
        bed.copy(
            Piece { src: holes.before(true, 0).wrapping_sub(8), dst: far(there.as_mut_ptr()), bytes: 8 },
            Until::Done,
        )
        .unwrap();
        assert_eq!((bed.fake.taken().len(), there[0]), (1, 0));
    }
}

#[test]
#[cfg_attr(miri, ignore = "has no holes")]
fn blocks_signals_and_old_values_with_holes_are_refused() {
    let (bed, holes) = (Bed::new(), Holes::new(2));
    let (mut there, mut word) = ([0_u8; 64], 3_u64);
    let (section, at) = (rcu::read_lock(), (&raw mut word).addr() as u64 + FAR);
    for is_put in [true, false] {
        let (local, far) = (holes.before(is_put, 24), far(there.as_mut_ptr()));
        let (src, dst) = if is_put { (local.cast_const(), far) } else { (far.cast_const(), local) };
        let blocks = Blocks { src, dst, block_bytes: 8, count: 2, src_stride: 16, dst_stride: 16 };
        // SAFETY: missing memory is refused.
        let copied = unsafe { bed.lane.copy_blocks(&bed.space, &section, &blocks, Until::Done) };
        let error = copied.unwrap_err();
        assert_eq!((error.kind(), error.fact("block")), (Kind::InvalidParam, Some("1")), "{error}");
        // SAFETY: the first block is mapped.
        unsafe { bed.lane.copy_blocks(&bed.space, &section, &Blocks { count: 1, ..blocks }, Until::Done) }
            .unwrap();
    }
    assert_eq!(bed.fake.taken(), ["other", "other"]);
    let piece = Piece { src: holes.before(true, 8), dst: far(there.as_mut_ptr()), bytes: 8 };
    let signal = Signal { address: at, kind: SignalKind::Set, value: 5, width: Width::W64 };
    // SAFETY: missing memory is refused.
    let signalled = unsafe { bed.lane.put_signal(&bed.space, &section, &piece, signal, Until::Done) };
    assert_eq!(signalled.unwrap_err().kind(), Kind::InvalidParam);
    let add = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
    for old in [holes.before(false, 0), holes.before(true, 8)] {
        // SAFETY: as above.
        let changed = unsafe { bed.lane.change(&bed.space, &section, at, add, old, Until::Started) };
        assert_eq!(changed.unwrap_err().kind(), Kind::InvalidParam);
    }
    assert_eq!((bed.fake.taken().len(), word), (0, 3));
}

type Run<'a> = &'a dyn Fn(&Bed) -> Result<()>;

#[test]
fn reads_are_retried_after_a_lost_connection_unlike_changes() {
    let (from, mut to, mut word) = ([7; 8], [0; 8], 3_u64);
    let at = (&raw mut word).addr() as u64 + FAR;
    let atomic = |bed: &Bed, kind| {
        let atomic = Atomic { kind, width: Width::W64, operand: 1, compare: 0 };
        bed.lane.atomic(&bed.space, &rcu::read_lock(), at, atomic).map(|_| ())
    };
    let get = |there: &[u8; 8], here: &mut [u8; 8]| Piece {
        src: far(there.as_ptr().cast_mut()),
        dst: here.as_mut_ptr(),
        bytes: 8,
    };
    // SAFETY: the buffers are above.
    let batch = |bed: &Bed, pieces: &[Piece]| unsafe {
        copy(&bed.space, &bed.lane, &rcu::read_lock(), pieces, Mode::Sync)
    };
    let (reading, writing) = (get(&from, &mut to), put(&from, &mut to));
    let reads: [Run<'_>; 3] =
        [&|bed| bed.copy(reading, Until::Done), &|bed| batch(bed, &[reading; 3]), &|bed| {
            atomic(bed, AtomicKind::Fetch)
        }];
    let changes: [Run<'_>; 3] =
        [&|bed| bed.copy(writing, Until::Done), &|bed| batch(bed, &[reading, writing]), &|bed| {
            atomic(bed, AtomicKind::Swap)
        }];
    for (all, is_read) in [(reads, true), (changes, false)] {
        for run in all {
            let bed = Bed::new();
            bed.fake.interrupted.store(1, Ordering::Relaxed);
            let done = run(&bed);
            assert_eq!(done.is_ok(), is_read, "{done:?}");
            // A path on which every connection is lost ends reads as well.
            bed.fake.interrupted.store(100, Ordering::Relaxed);
            let error = run(&bed).unwrap_err();
            assert_eq!((error.kind(), error.retry_class()), (Kind::Timeout, mf_base::Retry::AtOnce));
        }
    }
}
