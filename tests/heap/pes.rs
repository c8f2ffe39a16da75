// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Jobs, PEs, and what is ordered again and again.

use mf_tests::order::heap::Heap;
use mf_tests::{Answer, Failure, Init, Job, Member, Order, job, shares_memory};

pub(crate) const MIB: u64 = 1 << 20;

/// A job of so many PEs.
pub(crate) fn job(n_pes: u32) -> Job {
    Job::new(env!("CARGO_BIN_EXE_mf-rank"), n_pes)
}

/// Runs a test with 1, 2 and 4 PEs: their memory mapped, and by the network alone.
pub(crate) fn everywhere(test: impl Fn(&Job, &mut [Member], bool)) {
    for n_pes in [1, 2, 4] {
        for is_mapped in [true, false] {
            if is_mapped && !shares_memory() {
                continue;
            }
            eprintln!("{n_pes} PEs, mapped: {is_mapped}");
            let mut job = job(n_pes);
            if !is_mapped {
                job.set("MF_SHM", "false");
            }
            let mut pes = pes(&job, 4 * MIB);
            test(&job, &mut pes, is_mapped);
            each(&mut pes, &Heap::End);
            job.finish(pes);
        }
    }
}

/// An order about the heap.
pub(crate) fn heap(order: Heap) -> Order {
    Order::Heap(order)
}

/// Processes that do not know of each other yet.
pub(crate) fn processes(job: &Job, n_pes: u32) -> Vec<Member> {
    (0..n_pes).map(|pe| job.process(&format!("PE {pe}"))).collect()
}

/// All PEs of a job, with heaps of so many bytes.
#[track_caller]
pub(crate) fn pes(job: &Job, heap_bytes: u64) -> Vec<Member> {
    let mut pes = processes(job, job.world());
    begin(job, &mut pes, heap_bytes);
    pes
}

/// Processes become the PEs of a job.
#[track_caller]
pub(crate) fn begin(job: &Job, pes: &mut [Member], heap_bytes: u64) {
    let inits: Vec<Init> = (0..job.world()).map(|rank| job.init(rank)).collect();
    all_do(pes, inits.into_iter().map(|init| Heap::Begin(init, Some(heap_bytes))));
}

/// Each does its order, at the same time.
pub(crate) fn together(
    pes: &mut [Member],
    orders: impl IntoIterator<Item = Heap>,
) -> Vec<Result<Answer, Failure>> {
    for (pe, order) in pes.iter_mut().zip(orders) {
        pe.send(&heap(order));
    }
    pes.iter_mut().map(Member::answer).collect()
}

/// As [`together`]; all must succeed.
#[track_caller]
pub(crate) fn all_do(pes: &mut [Member], orders: impl IntoIterator<Item = Heap>) -> Vec<Answer> {
    for (pe, order) in pes.iter_mut().zip(orders) {
        pe.send(&heap(order));
    }
    job::answers(pes)
}

/// The same of all.
#[track_caller]
pub(crate) fn each(pes: &mut [Member], order: &Heap) -> Vec<Answer> {
    job::each(pes, &heap(order.clone()))
}

/// The same of all, who must give the same answer.
#[track_caller]
pub(crate) fn alike(pes: &mut [Member], order: &Heap) -> Answer {
    let mut answers = each(pes, order);
    let first = answers.remove(0);
    assert!(answers.iter().all(|answer| *answer == first), "{order:?}: {first:?} and {answers:?}");
    first
}

/// A block that all have taken.
#[track_caller]
pub(crate) fn block(pes: &mut [Member], order: &Heap) -> u64 {
    match alike(pes, order) {
        Answer::Number(place) => place,
        other => panic!("{order:?}: {other:?}"),
    }
}

/// The same of all, which must fail for all; gives the failures.
#[track_caller]
pub(crate) fn refused(pes: &mut [Member], orders: impl IntoIterator<Item = Heap>) -> Vec<Failure> {
    together(pes, orders).into_iter().map(Result::unwrap_err).collect()
}

/// The numbers of the PEs.
pub(crate) fn numbers(pes: &[Member]) -> std::ops::Range<i32> {
    0..i32::try_from(pes.len()).unwrap()
}
