// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Registered memory anywhere in a process, and copies to and from that of others.
//!
//! **The owner decides at the moment of access; nothing is announced.** A range is reachable when
//! [`Endpoint::register`] returns, because its owner asks its [`Table`] for each access; and it is out of
//! reach when [`Endpoint::withdraw`] returns, because what accesses it then was waited for.
//!
//! | the other process | its memory | who copies |
//! |---|---|---|
//! | on this host | allocated here ([`Endpoint::allocate`]) | this thread: it is mapped |
//! | on this host | private | this thread, by the kernel ([`transport::cma`](crate::transport::cma)) |
//! | on this host | allocated on an accelerator | an accelerator of this process: it is imported |
//! | anywhere | any | its carrier asks the table and copies ([`transfer`](crate::transfer)) |
//!
//! All but the last are granted for an epoch and taken back by a withdrawal; the last asks each time. Which
//! of them it is, the owner says for each range when it is asked the first time. What is copied in place on
//! this host is, whatever engine was asked for; who carries the rest is chosen as for pools
//! ([`choice`](crate::transport::choice)).
//!
//! * `registration`: what the program calls; [`Allocation`]: memory that processes of the host map;
//!   [`Table`]: which ranges are registered; `regions`: them as others reach them.
//! * `reached`: how another process is reached; `assisted`: an accelerator for a process that uses none;
//!   `far`: who carries what is not copied in place; `copies`, and on streams `streams`; `towards`: addresses
//!   of a copy; `notification`: messages behind the data; `waiting`: for what others write.

mod allocation;
mod assisted;
mod copies;
mod far;
mod notification;
mod reached;
mod regions;
mod registration;
mod streams;
mod table;
mod towards;
mod waiting;

use std::sync::Arc;

use mf_base::Result;
use mf_device::Devices;

use self::far::Asked;
use self::regions::Regions;
use crate::transfer::Lane;
use crate::transport::choice::EngineSet;
use crate::transport::{Network, SegmentKey};

pub use allocation::Allocation;
pub use assisted::{LEAST_BYTES as ASSISTED_BYTES, Open as OpenAssistant};
pub use notification::{NOTIFICATION_BYTES_MAX, Receiver};
pub use reached::Reached;
pub use table::Table;

const OP: &str = "transfer";

/// The registered memory of this process under one key. Thread-safe.
pub struct Endpoint {
    network: Arc<Network>,
    devices: Devices,
    /// What copies ask for.
    asked: Asked,
    key: SegmentKey,
    /// On the heap, where the carrier finds it until it is concealed.
    regions: Box<Regions>,
    lane: Lane,
}

impl Endpoint {
    /// An endpoint with nothing registered, which others reach under `key`; their notifications go to
    /// `receiver`. **Local.**
    ///
    /// # Errors
    /// Those of [`Network::expose`].
    pub fn open(
        network: Arc<Network>,
        devices: Devices,
        key: SegmentKey,
        receiver: Arc<dyn Receiver>,
    ) -> Result<Self> {
        let regions = Box::new(Regions::new(devices.clone(), receiver));
        let lane = Lane::new(network.transports(), network.deadlines());
        let endpoint = Self { network, devices, asked: Asked::default(), key, regions, lane };
        let contributor: *const Regions = &raw const *endpoint.regions;
        // SAFETY: the regions have a place of their own, and are given up behind `conceal`, by `drop`; memory
        // of the program is accessed only as long as it is registered.
        unsafe { endpoint.network.expose(key, contributor, &[]) }?;
        Ok(endpoint)
    }

    /// The same, whose copies ask for these engines. `is_chosen`: the caller has chosen them, and is
    /// warned when others are used.
    #[must_use]
    pub fn asking_for(mut self, engines: EngineSet, is_chosen: bool) -> Self {
        self.asked = Asked { engines, is_chosen };
        self
    }

    /// The key of its memory.
    pub fn key(&self) -> SegmentKey {
        self.key
    }

    /// Nothing is reachable any more when it returns. Who waits for what others write polls once more.
    pub fn end(&self) {
        self.regions.written().ring();
        self.lane.drain();
        self.network.conceal(self.key);
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.network.conceal(self.key);
    }
}
