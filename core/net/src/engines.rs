// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Engines of the transports of a process, shared by all its memberships of jobs.
//!
//! | one a process | of each member |
//! |---|---|
//! | engines of TCP and UCX: listeners, threads, accepted connections, libucp worker | token, TLS, checksums, connections to one peer |
//! | the registry of memory that others may reach | its known peers, its exposed memory, its timeout |
//!
//! Members may differ in all of the right column. A member with a listening address of its own (`MF_NIC`, the
//! URL of its configuration) has a separate listener beside theirs, and is reached by that only.
//!
//! The first member opens them and the last one closes them. A forked child has new ones.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use mf_base::sync::single::Single;
use mf_base::{Error, Result};
use mf_device::Access;
use mf_transport::{Grant, JobId, Peer, Range, SegmentKey, Spot, Target};

use crate::fd_reserve::FdReserve;
use crate::registry::Registry;
use crate::ucx;

static CURRENT: Single<Engines> = Single::new();

/// The engines of this process, and the memory that it exposes.
#[derive(Default)]
pub(crate) struct Engines {
    pub(crate) registry: Registry,
    pub(crate) tcp: Single<mf_tcp::Engine>,
    pub(crate) ucx: Single<ucx::Engine>,
    _reserve: FdReserve,
}

impl Engines {
    /// Returns the engines of this process, creating them if absent.
    ///
    /// # Errors
    /// None at present.
    pub(crate) fn current() -> Result<Arc<Self>> {
        CURRENT.get(|| Ok(Arc::default()))
    }
}

/// The memory of this process that is exposed to one job.
pub(crate) struct Served {
    pub(crate) engines: Arc<Engines>,
    pub(crate) job: JobId,
}

impl Target for Served {
    fn access(
        &self,
        key: SegmentKey,
        address: u64,
        bytes: u64,
        access: Access,
        touch: &mut dyn FnMut(Spot<'_>),
    ) -> Result<()> {
        self.engines.registry.access((self.job, key), address, bytes, access, touch)
    }

    fn read_all(&self, key: SegmentKey, ranges: &[Range], touch: &mut dyn FnMut(&[Spot<'_>])) -> Result<()> {
        self.engines.registry.read_all((self.job, key), ranges, touch)
    }

    fn grant(&self, key: SegmentKey, address: u64, bytes: u64, more: &mut Vec<Grant>) -> Result<Grant> {
        self.engines.registry.grant((self.job, key), address, bytes, more)
    }

    fn file(&self, key: SegmentKey, id: u64) -> Result<(OwnedFd, u64)> {
        self.engines.registry.file((self.job, key), id)
    }

    fn device(&self, key: SegmentKey, id: u64) -> Result<Vec<u8>> {
        self.engines.registry.device((self.job, key), id)
    }

    fn message(&self, from: Peer, message: &[u8]) {
        self.engines.registry.message(from, message);
    }

    fn lost(&self, peer: Peer, reason: &Error) {
        tracing::info!("the connection to {peer} is lost: {reason}");
    }
}
