// SPDX-License-Identifier: Apache-2.0 OR MIT
//! What a pool tells its transports, also when something fails: what is exposed, and what they know of other
//! members.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what goes wrong here fails the test"
)]

mod counting;

use std::sync::Arc;
use std::time::{Duration, Instant};

use counting::{Counting, NAME};
use mf_base::settings::Switch;
use mf_base::sync::pin;
use mf_base::{Kind, MemKind, Rank, Result};
use mf_fabric::device::Devices;
use mf_fabric::device::host::HostDevice;
use mf_fabric::engine::Piece;
use mf_fabric::pool::record::Record;
use mf_fabric::pool::{Mode, Options, Pool, Side};
use mf_fabric::space::{Access, Places, Presence, Shape, agree};
use mf_fabric::transport::{Card, Network, Peer, SegmentKey, Target, Transport};
use mf_store::{Lifetime, MemoryStore, Store};

const MIB: u64 = 1 << 20;
const TIMEOUT: Duration = Duration::from_secs(30);

/// A member whose transport counts, and another of which there is only what it publishes.
struct Bed {
    pool: Arc<Pool>,
    store: Arc<dyn Store>,
    other: Arc<dyn Store>,
    transport: Arc<Counting>,
    target: Arc<dyn Target>,
}

impl Bed {
    fn new() -> Self {
        let world = MemoryStore::new(2).unwrap();
        let store: Arc<dyn Store> = Arc::new(world.join(Some(Rank(0))).unwrap());
        let other: Arc<dyn Store> = Arc::new(world.join(Some(Rank(1))).unwrap());
        let devices = Devices::new(Arc::new(HostDevice::new(Switch::Off)));
        agree::publish_free(&*store, &devices, None).unwrap();
        let transport = Arc::new(Counting::default());
        let mut target = None;
        let open = |_: Peer, target_of: &Arc<dyn Target>| {
            target = Some(Arc::clone(target_of));
            Ok((vec![Arc::clone(&transport) as Arc<dyn Transport>], Vec::new()))
        };
        let network = Network::start(Arc::clone(&store), TIMEOUT, open).unwrap();
        let options = Options {
            network: Some(network),
            shared_memory: false,
            id: 0,
            places: Places::all(),
            shape: Shape { world: 2, max_bytes: [0, 16 * MIB] },
            own_bytes: [0, 2 * MIB],
            host_descriptor: None,
            numa_node: None,
            preferred_base: None,
            prefault: false,
            queue_depth: 16,
            create_timeout: TIMEOUT,
            control_timeout: TIMEOUT,
            engines: mf_fabric::transport::choice::Request::default(),
        };
        let pool = Pool::open(devices, Arc::clone(&store), &options).unwrap();
        Self { pool, store, other, transport, target: target.unwrap() }
    }

    /// What the member has published.
    fn record(&self) -> Record {
        let entry = self.store.get(&Record::key(0, Rank(0))).unwrap().expect("it is published");
        Record::decode(&entry.value).unwrap()
    }

    /// Whether others reach the last word of so many bytes under a key.
    fn reaches(&self, key: SegmentKey, bytes: u64) -> Result<()> {
        let word = self.pool.address(MemKind::Host, Rank(0)).unwrap().add(bytes - 8);
        self.target.access(key, word.0, 8, Access::Read, &mut |_| ())
    }

    /// The other member joins: it publishes how it is reached, and its memory under this key.
    fn other_joins(&self, key: u64) {
        let session = self.other.member().session;
        let addresses = vec![(NAME.to_owned(), vec![1])];
        let card = Card { session, host: "elsewhere".to_owned(), pid: 1, addresses };
        let card = postcard::to_allocvec(&card).unwrap();
        self.other.set(&Card::key(1), &card, Lifetime::Session).unwrap();
        let record = Record {
            endpoint: String::new(),
            session,
            key: SegmentKey(key),
            bytes: [0, 2 * MIB],
            descriptions: vec![(NAME.to_owned(), vec![7])],
            ..self.record()
        };
        self.other.set(&Record::key(0, Rank(1)), &record.encode().unwrap(), Lifetime::Session).unwrap();
    }

