// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Atomics.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use mf_base::Kind;
use mf_transport::{Atomic, AtomicKind, Capabilities, Completion, Operation, Remote, Width};

use crate::bed::failed;
use crate::suite::Bench;

const KINDS: [AtomicKind; 7] = [
    AtomicKind::Add,
    AtomicKind::And,
    AtomicKind::Or,
    AtomicKind::Xor,
    AtomicKind::Swap,
    AtomicKind::CompareSwap,
    AtomicKind::Fetch,
];

fn capability(width: Width) -> Capabilities {
    match width {
        Width::W32 => Capabilities::ATOMIC_32,
        Width::W64 => Capabilities::ATOMIC_64,
    }
}

fn mask(width: Width) -> u64 {
    u64::MAX >> (64 - 8 * width.bytes())
}

/// Returns the expected value afterwards.
fn model(old: u64, atomic: Atomic) -> u64 {
    let new = match atomic.kind {
        AtomicKind::Add => old.wrapping_add(atomic.operand),
        AtomicKind::And => old & atomic.operand,
        AtomicKind::Or => old | atomic.operand,
        AtomicKind::Xor => old ^ atomic.operand,
        AtomicKind::Swap => atomic.operand,
        AtomicKind::CompareSwap if old == atomic.compare & mask(atomic.width) => atomic.operand,
        AtomicKind::CompareSwap | AtomicKind::Fetch => old,
    };
    new & mask(atomic.width)
}

pub(crate) fn every_atomic_kind_matches_its_definition(bench: &Bench) {
    const VALUES: [u64; 5] = [0, 1, 0x8000_0000, u64::MAX, 0x0123_4567_89ab_cdef];
    for width in [Width::W32, Width::W64] {
        let Some(bed) = bench.bed(2, capability(width)) else { continue };
        let (here, there) = bed.pair();
        for kind in KINDS {
            for start in VALUES {
                for operand in VALUES {
                    there.segment.word(128).store(0, Ordering::SeqCst);
                    let start = start & mask(width);
                    let first = Atomic { kind: AtomicKind::Swap, width, operand: start, compare: 0 };
                    assert_eq!(here.atomic(&there, 128, first).unwrap(), 0);
                    let compare = if operand == 1 { !start } else { start };
                    let atomic = Atomic { kind, width, operand, compare };
                    let old = here.atomic(&there, 128, atomic).unwrap();
                    assert_eq!(old, start, "{atomic:?} brings what was there, zero-extended");
                    let found = there.segment.word(128).load(Ordering::SeqCst) & mask(width);
                    assert_eq!(found, model(start, atomic), "{atomic:?} of {start:#x}");
                }
            }
        }
        // The old value is not wanted.
        there.segment.word(128).store(0, Ordering::SeqCst);
        let at = Remote { key: there.key, address: there.segment.address() + 128 };
        let atomic = Atomic { kind: AtomicKind::Add, width, operand: 5, compare: 0 };
        here.run(there.peer, &Operation::Atomic { at, atomic, old: std::ptr::null_mut() }).unwrap();
        assert_eq!(there.segment.word(128).load(Ordering::SeqCst), 5);
    }
}

pub(crate) fn atomics_leave_adjacent_bytes_unchanged(bench: &Bench) {
    for width in [Width::W32, Width::W64] {
        let Some(bed) = bench.bed(2, capability(width)) else { continue };
        let (here, there) = bed.pair();
        let bytes = width.bytes() as usize;
        for at in [0, bytes, 5 * bytes, there.segment.bytes - bytes] {
            there.segment.fill(0xff);
            // Carries out of its word, if it can.
            let atomic = Atomic { kind: AtomicKind::Add, width, operand: 1, compare: 0 };
            assert_eq!(here.atomic(&there, at, atomic).unwrap(), mask(width));
            let mut expected = vec![0xff; there.segment.bytes];
            expected[at..at + bytes].fill(0);
            crate::bed::same("beside a word", &there.segment.read(0, expected.len()), &expected);
        }
        for misaligned in 1..bytes {
            let atomic = Atomic { kind: AtomicKind::Swap, width, operand: 1, compare: 0 };
            let refused = here.atomic(&there, misaligned, atomic).map(|_| ());
            failed("a misaligned atomic", refused, &[Kind::InvalidParam]);
        }
        let atomic = Atomic { kind: AtomicKind::Swap, width, operand: 1, compare: 0 };
        let refused = here.atomic(&there, there.segment.bytes, atomic).map(|_| ());
        failed("an atomic behind the segment", refused, &[Kind::InvalidParam]);
    }
}

