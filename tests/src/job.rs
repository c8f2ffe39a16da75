// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The members of one store.

use std::path::{Path, PathBuf};

use crate::deadline;
use crate::hosts::Hosts;
use crate::member::Member;
use crate::order::{Answer, Init, Mem, Order, PoolSizes, Spot};
use crate::port::Port;
use crate::shm::Snapshot;
use crate::transcript::Transcript;

const SECRET: &str = "a secret of sixteen bytes and more";

/// A job: a store on a port of its own, and its members.
///
/// Declare it before its members: it prints the transcript of a failed test when it is dropped, after them.
#[derive(Debug)]
pub struct Job {
    program: PathBuf,
    world: u32,
    port: Port,
    /// Address of the store, if it is not the port.
    elsewhere: Option<String>,
    /// Hosts of the ranks, if they are not on this host.
    hosts: Option<&'static Hosts>,
    transcript: Transcript,
    shm: Snapshot,
    environment: Vec<(String, String)>,
}

impl Job {
    /// A job of `world` ranks with members that run `program`.
    pub fn new(program: impl AsRef<Path>, world: u32) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            world,
            port: Port::take(),
            elsewhere: None,
            hosts: None,
            transcript: Transcript::default(),
            shm: Snapshot::take(),
            environment: Vec::new(),
        }
    }

    /// The same with the store at `url`.
    pub fn at(program: impl AsRef<Path>, world: u32, url: &str) -> Self {
        let mut job = Self::new(program, world);
        job.elsewhere = Some(url.to_owned());
        job
    }

    /// A job with the first half of the ranks, and the store, on the first host, and the others on the
    /// second.
    pub fn over(program: impl AsRef<Path>, world: u32, hosts: &'static Hosts) -> Self {
        let mut job = Self::at(program, world, &hosts.next_store());
        job.hosts = Some(hosts);
        job.set("MF_JOB_SECRET", SECRET);
        job
    }

    /// The secret of its store; empty: it has none.
    pub fn secret(&self) -> &'static str {
        if self.hosts.is_some() { SECRET } else { "" }
    }

    /// Does something where the store is.
    pub fn at_store<T: Send>(&self, what: impl FnOnce() -> T + Send) -> T {
        match self.hosts {
            Some(hosts) => hosts.on(0, what),
            None => what(),
        }
    }

    /// Which host a rank is on.
    pub fn host_of(&self, rank: u32) -> usize {
        usize::from(self.hosts.is_some() && 2 * rank >= self.world)
    }

    /// Sets a variable of the members that start from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Takes a variable back for the members that start from now on.
    pub fn unset(&mut self, name: &str) {
        self.environment.retain(|(set, _)| set != name);
    }

    /// The URL of its store.
    pub fn url(&self) -> String {
        self.elsewhere.clone().unwrap_or_else(|| self.port.url())
    }

    /// The number of its members.
    pub fn world(&self) -> u32 {
        self.world
    }

    /// The number of its store's port.
    pub fn port(&self) -> u16 {
        self.port.number()
    }

    /// Orders, answers and output of its members.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// A process that has not found the job yet.
    pub fn process(&self, name: &str) -> Member {
        self.process_through(&[], name)
    }

    /// The same, started by a command that becomes the program in its place.
    pub fn process_through(&self, through: &[String], name: &str) -> Member {
        Member::start(through, &self.program, name, &self.environment, &self.transcript)
    }

    /// True if two PEs map each other's memory: on one host they do, unless that is switched off.
    pub fn are_near(&self, pe: i32, other: i32) -> bool {
        let host = |pe: i32| self.hosts.map(|_| self.host_of(pe.unsigned_abs()));
        pe == other || host(pe).is_some_and(|own| Some(own) == host(other))
    }

    /// The process of a rank, where that is.
    pub fn process_of(&self, rank: u32, name: &str) -> Member {
        let through = self.hosts.map_or_else(Vec::new, |hosts| hosts.through(self.host_of(rank)));
        self.process_through(&through, name)
    }

    /// Init parameters of the member `rank`; no timeout is shorter than the common deadline.
    pub fn init(&self, rank: u32) -> Init {
        let limit_ms = u64::try_from(deadline::limit().as_millis()).unwrap();
        Init {
            url: self.url(),
            world: self.world,
            rank: Some(rank),
            start_store: self.host_of(rank) == 0,
            init_ms: limit_ms,
            create_ms: limit_ms,
            control_ms: limit_ms,
        }
    }

    /// Member processes with these ranks, in this order, that have found the job.
    #[track_caller]
    pub fn members(&self, ranks: impl IntoIterator<Item = u32>) -> Vec<Member> {
        let mut members = Vec::new();
        for rank in ranks {
            let mut member = self.process(&format!("rank {rank}"));
            member.send(&Order::Init(self.init(rank)));
            members.push(member);
        }
        answers(&mut members);
        members
    }

    /// One more member.
    #[track_caller]
    pub fn member(&self, rank: u32) -> Member {
        self.members([rank]).remove(0)
    }

    /// All members of the job, joined to pool 0.
    #[track_caller]
    pub fn pool(&self, sizes: PoolSizes) -> Vec<Member> {
        let mut members = self.members(0..self.world);
        each(&mut members, &Order::Create(0, sizes));
        each(&mut members, &Order::Join(0));
        members
    }

    /// Ends a run in order: every member releases everything and finds no leaks, every process ends, and
    /// nothing stays in `/dev/shm`. Another run on the same port may follow.
    #[track_caller]
    pub fn finish(&self, mut members: Vec<Member>) {
        for member in &mut members {
            member.send(&Order::Finish);
        }
        for answer in answers(&mut members) {
            assert_eq!(answer, Answer::Remains(Vec::new()), "something is left over");
        }
        for member in members {
            member.dismiss();
        }
        // Files that another program is about to open or remove have no holder for a moment.
        let clean = deadline::wait_until(|| self.shm.left_behind().is_empty());
        assert!(clean, "something stays in /dev/shm: {:?}", self.shm.left_behind());
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("transcript of the members:\n{}", self.transcript.text());
        }
    }
}

/// Orders the same of all, at the same time; all must succeed.
#[track_caller]
pub fn each(members: &mut [Member], order: &Order) -> Vec<Answer> {
    for member in members.iter_mut() {
        member.send(order);
    }
    answers(members)
}

/// Takes an answer of each; all must be good.
#[track_caller]
pub fn answers(members: &mut [Member]) -> Vec<Answer> {
    let mut answers = Vec::new();
    for member in members {
        match member.answer() {
            Ok(answer) => answers.push(answer),
            Err(failure) => panic!("process {} failed: {}", member.pid(), failure.text),
        }
    }
    answers
}

/// Each of `members`, which have these ranks, puts to each; target and source check the data.
#[track_caller]
pub fn all_reach_all(members: &mut [Member], ranks: &[u32]) {
    for mem in Mem::ALL {
        let seed = |from: u32, to: u32| u64::from(1000 + 100 * from + to);
        let place = |from: u32, to: u32| Spot::In(mem, to, u64::from(from) * 2000 + 1);
        for (member, from) in members.iter_mut().zip(ranks) {
            for to in ranks {
                member.send(&Order::Put(0, place(*from, *to), 1001, seed(*from, *to)));
                member.send(&Order::Check(0, place(*from, *to), 1001, seed(*from, *to)));
            }
        }
        for _ in 0..2 * ranks.len() {
            answers(members);
        }
        for (member, to) in members.iter_mut().zip(ranks) {
            for from in ranks {
                member.ok(&Order::Check(0, place(*from, *to), 1001, seed(*from, *to)));
            }
        }
    }
}