    fn put_to_other(&self) -> Result<()> {
        let there = self.pool.address(MemKind::Host, Rank(1)).unwrap();
        let piece = Piece { src: [1u8; 8].as_ptr(), dst: there.as_ptr(), bytes: 8 };
        // SAFETY: the bytes are a constant.
        unsafe { self.pool.copy(&pin::enter(), piece, (Side::Local, Side::Global), Mode::Sync) }
    }
}

#[test]
fn a_growth_that_a_transport_refuses_leaves_the_member_as_it_was() {
    let bed = Bed::new();
    bed.pool.join().unwrap();
    let before = bed.record();
    bed.transport.refuse(true);
    assert_eq!(bed.pool.extend(MemKind::Host, 2 * MIB).unwrap_err().kind(), Kind::NoResources);
    assert_eq!(bed.pool.local_bytes(MemKind::Host), 2 * MIB);
    assert_eq!(bed.record(), before);
    // It has not left: who reached it reaches it.
    bed.reaches(before.key, 2 * MIB).unwrap();
    assert_eq!(bed.reaches(before.key, 4 * MIB).unwrap_err().kind(), Kind::InvalidParam);
    assert_eq!(bed.transport.exposed(), [(before.key, 2 * MIB)]);

    bed.transport.refuse(false);
    bed.pool.extend(MemKind::Host, 2 * MIB).unwrap();
    bed.reaches(before.key, 4 * MIB).unwrap();
    assert_eq!((bed.record().key, bed.record().bytes), (before.key, [0, 4 * MIB]));
    bed.pool.destroy();
    assert_eq!(bed.transport.exposed(), []);
}

#[test]
fn a_growth_that_cannot_be_published_is_undone() {
    let bed = Bed::new();
    bed.pool.join().unwrap();
    let before = bed.record();
    bed.transport.describe(9 << 20);
    bed.pool.extend(MemKind::Host, 4 * MIB).unwrap_err();
    assert_eq!(bed.pool.local_bytes(MemKind::Host), 2 * MIB);
    assert_eq!(bed.record(), before);
    bed.reaches(before.key, 2 * MIB).unwrap();
    assert_eq!(bed.reaches(before.key, 4 * MIB).unwrap_err().kind(), Kind::InvalidParam);
    assert_eq!(bed.transport.exposed(), [(before.key, 2 * MIB)]);
    let beyond = bed.pool.address(MemKind::Host, Rank(0)).unwrap().add(2 * MIB);
    assert!(bed.pool.local_address(beyond).is_err());

    bed.transport.describe(1);
    bed.pool.extend(MemKind::Host, 2 * MIB).unwrap();
    bed.pool.local_address(beyond).unwrap();
    bed.reaches(before.key, 4 * MIB).unwrap();
    assert_eq!(bed.reaches(before.key, 6 * MIB).unwrap_err().kind(), Kind::InvalidParam);
}

#[test]
fn what_cannot_be_published_is_not_exposed() {
    let bed = Bed::new();
    bed.transport.describe(9 << 20);
    bed.pool.join().unwrap_err();
    assert_eq!(bed.transport.exposed(), []);
    bed.transport.describe(1);
    bed.pool.join().unwrap();
    assert_eq!(bed.transport.exposed().len(), 1);
}

#[test]
fn a_transport_knows_the_memory_of_a_member_that_comes_back_once() {
    let bed = Bed::new();
    bed.pool.join().unwrap();
    for key in 1..50 {
        bed.other_joins(key);
        // Until it has heard of it.
        let limit = Instant::now() + TIMEOUT;
        while bed.transport.attached() != [SegmentKey(key)] {
            assert!(Instant::now() < limit, "{:?} at key {key}", bed.transport.attached());
            bed.put_to_other().unwrap();
        }
        if key % 2 == 0 {
            bed.other.delete(&Record::key(0, Rank(1))).unwrap();
            while bed.pool.presence(Rank(1)) != Presence::Left || !bed.transport.attached().is_empty() {
                assert!(Instant::now() < limit, "{:?} at key {key}", bed.transport.attached());
                std::thread::yield_now();
            }
            assert_eq!(bed.put_to_other().unwrap_err().kind(), Kind::NotConnected);
        }
    }
    bed.pool.leave().unwrap();
    assert_eq!(bed.transport.attached(), []);
}
