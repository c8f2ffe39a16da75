// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a pool.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::time::Duration;

use mf_base::{ByteLen, Error, MemKind, Rank, Result};
use mf_device::{Devices, GivenBlock};
use mf_net::{Network, choice};
use mf_store::Store;

use crate::space::{Places, Shape, agree};

const OP: &str = "pool";

/// Options to open a pool with.
pub struct Options {
    /// Number of the pool in the job.
    pub id: u32,
    /// Number of members and the most each may contribute.
    pub shape: Shape,
    /// Which ranks of the job the members are; ranks of the pool are the places in this list.
    pub places: Places,
    /// Initial contribution of this rank in bytes, indexed by kind.
    pub own_bytes: [u64; 2],
    /// Memory to contribute as host memory; contributions beyond it are fresh memory.
    pub given: Option<GivenMemory>,
    /// Blocks of the caller in the initial contribution of device memory.
    pub given_blocks: Vec<GivenBlock>,
    /// NUMA node to take the own host memory from; `None`: the kernel's choice.
    pub numa_node: Option<u32>,
    /// Views of all members of the job, if they make the pool together; `None`: they agree one after the
    /// other.
    pub together: Option<agree::Together>,
    /// A base to try first; the same in all members.
    pub preferred_base: Option<u64>,
    /// Touch every own page in join.
    pub prefault: bool,
    /// Asynchronous copies to queue before a further one waits.
    pub queue_depth: usize,
    /// Network to members on other hosts; `None`: all are on this one.
    pub network: Option<Arc<Network>>,
    /// If set, memory of members on the same host is mapped.
    pub shared_memory: bool,
    /// Mappings of a member stay as long as the pool lives, also when it has left or died; it cannot join
    /// again under its rank then.
    pub keep_mappings: bool,
    /// Members hand each other their control pages when they join, since groups are made next; else when the
    /// first group is made.
    pub groups_follow: bool,
    /// Bounds opening.
    pub create_timeout: Duration,
    /// Bounds join, leave and extend.
    pub control_timeout: Duration,
    /// The engines that are asked for, the own tag, and rules for tags.
    pub engines: choice::Request,
}

/// A memory object of the caller.
#[derive(Debug)]
pub struct GivenMemory {
    /// Its descriptor.
    pub descriptor: OwnedFd,
    /// Bytes to contribute of it; it grows to so many where it is shorter.
    pub bytes: u64,
}

impl Options {
    /// Returns the place of this process among the members.
    ///
    /// # Errors
    /// `InvalidParam` it is not among them.
    pub(super) fn own_place(&self, store: &dyn Store) -> Result<Rank> {
        let rank = store.member().rank;
        let place = self.places.in_pool(rank).filter(|place| place.0 < self.shape.world);
        place.ok_or_else(|| {
            Error::invalid(OP, "this rank is not among the members of the pool")
                .with("rank", rank)
                .with("members", self.shape.world)
        })
    }

    /// Checks sizes and the granule.
    ///
    /// # Errors
    /// `InvalidParam` sizes that contradict each other.
    pub(super) fn check_sizes(&self, devices: &Devices) -> Result<()> {
        let shape = self.shape;
        shape.check()?;
        for kind in MemKind::ALL {
            let (own, max) = (self.own_bytes[kind.index()], shape.max_bytes[kind.index()]);
            if (own, max) == (0, 0) {
                continue;
            }
            let granule_bytes = devices.windows(kind)?.granule_bytes(kind);
            let bad = |what: &str| {
                Err(Error::invalid(OP, what)
                    .with("pool", self.id)
                    .with("kind", kind)
                    .with("local", ByteLen(own))
                    .with("max", ByteLen(max))
                    .hint(format!("sizes are multiples of {}", ByteLen(granule_bytes))))
            };
            if own > max {
                return bad("the local contribution is larger than the maximum");
            }
            if !own.is_multiple_of(granule_bytes) || !max.is_multiple_of(granule_bytes) {
                return bad("a size is not a multiple of the granule");
            }
        }
        Ok(())
    }
}
