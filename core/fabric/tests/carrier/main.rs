// SPDX-License-Identifier: Apache-2.0 OR MIT
//! All members in this process share one carrier, and all pools one service for links. One test of each,
//! because they count objects of the whole process.
#![expect(unsafe_code, reason = "tests call the unsafe interface, too")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "what goes wrong here fails the test")]

mod guests;

use std::collections::BTreeMap;
use std::net::Ipv6Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mf_base::os::interface::interfaces;
use mf_base::settings::{Settings, Switch, load};
use mf_base::sync::lock;
use mf_base::{Kind, MemKind, Rank, Result};
use mf_device::host::HostDevice;
use mf_device::{Access, Devices};
use mf_fabric::directory::StoreDirectory;
use mf_fabric::pool::{Options, Pool};
use mf_fabric::space::{Places, Shape, agree};
use mf_net::carrier::{JobOptions, join};
use mf_net::decorators::metrics::snapshots;
use mf_net::{Card, Contributor, Network};
use mf_store::{MemoryStore, Store, network_card};
use mf_transport::{Completion, Operation, OperationKind, Peer, Region, SegmentKey, Span, Spot};

/// Held by tests with networks, as their threads and listeners are counted.
static NETWORKS: Mutex<()> = Mutex::new(());

/// Keys of ranks: the same in every job.
fn key(rank: u32) -> SegmentKey {
    SegmentKey(77 + u64::from(rank))
}

/// One word that others may reach.
struct Word(AtomicU64);

impl Contributor for Word {
    fn access(&self, address: u64, bytes: u64, _: Access, touch: &mut dyn FnMut(Spot<'_>)) -> Result<()> {
        assert_eq!((address, bytes), (self.address(), 8));
        touch(Spot::Host(self.0.as_ptr().cast()));
        Ok(())
    }

    fn message(&self, _: Peer, _: &[u8]) {}
}

impl Word {
    fn address(&self) -> u64 {
        self.0.as_ptr().addr() as u64
    }
}

/// A word that the peers of a network may reach.
struct Exposed {
    network: Arc<Network>,
    word: Box<Word>,
    key: SegmentKey,
}

impl Exposed {
    fn new(network: &Arc<Network>, key: SegmentKey) -> Self {
        let word = Box::new(Word(AtomicU64::new(0)));
        let region = Region { kind: MemKind::Host, is_host_memory: true, address: word.address(), bytes: 8 };
        // SAFETY: the word lives as long as this, which conceals it before it goes.
        unsafe { network.expose(key, &raw const *word, &[region]) }.unwrap();
        Self { network: Arc::clone(network), word, key }
    }

    fn address(&self) -> u64 {
        self.word.address()
    }

    fn value(&self) -> u64 {
        self.word.0.load(Ordering::SeqCst)
    }
}

impl Drop for Exposed {
    fn drop(&mut self) {
        self.network.conceal(self.key);
    }
}

struct Member {
    store: Arc<dyn Store>,
    network: Arc<Network>,
    exposed: Exposed,
}

fn settings(set: &[(&str, &str)]) -> Settings {
    let environment: BTreeMap<_, _> =
        set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    load(&environment, &BTreeMap::new()).unwrap().settings
}

impl Member {
    fn join(world: &MemoryStore, rank: u32, nic: &str, settings: &Settings) -> Self {
        let store: Arc<dyn Store> = Arc::new(world.join(Some(Rank(rank))).unwrap());
        let options = JobOptions { is_loopback: true, nic, tls: settings.net_tls, settings };
        let network =
            join(&StoreDirectory::for_store(&store), &options).unwrap().expect("a network was asked for");
        let exposed = Exposed::new(&network, key(rank));
        Self { store, network, exposed }
    }

    /// Puts a value into the word of another under this key.
    fn put(&self, to: &Self, value: u64) -> Result<()> {
        let mut value = value;
        let routes = self.network.routes(to.network.me())?;
        let spans = [Span { local: (&raw mut value).cast(), address: to.exposed.address(), bytes: 8 }];
        let completion = Arc::new(Completion::new());
        let (route, deadline) = (&routes.open[0], Instant::now() + Duration::from_secs(60));
        // SAFETY: the value lives until the operation was waited for.
        unsafe {
            route.transport.post(
                route.peer,
                &Operation::Put { key: to.exposed.key, spans: &spans },
                &completion,
                deadline,
            )
        }?;
        route.transport.wait(&completion)
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.network.conceal(self.exposed.key);
        self.network.close();
    }
}

/// Threads of this process with that name.
fn threads(wanted: &str) -> usize {
    let named = |task: std::io::Result<std::fs::DirEntry>| {
        std::fs::read_to_string(task.unwrap().path().join("comm")).is_ok_and(|name| name.trim() == wanted)
    };
    std::fs::read_dir("/proc/self/task").unwrap().map(named).filter(|is| *is).count()
}

/// Waits until a thread has its name, which it gives itself when it first runs.
fn wait_for_thread(name: &str) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while threads(name) == 0 {
        assert!(Instant::now() < deadline, "no thread {name}");
        std::thread::yield_now();
    }
}

/// The sockets of this process, by inode.
fn sockets() -> Vec<String> {
    let links = std::fs::read_dir("/proc/self/fd").unwrap();
    links
        .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok())
        .filter_map(|link| Some(link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect()
}

/// Unix sockets of this process that listen.
fn local_listeners() -> usize {
    const LISTENS: &str = "00010000";
    let (own, table) = (sockets(), std::fs::read_to_string("/proc/self/net/unix").unwrap());
    let listening = |line: &&str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        fields.get(3) == Some(&LISTENS)
            && fields.get(6).is_some_and(|inode| own.iter().any(|own| own == inode))
    };
    table.lines().filter(listening).count()
}

