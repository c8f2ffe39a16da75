// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Begin and end: repeated, alone, with different wishes, and of all at once.

use mf_base::Kind;
use mf_tests::order::heap::Heap;
use mf_tests::{Answer, Init, Job, Order};

use super::pes::{
    MIB, begin, block, each, everywhere, heap, is_mapped, job, numbers, pes, processes, refused,
};

#[test]
fn init_and_finalize_may_be_repeated() {
    for n_pes in [1, 2, 4] {
        let job = job(n_pes);
        let mut pes = processes(&job, n_pes);
        for round in 1..4 {
            begin(&job, &mut pes, round * 2 * MIB);
            for (own, pe) in (0..).zip(&mut pes) {
                let shape = Answer::Numbers(vec![own, u64::from(n_pes), round * 2 * MIB]);
                assert_eq!(pe.ok(&heap(Heap::Shape)), shape);
            }
            // Nothing of the round before is left.
            let place = block(&mut pes, &Heap::Calloc(round, 2 * MIB));
            let last = numbers(&pes).end - 1;
            pes[0].ok(&heap(Heap::Put(place, 999, round, last)));
            each(&mut pes, &Heap::Barrier);
            each(&mut pes, &Heap::Check(place, 999, round, last));
            each(&mut pes, &Heap::End);
        }
        job.finish(pes);
    }
}

#[test]
fn process_without_a_launcher_is_the_only_pe() {
    let job = job(1);
    let mut pes = processes(&job, 1);
    for _ in 0..2 {
        assert_eq!(pes[0].ok(&heap(Heap::BeginAlone)), Answer::Number(0));
        assert_eq!(pes[0].ok(&heap(Heap::Shape)), Answer::Numbers(vec![0, 1, 2 * MIB]));
        let place = block(&mut pes, &Heap::Malloc(64));
        each(&mut pes, &Heap::Put(place, 64, 1, 0));
        each(&mut pes, &Heap::Barrier);
        each(&mut pes, &Heap::CheckOwn(place, 64, 1));
        each(&mut pes, &Heap::End);
    }
    job.finish(pes);
}

#[test]
fn different_heap_sizes_fail_init_and_it_can_be_retried() {
    let job = job(3);
    let mut members = processes(&job, 3);
    let orders = |sizes: [Option<u64>; 3]| {
        (0..).zip(sizes).map(|(rank, size)| Heap::Begin(job.init(rank), size)).collect::<Vec<_>>()
    };
    for failure in refused(&mut members, orders([Some(4 * MIB), Some(2 * MIB), Some(4 * MIB)])) {
        failure.expect(Kind::InvalidParam, &["different sizes", "pe 1", "heap 2 MiB", "heap_of_pe_0 4 MiB"]);
    }
    for failure in refused(&mut members, orders([Some(64 << 40); 3])) {
        failure.expect(Kind::InvalidParam, &["address space", "32 TiB"]);
    }
    begin(&job, &mut members, 2 * MIB);
    each(&mut members, &Heap::End);
    job.finish(members);
}

#[test]
fn one_tebibyte_heap_is_reserved_untouched() {
    let job = job(2);
    let mut members = pes(&job, 1 << 40);
    let place = block(&mut members, &Heap::Malloc(1 << 39));
    let far = place + (1 << 39) - 100;
    members[0].ok(&heap(Heap::Put(far, 100, 6, 1)));
    each(&mut members, &Heap::Barrier);
    members[1].ok(&heap(Heap::CheckOwn(far, 100, 6)));
    each(&mut members, &Heap::End);
    job.finish(members);
}

