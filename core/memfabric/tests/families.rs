// SPDX-License-Identifier: Apache-2.0 OR MIT
//! The other families on two ranks, each a process of its own.
#![cfg(feature = "full")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "a test; helpers outside of test functions may fail it, too"
)]

use std::process::Command;
use std::time::Duration;

use memfabric::cache::{Cache, Event, Put};
use memfabric::shm::{DataOps, ShareMemory};
use memfabric::shmem::{Comparison, Operator, World};
use memfabric::{ErrorKind, Job, Pool, Rank, Result, UniqueId};

const LIMIT: Duration = Duration::from_secs(60);
const MIB: u64 = 1 << 20;

/// Runs `body` as ranks 0 and 1 of a fresh job; the children run the test `name` of this program again.
fn two_ranks(name: &str, body: impl Fn(&Job) -> Result<()>) {
    if let (Ok(port), Ok(rank)) = (std::env::var("FAMILIES_PORT"), std::env::var("FAMILIES_RANK")) {
        let job =
            Job::builder().store(format!("tcp://127.0.0.1:{port}"), 2).rank(Rank(rank.parse().unwrap()));
        let job = job.init_timeout(LIMIT).create_timeout(LIMIT).control_timeout(LIMIT).join().unwrap();
        body(&job).unwrap();
        return;
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let start = |rank: u32| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .envs([("FAMILIES_PORT", port.as_str()), ("FAMILIES_RANK", rank.to_string().as_str())])
            .spawn()
            .unwrap()
    };
    let ended: Vec<_> = [0, 1].map(start).into_iter().map(|mut child| child.wait().unwrap()).collect();
    assert!(ended.iter().all(|status| status.success()), "{ended:?}");
}

