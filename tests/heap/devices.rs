// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Heaps in the memory of an accelerator, on the simulator: of PEs with one each, with memory mapped or
//! reached by the network alone. Tests of every heap run there with `MF_TEST_DEVICE=sim`.

use mf_base::Kind;
use mf_shmem::{Atomic, AtomicKind, Comparison, Width};
use mf_tests::deadline::wait_until;
use mf_tests::order::heap::{Heap, Part, Together};
use mf_tests::{Answer, Job, Member, accelerator, shares_memory};

use super::pes::{MIB, all_do, block, each, heap, numbers, pes, processes, refused};

/// A job of so many PEs with two devices.
fn job(n_pes: u32) -> Job {
    let mut job = Job::new(env!("CARGO_BIN_EXE_mf-rank"), n_pes);
    accelerator::give(&mut job, accelerator::SIMULATOR);
    job.set("ASCEND_SIM_DEVICES", "2");
    job.set(accelerator::COUNT_VARIABLE, "2");
    job
}

/// Runs a test with two PEs: their memory mapped, and by the network alone.
fn two(test: impl Fn(&mut [Member], bool)) {
    for is_mapped in [true, false] {
        if is_mapped && !shares_memory() {
            continue;
        }
        eprintln!("mapped: {is_mapped}");
        let mut job = job(2);
        if !is_mapped {
            job.set("MF_SHM", "false");
        }
        let mut pes = pes(&job, 4 * MIB);
        test(&mut pes, is_mapped);
        each(&mut pes, &Heap::End);
        job.finish(pes);
    }
}

fn number(answer: Answer) -> u64 {
    match answer {
        Answer::Number(number) => number,
        other => panic!("{other:?}"),
    }
}

/// Free memory of all devices, once every process has found its own: trying them takes some memory for a
/// moment.
fn free_memory(members: &mut [Member]) -> Answer {
    each(members, &Heap::DeviceMemory);
    members[0].ok(&heap(Heap::DeviceMemory))
}

#[test]
fn device_heaps_are_freed_and_accept_any_local_memory() {
    for host_side in [false, true] {
        let job = job(2);
        let mut members = processes(&job, 2);
        let free = free_memory(&mut members);
        let inits = (0..2).map(|rank| job.init(rank));
        if host_side {
            all_do(&mut members, inits.map(|init| Heap::BeginHostSide(init, 4 * MIB)));
        } else {
            all_do(&mut members, inits.map(|init| Heap::Begin(init, Some(4 * MIB))));
        }
        each(&mut members, &Heap::Barrier);
        let is_there = Answer::Number(u64::from(!host_side));
        assert!(each(&mut members, &Heap::IsDeviceMemory).iter().all(|answer| *answer == is_there));
        let now = members[0].ok(&heap(Heap::DeviceMemory));
        assert!(host_side || number(now) + 8 * MIB <= number(free.clone()));
        let place = block(&mut members, &Heap::Calloc(300_000, 1));
        for pe in numbers(&members) {
            for bytes in [1, 8, 300_000] {
                let seed = u64::from(pe.unsigned_abs()) + 20;
                members[0].ok(&heap(Heap::PutFromDevice(place, bytes, seed, pe)));
                members[pe.unsigned_abs() as usize].ok(&heap(Heap::CheckOwn(place, bytes, seed)));
                members[1].ok(&heap(Heap::Check(place, bytes, seed, pe)));
            }
            members[0].ok(&heap(Heap::Pointer(place, pe)));
        }
        each(&mut members, &Heap::Free(place));
        each(&mut members, &Heap::End);
        assert!(wait_until(|| members[0].ok(&heap(Heap::DeviceMemory)) == free));
        job.finish(members);
    }
}

#[test]
fn device_words_support_atomics_and_waits() {
    two(|pes, is_mapped| {
        let words = block(pes, &Heap::Calloc(10, 8));
        let data = block(pes, &Heap::Malloc(100_000));
        let swap = |operand| Atomic { kind: AtomicKind::Swap, width: Width::W64, operand, compare: 0 };
        let updates = [
            (Heap::Atomic(words, swap(6), 1), 6),
            (Heap::Signal((words, Width::W64, true, 1), 1), 7),
            (Heap::PutSignal((data, 50_000, 3), (words, Width::W32, false, 9), 1, true), 9),
            (Heap::Pointer(words, 1), 0x1234_5678_9abc_def0 + words),
        ];
        for (update, value) in updates.into_iter().take(if is_mapped { 4 } else { 3 }) {
            pes[1].send(&heap(Heap::Await(words, Comparison::Equal, value)));
            assert!(wait_until(|| pes[1].sleeps()));
            pes[0].ok(&heap(update));
            assert_eq!(pes[1].answer().unwrap(), Answer::Number(value));
        }
        pes[1].ok(&heap(Heap::CheckOwn(data, 50_000, 3)));
        each(pes, &Heap::Barrier);
        let sums = all_do(pes, (0..2).map(|_| Heap::CountUp(words + 8, Width::W32, 20, 0)));
        assert_eq!(sums.into_iter().map(number).sum::<u64>(), 120 * 119 / 2);
        pes[1].send(&heap(Heap::Collect(words + 16, 8)));
        for index in (0..8).rev() {
            pes[0].ok(&heap(Heap::Signal((words + 16 + index * 8, Width::W64, false, 1), 1)));
        }
        pes[1].answer().unwrap();
        // Calls that need loads and stores of the processor are refused.
        for order in [Together::Lock(words), Together::Broadcast(Part::Team, 0, 8, 0)] {
            for failure in refused(pes, [Heap::Together(order), Heap::Together(order)]) {
                failure.expect(Kind::InvalidParam, &["in the memory of an accelerator"]);
            }
        }
    });
}

#[test]
fn mixed_heap_memory_kinds_are_refused_on_all_pes() {
    let mut job = job(3);
    let mut members = processes(&job, 2);
    job.set("MF_DEVICE", "none");
    members.push(job.process("PE 2"));
    let begins = (0..3).map(|rank| Heap::BeginInstance(job.init(rank), 0, 2 * MIB));
    for failure in refused(&mut members, begins) {
        failure.expect(Kind::InvalidParam, &["pe 2", "memory host memory"]);
    }
    job.finish(members);
}

#[test]
fn killed_pe_is_named_and_its_device_memory_freed() {
    let job = job(3);
    let mut members = processes(&job, 3);
    let free = free_memory(&mut members);
    super::pes::begin(&job, &mut members, 2 * MIB);
    let place = block(&mut members, &Heap::Malloc(100_000));
    each(&mut members, &Heap::Put(place, 5000, 3, 1));
    let mut doomed = members.remove(1);
    members[0].send(&heap(Heap::KeepPutting(place, 50_000, 1, u32::MAX)));
    members[1].send(&heap(Heap::Malloc(64)));
    doomed.kill();
    members[0].answer().unwrap_err().expect(Kind::NotConnected, &["rank 1"]);
    members[1].answer().unwrap_err().expect(Kind::NotConnected, &["rank 1"]);
    let add = Atomic { kind: AtomicKind::Add, width: Width::W64, operand: 1, compare: 0 };
    members[0].refused(&heap(Heap::Atomic(place, add, 1))).expect(Kind::NotConnected, &["rank 1"]);
    members[1].ok(&heap(Heap::Put(place, 5000, 4, 0)));
    members[0].ok(&heap(Heap::CheckOwn(place, 5000, 4)));
    each(&mut members, &Heap::Abandon);
    assert!(wait_until(|| members[0].ok(&heap(Heap::DeviceMemory)) == free));
    job.finish(members);
}
