// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Peer access: the other devices that ours may reach.
//!
//! On A2 and 950 a copy between two devices needs peer access: it is directional ("mine may reach that one")
//! and belongs to a context. It is enabled in our context when memory of a device is first imported, and in a
//! context of the caller before the first copy on one of its streams. It is never disabled: the program may
//! use it too.

use std::collections::BTreeSet;
use std::sync::Mutex;

use mf_base::sync::lock;
use mf_base::{Error, Kind, Result};

use super::cann::{Cann, OrRefused};
use super::product::Product;

const OP: &str = "ascend device";

/// The devices that ours reaches.
pub(super) struct Peers {
    cann: Cann,
    /// Physical number of our device.
    own: u32,
    needed: bool,
    /// On an unknown product a refusal may only mean that peer access is not needed.
    lenient: bool,
    state: Mutex<PeerAccess>,
}

#[derive(Default)]
struct PeerAccess {
    /// User numbers of the devices that memory was imported from.
    known: BTreeSet<i32>,
    /// Context and user number where access is enabled.
    enabled: BTreeSet<(usize, i32)>,
}

impl Peers {
    /// No peer yet.
    pub(super) fn new(cann: Cann, product: &Product, own: u32) -> Self {
        let lenient = matches!(product, Product::Other(_));
        Self { cann, own, needed: product.needs_peer_access(), lenient, state: Mutex::default() }
    }

    /// Makes the memory of a physical device reachable from the current context.
    ///
    /// # Errors
    /// `Failed` when this process does not see that device, or CANN refuses.
    pub(super) fn reach(&self, physical: u32) -> Result<()> {
        if !self.needed || physical == self.own {
            return Ok(());
        }
        let unseen = |error: Error| {
            Error::new(Kind::Failed, OP)
                .what("this process does not see the device of another member")
                .with("physical_device", physical)
                .hint("let ASCEND_RT_VISIBLE_DEVICES list the devices of all members, or leave it unset")
                .source(error)
        };
        let number = i32::try_from(physical).map_err(|_| Error::invalid(OP, "no such device"))?;
        let cann = self.cann.libraries();
        let peer = cann.logical_of_physical(number).and_then(|logical| cann.user_of_logical(logical));
        let peer = peer.or_refused().map_err(unseen)?;
        let mut state = lock(&self.state);
        state.known.insert(peer);
        self.enable(&mut state)
    }

    /// Makes all that is known reachable from the current context, which may be one of the caller.
    pub(super) fn map_known(&self) -> Result<()> {
        if !self.needed {
            return Ok(());
        }
        let mut state = lock(&self.state);
        if state.known.is_empty() { Ok(()) } else { self.enable(&mut state) }
    }

    fn enable(&self, state: &mut PeerAccess) -> Result<()> {
        let context = self.cann.acl().context().map_or(0, |context| context.as_raw().addr());
        for peer in &state.known {
            if state.enabled.contains(&(context, *peer)) {
                continue;
            }
            match self.cann.acl().enable_peer(*peer).or_refused() {
                Err(error) if self.lenient => tracing::info!(peer, "peer access is not enabled: {error}"),
                other => other.map_err(|error| error.with("peer_device", peer))?,
            }
            state.enabled.insert((context, *peer));
        }
        Ok(())
    }
}