#[test]
fn symmetric_arrays_exchange_signals_words_and_sums() {
    two_ranks("symmetric_arrays_exchange_signals_words_and_sums", |job| {
        let world = World::builder().heap_bytes(4 * MIB).begin(job)?;
        let (data, ready) = (world.allocate::<i32>(8)?, world.allocate::<u64>(2)?);
        let next = job.neighbour(1);
        data.put_signal(next, 0, &[job.rank().0 as i32 + 1; 8], (&ready, 1), 7)?;
        assert_eq!(ready.wait_until(1, Comparison::GreaterOrEqual, 7)?, 7);
        assert_eq!(data.read()?, [next.0 as i32 + 1; 8]);
        ready.fetch_add(Rank(0), 0, 5)?;
        world.barrier()?;
        assert_eq!(ready.fetch(Rank(0), 0)?, 10);
        let (sum, all) = (world.allocate::<i32>(8)?, world.allocate::<i32>(16)?);
        sum.reduce(&data, Operator::Sum)?;
        assert_eq!(sum.read()?, [3; 8]);
        all.collect(&data)?;
        assert_eq!(all.read()?[7..9], [2, 1]);
        sum.broadcast(&data, Rank(1))?;
        assert_eq!(sum.read()?, [1; 8]);
        // Refused here, before another PE takes part.
        assert_eq!(data.put(next, 7, &[0; 2]).unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(sum.collect(&data).unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!(data.put(Rank(9), 0, &[0]).unwrap_err().kind(), ErrorKind::InvalidParam);
        all.free()?;
        world.end()?;
        assert_eq!(data.read().unwrap_err().kind(), ErrorKind::NotInit);
        job.barrier("done")
    });
}

#[test]
fn share_memory_has_one_address_for_all_ranks() {
    two_ranks("share_memory_has_one_address_for_all_ranks", |job| {
        let share = ShareMemory::builder().id(3).local_bytes(2 * MIB).create(job)?;
        let bases = share.allgather(&share.base().0.to_ne_bytes())?;
        assert_eq!(bases[..8], bases[8..]);
        share.put(&[job.rank().0 as u8 + 1; 4], share.address(job.neighbour(1))?)?;
        share.barrier_within(LIMIT)?;
        let mut got = [0; 4];
        share.get(share.address(share.rank())?, &mut got)?;
        assert_eq!(got, [job.neighbour(1).0 as u8 + 1; 4]);
        assert!(DataOps::MTE.and(DataOps::RDMA).contains(DataOps::RDMA));
        share.barrier()
    });
}

#[test]
fn guest_writes_and_reads_values_in_pieces() {
    two_ranks("guest_writes_and_reads_values_in_pieces", |job| {
        let pool = Pool::builder().host_bytes(8 * MIB).open(job)?;
        let (is_guest, other) = (job.rank().0 == 1, job.neighbour(1));
        let options =
            Cache::builder().name(format!("node{}:1", job.rank().0)).read_lease(Duration::from_secs(60));
        let cache = if is_guest { options.guest() } else { options }.open(&pool)?;
        let second = Cache::builder().open(&pool)?;
        job.barrier("step 1")?;
        let members = second.members()?;
        assert_eq!((members[0].name.as_str(), members[1].name.as_str()), ("node0:1", "node1:1"));
        assert!(members[0].capacity_bytes > 0 && members[1].capacity_bytes == 0);
        assert_eq!((cache.find_member("node0")?, cache.find_member("node1")?), (Some(0), None));
        let key = |rank: Rank| format!("key {}", rank.0).into_bytes();
        let watch = cache.watch(1)?;
        let mut writer = cache.begin(&key(job.rank()), 6, Put::default().prefer(0))?;
        writer.write(3, b"def")?;
        writer.write(0, b"abc")?;
        assert!(!second.contains(&key(job.rank()))? && writer.publish()?);
        job.barrier("step 2")?;
        let (mut one, mut two) = ([0; 4], [0; 4]);
        assert_eq!(cache.get_slices(&key(other), &mut [&mut one, &mut two])?, Some(6));
        assert_eq!((&one, &two[..2]), (b"abcd", &b"ef"[..]));
        assert_eq!(cache.get_range(&key(other), 4, &mut two[..2])?, Some(6));
        assert_eq!(cache.remove_unleased(&key(other)).unwrap_err().kind(), ErrorKind::InUse);
        job.barrier("step 3")?;
        assert_eq!(cache.clear_unleased()?, 0);
        job.barrier("step 4")?;
        assert!(cache.remove(&key(job.rank()))?);
        assert!(cache.put_slices(&key(job.rank()), &[b"ab", b"c"], Put::default())?);
        assert!(second.remove_unleased(&key(job.rank()))?);
        assert_eq!(watch.take(9), (vec![Event::Removed(key(job.rank()))], 1));
        job.barrier("step 5")?;
        Ok(())
    });
}

#[test]
fn cached_values_are_found_by_the_other_rank() {
    two_ranks("cached_values_are_found_by_the_other_rank", |job| {
        let pool = Pool::builder().host_bytes(8 * MIB).open(job)?;
        let cache = Cache::builder().open(&pool)?;
        job.barrier("open")?;
        let key = |rank: Rank| format!("block of {rank}").into_bytes();
        assert!(cache.put(&key(job.rank()), &vec![job.rank().0 as u8; 100_000], Put::default())?);
        job.barrier("put")?;
        let other = job.neighbour(1);
        assert_eq!(cache.get(&key(other))?.unwrap(), vec![other.0 as u8; 100_000]);
        assert!(!cache.put(&key(other), b"", Put::default().keep_existing())?);
        let lease = cache.lease(&key(other), Duration::from_secs(60))?.unwrap();
        assert!(cache.is_held(&lease)? && lease.bytes() == 100_000);
        let mut small = [0; 10];
        assert_eq!(cache.get_into(&key(other), &mut small).unwrap_err().kind(), ErrorKind::InvalidParam);
        assert_eq!((cache.stats().puts, cache.stats().members), (1, 2));
        job.barrier("done")
    });
}

#[test]
fn unique_id_refuses_other_bytes() {
    assert_eq!(UniqueId::parse(b"too short").unwrap_err().kind(), ErrorKind::InvalidParam);
}
