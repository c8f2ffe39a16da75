// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Blocks: they are equal on all PEs, or the call fails on all.

use mf_base::Kind;
use mf_tests::order::heap::Heap;
use mf_tests::{Answer, Job, Member, Order, shares_memory};

use super::pes::{MIB, alike, all_do, block, each, everywhere, has_accelerator, job, numbers, pes, refused};

#[test]
fn blocks_are_symmetric_and_keep_their_contents() {
    everywhere(|_, pes, _| {
        let first = block(pes, &Heap::Malloc(1000));
        let second = block(pes, &Heap::Calloc(100, 8));
        let third = block(pes, &Heap::Align(4096, 24));
        assert!(first != second && second != third && third.is_multiple_of(4096));
        for pe in pes.iter_mut() {
            for to in [first, second] {
                pe.ok(&super::pes::heap(Heap::Put(to, 800, to + 1, 0)));
            }
        }
        each(pes, &Heap::Barrier);
        each(pes, &Heap::Check(second, 800, second + 1, 0));
        // Longer where it is or elsewhere, then shorter.
        all_do(pes, (0..).map(|pe| Heap::Put(third, 24, 77, pe)));
        let moved = block(pes, &Heap::Realloc(third, 100_000));
        each(pes, &Heap::CheckOwn(moved, 24, 77));
        assert_eq!(block(pes, &Heap::Realloc(moved, 8)), moved);
        each(pes, &Heap::CheckOwn(moved, 8, 77));
        for place in [first, second, moved] {
            assert_eq!(alike(pes, &Heap::Free(place)), Answer::Done);
        }
        // All of it is free again.
        let all = block(pes, &Heap::Malloc(4 * MIB));
        assert_eq!(all, 0);
        assert_eq!(alike(pes, &Heap::Realloc(all, 0)), Answer::Done);
        assert_eq!(block(pes, &Heap::Calloc(4, MIB)), 0);
    });
}

#[test]
fn zero_byte_allocation_returns_null_without_a_barrier() {
    everywhere(|_, pes, _| {
        for order in [Heap::Malloc(0), Heap::Calloc(0, 8), Heap::Calloc(8, 0), Heap::Align(64, 0)] {
            assert_eq!(pes[0].ok(&super::pes::heap(order)), Answer::Done);
        }
    });
}

#[test]
fn oversized_allocation_fails_on_all_pes() {
    everywhere(|_, pes, _| {
        let kept = block(pes, &Heap::Malloc(MIB));
        all_do(pes, (0..).map(|pe| Heap::Put(kept, 4096, 5, pe)));
        for order in [
            Heap::Malloc(3 * MIB + 1),
            Heap::Malloc(u64::MAX >> 1),
            Heap::Malloc(u64::MAX),
            Heap::Calloc(u64::MAX / 2, 3),
            Heap::Realloc(kept, 5 * MIB),
        ] {
            for failure in refused(pes, std::iter::repeat_n(order, pes.len())) {
                failure.expect(Kind::OutOfMemory, &["largest_free"]);
            }
        }
        for alignment in [0, 4, 24, 100, 1 << 62] {
            for failure in refused(pes, std::iter::repeat_n(Heap::Align(alignment, 8), pes.len())) {
                failure.expect(Kind::InvalidParam, &["alignment"]);
            }
        }
        each(pes, &Heap::CheckOwn(kept, 4096, 5));
        block(pes, &Heap::Malloc(3 * MIB));
    });
}

/// PEs with heaps of 2 MiB that may grow to so much.
fn growing(n_pes: u32, is_mapped: bool, most: &str) -> (Job, Vec<Member>) {
    let mut job = job(n_pes);
    job.set("MF_SHMEM_SYMMETRIC_MAX", most);
    if !is_mapped {
        job.set("MF_SHM", "false");
    }
    let pes = pes(&job, 2 * MIB);
    (job, pes)
}

