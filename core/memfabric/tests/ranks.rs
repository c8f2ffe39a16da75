// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Two ranks of one job, by the public interface alone.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a test; helpers outside of test functions may fail it, too"
)]

use std::net::TcpListener;
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::Duration;

use memfabric::bm::{Atomic, Event, Presence, Signal};
use memfabric::store::{Change, Server};
use memfabric::{ErrorKind, Job, Lifetime, MemKind, Pool, Rank, Result, Retry, Store, UniqueId};

const LIMIT: Duration = Duration::from_secs(60);
const MIB: u64 = 1 << 20;

/// Runs `body` as ranks 0 and 1 of a fresh job, in processes of their own: two members of a pool cannot have
/// the same addresses in one process. The children run the test `name` of this program again.
fn two_ranks(name: &str, body: impl Fn(&Job) -> Result<()>) {
    if let (Ok(id), Ok(rank)) = (std::env::var("RANKS_ID"), std::env::var("RANKS_RANK")) {
        let bytes: Vec<u8> =
            (0..id.len()).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap()).collect();
        let id = UniqueId::parse(&bytes).unwrap();
        let job = Job::builder().unique_id(&id, Some(Rank(rank.parse().unwrap())), 2).unwrap();
        let job = job.init_timeout(LIMIT).control_timeout(LIMIT).join().unwrap();
        body(&job).unwrap();
        return;
    }
    let id = UniqueId::create(Some([127, 0, 0, 1].into())).unwrap();
    let text: String = id.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    let start = |rank: u32| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .envs([("RANKS_ID", text.as_str()), ("RANKS_RANK", rank.to_string().as_str())])
            .spawn()
            .unwrap()
    };
    let ended: Vec<_> = [0, 1].map(start).into_iter().map(|mut child| child.wait().unwrap()).collect();
    assert!(ended.iter().all(|status| status.success()), "{ended:?}");
}

/// Returns the URL of a free port.
fn free_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("tcp://127.0.0.1:{}", listener.local_addr().unwrap().port())
}

#[test]
fn ranks_exchange_data_signals_and_atomics() {
    two_ranks("ranks_exchange_data_signals_and_atomics", |job| {
        let pool = Pool::builder().host_bytes(2 * MIB).open(job)?;
        job.barrier("joined")?;
        let there = pool.address(job.neighbour(1))?;
        let word = there.add(MIB);
        pool.put_signal(&[7; 100], there, Signal::set(word, 1))?;
        job.barrier("put")?;
        assert_eq!(pool.read(pool.local_address()?, 100)?, [7; 100]);
        assert_eq!(pool.atomic(pool.local_address()?.add(MIB), Atomic::fetch())?, 1);
        let counter = pool.address(Rank(0))?.add(MIB + 64);
        pool.atomic(counter, Atomic::add(5))?;
        job.barrier("counted")?;
        assert_eq!(pool.atomic(counter, Atomic::fetch())?, 10);
        assert_eq!(pool.rank_of(there), Some(job.neighbour(1)));
        assert_eq!((pool.kind_of(there), pool.local_bytes(MemKind::Host)), (Some(MemKind::Host), 2 * MIB));
        let ranks = job.allgather("ranks", &job.rank().0.to_le_bytes())?;
        assert_eq!(ranks, [0u32.to_le_bytes(), 1u32.to_le_bytes()]);
        job.barrier("done")
    });
}

#[test]
fn queued_copies_are_done_when_queue_returns() {
    two_ranks("queued_copies_are_done_when_queue_returns", |job| {
        let pool = Pool::builder().host_bytes(2 * MIB).open(job)?;
        let source = vec![job.rank().0 as u8 + 1; 300_000];
        pool.queue(|copies| {
            copies.put(&source, pool.local_address()?);
            Ok(())
        })?;
        job.barrier("put")?;
        let mut parts = [vec![0; 300_000], vec![0; 300_000]];
        pool.queue(|copies| {
            for (rank, part) in (0..).map(Rank).zip(&mut parts) {
                copies.get(pool.address(rank)?, part);
            }
            copies.start()
        })?;
        assert!(parts[0].iter().all(|byte| *byte == 1) && parts[1].iter().all(|byte| *byte == 2));
        // The error of the body, while a copy is queued.
        let failed = pool.queue(|copies| {
            copies.get(pool.local_address()?, &mut parts[0]);
            copies.start()?;
            pool.address(Rank(9)).map(drop)
        });
        assert_eq!(failed.unwrap_err().kind(), ErrorKind::InvalidParam);
        job.barrier("done")
    });
}

