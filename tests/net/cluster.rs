// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Members of a pool, spread over hosts.

use std::collections::BTreeMap;

use mf_base::Kind;
use mf_tests::deadline::wait_until;
pub(crate) use mf_tests::job::all_reach_all;
use mf_tests::job::{answers, each};
use mf_tests::{Init, Job, Member, Order, PoolSizes, skip};

use super::harness::{Hosts, address};

pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const STORE_PORT: u16 = 5570;

/// Hosts, and which rank is on which. Where hosts cannot be made everything is on this one, and members do
/// not map each other's memory.
///
/// Declare it before its members.
pub(crate) struct Cluster {
    pub(crate) hosts: Option<Hosts>,
    pub(crate) job: Job,
    places: Vec<u32>,
}

impl Cluster {
    /// Rank `n` is on host `places[n]`; the store is with rank 0.
    pub(crate) fn new(test: &str, places: &[u32], environment: &[(&str, &str)]) -> Self {
        let count = places.iter().max().unwrap() + 1;
        let world = u32::try_from(places.len()).unwrap();
        let program = env!("CARGO_BIN_EXE_mf-rank");
        let (hosts, mut job) = match Hosts::new(count) {
            Ok(hosts) => {
                let url = format!("tcp://{}:{STORE_PORT}", address(places[0]));
                (Some(hosts), Job::at(program, world, &url))
            }
            Err(reason) => {
                skip(test, format!("hosts of its own ({reason}); it runs over the loopback instead"));
                let mut job = Job::new(program, world);
                job.set("MF_SHM", "false");
                (None, job)
            }
        };
        job.set("MF_JOB_SECRET", "a secret of sixteen bytes and more");
        for (name, value) in environment {
            job.set(name, value);
        }
        Self { hosts, job, places: places.to_vec() }
    }

    /// A process on the host of `rank`.
    pub(crate) fn process(&self, rank: u32, name: &str) -> Member {
        let host = self.places[usize::try_from(rank).unwrap()];
        let through = self.hosts.as_ref().map_or_else(Vec::new, |hosts| hosts.through(host));
        self.job.process_through(&through, name)
    }

    /// Init order of the member `rank`.
    pub(crate) fn init(&self, rank: u32) -> Order {
        Order::Init(Init { start_store: rank == 0, ..self.job.init(rank) })
    }

    /// All members, joined to pool 0.
    #[track_caller]
    pub(crate) fn pool(&self, sizes: PoolSizes) -> Vec<Member> {
        let mut members: Vec<Member> = (0..u32::try_from(self.places.len()).unwrap())
            .map(|rank| {
                let mut member = self.process(rank, &format!("rank {rank}"));
                member.send(&self.init(rank));
                member
            })
            .collect();
        answers(&mut members);
        each(&mut members, &Order::Create(0, sizes));
        each(&mut members, &Order::Join(0));
        members
    }

    /// Another process takes the rank of one that died, when the store has noticed.
    #[track_caller]
    pub(crate) fn successor(&self, rank: u32, sizes: PoolSizes) -> Member {
        let mut successor = self.process(rank, "successor");
        let taken = || match successor.order(&self.init(rank)) {
            Ok(_) => true,
            Err(failure) => {
                failure.expect(Kind::Duplicated, &["is taken"]);
                false
            }
        };
        assert!(wait_until(taken), "rank {rank} does not become free");
        successor.ok(&Order::Create(0, sizes));
        successor.ok(&Order::Join(0));
        successor
    }

    /// Connections between hosts on this member's host: their number by address, including those to itself,
    /// without the store's.
    pub(crate) fn connections(member: &Member) -> BTreeMap<(String, String), usize> {
        let table = std::fs::read_to_string(format!("/proc/{}/net/tcp", member.pid())).unwrap();
        let mut counts = BTreeMap::new();
        for line in table.lines().skip(1) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (Some(local), Some(remote), Some(&"01")) = (words.get(1), words.get(2), words.get(3)) else {
                continue;
            };
            let (local, remote) = (local.split_once(':').unwrap(), remote.split_once(':').unwrap());
            let store = format!("{STORE_PORT:04X}");
            if local.1 != store && remote.1 != store {
                *counts.entry((local.0.to_owned(), remote.0.to_owned())).or_default() += 1;
            }
        }
        counts
    }
}

/// A failure of an operation towards `rank`, which is gone or does not answer.
#[track_caller]
pub(crate) fn is_about(failure: &mf_tests::Failure, rank: u32) {
    let kinds = [Kind::NotConnected, Kind::Timeout];
    assert!(kinds.iter().any(|kind| kind.code() == failure.code), "{}", failure.text);
    assert!(failure.text.contains(&format!("rank {rank}")), "whom it is about: {}", failure.text);
}
