// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members that join, leave, come back, grow, and are notified of each other.

use mf_base::Kind;
use mf_tests::job::{answers, each};
use mf_tests::order::Standing;
use mf_tests::{Answer, Mem, Order, PoolSizes, device, host, needs_shared_memory, shares_memory};

use super::jobs::{MIB, SMALL, all_reach_all, host_only, job, spot, subject};

#[test]
fn departed_member_is_not_connected_and_can_rejoin() {
    let job = job(3);
    let mut members = job.pool(SMALL);
    members[0].ok(&Order::Put(0, host(2, 0), MIB, 1));
    for _ in 0..3 {
        members[2].ok(&Order::Leave(0));
        members[2].ok(&Order::Leave(0));
        for member in &mut members[..2] {
            for order in [Order::Put(0, host(2, 0), 8, 9), Order::Check(0, device(2, 0), 8, 9)] {
                member.refused(&order).expect(Kind::NotConnected, &["rank 2", "left"]);
            }
            assert_eq!(member.ok(&Order::Members(0)), Answer::Numbers(vec![0, 1]));
        }
        members[2].refused(&Order::Put(0, host(0, 0), 8, 9)).expect(Kind::NotStarted, &["join"]);
        members[0].ok(&Order::Put(0, host(1, 0), MIB, 2));
        members[2].ok(&Order::Join(0));
        members[2].ok(&Order::Join(0));
        // Its memory was its own all the time.
        members[1].ok(&Order::Check(0, host(2, 0), MIB, 1));
        members[2].ok(&Order::Check(0, host(1, 0), MIB, 2));
    }
    all_reach_all(&mut members, &[0, 1, 2]);
    job.finish(members);
}

#[test]
fn leaving_member_fails_copies_of_others_in_flight() {
    let job = job(3);
    let mut members = job.pool(SMALL);
    for _ in 0..5 {
        for member in &mut members[..2] {
            member.ok(&Order::KeepPutting(0, host(2, 4096), MIB, 3));
            member.ok(&Order::AwaitPuts(3));
        }
        members[2].ok(&Order::Leave(0));
        for member in &mut members[..2] {
            member.refused(&Order::AwaitPutError).expect(Kind::NotConnected, &["rank 2", "left"]);
            member.refused(&Order::StopPutting).expect(Kind::NotConnected, &["rank 2"]);
        }
        members[2].ok(&Order::Join(0));
    }
    members[0].ok(&Order::KeepPutting(0, host(2, 4096), MIB, 3));
    members[0].ok(&Order::AwaitPuts(3));
    members[2].ok(&Order::Destroy(0));
    members[0].refused(&Order::AwaitPutError).expect(Kind::NotConnected, &["rank 2"]);
    job.finish(members);
}

#[test]
fn process_taking_a_freed_rank_starts_with_fresh_memory() {
    let job = job(2);
    let mut members = job.pool(SMALL);
    let old = members.pop().unwrap();
    members[0].ok(&Order::Put(0, host(1, 0), 4 * MIB, 1));
    members[0].ok(&Order::Put(0, device(1, 0), 2 * MIB, 1));
    job.finish(vec![old]);
    members[0].refused(&Order::Check(0, host(1, 0), 8, 1)).expect(Kind::NotConnected, &["rank 1"]);
    let mut new = job.member(1);
    // It contributes less than the one before.
    let sizes = PoolSizes { host: 2 * MIB, device: 2 * MIB, max_host: 4 * MIB, max_device: 0 };
    new.ok(&Order::Create(0, sizes));
    new.ok(&Order::Join(0));
    members.push(new);
    for member in &mut members {
        member.ok(&Order::CheckZeroes(0, host(1, 0), 2 * MIB));
        member.ok(&Order::CheckZeroes(0, device(1, 0), 2 * MIB));
        member
            .refused(&Order::Check(0, host(1, 2 * MIB), 8, 1))
            .expect(Kind::InvalidParam, &["segment 2 MiB"]);
    }
    all_reach_all(&mut members, &[0, 1]);
    job.finish(members);
}

