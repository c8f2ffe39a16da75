// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `kill -9` of any rank at any step.
//!
//! Three members; the victim is each of them in turn, rank 0 (the store's host) included: then another member
//! starts the store in its place, and the job goes on. To kill it in the middle of a step, one of the others
//! is stopped, and the victim waits for it; the third observes its progress.

use mf_base::Kind;
use mf_tests::deadline::wait_until;
use mf_tests::job::each;
use mf_tests::order::Standing;
use mf_tests::{Answer, Init, Job, Member, Order, PoolSizes, shares_memory};

use super::dice::{Dice, seed};
use super::jobs::{MIB, all_reach_all, job, shares_by_handle, spot, subject};

fn sizes() -> PoolSizes {
    PoolSizes::only(subject(), 4 * MIB, 8 * MIB)
}

/// Offset and contents of the victim's data in the others' memory.
const GIFT: u64 = 3 * MIB;
const GIFT_SEED: u64 = 77;
/// The victim's data in its own memory.
const LEGACY_SEED: u64 = 78;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Initialised,
    Created,
    /// It has notified one member, and waits for the other.
    Joining,
    Joined,
    Copying,
    /// One member knows, the other does not yet.
    Leaving,
    /// One member has the new part, the other not yet.
    Extending,
}

fn killed(step: Step) {
    for victim in 0..3 {
        eprintln!("rank {victim} is killed: {step:?}");
        let job = job(3);
        let mut others = job.members(0..3);
        let mut doomed = others.remove(usize::try_from(victim).unwrap());
        let ranks: Vec<u32> = (0..3).filter(|rank| *rank != victim).collect();
        each(&mut others, &Order::Create(0, sizes()));
        each(&mut others, &Order::Join(0));
        lead_to(step, victim, &mut doomed, &mut others);
        doomed.kill();
        others[1].resume();

        see_it_gone(step, victim, &mut others);
        all_reach_all(&mut others, &ranks);
        // Also when the store died with it: another member's process runs it now.
        succeed(&job, victim, &mut others);
        let mut everybody = ranks.clone();
        everybody.push(victim);
        all_reach_all(&mut others, &everybody);
        // And the others can come and go as before.
        others[1].ok(&Order::Leave(0));
        others[1].ok(&Order::Join(0));
        all_reach_all(&mut others, &everybody);
        job.finish(others);

        // The next run, on the same port, knows nothing of this one.
        let mut next = job.pool(sizes());
        for member in &mut next {
            member.ok(&Order::CheckZeroes(0, spot(victim, 0), 4 * MIB));
        }
        each(&mut next, &Order::Barrier("all have checked".to_owned(), 3));
        all_reach_all(&mut next, &[0, 1, 2]);
        job.finish(next);
    }
}

/// Brings the victim to the step at which it is killed.
fn lead_to(step: Step, victim: u32, doomed: &mut Member, others: &mut [Member]) {
    if step >= Step::Created {
        doomed.ok(&Order::Create(0, sizes()));
    }
    if step >= Step::Joined {
        doomed.ok(&Order::Join(0));
        doomed.ok(&Order::Put(0, spot(victim, 0), 4 * MIB, LEGACY_SEED));
        for other in (0..3).filter(|rank| *rank != victim) {
            doomed.ok(&Order::Put(0, spot(other, GIFT), MIB, GIFT_SEED));
        }
    }
    match step {
        Step::Initialised | Step::Created | Step::Joined => {}
        Step::Joining => {
            others[1].stop();
            doomed.send(&Order::Join(0));
            others[0].ok(&Order::AwaitStanding(0, victim, Standing::Joined));
            // It has announced itself to the stopped one as well, then.
            assert!(wait_until(|| doomed.sleeps()), "it does not wait for the stopped member");
        }
        Step::Copying => {
            // Into memory that is compared with nothing afterwards.
            let other = u32::from(victim == 0);
            doomed.ok(&Order::KeepPutting(0, spot(other, MIB), MIB, 5));
            doomed.ok(&Order::AwaitPuts(10));
        }
        Step::Leaving => {
            others[1].stop();
            doomed.send(&Order::Leave(0));
            others[0].ok(&Order::AwaitStanding(0, victim, Standing::Left));
            // It has notified the stopped one as well, then.
            assert!(wait_until(|| doomed.sleeps()), "it does not wait for the stopped member");
        }
        Step::Extending => {
            others[1].stop();
            doomed.send(&Order::Extend(0, subject(), 2 * MIB));
            let seen = || others[0].order(&Order::Put(0, spot(victim, 4 * MIB), MIB, LEGACY_SEED)).is_ok();
            assert!(wait_until(seen), "the new part is not seen");
        }
    }
}

