// SPDX-License-Identifier: Apache-2.0 OR MIT
//! A pool with one real member here and another that only publishes a record.

use std::sync::Arc;
use std::time::Duration;

use mf_base::settings::Switch;
use mf_base::sync::rcu;
use mf_base::{MemKind, Rank, Result};
use mf_device::engine::Piece;
use mf_device::host::HostDevice;
use mf_device::{Access, Devices};
use mf_fabric::directory::StoreDirectory;
use mf_fabric::pool::member_record::MemberRecord;
use mf_fabric::pool::{Mode, Options, Pool, Side};
use mf_fabric::space::{Places, Shape, agree};
use mf_net::{Card, Network};
use mf_store::{Lifetime, MemoryStore, Store, network_card};
use mf_transport::{Peer, SegmentKey, Target, Transport};

use crate::counting::{Counting, NAME};

pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// A member with a counting transport, and another that consists only of its published data.
pub(crate) struct Bed {
    pub(crate) pool: Arc<Pool>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) other: Arc<dyn Store>,
    pub(crate) transport: Arc<Counting>,
    target: Arc<dyn Target>,
}

impl Bed {
    pub(crate) fn new() -> Self {
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
        let network = Network::start(&StoreDirectory::for_store(&store), TIMEOUT, open).unwrap();
        let options = Options {
            network: Some(network),
            shared_memory: false,
            id: 0,
            places: Places::all(),
            shape: Shape { world: 2, max_bytes: [0, 16 * MIB] },
            own_bytes: [0, 2 * MIB],
            given: None,
            given_blocks: Vec::new(),
            numa_node: None,
            together: None,
            preferred_base: None,
            prefault: false,
            queue_depth: 16,
            keep_mappings: false,
            groups_follow: false,
            create_timeout: TIMEOUT,
            control_timeout: TIMEOUT,
            engines: mf_net::choice::Request::default(),
        };
        let pool = Pool::open(devices, Arc::clone(&store), &options).unwrap();
        Self { pool, store, other, transport, target: target.unwrap() }
    }

    /// Returns the member's published record.
    pub(crate) fn record(&self) -> MemberRecord {
        let entry = self.store.get(&MemberRecord::key(0, Rank(0))).unwrap().expect("it is published");
        MemberRecord::decode(&entry.value).unwrap()
    }

    /// Checks that others reach the last word of so many bytes under a key.
    pub(crate) fn reaches(&self, key: SegmentKey, bytes: u64) -> Result<()> {
        let word = self.pool.address(MemKind::Host, Rank(0)).unwrap().add(bytes - 8);
        self.target.access(key, word.0, 8, Access::Read, &mut |_| ())
    }

    /// The other member joins: it publishes how it is reached, and its memory under this key.
    pub(crate) fn other_joins(&self, key: u64) {
        let session = self.other.member().session;
        let addresses = vec![(NAME.to_owned(), vec![1])];
        let card = Card { session, host: "elsewhere".to_owned(), pid: 1, addresses };
        let card = postcard::to_allocvec(&card).unwrap();
        self.other.set(&network_card(session), &card, Lifetime::Session).unwrap();
        let record = MemberRecord {
            endpoint: String::new(),
            session,
            key: SegmentKey(key),
            bytes: [0, 2 * MIB],
            descriptions: vec![(NAME.to_owned(), vec![7])],
            ..self.record()
        };
        self.other.set(&MemberRecord::key(0, Rank(1)), &record.encode().unwrap(), Lifetime::Session).unwrap();
    }

    pub(crate) fn put_to_other(&self) -> Result<()> {
        let there = self.pool.address(MemKind::Host, Rank(1)).unwrap();
        let piece = Piece { src: [1u8; 8].as_ptr(), dst: there.as_ptr(), bytes: 8 };
        // SAFETY: the bytes are a constant.
        unsafe { self.pool.copy(&rcu::read_lock(), piece, (Side::Local, Side::Global), Mode::Sync) }
    }
}
