// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Put and get, order, and accessibility.

use mf_base::Kind;
use mf_tests::order::heap::Heap;
use mf_tests::{Answer, Member};

use super::pes::{MIB, all_do, block, each, everywhere, heap, numbers};

/// A block with a part for each PE that writes to it.
fn parts(pes: &mut [Member], bytes: u64) -> u64 {
    let count = pes.len() as u64;
    block(pes, &Heap::Malloc(bytes * count))
}

fn seed(from: i32, to: i32) -> u64 {
    u64::from((100 * from + to + 1).unsigned_abs())
}

#[test]
fn every_pe_puts_to_every_pe() {
    everywhere(|_, pes, _| {
        for bytes in [1usize, 2, 3, 4, 7, 8, 16, 17, 1001, 100_000] {
            let part = bytes as u64 + 5;
            let base = parts(pes, part);
            let place = |from: i32| base + u64::from(from.unsigned_abs()) * part;
            for to in numbers(pes) {
                all_do(pes, (0..).map(|from| Heap::Put(place(from), bytes, seed(from, to), to)));
            }
            each(pes, &Heap::Barrier);
            for from in numbers(pes) {
                all_do(pes, (0..).map(|own| Heap::CheckOwn(place(from), bytes, seed(from, own))));
                for to in numbers(pes) {
                    each(pes, &Heap::Check(place(from), bytes, seed(from, to), to));
                    each(pes, &Heap::CheckNbi(place(from), bytes, seed(from, to), to));
                }
            }
            each(pes, &Heap::Free(base));
        }
    });
}

#[test]
fn quiet_completes_puts_and_fence_orders_them() {
    everywhere(|_, pes, _| {
        let base = parts(pes, 300_000);
        let place = |from: i32| base + u64::from(from.unsigned_abs()) * 300_000;
        let last = numbers(pes).end - 1;
        for (bytes, round) in [(8usize, 0u64), (5000, 1), (300_000, 2)] {
            all_do(pes, (0..).map(|from| Heap::PutNbi(place(from), bytes, 9, last)));
            each(pes, &Heap::Fence);
            all_do(pes, (0..).map(|from| Heap::PutNbi(place(from), bytes, 10 + round, last)));
            each(pes, &Heap::Quiet);
            each(pes, &Heap::Sync);
            for from in numbers(pes) {
                pes[last.unsigned_abs() as usize].ok(&heap(Heap::CheckOwn(place(from), bytes, 10 + round)));
            }
            each(pes, &Heap::Sync);
        }
    });
}

#[test]
fn strided_puts_leave_the_gaps_unchanged() {
    everywhere(|_, pes, _| {
        let last = numbers(pes).end - 1;
        for bytes in [1usize, 2, 4, 8, 16] {
            for strides in [(1, 1, 100, bytes), (3, 1, 50, bytes), (1, 4, 50, bytes), (2, 5, 33, bytes)] {
                let base = block(pes, &Heap::Calloc(1000, 16));
                pes[0].ok(&heap(Heap::PutStrided(base, strides, 3, last)));
                each(pes, &Heap::Barrier);
                each(pes, &Heap::CheckStrided(base, strides, 3, last));
                each(pes, &Heap::Free(base));
            }
        }
        let base = block(pes, &Heap::Malloc(4 * MIB));
        for strides in [(0, 1, 4, 8), (1, 0, 4, 8), (-1, 1, 4, 8), (1, -2, 4, 8)] {
            let failure = pes[0].refused(&heap(Heap::PutStrided(base, strides, 3, last)));
            failure.expect(Kind::InvalidParam, &["a stride is less than 1"]);
        }
        let long = pes[0].refused(&heap(Heap::PutStrided(base, (2, 1, 300_000, 8), 3, last)));
        long.expect(Kind::InvalidParam, &["not in the symmetric memory"]);
        let endless = pes[0].refused(&heap(Heap::PutStrided(base, (isize::MAX / 2, 1, 9, 8), 3, last)));
        endless.expect(Kind::InvalidParam, &["end of memory"]);
        pes[0].ok(&heap(Heap::PutStrided(base, (1, 1, 0, 8), 3, last)));
    });
}

#[test]
fn wrong_arguments_are_refused_and_write_nothing() {
    everywhere(|_, pes, _| {
        let base = block(pes, &Heap::Calloc(4096, 1));
        let n_pes = numbers(pes).end;
        for pe in [-1, n_pes, i32::MIN, i32::MAX] {
            for order in
                [Heap::Put(base, 8, 1, pe), Heap::Check(base, 8, 1, pe), Heap::PutNbi(base, 8, 1, pe)]
            {
                pes[0].refused(&heap(order)).expect(Kind::InvalidParam, &["no such PE", &format!("pe {pe}")]);
            }
            pes[0].ok(&heap(Heap::Put(base, 0, 1, pe)));
            assert_eq!(pes[0].ok(&heap(Heap::Pointer(base, pe))), Answer::Number(0));
            assert_eq!(pes[0].ok(&heap(Heap::Accessible(base, pe))), Answer::Number(0));
        }
        for pe in numbers(pes) {
            for (at, bytes) in [
                (4 * MIB, 1),
                (4 * MIB - 7, 8),
                (4 * MIB - 8, 100_000),
                (u64::MAX, 1),
                (u64::MAX - 3, 8),
                (1 << 46, 8),
            ] {
                for order in [Heap::Put(at, bytes, 1, pe), Heap::Check(at, bytes, 1, pe)] {
                    pes[0].refused(&heap(order)).expect(Kind::InvalidParam, &["not in the symmetric memory"]);
                }
            }
            assert_eq!(pes[0].ok(&heap(Heap::Accessible(4 * MIB, pe))), Answer::Number(0));
            assert_eq!(pes[0].ok(&heap(Heap::Accessible(base, pe))), Answer::Number(1));
            pes[0].refused(&heap(Heap::PassNull(base, pe))).expect(Kind::InvalidParam, &["null"]);
        }
        each(pes, &Heap::Barrier);
        each(pes, &Heap::Calloc(8, 1));
    });
}

#[test]
fn pointers_resolve_only_to_mapped_memory() {
    everywhere(|job, pes, is_mapped| {
        let base = block(pes, &Heap::Malloc(64));
        for pe in numbers(pes) {
            for (own, member) in (0..).zip(pes.iter_mut()) {
                let found = member.ok(&heap(Heap::Pointer(base, pe)));
                assert_eq!(found, Answer::Number(u64::from(is_mapped || job.are_near(own, pe))));
                let outside = member.ok(&heap(Heap::Pointer(4 * MIB, pe)));
                assert_eq!(outside, Answer::Number(0));
            }
        }
    });
}

#[test]
fn a_forked_child_is_refused() {
    everywhere(|_, pes, _| {
        let base = block(pes, &Heap::Malloc(64));
        let last = numbers(pes).end - 1;
        pes[0].ok(&heap(Heap::Put(base, 8, 4, last)));
        pes[0].ok(&heap(Heap::Fork(base, last)));
        pes[0].ok(&heap(Heap::Check(base, 8, 4, last)));
        each(pes, &Heap::Barrier);
    });
}
