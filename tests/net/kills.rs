// SPDX-License-Identifier: Apache-2.0 OR MIT
//! `kill -9` of either side in the middle of every kind of operation between hosts.

use mf_tests::deadline::wait_until;
use mf_tests::job::each;
use mf_tests::order::Standing;
use mf_tests::{End, Member, Order, host};

use super::cluster::{Cluster, MIB, all_reach_all, is_about};
use super::pools::SIZES;

const H2G: u32 = 3;
const VICTIM: u32 = 2;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    Put,
    Get,
    Batch,
    Queued,
    Copy,
}

impl Work {
    pub(crate) const ALL: [Self; 5] = [Self::Put, Self::Get, Self::Batch, Self::Queued, Self::Copy];

    /// Orders to repeat: with the memory of `with`, for a copy also of `third`.
    pub(crate) fn orders(self, with: u32, third: u32) -> Vec<Order> {
        let place = |at: u64| host(with, 2 * MIB + at);
        let to_place = |at: u64| (End::Buffer(at), End::Pool(place(at)), 100_000);
        match self {
            Self::Put => vec![Order::Put(0, place(0), MIB, 5)],
            Self::Get => vec![Order::Digest(0, place(0), MIB)],
            Self::Batch => {
                vec![Order::Batch(0, (0..10).map(|at| to_place(at * 100_000)).collect(), H2G, false)]
            }
            Self::Queued => {
                let one = |at: u64| Order::Raw(0, End::Buffer(0), End::Pool(place(at * MIB)), MIB, H2G, true);
                vec![one(0), one(1), Order::Wait(0)]
            }
            Self::Copy => vec![Order::Copy(0, place(0), host(third, 5 * MIB), MIB)],
        }
    }
}

/// Takes the answers to so many orders: done, or an error about the victim.
fn take_answers(member: &mut Member, count: usize) {
    for _ in 0..count {
        if let Err(failure) = member.answer() {
            is_about(&failure, VICTIM);
        }
    }
}

#[test]
fn killed_member_fails_only_its_own_operations() {
    let test = "killed_member_fails_only_its_own_operations";
    let cluster = Cluster::new(test, &[0, 1, 2], &[("MF_NET_TIMEOUT", "10s")]);
    let mut others = cluster.pool(SIZES);
    let mut doomed = others.pop().unwrap();
    for (work, third) in Work::ALL.into_iter().zip([0, 1, 0, 1, 1]) {
        eprintln!("killed in {work:?}");
        // It works with another member, while the first works with it.
        let (mine, its): (Vec<Order>, Vec<Order>) = (0..40)
            .map(|_| (work.orders(VICTIM, third), work.orders(1, VICTIM)))
            .fold(Default::default(), |(mut mine, mut its), (one, other)| {
                mine.extend(one);
                its.extend(other);
                (mine, its)
            });
        for order in &its {
            doomed.send(order);
        }
        for order in &mine {
            others[0].send(order);
        }
        // Both are in the middle of it.
        let _ = doomed.answer().unwrap_or_else(|failure| panic!("{}", failure.text));
        let _ = others[0].answer().unwrap_or_else(|failure| panic!("{}", failure.text));
        doomed.kill();
        take_answers(&mut others[0], mine.len() - 1);

        for other in &mut others {
            other.ok(&Order::AwaitStanding(0, VICTIM, Standing::Dead));
            is_about(&other.refused(&Order::Put(0, host(VICTIM, 0), 8, 1)), VICTIM);
            is_about(&other.refused(&Order::Digest(0, host(VICTIM, 0), 8)), VICTIM);
        }
        all_reach_all(&mut others, &[0, 1]);
        doomed = cluster.successor(VICTIM, SIZES);
        assert!(wait_until(|| others[0].order(&Order::CheckZeroes(0, host(VICTIM, 0), 8 * MIB)).is_ok()));
        others.push(doomed);
        all_reach_all(&mut others, &[0, 1, 2]);
        doomed = others.pop().unwrap();
    }
    others.push(doomed);
    cluster.job.finish(others);
}

#[test]
fn both_ends_restart_on_the_same_ports_after_a_kill() {
    let test = "both_ends_restart_on_the_same_ports_after_a_kill";
    let mut cluster = Cluster::new(test, &[0, 1], &[]);
    if cluster.hosts.is_some() {
        cluster.job.set("MF_NIC", "tcp://10.213.7.0/24:9100");
    }
    for round in 0..3 {
        let mut members = cluster.pool(SIZES);
        for member in &mut members {
            member.ok(&Order::CheckZeroes(0, host(0, 0), 8 * MIB));
            member.ok(&Order::CheckZeroes(0, host(1, 0), 8 * MIB));
        }
        each(&mut members, &Order::Barrier("all have checked".to_owned(), 2));
        all_reach_all(&mut members, &[0, 1]);
        for (member, to) in members.iter_mut().zip([1, 0]) {
            member.ok(&Order::KeepPutting(0, host(to, 4 * MIB), MIB, round));
            member.ok(&Order::AwaitPuts(3));
        }
        if round == 2 {
            for member in &mut members {
                member.ok(&Order::StopPutting);
            }
            cluster.job.finish(members);
            return;
        }
        for member in &mut members {
            member.kill();
        }
    }
}