pub(crate) fn concurrent_adds_are_all_counted(bench: &Bench) {
    const EACH: u64 = 250;
    for width in [Width::W32, Width::W64] {
        let Some(bed) = bench.bed(3, capability(width)) else { continue };
        let there = bed.end(0);
        // Two words of 32 bits in one of 64.
        let places: &[usize] = if width == Width::W32 { &[256, 260] } else { &[256] };
        let mut threads = Vec::new();
        for place in places.iter().copied() {
            for rank in [1, 1, 2, 2] {
                let (from, there) = (bed.end(rank), Arc::clone(&there));
                threads.push(std::thread::spawn(move || {
                    let atomic = Atomic { kind: AtomicKind::Add, width, operand: 1, compare: 0 };
                    let olds = (0..EACH).map(|_| from.atomic(&there, place, atomic).unwrap());
                    (place, olds.collect::<Vec<u64>>())
                }));
            }
        }
        // And the processor there, which needs no route at all.
        if width == Width::W64 {
            for _ in 0..EACH {
                there.segment.word(256).fetch_add(1, Ordering::SeqCst);
                std::thread::yield_now();
            }
        }
        let mut seen = HashSet::new();
        for thread in threads {
            let (place, olds) = thread.join().unwrap();
            assert!(olds.is_sorted(), "one caller sees the word shrink");
            for old in olds {
                assert!(seen.insert((place, old)), "two got the same old value {old}");
            }
        }
        let sum = there.segment.word(256).load(Ordering::SeqCst);
        match width {
            Width::W64 => assert_eq!(sum, 5 * EACH),
            Width::W32 => assert_eq!((sum & mask(width), sum >> 32), (4 * EACH, 4 * EACH)),
        }
    }
}

pub(crate) fn compare_swap_lock_is_exclusive(bench: &Bench) {
    const ROUNDS: u64 = 40;
    let Some(bed) = bench.bed(4, Capabilities::ATOMIC_64.with(Capabilities::COPY)) else { return };
    let there = bed.end(0);
    let threads: Vec<_> = (1..4_u64)
        .map(|rank| {
            let (me, there) = (bed.end(rank as usize), Arc::clone(&there));
            std::thread::spawn(move || {
                let swap = |operand, compare| Atomic {
                    kind: AtomicKind::CompareSwap,
                    width: Width::W64,
                    operand,
                    compare,
                };
                for _ in 0..ROUNDS {
                    while me.atomic(&there, 0, swap(rank, 0)).unwrap() != 0 {
                        std::thread::yield_now();
                    }
                    let count = u64::from_ne_bytes(me.get(&there, 64, 8).unwrap().try_into().unwrap());
                    me.put(&there, 64, &(count + 1).to_ne_bytes()).unwrap();
                    assert_eq!(me.atomic(&there, 0, swap(0, rank)).unwrap(), rank, "the lock was not kept");
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(there.segment.word(64).load(Ordering::SeqCst), 3 * ROUNDS);
}

pub(crate) fn pipelined_adds_are_all_counted(bench: &Bench) {
    const COUNT: usize = 3000;
    let Some(bed) = bench.bed(2, Capabilities::ATOMIC_64) else { return };
    let (here, there) = bed.pair();
    here.meet(&there);
    let completion = Arc::new(Completion::new());
    let mut olds = vec![u64::MAX; COUNT];
    let at = Remote { key: there.key, address: there.segment.address() };
    let atomic = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 3, compare: 0 };
    let start = olds.as_mut_ptr();
    for number in 0..COUNT {
        here.post(
            there.peer,
            &Operation::Atomic { at, atomic, old: start.wrapping_add(number).cast() },
            &completion,
        );
    }
    here.transport.wait(&completion).unwrap();
    olds.sort_unstable();
    let expected: Vec<u64> = (0..COUNT as u64).map(|number| 3 * number).collect();
    assert!(olds == expected, "old values are missing or twice there");
    assert_eq!(there.segment.word(0).load(Ordering::SeqCst), 3 * COUNT as u64);
}
