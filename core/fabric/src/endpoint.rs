// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registered memory anywhere in a process, and copies between registered memory of processes.
//!
//! **The owner decides at the moment of access; nothing is announced.** A range is reachable when
//! [`Endpoint::register`] returns, because its owner consults its [`RangeTable`] for each access; and it is
//! out of reach when [`Endpoint::withdraw`] returns, because withdrawing waits for running accesses.
//!
//! | the other process | its memory | copied by |
//! |---|---|---|
//! | on this host | allocated here ([`Endpoint::allocate`]) | this thread: it is mapped |
//! | on this host | private | this thread, by the kernel ([`transport::cma`](mf_net::cma)) |
//! | on this host | allocated on an accelerator | an accelerator of this process: it is imported |
//! | anywhere | any | its carrier consults the table and copies ([`transfer`](crate::transfer)) |
//!
//! All but the last are granted for an epoch and taken back by a withdrawal; the last consults the table each
//! time. The owner reports the kind of each range when it is asked the first time. Memory on this host that
//! can be copied in place is, for any requested engine; the carrier of other copies is chosen as for pools
//! ([`choice`](mf_net::choice)).
//!
//! * `registration`: the program's calls; [`Allocation`]: memory that processes of the host map;
//!   [`RangeTable`]: registered ranges; `regions`: the ranges as others reach them.
//! * `peer_access`: the resolved access to another process; `assisted`: an accelerator for a process that
//!   uses none; `remote_route`: selection of the transport for copies that are not in place; `copies`, and on
//!   streams `streams`; `peer_resolver`: resolver of a copy's addresses; `notification`: messages behind the
//!   data; `waiting`: waits for writes of other processes.

mod allocation;
mod assisted;
mod copies;
mod notification;
mod peer_access;
mod peer_resolver;
mod range_table;
mod regions;
mod registration;
mod remote_route;
mod streams;
mod waiting;

use std::sync::Arc;

use mf_base::Result;
use mf_device::Devices;
use mf_net::Network;
use mf_net::choice::EngineSet;

use self::regions::Regions;
use self::remote_route::RequestedEngines;
use crate::transfer::Lane;

pub use allocation::Allocation;
pub use assisted::{LEAST_BYTES as ASSISTED_BYTES, Open as OpenAssistant};
use mf_transport::SegmentKey;
pub use notification::{NOTIFICATION_BYTES_MAX, Receiver};
pub use peer_access::PeerAccess;
pub use range_table::RangeTable;

const OP: &str = "transfer";

/// The registered memory of this process under one key. Thread-safe.
pub struct Endpoint {
    network: Arc<Network>,
    devices: Devices,
    /// Engines requested for copies.
    asked: RequestedEngines,
    key: SegmentKey,
    /// Boxed: the carrier holds its address until it is concealed.
    regions: Box<Regions>,
    lane: Lane,
}

impl Endpoint {
    /// Opens an endpoint without registered memory, which others reach under `key`; their notifications go to
    /// `receiver`. **Local.**
    ///
    /// # Errors
    /// As [`Network::expose`].
    pub fn open(
        network: Arc<Network>,
        devices: Devices,
        key: SegmentKey,
        receiver: Arc<dyn Receiver>,
    ) -> Result<Self> {
        let regions = Box::new(Regions::new(devices.clone(), receiver));
        let lane = Lane::new(network.transports(), network.deadlines());
        let endpoint = Self { network, devices, asked: RequestedEngines::default(), key, regions, lane };
        let contributor: *const Regions = &raw const *endpoint.regions;
        // SAFETY: the regions are boxed, and dropped after `conceal`, by `drop`; memory of the program is
        // accessed only as long as it is registered.
        unsafe { endpoint.network.expose(key, contributor, &[]) }?;
        Ok(endpoint)
    }

    /// Requests these engines for copies. `is_chosen`: the caller has chosen them, and is warned when others
    /// are used.
    #[must_use]
    pub fn asking_for(mut self, engines: EngineSet, is_chosen: bool) -> Self {
        self.asked = RequestedEngines { engines, is_chosen };
        self
    }

    /// The key of its memory.
    pub fn key(&self) -> SegmentKey {
        self.key
    }

    /// Ends the endpoint: no memory is reachable any more when it returns. Threads that wait for writes of
    /// others poll once more.
    pub fn end(&self) {
        self.regions.written().notify_sleepers();
        self.lane.drain();
        self.network.conceal(self.key);
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.network.conceal(self.key);
    }
}
