// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members that stand still: the others wait no longer than their deadlines, and say for whom.

use mf_base::Kind;
use mf_tests::deadline::wait_until;
use mf_tests::job::each;
use mf_tests::order::Standing;
use mf_tests::{Init, Mem, Order, PoolSizes, host, needs_shared_memory};

use super::jobs::{MIB, SMALL, all_reach_all, job};

/// A control timeout that must pass in the test.
const SHORT_MS: u64 = 800;

fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[test]
fn join_names_a_stopped_member_and_succeeds_after_it_resumes() {
    if !needs_shared_memory("members that wait for each other") {
        return;
    }
    let job = job(4);
    let mut members = job.members(0..3);
    each(&mut members, &Order::Create(0, SMALL));
    each(&mut members, &Order::Join(0));
    let mut late = job.process("rank 3");
    late.ok(&Order::Init(Init { control_ms: SHORT_MS, ..job.init(3) }));
    late.ok(&Order::Create(0, SMALL));
    members[1].stop();
    let who = format!("rank 1 (pid {} on {})", members[1].pid(), host_name());
    for _ in 0..2 {
        let failure = late.refused(&Order::Join(0));
        failure.expect(Kind::Timeout, &[&who]);
        assert!(!failure.text.contains("rank 0 (") && !failure.text.contains("rank 2 ("), "{}", failure.text);
        late.refused(&Order::Put(0, host(0, 0), 8, 1)).expect(Kind::NotStarted, &["join"]);
        // The announcement to the others is withdrawn after the failed call.
        members[0].ok(&Order::AwaitStanding(0, 3, Standing::Left));
        members[0].refused(&Order::Put(0, host(3, 0), 8, 1)).expect(Kind::NotConnected, &["rank 3"]);
    }
    // The memory of the stopped one needs nothing of it.
    members[0].ok(&Order::Put(0, host(1, 0), MIB, 7));
    members[2].ok(&Order::Check(0, host(1, 0), MIB, 7));
    members[1].resume();
    // Its timeout is short, so on a busy machine it may need more than one try.
    assert!(wait_until(|| late.order(&Order::Join(0)).is_ok()), "the join does not succeed");
    members.push(late);
    all_reach_all(&mut members, &[0, 1, 2, 3]);
    job.finish(members);
}

#[test]
fn member_stopped_during_its_join_is_waited_for_and_named() {
    if !needs_shared_memory("members that wait for each other") {
        return;
    }
    let job = job(4);
    let mut members = job.members(0..3);
    each(&mut members, &Order::Create(0, SMALL));
    // Ready before any member stops: the simulator does not wait for long for a process that stands still.
    let mut late = job.process("rank 3");
    late.ok(&Order::Init(Init { control_ms: SHORT_MS, ..job.init(3) }));
    late.ok(&Order::Create(0, SMALL));
    members[0].ok(&Order::Join(0));
    members[1].ok(&Order::Join(0));
    // Rank 2 is half joined: rank 0 knows it, rank 1 does not answer. Then it stops as well.
    members[1].stop();
    members[2].send(&Order::Join(0));
    members[0].ok(&Order::AwaitStanding(0, 2, Standing::Joined));
    // It has notified rank 1 as well, then.
    assert!(wait_until(|| members[2].sleeps()), "it does not wait for the stopped member");
    members[2].stop();
    members[1].resume();
    let who = format!("rank 2 (pid {} on {})", members[2].pid(), host_name());
    late.refused(&Order::Join(0)).expect(Kind::Timeout, &[&who]);
    members[2].resume();
    members[2].answer().unwrap();
    assert!(wait_until(|| late.order(&Order::Join(0)).is_ok()), "the join does not succeed");
    members.push(late);
    all_reach_all(&mut members, &[0, 1, 2, 3]);
    job.finish(members);
}