/// The others get errors from the victim's memory, or its remaining data.
fn see_it_gone(step: Step, victim: u32, others: &mut [Member]) {
    for (at, other) in others.iter_mut().enumerate() {
        let rank = format!("rank {victim}");
        match step {
            Step::Initialised | Step::Created => {
                other.ok(&Order::AwaitStanding(0, victim, Standing::Absent));
                other
                    .refused(&Order::Put(0, spot(victim, 0), 8, 1))
                    .expect(Kind::NotConnected, &[&rank, "not joined"]);
            }
            Step::Leaving => {
                // Its end is noticed behind its farewell, and takes its memory away.
                let gone = if shares_memory() { Standing::Absent } else { Standing::Left };
                other.ok(&Order::AwaitStanding(0, victim, gone));
                for order in [Order::Put(0, spot(victim, 0), 8, 1), Order::Check(0, spot(victim, 0), 8, 1)] {
                    other.refused(&order).expect(Kind::NotConnected, &[&rank]);
                }
            }
            // A member that has not mapped an accelerator's memory while its owner lived cannot any more,
            // unless it holds a descriptor.
            Step::Joining if at == 1 && shares_by_handle() && shares_memory() => {
                other.ok(&Order::AwaitStanding(0, victim, Standing::Absent));
                other.refused(&Order::Check(0, spot(victim, 0), 8, 1)).expect(Kind::NotConnected, &[&rank]);
            }
            Step::Joining | Step::Joined | Step::Copying | Step::Extending => {
                other.ok(&Order::AwaitStanding(0, victim, Standing::Dead));
                other
                    .refused(&Order::Put(0, spot(victim, 0), 8, 1))
                    .expect(Kind::NotConnected, &[&rank, "dead"]);
                if !shares_memory() {
                    // Its memory is gone with it.
                    other
                        .refused(&Order::Check(0, spot(victim, 0), 8, 1))
                        .expect(Kind::NotConnected, &[&rank, "dead"]);
                    continue;
                }
                if step == Step::Joining {
                    other.ok(&Order::CheckZeroes(0, spot(victim, 0), 4 * MIB));
                } else {
                    other.ok(&Order::Check(0, spot(victim, 0), 4 * MIB, LEGACY_SEED));
                }
                if step == Step::Extending && at == 0 {
                    other.ok(&Order::Check(0, spot(victim, 4 * MIB), MIB, LEGACY_SEED));
                }
            }
        }
        if step >= Step::Joined {
            for receiver in (0..3).filter(|rank| *rank != victim) {
                other.ok(&Order::Check(0, spot(receiver, GIFT), MIB, GIFT_SEED));
            }
        }
    }
}

/// Another process takes the victim's rank, and is one of the others then.
fn succeed(job: &Job, victim: u32, others: &mut Vec<Member>) {
    let mut successor = job.process("successor");
    // The rank is free when the store has noticed the end of its holder.
    let init = Order::Init(job.init(victim));
    let taken = || match successor.order(&init) {
        Ok(_) => true,
        Err(failure) => {
            failure.expect(Kind::Duplicated, &["is taken"]);
            false
        }
    };
    assert!(wait_until(taken), "the rank does not become free");
    successor.ok(&Order::Create(0, sizes()));
    successor.ok(&Order::Join(0));
    if !shares_memory() {
        // They learn of it by the store, and until then they know that the rank is dead.
        each(others, &Order::AwaitStanding(0, victim, Standing::Joined));
    }
    successor.ok(&Order::CheckZeroes(0, spot(victim, 0), 4 * MIB));
    others.push(successor);
}

