// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Teams and contexts over several processes: splits that fail, killed PEs, reports of the store.

use std::time::Duration;

use mf_base::Kind;
use mf_tests::Answer;
use mf_tests::order::heap::Heap;

use super::pes::{MIB, block, each, everywhere, guest, heap, job, needs_mapped, numbers, pes, together};

#[test]
fn team_splits_write_nothing_to_the_store() {
    everywhere(|job, pes, _| {
        let store = guest(job);
        // The counter of all changes that were ever made.
        let changes = || store.list("").unwrap().revision;
        each(pes, &Heap::KeepSplitting(1));
        let before = changes();
        each(pes, &Heap::KeepSplitting(300));
        each(pes, &Heap::Split(0, 1, 1));
        assert_eq!(changes(), before);
    });
}

#[test]
fn context_puts_use_ranks_of_its_team() {
    everywhere(|_, pes, _| {
        let n = numbers(pes).end;
        let base = block(pes, &Heap::Malloc(40_000));
        let found = each(pes, &Heap::Split(n - 1, -1, n));
        let backwards: Vec<_> = (0..pes.len() as u64).rev().map(Answer::Number).collect();
        assert_eq!(found, backwards);
        for (own, pe) in (0..).zip(pes.iter_mut()) {
            pe.ok(&heap(Heap::PutOnContext(base + own * 10_000, 10_000, own, 0)));
            let refused = pe.refused(&heap(Heap::PutOnContext(base, 8, 1, n)));
            refused.expect(Kind::InvalidParam, &["no such PE in the team", &format!("pe {n}")]);
        }
        each(pes, &Heap::TeamSync);
        let last = pes.last_mut().unwrap();
        for own in numbers(std::slice::from_ref(last)).chain(1..n) {
            let own = u64::from(own.unsigned_abs());
            last.ok(&heap(Heap::CheckOwn(base + own * 10_000, 10_000, own)));
        }
        each(pes, &Heap::Free(base));
    });
}

#[test]
fn mismatched_splits_fail_on_all_pes_and_can_be_retried() {
    let job = job(3);
    let mut pes = pes(&job, 2 * MIB);
    let (all, two) = (Heap::Split(0, 1, 3), Heap::Split(0, 1, 2));
    for orders in [[&all, &two, &all], [&two, &all, &two], [&all, &all, &Heap::Split(0, 1, 4)]] {
        for failure in together(&mut pes, orders.into_iter().cloned()) {
            failure.unwrap_err().expect(Kind::InvalidParam, &[]);
        }
    }
    assert_eq!(each(&mut pes, &two)[2], Answer::Done);
    each(&mut pes, &all);
    each(&mut pes, &Heap::TeamSync);
    each(&mut pes, &Heap::End);
    job.finish(pes);
}

#[test]
fn pe_killed_during_team_splits_is_named() {
    if !needs_mapped("pe_killed_during_team_splits_is_named") {
        return;
    }
    for victim in 0..3usize {
        // It dies before it comes, or anywhere in the loop.
        for moment in [None, Some(0), Some(300), Some(2000), Some(7000)] {
            let job = job(3);
            let mut members = pes(&job, 2 * MIB);
            let mut doomed = members.remove(victim);
            if moment.is_some() {
                doomed.send(&heap(Heap::KeepSplitting(u32::MAX)));
            }
            for member in &mut members {
                member.send(&heap(Heap::KeepSplitting(u32::MAX)));
            }
            std::thread::sleep(Duration::from_micros(moment.unwrap_or_default()));
            doomed.kill();
            for member in &mut members {
                let failure = member.answer().unwrap_err();
                failure.expect(Kind::NotConnected, &[&format!("rank {victim}")]);
            }
            job.finish(members);
        }
    }
}
