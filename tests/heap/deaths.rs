// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `kill -9` of a PE: the others are notified, and access to its memory never faults.

use mf_base::Kind;
use mf_tests::deadline::wait_until;
use mf_tests::order::heap::Heap;
use mf_tests::{Member, needs_shared_memory};

use super::pes::{MIB, begin, block, each, heap, job, pes};

#[test]
fn a_pe_that_is_killed_in_a_collective_call_is_named_by_all_others() {
    for victim in 0..3usize {
        for call in [Heap::Malloc(64), Heap::Barrier, Heap::End] {
            eprintln!("PE {victim} dies while the others are in {call:?}");
            let job = job(3);
            let mut members = pes(&job, 2 * MIB);
            let mut doomed = members.remove(victim);
            for member in &mut members {
                member.send(&heap(call.clone()));
            }
            assert!(wait_until(|| members.iter().all(Member::sleeps)));
            doomed.kill();
            for member in &mut members {
                member.answer().unwrap_err().expect(Kind::NotConnected, &[&format!("rank {victim}")]);
            }
            job.finish(members);
        }
    }
}

#[test]
fn memory_of_a_pe_that_was_killed_stays_mapped() {
    if !needs_shared_memory("memory_of_a_pe_that_was_killed_stays_mapped") {
        return;
    }
    let job = job(2);
    let mut members = pes(&job, 2 * MIB);
    let place = block(&mut members, &Heap::Malloc(100_000));
    members[1].ok(&heap(Heap::Put(place, 5000, 3, 1)));
    let mut doomed = members.pop().unwrap();
    members[0].send(&heap(Heap::KeepPutting(place + 5000, 50_000, 1, 20_000)));
    doomed.kill();
    members[0].answer().unwrap();
    members[0].ok(&heap(Heap::Check(place, 5000, 3, 1)));
    members[0].ok(&heap(Heap::Check(place + 5000, 50_000, 1, 1)));
    members[0].refused(&heap(Heap::Barrier)).expect(Kind::NotConnected, &["rank 1"]);
    job.finish(members);
}

#[test]
fn access_to_a_distant_pe_that_was_killed_fails() {
    let mut job = job(2);
    job.set("MF_SHM", "false");
    let mut members = pes(&job, 2 * MIB);
    let place = block(&mut members, &Heap::Malloc(100_000));
    each(&mut members, &Heap::Put(place, 5000, 3, 1));
    let mut doomed = members.pop().unwrap();
    members[0].send(&heap(Heap::KeepPutting(place, 50_000, 1, u32::MAX)));
    doomed.kill();
    members[0].answer().unwrap_err().expect(Kind::NotConnected, &[]);
    members[0].refused(&heap(Heap::Barrier)).expect(Kind::NotConnected, &["rank 1"]);
    job.finish(members);
}

#[test]
fn memory_of_a_pe_that_left_stays_mapped() {
    if !needs_shared_memory("memory_of_a_pe_that_left_stays_mapped") {
        return;
    }
    let job = job(3);
    let mut members = pes(&job, 2 * MIB);
    let place = block(&mut members, &Heap::Malloc(100_000));
    members[0].ok(&heap(Heap::Put(place, 5000, 3, 2)));
    members[2].ok(&heap(Heap::Abandon));
    members[1].refused(&heap(Heap::Barrier)).expect(Kind::NotConnected, &["rank 2"]);
    for member in &mut members[..2] {
        member.ok(&heap(Heap::Check(place, 5000, 3, 2)));
        member.ok(&heap(Heap::KeepPutting(place + 5000, 50_000, 2, 10)));
        member.ok(&heap(Heap::Pointer(place + 64_000, 2)));
    }
    job.finish(members);
}

#[test]
fn after_a_death_the_others_begin_again_with_a_new_pe() {
    for victim in [1usize, 0] {
        let job = job(3);
        let mut members = pes(&job, 2 * MIB);
        members[victim].kill();
        members[victim] = job.process(&format!("PE {victim}, again"));
        for (pe, member) in members.iter_mut().enumerate() {
            if pe != victim {
                let named = format!("rank {victim}");
                member.refused(&heap(Heap::End)).expect(Kind::NotConnected, &[&named]);
            }
        }
        begin(&job, &mut members, 2 * MIB);
        let place = block(&mut members, &Heap::Malloc(64));
        each(&mut members, &Heap::Put(place, 64, 8, 0));
        each(&mut members, &Heap::Barrier);
        each(&mut members, &Heap::Check(place, 64, 8, 0));
        each(&mut members, &Heap::End);
        job.finish(members);
    }
}