#[test]
fn member_killed_after_init_leaves_the_others_working() {
    killed(Step::Initialised);
}

#[test]
fn member_killed_after_create_leaves_the_others_working() {
    killed(Step::Created);
}

#[test]
fn member_killed_half_way_through_join_is_dead_to_all() {
    killed(Step::Joining);
}

#[test]
fn member_killed_while_idle_stays_readable() {
    killed(Step::Joined);
}

#[test]
fn member_killed_while_copying_leaves_the_others_working() {
    killed(Step::Copying);
}

#[test]
fn member_killed_during_leave_is_gone_for_all() {
    killed(Step::Leaving);
}

#[test]
fn member_killed_half_way_through_extend_stays_readable() {
    killed(Step::Extending);
}

#[test]
fn members_killed_at_any_moment_leave_the_others_working() {
    let mut dice = Dice::new(seed());
    let job = job(3);
    let mut others = job.members(0..2);
    each(&mut others, &Order::Create(0, sizes()));
    each(&mut others, &Order::Join(0));
    for round in 0..60 {
        let mut doomed = job.process(&format!("doomed {round}"));
        // It gets the rank when the store has noticed the end of the one before.
        let init = Init { rank: None, ..job.init(2) };
        doomed.send(&Order::Init(init));
        doomed.send(&Order::Create(0, sizes()));
        for _ in 0..10 {
            doomed.send(&Order::Join(0));
            doomed.send(&Order::Put(0, spot(0, 2 * MIB), MIB, 5));
            doomed.send(&Order::Extend(0, subject(), 2 * MIB));
            doomed.send(&Order::Leave(0));
        }
        // Any moment of its work.
        std::thread::sleep(std::time::Duration::from_micros(dice.roll(25_000) as u64));
        doomed.kill();
        // Its last messages are still read before its end is seen, so it may come back for a moment.
        let gone = || {
            each(&mut others, &Order::Members(0)).iter().all(|known| *known == Answer::Numbers(vec![0, 1]))
                && others.iter_mut().all(|other| match other.order(&Order::Put(0, spot(2, 0), 8, 1)) {
                    Ok(_) => false,
                    Err(failure) => {
                        failure.expect(Kind::NotConnected, &["rank 2"]);
                        true
                    }
                })
        };
        assert!(wait_until(gone), "the others still count on it");
        all_reach_all(&mut others, &[0, 1]);
    }
    succeed(&job, 2, &mut others);
    all_reach_all(&mut others, &[0, 1, 2]);
    job.finish(others);
}

#[test]
fn store_killed_at_any_moment_ends_every_call() {
    let mut dice = Dice::new(seed());
    for _ in 0..12 {
        let job = job(3);
        let mut doomed = job.process("rank 0");
        let mut others: Vec<Member> = (1..3).map(|rank| job.process(&format!("rank {rank}"))).collect();
        doomed.send(&Order::Init(job.init(0)));
        doomed.send(&Order::Create(0, sizes()));
        doomed.send(&Order::Join(0));
        for (rank, member) in (1..).zip(&mut others) {
            // When only one of them finds a store, it waits for the other in vain.
            member.send(&Order::Init(Init { init_ms: 300, control_ms: 1000, ..job.init(rank) }));
            member.send(&Order::Create(0, sizes()));
            for _ in 0..10 {
                member.send(&Order::Join(0));
                member.send(&Order::Put(0, spot(rank, 0), MIB, 5));
                member.send(&Order::Barrier("all".to_owned(), 2));
                member.send(&Order::Leave(0));
            }
        }
        // Any moment of its work.
        std::thread::sleep(std::time::Duration::from_micros(dice.roll(25_000) as u64));
        doomed.kill();
        for member in &mut others {
            for _ in 0..42 {
                let Err(failure) = member.answer() else { continue };
                // The last is what calls on a pool or a job give that could not be made.
                let expected = [Kind::NotConnected, Kind::Timeout, Kind::NotStarted, Kind::NotExist];
                assert!(expected.iter().any(|kind| kind.code() == failure.code), "{}", failure.text);
            }
        }
        job.finish(others);
    }
}