#[test]
fn heaps_grow_when_a_block_does_not_fit() {
    // Memory of accelerators is taken, and not only its addresses.
    let (most, text) = if has_accelerator() { (256 * MIB, "256m") } else { (MIB << 20, "1t") };
    for (n_pes, is_mapped) in [(1, true), (3, true), (3, false)] {
        let (job, mut pes) = growing(n_pes, is_mapped && shares_memory(), text);
        let bytes = |pes: &mut [Member]| match &each(pes, &Heap::Shape)[0] {
            Answer::Numbers(numbers) => numbers[2],
            other => panic!("{other:?}"),
        };
        let first = block(&mut pes, &Heap::Malloc(MIB));
        all_do(&mut pes, (0..).map(|pe| Heap::Put(first, 1001, 7, pe)));
        assert_eq!(bytes(&mut pes), 2 * MIB);
        // Across the former end; then elsewhere, as no part is as long; then aligned.
        let second = block(&mut pes, &Heap::Malloc(2 * MIB));
        assert_eq!((second, bytes(&mut pes)), (MIB, 4 * MIB));
        let moved = block(&mut pes, &Heap::Realloc(first, 20 * MIB));
        let third = block(&mut pes, &Heap::Align(2 * MIB, 60 * MIB));
        let places =
            [(second + 2 * MIB - 4001, 2), (moved + 20 * MIB - 4001, 3), (third + 60 * MIB - 4001, 4)];
        for (place, seed) in places {
            all_do(&mut pes, (1..).map(|pe| Heap::Put(place, 4001, seed, pe % n_pes.cast_signed())));
        }
        each(&mut pes, &Heap::Barrier);
        each(&mut pes, &Heap::CheckOwn(moved, 1001, 7));
        for (place, seed) in places {
            each(&mut pes, &Heap::CheckOwn(place, 4001, seed));
            each(&mut pes, &Heap::Check(place, 4001, seed, 0));
        }
        // All that is reserved, and no more.
        let grown = bytes(&mut pes);
        for more in [MIB << 20, u64::MAX] {
            for failure in refused(&mut pes, std::iter::repeat_n(Heap::Malloc(more), n_pes as usize)) {
                failure.expect(Kind::OutOfMemory, &["most_heap_bytes", "MF_SHMEM_SYMMETRIC_MAX"]);
            }
        }
        assert_eq!(bytes(&mut pes), grown);
        let rest = block(&mut pes, &Heap::Malloc(most - grown));
        assert_eq!(bytes(&mut pes), most);
        each(&mut pes, &Heap::Check(rest, 8, 0, 0));
        each(&mut pes, &Heap::End);
        job.finish(pes);
    }
}

#[test]
fn failed_growth_on_one_pe_leaves_all_heaps_unchanged() {
    let (job, mut pes) = growing(3, shares_memory(), "64m");
    let kept = block(&mut pes, &Heap::Malloc(MIB));
    pes[1].ok(&Order::LimitDescriptors(Some(0)));
    for failure in refused(&mut pes, std::iter::repeat_n(Heap::Malloc(4 * MIB), 3)) {
        failure.expect(Kind::NoResources, &["pe 1", "longer"]);
    }
    pes[1].ok(&Order::LimitDescriptors(None));
    for failure in refused(&mut pes, std::iter::repeat_n(Heap::Malloc(4 * MIB), 3)) {
        failure.expect(Kind::OutOfMemory, &["largest_free"]);
    }
    assert_eq!(block(&mut pes, &Heap::Malloc(MIB)), MIB);
    each(&mut pes, &Heap::Free(kept));
    each(&mut pes, &Heap::End);
    job.finish(pes);
}

