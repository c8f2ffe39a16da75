// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Many at the same time.

use mf_tests::job::{answers, each};
use mf_tests::{Answer, Order, PoolSizes};

use super::dice::{Dice, seed};
use super::jobs::{MIB, all_reach_all, assert_all_known, has_accelerator, job, only, subject};

fn join_together(world: u32, rounds: u32) {
    let mut dice = Dice::new(seed());
    let job = job(world);
    let mut members = job.members(0..world);
    each(&mut members, &Order::Create(0, only(2 * MIB)));
    let ranks: Vec<u32> = (0..world).collect();
    for _ in 0..rounds {
        let mut order: Vec<usize> = (0..members.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, dice.roll(last + 1));
        }
        for at in &order {
            members[*at].send(&Order::Join(0));
        }
        answers(&mut members);
        assert_all_known(&mut members);
        all_reach_all(&mut members, &ranks);
        each(&mut members, &Order::Leave(0));
    }
    job.finish(members);
}

#[test]
fn eight_simultaneous_joiners_see_each_other() {
    join_together(8, 5);
}

#[test]
fn sixteen_simultaneous_joiners_see_each_other() {
    join_together(16, 2);
}

#[test]
fn members_can_copy_right_after_a_join_event() {
    let job = job(6);
    let mut members = job.members(0..6);
    each(&mut members, &Order::Create(0, only(2 * MIB)));
    each(&mut members, &Order::Scenario("crowd".to_owned(), vec![40]));
    job.finish(members);
}

#[test]
fn all_members_agree_on_membership_under_churn() {
    let seed = seed();
    let job = job(5);
    let mut members = job.members(0..5);
    each(&mut members, &Order::Create(0, only(2 * MIB)));
    each(&mut members, &Order::Scenario("churn".to_owned(), vec![300, seed]));
    job.finish(members);
}

#[test]
fn member_joining_during_growth_sees_the_announced_size() {
    let job = job(4);
    let mut members = job.pool(PoolSizes::only(subject(), 2 * MIB, 512 * MIB));
    // Each step takes a tenth of a second on the simulator, and an order 30 s at most.
    let steps = if has_accelerator() { 120 } else { 250 };
    members[0].send(&Order::Scenario("grow".to_owned(), vec![steps]));
    for member in &mut members[1..] {
        member.send(&Order::Scenario("watch growth".to_owned(), Vec::new()));
    }
    answers(&mut members);
    job.finish(members);
}

#[test]
fn automatically_assigned_ranks_are_dense() {
    let job = job(5);
    let mut members: Vec<_> = (0..5).map(|at| job.process(&format!("process {at}"))).collect();
    for member in &mut members {
        let init = mf_tests::Init { rank: None, start_store: true, ..job.init(0) };
        member.send(&Order::Init(init));
    }
    let mut ranks = answers(&mut members);
    ranks.sort_by_key(|rank| if let Answer::Number(rank) = rank { *rank } else { u64::MAX });
    assert_eq!(ranks, (0..5).map(Answer::Number).collect::<Vec<_>>());
    each(&mut members, &Order::Create(0, only(2 * MIB)));
    each(&mut members, &Order::Join(0));
    assert_all_known(&mut members);
    job.finish(members);
}
