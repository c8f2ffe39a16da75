// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Pools in one process. Several members can be in it as long as they have no host memory: device addresses
//! are each scripted device's own.

use std::sync::Arc;
use std::time::Duration;

use mf_base::settings::Switch;
use mf_base::sync::rcu;
use mf_base::{Gva, MemKind, Rank, Result};
use mf_device::Devices;
use mf_device::engine::Piece;
use mf_device::host::HostDevice;
use mf_fabric::pool::{Mode, Options, Pool, Side};
use mf_fabric::space::{Places, Shape, agree};
use mf_store::{MemoryStore, Store};
use mf_tests::{deadline, pattern};

use super::scripted::ScriptedDevice;

pub(crate) const MIB: u64 = 1 << 20;
pub(crate) const PUT: (Side, Side) = (Side::LocalHost, Side::Global);
pub(crate) const GET: (Side, Side) = (Side::Global, Side::LocalHost);
pub(crate) const INSIDE: (Side, Side) = (Side::Global, Side::Global);
pub(crate) const AUTO: (Side, Side) = (Side::Any, Side::Any);

/// A member of a job in this process.
pub(crate) struct Member {
    pub(crate) device: ScriptedDevice,
    pub(crate) store: Arc<dyn Store>,
}

/// The members of a world of this size.
pub(crate) fn members(world: u32) -> Vec<Member> {
    members_with((0..world).map(|_| ScriptedDevice::default()).collect())
}

/// A member for each device.
pub(crate) fn members_with(all: Vec<ScriptedDevice>) -> Vec<Member> {
    let world = MemoryStore::new(u32::try_from(all.len()).unwrap()).unwrap();
    let member = |device: ScriptedDevice| {
        let store: Arc<dyn Store> = Arc::new(world.join(None).unwrap());
        agree::publish_free(&*store, &devices(&device), None).unwrap();
        Member { device, store }
    };
    all.into_iter().map(member).collect()
}

pub(crate) fn devices(device: &ScriptedDevice) -> Devices {
    Devices::new(Arc::new(HostDevice::new(Switch::Off))).with(Arc::new(device.clone()))
}

/// Own bytes of device and host memory, and maxima.
pub(crate) fn options(world: u32, own: [u64; 2], max: [u64; 2]) -> Options {
    Options {
        network: None,
        shared_memory: true,
        keep_mappings: false,
        groups_follow: false,
        id: 0,
        places: Places::all(),
        shape: Shape { world, max_bytes: max },
        own_bytes: own,
        given: None,
        given_blocks: Vec::new(),
        numa_node: None,
        together: None,
        preferred_base: None,
        prefault: true,
        queue_depth: 16,
        create_timeout: deadline::limit(),
        control_timeout: deadline::limit(),
        engines: mf_net::choice::Request::default(),
    }
}

impl Member {
    pub(crate) fn open(&self, options: &Options) -> Result<Arc<Pool>> {
        Pool::open(devices(&self.device), Arc::clone(&self.store), options)
    }

    /// A joined pool of this world with `own` bytes of `max` of device memory.
    pub(crate) fn device_pool(&self, world: u32, own: u64, max: u64) -> Arc<Pool> {
        let pool = self.open(&options(world, [own, 0], [max, 0])).unwrap();
        pool.join().unwrap();
        pool
    }

    /// Nothing was done that must not be done.
    #[track_caller]
    pub(crate) fn blameless(&self) {
        assert_eq!(self.device.violations(), Vec::<String>::new());
    }

    /// As [`Member::blameless`], and all was given back.
    #[track_caller]
    pub(crate) fn left_nothing(&self) {
        self.blameless();
        // A request of another member that has just been replied to still has its share in the pool.
        assert!(deadline::wait_until(|| self.device.mapped_bytes() == 0), "{}", self.device.mapped_bytes());
        assert!(self.device.exposed().is_empty() && self.device.registered().is_empty());
    }
}

/// A world of one that has joined, with 2 MiB of each kind.
pub(crate) fn alone() -> (Member, Arc<Pool>) {
    let member = members(1).remove(0);
    let pool = member.open(&options(1, [2 * MIB; 2], [4 * MIB; 2])).unwrap();
    pool.join().unwrap();
    (member, pool)
}

/// Two members with `own` of `max` bytes of device memory each.
pub(crate) fn two(own: u64, max: u64) -> (Vec<Member>, Vec<Arc<Pool>>) {
    let members = members(2);
    let pools = members.iter().map(|member| member.device_pool(2, own, max)).collect();
    (members, pools)
}

pub(crate) fn at(pool: &Pool, kind: MemKind, rank: u32, offset: u64) -> Gva {
    pool.address(kind, Rank(rank)).unwrap().add(offset)
}

pub(crate) fn device(pool: &Pool, rank: u32, offset: u64) -> Gva {
    at(pool, MemKind::Device, rank, offset)
}

pub(crate) fn host(pool: &Pool, offset: u64) -> Gva {
    at(pool, MemKind::Host, 0, offset)
}

/// An end of a copy: an address in the pool, or memory of the test.
pub(crate) fn piece(src: *const u8, dst: *mut u8, bytes: u64) -> Piece {
    Piece { src, dst, bytes }
}

pub(crate) fn copy(pool: &Pool, piece: Piece, sides: (Side, Side), mode: Mode) -> Result<()> {
    // SAFETY: the tests keep their buffers until the copies are done.
    unsafe { pool.copy(&rcu::read_lock(), piece, sides, mode) }
}

pub(crate) fn batch(pool: &Pool, pieces: &[Piece], sides: (Side, Side), mode: Mode) -> Result<()> {
    // SAFETY: as in `copy`.
    unsafe { pool.copy_batch(&rcu::read_lock(), pieces, sides, mode) }
}

/// Writes so many bytes of a stream, synchronously.
pub(crate) fn put(pool: &Pool, there: Gva, bytes: u64, seed: u64) -> Result<()> {
    let content = pattern::stream(seed, usize::try_from(bytes).unwrap());
    copy(pool, piece(content.as_ptr(), there.as_ptr(), bytes), PUT, Mode::Sync)
}

/// True if the stream is there.
pub(crate) fn holds(pool: &Pool, there: Gva, bytes: u64, seed: u64) -> bool {
    let mut found = vec![0xa5; usize::try_from(bytes).unwrap()];
    copy(pool, piece(there.as_ptr(), found.as_mut_ptr(), bytes), GET, Mode::Sync).unwrap();
    pattern::mismatch(seed, &found).is_none()
}

/// So short that a test can wait for it.
pub(crate) const MOMENT: Duration = Duration::from_millis(60);