#[test]
fn member_that_leaves_is_reported_and_copies_to_it_fail() {
    two_ranks("member_that_leaves_is_reported_and_copies_to_it_fail", |job| {
        let pool = Pool::builder().host_bytes(2 * MIB).open(job)?;
        job.barrier("joined")?;
        let (sender, events) = channel();
        pool.on_event(move |rank, event| {
            let _ = sender.send((rank, event));
        });
        job.barrier("listening")?;
        if job.rank() == Rank(1) {
            pool.leave()?;
            assert_eq!(pool.put(b"x", pool.local_address()?).unwrap_err().kind(), ErrorKind::NotStarted);
        } else {
            while events.recv_timeout(LIMIT).unwrap() != (Rank(1), Event::Left) {}
            let error = pool.put(b"x", pool.address(Rank(1))?).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotConnected);
            assert_eq!((pool.presence(Rank(1)), pool.members()), (Presence::Left, vec![Rank(0)]));
        }
        job.barrier("done")
    });
}

#[test]
fn dropping_in_any_order_ends_the_job_once() {
    let job = Job::alone().unwrap();
    let pool = Pool::builder().host_bytes(2 * MIB).open(&job).unwrap();
    let store = job.store().unwrap();
    drop(job);
    pool.put(b"still there", pool.local_address().unwrap()).unwrap();
    assert!(store.is_connected());
    drop(pool);
    assert_eq!(store.get("key").unwrap_err().kind(), ErrorKind::NotConnected);
}

#[test]
fn job_that_was_left_refuses_calls() {
    let job = Job::alone().unwrap();
    let pool = Pool::builder().host_bytes(2 * MIB).open(&job).unwrap();
    job.leave();
    job.leave();
    assert_eq!(pool.put(b"x", pool.local_address().unwrap()).unwrap_err().kind(), ErrorKind::NotStarted);
}

#[test]
fn guest_sees_values_leases_and_locks_of_members() {
    let server = Server::builder(free_url()).start().unwrap();
    let (first, second) =
        (Store::visit(&server.url(), LIMIT).unwrap(), Store::visit(&server.url(), LIMIT).unwrap());
    let (sender, changes) = channel();
    let watch = first.watch("jobs/", move |change| drop(sender.send(change.clone()))).unwrap();
    second.set("jobs/1", b"new", Lifetime::Permanent).unwrap();
    let Change::Set(entry) = changes.recv_timeout(LIMIT).unwrap() else { panic!("another change") };
    assert_eq!((entry.key(), entry.value()), ("jobs/1", &b"new"[..]));
    let (swapped, entry) =
        first.compare_and_swap("jobs/1", Some(b"old"), b"newer", Lifetime::Permanent).unwrap();
    assert!(!swapped && entry.unwrap().value() == b"new");
    let lease = first.grant_lease(Duration::from_secs(600)).unwrap();
    second.set("jobs/2", b"", Lifetime::Lease(lease)).unwrap();
    assert_eq!(first.list("jobs/").unwrap().len(), 2);
    assert!(second.revoke_lease(lease).unwrap());
    assert!(first.get("jobs/2").unwrap().is_none());
    drop(watch);
    let error = first.wait("jobs/3", Duration::from_millis(10)).unwrap_err();
    assert_eq!((error.kind(), error.retry()), (ErrorKind::Timeout, Retry::Later));
    assert!(error.to_string().contains("jobs/3") && error.code() == -2004, "{error}");
}

#[cfg(feature = "sim")]
#[test]
fn simulated_accelerator_contributes_device_memory() {
    use memfabric::Accelerator;

    let job = Job::builder().alone().accelerator(Accelerator::Simulated).join().unwrap();
    assert!(job.has_accelerator(), "{:?}", job.device_report());
    let pool = Pool::builder().host_bytes(2 * MIB).device_bytes(2 * MIB).open(&job).unwrap();
    let device = pool.address_of(MemKind::Device, Rank(0)).unwrap();
    pool.put(b"to the device", device).unwrap();
    pool.copy(device, pool.local_address().unwrap(), 13).unwrap();
    assert_eq!(pool.read(pool.local_address().unwrap(), 13).unwrap(), b"to the device");
}
