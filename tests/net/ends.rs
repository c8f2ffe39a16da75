// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Ends in every order: a member that ends waits for no other, also not for a store that has ended before.
//!
//! Each case is a job with all members joined. The rank with the store goes first (or last, or with the
//! others) by one ending, the others by another, and each process must be gone soon. The time is printed.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mf_base::Kind;
use mf_tests::job::answers;
use mf_tests::{Answer, Init, Job, Member, Order, PoolSizes};

use super::cluster::{Cluster, MIB};

const SIZES: PoolSizes = PoolSizes { host: 2 * MIB, device: 0, max_host: 0, max_device: 0 };
/// Target time, and the tolerance for a busy machine before a test fails. An end that waits for a store waits
/// for 5 s (a lease) or 60 s.
const REACH: Duration = Duration::from_secs(1);
const SLACK: Duration = Duration::from_secs(3);

/// Ending of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Step by step, as well-behaved programs do.
    Steps,
    /// The pool is destroyed and the membership given up.
    Destroy,
    /// The membership is given up with all it holds.
    Shutdown,
    /// The objects go out of scope at the end of the program.
    Scope,
    /// Nothing is given back.
    Exit,
    /// `kill -9`
    Kill,
}

impl Ending {
    const ALL: [Self; 6] = [Self::Steps, Self::Destroy, Self::Shutdown, Self::Scope, Self::Exit, Self::Kill];

    fn orders(self) -> &'static [Order] {
        match self {
            Self::Steps => &[Order::Leave(0), Order::Destroy(0), Order::Shutdown],
            Self::Destroy => &[Order::Drop(0), Order::Shutdown],
            Self::Shutdown => &[Order::Shutdown],
            Self::Exit => &[Order::Exit],
            Self::Scope | Self::Kill => &[],
        }
    }

    fn begin(self, member: &mut Member) {
        if self == Self::Kill {
            return member.kill();
        }
        self.orders().iter().for_each(|order| member.send(order));
        member.close_orders();
    }
}

/// When the rank with the store ends.
#[derive(Clone, Copy, Debug)]
enum First {
    /// It is gone before the others begin.
    Store,
    /// All at once.
    Together,
    /// The others are gone before it begins.
    Others,
}

/// Lets all these members end so; the longest that one of them took.
fn end(members: &mut [Member], ending: Ending) -> Duration {
    let began = Instant::now();
    members.iter_mut().for_each(|member| ending.begin(member));
    let ends = members.iter_mut().map(|member| {
        let status = member.wait_for_end();
        assert!(status.success() || ending == Ending::Kill, "it ended with {status}");
        began.elapsed()
    });
    ends.max().unwrap_or_default()
}

/// Lets all members of a job end; the longest that one took since those were gone that went before.
fn end_all(mut members: Vec<Member>, first: First, store: Ending, others: Ending) -> Duration {
    let (with_store, rest) = members.split_at_mut(1);
    match first {
        First::Store => end(with_store, store).max(end(rest, others)),
        First::Others => end(rest, others).max(end(with_store, store)),
        First::Together => {
            let began = Instant::now();
            store.begin(&mut with_store[0]);
            let rest = end(rest, others);
            with_store[0].wait_for_end();
            rest.max(began.elapsed())
        }
    }
}

struct Figures {
    what: String,
    cases: u32,
    longest: Duration,
    of: String,
}

impl Figures {
    fn new(what: &str) -> Self {
        Self { what: what.to_owned(), cases: 0, longest: Duration::ZERO, of: String::new() }
    }

    fn took(&mut self, case: &str, time: Duration) {
        assert!(time < REACH + SLACK, "{}: {case}: a process ended after {time:?}", self.what);
        self.cases += 1;
        if time > self.longest {
            (self.longest, self.of) = (time, case.to_owned());
        }
    }
}

impl Drop for Figures {
    fn drop(&mut self) {
        let Self { what, cases, longest, of } = self;
        let judged = if *longest < REACH { "within" } else { "OVER" };
        // Past the capture of the test runner, as figures are to be seen.
        let _ = writeln!(
            std::io::stderr(),
            "ends: {what}: {cases} cases, the longest end {} ms ({of}), {judged} 1 s",
            longest.as_millis()
        );
    }
}

/// Order of the ends, and each side's ending; every ending of each side at least once, `Together` and
/// `Others` less often.
fn cases() -> impl Iterator<Item = (First, Ending, Ending)> {
    let all = Ending::ALL.into_iter().enumerate();
    let store_first = all.clone().flat_map(|(_, store)| {
        [Ending::Steps, Ending::Shutdown, Ending::Scope, Ending::Exit]
            .map(|others| (First::Store, store, others))
    });
    let turned =
        move |(at, store): (usize, Ending), by: usize| (store, Ending::ALL[(at + by) % Ending::ALL.len()]);
    let together =
        all.clone().map(move |one| turned(one, 0)).map(|(store, others)| (First::Together, store, others));
    let last = all.map(move |one| turned(one, 2)).map(|(store, others)| (First::Others, store, others));
    store_first.chain(together).chain(last)
}

