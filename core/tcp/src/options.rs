// SPDX-License-Identifier: Apache-2.0 OR MIT
//! Options of a member.

use std::net::SocketAddr;
use std::sync::Weak;

use mf_base::settings::Switch;
use mf_transport::{Peer, Target};

/// Options of a member for [`Engine::join`](crate::Engine::join).
pub struct Options {
    /// The member.
    pub me: Peer,
    /// The job's secret, which both ends of a connection prove to know.
    pub token: [u8; 32],
    /// Addresses to listen on; the port 0 takes a free one. From `nic::choose`.
    pub listen: Vec<SocketAddr>,
    /// Controls encryption of connections; `auto`: of connections that leave the host.
    pub tls: Switch,
    /// A CRC-32C goes with every payload.
    pub checksum: bool,
    /// Most connections to one peer.
    pub connections: u32,
    /// Serves the operations of others.
    pub target: Weak<dyn Target>,
}