#[test]
fn growth_is_visible_to_all_on_return() {
    let job = job(3);
    let sizes = PoolSizes { host: 2 * MIB, device: 0, max_host: 8 * MIB, max_device: 4 * MIB };
    let mut members = job.pool(sizes);
    members[0].ok(&Order::Put(0, host(1, 0), 2 * MIB, 1));
    members[0].refused(&Order::Put(0, host(1, 2 * MIB), 8, 2)).expect(Kind::InvalidParam, &["2 MiB"]);
    members[0].refused(&Order::Put(0, device(1, 0), 8, 2)).expect(Kind::InvalidParam, &[]);
    members[1].ok(&Order::Extend(0, Mem::Host, 4 * MIB));
    members[1].ok(&Order::Extend(0, Mem::Device, 2 * MIB));
    assert_eq!(members[1].number(&Order::LocalBytes(0, Mem::Host)), 6 * MIB);
    for member in &mut members {
        member.ok(&Order::Check(0, host(1, 0), 2 * MIB, 1));
        member.ok(&Order::CheckZeroes(0, host(1, 2 * MIB), 4 * MIB));
        member.ok(&Order::CheckZeroes(0, device(1, 0), 2 * MIB));
        // Across the seam.
        member.ok(&Order::Put(0, host(1, 2 * MIB - 100), 200, 5));
        member.ok(&Order::PutZeroes(0, host(1, 2 * MIB), 100));
        member.ok(&Order::Put(0, host(1, 0), 2 * MIB, 1));
    }
    for (mem, bytes) in [
        (Mem::Host, 4 * MIB),
        (Mem::Host, MIB),
        (Mem::Host, 0),
        (Mem::Host, u64::MAX),
        (Mem::Device, 4 * MIB),
    ] {
        members[1]
            .refused(&Order::Extend(0, mem, bytes))
            .expect(Kind::InvalidParam, &["multiple of 2 MiB", "max"]);
    }
    assert_eq!(members[1].number(&Order::LocalBytes(0, Mem::Host)), 6 * MIB);
    // Grown outside the pool, seen after the next join.
    members[2].ok(&Order::Leave(0));
    members[2].ok(&Order::Extend(0, Mem::Host, 6 * MIB));
    members[2].ok(&Order::Join(0));
    members[0].ok(&Order::CheckZeroes(0, host(2, 0), 8 * MIB));
    // Grown while one is away, seen by that one when it is back.
    members[2].ok(&Order::Leave(0));
    members[0].ok(&Order::Extend(0, Mem::Host, 2 * MIB));
    members[2].ok(&Order::Join(0));
    members[2].ok(&Order::CheckZeroes(0, host(0, 0), 4 * MIB));
    job.finish(members);
}

#[test]
fn missing_window_cannot_grow() {
    let job = job(1);
    let mut members = job.pool(host_only(2 * MIB));
    members[0].refused(&Order::Extend(0, Mem::Device, 2 * MIB)).expect(Kind::InvalidParam, &["max 0 B"]);
    job.finish(members);
}

#[test]
fn joins_leaves_and_deaths_are_reported_to_all_in_order() {
    let job = job(3);
    let mut members = job.members(0..3);
    each(&mut members, &Order::Create(0, SMALL));
    for member in &mut members {
        member.ok(&Order::WatchEvents(0));
        member.ok(&Order::Join(0));
    }
    members[1].ok(&Order::Leave(0));
    members[1].ok(&Order::Join(0));
    members[1].kill();
    let mut seen = |rank: usize, expected: &[(u32, bool)]| {
        let events = members[rank].ok(&Order::AwaitEvents(expected.len()));
        assert_eq!(events, Answer::Events(expected.to_vec()), "at rank {rank}");
    };
    seen(0, &[(1, true), (2, true), (1, false), (1, true), (1, false)]);
    seen(2, &[(1, false), (1, true), (1, false)]);
    members.remove(1);
    job.finish(members);
}

#[test]
fn death_of_a_member_rejoined_while_away_is_reported() {
    let job = job(3);
    let mut members = job.pool(SMALL);
    members[1].ok(&Order::Leave(0));
    members[0].ok(&Order::Leave(0));
    members[1].ok(&Order::Join(0));
    members[0].ok(&Order::Join(0));
    members[1].ok(&Order::Put(0, host(1, 0), MIB, 1));
    members[1].kill();
    for at in [0, 2] {
        members[at].ok(&Order::AwaitStanding(0, 1, Standing::Dead));
        members[at].refused(&Order::Put(0, host(1, 0), 8, 9)).expect(Kind::NotConnected, &["rank 1", "dead"]);
        if shares_memory() {
            members[at].ok(&Order::Check(0, host(1, 0), MIB, 1));
        }
    }
    members.remove(1);
    job.finish(members);
}

#[test]
fn pools_of_one_job_do_not_touch_each_other() {
    let job = job(2);
    let mut members = job.members(0..2);
    let ids = [0, 7, 63];
    for id in ids {
        each(&mut members, &Order::Create(id, SMALL));
        each(&mut members, &Order::Join(id));
    }
    for id in ids {
        members[0].ok(&Order::Put(id, host(1, 0), 4 * MIB, u64::from(id)));
    }
    // An address of another pool is invalid here.
    let elsewhere = members[0].number(&Order::Address(7, Mem::Host, 1));
    members[0]
        .refused(&Order::Put(0, mf_tests::Spot::At(elsewhere), 8, 9))
        .expect(Kind::InvalidParam, &["address in the pool"]);
    members[1].ok(&Order::Leave(7));
    members[0].refused(&Order::Put(7, host(1, 0), 8, 9)).expect(Kind::NotConnected, &["rank 1"]);
    members[1].ok(&Order::Destroy(7));
    for id in [0, 63] {
        members[1].ok(&Order::Check(id, host(1, 0), 4 * MIB, u64::from(id)));
        members[0].ok(&Order::Put(id, host(1, 0), 8, 9));
    }
    job.finish(members);
}

