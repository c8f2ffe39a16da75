// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Tests with ten thousand members: the cost of an event does not grow with their number, unless all of them
//! must be notified of it.

use super::meeting::barrier;
use super::*;

const MEMBERS: u32 = 10_000;

fn many() -> Bench {
    let mut bench = Bench::with(Limits { max_world: MEMBERS, resume_grace_us: GRACE_US, ..limits(MEMBERS) });
    let mut welcomes = 0;
    for link in 1..=u64::from(MEMBERS) {
        let mut arrival = arrival(MEMBERS, None);
        arrival.join.host = format!("host{}", link % 100);
        welcomes += bench.arrive(link, arrival).len();
    }
    assert_eq!(welcomes, MEMBERS as usize);
    assert_eq!(bench.notices, []);
    bench
}

#[test]
fn ranks_of_a_host_are_neighbours() {
    let bench = many();
    let hosts: Vec<_> = bench.machine.members.iter().map(|(_, session)| session.host.clone()).collect();
    assert_eq!(hosts.windows(2).filter(|pair| pair[0] != pair[1]).count(), 99);
}

#[test]
fn deaths_joins_and_barriers_of_many() {
    let mut bench = many();
    for link in 1..=u64::from(MEMBERS) {
        if link % 50 == 1 {
            bench.ask(link, Request::WatchMembers { watch: 3 });
        }
        bench.set(link, &format!("member/{link}"), "", Lifetime::Permanent);
    }
    let mut released = 0;
    for link in 1..=u64::from(MEMBERS) {
        released += bench.ask(link, barrier(MEMBERS, SECOND_US)).len();
    }
    assert_eq!(released, MEMBERS as usize);
    bench.take_notices();
    for link in 1..=100 {
        bench.end(link * 100, Cause::Lost);
    }
    bench.pass(SECOND_US);
    let notices = bench.take_notices();
    // All that died at a time are reported at a time: twice to the watches, twice as the standing, and their
    // keys.
    assert!(notices.len() <= 4 * MEMBERS as usize + 100, "{}", notices.len());
    let kept: usize = notices
        .iter()
        .map(|(_, notice)| match notice {
            Notice::Keep(entries) => entries.len(),
            _ => 0,
        })
        .sum();
    assert_eq!(kept, 100);
    let epoch = u64::from(MEMBERS) + 100;
    for link in 1..=100 {
        assert_eq!(welcomed(&bench.join(20_000 + link, None)).len(), 1);
    }
    bench.pass(SECOND_US);
    let status = bench.machine.status(bench.now);
    assert_eq!((status.members.len(), status.epoch), (MEMBERS as usize, epoch + 100));
}

#[test]
fn store_dies_under_many() {
    let mut bench = many();
    let resumes: Vec<_> = (1..=u64::from(MEMBERS)).map(|link| (link, bench.resume_of(link))).collect();
    let mut next = Bench::with(Limits { max_world: MEMBERS, resume_grace_us: GRACE_US, ..limits(MEMBERS) });
    let mut welcomes = 0;
    for (link, mut resume) in resumes {
        resume.store = [9; 16];
        assert_eq!(next.resume(link, key_of(link), resume), []);
        next.one_way(link, OneWay::Kept(vec![value(link, &format!("member/{link}"), "")]));
        welcomes += next.one_way(link, OneWay::Complete).len();
    }
    assert_eq!(welcomes, MEMBERS as usize);
    assert_eq!(next.machine.status(next.now).keys, u64::from(MEMBERS));
    bench.notices.clear();
    // The end of the job does not carry every key through every member.
    for link in 1..=u64::from(MEMBERS) {
        next.end(link, Cause::Left);
        next.now += 5;
    }
    assert_eq!(next.machine.keys.records.len(), 0);
    let handed: usize = next.kept().iter().map(|(_, entries)| entries.len()).sum();
    assert!(handed <= 1, "{handed}");
}