/// Sockets of this process that listen for TCP.
fn listeners() -> usize {
    let own = sockets();
    let table = ["tcp", "tcp6"].map(|family| std::fs::read_to_string(format!("/proc/self/net/{family}")));
    let table = table.map(Result::unwrap_or_default).concat();
    let listening = |line: &&str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        fields.get(3) == Some(&"0A") && fields.get(9).is_some_and(|inode| own.iter().any(|own| own == inode))
    };
    table.lines().filter(listening).count()
}

#[test]
fn ten_jobs_share_a_thread_and_a_listener() {
    let _alone = lock(&NETWORKS);
    let plain = settings(&[]);
    let jobs: Vec<[Member; 2]> = (0..10)
        .map(|_| {
            let world = MemoryStore::new(2).unwrap();
            [0, 1].map(|rank| Member::join(&world, rank, "127.0.0.1", &plain))
        })
        .collect();
    for ([one, other], value) in jobs.iter().zip(1..) {
        one.put(other, value).unwrap();
        other.put(one, value + 100).unwrap();
        let found = [one, other].map(|member| member.exposed.value());
        assert_eq!(found, [value + 100, value]);
    }
    wait_for_thread("mf-tcp");
    assert_eq!((threads("mf-tcp"), listeners()), (1, 1));

    // A member of another job is not reached, nor is memory of another job under the same key.
    let [first, _] = &jobs[0];
    let [second, second_peer] = &jobs[1];
    assert_eq!(second.network.routes(first.network.me()).err().unwrap().kind(), Kind::NotConnected);
    second_peer.network.conceal(second_peer.exposed.key);
    let refused = second.put(second_peer, 5).unwrap_err();
    assert_eq!(refused.kind(), Kind::NotConnected, "under a key that only other jobs have: {refused}");

    // Each has a separate card, by its session.
    let card = |member: &Member| {
        let entry = member.store.get(&network_card(member.store.member().session)).unwrap().unwrap();
        Card::decode(&entry.value).unwrap()
    };
    assert_ne!(card(first).session, card(&jobs[0][1]).session);
    assert_eq!(card(first).addresses, card(second).addresses);

    // A job that listens elsewhere opens one more listener, and closes it again.
    if interfaces().unwrap().iter().any(|interface| interface.address == Ipv6Addr::LOCALHOST) {
        let world = MemoryStore::new(2).unwrap();
        let elsewhere = [0, 1].map(|rank| Member::join(&world, rank, "::1", &plain));
        elsewhere[0].put(&elsewhere[1], 9).unwrap();
        assert_eq!((threads("mf-tcp"), listeners()), (1, 2));
        drop(elsewhere);
        assert_eq!((threads("mf-tcp"), listeners()), (1, 1));
    } else {
        println!("skip a second listener: this machine has no ::1");
    }

    // Settings of one job: every put fails, and is counted.
    let set = settings(&[
        ("MF_NET_FAULTS", "fail=timeout only=put"),
        ("MF_NET_METRICS", "1"),
        ("MF_NET_TRACE", "1"),
    ]);
    let world = MemoryStore::new(2).unwrap();
    let harmed = [0, 1].map(|rank| Member::join(&world, rank, "127.0.0.1", &set));
    assert_eq!(harmed[0].put(&harmed[1], 9).unwrap_err().kind(), Kind::Timeout);
    first.put(&jobs[0][1], 10).unwrap();
    // Counts are read while operations go on, and only if metrics were requested.
    let puts = snapshots().into_iter().map(|snapshot| snapshot.total.of(OperationKind::Put));
    let (operations, errors) = puts.fold((0, 0), |(all, bad), put| (all + put.operations, bad + put.errors));
    assert_eq!((operations, errors), (1, 1));

    drop((jobs, harmed));
    assert_eq!((threads("mf-tcp"), listeners()), (0, 0));
}

#[test]
fn ten_pools_share_a_thread_and_a_local_socket() {
    const BYTES: u64 = 2 << 20;
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new(1).unwrap().join(Some(Rank(0))).unwrap());
    let devices = Devices::new(Arc::new(HostDevice::new(Switch::Off)));
    agree::publish_free(&*store, &devices, None).unwrap();
    let pools: Vec<Arc<Pool>> = (0..10)
        .map(|id| {
            let options = Options {
                id,
                shape: Shape { world: 1, max_bytes: [0, BYTES] },
                places: Places::all(),
                own_bytes: [0, BYTES],
                given: None,
                given_blocks: Vec::new(),
                numa_node: None,
                together: None,
                preferred_base: None,
                prefault: false,
                queue_depth: 16,
                network: None,
                shared_memory: true,
                keep_mappings: false,
                groups_follow: false,
                create_timeout: Duration::from_secs(60),
                control_timeout: Duration::from_secs(60),
                engines: mf_net::choice::Request::default(),
            };
            let pool = Pool::open(devices.clone(), Arc::clone(&store), &options).unwrap();
            pool.join().unwrap();
            pool
        })
        .collect();
    wait_for_thread("mf-links");
    assert_eq!((threads("mf-links"), local_listeners()), (1, 1));
    for (at, pool) in pools.iter().enumerate() {
        assert_eq!((threads("mf-links"), local_listeners()), (1, 1), "{at} pools are gone");
        pool.destroy();
    }
    assert_eq!((threads("mf-links"), local_listeners()), (0, 0));
}