#[test]
fn jobs_on_different_ports_do_not_see_each_other() {
    let (one, two) = (job(2), job(2));
    let mut of_one = one.pool(SMALL);
    let mut of_two = two.pool(SMALL);
    of_one[0].ok(&Order::Put(0, host(1, 0), MIB, 1));
    of_two[0].ok(&Order::Put(0, host(1, 0), MIB, 2));
    of_one[1].ok(&Order::Check(0, host(1, 0), MIB, 1));
    of_two[1].ok(&Order::Check(0, host(1, 0), MIB, 2));
    one.finish(of_one);
    all_reach_all(&mut of_two, &[0, 1]);
    two.finish(of_two);
}

#[test]
fn rejoined_member_is_reached_at_once() {
    let job = job(3);
    let mut members = job.pool(SMALL);
    for turn in 0..200 {
        // A member without notice cannot know that the member left, and need not be waited for when memory is
        // not shared.
        let is_deaf = !shares_memory();
        if is_deaf {
            members[1].stop();
        }
        members[2].ok(&Order::Leave(0));
        members[2].ok(&Order::Join(0));
        members[1].send(&Order::Put(0, host(2, 4096), 4096, turn));
        if is_deaf {
            members[1].resume();
        }
        members[1].answer().expect("the member has joined again");
        members[0].ok(&Order::Check(0, host(2, 4096), 4096, turn));
    }
    job.finish(members);
}

#[test]
fn copies_to_a_flapping_member_succeed_or_are_not_connected() {
    let job = job(3);
    let sizes = PoolSizes::only(subject(), 2 * MIB, 0);
    let mut members = job.pool(sizes);
    members[2].send(&Order::Scenario("come and go".to_owned(), vec![2000]));
    for user in &mut members[..2] {
        user.send(&Order::Scenario("use who comes and goes".to_owned(), vec![2]));
    }
    answers(&mut members);
    job.finish(members);
}

#[test]
fn unknown_nic_address_is_refused_only_if_a_network_is_needed() {
    let mut job = job(2);
    job.set("MF_NIC", "tcp://198.51.100.0/24:9100");
    if needs_shared_memory("unknown_nic_address_is_refused_only_if_a_network_is_needed") {
        let mut members = job.pool(PoolSizes::only(subject(), 2 * MIB, 0));
        members[0].ok(&Order::Put(0, spot(1, 0), MIB, 1));
        members[1].ok(&Order::Check(0, spot(1, 0), MIB, 1));
        job.finish(members);
    }
    job.set("MF_SHM", "false");
    let mut process = job.process("process");
    process.refused(&Order::Init(job.init(0))).expect(Kind::NotExist, &["198.51.100.0/24", "MF_NIC"]);
    job.finish(vec![process]);
}

#[test]
fn memory_of_a_dead_process_is_not_used_for_its_successor() {
    if !needs_shared_memory("memory_of_a_dead_process_is_not_used_for_its_successor") {
        return;
    }
    let mut job = job(2);
    // Members have a network, too.
    job.set("MF_NIC", "127.0.0.1");
    let sizes = PoolSizes::only(subject(), 2 * MIB, 0);
    let mut members = job.pool(sizes);
    members[0].ok(&Order::Put(0, spot(1, 0), MIB, 1));
    members.pop().unwrap().kill();
    members[0].ok(&Order::AwaitStanding(0, 1, Standing::Dead));
    members[0].ok(&Order::Check(0, spot(1, 0), MIB, 1));
    // The next process of this rank hands over no memory, as one on another host.
    job.set("MF_SHM", "false");
    let mut new = job.member(1);
    new.ok(&Order::Create(0, sizes));
    new.ok(&Order::Join(0));
    new.ok(&Order::Put(0, spot(1, 0), MIB, 2));
    members[0].ok(&Order::AwaitStanding(0, 1, Standing::Joined));
    members[0].ok(&Order::Check(0, spot(1, 0), MIB, 2));
    members[0].ok(&Order::Put(0, spot(1, 0), MIB, 3));
    new.ok(&Order::Check(0, spot(1, 0), MIB, 3));
    members.push(new);
    job.finish(members);
}