/// One case of each kind and ending.
fn few() -> impl Iterator<Item = (First, Ending, Ending)> {
    let endings = [
        (Ending::Scope, Ending::Steps),
        (Ending::Exit, Ending::Destroy),
        (Ending::Kill, Ending::Shutdown),
        (Ending::Steps, Ending::Scope),
        (Ending::Shutdown, Ending::Exit),
    ];
    let firsts = [First::Store, First::Together, First::Others];
    endings.into_iter().zip(firsts.into_iter().cycle()).map(|((store, others), first)| (first, store, others))
}

/// Runs cases of jobs with rank `n` on host `places[n]`.
fn over_hosts(
    test: &str,
    places: &[u32],
    environment: &[(&str, &str)],
    cases: impl Iterator<Item = (First, Ending, Ending)>,
) {
    let mut figures = Figures::new(test);
    let cluster = Cluster::new(test, places, environment);
    for (first, store, others) in cases {
        let members = cluster.pool(SIZES);
        figures.took(
            &format!("{first:?} first, store {store:?}, others {others:?}"),
            end_all(members, first, store, others),
        );
    }
}

#[test]
fn two_hosts_shut_down_in_every_order() {
    over_hosts("two_hosts_shut_down_in_every_order", &[0, 1], &[], cases());
}

#[test]
fn several_ranks_on_two_hosts_shut_down_in_every_order() {
    over_hosts("several_ranks_on_two_hosts_shut_down_in_every_order", &[0, 0, 1, 1], &[], few());
    over_hosts("several_ranks_on_two_hosts_shut_down_in_every_order", &[0, 1, 1, 1, 0, 1, 0, 1], &[], few());
}

#[test]
fn ranks_of_one_host_with_a_network_shut_down_in_every_order() {
    let test = "ranks_of_one_host_with_a_network_shut_down_in_every_order";
    over_hosts(test, &[0, 0], &[("MF_SHM", "false")], few());
    over_hosts(test, &[0, 0, 0, 0], &[("MF_NIC", "tcp://10.213.7.0/24:0")], few());
}

#[test]
fn ranks_of_one_host_shut_down_in_every_order() {
    for (world, nic) in [(2, false), (2, true), (4, true), (8, false)] {
        let mut figures = Figures::new(&format!("{world} ranks of one host, MF_NIC {nic}"));
        for (first, store, others) in few() {
            let mut job = Job::new(env!("CARGO_BIN_EXE_mf-rank"), world);
            if nic {
                job.set("MF_NIC", "127.0.0.1/8");
            }
            let members = job.pool(SIZES);
            let time = end_all(members, first, store, others);
            figures.took(&format!("{first:?} first, store {store:?}, others {others:?}"), time);
        }
    }
}

#[test]
fn search_for_a_stopped_store_is_short() {
    let test = "search_for_a_stopped_store_is_short";
    let cluster = Cluster::new(test, &[0, 1], &[("MF_STORE_LEASE", "1s")]);
    if cluster.hosts.is_none() {
        return;
    }
    let mut members = cluster.pool(SIZES);
    end(&mut members[..1], Ending::Shutdown);
    // The control timeout is longer than the lease: it is not that which passes.
    let failure = members[1].refused(&Order::Get("key".to_owned()));
    failure.expect(Kind::NotConnected, &["the member that ran it has left the job"]);
    end(&mut members[1..], Ending::Steps);
}

#[test]
fn remaining_member_takes_over_a_stopped_store() {
    let test = "remaining_member_takes_over_a_stopped_store";
    let cluster = Cluster::new(test, &[0, 0, 1], &[]);
    let mut members: Vec<Member> =
        (0..3).map(|rank| cluster.process(rank, &format!("rank {rank}"))).collect();
    for (rank, member) in (0..).zip(&mut members) {
        member.send(&Order::Init(Init { start_store: rank < 2, ..cluster.job.init(rank) }));
    }
    answers(&mut members);
    members[2].ok(&Order::Set("key".to_owned(), b"value".to_vec()));
    end(&mut members[..1], Ending::Shutdown);
    for member in &mut members[1..] {
        let found = member.ok(&Order::Get("key".to_owned()));
        assert_eq!(found, Answer::Value(Some(b"value".to_vec())));
    }
    end(&mut members[1..], Ending::Shutdown);
}

/// The processors are busy with other things while this lives.
struct Load {
    stop: std::sync::Arc<AtomicBool>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Load {
    fn start() -> Self {
        let stop = std::sync::Arc::new(AtomicBool::new(false));
        let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let spin = || {
            let stop = std::sync::Arc::clone(&stop);
            std::thread::spawn(move || while !stop.load(Ordering::Relaxed) {})
        };
        let threads = (0..2 * processors).map(|_| spin()).collect();
        Self { stop, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.threads.drain(..).for_each(|thread| thread.join().unwrap());
    }
}

#[test]
fn shutdown_on_a_loaded_machine_is_as_fast() {
    let _load = Load::start();
    over_hosts("shutdown_on_a_loaded_machine_is_as_fast", &[0, 1, 1, 0], &[], few());
}
