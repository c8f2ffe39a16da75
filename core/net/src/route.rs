// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Routes to a peer: the transports that reach it, and the reasons of the others.

use std::sync::Arc;

use mf_transport::{Peer, Reach, Transport};

/// A route to a peer.
#[derive(Clone)]
pub struct Route {
    /// The transport.
    pub transport: Arc<dyn Transport>,
    /// The peer.
    pub peer: Peer,
    /// Its route.
    pub reach: Reach,
    /// Addresses by which others reach that peer, by the name of the transport.
    pub addresses: Arc<[(String, Vec<u8>)]>,
}

/// Known routes to a peer.
#[derive(Clone, Default)]
pub struct Routes {
    /// At least one, best first.
    pub open: Vec<Route>,
    /// The transports that do not reach it.
    pub closed: Vec<Absent>,
}

/// A transport that this process does not have, or that does not reach a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Its name.
    pub name: &'static str,
    /// Why.
    pub reason: String,
}

/// The transports of a process, and the absent ones.
pub type Opened = (Vec<Arc<dyn Transport>>, Vec<Absent>);