#[test]
fn default_heap_size_is_equal_on_all_pes() {
    let job = job(2);
    let mut members = processes(&job, 2);
    for (rank, member) in (0..).zip(&mut members) {
        member.send(&heap(Heap::Begin(job.init(rank), None)));
    }
    mf_tests::job::answers(&mut members);
    let sizes: Vec<u64> = members
        .iter_mut()
        .map(|member| match member.ok(&heap(Heap::Shape)) {
            Answer::Numbers(numbers) => numbers[2],
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(sizes[0] == sizes[1] && sizes[0] >= 64 * MIB && sizes[0].is_multiple_of(2 * MIB), "{sizes:?}");
    each(&mut members, &Heap::End);
    job.finish(members);
}

#[test]
fn barriers_hold_for_thousands_of_rounds() {
    everywhere(|_, pes, is_mapped| {
        each(pes, &Heap::Barriers(if is_mapped { 5000 } else { 300 }));
    });
}

#[test]
fn missing_pe_is_named() {
    let job = job(3);
    let mut members = processes(&job, 3);
    let hasty = |job: &Job, rank| Init { control_ms: 1500, ..job.init(rank) };
    for (rank, member) in (0..).zip(&mut members) {
        member.send(&heap(Heap::Begin(hasty(&job, rank), Some(2 * MIB))));
    }
    mf_tests::job::answers(&mut members);
    for member in &mut members[..2] {
        member.send(&heap(Heap::Malloc(64)));
    }
    for member in &mut members[..2] {
        // With another host, one that follows its leader may be through before it, and names that.
        let named = if is_mapped() { "rank 2" } else { "rank " };
        member.answer().unwrap_err().expect(Kind::Timeout, &[named]);
    }
    if !is_mapped() {
        // Their messages have come to the other host: a call there passes, and the next call of all finds it.
        members[2].ok(&heap(Heap::Malloc(64)));
        for failure in refused(&mut members, std::iter::repeat_n(Heap::Malloc(64), 3)) {
            eprintln!("{}", failure.text);
        }
        return;
    }
    // It is in the same call, which has failed; then all may call again.
    members[2].refused(&heap(Heap::Malloc(64))).expect(Kind::Timeout, &[]);
    assert_eq!(block(&mut members, &Heap::Malloc(64)), 0);
    each(&mut members, &Heap::End);
    job.finish(members);
}

#[test]
fn global_exit_ends_all_pes_with_its_status() {
    for who in [0usize, 2] {
        let job = job(3);
        let mut members = pes(&job, 2 * MIB);
        // One waits for the others, one does nothing, one ends them all.
        members[1].send(&heap(Heap::Barrier));
        members[who].send(&heap(Heap::Exit(7)));
        for member in &mut members {
            assert_eq!(member.wait_for_end().code(), Some(7));
        }
    }
}

#[test]
fn exited_pe_does_not_block_finalize_of_the_others() {
    let job = job(3);
    let mut members = pes(&job, 2 * MIB);
    members[2].send(&Order::Exit);
    members[2].wait_for_end();
    for member in &mut members[..2] {
        member.send(&heap(Heap::End));
    }
    for member in &mut members[..2] {
        member.answer().unwrap_err().expect(Kind::NotConnected, &["rank 2"]);
    }
    members.pop();
    job.finish(members);
}

#[test]
fn shmem_and_smem_coexist_in_one_process() {
    everywhere(|job, pes, _| {
        let place = block(pes, &Heap::Malloc(64));
        for id in [0, 254] {
            for (rank, pe) in (0..).zip(pes.iter_mut()) {
                pe.send(&heap(Heap::Beside(job.init(rank), id)));
            }
            mf_tests::job::answers(pes);
        }
        each(pes, &Heap::Put(place, 64, 5, 0));
        each(pes, &Heap::Barrier);
        let failure = pes[0].refused(&heap(Heap::Beside(job.init(0), 255)));
        failure.expect(Kind::InvalidParam, &["out of range"]);
    });
}

#[test]
fn concurrent_collective_calls_of_two_threads_do_not_mix() {
    for (twice, once) in [(Heap::MeetTwice, Heap::Barrier), (Heap::SplitTwice, Heap::Split(0, 1, 2))] {
        let job = job(2);
        let mut members = pes(&job, 2 * MIB);
        members[0].send(&heap(twice));
        members[1].ok(&heap(once.clone()));
        // A thread that came when the other one had met waits for the next meeting.
        members[1].send(&heap(once.clone()));
        match members[0].answer().unwrap() {
            Answer::Number(1) => drop(members[0].ok(&heap(once))),
            met => assert_eq!(met, Answer::Number(2)),
        }
        members[1].answer().unwrap();
        each(&mut members, &Heap::End);
        job.finish(members);
    }
}
