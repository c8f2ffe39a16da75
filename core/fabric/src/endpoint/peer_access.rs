// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Resolved access to the memory of another process.

use std::sync::Arc;

use mf_base::{Error, Kind, Rank, Result};
use mf_net::Route;
use mf_net::choice::EngineSet;
use mf_transport::{Peer, PeerRoute, SegmentKey};

use super::assisted::{Assistant, LEAST_BYTES, Open};
use super::remote_route::{RemoteRoute, RequestedEngines};
use super::{Endpoint, OP};

/// A transport that asks the owner once for many accesses.
const NEAR: &str = "cma";

/// The registered memory of another process, and how it is reached.
pub struct PeerAccess {
    peer: Peer,
    pub(super) key: SegmentKey,
    pub(super) near: Option<Arc<dyn PeerRoute>>,
    pub(super) remote: Option<RemoteRoute>,
    pub(super) assistant: Option<Assistant>,
    path: String,
}

impl PeerAccess {
    /// The process.
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// Its key.
    pub fn key(&self) -> SegmentKey {
        self.key
    }

    /// Returns true if its memory is copied in place: it is on this host, and mapped or reached by the
    /// kernel.
    pub fn is_near(&self) -> bool {
        self.near.is_some()
    }

    /// Adds an accelerator for its device memory, which copies of [`LEAST_BYTES`] open: this process uses
    /// none otherwise. Without effect if its memory is not copied in place.
    #[must_use]
    pub fn assisted_by(mut self, name: &str, open: Open) -> Self {
        if self.is_near() {
            self.assistant = Some(Assistant::new(open));
            let least = LEAST_BYTES >> 10;
            self.path = format!("{}; memory of {name} is imported by copies from {least} KiB on", self.path);
        }
        self
    }

    /// Refuses a carrier that was not requested, with `MF_STRICT_ENGINE=1`.
    ///
    /// # Errors
    /// `NotConnected` there is no carrier · `NotExist` the carrier was not requested.
    pub fn insist(&self) -> Result<()> {
        self.remote()?.member().map(drop)
    }

    /// Describes the path to it, for people.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the transport of copies that are not in place.
    ///
    /// # Errors
    /// `NotConnected` no transport reaches it.
    pub(super) fn remote(&self) -> Result<&RemoteRoute> {
        self.remote.as_ref().ok_or_else(|| {
            Error::new(Kind::NotConnected, OP)
                .what("no transport reaches this memory")
                .with("tried", &self.path)
        })
    }
}

impl Endpoint {
    /// Resolves the access to the memory of another process. Opens no connection.
    ///
    /// # Errors
    /// As [`Network::routes`](mf_net::Network::routes).
    pub fn reach(&self, peer: Peer, key: SegmentKey) -> Result<PeerAccess> {
        self.reach_by(peer, key, self.asked)
    }

    /// The same, asking for engines of this peer's own.
    ///
    /// # Errors
    /// As [`reach`](Self::reach).
    pub fn reach_asking(
        &self,
        peer: Peer,
        key: SegmentKey,
        engines: EngineSet,
        is_chosen: bool,
    ) -> Result<PeerAccess> {
        self.reach_by(peer, key, RequestedEngines { engines, is_chosen })
    }

    fn reach_by(&self, peer: Peer, key: SegmentKey, asked: RequestedEngines) -> Result<PeerAccess> {
        let routes = self.network.routes(peer)?;
        let is_near = |route: &&Route| route.transport.name() == NEAR;
        let near = routes.open.iter().find(is_near);
        let remote = RemoteRoute::of(Rank(peer.rank), key, asked, &routes, |route| !is_near(&route))?;
        let paths = near.map(|route| route.reach.path.clone()).into_iter();
        let paths: Vec<String> = paths.chain(remote.as_ref().map(|remote| remote.path.clone())).collect();
        Ok(PeerAccess {
            peer,
            key,
            near: near.map(|route| route.transport.route(peer)).transpose()?,
            remote,
            assistant: None,
            path: paths.join("; otherwise "),
        })
    }

    /// Forgets a process that has ended, or lost its name to another one.
    pub fn forget(&self, reached: &PeerAccess) {
        self.network.forget(reached.peer);
    }
}
