// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Servers of etcd die, or their answers are lost; no living member loses anything.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mf_base::{Kind, Rank};
use mf_bootstrap::rendezvous::Options;
use mf_store::{Change, Lifetime, RankWish, Store, Timing};

use super::servers::{Job, Servers, url_of};
use crate::conformance::{next, recorder};
use crate::hosted::{GRACE, Hosted};
use crate::members::{deadline, timing};

/// Writes acknowledged to one writer.
#[derive(Default)]
struct Acknowledged {
    set: BTreeMap<String, Vec<u8>>,
    added: i64,
    appended: usize,
    swapped: i64,
}

fn write_until(store: &Hosted, stop: &AtomicBool, rounds: &AtomicU64) -> Acknowledged {
    let rank = store.member().rank;
    let mut reported = Acknowledged::default();
    while !stop.load(Ordering::Acquire) {
        let key = format!("w/{rank}/{:06}", reported.set.len());
        let value = key.clone().into_bytes();
        store.set(&key, &value, Lifetime::Permanent).unwrap();
        reported.set.insert(key, value);
        store.add("sum", 1).unwrap();
        reported.added += 1;
        store.append("log", &[b'0' + rank.0.to_le_bytes()[0]]).unwrap();
        reported.appended += 1;
        let current = store.get("swaps").unwrap().map(|entry| entry.value);
        let number: i64 = current.as_deref().map_or(0, |text| String::from_utf8_lossy(text).parse().unwrap());
        let new = (number + 1).to_string().into_bytes();
        if store.compare_and_swap("swaps", current.as_deref(), &new, Lifetime::Permanent).unwrap().swapped {
            reported.swapped += 1;
        }
        rounds.fetch_add(1, Ordering::AcqRel);
    }
    reported
}

