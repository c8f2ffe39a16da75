// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Jobs, PEs, and repeated orders.
//!
//! With `MF_TEST_HOSTS=true` the PEs of every job are on two hosts. Where those cannot be made they are on
//! one, and do not map each other's memory.

use std::sync::Arc;

use mf_bootstrap::{StoreUrl, rendezvous};
use mf_store::Store;
use mf_tests::order::heap::Heap;
use mf_tests::{
    Answer, Failure, Init, Job, Member, Order, accelerator, deadline, hosts, job, shares_memory, skip,
};
use mf_tls::{Access, JobSecret};

pub(crate) const MIB: u64 = 1 << 20;
const PROGRAM: &str = env!("CARGO_BIN_EXE_mf-rank");

/// A job of so many PEs.
pub(crate) fn job(n_pes: u32) -> Job {
    let mut job = if hosts::are_wanted() { on_two_hosts(n_pes) } else { Job::new(PROGRAM, n_pes) };
    if has_accelerator() {
        accelerator::give(&mut job, accelerator::SIMULATOR);
    }
    job
}

/// True if the heaps are in the memory of a simulated accelerator, by `MF_TEST_DEVICE`.
pub(crate) fn has_accelerator() -> bool {
    accelerator::chosen(accelerator::NONE) == accelerator::SIMULATOR
}

/// A job of PEs on two hosts.
fn on_two_hosts(n_pes: u32) -> Job {
    match hosts::pair() {
        Ok(hosts) => Job::over(PROGRAM, n_pes, hosts),
        Err(reason) => {
            static ONCE: std::sync::Once = std::sync::Once::new();
            ONCE.call_once(|| {
                skip("symmetric heaps", format!("two hosts ({reason}); they run over the loopback"));
            });
            let mut job = Job::new(PROGRAM, n_pes);
            job.set("MF_SHM", "false");
            job
        }
    }
}

/// True if all PEs of [`job`] map the memory of all.
pub(crate) fn is_mapped() -> bool {
    shares_memory() && !hosts::are_wanted()
}

/// As [`is_mapped`]; says which test is skipped where they do not.
pub(crate) fn needs_mapped(test: &str) -> bool {
    if !is_mapped() {
        skip(test, "its PEs are on two hosts");
    }
    is_mapped()
}

/// Runs a test with 1, 2 and 4 PEs with mapped memory, and with 2 and 4 on two hosts; if all jobs are on two
/// hosts, with 3 once more.
pub(crate) fn everywhere(test: impl Fn(&Job, &mut [Member], bool)) {
    let counts: &[(u32, bool)] = match is_mapped() {
        true => &[(1, true), (2, true), (4, true), (2, false), (4, false)],
        false => &[(3, false)],
    };
    for (n_pes, is_mapped) in counts.iter().copied() {
        eprintln!("{n_pes} PEs, mapped: {is_mapped}");
        let job = if is_mapped { job(n_pes) } else { on_two_hosts(n_pes) };
        let mut pes = pes(&job, 4 * MIB);
        test(&job, &mut pes, is_mapped);
        each(&mut pes, &Heap::End);
        job.finish(pes);
    }
}

/// A guest at the store of a job.
pub(crate) fn guest(job: &Job) -> Arc<dyn Store> {
    let (url, secret) = (StoreUrl::parse(&job.url()).unwrap(), JobSecret::new(job.secret()));
    let access = if job.secret().is_empty() { Access::default() } else { Access::by_secret(secret) };
    job.at_store(|| rendezvous::visit(url, access, deadline::limit()).unwrap())
}

/// An order about the heap.
pub(crate) fn heap(order: Heap) -> Order {
    Order::Heap(order)
}

/// Processes that do not know of each other yet.
pub(crate) fn processes(job: &Job, n_pes: u32) -> Vec<Member> {
    (0..n_pes).map(|pe| job.process_of(pe, &format!("PE {pe}"))).collect()
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

/// The same order for all, which must give the same answer.
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