#[test]
fn invalid_blocks_are_refused_on_all_pes() {
    everywhere(|_, pes, _| {
        let kept = block(pes, &Heap::Malloc(256));
        for order in [
            Heap::Free(kept + 64),
            Heap::Free(kept + 1),
            Heap::Free(64 * MIB),
            Heap::Free(u64::MAX - 7),
            Heap::Realloc(kept + 8, 16),
        ] {
            for failure in refused(pes, std::iter::repeat_n(order, pes.len())) {
                failure.expect(Kind::InvalidParam, &["no block"]);
            }
        }
        each(pes, &Heap::Free(kept));
        for failure in refused(pes, std::iter::repeat_n(Heap::Free(kept), pes.len())) {
            failure.expect(Kind::InvalidParam, &["no block"]);
        }
        assert_eq!(block(pes, &Heap::Malloc(256)), kept);
    });
}

#[test]
fn every_pe_reads_the_usage_of_all_heaps() {
    everywhere(|_, pes, _| {
        const ALL: u64 = 4 * MIB;
        let see = |pes: &mut [Member], expected: [u64; 6]| {
            for pe in numbers(pes) {
                assert_eq!(alike(pes, &Heap::UsageOf(pe)), Answer::Numbers(expected.to_vec()));
            }
        };
        see(pes, [0, 0, ALL, ALL, 0, 0]);
        let first = block(pes, &Heap::Malloc(1000));
        let second = block(pes, &Heap::Malloc(64));
        see(pes, [1088, 1088, ALL - 1088, ALL - 1088, 0, 2]);
        each(pes, &Heap::Free(first));
        see(pes, [64, 1088, ALL - 64, ALL - 1088, 0, 1]);
        refused(pes, std::iter::repeat_n(Heap::Malloc(ALL), pes.len()));
        assert_eq!(block(pes, &Heap::Realloc(second, 128)), second);
        see(pes, [128, 1088, ALL - 128, ALL - 1152, 0, 1]);
        for pe in [-1, numbers(pes).end] {
            pes[0].refused(&super::pes::heap(Heap::UsageOf(pe))).expect(Kind::InvalidParam, &["no such PE"]);
        }
    });
}

#[test]
fn mismatched_calls_are_named_on_all_pes() {
    everywhere(|_, pes, _| {
        if pes.len() < 2 {
            return;
        }
        let last = pes.len() - 1;
        let kept = block(pes, &Heap::Malloc(512));
        let other = block(pes, &Heap::Malloc(512));
        let cases = [
            (Heap::Malloc(64), Heap::Malloc(128), ["malloc of 64 bytes", "malloc of 128 bytes"]),
            (Heap::Malloc(64), Heap::Calloc(8, 8), ["malloc of 64 bytes", "calloc of 8"]),
            (Heap::Free(kept), Heap::Free(other), ["free of block at 0x0", "free of block at 0x200"]),
            (Heap::Free(kept), Heap::Free(kept + 8), ["free of block at 0x0", "free of no block"]),
            (Heap::Realloc(kept, 9), Heap::Realloc(kept, 10), ["to 9 bytes", "to 10 bytes"]),
        ];
        for (of_first, of_last, parts) in cases {
            let orders = (0..pes.len()).map(|pe| if pe == last { of_last.clone() } else { of_first.clone() });
            let orders: Vec<Heap> = orders.collect();
            for failure in refused(pes, orders) {
                failure.expect(Kind::InvalidParam, &parts);
                failure.expect(Kind::InvalidParam, &[&format!("pe {last}")]);
            }
        }
        // Nothing has changed, and all go on.
        each(pes, &Heap::Free(kept));
        assert_eq!(block(pes, &Heap::Malloc(512)), kept);
    });
}

#[test]
fn random_calls_give_equal_offsets_on_all_pes() {
    everywhere(|_, pes, is_mapped| {
        let steps = if is_mapped { 400 } else { 60 };
        for seed in 1..3 {
            alike(pes, &Heap::Random(seed, steps));
        }
        assert_eq!(block(pes, &Heap::Malloc(4 * MIB)), 0);
    });
}