#[test]
fn death_of_a_stopped_member_unblocks_the_join() {
    let job = job(3);
    let mut members = job.members(0..3);
    each(&mut members, &Order::Create(0, SMALL));
    members[0].ok(&Order::Join(0));
    members[1].ok(&Order::Join(0));
    members[1].stop();
    members[2].send(&Order::Join(0));
    members[0].ok(&Order::AwaitStanding(0, 2, Standing::Joined));
    members[1].kill();
    members[2].answer().unwrap();
    members.remove(1);
    all_reach_all(&mut members, &[0, 2]);
    job.finish(members);
}

#[test]
fn growth_names_a_stopped_member() {
    if !needs_shared_memory("members that wait for each other") {
        return;
    }
    let job = job(3);
    let mut members = job.members(0..2);
    let mut growing = job.process("rank 2");
    growing.ok(&Order::Init(Init { control_ms: SHORT_MS, ..job.init(2) }));
    members.push(growing);
    let sizes = PoolSizes { host: 2 * MIB, max_host: 8 * MIB, ..PoolSizes::default() };
    each(&mut members, &Order::Create(0, sizes));
    for member in &mut members[..2] {
        member.ok(&Order::Join(0));
    }
    assert!(wait_until(|| members[2].order(&Order::Join(0)).is_ok()), "the join does not succeed");
    members[1].stop();
    members[2]
        .refused(&Order::Extend(0, Mem::Host, 2 * MIB))
        .expect(Kind::PartialFailed, &["rank 1", "no answer"]);
    members[0].ok(&Order::Put(0, host(2, 2 * MIB), 2 * MIB, 7));
    members[1].resume();
    // It finds the message when it goes on.
    let seen = || members[1].order(&Order::Check(0, host(2, 2 * MIB), 2 * MIB, 7)).is_ok();
    assert!(wait_until(seen), "the new part is not seen");
    job.finish(members);
}

#[test]
fn leave_does_not_wait_forever_for_a_stopped_member() {
    let job = job(3);
    let mut members = job.pool(SMALL);
    members[1].stop();
    members[2].ok(&Order::Leave(0));
    members[0].refused(&Order::Put(0, host(2, 0), 8, 1)).expect(Kind::NotConnected, &["rank 2", "left"]);
    members[1].resume();
    members[1].ok(&Order::AwaitStanding(0, 2, Standing::Left));
    members[2].ok(&Order::Join(0));
    all_reach_all(&mut members, &[0, 1, 2]);
    job.finish(members);
}

#[test]
fn stopped_store_times_calls_out_and_serves_after_resuming() {
    let job = job(3);
    let mut members = job.members(0..2);
    let mut waiting = job.process("rank 2");
    waiting.ok(&Order::Init(Init { control_ms: SHORT_MS, ..job.init(2) }));
    members.push(waiting);
    each(&mut members, &Order::Create(0, SMALL));
    members[1].ok(&Order::Join(0));
    members[0].stop();
    members[2].refused(&Order::Join(0)).expect(Kind::Timeout, &["store did not answer", &job.url()]);
    members[2].refused(&Order::Get("any".to_owned())).expect(Kind::Timeout, &["store did not answer"]);
    let mut late = job.process("late");
    late.refused(&Order::Init(Init { init_ms: SHORT_MS, ..job.init(2) }))
        .expect(Kind::NotConnected, &["stopped"]);
    members[0].resume();
    members[0].ok(&Order::Join(0));
    assert!(wait_until(|| members[2].order(&Order::Join(0)).is_ok()), "the join does not succeed");
    all_reach_all(&mut members, &[0, 1, 2]);
    members.push(late);
    job.finish(members);
}

#[test]
fn barrier_names_the_missing_rank() {
    let job = job(3);
    let mut members = job.members(0..2);
    let mut waiting = job.process("rank 2");
    waiting.ok(&Order::Init(Init { control_ms: SHORT_MS, ..job.init(2) }));
    members.push(waiting);
    members[0].send(&Order::Barrier("b".to_owned(), 3));
    members[2].refused(&Order::Barrier("b".to_owned(), 3)).expect(Kind::Timeout, &["1"]);
    members[0].answer().unwrap_err().expect(Kind::Timeout, &["1"]);
    job.finish(members);
}