/// Ends the writers, also when the test fails in between.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[test]
fn each_server_dies_in_turn_and_every_write_happens_once() {
    let Some(servers) = Servers::start(3) else { return };
    let job = Job::on(Arc::new(servers), 4);
    let long = |wish| within(&job, Duration::from_secs(20), wish);
    let stores: Vec<Hosted> =
        (0..3).map(|rank| Hosted::join(&long(RankWish::Exactly(Rank(rank)))).unwrap()).collect();
    let (callback, changes) = recorder();
    stores[0].watch("w/", callback).unwrap();
    stores[1].set("mine", b"", Lifetime::Session).unwrap();
    let (stop, rounds) = (AtomicBool::new(false), AtomicU64::new(0));
    let reported: Vec<Acknowledged> = std::thread::scope(|scope| {
        let writing: Vec<_> =
            stores.iter().map(|store| scope.spawn(|| write_until(store, &stop, &rounds))).collect();
        let stopping = Stop(&stop);
        let go_on = |what: &str| {
            let (before, end) = (rounds.load(Ordering::Acquire), deadline());
            while rounds.load(Ordering::Acquire) < before + 30 {
                assert!(Instant::now() < end, "no writes: {what}");
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        for at in 0..3 {
            go_on("before the death of a server");
            job.servers.kill(at);
            go_on("after the death of a server");
            // A member comes while one server is away; no rank is there twice.
            let three = Hosted::join(&long(RankWish::Any)).unwrap();
            assert_eq!(three.member().rank, Rank(3));
            assert_eq!(three.get("mine").unwrap().unwrap().owner, Some(Rank(1)));
            drop(three);
            job.servers.restart(at);
        }
        // One that is stopped takes its time, and is not waited for.
        job.servers.signal(1, "STOP");
        go_on("after a server was stopped");
        job.servers.signal(1, "CONT");
        drop(stopping);
        writing.into_iter().map(|writing| writing.join().unwrap()).collect()
    });
    let read = Hosted::join(&long(RankWish::Exactly(Rank(3)))).unwrap();
    let number = |key: &str| -> i64 {
        String::from_utf8(read.get(key).unwrap().unwrap().value).unwrap().parse().unwrap()
    };
    assert_eq!(number("sum"), reported.iter().map(|reported| reported.added).sum::<i64>());
    assert_eq!(number("swaps"), reported.iter().map(|reported| reported.swapped).sum::<i64>());
    let log = read.get("log").unwrap().unwrap().value;
    for (rank, reported) in reported.iter().enumerate() {
        let digit = b'0' + rank.to_le_bytes()[0];
        assert_eq!(log.iter().filter(|byte| **byte == digit).count(), reported.appended);
    }
    let all: BTreeMap<String, Vec<u8>> = reported.into_iter().flat_map(|reported| reported.set).collect();
    let listing = read.list("w/").unwrap();
    let found: BTreeMap<String, Vec<u8>> =
        listing.entries.into_iter().map(|entry| (entry.key, entry.value)).collect();
    assert_eq!(found, all);
    // The watch has seen each write once, in the order of revisions.
    let (mut seen, mut last) = (BTreeMap::new(), 0);
    while seen.len() < all.len() {
        match next(&changes) {
            Change::Put(entry) => {
                assert!(entry.revision > last);
                last = entry.revision;
                assert!(seen.insert(entry.key, entry.value).is_none());
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen, all);
    assert_eq!(read.view().unwrap().members.len(), 4);
    assert!(read.get("mine").unwrap().is_some());
}

/// Options of a member of a job with this lease.
pub(super) fn within(job: &Job, lease: Duration, wish: RankWish) -> Options {
    Options { timing: Some(Timing { lease, ..timing(GRACE) }), ..job.options(wish) }
}

#[test]
fn session_ends_if_etcd_stays_unreachable() {
    let Some(servers) = Servers::start(1) else { return };
    let job = Job::on(Arc::new(servers), 1);
    let timing = Timing { lease: Duration::from_secs(2), reconnect: Duration::from_secs(1), ..timing(GRACE) };
    let options = Options {
        request_timeout: Duration::from_millis(300),
        timing: Some(timing),
        ..job.options(RankWish::Any)
    };
    let store = Hosted::join(&options).unwrap();
    let (callback, changes) = recorder();
    store.watch("", callback).unwrap();
    job.servers.kill(0);
    let error = store.set("k", b"", Lifetime::Permanent).unwrap_err();
    assert_eq!(error.kind(), Kind::Timeout, "nothing is acknowledged that is not in etcd: {error}");
    assert_eq!(next(&changes), Change::StoreLost);
    assert!(!store.is_connected());
    let error = store.get("k").unwrap_err();
    assert_eq!(error.kind(), Kind::NotConnected);
    store.close();
    assert!(changes.try_recv().is_err(), "it is reported once");
}

#[test]
fn full_etcd_fails_writes_with_the_remedy_and_reads_pass() {
    let Some(servers) = Servers::start_with(1, None, &["--quota-backend-bytes", "8388608"]) else { return };
    let job = Job::on(Arc::new(servers), 1);
    let store = Hosted::join(&within(&job, Duration::from_secs(60), RankWish::Any)).unwrap();
    store.set("before", b"v", Lifetime::Permanent).unwrap();
    let large = vec![7; 512 << 10];
    // The first call that finds etcd full waits for it, the next ones are refused at once.
    let mut errors =
        (0..64).filter_map(|number| store.set(&format!("large/{number}"), &large, Lifetime::Permanent).err());
    for error in [errors.next().unwrap(), errors.next().unwrap()] {
        assert_eq!(error.kind(), Kind::NoResources, "{error}");
        let text = error.to_string();
        assert!(text.contains("etcd has no space left") && text.contains("quota-backend-bytes"), "{text}");
    }
    drop(errors);
    assert_eq!(store.get("before").unwrap().unwrap().value, b"v");
    let error = store.list("").unwrap_err();
    assert_eq!(error.kind(), Kind::NoResources, "keys that are not in etcd are not shown: {error}");
    assert!(store.is_connected());
}

#[test]
fn calls_wait_for_a_restarting_etcd_server() {
    // The first time within the lease of the leader, the second time after its end.
    for (lease, outlives) in [(Duration::from_secs(30), false), (Duration::from_secs(2), true)] {
        let Some(servers) = Servers::start(1) else { return };
        let job = Job::on(Arc::new(servers), 2);
        let store = Hosted::join(&within(&job, lease, RankWish::Any)).unwrap();
        let before = store.set("k", b"before", Lifetime::Session).unwrap();
        store.set("large", &vec![7; 3 << 20], Lifetime::Permanent).unwrap();
        let term = store.leader().term;
        let (callback, changes) = recorder();
        store.watch("l", callback).unwrap();
        job.servers.kill(0);
        if outlives {
            let end = deadline();
            while store.leads() && store.is_connected() {
                assert!(Instant::now() < end, "a leader that etcd does not answer goes on");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        let done = AtomicI64::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let revision = store.set("late", b"", Lifetime::Permanent).unwrap();
                done.store(i64::try_from(revision).unwrap(), Ordering::Release);
            });
            let waiting = scope.spawn(|| store.wait("later", deadline()).unwrap());
            job.servers.restart(0);
            let two = Hosted::join(&within(&job, lease, RankWish::Any)).unwrap();
            two.set("later", b"", Lifetime::Permanent).unwrap();
            waiting.join().unwrap();
        });
        assert!(done.load(Ordering::Acquire) > i64::try_from(before).unwrap(), "revisions go on");
        let entry = store.get("k").unwrap().unwrap();
        assert_eq!((entry.value.as_slice(), entry.revision), (&b"before"[..], before));
        assert_eq!(store.get("large").unwrap().unwrap().value, vec![7; 3 << 20]);
        assert!(matches!(next(&changes), Change::Put(_)));
        assert!(store.is_connected());
        assert_eq!(store.leader().term > term, outlives);
    }
}

#[test]
fn writes_are_acknowledged_after_storage_and_reads_pass() {
    let Some(servers) = Servers::start(1) else { return };
    let job = Job::on(Arc::new(servers), 3);
    let long = |rank| within(&job, Duration::from_secs(60), RankWish::Exactly(Rank(rank)));
    let [one, two, three] = [0, 1, 2].map(|rank| Hosted::join(&long(rank)).unwrap());
    one.set("a", b"old", Lifetime::Permanent).unwrap();
    one.set("b", b"old", Lifetime::Permanent).unwrap();
    let (callback, changes) = recorder();
    two.watch("a", callback).unwrap();
    job.servers.signal(0, "STOP");
    std::thread::scope(|scope| {
        let writing = scope.spawn(|| one.set("a", b"new", Lifetime::Permanent).unwrap());
        assert!(changes.recv_timeout(Duration::from_millis(300)).is_err(), "it is not written yet");
        // Another key, read by a client that awaits nothing else before, does not wait.
        assert_eq!(three.get("b").unwrap().unwrap().value, b"old");
        let reading = scope.spawn(|| two.get("a").unwrap().unwrap().value);
        assert!(!writing.is_finished());
        job.servers.signal(0, "CONT");
        let revision = writing.join().unwrap();
        assert!(matches!(next(&changes), Change::Put(entry) if entry.revision == revision));
        assert_eq!(reading.join().unwrap(), b"new");
    });
}

/// A route to a server that can lose the server's answers, or be cut.
pub(super) struct Proxy {
    pub(super) address: SocketAddr,
    /// Nothing passes.
    pub(super) is_cut: Arc<AtomicBool>,
    /// The next bytes of the server are lost, and the connection breaks.
    lose: Arc<AtomicBool>,
    lost: Arc<AtomicU64>,
}

impl Proxy {
    /// Its threads end with the connections.
    pub(super) fn start(server: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (lose, lost) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let is_cut = Arc::new(AtomicBool::new(false));
        let (losing, losses, cut) = (Arc::clone(&lose), Arc::clone(&lost), Arc::clone(&is_cut));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if cut.load(Ordering::Acquire) {
                    continue;
                }
                let Ok(server) = TcpStream::connect(server) else { continue };
                let (requests, upstream) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let cut_one = Arc::clone(&cut);
                std::thread::spawn(move || pass(requests, upstream, || cut_one.load(Ordering::Acquire)));
                let (losing, losses) = (Arc::clone(&losing), Arc::clone(&losses));
                std::thread::spawn(move || {
                    pass(server, client, || {
                        let loses = losing.swap(false, Ordering::AcqRel);
                        losses.fetch_add(u64::from(loses), Ordering::AcqRel);
                        loses
                    });
                });
            }
        });
        Self { address, is_cut, lose, lost }
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, stop: impl Fn() -> bool) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(got) = from.read(&mut buffer) {
        if got == 0 || stop() || to.write_all(&buffer[..got]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn changes_with_lost_replies_are_applied_once() {
    let Some(job) = Job::new(2) else { return };
    let proxy = Proxy::start(job.servers.endpoints()[0]);
    let url = url_of(&[proxy.address], &job.prefix);
    let store = Hosted::join(&Options { url, ..job.options(RankWish::Exactly(Rank(0))) }).unwrap();
    assert!(store.leads());
    let other = job.join(Some(1)).unwrap();
    let (callback, changes) = recorder();
    other.watch("once/", callback).unwrap();
    let lose = || proxy.lose.store(true, Ordering::Release);
    const ROUNDS: usize = 6;
    for round in 0..ROUNDS {
        let mark = round.to_string();
        lose();
        assert_eq!(store.add("n", 1).unwrap(), round as i64 + 1);
        lose();
        assert_eq!(store.append("log", b"x").unwrap(), round as u64 + 1);
        lose();
        let revision = store.set("once/set", mark.as_bytes(), Lifetime::Session).unwrap();
        assert_eq!(other.get("once/set").unwrap().unwrap().revision, revision);
        lose();
        let swap = store.compare_and_swap("once/swap", None, mark.as_bytes(), Lifetime::Permanent).unwrap();
        assert!(swap.swapped, "{swap:?}");
        lose();
        assert!(store.delete("once/swap").unwrap());
        lose();
        let token = store.lock("l", deadline()).unwrap();
        assert!(token > revision);
        store.unlock("l").unwrap();
        lose();
        assert_eq!(
            store.allgather("alone", 1, mark.as_bytes(), deadline()).unwrap()[0].value,
            mark.as_bytes()
        );
    }
    let lost = proxy.lost.load(Ordering::Acquire);
    assert!(lost > 0, "no answer was lost");
    // Set, swapped, deleted: each round has exactly three changes.
    for round in 0..ROUNDS {
        let mark = round.to_string().into_bytes();
        assert!(
            matches!(next(&changes), Change::Put(entry) if entry.key == "once/set" && entry.value == mark)
        );
        assert!(
            matches!(next(&changes), Change::Put(entry) if entry.key == "once/swap" && entry.value == mark)
        );
        assert!(matches!(next(&changes), Change::Removed { key, .. } if key == "once/swap"));
    }
    assert!(changes.try_recv().is_err());
}
